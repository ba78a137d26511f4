"""Generated packs: levels built on demand, the effort put into them, runs that end."""

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import patch

from sokoterm.app.background import LevelBuilder
from sokoterm.app.generated import DescentPack, GeneratedSeries, run_table
from sokoterm.engine.game import Game
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.series import Effort
from sokoterm.store.solutions import Summary
from tests.unit.app.generated import TODAY, Home, build, made_once, solution_of_day, solution_of_floor


def test_a_level_is_there_once_it_is_built(tmp_path: Path) -> None:
    home = Home(tmp_path)
    daily = home.series.daily()
    today = daily.start_number() or 0
    assert (daily.numbers, daily.find_level(today)) == ([], None)
    assert daily.is_making(today)
    assert [daily.has_level(number) for number in (0, 1, today, today + 1)] == [False, True, True, False]
    level = build(daily, today)
    assert (daily.numbers, daily.is_making(today), list(daily.jobs(today))) == ([today], False, [])
    assert level.title == daily.recipe(today).title
    assert (daily.next_number(today), daily.previous_number(today)) == (None, today - 1)
    assert (daily.find_number("2026-11-22"), daily.find_number("7"), daily.find_number("x")) == (today, 7, 0)
    home.close()


def test_effort_is_counted_until_the_level_is_solved(tmp_path: Path) -> None:
    home = Home(tmp_path)
    daily = home.series.daily()
    today = daily.start_number() or 0
    level = build(daily, today)
    solution = solution_of_day(TODAY)
    game = Game(level)
    for aid in ("undos", "undos", "hints", "shown"):
        daily.note_aid(level, aid, "")
    daily.save(level, game, 20.0, is_over=False)
    assert daily.find_effort(today) == Effort(20.0, 2, 1, 1)
    assert (daily.figures(level), daily.has_result(today)) == (None, False)
    game.go_to(solution.lurd)
    daily.save(level, game, 10.0, is_over=True)
    done = Effort(30.0, 2, 1, 1, TODAY, solution.pushes, solution.moves)
    assert daily.find_effort(today) == done
    daily.refresh()
    assert daily.figures(level) == Summary(solution.moves, solution.pushes, is_helped=True)
    assert (daily.is_solved(today), daily.has_result(today), daily.next_unsolved(today)) == (True, True, None)
    daily.note_aid(level, "undos", "")
    daily.save(level, game, 10.0, is_over=True)
    assert daily.find_effort(today) == done
    home.close()


def test_a_floor_begins_at_its_start_and_opens_the_next_one(tmp_path: Path) -> None:
    home = Home(tmp_path)
    run = home.series.descent()
    level = build(run, 1)
    game, solution = Game(level), solution_of_floor(7, 1)
    game.go_to(solution.lurd)  # left by another run of the same seed
    run.take_up(level, game)
    assert game.moves == 0
    assert (run.depth, run.numbers, run.next_number(1), run.next_unsolved(1)) == (1, [1], None, None)
    game.go_to(solution.lurd)
    run.save(level, game, 5.0, is_over=True)
    assert (run.depth, run.next_number(1), run.next_unsolved(1), run.is_making(2)) == (2, 2, 2, True)
    score = run.score
    assert (score.floors, score.over, score.pushes, score.seconds) == (1, 0, solution.pushes, 5.0)
    assert home.series.table() == [score]
    assert run.has_result(2)
    home.close()


def test_a_run_that_is_over_takes_no_more(tmp_path: Path) -> None:
    home = Home(tmp_path)
    run = home.series.descent()
    level = build(run, 1)
    run.take_up(level, Game(level))
    run.end()
    game = Game(level)
    game.go_to(solution_of_floor(7, 1).lurd)
    run.save(level, game, 5.0, is_over=True)
    assert (run.is_over, run.score.floors, run.score.is_over, list(run.jobs(1))) == (True, 0, True, [])
    assert (run.is_making(1), run.next_unsolved(1), run.has_result(1)) == (False, None, False)
    home.close()


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
    home.close()


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
    after = descents.open()
    assert after is not None
    assert after is not run
    home.close()


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
    home.close()


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
        level = run.find_level(1)
        assert level is not None
        run.take_up(level, Game(level))
        assert home.store.save_rows() == "progress not saved yet: the database is locked by another program"
        assert runs.descent() is runs.descent(7) is run
        run.end()
        assert runs.descent() is not run
        writer.execute("ROLLBACK")
    builder.close()
    home.close()
