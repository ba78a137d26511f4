"""A count that several processes add to."""

import os
from multiprocessing import get_context
from pathlib import Path

from sokoterm.verbs.tally import Tally, add_to


def test_processes_count_together() -> None:
    with Tally() as tally:
        assert tally.count == 0
        with get_context().Pool(2) as pool:
            pool.map(add_to, [tally.path] * 500, chunksize=10)
        add_to(tally.path)
        assert tally.count == 501
    assert not os.path.exists(tally.path)


def test_what_cannot_be_counted_stops_nothing(tmp_path: Path) -> None:
    add_to(str(tmp_path / "missing" / "tally"))
    tally = Tally()
    with tally:
        pass
    assert tally.count == 0
