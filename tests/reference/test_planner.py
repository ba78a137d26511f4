"""The push planner on real levels, and on the level of one box and 102,547 moves."""

from pathlib import Path
from random import Random

import pytest

from sokoterm.engine.bits import scan
from sokoterm.engine.lurd import end_of
from sokoterm.engine.planner.box_reach import BoxReach
from sokoterm.engine.rules import legal_pushes, push
from sokoterm.formats.registry import parse
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import solve
from tests.bench.naive_planner import naive_pushes
from tests.unit.solver.cases import NO_LIMITS


def test_one_arrow_is_planned(shared: Path) -> None:
    data = (shared / "levels" / "one_arrow_100k.txt").read_bytes()
    (level,) = parse(data, "one_arrow").levels
    (box,), (goal,) = scan(level.start.boxes), scan(level.board.goals)
    reach = BoxReach(level.board, level.start, box)
    assert (len(reach.pushes), max(reach.pushes.values())) == (1206, 619)
    plan = reach.plan(goal)
    assert (plan.pushes, plan.moves) == (616, 102_547)
    assert end_of(level.board, level.start, plan.lurd).boxes == level.board.goals


def check_real_levels(shared: Path, share: float, walks: int) -> None:
    random = Random(4)
    for path in sorted((shared / "levels").glob("*.txt")):
        for level in parse(path.read_bytes(), path.name).levels:
            board, state = level.board, level.start
            if max(board.width, board.height) > 30 or random.random() > share:
                continue
            for _ in range(walks):
                for box in scan(state.boxes):
                    assert dict(BoxReach(board, state, box).pushes) == naive_pushes(board, state, box)
                box = random.choice(list(scan(state.boxes)))
                reach = BoxReach(board, state, box)
                for square, pushes in [*reach.pushes.items()][:6]:
                    plan = reach.plan(square)
                    assert (plan.pushes, sum(map(str.isupper, plan.lurd))) == (pushes, pushes)
                    assert end_of(board, state, plan.lurd).boxes == state.boxes & ~(1 << box) | 1 << square
                for _ in range(random.randrange(20)):
                    if legal := legal_pushes(board, state):
                        state = push(board, state, random.choice(legal)) or state


def test_a_sample_of_real_levels(shared: Path) -> None:
    check_real_levels(shared, share=0.02, walks=2)


@pytest.mark.long
def test_every_box_of_every_real_level(shared: Path) -> None:
    check_real_levels(shared, share=1.0, walks=5)


def test_one_arrow_is_solved(shared: Path) -> None:
    (level,) = parse((shared / "levels" / "one_arrow_100k.txt").read_bytes(), "one_arrow").levels
    solution, outcome = solve(level.board, level.start, STRATEGIES["auto"], NO_LIMITS)
    assert solution is not None
    assert (solution.pushes, solution.moves, outcome.optimal) == (616, 102_547, "pushes")
