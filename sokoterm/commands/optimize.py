"""``sokoterm optimize``: makes known solutions better.

First the flags that steer the optimizer, then the searches, the texts of a result, the work whose results go to a
file, and the verb.
"""

import json
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from operator import sub
from time import monotonic, time
from typing import NamedTuple

from sokoterm.commands.support.levels import (
    Chosen,
    GivenMoves,
    LevelFlags,
    Look,
    MovesFlags,
    Work,
    boxes_in,
    chosen_of,
    floor_in,
    rectangle,
    several_levels,
    solution_of,
)
from sokoterm.commands.support.library import KnownSolutions, known_solutions, remember, remember_flag
from sokoterm.commands.support.output import (
    Column,
    InputError,
    PackTables,
    Table,
    complain,
    json_line,
    object_of,
    width_of,
)
from sokoterm.commands.support.parser import Option, Parser, seconds
from sokoterm.commands.support.results import (
    SOK_OR_JSON_LINES,
    RecordedFlags,
    RecordedJob,
    Result,
    level_in_sok,
    merged,
    write_pack,
)
from sokoterm.commands.support.search import (
    Answer,
    Request,
    answer_of,
    ending_text,
    in_order,
    lost_text,
    place_key,
    search_levels,
    status_text,
    text_of,
    watched,
)
from sokoterm.engine.board import Board, State
from sokoterm.engine.guide import Stretch, stretches
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import printable, range_in
from sokoterm.formats.registry import format_of
from sokoterm.language import N_, _, in_clauses, levels_text, listed, ngettext, number, pgettext
from sokoterm.solver.optimizer.driver import optimize
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Found, Limits, Outcome, Progress, Search, command_limits
from sokoterm.store.known_levels import KnownSolution, Source
from sokoterm.store.paths import progress_file
from sokoterm.store.progress import ProgressStore, opened_progress

_ALL = "all"


class MoveRange(NamedTuple):
    """The positions after two numbers of moves; ``last`` is None for the end."""

    first: int
    last: int | None

    def __str__(self) -> str:
        return f"{self.first}-{'' if self.last is None else self.last}"


class SteeringFlags:
    """The flags of steering; ``moves`` are those of the solution to begin with."""

    def __init__(self, parser: Parser, moves: MovesFlags) -> None:
        self._moves = moves
        # Translators: flags by which a person steers the optimizer.
        group = parser.add_argument_group(_("steering"))
        text = _("change only what is between the positions after A and after B moves; A- is up to the end")
        self._between = parser.flag("--between", group=group, parse=_between, metavar="A-B", help=text)
        text = _("the box there at the start keeps its pushes; a rectangle by two corners: 2,3-4,9")
        self._keep = parser.several("--keep", group=group, parse=rectangle, metavar="ROW,COL", help=text)
        text = _("push no box there, unless the solution to begin with does; also a rectangle")
        self._bar = parser.several("--bar", group=group, parse=rectangle, metavar="ROW,COL", help=text)
        text = _(
            "also take over parts of this solution; {all}: of all that are found beside the one to begin with", all=_ALL
        )
        self._cross = parser.several("--cross", group=group, parse=str, metavar="TEXT", help=text)
        text = _("the same, of the solution in a file")
        self._cross_file = parser.several("--cross-file", group=group, parse=str, metavar="FILE", help=text)

    @property
    def given(self) -> dict[str, object]:
        """The flags that speak of one level, each true if it is given."""
        flags = {
            "between": self._between,
            "keep": self._keep,
            "bar": self._bar,
            "cross": self._cross,
            "cross_file": self._cross_file,
        }
        return self._moves.given | {name: bool(flag.value) for name, flag in flags.items()}

    def check_levels(self, count: int) -> None:
        """Raise InputError if flags that speak of one level are given for several."""
        given = self.given | {"cross": set(self._cross.value) - {_ALL}}
        flag = next((flag for flag, value in given.items() if value), None)
        if flag and count != 1:
            raise several_levels(count, f"--{flag.replace('_', '-')}")

    def of(self, level: Level, begin: Solution | None, known: Sequence[Solution]) -> Steering:
        """Return the steering of a level; ``known`` are its solutions, of which --cross all takes the others.

        Raises InputError for what does not fit the level or the solution to ``begin`` with, and PackError.
        """
        between = self._between.value or MoveRange(0, None)
        if self._between.value and begin is None:
            problem = N_("found --between {between} without a solution to begin with, expected --moves")
            raise InputError(_(problem, between=between))
        if begin is not None and max(between.first + 1, between.last or 0) > begin.moves:
            raise InputError(
                ngettext(
                    "--between {between}: found a solution of {n} move, expected moves of it",
                    "--between {between}: found a solution of {n} moves, expected moves of it",
                    begin.moves,
                    between=between,
                )
            )
        others = {each.lurd: each for each in self._others(level, known)}
        if begin is not None:
            others.pop(begin.lurd, None)
        kept = boxes_in(level, self._keep.value, "--keep")
        return Steering(*between, kept, floor_in(level, self._bar.value, "--bar"), tuple(others.values()))

    def _others(self, level: Level, known: Sequence[Solution]) -> Iterator[Solution]:
        for moves in self._cross.value:
            if moves == _ALL:
                yield from known
            else:
                yield solution_of(level, GivenMoves.read(moves, "--cross"))
        for path in self._cross_file.value:
            yield solution_of(level, self._moves.read_file(path, "--cross-file"))


def _between(text: str) -> MoveRange:
    """A type for argparse: a range of moves."""
    found = range_in(text)
    if found is None:
        problem = N_("found {found!r}, expected two numbers of moves such as 20-60, or 20- up to the end")
        raise ArgumentTypeError(_(problem, found=text))
    return MoveRange(*found)


def objective_flag(parser: Parser, objectives: Sequence[Objective]) -> Option[str]:
    """Add ``--for``, by default the moves."""
    text = _("what to make least: {names} (default: %(default)s)", names=", ".join(objectives))
    return parser.flag(
        "--for",
        parse=str,
        choices=[each.value for each in objectives],
        default=Objective.MOVES.value,
        metavar="WHAT",
        help=text,
    )


def optimizing(known: Solution | None, objective: Objective, limits: Limits, steering: Steering) -> Request:
    """Return the search that makes a solution better; without one, that of the solver, within limits of its own."""
    search = partial(_optimize, known=known, objective=objective, steering=steering)
    return Request("auto" if known is None else "optimizer", search, limits)


def _optimize(
    board: Board, start: State, limits: Limits, *, known: Solution | None, objective: Objective, steering: Steering
) -> Search:
    """Optimize; without a solution solve before, and then within the same limits again.

    What the solver has shortened itself is its solution.
    """
    if known is not None:
        return (yield from optimize(board, start, known, objective, limits, steering))
    solved, solution = yield from _noted(STRATEGIES["auto"](board, start, limits), names_method=False)
    if solution is None:
        return solved
    outcome, _solution = yield from _noted(
        optimize(board, start, solution, objective, limits, steering), solved.seconds, names_method=True
    )
    proven = solved.optimal if solved.optimal == objective else None
    return outcome._replace(
        optimal=outcome.optimal or proven,
        nodes=solved.nodes + outcome.nodes,
        seconds=solved.seconds + outcome.seconds,
        repeatable=solved.repeatable and outcome.repeatable,
    )


def _noted(
    search: Search, before: float = 0.0, *, names_method: bool
) -> Generator[Progress | Found, None, tuple[Outcome, Solution | None]]:
    """Run a search whose progress counts from ``before`` seconds; return its outcome and its last solution."""
    last = None
    while True:
        try:
            event = next(search)
        except StopIteration as end:
            return end.value, last
        if isinstance(event, Found):
            last = event.solution
            yield event if names_method else event._replace(method="")
        else:
            yield event._replace(seconds=event.seconds + before)


_NONE_STORED = "none stored"
# Objectives that titles of solutions name in SOK.
_TITLED = (Objective.MOVES, Objective.PUSHES)


class OptimizeResult(NamedTuple):
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


def improvement(begin: KnownSolution | None, answer: Answer | None, objective: Objective) -> OptimizeResult:
    """Return what a search made of the solution to ``begin`` with; without a search there was none."""
    if answer is None:
        return OptimizeResult(None, None, None, _NONE_STORED)
    found, outcome = answer.found, answer.outcome
    before = begin.solution if begin else answer.given
    if before is None:
        return OptimizeResult(None, None, None, status_text(outcome.status, outcome.reason), seconds=outcome.seconds)
    source = begin.source if begin else Source.SOLVER
    is_proven = outcome.optimal == objective
    after, method = (found.solution, found.method) if found else (before, "")
    return OptimizeResult(source, before, after, "", method, is_proven, outcome.seconds)


def keep_improvement(progress: ProgressStore, level: Level, result: OptimizeResult) -> None:
    """Keep what was found as known."""
    found = []
    if result.before is not None and result.source is Source.SOLVER:
        found.append(KnownSolution(result.before, "solver"))
    if result.after is not None and result.is_better:
        found.append(KnownSolution(result.after, "optimizer"))
    remember(progress, level, *found)


def saved_at(level: Level, before: Solution, after: Solution) -> list[Stretch]:
    """Return the stretches on which a solution saves or loses something against another one."""
    return [each for each in stretches(level.board, level.start, before, after) if each.moves or each.pushes]


def counts_of(solution: Solution, objective: Objective) -> Sequence[int]:
    """Return moves and pushes, and the objective where it is neither."""
    counts = (solution.moves, solution.pushes)
    is_other = objective not in (Objective.MOVES, Objective.PUSHES)
    return (*counts, objective.measure(solution)) if is_other else counts


def joined(counts: Iterable[int]) -> str:
    """Return counts as in the columns of ``optimize``: ``97/23``."""
    return "/".join(number(each) for each in counts)


def lack_text(lack: str) -> str:
    """Return the ``lack`` of a result in the player's language."""
    return _("none stored") if lack == _NONE_STORED else ending_text(lack)


class ImprovementFigures(NamedTuple):
    """Figures for totals: ``counts_of`` the solutions before and after, empty without any."""

    before: Sequence[int]
    after: Sequence[int]
    is_better: bool
    is_proven: bool


def figures_of(result: OptimizeResult, objective: Objective) -> ImprovementFigures:
    """Return the figures of a result."""
    both = (result.before, result.after)
    before, after = ((*counts_of(each, objective),) if each is not None else () for each in both)
    return ImprovementFigures(before, after, result.is_better, result.proven)


def totals_text(results: Sequence[ImprovementFigures]) -> str:
    """Return the totals of results in one line."""
    better = sum(each.is_better for each in results)
    proven = sum(each.is_proven for each in results)
    lacking = sum(not each.before for each in results)
    counts = (
        levels_text(len(results)),
        ngettext("{n:,} better", "{n:,} better", better),
        ngettext("{n:,} proven", "{n:,} proven", proven),
        ngettext("{n:,} without a solution", "{n:,} without a solution", lacking) if lacking else "",
    )
    if lacking == len(results):
        return in_clauses([listed(counts)])
    before, after = (
        joined(map(sum, zip(*filter(None, some))))
        for some in ([each.before for each in results], [each.after for each in results])
    )
    # Translators: sums of moves/pushes.
    return in_clauses([listed(counts), _("before {before}, after {after}", before=before, after=after)])


def record_of(solution: Solution, objective: Objective) -> Record:
    """Return a solution as a record whose title names what it has least of."""
    title = "Solution" if objective not in _TITLED else f"Solution/{objective.capitalize()}"
    return Record(f"{title} {solution.moves}/{solution.pushes}", solution.lurd)


def json_of(chosen: Chosen, result: OptimizeResult, objective: Objective, *, says_where: bool) -> str:
    """Return the JSON object of a level; ``says_where``: where a solution is better in place of what it is."""
    before, after = result.before, result.after
    where = saved_at(chosen.level, before, after) if says_where and before and after else ()
    return json_line(
        {
            **chosen.place,
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


_SECONDS = 10.0
# Sources that --from takes.
_SOURCES = (Source.OWN, Source.FILE, Source.KNOWN, Source.SOLVER)


class _OptimizeFlags:
    """The flags of the verb."""

    def __init__(self, parser: Parser) -> None:
        self.levels = LevelFlags(parser)
        self._objective = objective_flag(parser, list(Objective))
        self.moves = MovesFlags(parser, self.levels, _("the solution of the one level to begin with"))
        text = _("take the solution to begin with from here alone: {names}", names=", ".join(_SOURCES))
        sources = [each.value for each in _SOURCES]
        self.source = parser.flag("--from", choices=sources, metavar="SOURCE", help=text)
        text = _("seconds a level, and as many for the solver where it is needed (default: %(default)g)")
        self._time = parser.flag("--time", parse=seconds, default=_SECONDS, metavar="S", help=text)
        self.jobs = parser.jobs(1)
        self.steering = SteeringFlags(parser, self.moves)
        self.to = parser.flag("--to", metavar="OUT.sok", help=_("write the levels with the solutions to this file"))
        self.remember = remember_flag(parser, default=True)
        self.stretches = parser.switch("--stretches", help=_("say where moves can be saved in place of how"))
        self.json = parser.switch("--json", help=_("print a JSON object for each level"))
        self.recorded = RecordedFlags(parser, self.levels, SOK_OR_JSON_LINES)

    @property
    def objective(self) -> Objective:
        return Objective(self._objective.value)

    @property
    def limits(self) -> Limits:
        return command_limits(monotonic)._replace(seconds=self._time.value)

    def best(self, known: Sequence[KnownSolution]) -> KnownSolution | None:
        """Return the best of the known solutions, those of a source alone if one is named."""
        some = [each for each in known if self.source.value in (None, each.source)]
        return min(some, key=lambda each: self.objective.key(each.solution), default=None)


# The result of a level for which there is nothing to begin with.
_NONE = ""


class OptimizeJob(RecordedJob):
    """The searches of ``optimize``.

    Equal levels take the result of the first of them, unless a solution of their own is better.
    """

    def __init__(self, flags: _OptimizeFlags, progress: ProgressStore, known: KnownSolutions) -> None:
        self._flags = flags
        self._objective = flags.objective
        self._progress = progress
        self._known = known
        self._figures: list[ImprovementFigures] = []
        forgets = "" if flags.remember.value else " --no-remember"
        self.form = (" --stretches" if flags.stretches.value else "") + forgets
        names = {"for": self._objective, "from": flags.source.value, "seconds": flags.limits.seconds}
        self.name = "optimize " + json_line(names)

    def key(self, level: Level) -> str:
        """Return the level hash; with the place of the player where all moves count."""
        return place_key(level) if self._objective is Objective.MOVES else level_hash(level)

    def work(self, chosen: Chosen) -> Work | str:
        begin = self._best_of(chosen)
        if begin is None and self._flags.source.value not in (None, Source.SOLVER):
            return _NONE
        solution = begin.solution if begin else None
        request = optimizing(solution, self._objective, self._flags.limits, Steering())
        return partial(_optimized, request=request, begin=begin)

    def lost(self) -> str:
        return lost_text(optimizing(None, self._objective, self._flags.limits, Steering()))

    def result(self, chosen: Chosen, text: str, is_copy: bool) -> Result:
        result = self._improvement(chosen, text, is_copy)
        if self._flags.remember.value:
            keep_improvement(self._progress, chosen.level, result)
        return Result(self._written(chosen, result), json_line(figures_of(result, self._objective)))

    def _best_of(self, chosen: Chosen) -> KnownSolution | None:
        return self._flags.best(self._known.of(chosen))

    def _improvement(self, chosen: Chosen, text: str, is_copy: bool) -> OptimizeResult:
        answer = answer_of(chosen.level, text) if text != _NONE else None
        given = answer.given if answer and not is_copy else None
        begin = KnownSolution(given, "", Source(str(object_of(text).get("source")))) if given else self._best_of(chosen)
        result = improvement(begin, answer, self._objective)
        if is_copy and begin is None and result.source is not None:
            result = result._replace(source=Source.KNOWN)
        before, after = result.before, result.after
        if before is not None and after is not None and self._objective.key(before) <= self._objective.key(after):
            result = result._replace(after=before, method="")
        return result

    def _written(self, chosen: Chosen, result: OptimizeResult) -> bytes:
        if self._flags.recorded.writes_sok:
            record = record_of(result.after, self._objective) if result.after else None
            return level_in_sok(chosen, record, result.lack)
        line = json_of(chosen, result, self._objective, says_where=self._flags.stretches.value)
        return line.encode("ascii") + b"\n"

    def count(self, figures: str) -> None:
        self._figures.append(ImprovementFigures(*json.loads(figures)))

    @property
    def status(self) -> int:
        return 0 if all(each.before for each in self._figures) else 1

    def __str__(self) -> str:
        return totals_text(self._figures)


def _optimized(level: Level, look: Look, request: Request, begin: KnownSolution | None) -> str:
    """Search for a better solution; the answer holds that of the beginning where there is none.

    It says where that of the beginning came from, since what is found later becomes the best known one.
    """
    answer = watched(level, look, request)
    if begin is not None:
        answer = answer._replace(found=answer.found or Found(begin.solution), given=begin.solution)
    source = begin.source if begin else Source.SOLVER
    return json_line(json.loads(text_of(level, answer)) | {"source": source})


class _Task(NamedTuple):
    """A level, the solution to begin with, if any, and the search to make; None if there is nothing to begin with."""

    chosen: Chosen
    begin: KnownSolution | None
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
    flags = _OptimizeFlags(parser)
    parser.parse(_as_today(arguments))
    if flags.source.value and flags.moves.are_given:
        parser.error(_("found {flag} with {other}, expected one of them", flag="--from", other="--moves"))
    jobs_with_cluster = flags.recorded.has_cluster and flags.jobs.value > 1
    others = {"to": flags.to.value, "json": flags.json.value, "jobs": jobs_with_cluster}
    folder = parser.folder
    if flags.recorded.are_given(**flags.steering.given, **others):
        with (
            opened_progress(progress_file(folder), time, complain) as progress,
            known_solutions(progress, folder) as known,
        ):
            job = OptimizeJob(flags, progress, known)
            return flags.recorded.run(job, flags.limits.memory, flags.jobs.value)
    moves = flags.moves.read() if flags.moves.are_given else None
    levels = flags.levels.levels()
    packs = list(levels.packs())
    chosen = [each for name, pack in packs for each in chosen_of(name, pack)]
    flags.steering.check_levels(len(chosen))
    output = flags.to.value
    if output is not None:
        if format_of(output) != "sok":
            raise InputError(_("found --to {path}, expected a name that ends in .sok", path=output))
        levels.check_output(output)
    results: list[OptimizeResult] = []
    with opened_progress(progress_file(folder), time, complain) as progress:
        with known_solutions(progress, folder) as known:
            tasks = [_task(flags, each, known.of(each), moves) for each in chosen]
        try:
            for result in _work(tasks, flags):
                if flags.remember.value:
                    keep_improvement(progress, chosen[len(results)].level, result)
                results.append(result)
        finally:
            if output is not None:
                solved = _with_results([pack for _, pack in packs], results, flags.objective)
                write_pack(output, solved, "sok")
    return levels.status or (0 if all(each.after for each in results) else 1)


def _as_today(arguments: Sequence[str]) -> list[str]:
    """Return arguments with --stretches in place of a --where without a query, which was its name once."""
    following = [*arguments[1:], "--"]
    return [
        "--stretches" if each == "--where" and (after.startswith("-") or os.path.exists(after)) else each
        for each, after in zip(arguments, following)
    ]


def _task(flags: _OptimizeFlags, chosen: Chosen, known: Sequence[KnownSolution], moves: GivenMoves | None) -> _Task:
    """Return what is to be done for a level, from the moves given or else the best of its solutions.

    Raises InputError for moves and flags that do not fit the level.
    """
    level = chosen.level
    if moves is not None:
        begin: KnownSolution | None = KnownSolution(solution_of(level, moves), "", Source.GIVEN)
    else:
        begin = flags.best(known)
    solution = begin.solution if begin else None
    steering = flags.steering.of(level, solution, [each.solution for each in known])
    is_solved = begin is not None or flags.source.value in (None, Source.SOLVER)
    request = optimizing(solution, flags.objective, flags.limits, steering) if is_solved else None
    return _Task(chosen, begin, request)


def _work(tasks: Sequence[_Task], flags: _OptimizeFlags) -> Iterator[OptimizeResult]:
    """Optimize the levels, print and yield each result; after Ctrl-C those that have begun, and then raise it."""
    level_and_request = [(each.chosen.level, each.request) for each in tasks if each.request is not None]
    objective, says_where = flags.objective, flags.stretches.value
    text = _Text(tasks, objective, says_where)
    try:
        with closing(search_levels(level_and_request, flags.jobs.value, keeps=True)) as found:
            answers = in_order(found)
            for each in tasks:
                answer = next(answers) if each.request is not None else None
                result = improvement(each.begin, answer, objective)
                if flags.json.value:
                    print(json_of(each.chosen, result, objective, says_where=says_where), flush=True)
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
        self._tables = PackTables[ImprovementFigures](table, totals_text)

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

    def solved(level: Level) -> Level:
        result = next(rest, None)
        if result is None or result.after is None:
            return level
        return level._replace(records=(record_of(result.after, objective), *level.records))

    return merged([pack._replace(levels=tuple(map(solved, pack.levels))) for pack in packs])
