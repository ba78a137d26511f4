"""Replay of the records that came with a level, to check what they claim."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sokoterm.engine.bits import DIRECTIONS, Direction
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level, Record
from sokoterm.engine.lurd import (
    LurdError,
    Solution,
    blocked,
    direction_of,
    measure_played,
    not_home,
    parse_directions,
)
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import Replayer, boxes_away, step
from sokoterm.language import _, moves_text, ngettext

# An element of a ksokoban solution: optionally the column and row to walk to, then letters with their counts.
_ELEMENT = r"(?:([0-9]{1,6})-([0-9]{1,6}))?((?:[lurdLURD][0-9]{1,6})*)"
_LETTER_AND_COUNT = r"([lurdLURD])([0-9]+)"


# Each walk is searched on the whole floor, which takes half a microsecond per square.
_MOST_SQUARES = 10_000_000


class ReplayedRecord(NamedTuple):
    """The moves of a record in the right case, as far as they could be played.

    ``solution`` ends at the first position solved by a push; if there is none, ``problem`` says why.
    """

    lurd: str
    solution: Solution | None
    problem: str


def replay(level: Level, record: Record) -> ReplayedRecord:
    """Play a record from the start of its level: LURD, or the walks and counts of ksokoban.

    ``*``, which marks the position last on screen, is ignored.  Moves of the reverse mode (jumps in brackets) and of
    several players (changes in braces) are not played.
    """
    directions, unread = _directions(level.board, level.start, record.moves)
    replayer = Replayer(level.board, level.start)
    lurd = replayer.take(directions, to_solution=True)
    if replayer.is_solved and replayer.pushed:
        return ReplayedRecord(lurd, measure_played(lurd, replayer.pushed, replayer.landings), "")
    error = blocked(len(lurd), directions[len(lurd)]) if len(lurd) < len(directions) else unread
    return ReplayedRecord(lurd, None, str(error) if error is not None else _unsolved(level, replayer.state, len(lurd)))


def _unsolved(level: Level, end: State, moves: int) -> str:
    """Return the problem of moves that could all be played and solve nothing."""
    left = boxes_away(level.board, end).bit_count()
    if not left:
        return _("no box was pushed")
    if level.board.colors:
        return ngettext(
            "{left} of {n} boxes not on a goal of their colour after {moves}",
            "{left} of {n} boxes not on a goal of their colour after {moves}",
            level.boxes,
            left=left,
            moves=moves_text(moves),
        )
    return not_home(left, level.boxes, moves)


def steps_of(board: Board, start: State, moves: str) -> list[Direction]:
    """Return the steps that the moves of a record are from a position; raises LurdError for what cannot be read.

    Walks end at a step that is blocked, which is the last one.
    """
    directions, error = _directions(board, start, moves)
    if error is not None:
        raise error
    return [DIRECTIONS[direction] for direction in directions]


def _directions(board: Board, start: State, moves: str) -> tuple[bytes, LurdError | None]:
    """Return the directions of the moves of a record, up to what cannot be read, and the error for that."""
    directions = bytearray()
    try:
        if not set("[]{}").isdisjoint(moves):
            raise LurdError(_("moves of the reverse mode or of several players are kept, not played"), 1)
        moves = moves.replace("*", "")
        # ksokoban puts counts after the letters, LURD before them.
        if "-" in moves or "," in moves or moves[-1:].isdecimal() and not moves[0].isdecimal():
            for direction in _walks_and_counts(board, start, moves):
                directions.append(direction)
        else:
            directions += parse_directions(moves)
    except LurdError as error:
        return bytes(directions), error
    return bytes(directions), None


def _walks_and_counts(board: Board, state: State, moves: str) -> Iterator[Direction]:
    most = _MOST_SQUARES // board.floor.bit_count()
    for number, element in enumerate(moves.split(","), start=1):
        if number > most:
            problem = ngettext(
                "found over {n:,} walk on a board of this size, expected fewer",
                "found over {n:,} walks on a board of this size, expected fewer",
                most,
            )
            raise LurdError(problem, number)
        match = re.fullmatch(_ELEMENT, element)
        if match is None:
            problem = _("found {found!r}, expected walks and counts such as 4-2l2 between commas", found=element[:20])
            raise LurdError(problem, number)
        column, row, letters = match.groups()
        if column is not None:
            goal = board.square(int(row), int(column)) if int(column) < board.width else -1
            walk = find_walk(board, state, goal)
            if walk is None:
                problem = _(
                    "found a walk to column {column}, row {row} (from 0), which cannot be reached",
                    column=column,
                    row=row,
                )
                raise LurdError(problem, number)
            yield from walk
            state = state._replace(player=goal)
        for each, count in re.findall(_LETTER_AND_COUNT, letters):
            for __ in range(int(count)):
                yield direction_of(each)
                after = step(board, state, direction_of(each))
                if after is None:
                    return
                state = after
