"""Memory check of a meter: tables count as long as they are watched."""

from itertools import count

import pytest

from sokoterm.engine.level import Level
from sokoterm.solver.meter import LimitReached, Meter
from sokoterm.solver.protocol import Limits


def test_tables_are_watched_as_long_as_their_search_runs() -> None:
    board = Level.from_xsb("#####\n#@$.#\n#####").board
    clock = count().__next__
    meter = Meter("test", board, Limits(1e9, 10, 10, lambda: float(clock()), 1000, lambda: 900), 100)
    soon_larger = dict.fromkeys(range(20))
    with meter.watching(soon_larger), pytest.raises(LimitReached):
        meter.progress()
    meter.progress()
