"""``python3 -m tests.bench cluster``: its levels, and the faults that it finds; it runs in some minutes."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from tests.bench.cluster import faults_in, made_levels, write_levels
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, Command


def test_so_many_levels_differ_and_the_others_are_copies() -> None:
    made = [Level.from_xsb("\n".join(rows)) for rows in made_levels(250, 40)]
    assert len(made) == 250
    assert len({level_hash(level) for level in made}) == 210


def results_of(folder: Path, results: Sequence[Mapping[str, object]], searches: int) -> list[str]:
    """The faults found in results for two levels."""
    packs, out = folder / "packs", folder / "out.jsonl"
    write_levels(str(packs), [ONE_PUSH.splitlines(), TWO_PUSHES.splitlines()])
    pack = {"pack": str(packs / "1.xsb")}
    out.write_text("".join(json.dumps(pack | {**each}) + "\n" for each in results), "ascii")
    with closing(sqlite3.connect(f"{out}.journal")) as journal, journal:
        journal.execute("CREATE TABLE results (key)")
        journal.executemany("INSERT INTO results VALUES (?)", [(number,) for number in range(searches)])
    return [*faults_in(str(packs), str(out), 2)]


@pytest.mark.parametrize(
    ("results", "searches", "faults"),
    [
        ([(1, "R"), (2, "RR")], 2, []),
        ([(1, "R"), (2, None)], 2, []),
        ([(1, "R")], 1, ["1 levels without a result", "1 levels searched, expected 2"]),
        ([(1, "R"), (2, "RR"), (1, "R")], 3, ["1 levels with several results", "3 levels searched, expected 2"]),
        ([(1, "R"), (2, "R")], 2, ["1 wrong solutions"]),
    ],
)
def test_faults_are_found(
    tmp_path: Path, results: list[tuple[int, str | None]], searches: int, faults: list[str]
) -> None:
    rows = [{"level": number, "lurd": lurd} for number, lurd in results]
    assert results_of(tmp_path, rows, searches) == faults


def test_more_copies_than_levels_are_refused(bench: Command) -> None:
    result = bench("cluster", "--levels", "10", "--copies", "10")
    assert (result.status, result.err) == (2, "sokoterm: found 10 copies among 10 levels, expected fewer\n")
