"""``sokoterm bench``: tables, and that benches can be broken off and taken up again."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from sokoterm.commands.bench import BenchRecord
from sokoterm.commands.support.output import InputError
from sokoterm.engine.level import Level
from sokoterm.solver import search
from sokoterm.solver.registry import STRATEGIES
from tests.slow import slow
from tests.unit.commands.command import FEWER_MOVES, MODULE, ONE_PUSH, SEED, STUCK, TWO_PUSHES, WIDE, Command

LEVELS = [ONE_PUSH, STUCK, SEED, TWO_PUSHES]
WITHOUT_SIGNATURE = """
import sys
from sokoterm.commands import bench
from sokoterm.cli import main
bench.signature_suite = list
sys.exit(main())
"""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench whose signature, which takes a few seconds, is that of one small level."""
    monkeypatch.setattr("sokoterm.commands.bench.signature_suite", lambda: [Level.from_xsb(FEWER_MOVES)])


def line_of(out: str, name: str) -> str:
    """The one line that begins with a name."""
    (line,) = (line for line in out.splitlines() if line.startswith(name))
    return line


def solved(out: str) -> dict[str, list[str]]:
    """The table of levels solved: the cells of each row, by what begins it."""
    table = out[out.index("\nlevels solved, by ") :].split("\n\n")[0].splitlines()[2:]
    rows = (re.split(r"  +", line) for line in table)
    return {name: cells for name, *cells in rows}


def signatures(out: str) -> list[str]:
    """The lines below the heading of the signature."""
    return out[out.index("\nsignature ") :].splitlines()[2:]


@pytest.mark.usefixtures("short")
def test_a_row_for_each_level_the_totals_and_the_signature(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, STUCK, SEED])
    first = command("bench", "solver", "--suite", pack, "--time", "20")
    again = command("bench", "solver", "--suite", pack, "--time", "20", "--jobs", "2")
    assert first.status == again.status == 0
    assert re.search(r"\n +3  solved +[\d.]+ +[\d,]+ +[\d,]+ +43 +\d+ +\d+  astar +C\n", first.out)
    assert line_of(first.out, "unsolvable").split()[1] == "1"
    assert solved(first.out)["all"] == ["3", "2", "2", "2", "2"]
    assert line_of(first.out, "proven") == "proven      2 to be optimal, 1 to have no solution"
    assert re.fullmatch(r"seconds     median [\d.]+, 99th percentile [\d.]+, to .*", line_of(first.out, "seconds"))
    assert re.fullmatch(r"machine     \S+, cores \d+, CPython [\d.]+.*", line_of(first.out, "machine"))
    nodes = sum(int(str(each["nodes"])) for each in command("solve", pack, "--json").objects)
    assert line_of(first.out, "repeatable").startswith(f"repeatable  {nodes} nodes in 3 levels")
    assert line_of(first.out, "repeatable") == line_of(again.out, "repeatable")
    assert [each.split()[0] for each in signatures(first.out)] == list(STRATEGIES)
    assert signatures(first.out) == signatures(again.out)


@pytest.mark.usefixtures("short")
def test_levels_solved_are_counted_by_pack_and_boxes_up_to_the_first_solution(command: Command) -> None:
    crowded = f"{'#' * 16}\n#@{'*' * 11}$.#\n{'#' * 16}"
    command.pack("suite/b.txt", [ONE_PUSH, STUCK, crowded])
    command.pack("suite/a.2.txt", [SEED, TWO_PUSHES])
    record = command.folder / "record"
    bench = ("bench", "solver", "--suite", command.folder / "suite", "--time", "20", "--resume", record)
    command(*bench)
    head, *lines = record.read_text("ascii").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [(row["level"], row["boxes"]) for row in rows] == [(1, 4), (2, 1), (1, 1), (2, 1), (3, 12)]
    assert [Path(row["pack"]).name for row in rows[1:3]] == ["a.2.txt", "b.txt"]
    assert all(row["first"] <= row["seconds"] for row in rows)
    for row, first in zip(rows, (1.0, 3.01, 20.01, 0.0, 0.0)):
        row["first"] = first
    record.write_text("\n".join([head, *map(json.dumps, rows), ""]), "ascii")
    assert solved(command(*bench).out) == {
        "": ["levels", "1 s", "3 s", "10 s", "20 s"],
        "a.2": ["2", "1", "1", "2", "2"],
        "b": ["3", "0", "0", "0", "0"],
        "up to 10 boxes": ["4", "1", "1", "2", "2"],
        "11-15 boxes": ["1", "0", "0", "0", "0"],
        "all": ["5", "1", "1", "2", "2"],
    }


@pytest.mark.usefixtures("short")
def test_every_nth_level_is_counted_over_all_packs(command: Command) -> None:
    for name in ("a.txt", "b.txt"):
        command.pack(f"suite/{name}", [ONE_PUSH, TWO_PUSHES, ONE_PUSH, TWO_PUSHES])
    suite, record = command.folder / "suite", command.folder / "record"
    command("bench", "solver", "--suite", suite, "--every", "3", "--resume", record)
    rows = [json.loads(line) for line in record.read_text("ascii").splitlines()[1:]]
    assert [(Path(row["pack"]).stem, row["level"]) for row in rows] == [("a", 1), ("a", 4), ("b", 3)]


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(("cores", "clock"), [("1", "processor time"), ("2", "elapsed time")])
def test_seconds_are_processor_time_on_one_core(command: Command, cores: str, clock: str) -> None:
    def waiting(*arguments: object) -> object:
        sleep(1)
        return search.solve(*arguments)  # type: ignore[arg-type]

    command.monkeypatch.setattr("sokoterm.commands.support.search.solve", waiting)
    pack, record = command.pack("levels.txt", [ONE_PUSH]), command.folder / "record"
    result = command("bench", "solver", "--suite", pack, "--cores", cores, "--resume", record)
    assert f"\nlevels solved, by {clock} to the first solution\n" in result.out
    first = json.loads(record.read_text("ascii").splitlines()[1])["first"]
    assert (first >= 1) == (cores == "2")


@pytest.mark.usefixtures("short")
def test_a_record_without_a_clock_is_refused(command: Command) -> None:
    pack, record = command.pack("levels.txt", [ONE_PUSH]), command.folder / "record"
    command("bench", "solver", "--suite", pack, "--resume", record)
    record.write_text(record.read_text("ascii").replace('"clock": "processor time", ', ""), "ascii")
    problem = f"{record}: found rows of clock unknown, expected clock processor time"
    assert command.refusal("bench", "solver", "--suite", pack, "--resume", record) == problem


@pytest.mark.usefixtures("short")
def test_levels_are_chosen_and_limits_given(command: Command) -> None:
    pack = command.pack("levels.txt", LEVELS)
    result = command("bench", "solver", "--suite", pack, "-l", "3-4", "--strategy", "bfs", "--nodes", "20")
    assert re.search(r"\n +3  gave up: nodes ", result.out)
    assert solved(result.out)["all"][0] == "2"
    assert solved(result.out)["all"][-1] == "1"


@pytest.mark.usefixtures("short")
def test_what_the_clock_ended_is_not_repeatable(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def hurried(*arguments: object) -> object:
        solution, outcome = search.solve(*arguments)  # type: ignore[arg-type]
        return solution, outcome._replace(repeatable=False)

    monkeypatch.setattr("sokoterm.commands.support.search.solve", hurried)
    result = command("bench", "solver", "--suite", command.pack("levels.txt", [ONE_PUSH]))
    assert solved(result.out)["all"] == ["1", "1", "1", "1"]
    assert line_of(result.out, "repeatable").startswith("repeatable  0 nodes in 0 levels")


@pytest.mark.skipif(sys.platform == "win32", reason="no VmHWM there")
def test_each_level_has_the_memory_of_its_own_process(command: Command) -> None:
    """In a bench of its own, for what the process of the tests has held counts for those that it forks."""
    pack = command.pack("levels.txt", [WIDE, ONE_PUSH])
    record = command.folder / "record"
    limits = ["--nodes", "8000", "--time", "60"]  # the nodes are what ends it, on a busy machine too
    bench = ["bench", "solver", "--suite", str(pack), "--strategy", "bfs", *limits, "--resume", str(record)]
    subprocess.run([sys.executable, "-c", WITHOUT_SIGNATURE, *bench], check=True, capture_output=True)
    wide, small = (json.loads(line)["peak"] for line in record.read_text("ascii").splitlines()[1:])
    assert wide > small + (2 << 20)


@pytest.mark.usefixtures("short")
def test_a_bench_that_was_broken_off_goes_on_and_ends_with_the_same_table(command: Command) -> None:
    pack, record = command.pack("levels.txt", LEVELS), command.folder / "record"
    arguments = ("bench", "solver", "--suite", pack, "--resume", record)
    whole = command(*arguments)
    assert command(*arguments) == whole
    head, *rows = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(head + rows[0] + rows[3][:25])
    again = command(*arguments)
    assert again.status == 0
    for name in ("unsolvable", "proven", "repeatable"):
        done, wanted = (re.sub(r" +\d+\.\d\d ", " ", line_of(each.out, name)) for each in (again, whole))
        assert done == wanted  # but for the seconds
    assert record.read_bytes().splitlines(keepends=True)[:2] == [head, rows[0]]
    assert len(record.read_bytes().splitlines()) == len(LEVELS) + 1
    assert command(*arguments) == again


@pytest.mark.usefixtures("short")
def test_rows_of_another_bench_are_refused(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, record = command.pack("levels.txt", LEVELS), command.folder / "record"
    assert command("bench", "solver", "--suite", pack, "--resume", record).status == 0
    before = record.read_bytes()
    beam = "found rows of strategy auto, expected strategy beam width 300 anneal 0.5:2.0 seed 1"
    for changed, said in (
        (["--strategy", "bfs"], "found rows of strategy auto, expected strategy bfs"),
        (["--strategy", "beam"], "found rows of strategy auto, expected strategy beam"),
        (
            ["--strategy", "beam", "--width", "9"],
            "found rows of strategy auto, expected strategy beam width 9 anneal No",
        ),
        (["--strategy", "beam", "--anneal", "0.5:2", "--weights", "home=2.5"], f"{beam} weights home=2.5"),
        (["--cores", "2"], "found rows of strategy auto, expected strategy auto on 2 cores"),
        (["--time", "3"], "found rows of time 10.0, expected time 3.0"),
        (["--memory", "99"], "found rows of memory 1024, expected memory 99"),
        (["-l", "2"], "found rows of suite 4 levels, "),
    ):
        assert command.refusal("bench", "solver", "--suite", pack, "--resume", record, *changed).startswith(
            f"{record}: {said}"
        )
        assert record.read_bytes() == before
    monkeypatch.setattr("sokoterm.commands.bench.__version__", "99")
    assert command.refusal("bench", "solver", "--suite", pack, "--resume", record).endswith("expected version 99")


def test_a_file_that_is_no_record_stays_as_it_is(command: Command) -> None:
    pack, record = command.pack("levels.txt", [ONE_PUSH]), command.folder / "record"
    for content in (
        b"a letter",
        b'{"my": "settings"}',
        b"dear,\nme\n",
        b"[]\n",
        b"\xff\n",
        b'{"bench": "files"}\n',
        b"###\n",
    ):
        record.write_bytes(content)
        assert command.refusal("bench", "solver", "--suite", pack, "--resume", record)
        assert record.read_bytes() == content


@pytest.mark.usefixtures("short")
def test_a_row_that_makes_no_sense_is_refused(command: Command) -> None:
    pack, record = command.pack("levels.txt", [ONE_PUSH]), command.folder / "record"
    command("bench", "solver", "--suite", pack, "--resume", record)
    head, row = record.read_text("ascii").splitlines()
    for name, value in (("nodes", '"many"'), ("place", "7"), ("place", "-1"), ("first", "null")):
        record.write_text(head + "\n" + re.sub(rf'"{name}": [^,}}]*', f'"{name}": {value}', row) + "\n", "ascii")
        assert command.refusal("bench", "solver", "--suite", pack, "--resume", record), (name, value)


def test_every_cut_through_a_record_keeps_the_whole_lines_before_it(tmp_path: Path) -> None:
    path = tmp_path / "record"
    rows: list[dict[str, int | str]] = [{"place": 0}, {"place": 1, "name": "x\ny"}]
    with BenchRecord(str(path), {"bench": "one"}) as record:
        for row in rows:
            record.add(row)
    data = path.read_bytes()
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        with BenchRecord(str(path), {"bench": "one"}) as record:
            kept = record.rows
            for row in rows[len(kept) :]:
                record.add(row)
        assert kept == rows[: max(0, data[:cut].count(b"\n") - 1)]
        assert path.read_bytes() == data
    with pytest.raises(InputError):
        BenchRecord(str(path), {"bench": "two"})


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize(
    ("jobs", "end"), [("1", signal.SIGKILL), ("2", signal.SIGINT), slow("1", signal.SIGINT), slow("2", signal.SIGKILL)]
)
def test_what_is_finished_outlives_the_bench(tmp_path: Path, jobs: str, end: signal.Signals) -> None:
    pack, record = tmp_path / "levels.txt", tmp_path / "record"
    pack.write_text(f"{ONE_PUSH}\n\n{TWO_PUSHES}\n\n{WIDE}\n", "ascii")
    arguments = ["--suite", pack, "--resume", record, "--strategy", "bfs", "--time", "60", "--jobs", jobs]
    bench = subprocess.Popen(
        [*MODULE, "bench", "solver", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert bench.stdout is not None
    assert [bench.stdout.readline().split()[:1] for _ in range(3)] == [["level"], ["1"], ["2"]]
    bench.send_signal(end)
    _, said = bench.communicate()
    assert len(record.read_text("ascii").splitlines()) == 3
    if end == signal.SIGINT:
        assert bench.returncode == 130
        assert said == f"sokoterm: {record}: contains the finished levels; run the same command again to continue\n"
