"""The reachable area and the shortest walk, against plain breadth-first search."""

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import Direction, scan
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.reach import find_walk, reachable_area
from sokoterm.engine.rules import step
from tests.unit.engine.drawn import STEPS, Place, levels, picture_of


def distances(level: Level) -> dict[Place, int]:
    """Return the distance of each square from the player, with boxes as obstacles, on the picture itself."""
    picture = picture_of(level.xsb())
    start = next(place for place, cell in picture.items() if cell in "@+")
    found, waiting = {start: 0}, deque([start])
    while waiting:
        row, column = here = waiting.popleft()
        for down, right in STEPS:
            there = row + down, column + right
            if picture.get(there, "#") in " ." and there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


@given(levels)
def test_the_reachable_area_is_what_breadth_first_search_finds(level: Level) -> None:
    area = {level.board.row_column(square) for square in scan(reachable_area(level.board, level.start))}
    assert area == set(distances(level))


@given(levels, st.data())
def test_find_walk_is_a_shortest_walk_without_a_push(level: Level, data: st.DataObject) -> None:
    board = level.board
    known = distances(level)
    target = data.draw(st.integers(0, board.height * board.stride - 1))
    walk = find_walk(board, level.start, target)
    assert (walk is None) == (board.row_column(target) not in known)
    if walk is None:
        return
    assert len(walk) == known[board.row_column(target)]
    state: State | None = level.start
    for direction in walk:
        assert state is not None
        state = step(board, state, direction)
    assert state == State(level.start.boxes, target)


def test_a_walk_to_the_players_own_square_is_empty() -> None:
    level = Level.from_xsb("#####\n#@$.#\n#####")
    assert find_walk(level.board, level.start, level.start.player) == []


def test_a_walk_onto_a_box_or_a_wall_or_behind_a_box_is_none() -> None:
    level = Level.from_xsb("#####\n#@$.#\n#####")
    assert [find_walk(level.board, level.start, level.board.square(1, column)) for column in (0, 2, 3)] == [None] * 3


def test_find_walk_always_returns_the_same_shortest_walk() -> None:
    level = Level.from_xsb("######\n#@   #\n#  $.#\n#    #\n######")
    target = level.board.square(3, 2)
    first = find_walk(level.board, level.start, target)
    assert first is not None
    assert sorted(first) == sorted([Direction.DOWN, Direction.DOWN, Direction.RIGHT])
    assert all(find_walk(level.board, level.start, target) == first for _ in range(3))


def test_a_very_long_walk_is_found_square_by_square() -> None:
    """On a board this large the layers of a walk of so many steps are not kept."""
    side = 301
    walls = "#" * (side - 3)
    rows = [f"#{'':{side - 2}}#", f"#{walls} #", f"#{'':{side - 2}}#", f"# {walls}#"] * (side // 4)
    level = Level.from_xsb("\n".join(["#" * side, *rows[:-1], "#" * side]).replace("   ", "@$.", 1))
    board = level.board
    walk = find_walk(board, level.start._replace(boxes=0), board.square(side - 2, 1))
    assert walk is not None
    assert len(walk) == board.floor.bit_count() - 1
