"""Moves and levels pasted into the player, and moves copied out of it."""

from pathlib import Path

import pytest

from sokoterm.app.request import Note, PastedMoves
from sokoterm.engine.bits import Direction
from sokoterm.engine.game import Stop
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.terminal.events import Event, Paste
from tests.unit.app.searches import FIRST, SlowSearch, saying
from tests.unit.tui.fake_terminal import line_for, pane_lines, play

BOARD = "##########\n#@ $   . #\n#        #\n##########"
PACK = f"Collection: Try\n\n{BOARD}\nTitle: One\n\n######\n#@$ .#\n######\nTitle: Two\n"
LEVEL = "#######\n#.$@  #\n#######\nTitle: From elsewhere\n"
TWO = "#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n"
SLC = """\
<?xml version="1.0"?><SokobanLevels><Title>Rounded</Title><LevelCollection>
<Level Id="Ring" Width="5" Height="3"><L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>
"""


def _pasted(text: str) -> Paste:
    """As a terminal sends it: with a return for the end of a line."""
    return Paste(text.replace("\n", "\r").encode())


@pytest.mark.slow
def test_pastes_of_a_million_moves_are_bounded_and_that_is_said(tmp_path: Path) -> None:
    long = Paste(b"r400000(lr)")
    session = play(tmp_path, PACK, [long, "r", long, "r", long, "left", "right", long])
    assert any("undo takes back the oldest moves in one step" in screen for screen in session.screens)
    assert session.shows("pasted 199,997 moves; move 199998, L: a game has at most 1,000,000 moves")
    again = play(tmp_path, PACK, ["u"])
    assert "moves 1000000" in again.screens[0]
    assert again.saved().moves == 800003


def test_a_paste_goes_on_from_the_position_on_the_board_and_is_answered_below_it(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["right", _pasted("rr"), "Y"]).copied == ["rRR"]
    assert play(tmp_path, PACK, []).saved().moves == 3
    session = play(tmp_path, PACK, ["r", _pasted("drrul")])
    assert session.shows(line_for(PastedMoves(3, Stop(4, Direction.UP, "a box against a wall"))))
    assert play(tmp_path, PACK, ["r", "tab", _pasted("rr"), "Y"]).copied == ["rR"]  # the planner is left for it


def test_moves_are_pasted_on_the_board_alone(tmp_path: Path) -> None:
    said = line_for(Note.PASTED_OFF_BOARD)
    assert play(tmp_path, PACK, ["b", _pasted("rr")]).shows(said)
    assert play(tmp_path, PACK, ["S", "S", _pasted("rr")], make_solver=SlowSearch).shows(said)
    session = play(tmp_path, PACK, ["S", "R", _pasted("rr")])
    assert session.shows("Replay", said)
    assert play(tmp_path, PACK, ["?", _pasted("rr"), "esc"]).shows(said)
    assert play(tmp_path, PACK, []).saved().moves == 0


def test_a_pasted_level_is_played_and_solved_like_any_and_the_way_back_is_kept(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["right", "right", _pasted(LEVEL)])
    assert session.shows("pasted 1/1  From elsewhere", "pasted; press b to see it in the list")
    session = play(tmp_path, PACK, [_pasted(LEVEL), "left", "b", "left"])
    assert session.shows(" pasted ", " test.txt ")
    assert play(tmp_path, PACK, [_pasted(LEVEL), "left", "b", "left", "up", "enter"]).shows("Try 1/2")
    assert play(tmp_path, PACK, []).saved().moves == 2
    # By its exact board, it is known to be solved in another session too.
    assert play(tmp_path, PACK, [_pasted(LEVEL), "esc"]).shows("your best: 1 move, 1 push")


def test_a_paste_of_more_squares_than_are_read_at_once_is_refused(tmp_path: Path) -> None:
    """Each is a board of 1000x1000 squares."""
    large = "1000#|#@$.995-#|" + "#998-#|" * 997 + "1000#\n\n"
    session = play(tmp_path, PACK, [_pasted(large * 5)])
    assert session.shows("pasted, line 9, level 5: found boards of more than 4,000,000 squares in")
    assert session.shows("(the limit for files is higher)")


def test_several_pasted_levels_are_a_pack_and_each_paste_is_one_of_its_own(tmp_path: Path) -> None:
    for text, shown in ((TWO, "pasted 1/2"), (SLC, "Rounded 1/1"), ("5#|#@$.#|5#\n", "pasted 1/1")):
        assert play(tmp_path, PACK, [_pasted(text)]).shows(shown)
    keys: list[Event] = [_pasted(TWO), _pasted(LEVEL), _pasted(TWO), "b", "left"]
    lines = [line.split() for line in pane_lines(play(tmp_path, PACK, keys)) if "pasted" in line]
    assert lines == [["pasted", "─────", "0/2"], ["pasted", "2", "─────", "0/1"]]


def test_a_level_is_pasted_from_any_screen(tmp_path: Path) -> None:
    for keys in ("b", "b left", "?", "right Y", "tab", "S wait"):
        events: list[Event] = ["r", *keys.split(), _pasted(LEVEL)]
        assert play(tmp_path, PACK, events).shows("From elsewhere")


@pytest.mark.parametrize(
    ("paste", "said"),
    [
        (_pasted("hello world"), line_for(Note.PASTED_NEITHER)),
        (_pasted("12 34"), line_for(Note.PASTED_NEITHER)),
        (_pasted("https://example.org/levels.txt#1"), line_for(Note.PASTED_ADDRESS)),
        (_pasted("https://a.b/?level=%23%0A%ZZ%0A%23"), "pasted, line 1, level 1: found '%' in the level of a link"),
        (_pasted("https://a.b/?level=99999%23|%23|%23"), "pasted, line 1, level 1: found a count that makes 99,999"),
        (_pasted("# a heading\nand some text"), "pasted: found no levels, expected boards"),
        (_pasted("#####\n#@$ #\n#####\n"), "expected as many boxes as goals"),
        (Paste(b"\xff\x00\x1b[31m"), line_for(Note.PASTED_NEITHER)),
        (Paste(b"\x1f\x8b#" + bytes(100)), "pasted: "),
        (Paste(b"", "it has over 1,000,000 bytes"), "paste ignored: it has over 1,000,000 bytes"),
        (Paste(b"rr", "it was cut off"), "paste ignored: it was cut off"),
    ],
)
def test_anything_else_is_one_clear_line_and_changes_nothing(tmp_path: Path, paste: Paste, said: str) -> None:
    session = play(tmp_path, PACK, ["right", paste], size=(24, 120))
    assert session.shows(said)
    assert session.saved().moves == 1


def test_nothing_pasted_says_nothing_and_junk_of_the_greatest_size_changes_nothing(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, [Paste(b""), Paste(b" \r\n")])
    assert session.screens[-1] == session.screens[0]
    assert play(tmp_path, PACK, [Paste(bytes(range(256)) * 3906), "right"]).saved().moves == 1


def test_text_goes_to_the_prompt_that_asks_for_it(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["b", "/", _pasted(" Two\n\x1b")]).shows("/Two ?")
    assert play(tmp_path, PACK, ["b", "/", _pasted("rrrr")]).shows("/rrrr")
    session = play(tmp_path, PACK, ["g", _pasted("2\n")])
    assert session.shows("level number, then Enter: 2")
    assert play(tmp_path, PACK, ["g", _pasted("2\n"), "enter"]).shows("Two")
    session = play(tmp_path, PACK, ["p", "m", _pasted("rrr")])  # a letter that is asked for is never pasted
    assert session.shows("bookmark under which letter?")
    assert session.saved().moves == 0


# Copied moves


def test_copied_moves_are_those_that_lead_here_and_stand_on_the_screen(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["L", "right", "right", "Y"])
    assert session.copied == ["rRR"]
    assert session.shows("Moves of Try 1: 3 moves, 2 pushes")
    assert session.last.splitlines()[2] == "rRR"
    assert "#" not in session.last
    session = play(tmp_path, PACK, ["r", "right", "Y"], copy_problem="no clipboard here")
    assert session.copied == ["r"]
    assert session.shows("no clipboard here: select it here")
    assert session.last.splitlines()[2] == "r"


def test_the_key_that_copies_goes_on_to_links(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["Y"])
    (link,) = session.copied
    assert session.shows("Link to this level")
    assert "".join(session.last.splitlines()[2:-1]) == link
    session = play(tmp_path, PACK, ["right", "Y", "Y", "Y"])
    assert session.copied == ["r", link, "r"]
    session = play(tmp_path, PACK, ["r", *["right"] * 5, "Y", "Y", "Y", "Y"])
    solved = link.replace("&level", "&solution=rRRRR&level")
    assert session.copied == ["rRRRR", link, solved, "rRRRR"]
    assert session.screens[-2].splitlines()[0].strip(" ─╭╮┌┐+-") == "Link to this level and solution"
    for text in (solved, f"{solved[:50]}\n{solved[50:]}"):
        assert play(tmp_path / "friend", LEVEL, [_pasted(text), "R"]).shows("Replay", "known, 5 moves, 4 pushes")


def test_any_key_goes_back_to_the_board_and_the_terminal_has_the_mouse_until_then(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["right", "Y"]).uses_mouse is False
    for key in ("esc", "q", "M"):
        back = play(tmp_path, PACK, ["r", "right", "Y", key])
        assert back.shows("moves 1")
        assert back.uses_mouse is True
    assert play(tmp_path, PACK, ["right", "M", "Y", "esc"]).uses_mouse is False


def test_long_moves_fill_the_lines_and_turn_by_pages(tmp_path: Path) -> None:
    walk = ["down", "right", "up", "left"] * 40
    session = play(tmp_path, PACK, [*walk, "Y", "space", "down", "pgup"], size=(8, 30))
    lurd = "drul" * 40
    shown = ["\n".join(screen.splitlines()[2:7]) for screen in session.screens[-4:]]
    assert session.copied == [lurd]
    assert shown[0].replace("\n", "") == lurd[:150]
    assert shown[1].splitlines()[-1] == lurd[150:]
    assert shown[1] == shown[2]
    assert shown[3] == shown[0]
    assert "lines 1-5 of 6" in session.last


def test_a_replay_copies_the_moves_up_to_what_it_shows(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["L", *["right"] * 6])
    session = play(tmp_path, PACK, ["r", "R", "home", "Y", "right", "right", "Y"])
    assert session.copied == ["rR"]
    session = play(tmp_path, PACK, ["r", "R", "end", "Y"])
    level = Level.from_xsb(BOARD)
    assert verify(level.board, level.start, session.copied[0]).pushes == 4
    # One from the middle is copied from the start of the level.
    assert play(tmp_path, PACK, ["r", "right", "S", "R", "end", "Y"]).copied == ["rRRRR"]


def test_the_best_solution_of_a_solved_level_is_copied(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["l"] * 5)
    longer = play(tmp_path, PACK, ["r", "l", "h", *["l"] * 5, "Y"])
    assert longer.shows("Your best solution of Try 1: 5 moves, 4 pushes")
    assert play(tmp_path, PACK, ["Y"]).copied == longer.copied == ["rRRRR"]
    assert play(tmp_path, PACK, ["r", "l", "Y"]).copied == ["r"]


def test_the_solver_copies_the_moves_to_here_and_on_to_the_end(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["right", "S", "S", "Y"], make_solver=SlowSearch)
    assert session.copied == ["rRRRR"]
    assert session.shows("Moves of Try 1: 5 moves, 4 pushes")
    assert play(tmp_path, PACK, ["r", "S", "S", "Y"], make_solver=saying(*[FIRST] * 9)).copied == []
