"""A program on a real pseudo-terminal, its screen as pyte sees it."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from time import monotonic

import pyte

from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Limits, solve
from sokoterm.store.packs import bundled_packs, open_pack
from sokoterm.terminal.output_line import QUESTION
from tests.system.terminal.modem import ANSWER, Modem
from tests.system.terminal.pty_terminal import PtyTerminal

ROOT = Path(__file__).parents[3]
PYTHON = sys.executable
KEYS = str.maketrans("lurdLURD", "hkljhklj")
PATIENCE = 60.0  # seconds: a machine at work on other things takes many


def solving_keys(number: int) -> str:
    """Letters that solve a level of First Steps."""
    level = open_pack(bundled_packs()[0]).find_level(number)
    assert level is not None
    solution, _ = solve(level.board, level.start, STRATEGIES["auto"], Limits(clock=monotonic))
    assert solution is not None
    return solution.lurd.translate(KEYS)


class Screen(PtyTerminal):
    """Starts a program; ``text`` is what a person would see, of ``emulated`` size where that is not what is said.

    ``mode_before`` are the settings of the terminal before the program has changed them.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        size: tuple[int, int] = (24, 80),
        emulated: tuple[int, int] | None = None,
        environ: Mapping[str, str] | None = None,
        modem: Modem | None = None,
    ) -> None:
        clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL", "LANG")}
        homes = {name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        settings = Path(homes["XDG_CONFIG_HOME"], "sokoterm", "config.toml")
        if not settings.exists():  # most tests read the board as text
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.write_text('theme = "ascii"\n')
        given = {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **homes, **(environ or {})}
        super().__init__(command, clean | given, *size, modem)
        self.mode_before = self.mode
        rows, columns = emulated or size
        self._emulator = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._emulator)
        self._fed = 0
        self._tail = b""

    def take(self, timeout: float) -> bytes:
        """Take output; answer each question for the status, as terminals do and a modem does by itself."""
        data = super().take(timeout)
        if self._modem is None and data:
            asked = self._tail + data
            self._tail = asked[-len(QUESTION) + 1 :]
            if count := asked.count(QUESTION):
                with suppress(OSError):
                    self.write(ANSWER * count)
        return data

    @property
    def text(self) -> str:
        """The lines on the screen, cut on the right."""
        self._stream.feed(bytes(self.output[self._fed :]))
        self._fed = len(self.output)
        return "\n".join(line.rstrip() for line in self._emulator.display)

    @property
    def emulated(self) -> pyte.Screen:
        """The screen with its modes and attributes, after all that has been written."""
        assert self.text is not None
        return self._emulator

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cursor."""
        return self._emulator.cursor.y, self._emulator.cursor.x

    def wait_for(self, words: str, limit: float = PATIENCE) -> None:
        """Read until the words stand on the screen; fails with the picture where they never do."""
        end = monotonic() + limit
        while words not in self.text:
            assert monotonic() < end, f"no {words!r} on the screen:\n{self.text}"
            self.read(0.05)

    def wait_for_output(self, data: bytes, since: int = 0, limit: float = PATIENCE) -> None:
        """Read until these bytes have been written, whether or not they still stand on the screen."""
        end = monotonic() + limit
        while data not in self.output[since:]:
            assert monotonic() < end, f"no {data!r} in what was written:\n{self.text}"
            self.read(0.05)

    def settle(self, quiet: float = 0.15) -> None:
        """Read until nothing has come for so long; fails where something always does."""
        end = monotonic() + PATIENCE
        while self.read(quiet):
            assert monotonic() < end, f"it is never silent:\n{self.text}"

    def type(self, keys: str, words: str = "") -> None:
        """Send keys, and wait for words to appear."""
        self.write(keys.encode())
        if words:
            self.wait_for(words)

    def leave(self, keys: str = "q") -> None:
        """Send keys that end the program, and wait until it has ended well."""
        self.type(keys)
        assert self.exit_status() == 0

    def exit_status(self) -> int:
        """Wait for the end; a negative number is that of a signal."""
        return os.waitstatus_to_exitcode(self.wait())

    def resize(self, rows: int, columns: int) -> None:
        assert self.text is not None
        super().resize(rows, columns)
        self._emulator.resize(rows, columns)


def sokoterm(folder: Path, *arguments: str, begins: str = "moves 0", **options: object) -> Screen:
    """The player from the checkout, once it shows these words."""
    screen = Screen([PYTHON, "-m", "sokoterm", *arguments], folder, **options)  # type: ignore[arg-type]
    try:
        screen.wait_for(begins)
    except AssertionError:
        screen.end(SIGKILL)
        raise
    return screen


def write_settings(folder: Path, text: str) -> None:
    """Have the player of this folder start with settings."""
    path = folder / "XDG_CONFIG_HOME" / "sokoterm" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
