"""Export and import of progress as a pack."""

import json
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import DIRECTIONS
from sokoterm.engine.level import Level, LevelError, Pack, Record
from sokoterm.engine.levelhash import exact_id, from_canonical, level_hash, to_canonical
from sokoterm.engine.lurd import verify
from sokoterm.formats.registry import parse, write
from sokoterm.store.database import NotWrittenError
from sokoterm.store.exchange import Exported, Imported, export, is_progress, merge
from sokoterm.store.packs import bundled_packs, open_pack
from sokoterm.store.progress import ChosenLooks, ProgressStore
from sokoterm.store.progress_tables import MIGRATIONS
from sokoterm.store.series import (
    Day,
    Effort,
    Floor,
    MadeLevel,
    Run,
    all_days,
    all_floors,
    all_runs,
    floors_of,
    keep_day,
    keep_floor,
    keep_run,
)
from tests.present import present
from tests.unit.store.stores import (
    ALIKE,
    COLORS,
    FEWEST_MOVES,
    FEWEST_PUSHES,
    RINK,
    ROOM,
    ROOM_SOLUTION,
    TWO_WAYS,
    Player,
    open_store,
    spoil,
    turn_back,
    turned,
)

NOW = 2_000_000.0
EARLIER = Path(__file__).parents[2] / "data" / "earlier" / "export.sok"


def exported(folder: Path) -> Exported:
    """Return the export of a store at rest, asserting that it has no problems."""
    store = open_store(folder)
    found = export(store)
    assert found.problems == ()
    assert store.close() is None
    return found


def records(pack: Pack) -> list[tuple[str, str]]:
    """Return the titles and moves of all records."""
    return [(record.title, record.moves) for level in pack.levels for record in level.records]


def merged(folder: Path, pack: Pack, now: float = NOW) -> Imported:
    """Import a pack into a store."""
    store = open_store(folder)
    found = merge(store, pack, "file", now)
    assert store.close() is None
    return found


def dump(folder: Path) -> list[str]:
    """Return everything in the database of a folder."""
    with closing(sqlite3.connect(folder / "progress.db")) as connection:
        return list(connection.iterdump())


@pytest.fixture
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of another machine."""
    return tmp_path_factory.mktemp("there")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return tmp_path


def test_solved_level_with_its_board_figures_dates_and_time(here: Path) -> None:
    store = open_store(here)
    level = TWO_WAYS.replace(title="Two ways")
    store.save_play(level, [], 0, {}, 3725.9)
    store.record(level, FEWEST_MOVES)
    store.record(level, FEWEST_PUSHES)
    store.record(ROOM, ROOM_SOLUTION)
    store.close()
    pack = exported(here).pack
    assert is_progress(pack)
    first, second = pack.levels
    assert (first.title, first.rows, first.number) == ("Two ways", TWO_WAYS.rows, 1)
    assert first.records == (Record("Solution/Moves 8/4", FEWEST_MOVES), Record("Solution/Pushes 12/2", FEWEST_PUSHES))
    assert first.metadata == (
        ("first solved", "1970-01-12 13:46:40 UTC"),
        ("last solved", "1970-01-12 13:46:42 UTC"),
        ("time played", "1:02:05"),
    )
    assert (second.number, second.rows) == (2, ROOM.rows)
    assert second.records == (Record("Solution 7/3", ROOM_SOLUTION),)


def test_a_date_before_1970_counts_as_none(here: Path, there: Path) -> None:
    """The rows were written, and left out as damaged ever after."""
    Player(open_store(here), ROOM).moves(ROOM_SOLUTION)
    pack = exported(here).pack
    ages_ago = pack.levels[0].replace(metadata=(("first solved", "1900-01-01 00:00:00 UTC"),))
    assert merged(there, pack.replace(levels=(ages_ago,))).problems == ()
    assert open_store(there).best(ROOM).dates.first_solved == NOW


def test_open_play_with_redo_and_bookmarks(here: Path, there: Path) -> None:
    player = Player(open_store(here), ROOM)
    player.game.set_bookmark("z")
    player.moves("rr")
    player.game.set_bookmark("a")
    player.moves("Dl")
    player.game.undo()
    player.game.undo()
    player.save()
    found = exported(here)
    assert (found.solutions, found.plays, found.bookmarks) == (0, 1, 2)
    assert records(found.pack) == [("Savegame", "rr*Dl"), ("Savegame a", "rr")]
    assert found.pack.levels[0].metadata == (("start bookmarks", "z"),)
    assert merged(there, found.pack) == Imported(1, 0, 0, 1, 2, ())
    again = Player(open_store(there), ROOM).game
    assert (again.lurd, again.bookmarks) == ("rr", {"a": "rr", "z": ""})
    assert again.redo_all()
    assert again.lurd == "rrDl"


def test_redo_goes_along_as_far_as_it_only_adds(here: Path) -> None:
    player = Player(open_store(here), ROOM)
    player.moves("rr")
    player.game.restart()
    player.moves("r")
    for _ in range(3):
        player.game.undo()
    player.save()
    assert records(exported(here).pack) == [("Savegame", "r*r")]


def test_solutions_and_play_of_one_board_stand_together(here: Path) -> None:
    level = ROOM.replace(title="Room")
    store = open_store(here)
    store.record(level, ROOM_SOLUTION)
    Player(store, level).moves("r")
    Player(store, turned(level, 4).replace(title="Turned")).moves("d")
    store.close()
    one, other = sorted(exported(here).pack.levels, key=lambda each: -len(each.records))
    assert [record.title for record in one.records] == ["Solution 7/3", "Savegame"]
    assert [record.title for record in other.records] == ["Savegame"]
    assert level_hash(one) == level_hash(other)


def test_import_keeps_the_better_and_the_wider(here: Path, there: Path) -> None:
    for folder, start, lurd in ((here, 5000.0, FEWEST_MOVES), (there, 9000.0, FEWEST_PUSHES)):
        store = open_store(folder, start)
        store.save_play(TWO_WAYS, [], 0, {}, start)
        store.record(TWO_WAYS, lurd)
        store.close()
    assert merged(there, exported(here).pack) == Imported(1, 1, 1, 0, 0, ())
    best = open_store(there).best(TWO_WAYS)
    assert (present(best.by_moves).lurd, present(best.by_pushes).lurd) == (FEWEST_MOVES, FEWEST_PUSHES)
    assert 5000 <= present(best.dates.first_solved) < 5100
    assert 9000 <= present(best.dates.last_solved) < 9100
    assert best.dates.seconds == 9000.0


def test_importing_ones_own_or_twice_changes_nothing(here: Path, there: Path) -> None:
    store = open_store(here, 5000.75)
    store.record(TWO_WAYS, FEWEST_MOVES)
    store.save_play(TWO_WAYS, [], 0, {}, 12.5)
    player = Player(store, ROOM)
    player.moves("rr")
    player.game.bookmarks.update(a="r", b="")
    player.save()
    store.close()
    player = Player(open_store(there), ROOM)
    player.moves("d")
    player.game.bookmarks.update(a="d")
    player.save()
    player.store.close()
    pack = exported(here).pack
    before = dump(here)
    assert merged(here, pack) == Imported(2, 1, 0, 0, 0, ())
    assert sorted(dump(here)) == sorted([*before, *(line for line in dump(here) if line not in before)])
    assert exported(here).pack == pack
    assert merged(there, pack) == Imported(2, 1, 1, 1, 3, ())
    before = dump(there)
    assert merged(there, pack) == Imported(2, 1, 0, 0, 0, ())
    assert dump(there) == before


def test_open_play_is_never_overwritten(here: Path, there: Path) -> None:
    Player(open_store(here), ROOM).moves("rr")
    Player(open_store(there), ROOM).moves("d")
    pack = exported(here).pack
    assert merged(there, pack) == Imported(1, 0, 0, 1, 1, ())
    again = Player(open_store(there), ROOM).game
    assert (again.lurd, again.bookmarks) == ("d", {"1": "rr"})


def test_game_that_runs_meanwhile_keeps_its_play(here: Path, there: Path) -> None:
    Player(open_store(here), ROOM).moves("rr")
    running = Player(open_store(there), ROOM)
    merged(there, exported(here).pack)
    running.moves("d")
    again = Player(open_store(there, 3_000_000.0), ROOM).game
    assert {again.lurd, *again.bookmarks.values()} == {"d", "rr"}


def test_position_without_a_free_digit_is_told(here: Path, there: Path) -> None:
    Player(open_store(here), ROOM).moves("rr")
    player = Player(open_store(there), ROOM)
    player.game.bookmarks.update(dict.fromkeys("123456789", "d"))
    player.moves("d")
    found = merged(there, exported(here).pack)
    assert found.problems == ("file, level 1: saved game left out: no free digit for its bookmark",)
    assert Player(open_store(there), ROOM).game.lurd == "d"


def test_play_that_was_left_solved_is_a_solution(here: Path) -> None:
    Player(open_store(here), ROOM).moves(ROOM_SOLUTION)
    found = exported(here)
    assert (found.solutions, found.plays) == (1, 0)
    assert records(found.pack) == [("Solution 7/3", ROOM_SOLUTION)]


def test_pack_of_others_gives_solutions_alone(there: Path) -> None:
    level = ROOM.replace(
        number=3,
        metadata=(("time played", "1:00:00"), ("first solved", "2001-01-01 00:00:00 UTC")),
        records=(
            Record("Solution 1/1", ROOM_SOLUTION.upper() + "uuu"),
            Record("", "3d"),
            Record("Savegame", "rr"),
            Record("Snapshot", "r"),
        ),
    )
    pack = Pack("Others", (level,), (LevelError("found no player", source="file", level=4, line=9),))
    problems = (
        "file, line 9, level 4: found no player",
        "file, level 3: moves: step 3 (d) is blocked",
        "file: saved games left out (2): they come from another program",
    )
    assert merged(there, pack) == Imported(1, 1, 1, 0, 0, problems)
    store = open_store(there)
    best = store.best(ROOM)
    assert (present(best.by_moves).lurd, best.dates.first_solved, best.dates.seconds) == (ROOM_SOLUTION, NOW, 0.0)
    assert store.load_play(ROOM) is None
    store.close()
    assert merged(there, pack, NOW + 5) == Imported(1, 1, 0, 0, 0, problems)
    assert open_store(there).best(ROOM).dates.last_solved == NOW


def test_saved_game_that_cannot_be_played_is_told(here: Path, there: Path) -> None:
    Player(open_store(here), ROOM).moves("rr")
    pack = exported(here).pack
    level = pack.levels[0]
    games = (Record("Savegame", "rrDDD"), Record("Savegame x", "q"), Record("Savegame", "r"), Record("Savegame", "rr"))
    found = merged(there, pack._replace(levels=(level.replace(records=games),)))
    assert found.problems == (
        "file, level 1: Savegame: step 4 (d) is blocked",
        "file, level 1: Savegame x: found 'q', expected one of l u r d L U R D or a count",
    )
    again = Player(open_store(there), ROOM).game
    assert (again.lurd, again.bookmarks) == ("r", {"1": "rr"})


def test_nothing_is_imported_while_the_database_is_locked(here: Path, there: Path) -> None:
    store = open_store(here)
    store.record(ROOM, ROOM_SOLUTION)
    store.close()
    pack = exported(here).pack
    open_store(there).close()
    store = open_store(there)
    with closing(sqlite3.connect(there / "progress.db", isolation_level=None)) as blocker:
        blocker.execute("BEGIN EXCLUSIVE")
        with pytest.raises(NotWrittenError, match="locked"):
            merge(store, pack, "file", NOW)
        blocker.execute("ROLLBACK")
    store.close()
    assert open_store(there).best(ROOM).by_moves is None


@pytest.mark.parametrize("column", ["bookmark SET lurd", "edit SET added", "puzzle SET first_solved"])
def test_import_into_progress_with_a_text_that_is_no_utf8(here: Path, there: Path, column: str) -> None:
    Player(open_store(there), ROOM).moves("rrDl")
    for folder in (here, there):
        store = open_store(folder)
        player = Player(store, ROOM)
        player.game.set_bookmark("a")
        player.moves("r")
        store.record(ROOM, ROOM_SOLUTION)
    pack = export(open_store(there)).pack
    spoil(here, f"UPDATE {column} = CAST(x'80ff' AS TEXT)")
    store = open_store(here)
    assert merge(store, pack, "there.sok", NOW).plays == 1
    assert store.close() is None


def test_boards_of_older_progress_come_from_the_packs_that_ship_or_are_missed(here: Path) -> None:
    bundled = open_pack(bundled_packs()[0]).levels[0]
    store = open_store(here)
    store.record(bundled, "RRR")
    Player(store, bundled).moves("R")
    store.record(ROOM, ROOM_SOLUTION)
    Player(store, TWO_WAYS).moves("r")
    store.close()
    turn_back(here, 1)  # before boards were stored
    store = open_store(here)
    found = export(store)
    assert records(found.pack) == [("Solution 3/3", "RRR"), ("Savegame", "R")]
    assert [(level.title, level.author, level.comment) for level in found.pack.levels] == [(bundled.title, "", "")]
    left = "left out: board unknown; open the level in sokoterm once, then export again"
    assert found.problems == (
        f"1 level with an unfinished game ({exact_id(TWO_WAYS)}) {left}",
        f"1 solved level ({level_hash(ROOM)}) {left}",
    )
    store.best(ROOM)
    store.load_play(TWO_WAYS)
    store.close()
    assert len(records(exported(here).pack)) == 4


def test_damaged_rows_are_told(here: Path) -> None:
    store = open_store(here)
    store.record(ROOM, ROOM_SOLUTION)
    store.record(TWO_WAYS, FEWEST_MOVES)
    store.close()
    spoil(here, f"UPDATE board SET xsb = '####' WHERE id = '{level_hash(ROOM)}'")
    spoil(here, f"UPDATE solution SET lurd = 'rr' WHERE hash = '{level_hash(TWO_WAYS)}'")
    found = export(open_store(here))
    assert records(found.pack) == []
    assert [problem.partition(": ")[2] or problem[:14] for problem in found.problems] == [
        "a solution is damaged: left out",
        "board unknown; open the level in sokoterm once, then export again",
    ]


LEVELS = [
    ROOM.replace(title="Room"),
    turned(ROOM, 5),
    Level.from_xsb("########\n#     @#\n#  $   #\n#    . #\n########\n  #  #").replace(title="Elsewhere"),
    TWO_WAYS.replace(title="Two ways"),
    turned(TWO_WAYS, 2).replace(title="Upside down"),
    RINK,
    COLORS,
]
SOLUTIONS = {
    "S": [(ROOM, ROOM_SOLUTION), (TWO_WAYS, FEWEST_MOVES), *ALIKE[1:]],
    "P": [(ROOM, "rl" + ROOM_SOLUTION), (TWO_WAYS, FEWEST_PUSHES), *ALIKE[1:]],
}
STEPS = st.lists(st.tuples(st.integers(0, len(LEVELS) - 1), st.sampled_from("urdlzyab1xSP")), max_size=60)


def solution_of(level: Level, which: str) -> str:
    """Return one of two solutions."""
    fitted = [
        from_canonical(level, *to_canonical(like, lurd))
        for like, lurd in SOLUTIONS[which]
        if level_hash(like) == level_hash(level)
    ]
    return fitted[0] or ""


def act(store: ProgressStore, steps: list[tuple[int, str]]) -> None:
    """Play several levels with undo, redo, restart, bookmarks and solutions."""
    players = [Player(store, level) for level in LEVELS]
    for index, action in steps:
        player = players[index]
        match action:
            case "z":
                player.game.undo()
            case "y":
                player.game.redo()
            case "x":
                player.game.restart()
            case "a" | "b" | "1":
                player.game.set_bookmark(action)
            case "S" | "P":
                player.game.go_to(solution_of(player.level, action))
            case _:
                player.game.walk_or_push(DIRECTIONS["urdl".index(action)])
        player.save(0.4)
        if player.game.is_solved:
            store.record(player.level, player.game.lurd)


@given(STEPS)
def test_there_and_back_again(steps: list[tuple[int, str]]) -> None:
    with TemporaryDirectory() as here, TemporaryDirectory() as there:
        store = open_store(Path(here))
        act(store, steps)
        store.close()
        pack = exported(Path(here)).pack
        assert merged(Path(there), pack).problems == ()
        assert exported(Path(there)).pack == pack
        before = dump(Path(there))
        again = merged(Path(there), pack)
        assert (again.better, again.plays, again.bookmarks) == (0, 0, 0)
        assert dump(Path(there)) == before


def test_an_older_export_takes_nothing_from_what_is_open(here: Path, there: Path) -> None:
    made = MadeLevel(2, "\n".join(ROOM.rows), ROOM_SOLUTION)
    old, new = made._replace(recipe=1), made
    run, day = Run(7, 1795350000.0, 1795350001.0), date(2026, 11, 22)
    later = Effort(9.0, 3, 1, 0)

    def keep(folder: Path, first: MadeLevel, effort: Effort) -> None:
        store = open_store(folder)
        store.record(ROOM, ROOM_SOLUTION)
        keep_day(store, Day(day, first, effort))
        keep_day(store, Day(date(2026, 11, 21), made, effort))
        keep_run(store, run)
        keep_floor(store, run, Floor(1, made, 1795350000.5, effort))
        assert store.close() is None

    keep(here, old, Effort(1.0))
    keep(there, new, later)
    assert merged(there, exported(here).pack).problems == ()
    store = open_store(there)
    assert all_days(store) == [Day(date(2026, 11, 21), made, later), Day(day, new, later)]
    assert floors_of(store, run)[1].effort == later


def test_days_and_runs_in_notes_of_earlier_versions_are_taken_over(there: Path) -> None:
    text = EARLIER.read_text()
    assert merged(there, parse(text.encode(), "export")) == Imported(8, 4, 4, 5, 2, ())
    store = open_store(there)
    (day,), (run,) = all_days(store), all_runs(store)
    (floor,) = floors_of(store, run).values()
    assert (day.date, day.made.recipe, day.effort) == (date(2026, 11, 22), 1, Effort(0.04883079199998974, 0, 2))
    assert run == Run(7, 1795744136.925631, 1795744137.422262)
    assert (floor.number, floor.entered) == (1, 1795744137.422262)
    assert (floor.made.lurd, floor.effort) == ("DllddrURurDulLdlU", Effort(0.014793531000009352, 2, 3))
    assert store.last_pack == store.last_file == "/home/ann/packs/own.txt"


@pytest.mark.parametrize(
    ("good", "bad"),
    [("entered 1795744137", f"entered {'9' * 12}"), ("7 of 1795744136", f"7 of {'9' * 12}"), ("par Dll", "par uuu")],
)
def test_what_no_calendar_or_rule_confirms_is_not_taken_over(there: Path, good: str, bad: str) -> None:
    text = EARLIER.read_text()
    assert good in text
    found = merged(there, parse(text.replace(good, bad).encode(), "export"))
    assert (found.better, found.problems) == (4, ("file: damaged rows are left out",))
    store = open_store(there)
    assert all_floors(store) == {}
    assert len(all_days(store)) == 1


# What another table says, in its own way: the moves of plays, the boards of levels, and the last numbers given.
TOLD_OTHERWISE = {"play", "edit", "board", "sqlite_sequence"}


def rows_of_tables(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of each table, without ids, and the moves of plays instead of their edits."""
    with closing(sqlite3.connect(folder / "progress.db")) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}
    for name in ("found", "solution"):
        rows[name] = [row[1:] for row in rows[name]]
    return rows


def fill_every_table(store: ProgressStore) -> None:
    """Put something into every table."""
    store.record(TWO_WAYS, FEWEST_MOVES)
    store.save_play(TWO_WAYS, [], 0, {}, 60.0)
    player = Player(store, TWO_WAYS)
    player.moves("ru")
    player.game.set_bookmark("1")
    player.save()
    store.note_help(TWO_WAYS, "r")
    store.note_help(ROOM, "")
    store.record(ROOM, ROOM_SOLUTION)
    for lurd in (FEWEST_PUSHES, FEWEST_MOVES):
        store.keep_found(TWO_WAYS, verify(TWO_WAYS.board, TWO_WAYS.start, lurd), "found: by\nme")
    store.keep_proven(TWO_WAYS, "moves", 8)
    made = MadeLevel(1, "\n".join(ROOM.rows), ROOM_SOLUTION)
    keep_day(store, Day(date(2026, 11, 22), made, Effort(1.5)))
    keep_run(store, run := Run(7, 1795350000.25, 1795352000.0))
    keep_floor(store, run, Floor(1, made, 1795350000.5, Effort(5.0)))
    store.save_place("bundled:a", 3)
    store.save_planning_off("/a/pack.txt", True)
    store.keep_drawing("", 0, '{"rows":["#\\u0000"]}\n')
    store.keep_looks("xterm", ChosenLooks("plain", 2, None))
    for table, row in {
        "collection": ("https://x", 5, "A title"),
        "sent": ("person", 1, 2, 3, 1, 1795350000.5),
        "best": ("hash", 8, None),
    }.items():
        store.keep(f"INSERT OR REPLACE INTO letslogic_{table} VALUES ({', '.join('?' * len(row))})", (), row)
    store.save_play(TWO_WAYS, player.game.edits, player.game.cursor, player.game.bookmarks, 5.0)


def test_every_table_is_the_same_after_an_export_and_an_import(here: Path, there: Path) -> None:
    store = open_store(here)
    fill_every_table(store)
    assert store.close() is None
    pack = parse(write(exported(here).pack, "sok").data, "export")
    wanted = rows_of_tables(here)
    assert [name for name, rows in wanted.items() if not rows] == []
    for _ in range(2):  # twice changes nothing
        assert merged(there, pack).problems == ()
        found = rows_of_tables(there)
        assert found.keys() == wanted.keys()
        for name in wanted.keys() - TOLD_OTHERWISE:
            assert found[name] == wanted[name], name
        assert exported(there).pack == exported(here).pack


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_progress_of_every_earlier_version_is_kept_and_gets_the_tables_it_lacks(here: Path, version: int) -> None:
    store = open_store(here)
    fill_every_table(store)
    store.close()
    turn_back(here, version)
    store = open_store(here)
    assert store.load_place("bundled:a") == 3
    assert Player(store, TWO_WAYS).game.lurd == "rU"
    assert store.best(TWO_WAYS).dates.seconds == 65.0
    fill_every_table(store)
    assert store.close() is None
    # What was solved before help was noted counts as one's own.
    assert [name for name, rows in rows_of_tables(here).items() if not rows and name != "helped"] == []


def test_a_place_stays_on_its_level_when_its_pack_is_put_in_another_order(here: Path) -> None:
    store = open_store(here)
    for number in (1, 2):
        store.keep_drawing("bundled:one-evening.txt", number, str(number))
    store.save_place("bundled:one-evening.txt", 35)
    store.save_place("own.txt", 35)
    for number in (-3, 3):  # imports accept both
        store.keep_drawing("own.txt", number, str(number))
    store.close()
    turn_back(here, len(MIGRATIONS) - 1)
    store = open_store(here)
    places = [store.load_place(pack) for pack in ("bundled:one-evening.txt", "own.txt")]
    assert places == [13, 35]  # Rusty needle
    assert [store.drawing("bundled:one-evening.txt", number) for number in (4, 17)] == ["1", "2"]
    assert [store.drawing("own.txt", number) for number in (-3, 3)] == ["", "3"]


@pytest.mark.parametrize(("is_earlier", "place", "drawing"), [(True, 13, 4), (False, 35, 1)])
def test_imported_places_and_drawings_stay_on_their_levels(
    here: Path, there: Path, is_earlier: bool, place: int, drawing: int
) -> None:
    store = open_store(here)
    store.save_place("bundled:one-evening.txt", 35)
    store.keep_drawing("bundled:one-evening.txt", 1, "drawn")
    store.close()
    pack = exported(here).pack
    if is_earlier:  # without a note that the packs have their new order
        pack = pack._replace(metadata=tuple(note for note in pack.metadata if note[0] != "order"))
    merged(there, parse(write(pack, "sok").data, "export.sok"))
    store = open_store(there)
    assert store.load_place("bundled:one-evening.txt") == place
    assert store.drawn_numbers("bundled:one-evening.txt") == [drawing]


def test_rows_of_the_wrong_form_or_type_are_left_out_and_told(here: Path, there: Path) -> None:
    rows = [
        *('["a"]', '["a", [1]]', '{"a": 1}', '["a", 99999999999999999999999]', '["\\ud800", 1]', "[", '["a", null]'),
        *("x", '["x", "abc"]', '["a", 1.5]', "[1, 1]"),
    ]
    store = open_store(here)
    store.record(ROOM, ROOM_SOLUTION)
    keep_day(store, Day(date(2026, 11, 22), MadeLevel(1, "\n".join(ROOM.rows), ROOM_SOLUTION)))
    assert store.close() is None
    pack = exported(here).pack
    # To a number that only just fits its column nothing could be added: a step back would end the program.
    wrong = ("date", "no day"), ("date", "2026-13-01"), ("undos", (1 << 63) - 1), ("lurd", "uuu"), ("seconds", -1.0)
    columns = ("date", *MadeLevel._fields, *Effort._fields)
    (text,) = [text for table, text in pack.metadata if table == "day"]
    day = dict(zip(columns, json.loads(text), strict=True))
    days = [json.dumps([*(day | {column: value}).values()]) for column, value in wrong]
    metadata = [each for each in pack.metadata if each[0] != "day"]
    damaged = [*(("place", row) for row in rows), *(("day", row) for row in days), ("last_pack", '["no number", "a"]')]
    found = merged(there, pack._replace(metadata=(*damaged, ("place", '["b", 2]'), *metadata)))
    assert (found.solutions, found.better, found.problems) == (1, 1, ("file: damaged rows are left out",))
    tables = rows_of_tables(there)
    assert [tables[name] for name in ("place", "last_pack", "day")] == [[("b", 2)], [], []]


def test_known_solutions_of_earlier_versions_are_kept_once(here: Path) -> None:
    open_store(here).close()
    turn_back(here, 12)
    start, lurd = to_canonical(TWO_WAYS, FEWEST_PUSHES)
    _, other = to_canonical(TWO_WAYS, FEWEST_MOVES)
    with closing(sqlite3.connect(here / "progress.db")) as connection, connection:
        for metric, moves in zip(
            ("moves", "pushes", "box_lines", "box_changes", "pushing_sessions"), [other, *[lurd] * 4]
        ):
            row = (level_hash(TWO_WAYS), *start, metric, moves, 3, len(moves), 4, "me")
            connection.execute("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    store = open_store(here)
    assert {each.solution.lurd for each in store.found_solutions(TWO_WAYS)} == {FEWEST_MOVES, FEWEST_PUSHES}
    store.close()
    assert len(rows_of_tables(here)["found"]) == 2


def test_a_solution_that_is_best_by_moves_and_by_pushes_is_kept_once(here: Path) -> None:
    store = open_store(here)
    for lurd in (FEWEST_PUSHES, FEWEST_PUSHES, FEWEST_MOVES):
        store.record(TWO_WAYS, lurd)
    store.record(ROOM, ROOM_SOLUTION)
    store.close()
    turn_back(here, 12)  # where it was kept twice
    store = open_store(here)
    best = store.best(TWO_WAYS)
    assert (present(best.by_moves).lurd, present(best.by_pushes).lurd) == (FEWEST_MOVES, FEWEST_PUSHES)
    store.close()
    assert len(rows_of_tables(here)["solution"]) == 3


@pytest.mark.parametrize("ours", [None, True, False])
@pytest.mark.parametrize("theirs", [True, False])
def test_solved_only_with_help_is_so_on_both_sides(here: Path, there: Path, ours: bool | None, theirs: bool) -> None:
    for folder, is_helped in ((here, theirs), (there, ours)):
        store = open_store(folder)
        if is_helped:
            store.note_help(ROOM, "")
        if is_helped is not None:
            store.record(ROOM, ROOM_SOLUTION)
        store.close()
    pack = exported(here).pack
    assert (("solved", "only with help") in pack.levels[0].metadata) == theirs
    for _ in range(2):
        merged(there, parse(write(pack, "sok").data, "file"))
        store = open_store(there)
        assert store.best(ROOM).dates.is_helped == (theirs and ours is not False)
        store.close()
