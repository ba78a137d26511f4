"""``sokoterm bench solver``: solves a pack and prints figures to compare with another version."""

import json
import os
import platform
import shlex
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from hashlib import sha256
from io import FileIO
from itertools import chain
from math import ceil, inf
from time import process_time
from typing import Self

from sokoterm import __version__
from sokoterm.commands import CHECKOUT_BENCHES
from sokoterm.commands.support.levels import Chosen, LevelChoice, Levels
from sokoterm.commands.support.output import Column, InputError, complain, object_of, print_rows, table_of
from sokoterm.commands.support.parser import Parser, ReadingFlags, count
from sokoterm.commands.support.search import (
    Answer,
    Request,
    SearchFigures,
    SearchFlags,
    SearchTotals,
    figures_table,
    search_levels,
)
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import exact_id
from sokoterm.engine.text import printable
from sokoterm.language import _
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import MEGABYTE, Limits, Status, Strategy, solve
from sokoterm.solver.strategies.beam import DEFAULT_CUT, DEFAULT_WEIGHTS
from sokoterm.store.packs import bundled_packs, open_pack
from sokoterm.wording.columns import start_of

Fields = Mapping[str, object]


class BenchRecord:
    """File of JSON lines: a header that identifies the run, then rows; an incomplete last line is dropped."""

    def __init__(self, path: str, belongs_to: Fields) -> None:
        """Open or create the file; raises InputError if it belongs to another run or cannot be used."""
        self.path = path
        try:
            with open(path, "a+b") as file:
                file.seek(0)
                data = file.read()
            whole = data[: data.rfind(b"\n") + 1]
            self.rows = self._read(whole, data, belongs_to)
            self._file = FileIO(path, "a")
            self._file.truncate(len(whole))
        except OSError as error:
            raise InputError(f"{path}: cannot be used: {error.strerror or error}") from None
        if not whole:
            self.add(belongs_to)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, row: Fields) -> None:
        rest = _line(row)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror or error}") from None

    def _read(self, whole: bytes, data: bytes, belongs_to: Fields) -> list[Fields]:
        rows: list[Fields] = []
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                rows.append(object_of(line.decode("utf-8", "replace")))
            except ValueError:
                problem = "not a row of a bench; choose another file name"
                raise InputError(f"{self.path}, line {number}: {problem}") from None
        if not rows and not _line(belongs_to).startswith(data):
            raise InputError(f"{self.path}: not rows of a bench; choose another file name")
        for name, expected in belongs_to.items() if rows else ():
            if rows[0].get(name) != expected:
                found = rows[0].get(name, "unknown")
                raise InputError(f"{self.path}: found rows of {name} {found}, expected {name} {expected}")
        return rows[1:]


def _line(row: Fields) -> bytes:
    return json.dumps(row).encode("ascii") + b"\n"


_SECONDS = 10.0
# Columns and rows of the table of levels solved: seconds, and the most boxes of each range.
_WITHIN = (1, 3, 10, 30, 60, 600)
_BOXES = {10: "up to 10 boxes", 15: "11-15 boxes", 25: "16-25 boxes", 50: "26-50 boxes", inf: "over 50 boxes"}
_PACK_WIDTH = 27
# Enough for each strategy to solve most levels of the signature and to give up on some.
_SIGNATURE_NODES = 1_000


def run(arguments: list[str]) -> int:
    """Print a row per level, the totals and the signature; return 2 if a level could not be read."""
    if arguments and arguments[0] in CHECKOUT_BENCHES:
        command = f"python3 -m tests.bench {shlex.join(arguments)}"
        problem = _(
            "bench {name}: not installed; in a checkout of sokoterm, run: {command}", name=arguments[0], command=command
        )
        complain(problem)
        return 2
    parser = Parser(
        "bench",
        _(
            "Solve a pack and print the time, nodes and memory used. Seconds are processor time, or elapsed time with "
            "--cores 2 or more. The signature at the end sums up each strategy on First Steps, with {nodes:,} nodes "
            "per level; changes that only affect speed leave it as it is.",
            nodes=_SIGNATURE_NODES,
        ),
        "sokoterm bench solver --suite levels.txt --time 2 --jobs 2 --resume bench.jsonl",
        _("In a checkout, python3 -m tests.bench NAME measures {names}.", names=", ".join(CHECKOUT_BENCHES)),
    )
    parser.argument("bench", choices=("solver",), metavar="solver", help=_("what to measure"))
    text = _("a PACK as for solve; default: the bundled packs, or First Steps with -l")
    suite = parser.flag("--suite", metavar="PACK", help=text)
    text = _("levels such as 3 or 2-9,14")
    choice = parser.flag("-l", "--level", parse=LevelChoice.parse, metavar="N", help=text)
    text = _("only the first level and every Nth after it, counted over all packs")
    every = parser.flag("--every", parse=count, default=1, metavar="N", help=text)
    text = _("write each row to this file, and skip the levels already in it")
    resume = parser.flag("--resume", metavar="FILE", help=text)
    flags = ReadingFlags(parser)
    search = SearchFlags(parser, _SECONDS)
    parser.parse(arguments)
    request = _request(search)  # reports errors before packs are read
    packs = [] if suite.value is None else [suite.value]
    levels = Levels(packs, [choice.value] if choice.value else [], reading=flags.reading)
    chosen = list(levels)[:: every.value]
    if not chosen:
        return levels.status
    search.check_applies(each.level for each in chosen)
    with BenchRecord(resume.value, _belongs_to(chosen, search, request)) if resume.value else nullcontext() as record:
        rows = _measure(chosen, request, search.jobs.value or 1, record)
    print(_totals(chosen, rows, request))
    first_steps = signature_suite()
    nodes = f"{_SIGNATURE_NODES:,} nodes"
    print(f"signature   of the {len(first_steps)} levels of First Steps, with {nodes} each", flush=True)
    for name, strategy in STRATEGIES.items():  # which takes some seconds
        print(f"  {name:<9} {_signature(first_steps, strategy)}", flush=True)
    return levels.status


def _request(search: SearchFlags) -> Request:
    """Return the search of each level; processor time says nothing about lanes, which run in processes of their own."""
    request = search.request()
    if (search.cores.value or 1) > 1:
        return request
    return request._replace(limits=request.limits._replace(clock=process_time))


def _clock(request: Request) -> str:
    return "processor time" if request.limits.clock is process_time else "elapsed time"


def _belongs_to(chosen: Sequence[Chosen], search: SearchFlags, request: Request) -> Fields:
    """Return the fields that must agree to resume a run; machine and number of jobs may differ."""
    levels = [each.level for each in chosen]
    # The picture does not show colours and ice.
    told_apart = [level.xsb() if level.board.is_ordinary else f"{level.xsb()}\n{exact_id(level)}" for level in levels]
    digest = sha256("\n\n".join(told_apart).encode("utf-8")).hexdigest()
    cut = search.cut._asdict().items() if search.cut != DEFAULT_CUT else ()
    cores = search.cores.value or 1
    strategy = [request.name, *(f"{name} {value}" for name, value in cut if value != DEFAULT_WEIGHTS)]
    return {
        "bench": "solver",
        "version": __version__,
        "suite": f"{len(levels)} levels, {digest[:12]}",
        "strategy": " ".join([*strategy, *([f"on {cores} cores"] if cores > 1 else [])]),
        "clock": _clock(request),
        "time": request.limits.seconds,
        "nodes": request.limits.nodes,
        "states": request.limits.states,
        "memory": request.limits.memory // MEGABYTE,
    }


def _measure(chosen: Sequence[Chosen], request: Request, jobs: int, record: BenchRecord | None) -> list[SearchFigures]:
    """Search the levels that are not on record, and print all rows in order."""
    known = dict(_kept(fields, record.path, len(chosen)) for fields in record.rows) if record else {}
    packs = {each.pack for each in chosen}
    rows: list[SearchFigures] = []
    table = figures_table(each.level for each in chosen)
    print_rows([table.heading])
    missing = [place for place in range(len(chosen)) if place not in known]

    def keep(index: int, answer: Answer) -> None:
        if record:
            each = chosen[missing[index]]
            about = {"place": missing[index], "pack": each.pack, "level": each.level.number, "boxes": _boxes(each)}
            record.add(about | answer.figures._asdict())

    try:
        searches = [(chosen[place].level, request) for place in missing]
        with closing(search_levels(searches, jobs, keep)) as answers:
            for place, each in enumerate(chosen):
                row = known[place] if place in known else next(answers).figures
                if len(packs) > 1 and (not rows or chosen[len(rows) - 1].pack != each.pack):
                    print(printable(each.pack))
                rows.append(row)
                print_rows([table.row(*row.row_of(each.level))])
                sys.stdout.flush()
    except KeyboardInterrupt:
        if record:
            complain(f"{record.path}: contains the finished levels; run the same command again to continue")
        raise
    return rows


def _kept(fields: Fields, path: str, levels: int) -> tuple[int, SearchFigures]:
    """Read the level index and the figures from a row of a record; raises InputError."""
    place = fields.get("place")
    figures = {name: fields.get(name) for name in SearchFigures._fields}
    kinds = {name: type(value) for name, value in figures.items()}
    if isinstance(place, int) and 0 <= place < levels and kinds == SearchFigures.__annotations__:
        return place, SearchFigures(**figures)  # type: ignore[arg-type]
    raise InputError(f"{path}: found a row of another bench; choose another file name")


def _boxes(chosen: Chosen) -> int:
    return chosen.level.start.boxes.bit_count()


def _solved(chosen: Sequence[Chosen], rows: Sequence[SearchFigures], seconds: float) -> Iterator[str]:
    """Yield a table of levels solved within limits up to ``seconds``: by pack, by number of boxes, and in all."""
    limits = [*(limit for limit in _WITHIN if limit < seconds), seconds]
    by_pack = defaultdict[str, list[float]](list)
    by_boxes: dict[str, list[float]] = {name: [] for name in _BOXES.values()}
    for each, row in zip(chosen, rows):
        first = row.first if row.pushes else inf
        by_pack[each.pack].append(first)
        by_boxes[next(name for most, name in _BOXES.items() if _boxes(each) <= most)].append(first)

    def counts(name: str, firsts: Sequence[float]) -> list[str]:
        within = (sum(first <= limit for first in firsts) for limit in limits)
        return [name, f"{len(firsts):,}", *(f"{solved:,}" for solved in within)]

    table = [counts(_short(pack), firsts) for pack, firsts in by_pack.items()] if len(by_pack) > 1 else []
    table += [counts(name, firsts) for name, firsts in by_boxes.items() if firsts]
    table.append(counts("all", [*chain.from_iterable(by_pack.values())]))
    columns = Column("", is_text=True), Column("levels"), *(Column(f"{limit:g} s") for limit in limits)
    return table_of(columns, table)


def _short(pack: str) -> str:
    """Return the name of a pack's file without its suffix, cut to keep the table within 80 columns."""
    return start_of(printable(os.path.splitext(os.path.basename(pack))[0]), _PACK_WIDTH)


def _totals(chosen: Sequence[Chosen], rows: Sequence[SearchFigures], request: Request) -> str:
    seconds, nodes = sum(row.seconds for row in rows), sum(row.nodes for row in rows)
    repeatable = [row.nodes for row in rows if row.repeatable]
    optimal = sum(bool(row.optimal) for row in rows)
    unsolvable = sum(row.ending == Status.UNSOLVABLE for row in rows)
    solved = sorted(row.first for row in rows if row.pushes)
    lines = ["", str(SearchTotals(rows)), "", f"levels solved, by {_clock(request)} to the first solution"]
    lines += [*_solved(chosen, rows, request.limits.seconds), ""]
    lines.append(f"proven      {optimal} to be optimal, {unsolvable} to have no solution")
    if solved:
        median, most = (solved[ceil(len(solved) * share) - 1] for share in (0.5, 0.99))  # by the nearest rank
        lines.append(f"seconds     median {median:.2f}, 99th percentile {most:.2f}, to the first solution")
    lines.append(f"nodes       {nodes / seconds if seconds else 0:.0f} a second")
    clock = "of which the clock ended no part"
    lines.append(f"repeatable  {sum(repeatable)} nodes in {len(repeatable)} levels, {clock}")
    place, most_memory = max(enumerate(rows), key=lambda each: each[1].peak)
    if most_memory.peak:
        peak = f"{most_memory.peak / MEGABYTE:.0f} MB"
        lines.append(f"peak        {peak}, at level {chosen[place].level.number}")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    lines.append(f"machine     {platform.machine() or 'unknown'}, cores {os.cpu_count() or 1}, {python}")
    return "\n".join(lines)


def signature_suite() -> list[Level]:
    """Return the levels of First Steps, the first bundled pack, which every strategy finishes quickly."""
    return [*open_pack(bundled_packs()[0]).levels]


def _signature(levels: Sequence[Level], strategy: Strategy) -> str:
    """Sum up searches limited only by nodes: equal on every machine until the search changes."""
    limits = Limits(float("inf"), _SIGNATURE_NODES, 1 << 62, lambda: 0.0, 1 << 62, lambda: 0)
    answers = [solve(level.board, level.start, strategy, limits) for level in levels]
    solutions = [solution for solution, _ in answers if solution is not None]
    nodes = sum(outcome.nodes for _, outcome in answers)
    pushes, moves = (sum(each.pushes for each in solutions), sum(each.moves for each in solutions))
    return f"{len(solutions)} solved {nodes} nodes {pushes} pushes {moves} moves"
