"""Faces of the player that play a script: the fake terminal, the program in a pty, the line mode.

A script is a list of steps. A string is an action of the keymaps, ``replay: step`` on another screen than the board,
with its argument behind it: ``bookmark a``, ``go to level 2``, ``search Last``. Other steps are the classes below.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pytest

from sokoterm.app.keymap import KEYMAPS, Keymap
from sokoterm.app.options import PlayOptions
from sokoterm.app.request import FirstRequest
from sokoterm.app.session import Services
from sokoterm.commands.support.opening import with_packs
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import end_of
from sokoterm.linemode.commands import PLAY_COMMANDS, REPLAY_COMMANDS
from sokoterm.linemode.lines import Event as LineEvent
from sokoterm.linemode.session import LineSession
from sokoterm.store.packs import find_packs, open_pack
from sokoterm.store.plays import lurd_of
from sokoterm.store.progress import ProgressStore
from sokoterm.terminal.events import Event, Paste
from sokoterm.tui.event_loop import EventLoop
from sokoterm.tui.terminal import Display
from sokoterm.tui.widgets.frame import Size
from tests.system.terminal.screen import PATIENCE, Screen, sokoterm
from tests.unit.app.searches import on_the_spot
from tests.unit.linemode.fake_lines import FakeLines
from tests.unit.tui.fake_terminal import FakeTerminal, in_ascii


class At(NamedTuple):
    """Check: the player is here, by these moves from the start of a level."""

    lurd: str
    level: int = 1


class Watch(NamedTuple):
    """Have the solver solve from here, and watch its solution from the first move on."""


class Improvement(NamedTuple):
    """Have the best solution made better, and show what comes of it."""


class Pasted(NamedTuple):
    """Paste a text."""

    text: str


class AtOnce(NamedTuple):
    """Actions typed faster than they are read."""

    actions: tuple[str, ...]


class HangUp(NamedTuple):
    """The line drops, in place of a ``quit``; the last step."""


Step = str | At | Watch | Improvement | Pasted | AtOnce | HangUp


class Kept(NamedTuple):
    """The progress on disk of a level: its open play, and its best solution."""

    lurd: str = ""
    bookmarks: tuple[tuple[str, str], ...] = ()
    solution: str = ""
    is_helped: bool = False


class Face:
    """A face of the player, with one pack and a data folder that outlasts its sessions."""

    def __init__(self, folder: Path, pack: str) -> None:
        self.folder = folder
        self.path = folder / "pack.txt"
        self.path.write_text(pack, "utf-8")
        (self.file,) = find_packs(str(self.path))
        self.pack = open_pack(self.file)

    @abstractmethod
    def play(self, *script: Step) -> None:
        """Play a session, and end it by ``quit`` unless the line drops; fails where a check does."""

    def kept(self, number: int, pasted: str = "") -> Kept:
        """Return the progress of a level of the pack, or of another ``pasted`` one."""
        level = Level.from_xsb(pasted) if pasted else self.level(number)
        store = self._progress()
        play, best = store.load_play(level), store.best(level)
        store.close()
        lurd = lurd_of(play.edits[: play.cursor]) if play is not None else ""
        bookmarks = tuple(sorted(play.bookmarks.items())) if play is not None else ()
        return Kept(lurd, bookmarks, best.by_moves.lurd if best.by_moves is not None else "", best.dates.is_helped)

    @property
    def place(self) -> int | None:
        """The number of the level that the pack opens at."""
        store = self._progress()
        found = store.load_place(self.file.key)
        store.close()
        return found

    def level(self, number: int) -> Level:
        level = self.pack.find_level(number)
        assert level is not None
        return level

    def rows(self, number: int, lurd: str) -> list[str]:
        """Return the rows of a level after these moves."""
        level = self.level(number)
        return level.xsb(end_of(level.board, level.start, lurd)).splitlines()

    def _progress(self) -> ProgressStore:
        return ProgressStore.open(str(self.folder / "data" / "progress.db"), lambda: 1e9)

    def _start(self, play: Callable[[Services, Sequence[FirstRequest]], None]) -> None:
        """Open the player as the command line does it, but for the threads."""

        def begin(given: Services, first: Sequence[FirstRequest]) -> None:
            play(on_the_spot(given), first)

        told: list[str] = []
        options = PlayOptions((str(self.path),), data_dir=str(self.folder / "data"))
        assert with_packs(options, told, told.append, lambda: None, begin) == 0
        assert told == []


def _action(step: str) -> tuple[Keymap, str, str]:
    """Split a step into keymap, action and argument."""
    name, _, rest = step.rpartition(": ")
    keymap = next((each for each in KEYMAPS if each.name == name), KEYMAPS.play)
    action = next(
        (rest[:end] for end in range(len(rest), 0, -1) if keymap.has_action(rest[:end]) and rest[end : end + 1] in " "),
        None,
    )
    if action is None and rest.startswith("search "):
        keymap, action = KEYMAPS.browser, "search"
    assert action is not None, step
    return keymap, action, rest[len(action) :].strip()


def _key(keymap: Keymap, action: str) -> str:
    """Return a key of an action, a letter if there is one."""
    keys = keymap.keys_of(action)
    return next((key for key in keys if len(key) == 1), keys[0])


def _keys(step: str) -> list[str]:
    """Return the keys of a step on a screen."""
    keymap, action, argument = _action(step)
    key = _key(keymap, action)
    if action == "go to level":
        return [key, *argument, "enter"]
    if action == "search":
        return [_key(KEYMAPS.play, "browse"), key, *argument, "enter", "enter"]
    return [key, *argument]


def _is_at(picture: str, rows: Sequence[str], moves: int) -> bool:
    """Return True if a picture shows the rows of a position and this number of moves; a panel may hide a part of it."""
    lines, panels = re.subn("[│╭╰].*[│╮╯]", "", picture)
    shown = [line.strip() for line in lines.split("\n") if "#" in line]
    if panels and len(shown) == len(rows) and any(cell in lines for cell in "@+"):
        rows = [line if line in row else row for line, row in zip(shown, rows)]
    return shown == rows and re.search(rf"^moves? {moves}\b", picture, re.MULTILINE) is not None


class FakeScreen(Face):
    """The screens on a terminal made of lists."""

    def play(self, *script: Step) -> None:
        terminal = FakeTerminal(self._typed(script, lambda: _picture(terminal)), Size(24, 80))
        display, appearance = Display(terminal), in_ascii()
        self._start(lambda services, first: EventLoop(services, display, appearance, []).run(first))

    def _typed(self, script: Sequence[Step], picture: Callable[[], str]) -> Iterator[Event | list[Event]]:
        for step in script:
            match step:
                case At(lurd, number):
                    assert _is_at(picture(), self.rows(number, lurd), len(lurd)), picture()
                case Watch():
                    yield from [_key(KEYMAPS.play, "solve"), "wait", "wait", _key(KEYMAPS.play, "replay")]
                    assert "Replay: " in picture(), picture()
                    yield _key(KEYMAPS.replay, "first")
                case Improvement():
                    yield from [_key(KEYMAPS.play, "improve"), "enter", "wait", "wait"]
                    assert "can be saved" in picture(), picture()
                    yield from [_key(KEYMAPS.play, "replay"), "wait"]
                    assert ", improved, " in picture(), picture()
                case Pasted(text):
                    yield Paste(text.replace("\n", "\r").encode())
                case AtOnce(actions):
                    yield [key for action in actions for key in _keys(action)]
                case HangUp():
                    yield "hangup"
                case _:
                    yield from _keys(step)
                    yield from ["wait"] * 3  # a hint is searched for
        yield "q"


def _picture(terminal: FakeTerminal) -> str:
    return "\n".join(row.text.rstrip() for row in terminal.frames[-1].rows)


_BYTES = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
    "enter": "\r", "esc": "\x1b",
}  # fmt: skip


class PtyScreen(Face):
    """The program on a pseudo-terminal."""

    def play(self, *script: Step) -> None:
        with sokoterm(
            self.folder, str(self.path), "--cell", "1", "--data-dir", str(self.folder / "data"), begins="moves "
        ) as screen:
            for step in script:
                match step:
                    case At(lurd, number):
                        self._wait_until_at(screen, number, lurd)
                    case Watch():
                        screen.type(_key(KEYMAPS.play, "solve"), "solution found")
                        screen.type(_key(KEYMAPS.play, "replay"), "Replay: ")
                        screen.type(_BYTES[_key(KEYMAPS.replay, "first")], "move 0/")
                    case Improvement():
                        screen.type(_key(KEYMAPS.play, "improve"), "Improve ")
                        screen.type("\r", "can be saved")
                        screen.type(_key(KEYMAPS.play, "replay"), ", improved, ")
                        screen.wait_for("Space again")  # over: what is said at the end would hide the counters
                        screen.type("\x0c")  # the emulated screen knows no scrolling by several lines
                    case Pasted(text):
                        screen.type(f"\x1b[200~{text}\x1b[201~")
                    case AtOnce(actions):
                        self._type(screen, [key for action in actions for key in _keys(action)])
                    case HangUp():
                        screen.hang_up()
                        return
                    case _:
                        self._type(screen, _keys(step))
            with suppress(OSError):  # it may have quit
                screen.type("q")
            assert screen.wait() == 0

    def _type(self, screen: Screen, keys: Sequence[str]) -> None:
        screen.type("".join(_BYTES.get(key, key) for key in keys))

    def _wait_until_at(self, screen: Screen, number: int, lurd: str) -> None:
        end = monotonic() + PATIENCE
        while not _is_at(screen.text, self.rows(number, lurd), len(lurd)):
            assert monotonic() < end, f"not at {lurd}:\n{screen.text}"
            screen.read(0.05)


class Lines(Face):
    """The line mode, its lines from a list."""

    def play(self, *script: Step) -> None:
        said: list[str] = []
        lines = FakeLines(self._lines(script, said), ())
        self._start(lambda services, first: LineSession(services, first, [], lines, said.append).run())

    def _lines(self, script: Sequence[Step], said: list[str]) -> Iterator[str | LineEvent]:
        for step in script:
            match step:
                case At(lurd, number):
                    yield "moves"
                    assert said[-1] == (lurd or "no moves yet")
                    yield "board"
                    height = self.level(number).board.height
                    board = [re.sub("[A-Z]", "*", re.sub("[a-z]", "$", row)) for row in said[-height:]]
                    assert board == self.rows(number, lurd)
                case Watch():
                    yield from ["solve", "wait", "replay"]
                    assert said[-1].startswith("replay, ")
                case Improvement():
                    yield from ["improve", "wait", "replay"]
                    assert any("can be saved in moves" in line for line in said)
                    assert said[-1].startswith("replay, improved, ")
                case Pasted(text):
                    yield from ["paste", *text.split("\n"), "."]
                case AtOnce(actions):
                    for action in actions:
                        yield from self._said(action, said)
                case HangUp():
                    return
                case _:
                    yield from self._said(step, said)
        yield "quit"

    def _said(self, step: str, said: list[str]) -> Iterator[str]:
        keymap, action, argument = _action(step)
        commands = REPLAY_COMMANDS if keymap is KEYMAPS.replay else PLAY_COMMANDS
        (command,) = [each for each in commands if action in (each.name, *each.actions)]
        word = action if action.startswith(command.name) else command.name  # run left, undo all
        yield f"{word} {argument}".strip()
        if action == "hint":
            yield "wait"
        if action == "search":
            found = re.match(r"pack (\d+): .*, level (\d+)", said[-1])
            assert found is not None, said[-1]
            yield f"pack {found[1]} {found[2]}"


on_all_faces = pytest.mark.parametrize("face", [FakeScreen, PtyScreen, Lines], indirect=True)
"""Mark of a feature that the default run plays in a pty too."""
