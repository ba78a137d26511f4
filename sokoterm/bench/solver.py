"""``sokoterm bench solver``: a pack solved, level by level, with totals to hold beside those of another version."""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

from sokoterm import __version__
from sokoterm.bench.record import BenchRecord, Fields
from sokoterm.commands.support.levels import Chosen, LevelChoice, Levels
from sokoterm.commands.support.output import InputError, complain, print_row
from sokoterm.commands.support.parser import PackArguments, Parser
from sokoterm.commands.support.search_flags import SearchArguments, add_search
from sokoterm.commands.support.search_request import Answer, Request, SearchLine, in_order
from sokoterm.commands.support.search_totals import SearchTotals, figures, summary
from sokoterm.commands.support.worker_processes import search_levels
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.solver.job import solve
from sokoterm.solver.protocol import MEGABYTE, Limits, Strategy
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.strategies.beam import DEFAULT_CUT, Cut
from sokoterm.store.packs import bundled_packs, open_pack

_SECONDS = 10.0
_HEAD = "level  status            seconds       nodes      stored  pushes   moves  peak MB  strategy  title"
# Within how many seconds the solved levels are counted.
_WITHIN = (1, 3, 10, 30, 100, 300)
# Enough for each strategy to solve most levels of the signature and to give up on some.
_SIGNATURE_NODES = 1_000


class _SolverArguments(PackArguments, SearchArguments):
    suite: str | None
    level: LevelChoice | None
    resume: str | None


class _SolverRow(NamedTuple):
    """A row of the table; ``place`` is the index of its level, ``peak`` in bytes, 0 where it cannot be known.

    ``repeatable``: neither the clock nor the memory ended any part of the search.
    """

    place: int
    ending: str
    seconds: float
    nodes: int
    stored: int
    pushes: int
    moves: int
    peak: int
    strategy: str
    repeatable: bool

    @property
    def figures(self) -> SearchTotals:
        return SearchTotals(self.ending, self.strategy, self.seconds, self.nodes, self.pushes, self.moves)


def run(arguments: list[str]) -> int:
    """Prints a row for each level, the totals and the signature; 2 if a level could not be read."""
    parser = Parser(
        "bench solver",
        "Solve a pack and print what it took.  The signature in the end is what each strategy makes of First "
        f"Steps with {_SIGNATURE_NODES:,} nodes a level: a change made for speed alone leaves it as it is.",
        "sokoterm bench solver --suite levels.txt --time 2 --jobs 2 --resume bench.jsonl",
    )
    parser.add_argument("--suite", metavar="PACK", help="a PACK as for solve; default: the bundled packs")
    parser.add_argument("-l", "--level", type=LevelChoice.parse, metavar="N", help="levels such as 3 or 2-9,14")
    parser.add_argument(
        "--resume", metavar="FILE", help="keep each row there, and go on from those that it has: may be broken off"
    )
    parser.add_reading()
    add_search(parser, _SECONDS)
    parsed = parser.parse(arguments, _SolverArguments())
    request = parsed.request()
    levels = Levels([] if parsed.suite is None else [parsed.suite], parsed.level, reading=parsed.reading)
    chosen = list(levels)
    if not chosen:
        return levels.status
    with BenchRecord(parsed.resume, _belongs_to(chosen, request, parsed)) if parsed.resume else nullcontext() as record:
        rows = _measure(chosen, request, parsed, record)
    print(_totals(chosen, rows))
    _print_signatures()
    return levels.status


def _belongs_to(chosen: Sequence[Chosen], request: Request, parsed: _SolverArguments) -> Fields:
    """What makes two benches the same, but for the machine and the number of jobs."""
    digest = sha256("\n\n".join([each.level.xsb() for each in chosen]).encode("utf-8")).hexdigest()
    return {
        "bench": "solver",
        "version": __version__,
        "suite": f"{len(chosen)} levels, {digest[:12]}",
        "strategy": " ".join([request.name, *_cut(parsed.cut)]),
        "time": parsed.time,
        "nodes": parsed.nodes,
        "states": parsed.states,
        "memory": parsed.memory,
    }


def _cut(cut: Cut) -> list[str]:
    """What was said of the beam, if anything."""
    return [] if cut == DEFAULT_CUT else [f"{name} {value}" for name, value in cut._asdict().items()]


def _measure(
    chosen: Sequence[Chosen], request: Request, parsed: _SolverArguments, record: BenchRecord | None
) -> list[_SolverRow]:
    """The rows, printed in the order of the levels as they come."""
    kept = [_kept(fields, record.path, len(chosen)) for fields in record.rows] if record else []
    packs = {each.pack for each in chosen}
    rows: list[_SolverRow] = []
    print_row(_HEAD)
    try:
        for each, row in zip(chosen, _rows(chosen, request, parsed.jobs, kept, record)):
            if len(packs) > 1 and (not rows or chosen[len(rows) - 1].pack != each.pack):
                print(printable(each.pack))
            rows.append(row)
            print_row(_line(each, row))
            sys.stdout.flush()
    except KeyboardInterrupt:
        if parsed.resume:
            complain(f"{parsed.resume}: keeps the levels that are finished; the same command goes on from there")
        raise
    return rows


def _rows(
    chosen: Sequence[Chosen], request: Request, jobs: int, kept: Sequence[_SolverRow], record: BenchRecord | None
) -> Iterator[_SolverRow]:
    """The row of each level, in order; those that are not kept are searched, and put on record as they come."""
    known = {row.place: row for row in kept}
    levels = [(place, each.level) for place, each in enumerate(chosen) if place not in known]
    with (
        SearchLine([each.level.number for each in chosen]) as line,
        closing(search_levels(levels, request, jobs, line.show)) as found,
    ):
        yield from in_order(chain(known.items(), _recorded(found, record, line)))


def _recorded(
    found: Iterable[tuple[int, Answer]], record: BenchRecord | None, line: SearchLine
) -> Iterator[tuple[int, _SolverRow]]:
    for place, answer in found:
        row = _row(place, answer)
        if record:
            record.add(row._asdict())
        line.clear()
        yield place, row


def _row(place: int, answer: Answer) -> _SolverRow:
    outcome, took = answer.outcome, figures(answer)
    return _SolverRow(
        place,
        took.ending,
        round(took.seconds, 2),
        took.nodes,
        outcome.stored,
        took.pushes,
        took.moves,
        answer.peak,
        took.strategy,
        outcome.repeatable,
    )


def _kept(fields: Fields, path: str, levels: int) -> _SolverRow:
    """A row of a file; raises InputError where it is none."""
    kinds = {name: type(value) for name, value in fields.items()}
    if kinds == _SolverRow.__annotations__:
        row = _SolverRow(**fields)  # type: ignore[arg-type]
        if 0 <= row.place < levels:
            return row
    raise InputError(f"{path}: found a row that is none of this bench; a new file needs another name")


def _line(chosen: Chosen, row: _SolverRow) -> str:
    pushes, moves = (row.pushes, row.moves) if row.pushes else ("", "")
    peak = row.peak / MEGABYTE if row.peak else ""
    return (
        f"{chosen.level.number:5}  {row.ending:<15} {row.seconds:9.2f} {row.nodes:11} {row.stored:11} {pushes:7} "
        f"{moves:7} {peak and f'{peak:.0f}':>8}  {row.strategy:<8}  {printable(chosen.level.title)}"
    ).rstrip()


def _totals(chosen: Sequence[Chosen], rows: Sequence[_SolverRow]) -> str:
    seconds, nodes = sum(row.seconds for row in rows), sum(row.nodes for row in rows)
    repeatable = [row.nodes for row in rows if row.repeatable]
    lines = [
        "",
        summary([row.figures for row in rows]),
        "",
        f"solved in   {_solved_within(rows)} of {len(rows)} levels",
        f"nodes       {nodes / seconds if seconds else 0:.0f} a second",
        f"repeatable  {sum(repeatable)} nodes in {len(repeatable)} levels, of which the clock ended no part",
    ]
    if rows and (most := max(rows, key=lambda row: row.peak)).peak:
        lines.append(f"peak        {most.peak / MEGABYTE:.0f} MB, at level {chosen[most.place].level.number}")
    return "\n".join(lines)


def _solved_within(rows: Sequence[_SolverRow]) -> str:
    """How many levels were solved within 1 s, 3 s ..., up to all that were."""
    solved = sorted(row.seconds for row in rows if row.pushes)
    last = next((index for index, limit in enumerate(_WITHIN) if not solved or solved[-1] <= limit), len(_WITHIN))
    return ", ".join([f"{limit} s: {bisect_right(solved, limit)}" for limit in _WITHIN[: last + 1]])


def signature_suite() -> list[Level]:
    """First Steps, the first of the packs that ship: all strategies are soon through with it."""
    return [*open_pack(bundled_packs()[0]).levels]


def _print_signatures() -> None:
    """Print each as soon as it is there: all of them take some seconds."""
    suite = signature_suite()
    print(f"signature   of the {len(suite)} levels of First Steps, with {_SIGNATURE_NODES:,} nodes each", flush=True)
    for name, strategy in STRATEGIES.items():
        print(f"  {name:<9} {_signature(suite, strategy)}", flush=True)


def _signature(levels: Sequence[Level], strategy: Strategy) -> str:
    """Sums over the levels, bounded by nodes alone: the same on every machine until the search itself changes."""
    limits = Limits(float("inf"), _SIGNATURE_NODES, 1 << 62, lambda: 0.0, 1 << 62, lambda: 0)
    answers = [solve(level.board, level.start, strategy, limits) for level in levels]
    solutions = [solution for solution, _ in answers if solution is not None]
    nodes = sum(outcome.nodes for _, outcome in answers)
    pushes, moves = (sum(each.pushes for each in solutions), sum(each.moves for each in solutions))
    return f"{len(solutions)} solved {nodes} nodes {pushes} pushes {moves} moves"
