"""Opening the player: host mode, flags where there is nothing to look at, cores, and progress that is lost."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sokoterm.app.options import PlayOptions
from sokoterm.app.request import FirstRequest
from sokoterm.app.session import Services
from sokoterm.commands.support.opening import with_packs
from sokoterm.process import distrust
from sokoterm.store.progress import ProgressStore
from sokoterm.store.settings import Settings
from tests.unit.commands.command import ONE_PUSH, Command
from tests.unit.commands.starts import Starts
from tests.unit.store.stores import ROOM, Player, ticking

DRAWN = ("--theme ascii", "--ascii", "--cell 1", "--no-color", "--no-mouse", "--animation 9", "--slow-link", "--stats")


@pytest.mark.parametrize("flags", DRAWN)
def test_what_does_nothing_without_a_screen_is_refused_there(command: Command, flags: str) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    for verb in (["play"], ["replay", "-l", "1", "--lurd", "R"]):
        flag = flags.split()[0].replace("--ascii", "--theme")
        said = f"{flag} has no effect in line mode (--plain)"
        assert command.refusal(*verb, "--plain", *flags.split(), pack) == said


def test_the_settings_may_ask_for_lines_too(command: Command) -> None:
    command.settings('plain = true\ntheme = "unicode"\n')
    said = "--stats has no effect in line mode (plain = true in the settings)"
    assert command.refusal("--stats", command.pack("levels.txt", [ONE_PUSH])) == said


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
    where = "printed output" if output == "--print" else "written files"
    assert f"{flags.split()[0]} has no effect on {where}" in result.err
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


ROOT = Path(__file__).parents[3]
# Runs the program as if the password database had it as the account's login shell, and its folder as the home.
AS_LOGIN_SHELL = """
import os, pwd, sys
entry = pwd.getpwuid(os.getuid())
pwd.getpwuid = lambda uid: pwd.struct_passwd([*entry[:5], os.path.dirname(sys.argv[0]), sys.argv[0]])
from sokoterm.cli import main
sys.exit(main())
"""

pytest.importorskip("pwd")


def as_login_shell(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    script = folder / "sokoterm"
    script.write_text(AS_LOGIN_SHELL)
    command = [sys.executable, str(script), *arguments]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    return subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )


_NO_COMMAND = "commands are not allowed: this account only plays Sokoban"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        *((["-c", asked], _NO_COMMAND) for asked in ("id", "/usr/lib/openssh/sftp-server", "sokoterm info", "")),
        *((["-c", asked], "") for asked in ("--help", "--version", "-l 3", "--")),
        ([], "log in with a terminal: this account only plays Sokoban"),
        (["info"], ""),
    ],
)
def test_a_login_shell_is_in_host_mode_and_runs_no_command(tmp_path: Path, arguments: list[str], said: str) -> None:
    result = as_login_shell(tmp_path, *arguments)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith(f"sokoterm: {said}")


def test_of_the_environment_only_the_harmless_stays() -> None:
    environ = {"TERM": "xterm-256color", "LANG": "de_DE.UTF-8@euro", "LC_ALL": "/tmp/x", "NO_COLOR": "1"}
    environ |= dict.fromkeys(["SOKOTERM_DATA", "XDG_DATA_HOME", "PAGER", "TERMINFO", "LANGUAGE", "PATH"], "/tmp/x")
    distrust(environ, "/home/ann")
    assert environ == {"TERM": "xterm-256color", "LANG": "de_DE.UTF-8@euro", "NO_COLOR": "1", "HOME": "/home/ann"}


@pytest.fixture
def starts(command: Command, monkeypatch: pytest.MonkeyPatch) -> Starts:
    return Starts(command, monkeypatch)


@pytest.fixture(autouse=True)
def _limits() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def fill_disk(folder: Path) -> None:
    """Let no file grow from now on."""
    largest = max(path.stat().st_size for path in folder.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def on_full_disk(folder: Path, before: list[str], after: list[str], *, is_freed: bool) -> Iterator[str]:
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield from before
    fill_disk(folder)
    yield from after
    if is_freed:
        resource.setrlimit(resource.RLIMIT_FSIZE, hard)


KEYS = ["l", "h"] * 30


@pytest.mark.parametrize("face", ["play", "talk"])
def test_lost_progress_is_said_once_and_in_the_status(starts: Starts, face: str) -> None:
    script = on_full_disk(starts.data, ["n", "l"], [*KEYS, "q"], is_freed=False)
    result = starts.play(script, starts.pack) if face == "play" else starts.talk(script, starts.pack)
    assert result.status == 74
    (line,) = result.err.splitlines()
    assert line.startswith("sokoterm: progress is lost: ")
    assert not result.out.endswith("saved\n")


def test_progress_that_could_be_saved_in_the_end_is_not_lost(starts: Starts) -> None:
    result = starts.play(on_full_disk(starts.data, ["n", "l"], [*KEYS, "k"], is_freed=True), starts.pack)
    assert (result.status, result.err) == (0, "")
    store = ProgressStore.open(str(starts.data / "progress.db"), ticking())
    assert Player(store, ROOM).game.moves > len(KEYS) / 2
