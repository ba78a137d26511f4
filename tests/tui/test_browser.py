"""The browser on a library of several packs, and what the other screens say from it."""

from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

import pytest

from sokoterm.engine.level import Record
from sokoterm.library.folder import added_packs
from sokoterm.library.index import LibraryIndex
from sokoterm.library.known import stamp_of
from sokoterm.library.packs import PackFile, find_packs, open_pack
from sokoterm.library.progress import Progress
from sokoterm.tui.app import App, Surroundings
from sokoterm.tui.course import Course
from sokoterm.tui.library import IndexedLibrary
from sokoterm.tui.pointer import Event
from sokoterm.tui.reactions import Open, Reaction, Start
from sokoterm.tui.screens.browser import BrowserScreen
from sokoterm.tui.shelf import Shelf
from sokoterm.tui.theme import THEMES
from sokoterm.tui.views import Appearance, Size
from tests.tui.fake_terminal import FakeTerminal, ForegroundSearch, Session

ROOM = "########\n#@     #\n#  $   #\n#    . #\n########"
ROOM_SOLUTION = "rrDldRR"
MIRRORED = "\n".join(row[::-1] for row in ROOM.split("\n"))
PUSH = "#####\n#@$.#\n#####"


class Home:
    """A data folder; ``opened`` are the names of the packs that were read, in order."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records: tuple[Record, ...] = ()
        self.opened: list[str] = []

    def pack(self, name: str, *levels: str) -> PackFile:
        """A pack in the folder of added packs."""
        path = self.folder / "packs" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(levels) + "\n", "utf-8")
        (file,) = find_packs(str(path))
        return file

    def learn(self, file: PackFile) -> None:
        """Enter a pack in the index, with the records for each of its levels."""
        index = LibraryIndex.open(str(self.folder / "library.db"), lambda: 0.0)
        pack = open_pack(file)
        levels = tuple(level._replace(records=self.records) for level in pack.levels)
        index.learn(file, pack._replace(levels=levels), stamp_of(file))
        index.close()

    def play(self, keys: Iterable[Event], file: PackFile | None = None) -> Session:
        """A session that begins with the list of packs, or with the first level of one; a key a second."""
        ticks = count()
        terminal = FakeTerminal(keys, Size(24, 80))
        store = Progress.open(str(self.folder / "progress.db"), lambda: 1e9)
        path = self.folder / "library.db"
        shelf = Shelf(lambda: IndexedLibrary(LibraryIndex.open(str(path), lambda: 1e9), store), path.exists)
        files = added_packs(str(self.folder / "packs"), {})

        def open_course(chosen: PackFile) -> Course:
            self.opened.append(chosen.name)
            stamp = stamp_of(chosen)
            return Course(open_pack(chosen), chosen.key, chosen.name, store, shelf, stamp)

        outside = Surroundings(
            terminal=terminal,
            store=store,
            shelf=shelf,
            files=files,
            open_course=open_course,
            clock=lambda: float(next(ticks)),
            aliases={},
            log_crash=lambda _: "the log",
            make_desk=ForegroundSearch,
            themes=THEMES,
            animation=0,
        )
        first: Reaction = Open(BrowserScreen(files, open_course, shelf))
        if file is not None:
            first = Start(open_course(file), 1)
        try:
            App(outside, Appearance(THEMES[0], 1), []).run([first])
        finally:
            store.close()
            if shelf.is_open:
                shelf.library.close()
        return Session(terminal.frames)


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def _line(session: Session, name: str) -> list[str]:
    """The words of the line of a pack in the last picture, picture aside."""
    return next(line[:57].split() for line in session.last.split("\n") if f" {name} " in line[:57])


def test_nothing_is_read_for_the_first_picture(home: Home) -> None:
    for number in range(30):
        home.pack(f"pack {number}", PUSH)
    session = home.play([])
    assert home.opened == []
    assert _line(session, "pack 9") == ["pack", "9", "-"]
    assert "1-20 of 30" in session.last


def test_packs_are_learned_while_no_key_is_pressed(home: Home) -> None:
    home.pack("a", PUSH)
    home.pack("b", PUSH, ROOM)
    assert _line(home.play(["wait"] * 10), "b") == ["b", "0/2"]
    # They are known from then on.
    home.opened.clear()
    assert _line(home.play([]), "b") == ["b", "0/2"]
    assert home.opened == []


def test_the_picture_is_that_of_the_pack_on_which_the_cursor_rests(home: Home) -> None:
    home.pack("a", PUSH)
    home.pack("b", ROOM)
    session = home.play(["down", "wait", "wait", "wait", "wait"])
    assert session.shows("#  $   #")
    assert home.opened == ["b"]


def test_a_level_solved_elsewhere_is_solved_and_says_where(home: Home) -> None:
    file = home.pack("mine", ROOM)
    for name in ("other", "third", "fourth"):
        home.learn(home.pack(name, PUSH, MIRRORED))
    home.learn(file)
    session = home.play([*"llj", "h", "j", "l", "l", "wait"], file)
    assert session.shows("level solved; pack done; also other 2 and 2 more")
    session = home.play(["wait"] * 10)
    assert _line(session, "mine") == ["*", "mine", "1/1"]
    assert _line(session, "other") == ["other", "1/2"]
    assert home.play(["down", "down", "right", "down", "wait"]).shows("also third 2, fourth 2 and 1 more")
    assert home.play(["r", "x"], file).shows("solved before, best 7/3; also other 2 and 2 more")


def test_a_solution_of_a_file_is_shown_and_solves_nothing(home: Home) -> None:
    home.records = (Record("Solution 7/3 (YASS 2.86)", ROOM_SOLUTION),)
    file = home.pack("room", ROOM)
    home.learn(file)
    home.pack("other", MIRRORED)
    session = home.play(["end", "right"])
    assert session.shows("known 3 pushes, 7 moves (YASS 2.86)")
    assert session.shows("     1 ")
    session = home.play(["R", "end"], file)
    assert session.shows("Replay: room 1, known, 7 moves, 3 pushes (YASS 2.86)")
    assert _line(home.play(["wait"] * 9), "room") == ["room", "0/1"]
    # It fits the level of equal hash of another pack.
    assert home.play(["R", "end"], home.pack("other", MIRRORED)).shows("move 7/7")


def test_the_known_solution_stands_behind_ones_own(home: Home) -> None:
    home.records = (Record("Solution", ROOM_SOLUTION),)
    file = home.pack("room", ROOM)
    home.learn(file)
    own = [*"jkllj", "h", "j", "l", "l"]
    assert home.play([*own, "R"], file).shows("your best, 9 moves, 3 pushes")
    assert home.play(["R", "R"], file).shows("known, 7 moves, 3 pushes (from room)")
    assert home.play(["R", "R", "R"], file).shows("your best")
    assert home.play(["R"], file).shows("R another")


def test_a_search_finds_packs_by_name_and_title(home: Home) -> None:
    home.learn(home.pack("a1", "Collection: Wonders", ROOM))
    home.pack("b2", PUSH)
    assert [line[:57].split() for line in home.play(["/", *"wonder"]).last.split("\n")[2:4]] == [["a1", "0/1"], []]
    assert home.play(["/", "B"]).last.split("\n")[2].split() == ["b2", "-"]


def test_a_pack_that_cannot_be_read_says_why(home: Home) -> None:
    home.pack("a", PUSH)
    gone = home.pack("b", PUSH)

    def keys() -> Iterator[str]:
        Path(gone.path).unlink()
        yield from ["down", *["wait"] * 9, "enter"]

    session = home.play(keys())
    assert _line(session, "b") == ["!", "b", "cannot", "be", "read"]
    assert session.shows("b: cannot be read: No such file")


def test_a_large_pack_waits_until_it_is_opened(home: Home) -> None:
    home.pack("large", *[PUSH + f"\nTitle: {number}" for number in range(3000)])
    home.pack("small", PUSH)
    session = home.play(["wait"] * 20)
    assert _line(session, "large") == ["large", "-"]
    assert session.shows("read when you open it")
    session = home.play(["right", *["wait"] * 60, "left"])
    assert _line(session, "large") == ["large", "0/3000"]


def test_two_large_packs_that_are_opened_one_after_the_other_are_both_learned(home: Home, tmp_path: Path) -> None:
    files = [home.pack(name, *[ROOM] * 3000) for name in ("one", "two")]
    packs = [open_pack(file) for file in files]
    store = Progress.open(str(tmp_path / "progress.db"), lambda: 1e9)
    library = IndexedLibrary(LibraryIndex.open(str(tmp_path / "library.db"), lambda: 1e9), store)
    for file, pack in zip(files, packs):
        library.begin(file, pack, stamp_of(file))
        library.work([])
    while library.has_work([]):
        library.work([])
    figures = library.figures(files)
    library.close()
    store.close()
    assert [figures[file.key].levels for file in files] == [3000, 3000]
