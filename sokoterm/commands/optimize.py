"""``sokoterm optimize``: makes known solutions better."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from operator import sub
from time import monotonic, time
from typing import NamedTuple

from sokoterm.commands.support.files import merged, write_pack
from sokoterm.commands.support.known import Source, Sourced, known_solutions
from sokoterm.commands.support.levels import Chosen, LevelChoice, Levels, add_levels, add_moves, solution_of
from sokoterm.commands.support.optimizing import add_objective, optimizing
from sokoterm.commands.support.output import InputError, complain, json_line
from sokoterm.commands.support.parser import Parser, seconds
from sokoterm.commands.support.search import Answer, Request, in_order, status_text
from sokoterm.commands.support.steering import SteeringArguments, add_steering
from sokoterm.commands.support.table import Column, PackTables, Table, width_of
from sokoterm.commands.support.worker_processes import search_levels
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.lurd import Solution
from sokoterm.engine.stretches import Stretch, stretches
from sokoterm.engine.text import counted, printable
from sokoterm.formats.registry import format_of
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.protocol import command_limits
from sokoterm.store.found import keep_found
from sokoterm.store.paths import data_dir, progress_file
from sokoterm.store.progress import ProgressStore, opened_progress

_SECONDS = 10.0
# Sources that --from takes.
_SOURCES = (Source.OWN, Source.FILE, Source.KNOWN, Source.SOLVER)
# Objectives that titles of solutions name in SOK.
_TITLED = (Objective.MOVES, Objective.PUSHES)


class _OptimizeArguments(SteeringArguments):
    level: LevelChoice | None
    objective: str
    source: str | None
    time: float
    jobs: int
    to: str | None
    where: bool
    data_dir: str | None
    json: bool


class _Task(NamedTuple):
    """A level, the solution to begin with, if any, and the search to make; None if there is nothing to begin with."""

    chosen: Chosen
    begin: Sourced | None
    request: Request | None


class _Result(NamedTuple):
    """A solution of a level before and after; None without one: ``lack`` says why.

    ``proven``: no solution has less of the objective.
    """

    source: Source | None
    before: Solution | None
    after: Solution | None
    lack: str = ""
    method: str = ""
    proven: bool = False
    seconds: float = 0.0

    @property
    def is_better(self) -> bool:
        return self.after != self.before


def run(arguments: list[str]) -> int:
    """Print each level before and after, in order, as soon as it is known; return 1 if one has no solution."""
    parser = Parser(
        "optimize",
        "Make solutions better: fewest moves, pushes, box lines, box changes or pushing sessions; among equals, fewest "
        "moves, then pushes. Each is replayed by the rules.\n\n"
        "It begins with the best of your own, those of the file, and those known from other packs or found earlier; "
        "if there is none, with that of the solver. What it finds is kept as known, apart from your own. The figures "
        "before, after and saved are moves/pushes, with --for lines, changes or sessions followed by their number. "
        "Ctrl-C keeps what has been found. The exit status is 1 if a level has no solution to begin with.",
        "sokoterm optimize levels.txt -l 2-9,14 --for pushes --to better.sok",
    )
    _add_arguments(parser)
    parsed = parser.parse(arguments, _OptimizeArguments())
    if parsed.source and parsed.has_moves:
        parser.error("found --from with --moves, expected one of them")
    objective = Objective(parsed.objective)
    lurd = parsed.read_moves() if parsed.has_moves else None
    levels = Levels(parsed.packs, parsed.level, reading=parsed.reading)
    packs = list(levels.packs())
    chosen = [Chosen(name, level, pack.title) for name, pack in packs for level in pack.levels]
    parsed.check_levels(len(chosen))
    if parsed.to is not None:
        _check_output(levels, parsed.to)
    folder = data_dir(parsed.data_dir)
    results: list[_Result] = []
    with opened_progress(progress_file(folder), time, complain) as progress:
        with known_solutions(progress, folder) as known:
            tasks = [_task(parsed, objective, each, known.of(each), lurd) for each in chosen]
        try:
            for result in _work(tasks, parsed, objective):
                _keep(progress, chosen[len(results)].level, result)
                results.append(result)
        finally:
            if parsed.to is not None:
                write_pack(parsed.to, _with_results([pack for _, pack in packs], results, objective), "sok")
    return levels.status or (0 if all(each.after for each in results) else 1)


def _add_arguments(parser: Parser) -> None:
    add_levels(parser)
    add_objective(parser, list(Objective))
    add_moves(parser, "the solution of the one level to begin with")
    parser.add_argument(
        "--from",
        dest="source",
        choices=[each.value for each in _SOURCES],
        metavar="SOURCE",
        help=f"take the solution to begin with from here alone: {', '.join(_SOURCES)}",
    )
    text = "seconds a level, and as many for the solver where it is needed (default: %(default)g)"
    parser.add_argument("--time", type=seconds, default=_SECONDS, metavar="S", help=text)
    parser.add_jobs()
    add_steering(parser)
    parser.add_argument("--to", metavar="OUT.sok", help="write the levels with the solutions to this file")
    parser.add_argument("--where", action="store_true", help="say where moves can be saved in place of how")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each level")


def _check_output(levels: Levels, path: str) -> None:
    if format_of(path) != "sok":
        raise InputError(f"found --to {path}, expected a name that ends in .sok")
    levels.check_output(path)


def _task(
    parsed: _OptimizeArguments, objective: Objective, chosen: Chosen, known: Sequence[Sourced], lurd: str | None
) -> _Task:
    """Return what is to be done for a level, from the moves given or else the best of its solutions.

    Raises InputError for moves and flags that do not fit the level.
    """
    level = chosen.level
    if lurd is not None:
        begin: Sourced | None = Sourced(solution_of(level, lurd), Source.GIVEN)
    else:
        some = [each for each in known if parsed.source in (None, each.source)]
        begin = min(some, key=lambda each: objective.key(each.solution), default=None)
    solution = begin.solution if begin else None
    steering = parsed.steering(level, solution, [each.solution for each in known])
    limits = command_limits(monotonic)._replace(seconds=parsed.time)
    is_solved = begin is not None or parsed.source in (None, Source.SOLVER)
    request = optimizing(solution, objective, limits, steering) if is_solved else None
    return _Task(chosen, begin, request)


def _work(tasks: Sequence[_Task], parsed: _OptimizeArguments, objective: Objective) -> Iterator[_Result]:
    """Optimize the levels, print and yield each result; after Ctrl-C those that have begun, and then raise it."""
    level_and_request = [(each.chosen.level, each.request) for each in tasks if each.request is not None]
    text = _Text(tasks, objective, parsed.where)
    try:
        with closing(search_levels(level_and_request, parsed.jobs, keeps=True)) as found:
            answers = in_order(found)
            for each in tasks:
                answer = next(answers) if each.request is not None else None
                result = _result(each, answer, objective)
                if parsed.json:
                    print(_json(each.chosen, result, objective, says_where=parsed.where), flush=True)
                else:
                    text.show(each.chosen, result)
                yield result
            next(answers, None)  # raises a signal that came with the last answer
    finally:
        text.end()


def _keep(progress: ProgressStore, level: Level, result: _Result) -> None:
    """Keep what was found as known."""
    if result.before is not None and result.source is Source.SOLVER:
        keep_found(progress, level, result.before, "solver")
    if result.after is not None and result.is_better:
        keep_found(progress, level, result.after, "optimizer")
    if problem := progress.save_rows():
        complain(problem)


def _result(task: _Task, answer: Answer | None, objective: Objective) -> _Result:
    begin = task.begin
    if answer is None:
        return _Result(None, None, None, "none stored")
    found, outcome = answer.found, answer.outcome
    before = begin.solution if begin else answer.given
    if before is None:
        return _Result(None, None, None, status_text(outcome.status, outcome.reason), seconds=outcome.seconds)
    source = begin.source if begin else Source.SOLVER
    is_proven = outcome.optimal == objective
    after, method = (found.solution, found.method) if found else (before, "")
    return _Result(source, before, after, "", method, is_proven, outcome.seconds)


class _Text:
    """Results as text: the levels of each pack below its name, and a line of totals."""

    def __init__(self, tasks: Sequence[_Task], objective: Objective, says_where: bool) -> None:
        """``says_where``: tell where a solution is better, not what it is."""
        self._objective = objective
        self._says_where = says_where
        lengths = [self._figures(each.begin.solution) for each in tasks if each.begin is not None]
        table = Table(
            Column("level", width_of(each.chosen.level.number for each in tasks)),
            Column("from", width_of(Source), is_text=True),
            *(Column(heading, width_of(["9,999/999", *lengths])) for heading in ("before", "after", "saved")),
            Column("proven", is_text=True),
            Column("seconds", len("999.99")),
            Column("method", len("rearrangement"), is_text=True),
            Column("title", is_text=True),
        )
        self._tables = PackTables(table, self._totals, ": ")

    def show(self, chosen: Chosen, result: _Result) -> None:
        """Print the result of the next level."""
        before, after = result.before, result.after
        self._tables.add(
            chosen.pack,
            result,
            chosen.level.number,
            result.source,
            self._figures(before) if before else None,
            self._figures(after) if after else None,
            self._saved(before, after) if before and after and result.is_better else None,
            "yes" if result.proven else None,
            f"{result.seconds:.2f}",
            result.method if after else result.lack,
            printable(chosen.level.title),
        )
        if before and after and result.is_better:
            where = [_where_line(each, before.moves) for each in _where(chosen.level, before, after)]
            for line in where if self._says_where else [after.lurd]:
                print(f"       {line}")
        sys.stdout.flush()

    def end(self) -> None:
        """Print the totals below the last level."""
        self._tables.end()

    def _totals(self, results: Sequence[_Result]) -> str:
        known = [(each.before, each.after) for each in results if each.before and each.after]
        better = sum(each.is_better for each in results)
        proven = sum(each.proven for each in results)
        counts = f"{counted(len(results), 'level', ',')}, {better:,} better, {proven:,} proven"
        none = len(results) - len(known)
        before, after = (map(sum, zip(*map(self._counts, some))) for some in zip(*known)) if known else ((), ())
        return "; ".join(
            [
                f"{counts}, {none:,} without a solution" if none else counts,
                f"before {_joined(before)}, after {_joined(after)}",
            ][: 2 if known else 1]
        )

    def _counts(self, solution: Solution) -> Sequence[int]:
        """Return moves and pushes, and the objective where it is neither."""
        counts = (solution.moves, solution.pushes)
        is_other = self._objective not in (Objective.MOVES, Objective.PUSHES)
        return (*counts, self._objective.measure(solution)) if is_other else counts

    def _figures(self, solution: Solution) -> str:
        return _joined(self._counts(solution))

    def _saved(self, before: Solution, after: Solution) -> str:
        return _joined(map(sub, self._counts(before), self._counts(after)))


def _where(level: Level, before: Solution, after: Solution) -> list[Stretch]:
    """Return the stretches on which a solution saves or loses something against another one."""
    return [each for each in stretches(level.board, level.start, before, after) if each.moves or each.pushes]


def _where_line(stretch: Stretch, moves: int) -> str:
    last = f"move {stretch.last}" if stretch.last < moves else "the end"
    return f"between move {stretch.first} and {last}: saved {stretch.moves}/{stretch.pushes}"


def _joined(counts: Iterable[int]) -> str:
    return "/".join(f"{each:,}" for each in counts)


def _json(chosen: Chosen, result: _Result, objective: Objective, *, says_where: bool) -> str:
    before, after = result.before, result.after
    where = _where(chosen.level, before, after) if says_where and before and after else ()
    return json_line(
        {
            "pack": chosen.pack,
            "level": chosen.level.number,
            "title": chosen.level.title,
            "objective": objective,
            "source": result.source,
            "moves_before": before.moves if before else None,
            "pushes_before": before.pushes if before else None,
            "count_before": objective.measure(before) if before else None,
            "moves": after.moves if after else None,
            "pushes": after.pushes if after else None,
            "count": objective.measure(after) if after else None,
            "lurd": after.lurd if after and not says_where else None,
            "where": [each._asdict() for each in where] if says_where else None,
            "lack": result.lack or None,
            "method": result.method or None,
            "proven": result.proven,
            "seconds": round(result.seconds, 3),
        }
    )


def _with_results(packs: Sequence[Pack], results: Sequence[_Result], objective: Objective) -> Pack:
    """Return one pack with the levels of all and what they were solved by; levels not worked on stay as they are."""
    rest = iter(results)
    solved = [
        pack._replace(levels=tuple(_with_result(each, next(rest, None), objective) for each in pack.levels))
        for pack in packs
    ]
    return merged(solved)


def _with_result(level: Level, result: _Result | None, objective: Objective) -> Level:
    """Return a level with the solution as its first record."""
    if result is None or result.after is None:
        return level
    title = "Solution" if objective not in _TITLED else f"Solution/{objective.capitalize()}"
    record = Record(f"{title} {result.after.moves}/{result.after.pushes}", result.after.lurd)
    return level._replace(records=(record, *level.records))
