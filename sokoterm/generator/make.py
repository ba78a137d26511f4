"""Generation of one level: a draft is refined, solved, pruned to its solution, and discarded if it is no puzzle."""

from collections.abc import Callable, Collection
from functools import partial
from itertools import count
from textwrap import dedent
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, flood, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level, level_from_rows, varied
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution
from sokoterm.engine.slices import Steps
from sokoterm.engine.variant import Variant
from sokoterm.generator.puzzle import LIMITS, is_puzzle, solve_by_nodes, squares_used
from sokoterm.generator.recipes import Recipe, Wish
from sokoterm.generator.refine import Drafts, widened
from sokoterm.generator.rooms import room_of
from sokoterm.generator.varied import draw_varied
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.difficulty import Rating
from sokoterm.solver.figures import DifficultyFigures, difficulty

# Drafts tried for a level.
_ATTEMPTS = 12
# Nodes of A* after which a level is discarded as too slow to solve.
_SOLVER_NODES = 60_000
_ROUNDS = 4
# Largest distance from the target difficulty of a recipe that is near enough.
_NEAR = 1


class Made(NamedTuple):
    """A generated level with its fewest-pushes solution and its figures; ``used``: floor squares the solution uses."""

    level: Level
    solution: Solution
    floor: int
    used: int
    figures: DifficultyFigures

    @property
    def difficulty(self) -> int:
        """Difficulty of the level."""
        return difficulty(self.figures)

    def in_words(self) -> str:
        """Return the difficulty and the solution's metrics as English text, for files."""
        least = "" if self.figures.is_solved else "at least "
        return summary(f"{least}{self.difficulty}", self.solution, self.used, self.floor)


def summary(number: str, solution: Solution, used: int, floor: int) -> str:
    """Return a level's difficulty, the metrics of its solution and the floor squares it uses, as English text."""
    return (
        f"difficulty {number}, {solution.pushes} pushes, {solution.moves} moves, "
        f"{solution.box_lines} box lines, {solution.box_changes} box changes, "
        f"{solution.pushing_sessions} pushing sessions, {used} of {floor} floor squares used"
    )


def making(
    wish: Wish, dice_of: Callable[[int], Dice], known: Collection[str] = (), attempts: int = _ATTEMPTS
) -> Steps[Made | None]:
    """Generate a level whose hash is not in ``known``; None if no attempt made one.

    May be abandoned at any step.  ``dice_of`` returns the dice of each attempt, numbered from 0.
    """
    for attempt in range(attempts):
        made = yield from making_once(wish, dice_of(attempt))
        if made is not None and level_hash(made.level) not in known:
            return made
    return None


def made_by(recipe: Recipe, known: Collection[str] = (), dice_of: Callable[..., Dice] = Dice.of) -> Steps[Made]:
    """Generate the level of a recipe, with its title: the first near enough to the target difficulty, else the nearest.

    May be abandoned at any step; run to the end, it always returns a level, whose hash is not in ``known``.
    ``dice_of`` returns the dice of each attempt by its numbers, for callers that count attempts.
    """
    best: Made | None = None
    nearest = 0
    for batch in count():
        made = yield from making(recipe.wish, partial(dice_of, *recipe.dice, batch), known)
        if made is not None:
            distance = abs(made.difficulty - recipe.difficulty)
            if best is None or distance < nearest:
                best, nearest = made, distance
        if best is not None and (nearest <= _NEAR or batch + 1 >= recipe.tries):
            break
    assert best is not None
    return best._replace(level=best.level._replace(title=recipe.title))


def making_once(wish: Wish, dice: Dice) -> Steps[Made | None]:
    """Make one attempt at a level, known or not; None if it failed."""
    if wish.kinds:
        return (yield from _varied(wish, dice))
    drafts = Drafts(dice, wish.width, wish.height, wish.boxes, wish.nodes)
    draft = yield from drafts.best_room()
    if draft is None:
        return None
    refined = yield from drafts.refined(draft)
    board, start = yield from drafts.pruned(refined)
    return (yield from _finished(board, start.state, dice))


def _varied(wish: Wish, dice: Dice) -> Steps[Made | None]:
    """Make one attempt at a level with colours or ice."""
    size, kinds = (wish.width, wish.height), wish.kinds
    room = yield from draw_varied(
        dice, size, wish.boxes, wish.nodes, has_colors="colors" in kinds, slides="sliding" in kinds
    )
    if room is None:
        return None
    board, start, solution = room
    used = squares_used(board, start, solution.lurd) & board.floor
    level = _cropped(board, start)
    figures = yield from _rated(level)
    return Made(level, solution, board.floor.bit_count(), used.bit_count(), figures)


def _cropped(board: Board, start: State) -> Level:
    """Return the level of a board with a variant, without the squares around it."""
    variant = board.variant or Variant()
    plain = level_from_rows(_rows(board, start))
    here, there = board.row_column(start.player), plain.board.row_column(plain.start.player)
    down, right = there[0] - here[0], there[1] - here[1]

    def moved(squares: Bitboard) -> list[Square]:
        places = map(board.row_column, scan(squares & board.floor))
        return [plain.board.square(row + down, column + right) for row, column in places]

    layers = [start.boxes >> (color + 1) * board.size for color in range(len(variant.colors))]
    boxes, goals = (
        {square: color for color, squares in enumerate(some) for square in moved(squares)}
        for some in (layers, variant.colors)
    )
    return varied(plain, boxes, goals, sum(1 << square for square in moved(variant.ice)))


def _finished(board: Board, start: State, dice: Dice) -> Steps[Made | None]:
    """Finish the level of a start, pruned to what its solution uses; None if it is no puzzle or too slow to solve."""
    solved = None
    for _ in range(_ROUNDS):
        solved = yield from solve_by_nodes(board, start, _SOLVER_NODES)
        if solved is None:
            return None
        used = squares_used(board, start, solved.solution.lurd)
        if used == board.floor:
            board, solved = yield from widened(board, start, solved, dice)
            break
        board = room_of(used, board.width, board.height, board.goals)
    area = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    level = level_from_rows(_rows(board, start._replace(player=dice.choice([*scan(area)]))))
    if not (yield from is_puzzle(level.board, level.start)):
        return None
    solved = yield from solve_by_nodes(level.board, level.start, _SOLVER_NODES)
    if solved is None:
        return None
    used = squares_used(level.board, level.start, solved.solution.lurd)
    figures = yield from _rated(level)
    return Made(level, solved.solution, level.board.floor.bit_count(), used.bit_count(), figures)


def _rated(level: Level) -> Steps[DifficultyFigures]:
    """Compute the figures of the level's difficulty."""
    rating = Rating(level)
    for _ in rating.search(level.board, level.start, LIMITS):
        yield
    if rating.figures is None:
        raise AssertionError("a rating that did not end")
    return rating.figures


def _rows(board: Board, start: State) -> list[str]:
    """Return the picture, cropped to the walls around the floor."""
    walls = [
        "".join(" #"[board.walls >> board.square(row, column) & 1] for column in range(board.width)).rstrip()
        for row in range(board.height)
    ]
    return dedent(Level(board, start, tuple(walls)).xsb()).strip("\n").splitlines()
