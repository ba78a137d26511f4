"""``sokoterm optimize``: improves known solutions."""

import json
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from operator import sub
from time import monotonic
from typing import NamedTuple

from sokoterm.app.marked_levels import KnownSolutions
from sokoterm.commands.support import levels, search
from sokoterm.commands.support.library import known_solutions, remember, remember_flag
from sokoterm.commands.support.output import Column, InputError, PackTables, Table, json_line, object_of, width_of
from sokoterm.commands.support.parser import Option, Parser, seconds
from sokoterm.commands.support.results import RecordedFlags, RecordedJob, Result, level_in_sok, write_pack
from sokoterm.engine.board import Board, State
from sokoterm.engine.guide import Stretch, stretches
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution
from sokoterm.engine.steps import Events
from sokoterm.engine.text import range_in
from sokoterm.formats.registry import format_of
from sokoterm.formats.uniting import merged
from sokoterm.language import N_, _, in_clauses, levels_text, listed, ngettext, number, pgettext
from sokoterm.solver.optimizer.driver import optimize
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Found, Limits, Outcome, Progress, Search
from sokoterm.store.known_levels import KnownSolution, Source
from sokoterm.store.packs import shown_text

_SECONDS = 10.0
_ALL = "all"
# Translators: sources of a solution, in a narrow column.
_SOURCE_TEXTS = (N_("own"), N_("file"), N_("known"), N_("solver"), N_("given"))
# Sources that --from takes, in English.
_SOURCES = (Source.OWN, Source.FILE, Source.KNOWN, Source.SOLVER)
# Translators: methods of the optimizer, in a narrow column; docs/solver.md explains them.
_METHODS = (
    N_("walks"), N_("reroute"), N_("whole level"), N_("rearrangement"), N_("vicinity"), N_("permutations"),
    N_("crossing"),
)  # fmt: skip
# Objectives that SOK names in titles of solutions, and every result includes.
_USUAL = (Objective.MOVES, Objective.PUSHES)
_NONE_STORED = "none stored"


class _OptimizeFlags:
    """The flags of the verb, and the limits, request and steering they define."""

    def __init__(self, parser: Parser) -> None:
        self.levels = levels.LevelFlags(parser)
        self._objective = objective_flag(parser, list(Objective))
        self.moves = levels.MovesFlags(parser, self.levels, _("the solution to start from (one level only)"))
        text = _("start only from solutions of this source: {names}", names=", ".join(_SOURCES))
        sources = [each.value for each in _SOURCES]
        self.source = parser.flag("--from", choices=sources, metavar="SOURCE", help=text)
        text = _("seconds per level, and the same for the solver if it is needed (default: %(default)g)")
        self._time = parser.flag("--time", parse=seconds, default=_SECONDS, metavar="S", help=text)
        self.jobs = parser.jobs(1)
        # Translators: flags by which a person steers the optimizer.
        group = parser.add_argument_group(_("steering"))
        text = _("change only moves between the positions after A and B moves; A- means up to the end")
        self._between = parser.flag("--between", group=group, parse=_between, metavar="A-B", help=text)
        text = _("the box that starts there keeps its pushes; also a rectangle by its corners: 2,3-4,9")
        self._keep = parser.several("--keep", group=group, parse=levels.rectangle, metavar="ROW,COL", help=text)
        text = _("push no box there unless the initial solution does; also a rectangle")
        self._bar = parser.several("--bar", group=group, parse=levels.rectangle, metavar="ROW,COL", help=text)
        text = _("also use parts of this solution; {all}: of all other solutions known", all=_ALL)
        self._cross = parser.several("--cross", group=group, parse=str, metavar="TEXT", help=text)
        text = _("also use parts of the solution in a file")
        self._cross_file = parser.several("--cross-file", group=group, parse=str, metavar="FILE", help=text)
        self.to = parser.flag("--to", metavar="OUT.sok", help=_("write the levels with the solutions to this file"))
        self.remember = remember_flag(parser, default=True)
        self.stretches = parser.switch("--stretches", help=_("show where moves can be saved, but not how"))
        self.json = parser.switch("--json", help=_("print a JSON object for each level"))
        self.recorded = RecordedFlags(parser, self.levels, ".sok")

    @property
    def objective(self) -> Objective:
        return Objective(self._objective.value)

    @property
    def limits(self) -> Limits:
        return Limits(seconds=self._time.value, clock=monotonic)

    @property
    def of_one_level(self) -> dict[str, object]:
        """The flags that apply to one level, each true if given."""
        steering = (self._between, self._keep, self._bar, self._cross, self._cross_file)
        return self.moves.given | {flag.name: bool(flag.value) for flag in steering}

    def check_levels(self, count: int) -> None:
        """Raise InputError if flags that apply to one level are given for several."""
        given = self.of_one_level | {"cross": set(self._cross.value) - {_ALL}}
        flag = next((flag for flag, value in given.items() if value), None)
        if flag and count != 1:
            raise levels.several_levels(count, f"--{flag.replace('_', '-')}")

    def best(self, known: Sequence[KnownSolution]) -> KnownSolution | None:
        """Return the best of the known solutions, or of those from one source if --from is given."""
        some = [each for each in known if self.source.value in (None, each.source)]
        return min(some, key=lambda each: self.objective.key(each.solution), default=None)

    def request(self, begin: KnownSolution | None, steering: Steering | None = None) -> search.Request | None:
        """Return the search to run; None if there is nothing to ``begin`` with and no solver to use."""
        if begin is None and self.source.value not in (None, Source.SOLVER):
            return None
        return optimizing(begin.solution if begin else None, self.objective, self.limits, steering or Steering())

    def steering(self, level: Level, begin: Solution | None, known: Sequence[KnownSolution]) -> Steering:
        """Return the steering of a level; raises InputError for flags that do not fit it, and PackError."""
        first, last = self._between.value or (0, None)
        between = f"{first}-{'' if last is None else last}"
        if self._between.value and begin is None:
            problem = N_("--between {between} requires a solution to start from: use --moves")
            raise InputError(_(problem, between=between))
        if begin is not None and max(first + 1, last or 0) > begin.moves:
            raise InputError(
                ngettext(
                    "--between {between}: the solution has only {n} move",
                    "--between {between}: the solution has only {n} moves",
                    begin.moves,
                    between=between,
                )
            )
        others: list[Solution] = []
        for moves in self._cross.value:
            if moves == _ALL:
                others += [each.solution for each in known]
            else:
                others.append(levels.solution_of(level, levels.GivenMoves.read(moves, "--cross")))
        others += [
            levels.solution_of(level, self.moves.read_file(path, "--cross-file")) for path in self._cross_file.value
        ]
        by_moves = {each.lurd: each for each in others if begin is None or each.lurd != begin.lurd}
        kept, barred = (
            levels.boxes_in(level, self._keep.value, "--keep"),
            levels.floor_in(level, self._bar.value, "--bar"),
        )
        return Steering(first, last, kept, barred, tuple(by_moves.values()))


def objective_flag(parser: Parser, objectives: Sequence[Objective]) -> Option[str]:
    text = _("what to minimize: {names} (default: %(default)s)", names=", ".join(objectives))
    choices = [each.value for each in objectives]
    return parser.flag("--for", parse=str, choices=choices, default=Objective.MOVES.value, metavar="WHAT", help=text)


def _between(text: str) -> tuple[int, int | None]:
    found = range_in(text)
    if found is None:
        problem = N_("found {found!r}, expected a range of moves such as 20-60, or 20- (up to the end)")
        raise ArgumentTypeError(_(problem, found=text))
    return found


def optimizing(known: Solution | None, objective: Objective, limits: Limits, steering: Steering) -> search.Request:
    """Return a search that improves a solution; without one, it solves the level first, within limits of its own."""
    work = partial(_optimize, known=known, objective=objective, steering=steering)
    return search.Request("auto" if known is None else "optimizer", work, limits)


def _optimize(
    board: Board, start: State, limits: Limits, *, known: Solution | None, objective: Objective, steering: Steering
) -> Search:
    """Optimize; without a solution, solve first, and then optimize within the same limits again."""
    if known is not None:
        return (yield from optimize(board, start, known, objective, limits, steering))
    solved, solution = yield from _noted(STRATEGIES["auto"](board, start, limits), names_method=False)
    if solution is None:
        return solved
    more = optimize(board, start, solution, objective, limits, steering)
    outcome, __ = yield from _noted(more, solved.seconds)
    proven = solved.optimal if solved.optimal == objective else None
    return outcome._replace(
        optimal=outcome.optimal or proven,
        nodes=solved.nodes + outcome.nodes,
        seconds=solved.seconds + outcome.seconds,
        repeatable=solved.repeatable and outcome.repeatable,
    )


def _noted(
    work: Search, before: float = 0.0, *, names_method: bool = True
) -> Generator[Progress | Found, None, tuple[Outcome, Solution | None]]:
    """Shift a search's clock by ``before`` seconds; return its outcome and its last solution."""
    last, events = None, Events(work)
    for event in events:
        if isinstance(event, Found):
            last = event.solution
            yield event if names_method else event._replace(method="")
        else:
            yield event._replace(seconds=event.seconds + before)
    return events.result, last


class _Figures(NamedTuple):
    before: Sequence[int]
    after: Sequence[int]
    is_better: bool
    is_proven: bool


class _Improvement(NamedTuple):
    """A solution before and after; None, with the reason in ``lack``, if there is none."""

    objective: Objective
    before: Solution | None = None
    after: Solution | None = None
    source: Source | None = None
    lack: str = ""
    method: str = ""
    proven: bool = False
    seconds: float = 0.0

    @classmethod
    def by(cls, answer: search.Answer | None, begin: KnownSolution | None, objective: Objective) -> "_Improvement":
        """Combine a search, if one was run, with the solution to ``begin`` with."""
        if answer is None:
            return cls(objective, lack=_NONE_STORED)
        found, outcome = answer.found, answer.outcome
        before = begin.solution if begin else answer.given
        if before is None:
            lack = search.status_text(outcome.status, outcome.reason)
            return cls(objective, lack=lack, seconds=outcome.seconds)
        source = begin.source if begin else Source.SOLVER
        after, method = (found.solution, found.method) if found else (before, "")
        return cls(objective, before, after, source, "", method, outcome.optimal == objective, outcome.seconds)

    @property
    def is_better(self) -> bool:
        return self.after != self.before

    @property
    def figures(self) -> _Figures:
        before, after = (_counts(each, self.objective) for each in (self.before, self.after))
        return _Figures(before, after, self.is_better, self.proven)

    @property
    def record(self) -> Record | None:
        """The solution as a record titled by the counts it minimizes."""
        if self.after is None:
            return None
        title = f"Solution/{self.objective.capitalize()}" if self.objective in _USUAL else "Solution"
        return Record(f"{title} {self.after.moves}/{self.after.pushes}", self.after.lurd)

    def saved_at(self, level: Level) -> list[Stretch]:
        """Return the stretches on which the solution gains or loses something."""
        if self.before is None or self.after is None:
            return []
        parts = stretches(level.board, level.start, self.before, self.after)
        return [each for each in parts if each.moves or each.pushes]

    def keep(self, known: KnownSolutions, level: Level) -> None:
        if self.before is not None and self.source is Source.SOLVER:
            remember(known.progress, level, KnownSolution(self.before, Source.SOLVER.value))
        if self.after is not None and self.is_better:
            remember(known.progress, level, KnownSolution(self.after, Source.OPTIMIZER.value))

    def json(self, chosen: levels.Chosen, *, says_where: bool) -> str:
        """Return the JSON object of a level; ``says_where``: with stretches instead of the solution."""
        before, after, objective = self.before, self.after, self.objective
        where = [each._asdict() for each in self.saved_at(chosen.level)] if says_where else None
        fields = {
            **chosen.place,
            "objective": objective,
            "source": self.source,
            "moves_before": before.moves if before else None,
            "pushes_before": before.pushes if before else None,
            "count_before": objective.measure(before) if before else None,
            "moves": after.moves if after else None,
            "pushes": after.pushes if after else None,
            "count": objective.measure(after) if after else None,
            "lurd": after.lurd if after and not says_where else None,
            "where": where,
            "lack": self.lack or None,
            "method": self.method or None,
            "proven": self.proven,
            "seconds": round(self.seconds, 3),
        }
        return json_line(fields)


def _counts(solution: Solution | None, objective: Objective) -> Sequence[int]:
    if solution is None:
        return ()
    others = () if objective in _USUAL else (objective.measure(solution),)
    return solution.moves, solution.pushes, *others


def _joined(counts: Iterable[int]) -> str:
    return "/".join(map(number, counts))


def _totals(results: Sequence[_Figures]) -> str:
    better = sum(each.is_better for each in results)
    proven = sum(each.is_proven for each in results)
    lacking = sum(not each.before for each in results)
    counts = (
        levels_text(len(results)),
        ngettext("{n:,} better", "{n:,} better", better),
        ngettext("{n:,} proven", "{n:,} proven", proven),
        ngettext("{n:,} without a solution", "{n:,} without a solution", lacking) if lacking else "",
    )
    solved = [each for each in results if each.before]
    if not solved:
        return in_clauses([listed(counts)])
    before = _joined(map(sum, zip(*(each.before for each in solved))))
    after = _joined(map(sum, zip(*(each.after for each in solved))))
    # Translators: sums of moves/pushes.
    return in_clauses([listed(counts), _("before {before}, after {after}", before=before, after=after)])


class _OptimizeJob(RecordedJob):
    """The searches of ``optimize``; equal levels share a result unless they have a better solution."""

    def __init__(self, flags: _OptimizeFlags, known: KnownSolutions) -> None:
        self._flags = flags
        self._objective = flags.objective
        self._known = known
        self._figures: list[_Figures] = []
        forgets = "" if flags.remember.value else " --no-remember"
        self.form = (" --stretches" if flags.stretches.value else "") + forgets
        names = {"for": self._objective, "from": flags.source.value, "seconds": flags.limits.seconds}
        self.name = "optimize " + json_line(names)

    def key(self, level: Level) -> str:
        """Return the level hash, with the player's square if all moves count."""
        return search.place_key(level) if self._objective is Objective.MOVES else level_hash(level)

    def work(self, chosen: levels.Chosen) -> levels.Work | str:
        begin = self._flags.best(self._known.of(chosen.level, chosen.title))
        request = self._flags.request(begin)
        return "" if request is None else partial(_optimized, request=request, begin=begin)

    def lost(self) -> str:
        return search.lost_text(optimizing(None, self._objective, self._flags.limits, Steering()))

    def result(self, chosen: levels.Chosen, text: str, is_copy: bool) -> Result:
        result = self._improvement(chosen, text, is_copy)
        if self._flags.remember.value:
            result.keep(self._known, chosen.level)
        if self._flags.recorded.writes_sok:
            written = level_in_sok(chosen, result.record, result.lack)
        else:
            written = result.json(chosen, says_where=self._flags.stretches.value).encode("ascii") + b"\n"
        return Result(written, json_line(result.figures))

    def _improvement(self, chosen: levels.Chosen, text: str, is_copy: bool) -> _Improvement:
        answer = search.answer_of(chosen.level, text) if text else None
        if answer and answer.given and not is_copy:
            begin: KnownSolution | None = KnownSolution(answer.given, "", Source(str(object_of(text).get("source"))))
        else:
            begin = self._flags.best(self._known.of(chosen.level, chosen.title))
        result = _Improvement.by(answer, begin, self._objective)
        if is_copy and begin is None and result.source is not None:
            result = result._replace(source=Source.KNOWN)
        before, after = result.before, result.after
        if before is not None and after is not None and self._objective.key(before) <= self._objective.key(after):
            result = result._replace(after=before, method="")
        return result

    def count(self, figures: str) -> None:
        self._figures.append(_Figures(*json.loads(figures)))

    @property
    def status(self) -> int:
        return 0 if all(each.before for each in self._figures) else 1

    def __str__(self) -> str:
        return _totals(self._figures)


def _optimized(level: Level, look: levels.Look, request: search.Request, begin: KnownSolution | None) -> str:
    """Search; the answer includes the initial solution and its source, as what is found becomes known later."""
    answer = search.watched(level, look, request)
    if begin is not None:
        answer = answer._replace(found=answer.found or Found(begin.solution), given=begin.solution)
    source = begin.source if begin else Source.SOLVER
    return json_line(json.loads(search.text_of(level, answer)) | {"source": source})


def run(arguments: list[str]) -> int:
    """Print each level before and after, in order, as soon as it is known; return 1 if one has no solution."""
    parser = Parser(
        "optimize",
        _(
            "Improve solutions: fewest moves, pushes, box lines, box changes or pushing sessions. Between equal "
            "solutions, fewer moves win, then fewer pushes. Each solution is replayed by the rules.\n\n"
            "The search starts from the best of your own solutions, those in the file, and known ones from other "
            "packs or earlier searches or, if there are none, from the solver's. Improvements are stored as known "
            "solutions, apart from your own. The columns before, after and saved show moves/pushes, followed by the "
            "number of lines, changes or sessions if --for minimizes it. Ctrl-C keeps what has been found. The exit "
            "status is 1 if a level has no solution to start from."
        ),
        "sokoterm optimize levels.txt -l 2-9,14 --for pushes --to better.sok",
    )
    flags = _OptimizeFlags(parser)
    parser.parse(_as_today(arguments))
    if flags.source.value and flags.moves.are_given:
        parser.error(_("{flag} and {other} cannot be combined", flag="--from", other="--moves"))
    has_jobs = flags.recorded.has_cluster and flags.jobs.value > 1
    others = flags.of_one_level | {"to": flags.to.value, "json": flags.json.value, "jobs": has_jobs}
    folder = parser.folder
    if not flags.recorded.are_given(**others):
        return _printed(flags, folder)
    with known_solutions(folder, writes=True) as known:
        return flags.recorded.run(_OptimizeJob(flags, known), flags.limits.memory, flags.jobs.value)


def _as_today(arguments: Sequence[str]) -> list[str]:
    """Replace --where without a query, the former name of --stretches."""
    following = [*arguments[1:], "--"]
    return [
        "--stretches" if each == "--where" and (after.startswith("-") or os.path.exists(after)) else each
        for each, after in zip(arguments, following)
    ]


def _printed(flags: _OptimizeFlags, folder: str) -> int:
    """Print and store each result as it comes, write all to --to, and return the exit status."""
    moves = flags.moves.read() if flags.moves.are_given else None
    read = flags.levels.levels()
    packs = list(read.packs())
    chosen = [each for name, pack in packs for each in levels.chosen_of(name, pack)]
    flags.check_levels(len(chosen))
    output = flags.to.value
    if output is not None:
        if format_of(output) != "sok":
            raise InputError(_("--to {path}: the name must end in .sok", path=output))
        read.check_output(output)
    results: list[_Improvement] = []
    with known_solutions(folder, writes=True) as known:
        tasks: list[tuple[levels.Chosen, KnownSolution | None, search.Request | None]] = []
        for each in chosen:
            of_level = known.of(each.level, each.title)
            given = None if moves is None else KnownSolution(levels.solution_of(each.level, moves), "", Source.GIVEN)
            begin = given or flags.best(of_level)
            steering = flags.steering(each.level, begin.solution if begin else None, of_level)
            tasks.append((each, begin, flags.request(begin, steering)))
        searches = [(each.level, request) for each, __, request in tasks if request is not None]
        lengths = [
            _joined(_counts(begin.solution, flags.objective)) for __, begin, request in tasks if begin is not None
        ]
        tables = PackTables[_Figures](_table(chosen, lengths), _totals)
        try:
            # After Ctrl-C, searches that have begun still answer before it is raised.
            with closing(search.search_levels(searches, flags.jobs.value, keeps=True)) as answers:
                for each, begin, request in tasks:
                    answer = next(answers) if request is not None else None
                    result = _Improvement.by(answer, begin, flags.objective)
                    if flags.json.value:
                        print(result.json(each, says_where=flags.stretches.value), flush=True)
                    else:
                        _print(result, each, tables, says_where=flags.stretches.value)
                    if flags.remember.value:
                        result.keep(known, each.level)
                    results.append(result)
                next(answers, None)  # raises a signal that arrived with the last answer
        finally:
            try:
                tables.end()
            finally:  # even if the output was closed
                if output is not None:
                    write_pack(output, _with_results([pack for __, pack in packs], results), "sok")
    return read.status or (0 if all(each.after for each in results) else 1)


def _table(chosen: Sequence[levels.Chosen], lengths: Sequence[str]) -> Table:
    headings = (
        pgettext("heading of a column", "before"),
        pgettext("heading of a column", "after"),
        pgettext("heading of a column", "saved"),
    )
    return Table(
        Column(_("level"), width_of(each.level.number for each in chosen)),
        # Translators: heading of a column: the source of a solution.
        Column(pgettext("heading of a column", "from"), width_of(map(_, _SOURCE_TEXTS)), is_text=True),
        *(Column(heading, width_of(["9,999/999", *lengths])) for heading in headings),
        Column(pgettext("heading of a column", "proven"), is_text=True),
        Column(_("seconds"), len("999.99")),
        Column(_("method"), width_of(map(_, _METHODS)), is_text=True),
        Column(_("title"), is_text=True),
    )


def _print(result: _Improvement, chosen: levels.Chosen, tables: PackTables[_Figures], *, says_where: bool) -> None:
    figures = result.figures
    lack = _("none stored") if result.lack == _NONE_STORED else result.lack and search.endings()[result.lack]
    tables.add(
        chosen.pack,
        figures,
        chosen.level.number,
        _(result.source or ""),
        _joined(figures.before) or None,
        _joined(figures.after) or None,
        _joined(map(sub, figures.before, figures.after)) if result.is_better else None,
        _("yes") if result.proven else None,
        number(result.seconds, 2),
        _(result.method) if result.after else lack,
        shown_text(chosen.level.title),
    )
    if result.before and result.after and result.is_better:
        where = [_where(each, result.before.moves) for each in result.saved_at(chosen.level)] if says_where else []
        for line in where if says_where else [result.after.lurd]:
            print(f"       {line}")
    sys.stdout.flush()


def _where(stretch: Stretch, moves: int) -> str:
    saved = f"{stretch.moves}/{stretch.pushes}"
    if stretch.last >= moves:
        return _("between move {first} and the end: saved {saved}", first=stretch.first, saved=saved)
    return _("between move {first} and move {last}: saved {saved}", first=stretch.first, last=stretch.last, saved=saved)


def _with_results(packs: Sequence[Pack], results: Iterable[_Improvement]) -> Pack:
    """Merge packs into one, adding results as records; levels without a result are unchanged."""
    rest = iter(results)

    def solved(level: Level) -> Level:
        result = next(rest, None)
        record = result.record if result else None
        return level.replace(records=(record, *level.records)) if record else level

    return merged([pack._replace(levels=tuple(map(solved, pack.levels))) for pack in packs])
