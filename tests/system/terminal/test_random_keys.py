"""Random keys, clicks, pastes, junk, windows and signals: nothing crashes, and the terminal is given back each time."""

import os
import random
import re
import signal
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from sokoterm.app.keymap import KEYMAPS
from tests.slow import others_slow
from tests.system.terminal.screen import PYTHON, ROOT, Screen
from tests.system.terminal.test_plug import child_of

PACK = """\
##########
#@ $   . #
#        #
##########
Title: Push right

#######
#@$  .#
#  *  #
#######
Title: \x1b[2JAgain

#########
#. $@$ .#
#########
"""
LETTERS = [chr(code) for code in range(0x20, 0x7F) if chr(code) != "q"]
SEQUENCES = [
    *(f"\x1b[{final}" for final in "ABCDHFZ"),
    *(f"\x1bO{final}" for final in "ABCDHFPM"),
    *(f"\x1b[1;2{final}" for final in "ABCD"),
    *(f"\x1b[{code}~" for code in (1, 2, 3, 4, 5, 6, 7, 8, 11, 15, 200, 201)),
    "\x1b", "\x1b\x1b", "\x1b[[A",
    "\x1b[0n", "\x1b[24;80R", "\x1b[<0;", "\x1b[<0;0;0M", "\x1b[<99;1;1m", "\x1b[M", "\x1b]52;c;",
]  # fmt: skip
# Ctrl-S, Ctrl-\ and Ctrl-D stop or end everything where they come while the terminal is the shell's.
STOPPING = (3, 4, 19, 26, 28)
CONTROL = [chr(code) for code in range(32) if code not in STOPPING] + ["\x7f"]
# Ctrl-C ends a session, and one that comes after is for the shell: Python, about to end, dies of it.
ENDS = (0, 130, 256 - signal.SIGINT)
MODES = re.compile(rb"\x1b\[\?(1000|1006|1049|2004|1)([hl])")


class Chaos:
    """What is typed and done, by a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._typists: list[tuple[int, Callable[[], bytes]]] = [
            (600, lambda: self._random.choice(LETTERS).encode()),
            (600, lambda: self._random.choice(SEQUENCES[:24]).encode()),
            (200, lambda: self._random.choice("hjklhjklhjkluyrSRnp.\t\r").encode()),
            (60, lambda: self._random.choice(CONTROL).encode()),
            (60, lambda: self._random.choice(SEQUENCES).encode()),
            (60, lambda: self._random.randbytes(self._random.randrange(1, 5)).translate(None, b"q\x03\x04\x13\x1c")),
            (120, self._click),
            (30, self._paste),
            (10, lambda: b"\x1a"),
            (2, lambda: b"\x03"),
        ]

    def _click(self) -> bytes:
        choose = self._random
        button, end = choose.choice((0, 0, 0, 2, 64, 65, 1, 32)), choose.choice("Mm")
        return f"\x1b[<{button};{choose.randrange(0, 90)};{choose.randrange(0, 30)}{end}".encode()

    def _paste(self) -> bytes:
        text = self._random.choice(("rrlludR", "3r2(lr)", "\x1b[31m", "#####\n#@$.#\n#####\n", "x" * 300, "", "\x1b"))
        return b"\x1b[200~" + text.encode() + b"\x1b[201~"

    def typed(self) -> bytes:
        """One key, or what is sent like one."""
        weights = [weight for weight, _ in self._typists]
        typists = [typist for _, typist in self._typists]
        return self._random.choices(typists, weights)[0]()

    def chance(self, part: float) -> bool:
        return self._random.random() < part

    def split(self, data: bytes) -> list[bytes]:
        """The same in two pieces, cut anywhere."""
        cut = self._random.randrange(len(data) + 1)
        return [data[:cut], data[cut:]]

    def disturb(self, screen: Screen, job: int) -> None:
        """Another size, or a signal."""
        match self._random.randrange(6):
            case 0 | 1 | 2:
                rows, columns = self._random.choice(((24, 80), (24, 80), (2, 4), (1, 1), (8, 30), (50, 200), (6, 20)))
                screen.resize(rows, columns)
            case choice:
                with suppress(ProcessLookupError):  # it has just ended
                    os.kill(job, (signal.SIGTSTP, signal.SIGSTOP, signal.SIGCONT)[choice - 3])


def session(folder: Path, packs: Path, chaos: Chaos, keys: int, *flags: str) -> int:
    """One session of at most so many keys, that ends by ``q`` or by itself; how many were typed."""
    shell = str(ROOT / "tests" / "system" / "terminal" / "job.py")
    command = [PYTHON, shell, PYTHON, "-m", "sokoterm", *flags, str(packs)]
    typed = 0
    with Screen(command, folder) as screen:
        screen.wait_for("help")
        job = child_of(screen.pid)
        while typed < keys and screen.is_alive:
            for _ in range(20):
                for piece in chaos.split(chaos.typed()):
                    screen.write(piece)
                typed += 1
            screen.read(0.004)
            if chaos.chance(0.2) and screen.is_alive:
                chaos.disturb(screen, job)
        end_session(screen)
        written = bytes(screen.output)
        assert screen.exit_status() in ENDS, written[-2000:].decode("utf-8", "replace")
        assert screen.mode == screen.mode_before
    assert b"Traceback" not in written
    assert b"internal error" not in written
    last = dict(MODES.findall(written))
    assert set(last.values()) <= {b"l"}, last
    assert not (folder / "XDG_STATE_HOME").exists()
    return typed


def end_session(screen: Screen) -> None:
    """Leave, out of whatever stands open."""
    screen.idle(0.2)
    for _ in range(100):
        if not screen.is_alive:
            break
        screen.resize(24, 80)
        screen.write(b"\x1b[201~")
        screen.idle(0.25)
        screen.write(b"\x1b")
        screen.idle(0.25)
        for key in (b"y", b"q", b"y"):  # y leaves a drawing that was not saved, whichever key has asked
            if screen.is_alive:
                screen.write(key)
                screen.idle(0.1)
    screen.wait()


def play(folder: Path, seed: int, keys: int, *flags: str) -> None:
    if not Path("/proc/self/task").exists():
        pytest.skip("the children of a process are not to be seen here")
    packs = folder / "packs"
    packs.mkdir()
    (packs / "small.txt").write_text(PACK)
    (packs / "first.txt").write_text((ROOT / "levels" / "first-steps.txt").read_text())
    (packs / "broken.txt").write_text("####\n#@x#\n####\n" + PACK)
    chaos = Chaos(seed)
    left = keys
    while left > 0:
        left -= session(folder, packs, chaos, min(left, 5000), *flags)
    (database,) = folder.glob("XDG_DATA_HOME/**/progress.db")
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_there_is_a_key_for_everything() -> None:
    """The random keys reach every screen: each single character that a table knows is among them."""
    known = {key for keymap in KEYMAPS for binding in keymap.bindings for key in binding.keys if len(key) == 1}
    assert known <= {*LETTERS, "q"}


@pytest.mark.parametrize("flags", others_slow([(), ("--slow-link",)]))
def test_thousands_of_random_keys(tmp_path: Path, flags: tuple[str, ...]) -> None:
    play(tmp_path, 7, 1500, *flags)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_a_hundred_thousand_random_keys(tmp_path: Path, seed: int) -> None:
    play(tmp_path, seed, 10_000)
