"""Searches from the command line; answers as text are in canonical orientation, valid for all levels of a hash."""

import argparse
import signal
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from math import inf
from operator import add
from time import monotonic
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.commands.support import output
from sokoterm.commands.support.levels import Done, Job, Look
from sokoterm.commands.support.parser import Parser, count, count_up_to, positive, seconds
from sokoterm.commands.support.workers import Lost, Processes, Reported, peak_bytes
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, solution_from_canonical, to_canonical
from sokoterm.engine.lurd import Solution, replay
from sokoterm.language import N_, _, joined, ngettext, number, pgettext
from sokoterm.process import lane_command, usable_cores
from sokoterm.solver import lanes
from sokoterm.solver.lanes import MOST_CORES
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.registry import PROVERS, STRATEGIES
from sokoterm.solver.search import (
    MEGABYTE,
    Cores,
    Found,
    Limits,
    MemoryGrowth,
    Outcome,
    Progress,
    Reason,
    Status,
    Strategy,
    cut_short,
    solve,
)
from sokoterm.solver.strategies import beam, from_line
from sokoterm.solver.strategies.beam import DEFAULT_CUT, DEFAULT_WEIGHTS, Anneal, Cut, Weights
from sokoterm.solver.strategies.from_line import MoveLine
from sokoterm.store.packs import shown_text

_REPORT_SECONDS = 0.25
_LIMITS = Limits(clock=monotonic)
_ONE_CORE_FLAGS = ("--jobs", "--strategy", "--optimal", "--moves", "--nodes")
# More than the pushes on any board; much larger weights would leave no digits to distinguish positions.
_MOST_WEIGHT = 1_000_000
# Widths for rows that come one by one: a day of the fastest search, and solutions of any length.
_NODES_WIDTH = len("99,999,999,999")
_LENGTH_WIDTH = len("999,999")

# Strategies other than auto that prove that no solution has fewer, by what they count.
OPTIMAL: Mapping[str, tuple[str, ...]] = MappingProxyType({"pushes": ("astar", "bfs"), "moves": ()})


def status_text(status: Status, reason: Reason | None) -> str:
    """Name the end of a search and the limit reached, in English, as results are stored with it."""
    return status.replace("_", " ") + (f": {reason}" if reason else "")


def endings() -> Mapping[str, str]:
    """Return each text of ``status_text`` in the player's language, in the order of the totals."""
    return {
        "solved": pgettext("end of a search", "solved"),
        "unsolvable": _("unsolvable"),
        status_text(Status.BEGINS_SOLVED, None): _("begins solved"),
        "gave up: time": _("gave up: time"),
        "gave up: nodes": _("gave up: nodes"),
        "gave up: states": _("gave up: states"),
        "gave up: memory": _("gave up: memory"),
        "gave up: too large": _("gave up: too large"),
    }


# Exit status after SIGKILL, which Windows does not define.
_KILLED = -9


class Request(NamedTuple):
    """A picklable search to run, with the name of its strategy and its limits."""

    name: str
    search: Strategy
    limits: Limits


class SearchFigures(NamedTuple):
    """Figures of one search; ``ending`` as in ``status_text``, zeros without a solution, ``peak`` in bytes or 0.

    ``repeatable``: neither clock nor memory ended any part of it; ``optimal``: the metric proven optimal, or empty;
    ``first``: as in Answer.
    """

    ending: str
    seconds: float
    nodes: int
    stored: int
    pushes: int
    moves: int
    peak: int
    strategy: str
    repeatable: bool
    optimal: str = ""
    first: float = 0.0

    def row_of(self, level: Level) -> Sequence[object]:
        lengths = (number(self.pushes), number(self.moves)) if self.pushes else (None, None)
        peak = number(self.peak / MEGABYTE) if self.peak else None
        figures = (number(self.seconds, 2), number(self.nodes), number(self.stored), *lengths, peak)
        return level.number, endings()[self.ending], *figures, self.strategy, shown_text(level.title)


def figures_table(levels: Iterable[Level]) -> output.Table:
    """Return a table for rows of ``SearchFigures.row_of``."""
    return output.Table(
        output.Column(_("level"), output.width_of(level.number for level in levels)),
        output.Column(_("status"), output.width_of(endings().values()), is_text=True),
        output.Column(_("seconds"), len("86,400.00")),
        output.Column(_("nodes"), _NODES_WIDTH),
        output.Column(_("stored"), _NODES_WIDTH),
        output.Column(_("pushes"), _LENGTH_WIDTH),
        output.Column(_("moves"), _LENGTH_WIDTH),
        output.Column(_("peak MB")),
        output.Column(_("strategy"), output.width_of(STRATEGIES), is_text=True),
        output.Column(_("title"), is_text=True),
    )


class Answer(NamedTuple):
    """The outcome, the best solution, the last one ``given`` by no optimizer, and peak memory (0: unknown).

    ``first``: seconds to the first solution; 0 without one, and in an answer parsed from text.
    """

    outcome: Outcome
    found: Found | None = None
    given: Solution | None = None
    peak: int = 0
    first: float = 0.0

    @property
    def solution(self) -> Solution | None:
        return self.found.solution if self.found else None

    @property
    def figures(self) -> SearchFigures:
        """The answer as figures, seconds rounded to two decimals."""
        outcome, solution = self.outcome, self.solution
        return SearchFigures(
            ending=status_text(outcome.status, outcome.reason),
            seconds=round(outcome.seconds, 2),
            nodes=outcome.nodes,
            stored=outcome.stored,
            pushes=solution.pushes if solution else 0,
            moves=solution.moves if solution else 0,
            peak=self.peak,
            strategy=outcome.strategy,
            repeatable=outcome.repeatable,
            optimal=outcome.optimal or "",
            first=round(self.first, 2),
        )


class Report(NamedTuple):
    """Progress of a search, its best solution so far, and ``given`` and ``first`` as in Answer."""

    progress: Progress
    found: Found | None = None
    given: Solution | None = None
    first: float = 0.0


def search_level(level: Level, request: Request, report: Callable[[Report], object]) -> Answer:
    """Search one level in this process; ``report`` is called four times per second, and for each solution."""
    latest = Report(Progress(request.name))
    clock = request.limits.clock
    began = clock()

    def on_event(event: Progress | Found) -> None:
        nonlocal latest
        if isinstance(event, Found):
            given = latest.given if event.method else event.solution
            latest = Report(latest.progress, event, given, latest.first or clock() - began)
        else:
            latest = latest._replace(progress=event)
        report(latest)

    __, outcome = solve(level.board, level.start, request.search, request.limits, on_event, _REPORT_SECONDS)
    return Answer(outcome, latest.found, latest.given, first=latest.first)


def search_levels(
    searches: Sequence[tuple[Level, Request]],
    jobs: int,
    hear: Callable[[int, Answer], None] = lambda _index, _answer: None,
    *,
    keeps: bool = False,
) -> Generator[Answer, None, None]:
    """Run searches, ``jobs`` at a time, with a status line, and yield the answers in order.

    ``hear`` gets each answer as soon as it is known. Each search has its own process, which ends with this generator.
    If it ``keeps`` what was found, a signal is raised only after every running search has answered.
    """
    latest = [Report(Progress(request.name)) for _, request in searches]
    waiting: dict[int, Answer] = {}
    place = 0
    begun = (Job(index, partial(_searched, *each), tells=True) for index, each in enumerate(searches))
    with Processes(jobs, fresh=True, keeps=keeps) as processes, output.StatusLine() as line:
        for said in processes.run(begun):
            for each in said:
                index = int(each.key)
                with processes.heeded():
                    if isinstance(each, Reported):
                        latest[index] = each.value
                        line.write(_state(searches[index][0], index, len(searches), latest[index].progress))
                        continue
                    line.clear()
                    waiting[index] = each.result if isinstance(each, Done) else _lost(latest[index], each)
                    hear(index, waiting[index])
                    while place in waiting:
                        yield waiting.pop(place)
                        place += 1


def _searched(level: Level, request: Request, tell: Callable[[Report], object]) -> Answer:
    peak_of_lanes = 0

    def report(message: Report) -> None:
        nonlocal peak_of_lanes
        peak_of_lanes = max(peak_of_lanes, message.progress.lanes_memory)
        tell(message)

    answer = search_level(level, request, report)
    return answer._replace(peak=peak_bytes() + peak_of_lanes)


def _state(level: Level, index: int, levels: int, search: Progress) -> str:
    parts = [
        _("level {number} ({index} of {all})", number=level.number, index=index + 1, all=levels),
        search.strategy,
        ngettext("{n} core", "{n} cores", search.cores) if search.cores > 1 else "",
        _("nodes {number:,}", number=search.nodes),
        _("stored {number:,}", number=search.stored),
        _("depth {number}", number=search.depth) if search.depth else "",
        _("bound {number}", number=search.lower_bound) if search.depth else "",
        _("{seconds} s", seconds=number(search.seconds, 1)),
    ]
    return "  ".join(filter(None, parts))


def _lost(latest: Report, lost: Lost) -> Answer:
    outcome = cut_short(latest.progress, latest.found is not None)
    if lost.status == -signal.SIGTERM:  # by a signal to this process
        outcome = outcome._replace(reason=None)
    elif lost.status != _KILLED:  # by the kernel: memory ran out
        raise RuntimeError(f"a search ended without an answer; its process exited with {lost.status}")
    return Answer(outcome, latest.found, latest.given, first=latest.first)


class SearchFlags:
    """The flags of a search."""

    def __init__(self, parser: Parser, default_seconds: float, *, on_all_cores: bool = False) -> None:
        """``on_all_cores``: by default, --cores uses all cores, up to one per search."""
        cores = min(usable_cores(), MOST_CORES) if on_all_cores else 1
        self._values = parser.values
        names, text = tuple(STRATEGIES), ", ".join(STRATEGIES)
        self._strategy = parser.flag("--strategy", parse=str, choices=names, default="auto", metavar="NAME", help=text)
        text = _("beam: states kept per layer (default: {width:,})", width=DEFAULT_CUT.width)
        parser.flag("--width", parse=count, metavar="N", help=text)
        text = _(
            "beam: keep the N greatest of random * exp(-C * f) instead of the N best; C grows to END during the search"
        )
        parser.flag("--anneal", parse=_anneal, metavar="C[:END]", help=text)
        text = _("beam: seed of the random numbers (default: {seed})", seed=DEFAULT_CUT.seed)
        parser.flag("--seed", parse=count, metavar="N", help=text)
        fields = ", ".join(Weights._fields)
        text = _("beam: weights of the terms of f (default: distance=1, all others 0): {names}", names=fields)
        parser.flag("--weights", parse=_weights, metavar="NAME=X,...", help=text)
        text = _("seconds per level (default: {seconds:g})", seconds=default_seconds)
        self._time = parser.flag("--time", parse=seconds, default=default_seconds, metavar="S", help=text)
        memory = _LIMITS.memory // MEGABYTE
        text = _("expanded states per level (default: {value:,})", value=_LIMITS.nodes)
        self._nodes = parser.flag("--nodes", parse=count, metavar="N", help=text)
        text = _("stored states per level (default: {value:,})", value=_LIMITS.states)
        self._states = parser.flag("--states", parse=count, default=_LIMITS.states, metavar="N", help=text)
        text = _("memory of all processes per level (default: {value:,})", value=memory)
        self._memory = parser.flag("--memory", parse=count, default=memory, metavar="MB", help=text)
        text = _(
            "simultaneous searches per level, each in its own process; only 1 gives the same answer every time "
            "(default: 1)"
        )
        if cores > 1:
            text = _(
                "simultaneous searches per level, each in its own process; only 1 gives the same answer every time "
                "(default: all cores, at most {most}; 1 with {flags})",
                most=MOST_CORES,
                flags=joined(_ONE_CORE_FLAGS),
            )
        self.cores = parser.flag("--cores", parse=count_up_to(MOST_CORES), metavar="N", help=text)
        self._default_cores = cores
        # No defaults: the number of cores depends on whether --nodes and --jobs are given.
        self.jobs = parser.jobs(None)

    @property
    def limits(self) -> Limits:
        nodes = self._nodes.value or _LIMITS.nodes
        return Limits(self._time.value, nodes, self._states.value, monotonic, self._memory.value * MEGABYTE)

    @property
    def cut(self) -> Cut:
        """The cut of the beam search; raises InputError for other strategies and for flags without effect."""
        given = {name: value for name in Cut._fields if (value := getattr(self._values, name)) is not None}
        if given and self._strategy.value != "beam":
            problem = N_("{flag} requires --strategy beam, not {strategy}")
            raise output.InputError(_(problem, flag=f"--{next(iter(given))}", strategy=self._strategy.value))
        if "seed" in given and "anneal" not in given:
            raise output.InputError(_("--seed has no effect without --anneal"))
        return DEFAULT_CUT._replace(**given)

    def check_applies(self, levels: Iterable[Level]) -> None:
        """Raise InputError if the strategy does not support the kind of one of the levels."""
        strategy = STRATEGIES[self._strategy.value]
        level = next((level for level in levels if not strategy.applies(level.board)), None)
        if level is not None:
            names = ", ".join(name for name, each in STRATEGIES.items() if each.applies(level.board))
            problem = N_("{problem}; for level {number}, use one of {names}")
            raise output.InputError(_(problem, problem=strategy.why_not, number=level.number, names=names))

    def request(
        self, optimal: str | None = None, line: MoveLine | None = None, *, on_one_core: bool = False
    ) -> Request:
        """Make the search: proving the fewest (InputError if the strategy cannot), or continuing from ``line``."""
        cut, name, limits = self.cut, self._strategy.value, self.limits
        cores = 1 if on_one_core else self._cores(optimal, line)
        if line is not None:
            strategy = cut if name == "beam" else STRATEGIES[name]
            return Request(name, partial(from_line.search, line=line, strategy=strategy), limits)
        if cut != DEFAULT_CUT and optimal is None:
            return Request(name, partial(beam.search, cut=cut), limits)
        if cores > 1:
            return Request(name, partial(lanes.search, cores=Cores(cores, lane_command())), limits)
        if optimal:
            name = _prover(name, optimal)
        return Request(name, PROVERS[name] if name in PROVERS else STRATEGIES[name], limits)

    def _cores(self, optimal: str | None, line: MoveLine | None) -> int:
        """Return the searches per level; raises InputError for several with a flag that requires one."""
        cores, name = self.cores.value, self._strategy.value
        means_one = (
            ("--optimal", optimal is not None),
            ("--moves", line is not None),
            ("--nodes", self._nodes.value is not None),
            (f"--strategy {name}", name != "auto"),
        )
        flag = next((flag for flag, is_given in means_one if is_given), None)
        if flag is not None and (cores or 1) > 1:
            raise output.InputError(_("{flag} uses one core: leave out --cores {n}", n=cores, flag=flag))
        if cores is not None:
            return cores
        return 1 if flag is not None or self.jobs.value is not None else self._default_cores


_coldness = positive(N_("found {found!r}, expected a number over 0"))


def _anneal(text: str) -> Anneal:
    first, colon, last = text.partition(":")
    return Anneal(_coldness(first), _coldness(last if colon else first))


def _weights(text: str) -> Weights:
    """Parse weights by name, ``home=2,distance=0.5``; the others keep their defaults. A type for argparse."""
    given: dict[str, float] = {}
    names = ", ".join(Weights._fields)
    for part in text.split(","):
        name, __, found = (each.strip() for each in part.partition("="))
        if name in given:
            problem = _("found {name!r} twice, expected NAME=NUMBER with one of {names}", name=name, names=names)
            raise argparse.ArgumentTypeError(problem)
        if name not in Weights._fields:
            problem = N_("found {found!r}, expected NAME=NUMBER with one of {names}")
            raise argparse.ArgumentTypeError(_(problem, found=part.strip(), names=names))
        try:
            given[name] = float(found)
        except ValueError:
            given[name] = inf
        if not -_MOST_WEIGHT <= given[name] <= _MOST_WEIGHT:
            problem = N_("found {name}={found}, expected a number from -{most:,} to {most:,} (names: {names})")
            raise argparse.ArgumentTypeError(_(problem, name=name, found=found, most=_MOST_WEIGHT, names=names))
    return DEFAULT_WEIGHTS._replace(**given)


def _prover(name: str, optimal: str) -> str:
    """Return the strategy that proves that no solution has fewer; raises InputError."""
    if name == "auto":
        return f"fewest {optimal}"  # a name in PROVERS
    if name not in OPTIMAL[optimal]:
        problem = N_("the strategy {name} does not prove the fewest moves; use {names}")
        if optimal == "pushes":
            problem = N_("the strategy {name} does not prove the fewest pushes; use one of {names}")
        raise output.InputError(_(problem, name=name, names=", ".join(("auto", *OPTIMAL[optimal]))))
    return name


class SearchTotals:
    """Totals of searches, added one by one."""

    def __init__(self, searches: Iterable[SearchFigures] = ()) -> None:
        # By ending and strategy: levels, seconds, nodes, pushes, moves.
        self._sums: dict[tuple[str, str], list[float]] = {}
        for each in searches:
            self.add(each)

    def add(self, figures: SearchFigures) -> None:
        numbers = (1, figures.seconds, figures.nodes, figures.pushes, figures.moves)
        sums = self._sums.setdefault((figures.ending, figures.strategy), [0] * len(numbers))
        sums[:] = map(add, sums, numbers)

    def __str__(self) -> str:
        """A table with a row per ending, below it one per strategy if there are several, and a row for all."""
        rows = []
        for ending, text in endings().items():
            strategies = sorted(strategy for each, strategy in self._sums if each == ending)
            if strategies:
                rows.append(_totals(text, [self._sums[ending, strategy] for strategy in strategies]))
            if len(strategies) > 1:
                rows += [_totals(f"  {strategy}", [self._sums[ending, strategy]]) for strategy in strategies]
        names = (_("result"), _("levels"), _("seconds"), _("nodes"), _("pushes"), _("moves"))
        columns = [output.Column(name, is_text=not index) for index, name in enumerate(names)]
        # Translators: the last row of a table: the totals of all results.
        return "\n".join(output.table_of(columns, [*rows, _totals(_("all"), [*self._sums.values()])]))


def _totals(name: str, sums: Sequence[Sequence[float]]) -> Sequence[str]:
    levels, seconds, nodes, pushes, moves = map(sum, zip(*sums)) if sums else [0] * 5
    return name, number(levels), number(seconds, 2), number(nodes), number(pushes), number(moves)


# Above every figure of an answer.
_MOST = 1 << 63


def searched(level: Level, look: Look, request: Request) -> str:
    """Search a level and return the answer as text: ``Work`` for a cluster."""
    return text_of(level, watched(level, look, request))


def watched(level: Level, look: Look, request: Request) -> Answer:
    """Search a level in a shared process: its memory is measured from now on."""
    limits = request.limits._replace(resident=MemoryGrowth())
    return search_level(level, request._replace(limits=limits), lambda _report: look())


def lost_text(request: Request) -> str:
    """Return the answer for a search that killed every worker, nearly always by running out of memory."""
    return output.json_line(_fields(Answer(cut_short(Progress(request.name), solved=False))))


def text_of(level: Level, answer: Answer) -> str:
    frame = canonical(level)
    start, __ = to_canonical(level, "", frame)
    solutions = {"lurd": answer.solution, "given": answer.given}
    moves = {name: each and to_canonical(level, each.lurd, frame)[1] for name, each in solutions.items()}
    method = answer.found.method if answer.found else ""
    return output.json_line({**_fields(answer), "start": start, **moves, "method": method})


def answer_of(level: Level, text: str) -> Answer:
    """Parse an answer for a level with the hash of the one searched; solutions are replayed.

    Raises ValueError for anything else. A proof that there is no solution is believed unless the level has one.
    """
    match fields := output.object_of(text):
        case {
            "status": str(status),
            "reason": None | str() as reason,
            "optimal": None | str() as optimal,
            "strategy": str(strategy),
            "nodes": int(nodes),
            "stored": int(stored),
            "seconds": int() | float() as seconds,
            "repeatable": bool(repeatable),
            "peak": int(peak),
        } if strategy.isprintable() and all(0 <= each < _MOST for each in (nodes, stored, seconds, peak)):
            outcome = Outcome(
                Status(status),
                strategy,
                None if reason is None else Reason(reason),
                None if optimal is None else Objective(optimal).value,
                *(nodes, stored, seconds, repeatable),
            )
        case _:
            raise ValueError(f"{text!r:.80}")
    frame = canonical(level)
    solution, given = _turned(level, fields, "lurd", frame), _turned(level, fields, "given", frame)
    gave_up = outcome.status is Status.GAVE_UP
    is_solved = solution is not None
    if outcome.status is Status.UNSOLVABLE:
        is_solved = is_solved or any(replay(level, each).solution for each in level.records)
    if gave_up == (reason is None) or not gave_up and is_solved != (outcome.status is Status.SOLVED):
        raise ValueError(f"{text!r:.80}")
    found = Found(solution, str(fields["method"])) if solution is not None else None
    return Answer(outcome, found, given, peak)


def _fields(answer: Answer) -> dict[str, object]:
    outcome = answer.outcome
    return {name: getattr(outcome, name) for name in outcome.__match_args__} | {"peak": answer.peak}


def _turned(level: Level, fields: Mapping[str, object], name: str, frame: Canonical) -> Solution | None:
    match fields:
        case {"start": [int(row), int(column)], "method": str(), **others} if isinstance(lurd := others.get(name), str):
            solution = solution_from_canonical(level, (row, column), lurd, frame)
            if solution is not None:
                return solution
    if fields.get(name) is None:
        return None
    raise ValueError(f"{fields[name]!r:.80}")


def place_key(level: Level) -> str:
    """Return a key for levels of a hash with the player on the same square, which share the shortest solution."""
    frame = canonical(level)
    (row, column), __ = to_canonical(level, "", frame)
    return f"{frame.hash} {row},{column}"
