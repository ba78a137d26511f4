"""Flags of how the player looks, where there is nothing to look at."""

from pathlib import Path

import pytest

from tests.unit.commands.command import ONE_PUSH, Command

DRAWN = ("--theme ascii", "--ascii", "--cell 1", "--no-color", "--no-mouse", "--animation 9", "--slow-link", "--stats")


@pytest.mark.parametrize("flags", DRAWN)
def test_what_does_nothing_without_a_screen_is_refused_there(command: Command, flags: str) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    for verb in (["play"], ["replay", "-l", "1", "--lurd", "R"]):
        result = command(*verb, "--plain", *flags.split(), pack)
        assert (result.status, result.out) == (2, "")
        flag = flags.split()[0].replace("--ascii", "--theme")
        assert result.err == f"sokoterm: found {flag}, which has no effect without a screen: --plain prints lines\n"


def test_the_settings_may_ask_for_lines_too(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    config = command.folder / "sokoterm" / "config.toml"
    config.parent.mkdir()
    config.write_text('plain = true\ntheme = "unicode"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(command.folder))
    result = command("--stats", command.pack("levels.txt", [ONE_PUSH]))
    assert result.err == (
        "sokoterm: found --stats, which has no effect without a screen: plain = true in the settings prints lines\n"
    )


@pytest.mark.parametrize(
    ("output", "flags"),
    [
        *(("--print", flags) for flags in (*DRAWN[2:], "--keys vi", "--plain")),
        *(("--svg", flags) for flags in ("--keys vi", "--no-mouse", "--slow-link", "--stats", "--plain")),
        *(("--cast", flags) for flags in ("--keys vi", "--no-mouse", "--slow-link", "--stats", "--plain")),
        ("--at 0 --svg", "--animation 9"),
    ],
)
def test_what_does_nothing_to_moves_that_are_printed_or_written_is_refused(
    command: Command, output: str, flags: str, tmp_path: Path
) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    outputs = output.split() if output == "--print" else [*output.split(), str(tmp_path / "out")]
    result = command("replay", *outputs, "-l", "1", "--lurd", "R", *flags.split(), pack)
    assert result.status == 2
    done = "printed" if output == "--print" else "written"
    assert f"found {flags.split()[0]}, which has no effect on what is {done}" in result.err
    assert not (tmp_path / "out").exists()
