"""The searches in turns: kept ones, their variants, and imagined boards as targets."""

import gc
from collections.abc import Generator, Iterable, Iterator, Sized
from itertools import chain, cycle, islice, repeat
from typing import Any, ClassVar
from weakref import WeakSet

import pytest

from sokoterm.engine.board import Board
from sokoterm.engine.level import Level
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.steps import finish
from sokoterm.solver.common.state_space import Perimeter, Side
from sokoterm.solver.fess import search as fess
from sokoterm.solver.fess.backward_search import BackwardSearch
from sokoterm.solver.fess.plan import PackingPlan, make_plan
from sokoterm.solver.fess.positions import Positions, make_positions
from sokoterm.solver.fess.search import (
    FIRST,
    KEPT,
    OPENING,
    OTHERS,
    SECOND,
    SHARED_EXIT_RULES,
    THIRD,
    Forward,
    RunningSearch,
    SearchSettings,
    SearchVariant,
    Target,
    Turn,
    early_turns,
    rounds,
    turns,
)
from sokoterm.solver.fess.tree import ExhaustedError, Node
from sokoterm.solver.search import Meter, Progress, Status
from sokoterm.store.packs import bundled_packs, open_pack
from tests.present import present
from tests.slow import others_slow
from tests.unit.solver.cases import NO_LIMITS, SEED_CASE, meter_of, run
from tests.unit.solver.exhaustive import can_be_solved, random_levels
from tests.unit.solver.fess.test_fess import positions_of, short_turns, stays_away, tables_of


class KeptSearches(fess.Searches):
    """Searches that can be inspected after the run."""

    latest: "KeptSearches"

    def __init__(self, positions: Positions, solvable: Side, backward: BackwardSearch) -> None:
        super().__init__(positions, solvable, backward)
        self.meter = positions.meter
        self.backward = backward
        KeptSearches.latest = self

    @property
    def stored(self) -> tuple[int, int]:
        """Return the stored counts of the meter and of the trees."""
        forward = sum(started.tree.stored for started in self.kept.values())
        return self.meter.stored, forward + self.backward.stored


def test_dropped_searches_free_what_they_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fess, "Searches", KeptSearches)
    monkeypatch.setattr(fess, "turns", short_turns)
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    plans = WeakSet[PackingPlan]()
    made = 0

    def noted(*some: Any) -> Generator[Progress, None, PackingPlan]:
        nonlocal made
        plan = yield from make_plan(*some)
        plans.add(plan)
        made += 1
        return plan

    monkeypatch.setattr(fess, "make_plan", noted)
    crown = open_pack(bundled_packs()[0]).levels[26]
    assert run("fess", crown)[1].nodes > 30
    by_meter, by_trees = KeptSearches.latest.stored
    assert by_meter == by_trees
    gc.collect()
    assert len(plans) == len(SHARED_EXIT_RULES) < made


def test_kept_searches_continue_where_they_stopped_and_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fess, "Searches", KeptSearches)
    monkeypatch.setattr(fess, "turns", lambda _draw: cycle(Turn(variant, 5) for variant in KEPT))
    monkeypatch.setattr(Forward, "is_goal", lambda *_: False)
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    watched: list[Sized] = []
    monkeypatch.setattr(Meter, "watch", lambda _, table: watched.append(table))
    crown = open_pack(bundled_packs()[0]).levels[26]
    run("fess", crown, NO_LIMITS._replace(nodes=150))
    kept = KeptSearches.latest.kept
    assert kept.keys() == {FIRST, SECOND, THIRD}
    assert min(each.tree.expanded for each in kept.values()) > 40
    for each in kept.values():
        assert sum(table is each.forward.entered for table in watched) == 1


@pytest.mark.parametrize("variant", [FIRST, SECOND, THIRD])
def test_each_kept_search_ends_in_a_solution_or_proof(variant: SearchVariant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fess, "turns", lambda _draw: repeat(Turn(variant, 3)))
    monkeypatch.setattr(BackwardSearch, "turn", stays_away)
    verdicts = set()
    unsolvable = Level.from_xsb("######\n# * .#\n#  @ #\n#$ $ #\n#. # #\n######")
    for level in [*random_levels(2, 50, size=8, boxes=4), unsolvable]:
        if level.start.boxes == level.board.goals:
            continue
        _, outcome = run("fess", level, NO_LIMITS._replace(nodes=20_000))
        expected = Status.SOLVED if can_be_solved(level) else Status.UNSOLVABLE
        assert outcome.status is expected, level.xsb()
        if outcome.nodes > 1:
            verdicts.add(expected)
    assert len(verdicts) == 2


# The variants and their turns

MANY = 200


def first_rounds() -> list[tuple[Turn, ...]]:
    return list(islice(rounds(), MANY))


def test_the_turns_are_those_of_the_opening_and_of_each_round() -> None:
    expected = [*OPENING, *chain(*first_rounds())]
    assert list(islice(turns(), len(expected))) == expected
    assert OPENING[0].variant == FIRST
    # The first variant and the backward search have turns in each.
    assert all({FIRST, None} <= {turn.variant for turn in each} for each in (OPENING, *first_rounds()))


@pytest.mark.parametrize(("more", "turns_before"), [("*", 7), ("$.", 0)])
def test_if_three_of_four_boxes_begin_at_home_the_plans_that_move_few_boxes_come_first(
    more: str, turns_before: int
) -> None:
    level = Level.from_xsb(f"#########\n#@ $ .* #\n# *  {more}  #\n#########")
    first = [turn.variant for turn in early_turns(level.start.boxes, level.board.goals)]
    assert len(first) == turns_before
    assert first[:1] in ([], [FIRST])
    assert all(variant is not None and variant.exit_rule.anywhere for variant in first[1:])
    assert run("fess", level)[0] is not None


def test_kept_variants_have_the_same_share_of_every_round_and_the_third_one_long_turn_first() -> None:
    for variant in KEPT:
        shares = {sum(turn.expansions for turn in each if turn.variant == variant) for each in first_rounds()[1:]}
        assert len(shares) == 1
        assert min(shares) > 0
    first, *later = [turn.expansions for each in first_rounds() for turn in each if turn.variant == THIRD]
    assert len(later) == MANY - 1
    assert first > 5 * max(later)
    assert THIRD not in {turn.variant for turn in OPENING}


def test_one_turn_of_each_round_targets_an_imagined_board_after_the_backward_search_and_no_number_repeats() -> None:
    opening, *later = (
        [turn.variant.imagined for turn in each if turn.variant and turn.variant.imagined is not None]
        for each in (OPENING, *first_rounds())
    )
    assert opening == [0, 0]
    assert {len(numbers) for numbers in later} == {1}
    assert len({0, *(numbers[0] for numbers in later)}) == MANY + 1
    imagined = [turn.variant is not None and turn.variant.imagined is not None for turn in OPENING]
    assert [turn.variant for turn in OPENING].index(None) < imagined.index(True)


def test_each_variant_of_the_table_has_a_turn_and_then_others_are_drawn_none_twice() -> None:
    opening = [turn.variant for turn in OPENING]
    assert [variant for variant in opening if variant in OTHERS] == list(OTHERS)
    each = (turn.variant for turn in chain.from_iterable(rounds()))
    shuffled = (variant for variant in each if variant and variant not in KEPT and variant.imagined is None)
    drawn = list(islice(shuffled, MANY))
    assert not {*KEPT, *OTHERS} & {*drawn}
    known, shuffles = ([each.exit_rule.shuffle for each in some] for some in ((*KEPT, *OTHERS), drawn))
    assert len(shuffles) == len(set(shuffles) - {*known}) == MANY
    for setting in SearchSettings._fields:
        assert len({getattr(each.settings, setting) for each in drawn}) > 1, setting
    assert {(each.exit_rule.pushes, each.exit_rule.anywhere) for each in drawn} == {(1, True), (2, False), (6, False)}


# Imagined boards as targets

# With the box in the door, the player must have come from the left, whatever board is imagined.
TWO_ROOMS = Level.from_xsb("#########\n#   #   #\n#@$ . # #\n#   #   #\n#########")


def backward_search(level: Level) -> BackwardSearch:
    return BackwardSearch(positions_of(tables_of(level.board), level.start))


def test_the_imagined_board_is_the_best_one_met_or_a_drawn_one() -> None:
    home = backward_search(SEED_CASE)
    assert (home.imagined(0), home.imagined(1)) == (None, None)
    assert finish(home.turn(10)) is None
    bests = [tree.best for tree in home.trees if tree.best is not None]
    assert home.imagined(0) == min(bests, key=lambda node: node.standing).boxes
    drawn = {home.imagined(number) for number in range(1, 100)}
    assert len(drawn) > 5
    assert all(each is not None and each.bit_count() == SEED_CASE.start.boxes.bit_count() for each in drawn)
    assert home.imagined(7) == home.imagined(7)


def test_reaching_an_imagined_board_solves_nothing_with_the_player_in_another_region() -> None:
    board, start = TWO_ROOMS.board, TWO_ROOMS.start
    positions = present(finish(make_positions(board, start.boxes, reachable_area(board, start), meter_of(board))))
    for is_imagined in (False, True):
        target = Target(positions, Perimeter().from_goals, is_imagined=is_imagined)
        started = present(finish(target.begin(FIRST)))
        if is_imagined:
            with pytest.raises(ExhaustedError):
                finish(target.go_on(started, 1_000))
        else:
            assert finish(target.go_on(started, 1_000)) is not None


def imagining(monkeypatch: pytest.MonkeyPatch, backwards: int, numbers: Iterable[int], expansions: int) -> list[Board]:
    """Make searches begin with some backward positions and imagined boards; collect the boards targeted."""
    targeted = []

    def recording(board: Board, *others: Any) -> Generator[Progress, None, Positions | None]:
        targeted.append(board)
        return (yield from make_positions(board, *others))

    first = [Turn(None, backwards), *(Turn(FIRST._replace(imagined=number), expansions) for number in numbers)]
    monkeypatch.setattr(fess, "turns", lambda _draw: chain(first, repeat(Turn(FIRST, 10))))
    monkeypatch.setattr(fess, "make_positions", recording)
    return targeted


class TellsReached(Target):
    """A target that notes when an imagined board or a position beyond it is reached."""

    reached: ClassVar[list["TellsReached"]] = []

    def __init__(self, *some: Any, is_imagined: bool) -> None:
        super().__init__(*some, is_imagined=is_imagined)
        self.is_imagined = is_imagined

    def go_on(self, running: RunningSearch, expansions: int) -> Generator[Progress, None, Node | None]:
        end = yield from super().go_on(running, expansions)
        if end is not None and self.is_imagined:
            TellsReached.reached.append(self)
        return end


@pytest.mark.parametrize("count", others_slow((100, 500)))
def test_a_level_is_solved_through_an_imagined_board_only_if_it_has_a_solution(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fess, "Searches", KeptSearches)
    monkeypatch.setattr(fess, "Target", TellsReached)
    monkeypatch.setattr(TellsReached, "reached", [])
    stored: list[int] = []

    def turns(_draw: int) -> Iterator[Turn]:
        yield Turn(None, 1)
        for number in range(3):
            stored[:] = [KeptSearches.latest.meter.stored]
            yield Turn(FIRST._replace(imagined=number), 10)
            assert KeptSearches.latest.meter.stored == stored[0]
        yield from repeat(Turn(FIRST, 10))

    monkeypatch.setattr(fess, "turns", turns)
    for level in random_levels(3, count, size=8, boxes=4):
        if level.start.boxes == level.board.goals:
            continue
        before = len(TellsReached.reached)
        _, outcome = run("fess", level, NO_LIMITS._replace(nodes=300))
        if len(TellsReached.reached) > before:
            assert outcome.stored == stored[0]
        if outcome.status is not Status.GAVE_UP:
            expected = Status.SOLVED if can_be_solved(level) else Status.UNSOLVABLE
            assert outcome.status is expected, level.xsb()
    assert TellsReached.reached


def test_an_unreachable_imagined_board_does_not_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level.from_xsb("#######\n#.  $ #\n#  $ +#\n#######")
    exhausted = []
    go_on = Target.go_on

    def recording(target: Target, *others: Any) -> Generator[Progress, None, Node | None]:
        try:
            return (yield from go_on(target, *others))
        except ExhaustedError:
            exhausted.append(target)
            raise

    monkeypatch.setattr(Target, "go_on", recording)
    imagining(monkeypatch, 1, range(12), 200)
    assert run("fess", level)[1].status is Status.SOLVED
    assert exhausted


def test_no_board_is_imagined_twice_and_never_the_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    targeted = imagining(monkeypatch, 10, [0, 0, *range(100)], 1)
    go_on = Target.go_on

    def ends_nothing(target: Target, *others: Any) -> Generator[Progress, None, None]:
        yield from go_on(target, *others)

    monkeypatch.setattr(Target, "go_on", ends_nothing)
    run("fess", SEED_CASE, NO_LIMITS._replace(nodes=400))
    boards = [board.goals for board in targeted]
    assert len(boards) == len(set(boards)) > 5
    assert boards[0] == SEED_CASE.board.goals
