"""Doubts about the best position: what they prove is so, and what is proven dead is forgotten."""

from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from sokoterm.engine.battery import Battery
from sokoterm.engine.bits import Bitboard, Square, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.fess import doubt
from sokoterm.solver.fess.doubt import Doubter, Doubts
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Move, Node, Score
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress
from tests.engine.test_battery import come_home
from tests.known import known_solutions, positions
from tests.solver.cases import NO_LIMITS, SEED_CASE
from tests.solver.exhaustive import pushes_to_solve, random_levels, reachable
from tests.solver.test_fess import finished
from tests.solver.test_proof import STUCK


def doubts_of(board: Board) -> Doubts:
    return Doubts(Battery(board), Meter("fess", board, NO_LIMITS, 1))


def node_of(board: Board, state: State) -> Node:
    return Node(None, Move(0, (), state.boxes, reachable_area(board, state), 0, 0, 0))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_proven_dead_is_dead_and_so_are_its_boxes_alone(seed: int) -> None:
    proven = 0
    for level in random_levels(seed, 3_000, size=7, boxes=5):
        board, start = level.board, level.start
        node = node_of(board, start)
        if start.boxes == board.goals or Battery(board).is_dead(node.boxes, node.region):
            continue
        doubts = doubts_of(board)
        dead = finished(doubts.prove(node, 200))
        if dead:
            proven += doubts._proof.positions > 0
            assert start.normalized(board) not in pushes_to_solve(board, reachable(board, start)), level.xsb()
            assert dead == start.boxes or not come_home(board, dead, start.player), level.xsb()
    assert proven, "no level whose boxes had to be tried"


def test_no_position_of_a_sample_of_known_solutions_is_proven_dead(shared: Path) -> None:
    for known in known_solutions(shared)[::60]:
        board = known.level.board
        doubts = doubts_of(board)
        for state in positions(known):
            if state.boxes != board.goals:
                assert not finished(doubts.prove(node_of(board, state), 50)), (known.name, known.level.xsb(state))


def test_without_positions_to_try_there_are_the_tests_alone() -> None:
    level = Level.from_xsb(STUCK)
    doubts = doubts_of(level.board)
    assert finished(doubts.prove(node_of(level.board, level.start), 0))
    assert doubts._proof.positions == 0


def test_a_proof_is_not_sought_twice_nor_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    board, node = SEED_CASE.board, node_of(SEED_CASE.board, SEED_CASE.start)
    doubts = doubts_of(board)
    assert not finished(doubts.prove(node, 50))
    tried = doubts._proof.positions
    assert tried
    assert not finished(doubts.prove(node, 50))
    assert doubts._proof.positions == tried
    monkeypatch.setattr(doubt, "_FIRST_POSITIONS", -1)
    frugal = doubts_of(board)
    assert not finished(frugal.prove(node, 50))
    assert frugal._proof.positions == 0


class Numbers:
    """A domain of numbers, each as a single box: from each the moves to twice as much and to one more; more is better.

    Every number makes a cell.
    """

    cell_size = 1

    def __init__(self, most: int) -> None:
        self._most = most

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        yield self.progress()
        number = number_of(node)
        return [self.move(number, each) for each in (2 * number, 2 * number + 1) if each <= self._most]

    def move(self, number: int, other: int) -> Move:
        return Move(1, (-other,), 1 << other, 1 << other, 0, number, other)

    def enters(self, move: Move) -> bool:  # noqa: ARG002 - every number is new
        return True

    def is_goal(self, move: Move) -> bool:  # noqa: ARG002 - nothing ends the search
        return False

    def standing(self, node: Node) -> Score:
        return node.score

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:  # noqa: ARG002 - the player is where the box is
        return boxes

    def progress(self) -> Progress:
        return Meter("fess", SEED_CASE.board, NO_LIMITS, 1).progress()


def number_of(node: Node) -> int:
    return lowest(node.boxes)


def numbers_after(steps: int) -> FeatureSearch:
    numbers = Numbers(4_000)
    tree = FeatureSearch(numbers)
    finished(tree.add_root(numbers.move(0, 1)))
    for _ in range(steps):
        finished(tree.step())
    return tree


def best_number(tree: FeatureSearch) -> int:
    """0 where there is no best node."""
    return 0 if tree.best is None else number_of(tree.best)


def waiting(tree: FeatureSearch) -> set[int]:
    return {number_of(entry[-1]) for heap in tree._cells.values() for entry in heap}


def comes_from(number: int, ancestor: int) -> bool:
    while number > ancestor:
        number //= 2
    return number == ancestor


def test_what_is_dead_is_forgotten_with_all_that_came_of_it() -> None:
    tree = numbers_after(30)
    before = waiting(tree)
    assert comes_from(best_number(tree), 3)
    left = {number for number in before if not comes_from(number, 3)}
    assert left
    assert len(left) < len(before)
    stored = tree.stored
    finished(tree.discard(lambda node: number_of(node) == 3))
    assert waiting(tree) == left
    assert best_number(tree) == max(left)
    assert tree.stored < stored
    finished(tree.step())
    finished(tree.discard(lambda node: number_of(node) == 1))
    assert best_number(tree) == 0
    with pytest.raises(ExhaustedError):
        finished(tree.step())


class Told(Doubts):
    """Doubts that hold some numbers for dead once so many positions may be tried; what they are asked is kept."""

    def __init__(self, dead: set[int], positions: int) -> None:
        self._dead = dead
        self._enough = positions
        self.asked: list[tuple[int, int]] = []

    def prove(self, node: Node, positions: int) -> Generator[Progress, None, Bitboard]:
        yield Numbers(1).progress()
        self.asked.append((number_of(node), positions))
        return node.boxes if number_of(node) in self._dead and positions >= self._enough else 0

    def containing(self, dead: Bitboard, region: Bitboard) -> Callable[[Node], bool]:  # noqa: ARG002
        return lambda node: node.boxes == dead


def test_a_best_position_is_doubted_the_more_the_longer_it_is_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubt, "_ROUNDS", (doubt._Round(1, 0), doubt._Round(3, 50)))
    tree = numbers_after(0)
    told = Told(set(), 0)
    doubter = Doubter(told, tree)
    finished(doubter.look())
    assert told.asked == []
    for _ in range(40):
        best = tree.best
        finished(tree.step())
        finished(doubter.look())
        assert tree.best is not best or told.asked
    longest = best_number(tree)
    assert told.asked[-2:] == [(longest, 0), (longest, 50)]
    assert len(told.asked) == len(set(told.asked))


def test_after_a_dead_position_the_next_best_is_doubted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubt, "_ROUNDS", (doubt._Round(0, 0), doubt._Round(0, 50)))
    tree = numbers_after(9)
    first, second = sorted(waiting(tree))[:-3:-1]
    told = Told({first, second}, 50)
    finished(Doubter(told, tree).look())
    third = max(waiting(tree))
    assert told.asked == [(number, positions) for number in (first, second, third) for positions in (0, 50)]
    assert best_number(tree) == third
