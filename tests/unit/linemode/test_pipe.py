"""Lines as they come, and the program itself, its commands through a pipe or on a terminal."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import sleep

import pytest

from sokoterm.app.request import Note
from sokoterm.linemode.lines import Event, Lines, SelectedLines
from tests.slow import others_slow
from tests.system.terminal.screen import Screen
from tests.unit.commands.command import WIDE
from tests.unit.tui.fake_terminal import line_for

ROOT = Path(__file__).parents[3]
LEVEL = "#########\n#@ $   .#\n#  $   .#\n#       #\n#########\n"
WITHOUT_A_TERMINAL = """
import sys
for name in ("curses", "_curses", "termios", "tty", "fcntl"):
    sys.modules[name] = None
from sokoterm.cli import main
sys.exit(main(sys.argv[1:]))
"""


def environ(folder: Path) -> Mapping[str, str]:
    homes = {name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    return {**os.environ, "TERM": "dumb", "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **homes}


def wait_until_full(pipe: int) -> None:
    """Wait until a pipe that nobody reads takes no more: it has grown no longer for a while."""
    from fcntl import ioctl
    from termios import FIONREAD

    before, size = -1, 0
    while size < 60_000 or before != size:
        before, size = size, int.from_bytes(ioctl(pipe, FIONREAD, b"\0" * 4), sys.byteorder)
        sleep(0.05)


def pack(folder: Path, text: str = LEVEL) -> str:
    path = folder / "level.txt"
    path.write_text(text, "utf-8")
    return str(path)


def piped(folder: Path, commands: str, *arguments: str, start: Sequence[str] = ("-m", "sokoterm")) -> list[str]:
    """What is printed for commands through a pipe."""
    found = subprocess.run(
        [sys.executable, *start, *arguments],
        input=commands.encode(),
        capture_output=True,
        env=environ(folder),
        check=False,
        timeout=60,
    )
    assert (found.returncode, found.stderr) == (0, b"")
    assert not set(found.stdout) & {*range(10), *range(11, 32), 127}, "only printable characters and line ends"
    return found.stdout.decode().splitlines()


def test_a_level_is_played_through_a_pipe_and_kept(tmp_path: Path) -> None:
    path = pack(tmp_path)
    assert piped(tmp_path, "2l\nu\nl\nl\n", "--plain", path)[-1] == "box a pushed right to row 2 column 5, 0 of 2 home"
    said = piped(tmp_path, "moves\nq\nnever read\n", "--plain", path)
    left = "as you left it: 2 moves, 1 push, 0 of 2 home, you are at row 2 column 4"
    assert said[-3:] == [left, "rR", "saved"]


def test_moves_given_are_replayed_line_by_line(tmp_path: Path) -> None:
    said = piped(tmp_path, "play\n", "replay", pack(tmp_path), "-l", "1", "--lurd", "rR", "--plain")
    assert said[-1] == "move 2 of 2: walked 1, then box a pushed right to row 2 column 5, 0 of 2 home"


def test_it_needs_no_module_of_a_terminal(tmp_path: Path) -> None:
    said = piped(tmp_path, "l\n", "--plain", pack(tmp_path), start=["-c", WITHOUT_A_TERMINAL])
    assert said[-1] == "walked right to row 2 column 3"


def test_a_reader_that_goes_away_ends_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "sokoterm", "--plain", pack(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ(tmp_path),
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        child.stdin.write(b"2l\n" * 3)
        child.stdin.flush()
        assert child.wait(30) == 141
        assert b"Traceback" not in child.stderr.read()


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        found = subprocess.run(
            [sys.executable, "-m", "sokoterm", "--plain", pack(tmp_path)],
            input=b"l\n",
            stdout=full,
            stderr=subprocess.PIPE,
            env=environ(tmp_path),
            check=False,
            timeout=60,
        )
    assert found.returncode == 2
    assert found.stderr == b"sokoterm: No space left on device\n"


class Terminal(Screen):
    """The program on a terminal that gives it whole lines."""

    def answer(self, keys: str, words: str) -> None:
        """Type keys, and wait until the words are said."""
        self.type(keys)
        self.wait_for_output(words.encode())


def terminal(folder: Path, text: str = LEVEL) -> Terminal:
    command = [sys.executable, "-m", "sokoterm", "--plain", pack(folder, text)]
    child = Terminal(command, folder, environ=environ(folder))
    child.wait_for_output(b"you are at")
    return child


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="every name is UTF-8 here")
def test_folders_and_files_whose_names_are_no_utf_8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff?%"
    os.mkdir(folder)
    with open(folder + b"/\xe9.txt", "wb") as file:
        file.write(LEVEL.encode())
    environment = {os.fsencode(name): os.fsencode(value) for name, value in environ(tmp_path).items()}
    environment |= {b"SOKOTERM_DATA": folder + b"/data", b"HOME": folder + b"/home", b"XDG_STATE_HOME": folder}

    def run(*arguments: bytes, commands: bytes = b"") -> bytes:
        found = subprocess.run(
            [os.fsencode(sys.executable), b"-m", b"sokoterm", *arguments],
            input=commands,
            capture_output=True,
            env=environment,
            check=False,
            timeout=60,
        )
        assert (found.returncode, found.stderr) == (0, b"")
        return found.stdout

    player = (b"play", b"--plain", folder + b"/\xe9.txt", b"--scores", folder + b"/scores\xf1.db")
    run(*player, commands=b"moves rRRRRlllldRRRR\n")
    assert b"best on this server" in run(*player, commands=b"facts\nn\n")
    run(b"progress", b"export", folder + b"/mine\xee.sok")
    assert b"1 solution" in run(b"progress", b"import", folder + b"/mine\xee.sok")
    run(b"add", folder + b"/\xe9.txt")
    assert b"1 level" in run(b"info", folder + b"/\xe9.txt")
    assert not any(name.startswith(b"crash") for name in os.listdir(folder))


def test_ctrl_c_stops_a_search_and_then_quits(tmp_path: Path) -> None:
    with terminal(tmp_path, WIDE) as child:
        child.answer("S\n", "searching")
        child.answer("\x03", line_for(Note.SEARCH_STOPPED))
        child.answer("j\n", "walked down")
        child.leave("\x03")


def test_a_solution_is_said_when_it_is_found(tmp_path: Path) -> None:
    with terminal(tmp_path) as child:
        child.answer("S\n", "solution found: ")
        child.wait_for_output(b"the search is over")
        child.leave("q\n")


@pytest.mark.parametrize("end", others_slow([signal.SIGTERM, "hang up", signal.SIGHUP]))
def test_a_signal_and_a_line_that_drops_save(tmp_path: Path, end: signal.Signals | str) -> None:
    with terminal(tmp_path) as child:
        child.answer("2l\n", "0 of 2 home")
        # On a busy machine the end of Python itself may be cut short: the position is saved by then.
        assert child.hang_up() is not None if isinstance(end, str) else child.end(end) in (0, signal.SIGALRM)
    assert piped(tmp_path, "moves\n", "--plain", str(tmp_path / "level.txt"))[-1] == "rR"


def test_a_signal_saves_while_nobody_reads_what_is_said(tmp_path: Path) -> None:
    path = pack(tmp_path)
    command = [sys.executable, "-m", "sokoterm", "--plain", path]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ(tmp_path)
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"2l\n" + b"help\n" * 100)
        child.stdin.flush()
        while b"0 of 2 home" not in (line := child.stdout.readline()):
            assert line
        wait_until_full(child.stdout.fileno())
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(15)
        finally:
            child.kill()
    assert piped(tmp_path, "moves\n", "--plain", path)[-1] == "rR"


def test_lines_where_nothing_else_can_be_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("left\r\n\nu"))
    lines = Lines()
    assert [lines.read(None) for _ in range(5)] == ["left", "", "u", Event.END, Event.END]
    assert lines.pause(0) is Event.NOTHING


def test_ctrl_c_while_a_line_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "readline", interrupted)
    assert Lines().read(None) is Event.INTERRUPT


@pytest.fixture
def typed() -> "list[int]":
    """Descriptor 0 becomes a pipe for as long as the test runs; its other end."""
    read_end, write_end = os.pipe()
    kept = os.dup(0)
    os.dup2(read_end, 0)
    os.close(read_end)
    return [write_end, kept]


def test_lines_come_with_what_wakes(typed: list[int]) -> None:
    write_end, kept = typed
    try:
        lines = SelectedLines()
        assert lines.read(0) is Event.NOTHING
        os.write(write_end, b"lef")
        assert lines.read(0) is Event.NOTHING
        os.write(write_end, b"t\r\n\xff\nu")
        assert [lines.read(0), lines.read(0)] == ["left", "\ufffd"]
        os.write(write_end, "größe\n".encode("latin-1"))
        assert SelectedLines("latin-1").read(0) == "größe"
        os.write(write_end, b"\x1b[?62;22cpack 1\x1bP>|tmux\x1b\\\n\x1b[Apa\x1b[99;1uk\x1b[\n")
        answered = SelectedLines()
        assert [answered.read(0), answered.read(0)] == ["pack 1", "pack"], "sequences are no part of a line"
        lines.wake()
        assert lines.read(None) is Event.NOTHING
        lines.wake()
        assert lines.pause(0) is Event.NOTHING
        assert lines.read(None) is Event.NOTHING, "a pause loses no wake-up"
        os.close(write_end)
        assert [lines.read(None), lines.read(None), lines.read(None)] == ["u", Event.END, Event.END]
    finally:
        os.dup2(kept, 0)
        os.close(kept)
