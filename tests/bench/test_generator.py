"""``python3 -m tests.bench generator``: made levels and packs in one table."""

from statistics import median

import pytest

from sokoterm.generator.recipes import Band, Wish
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import difficulty
from tests.bench import generator
from tests.unit.commands.command import FEWER_MOVES, SEED, Command
from tests.unit.commands.test_generate import read

HARD = "###########\n#   #     #\n# $ $ $ $ #\n#@.  ...  #\n#   #     #\n###########"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """One band, and a usual level that is soon made."""
    monkeypatch.setattr(generator, "BANDS", {"tiny": Band(20, 44), "small": Band(25, 49)})
    monkeypatch.setattr(generator, "USUAL", Wish(7, 6, 2, 1_000))


def test_the_table_has_a_row_of_medians_for_each_kind(
    bench: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sokoterm = Command(bench.folder, monkeypatch, capsys)
    result = bench("generator", "--count", "3", "--seed", "4")
    assert (result.status, result.err) == (0, "")
    head, *rows = result.out.splitlines()
    assert [row[:17].strip() for row in rows] == ["tiny 20-44", "small 25-49", "2 boxes, 7x6"]
    levels = read(sokoterm("generate", "--seed", "4", "--difficulty", "20-44", "--count", "3").out).levels
    figures = dict(zip(head.replace("a box", "each").split(), rows[0][17:].split(), strict=True))
    assert figures["levels"] == "3"
    assert float(figures["boxes"]) == median(level.boxes for level in levels)
    assert float(figures["floor"]) == median(level.board.floor.bit_count() for level in levels)
    assert float(figures["difficulty"]) == median(difficulty(figures_of(level)) for level in levels)
    assert 0 < float(figures["seconds"]) <= float(figures["longest"])


def test_packs_stand_beside_them(bench: Command) -> None:
    pack = bench.pack("levels.txt", [SEED, FEWER_MOVES, HARD])
    arguments = ("--difficulty", "small", "--count", "1", "--jobs", "2", "--nodes", "30", "--suite", pack)
    _, small, usual, row = bench("generator", *arguments).out.splitlines()
    assert small.startswith("small 25-49 ")
    assert usual.startswith("2 boxes, 7x6 ")
    assert row.endswith("without 1 of 3")
    assert float(row[17:].split()[0]) == 2


def test_a_pack_that_cannot_be_read_is_said(bench: Command) -> None:
    result = bench("generator", "--count", "1", "--suite", bench.folder / "missing.txt")
    assert (result.status, result.err.count("\n"), len(result.out.splitlines())) == (2, 1, 4)
