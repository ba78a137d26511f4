"""``python3 -m tests.bench library``: the packs it makes."""

from pathlib import Path

from sokoterm.engine.levelhash import level_hash
from sokoterm.store.packs import find_packs, open_pack
from tests.bench.library import write_packs


def test_the_packs_hold_puzzles_of_their_own_and_are_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_packs(str(tmp_path / name), 3, 258)
    one, two = ([open_pack(file) for file in find_packs(str(tmp_path / name))] for name in ("one", "two"))
    assert [pack.levels for pack in one] == [pack.levels for pack in two]
    assert [(len(pack.levels), len(pack.errors)) for pack in one] == [(86, 0)] * 3
    assert len({level_hash(level) for pack in one for level in pack.levels}) > 250
