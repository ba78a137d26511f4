"""FeatureSearch: pending moves, moves found again, and the check that drops dead ends."""

from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial

import pytest

from sokoterm.engine.bits import Bitboard, Square, lowest
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.detector import DeadlockDetector
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.fess import search as fess
from sokoterm.solver.fess.dead_end_check import CheckRound, DeadEndCheck, DeadEndWatch
from sokoterm.solver.fess.tree import ExhaustedError, FeatureSearch, Move, Node, Problem, search_farthest
from sokoterm.solver.search import Progress, Status
from tests.present import present
from tests.slow import others_slow
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, meter_of, run
from tests.unit.solver.exhaustive import can_be_solved, random_levels, solvable, status_without_solution
from tests.unit.solver.fess.test_fess import tables_of
from tests.unit.solver.fess.test_search import KeptSearches


def node_of(board: Board, state: State) -> Node:
    return node_in(state.boxes, reachable_area(board, state))


def node_in(boxes: Bitboard, region: Bitboard) -> Node:
    return Node(None, Move(0, (), boxes, 0, 0, 0, lowest(region)), region)


@pytest.mark.parametrize("positions", [0, 200])
@pytest.mark.parametrize("seed", others_slow(range(3)))
def test_no_solvable_position_is_proven_dead(seed: int, positions: int) -> None:
    proven = by_some_of_its_boxes = 0
    for level in random_levels(seed, 2_000, size=6, boxes=4):
        board, node = level.board, node_of(level.board, level.start)
        if node.boxes == board.goals or DeadlockDetector(board).is_dead(node.boxes, node.region):
            continue
        detector = DeadlockDetector(board)
        dead_ends = DeadEndCheck(detector, meter_of(board))
        dead = finish(dead_ends.prove(node, positions))
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


def test_the_tests_alone_search_nothing_and_no_proof_is_tried_twice() -> None:
    board, node = SEED_CASE.board, node_of(SEED_CASE.board, SEED_CASE.start)
    meter = meter_of(board)
    dead_ends = DeadEndCheck(DeadlockDetector(board), meter)
    at_hand = [dead_ends.at_hand]
    for positions in (0, 50, 50):
        assert finish(dead_ends.prove(node, positions)) == 0
        at_hand.append(dead_ends.at_hand)
    assert at_hand[0] == at_hand[1] > at_hand[2] == at_hand[3]
    assert (meter.nodes, meter.stored) == (0, 0)


def test_a_proof_waits_for_its_budget() -> None:
    board, node = SEED_CASE.board, node_of(SEED_CASE.board, SEED_CASE.start)
    meter = meter_of(board)
    frugal = DeadEndCheck(DeadlockDetector(board), meter, ahead=0)
    assert finish(frugal.prove(node, 50)) is None
    assert frugal.at_hand == 0
    meter.nodes = 1_000
    assert finish(frugal.prove(node, 50)) == 0
    assert 0 < frugal.at_hand < 1_000


class Numbers(Problem):
    """A domain of numbers, each as a single box, with moves from n to 2n and 2n + 1; more is better.

    Every number makes a cell.
    """

    cell_size = 1

    def __init__(self, most: int) -> None:
        super().__init__(tables_of(SEED_CASE.board), meter_of(SEED_CASE.board))
        self._most = most
        self.made: list[Move] = []
        self.expanded: list[Node] = []

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        yield self.meter.progress()
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
    finish(tree.add_root(numbers.move(0, 1)))
    for _ in range(steps):
        finish(tree.step())
    return tree


def exhaust(tree: FeatureSearch) -> None:
    with suppress(ExhaustedError):
        while True:
            finish(tree.step())


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
    finish(tree.discard(lambda node: number_of(node) == 3))
    assert best_number(tree) == max(left)
    assert tree.stored == stored - lost
    numbers.made.clear()
    exhaust(tree)
    assert waiting.keys() & {move.origin for move in numbers.made} == left


def test_nothing_is_left_without_the_root() -> None:
    tree = search_of(Numbers(4_000), 31)
    finish(tree.discard(lambda node: number_of(node) == 1))
    assert (best_number(tree), tree.stored) == (0, 0)
    with pytest.raises(ExhaustedError):
        finish(tree.step())


def test_the_remaining_nodes_are_served_in_order() -> None:
    numbers = Numbers(4_000)
    numbers.cell_size = 0
    tree = search_of(numbers, 200)
    finish(tree.discard(lambda node: number_of(node) % 7 == 3))
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
        yield Numbers(1).meter.progress()
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
        finish(tree.step())
        if tree.best is not best:
            best, since = tree.best, tree.expanded
        for patience, tried in rounds:
            if tree.expanded == since + patience:
                expected.append((best_number(tree), tried))
        finish(watch.look())
    assert check.asked == expected
    assert expected[-1] == (best_number(tree), 50)


def test_after_a_dead_position_the_next_best_is_checked_at_once() -> None:
    tree = search_of(Numbers(4_000), 20)
    highest = best_number(tree)
    check = FakeCheck({highest}, 50)
    watch = DeadEndWatch(check, tree, (CheckRound(0, 0), CheckRound(2, 50)))
    while not check.asked or check.asked[-1] == (highest, 0):
        finish(watch.look())
        finish(tree.step())
        assert best_number(tree) <= highest
    second = best_number(tree)
    assert second < highest
    assert check.asked == [(highest, 0), (highest, 50), (second, 0), (second, 50)]


def test_a_round_without_budget_is_repeated() -> None:
    check = FakeCheck(set(), 0)
    check.is_at_hand = False
    watch = DeadEndWatch(check, search_of(Numbers(4_000), 20), (CheckRound(0, 50), CheckRound(0, 200)))
    for _ in range(2):
        finish(watch.look())
    check.is_at_hand = True
    finish(watch.look())
    assert [tried for _, tried in check.asked] == [50, 50, 50, 200]


@pytest.mark.parametrize("count", others_slow((200, 600)))
def test_a_search_that_drops_dead_nodes_still_finds_solutions(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
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
    for level in random_levels(2, count, size=8, boxes=4):
        before = len(forgotten)
        _, outcome = run("fess", level, NO_LIMITS._replace(nodes=300))
        if len(forgotten) > before:
            expected = Status.SOLVED if can_be_solved(level) else status_without_solution(level)
            assert outcome.status is expected, level.xsb()
            verdicts.add(expected)
            by_meter, by_trees = KeptSearches.latest.stored
            assert by_meter == by_trees
    assert {Status.SOLVED, Status.UNSOLVABLE} <= verdicts


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
        yield self.meter.progress()
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
    finish(tree.add_root(Move(0, (), 1, 0, 0, 0, 0)))
    return tree


@pytest.mark.parametrize("most_waiting", [1, 3, 100])
def test_every_position_is_met_however_few_moves_are_kept(most_waiting: int) -> None:
    circle = Circle()
    tree = begun(circle, most_waiting)
    longest = 0
    while tree.expanded < ROUND:
        longest = max(longest, *(len(node.moves) for node in circle.expanded))
        assert tree.stored == sum(len(node.moves) for node in circle.expanded)
        finish(tree.step())
    with pytest.raises(ExhaustedError):
        finish(tree.step())
    assert longest == min(most_waiting, len(STEPS))
    assert tree.stored == 0


def test_moves_found_again_do_not_weigh_0() -> None:
    circle = Circle()
    tree = begun(circle, 1)
    (root,) = circle.expanded
    assert [weight for weight, *_ in root.moves] == [0]
    finish(tree.step())
    assert circle.weights == [0]
    assert root.has_more
    assert [weight for weight, *_ in root.moves] == [1]


class Crowd(Numbers):
    """Numbers with moves to the next hundred."""

    def roots(self) -> Generator[Progress, None, list[Move]]:
        yield self.meter.progress()
        return [self.move(0, 1)]

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        yield self.meter.progress()
        number = number_of(node)
        return [self.move(number, number + more) for more in range(1, 101)]


def test_a_hundred_moves_count_as_a_position_towards_the_effort() -> None:
    for effort in (1, 2, 3, 4, 7, 8):
        assert finish(search_farthest(Crowd(1_000), effort)).depth == (effort - 1) // 2


class Shortcut(Circle):
    """A circle whose last moves turn out to lead to a goal only when they are found again."""

    found = 0

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        self.found += 1
        moves = yield from super().moves(node)
        return moves[-1:] if self.found == 2 else moves

    def is_goal(self, move: Move) -> bool:
        return move.square == max(STEPS)


def test_a_goal_among_moves_found_again_ends_the_search() -> None:
    goal = present(finish(begun(Shortcut(), 1).step()))
    assert number_of(goal) == max(STEPS)
