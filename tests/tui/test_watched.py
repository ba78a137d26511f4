"""What is told of a search, and how often another best position is shown."""

from sokoterm.engine.level import Level
from sokoterm.solver.protocol import Feature, Limits, Outcome, Progress, Reason, Status
from sokoterm.tui.watched import WatchedSearch

LEVEL = Level.from_xsb("#####\n#@$.#\n#####")
GAVE_UP = Outcome(Status.GAVE_UP, "fess", Reason.TIME, None, 5, 5, 3.0)


class _Watching:
    """A search with a clock that is set by hand."""

    def __init__(self) -> None:
        self._now = 0.0
        limits = Limits(60.0, 0, 0, lambda: self._now, 0, lambda: 0)
        self.search = WatchedSearch("auto", LEVEL.board, LEVEL.start, limits)

    def look(self, now: float, nodes: int, best: int, strategy: str = "fess") -> tuple[int, int, int]:
        """What is shown after a report: nodes, the best position and a feature of it."""
        self._now = now
        self.search.look(Progress(strategy, nodes, 0, 0, 0, now, best, (Feature("packed", best),)))
        return self.search.latest.nodes, self.search.best, self.search.reached.features[0].value


def test_the_first_best_position_is_shown_at_once_and_another_one_three_seconds_later() -> None:
    look = _Watching().look
    assert look(0.25, 10, 0) == (10, 0, 0)
    assert look(0.5, 20, 1) == (20, 1, 1)
    assert look(0.75, 30, 2) == (30, 1, 1)
    assert look(3.25, 40, 4) == (40, 1, 1)
    assert look(3.5, 50, 4) == (50, 4, 4)
    assert look(3.75, 60, 8) == (60, 4, 4)
    assert look(6.5, 60, 8) == (60, 8, 8)


def test_strategies_that_take_turns_are_shown_for_three_seconds_each() -> None:
    watching = _Watching()
    search, look = watching.search, watching.look
    look(0.5, 10, 1, "astar")
    assert (search.reached.strategy, search.tried) == ("astar", [])
    assert look(1.0, 20, 2, "fess") == (20, 1, 1)
    assert look(1.5, 30, 4, "backward") == (30, 1, 1)
    assert (search.reached.strategy, search.tried) == ("astar", ["backward", "fess"])
    assert look(3.5, 40, 2, "fess") == (40, 2, 2)
    assert (search.reached.strategy, search.tried) == ("fess", ["astar", "backward"])
    assert look(4.0, 50, 2, "backward") == (50, 2, 2)
    assert (search.reached.strategy, search.tried) == ("fess", ["astar", "backward"])


def test_the_last_best_position_is_shown_when_the_search_is_over() -> None:
    for end in (lambda search: search.ended(GAVE_UP), WatchedSearch.stopped):
        watching = _Watching()
        watching.look(0.5, 10, 1)
        assert watching.look(0.75, 20, 2) == (20, 1, 1)
        end(watching.search)
        assert watching.search.best == 2
