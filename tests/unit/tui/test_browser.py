"""The browser on a library of several packs, and what the other screens say from it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from sokoterm.app.catalog import Catalog
from sokoterm.app.lists import Lists
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Ask, Start
from sokoterm.engine.level import Pack, Record
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackFile, added_packs, find_packs, open_pack, stamp_of
from sokoterm.store.progress import ProgressStore
from sokoterm.terminal.events import Event, Pointer
from sokoterm.tui.event_loop import EventLoop
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.terminal import Display
from sokoterm.tui.widgets.frame import Size
from tests.unit.app.generated import Home as DataFolder
from tests.unit.tui.fake_terminal import FakeTerminal, Session, in_ascii, pane_lines
from tests.unit.tui.test_golden import check_golden

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

    def open(self, file: PackFile) -> Pack:
        """A pack with the records for each of its levels."""
        pack = open_pack(file)
        return pack._replace(levels=tuple(level.replace(records=self.records) for level in pack.levels))

    def learn(self, file: PackFile) -> None:
        """Enter a pack in the index, with the records."""
        index = LibraryIndex.open(str(self.folder / "library.db"), lambda: 0.0)
        index.learn(file, self.open(file), stamp_of(file))
        index.close()

    def library(self, *packs: tuple[str, ...]) -> list[PackFile]:
        """Packs that are in the index: of each its name, and what is in its file."""
        files = [self.pack(*each) for each in packs]
        for file in files:
            self.learn(file)
        return files

    def play(self, keys: Iterable[Event], file: PackFile | None = None, size: tuple[int, int] = (24, 80)) -> Session:
        """A session that begins with the list of packs, or with the first level of one; a key a second.

        A pack that is begun with has the records.
        """
        terminal, home = FakeTerminal(keys, Size(*size)), DataFolder(self.folder, now=1e9)
        own_folder = str(self.folder / "packs")
        files = added_packs(own_folder, {})

        def open_pack_session(chosen: PackFile) -> PackSession:
            self.opened.append(chosen.name)
            stamp = stamp_of(chosen)
            pack = self.open(chosen) if chosen is file else open_pack(chosen)
            pack_session = PackSession(pack, chosen.key, chosen.name, home.store, home.catalog, stamp)
            pack_session.is_pasted = chosen.is_pasted
            return pack_session

        services = home.services(files, open_pack_session=open_pack_session, own_folder=own_folder)
        first: Reaction = Ask.BROWSE if file is None else Start(open_pack_session(file), 1)
        try:
            EventLoop(services, Display(terminal), in_ascii(), []).run([first])
        finally:
            home.close()
        return Session(terminal)


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def _line(session: Session, name: str) -> list[str]:
    """The words of the line of a pack in the last picture."""
    return next(_words(line) for line in pane_lines(session) if f" {name} " in f"{line} ")


def _rows(session: Session) -> list[list[str]]:
    """The words of the first two lines of a list in the last picture."""
    return [_words(line) for line in pane_lines(session)[:2]]


def _words(line: str) -> list[str]:
    return [word for word in line.split() if not set(word) <= set("━╸─")]


def test_nothing_is_read_for_the_first_picture(home: Home) -> None:
    for number in range(30):
        home.pack(f"pack {number}", PUSH)
    session = home.play([])
    assert home.opened == []
    assert _line(session, "pack 9") == ["pack", "9"]
    assert "1-17 of 30" in session.last


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
    assert session.shows("##    []      ##")
    assert home.opened == ["b"]


def test_the_note_of_the_chosen_pack_is_shown_once_with_encodings_that_fit_better_than_the_guess(home: Home) -> None:
    home.pack("a", "Collection: Rooms\nComment:\nFor a rainy day.\nWith tea.\nComment-End:", PUSH)
    home.pack("b", ROOM)
    assert home.play(["wait"] * 10).shows("\nRooms, 1 level: For a rainy day.\n")
    session = home.play(["wait"] * 10, size=(35, 120))
    assert session.shows("\nRooms, 1 level\n")
    assert session.last.count("For a rainy day.") == 1
    Path(home.pack("a", PUSH).path).write_bytes(f"{PUSH}\nTitle: Склад".encode("cp1251"))
    assert home.play(["wait"] * 10, size=(35, 120)).shows("guessed to be cp1252, but may be")


def test_a_level_solved_elsewhere_is_solved_and_says_where(home: Home) -> None:
    file = home.pack("mine", ROOM, PUSH.replace("  ", "   "))
    home.library(*((name, PUSH, MIRRORED) for name in ("other", "third", "fourth")))
    home.learn(file)
    session = home.play([*"llj", "h", "j", "l", "l", "wait"], file)
    assert session.shows("level solved")
    session = home.play(["wait"] * 10)
    assert _line(session, "mine") == ["mine", "1/2"]
    assert _line(session, "other") == ["other", "1/2"]
    assert home.play(["home", "down", "down", "right", "down", "wait"]).shows("also third 2, fourth 2 and 1 more")


def test_a_solution_of_a_file_is_shown_and_solves_nothing(home: Home) -> None:
    home.records = (Record("Solution 7/3 (YASS 2.86)", ROOM_SOLUTION),)
    (file,) = home.library(("room", ROOM))
    home.pack("other", MIRRORED)
    session = home.play(["end", "right"])
    assert session.shows("known 3 pushes, 7 moves (YASS 2.86)", "     1 ")
    home.records = ()
    session = home.play(["R", "end"], file)
    assert session.shows("Replay: room 1, known, 7 moves, 3 pushes (YASS 2.86)")
    assert _line(home.play(["wait"] * 9), "room") == ["room", "0/1"]
    # It fits the level of equal hash of another pack.
    assert home.play(["R", "end"], home.pack("other", MIRRORED)).shows("move 7/7")


def test_a_pack_that_cannot_be_read_says_why(home: Home) -> None:
    home.pack("a", PUSH)
    gone = home.pack("b", PUSH)

    def keys() -> Iterator[str]:
        Path(gone.path).unlink()
        yield from ["down", *["wait"] * 9, "enter"]

    session = home.play(keys())
    assert _line(session, "b") == ["!", "b", "cannot", "be", "read"]
    assert session.shows("b: cannot be read: No such file")


def test_a_filter_finds_packs_that_were_not_indexed_large_ones_too(home: Home) -> None:
    """First it says how many it cannot find; they are indexed while no key is pressed, though none is on the screen."""
    large = home.pack("large", *[PUSH + f"\nTitle: {number}{' title' * 150}" for number in range(330)])
    assert Path(large.path).stat().st_size > 300_000
    home.pack("small", ROOM)
    boxes = ["/", *"boxes:1", "enter"]
    assert home.play([*boxes, "p"]).last.count("2 packs not indexed yet") == 2
    session = home.play([*boxes, *["wait"] * 100])
    assert (_line(session, "large"), _line(session, "small")) == (["large", "0/330"], ["small", "0/1"])
    assert not session.shows("not indexed")


def test_two_large_packs_that_are_opened_one_after_the_other_are_both_learned(home: Home, tmp_path: Path) -> None:
    files = [home.pack(name, *[ROOM] * 1000) for name in ("one", "two")]
    packs = [open_pack(file) for file in files]
    store = ProgressStore.open(str(tmp_path / "progress.db"), lambda: 1e9)
    library = Catalog(lambda: LibraryIndex.open(str(tmp_path / "library.db"), lambda: 1e9), lambda: True, store)
    for file, pack in zip(files, packs):
        library.begin(file, pack, stamp_of(file))
        library.work([])
    while library.has_work([]):
        library.work([])
    figures = library.figures(files)
    library.close()
    store.close()
    assert [figures[file.key].levels for file in files] == [1000, 1000]


def test_a_pack_with_an_unreadable_level_can_be_done(home: Home) -> None:
    file = home.pack("part", PUSH, "#####\n#@$.\n#####")
    home.pack("none", "#####\n#@$.\n#####")
    session = home.play(["wait"] * 20)
    assert _line(session, "part") == ["!", "part", "0/1"]
    assert _line(session, "none") == ["!", "none", "cannot", "be", "read"]
    assert home.play(["down", *["wait"] * 20]).shows("part, 1 level, 1 cannot be read")
    home.play(["l"], file)
    assert _line(home.play(["wait"] * 20), "part") == ["*", "part", "1/1"]


def test_every_solution_of_the_open_pack_can_be_replayed_once_it_is_in_the_library_too(home: Home) -> None:
    file = home.pack("room", ROOM)
    home.records = (Record("Best Solution 7/3", ROOM_SOLUTION), Record("Tomo", "rlrl" + ROOM_SOLUTION))
    home.learn(file)
    assert home.play(["R", "R"], file).shows("11 moves, 3 pushes (Tomo)")


def test_the_board_says_that_a_solution_is_known(home: Home) -> None:
    home.records = (Record("Solution 7/3", ROOM_SOLUTION),)
    file = home.pack("room", ROOM)
    assert home.play(["wait"], file).shows("known: 3 pushes (R shows it)")
    assert not home.play(["wait", "l"], file).shows("known:")
    home.learn(file)
    home.records = ()
    home.learn(home.pack("other", MIRRORED))
    assert home.play(["wait", "wait"], home.pack("other", MIRRORED)).shows("known: 3 pushes (R shows it)")
    home.play([*"llj", "h", "j", "l", "l"], file)
    assert not home.play(["r", "wait", "wait"], file).shows("known:")


def test_each_other_pack_is_named_once(home: Home) -> None:
    home.library(*((name, "Collection: Twins", PUSH, MIRRORED, ROOM) for name in ("a", "b", "c")))
    home.library(("d", "Collection: Other", ROOM), ("e", ROOM))
    assert home.play(["end", "right", "wait"]).shows("also Twins 2, Other 1\n")


def test_another_level_of_the_same_pack_is_not_told_as_of_another(home: Home) -> None:
    (twins,) = home.library(("twins", ROOM, MIRRORED))
    assert home.play(["b", "down", "wait"], twins).shows("also level 1 here")


def test_facts_are_cut_at_a_word_what_matters_first(home: Home) -> None:
    home.records = (Record("Solution 7/3 (YASS 2.86 Optimizer)", ROOM_SOLUTION),)
    home.learn(home.pack("room", ROOM))
    session = home.play(["wait"] * 4, size=(12, 40))
    assert session.last.split("\n")[-2] == "known 3 pushes, 7 moves (YASS 2.86..."


def test_an_open_play_is_told(home: Home) -> None:
    file = home.pack("room", ROOM)
    home.play([*"lljh"], file)
    assert home.play(["wait"]).shows("unfinished: 1 push, played for ")
    assert home.play(["b"], file).shows("unfinished: 1 push, played for ")
    assert not home.play(["home", "b"], file).shows("unfinished")


def test_a_search_finds_packs_by_author_and_by_the_titles_of_their_levels(home: Home) -> None:
    one, sophia = PUSH + "\nTitle: One", ROOM + "\nTitle: For SOPHIA"
    home.library(("a1", "Author: A. Person", one, sophia), ("b2", "Author: A. Nother", PUSH))
    assert _rows(home.play(["/", *"nother"])) == [["b2", "0/1"], []]
    session = home.play(["/", *"sophia", *["wait"] * 3])
    assert session.shows("/sophia   1 level in 1 pack", "##    []      ##")
    assert home.play(["/"]).shows("/   in packs, authors, level titles")
    session = home.play(["/", *"sophia", "enter"])
    assert session.shows("/sophia   1 level in 1 pack   level 2 of a1, 2 levels")
    assert session.last.split("\n")[-1].startswith("Esc clear the search  Enter play")
    assert home.play(["/", *"sophia", "enter", "enter"]).shows("a1 2/2  For SOPHIA")
    session = home.play(["/", *"sophia", "enter", "right", "/"])
    assert session.shows("/   in numbers, titles, authors; or boxes:4, unsolved, unique, pushes<50")
    assert session.frames[-2].cursor == (3, 2)


def test_a_search_goes_to_a_pack_of_that_name_before_one_that_has_such_a_level(home: Home) -> None:
    home.library(("a", PUSH + "\nTitle: Long pantry"), ("long", PUSH))
    assert home.play(["/", *"long", "enter", "enter"]).shows("long 1/1")


def test_a_search_leaves_its_pack_chosen(home: Home) -> None:
    home.library(("a", PUSH), ("b", PUSH), ("c", PUSH))
    assert home.play(["/", "c", "enter", "right", "left"]).frames[-1].cursor == (6, 2)


@pytest.mark.parametrize("typed", ["zzzz", "boxes>>4", "xx\b\b"])
def test_a_search_that_finds_nothing_of_use_leaves_the_cursor_on_its_pack(home: Home, typed: str) -> None:
    home.library(("a", PUSH), ("b", PUSH), ("c", PUSH))
    keys = ["backspace" if each == "\b" else each for each in typed]
    session = home.play(["end", "/", *keys, "enter", "esc" if typed[-1] != "\b" else "wait"])
    assert session.frames[-1].cursor == session.frames[1].cursor != session.frames[0].cursor


def test_a_search_without_an_answer_says_how_to_end_it(home: Home) -> None:
    home.pack("a", PUSH)
    home.pack("b", PUSH)
    session = home.play(["/", "x", "enter", *["wait"] * 10])
    assert session.shows("nothing matches: Esc clears the")
    assert session.last.split("\n")[-1].startswith(" Esc  clear the search   /  search")


def test_a_pack_opened_by_the_mouse_ends_the_search(home: Home) -> None:
    home.library(("a", PUSH), ("b", PUSH))
    session = home.play(["/", "b", Pointer(4, 3, "right", True), "left"])
    assert session.frames[-1].cursor == (5, 2)
    assert session.shows("b, 1 level")


def _mark(session: Session, number: int) -> str:
    """Return the mark before a level in the list."""
    return next(line[0] for line in pane_lines(session) if line[3:7].strip() == str(number))


@pytest.mark.parametrize(
    ("key", "mark", "facts"), [("l", "*", "solved 20"), (".", "+", "solved with help 20")], ids=["alone", "with help"]
)
def test_a_level_solved_with_help_is_marked_so(home: Home, key: str, mark: str, facts: str) -> None:
    file = home.pack("pack", PUSH, ROOM)
    session = home.play([key, "b"], file)
    assert (_mark(session, 1), _mark(session, 2)) == (mark, " ")
    assert session.shows(facts)


def test_a_level_that_is_begun_is_marked_wherever_it_stands_in_its_pack(home: Home) -> None:
    file = home.pack("pack", ROOM, PUSH, ROOM)
    for keys, marks in ((["l"], "   "), (["l", "j"], "~ ~"), (["n"], "~ ~"), (["r"], "   ")):
        session = home.play([*keys, "b"], file)
        assert "".join(_mark(session, number) for number in (1, 2, 3)) == marks, keys


def test_the_help_of_the_list_explains_its_marks(home: Home) -> None:
    home.pack("pack", PUSH)
    for mark, meaning in (
        ("stars", "three for the fewest known"),
        ("+", "solved only with help"),
        ("~", "started, not solved yet"),
    ):
        assert home.play(["right", "?"], size=(50, 80)).shows(f"{mark:<5}  {meaning}")


def test_the_list_opens_at_the_pack_that_was_played_last(home: Home) -> None:
    files = [home.pack(name, PUSH, ROOM) for name in ("a", "b", "c")]
    assert home.play(["enter"]).shows("a 1/2")
    for file, number in ((files[1], 2), (files[2], 1)):
        home.play(["n"] if number == 2 else [], file)
        assert home.play(["enter"]).shows(f"{file.name} {number}/2")
    Path(files[2].path).unlink()
    assert home.play(["enter"]).shows("a 1/2")


WIDE = (30, 120)


def test_a_wide_window_shows_packs_levels_and_preview(home: Home) -> None:
    home.pack("a", "Author: A. Person\n\nThe note of the pack.", PUSH)
    home.library(("b", "Author: A. Nother\n\nAll rooms are empty.", ROOM + "\nTitle: Empty"))
    session = home.play(["down", "wait", "wait", "wait"], size=WIDE)
    for words in ("Packs", "Empty", "##    []      ##", "by A. Nother", "1 box, 8x5", "─ difficulty about "):
        assert session.shows(words)
    assert session.frames[-1].cursor == (5, 2)


def test_the_mouse_goes_from_pane_to_pane(home: Home) -> None:
    home.library(("a", PUSH, ROOM), ("b", PUSH))
    second_level = Pointer(6, 45, "left", True)
    keys: list[Event] = [*["wait"] * 4, second_level]
    assert home.play(keys, size=WIDE).frames[-1].cursor == (6, 42)
    assert home.play([*keys, second_level], size=WIDE).shows("a 2/2")
    assert home.play([*keys, Pointer(5, 4, "left", True)], size=WIDE).frames[-1].cursor == (5, 2)


def test_terms_filter_packs_and_their_levels(home: Home) -> None:
    home.library(("a", PUSH, ROOM), ("b", PUSH))
    keys = ["/", *"size>5x4", "enter", "l"]
    inside = home.play(keys)
    assert [line[:7].split() for line in pane_lines(inside)[1:3]] == [["2"], []]
    assert inside.shows("/size>5x4")
    assert _rows(home.play([*keys, "h"])) == [["a", "0/2"], []]
    assert home.play([*keys, "h", "esc"]).shows("  b ")


def test_the_preview_is_that_of_the_level_which_enter_plays(home: Home) -> None:
    home.library(("a", PUSH, ROOM, ROOM))
    assert home.play(["l", "down", "h"]).shows("─ 1/3 ─╮")
    keys = ["l", "end", "h", "/", *"size>5x4", "enter"]
    assert home.play(keys).shows("level 2 of a", "─ 2/3 ─╮")
    assert home.play([*keys, "enter"]).shows("a 2/3")


def test_a_wrong_filter_is_told_and_the_terms_before_it_hold(home: Home) -> None:
    home.library(("a", PUSH), ("b", PUSH))
    session = home.play(["/", "b", "space", *"hard:x", "enter"])
    assert session.shows("/b hard:x   column 3: found hard:x, expected a number: hard>60, hard:50-70")
    assert _rows(session) == [["b", "0/1"], []]
    assert home.play(["/", *"hard:x", "enter", "backspace", "9", "enter"]).shows("nothing matches")


SMALL = ["/", *"boxes:1", "space", *"not", "space", *"size:5x3", "enter"]


def test_what_a_filter_finds_is_played_as_a_series(home: Home) -> None:
    home.library(
        ("a", PUSH, f"{ROOM}\nTitle: One"), ("b", "######\n# @$.#\n######", PUSH), ("c", f"{ROOM}\nTitle: Two")
    )
    name = "boxes:1 not size:5x3"
    assert home.play([*SMALL, "p"]).shows(f"{name} 1/2  One")  # of equal levels the first
    assert home.play([*SMALL, "p", "n"]).shows(f"{name} 2/2")
    again = home.play([*SMALL, "p", "b", "h", "esc", "esc", "b", "h", *SMALL, "p"])
    assert again.shows(f"{name} ")
    listed = home.play([*SMALL, "p", "b", "h"])
    assert _line(listed, "boxes:1")[-1] == "0/2"
    assert listed.shows("0 of 5 levels solved")  # each of them once
    home.library(("d", "Author: A. Person", ROOM))
    assert home.play(["/", *"pack:d", "enter", "p"]).shows("pack:d 1/1  by A. Person")


def test_a_series_of_one_pack_is_of_the_levels_shown_and_counts_for_the_packs_of_its_levels(home: Home) -> None:
    home.library(("a", PUSH, f"{ROOM}\nTitle: One", PUSH), ("b", PUSH))
    shown = home.play(["l", "/", *"size:5x3", "enter"])
    assert shown.shows("/size:5x3   2 levels in 1 pack")
    assert home.play(["l", "/", *"size:5x3", "enter", "p"]).shows("size:5x3 1/1")
    assert _line(home.play([]), "a") == ["a", "0/3"]
    home.play(["l", "/", *"size:5x3", "enter", "p", "l"])
    assert _line(home.play([]), "a") == ["a", "2/3"]


def test_without_a_filter_or_an_answer_there_is_no_series(home: Home) -> None:
    home.library(("a", PUSH))
    assert home.play(["p"]).shows("type / and a query first, such as unsolved hard<50")
    assert home.play(["/", *"boxes:9", "enter", "p"]).shows("nothing matches the filter")


def test_the_order_in_force_is_said(home: Home) -> None:
    home.library(("big", ROOM), ("small", PUSH))
    orders = (
        ("oo", "unsolved first", "big"),
        ("OO", "smallest boards first", "small"),
        ("O", "fewest boxes first", "small"),
    )
    for keys, title, first in orders:
        session = home.play(keys)
        assert session.shows(f"╭─ Packs, {title} ─")
        assert _rows(session)[0][0] == first
    assert home.play(["down", "O"]).frames[-1].cursor == (4, 2)


def test_a_pack_is_renamed_and_its_progress_stays(home: Home) -> None:
    file = home.pack("a", PUSH, ROOM)
    home.pack("b", PUSH)
    home.play(["l"], file)
    assert home.play(["home", "r"]).shows("new name of a: a")
    session = home.play(["home", "r", "backspace", *"zoo", "enter"])
    assert session.shows("a: renamed to zoo")
    assert session.frames[-1].cursor == (5, 2)
    assert [each.name for each in added_packs(str(home.folder / "packs"), {})] == ["b", "zoo"]
    assert _line(home.play(["wait"] * 12), "zoo")[-1] == "1/2"
    assert home.play(["home", "r", "backspace", *"zoo", "enter"]).shows("zoo: there is already a pack of this name")


def test_a_pack_is_removed_only_after_a_yes(home: Home) -> None:
    home.pack("a", PUSH)
    home.pack("b", PUSH)
    assert home.play(["x"]).shows("remove the file of a?")
    for no in ("n", "enter", "esc", "x"):
        assert home.play(["x", no]).shows("  a ")
    assert home.play(["x", "y"]).shows("a: removed")
    assert [each.name for each in added_packs(str(home.folder / "packs"), {})] == ["b"]


def _names(session: Session) -> list[str]:
    """The names in the list of packs in the last picture."""
    return [line[:20].strip() for line in pane_lines(session) if line.strip()]


def test_folders_are_folded_and_unfolded(home: Home) -> None:
    home.library(*((name, PUSH) for name in ("a", "sub/b", "sub/c", "z")))
    assert _names(home.play([])) == ["a", "- sub/", "b", "c", "z"]
    for key in ("enter", "left", "space"):
        assert _names(home.play(["home", "down", key])) == ["a", "+ sub/", "z"]
    for key in ("enter", "right"):
        assert _names(home.play(["home", "down", "left", key])) == ["a", "- sub/", "b", "c", "z"]
    inside = home.play(["home", *["down"] * 3, "left"])
    assert inside.frames[-1].cursor == (5, 2)
    assert inside.shows("sub, 2 packs, 0 of 2 levels solved", "Enter  fold   o  sort")
    # The mark of a folder counts what is solved in it.
    home.play(["l"], find_packs(str(home.folder / "packs" / "sub" / "b.txt"))[0])
    assert home.play(["home", "down"]).shows("sub, 2 packs, 2 of 2 levels solved")


def test_a_pack_in_a_folded_folder_is_still_found_and_sorted(home: Home) -> None:
    home.library(("a", PUSH), ("sub/b", PUSH))
    fold = ["home", "down", "left"]
    assert _names(home.play([*fold, "/", "b"])) == ["sub/b"]
    assert _names(home.play([*fold, "O", "O"])) == ["a", "sub/b"]
    assert _names(home.play([*fold, "/", "b", "esc"])) == ["a", "- sub/", "b"]


@pytest.mark.parametrize("size", [(24, 80), (35, 120), (50, 200), (8, 30)], ids=["80x24", "120x35", "200x50", "30x8"])
def test_the_picture_of_a_library(home: Home, size: tuple[int, int]) -> None:
    note = "Author: A. Person\n\nThe note of the pack."
    files = home.library(
        ("rooms", note, f"{ROOM}\nTitle: Empty", PUSH), ("far/push", PUSH), ("far/away/room", ROOM), ("near/room", ROOM)
    )
    home.play([*"llj", "h", "j", "l", "l"], files[2])
    keys = ["home", "down", "left", "end", *["wait"] * 4]
    rows, columns = size
    check_golden(f"library-{columns}x{rows}", home.play(keys, size=size).last)


def test_after_a_pack_that_is_done_the_next_one_is_gone_on_with(home: Home) -> None:
    files = home.library(("a", PUSH), ("b", ROOM), ("c", ROOM + "\n\n" + PUSH))

    def resumed() -> tuple[str, int | None] | None:
        store = ProgressStore.open(str(home.folder / "progress.db"), lambda: 1e9)
        catalog = Catalog(lambda: LibraryIndex.open(str(home.folder / "library.db"), lambda: 1e9), lambda: True, store)
        resume = Lists(files, lambda file: pytest.fail(file.name), catalog).resume()
        catalog.close()
        store.close()
        return (resume.file.name, resume.number) if resume is not None else None

    assert resumed() == ("a", None)
    home.play(["h"], files[1])
    assert resumed() == ("b", 1)
    home.play(["l"], files[0])
    assert resumed() == ("b", 1)
    home.play(["h", "e", "enter", "h"], files[2])  # a level of its drawing too
    assert resumed() == ("c", 1)
    home.play(["h"], files[1])
    home.play([*"llj", "h", "j", "l", "l"], files[1])
    assert resumed() is None  # the levels of the last pack are those of the others


def test_enter_leads_on_from_a_pack_that_is_done(home: Home) -> None:
    files = home.library(("a", PUSH, PUSH), ("b", ROOM))
    session = home.play(["l", "wait", "enter", "wait", "enter"], files[0])
    assert session.last.startswith("b 1/1")
    assert home.play(["l", "wait", "b"], files[0]).shows("# title")  # the list of its levels
