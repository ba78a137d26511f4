"""Known solutions in the progress store."""

from pathlib import Path

from tests.reference.known import known_solutions
from tests.unit.store.stores import open_store, turned


def test_known_solutions_come_back_as_they_were(shared: Path, tmp_path: Path) -> None:
    store = open_store(tmp_path)
    for known in known_solutions(shared)[::25]:
        if known.moves > 3000:
            continue
        store.record(known.level, known.lurd)
        level = turned(known.level, known.moves % 8)
        best = store.best(level)
        assert best.by_moves is not None
        assert (best.by_moves.moves, best.by_moves.pushes) == (known.moves, known.pushes), known.name
    store.close()
