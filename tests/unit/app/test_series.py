"""Generated packs: levels built on demand; daily levels and descents in play, streaks, the way from floor to floor."""

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import patch

from sokoterm.app.background import LevelBuilder
from sokoterm.app.generated import DailyPack, DescentPack, GeneratedSeries, run_table
from sokoterm.app.improvement import ShowReplay
from sokoterm.app.options import Series
from sokoterm.app.request import Ask, Copy, NoLevel, NoNextLevel, Note, Start, TakeOver
from sokoterm.engine.game import Game
from sokoterm.engine.lurd import Solution
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import Effort, Streak
from tests.present import present
from tests.unit.app.generated import (
    DAY,
    MONDAY,
    TODAY,
    TUESDAY,
    Home,
    build,
    made_once,
    solution_of_day,
    solution_of_floor,
)
from tests.unit.app.player import SeriesPlayer
from tests.unit.store.conftest import connections as connections

DAILY, DESCENT = Series(False), Series(True)


def of_monday() -> Solution:
    return solution_of_day(MONDAY)


def of_tuesday() -> Solution:
    return solution_of_day(TUESDAY)


def floor(number: int) -> Solution:
    return solution_of_floor(7, number)


def days_of(player: SeriesPlayer) -> DailyPack:
    pack_session = player.model.pack_session
    assert isinstance(pack_session, DailyPack)
    return pack_session


def run_of(player: SeriesPlayer) -> DescentPack:
    pack_session = player.model.pack_session
    assert isinstance(pack_session, DescentPack)
    return pack_session


def effort_of(player: SeriesPlayer) -> Effort:
    """The effort put into the level in play, without its time."""
    pack_session = player.model.pack_session
    assert isinstance(pack_session, DailyPack | DescentPack)
    effort = pack_session.effort_of(player.model.level.number)
    return effort._replace(seconds=0.0, solved=None)


# Daily levels


def test_the_level_of_the_day_is_solved_against_par(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DAILY, MONDAY) as player:
        days, number = days_of(player), player.model.level.number
        assert number == days.today
        made = present(days.find_made(number))
        assert (made.par, player.model.has_result) == (of_monday().pushes, False)
        player.move(of_monday().lurd)
        assert effort_of(player) == Effort(0.0, pushes=of_monday().pushes, moves=of_monday().moves)
        assert (days.streak, player.model.has_result) == (Streak(1, 1), True)


def test_before_a_day_is_solved_its_moves_are_copied_and_then_its_result(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DAILY, MONDAY) as player:
        player.move(of_monday().lurd[:1])
        assert player.act("copy") == Copy(of_monday().lurd[:1])
        player.move(of_monday().lurd[1:])
        assert player.act("copy") is Ask.SHARE
    with SeriesPlayer(tmp_path, DAILY, TUESDAY) as player:
        assert player.act("previous level", "restart", "copy") is Ask.SHARE
        player.move(of_monday().lurd[:1])
        assert player.act("copy") == Copy(of_monday().lurd[:1])


def test_a_streak_goes_on_from_day_to_day(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DAILY, MONDAY) as player:
        player.move(of_monday().lurd)
    with SeriesPlayer(tmp_path, DAILY, TUESDAY) as player:
        player.move(of_tuesday().lurd)
        assert days_of(player).streak == Streak(2, 2)
    with SeriesPlayer(tmp_path, DAILY, TUESDAY + 2 * DAY) as player:
        assert days_of(player).streak == Streak(0, 2)


def test_a_day_that_is_solved_later_is_no_part_of_a_streak(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DAILY, TUESDAY) as player:
        days = days_of(player)
        assert player.act("previous level") == Start(days, days.today - 1)
        player.move(of_monday().lurd)
        assert days.streak == Streak(0, 0)
        assert player.act("accept") == Start(days, days.today)  # which is still open


def test_a_day_that_is_there_when_it_is_made_is_taken_up(tmp_path: Path) -> None:
    home = Home(tmp_path, now=MONDAY)
    days = home.series.daily()  # knows of no day yet
    with SeriesPlayer(tmp_path, DAILY, MONDAY) as player:
        player.act("right", "undo", "right", "undo")
    number = days.start_number() or 0
    days.note_aid(build(days, number), "undos", "")
    home.close()
    with SeriesPlayer(tmp_path, DAILY, MONDAY) as player:
        assert effort_of(player).undos == 3


def test_days_go_from_the_first_to_today(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DAILY, TUESDAY) as player:
        days, today = days_of(player), days_of(player).today
        assert player.act("next level") == NoNextLevel(today, unsolved=False)
        for text in ("999", "2026-13-01", "2025-12-31", "2026-11-25", "-"):
            number = days.find_number(text)
            assert player.model.go_to_level(number) == NoLevel(number), text
        assert player.model.go_to_level(days.find_number("2026-11-23")) == Start(days, today - 1)


def test_behind_the_level_of_today_there_is_no_unsolved_one(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DAILY, MONDAY) as player:
        today = days_of(player).today
        assert player.act("next unsolved") == NoNextLevel(today, unsolved=True)
        player.move(of_monday().lurd)
        assert player.act("accept") == NoNextLevel(today, unsolved=True)


def test_a_level_that_was_made_is_there_at_once_the_next_time(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DAILY, MONDAY):
        pass
    home = Home(tmp_path, now=MONDAY)
    days = home.series.daily()
    assert not days.is_making(days.start_number() or 0)
    home.close()


# Descents


def test_a_run_goes_from_floor_to_floor(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        run = run_of(player)
        for number in (1, 2):
            player.move(floor(number).lurd)
            assert player.act("accept") == Start(run, number + 1)
        assert player.model.level.number == run.depth == 3
        score = run.score
        assert (score.seed, score.floors, score.over, score.undos) == (7, 2, 0, 0)
        assert (score.pushes, score.moves) == (floor(1).pushes + floor(2).pushes, floor(1).moves + floor(2).moves)


def test_hints_and_solutions_are_counted(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        player.act("hint")
        player.hear()
        player.act("solve")
        player.hear()
        shown = player.act("replay")
        assert isinstance(shown, ShowReplay)
        player.ask(TakeOver(shown.before + shown.lurd, ""))
        assert player.model.game.is_solved
        assert (effort_of(player).hints, effort_of(player).shown) == (1, 1)
        assert (run_of(player).score.hints, run_of(player).score.shown) == (1, 1)


def test_who_restarts_or_goes_back_to_a_bookmark_has_gone_back(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        step = floor(1).lurd[0]
        player.model.set_bookmark("a")
        player.move(step)
        player.ask(player.model.go_to_bookmark("a"))
        player.move(step)
        player.act("restart", "undo dead", "undo", "undo all")
        assert effort_of(player).undos == 4
        player.act("undo all", "restart", "undo dead")  # nothing to take back
        player.move(floor(1).lurd)
        assert run_of(player).score.undos == 4


def test_the_way_down_is_closed_until_a_floor_is_solved(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        assert player.act("next level") == NoNextLevel(1, unsolved=False)
        assert player.act("next unsolved") == NoNextLevel(1, unsolved=True)
        assert player.model.go_to_level(3) == NoLevel(3)
        player.move(floor(1).lurd)
        assert player.act("next level") == Start(run_of(player), 2)


def test_a_floor_of_a_run_that_is_over_leads_nowhere(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        player.move(floor(1).lurd)
        player.ask(Ask.END_RUN)
        assert player.act("accept") == NoNextLevel(1, unsolved=True)
        assert player.act("end run") is Note.NO_RUN


def test_a_run_is_taken_up_where_it_was_left(tmp_path: Path) -> None:
    half = floor(1).lurd[: next(at for at, letter in enumerate(floor(1).lurd) if letter.isupper()) + 1]
    with SeriesPlayer(tmp_path, DESCENT) as player:
        player.move(half)
    with SeriesPlayer(tmp_path, DESCENT, TODAY + DAY, seed=8) as player:
        assert (run_of(player).run.seed, player.model.level.number, player.lurd) == (7, 1, half)
        player.act("undo", "redo", "restart")
        player.move(floor(1).lurd)
    with SeriesPlayer(tmp_path, DESCENT, seed=8) as player:
        assert (run_of(player).run.seed, player.model.level.number) == (7, 2)
        assert run_of(player).score.undos == 2


def test_a_floor_that_is_done_can_be_looked_at_again_and_counts_no_more(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        player.move(floor(1).lurd)
        score = run_of(player).score
        player.act("accept", "previous level")
        assert (player.model.level.number, player.lurd) == (1, "")
        player.act("right", "left", "restart")
    with SeriesPlayer(tmp_path, DESCENT) as player:
        now = run_of(player).score
        assert (now.floors, now.over, now.undos, now.moves) == (score.floors, score.over, 0, score.moves)


def test_a_run_that_is_ended_stands_in_the_table_and_a_new_one_follows(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        run = run_of(player)
        player.move(floor(1).lurd)
        player.act("accept")
        player.ask(Ask.END_RUN)
        assert (run.is_over, player.home.series.table()) == (True, [run.score])
    with SeriesPlayer(tmp_path, DESCENT, seed=8) as player:
        assert (run_of(player).run.seed, player.model.level.number) == (8, 1)


def test_a_run_that_ended_on_its_first_floor_is_not_in_the_table(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        player.move(floor(1).lurd[:3])
        table = player.home.series.table
        assert [score.floors for score in table()] == [0]
        player.ask(Ask.END_RUN)
        assert list(table()) == []


def test_a_seed_that_is_played_again_begins_anew_and_keeps_what_was_done(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, DESCENT) as player:
        player.move(floor(1).lurd[:3])
        player.ask(Ask.END_RUN)
    with SeriesPlayer(tmp_path, DESCENT, TODAY + DAY) as player:
        assert (run_of(player).run.seed, player.model.level.number, player.lurd) == (7, 1, "")
        player.act("undo")
        assert player.lurd.lower() == floor(1).lurd[:3].lower()


# Levels built on demand


def test_a_level_is_there_once_it_is_built(tmp_path: Path) -> None:
    home = Home(tmp_path, now=MONDAY)
    daily = home.series.daily()
    today = daily.start_number() or 0
    assert (daily.numbers, daily.find_level(today)) == ([], None)
    assert daily.is_making(today)
    assert [daily.has_level(number) for number in (0, 1, today, today + 1)] == [False, True, True, False]
    level = build(daily, today)
    assert (daily.numbers, daily.is_making(today), list(daily.jobs(today))) == ([today], False, [])
    assert level.title == daily.recipe(today).title
    assert (daily.next_number(today), daily.previous_number(today)) == (None, today - 1)
    assert (daily.find_number("2026-11-23"), daily.find_number("7"), daily.find_number("x")) == (today, 7, 0)


def test_runs_of_others_stand_in_the_table_and_the_players_own_only_once(tmp_path: Path) -> None:
    path = str(tmp_path / "scores.db")
    scores = {name: ScoreTable(path, name, lambda: TODAY, lambda _: None) for name in ("ann", "bob")}
    home = Home(tmp_path, scores["ann"])
    run = home.series.descent()
    assert isinstance(run, DescentPack)
    level = build(run, 1)
    game = Game(level)
    run.take_up(level, game)
    game.go_to(solution_of_floor(7, 1).lurd)
    run.save(level, game, 5.0, is_over=True)
    assert [each.name for each in home.series.table()] == [""]
    assert [each.name for each in run_table([], scores["bob"])] == ["ann"]


def test_a_series_in_a_list_goes_on_with_the_run_in_play_and_with_a_new_one_after_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    daily, descents = home.series.entries
    assert [(entry.name, entry.pack, entry.problem) for entry in (daily, descents)] == [
        ("Daily", None, ""),
        ("Descent", None, ""),
    ]
    assert daily.open() is daily.pack is home.series.daily()
    run = home.series.descent(5)
    build(run, 1)
    descents.pack = run
    assert descents.open() is run
    run.end()
    after = present(descents.open())
    assert after is not run


def wait_for_floor(builder: LevelBuilder, pack_session: DescentPack) -> None:
    """As the game does, until the floor that the player is on is made."""
    end = monotonic() + 30
    while pack_session.is_making(pack_session.depth):
        assert builder.follow(pack_session.jobs(1), gives_way=False) == ""
        assert monotonic() < end, "the floor is never made"
        sleep(0.005)


def test_another_run_of_the_same_seed_gets_floors_of_its_own(tmp_path: Path) -> None:
    home, moments = Home(tmp_path), count(TODAY)
    runs = GeneratedSeries(home.store, home.catalog, None, lambda: next(moments), lambda: 7)
    builder = LevelBuilder(lambda: None)
    with patch("sokoterm.generator.make.made_by", made_once):
        first = runs.begin()
        wait_for_floor(builder, first)
        first.end()
        wait_for_floor(builder, runs.begin(7))
        # The next floor of a run may be under way when another one is begun.
        left = runs.begin(7)
        builder.follow(left.jobs(1), gives_way=False)
        wait_for_floor(builder, runs.begin(7))
    builder.close()


def test_a_run_that_waits_to_be_written_is_open_and_one_that_ended_is_not(tmp_path: Path) -> None:
    home, moments = Home(tmp_path), count(TODAY)
    runs = GeneratedSeries(home.store, home.catalog, None, lambda: next(moments), lambda: 7)
    builder = LevelBuilder(lambda: None)
    with (
        patch("sokoterm.generator.make.made_by", made_once),
        closing(sqlite3.connect(tmp_path / "progress.db", isolation_level=None)) as writer,
    ):
        writer.execute("BEGIN IMMEDIATE")
        run = runs.descent()
        wait_for_floor(builder, run)
        level = present(run.find_level(1))
        run.take_up(level, Game(level))
        assert home.store.save_rows() == "progress not saved yet: the database is locked by another program"
        assert runs.descent() is runs.descent(7) is run
        run.end()
        assert runs.descent() is not run
        writer.execute("ROLLBACK")
    builder.close()
