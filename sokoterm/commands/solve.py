"""``sokoterm solve``: solves levels, and prints the answers or writes them to a file."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing, nullcontext
from functools import partial
from time import time

from sokoterm.commands.support import search
from sokoterm.commands.support.levels import Chosen, GivenMoves, LevelFlags, MovesFlags, Work, several_levels
from sokoterm.commands.support.library import remember, remember_flag
from sokoterm.commands.support.output import InputError, PackTables, complain, json_line
from sokoterm.commands.support.parser import Parser
from sokoterm.commands.support.results import RecordedFlags, RecordedJob, Result, level_in_sok
from sokoterm.engine.deadlock.check import check_of
from sokoterm.engine.level import Level, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution, begins_solved, run_lengths
from sokoterm.language import _, ngettext
from sokoterm.solver.search import Status
from sokoterm.solver.strategies.from_line import MoveLine, read_line
from sokoterm.store.known_levels import KnownSolution, Source
from sokoterm.store.paths import progress_file
from sokoterm.store.progress import ProgressStore, opened_progress
from sokoterm.wording.outcomes import deadlock_reason

_SECONDS = 600.0


class _SolveFlags:
    def __init__(self, parser: Parser) -> None:
        self.levels = LevelFlags(parser)
        text = _("moves to continue from; they need not be right to the end")
        self.moves = MovesFlags(parser, self.levels, text, also="--from")
        self.search = search.SearchFlags(parser, _SECONDS, on_all_cores=True)
        text = _("also prove that no solution has fewer; of equal moves, fewest pushes")
        self.optimal = parser.flag("--optimal", choices=tuple(search.OPTIMAL), help=text)
        self.rle = parser.switch("--rle", help=_("print moves with repeat counts: 2R4D"))
        self.remember = remember_flag(parser, default=False)
        self.json = parser.switch("--json", help=_("print a JSON object for each level"))
        self.recorded = RecordedFlags(parser, self.levels, ".sok")


class _SolveJob(RecordedJob):
    def __init__(self, flags: _SolveFlags, progress: ProgressStore | None) -> None:
        """``progress`` is where to store solutions, if anywhere."""
        self._flags = flags
        self._progress = progress
        self._optimal = flags.optimal.value
        # A cluster worker has one core.
        self.request = flags.search.request(self._optimal, on_one_core=flags.recorded.has_cluster)
        self._totals = search.SearchTotals()
        self._copies = 0
        self._all_solved = True
        has_runs = flags.rle.value and not flags.recorded.writes_sok
        self.form = (" --rle" if has_runs else "") + (" --remember" if progress is not None else "")
        limits = {name: getattr(self.request.limits, name) for name in ("seconds", "nodes", "states", "memory")}
        cut = {name: repr(value) for name, value in flags.search.cut._asdict().items()}
        self.name = "solve " + json_line({"search": self.request.name, "optimal": self._optimal, **limits, "beam": cut})

    def key(self, level: Level) -> str:
        """Return the level hash, with the player's square if the walk to the first push counts."""
        return search.place_key(level) if self._optimal == "moves" else level_hash(level)

    def work(self, chosen: Chosen) -> Work | str:
        """Return the search of a level; raises InputError if the strategy does not support its kind."""
        self._flags.search.check_applies([chosen.level])
        return partial(search.searched, request=self.request)

    def lost(self) -> str:
        return search.lost_text(self.request)

    def result(self, chosen: Chosen, text: str, is_copy: bool) -> Result:
        answer = search.answer_of(chosen.level, text)
        _keep(self._progress, chosen.level, answer)
        figures, solution = answer.figures, answer.solution
        if not self._flags.recorded.writes_sok:
            written = _json(chosen, answer, self._flags.rle.value).encode("ascii") + b"\n"
        elif solution is None:
            written = level_in_sok(chosen, None, status=figures.ending)
        else:
            written = level_in_sok(chosen, Record(f"Solution {solution.moves}/{solution.pushes}", solution.lurd))
        if is_copy:
            figures = figures._replace(seconds=0.0, nodes=0, stored=0)
        return Result(written, json_line([is_copy, *figures]))

    def count(self, figures: str) -> None:
        is_copy, *fields = json.loads(figures)
        found = search.SearchFigures(*fields)
        self._totals.add(found)
        self._copies += is_copy
        self._all_solved &= found.ending == Status.SOLVED and self._optimal in (None, found.optimal)

    @property
    def status(self) -> int:
        return 0 if self._all_solved else 1

    def __str__(self) -> str:
        if not self._copies:
            return str(self._totals)
        copies = ngettext(
            "{n:,} level equal to another, solved once", "{n:,} levels equal to another, solved once", self._copies
        )
        return f"{self._totals}\n\n{copies}"


def _keep(progress: ProgressStore | None, level: Level, answer: search.Answer) -> None:
    """Store the solution as known, if there is one and progress is open."""
    if answer.solution is not None:
        remember(progress, level, KnownSolution(answer.solution, Source.SOLVER.value))


def run(arguments: list[str]) -> int:
    """Print the answer for each level in order, as soon as it is known; return 1 if one is not solved."""
    parser = Parser(
        "solve",
        _("Solve levels without a terminal. Each is solved, proven unsolvable, or given up at a limit."),
        "sokoterm solve levels.txt -l 2-9,14 --jobs 2 --json",
    )
    flags = _SolveFlags(parser)
    parser.parse(arguments)
    if flags.moves.are_given and flags.optimal.value:
        problem = _(
            "--optimal and --moves cannot be combined: a search from given moves may miss the shortest solution"
        )
        raise InputError(problem)
    moves = flags.moves.read()
    others: dict[str, object] = flags.moves.given | {"json": flags.json.value}
    if flags.recorded.has_cluster:
        others |= {"cores": flags.search.cores.value, "jobs": flags.search.jobs.value}
    is_recorded = flags.recorded.are_given(**others)
    path = progress_file(parser.folder)
    with opened_progress(path, time, complain) if flags.remember.value else nullcontext() as progress:
        if not is_recorded:
            return _printed(flags, moves, progress)
        job = _SolveJob(flags, progress)
        return flags.recorded.run(job, job.request.limits.memory, flags.search.jobs.value or 1)


def _printed(flags: _SolveFlags, moves: GivenMoves, progress: ProgressStore | None) -> int:
    """Print the answers, store the solutions if progress is open, and return the exit status."""
    optimal, rle = flags.optimal.value, flags.rle.value
    request = flags.search.request(optimal)
    levels = flags.levels.levels()
    chosen = list(levels)
    flags.search.check_applies(each.level for each in chosen)
    line = None
    if flags.moves.are_given and chosen:
        if len(chosen) > 1:
            raise several_levels(len(chosen), moves.flag)
        level = chosen[0].level
        line = read_line(level.board, level.start, moves.letters(level))
        request = flags.search.request(line=line)
    all_solved = True
    tables = PackTables(search.figures_table(each.level for each in chosen), search.SearchTotals)

    def keep(place: int, answer: search.Answer) -> None:
        _keep(progress, chosen[place].level, answer)

    searches = [(each.level, request) for each in chosen]
    with closing(search.search_levels(searches, flags.search.jobs.value or 1, keep)) as answers:
        for each, answer in zip(chosen, answers):
            if flags.json.value:
                print(_json(each, answer, rle), flush=True)
            else:
                tables.add(each.pack, answer.figures, *answer.figures.row_of(each.level))
                for text in _texts(each.level, answer, rle, line):
                    print(f"       {text}")
                sys.stdout.flush()
            all_solved &= answer.outcome.status is Status.SOLVED and optimal in (None, answer.outcome.optimal)
    tables.end()
    return levels.status or (0 if all_solved else 1)


def _texts(level: Level, answer: search.Answer, rle: bool, line: MoveLine | None) -> Iterator[str]:
    if answer.solution:
        yield _moves(answer.solution, rle)
    if answer.outcome.status is Status.BEGINS_SOLVED:
        yield begins_solved()
    if answer.outcome.status is Status.UNSOLVABLE and (dead := check_of(level.board).find(level.start.boxes)):
        yield _("dead: {reason}", reason=deadlock_reason(dead.kind))
    left_after = answer.found.left_after if answer.found else None
    if left_after is not None and line:
        yield _("found after push {push:,} of the {given:,} given", push=left_after, given=line.pushes)


def _moves(solution: Solution, rle: bool) -> str:
    return run_lengths(solution.lurd) if rle else solution.lurd


def _json(chosen: Chosen, answer: search.Answer, rle: bool) -> str:
    outcome, solution = answer.outcome, answer.solution
    fields = {
        **chosen.place,
        "hash": level_hash(chosen.level),
        "status": outcome.status,
        "reason": outcome.reason,
        "strategy": outcome.strategy,
        "optimal": outcome.optimal,
        "lurd": _moves(solution, rle) if solution else None,
        "moves": solution.moves if solution else None,
        "pushes": solution.pushes if solution else None,
        "nodes": outcome.nodes,
        "stored": outcome.stored,
        "seconds": round(outcome.seconds, 3),
    }
    return json_line(fields)
