"""``sokoterm optimize``: makes known solutions better."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from operator import sub
from time import monotonic, time
from typing import NamedTuple

from sokoterm.commands.support.files import merged, write_pack
from sokoterm.commands.support.improvements import (
    ImprovementFigures,
    ImprovementTotals,
    OptimizeResult,
    counts_of,
    figures_of,
    improvement,
    joined,
    json_of,
    keep_improvement,
    lack_text,
    record_of,
    saved_at,
)
from sokoterm.commands.support.known import Source, Sourced, add_remember, known_solutions
from sokoterm.commands.support.levels import (
    Chosen,
    GivenMoves,
    Levels,
    add_levels,
    add_moves,
    chosen_of,
    solution_of,
)
from sokoterm.commands.support.optimize_job import OptimizeJob
from sokoterm.commands.support.optimizing import add_objective, optimizing
from sokoterm.commands.support.output import InputError, complain
from sokoterm.commands.support.parser import Parser, seconds
from sokoterm.commands.support.recorded import SOK_OR_JSON_LINES, RecordedArguments, add_recorded
from sokoterm.commands.support.search import Request, in_order, search_levels
from sokoterm.commands.support.steering import SteeringArguments, add_steering
from sokoterm.commands.support.table import Column, PackTables, Table, width_of
from sokoterm.engine.guide import Stretch
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.text import printable
from sokoterm.formats.registry import format_of
from sokoterm.language import _, number, pgettext
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.protocol import Limits, command_limits
from sokoterm.store.paths import data_dir, progress_file
from sokoterm.store.progress import opened_progress

_SECONDS = 10.0
# Sources that --from takes.
_SOURCES = (Source.OWN, Source.FILE, Source.KNOWN, Source.SOLVER)


class _OptimizeArguments(SteeringArguments, RecordedArguments):
    objective: str
    source: str | None
    time: float
    jobs: int
    to: str | None
    remember: bool
    stretches: bool
    json: bool


class _Task(NamedTuple):
    """A level, the solution to begin with, if any, and the search to make; None if there is nothing to begin with."""

    chosen: Chosen
    begin: Sourced | None
    request: Request | None


def run(arguments: list[str]) -> int:
    """Print each level before and after, in order, as soon as it is known; return 1 if one has no solution."""
    parser = Parser(
        "optimize",
        "\n\n".join(
            (
                _(
                    "Make solutions better: fewest moves, pushes, box lines, box changes or pushing sessions; among "
                    "equals, fewest moves, then pushes. Each is replayed by the rules."
                ),
                _(
                    "It begins with the best of your own, those of the file, and those known from other packs or found "
                    "earlier; if there is none, with that of the solver. What it finds is kept as known, apart from "
                    "your own. The figures before, after and saved are moves/pushes, with --for lines, changes or "
                    "sessions followed by their number. Ctrl-C keeps what has been found. The exit status is 1 if a "
                    "level has no solution to begin with."
                ),
            )
        ),
        "sokoterm optimize levels.txt -l 2-9,14 --for pushes --to better.sok",
    )
    _add_arguments(parser)
    parsed = parser.parse(_as_today(arguments), _OptimizeArguments())
    if parsed.source and parsed.has_moves:
        parser.error(_("found {flag} with {other}, expected one of them", flag="--from", other="--moves"))
    objective = Objective(parsed.objective)
    others = {"to": parsed.to, "json": parsed.json, "jobs": parsed.cluster is not None and parsed.jobs > 1}
    if parsed.is_recorded(SOK_OR_JSON_LINES, **parsed.steering_flags, **others):
        return _recorded(parsed, objective)
    moves = parsed.read_moves() if parsed.has_moves else None
    levels = parsed.levels()
    packs = list(levels.packs())
    chosen = [each for name, pack in packs for each in chosen_of(name, pack)]
    parsed.check_levels(len(chosen))
    if parsed.to is not None:
        _check_output(levels, parsed.to)
    folder = data_dir(parsed.data_dir)
    results: list[OptimizeResult] = []
    with opened_progress(progress_file(folder), time, complain) as progress:
        with known_solutions(progress, folder) as known:
            tasks = [_task(parsed, objective, each, known.of(each), moves) for each in chosen]
        try:
            for result in _work(tasks, parsed, objective):
                if parsed.remember:
                    keep_improvement(progress, chosen[len(results)].level, result)
                results.append(result)
        finally:
            if parsed.to is not None:
                write_pack(parsed.to, _with_results([pack for _, pack in packs], results, objective), "sok")
    return levels.status or (0 if all(each.after for each in results) else 1)


def _as_today(arguments: Sequence[str]) -> list[str]:
    """Return arguments with --stretches in place of a --where without a query, which was its name once."""
    following = [*arguments[1:], "--"]
    return [
        "--stretches" if each == "--where" and (after.startswith("-") or os.path.exists(after)) else each
        for each, after in zip(arguments, following)
    ]


def _recorded(parsed: _OptimizeArguments, objective: Objective) -> int:
    """Write the results to a file as they come, and print the totals; return the exit status."""
    folder = data_dir(parsed.data_dir)
    limits = _limits(parsed)
    with opened_progress(progress_file(folder), time, complain) as progress, known_solutions(progress, folder) as known:

        def best_of(chosen: Chosen) -> Sourced | None:
            return _best(known.of(chosen), parsed.source, objective)

        flags = (parsed.source, parsed.writes_sok, parsed.stretches)
        job = OptimizeJob(progress if parsed.remember else None, best_of, objective, limits, *flags)
        return parsed.run_recorded(job, limits.memory, parsed.jobs)


def _limits(parsed: _OptimizeArguments) -> Limits:
    return command_limits(monotonic)._replace(seconds=parsed.time)


def _best(known: Sequence[Sourced], source: str | None, objective: Objective) -> Sourced | None:
    """Return the best of the known solutions, those of a source alone if one is named."""
    some = [each for each in known if source in (None, each.source)]
    return min(some, key=lambda each: objective.key(each.solution), default=None)


def _add_arguments(parser: Parser) -> None:
    add_levels(parser)
    add_objective(parser, list(Objective))
    add_moves(parser, _("the solution of the one level to begin with"))
    parser.add_argument(
        "--from",
        dest="source",
        choices=[each.value for each in _SOURCES],
        metavar="SOURCE",
        help=_("take the solution to begin with from here alone: {names}", names=", ".join(_SOURCES)),
    )
    text = _("seconds a level, and as many for the solver where it is needed (default: %(default)g)")
    parser.add_argument("--time", type=seconds, default=_SECONDS, metavar="S", help=text)
    parser.add_jobs()
    add_steering(parser)
    parser.add_argument("--to", metavar="OUT.sok", help=_("write the levels with the solutions to this file"))
    add_remember(parser, default=True)
    parser.add_argument("--stretches", action="store_true", help=_("say where moves can be saved in place of how"))
    parser.add_argument("--json", action="store_true", help=_("print a JSON object for each level"))
    add_recorded(parser, SOK_OR_JSON_LINES)


def _check_output(levels: Levels, path: str) -> None:
    if format_of(path) != "sok":
        raise InputError(_("found --to {path}, expected a name that ends in .sok", path=path))
    levels.check_output(path)


def _task(
    parsed: _OptimizeArguments, objective: Objective, chosen: Chosen, known: Sequence[Sourced], moves: GivenMoves | None
) -> _Task:
    """Return what is to be done for a level, from the moves given or else the best of its solutions.

    Raises InputError for moves and flags that do not fit the level.
    """
    level = chosen.level
    if moves is not None:
        begin: Sourced | None = Sourced(solution_of(level, moves), Source.GIVEN)
    else:
        begin = _best(known, parsed.source, objective)
    solution = begin.solution if begin else None
    steering = parsed.steering(level, solution, [each.solution for each in known])
    is_solved = begin is not None or parsed.source in (None, Source.SOLVER)
    request = optimizing(solution, objective, _limits(parsed), steering) if is_solved else None
    return _Task(chosen, begin, request)


def _work(tasks: Sequence[_Task], parsed: _OptimizeArguments, objective: Objective) -> Iterator[OptimizeResult]:
    """Optimize the levels, print and yield each result; after Ctrl-C those that have begun, and then raise it."""
    level_and_request = [(each.chosen.level, each.request) for each in tasks if each.request is not None]
    text = _Text(tasks, objective, parsed.stretches)
    try:
        with closing(search_levels(level_and_request, parsed.jobs, keeps=True)) as found:
            answers = in_order(found)
            for each in tasks:
                answer = next(answers) if each.request is not None else None
                result = improvement(each.begin, answer, objective)
                if parsed.json:
                    print(json_of(each.chosen, result, objective, says_where=parsed.stretches), flush=True)
                else:
                    text.show(each.chosen, result)
                yield result
            next(answers, None)  # raises a signal that came with the last answer
    finally:
        text.end()


class _Text:
    """Results as text: the levels of each pack below its name, and a line of totals."""

    def __init__(self, tasks: Sequence[_Task], objective: Objective, says_where: bool) -> None:
        """``says_where``: tell where a solution is better, not what it is."""
        self._objective = objective
        self._says_where = says_where
        lengths = [joined(counts_of(each.begin.solution, objective)) for each in tasks if each.begin is not None]
        headings = (
            pgettext("heading of a column", "before"),
            pgettext("heading of a column", "after"),
            pgettext("heading of a column", "saved"),
        )
        table = Table(
            Column(_("level"), width_of(each.chosen.level.number for each in tasks)),
            # Translators: heading of a column: the place that a solution is from, as --from takes it.
            Column(pgettext("heading of a column", "from"), width_of(Source), is_text=True),
            *(Column(heading, width_of(["9,999/999", *lengths])) for heading in headings),
            Column(pgettext("heading of a column", "proven"), is_text=True),
            Column(_("seconds"), len("999.99")),
            Column(_("method"), len("rearrangement"), is_text=True),
            Column(_("title"), is_text=True),
        )
        self._tables = PackTables[ImprovementFigures](table, lambda some: str(ImprovementTotals(some)))

    def show(self, chosen: Chosen, result: OptimizeResult) -> None:
        """Print the result of the next level."""
        before, after = result.before, result.after
        figures = figures_of(result, self._objective)
        self._tables.add(
            chosen.pack,
            figures,
            chosen.level.number,
            result.source,
            joined(figures.before) or None,
            joined(figures.after) or None,
            joined(map(sub, figures.before, figures.after)) if result.is_better else None,
            _("yes") if result.proven else None,
            number(result.seconds, 2),
            result.method if after else lack_text(result.lack),
            printable(chosen.level.title),
        )
        if before and after and result.is_better:
            where = [_where_line(each, before.moves) for each in saved_at(chosen.level, before, after)]
            for line in where if self._says_where else [after.lurd]:
                print(f"       {line}")
        sys.stdout.flush()

    def end(self) -> None:
        """Print the totals below the last level."""
        self._tables.end()


def _where_line(stretch: Stretch, moves: int) -> str:
    saved = f"{stretch.moves}/{stretch.pushes}"
    if stretch.last >= moves:
        return _("between move {first} and the end: saved {saved}", first=stretch.first, saved=saved)
    return _("between move {first} and move {last}: saved {saved}", first=stretch.first, last=stretch.last, saved=saved)


def _with_results(packs: Sequence[Pack], results: Sequence[OptimizeResult], objective: Objective) -> Pack:
    """Return one pack with the levels of all and what they were solved by; levels not worked on stay as they are."""
    rest = iter(results)
    solved = [
        pack._replace(levels=tuple(_with_result(each, next(rest, None), objective) for each in pack.levels))
        for pack in packs
    ]
    return merged(solved)


def _with_result(level: Level, result: OptimizeResult | None, objective: Objective) -> Level:
    """Return a level with the solution as its first record."""
    if result is None or result.after is None:
        return level
    return level._replace(records=(record_of(result.after, objective), *level.records))
