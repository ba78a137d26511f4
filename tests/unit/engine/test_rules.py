"""Steps and pushes, by example and along random walks."""

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, Direction, scan
from sokoterm.engine.board import Push, State
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import Replayer, is_solved, legal_moves, legal_pushes, push, step, step_back
from tests.unit.engine.drawn import levels, paths, varied_levels

UP, RIGHT, DOWN, LEFT = DIRECTIONS


def after(text: str, direction: Direction) -> str | None:
    """Return the picture after one step."""
    level = Level.from_xsb(text)
    state = step(level.board, level.start, direction)
    return None if state is None else level.xsb(state)


def test_the_player_walks_and_pushes() -> None:
    assert after("######\n#@ $.#\n######", RIGHT) == "######\n# @$.#\n######"
    assert after("######\n#+$  #\n######", RIGHT) == "######\n#.@$ #\n######"
    assert after("######\n# @$.#\n######", RIGHT) == "######\n#  @*#\n######"
    assert after("######\n#@* .#\n#  $ #\n######", RIGHT) == "######\n# +$.#\n#  $ #\n######"


def test_walls_and_second_boxes_block() -> None:
    assert after("######\n#@ $.#\n######", UP) is None
    assert after("######\n#.@$##\n######", RIGHT) is None
    assert after("#######\n#@$$..#\n#######", RIGHT) is None
    assert after("######\n#@ *##\n######", LEFT) is None


def test_a_box_that_is_not_there_cannot_be_pushed() -> None:
    level = Level.from_xsb("######\n#@ $.#\n######")
    assert push(level.board, level.start, Push(level.board.square(1, 2), RIGHT)) is None


def test_legal_pushes_need_a_walk_to_the_pushing_square() -> None:
    level = Level.from_xsb("#######\n#@ $ .#\n#######")
    assert legal_pushes(level.board, level.start) == [Push(level.board.square(1, 3), RIGHT)]
    level = Level.from_xsb("#######\n#  @  #\n#  $ .#\n#     #\n#######")
    box = level.board.square(2, 3)
    assert legal_pushes(level.board, level.start) == [Push(box, direction) for direction in DIRECTIONS]


def test_a_board_begins_solved_only_if_all_boxes_are_on_goals() -> None:
    solved = Level.from_xsb("#####\n#@* #\n#####")
    assert is_solved(solved.board, solved.start)
    unsolved = Level.from_xsb("#####\n#@*$#\n#  .#\n#####")
    assert not is_solved(unsolved.board, unsolved.start)


@given(levels, paths)
def test_step_back_undoes_step(level: Level, steps: list[Direction]) -> None:
    board, state = level.board, level.start
    states = []
    for direction in steps:
        following = step(board, state, direction)
        if following is None:
            continue
        states.append((state, direction, following))
        state = following
    for before, direction, following in reversed(states):
        assert step_back(board, following, direction, before.boxes != following.boxes) == before


@given(levels, paths)
def test_random_steps_keep_boxes_and_player_on_the_floor(level: Level, steps: list[Direction]) -> None:
    board, state = level.board, level.start
    for direction in steps:
        following = step(board, state, direction)
        assert (following is not None) == (direction in legal_moves(board, state))
        if following is not None:
            assert following.player == state.player + board.offsets[direction]
            assert following.boxes == state.boxes or following.boxes ^ state.boxes == (
                1 << following.player | 1 << following.player + board.offsets[direction]
            )
            state = following
        assert state.boxes.bit_count() == level.boxes
        assert not state.boxes & ~board.floor
        assert board.floor & ~state.boxes & 1 << state.player


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
