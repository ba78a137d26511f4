"""Forward searches that meet backward searches."""

from collections.abc import Callable

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.common.state_space import Packing, Perimeter
from sokoterm.solver.fess import search as fess
from sokoterm.solver.search import Found, Limits, Progress, Search
from sokoterm.solver.strategies import backward
from sokoterm.solver.strategies.best_first import astar
from sokoterm.store.packs import bundled_packs, open_pack
from tests.present import present
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE


def _astar(level: Level, limits: Limits, perimeter: Perimeter) -> Search:
    return astar(level.board, level.start, limits, perimeter=perimeter)


def _fess(level: Level, limits: Limits, perimeter: Perimeter) -> Search:
    return fess.search(level.board, level.start, limits, perimeter)


def _backward(level: Level, limits: Limits, perimeter: Perimeter) -> Search:
    return backward.search(level.board, level.start, limits, perimeter)


Searcher = Callable[[Level, Limits, Perimeter], Search]
PAIRS = [(_astar, _backward), (_backward, _astar), (_fess, _backward)]


def _levels() -> list[Level]:
    """Return levels that take the searches some time."""
    return [SEED_CASE, *(level for level in open_pack(bundled_packs()[0]).levels if level.start.boxes.bit_count() >= 4)]


def _until_found(search: Search) -> tuple[Found | None, int]:
    """Return the first solution of a search, and its nodes until then."""
    nodes = 0
    for event in search:
        if isinstance(event, Found):
            return event, nodes
        nodes = event.nodes
    return None, nodes


def _after_nodes(search: Search, nodes: int) -> Search | None:
    """Return a search that has expanded so many nodes, or None if it ended before."""
    for event in search:
        if isinstance(event, Progress) and event.nodes >= nodes:
            return search
    return None


@pytest.mark.parametrize(("second", "first"), PAIRS)
def test_a_search_that_meets_one_from_the_other_end_has_a_solution(second: Searcher, first: Searcher) -> None:
    levels = saved = 0
    for level in _levels():
        alone, nodes_alone = _until_found(second(level, NO_LIMITS, Perimeter()))
        assert alone is not None
        perimeter = Perimeter()
        other = _after_nodes(first(level, NO_LIMITS, perimeter), 150)
        if other is None:
            continue
        together, nodes = _until_found(second(level, NO_LIMITS, perimeter))
        assert together is not None, level.xsb()
        assert verify(level.board, level.start, together.solution.lurd) == together.solution
        levels += 1
        saved += nodes < nodes_alone
        other.close()
    assert levels >= 5
    assert saved >= 1


def test_a_search_that_has_ended_is_no_longer_met() -> None:
    perimeter = Perimeter()
    first = Packing(SEED_CASE.board).pack(SEED_CASE.start.normalized(SEED_CASE.board))
    search = present(_after_nodes(_astar(SEED_CASE, NO_LIMITS, perimeter), 50))
    assert first in perimeter.from_start
    assert perimeter.from_start.trail(first) == [SEED_CASE.start.boxes]
    assert first not in perimeter.from_goals
    search.close()
    assert first not in perimeter.from_start
