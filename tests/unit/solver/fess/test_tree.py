"""FeatureSearch: pending moves, and moves found again."""

from collections.abc import Generator

import pytest

from sokoterm.engine.bits import Bitboard
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Move, Node, search_farthest
from sokoterm.solver.search import Progress
from tests.unit.solver.fess.test_dead_end_check import Numbers, number_of
from tests.unit.solver.fess.test_fess import finished

ROUND = 101
STEPS = range(2, 9)


class Circle(Numbers):
    """Squares in a circle, on which a box moves on by some steps; the two shortest moves weigh 0."""

    cell_size = 0

    def __init__(self) -> None:
        super().__init__(ROUND)
        self.entered = {0}
        self.weights: list[int] = []

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        yield self.progress()
        if node not in self.expanded:
            self.expanded.append(node)
        here = number_of(node)
        squares = [(here + step) % ROUND for step in STEPS]
        return [self.move(here, square) for square in squares if square not in self.entered]

    def move(self, number: int, other: int) -> Move:
        step = (other - number) % ROUND
        return Move(int(step > 3), (step,), 1 << other, 0, number, other, other)

    def enter(self, move: Move) -> Bitboard:
        is_new = move.square not in self.entered
        self.entered.add(move.square)
        self.weights.append(move.weight)
        return move.boxes if is_new else 0


def begun(circle: Circle, most_waiting: int) -> FeatureSearch:
    tree = FeatureSearch(circle, most_waiting)
    finished(tree.add_root(Move(0, (), 1, 0, 0, 0, 0)))
    return tree


@pytest.mark.parametrize("most_waiting", [1, 3, 100])
def test_every_position_is_met_however_few_moves_are_kept(most_waiting: int) -> None:
    circle = Circle()
    tree = begun(circle, most_waiting)
    longest = 0
    while tree.expanded < ROUND:
        longest = max(longest, *(len(node.moves) for node in circle.expanded))
        assert tree.stored == sum(len(node.moves) for node in circle.expanded)
        finished(tree.step())
    with pytest.raises(ExhaustedError):
        finished(tree.step())
    assert longest == min(most_waiting, len(STEPS))
    assert tree.stored == 0


def test_moves_found_again_do_not_weigh_0() -> None:
    circle = Circle()
    tree = begun(circle, 1)
    (root,) = circle.expanded
    assert [weight for weight, *_ in root.moves] == [0]
    finished(tree.step())
    assert circle.weights == [0]
    assert root.has_more
    assert [weight for weight, *_ in root.moves] == [1]


class Crowd(Numbers):
    """Numbers with moves to the next hundred."""

    def __init__(self) -> None:
        super().__init__(1_000)

    def roots(self) -> Generator[Progress, None, list[Move]]:
        yield self.progress()
        return [self.move(0, 1)]

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        yield self.progress()
        number = number_of(node)
        return [self.move(number, number + more) for more in range(1, 101)]


def test_a_hundred_moves_count_as_a_position_towards_the_effort() -> None:
    for effort in (1, 2, 3, 4, 7, 8):
        assert finished(search_farthest(Crowd(), effort)).depth == (effort - 1) // 2


class Shortcut(Circle):
    """A circle whose last moves turn out to lead to a goal only when they are found again."""

    def __init__(self) -> None:
        super().__init__()
        self.found = 0

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        self.found += 1
        moves = yield from super().moves(node)
        return moves[-1:] if self.found == 2 else moves

    def is_goal(self, move: Move) -> bool:
        return move.square == max(STEPS)


def test_a_goal_among_moves_found_again_ends_the_search() -> None:
    goal = finished(begun(Shortcut(), 1).step())
    assert goal is not None
    assert number_of(goal) == max(STEPS)
