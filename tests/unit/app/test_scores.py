"""The score table of all accounts: what is entered by a win, and how the player stands after it."""

from pathlib import Path

import pytest

from sokoterm.store.score_table import Score, ScoreTable, Standing
from tests.unit.app.player import Player
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, TWO_WAYS

PACK = "\n".join(TWO_WAYS.rows)


def standing_after(folder: Path, name: str, day: float, lurd: str) -> Standing:
    """Solve the level as an account on a day; return the standing that it is shown."""
    (folder / name).mkdir(exist_ok=True)
    scores = ScoreTable(str(folder / "scores.db"), name, lambda: day, pytest.fail)
    with Player(folder / name, PACK, scores=scores) as player:
        player.act("restart")
        player.move(lurd)
        level, game = player.model.level, player.model.game
        return player.model.pack_session.lookups.standing(level, game.moves, game.pushes)


def test_a_win_is_entered_by_moves_and_by_pushes_and_the_first_of_equals_stays(tmp_path: Path) -> None:
    by_ann = Score("ann", len(FEWEST_PUSHES), 2, 1.0)
    assert standing_after(tmp_path, "ann", 1.0, FEWEST_PUSHES) == Standing(by_ann, by_ann)
    assert standing_after(tmp_path, "bob", 2.0, FEWEST_PUSHES) == Standing(by_ann, by_ann)
    by_cid = Score("cid", len(FEWEST_MOVES), 4, 3.0)
    assert standing_after(tmp_path, "cid", 3.0, FEWEST_MOVES) == Standing(by_cid, by_ann)
    assert standing_after(tmp_path, "ann", 4.0, FEWEST_PUSHES) == Standing(by_cid, by_ann)


def test_without_a_table_there_is_no_standing(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.move(FEWEST_MOVES)
        lookups = player.model.pack_session.lookups
        assert lookups.standing(player.model.level, 8, 4) == Standing()
