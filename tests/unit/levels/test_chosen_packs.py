"""The packs that were chosen from made levels: all solved, no two alike, none known, none direct, from easy to hard."""

import re
from functools import cache

import pytest

from levels.make.candidates import GROUPS
from levels.make.choose_packs import LEVELS, SIZE, SOLUTIONS, THEMES, Theme
from sokoterm.engine.deadlock.check import FreezeCheck
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.engine.steps import finish
from sokoterm.formats.registry import parse
from sokoterm.generator.make import making_once
from sokoterm.generator.puzzle import is_direct
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import difficulty
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Limits, Status, solve

# Far less than 60 seconds on the slowest machine; the hardest of the levels needs a tenth of it.
LIMITS = Limits(seconds=1.0, nodes=100_000, states=2_000_000, clock=lambda: 0.0)
FIRST_STEPS = parse((LEVELS / "first-steps.txt").read_bytes(), "first-steps.txt")


@cache
def pack(file: str) -> Pack:
    return parse((LEVELS / file).read_bytes(), file)


PLACES = [(theme.file, number) for theme in THEMES for number in range(1, SIZE + 1)]
MADE_BY = re.compile(r"seed ([0-9]+), ([0-9]+), ([0-9]+): size ([0-9]+)x([0-9]+), boxes ([0-9]+), nodes ([0-9,]+)\.")


def level_at(place: tuple[str, int]) -> Level:
    level = pack(place[0]).find_level(place[1])
    assert level is not None
    return level


def told_difficulty(level: Level) -> int:
    match = re.match(r"Difficulty ([0-9]+)\.\n", level.comment)
    assert match is not None
    return int(match[1])


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.title)
def test_a_pack_is_read_whole_and_grows_harder(theme: Theme) -> None:
    found = pack(theme.file)
    assert found.errors == ()
    assert (found.title, found.author, found.size) == (theme.title, "the sokoterm project", SIZE)
    numbers = [*map(told_difficulty, found.levels)]
    assert numbers == sorted(numbers)
    assert theme.band.least <= numbers[0] < numbers[-1] <= theme.band.most


def test_no_two_levels_are_alike_in_any_pack() -> None:
    levels = [*FIRST_STEPS.levels, *map(level_at, PLACES)]
    assert len({*map(level_hash, levels)}) == len(levels) == FIRST_STEPS.size + 160
    assert len({level.title for level in levels}) == len(levels)


def test_each_level_is_solved_by_the_moves_that_were_found_when_it_was_chosen() -> None:
    rows = [line.split("\t") for line in SOLUTIONS.read_text("ascii").splitlines()]
    assert [(file, int(number)) for file, number, _ in rows] == PLACES
    for (file, number, lurd), level in zip(rows, map(level_at, PLACES)):
        found = verify(level.board, level.start, lurd)
        assert f"\n{found.pushes} pushes, {found.moves} moves, " in level.comment, (file, number)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place[0][:6]}-{place[1]}")
def test_a_level_is_a_puzzle(place: tuple[str, int]) -> None:
    level = level_at(place)
    drawn = "".join(level.rows)
    assert drawn.count("$") + drawn.count("*") == drawn.count(".") + drawn.count("*") + drawn.count("+") == level.boxes
    assert level.boxes >= 2
    assert level.board.width <= 14
    assert level.board.height <= 12
    assert FreezeCheck(level.board).find(level.start.boxes) is None
    assert not finish(is_direct(level.board, level.start))


@pytest.mark.parametrize("place", PLACES[::9], ids=lambda place: f"{place[0][:6]}-{place[1]}")
def test_the_difficulty_of_a_level_is_what_its_comment_says(place: tuple[str, int]) -> None:
    level = level_at(place)
    assert difficulty(figures_of(level)) == told_difficulty(level)


@pytest.mark.parametrize("place", PLACES[:80:16], ids=lambda place: f"{place[0][:6]}-{place[1]}")
def test_a_level_is_what_its_seed_makes(place: tuple[str, int]) -> None:
    level = level_at(place)
    match = MADE_BY.search(level.comment)
    assert match is not None
    seed, group, number = map(int, match.groups()[:3])
    wish = GROUPS[group - 1][0]
    assert [*map(str, wish[:3]), f"{wish.nodes:,}"] == [*match.groups()[3:]]
    made = finish(making_once(wish, Dice.of(seed, group, number)))
    assert made is not None
    assert made.level.xsb() == level.xsb()


@pytest.mark.long
@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place[0][:6]}-{place[1]}")
def test_a_level_is_solved_by_the_solver(place: tuple[str, int]) -> None:
    level = level_at(place)
    solution, outcome = solve(level.board, level.start, STRATEGIES["auto"], LIMITS)
    assert outcome.status is Status.SOLVED
    assert solution is not None
    assert verify(level.board, level.start, solution.lurd) == solution
