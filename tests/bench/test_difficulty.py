"""``python3 -m tests.bench difficulty``: packs side by side, and the order they are to come in."""

import json
from pathlib import Path

import pytest

from tests.unit.commands.command import ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command


def test_a_row_for_each_pack_and_the_ends_of_it(bench: Command) -> None:
    pack = bench.pack("one.txt", [ONE_PUSH, SEED, TWO_PUSHES])
    result = bench("difficulty", pack, "--ends", "1")
    assert (result.status, result.err) == (0, "")
    head, row, *ends = result.out.splitlines()
    assert head.split() == ["pack", "levels", "solved", "least", "25%", "median", "75%", "most", "rank"]
    assert row.split()[1:5] == ["3", "3", "0", "0"]
    assert [line.split()[0] for line in ends if "boxes" in line] == ["1", "2"]


def test_packs_come_in_their_order_or_not(bench: Command) -> None:
    easy, hard = bench.pack("easy.txt", [ONE_PUSH, TWO_PUSHES]), bench.pack("hard.txt", [SEED])
    right = bench("difficulty", "--tier", easy, "--tier", hard)
    assert (right.status, right.err) == (0, "")
    assert right.out.endswith("0% of pairs the other way round\norder: each pack is below those of the next tier\n")
    wrong = bench("difficulty", "--tier", hard, "--tier", easy, "--jobs", "2")
    assert wrong.status == 1
    assert "100% of pairs" in wrong.out
    assert wrong.out.splitlines()[-1].endswith("easy.txt at 0")


def test_rows_are_kept_and_taken_up_again(bench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, kept = bench.pack("one.txt", [ONE_PUSH, SEED]), tmp_path / "kept.jsonl"
    first = bench("difficulty", pack, "--resume", kept)
    monkeypatch.setattr("tests.bench.difficulty.figures_of", None)  # nothing is counted again
    assert bench("difficulty", pack, "--resume", kept) == first
    other = bench("difficulty", bench.pack("two.txt", [STUCK]), "--resume", kept)
    assert (other.status, "expected suite" in other.err) == (2, True)
    head, *rows = kept.read_text().splitlines()
    kept.write_text("\n".join([head, *(json.dumps(json.loads(row) | {"status": "unknown"}) for row in rows)]) + "\n")
    assert "none of this bench" in bench("difficulty", pack, "--resume", kept).err


def test_a_pack_outside_of_the_tiers_is_refused(bench: Command) -> None:
    pack = bench.pack("one.txt", [ONE_PUSH])
    result = bench("difficulty", pack, "--tier", pack)
    assert (result.status, result.out) == (2, "")
