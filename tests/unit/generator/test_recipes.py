"""The levels that are the same for everyone."""

from itertools import pairwise

import pytest

from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.engine.steps import finish
from sokoterm.generator.make import made_by
from sokoterm.generator.recipes import RECIPE, day_recipe, floor_recipe
from sokoterm.store.packs import bundled_hashes, bundled_packs, open_pack
from tests.slow import others_slow
from tests.unit.app.generated import made
from tests.unit.hash_seeds import printed_under_all


def test_a_floor_is_the_same_whenever_it_is_made() -> None:
    first, again = made(floor_recipe(4711, 2)), finish(made_by(floor_recipe(4711, 2)))
    assert first == again
    assert first.level.title == "Descent 4711, floor 2"
    assert verify(first.level.board, first.level.start, first.solution.lurd) == first.solution


def test_seeds_floors_and_days_have_levels_of_their_own() -> None:
    recipes = [floor_recipe(7, 1), floor_recipe(1, 1), floor_recipe(7, 2), floor_recipe(1, 2)]
    assert len({level_hash(made(recipe).level) for recipe in recipes}) == 4
    assert day_recipe(1, 3, "2026-01-01").dice != floor_recipe(1, 1).dice


def test_a_level_that_is_known_is_drawn_again() -> None:
    recipe = floor_recipe(1, 1)
    known = level_hash(made(recipe).level)
    assert level_hash(finish(made_by(recipe, {known})).level) != known
    assert known not in bundled_hashes()
    assert level_hash(open_pack(bundled_packs()[0]).levels[0]) in bundled_hashes()


def test_target_difficulties_of_floors_increase() -> None:
    floors = [floor_recipe(1, number) for number in range(1, 60)]
    assert all(floor.difficulty < later.difficulty for floor, later in pairwise(floors))
    assert all(floor.wish.nodes <= later.wish.nodes for floor, later in pairwise(floors))
    assert floors[0].wish.boxes == 2
    assert floors[-1].wish == floors[-2].wish  # somewhere it stops growing, or the next would never be made in time


@pytest.mark.parametrize("seed", others_slow(range(3)))
def test_the_first_floors_are_near_their_target_difficulty(seed: int) -> None:
    recipes = [floor_recipe(seed, number) for number in (1, 4, 7)]
    found = [made(recipe).difficulty for recipe in recipes]
    assert found == sorted(found)


def test_days_get_harder_through_the_week() -> None:
    week = [day_recipe(number, number, "a day").difficulty for number in range(7)]
    assert week == sorted(week)


def test_daily_levels_and_floors_change_only_with_the_recipe() -> None:
    """If this fails, the generated levels have changed: raise RECIPE and update the hashes."""
    recipes = [floor_recipe(7, 1), floor_recipe(7, 2), floor_recipe(7, 4), day_recipe(1, 0, "2026-01-01")]
    found = [level_hash(made(recipe).level)[:8] for recipe in recipes]
    assert (RECIPE, found) == (1, ["E67236BD", "FCABB34D", "C058BDEB", "ED904A03"])


def test_levels_do_not_depend_on_the_hash_seed() -> None:
    printed = printed_under_all("-m", "sokoterm", "descend", "--seed", "7", "--print", "3", seeds=("0", "1", "4711"))
    level = made(floor_recipe(7, 3)).level
    assert printed.startswith("\n".join(level.rows) + "\nTitle: Descent 7, floor 3\n")
