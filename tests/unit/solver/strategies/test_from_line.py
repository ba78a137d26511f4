"""Search from a line of moves: sound whatever the line, and of use when its end is lost."""

import random
from functools import partial

import pytest

from sokoterm.engine.bits import flood
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector, game_bounds
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, Solution, end_of, letter, verify
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import legal_pushes, push
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Found, Limits, Outcome, Progress, Reason, Search, Status, Strategy, solve
from sokoterm.solver.strategies import beam, from_line
from sokoterm.solver.strategies.beam import starts_on
from sokoterm.solver.strategies.from_line import MoveLine, read_line
from tests.present import present
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, run
from tests.unit.solver.exhaustive import check_answer, fewest_pushes, random_levels

NAMES = ("auto", "astar", "greedy", "fess", "beam")


def search_from(line: MoveLine, name: str) -> Strategy:
    """The search of a strategy from a line."""
    if name == "beam":
        return partial(from_line.search, line=line, strategy=beam.DEFAULT_CUT)
    return partial(from_line.search, line=line, strategy=STRATEGIES[name])


def solved_from(
    line: MoveLine, name: str, level: Level = SEED_CASE, limits: Limits = NO_LIMITS
) -> tuple[Solution | None, Outcome, list[Found]]:
    """Solve a level from a line; return the solution, the outcome, and all that was found."""
    found: list[Found] = []

    def note(event: Progress | Found) -> None:
        if isinstance(event, Found):
            found.append(event)

    return *solve(level.board, level.start, search_from(line, name), limits, note), found


def random_line(level: Level, rng: random.Random, most: int) -> MoveLine:
    """Make a line of up to ``most`` random pushes; most long ones lose the level, and some come back to a position."""
    state, letters = level.start, list[str]()
    for _ in range(rng.randint(0, most)):
        pushes = legal_pushes(level.board, state)
        if not pushes or (state.boxes == level.board.goals and letters):
            break
        chosen = rng.choice(pushes)
        walk = find_walk(level.board, state, chosen.box - level.board.offsets[chosen.direction])
        after = push(level.board, state, chosen)
        assert walk is not None
        assert after is not None
        letters += [letter(each, False) for each in walk] + [letter(chosen.direction, True)]
        state = after
    return read_line(level.board, level.start, "".join(letters))


def is_solvable(level: Level, state: State) -> bool:
    return fewest_pushes(level.board, state) is not None


@pytest.mark.parametrize("name", NAMES)
def test_any_line_gives_a_solution_or_a_proof_as_exhaustive_search_says(name: str) -> None:
    lost = used = 0
    rng = random.Random(7)
    for level in random_levels(7, 60):
        line, fewest = random_line(level, rng, 12), fewest_pushes(level.board, level.start)
        solution, outcome, found = solved_from(line, name, level)
        check_answer(level, solution, outcome, fewest)
        if fewest is None:
            continue
        lefts = {each.left_after for each in found}
        (left,) = lefts
        assert left is not None
        state = line.states[left]
        assert state.boxes == level.board.goals or is_solvable(level, state)
        used += left > 0
        lost += not is_solvable(level, line.states[-1]) and line.states[-1].boxes != level.board.goals
    assert lost > 5
    assert used > 5


@pytest.mark.parametrize("name", NAMES)
def test_a_line_that_solves_the_level_is_its_solution(name: str) -> None:
    known = present(run("greedy", SEED_CASE)[0])
    line = read_line(SEED_CASE.board, SEED_CASE.start, known.lurd)
    solution, outcome, found = solved_from(line, name)
    assert found[0] == Found(known, left_after=line.pushes)
    assert outcome.status is Status.SOLVED
    assert solution is not None
    assert solution.pushes <= known.pushes


def lost_line() -> MoveLine:
    """A line of the seed case that loses it."""
    rng = random.Random(1)
    while is_solvable(SEED_CASE, (line := random_line(SEED_CASE, rng, 20)).states[-1]):
        pass
    return line


@pytest.fixture
def no_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave lost positions to the searches, as on boards too large for the detector."""
    monkeypatch.setattr(from_line, "is_too_large", lambda _board: True)


@pytest.mark.usefixtures("no_detector")
@pytest.mark.parametrize("name", NAMES)
def test_a_line_lost_at_its_end_is_left_before(name: str) -> None:
    line = lost_line()
    solution, _, found = solved_from(line, name)
    assert solution is not None
    assert verify(SEED_CASE.board, SEED_CASE.start, solution.lurd) == solution
    left = present(found[-1].left_after)
    assert left < line.pushes
    assert name == "beam" or left in starts_on(line.pushes)


def test_a_position_proven_dead_costs_no_search() -> None:
    board, start = SEED_CASE.board, SEED_CASE.start
    detector = DeadlockDetector(board, bounds=game_bounds(board))
    rng = random.Random(2)
    line = random_line(SEED_CASE, rng, 30)
    dead = [
        pushes
        for pushes, (boxes, player) in enumerate(line.states)
        if detector.is_dead(boxes, flood(1 << player, board.floor & ~boxes, board.stride))
    ]
    assert dead
    searched: list[State] = []

    def noted(board: Board, state: State, limits: Limits) -> Search:
        searched.append(state)
        return (yield from STRATEGIES["astar"](board, state, limits))

    solve(board, start, partial(from_line.search, line=line, strategy=noted), NO_LIMITS)
    assert searched[0] == line.states[dead[0] - 1]


@pytest.mark.usefixtures("no_detector")
@pytest.mark.parametrize("name", NAMES)
def test_limits_are_those_of_all_searches_together(name: str) -> None:
    line = lost_line()
    for nodes in (1, 5, 30):
        solution, outcome, _ = solved_from(line, name, limits=NO_LIMITS._replace(nodes=nodes))
        assert outcome.nodes <= nodes
        assert outcome.repeatable
        if solution is None:
            assert (outcome.status, outcome.reason) == (Status.GAVE_UP, Reason.NODES)
    _, outcome, _ = solved_from(line, name, limits=NO_LIMITS._replace(seconds=1e-9))
    assert (outcome.status, outcome.reason, outcome.repeatable) == (Status.GAVE_UP, Reason.TIME, False)


def test_the_first_layer_of_a_beam_has_all_positions_of_the_line() -> None:
    known = present(run("astar", SEED_CASE)[0])
    line = read_line(SEED_CASE.board, SEED_CASE.start, known.lurd)
    states = line.states[:-4]
    events = list(beam.search(SEED_CASE.board, SEED_CASE.start, NO_LIMITS, line=states))
    first = next(each for each in events if isinstance(each, Progress) and each.features)
    assert first.features[0].value == len({state.normalized(SEED_CASE.board) for state in states})
    (found,) = [each for each in events if isinstance(each, Found)]
    assert found.left_after == len(states) - 1
    assert found.solution.pushes == known.pushes


def test_the_positions_of_a_line_are_those_after_each_push() -> None:
    line = read_line(SEED_CASE.board, SEED_CASE.start, "drl u")
    assert (line.pushes, line.lurd) == (1, "Drlu")
    assert [line.until(pushes) for pushes in (0, 1)] == ["", "D"]
    assert line.states == (SEED_CASE.start, end_of(SEED_CASE.board, SEED_CASE.start, "D"))
    with pytest.raises(LurdError, match=r"step 3 \(r\) is blocked"):
        read_line(SEED_CASE.board, SEED_CASE.start, "lrr")


def test_searches_start_from_five_places_at_most_the_end_first_and_the_start_last() -> None:
    for pushes in range(200):
        starts = starts_on(pushes)
        assert (starts[0], starts[-1]) == (pushes, 0)
        assert starts == sorted(set(starts), reverse=True)
        assert len(starts) <= 5
