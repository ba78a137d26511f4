"""The solutions of a level that the player can have shown: his own best, and those that files brought."""

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.tui.course import Course
from sokoterm.tui.reactions import ShowReplay


def kept_solutions(course: Course, level: Level) -> list[ShowReplay]:
    """The player's best, and then those that files brought."""
    best = course.best(level).by_moves
    kept = [ShowReplay("", best.lurd, f"your best, {figures_of(best)}")] if best else []
    for known in course.all_known(level):
        lurd = known.solution.lurd
        if all(lurd != each.lurd for each in kept):
            kept.append(ShowReplay("", lurd, f"known, {figures_of(known.solution)} ({known.credit})"))
    return kept


def solution_after(course: Course, level: Level, shown: ShowReplay) -> ShowReplay | None:
    """The solution to offer while another one is shown: each in turn; None where there is no other."""
    kept = kept_solutions(course, level)
    place = next((i for i, each in enumerate(kept) if (each.before, each.lurd) == (shown.before, shown.lurd)), -1)
    after = kept[(place + 1) % len(kept)] if kept else None
    return None if after is None or place >= 0 and len(kept) == 1 else after


def solver_solution(before: str, solution: Solution) -> ShowReplay:
    """What the solver found after some moves."""
    return ShowReplay(before, solution.lurd, f"solver, {figures_of(solution)}")


def figures_of(solution: Solution) -> str:
    """``97 moves, 23 pushes``."""
    moves = "1 move" if solution.moves == 1 else f"{solution.moves} moves"
    pushes = "1 push" if solution.pushes == 1 else f"{solution.pushes} pushes"
    return f"{moves}, {pushes}"
