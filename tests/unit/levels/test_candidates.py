"""Candidates on record: the same ones, however often the making is broken off."""

from pathlib import Path

import pytest

from levels.make import candidates
from levels.make.candidates import Candidate, make_all
from sokoterm.engine.level import Level
from sokoterm.generator.recipes import Wish

GROUPS = ((Wish(7, 6, 2, 1_500), 3), (Wish(6, 6, 2, 1), 1))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "GROUPS", GROUPS)


def made(path: Path, jobs: int = 1) -> list[Candidate]:
    return make_all(str(path), jobs, GROUPS)


def test_the_record_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "candidates.jsonl"
    whole = made(path)
    assert [(each.group, each.number) for each in whole] == [(1, 1), (1, 2), (1, 3), (2, 1)]
    lines = path.read_text("ascii").splitlines(keepends=True)
    assert len(lines) == 5
    path.write_text("".join(lines[:3]) + lines[3][:20], "ascii")
    assert made(path, jobs=2) == whole
    assert sorted(path.read_text("ascii").splitlines(keepends=True)) == sorted(lines)


def test_a_candidate_tells_what_makes_it_again_and_what_it_takes(tmp_path: Path) -> None:
    first, *_, last = made(tmp_path / "candidates.jsonl")
    assert Level.from_xsb(first.xsb).boxes == first.boxes == 2
    assert f"difficulty {first.difficulty}, {first.pushes} pushes, {first.moves} moves, " in first.words
    assert first.made_by == "seed 2026, 1, 1: size 7x6, boxes 2, nodes 1,500"
    assert last == Candidate(2, 1)
