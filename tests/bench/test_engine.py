"""``python3 -m tests.bench engine``: its figures, and the plain code it measures against."""

from functools import partial
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given

from sokoterm.engine.bits import Direction
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, verify
from sokoterm.engine.rules import perft
from tests.bench import engine
from tests.bench.plain_engine import PlainPlay
from tests.unit.commands.command import Command
from tests.unit.engine.drawn import letters, levels, paths


@given(levels, paths)
def test_the_plain_code_plays_by_the_rules(level: Level, steps: list[Direction]) -> None:
    lurd = letters(steps)
    try:
        pushes = verify(level.board, level.start, lurd).pushes
    except LurdError:
        pushes = -1
    assert PlainPlay(level.rows).count_pushes(lurd) in (pushes, 0)  # 0: a level that begins solved
    assert PlainPlay(level.rows).perft(4) == perft(level.board, level.start, 4)


@pytest.mark.parametrize("depth", [1, 2])
def test_the_table(bench: Command, monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    monkeypatch.setattr(engine, "_SHARED", Path("nowhere"))
    monkeypatch.setattr(engine, "process_time", partial(next, count(0.0)))
    result = bench("engine", "--depth", str(depth))
    assert (result.status, result.err) == (0, "")
    names = ["160 solutions", "verify", "verify, plain", "play, each position", "perft", "perft, plain", "all results"]
    assert all(line.startswith(name) for line, name in zip(result.out.splitlines(), names, strict=True))
    assert result.out.count("1.00 times the plain code") == 2
    assert result.out.endswith("are equal\n")
