"""Hypothesis strategies for levels and moves, and pictures as plain dictionaries for brute-force references."""

from hypothesis import assume, reject
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS, Direction, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level, LevelError, varied
from sokoterm.engine.reach import find_walk
from sokoterm.engine.rules import color_at, legal_pushes, push
from tests.unit.engine.plain_variants import PlainGame

Place = tuple[int, int]
Picture = dict[Place, str]

STEPS: tuple[Place, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))  # in the order of Direction

paths = st.lists(st.sampled_from(DIRECTIONS), max_size=60)


def picture_of(text: str) -> Picture:
    """Return the characters of a text by (row, column), from 0."""
    return {(row, column): cell for row, line in enumerate(text.split("\n")) for column, cell in enumerate(line)}


def text_of(picture: Picture) -> str:
    """Return the text of a picture; missing squares are blank."""
    height = 1 + max(row for row, _ in picture)
    width = 1 + max(column for _, column in picture)
    return "\n".join("".join(picture.get((row, column), " ") for column in range(width)) for row in range(height))


def spread(start: Place, free: set[Place]) -> set[Place]:
    """Return the squares of ``free`` connected to ``start``."""
    reached: set[Place] = set()
    waiting = [start] if start in free else []
    while waiting:
        place = waiting.pop()
        if place not in reached:
            reached.add(place)
            waiting.extend(free & {(place[0] + down, place[1] + right) for down, right in STEPS})
    return reached


@st.composite
def pictures(draw: st.DrawFn, smallest: int = 2, cells_drawn: str = "    ##$$..*") -> Picture:
    """Draw a closed board of up to 6 x 6 inner squares, with as many boxes as goals in reach, and decoration."""
    height, width = draw(st.integers(smallest, 6)), draw(st.integers(smallest, 6))
    inner = [(row, column) for row in range(1, height + 1) for column in range(1, width + 1)]
    cells = draw(st.lists(st.sampled_from(cells_drawn), min_size=len(inner), max_size=len(inner)))
    picture = {(row, column): "#" for row in range(height + 2) for column in range(width + 2)}
    picture.update(zip(inner, cells, strict=True))
    player = draw(st.sampled_from(inner))
    picture[player] = draw(st.sampled_from("@+"))
    even_out(picture)
    return picture


def reach_of(picture: Picture) -> set[Place]:
    """Return the squares the player could reach if there were no boxes."""
    player = next(place for place, cell in picture.items() if cell in "@+")
    return spread(player, {place for place, cell in picture.items() if cell != "#"})


def even_out(picture: Picture) -> None:
    """Remove boxes or goals, last first, until as many of each are in reach; reject the draw if none is left."""
    reached = sorted(reach_of(picture))
    without_box, without_goal = {"$": " ", "*": "."}, {".": " ", "*": "$", "+": "@"}
    while True:
        cells = [picture[place] for place in reached]
        surplus = sum(cell in "$*" for cell in cells) - sum(cell in ".*+" for cell in cells)
        if not surplus:
            assume(any(cell in "$*" for cell in cells))
            return
        plainer = without_box if surplus > 0 else without_goal
        place = next(place for place in reversed(reached) if picture[place] in plainer)
        picture[place] = plainer[picture[place]]


levels = pictures().map(lambda picture: Level.from_xsb(text_of(picture)))
roomy_levels = pictures(4, "         #$$..").map(lambda picture: Level.from_xsb(text_of(picture)))


@st.composite
def varied_levels(draw: st.DrawFn, some_levels: st.SearchStrategy[Level] = levels) -> Level:
    """Draw a level with up to three colours and with ice, in any mix, sometimes with ice everywhere."""
    level = draw(some_levels)
    boxes, goals = (list(scan(some)) for some in (level.start.boxes, level.board.goals))
    colors = st.sampled_from((None, 0, 1, 2) if draw(st.booleans()) else (None,))
    ice = draw(st.sampled_from((0, -1)) | st.integers(0, (1 << level.board.size) - 1))
    drawn = [{each: color for each in some if (color := draw(colors)) is not None} for some in (boxes, goals)]
    used = sorted({*drawn[0].values(), *drawn[1].values()})
    of_boxes, of_goals = ({each: used.index(color) for each, color in some.items()} for some in drawn)
    try:
        return varied(level, of_boxes, of_goals, ice)
    except LevelError:
        reject()


def plain_of(level: Level, state: State) -> PlainGame:
    """Return a position in the words of the reference."""
    board = level.board
    places = [board.row_column(square) for square in range(board.size)]

    def those(bits: int) -> list[int]:
        return [square for square in range(board.size) if bits >> square & 1]

    goals = {
        places[square]: next((color for color, some in enumerate(board.colors) if some >> square & 1), None)
        for square in those(board.goals)
    }
    return PlainGame(
        frozenset(places[square] for square in those(board.floor)),
        frozenset(places[square] for square in those(board.ice)),
        goals,
        {places[square]: color_at(board, state.boxes, square) for square in those(state.boxes & board.floor)},
        places[state.player],
    )


def letters(steps: list[Direction]) -> str:
    return "".join(direction.letter for direction in steps)


def elsewhere(level: Level, square: int) -> Level:
    """Return the level with its player on another square."""
    return Level.from_xsb(level.xsb(level.start._replace(player=square)))


@st.composite
def solved_levels(draw: st.DrawFn) -> tuple[Level, str]:
    """Draw a level and moves that solve it: the goals are where the moves leave the boxes."""
    level = draw(roomy_levels)
    board, state, lurd = level.board, level.start, ""
    for pick in draw(st.lists(st.integers(0, 99), min_size=1, max_size=8)):
        pushes = legal_pushes(board, state)
        if not pushes:
            break
        each = pushes[pick % len(pushes)]
        walk = find_walk(board, state, each.box - board.offsets[each.direction])
        after = push(board, state, each)
        assert walk is not None
        assert after is not None
        lurd += letters([*walk, each.direction])
        state = after
    assume(lurd)
    return Level.from_xsb(level.replace(board=board._replace(goals=state.boxes)).xsb()), lurd
