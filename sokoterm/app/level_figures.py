"""Figures of a level: the player's best, the best known, the proven bound, and the win that has just been made."""

from collections.abc import Iterable
from typing import NamedTuple

from sokoterm.app.deadlock_warning import Question
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.value import Value
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import Strategy


class BestFigures(NamedTuple):
    """The fewest moves and the fewest pushes, maybe of two solutions."""

    moves: int
    pushes: int


class LevelFigures(Value):
    """The player's ``best``, the best ``known`` from files or found, and the pushes that every solution ``needs``.

    ``needs`` is 0 while it is not known. ``optimum`` and ``fewest_moves`` are the proven least numbers of pushes and of
    moves, 0 if none is proven.
    """

    best: BestFigures | None
    known: BestFigures | None
    needs: int
    optimum: int
    fewest_moves: int = 0


class Win(Value):
    """A level that has just been solved by the moves ``lurd``; ``before`` is the player's best until then.

    ``seconds`` were played for it. ``following`` is the next unsolved level, None if the pack is done. ``unsolved`` is
    the number of unsolved levels in the pack; None where there is a later one, or too many levels to count.
    ``is_helped``: the level was never solved without help.
    """

    lurd: str
    moves: int
    pushes: int
    seconds: float
    before: BestFigures | None
    following: int | None
    unsolved: int | None
    is_helped: bool = False

    @property
    def is_new_best(self) -> bool:
        """True if the level was solved before with more moves or more pushes."""
        return self.before is not None and (self.moves < self.before.moves or self.pushes < self.before.pushes)


def fewest_of(solutions: Iterable[Solution | None]) -> BestFigures | None:
    """Return the fewest moves and pushes of some solutions; None without one."""
    known = [solution for solution in solutions if solution is not None]
    if not known:
        return None
    return BestFigures(min(each.moves for each in known), min(each.pushes for each in known))


def figures_of(pack_session: PackSession, level: Level) -> LevelFigures:
    """Return the figures of a level, as far as they are known without waiting."""
    lookups = pack_session.lookups
    best = pack_session.best(level)
    mine = fewest_of((best.by_moves, best.by_pushes))
    known = fewest_of(each.solution for each in lookups.known(level)) if lookups.is_known(level) else None
    if (made := pack_session.find_made(level.number)) is not None:
        return LevelFigures(mine, known, made.par, made.par)
    proven = lookups.proven(level)
    fewest = proven.get(Objective.PUSHES, 0)
    needs = fewest or lookups.needed_pushes(level)
    is_met = needs > 0 and any(each is not None and each.pushes == needs for each in (mine, known))
    return LevelFigures(mine, known, needs, needs if is_met else fewest, proven.get(Objective.MOVES, 0))


def unproven(pack_session: PackSession, level: Level, asked: set[Objective]) -> Question | None:
    """Return what to prove next of a solved level: its fewest pushes, then its fewest moves; None if nothing.

    Those ``asked`` already are not asked again.
    """
    if pack_session.find_made(level.number) is not None:
        return None
    figures = figures_of(pack_session, level)
    known = ((Objective.PUSHES, figures.optimum), (Objective.MOVES, figures.fewest_moves))
    metric = next((metric for metric, fewest in known if not fewest and metric not in asked), None)
    if metric is None:
        return None

    def strategy() -> Strategy:
        from sokoterm.solver.strategies import fewest  # searches, once the first picture is there

        return fewest.search_moves if metric is Objective.MOVES else fewest.search_pushes

    def answer(solution: Solution | None, optimal: str | None) -> None:
        asked.add(metric)
        if solution is not None and optimal == metric:
            pack_session.keep_proven(level, metric, solution)

    return Question((pack_session, level, metric), level.board, level.start, strategy, answer)


def stored_figures(pack_session: PackSession, level: Level) -> LevelFigures:
    """Return the player's figures of a level and the known ones, without any search for what it needs."""
    lookups, best = pack_session.lookups, pack_session.figures(level)
    known = fewest_of(each.solution for each in lookups.known(level)) if lookups.is_known(level) else None
    return LevelFigures(BestFigures(best.moves, best.pushes) if best is not None else None, known, 0, 0)


def win_of(
    pack_session: PackSession, level: Level, solution: Solution, before: BestFigures | None, seconds: float
) -> Win:
    """Return the win of a level whose solution has just been recorded."""
    if pack_session.find_made(level.number) is None:
        pack_session.lookups.needed_pushes(level, waits=True)
    following = pack_session.next_unsolved(level.number)
    is_last = following is not None and following < level.number
    figures = pack_session.figures(level)
    return Win(
        solution.lurd,
        solution.moves,
        solution.pushes,
        seconds,
        before,
        following,
        pack_session.count_unsolved() if is_last else None,
        figures is not None and figures.is_helped,
    )
