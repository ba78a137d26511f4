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
from tests.present import present
from tests.unit.app.generated import MONDAY, TODAY, Home, build, made_once, solution_of_floor
from tests.unit.store.conftest import connections as connections


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
