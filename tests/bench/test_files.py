"""``python3 -m tests.bench files``: its figures, and the cell-by-cell hash it measures against."""

from functools import partial
from itertools import count

import pytest
from hypothesis import given

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from tests.bench import files
from tests.bench.files import find_copies, made_copies
from tests.bench.naive_hash import naive_hash
from tests.unit.commands.command import ONE_PUSH, STUCK, TWO_PUSHES, Command
from tests.unit.engine.drawn import levels


@given(levels)
def test_the_hash_made_cell_by_cell_is_the_level_hash(level: Level) -> None:
    assert naive_hash(level.rows) == level_hash(level)


def test_copies_are_other_pictures_of_equal_hash() -> None:
    known = [Level.from_xsb(text) for text in (ONE_PUSH, TWO_PUSHES, STUCK)]
    made = list(made_copies(known, 60))
    assert all(level_hash(Level.from_xsb("\n".join(rows))) == level_hash(known[index]) for index, rows in made)
    assert len({tuple(rows) for _, rows in made}) > 20


def test_the_copies_are_found_by_the_verb() -> None:
    known = [Level.from_xsb(text) for text in (ONE_PUSH, TWO_PUSHES, STUCK, ONE_PUSH)]
    found = find_copies(known, 20)
    assert found.is_exact
    assert found.kilobytes > 1000


def test_the_table(bench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "perf_counter", partial(next, count(0.0)))
    pack = bench.pack("one.txt", [ONE_PUSH, TWO_PUSHES])
    result = bench("files", "--suite", pack, "--copies", "10")
    assert (result.status, result.err) == (0, "")
    names = ["2 levels", "parse", "hash", "hash, naive", "parse and hash", "largest level", "duplicates"]
    assert all(line.startswith(name) for line, name in zip(result.out.splitlines(), names, strict=True))
    assert result.out.endswith("exactly the copies found\n")


def test_a_pack_that_cannot_be_read_is_said_and_the_rest_measured(
    bench: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "perf_counter", partial(next, count(0.0)))
    pack = bench.pack("one.txt", [ONE_PUSH])
    missing = bench.folder / "missing.txt"
    result = bench("files", "--suite", missing, pack, "--copies", "3")
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert bench("files", "--suite", missing).status == 2
