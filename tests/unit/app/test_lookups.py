"""Look-ups: how the player stands in the score table of all accounts, and long replays that nobody waits for."""

from pathlib import Path

import pytest

from sokoterm.app.improvement import ShowReplay
from sokoterm.app.pack_session import LevelLookups
from sokoterm.app.request import Note
from sokoterm.engine.level import Level
from sokoterm.store.score_table import Score, ScoreTable, Standing
from tests.unit.app.player import Player
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, TWO_WAYS, enter

PACK = "\n".join(TWO_WAYS.rows)
LONG = "rl" * 300_000 + FEWEST_MOVES


def rest(lookups: LevelLookups, level: Level) -> None:
    """Do all that is done on a level while no key is pressed."""
    while (work := lookups.idle_work(level)) is not None:
        work()


def test_a_long_record_is_replayed_once_it_is_asked_for(tmp_path: Path) -> None:
    with Player(tmp_path, f"{PACK}\nSolution: {LONG}\n") as player:
        lookups, level = player.model.pack_session.lookups, player.model.level
        rest(lookups, level)
        answer = player.act("replay")
        assert answer is Note.SOLUTIONS_BEING_REPLAYED or isinstance(answer, ShowReplay)
        rest(lookups, level)
        assert [len(known.solution.lurd) for known in lookups.known(level)] == [len(LONG)]
        assert isinstance(player.act("replay"), ShowReplay)


def test_a_record_of_counts_is_found_too(tmp_path: Path) -> None:
    with Player(tmp_path, f"{PACK}\nSolution: 2(rl){FEWEST_MOVES}\n") as player:
        lookups, level = player.model.pack_session.lookups, player.model.level
        lookups.all_known(level)
        rest(lookups, level)
        assert [known.solution.lurd for known in lookups.known(level)] == ["rlrl" + FEWEST_MOVES]


def test_a_long_claim_of_another_account_is_replayed_in_the_end(tmp_path: Path) -> None:
    path = str(tmp_path / "scores.db")
    enter(ScoreTable(path, "ann", lambda: 1.0, pytest.fail), TWO_WAYS, LONG)
    with Player(tmp_path, PACK, scores=ScoreTable(path, "bob", lambda: 2.0, pytest.fail)) as player:
        lookups, level = player.model.pack_session.lookups, player.model.level
        lookups.standing(level)
        rest(lookups, level)
        best = lookups.standing(level).by_moves
        assert best is not None
        assert (best.name, best.moves) == ("ann", len(LONG))


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


def test_the_best_of_a_level_is_read_once_while_it_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[Level]()

    def standing(_: ScoreTable, level: Level, most: int | None = None) -> Standing:  # noqa: ARG001
        read.append(level)
        return Standing()

    monkeypatch.setattr(ScoreTable, "standing", standing)
    scores = ScoreTable(str(tmp_path / "scores.db"), "ann", lambda: 1.0, pytest.fail)
    with Player(tmp_path, f"{PACK}\n\n{PACK}", scores=scores) as player:
        lookups, levels = player.model.pack_session.lookups, player.model.pack_session.pack.levels
        read.clear()
        for level in (levels[0], levels[0], levels[1], levels[0]):
            for moves in (0, 8, 0):
                lookups.standing(level, moves, moves)
        assert [level.number for level in read] == [1, 1, 2, 2, 1, 1]


def test_without_a_table_there_is_no_standing(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.move(FEWEST_MOVES)
        lookups = player.model.pack_session.lookups
        assert lookups.standing(player.model.level, 8, 4) == Standing()
