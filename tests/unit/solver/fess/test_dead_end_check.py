"""Dead-end check of the best position: its proofs are right, and dead nodes are dropped."""

from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial

import pytest

from sokoterm.engine.bits import Bitboard, Square, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.reach import reachable_area
from sokoterm.solver.fess import search as fess
from sokoterm.solver.fess.dead_end_check import CheckRound, DeadEndCheck, DeadEndWatch
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Move, Node, Problem
from sokoterm.solver.search import Meter, Progress, Status
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, run
from tests.unit.solver.exhaustive import random_levels, solvable, status_without_solution
from tests.unit.solver.fess.test_fess import finished, tables_of
from tests.unit.solver.fess.test_search import KeptSearches


def doubts_of(board: Board) -> DeadEndCheck:
    return DeadEndCheck(DeadlockDetector(board), Meter("fess", board, NO_LIMITS, 1))


def node_of(board: Board, state: State) -> Node:
    return node_in(state.boxes, reachable_area(board, state))


def node_in(boxes: Bitboard, region: Bitboard) -> Node:
    return Node(None, Move(0, (), boxes, 0, 0, 0, lowest(region)), region)


@pytest.mark.parametrize("positions", [0, 200])
@pytest.mark.parametrize("seed", range(3))
def test_no_solvable_position_is_proven_dead(seed: int, positions: int) -> None:
    proven = by_some_of_its_boxes = 0
    for level in random_levels(seed, 2_000, size=6, boxes=4):
        board, node = level.board, node_of(level.board, level.start)
        if node.boxes == board.goals or DeadlockDetector(board).is_dead(node.boxes, node.region):
            continue
        detector = DeadlockDetector(board)
        dead_ends = DeadEndCheck(detector, Meter("fess", board, NO_LIMITS, 1))
        dead = finished(dead_ends.prove(node, positions))
        if not dead:
            continue
        proven += 1
        by_some_of_its_boxes += dead != node.boxes
        assert detector.patterns.find(node.boxes, node.region)
        is_dead = dead_ends.containing(dead, node.region)
        assert is_dead(node)
        for boxes, region in solvable(board):
            assert not detector.patterns.find(boxes, region), level.xsb()
            assert not is_dead(node_in(boxes, region)), level.xsb()
    assert by_some_of_its_boxes < proven
    assert by_some_of_its_boxes


def test_the_tests_alone_search_no_positions_and_count_no_nodes() -> None:
    board, node = SEED_CASE.board, node_of(SEED_CASE.board, SEED_CASE.start)
    meter = Meter("fess", board, NO_LIMITS, 1)
    dead_ends = DeadEndCheck(DeadlockDetector(board), meter)
    at_first = dead_ends.at_hand
    assert finished(dead_ends.prove(node, 0)) == 0
    assert dead_ends.at_hand == at_first
    assert finished(dead_ends.prove(node, 50)) == 0
    assert dead_ends.at_hand < at_first
    assert (meter.nodes, meter.stored) == (0, 0)


def test_a_proof_is_not_tried_twice_and_waits_for_its_budget() -> None:
    board, node = SEED_CASE.board, node_of(SEED_CASE.board, SEED_CASE.start)
    meter = Meter("fess", board, NO_LIMITS, 1)
    dead_ends = DeadEndCheck(DeadlockDetector(board), meter)
    assert finished(dead_ends.prove(node, 50)) == 0
    at_hand = dead_ends.at_hand
    assert finished(dead_ends.prove(node, 50)) == 0
    assert dead_ends.at_hand == at_hand
    frugal = DeadEndCheck(DeadlockDetector(board), meter, ahead=0)
    assert finished(frugal.prove(node, 50)) is None
    assert frugal.at_hand == 0
    meter.nodes = 1_000
    assert finished(frugal.prove(node, 50)) == 0
    assert 0 < frugal.at_hand < 1_000


class Numbers(Problem):
    """A domain of numbers, each as a single box, with moves from n to 2n and 2n + 1; more is better.

    Every number makes a cell.
    """

    cell_size = 1

    def __init__(self, most: int) -> None:
        super().__init__(tables_of(SEED_CASE.board), Meter("fess", SEED_CASE.board, NO_LIMITS, 1))
        self._most = most
        self.made: list[Move] = []
        self.expanded: list[Node] = []

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        yield self.progress()
        self.expanded.append(node)
        number = number_of(node)
        return [self.move(number, each) for each in (2 * number, 2 * number + 1) if each <= self._most]

    def move(self, number: int, other: int) -> Move:
        return Move(1, (-other,), 1 << other, 0, number, other, other)

    def enter(self, move: Move) -> Bitboard:
        self.made.append(move)
        return move.boxes

    def is_goal(self, move: Move) -> bool:  # noqa: ARG002 - nothing ends the search
        return False

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:  # noqa: ARG002 - the player is where the box is
        return boxes


def number_of(node: Node) -> int:
    return lowest(node.boxes)


def search_of(numbers: Numbers, steps: int) -> FeatureSearch:
    """Begin the search of a domain and make some steps."""
    tree = FeatureSearch(numbers)
    finished(tree.add_root(numbers.move(0, 1)))
    for _ in range(steps):
        finished(tree.step())
    return tree


def exhaust(tree: FeatureSearch) -> None:
    with suppress(ExhaustedError):
        while True:
            finished(tree.step())


def best_number(tree: FeatureSearch) -> int:
    """Return the number of the best node, 0 if there is none."""
    return 0 if tree.best is None else number_of(tree.best)


def comes_from(number: int, ancestor: int) -> bool:
    while number > ancestor:
        number //= 2
    return number == ancestor


def test_dead_nodes_are_dropped_with_their_descendants() -> None:
    numbers = Numbers(4_000)
    tree = search_of(numbers, 30)
    waiting = {number_of(node): node for node in numbers.expanded if node.moves}
    assert comes_from(best_number(tree), 3)
    left = {number for number in waiting if not comes_from(number, 3)}
    lost = sum(len(node.moves) for number, node in waiting.items() if number not in left)
    assert left
    assert lost
    stored = tree.stored
    finished(tree.discard(lambda node: number_of(node) == 3))
    assert best_number(tree) == max(left)
    assert tree.stored == stored - lost
    numbers.made.clear()
    exhaust(tree)
    assert waiting.keys() & {move.origin for move in numbers.made} == left


def test_nothing_is_left_without_the_root() -> None:
    tree = search_of(Numbers(4_000), 31)
    finished(tree.discard(lambda node: number_of(node) == 1))
    assert (best_number(tree), tree.stored) == (0, 0)
    with pytest.raises(ExhaustedError):
        finished(tree.step())


def test_the_remaining_nodes_are_served_in_order() -> None:
    numbers = Numbers(4_000)
    numbers.cell_size = 0
    tree = search_of(numbers, 200)
    finished(tree.discard(lambda node: number_of(node) % 7 == 3))
    numbers.made.clear()
    exhaust(tree)
    entered = [move.square for move in numbers.made]
    assert len(entered) > 500
    # By weight, which is the depth, then by score.
    assert entered == sorted(entered, key=lambda number: (number.bit_length(), -number))


class FakeCheck(DeadEndCheck):
    """A check that finds some numbers dead once enough positions may be searched, and records the calls."""

    def __init__(self, dead: set[int], positions: int) -> None:
        self._dead = dead
        self._enough = positions
        self.is_at_hand = True
        self.asked: list[tuple[int, int]] = []

    def prove(self, node: Node, positions: int) -> Generator[Progress, None, Bitboard | None]:
        yield Numbers(1).progress()
        self.asked.append((number_of(node), positions))
        if not self.is_at_hand:
            return None
        return node.boxes if number_of(node) in self._dead and positions >= self._enough else 0

    def containing(self, dead: Bitboard, region: Bitboard) -> Callable[[Node], bool]:  # noqa: ARG002
        return lambda node: node.boxes == dead


def test_a_best_position_is_checked_harder_the_longer_it_stays_the_best() -> None:
    rounds = (CheckRound(1, 0), CheckRound(3, 50))
    tree = search_of(Numbers(4_000), 0)
    check = FakeCheck(set(), 0)
    watch = DeadEndWatch(check, tree, rounds)
    best, since, expected = tree.best, tree.expanded, []
    for _ in range(40):
        finished(tree.step())
        if tree.best is not best:
            best, since = tree.best, tree.expanded
        for patience, tried in rounds:
            if tree.expanded == since + patience:
                expected.append((best_number(tree), tried))
        finished(watch.look())
    assert check.asked == expected
    assert expected[-1] == (best_number(tree), 50)


def test_after_a_dead_position_the_next_best_is_checked_at_once() -> None:
    tree = search_of(Numbers(4_000), 20)
    highest = best_number(tree)
    check = FakeCheck({highest}, 50)
    watch = DeadEndWatch(check, tree, (CheckRound(0, 0), CheckRound(2, 50)))
    while not check.asked or check.asked[-1] == (highest, 0):
        finished(watch.look())
        finished(tree.step())
        assert best_number(tree) <= highest
    second = best_number(tree)
    assert second < highest
    assert check.asked == [(highest, 0), (highest, 50), (second, 0), (second, 50)]


def test_a_round_without_budget_is_repeated() -> None:
    check = FakeCheck(set(), 0)
    check.is_at_hand = False
    watch = DeadEndWatch(check, search_of(Numbers(4_000), 20), (CheckRound(0, 50), CheckRound(0, 200)))
    for _ in range(2):
        finished(watch.look())
    check.is_at_hand = True
    finished(watch.look())
    assert [tried for _, tried in check.asked] == [50, 50, 50, 200]


def test_a_search_that_drops_dead_nodes_still_finds_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    soon = (CheckRound(0, 0), CheckRound(0, 50))
    monkeypatch.setattr(fess, "DeadEndWatch", partial(DeadEndWatch, rounds=soon))
    monkeypatch.setattr(fess, "Searches", KeptSearches)
    forgotten: list[FeatureSearch] = []
    discard = FeatureSearch.discard

    def counted(tree: FeatureSearch, is_dead: Callable[[Node], bool]) -> Generator[Progress, None, None]:
        forgotten.append(tree)
        yield from discard(tree, is_dead)

    monkeypatch.setattr(FeatureSearch, "discard", counted)
    verdicts = set()
    for level in random_levels(2, 300, size=8, boxes=4):
        before = len(forgotten)
        _, outcome = run("fess", level, NO_LIMITS._replace(nodes=300))
        if len(forgotten) > before:
            region = reachable_area(level.board, level.start)
            can_be_solved = (level.start.boxes, region) in solvable(level.board)
            assert outcome.status is (Status.SOLVED if can_be_solved else status_without_solution(level)), level.xsb()
            verdicts.add(can_be_solved)
            by_meter, by_trees = KeptSearches.latest.stored
            assert by_meter == by_trees
    assert verdicts == {False, True}
