"""Locations of files; account names, and the folders made from them."""

import os
from pathlib import Path

import pytest

from sokoterm.store.paths import (
    account_dir,
    config_file,
    crash_dir,
    data_dir,
    is_account_name,
    is_login_shell,
    progress_file,
    unix_account,
    unix_home,
)

pwd = pytest.importorskip("pwd")

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


@pytest.mark.parametrize("name", ["ann", "Ann-2", "a.b_c", "ann@example.org", "7", "x" * 32])
def test_names(name: str) -> None:
    assert is_account_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "", ".", "..", "../x", "a/b", "/etc", ".ann", "-ann", "_ann", "@", "a b", "a\n", "a\0", "a\x1b", "ä", "²",
        "x" * 33,
    ],
)  # fmt: skip
def test_what_is_no_name(name: str) -> None:
    assert not is_account_name(name)


def test_the_folder_of_an_account_lies_below_that_of_the_data() -> None:
    assert account_dir("/data", None) == "/data"
    assert Path(account_dir("/data", "ann")) == Path("/data/accounts/ann")


def test_name_and_home_come_from_the_password_database(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "/tmp/other")
    entry = pwd.getpwuid(os.getuid())
    assert (unix_account(), unix_home()) == (entry.pw_name, entry.pw_dir)


def test_an_account_without_an_entry_has_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def getpwuid(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setenv("HOME", "/tmp/other")
    monkeypatch.delenv("USERNAME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", getpwuid)
    assert (unix_account(), unix_home(), is_login_shell("/bin/sh")) == ("someone", "/nonexistent", False)


def test_a_login_shell_is_the_program_of_the_password_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = tmp_path / "sokoterm"
    shell.touch()
    link = tmp_path / "link"
    link.symlink_to(shell)
    entry = pwd.getpwuid(os.getuid())
    for place, expected in ((str(shell), True), (str(link), True), ("/bin/sh", False), ("", False)):
        fields = [*entry[:6], place]
        monkeypatch.setattr(pwd, "getpwuid", lambda _, fields=fields: pwd.struct_passwd(fields))
        assert is_login_shell(str(shell)) is expected
