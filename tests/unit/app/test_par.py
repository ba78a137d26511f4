"""Par and stars of a level: where the fewest known pushes come from, and what the player has earned."""

from pathlib import Path

import pytest

from sokoterm.app.play import figures_of
from sokoterm.engine.lurd import verify
from sokoterm.formats.grammar import recipe_of
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.store.known_levels import Par, estimate_of, stars
from tests.present import present
from tests.unit.app.player import Player
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, LAMP, LAMP_SOLVED, TWO_WAYS

RECIPE = "2 pushes, 12 moves, 2 box lines, 2 box changes, 2 pushing sessions, 13 of 15 floor squares used"


@pytest.mark.parametrize(
    ("pushes", "par", "earned"),
    [
        (1, 1, 3),
        (2, 1, 2),
        (3, 1, 1),
        (9, 10, 3),
        (11, 10, 2),
        (12, 10, 1),
        (219, 200, 2),
        (220, 200, 2),
        (221, 200, 1),
    ],
)
def test_two_stars_are_up_to_ten_percent_over_par_or_one_push(pushes: int, par: int, earned: int) -> None:
    assert stars(pushes, Par(par)) == earned


def test_without_a_par_solving_earns_one_star_and_a_later_proof_may_earn_more(tmp_path: Path) -> None:
    with Player(tmp_path, LAMP) as player:
        session, level = player.model.pack_session, player.model.level
        assert (session.par(level), session.stars(level)) == (None, 0)
        player.move(LAMP_SOLVED)
        assert (session.par(level), session.stars(level)) == (None, 1)
        win = present(player.model.win)
        assert (win.par, win.stars) == (None, 1)
        session.keep_proven(level, Objective.PUSHES, verify(level.board, level.start, LAMP_SOLVED))
        assert (session.par(level), session.stars(level)) == (Par(10, True), 3)


def test_par_is_the_best_known_until_the_player_beats_it(tmp_path: Path) -> None:
    with Player(tmp_path, "\n".join(TWO_WAYS.rows)) as player:
        session, level = player.model.pack_session, player.model.level
        player.store.keep_found(level, verify(level.board, level.start, FEWEST_MOVES), "optimizer")
        assert player.store.save_rows() is None
        assert session.par(level) == Par(4)
        player.move(FEWEST_PUSHES)
        assert (session.par(level), session.stars(level)) == (Par(2, True), 3)  # the lower bound is met
        player.act("restart")
        player.move(FEWEST_MOVES)
        assert (present(player.model.win).stars, session.stars(level)) == (1, 3)
    with Player(tmp_path, "\n".join(TWO_WAYS.rows)) as player:
        assert player.model.pack_session.par(level) == Par(2, True)


@pytest.mark.parametrize(
    "text",
    [
        f"Recipe: difficulty 36, {RECIPE}; seed 2026, 1, 2: size 7x6, boxes 2, nodes 4,000",
        f"Comment:\nDifficulty 36.\n{RECIPE}.\nseed 2026, 1, 2: size 7x6, boxes 2, nodes 4,000.\nComment-End:",
        f"Comment:\nseed 7, level 2, difficulty 30-40, size 7x7\ndifficulty at least 36, {RECIPE}\nComment-End:",
        f"Comment:\nseed 7, level 2, size 7x7, boxes 2, nodes 3,000\n{RECIPE}\nComment-End:",
    ],
)
def test_a_recipe_of_any_version_is_a_par_and_no_comment(tmp_path: Path, text: str) -> None:
    with Player(tmp_path, "\n".join([*TWO_WAYS.rows, text])) as player:
        assert estimate_of(player.model.level) == (36 if "ifficulty" in text.partition("\n2 pushes")[0] else 39)
        session, level = player.model.pack_session, player.model.level
        assert (level.comment, session.par(level)) == ("", Par(2))
        assert figures_of(session, level).par == 2
        player.move(FEWEST_MOVES)
        assert (present(player.model.win).stars, figures_of(session, level).par) == (1, 0)  # the bound is met by it


def test_no_recipe_is_less_than_what_is_proven(tmp_path: Path) -> None:
    recipe = "Recipe: 1 pushes, 3 moves, 1 box lines, 1 box changes, 1 pushing sessions, 5 of 15 floor squares used"
    with Player(tmp_path, "\n".join([*TWO_WAYS.rows, recipe])) as player:
        session, level = player.model.pack_session, player.model.level
        session.keep_proven(level, Objective.PUSHES, verify(level.board, level.start, FEWEST_PUSHES))
        assert session.par(level) == Par(2, True)


def test_no_recipe_is_less_than_what_is_needed_in_any_case(tmp_path: Path) -> None:
    """One that was edited by hand gave a par that nobody can reach."""
    recipe = "Recipe: 1 pushes, 3 moves, 1 box lines, 1 box changes, 1 pushing sessions, 5 of 15 floor squares used"
    with Player(tmp_path, "\n".join([*TWO_WAYS.rows, recipe])) as player:
        player.move(FEWEST_PUSHES)
        assert present(player.model.win).stars == 3


def test_the_recipe_of_another_board_is_none(tmp_path: Path) -> None:
    with Player(tmp_path, "\n".join([*LAMP.splitlines(), f"Recipe: {RECIPE}"])) as player:
        assert recipe_of(player.model.level).pushes == 0
        assert player.model.pack_session.par(player.model.level) is None


def test_a_solution_with_help_earns_no_star(tmp_path: Path) -> None:
    with Player(tmp_path, "\n".join([*TWO_WAYS.rows, f"Recipe: {RECIPE}"])) as player:
        session, level = player.model.pack_session, player.model.level
        session.note_aid(level, "shown", "")
        player.move(FEWEST_PUSHES)
        assert present(player.model.win).is_helped
        assert (present(player.model.win).stars, session.stars(level)) == (0, 0)
        player.act("restart")
        player.store.forget_help(level)
        player.move(FEWEST_MOVES)
        assert session.stars(level) == 3
