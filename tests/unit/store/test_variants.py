"""Progress on levels with one picture that are of different kinds."""

from pathlib import Path

import pytest

from sokoterm.engine.level import Level, varied
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import parse, write
from sokoterm.store.exchange import export, merge
from sokoterm.store.progress import ProgressStore
from sokoterm.store.score_table import ScoreTable
from tests.present import present
from tests.unit.store.stores import Player, enter, open_store, ticking

HALL = Level.from_xsb("########\n#@$  . #\n#      #\n########")
BOX, ICE, GOAL = (HALL.board.square(1, column) for column in (2, 4, 5))
RINK = varied(HALL, {}, {}, 1 << ICE)
COLORS = varied(HALL, {BOX: 0}, {GOAL: 0})
SOLUTIONS = ((HALL, "RRR"), (RINK, "RR"), (COLORS, "RRR"))


@pytest.mark.parametrize(("solved", "lurd"), SOLUTIONS)
def test_a_level_is_solved_and_played_alone(tmp_path: Path, solved: Level, lurd: str, store: ProgressStore) -> None:
    scores = ScoreTable(str(tmp_path / "scores.db"), "ann", ticking(), pytest.fail)
    for level, _ in SOLUTIONS:
        assert store.best(level).by_moves is None
        assert scores.standing(level).by_moves is None
    player = Player(store, solved)
    player.moves(lurd[:1])
    store.record(solved, lurd)
    enter(scores, solved, lurd)
    others = [level for level, _ in SOLUTIONS if level is not solved]
    assert store.solved() == {level_hash(solved)}
    assert [store.best(level).by_moves for level in others] == [None, None]
    assert [store.load_play(level) for level in others] == [None, None]
    assert [scores.standing(level).by_moves for level in others] == [None, None]
    best, standing = store.best(solved).by_moves, scores.standing(solved).by_moves
    assert (present(best).lurd, present(standing).moves) == (lurd, len(lurd))


def test_export_and_import_keep_colours_and_ice(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    store = open_store(tmp_path)
    for level, lurd in SOLUTIONS:
        store.record(level, lurd)
        Player(store, level).moves("R")
    assert store.close() is None
    found = export(open_store(tmp_path))
    assert (found.problems, found.solutions, found.plays) == ((), 3, 3)
    written = write(found.pack, "sok")
    other = open_store(tmp_path / "other")
    assert merge(other, parse(written.data, "x"), "x", 1e6).problems == ()
    for level, lurd in SOLUTIONS:
        best = present(other.best(level).by_moves)
        assert best.lurd == lurd
        assert other.load_play(level) is not None
