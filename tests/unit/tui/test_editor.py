"""The editor on the screen: levels drawn with keys and mouse, solved, played, saved to a pack of one's own."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import copy
from tempfile import mkdtemp

import pytest

from sokoterm.engine.level import Level
from sokoterm.store.library_folder import named_own
from sokoterm.store.packs import open_pack
from sokoterm.terminal.events import Event, Paste, Pointer
from tests.unit.tui.fake_terminal import Session, play
from tests.unit.tui.kinds import SHOWN
from tests.unit.tui.test_browser import Home

PUSH = "#####\n#@$.#\n#####\nTitle: Push\nAuthor: A. Person\n\n#####\n#@$ #\n#####\n"
ROW = "#####\n#@$.#\n#####"
DRAWN = ("E", "right", "$", "right", ".")
ONE_BOX = "#  @$. #"


@pytest.fixture(name="home")
def _home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def drawn(folder: Path, *keys: Event, size: tuple[int, int] = (24, 80)) -> Session:
    """A session in which no drawing of another one is kept."""
    return play(Path(mkdtemp(dir=folder)), PUSH, keys, size=size)


def killed_after(home: Home, keys: Iterable[Event]) -> None:
    """Leave the progress as it is on disk after the last key, as if the program were killed there."""
    side = home.folder / "side"

    def script() -> Iterator[Event]:
        yield from keys
        yield "wait"
        side.mkdir()
        for file in home.folder.glob("progress.db*"):
            copy(file, side)

    home.play(script())
    for file in home.folder.glob("progress.db*"):
        file.unlink()
    for file in side.iterdir():
        copy(file, home.folder)


# Drawing


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (("e",), "Push  by A. Person  5x3"),
        (("e",), "a level with 1 box"),
        (("E",), "New level"),
        (("E",), "there is no box yet: $ puts one here"),
        (("E", "right", "$"), "there is no goal yet: . puts one here"),
        (DRAWN, "a level with 1 box"),
        (("E", *["up"] * 3, "space"), "the board is not closed"),
        (("E", ".", "down", "down", "$", "wait"), "lost from the start: a box that can reach"),
        ((*DRAWN, *["up"] * 9, *["left"] * 9, "$"), "a level with 1 box, 1 box outside does not count"),
        ((*DRAWN, "o", "left", "o", "down", "~"), "#  @Aa #"),
        ((*DRAWN, "o", "left", "o", "down", "~"), "#   ~  #"),
        # What is not saved is asked for, at the end of the program as well.
        (("e", "esc"), "moves 0"),
        ((*DRAWN, "esc"), "not saved; leave anyway? y"),
        ((*DRAWN, "esc", "n"), "the drawing stays open"),
        ((*DRAWN, "esc", "y"), "moves 0"),
        ((*DRAWN, "q"), "not saved; leave anyway? y"),
        ((*DRAWN, "q", "n", "u"), "there is no goal yet"),
        # A drawing is played at once, and comes back with its history.
        ((*DRAWN, "enter"), "drawn 1/1"),
        ((*DRAWN, "enter"), "e draw"),
        ((*DRAWN, "enter", "up"), "e draw"),
        ((*DRAWN, "enter", "right"), "level solved"),
        ((*DRAWN, "enter", "right", "e", "u"), "#  @$  #"),
        *((("E", key), "not a level yet: there is no box") for key in ("enter", "S", "Y")),
        ((*DRAWN, "S", "wait", "wait"), "solution found: R shows it"),
        ((*DRAWN, "Y"), ONE_BOX),
        # Reverse play.
        (("B",), "Reverse play pull the boxes from the goals"),
        (("B", "enter"), "first pull the boxes to their starting squares"),
        (("B", "l", "H"), "a solution in 1 move, 1 push: Enter uses it"),
        (("l", "u", "B", "l", "H", "esc"), "moves 0"),
        (("b", "?", "/", *"sort"), "o  next sort order"),
        (("?", "/", *"nowhere"), "nothing matches: Esc clears the search"),
        (("?", "/", *"bookmark"), "m  set a bookmark"),
        (("B", "S"), "S does nothing in reverse play: Esc returns to the game"),
        (("B",), "? help  q quit"),
        (("E", "space"), "there is no player yet: @ puts one here"),
        (("E", "i", *"ab", "C-u", "x"), "title: x\n"),
        (("E", "B"), "reverse play needs a closed board"),
    ],
)
def test_what_is_shown_after_keys(tmp_path: Path, keys: tuple[str, ...], words: str) -> None:
    assert drawn(tmp_path, *keys).shows(words)


def test_a_small_window_cuts_words_off_and_has_the_cursor_in_it(tmp_path: Path) -> None:
    told = drawn(tmp_path, "E", "right", "$", size=(8, 30))
    assert told.shows("there is no goal yet: ", "? help  Esc back")
    for size in ((6, 20), (7, 25), (8, 30), (24, 80), (35, 120)):
        far = drawn(tmp_path, "E", *["c"] * 30, *["r"] * 30, *["right"] * 60, *["down"] * 60, size=size)
        row, column = far.frames[-1].cursor
        assert row < size[0] - 2
        assert column < size[1]


def test_the_mouse_draws_takes_away_and_fills_rectangles(tmp_path: Path) -> None:
    shown = drawn(tmp_path, "E", "$").last.splitlines()
    top = next(i for i, line in enumerate(shown) if "####" in line)
    left = shown[top].index("#")

    def button(row: int, column: int, name: str = "left", *, is_press: bool = True) -> Pointer:
        return Pointer(top + row, left + column, name, is_press)

    room = ["E", "$", "@"]  # boxes are drawn by the mouse from now on
    once = drawn(tmp_path, *room, "$", "u", button(1, 1))
    assert once.last.splitlines()[top + 1].strip() == "#$     #"
    assert drawn(tmp_path, *room, "$", "u", button(1, 1), button(1, 1)).last.splitlines()[top + 1].strip() == "#      #"
    filled = drawn(tmp_path, *room, "$", "u", button(1, 1), button(2, 3, is_press=False))
    assert [filled.last.splitlines()[top + row].strip() for row in (1, 2, 3)] == ["#$$$   #", "#$$$   #", "#  @   #"]
    assert "(not saved)" in filled.last
    undone = drawn(tmp_path, *room, "$", "u", button(1, 1), button(2, 3, is_press=False), "u")
    assert undone.last.splitlines()[top + 1].strip() == "#      #"
    floor = drawn(tmp_path, "E", button(0, 0, "right"), button(0, 7, "right", is_press=False))
    assert floor.last.splitlines()[top].strip() == ""
    grown = drawn(tmp_path, "E", "left", "#", "u", button(-1, 0), button(-1, 3, is_press=False))
    assert grown.last.splitlines()[top - 1].strip() == "####"
    key = Pointer(23, shown[23].index("wall"), "left", True)
    let_go = drawn(tmp_path, *room, "$", "u", button(1, 1), key, button(2, 3, is_press=False))
    assert [let_go.last.splitlines()[top + row].strip() for row in (1, 2)] == ["##     #", "#      #"]


def test_squares_stay_where_they_are_while_the_drawing_grows_and_is_undone(tmp_path: Path) -> None:
    walls = [key for step in ("up", "left", "down", "right") for _ in range(5) for key in (step, "#")]
    told = drawn(tmp_path, "E", *walls, *["u"] * 20)
    rooms = [screen.splitlines()[1:-2] for screen in told.screens[1:]]
    places = {(row, line.index("@")) for room in rooms for row, line in enumerate(room) if "@" in line}
    assert len(places) == 1
    assert rooms[-1] == rooms[0]


def test_a_drawing_that_has_no_room_where_it_stands_goes_to_the_middle(tmp_path: Path) -> None:
    walls = [key for _ in range(34) for key in ("right", "#")]
    told = drawn(tmp_path, "E", *["right"] * 4, *walls, size=(24, 50))
    assert max(map(len, told.last.splitlines()[1:-2])) <= 50
    assert told.last.count("#") == drawn(tmp_path, "E").last.count("#") + 34


@pytest.mark.parametrize("kind", SHOWN)
@pytest.mark.parametrize("cell", [1, 2])
def test_colours_and_ice_look_as_in_play(tmp_path: Path, kind: str, cell: int) -> None:
    """But for the square of the cursor."""
    session = play(tmp_path, SHOWN[kind], ["e", "home"], cell=cell)
    in_play, edited = (
        [line.strip() for line in screen.splitlines()[1:-2]] for screen in (session.screens[0], session.last)
    )
    assert [line for line in in_play if line] == [line for line in edited if line]


# Leaving


def test_an_answer_ends_the_program(tmp_path: Path) -> None:
    assert len(drawn(tmp_path, *DRAWN, "q", "y", "u", "u", "u").frames) == len(drawn(tmp_path, *DRAWN, "q", "y").frames)


RESUMED = "unsaved changes restored; u undoes them all"


@pytest.mark.parametrize("opening", [("E",), ("enter", "e")])
def test_a_half_drawn_board_outlives_the_end_of_the_program(home: Home, opening: tuple[str, ...]) -> None:
    home.pack("a", ROW)
    home.pack("b", ROW)
    killed_after(home, [*opening, "right", "$", "o", "~"])
    again = home.play([*opening])
    assert again.shows(RESUMED)
    assert "(not saved)" in again.last
    half_drawn = again.last.splitlines()[5:20]
    assert half_drawn == home.play([*opening]).last.splitlines()[5:20]
    assert "(not saved)" not in home.play([*opening, "u"]).last
    assert not home.play([*opening]).shows(RESUMED)


def test_a_drawing_is_written_when_the_terminal_is_gone(home: Home) -> None:
    assert home.play([*DRAWN]).frames
    assert home.play(["E"]).shows(ONE_BOX)


def test_a_drawing_that_was_saved_or_given_up_is_not_kept(home: Home) -> None:
    for end in (["esc", "y"], ["q", "y"], ["W", "enter", "esc"]):
        home.play([*DRAWN, "wait", *end, "wait"])
        assert not home.play(["E"]).shows(RESUMED)


def test_changes_after_the_first_save_are_kept_for_the_level_that_was_saved(home: Home) -> None:
    home.play([*DRAWN, "W", "enter", "up", "#", "wait"])
    assert not home.play(["E"]).shows(RESUMED)
    told = home.play(["end", "enter", "e"])
    assert told.shows(RESUMED)
    assert told.shows("My levels") is False
    assert told.last.count("#    # #") == 1


def test_a_drawing_that_another_one_replaces_is_kept(home: Home) -> None:
    home.pack("a", ROW)
    told = home.play([*DRAWN, "enter", "E"])
    assert told.shows(RESUMED)
    told = home.play(["E", "u", "down", "$", "enter"])
    assert told.shows("not a level yet")


# Saving


def test_a_level_is_saved_to_a_pack_of_ones_own_and_then_in_its_place(home: Home) -> None:
    named = ["i", *"H|H", "enter", *"Me", "enter", *"a|b", "space", "|", "space", *"c", "enter"]
    saved = home.play([*DRAWN, *named, "W", "enter"])
    assert saved.shows("saved: level 1 of My levels")
    level = pack_of(home, "My levels")[0]
    assert (level.title, level.author, level.comment) == ("H|H", "Me", "a\nb\nc")
    assert level.rows[3] == ONE_BOX
    again = home.play([*DRAWN, "W", "enter", "up", "#", "W", "enter", "esc"])
    assert [each.rows[2] for each in pack_of(home, "My levels")] == ["#      #", "#    # #"]
    assert again.shows("│      2", "1 box, 8x7")


def test_a_level_of_ones_own_pack_is_changed_where_it_stands_and_played_as_it_is_now(home: Home) -> None:
    home.pack("mine", ROW, ROW)
    changed = home.play(["enter", "e", "right", "right", "c", "W", "enter", "esc"])
    assert [each.rows[1] for each in pack_of(home, "mine")] == ["#@$ .#", "#@$.#"]
    assert changed.shows("#@$ .#", "mine 1/2")
    others = home.play(["enter", *DRAWN, "W", *["backspace"] * 9, *"mine", "enter", "esc", "e"])
    assert others.shows("#@$ .#"), "the level in play, not the one that was drawn last"
    assert len(pack_of(home, "mine")) == 3


def test_a_drawing_in_play_is_played_as_the_level_that_it_was_saved_as(home: Home) -> None:
    home.pack("mine", ROW)
    keys = [*DRAWN, "enter", "right", "e", "W", *["backspace"] * 9, *"mine", "enter", "esc"]
    saved = home.play([*keys])
    assert saved.shows("mine 2/2", "your best: 1 move, 1 push")
    assert home.play([*keys, "right"]).shows("Enter next: 1")
    assert home.play([*keys, "e", "u"]).shows("#  @$  #"), "the drawing with its history"


def test_a_pack_that_was_changed_by_hand_loses_no_level_to_the_one_that_is_saved(home: Home) -> None:
    home.pack("mine", ROW)

    def script() -> Iterator[Event]:
        yield from ["enter", "e", "right", "right", "c", "W", "enter"]
        home.pack("mine", "#######\n#@ $ .#\n#######", ROW)
        yield from ["c", "W", "enter"]

    home.play(script())
    assert [each.rows[1] for each in pack_of(home, "mine")] == ["#@ $ .#", "#@$.#", "#@$  .#"]


def pack_of(home: Home, name: str) -> tuple[Level, ...]:
    """The levels of a pack that was saved."""
    file = named_own(str(home.folder / "packs"), name)
    return open_pack(file).levels


@pytest.mark.parametrize(
    ("name", "said"),
    [("First Steps", "First Steps: a pack of this name ships with sokoterm"), ("a:b", "found a:b, expected up to 80")],
)
def test_a_name_that_cannot_be_is_refused(home: Home, name: str, said: str) -> None:
    assert home.play([*DRAWN, "W", *["backspace"] * 20, *name, "enter"]).shows(said)
    assert not (home.folder / "packs").exists()


def test_a_text_is_pasted_where_one_is_asked_for(home: Home) -> None:
    assert home.play([*DRAWN, "i", Paste(b"A hall"), "enter"]).shows("A hall")


# Levels that cannot be read


def test_a_level_that_cannot_be_read_opens_at_the_faulty_place(home: Home) -> None:
    home.pack("broken", ROW, "; Faulty\n\n#######\n#@x$. #\n#######", "####\n#@$.\n####", ROW)
    told = home.play(["right", "j", "e"])
    assert told.shows("found 'x', expected one of # @ + $ * . - _ or a space")
    assert told.last.splitlines()[0].startswith("Faulty")
    assert picture_at_cursor(told) == (" ", "#@ $. #")
    gap = home.play(["right", "j", "j", "e"])
    assert gap.shows("the board is not closed")
    assert picture_at_cursor(gap)[0] == "."
    mended = home.play(["right", "j", "e", "$", "u", "W", *["backspace"] * 9, *"mended", "enter"])
    assert mended.shows("saved: level 1 of mended")


def test_the_only_broken_level_of_ones_own_pack_is_mended_in_its_place(home: Home) -> None:
    home.pack("broken", ROW, "; Faulty\n\n#######\n#@x$. #\n#######", ROW)
    home.play(["right", "j", "e", "W", "enter"])
    assert [(each.number, each.title, each.rows[1]) for each in pack_of(home, "broken")] == [
        (1, "", "#@$.#"),
        (2, "Faulty", "#@ $. #"),
        (3, "", "#@$.#"),
    ]


def test_what_cannot_be_drawn_is_said(home: Home) -> None:
    home.pack("counted", "5#|#@$2.#|5#")
    assert home.play(["right", "e"]).shows("this level has no rows that can be drawn")


def picture_at_cursor(told: Session) -> tuple[str, str]:
    """The character under the cursor, and what else is on its line."""
    row, column = told.frames[-1].cursor
    line = told.last.splitlines()[row]
    return line[column : column + 1], line.strip()


# Reverse play


def test_the_level_in_play_is_solved_in_reverse(tmp_path: Path) -> None:
    told = drawn(tmp_path, "B", "l", "S-left", "enter")
    assert told.shows("level solved")
    assert told.saved().solution == "R"


def test_a_position_of_reverse_play_becomes_the_drawing(tmp_path: Path) -> None:
    told = drawn(tmp_path, "E", "down", "right", ".", "B", "down", "H", "enter")
    assert told.shows("a level with 1 box", "# @$.  #")
    assert "Solution: R" in drawn(tmp_path, "E", "down", "right", ".", "B", "down", "H", "enter", "Y").copied[0]


def test_what_cannot_be_reversed_is_said_and_small_windows_cut_words_off(tmp_path: Path) -> None:
    assert play(tmp_path, SHOWN["sliding"], ["B"]).shows("no reverse play on ice")
    small = drawn(tmp_path, "B", size=(8, 30))
    assert small.last.splitlines()[0] == "Reverse play  pull the..."
    assert small.shows("pulls 0  boxes in place 0/1")
    assert drawn(tmp_path, "B", "l", "H", size=(8, 30)).shows("a solution in... Enter uses it")
