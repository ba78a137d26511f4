"""Generation of levels, singly and as packs; the same request gives the same levels.

A draft is refined, solved, pruned to its solution, and discarded if it is no puzzle.
"""

import re
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from textwrap import dedent
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, around, flood, scan, shift
from sokoterm.engine.board import Board, State, layered, layers_of
from sokoterm.engine.level import RECIPE, Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution
from sokoterm.engine.rules import legal_pushes, push
from sokoterm.engine.steps import Events, Steps
from sokoterm.engine.value import Value
from sokoterm.generator.measure import Measure, measure
from sokoterm.generator.puzzle import (
    LIMITS,
    Farthest,
    FarthestStart,
    SolvedRoom,
    is_puzzle,
    solve_by_nodes,
    squares_used,
)
from sokoterm.generator.recipes import BANDS, LEAST_FLOOR, Band, LevelOrder, Recipe, Wish, order_for
from sokoterm.generator.rooms import (
    draw_goals,
    draw_room,
    find_halls,
    is_connected,
    room_of,
    squares_beside,
    without_blind_ends,
)
from sokoterm.language import _, boxes_text, joined, ngettext
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.common.state_space import solution
from sokoterm.solver.difficulty import Rating
from sokoterm.solver.figures import DifficultyFigures, difficulty

# Searches that the nodes should suffice for, and most rooms and changes tried.
_SEARCHES = 30
_ROOMS = 400
_CHANGES = 2_000
# Floor squares per box, beyond which more of them only add walking.
_MOST_FLOOR = 8
_MOST_INSIDE = 11
# Most squares tried for widening a room, and most squares added.
_TRIED = 14
_GIVEN = 3
# A square is added if the search for fewest pushes then needs at least a quarter more positions.
_MORE = 4
_ENOUGH_MORE = 5
# One level out of ``_IDLE_LEVELS`` may have idle squares, one in ``_IDLE``.
_IDLE = 12
_IDLE_LEVELS = 3


class Draft(NamedTuple):
    """Room with goals and the best start found in it."""

    board: Board
    start: FarthestStart


class Drafts:
    """Drafts with a given size and number of boxes; ``nodes`` is the remaining budget."""

    def __init__(self, dice: Dice, width: int, height: int, boxes: int, nodes: int) -> None:
        self.nodes = nodes
        self._dice = dice
        self._width, self._height = _fitting(width, height, boxes)
        self._boxes = boxes
        self._nodes_each = max(1, nodes // _SEARCHES)

    def best_room(self) -> Steps[Draft | None]:
        """Draw rooms from templates with a quarter of the nodes; return the best, or None."""
        best: Draft | None = None
        reserve = self.nodes * 3 // 4
        for __ in range(_ROOMS):
            if self.nodes <= reserve:
                break
            yield
            room = draw_room(self._dice, self._width, self._height)
            if not LEAST_FLOOR * self._boxes <= room.floor.bit_count() <= _MOST_FLOOR * self._boxes + _MOST_FLOOR:
                continue
            goals = draw_goals(self._dice, room, self._boxes)
            best = yield from self._better(best, room._replace(goals=goals))
        return best

    def refined(self, draft: Draft) -> Steps[Draft]:
        """Return the draft after all random changes that did not make it worse, until the nodes are used up."""
        for __ in range(_CHANGES):
            if self.nodes <= 0:
                break
            yield
            board = self._changed(draft.board)
            if board is not None:
                draft = (yield from self._better(draft, board)) or draft
        return draft

    def pruned(self, draft: Draft) -> Steps[Draft]:
        """Return the draft with walls on squares that its solution does not use, unless that makes it worse."""
        board, start = draft
        used = squares_used(board, start.state, solution(board, start.state, start.trail).lurd)
        if used == board.floor:
            return draft
        better = yield from self._better(draft, room_of(used, self._width, self._height, board.goals))
        return better or draft

    def _better(self, best: Draft | None, board: Board) -> Steps[Draft | None]:
        """Return the better of a draft and another board; the board if the scores are equal."""
        if board.goals.bit_count() < self._boxes:
            return best
        search = Farthest(board)
        start = yield from search.run(self._nodes_each)
        self.nodes -= search.nodes + 1
        if start is None or best is not None and start.score < best.start.score:
            return best
        return Draft(board, start)

    def _changed(self, board: Board) -> Board | None:
        """Return the board after one or two random changes; None if it is no longer a valid room."""
        floor, goals = board.floor, board.goals
        for __ in range(1 + self._dice.below(2)):
            kind = self._dice.below(3)
            if kind == 0:
                floor |= 1 << self._dice.choice(squares_beside(floor, self._width, self._height) or [*scan(floor)])
            elif kind == 1:
                floor &= ~(1 << self._dice.choice([*scan(floor & ~goals)]))
            else:
                goals &= ~(1 << self._dice.choice([*scan(goals)]))
                goals |= 1 << self._dice.choice([*scan(floor & ~goals)])
        floor = without_blind_ends(floor, board.stride, goals)
        if not is_connected(floor, board.stride) or find_halls(floor, board.stride):
            return None
        return room_of(floor, self._width, self._height, goals)


def _fitting(width: int, height: int, boxes: int) -> tuple[int, int]:
    """Reduce the longer side until the room is no larger than ``boxes`` can fill."""
    most = _MOST_INSIDE * (boxes + 1)
    width, height = min(width, most + 2), min(height, most + 2)  # in one step: a size may have many digits
    while (width - 2) * (height - 2) > most:
        width, height = (width - 1, height) if width >= height else (width, height - 1)
    return width, height


def widened(board: Board, start: State, solved: SolvedRoom, dice: Dice) -> Steps[tuple[Board, SolvedRoom]]:
    """Return the board with a few more squares that make the solution harder to find but no shorter."""
    idle_allowed = board.floor.bit_count() // _IDLE if dice.below(_IDLE_LEVELS) == 0 else 0
    given = 0
    for square in dice.shuffled(squares_beside(board.floor, board.width, board.height))[:_TRIED]:
        floor = board.floor | 1 << square
        if find_halls(floor, board.stride):
            continue
        wider = room_of(floor, board.width, board.height, board.goals)
        tried = yield from solve_by_nodes(wider, start, 10 * solved.nodes + 1_000)
        if tried is None or not _is_better(tried, solved):
            continue
        if (floor & ~squares_used(wider, start, tried.solution.lurd)).bit_count() > idle_allowed:
            continue
        board, solved = wider, tried
        given += 1
        if given == _GIVEN:
            break
    return board, solved


def _is_better(tried: SolvedRoom, solved: SolvedRoom) -> bool:
    """True if pushes, box lines and box changes are no fewer and the search needs enough more positions."""
    longer = tried.solution.pushes >= solved.solution.pushes and tried.solution.box_lines >= solved.solution.box_lines
    changes = tried.solution.box_changes >= solved.solution.box_changes
    return longer and changes and _MORE * tried.nodes >= _ENOUGH_MORE * solved.nodes


# Levels with colours or ice

_VARIED_ROOMS = 40
_LOOKED_AT = 24
# A level with fewer pushes per box is no puzzle: each box must move, and some must move again.
_LEAST_PUSHES = 2


class VariedRoom(NamedTuple):
    """Level in the making: a board with colours or ice, the start, and a solution with fewest pushes."""

    board: Board
    start: State
    solution: Solution


def draw_varied(dice: Dice, wish: Wish) -> Steps[VariedRoom | None]:
    """Draw a room with boxes and search for goals; None if no room drawn gives a puzzle."""
    boxes, has_colors = wish.boxes, "colors" in wish.kinds
    best: tuple[int, VariedRoom] | None = None
    for __ in range(_VARIED_ROOMS):
        yield
        room = draw_room(dice, wish.width, wish.height)
        if room.floor.bit_count() < LEAST_FLOOR * boxes:
            continue
        ice = _draw_ice(dice, room) if "sliding" in wish.kinds else 0
        board = room._replace(colors=(0,) * boxes if has_colors else (), ice=ice)
        start = _draw_start(dice, board, boxes, has_colors=has_colors)
        if start is None:
            continue
        found = yield from _farthest(board, start, wish.nodes)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best[1] if best is not None else None


def _draw_ice(dice: Dice, room: Board) -> Bitboard:
    """Draw the ice: everywhere, or on about half of the floor, in one piece or several."""
    if dice.below(3):
        return room.floor
    seeds = [1 << dice.choice([*scan(room.floor)]) for __ in range(2)]
    ice = seeds[0] | seeds[1]
    while 2 * ice.bit_count() < room.floor.bit_count():
        ice |= 1 << dice.choice([*scan(around(ice, room.stride) & room.floor & ~ice)])
    return ice


def _draw_start(dice: Dice, board: Board, boxes: int, *, has_colors: bool) -> State | None:
    floor = board.floor
    movable = 0
    for offset in board.offsets:
        movable |= floor & shift(floor, offset) & shift(floor, -offset)
    squares = dice.shuffled([*scan(movable)])[:boxes]
    if len(squares) < boxes:
        return None
    placed = sum(1 << square for square in squares)
    colors = _draw_colors(dice, squares) if has_colors else {}
    free = [*scan(floor & ~placed)]
    return State(layered(placed, layers_of(colors, boxes), board.size), dice.choice(free)).normalized(board)


def _draw_colors(dice: Dice, squares: Sequence[Square]) -> dict[Square, int]:
    """Draw a colour for each box; some boxes share one, and one may have none."""
    colors: dict[Square, int] = {}
    for square in squares:
        used = len({*colors.values()})
        if len(squares) > 2 and colors and not dice.below(6):
            continue
        colors[square] = dice.below(used) if used > 1 and not dice.below(4) else used
    return colors


def _farthest(board: Board, start: State, nodes: int) -> Steps[tuple[int, VariedRoom] | None]:
    """Search from a start; return the puzzle with the most valuable goals, and their value."""
    seen = {start}
    order = [start]
    for number, state in enumerate(order):
        if len(order) >= nodes:
            break
        if number % 100 == 0:
            yield
        for each in legal_pushes(board, state):
            after = push(board, state, each)
            if after is not None and (key := after.normalized(board)) not in seen:
                seen.add(key)
                order.append(key)
    best = None
    for state in order[: -_LOOKED_AT - 1 : -1]:
        yield
        found = yield from _puzzle(board, start, state.boxes, nodes)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best


def _puzzle(board: Board, start: State, boxes: Bitboard, nodes: int) -> Steps[tuple[int, VariedRoom] | None]:
    """Return the level with goals where these boxes are, none on a starting square, and its value, or None."""
    level = board._replace(goals=boxes & board.floor, colors=tuple(board.boxes_by_layer(boxes)[1:]))
    if start.boxes & level.goals:
        return None
    solved = yield from solve_by_nodes(level, start, nodes)
    if solved is None or solved.solution.pushes < _LEAST_PUSHES * level.goals.bit_count():
        return None
    solution = solved.solution
    return 2 * solution.box_changes + solution.pushes, VariedRoom(level, start, solution)


# Drafts tried for a level.
_ATTEMPTS = 12
# Levels generated before the search for one in a band of difficulty is given up.
_ATTEMPTS_IN_BAND = 40
# Nodes of A* after which a level is discarded as too slow to solve.
_SOLVER_NODES = 60_000
_ROUNDS = 4
# Distance from the target difficulty of a recipe that is near enough.
_NEAR = 1
BOXES = range(2, 9)
USUAL = Wish(width=9, height=8, boxes=4, nodes=150_000)
VARIED = Wish(width=8, height=8, boxes=3, nodes=2_000)
VARIANTS = {"colors": ("colors",), "sliding": ("sliding",), "both": ("colors", "sliding")}
# This takes four minutes and half a gigabyte per level.
MOST_NODES = 10_000_000
# Distance from a single number that is near enough.
_NEAR_NUMBER = 2
_HARDEST = max(band.most for band in BANDS.values())


class Made(NamedTuple):
    """Generated level with its fewest-pushes solution, its figures, and the measure by which recipes choose."""

    level: Level
    solution: Solution
    figures: DifficultyFigures
    measure: Measure

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
        """Return the difficulty and the solution's metrics as English text for files."""
        least = "" if self.figures.is_solved else "at least "
        return f"difficulty {least}{self.difficulty}, {summary(self.level, self.solution)}"


def summary(level: Level, solution: Solution) -> str:
    """Return the metrics of a level's solution, and the floor squares it uses, as English text."""
    return (
        f"{solution.pushes} pushes, {solution.moves} moves, "
        f"{solution.box_lines} box lines, {solution.box_changes} box changes, "
        f"{solution.pushing_sessions} pushing sessions, "
        f"{_used(level, solution)} of {level.board.floor.bit_count()} floor squares used"
    )


def _used(level: Level, solution: Solution) -> int:
    return (squares_used(level.board, level.start, solution.lurd) & level.board.floor).bit_count()


def making(order: LevelOrder, dice_of: Callable[[int], Dice], known: Collection[str] = ()) -> Steps[Made | None]:
    """Generate a level for an order, with a hash not in ``known``; None if no attempt made one.

    After a level that is too easy, the next wish is for a harder one, and vice versa.  May be abandoned at any step.
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
    """Generate the level of a recipe with its title: the first near enough to the target difficulty, or the nearest.

    May be abandoned at any step; run to the end, it always returns a level with a hash not in ``known``.  ``dice_of``
    returns the dice of each attempt by its numbers, for callers that count attempts.
    """
    best: Made | None = None
    nearest = 0
    for batch in count():
        made = yield from making(LevelOrder((recipe.wish,)), partial(dice_of, *recipe.dice, batch), known)
        if made is not None:
            distance = abs(made.measure.number - recipe.difficulty)
            if best is None or distance < nearest:
                best, nearest = made, distance
        if best is not None and (nearest <= _NEAR or batch + 1 >= recipe.tries):
            break
    assert best is not None
    return best._replace(level=best.level.replace(title=recipe.title))


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
    assert rating.figures is not None
    measuring = Events(measure(rating, rating.figures))
    for __ in measuring:
        yield
    return Made(level, solution, rating.figures, measuring.result)


# Packs
Making = Callable[[int, Callable[..., Dice]], Steps[Made | None]]
"""Generator of the level with a number, given what makes the dice of each attempt; None if there is no level."""
_Batched = Generator[tuple[Made | None] | None, None, None]
Batch = Callable[[Making, Sequence[int]], _Batched]
"""Function that makes the levels with some numbers and yields each in order, and None after each step between."""


class PackRequest(Value):
    """Request for a pack: seed, number of levels, and requirements for each; None accepts anything."""

    seed: int = 1
    count: int = 1
    size: tuple[int, int] | None = None
    boxes: int | None = None
    nodes: int | None = None
    difficulty: Band | None = None
    variant: str | None = None

    def make_order(self) -> LevelOrder:
        """Make the order of each level; raise ValueError if no room could hold this number of boxes."""
        if self.boxes is not None and self.boxes not in BOXES:
            raise ValueError(
                _("found --boxes {found}, expected {least} to {most}", found=self.boxes, least=BOXES[0], most=BOXES[-1])
            )
        if self.variant is not None and self.difficulty is not None:
            raise ValueError(_("{flag} and {other} cannot be combined", flag="--variant", other="--difficulty"))
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
        """Fields of a wish that are given, by name."""
        width, height = self.size or (None, None)
        fields = {"width": width, "height": height, "boxes": self.boxes, "nodes": self.nodes}
        return {name: value for name, value in fields.items() if value is not None}

    def told(self) -> str:
        """Return the arguments that reproduce a level, without seed and number, each after a comma."""
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
    """Return the band of a difficulty: a number, a range or a name; raise ValueError."""
    if text in BANDS:
        return BANDS[text]
    ends = [*map(int, text.split("-"))] if re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4})?", text) else [1, 0]
    if ends[0] > ends[-1]:
        problem = _(
            "found {found!r}, expected a number such as 65, a range such as 60-70, or one of {names}",
            found=text,
            names=joined(BANDS),
        )
        raise ValueError(problem)
    if ends[0] > _HARDEST:
        easiest = min(band.least for band in BANDS.values())
        problem = _(
            "found {found!r}, expected a difficulty from {least} to {most}", found=text, least=easiest, most=_HARDEST
        )
        raise ValueError(problem)
    return Band(*ends) if len(ends) > 1 else Band(max(0, ends[0] - _NEAR_NUMBER), ends[0] + _NEAR_NUMBER)


def one_by_one(numbered: Making, numbers: Sequence[int], dice_of: Callable[..., Dice] = Dice.of) -> _Batched:
    for number in numbers:
        yield ((yield from numbered(number, dice_of)),)


def levels_of(
    request: PackRequest, known: Collection[str], batch: Batch = one_by_one
) -> Generator[Level | None, None, None]:
    """Yield the levels in order, each the first of its number that is not ``known`` or equal to an earlier one.

    Yields None after each step between.  Raises ValueError for a number that has no level.
    """
    found = dict.fromkeys(known)
    order = request.make_order()
    made_of = partial(_making, order, request.seed)
    numbers = range(1, request.count + 1)
    with closing(batch(partial(made_of, known), numbers)) as batched:
        for number in numbers:
            made = yield from _next_of(batched)
            if made is not None and level_hash(made.level) in found:
                made = yield from _next_of(batch(partial(made_of, found), [number]))
            if made is None:
                problem = _(
                    "level {number} of seed {seed}: {problem}", number=number, seed=request.seed, problem=_missed(order)
                )
                raise ValueError(problem)
            found[level_hash(made.level)] = None
            recipe = f"{made.in_words()}; seed {request.seed}, level {number}{request.told()}"
            title, metadata = f"{request.title}-{number}", ((RECIPE, recipe),)
            yield made.level.replace(title=title, metadata=metadata, number=number)


def _next_of(batched: _Batched) -> Steps[Made | None]:
    for step in batched:
        if step is not None:
            return step[0]
        yield
    raise AssertionError("a batch without all its levels")


def _making(
    order: LevelOrder, seed: int, known: Collection[str], number: int, dice_of: Callable[..., Dice]
) -> Steps[Made | None]:
    """Generate a level by the seed and its number only, so that neither the count nor the jobs change it."""
    return making(order, partial(dice_of, seed, number), known)


def _missed(order: LevelOrder) -> str:
    """Describe the level that could not be made, and suggest what may help."""
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
