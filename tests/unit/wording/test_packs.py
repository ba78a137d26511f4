"""Words for packs, ordinary and generated, and for what is known of their levels."""

from pathlib import Path
from unittest.mock import patch

import pytest

from sokoterm.app.generated import DescentPack, GeneratedSeries
from sokoterm.app.keymap import PLAY
from sokoterm.app.lists import LevelSort
from sokoterm.app.request import RunOver
from sokoterm.engine.game import Game
from sokoterm.engine.lurd import verify
from sokoterm.store.packs import pack_from_bytes
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import Effort
from sokoterm.wording.lists import order_text, standing_text
from sokoterm.wording.outcomes import phrase
from sokoterm.wording.packs import DailyWords, DescentWords, helped, spoken_run, words_of
from tests.present import present
from tests.unit.app.generated import DAY, TODAY, Home, build, solution_of_floor
from tests.unit.app.player import Player
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, TWO_WAYS, enter

PACK = b"; A corner\n\n#####\n#@$.#\n#####\nTitle: 1\nComment: \nComment: Mind the wall.\n\n#####\n#@ .#\n#####\n"
MONDAY = TODAY + DAY


def test_an_ordinary_pack_is_called_by_its_name_and_numbers(tmp_path: Path) -> None:
    home = Home(tmp_path)
    pack_session = home.open_pack_session(pack_from_bytes(PACK, "corners"))
    words, level = words_of(pack_session), pack_session.find_level(1)
    assert level is not None
    assert [words.label(level), words.heading(level), words.spoken_heading(level)] == [
        "corners 1",
        "corners 1/2",
        "corners, level 1 of 2",
    ]
    assert words.listed_title(level) == ""
    assert words.number_noun == "level number"
    assert words.why_missing(3) == "no level 3: the pack has 2 levels"
    assert words.why_missing(2).startswith("level 2 cannot be read: ")
    assert words.why_no_next(1) == "this is the last level"
    assert words.why_no_unsolved(1) == "all the other levels in the pack are solved"
    home.store.record(level, "R")
    pack_session.refresh()
    assert words.why_no_unsolved(1) == "pack done: every level is solved"
    home.close()


def test_a_daily_level_is_called_by_its_day(tmp_path: Path) -> None:
    home = Home(tmp_path, now=MONDAY)
    daily = home.series.daily()
    today = daily.start_number() or 0
    words = DailyWords(daily)
    assert (words.title(today), words.standing) == ("Daily 2026-11-23", "new, 12 h left")
    assert words.facts == "Daily 2026-11-23: one level a day, the same for everybody; streak 0, longest 0"
    build(daily, today)
    level = daily.find_level(today)
    assert level is not None
    assert words.standing == f"par {present(daily.find_made(today)).par}, 12 h left"
    assert words_of(daily).heading(level) == words_of(daily).label(level) == level.title == "Daily 2026-11-23"
    assert words.listed_title(level) == "2026-11-23"
    assert words.remark(level, "X", is_solved=False).startswith("par ")
    assert words.result(today) == ""
    assert words.why_missing(0) == "no level for that day: daily levels run from 2026-01-01 to 2026-11-23"
    assert words.why_no_unsolved(today) == "the next level comes at 00:00 UTC"
    daily.keep_effort(today, Effort(42.0, 1, 0, 0, MONDAY, 119, 341))
    assert words.standing == "solved, next in 12 h"
    assert words.solved_text(level, "Enter").endswith(" over par")
    daily.keep_effort(today, Effort(42.0, 1, 1, 0, MONDAY, 119, 341))
    assert words.solved_text(level, "Enter") == "with help"
    daily.keep_effort(today, Effort(42.0, 1, 0, 0, MONDAY, 119, 341))
    assert words.remark(level, "X", is_solved=True).endswith(" moves, 0:42, 1 undo; streak 1, longest 1")
    assert words.result(today).startswith("sokoterm daily 2026-11-23: 119 pushes (par ")
    assert words.result(today).endswith("), 341 moves, 0:42, 1 undo, streak 1")
    assert words.number_noun == "day (YYYY-MM-DD)"
    assert words.why_no_unsolved(today).startswith("today's level is solved: ")
    home.close()


def test_a_descent_is_told_from_its_first_floor_to_its_end(tmp_path: Path) -> None:
    home = Home(tmp_path)
    run = home.series.descent()
    assert isinstance(run, DescentPack)
    words = DescentWords(run)
    assert (words.name, words.title(1), words.standing) == ("Descent 7", "Descent 7, floor 1", "ever harder floors")
    assert words.facts == "floor after floor, each a little harder than the last"
    build(run, 1)
    assert words.facts == "Descent 7, floor 1: begun"
    level = run.find_level(1)
    assert level is not None
    game = Game(level)
    run.take_up(level, game)
    par = solution_of_floor(7, 1).pushes
    assert words.remark(level, "X", is_solved=False) == f"par {par} pushes; X ends the run"
    assert words.why_no_next(1) == words.why_no_unsolved(1) == "solve this floor to go down"
    assert words.why_missing(3) == "no floor 3: the deepest so far is 1"
    assert words.number_noun == "floor"
    game.go_to(solution_of_floor(7, 1).lurd)
    run.save(level, game, 41.0, is_over=True)
    assert words.standing == "floor 2, seed 7"
    took = f"{par} pushes (par), {game.moves} moves, 0:41, no undo; run at par so far, no undo"
    assert words.remark(level, "X", is_solved=True) == took
    assert words.solved_text(level, "Enter") == "Enter goes down to floor 2"
    assert words.remark(level, "X", is_solved=False) == f"par {par} pushes; X ends the run; run at par so far, no undo"
    assert spoken_run(run.score) == "seed 7: 1 floor, at par, no undo, 0:41, yours, open"
    run.end()
    assert phrase(RunOver(run), PLAY) == "the run is over: sokoterm descend --seed 7: 1 floor, at par, no undo, 0:41"
    with patch.object(GeneratedSeries, "rank_of", return_value=(2, 5)):
        assert phrase(RunOver(run), PLAY).endswith(", no undo, 0:41; rank among your runs: 2 of 5")
    assert words.why_no_next(1) == words.solved_text(level, "Enter") == "the run is over"
    assert words.remark(level, "X", is_solved=False) == f"par {par} pushes; run ended: at par, no undo"
    assert spoken_run(run.score) == "seed 7: 1 floor, at par, no undo, 0:41, yours"
    home.close()


def test_a_run_that_ends_on_its_first_floor_has_no_result(tmp_path: Path) -> None:
    home = Home(tmp_path)
    run = home.series.descent()
    level = build(run, 1)
    run.take_up(level, Game(level))
    run.end()
    assert phrase(RunOver(run), PLAY) == "the run is over: no floor was solved"
    par = solution_of_floor(7, 1).pushes
    assert words_of(run).remark(level, "X", is_solved=False) == f"par {par} pushes; the run is over"
    home.close()


def test_the_help_that_was_used_is_told() -> None:
    assert helped(Effort(0.0)) == "no undo"
    assert helped(Effort(0.0, 1, 1, 1)) == "1 undo, 1 hint, 1 solution seen"


@pytest.mark.parametrize(
    ("others", "lurd", "verdict"),
    [
        ([], FEWEST_PUSHES, "the best on this server"),
        ([FEWEST_PUSHES], FEWEST_MOVES, "best on this server: 2 pushes by ann; yours 4"),
        ([FEWEST_PUSHES, FEWEST_MOVES], FEWEST_PUSHES, "best on this server: 8 moves by bob; yours 12"),
        ([FEWEST_PUSHES], FEWEST_PUSHES, "equals the best on this server, by ann"),
    ],
)
def test_a_solution_is_compared_with_the_best_of_all_accounts(
    tmp_path: Path, others: list[str], lurd: str, verdict: str
) -> None:
    tables = [
        ScoreTable(str(tmp_path / "scores.db"), name, lambda: TODAY, pytest.fail) for name in ("ann", "bob", "cid")
    ]
    for table, solution in zip(tables, others, strict=False):
        enter(table, TWO_WAYS, solution)
    enter(tables[-1], TWO_WAYS, lurd)
    with Player(tmp_path, "\n".join(TWO_WAYS.rows), scores=tables[-1]) as player:
        words = words_of(player.model.pack_session)
        assert words.score_verdict(player.model.level, len(lurd), sum(map(str.isupper, lurd))) == verdict


def test_the_best_of_two_people_have_a_date_each(tmp_path: Path) -> None:
    def scores_of(name: str, now: float) -> ScoreTable:
        return ScoreTable(str(tmp_path / "scores.db"), name, lambda: now, pytest.fail)

    board = scores_of("ann", 1.5 * DAY)
    board.enter(TWO_WAYS, verify(TWO_WAYS.board, TWO_WAYS.start, FEWEST_PUSHES))
    scores_of("bob", 2.5 * DAY).enter(TWO_WAYS, verify(TWO_WAYS.board, TWO_WAYS.start, FEWEST_MOVES))
    said = "best on this server 2 pushes by ann 1970-01-02, 8 moves by bob 1970-01-03"
    assert standing_text(board.standing(TWO_WAYS)) == said


def test_lists_go_from_the_easiest_on_or_as_they_stand() -> None:
    assert order_text(LevelSort.DIFFICULTY) == "easiest first"
    assert order_text(LevelSort.PLACE) == "in their original order"
    assert len({*map(order_text, LevelSort)}) == len(LevelSort)
