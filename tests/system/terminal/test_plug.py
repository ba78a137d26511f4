"""The plug is pulled: whatever becomes of the terminal, the position is kept and the process goes."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.slow import others_slow
from tests.system.terminal.conftest import PACK
from tests.system.terminal.screen import PYTHON, Screen, sokoterm

LEAVES_WITHIN = 8.0  # it takes a second at most, or more on a machine at work on other things; a line is waited for 10


def wait_for_end(screen: Screen) -> int:
    """The exit status; fails where the process does not end, and reads nothing meanwhile."""
    end = time.monotonic() + LEAVES_WITHIN
    while time.monotonic() < end:
        pid, status = os.waitpid(screen.pid, os.WNOHANG)
        if pid:
            screen.status = status
            code = os.waitstatus_to_exitcode(status)
            # On a busy machine the end of Python itself may be cut short: the position is saved by then.
            return 0 if code == -signal.SIGALRM else code
        time.sleep(0.02)
    pytest.fail("the process is still there")


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has taken."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        pytest.skip("the processor time of processes is not to be seen here")
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def moves_are_kept(folder: Path, pack: str, words: str) -> None:
    with sokoterm(folder, pack, begins=words):
        pass


def hang_up(screen: Screen) -> int:
    os.close(screen.give_terminal())
    return wait_for_end(screen)


def terminate(screen: Screen) -> int:
    screen.signal(signal.SIGTERM)
    return wait_for_end(screen)


def signal_hang_up(screen: Screen) -> int:
    screen.signal(signal.SIGHUP)
    return wait_for_end(screen)


ENDS = [hang_up, terminate, signal_hang_up]
End = Callable[[Screen], int]


@pytest.mark.parametrize("end", ENDS)
def test_on_the_board(tmp_path: Path, pack: str, end: End) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.type("j", "moves 1")
        assert end(screen) == 0
    moves_are_kept(tmp_path, pack, "moves 1")
    assert not (tmp_path / "XDG_STATE_HOME").exists()


@pytest.mark.parametrize("end", others_slow(ENDS))
def test_while_the_solver_runs(tmp_path: Path, hard: str, end: End) -> None:
    with sokoterm(tmp_path, hard) as screen:
        screen.type("l", "moves 1")
        screen.type("S", "nodes")
        assert end(screen) == 0
    moves_are_kept(tmp_path, hard, "moves 1")


@pytest.mark.parametrize("end", others_slow(ENDS))
def test_while_a_replay_plays(tmp_path: Path, pack: str, end: End) -> None:
    with sokoterm(tmp_path, "replay", pack, "-l", "1", "--lurd", "rl" * 5_000, begins="move 2") as screen:
        assert end(screen) == 0


@pytest.mark.parametrize("end", others_slow(ENDS))
def test_while_a_great_pack_is_read(tmp_path: Path, end: End) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "a.txt").write_text(PACK)
    (folder / "great.txt").write_text(f"{PACK}\n" * 40_000)
    with sokoterm(tmp_path, str(folder), begins="great") as screen:
        screen.type("\r", "moves 0")
        screen.type("j", "moves 1")
        screen.type("b", "Left packs")
        screen.type("h", "great")
        screen.type("j\r")
        time.sleep(0.3)
        assert end(screen) == 0
        assert "moves 0" not in screen.text
    moves_are_kept(tmp_path, str(folder / "a.txt"), "moves 1")


@pytest.mark.parametrize("number", others_slow([signal.SIGTERM, signal.SIGHUP]))
def test_where_nobody_reads_at_the_other_end(tmp_path: Path, hard: str, number: int) -> None:
    """The terminal takes no more: that holds up nothing, takes no time, and signals are heeded."""
    with sokoterm(tmp_path, hard) as screen:
        screen.type("l", "moves 1")
        for _ in range(150):  # each draws the whole screen: more than any terminal keeps
            screen.write(b"\x0c")
            time.sleep(0.005)
        screen.write(b"h")
        time.sleep(0.3)
        before = cpu_seconds(screen.pid)
        time.sleep(0.6)
        assert cpu_seconds(screen.pid) - before < 0.2
        screen.signal(number)
        assert wait_for_end(screen) == 0
    moves_are_kept(tmp_path, hard, "moves 2")


def test_where_the_other_end_reads_again(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        for _ in range(150):
            screen.write(b"\x0c")
            time.sleep(0.005)
        screen.write(b"jkjkj")
        time.sleep(0.2)
        screen.wait_for("moves 5")
        screen.leave()


@pytest.mark.parametrize("flags", others_slow([(), ("--slow-link",)]), ids=str)
def test_what_nobody_reads_does_not_pile_up(tmp_path: Path, pack: str, flags: tuple[str, ...]) -> None:
    """A copy is refused while the one before is on its way, and what the mouse is asked for is sent once."""
    moves = 40_000
    with sokoterm(tmp_path, *flags, "--stats", pack) as screen:
        screen.type(f"\x1b[200~{'rl' * (moves // 2)}\x1b[201~", f"moves {moves}")
        for _ in range(100):
            screen.write(b"YxmmTT")
            time.sleep(0.005)
        screen.write(b"Y")
        screen.wait_for("still busy with the last copy")
        screen.type("x", f"moves {moves}")
        assert screen.output.count(b"\x1b]52;") < 4
        assert screen.output.count(b"\x1b[?1000") < 40
        screen.type("Y", "sent to the clipboard")
        screen.type("x", f"moves {moves}")
        screen.type("q", "traffic: ")
        assert screen.wait() == 0
        assert int(screen.text.partition("traffic: ")[2].split()[0].replace(",", "")) < 400_000


def test_a_broken_pipe_ends_nothing(tmp_path: Path, pack: str) -> None:
    with sokoterm(tmp_path, pack) as screen:
        screen.signal(signal.SIGPIPE)
        screen.type("j", "moves 1")
        screen.leave()


def test_a_gone_terminal_without_a_signal(tmp_path: Path, pack: str) -> None:
    """Where nobody is told that the terminal is gone, reading from it says so."""
    ignoring = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP]); "
    command = [PYTHON, "-c", ignoring + "from sokoterm.cli import main; sys.exit(main(sys.argv[1:]))", pack]
    with Screen(command, tmp_path) as screen:
        screen.wait_for("moves 0")
        screen.type("j", "moves 1")
        assert hang_up(screen) == 0
    moves_are_kept(tmp_path, pack, "moves 1")


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_stopped_from_outside_and_continued_by_the_shell(tmp_path: Path, pack: str, term: str) -> None:
    """The shell sets the terminal as it likes it meanwhile: it is taken over anew."""
    shell = f"set -m; {PYTHON} -m sokoterm {pack}; stty sane; echo stopped; fg >/dev/null; echo ended"
    with Screen(["bash", "--norc", "-c", shell], tmp_path, environ={"TERM": term}) as screen:
        screen.wait_for("moves 0")
        screen.type("j", "moves 1")
        os.kill(child_of(screen.pid), signal.SIGSTOP)
        screen.wait_for_output(b"stopped")
        since = screen.output.index(b"stopped")
        screen.wait_for_output(b"moves 1", since=since)
        modes = (b"\x1b[?1049h", b"\x1b[?1000h")
        assert [mode in screen.output[since:] for mode in modes] == [term != "dumb"] * 2
        screen.type("k", "moves 2")  # without Enter, and without an echo
        screen.type("q", "ended")


def child_of(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    if not children.exists():
        pytest.skip("the children of a process are not to be seen here")
    return int(children.read_text().split()[0])


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.long)])
def test_killed_as_the_picture_arrives(tmp_path: Path, kills: int) -> None:
    """No push that was seen is lost, be it on its way to the picture of the next one, and never the database."""
    pack = tmp_path / "long.txt"
    pack.write_text("#" * 40 + "\n#@$" + " " * 35 + ".#\n".rjust(3) + "#" * 41 + "\n")
    pushes = 0
    for moment in range(kills):
        with sokoterm(tmp_path, str(pack), begins=f"pushes {pushes}") as screen:
            screen.type("l", f"pushes {pushes + 1}")
            if moment % 2:
                screen.write(b"l")
                time.sleep(0.003 * (moment % 6))
            screen.end(signal.SIGKILL)
        with sokoterm(tmp_path, str(pack), begins="pushes ") as screen:
            screen.idle(0.3)
            kept = int(screen.text.partition("pushes ")[2].split()[0])
            assert kept in (pushes + 1, pushes + 1 + moment % 2)
            pushes = 0 if kept > 30 else kept
            screen.type("r" if kept > 30 else "", f"pushes {pushes}")
            screen.leave()
