"""The shared score table in the words of the screens."""

import time

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.slices import Slices
from sokoterm.engine.text import counted
from sokoterm.store.run_score import RunScore
from sokoterm.store.scores import Score, Scores


class ScoreWords:
    """A Scoreboard."""

    def __init__(self, scores: Scores) -> None:
        self._scores = scores

    def facts(self, level: Level) -> Slices[str]:
        """``best on this server 97 pushes by ann 2026-11-22, 230 moves by bob 2026-11-20``."""
        standing = yield from self._scores.standing_slowly(level)
        if standing.by_pushes is None or standing.by_moves is None:
            return ""
        first, second = _name_and_date(standing.by_pushes), _name_and_date(standing.by_moves)
        by = f" by {first}" if first != second else ""
        return f"best on this server {_pushes(standing.by_pushes)}{by}, {_moves(standing.by_moves)} by {second}"

    def verdict(self, level: Level, moves: int, pushes: int) -> Slices[str]:
        """``best on this server: 97 pushes by ann; yours 101``, or moves, where nobody has fewer pushes.

        It is asked for once the solution has been entered; among equals the first one stands in the table.
        """
        standing = yield from self._scores.standing_slowly(level)
        if standing.by_pushes is None or standing.by_moves is None:
            return ""
        if standing.by_pushes.pushes < pushes:
            return f"best on this server: {_pushes(standing.by_pushes)} by {standing.by_pushes.name}; yours {pushes}"
        if standing.by_moves.moves < moves:
            return f"best on this server: {_moves(standing.by_moves)} by {standing.by_moves.name}; yours {moves}"
        if self._scores.name in (standing.by_pushes.name, standing.by_moves.name):
            return "the best on this server"
        return f"as good as the best on this server, by {standing.by_pushes.name}"

    def enter(self, level: Level, solution: Solution) -> None:
        """Enter a solution that was replayed under the player's name."""
        self._scores.enter(level, solution)

    def enter_run(self, run: RunScore) -> None:
        """Enter what a run has come to so far under the player's name."""
        self._scores.record_run(run)

    def runs(self) -> list[RunScore]:
        """The runs of the others: the player's own are known better from his progress."""
        return [run for run in self._scores.runs() if run.name != self._scores.name]

    def close(self) -> None:
        """Nothing more is entered."""
        self._scores.close()


def _pushes(score: Score) -> str:
    return f"{score.pushes} push{'es' if score.pushes != 1 else ''}"


def _moves(score: Score) -> str:
    return counted(score.moves, "move")


def _name_and_date(score: Score) -> str:
    return f"{score.name} {time.strftime('%Y-%m-%d', time.localtime(score.date))}"
