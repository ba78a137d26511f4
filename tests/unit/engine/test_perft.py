"""The rules against independent perft counts."""

from pathlib import Path
from typing import NamedTuple

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.rules import perft, perft_pushes
from tests.unit.engine.plain_perft import PlainBoard


class Case(NamedTuple):
    """A board and its counts from depth 1 on."""

    title: str
    board: str
    steps: list[int]
    pushes: list[int]


def read_cases() -> list[Case]:
    """Read tests/data/perft.txt: for each board a title, its rows, and a line of counts each for steps and pushes."""
    text = (Path(__file__).parents[2] / "data" / "perft.txt").read_text(encoding="ascii")
    cases = []
    for block in text.strip("\n").split("\n\n")[1:]:
        title, *rows, steps, pushes = block.split("\n")
        counts = [[int(count) for count in line.split(": ")[1].split()] for line in (steps, pushes)]
        cases.append(Case(title.removeprefix("; "), "\n".join(rows), *counts))
    return cases


CASES = read_cases()
each_case = pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])


def test_there_are_ten_boards() -> None:
    assert len({case.board for case in CASES}) == 10
    assert all(len(case.steps) >= 5 and len(case.pushes) >= 4 for case in CASES)


@each_case
def test_perft_of_the_engine(case: Case) -> None:
    level = Level.from_xsb(case.board)
    assert [perft(level.board, level.start, 1 + i) for i in range(len(case.steps))] == case.steps
    assert [perft_pushes(level.board, level.start, 1 + i) for i in range(len(case.pushes))] == case.pushes
    assert perft(level.board, level.start, 0) == perft_pushes(level.board, level.start, 0) == 1


@each_case
def test_perft_of_the_reference(case: Case) -> None:
    plain = PlainBoard(case.board)
    assert [plain.perft(plain.start, 1 + i) for i in range(len(case.steps))] == case.steps
    assert [plain.perft_pushes(plain.start, 1 + i) for i in range(len(case.pushes))] == case.pushes


def test_a_negative_depth_is_refused() -> None:
    level = Level.from_xsb(CASES[0].board)
    for count in (perft, perft_pushes):
        with pytest.raises(ValueError, match="found a depth of -1, expected 0 or more"):
            count(level.board, level.start, -1)
