"""The searches in turns: kept ones continue, the others free what they stored."""

import gc
from collections.abc import Generator, Sized
from itertools import cycle, repeat
from typing import Any
from weakref import WeakSet

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.common.state_space import Side
from sokoterm.solver.fess import search as fess
from sokoterm.solver.fess.backward_search import BackwardSearch
from sokoterm.solver.fess.plan import PackingPlan, make_plan
from sokoterm.solver.fess.positions import Positions
from sokoterm.solver.fess.search import FIRST, KEPT, SECOND, SHARED_EXIT_RULES, THIRD, Forward, SearchVariant, Turn
from sokoterm.solver.search import Meter, Progress, Status
from sokoterm.store.packs import bundled_packs, open_pack
from tests.unit.solver.cases import NO_LIMITS, run
from tests.unit.solver.exhaustive import random_levels, solvable
from tests.unit.solver.fess.test_fess import short_turns, stays_away


class KeptSearches(fess.Searches):
    """Searches that can be inspected after the run."""

    latest: "KeptSearches"

    def __init__(self, positions: Positions, solvable: Side, backward: BackwardSearch) -> None:
        super().__init__(positions, solvable, backward)
        self.meter = positions.meter
        self.backward = backward
        KeptSearches.latest = self

    @property
    def stored(self) -> tuple[int, int]:
        """Return the stored counts of the meter and of the trees."""
        forward = sum(started.tree.stored for started in self.kept.values())
        return self.meter.stored, forward + self.backward.stored


def test_dropped_searches_free_what_they_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fess, "Searches", KeptSearches)
    monkeypatch.setattr(fess, "turns", short_turns)
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    plans = WeakSet[PackingPlan]()
    made = 0

    def noted(*some: Any) -> Generator[Progress, None, PackingPlan]:
        nonlocal made
        plan = yield from make_plan(*some)
        plans.add(plan)
        made += 1
        return plan

    monkeypatch.setattr(fess, "make_plan", noted)
    crown = open_pack(bundled_packs()[0]).find_level(27)
    assert crown is not None
    assert run("fess", crown)[1].nodes > 30
    by_meter, by_trees = KeptSearches.latest.stored
    assert by_meter == by_trees
    gc.collect()
    assert len(plans) == len(SHARED_EXIT_RULES) < made


def test_kept_searches_continue_where_they_stopped_and_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fess, "Searches", KeptSearches)
    monkeypatch.setattr(fess, "turns", lambda _draw: cycle(Turn(variant, 5) for variant in KEPT))
    monkeypatch.setattr(Forward, "is_goal", lambda *_: False)
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    watched: list[Sized] = []
    monkeypatch.setattr(Meter, "watch", lambda _, table: watched.append(table))
    crown = open_pack(bundled_packs()[0]).find_level(27)
    assert crown is not None
    run("fess", crown, NO_LIMITS._replace(nodes=150))
    kept = KeptSearches.latest.kept
    assert kept.keys() == {FIRST, SECOND, THIRD}
    assert min(each.tree.expanded for each in kept.values()) > 40
    for each in kept.values():
        assert sum(table is each.forward.entered for table in watched) == 1


@pytest.mark.parametrize("variant", [FIRST, SECOND, THIRD])
def test_each_kept_search_ends_in_a_solution_or_proof(variant: SearchVariant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fess, "turns", lambda _draw: repeat(Turn(variant, 3)))
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    verdicts = []
    unsolvable = Level.from_xsb("######\n# * .#\n#  @ #\n#$ $ #\n#. # #\n######")
    for level in [*random_levels(2, 50, size=8, boxes=4), unsolvable]:
        if level.start.boxes == level.board.goals:
            continue
        _, outcome = run("fess", level, NO_LIMITS._replace(nodes=20_000))
        can_be_solved = (level.start.boxes, reachable_area(level.board, level.start)) in solvable(level.board)
        assert outcome.status is (Status.SOLVED if can_be_solved else Status.UNSOLVABLE), level.xsb()
        if outcome.nodes > 1:
            verdicts.append(can_be_solved)
    assert set(verdicts) == {False, True}
