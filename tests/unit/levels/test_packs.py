"""The packs that ship: read whole, said in few words, no two levels alike, harder and harder, solved by our solver."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

import pytest

from levels.make.candidates import GROUPS
from levels.make.choose_packs import LEVELS, SIZE, SOLUTIONS, THEMES
from levels.make.variant_packs import PACKS
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.level import RECIPE, Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.engine.steps import Events, finish
from sokoterm.formats.grammar import recipe_of
from sokoterm.formats.registry import parse
from sokoterm.generator.make import making_once
from sokoterm.generator.puzzle import is_direct
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import difficulty
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Found, Limits, Status, solve
from sokoterm.solver.strategies.fewest import search_pushes
from tests.present import present
from tests.slow import slow

# Far less than 30 seconds on the slowest machine.
LIMITS = Limits(seconds=1.0, nodes=200_000, states=2_000_000, clock=lambda: 0.0)
FIRST_STEPS = "first-steps"
CHOSEN = [theme.file.removesuffix(".txt") for theme in THEMES]
TAUGHT: Mapping[str, tuple[str, ...]] = {
    "variants-first-colours": ("colors",),
    "variants-first-ice": ("sliding",),
    "variants-ice-and-colours": ("colors", "sliding"),
}
KINDS = {**TAUGHT, **{pack.name: pack.kinds for pack in PACKS}}


@cache
def pack_of(name: str) -> Pack:
    return parse((LEVELS / f"{name}.txt").read_bytes(), f"{name}.txt")


def levels_of(names: Sequence[str]) -> list[Level]:
    return [level for name in names for level in pack_of(name).levels]


def title_of(level: Level) -> str:
    return level.title


BEGINNERS, ALL_CHOSEN, VARIANTS = levels_of([FIRST_STEPS]), levels_of(CHOSEN), levels_of([*KINDS])


@pytest.mark.parametrize("name", [FIRST_STEPS, *CHOSEN, *KINDS])
def test_a_pack_is_read_whole_and_of_one_kind(name: str) -> None:
    pack = pack_of(name)
    assert pack.errors == ()
    assert pack.author == "the sokoterm project"
    assert pack.size == {FIRST_STEPS: 32, **dict.fromkeys(TAUGHT, 16)}.get(name, SIZE)
    # The line below a list, in a usual window.
    assert len(f"{pack.title}, {pack.size} levels: {pack.comment}") <= 80 or name in CHOSEN
    assert {level.board.kinds for level in pack.levels if level.board.kinds} == (
        {KINDS[name]} if name in KINDS else set()
    )
    assert len({level.title for level in pack.levels}) == pack.size


def test_no_two_levels_are_alike_however_turned_or_named() -> None:
    hashes = [level_hash(level) for level in [*BEGINNERS, *ALL_CHOSEN, *VARIANTS]]
    assert len(set(hashes)) == len(hashes) == 32 + 160 + 168
    assert len({level.title for level in [*BEGINNERS, *ALL_CHOSEN]}) == 32 + 160


@pytest.mark.parametrize(
    "level", [slow(each) if place % 6 else each for place, each in enumerate([*BEGINNERS, *VARIANTS])], ids=title_of
)
def test_a_level_is_solved_by_the_solver(level: Level) -> None:
    solution, outcome = solve(level.board, level.start, STRATEGIES["auto"], LIMITS)
    assert outcome.status is Status.SOLVED
    assert verify(level.board, level.start, present(solution).lurd) == solution


@pytest.mark.long
@pytest.mark.parametrize("level", ALL_CHOSEN, ids=title_of)
def test_a_chosen_level_is_solved_by_the_solver(level: Level) -> None:
    test_a_level_is_solved_by_the_solver(level)


# First steps, and the first steps with colours and on ice


def test_boxes_grow_from_one_to_seven() -> None:
    boxes = [level.boxes for level in BEGINNERS]
    assert (boxes[0], boxes[-1], {*boxes}) == (1, 7, {*range(1, 8)})
    assert all(after - before in (-1, 0, 1) for before, after in pairwise(boxes)), boxes
    assert pack_of(FIRST_STEPS).comment.startswith("For beginners. ")


@pytest.mark.parametrize("level", BEGINNERS, ids=title_of)
def test_a_first_level_says_what_it_teaches_and_is_small(level: Level) -> None:
    assert 0 < len(level.title) <= 30
    assert level.author
    assert 0 < len(level.comment) <= 76
    assert all(" " <= character <= "~" for character in level.title + level.comment)
    assert level.board.width <= 14
    assert level.board.height <= 10
    drawn = "".join(level.rows)
    assert drawn.count("$") + drawn.count("*") == level.boxes
    assert level.start.boxes != level.board.goals


@pytest.mark.parametrize("name", TAUGHT)
def test_each_level_says_what_it_teaches_and_there_are_more_boxes_each_time(name: str) -> None:
    levels = pack_of(name).levels
    assert all(0 < len(level.comment) <= 80 and len(level.title) <= 30 for level in levels)
    boxes = [level.boxes for level in levels]
    assert boxes[0] <= 2 < 3 <= max(boxes)
    assert sum(boxes[:8]) < sum(boxes[8:])


# Packs of made levels

MADE_BY = re.compile(r"seed ([0-9]+), ([0-9]+), ([0-9]+): size ([0-9]+)x([0-9]+), boxes ([0-9]+), nodes ([0-9,]+)")


@pytest.mark.parametrize("name", [*CHOSEN, *(pack.name for pack in PACKS)])
def test_a_pack_grows_harder(name: str) -> None:
    numbers = [recipe_of(level).hard for level in levels_of([name])]
    assert numbers == sorted(map(present, numbers))


def test_each_level_is_solved_by_the_moves_that_were_found_when_it_was_chosen() -> None:
    rows = [line.split("\t") for line in SOLUTIONS.read_text("ascii").splitlines()]
    assert [(file, int(number)) for file, number, _ in rows] == [
        (f"{name}.txt", number) for name in CHOSEN for number in range(1, SIZE + 1)
    ]
    for (file, number, lurd), level in zip(rows, ALL_CHOSEN, strict=True):
        found = verify(level.board, level.start, lurd)
        assert f", {found.pushes} pushes, {found.moves} moves, " in dict(level.metadata)[RECIPE], (file, number)


def test_a_chosen_level_is_a_puzzle() -> None:
    for level in ALL_CHOSEN:
        drawn = "".join(level.rows)
        boxes, goals = (sum(map(drawn.count, signs)) for signs in ("$*", ".*+"))
        assert boxes == goals == level.boxes >= 2, level.title
        assert (level.board.width <= 14, level.board.height <= 12) == (True, True), level.title
        assert FreezeCheck(level.board).find(level.start.boxes) is None, level.title
        assert not finish(is_direct(level.board, level.start)), level.title


@pytest.mark.parametrize(
    "level",
    [slow(each) if place % 4 else each for place, each in enumerate([*BEGINNERS, *ALL_CHOSEN, *VARIANTS][::9])],
    ids=title_of,
)
def test_the_difficulty_of_a_level_is_what_its_recipe_says(level: Level) -> None:
    assert difficulty(figures_of(level)) == recipe_of(level).hard


@pytest.mark.parametrize("level", ALL_CHOSEN[:80:16], ids=title_of)
def test_a_level_is_what_its_seed_makes(level: Level) -> None:
    match = present(MADE_BY.search(dict(level.metadata)[RECIPE]))
    seed, group, number = map(int, match.groups()[:3])
    wish = GROUPS[group - 1][0]
    assert [*map(str, wish[:3]), f"{wish.nodes:,}"] == [*match.groups()[3:]]
    assert present(finish(making_once(wish, Dice.of(seed, group, number)))).level.xsb() == level.xsb()


# Par


def test_every_level_that_ships_has_a_recipe_with_its_par_and_no_comment_gives_it_away() -> None:
    for file in sorted(LEVELS.glob("*.txt")):
        for level in pack_of(file.stem).levels:
            assert recipe_of(level).pushes > 0, (file, level.number)
            assert not re.search("[0-9] pushes", level.comment)


@pytest.mark.parametrize("name", [FIRST_STEPS, *TAUGHT, "variants-forty-on-ice", "one-weekend"])
def test_the_par_of_a_level_is_the_fewest_pushes(name: str) -> None:
    for level in pack_of(name).levels[::5]:
        search = Events(search_pushes(level.board, level.start, LIMITS))
        solutions = [event.solution for event in search if isinstance(event, Found)]
        assert search.result.optimal == "pushes"
        assert solutions[-1].pushes == recipe_of(level).pushes, level.title
