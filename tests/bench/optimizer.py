"""``python3 -m tests.bench optimizer``: solutions of a table made better, beside those of another optimizer."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from time import monotonic
from typing import NamedTuple

from sokoterm.commands.optimize import objective_flag, optimizing
from sokoterm.commands.support.levels import GivenMoves, LevelChoice, Levels, solution_of
from sokoterm.commands.support.output import Column, InputError, Table, print_rows, table_of, width_of
from sokoterm.commands.support.parser import seconds
from sokoterm.commands.support.search import search_levels
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import printable, whole_number
from sokoterm.formats.limits import DEFAULT_LIMITS
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.solver.search import Limits
from sokoterm.store.packs import read_file
from tests.bench.common import BenchParser

_SECONDS = 10.0
_OBJECTIVES = (Objective.MOVES, Objective.PUSHES)
_VERDICTS = ("better", "equal", "worse")
_WIDEST = "99,999/9,999"


class _Row(NamedTuple):
    """A row of the table: a solution, and the moves and pushes that the other optimizer made of it."""

    pack: str
    number: int
    lurd: str
    theirs: tuple[int, int]
    line: int


class _Measured(NamedTuple):
    """Moves and pushes before, after, and by the other optimizer; ``verdict`` compares the last two."""

    pack: str
    lengths: Sequence[tuple[int, int]]
    verdict: str


def run(arguments: list[str]) -> int:
    """Print a row for each level and the totals of each pack; return 2 if a level could not be read."""
    parser = BenchParser(
        "optimizer",
        "Optimize the solutions of a table, and print the moves and pushes beside those of another optimizer. The "
        "table has columns between tabs, named in its first line that does not begin with #: pack, level, lurd, and "
        "what the other optimizer reached for fewest moves (moves_moves, moves_pushes) and for fewest pushes "
        "(pushes_moves, pushes_pushes).",
        "solutions.tsv --for pushes --time 2 --jobs 2",
    )
    table_flag = parser.argument("table", metavar="FILE.tsv", help="the table of solutions")
    text = "folder with a file PACK.txt for each pack; default: the folder levels beside that of the table"
    folder_flag = parser.flag("--levels", metavar="DIR", help=text)
    objective_of = objective_flag(parser, _OBJECTIVES)
    text = f"seconds per level (default: {_SECONDS:g})"
    time = parser.flag("--time", parse=seconds, default=_SECONDS, metavar="S", help=text)
    jobs = parser.jobs(1)
    parser.parse(arguments)
    objective, table = Objective(objective_of.value), table_flag.value
    rows = list(_read(table, objective))
    folder = folder_flag.value or os.path.join(os.path.dirname(os.path.abspath(table)), os.pardir, "levels")
    levels, status = _levels(rows, folder)
    moves = [GivenMoves.read(row.lurd, f"{table}, line {row.line}") for row, __ in levels]
    found = [(row, level, solution_of(level, each)) for (row, level), each in zip(levels, moves)]
    measured = _measure(found, objective, time.value, jobs.value)
    if measured:
        print()
        print_rows(table_of(_COLUMNS, list(_totals(measured))))
    return status


def _read(path: str, objective: Objective) -> Iterator[_Row]:
    """Yield the rows of a table; raises InputError."""
    columns: list[str] = []
    for number, line in enumerate(read_file(path, DEFAULT_LIMITS).decode("utf-8", "replace").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if not columns:
            columns = cells
            expected = ("pack", "level", "lurd", f"{objective}_moves", f"{objective}_pushes")
            if missing := [each for each in expected if each not in columns]:
                raise InputError(f"{path}, line {number}: found no column {missing[0]}, expected {', '.join(expected)}")
            continue
        fields = dict(zip(columns, cells))
        counts = [whole_number(fields.get(each, "")) for each in ("level", f"{objective}_moves", f"{objective}_pushes")]
        if len(cells) != len(columns) or not all(counts):
            raise InputError(f"{path}, line {number}: found {printable(line[:40])!r}, expected the columns named above")
        level, moves, pushes = (each or 0 for each in counts)
        yield _Row(fields["pack"], level, fields["lurd"], (moves, pushes), number)


def _levels(rows: Sequence[_Row], folder: str) -> tuple[list[tuple[_Row, Level]], int]:
    """Return the levels of the rows, and the exit status; what is missing is reported on stderr."""
    status = 0
    known: dict[tuple[str, int], Level] = {}
    for pack in dict.fromkeys(row.pack for row in rows):
        choice = LevelChoice(tuple((row.number, row.number) for row in rows if row.pack == pack))
        levels = Levels([os.path.join(folder, f"{os.path.basename(pack)}.txt")], [choice])
        known |= {(pack, each.level.number): each.level for each in levels}
        status = max(status, levels.status)
    return [(row, level) for row in rows if (level := known.get((row.pack, row.number))) is not None], status


def _measure(
    found: Sequence[tuple[_Row, Level, Solution]], objective: Objective, seconds_each: float, jobs: int
) -> list[_Measured]:
    """Optimize the solutions and print their rows in order, as they come."""
    limits = Limits(seconds=seconds_each, clock=monotonic)
    searches = [(level, optimizing(known, objective, limits, Steering())) for _, level, known in found]
    table = Table(
        Column("pack", width_of(row.pack for row, _, _ in found), is_text=True),
        Column("level", width_of(row.number for row, _, _ in found)),
        *(Column(heading, len(_WIDEST)) for heading in ("before", "after", "other")),
        Column("verdict", width_of(_VERDICTS), is_text=True),
        Column("seconds", len("999.99")),
        Column("proven", is_text=True),
    )
    measured: list[_Measured] = []
    print_rows([table.heading])
    with closing(search_levels(searches, jobs)) as answers:
        for (row, _, known), answer in zip(found, answers):
            after = answer.solution or known
            lengths = ((known.moves, known.pushes), (after.moves, after.pushes), row.theirs)
            __, ours, theirs = (each if objective is Objective.MOVES else each[::-1] for each in lengths)
            verdict = _VERDICTS[(ours >= theirs) + (ours > theirs)]
            measured.append(_Measured(row.pack, lengths, verdict))
            proven = "yes" if answer.outcome.optimal == objective else None
            time = f"{answer.outcome.seconds:.2f}"
            print_rows([table.row(row.pack, row.number, *map(_written, lengths), verdict, time, proven)])
            sys.stdout.flush()
    return measured


_COLUMNS = [Column("pack", is_text=True), *map(Column, ("levels", "before", "after", "other", *_VERDICTS))]


def _totals(measured: Sequence[_Measured]) -> Iterator[Sequence[object]]:
    for pack in [*dict.fromkeys(each.pack for each in measured), None]:
        some = [each for each in measured if pack in (None, each.pack)]
        sums = (tuple(map(sum, zip(*lengths))) for lengths in zip(*(each.lengths for each in some)))
        verdicts = [each.verdict for each in some]
        yield pack or "all", len(some), *map(_written, sums), *map(verdicts.count, _VERDICTS)


def _written(lengths: Sequence[int]) -> str:
    return "/".join(f"{each:,}" for each in lengths)
