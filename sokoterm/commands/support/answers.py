"""Answers of searches as text that serves every level of a hash: solutions are in the canonical orientation."""

from collections.abc import Mapping

from sokoterm.commands.support.levels import Look
from sokoterm.commands.support.output import json_line, object_of
from sokoterm.commands.support.search import Answer, Request, search_level
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, solution_from_canonical, to_canonical
from sokoterm.engine.lurd import Solution
from sokoterm.engine.record import replay
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.protocol import Found, MemoryGrowth, Outcome, Reason, Status, out_of_memory

# Above every figure of an answer.
_MOST = 1 << 63


def searched(level: Level, look: Look, request: Request) -> str:
    """Search a level and return the answer as text: Work for a cluster."""
    return text_of(level, watched(level, look, request))


def watched(level: Level, look: Look, request: Request) -> Answer:
    """Search a level in a process that does other searches too: its memory counts from now."""
    limits = request.limits._replace(resident=MemoryGrowth())
    return search_level(level, request._replace(limits=limits), lambda _report: look())


def lost_text(request: Request) -> str:
    """Return the answer of a search that cost each worker its life: the cause nearly always is memory."""
    return json_line(_fields(Answer(out_of_memory(request.not_begun(), solved=False))))


def text_of(level: Level, answer: Answer) -> str:
    """Return the answer for a level as text."""
    frame = canonical(level)
    start, __ = to_canonical(level, "", frame)

    def moves(solution: Solution | None) -> str | None:
        return to_canonical(level, solution.lurd, frame)[1] if solution else None

    found = answer.found
    solutions = {
        "start": start,
        "lurd": moves(answer.solution),
        "given": moves(answer.given),
        "method": found.method if found else "",
    }
    return json_line(_fields(answer) | solutions)


def answer_of(level: Level, text: str) -> Answer:
    """Return the answer in a text for a level with the hash of that for which it was made.

    Raises ValueError for any other text: a worker is checked as a file is, and solutions are replayed by the rules.
    A proof that there is no solution is believed, unless one came with the level.
    """
    match fields := object_of(text):
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
    """Return the solution in a field of an answer, if any, transformed to fit a level and replayed."""
    match fields:
        case {"start": [int(row), int(column)], "method": str(), **others} if isinstance(lurd := others.get(name), str):
            solution = solution_from_canonical(level, (row, column), lurd, frame)
            if solution is not None:
                return solution
    if fields.get(name) is None:
        return None
    raise ValueError(f"{fields[name]!r:.80}")


def place_key(level: Level) -> str:
    """Return a key that is equal for levels of a hash whose players stand on the same square of the canonical picture.

    The shortest solution of one is that of the other.
    """
    frame = canonical(level)
    (row, column), __ = to_canonical(level, "", frame)
    return f"{frame.hash} {row},{column}"
