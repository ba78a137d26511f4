"""Generation of levels, one by one and as packs, the same for the same request.

A draft is refined, solved, pruned to its solution, and discarded if it is no puzzle.
"""

import re
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from textwrap import dedent
from typing import NamedTuple

from sokoterm.engine.bits import flood, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import RECIPE, Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution
from sokoterm.engine.steps import Steps, finish
from sokoterm.engine.value import Value
from sokoterm.generator.drafts import Drafts, draw_varied, widened
from sokoterm.generator.puzzle import LIMITS, is_puzzle, solve_by_nodes, squares_used
from sokoterm.generator.recipes import BANDS, LEAST_FLOOR, Band, LevelOrder, Recipe, Wish, order_for
from sokoterm.generator.rooms import room_of
from sokoterm.language import _, boxes_text, listed, ngettext
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.difficulty import Rating
from sokoterm.solver.figures import DifficultyFigures, difficulty

# Drafts tried for a level.
_ATTEMPTS = 12
# Levels generated before the search for one in a band of difficulty is given up.
_ATTEMPTS_IN_BAND = 40
# Nodes of A* after which a level is discarded as too slow to solve.
_SOLVER_NODES = 60_000
_ROUNDS = 4
# Largest distance from the target difficulty of a recipe that is near enough.
_NEAR = 1
BOXES = range(2, 9)
USUAL = Wish(width=9, height=8, boxes=4, nodes=150_000)
VARIED = Wish(width=8, height=8, boxes=3, nodes=2_000)
VARIANTS = {"colors": ("colors",), "sliding": ("sliding",), "both": ("colors", "sliding")}
# These take four minutes and half a gigabyte for a level.
MOST_NODES = 10_000_000
# Distance from a single number that is near enough.
_NEAR_NUMBER = 2
_HARDEST = max(band.most for band in BANDS.values())


class Made(NamedTuple):
    """A generated level with its fewest-pushes solution and its figures."""

    level: Level
    solution: Solution
    figures: DifficultyFigures

    @property
    def difficulty(self) -> int:
        return difficulty(self.figures)

    @property
    def floor(self) -> int:
        """Number of floor squares."""
        return self.level.board.floor.bit_count()

    @property
    def used(self) -> int:
        """Number of floor squares that the solution uses."""
        return _used(self.level, self.solution)

    def in_words(self) -> str:
        """Return the difficulty and the solution's metrics as English text, for files."""
        least = "" if self.figures.is_solved else "at least "
        return f"difficulty {least}{self.difficulty}, {summary(self.level, self.solution)}"


def summary(level: Level, solution: Solution) -> str:
    """Return the metrics of a level's solution and the floor squares it uses, as English text."""
    return (
        f"{solution.pushes} pushes, {solution.moves} moves, "
        f"{solution.box_lines} box lines, {solution.box_changes} box changes, "
        f"{solution.pushing_sessions} pushing sessions, "
        f"{_used(level, solution)} of {level.board.floor.bit_count()} floor squares used"
    )


def _used(level: Level, solution: Solution) -> int:
    return (squares_used(level.board, level.start, solution.lurd) & level.board.floor).bit_count()


def making(order: LevelOrder, dice_of: Callable[[int], Dice], known: Collection[str] = ()) -> Steps[Made | None]:
    """Generate a level for an order, whose hash is not in ``known``; None if no attempt made one.

    After a level that is too easy, the next wish is for a harder one, and vice versa. May be abandoned at any step.
    ``dice_of`` returns the dice of each attempt, numbered from 0.
    """
    place, band = order.first, order.band
    for attempt in range(_ATTEMPTS if band is None else _ATTEMPTS_IN_BAND):
        made = yield from making_once(order.wishes[place], dice_of(attempt))
        if made is None:
            continue
        if band is not None and made.difficulty < band.least:
            place = min(place + 1, len(order.wishes) - 1)
        elif band is not None and made.difficulty > band.most:
            place = max(place - 1, 0)
        elif level_hash(made.level) not in known:
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
        made = yield from making(LevelOrder((recipe.wish,)), partial(dice_of, *recipe.dice, batch), known)
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
        varied = yield from draw_varied(dice, wish)
        return varied and (yield from _made(_cropped(varied.board, varied.start), varied.solution))
    drafts = Drafts(dice, wish.width, wish.height, wish.boxes, wish.nodes)
    draft = yield from drafts.best_room()
    if draft is None:
        return None
    refined = yield from drafts.refined(draft)
    board, start = yield from drafts.pruned(refined)
    return (yield from _finished(board, start.state, dice))


def _cropped(board: Board, start: State) -> Level:
    """Return the level of a start, cropped to the walls around the floor."""
    walls = (
        "".join(" #"[board.walls >> board.square(row, column) & 1] for column in range(board.width)).rstrip()
        for row in range(board.height)
    )
    whole = Level(board, start, tuple(walls))
    picture = whole.picture(start)
    rows = dedent("\n".join(picture)).strip("\n").split("\n")
    top = next(index for index, row in enumerate(picture) if row)
    left = len(picture[top]) - len(rows[0])
    return whole.redrawn(rows, lambda row, column: (row - top, column - left))


def _finished(board: Board, start: State, dice: Dice) -> Steps[Made | None]:
    """Finish the level of a start, pruned to what its solution uses; None if it is no puzzle or too slow to solve."""
    solved = None
    for __ in range(_ROUNDS):
        solved = yield from solve_by_nodes(board, start, _SOLVER_NODES)
        if solved is None:
            return None
        used = squares_used(board, start, solved.solution.lurd)
        if used == board.floor:
            board, solved = yield from widened(board, start, solved, dice)
            break
        board = room_of(used, board.width, board.height, board.goals)
    area = flood(1 << start.player, board.floor & ~start.boxes, board.stride)
    level = _cropped(board, start._replace(player=dice.choice([*scan(area)])))
    if not (yield from is_puzzle(level.board, level.start)):
        return None
    solved = yield from solve_by_nodes(level.board, level.start, _SOLVER_NODES)
    return solved and (yield from _made(level, solved.solution))


def _made(level: Level, solution: Solution) -> Steps[Made]:
    rating = Rating(level)
    for __ in rating.search(LIMITS.seconds, LIMITS.clock):
        yield
    if rating.figures is None:
        raise AssertionError("a rating that did not end")
    return Made(level, solution, rating.figures)


# Packs


Making = Callable[[int, Callable[..., Dice]], Steps[Made | None]]
"""The generation of the level of a number, with what makes the dice of each attempt; None if it has none."""
Batch = Callable[[Making, Sequence[int]], Generator[Made | None, None, None]]
"""A function that makes the levels of some numbers, in order."""


class PackRequest(Value):
    """A pack to make: seed, number of levels, and what each is to have; None where any will do."""

    seed: int = 1
    count: int = 1
    size: tuple[int, int] | None = None
    boxes: int | None = None
    nodes: int | None = None
    difficulty: Band | None = None
    variant: str | None = None

    def make_order(self) -> LevelOrder:
        """Make the order of each level; raises ValueError if no room could hold so many boxes."""
        if self.boxes is not None and self.boxes not in BOXES:
            raise ValueError(
                _("found --boxes {found}, expected {least} to {most}", found=self.boxes, least=BOXES[0], most=BOXES[-1])
            )
        if self.variant is not None and self.difficulty is not None:
            raise ValueError(
                _("found {flag} with {other}, expected one of them", flag="--variant", other="--difficulty")
            )
        usual = USUAL if self.variant is None else VARIED
        order = LevelOrder((usual,)) if self.difficulty is None else order_for(self.difficulty)
        asked = order.with_all(self.asked)
        if not asked.wishes:
            width, height = self.size or (USUAL.width, USUAL.height)
            boxes = self.boxes or min(wish.boxes for wish in order.wishes)
            raise ValueError(
                ngettext(
                    "found --size {size}, expected at least {n} square within its walls for {boxes}",
                    "found --size {size}, expected at least {n} squares within its walls for {boxes}",
                    LEAST_FLOOR * boxes,
                    size=f"{width}x{height}",
                    boxes=boxes_text(boxes),
                )
            )
        kinds = VARIANTS[self.variant] if self.variant is not None else ()
        return asked._replace(wishes=tuple(wish._replace(kinds=kinds) for wish in asked.wishes))

    @property
    def asked(self) -> dict[str, int]:
        """The fields of a wish that are given, by name."""
        width, height = self.size or (None, None)
        fields = {"width": width, "height": height, "boxes": self.boxes, "nodes": self.nodes}
        return {name: value for name, value in fields.items() if value is not None}

    def told(self) -> str:
        """The arguments that make a level again, without seed and number, each after a comma."""
        usual = USUAL if self.variant is None else VARIED
        asked = usual._asdict() | self.asked if self.difficulty is None else self.asked
        parts = [""] if self.difficulty is None else ["", f"difficulty {self.difficulty}"]
        if self.variant is not None:
            parts.append(f"variant {self.variant}")
        if "width" in asked:
            parts.append(f"size {asked['width']}x{asked['height']}")
        return ", ".join(parts + [f"{name} {asked[name]:,}" for name in ("boxes", "nodes") if name in asked])

    @property
    def title(self) -> str:
        return f"Generated {self.seed}"


def band_of(text: str) -> Band:
    """Return the band of a difficulty: a number, a range or a name; raises ValueError."""
    if text in BANDS:
        return BANDS[text]
    ends = [*map(int, text.split("-"))] if re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4})?", text) else [1, 0]
    if ends[0] > ends[-1]:
        problem = _(
            "found {found!r}, expected a number such as 65, a range such as 60-70, or one of {names}",
            found=text,
            names=listed(BANDS),
        )
        raise ValueError(problem)
    if ends[0] > _HARDEST:
        easiest = min(band.least for band in BANDS.values())
        problem = _(
            "found {found!r}, expected a difficulty from {least} to {most}", found=text, least=easiest, most=_HARDEST
        )
        raise ValueError(problem)
    return Band(*ends) if len(ends) > 1 else Band(max(0, ends[0] - _NEAR_NUMBER), ends[0] + _NEAR_NUMBER)


def _one_by_one(numbered: Making, numbers: Sequence[int]) -> Generator[Made | None, None, None]:
    for number in numbers:
        yield finish(numbered(number, Dice.of))


def levels_of(request: PackRequest, known: Collection[str], batch: Batch = _one_by_one) -> Generator[Level, None, None]:
    """Yield the levels in order, each the first of its number that is not ``known`` and not equal to one before.

    Raises ValueError for a number that has no level.
    """
    found = dict.fromkeys(known)
    order = request.make_order()
    made_of = partial(_making, order, request.seed)
    numbers = range(1, request.count + 1)
    with closing(batch(partial(made_of, known), numbers)) as levels:
        for number, made in zip(numbers, levels):
            if made is not None and level_hash(made.level) in found:
                (made,) = batch(partial(made_of, found), [number])
            if made is None:
                problem = _(
                    "level {number} of seed {seed}: {problem}", number=number, seed=request.seed, problem=_missed(order)
                )
                raise ValueError(problem)
            found[level_hash(made.level)] = None
            recipe = f"{made.in_words()}; seed {request.seed}, level {number}{request.told()}"
            title, metadata = f"{request.title}-{number}", ((RECIPE, recipe),)
            yield made.level._replace(title=title, metadata=metadata, number=number)


def _making(
    order: LevelOrder, seed: int, known: Collection[str], number: int, dice_of: Callable[..., Dice]
) -> Steps[Made | None]:
    """Generate a level by the seed and its number alone, so that neither the count nor the jobs change it."""
    return making(order, partial(dice_of, seed, number), known)


def _missed(order: LevelOrder) -> str:
    """Name what was not found, and what may help."""
    if order.band is not None:
        return ngettext(
            "no level of difficulty {band} in {n} attempt: try another difficulty or --seed",
            "no level of difficulty {band} in {n} attempts: try another difficulty or --seed",
            _ATTEMPTS_IN_BAND,
            band=order.band,
        )
    width, height, boxes, *__ = order.wishes[0]
    return ngettext(
        "no level with {n} box in {size} within the limit: try more --nodes or another --size",
        "no level with {n} boxes in {size} within the limit: try more --nodes or another --size",
        boxes,
        size=f"{width}x{height}",
    )
