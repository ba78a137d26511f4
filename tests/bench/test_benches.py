"""``python3 -m tests.bench``: every bench by name, and its figures."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median

import pytest

from sokoterm.commands import CHECKOUT_BENCHES
from sokoterm.engine.bits import lowest
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.planner.box_reach import BoxReach
from sokoterm.generator.recipes import Band, Wish
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import difficulty
from sokoterm.store.known_levels import solutions_of
from sokoterm.store.packs import find_packs, open_pack
from tests.bench import BENCHES, engine, files, generator, planner, turns
from tests.bench.__main__ import main as bench_main
from tests.bench.answers import ROOT, command_lines, compared
from tests.bench.cluster import faults_in, made_levels, write_levels
from tests.bench.files import find_copies, made_copies
from tests.bench.humans import FOLDER, fit
from tests.bench.library import measure_one_pack, measure_verb, write_packs, write_solved
from tests.bench.made_boards import crowded_board, maze, open_board
from tests.bench.naive_planner import naive_pushes
from tests.bench.terminal import is_searching
from tests.bench.turns import Branch, Case, grow, shares_by, total_seconds
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command
from tests.unit.commands.test_generate import read
from tests.unit.solver.optimizer.known import long_solution

HARD = "###########\n#   #     #\n# $ $ $ $ #\n#@.  ...  #\n#   #     #\n###########"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """``python3 -m tests.bench``, with every file of the program below a temporary folder."""
    return Command(tmp_path, monkeypatch, capsys, bench_main)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small boards, measured once, and levels that are soon made."""
    for name, value in (("_SIZES", (10, 12)), ("_MAZE", 20), ("_CROWD", 12), ("_ROUNDS", 1), ("_GROWTH_ROUNDS", 1)):
        monkeypatch.setattr(planner, name, value)
    monkeypatch.setattr(generator, "BANDS", {"tiny": Band(20, 44), "small": Band(25, 49)})
    monkeypatch.setattr(generator, "USUAL", Wish(7, 6, 2, 1_000))
    monkeypatch.setattr(engine, "_SHARED", Path("nowhere"))
    monkeypatch.setattr(engine, "process_time", partial(next, count(0.0)))
    monkeypatch.setattr(files, "perf_counter", partial(next, count(0.0)))


@pytest.mark.parametrize("name", [[], *([name] for name in BENCHES)])
def test_help_fits_the_terminal_and_has_an_example_that_can_be_given(
    bench: Command, name: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in (80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        result = bench(*name, "--help")
        text, _, rest = result.out.partition("\nexample:\n")
        assert set(CHECKOUT_BENCHES) == set(BENCHES)
        assert (result.status, result.err) == (0, "")
        assert max(map(len, text.splitlines())) < min(columns, 80)
        assert " ".join(text.split()).startswith(f"usage: python3 -m tests.bench {' '.join(name)}".rstrip())
        assert rest.startswith(f"  python3 -m tests.bench {' '.join(name)}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "(python3 -m tests.bench "),
        (["patience"], "(python3 -m tests.bench "),
        (["terminal", "--runs", "0"], "(python3 -m tests.bench terminal"),
        (["files", "--no-such-flag"], "(python3 -m tests.bench files"),
        (["answers"], "(python3 -m tests.bench answers"),
        (["cluster", "--levels", "10", "--copies", "10"], "found 10 copies among 10 levels, expected fewer"),
        (["difficulty", "one.txt", "--tier", "one.txt"], "sokoterm: "),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(bench: Command, arguments: list[str], said: str) -> None:
    result = bench(*arguments)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert said in result.err


def test_the_command_runs_from_the_root_of_a_checkout(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.bench", "planner", "--suite", "no such pack"]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ["SOKOTERM_DATA"] = str(tmp_path)
    found = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (2, "")
    assert "no such pack" in found.stderr


@pytest.mark.parametrize(
    ("arguments", "measured"),
    [
        (["files", "--copies", "3"], "duplicates"),
        (["planner"], "boxes to a goal"),
        (["generator", "--count", "1", "--nodes", "30"], "without 1 of 1"),
    ],
)
def test_a_pack_that_cannot_be_read_is_said_and_the_rest_measured(
    bench: Command, arguments: list[str], measured: str
) -> None:
    suite = ("--suite", bench.folder / "missing.txt", bench.pack("levels.txt", [SEED]))
    result = bench(*arguments, *suite)
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert measured in result.out


# answers


def test_a_checkout_answers_as_itself() -> None:
    lines = ["convert -l 2 LEVELS/first-steps.txt -o a.sok", "solve missing.txt"]
    assert list(compared(lines, ROOT, ROOT)) == [(line, "") for line in lines]
    assert len({*command_lines()}) > 200


def test_another_status_and_another_file_are_named(tmp_path: Path) -> None:
    package = tmp_path / "sokoterm"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text("open('out.txt', 'w').write('other')\nraise SystemExit(3)\n")
    ((_, difference),) = compared(["--version"], ROOT, tmp_path)
    assert {"-exit status 3", "+exit status 0", "-out.txt: other"} <= set(difference.splitlines())


# cluster: it runs in some minutes


def test_so_many_levels_differ_and_the_others_are_copies() -> None:
    made = [Level.from_xsb("\n".join(rows)) for rows in made_levels(250, 40)]
    assert (len(made), len({level_hash(level) for level in made})) == (250, 210)


def results_of(folder: Path, results: Sequence[Mapping[str, object]], searches: int) -> list[str]:
    """The faults found in results for two levels."""
    packs, out = folder / "packs", folder / "out.jsonl"
    write_levels(str(packs), [ONE_PUSH.splitlines(), TWO_PUSHES.splitlines()])
    pack = {"pack": str(packs / "1.xsb")}
    out.write_text("".join(json.dumps(pack | {**each}) + "\n" for each in results), "ascii")
    with closing(sqlite3.connect(f"{out}.journal")) as journal, journal:
        journal.execute("CREATE TABLE results (key)")
        journal.executemany("INSERT INTO results VALUES (?)", [(number,) for number in range(searches)])
    return [*faults_in(str(packs), str(out), 2)]


@pytest.mark.parametrize(
    ("results", "searches", "faults"),
    [
        ([(1, "R"), (2, "RR")], 2, []),
        ([(1, "R"), (2, None)], 2, []),
        ([(1, "R")], 1, ["1 levels without a result", "1 levels searched, expected 2"]),
        ([(1, "R"), (2, "RR"), (1, "R")], 3, ["1 levels with several results", "3 levels searched, expected 2"]),
        ([(1, "R"), (2, "R")], 2, ["1 wrong solutions"]),
    ],
)
def test_faults_are_found(
    tmp_path: Path, results: list[tuple[int, str | None]], searches: int, faults: list[str]
) -> None:
    rows = [{"level": number, "lurd": lurd} for number, lurd in results]
    assert results_of(tmp_path, rows, searches) == faults


# difficulty


def test_packs_come_in_their_order_or_not(bench: Command) -> None:
    easy, hard = bench.pack("easy.txt", [ONE_PUSH, TWO_PUSHES]), bench.pack("hard.txt", [SEED])
    right = bench("difficulty", "--tier", easy, "--tier", hard, "--ends", "1")
    assert (right.status, right.err) == (0, "")
    head, row, *_ = right.out.splitlines()
    assert head.split() == ["pack", "levels", "solved", "least", "25%", "median", "75%", "most", "rank"]
    assert row.split()[1:5] == ["2", "2", "2", "3"]
    assert right.out.endswith("0% of pairs the other way round\norder: each pack is below those of the next tier\n")
    wrong = bench("difficulty", "--tier", hard, "--tier", easy, "--jobs", "2")
    assert wrong.status == 1
    assert "100% of pairs" in wrong.out
    assert wrong.out.splitlines()[-1].endswith("easy.txt at 4")


def test_a_fit_finds_the_weights_of_a_sum() -> None:
    rows = [(1.0, 2.0), (2.0, 1.0), (4.0, 4.0), (3.0, 7.0)]
    fitted = fit(rows, [3 * one - other + 5 for one, other in rows])
    assert [round(each, 9) for each in (*fitted.weights, fitted.constant)] == [3, -1, 5]


@pytest.mark.skipif(not FOLDER.is_dir(), reason="needs the data of people")
@pytest.mark.slow
def test_the_number_agrees_with_people(bench: Command) -> None:
    _, number, *_ = bench("difficulty", "--humans", "--jobs", "2").out.splitlines()
    assert number.startswith("number ")
    unfinished, seconds, rating = map(float, re.findall(r"(\d\.\d\d) \+-", number))
    assert (unfinished >= 0.62, seconds >= 0.6, rating >= 0.6) == (True, True, True)


# engine and files: their tables


def test_the_table_of_the_engine(bench: Command) -> None:
    result = bench("engine", "--depth", "1")
    assert (result.status, result.err) == (0, "")
    names = ["160 solutions", "verify", "verify, plain", "play, each position"]
    names += [f"{each}{plain}" for each in ("step", "push", "perft") for plain in ("", ", plain")]
    lines = result.out.splitlines()
    assert all(line.startswith(name) for line, name in zip(lines, [*names, "all results"], strict=True))
    assert result.out.count("1.00 times the plain code") == 4
    assert result.out.endswith("are equal\n")


def test_the_table_of_files(bench: Command) -> None:
    result = bench("files", "--suite", bench.pack("one.txt", [ONE_PUSH, TWO_PUSHES]), "--copies", "10")
    assert (result.status, result.err) == (0, "")
    names = ["2 levels", "parse", "hash", "hash, naive", "parse and hash", "largest level", "duplicates"]
    assert all(line.startswith(name) for line, name in zip(result.out.splitlines(), names, strict=True))
    assert result.out.endswith("exactly the copies found\n")


def test_copies_are_other_pictures_of_equal_hash_and_are_found_by_the_verb() -> None:
    known = [Level.from_xsb(text) for text in (ONE_PUSH, TWO_PUSHES, STUCK)]
    made = list(made_copies(known, 60))
    assert all(level_hash(Level.from_xsb("\n".join(rows))) == level_hash(known[index]) for index, rows in made)
    assert len({tuple(rows) for _, rows in made}) > 20
    found = find_copies([*known, known[0]], 20)
    assert found.is_exact
    assert found.kilobytes > 1000


# generator and library


@pytest.mark.slow
def test_the_table_has_a_row_of_medians_for_each_kind(
    bench: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sokoterm = Command(bench.folder, monkeypatch, capsys)
    result = bench("generator", "--count", "3", "--seed", "4")
    assert (result.status, result.err) == (0, "")
    head, *rows = result.out.splitlines()
    assert [row[:17].strip() for row in rows] == ["tiny 20-44", "small 25-49", "2 boxes, 7x6"]
    levels = read(sokoterm("generate", "--seed", "4", "--difficulty", "20-44", "--count", "3").out).levels
    figures = dict(zip(head.replace("a box", "each").split(), rows[0][17:].split(), strict=True))
    assert figures["levels"] == "3"
    assert float(figures["boxes"]) == median(level.boxes for level in levels)
    assert float(figures["floor"]) == median(level.board.floor.bit_count() for level in levels)
    assert float(figures["difficulty"]) == median(difficulty(figures_of(level)) for level in levels)
    assert 0 < float(figures["seconds"]) <= float(figures["longest"])


def test_packs_stand_beside_what_is_made(bench: Command) -> None:
    pack = bench.pack("levels.txt", [SEED, FEWER_MOVES, HARD])
    arguments = ("--difficulty", "small", "--count", "1", "--jobs", "2", "--nodes", "30", "--suite", pack)
    _, small, usual, row = bench("generator", *arguments).out.splitlines()
    assert small.startswith("small 25-49 ")
    assert usual.startswith("2 boxes, 7x6 ")
    assert row.endswith("without 1 of 3")
    assert float(row[17:].split()[0]) == 2


def test_the_packs_of_the_library_hold_puzzles_of_their_own_and_are_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_packs(str(tmp_path / name), 3, 258)
    one, two = ([open_pack(file) for file in find_packs(str(tmp_path / name))] for name in ("one", "two"))
    assert [pack.levels for pack in one] == [pack.levels for pack in two]
    assert [(len(pack.levels), len(pack.errors)) for pack in one] == [(86, 0)] * 3
    assert len({level_hash(level) for pack in one for level in pack.levels}) > 250


@pytest.mark.slow
def test_the_table_of_one_pack_and_of_verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_packs(str(tmp_path / "packs"), 2, 30)
    write_solved(str(tmp_path / "solved"), 1)
    (pack,) = map(open_pack, find_packs(str(tmp_path / "solved")))
    solutions = [solutions_of(level, "") for level in pack.levels]
    assert (len(solutions), sum(map(bool, solutions))) == (79, 33)
    measure_one_pack(str(tmp_path / "packs"), str(tmp_path))
    measure_verb("add", str(tmp_path), "add", "--new-only", str(tmp_path / "solved"))
    names = [line[:40].rstrip() for line in capsys.readouterr().out.splitlines()]
    assert names[0] == "one pack, first opening, CPU s, MB"
    assert names[2] == "one pack, second opening, CPU s, MB"
    assert names[4:] == [
        "filter by words, not indexed, CPU ms",
        "filter by boards, not indexed, CPU ms",
        "filter by words, indexed, CPU ms",
        "filter by boards, indexed, CPU ms",
        "add, CPU s, MB",
    ]


# planner


def test_the_boards_are_open_crowded_or_a_maze_whose_goal_is_reached() -> None:
    hall, crowd, rooms = open_board(10), crowded_board(12), maze(20)
    assert (hall.board.floor.bit_count(), hall.boxes) == (64, 1)
    assert crowd.boxes == 9
    reach = BoxReach(rooms.board, rooms.start, lowest(rooms.start.boxes))
    assert reach.pushes[lowest(rooms.board.goals)] > 20
    assert rooms == maze(20)


def test_the_table_of_the_planner(bench: Command) -> None:
    result = bench("planner", "--clicks", "3")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "maze: 20x20, 1 box"
    names = ["squares in reach", "and the tables", "flood fills", "fewest pushes", "fewest moves"]
    assert [line[:17].strip() for line in lines[1:6]] == names
    assert "the same" in lines[3]
    assert [line.split()[0] for line in lines[8:10]] == ["10x10", "12x12"]
    names = ["click", "its picture", "next box", "plan", "next plan", "boxes to a goal"]
    assert [line[:17].strip() for line in lines[-6:]] == names


def test_the_suite_gives_the_level_of_one_box_and_the_largest_board(
    bench: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = bench.pack("levels.txt", [FEWER_MOVES, SEED])
    result = bench("planner", "--suite", pack)
    assert (result.status, result.err) == (0, "")
    for said in (f"{pack}:1: 6x6, 1 box\n", f"{pack}:2: 8x8, 4 boxes, ", "2 pushes, 10 moves", "4 pushes, 8 moves"):
        assert said in result.out
    # Other squares than those of the plain search
    monkeypatch.setattr(planner, "naive_pushes", lambda *arguments: naive_pushes(*arguments) | {0: 1})
    result = bench("planner", "--suite", pack)
    assert (result.status, "NOT the same" in result.out) == (1, True)


@pytest.mark.parametrize(
    ("output", "searches"),
    [
        (b"moves 0  solving: nodes 12\r\nsearching", True),
        (b"solving: nodes 12 \x1b[1mno solution found: memory limit reached", False),
        (b"solving: nodes 12 \x1b[1msolution found: Enter shows it", False),
        (b"solving: nodes 12 \x1b[1mthis level cannot be solved (proven)", False),
        (b"moves 0", False),
    ],
)
def test_a_search_in_the_terminal_that_is_over_is_seen(output: bytes, searches: bool) -> None:
    assert is_searching(output) == searches


HEAD = "pack\tlevel\tmoves_moves\tmoves_pushes\tpushes_moves\tpushes_pushes\tlurd"


def table(bench: Command, *rows: str, head: str = HEAD) -> Path:
    """A table in a folder beside that of the packs one and two."""
    bench.pack("levels/one.txt", [ONE_PUSH, FEWER_MOVES])
    bench.pack("levels/two.txt", [SEED])
    return bench.file("tables/other.tsv", "\n".join(["# what another optimizer did", head, *rows, ""]))


def rows_of(bench: Command) -> Path:
    return table(
        bench,
        "one\t2\t8\t4\t10\t2\tullddrUluR",
        f"two\t1\t168\t43\t169\t44\t{long_solution().lurd}",
        "one\t1\t3\t1\t2\t2\tR",
    )


def test_rows_and_totals_for_moves(bench: Command) -> None:
    result = bench.done("optimizer", rows_of(bench), "--jobs", "2")
    heading, *rows, blank, totals_heading, one, two, both = [line.split() for line in result.out.splitlines()]
    assert heading == ["pack", "level", "before", "after", "other", "verdict", "seconds", "proven"]
    assert [row[:6] + row[7:] for row in rows] == [
        ["one", "2", "10/2", "8/4", "8/4", "equal", "yes"],
        ["two", "1", "215/49", "169/43", "168/43", "worse", "yes"],
        ["one", "1", "1/1", "1/1", "3/1", "better", "yes"],
    ]
    assert (blank, totals_heading) == ([], ["pack", "levels", "before", "after", "other", "better", "equal", "worse"])
    assert one == ["one", "2", "11/3", "9/5", "11/5", "1", "1", "0"]
    assert two == ["two", "1", "215/49", "169/43", "168/43", "0", "0", "1"]
    assert both == ["all", "3", "226/52", "178/48", "179/48", "1", "1", "1"]


def test_for_pushes_they_come_first(bench: Command) -> None:
    out = bench("optimizer", rows_of(bench), "--for", "pushes").out
    verdicts = [line.split()[5] for line in out.splitlines()[1:4]]
    assert verdicts == ["equal", "better", "better"]
    assert out.splitlines()[-1].split() == ["all", "3", "226/52", "180/46", "181/48", "2", "1", "0"]


def test_a_level_that_is_missing_is_told_and_the_rest_is_done(bench: Command) -> None:
    path = table(bench, "one\t3\t8\t4\t10\t2\tR", "one\t1\t1\t1\t1\t1\tR", "three\t1\t1\t1\t1\t1\tR")
    result = bench("optimizer", path)
    assert (result.status, result.out.splitlines()[-1].split()[:2]) == (2, ["all", "1"])
    first, second = result.err.splitlines()
    assert first.endswith("one.txt: the pack has only 2 levels, so there is no level 3")
    assert "three.txt" in second


def test_the_folder_of_the_levels_may_be_another(bench: Command) -> None:
    path = table(bench, "one\t1\t1\t1\t1\t1\tR")
    moved = path.rename(bench.folder / "other.tsv")
    assert bench("optimizer", moved).status == 2
    assert bench("optimizer", moved, "--levels", bench.folder / "levels").status == 0


@pytest.mark.parametrize(
    ("head", "row", "said"),
    [
        ("pack\tlevel\tlurd", "one\t1\tR", ", line 2: found no column moves_moves, expected pack, level, lurd, moves_"),
        (HEAD, "one\t1\t1\t1\t1\t1", ", line 3: found 'one"),
        (HEAD, "one\tx\t1\t1\t1\t1\tR", ", line 3: found 'one"),
        (HEAD, "one\t1\t1\t1\t1\t1\tL", ", line 3: step 1 (l) is blocked"),
    ],
)
def test_a_table_that_cannot_be_used_is_one_line(bench: Command, head: str, row: str, said: str) -> None:
    path = table(bench, row, head=head)
    assert bench.refusal("optimizer", path).startswith(f"{path}{said}")


def session_figures(out: str) -> dict[str, str]:
    return dict(re.split(r"  +", line, maxsplit=1) for line in out.splitlines() if not line.startswith(" "))


def check(out: str) -> None:
    figures = session_figures(out)
    assert figures["errors"] == "0"
    assert figures["integrity of the score table"] == "ok"
    solves, rows = figures["confirmed solves, in the score table"].split(", ")
    assert int(solves) == int(rows) > 0
    assert int(figures["keys pressed"].replace(",", "")) > 0


def test_few_sessions_lose_nothing(bench: Command) -> None:
    result = bench("sessions", "--sessions", "2", "--seconds", "1", "--solving", "1", "--pace", "0.05")
    assert result.status == 0, result.out
    assert session_figures(result.out)["sessions, of them solving"] == "2, 1"
    check(result.out)


@pytest.mark.long
def test_twenty_sessions_lose_nothing_in_a_minute(bench: Command) -> None:
    result = bench("sessions", "--sessions", "20", "--seconds", "60", "--solving", "2")
    assert result.status == 0, result.out
    check(result.out)


def test_turns_that_add_up_to_the_time_of_a_strategy_solve_a_level() -> None:
    alone = {"greedy": 4.0, "backward": 0.2}
    assert total_seconds({"astar": 0.05}, (7, 30, 60)) == 0.05
    assert 0.2 < total_seconds(alone, (7, 30, 60)) < 1.5
    assert total_seconds(alone, (90, 0, 7)) == pytest.approx(total_seconds({"greedy": 4.0}, (90, 0, 7)))
    assert total_seconds({"fess": float("inf")}, (7, 30, 60)) == float("inf")


def test_a_rule_of_turns_is_found_where_a_feature_decides() -> None:
    fess, backward = (7, 30, 60), (7, 70, 20)
    every = dict.fromkeys(turns.FEATURES, 1.0)
    cases = [
        Case(
            f"pack {place % 3}",
            every | {"boxes": place},
            {each: (each == (backward if place < 30 else fess),) for each in turns.SHARES},
        )
        for place in range(60)
    ]
    rule = grow(cases, 2)
    assert isinstance(rule, Branch)
    assert (rule.feature, shares_by(rule, cases[0]), shares_by(rule, cases[-1])) == ("boxes", backward, fess)
    assert grow(cases[:30], 2) == backward


def test_turns_are_found_from_records_of_the_solver(bench: Command, tmp_path: Path) -> None:
    suite = tmp_path / "suite.txt"
    suite.write_text(f"{SEED}\n\n{HARD}")
    rows = [
        {"pack": str(suite), "level": level, "pushes": 9, "first": 0.5, "seconds": 3.0, "nodes": 30} for level in (1, 2)
    ]
    for name in ("greedy", "fess"):
        (tmp_path / name).write_text("\n".join(map(json.dumps, [{"strategy": name}, *rows])))
    status, out, _ = bench("turns", tmp_path / "greedy", tmp_path / "fess", "--suite", suite)
    assert status == 0
    assert "any of these 2 2 2 2 2" in " ".join(out.split())
    assert "too few long searches" in out
