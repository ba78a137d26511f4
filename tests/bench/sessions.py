"""``python3 -m tests.bench sessions``: many players at once on one machine, as on a server, each in a pseudo-terminal.

POSIX-only modules are imported late, so that this module can be imported anywhere.
"""

import os
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from select import select
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter
from typing import NamedTuple, Self

import sokoterm
from sokoterm.commands.support.parser import count_up_to, seconds
from sokoterm.engine.level import Level
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Limits, solve
from sokoterm.store.database import connect
from sokoterm.store.packs import bundled_packs, open_pack
from tests.bench.common import BenchParser

QUIET_SECONDS = 0.12  # silence of this length ends an answer
_ANSWER_SECONDS = 5.0  # a key not answered within this time is an error
# Output that is an error in any session.
_FAULTS = (b"Traceback", b"internal error", b"cannot be read", b"not saved", b"is lost", b"not kept", b"is locked")
# Keys after which the search on the crowded board is started again: it ends at a limit within a minute.
_KEYS_A_SEARCH = 50
# Most sessions: each has a process, a terminal and files.
_MOST = 1_000
_WANTED_MS = 50


class _TypedKey(NamedTuple):
    """A key to press; ``solves`` a level, and ``is_measured`` if the time to its answer counts."""

    key: str
    solves: bool = False
    is_measured: bool = True


def run(arguments: list[str]) -> int:
    """Print the figures; return 1 if a session failed, a solve was lost or the score table is damaged."""
    parser = BenchParser(
        "sessions",
        "Play many sessions at once by script, each with a terminal and progress of its own, all with one score table.",
        "--sessions 20 --seconds 60 --solving 2",
    )
    text = "how many; default: 20"
    count = parser.flag("--sessions", parse=count_up_to(_MOST), default=20, metavar="N", help=text)
    length = parser.flag("--seconds", parse=seconds, default=60.0, metavar="N", help="how long; default: 60")
    text = "how many run the solver; default: 2"
    solving = parser.flag("--solving", parse=count_up_to(_MOST, least=0), default=2, metavar="N", help=text)
    text = "between two keys; default: 0.2"
    pace = parser.flag("--pace", parse=seconds, default=0.2, metavar="SECONDS", help=text)
    parser.parse(arguments)
    keys = [keys_of(level) for level in open_pack(bundled_packs()[0]).levels]
    with TemporaryDirectory() as folder:
        scores, crowded = os.path.join(folder, "scores.db"), os.path.join(folder, "crowded.txt")
        with open(crowded, "w", encoding="utf-8") as file:
            file.write(crowded_board() + "\n")
        sessions = []
        with ExitStack() as stack:
            for number in range(count.value):
                is_solving, first = number < solving.value, number % len(keys)
                command = [*player_command(), "--host", "--data-dir", folder, "--account", f"player{number}"]
                command += ["--scores", scores, *([crowded] if is_solving else ["-l", str(first + 1)])]
                child = stack.enter_context(PtyChild(command, player_environ(folder)))
                child.read_until_silent()
                script = _searcher() if is_solving else _player(keys, first)
                sessions.append(_ScriptedSession(f"player{number}", child, script, is_solving=is_solving))
            _play(sessions, length.value, pace.value)
            for session in sessions:
                session.leave()
        return _report(sessions, scores)


class PtyChild:
    """Runs a command on a terminal, of 24 rows and 80 columns by default; ``with`` ends it.

    ``terminal`` is the file descriptor of the near end.
    """

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], rows: int = 24, columns: int = 80) -> None:
        import pty  # POSIX

        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            set_size(0, rows, columns)
            os.execvpe(command[0], list(command), dict(environ))
        set_size(self.terminal, rows, columns)
        self.output = bytearray()
        self.status: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        from signal import SIGKILL  # POSIX

        self.end(SIGKILL)
        os.close(self.terminal)

    def end(self, number: int) -> int:
        """Send a signal, unless the program has ended, and wait for its end; returns the wait status."""
        if self.status is None:
            os.kill(self.pid, number)
        return self.wait()

    @property
    def is_alive(self) -> bool:
        """True until the program has ended."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if pid else None
        return self.status is None

    def wait(self) -> int:
        """Wait for the end, reading the rest of the output; returns the wait status."""
        while self.is_alive:
            self.read(0.02)
        while self.read(0):
            pass
        return self.status or 0

    def fileno(self) -> int:
        """The near end of the terminal, for ``select``."""
        return self.terminal

    def write(self, data: bytes) -> None:
        """Send bytes as if typed."""
        os.write(self.terminal, data)

    def read(self, timeout: float) -> int:
        """Read output within the time; returns the number of bytes, 0 for silence."""
        data = self.take(timeout)
        self.output += data
        return len(data)

    def take(self, timeout: float) -> bytes:
        """Return output within the time, empty after the end; it is not added to ``output``."""
        ready, _, _ = select([self.terminal], [], [], timeout)
        if not ready:
            return b""
        try:
            return os.read(self.terminal, 65536)
        except OSError:  # the program has ended
            return b""

    def read_until_silent(self) -> None:
        """Read an answer, which has to begin within ten seconds, to its end."""
        timeout = 10.0
        while self.read(timeout):
            timeout = QUIET_SECONDS


class _ScriptedSession:
    """A player in a terminal, and the keys to press."""

    def __init__(self, name: str, child: PtyChild, script: Iterator[_TypedKey], *, is_solving: bool) -> None:
        self.name = name
        self.child = child
        self.is_solving = is_solving
        self.latencies: list[float] = []
        self.wins: list[float] = []
        self.errors: list[str] = []
        self.solves = 0
        self.due = 0.0
        self._script = script
        self._pressed: _TypedKey | None = None
        self._pressed_at = 0.0
        self._seen = 0

    @property
    def is_waiting(self) -> bool:
        return self._pressed is not None

    def press(self, now: float, pace: float) -> None:
        """Press the next key, after reading the output so far."""
        self.child.read(0)
        self._pressed = next(self._script)
        self._seen = len(self.child.output)
        self.due = max(now, self.due + pace)
        self._pressed_at = perf_counter()
        self.child.write(self._pressed.key.encode())

    def hear(self) -> None:
        """Read output: the first after a key is its answer."""
        if not self.child.read(0):
            self._fail("ended by itself")
        elif self._pressed is not None:
            latency = perf_counter() - self._pressed_at
            if self._pressed.is_measured:
                self.latencies.append(latency)
            if self._pressed.solves:
                self.wins.append(latency)
                self._confirm()
            self._pressed = None

    def check(self, now: float) -> None:
        """Fail if a key has no answer for too long."""
        if self._pressed is not None and now - self._pressed_at > _ANSWER_SECONDS:
            self._fail(f"no answer to {self._pressed.key!r}")

    def leave(self) -> None:
        """Save and quit."""
        if not self.errors:
            self.child.write(b"\x03" if not self.is_solving else b"\x03\x03q")
            status = os.waitstatus_to_exitcode(self.child.wait())
            if status:
                self.errors.append(f"exit status {status}")
        self.errors += [f"wrote {fault.decode()!r}" for fault in _FAULTS if fault in self.child.output]

    def _confirm(self) -> None:
        end = perf_counter() + _ANSWER_SECONDS
        while b"solved" not in self.child.output[self._seen :] and perf_counter() < end:
            self.child.read(0.01)
        if b"solved" in self.child.output[self._seen :]:
            self.solves += 1
        else:
            self._fail("a level is not solved")

    def _fail(self, why: str) -> None:
        self.errors.append(why)
        self._pressed = None
        self.due = float("inf")


def _play(sessions: Sequence[_ScriptedSession], length: float, pace: float) -> None:
    """Press keys in all sessions for so many seconds, and read the last answers."""
    began = perf_counter()
    for number, session in enumerate(sessions):
        session.due = began + pace * number / len(sessions)
    end = began + length
    while True:
        now = perf_counter()
        living = [each for each in sessions if not each.errors]
        if now >= end and not any(each.is_waiting for each in living):
            return
        for session in living:
            session.check(now)
            if now < end and session.due <= now and not session.is_waiting:
                session.press(now, pace)
        wait = min((each.due for each in living if not each.is_waiting), default=now + pace) - now
        ready, *__ = select([each.child for each in living], [], [], min(max(0.0, wait), pace))
        for session in living:
            if session.child in ready:
                session.hear()


def _report(sessions: Sequence[_ScriptedSession], scores: str) -> int:
    """Print the figures, and the rows of the score table, one for each person and level solved."""
    solves = sum(each.solves for each in sessions)
    rows, integrity = 0, "ok"
    if os.path.exists(scores):
        with closing(connect(scores, "mode=ro", _ANSWER_SECONDS)) as connection:
            (rows,) = connection.execute("SELECT count(*) FROM (SELECT DISTINCT name, hash FROM score)").fetchone()
            (integrity,) = connection.execute("PRAGMA integrity_check").fetchone()
    errors = [f"{each.name}: {error}" for each in sessions for error in each.errors]
    players = [each for each in sessions if not each.is_solving]
    searchers = [each for each in sessions if each.is_solving]
    for name, figure in (
        ("sessions, of them solving", f"{len(sessions)}, {len(searchers)}"),
        ("keys pressed", f"{sum(len(each.latencies) for each in sessions):,}"),
        ("key to screen, ms: p50 p95 max", f"{_latencies(sessions)}   wanted: p95 under {_WANTED_MS}"),
        ("  of those that play", _latencies(players)),
        ("  of those that solve", _latencies(searchers)),
        ("  of moves that solve a level", milliseconds([each for player in players for each in player.wins])),
        ("errors", str(len(errors))),
        ("confirmed solves, in the score table", f"{solves}, {rows}"),
        ("integrity of the score table", integrity),
    ):
        print(f"{name:<40}{figure}")
    for error in errors:
        print(error)
    return 0 if not errors and rows == solves and integrity == "ok" else 1


def _player(keys: Sequence[str], first: int) -> Iterator[_TypedKey]:
    """Yield keys that solve the levels of the pack in turn, then undo and redo for ever."""
    for index in [*range(first, len(keys)), *range(first)]:
        *moves, last = keys[index]
        yield from map(_TypedKey, moves)
        yield _TypedKey(last, solves=True)
        yield _TypedKey("\r")
    while True:
        yield _TypedKey("u")
        yield _TypedKey("y")


def _searcher() -> Iterator[_TypedKey]:
    """Yield keys that walk to and fro while the solver searches, and start the search again."""
    while True:
        yield _TypedKey("S")
        for step in range(_KEYS_A_SEARCH):
            yield _TypedKey("lh"[step % 2])
        yield _TypedKey("\x1b", is_measured=False)  # only a timeout tells a lone Escape from an arrow key


def _latencies(sessions: Sequence[_ScriptedSession]) -> str:
    return milliseconds([each for session in sessions for each in session.latencies])


def milliseconds(times: Sequence[float]) -> str:
    """Return the median, the 95th percentile and the maximum of times in seconds, in ms."""
    if not times:
        return "-"
    p95 = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
    return f"{1000 * median(times):.1f} {1000 * p95:.1f} {1000 * max(times):.1f}"


def crowded_board() -> str:
    """Return a board with a crowd of boxes before a gate one square wide: no search solves it within its limits."""
    wall = "#" * 35
    empty = "#" + " " * 33 + "#"
    goals = ["#" + "." * 21 + " " * 12 + "#", *["#" + "." * 33 + "#"] * 5]
    gate = ["#" * 17 + " " + "#" * 17] * 2
    crowd = ["#  " + "$ " * 15 + " #", "# " + "$ " * 16 + "#"] * 6
    return "\n".join([wall, empty, *goals, *gate, empty.replace(" ", "@", 1), *crowd, empty, wall])


def keys_of(level: Level) -> str:
    """Return the keys of a solution, letters for arrows."""
    return solution_of(level).lower().translate(str.maketrans("lurd", "hklj"))


def solution_of(level: Level) -> str:
    solution, _ = solve(level.board, level.start, STRATEGIES["auto"], Limits(clock=monotonic))
    if solution is None:
        raise AssertionError("the bundled levels can be solved")
    return solution.lurd


def set_size(terminal: int, rows: int, columns: int) -> None:
    """Set the size of a terminal; the program on it gets SIGWINCH."""
    # POSIX.
    from fcntl import ioctl
    from termios import TIOCSWINSZ

    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def player_command() -> list[str]:
    """Return the command that starts the player."""
    return [sys.executable, "-m", "sokoterm"]


def player_environ(folder: str) -> dict[str, str]:
    """Return an environment in which the player writes to ``folder`` and has default settings."""
    environ = {**os.environ, "TERM": "xterm-256color", "SOKOTERM_DATA": os.path.join(folder, "data")}
    environ["XDG_CONFIG_HOME"] = folder
    environ.pop("NO_COLOR", None)
    package = os.path.dirname(os.path.dirname(sokoterm.__file__))
    environ["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    return environ
