"""Locations of files."""

from sokoterm.store.paths import config_file, crash_dir, data_dir, progress_file

HOME = {"HOME": "/home/p"}


def test_flag_comes_before_environment() -> None:
    environ = HOME | {"SOKOTERM_DATA": "/env", "XDG_DATA_HOME": "/xdg"}
    assert data_dir("here", environ) == "here"
    assert data_dir(None, environ) == "/env"
    assert data_dir(None, HOME | {"XDG_DATA_HOME": "/xdg"}) == "/xdg/sokoterm"
    assert data_dir(None, HOME) == "/home/p/.local/share/sokoterm"
    assert progress_file("/data") == "/data/progress.db"


def test_other_folders() -> None:
    assert config_file(HOME) == "/home/p/.config/sokoterm/config.toml"
    assert config_file(HOME | {"XDG_CONFIG_HOME": "/c"}) == "/c/sokoterm/config.toml"
    assert crash_dir(HOME) == "/home/p/.local/state/sokoterm"
    assert crash_dir(HOME | {"XDG_STATE_HOME": "/s"}) == "/s/sokoterm"


def test_relative_and_empty_values_are_ignored() -> None:
    assert data_dir(None, HOME | {"XDG_DATA_HOME": "relative", "SOKOTERM_DATA": ""}) == "/home/p/.local/share/sokoterm"
    assert crash_dir(HOME | {"XDG_STATE_HOME": ""}) == "/home/p/.local/state/sokoterm"


def test_home_is_found_without_its_variable() -> None:
    assert data_dir(None, {}).endswith("/.local/share/sokoterm")
