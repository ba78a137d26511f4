"""Words for improvements."""

from pathlib import Path

import pytest

from sokoterm.app.improvement import Gain, ImproveChoices, Improvement, Shown, Task
from sokoterm.app.keymap import PLAY, REPLAY
from sokoterm.app.request import Improved
from sokoterm.engine.bits import squares_of
from sokoterm.engine.guide import Stretch
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.store.known_levels import KnownSolution, Source
from sokoterm.store.packs import pack_from_bytes
from sokoterm.wording.outcomes import (
    ChoiceWords,
    gain_text,
    improvement_elsewhere,
    improvement_of_another,
    improvement_text,
    no_stretch_text,
    parts_text,
    phrase,
    stretch_text,
)
from tests.unit.app.generated import Home

HALL = "########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
LEVEL = Level.from_xsb(HALL)
DETOUR = verify(LEVEL.board, LEVEL.start, "RurDldRRRdrU")
STRAIGHT = verify(LEVEL.board, LEVEL.start, "RRRR")


def stretch(moves: int, pushes: int) -> Stretch:
    return Stretch(40, 90, 40, 81, moves, pushes)


@pytest.mark.parametrize(
    ("gain", "text"),
    [
        (Gain(Objective.PUSHES, 12, 12, stretch(9, 12)), "12 pushes can be saved in moves 40-90"),
        (Gain(Objective.MOVES, 14, 9, stretch(9, 0)), "14 moves can be saved, 9 in moves 40-90"),
        (Gain(Objective.LINES, 1, 1, stretch(0, 0)), "1 box line can be saved in moves 40-90"),
        (Gain(Objective.SESSIONS, 2, 2, None), "2 pushing sessions can be saved"),
    ],
)
def test_a_gain_is_told_as_how_much_and_where(gain: Gain, text: str) -> None:
    assert gain_text(gain) == text


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (stretch(-9, -2), "saves 9 moves and 2 pushes here"),
        (stretch(9, 0), "the other solution saves 9 moves here"),
        (stretch(-9, 1), "here 9 moves fewer, 1 push more"),
    ],
)
def test_a_stretch_is_told_as_what_the_shown_solution_saves(shown: Stretch, text: str) -> None:
    assert stretch_text(shown) == text


def test_the_status_line_of_an_improvement_from_its_beginning_to_its_proof() -> None:
    improvement = Improvement(LEVEL, Task(DETOUR, Objective.MOVES))
    assert improvement_text(improvement, PLAY) == ("improving for 0 s (fewest moves); O stops", "O")
    improvement.found(STRAIGHT)
    improvement.tell(3.2)
    assert improvement_text(improvement, PLAY) == ("8 moves can be saved in moves 1-12; R shows it", "R")
    improvement.ended(5.0, is_proven=True)
    assert improvement_text(improvement, PLAY) == ("8 moves can be saved in moves 1-12; R shows it", "R")


def test_a_search_that_found_nothing_says_so_or_the_proof(tmp_path: Path) -> None:
    improvement = Improvement(LEVEL, Task(STRAIGHT, Objective.MOVES))
    improvement.ended(5.0)
    over = Improved(improvement, Home(tmp_path).open_pack_session(pack_from_bytes(HALL.encode(), "halls")))
    assert phrase(over, PLAY) == "no better solution found in 5 s"
    improvement.ended(0.1, is_proven=True)
    assert phrase(over, PLAY) == "proven: no solution has fewer moves"


def test_where_two_solutions_differ() -> None:
    two = [stretch(-9, 0), stretch(-1, 0)]
    assert parts_text(two, "n") == "differs in moves 40-90 and 1 more place: n goes there"


def test_the_choices() -> None:
    known = [KnownSolution(DETOUR, "", Source.OWN), KnownSolution(STRAIGHT, "Y")]
    choices = ImproveChoices(LEVEL, known, shown=Shown(DETOUR, 3))
    words = ChoiceWords(choices)
    [box] = squares_of(LEVEL.start.boxes)
    assert (
        words.solution,
        words.objective,
        words.scope,
        words.crossing,
        words.squares("{}", "!"),
        words.square(box),
    ) == (
        "your best, 12 moves, 6 pushes",
        "fewest moves",
        "the whole solution",
        "parts of known, 4 moves, 4 pushes (Y)",
        "any box may move, to any square",
        "box 1 of 1: may change",
    )
    choices.turn("objective", 2)
    choices.turn("scope", 1)
    choices.turn("crossing", 1)
    assert choices.mark(box)
    assert choices.mark(box + 1)
    assert not choices.mark(0)
    assert (
        words.solution,
        words.objective,
        words.scope,
        words.crossing,
        words.squares("{}", "!"),
        words.square(box),
        words.square(box + 1),
    ) == (
        "your best, 12 moves, 6 pushes, 4 box lines",
        "fewest box lines (runs of pushes in one direction)",
        "from move 3 on",
        "no other solution",
        "keeps 1 box ({}), bars 1 square (!)",
        "box 1 of 1: keeps its pushes",
        "row 3 column 4: barred",
    )


def test_solutions_of_equal_counts_are_numbered() -> None:
    known = [KnownSolution(each, "Y") for each in (DETOUR, STRAIGHT, DETOUR._replace(lurd="RRdRluUrrdrU"))]
    words = ChoiceWords(choices := ImproveChoices(LEVEL, known))
    named = []
    for _ in known:
        named.append(words.solution)
        choices.turn("solution", 1)
    assert sorted(named) == [
        "known, 12 moves, 6 pushes (Y)",
        "known, 12 moves, 6 pushes (Y), no. 2",
        "known, 4 moves, 4 pushes (Y)",
    ]


def test_the_replay_of_another_solution_tells_no_moves_of_the_improved_one() -> None:
    improvement = Improvement(LEVEL, Task(DETOUR, Objective.MOVES))
    improvement.tell(3.2)
    assert improvement_of_another(improvement, REPLAY)[0] == "improving another solution, 3 s; O stops"
    improvement.found(STRAIGHT)
    assert improvement_of_another(improvement, REPLAY)[0] == "another solution was improved: R shows it"


def test_an_improvement_of_another_level_names_that(tmp_path: Path) -> None:
    pack_session = Home(tmp_path).open_pack_session(pack_from_bytes(HALL.encode(), "halls"))
    under_way = Improved(Improvement(LEVEL, Task(DETOUR, Objective.MOVES)), pack_session)
    assert improvement_elsewhere(under_way, PLAY) == ("improving halls 1, 0 s; Esc stops", "Esc")


def test_why_there_is_no_further_difference() -> None:
    one = [stretch(9, 0)]
    assert no_stretch_text(one, is_next=True) == "no further difference"
    assert no_stretch_text(one, is_next=False) == "no earlier difference"
    assert no_stretch_text([], is_next=False) == "no other solution to compare with"


def test_a_typed_range_and_what_is_wrong_with_it() -> None:
    choices = ImproveChoices(LEVEL, [KnownSolution(DETOUR, "", Source.OWN)])
    words = ChoiceWords(choices)
    choices.type("9-3")
    assert words.scope == "moves 9-3"
    assert words.range_wanted == "9-3 is not a range of moves within 0-12, such as 3-9"
