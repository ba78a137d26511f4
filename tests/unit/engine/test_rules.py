"""The rules on boards of every kind: the engine and a plain reference play the same games."""

from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, SYMMETRIES, Direction, Symmetry, scan
from sokoterm.engine.board import Board, Push, State, layered
from sokoterm.engine.level import MOST_COLORS, Level, LevelError, Record, varied
from sokoterm.engine.levelhash import canonical_level, ids, level_hash, to_canonical
from sokoterm.engine.lurd import direction_of, replay, verify
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import (
    Replayer,
    boxes_away,
    color_at,
    is_solved,
    legal_moves,
    legal_pushes,
    perft,
    perft_pushes,
    push,
    step,
    step_back,
)
from tests.present import present
from tests.unit.engine.drawn import levels, paths, plain_of, varied_levels

UP, RIGHT, DOWN, LEFT = DIRECTIONS


def test_a_box_that_is_not_there_cannot_be_pushed() -> None:
    level = Level.from_xsb("######\n#@ $.#\n######")
    assert push(level.board, level.start, Push(level.board.square(1, 2), RIGHT)) is None


@given(levels, paths)
def test_legal_pushes_are_the_steps_that_push_from_the_reachable_area(level: Level, steps: list[Direction]) -> None:
    board, state = level.board, level.start
    for direction in steps:
        state = step(board, state, direction) or state
    pushes = {}
    for square in scan(reachable_area(board, state)):
        for direction in DIRECTIONS:
            following = step(board, State(state.boxes, square), direction)
            if following is not None and following.boxes != state.boxes:
                pushes[Push(square + board.offsets[direction], direction)] = following
    assert {each: push(board, state, each) for each in legal_pushes(board, state)} == pushes


@given(levels, st.data())
def test_a_picture_of_a_state_reads_back_as_that_state(level: Level, data: st.DataObject) -> None:
    board, state = level.board, level.start
    for direction in data.draw(paths):
        state = step(board, state, direction) or state
    again = Level.from_xsb(level.xsb(state))
    assert (again.board, again.start) == (board, state)
    assert Level.from_xsb(level.xsb()).rows == level.rows


@given(levels | varied_levels(), paths, st.integers(0, 60))
def test_the_replayer_plays_as_step_does(level: Level, drawn: list[Direction], cut: int) -> None:
    """In two parts, step by step and up to a solution, along a walk that ends in front of a wall or box, if any."""
    board, passed, letters = level.board, [level.start], ""
    steps = []
    for direction in drawn:
        following = step(board, passed[-1], direction)
        if following is not None:
            letters += direction.letter.upper() if following.boxes != passed[-1].boxes else direction.letter
            steps.append(direction)
            passed.append(following)
    blocked = [direction for direction in DIRECTIONS if direction not in legal_moves(board, passed[-1])]
    in_parts, stepwise, to_solution = (Replayer(board, level.start) for _ in range(3))
    taken = in_parts.take(steps[:cut]) + in_parts.take(steps[cut:] + blocked)
    assert (taken, in_parts.state, in_parts.is_solved) == (letters, passed[-1], is_solved(board, passed[-1]))
    for direction, letter, before, after in zip(steps, letters, passed[:-1], passed[1:], strict=True):
        assert (stepwise.take([direction]), stepwise.state) == (letter, after)
        assert stepwise.is_solved == is_solved(board, after)
        left, entered = before.boxes & ~after.boxes & board.floor, after.boxes & ~before.boxes & board.floor
        assert [each - board.stride for each in stepwise.pushed] == list(scan(left))
        assert [each - board.stride for each in stepwise.landings] == list(scan(entered))
    for direction in blocked:
        assert (stepwise.take([direction]), stepwise.state, stepwise.pushed) == ("", passed[-1], [])
    solving = (n for n, letter in enumerate(letters, start=1) if letter.isupper() and is_solved(board, passed[n]))
    end = next(solving, len(letters))
    assert (to_solution.take(steps, to_solution=True), to_solution.state) == (letters[:end], passed[end])


@given(levels | varied_levels(), paths)
def test_the_engine_and_the_reference_play_the_same_game(level: Level, steps: list[Direction]) -> None:
    board, state = level.board, level.start
    game = plain_of(level, state)
    for direction in steps:
        after, plain_after = step(board, state, direction), game.step(direction.letter)
        assert (after is not None) == (direction in legal_moves(board, state))
        assert (after is None) == (plain_after is None)
        if after is None or plain_after is None:
            continue
        assert plain_of(level, after) == plain_after._replace(pushed=0)
        assert is_solved(board, after) == plain_after.is_solved
        assert (after.boxes != state.boxes) == (plain_after.pushed > 0)
        assert step_back(board, after, direction, plain_after.pushed > 0) == state
        state, game = after, plain_after


# Colours and ice

ICE_RINK = Level.from_xsb("########\n#@$    #\n#      #\n#   .  #\n########")
RINK = varied(ICE_RINK, {}, {}, ICE_RINK.board.floor)
TWO = Level.from_xsb("#######\n#.$@$.#\n#######")
CROSSED = varied(TWO, {TWO.board.square(1, 2): 0, TWO.board.square(1, 4): 1}, {TWO.board.square(1, 1): 1})


@pytest.mark.parametrize(("level", "counts"), [(RINK, (2, 6, 16, 51, 148, 481)), (CROSSED, (2, 2, 4, 4, 8, 8))])
def test_perft(level: Level, counts: tuple[int, ...]) -> None:
    game = plain_of(level, level.start)
    for depth, count in enumerate(counts, start=1):
        assert game.perft(depth) == count
        assert perft(level.board, level.start, depth) == count


def test_a_box_of_another_colour_is_not_home() -> None:
    board, square = CROSSED.board, CROSSED.board.square
    after = present(step(board, CROSSED.start, DIRECTIONS[3]))
    assert boxes_away(board, after) == 1 << square(1, 1) | 1 << square(1, 4)


def test_more_boxes_of_a_colour_than_goals_are_an_error() -> None:
    first, second = (TWO.board.square(1, column) for column in (2, 4))
    with pytest.raises(LevelError, match="found 2 boxes and 0 goals of one colour, expected goals for all boxes"):
        varied(TWO, {first: 0, second: 0}, {TWO.board.square(1, 1): 1})


def test_colours_are_limited_by_the_size_of_the_board() -> None:
    hall = Level.from_xsb("\n".join(["#" * 302, f"#@{'$.' * 149} #", "#" * 302]))
    boxes = [square for square in range(hall.board.size) if hall.start.boxes >> square & 1]
    assert MOST_COLORS > 149
    assert varied(hall, {box: color for color, box in enumerate(boxes)}, {}).boxes == 149
    with pytest.raises(LevelError, match="found 251 colours, expected at most 250 on a board of this size"):
        varied(hall, {boxes[0]: MOST_COLORS}, {})
    large = hall.replace(board=hall.board._replace(height=10_000))
    with pytest.raises(LevelError, match="found 149 colours, expected at most 5 on a board of this size"):
        varied(large, {box: color for color, box in enumerate(boxes)}, {})


def test_the_metrics_of_slides() -> None:
    level = Level.from_xsb("########\n#@$  . #\n#      #\n########")
    rink = varied(level, {}, {}, 1 << level.board.square(1, 4))
    solution = verify(rink.board, rink.start, "RRR")
    assert (solution.pushes, solution.box_changes, solution.box_lines) == (2, 1, 1)
    assert replay(rink, Record("Solution", "RRR")).solution == verify(rink.board, rink.start, "RR")


@given(varied_levels(), st.sampled_from(SYMMETRIES), st.permutations(range(3)))
def test_the_hash_of_turned_levels_with_other_names_of_colours(level: Level, turn: Symmetry, names: list[int]) -> None:
    board = level.board
    rows = [row.ljust(board.width) for row in level.rows]
    turned = Level.from_xsb("\n".join(turn.rows(rows)))

    def place(square: int) -> int:
        return turned.board.square(*turn.place(*board.row_column(square), board.height, board.width))

    if not board.is_ordinary:
        boxes = {square: color_at(board, level.start.boxes, square) for square in scan(level.start.boxes & board.floor)}
        goals = {square: color for color, some in enumerate(board.colors) for square in scan(some)}
        turned = varied(
            turned,
            {place(square): names[color] for square, color in boxes.items() if color is not None},
            {place(square): names[color] for square, color in goals.items()},
            sum(1 << place(square) for square in scan(board.ice)),
        )
    assert ids(turned)[:2] == ids(level)[:2]
    assert canonical_level(turned) == canonical_level(level)
    assert level_hash(canonical_level(level)) == level_hash(level)
    plain = level_hash(Level.from_xsb("\n".join(level.rows)))
    assert (level_hash(level) == plain) == board.is_ordinary


def test_other_colours_and_other_ice_are_other_levels() -> None:
    square = TWO.board.square
    levels = [
        TWO,
        CROSSED,
        varied(TWO, {square(1, 2): 0}, {}),
        varied(TWO, {}, {square(1, 1): 0}),
        varied(TWO, {}, {}, 1 << square(1, 3)),
        varied(TWO, {}, {}, 1 << square(1, 1)),
        varied(TWO, {}, {}, TWO.board.floor),
    ]
    assert len({ids(level) for level in levels}) == len(levels)
    assert len({level_hash(level) for level in levels}) == len(levels)


@given(varied_levels(), paths)
def test_moves_go_into_the_canonical_orientation(level: Level, steps: list[Direction]) -> None:
    start, turned = to_canonical(level, "".join(direction.letter for direction in steps))
    canon = canonical_level(level)
    state, other = level.start, canon.start._replace(player=canon.board.square(*start))
    for direction, letter in zip(steps, turned):
        after = step(level.board, state, direction)
        other_after = step(canon.board, other, direction_of(letter))
        assert (after is None) == (other_after is None)
        if after is not None and other_after is not None:
            state, other = after, other_after
            assert is_solved(level.board, state) == is_solved(canon.board, other)


@given(st.integers(1, 80), st.integers(0, 40), st.randoms(use_true_random=False))
def test_layers_put_together_are_taken_apart_again(size: int, count: int, chance: Random) -> None:
    layers = [chance.getrandbits(size) for _ in range(count)]
    boxes = layered(chance.getrandbits(size), layers, size)
    assert boxes >> size == sum(layer << size * number for number, layer in enumerate(layers))
    assert Board(size - 1, 1, size, 0, 0, 0, (0,) * count).boxes_by_layer(boxes)[1:] == layers


# Perft: counts of another program


class Case(NamedTuple):
    """A board and its counts from depth 1 on."""

    title: str
    board: str
    steps: list[int]
    pushes: list[int]


def read_cases() -> list[Case]:
    """Read tests/data/perft.txt: for each board a title, its rows, and a line of counts each for steps and pushes."""
    text = (Path(__file__).parents[2] / "data" / "perft.txt").read_text(encoding="ascii")
    cases = []
    for block in text.strip("\n").split("\n\n")[1:]:
        title, *rows, steps, pushes = block.split("\n")
        counts = [[int(count) for count in line.split(": ")[1].split()] for line in (steps, pushes)]
        cases.append(Case(title.removeprefix("; "), "\n".join(rows), *counts))
    return cases


CASES = read_cases()
each_case = pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])


def test_there_are_ten_boards() -> None:
    assert len({case.board for case in CASES}) == 10
    assert all(len(case.steps) >= 5 and len(case.pushes) >= 4 for case in CASES)


@each_case
def test_perft_of_the_engine(case: Case) -> None:
    level = Level.from_xsb(case.board)
    assert [perft(level.board, level.start, 1 + i) for i in range(len(case.steps))] == case.steps
    assert [perft_pushes(level.board, level.start, 1 + i) for i in range(len(case.pushes))] == case.pushes
    assert perft(level.board, level.start, 0) == perft_pushes(level.board, level.start, 0) == 1


@each_case
def test_perft_of_the_reference(case: Case) -> None:
    level = Level.from_xsb(case.board)
    game = plain_of(level, level.start)
    assert [game.perft(depth) for depth in range(1, 6)] == case.steps[:5]


def test_a_negative_depth_is_refused() -> None:
    level = Level.from_xsb(CASES[0].board)
    for count in (perft, perft_pushes):
        with pytest.raises(ValueError, match="found a depth of -1, expected 0 or more"):
            count(level.board, level.start, -1)
