"""``sokoterm info``, and the ratings of ``--difficulty``: by several processes, kept in the index of the library."""

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing

import pytest

from sokoterm.app.catalog import Grading
from sokoterm.commands import info
from sokoterm.engine.game import Edit
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.solver import difficulty
from sokoterm.solver.figures import FIGURES_VERSION, DifficultyFigures
from sokoterm.store.known_levels import Grade
from sokoterm.store.packs import find_packs, open_pack, stamp_of
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command
from tests.unit.commands.test_output import fake_stderr, shown
from tests.unit.commands.test_recorded import TURNED, NearCluster, put_in_place, rows_of
from tests.unit.tui.kinds import SOLVED

COLLECTION = f"""\
Collection: Two of them
Author: Ann
Copyright: (c) Ann
Homepage: http://example.org/

First

{ONE_PUSH}

Difficulty: 5

Solution 1/1 (YASS 2.86)
R

Solver: YASS

Solution invalid
D

Savegame
rr

Second

{TWO_PUSHES}

####
#@ #
####
"""


FIGURES = """{
"comment": "Mind the corner.", "pack_title": "levels", "pack_author": "", "level": 1, "title": "Narrow",
"author": "Ann", "metadata": [], "pack_metadata": [], "width": 8, "height": 8, "kind": [], "boxes": 4, "goals": 4,
"floor": 23, "dead_squares": 10, "solutions": 0, "difficulty": null, "records": [], "solved": false,
"helped": false, "own": [], "own_notes": {}, "open_play": null, "bookmarks": [], "known": []
}"""
RECORDS = """[
{"title": "Solution 1/1 (YASS 2.86)", "solved": true, "moves": 1, "pushes": 1, "problem": null, "lurd": "R",
 "notes": "Solver: YASS"},
{"title": "Solution invalid", "solved": false, "moves": null, "pushes": null, "problem": "step 1 (d) is blocked",
 "lurd": "D", "notes": ""},
{"title": "Savegame", "solved": true, "moves": 1, "pushes": 1, "problem": null, "lurd": "R", "notes": ""}
]"""


def test_figures_and_totals(command: Command) -> None:
    pack = command.file("levels.txt", f"{SEED}\nTitle: Narrow\nAuthor: Ann\nComment: Mind the corner.\n")
    (found,) = command.done("info", pack, "--json").objects
    assert found == {"pack": str(pack), "hash": level_hash(Level.from_xsb(SEED)), **json.loads(FIGURES)}
    path, _, row, totals = command("info", pack).out.splitlines()
    assert path == str(pack)
    assert row.split() == ["1", "8x8", "4", "4", "23", "10", "0", "Narrow,", "Ann", level_hash(Level.from_xsb(SEED))]
    assert totals == "1 level, 0 solved, 0 solutions; levels"


def test_totals_of_a_collection(command: Command) -> None:
    pack = command.file("levels.sok", COLLECTION)
    result = command("info", pack)
    assert (result.status, "level 3: " in result.err) == (2, True)
    totals = "2 levels, 1 unreadable, 0 solved, 1 solution; Two of them; Ann; copyright (c) Ann; http://example.org/"
    assert result.out.splitlines()[-1] == totals
    assert command("info", pack, "-l", "1-2").out.splitlines()[-1] == totals.replace(" 1 unreadable,", "")


def test_records_are_replayed(command: Command) -> None:
    pack = command.file("levels.sok", COLLECTION)
    one, two = command("info", pack, "--json").objects
    assert (one["solutions"], two["solutions"], two["records"]) == (1, 0, [])
    assert one["records"] == json.loads(RECORDS)


def test_one_level_alone(command: Command) -> None:
    pack = command.file("levels.sok", COLLECTION.replace("First", "Fir\x1bst"))
    level = Level.from_xsb(ONE_PUSH)
    with command.progress(1.0) as store:
        store.save_play(level, [], 0, {"b": "", "a": ""}, 65.0)
        store.record(level, "R")
    result = command.done("info", pack, "-l", "1")
    heading, *lines = result.out.splitlines()
    assert heading.startswith(f"{pack} 1  Fir")
    assert "\x1b" not in result.out
    assert lines == [
        "",
        *ONE_PUSH.splitlines(),
        "",
        "size          5x3",
        "boxes         1",
        "goals         1",
        "floor         3 squares, 1 of them dead",
        f"hash          {level_hash(level)}",
        "difficulty    5",
        "own best      1 move, 1 push",
        "first solved  1970-01-01 00:00:01 UTC",
        "last solved   1970-01-01 00:00:01 UTC",
        "time played   0:01:05",
        "bookmarks     a b",
        "solutions     1",
        "Solution 1/1 (YASS 2.86): replays: 1 move, 1 push",
        "  Solver: YASS",
        "Solution invalid: step 1 (d) is blocked",
        "Savegame: replays: 1 move, 1 push",
        "difficulty    5 (for beginners, 1 in 10 gives up)",
        "  search      solved within 1 position",
        "  ways        2 positions on shortest ways",
        "  luck        solved by random pushes once in 2^0 games",
    ]


def test_how_hard_the_levels_of_a_pack_are_is_told_when_asked(command: Command) -> None:
    pack = command.pack("levels.txt", [SEED, ONE_PUSH, STUCK])
    head, *rows, _ = command("info", pack, "--difficulty").out.splitlines()[1:]
    column = head.split().index("difficulty")
    assert [row.split()[column] for row in rows][1:] == ["5", "-"]
    assert int(rows[0].split()[column]) > 50
    assert "difficulty" not in command("info", pack).out
    rated = command("info", pack, "--difficulty", "--json").objects
    seed, one, stuck = ({**each, **_of(each["difficulty"])} for each in rated)
    assert (seed["pushes"], seed["gap"], seed["least"], seed["number"]) == (43, 38, False, int(rows[0].split()[column]))
    assert (one["number"], one["status"], stuck["number"], stuck["status"]) == (5, "solved", None, "unsolvable")
    (alone,) = command("info", pack, "-l", "1", "--json").objects
    assert alone == rated[0]


def _of(fields: object) -> dict[str, object]:
    assert isinstance(fields, dict)
    return fields


def test_open_play_of_one_level(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    with command.progress() as store:
        store.save_play(Level.from_xsb(TWO_PUSHES), [Edit(0, "", "R")], 1, {})
    assert "unfinished    1 move\n" in command("info", pack, "-l", "1").out


def test_solutions_of_the_progress_are_counted(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES])
    with command.progress() as store:
        store.record(Level.from_xsb(ONE_PUSH), "R")
    turned = command.pack("turned.txt", ["\n".join("".join(row) for row in zip(*ONE_PUSH.split("\n"), strict=True))])
    assert [each["solutions"] for each in command("info", pack, "--json").objects] == [1, 0]
    assert [each["solutions"] for each in command("info", turned, "--json").objects] == [1]
    assert "2 levels, 1 solved, 1 solution;" in command("info", pack).out


def test_info_makes_no_progress_of_its_own(command: Command) -> None:
    folder = command.folder / "data"
    assert command("info", command.pack("levels.txt", [ONE_PUSH]), "--data-dir", folder).status == 0
    assert not folder.exists()


def test_several_packs_have_a_total(command: Command) -> None:
    command.pack("packs/a.txt", [ONE_PUSH, TWO_PUSHES])
    command.file("packs/b.sok", COLLECTION)
    last = "2 packs: 4 levels, 1 unreadable, 0 solved, 1 solution"
    assert command("info", command.folder / "packs").out.splitlines()[-1] == last
    assert "packs:" not in command("info", command.folder / "packs" / "a.txt").out
    assert "packs:" not in command("info", command.folder / "packs", "-l", "1").out


def test_texts_of_many_lines_take_one(command: Command) -> None:
    pack = command.folder / "levels.txt"
    pack.write_text("".join(f"Homepage: http://{number}/\n" for number in range(41)) + f"\n{ONE_PUSH}\n", "utf-8")
    assert command("info", pack).out.endswith("; levels; http://0/ (and 40 more)\n")


@pytest.mark.parametrize("verb", ["info", "hash", "duplicates"])
def test_rows_are_cut_on_a_terminal_alone(command: Command, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = command.folder / "levels.txt"
    pack.write_text("".join(f"; {'long ' * 30}\n\n{ONE_PUSH}\n\n" for _ in range(2)), "utf-8")
    whole = command(verb, pack).out.splitlines()
    assert max(map(len, whole)) > 200
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    shown = command(verb, pack).out.splitlines()
    assert [len(line) <= 80 for line in shown[-2:]] == [True] * 2
    # Read from the end: above the rows there may stand a heading.
    assert all(line.startswith(part) for line, part in zip(reversed(whole), reversed(shown), strict=False))


def test_what_was_solved_only_with_help_is_told_apart(command: Command) -> None:
    pack = command.file("levels.txt", f"{ONE_PUSH}\n\n{TWO_PUSHES}\n")
    one, two = (Level.from_xsb(rows) for rows in (ONE_PUSH, TWO_PUSHES))
    with command.progress() as store:
        store.note_help(one, "")
        store.record(one, "R")
        store.record(two, "RR")
    assert "2 levels, 2 solved (1 only with help), " in command("info", pack).out
    assert "solved        only with help\n" in command("info", pack, "-l", "1").out
    assert "only with help" not in command("info", pack, "-l", "2").out


def test_the_kind_of_a_level_is_named(command: Command) -> None:
    pack = command.pack("levels.txt", [SOLVED["both"][0], SOLVED["sliding"][0]])
    assert command("info", pack, "--json").objects[0]["kind"] == ["colors", "sliding"]
    assert "kind          colours and sliding\n" in command("info", pack, "-l", "1").out
    assert "kind          sliding\n" in command("info", pack, "-l", "2").out


LEVELS = [ONE_PUSH, SEED, TURNED, STUCK, FEWER_MOVES, ONE_PUSH]


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The level hashes of the levels that are rated in this process."""
    hashes: list[str] = []
    rate = difficulty.figures_in_time

    def noted(level: Level, clock: Callable[[], float]) -> DifficultyFigures | None:
        hashes.append(level_hash(level))
        return rate(level, clock)

    monkeypatch.setattr(difficulty, "figures_in_time", noted)
    return hashes


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["table", "json"])
def test_jobs_change_nothing_but_the_time(command: Command, form: list[str]) -> None:
    packs = [command.pack("levels.txt", LEVELS), command.pack("more.txt", [TWO_PUSHES, TURNED])]
    one, two = (
        command("info", *packs, "--difficulty", "--jobs", jobs, *form, "--data-dir", command.folder / jobs)
        for jobs in "12"
    )
    assert (one.status, one.err) == (0, "")
    assert one == two


def test_a_level_is_rated_once(command: Command, rated: list[str]) -> None:
    pack = command.pack("levels.txt", LEVELS)
    first = command("info", pack, "--difficulty")
    assert len(rated) == len(set(rated)) == 4
    assert command("info", pack, "--difficulty", "--jobs", "2") == first
    rows = command("info", pack, "--difficulty", "--json").objects
    assert command("info", pack, "-l", "2", "--json").objects == rows[1:2]
    assert "\ndifficulty" in command("info", command.pack("copy.txt", [TURNED]), "-l", "1").out
    assert len(rated) == 4


def test_a_level_alone_makes_no_library(command: Command, rated: list[str]) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    assert command("info", pack, "-l", "1").status == 0
    assert len(rated) == 1
    assert not (command.data).exists()


def test_lists_and_info_take_each_others_ratings(command: Command, rated: list[str]) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, SEED])
    assert command("info", pack, "--difficulty", "-l", "2").status == 0
    listed = [each["difficulty"] for each in command("list", "--in", pack, "--json").objects]
    (row,) = command("info", pack, "--difficulty", "-l", "2", "--json").objects
    assert isinstance(row["difficulty"], dict)
    assert listed[1] == row["difficulty"]["number"]
    (file,) = find_packs(str(pack))
    with command.index() as index:
        index.learn(file, open_pack(file), stamp_of(file))
        for _ in Grading(index, open_pack, lambda _: True).grade_levels(file.key, open_pack(file).levels):
            pass
    assert len(command("info", pack, "--difficulty").out.splitlines()) == 5
    assert len(rated) == 1


@pytest.mark.parametrize("figures", ["", "solved 1 2", "gone 1 5 1 1 1 2 0", "solved 1 0 1 1 1 2 0"])
def test_a_rating_without_usable_figures_is_made_again(command: Command, rated: list[str], figures: str) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    key = level_hash(Level.from_xsb(ONE_PUSH))
    with command.index() as index:
        index.keep_grades({key: Grade(9, "9", figures)}, FIGURES_VERSION)
    (row,) = command("info", pack, "--difficulty", "--json").objects
    assert isinstance(row["difficulty"], dict)
    assert (row["difficulty"]["number"], rated) == (5, [key])
    with command.index() as index:
        assert index.graded([key], FIGURES_VERSION)[key].number == 5


def test_ratings_of_an_earlier_version_stay(command: Command) -> None:
    """The index had no column for figures then."""
    key = level_hash(Level.from_xsb(ONE_PUSH))
    with command.index():
        pass
    with closing(sqlite3.connect(command.data / "library.db")) as connection, connection:
        connection.execute("DROP INDEX level_with_more")
        for column in ("has_more", "recipe_pushes"):
            connection.execute(f"ALTER TABLE level DROP COLUMN {column}")
        connection.execute("ALTER TABLE grade DROP COLUMN figures")
        connection.execute("INSERT INTO grade VALUES (?, ?, 9, '9')", (key, FIGURES_VERSION))
        connection.execute("PRAGMA user_version = 6")
    with command.index() as index:
        assert index.notices == []
        assert index.graded([key], FIGURES_VERSION) == {key: Grade(9, "9")}


def test_results_in_a_file_are_kept_and_known_ones_need_no_worker(command: Command, rated: list[str]) -> None:
    cluster = NearCluster()
    put_in_place(cluster, command.monkeypatch)
    pack = command.pack("levels.txt", LEVELS)
    outs = [command.folder / "one.jsonl", command.folder / "two.jsonl"]
    assert command("info", pack, "--difficulty", "-l", "1", "--json").status == 0
    for out in outs:
        assert command("info", pack, "--difficulty", "--cluster", "x", "-o", out).status == 0
        assert len(cluster.done) == 3
    expected = command("info", pack, "--difficulty", "--json").objects
    for out in outs:
        assert sorted(rows_of(out), key=lambda row: str(row["level"])) == expected
    assert len(rated) == 4


def test_results_of_another_version_of_the_figures_are_worked_out_again(command: Command) -> None:
    cluster = NearCluster()
    put_in_place(cluster, command.monkeypatch)
    arguments = ("info", command.pack("levels.txt", [ONE_PUSH]), "--difficulty", "--cluster", "x", "-o")
    out = command.folder / "out.jsonl"
    assert command(*arguments, out).status == 0
    command.monkeypatch.setattr(info, "FIGURES_VERSION", FIGURES_VERSION + 1)
    assert command(*arguments, out).status == 0
    assert len(cluster.done) == 2


def test_a_bar_shows_how_many_are_rated(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = command.pack("levels.txt", LEVELS)
    terminal = fake_stderr(monkeypatch)
    assert command("info", pack, "--difficulty").status == 0
    assert [f"{done} of 4 levels rated" in terminal.getvalue() for done in range(5)] == [True] * 4 + [False]
    assert shown(terminal) == ""
    terminal = fake_stderr(monkeypatch)
    assert command("info", pack, "--difficulty").status == 0
    assert terminal.getvalue() == ""


def test_how_a_file_was_read_is_told_and_signs_can_be(command: Command) -> None:
    pack = command.file("levels.py", "LEVELS = [['#####', '# @ #', '#O X#', '#   #', '#####']]")
    asked = command("info", pack)
    assert asked.status == 2
    assert asked.err.endswith('expected # @ $ . characters or --signs "box=O goal=X", --signs "box=X goal=O"\n')
    told = command("info", pack, "--signs", "box=O")
    assert (told.status, told.err) == (0, f"sokoterm: {pack}: read as boards of quoted rows; O is a box, X is a goal\n")
    assert "argument --signs: found 'bx=O', expected signs" in command.refusal("info", pack, "--signs", "bx=O")


def test_a_pack_in_another_notation_is_added_as_plain_text(command: Command) -> None:
    pack = command.file("levels.js", 'x = [{name: "One", map: ["#####", "#P$O#", "#####"]}]')
    assert command("add", pack, "--signs", "goal=O").status == 0
    (copy,) = command.folder.rglob("levels.js.txt")
    assert "#@$.#" in copy.read_text()
    assert command("list").err == ""
