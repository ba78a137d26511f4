"""A position to play with: it agrees with the rules, pop is the inverse of each call, copies go their own ways."""

import copy
import doctest
import pickle
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sokoterm
from sokoterm import position as module
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.deadlock.detector import THOROUGH_BOUNDS, DeadlockDetector
from sokoterm.engine.lurd import end_of
from sokoterm.engine.planner.box_reach import BoxReach
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import is_solved, legal_moves, legal_pushes, push, step
from sokoterm.position import Level, Position, Solution
from tests.unit.engine.drawn import letters, levels, paths, solved_levels, varied_levels

SVG = "{http://www.w3.org/2000/svg}"
ROOM = "######\n#    #\n# $@ #\n#. $.#\n######"
# What one call may do: a step, one of the pushes, or moves up to the first that is blocked.
calls = st.lists(st.tuples(st.sampled_from(("move", "push", "play")), st.integers(0, 99), paths), max_size=12)


def agree(position: Position, state: State) -> None:
    board = position.board
    assert position.state == state
    assert position.is_solved == is_solved(board, state)
    assert position.legal_moves == legal_moves(board, state)
    assert position.legal_pushes == legal_pushes(board, state)
    assert position.area == reachable_area(board, state)
    assert position.key == state.normalized(board)


def done(position: Position, call: tuple[str, int, list[sokoterm.Direction]]) -> bool:
    """Make a call; False if there is nothing to do."""
    kind, number, steps = call
    match kind:
        case "move":
            return position.move(number % 4)
        case "push":
            pushes = position.legal_pushes
            if pushes:
                position.push(*pushes[number % len(pushes)])
            return bool(pushes)
    played = ""
    state = position.state
    for direction in steps:
        after = step(position.board, state, direction)
        if after is None:
            break
        state, played = after, played + direction.letter
    position.play(played)
    return bool(played)


@given(levels | varied_levels(), paths)
def test_moves_are_those_of_the_rules(level: sokoterm.Level, steps: list[sokoterm.Direction]) -> None:
    position, state = Position(level), level.start
    for direction in steps:
        after = step(level.board, state, direction)
        assert position.move(direction) == (after is not None)
        state = after or state
        assert position.state == state
    agree(position, state)
    assert end_of(level.board, level.start, position.lurd) == state
    assert position.pushes == sum(map(str.isupper, position.lurd))
    assert str(position) == level.xsb(state)


@given(levels | varied_levels(), calls)
def test_pop_takes_back_each_call(level: sokoterm.Level, made: list[tuple[str, int, list[sokoterm.Direction]]]) -> None:
    position = Position(level)
    before: list[tuple[State, str]] = []
    for number, call in enumerate(made):
        # Moves are asked for now and then, as the walks to pushes are written out only then.
        now = position.state, position.copy().lurd if number % 3 else position.lurd
        if done(position, call):
            before.append(now)
        agree(position, position.state)
        copied = position.copy()
        assert end_of(level.board, level.start, copied.lurd) == position.state
        assert (copied.moves, copied.pushes) == (len(copied.lurd), sum(map(str.isupper, copied.lurd)))
    for state, lurd in reversed(before):
        position.pop()
        agree(position, state)
        assert position.copy().lurd == lurd
    with pytest.raises(sokoterm.UsageError, match="there is no move to undo"):
        position.pop()


@given(levels | varied_levels(), calls)
def test_pushes_are_those_of_the_rules(
    level: sokoterm.Level, made: list[tuple[str, int, list[sokoterm.Direction]]]
) -> None:
    position = Position(level)
    for call in made:
        done(position, call)
        for each in position.legal_pushes:
            expected = push(level.board, position.state, each)
            position.push(each)
            assert position.state == expected
            assert position.deadlock() == FreezeCheck(level.board).find(position.state.boxes)
            position.pop()


@given(levels, calls, calls)
def test_copies_go_their_own_ways(
    level: sokoterm.Level,
    first: list[tuple[str, int, list[sokoterm.Direction]]],
    second: list[tuple[str, int, list[sokoterm.Direction]]],
) -> None:
    position = Position(level)
    for call in first:
        done(position, call)
    kept = position.copy()
    assert kept == position
    assert hash(kept) == hash(position)
    state, lurd = kept.state, kept.copy().lurd
    for call in second:
        done(position, call)
    while position.copy().lurd:
        position.pop()
    agree(kept, state)
    assert kept.lurd == lurd
    kept.deadlock(thorough=True)
    assert copy.copy(kept) == copy.deepcopy(kept) == pickle.loads(pickle.dumps(kept)) == kept


@given(solved_levels())
def test_a_solution_is_found_at_its_end(solved: tuple[sokoterm.Level, str]) -> None:
    level, lurd = solved
    position = Position(level, lurd)
    assert position.is_solved
    assert position.boxes_away == 0
    solution = position.solution
    assert solution is not None
    assert solution == Level.of(level).verify(lurd) == Position(level, solution).solution
    assert (solution.level, str(solution)) == (level, position.lurd)


def test_every_way_to_name_a_direction_and_a_square() -> None:
    for direction in ("l", "L", 3, sokoterm.Direction.LEFT):
        for box in ((2, 2), [2, 2], 2 * 7 + 2):
            position = Position(ROOM)
            position.push(box, direction)
            assert position.lurd == "L"
            assert position.reach((2, 1)) == dict(BoxReach(position.board, position.state, 15).pushes)
    position = Position(ROOM)
    with pytest.raises(sokoterm.UsageError, match="found fewest 'steps', expected one of pushes, moves"):
        position.push_to((2, 2), (1, 4), "steps")
    position.push_to((2, 2), (1, 4))
    assert position.pushes == 3
    assert position.board.row_column(position.player) == (1, 3)
    assert [position.board.row_column(box) for box in position.boxes] == [(1, 4), (3, 3)]


@pytest.mark.parametrize("direction", ["x", "", "left", 4, -1, None, [1]])
def test_what_is_no_direction_is_named(direction: object) -> None:
    position = Position(ROOM)
    for call in (position.move, lambda each: position.push((2, 2), each), lambda each: position.push(17, each)):
        with pytest.raises(sokoterm.UsageError, match="found the direction"):
            call(direction)  # type: ignore[arg-type]
    assert position == Position(ROOM)
    with pytest.raises(sokoterm.UsageError, match="found int, expected a Level or a Position"):
        Position(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("square", ["x", None, (1,), (1, 2, 3), (9, 1), (1, -1), -1, 99, 1.5, ("a", "b")])
def test_what_is_no_square_is_named(square: object) -> None:
    position = Position(ROOM)
    for call in (position.reach, lambda each: position.push(each, "r"), lambda each: position.push_to((2, 2), each)):
        with pytest.raises(sokoterm.UsageError, match=r"found (the square|row)"):
            call(square)  # type: ignore[arg-type]


def test_what_is_not_possible_changes_nothing_and_says_why() -> None:
    position = Position(ROOM, "l")
    for box, direction, problem in [
        ((1, 1), "r", "cannot push the box at (1, 1) right: there is no box"),
        ((0, 0), "r", "there is no box"),
        ((2, 1), "l", "the way is blocked"),
        ((2, 1), "r", "the player cannot get behind it"),
    ]:
        with pytest.raises(sokoterm.LurdError) as error:
            position.push(box, direction)
        assert str(error.value).endswith(problem)
        assert error.value.step == 2
    with pytest.raises(sokoterm.LurdError, match=r"step 4 \(d\) is blocked") as blocked:
        position.play("ulddd")
    assert blocked.value.step == 4
    with pytest.raises(sokoterm.UsageError, match="the box cannot be pushed to that square"):
        position.push_to((2, 1), (2, 4))
    with pytest.raises(sokoterm.UsageError, match=r"there is no box at \(1, 1\)"):
        position.reach((1, 1))
    assert (position.lurd, position.state) == ("L", Position(ROOM, "l").state)
    assert isinstance(blocked.value, sokoterm.SokotermError)
    assert isinstance(blocked.value, ValueError)


def test_positions_are_equal_however_they_came_about() -> None:
    one, other = Position(ROOM, "urdl"), Position(ROOM)
    assert one == other
    other.push((2, 2), "l")
    assert one != other == Position(ROOM, "L")
    assert len({Position(ROOM, "ud"), Position(ROOM), Position(ROOM, "u")}) == 2
    assert Position(ROOM) != Position(ROOM.replace(".", "*", 1).replace("$", " ", 1))
    assert Position(ROOM) != ROOM


def test_a_thorough_test_finds_more() -> None:
    hall = Position("#######\n#.    #\n# $ $ #\n#  @  #\n#  .  #\n#######", "lUdrrU")
    detector = DeadlockDetector(hall.board, bounds=THOROUGH_BOUNDS)
    assert hall.deadlock() is None
    assert hall.deadlock(thorough=True) == detector.find(hall.state.boxes, hall.area) is not None
    assert hall.copy().deadlock(True) == hall.deadlock(True)


@given(solved_levels(), st.sampled_from((0.5, 5.0)))
def test_pictures_show_what_is_there_and_where_it_goes(solved: tuple[sokoterm.Level, str], speed: float) -> None:
    level, lurd = solved
    position = Position(level)
    drawn = ET.fromstring(position.svg())
    assert len(drawn.findall(f"{SVG}g/{SVG}rect")) == sum(str(position).count(each) for each in "$*")
    assert drawn.findall(f".//{SVG}animateTransform") == []
    solution = Level.of(level).verify(lurd)
    moving = ET.fromstring(solution.svg(speed=speed)).findall(f".//{SVG}animateTransform")
    ends = {
        (int(y) // 32, int(x) // 32)
        for each in moving
        for x, y in [each.attrib["values"].split(";")[-1].split()]
        if each.attrib["keyTimes"].startswith("0;") and each.attrib["keyTimes"].endswith(";1")
    }
    position.play(lurd)
    assert ends <= {position.board.row_column(each) for each in (*position.boxes, position.player)}
    assert position.board.row_column(position.player) in ends
    assert position._repr_svg_() == position.svg()
    assert solution._repr_svg_() == solution.svg()


def test_a_picture_of_a_level_has_its_title_and_its_colours() -> None:
    level = Level.from_xsb(ROOM).replace(title="<A & B>")
    assert ET.fromstring(level.svg(16)).attrib["width"] == "96"
    assert "<title>&lt;A &amp; B&gt;</title>" in level._repr_svg_()
    alone = Solution(*level.verify("luldrdr"))
    assert alone._repr_svg_() is None
    with pytest.raises(sokoterm.UsageError):
        alone.svg()
    for wrong in ({"speed": 0}, {"speed": float("nan")}, {"size": -1}):
        with pytest.raises(sokoterm.UsageError, match="expected numbers above 0"):
            level.verify("luldrdr").svg(**wrong)


def test_a_level_is_no_tuple_and_never_changes() -> None:
    level = Level.from_xsb(ROOM)
    with pytest.raises(TypeError):
        len(level)  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match=r"Level.title never changes"):
        level.title = "x"
    with pytest.raises(TypeError):
        level.replace(titel="x")
    other = level.replace(title="x")
    assert (other.title, other.board, type(other)) == ("x", level.board, Level)
    assert pickle.loads(pickle.dumps(other)) == copy.deepcopy(other) == other != level
    assert (level.hash, level.difficulty()) == (sokoterm.level_hash(level), 18)
    assert {type(level.turned(each)) for each in sokoterm.SYMMETRIES} == {Level}
    assert repr(level) == "Level('', 6x5, 2 boxes)"


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(sokoterm).failed == 0


def test_letters_of_a_long_play() -> None:
    position = Position("#####\n#@  #\n#$ .#\n#####")
    position.play("100(rl)")
    assert position.lurd == 100 * "rl"
    assert letters([sokoterm.Direction.LEFT]) == "l"
    position.pop()
    assert position.moves == 0
