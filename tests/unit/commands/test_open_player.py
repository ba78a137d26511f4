"""Opening the player: flags where there is nothing to look at, and the cores of its solver."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from sokoterm.app.options import PlayOptions
from sokoterm.app.request import FirstRequest
from sokoterm.app.session import Services
from sokoterm.commands.support.opening import with_packs
from sokoterm.store.settings import Settings
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


@pytest.mark.parametrize(
    ("options", "usable", "expected"),
    [
        (PlayOptions(), 8, 2),
        (PlayOptions(), 1, 1),
        (PlayOptions(settings=Settings(cores=4)), 8, 4),
        (PlayOptions(settings=Settings(cores=4), is_hosted=True), 8, 1),
        (PlayOptions(settings=Settings(cores=4), account="ann"), 8, 1),
    ],
)
def test_the_solver_takes_several_cores_unless_others_play_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: PlayOptions, usable: int, expected: int
) -> None:
    begun: list[int] = []

    def begin(services: Services, _requests: Sequence[FirstRequest]) -> None:
        begun.append(services.make_solver(lambda: None).cores.count)

    monkeypatch.setattr("sokoterm.commands.support.opening.usable_cores", lambda: usable)
    with_packs(options._replace(data_dir=str(tmp_path)), [], pytest.fail, lambda: None, begin)
    assert begun == [expected]
