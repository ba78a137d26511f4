"""Answers of searches as text that serves every level of a hash: solutions are in the canonical orientation."""

import json

from sokoterm.commands.support.cluster import Look
from sokoterm.commands.support.output import InputError, json_line
from sokoterm.commands.support.search import Answer, Report, Request, search_level
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, from_canonical_in_slices, to_canonical
from sokoterm.engine.lurd import Solution
from sokoterm.engine.slices import finish
from sokoterm.language import _
from sokoterm.solver.protocol import Found, MemoryGrowth, Outcome, Reason, Status, out_of_memory


def searched(level: Level, look: Look, request: Request) -> str:
    """Search a level and return the answer as text: Work for a cluster."""
    return text_of(level, watched(level, look, request))


def watched(level: Level, look: Look, request: Request) -> Answer:
    """Search a level in a process that does other searches too: its memory counts from now."""

    def report(__: Report) -> None:
        look()

    limits = request.limits._replace(resident=MemoryGrowth())
    return search_level(level, request._replace(limits=limits), report)


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

    Solutions are replayed by the rules; raises InputError for one that does not solve the level.
    """
    fields = json.loads(text)
    frame = canonical(level)
    outcome = Outcome(
        Status(fields["status"]),
        fields["strategy"],
        Reason(fields["reason"]) if fields["reason"] else None,
        *(fields[name] for name in ("optimal", "nodes", "stored", "seconds", "repeatable")),
    )
    lurd = fields.get("lurd")
    found = Found(_turned(level, fields, "lurd", frame), fields["method"]) if lurd is not None else None
    given = _turned(level, fields, "given", frame) if fields.get("given") is not None else None
    return Answer(outcome, found, given, fields["peak"])


def _fields(answer: Answer) -> dict[str, object]:
    outcome = answer.outcome
    return {name: getattr(outcome, name) for name in outcome.__match_args__} | {"peak": answer.peak}


def _turned(level: Level, fields: dict[str, list[int] | str], name: str, frame: Canonical) -> Solution:
    """Return the solution in a field of an answer, transformed to fit a level and replayed."""
    row, column = map(int, fields["start"])
    solution = finish(from_canonical_in_slices(level, (row, column), str(fields[name]), frame))
    if solution is None:
        raise InputError(_("level {number}: a worker found moves that do not solve it", number=level.number))
    return solution


def place_key(level: Level) -> str:
    """Return a key that is equal for levels of a hash whose players stand on the same square of the canonical picture.

    The shortest solution of one is that of the other.
    """
    frame = canonical(level)
    (row, column), __ = to_canonical(level, "", frame)
    return f"{frame.hash} {row},{column}"
