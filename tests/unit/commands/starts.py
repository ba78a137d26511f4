"""The program started over the files of someone who has played for a while, with a script in place of a person."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from sokoterm.app.catalog import graded
from sokoterm.engine.levelhash import level_hash
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import FIGURES_VERSION
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import find_packs, open_pack, stamp_of
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import RunScore
from sokoterm.tui.widgets.frame import Size
from tests.unit.app.generated import ForegroundWorkshop, made_once, solution_of_floor
from tests.unit.app.searches import ForegroundSearch
from tests.unit.commands.command import Command, Result
from tests.unit.linemode.fake_lines import FakeLines
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, ROOM, ROOM_SOLUTION, TWO_WAYS, Player, enter, ticking
from tests.unit.tui.fake_terminal import FakeTerminal

DATABASES = ("progress.db", "library.db", "scores.db")
NEW_LINE = "\n"
PACK = f"""\
Collection: Two rooms
Author: A. Person

{NEW_LINE.join(TWO_WAYS.rows)}
Title: Two ways
Solution: {FEWEST_PUSHES}

{NEW_LINE.join(ROOM.rows)}
Title: A room

######
#@$ .#
######
Title: A corridor
"""


class Starts:
    """Starts of the program with the three databases in one folder."""

    def __init__(self, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        self._command = command
        self._monkeypatch = monkeypatch
        self.data = command.folder / "data"
        self.pack = command.folder / "pack.txt"
        self.export = command.folder / "export.sok"
        self.pack.write_text(PACK, "utf-8")
        self.terminal = FakeTerminal((), Size(24, 80))
        monkeypatch.setattr("sokoterm.tui.event_loop.take_keyboard", lambda _: None)
        monkeypatch.setattr(
            "sokoterm.commands.support.opening.LevelBuilder", lambda wake, **_: ForegroundWorkshop(wake)
        )
        monkeypatch.setattr("sokoterm.commands.support.opening.Solver", lambda wake, **_: ForegroundSearch(wake))
        monkeypatch.setattr("sokoterm.tui.curses_terminal.can_address_cursor", lambda: True)
        monkeypatch.setattr("sokoterm.generator.make.made_by", lambda recipe, *_: made_once(recipe))

    def run(self, *arguments: str | Path) -> Result:
        """One verb."""
        return self._command(*arguments, "--data-dir", self.data)

    def play(self, keys: Iterable[str], *arguments: str | Path) -> Result:
        """A session on a screen."""
        terminal = self.terminal = FakeTerminal(keys, Size(24, 80))
        self._monkeypatch.setattr("sokoterm.tui.curses_terminal.CursesTerminal", lambda **_: terminal)
        return self.run("play", *arguments, "--scores", self.data / "scores.db")

    @property
    def pictures(self) -> list[str]:
        """The pictures of the last session on a screen."""
        return ["\n".join(row.text.rstrip() for row in frame.rows) for frame in self.terminal.frames]

    def talk(self, commands: Iterable[str], *arguments: str | Path) -> Result:
        """A session of lines."""
        self._monkeypatch.setattr("sokoterm.linemode.session.open_lines", lambda: FakeLines(commands, ()))
        return self.run("play", *arguments, "--plain", "--scores", self.data / "scores.db")

    def fill(self) -> None:
        """Play for a while: open plays of several sessions, bookmarks, solutions, a day, descents, packs learned."""
        keys = ["wait", *"luma", "k", "n", "l", ".", "wait", "P", "n", ".", "wait", "l", "l", "b", *["wait"] * 9]
        assert self.play(keys, self.pack).status == 0
        stores = [ProgressStore.open(str(self.data / "progress.db"), ticking(start)) for start in (1e6, 2e6)]
        # Of the same moment: one writes a play beside the other.
        players = [Player(store, TWO_WAYS) for store in stores]
        for player, lurd in zip(players, ("U", "r"), strict=True):
            player.moves(lurd)
            player.game.set_bookmark(lurd)
            player.save(60.0)
        stores[0].record(TWO_WAYS, FEWEST_MOVES)
        stores[1].record(TWO_WAYS, FEWEST_PUSHES)
        for store in stores:
            store.close()
        (file,) = find_packs(str(self.pack))
        index = LibraryIndex.open(str(self.data / "library.db"), ticking())
        index.learn(file, open_pack(file), stamp_of(file))
        index.keep_grades({level_hash(TWO_WAYS): graded(figures_of(TWO_WAYS))}, FIGURES_VERSION)
        index.close()
        scores = ScoreTable(str(self.data / "scores.db"), "ann", ticking(), pytest.fail)
        enter(scores, TWO_WAYS, FEWEST_PUSHES)
        enter(scores, ROOM, ROOM_SOLUTION)
        scores.record_run(RunScore("ann", 7, 1e9, False, 2, 3, 1, 1, 0, 40, 90, 70.0))
        scores.close()
        floor = f"moves {solution_of_floor(7, 1).lurd}"
        commands = ["daily", "hint", "left", "right", "descend 7", floor, "", "hint", "descend 8", "pack 3", "levels"]
        assert self.talk(commands).status == 0
        assert self.play(["wait", "pgdn", "o", *["wait"] * 20]).status == 0
        assert self.run("progress", "export", self.export).status == 0

    def starts(self) -> Iterable[Result]:
        """What a person may do over these files."""
        yield self.talk(["facts", "u", "l", "moves", "next", "runs", "descend", "daily", "packs", "levels"], self.pack)
        yield self.play(
            ["'", "1", "u", "C-r", "l", "R", "right", "esc", "n", "b", "down", "o", "/", "r", "o"], self.pack
        )
        yield self.play(["wait", "down", "wait", "enter", "down", "wait", "enter", "wait", "l", "b", "left", "down"])
        yield self.run("progress", "export", "-")
        yield self.run("info", self.pack)
        yield self.run("info", self.pack, "-l", "1")
        yield self.run("replay", self.pack, "-l", "1", "--cast", "-")
        yield self.run("progress", "import", self.export)
        yield self.run("daily", "--json")
        yield self.run("descend", "--runs", "--scores", self.data / "scores.db")
