"""The solutions of a level that the player can have shown: his own best, the solver's, and those that files brought."""

from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import FoundBy, ShowReplay
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution


def kept_solutions(pack_session: PackSession, level: Level) -> list[ShowReplay]:
    """The player's best, the last one that the solver was asked for in this session, and those that files brought."""
    best = pack_session.best(level).by_moves
    offers = [ShowReplay("", best.lurd, FoundBy.PLAYER)] if best else []
    if found := last_found(pack_session, level):
        offers.append(found)
    for known in pack_session.all_known(level):
        offers.append(ShowReplay("", known.solution.lurd, FoundBy.FILE, known.credit))
    kept: list[ShowReplay] = []
    for offer in offers:
        if all(_moves_of(offer) != _moves_of(each) for each in kept):
            kept.append(offer)
    return kept


def solution_after(pack_session: PackSession, level: Level, shown: ShowReplay) -> ShowReplay | None:
    """The solution to offer while another one is shown: each in turn; None where there is no other."""
    kept = kept_solutions(pack_session, level)
    place = next((i for i, each in enumerate(kept) if _moves_of(each) == _moves_of(shown)), -1)
    after = kept[(place + 1) % len(kept)] if kept else None
    return None if after is None or place >= 0 and len(kept) == 1 else after


def last_found(pack_session: PackSession, level: Level) -> ShowReplay | None:
    """What the solver found last of all that it was asked to show."""
    find = next((find for find in reversed(pack_session.finds(level)) if not find.is_hint), None)
    return solver_solution(find.before, find.solution) if find else None


def solver_solution(before: str, solution: Solution) -> ShowReplay:
    """What the solver found after some moves."""
    return ShowReplay(before, solution.lurd, FoundBy.SOLVER)


def _moves_of(replay: ShowReplay) -> str:
    """All moves from the start of the level on."""
    return replay.before + replay.lurd
