"""``solve -o OUT``: results as they come, each once, with a journal beside them; the cluster is one of this process."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from errno import ENOSPC
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from sokoterm.commands.support import output, results
from sokoterm.commands.support.levels import Done, Job, SchedulerLostError
from sokoterm.commands.support.results import ResultFile
from sokoterm.commands.support.search import Request, searched
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import replay, verify
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Limits
from sokoterm.store.journal import Journal, WrittenPart
from sokoterm.store.packs import find_packs, open_pack
from tests.bench.files import made_copies
from tests.slow import others_slow, slow
from tests.unit.commands.command import FEWER_MOVES, MODULE, ONE_PUSH, SEED, STUCK, TWO_PUSHES, WIDE, Command
from tests.unit.commands.test_output import fake_stderr

TURNED = "###\n#.#\n#$#\n#@#\n###"
LIMITS = Limits()
# Equal but for the place of the player.
NEAR, FAR = "#######\n# @$ .#\n#     #\n#######", "#######\n#  $ .#\n#    @#\n#######"


class NearCluster:
    """Does the work here, one level at a time, and ends as ``end`` says once so many are done."""

    address = "here"
    workers = 1
    has_threads = False

    def __init__(self) -> None:
        self.done: list[str] = []
        self.texts: list[str | None] = []
        self.answers: list[str] = []
        self.end: tuple[int, BaseException] | None = None
        self.lost: set[str] = set()

    def look(self) -> None:
        """Everything is wanted."""

    def results(self, jobs: Iterator[Job | None]) -> Iterator[list[Done]]:
        ahead: list[Job] = []
        while True:
            while len(ahead) < 2 and (job := next(jobs, None)) is not None:
                ahead.append(job)
            if not ahead:
                return
            if self.end is not None and len(self.done) >= self.end[0]:
                raise self.end[1]
            job = ahead.pop(0)
            assert isinstance(job.work, partial)
            self.done.append(level_hash(job.work.args[0]))
            text = None if job.key in self.lost else job.work(self.look)
            text = self.answers.pop() if self.answers else text
            self.texts.append(text)
            yield [Done(job.key, text)]
            yield []


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> NearCluster:
    near = NearCluster()
    put_in_place(near, monkeypatch)
    return near


def put_in_place(near: NearCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes commands work here, whatever their --cluster."""

    @contextmanager
    def connected(_address: str, _memory: int) -> Iterator[NearCluster]:
        yield near

    monkeypatch.setattr("sokoterm.commands.support.workers.cluster_at", connected)


def rows_of(path: Path) -> list[Mapping[str, object]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def solve(command: Command, pack: Path, out: Path, *flags: str) -> int:
    return command("solve", pack, "--cluster", "here", "-o", out, *flags).status


def test_each_level_has_one_result_and_equal_ones_are_solved_once(command: Command, cluster: NearCluster) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TURNED, SEED, STUCK, TURNED, NEAR, FAR])
    out = command.folder / "out.jsonl"
    result = command("solve", pack, "--cluster", "here", "-o", out)
    assert (result.status, result.err) == (1, "")
    rows = rows_of(out)
    assert sorted(str(row["title"]) for row in rows) == [*"ABCDEFG"]
    assert len(cluster.done) == len(set(cluster.done)) == 4
    levels = open_pack(find_packs(str(pack))[0]).levels
    for row in rows:
        level = levels[int(str(row["level"])) - 1]
        assert row["hash"] == level_hash(level)
        if row["status"] == "solved":
            assert verify(level.board, level.start, str(row["lurd"])).moves == row["moves"]
    assert [row["status"] for row in rows if row["title"] == "D"] == ["unsolvable"]
    assert all(json.loads(text or "")["repeatable"] for text in cluster.texts), "a level took several cores"
    totals = [line.split()[:2] for line in result.out.splitlines()]
    assert ["solved", "6"] in totals
    assert ["unsolvable", "1"] in totals
    assert ["all", "7"] in totals
    assert "3 levels equal to another, solved once" in result.out


@pytest.mark.parametrize(
    ("done", "half_written"),
    [(2, b'{"pack": "lev'), slow(0, b""), *(slow(*each) for each in product((1, 3), (b"", b'{"pack": "lev')))],
    ids=str,
)
def test_a_break_costs_nothing(command: Command, cluster: NearCluster, done: int, half_written: bytes) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TURNED, TWO_PUSHES, SEED, STUCK, TURNED])
    out = command.folder / "out.jsonl"
    cluster.end = done, SchedulerLostError("here")
    lost = command("solve", pack, "--cluster", "here", "-o", out)
    assert (lost.status, lost.out, lost.err.count("\n")) == (75, "", 1)
    assert f"{out} contains the results of" in lost.err
    with out.open("ab") as file:
        file.write(half_written)
    cluster.end = None
    assert solve(command, pack, out) == 1
    assert sorted(str(row["title"]) for row in rows_of(out)) == [*"ABCDEF"]
    assert len(cluster.done) == len(set(cluster.done)) == 4
    whole = out.read_bytes()
    again = command("solve", pack, "--cluster", "here", "-o", out)
    assert ["all", "6"] in [line.split()[:2] for line in again.out.splitlines()]
    assert "2 levels equal to another" in again.out
    assert (out.read_bytes(), len(cluster.done)) == (whole, 4)


def test_more_levels_go_on_in_the_same_file(command: Command, cluster: NearCluster) -> None:
    first, out = command.pack("first.txt", [ONE_PUSH, SEED]), command.folder / "out.jsonl"
    solve(command, first, out)
    second = command.pack("second.txt", [TWO_PUSHES, TURNED])
    assert command("solve", first, second, first, "--cluster", "here", "-o", out).status == 0
    assert [(row["pack"], row["level"]) for row in rows_of(out)] == [
        *((str(first), 1), (str(first), 2)),
        *((str(second), 2), (str(second), 1)),
    ]
    assert len(cluster.done) == 3


def test_other_limits_begin_the_file_again_and_the_results_of_before_stay(
    command: Command, cluster: NearCluster
) -> None:
    pack, out = command.pack("levels.txt", [SEED, ONE_PUSH]), command.folder / "out.jsonl"
    assert solve(command, pack, out, "--strategy", "bfs", "--nodes", "20") == 1
    assert [row["reason"] for row in rows_of(out)] == ["nodes", None]
    assert solve(command, pack, out) == 0
    assert [row["status"] for row in rows_of(out)] == ["solved"] * 2
    assert solve(command, pack, out, "--strategy", "bfs", "--nodes", "20") == 1
    assert len(rows_of(out)) == 2
    assert len(cluster.done) == 4


@pytest.mark.usefixtures("cluster")
def test_a_break_in_the_first_results_costs_nothing(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES]), command.folder / "out.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", lambda *_: sys.exit(9))
        assert command("solve", pack, "--cluster", "here", "-o", out).status == 9
    begun = out.read_bytes()
    assert begun
    out.write_bytes(begun[:-7])
    assert solve(command, pack, out) == 0
    assert sorted(str(row["title"]) for row in rows_of(out)) == ["A", "B"]


def test_a_file_that_came_before_the_first_result_is_not_touched(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH]), command.folder / "out.jsonl"
    cluster.end = 0, SchedulerLostError("here")
    assert command("solve", pack, "--cluster", "here", "-o", out).status == 75
    out.write_text("mine", "ascii")
    cluster.end = None
    assert f"{out}: not replaced" in command("solve", pack, "--cluster", "here", "-o", out).err
    assert out.read_text("ascii") == "mine"


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("name", ["out.jsonl", "out.sok"])
@pytest.mark.parametrize("has_journal", [True, False])
def test_a_file_that_is_something_else_is_not_touched(command: Command, name: str, has_journal: bool) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH]), command.folder / name
    if has_journal:
        solve(command, pack, out)
    out.write_text("something else, and longer than all that was there before: " * 20, "ascii")
    before = out.read_bytes()
    assert f"{out}: not replaced" in command.refusal("solve", pack, "--cluster", "here", "-o", out)
    assert out.read_bytes() == before


@pytest.mark.usefixtures("cluster")
def test_sok_holds_levels_with_solutions_and_why_there_is_none(command: Command) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, STUCK, TURNED, SEED]), command.folder / "out.sok"
    assert solve(command, pack, out) == 1
    (file,) = find_packs(str(out))
    levels = {level.title: level for level in open_pack(file).levels}
    assert sorted(levels) == [*"ABCD"]
    for title, level in levels.items():
        solutions = [replay(level, record).solution for record in level.records]
        assert [each is not None for each in solutions] == ([] if title == "B" else [True])
        assert dict(level.metadata)["collection"] == f"levels {ord(title) - 64}"
    assert "status: unsolvable" in levels["B"].comment


@pytest.mark.usefixtures("cluster")
def test_the_file_of_results_is_left_out_of_a_folder_that_is_read(command: Command) -> None:
    command.pack("levels.txt", [ONE_PUSH, STUCK])
    out = command.folder / "out.sok"
    for _ in range(2):
        assert solve(command, command.folder, out) == 1
    assert len(open_pack(find_packs(str(out))[0]).levels) == 2


def test_a_level_that_cost_each_worker_its_life_is_given_up(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, SEED, TURNED]), command.folder / "out.jsonl"
    cluster.lost = {level_hash(Level.from_xsb(ONE_PUSH))}
    assert solve(command, pack, out) == 1
    given_up = {row["title"]: (row["status"], row["reason"]) for row in rows_of(out)}
    assert given_up == {"A": ("gave_up", "memory"), "B": ("solved", None), "C": ("gave_up", "memory")}
    assert solve(command, pack, out) == 1
    assert len(cluster.done) == 2


def test_threads_of_workers_are_warned_of_once(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, SEED]), command.folder / "out.jsonl"
    cluster.has_threads = True
    result = command("solve", pack, "--cluster", "here", "-o", out)
    assert (result.status, result.err.count("\n")) == (0, 1)
    assert "start workers with --nthreads 1" in result.err


def test_fewest_moves_are_proven_for_the_place_of_the_player(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [NEAR, FAR, FEWER_MOVES]), command.folder / "out.jsonl"
    assert solve(command, pack, out, "--optimal", "moves") == 0
    assert {row["title"]: row["moves"] for row in rows_of(out)} == {"A": 2, "B": 6, "C": 8}
    assert len(cluster.done) == 3


@pytest.mark.usefixtures("cluster")
def test_a_damaged_journal_is_set_aside_and_the_results_stay(command: Command) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH]), command.folder / "out.jsonl"
    solve(command, pack, out)
    before = out.read_bytes()
    (command.folder / "out.jsonl.journal").write_bytes(b"no database " * 1000)
    result = command("solve", pack, "--cluster", "here", "-o", out)
    assert (result.status, "was damaged: set aside" in result.err) == (2, True)
    assert out.read_bytes() == before


def test_a_level_of_another_kind_is_refused(command: Command, cluster: NearCluster) -> None:
    ice = Path(__file__).parents[3] / "levels" / "variants-first-ice.txt"
    result = command("solve", ice, "--strategy", "fess", "--cluster", "here", "-o", command.folder / "out.jsonl")
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "use one of" in result.err
    assert cluster.done == []


def test_optimize_writes_what_it_makes_better(command: Command, cluster: NearCluster) -> None:
    pack = command.folder / "levels.txt"
    longer = "lrRR"
    pack.write_text(
        f"; A\n\n{NEAR}\n\nSolution: {longer}\n\n; B\n\n{FAR}\n\n; C\n\n{ONE_PUSH}\n\n; D\n\n{STUCK}\n", "ascii"
    )
    first = open_pack(find_packs(str(pack))[0]).levels[0]
    assert verify(first.board, first.start, longer).moves == 4
    out = command.folder / "out.jsonl"
    arguments = ("optimize", pack, "--for", "pushes", "--cluster", "here", "-o", out)
    result = command(*arguments)
    assert (result.status, result.err) == (1, "")
    assert result.out == "4 levels, 1 better, 3 proven, 1 without a solution; before 11/5, after 9/5\n"
    rows = {row["title"]: row for row in rows_of(out)}
    assert len(cluster.done) == 3
    assert (rows["A"]["moves_before"], rows["A"]["moves"], rows["A"]["source"]) == (4, 2, "file")
    assert (rows["B"]["moves"], rows["C"]["moves"], rows["D"]["lack"]) == (6, 1, "unsolvable")
    before = out.read_bytes()
    assert command(*arguments).out == result.out
    assert (out.read_bytes(), len(cluster.done)) == (before, 3)
    out.unlink()
    assert command(*arguments).out == result.out, "what is better by now counts as it did"
    assert sorted(out.read_bytes().splitlines()) == sorted(before.splitlines())
    known = command("optimize", pack, "--for", "pushes", "--from", "known", "--time", "1", "--json")
    assert [row["moves_before"] for row in known.objects][:3] == [2, 6, 1]


def test_a_level_without_a_solution_to_begin_with_needs_no_worker(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [SEED, ONE_PUSH]), command.folder / "out.jsonl"
    assert command("optimize", pack, "--from", "file", "--cluster", "here", "-o", out).status == 1
    assert [row["lack"] for row in rows_of(out)] == ["none stored"] * 2
    assert cluster.done == []


@pytest.mark.parametrize(("verb", "equal", "done"), [("info --difficulty", 2, 2), ("hash", 1, 3)])
def test_difficulty_and_ids_are_those_that_are_printed(
    command: Command, cluster: NearCluster, verb: str, equal: int, done: int
) -> None:
    """A turned level has another Exact-Id."""
    pack, out = command.pack("levels.txt", [ONE_PUSH, TURNED, ONE_PUSH, SEED]), command.folder / "out.jsonl"
    result = command.done(*verb.split(), pack, "--cluster", "here", "-o", out)
    assert result.out == f"4 levels, {equal} of them equal to another\n"
    expected = command(*verb.split(), pack, "--json").objects
    assert sorted(rows_of(out), key=lambda row: str(row["level"])) == expected
    assert len(cluster.done) == done


def test_a_bar_shows_rate_estimate_and_workers(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES, SEED, STUCK]), command.folder / "out.jsonl"
    terminal = fake_stderr(command.monkeypatch)
    now = iter(range(1_000_000))
    for module in (results, output):
        command.monkeypatch.setattr(module, "monotonic", lambda: float(next(now)))
    cluster.end = 3, SchedulerLostError("here")
    solve(command, pack, out)
    drawn = [part.rstrip() for part in terminal.getvalue().split("\r")]
    last = [part for part in drawn if part.startswith("[")][-1]
    assert re.fullmatch(r"\[#{22} {8}\]  3 of 4 levels  0\.\d/s  \d+ s left  1 worker", last)
    terminal.truncate(0)
    cluster.end = None
    solve(command, pack, out)
    assert "4 of 4 levels" in terminal.getvalue()


def test_two_commands_do_not_write_one_file(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH]), command.folder / "out.jsonl"
    solve(command, pack, out)
    with closing(ResultFile(str(out), "journal", WrittenPart("", *tail_of(out)))):
        result = command("solve", pack, "--cluster", "here", "-o", out)
    assert (result.status, result.out) == (2, "")
    assert result.err == f"sokoterm: {out}: another sokoterm is writing it\n"
    assert solve(command, pack, out) == 0
    assert len(cluster.done) == 1


def tail_of(path: Path) -> tuple[int, str]:
    """The size of a file of results, and its last bytes as the journal has them."""
    data = path.read_bytes()
    return len(data), data[-64:].hex()


@pytest.mark.usefixtures("cluster")
def test_a_full_disk_leaves_whole_results(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, SEED, STUCK]), command.folder / "out.jsonl"
    write, room = os.write, 1000

    def filling(file: int, data: bytes) -> int:
        nonlocal room
        if not room:
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        written = write(file, data[:room])
        room -= written
        return written

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", filling)
        result = command("solve", pack, "--cluster", "here", "-o", out)
    assert (result.status, result.out) == (2, "")
    assert result.err == f"sokoterm: {out}: cannot be written: {os.strerror(ENOSPC)}\n"
    assert [row["title"] for row in rows_of(out)] == ["A", "B"]
    assert solve(command, pack, out) == 1
    assert [row["title"] for row in rows_of(out)] == ["A", "B", "C"]


KILLED = """
import sys
from pytest import MonkeyPatch
from sokoterm.cli import main
from tests.unit.commands.test_recorded import NearCluster, put_in_place

put_in_place(NearCluster(), MonkeyPatch())
sys.exit(main(sys.argv[1:]))
"""


def test_a_command_killed_at_any_moment_leaves_one_result_a_level(tmp_path: Path) -> None:
    pack, out = tmp_path / "levels.txt", tmp_path / "out.jsonl"
    copies = made_copies([Level.from_xsb(each) for each in (SEED, FEWER_MOVES, TWO_PUSHES, STUCK)], 150)
    pack.write_text("".join("\n".join([*rows, "", ""]) for _, rows in copies), "ascii")
    command = [sys.executable, "-c", KILLED, "solve", str(pack), "--cluster", "here", "-o", str(out)]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SOKOTERM_DATA": str(tmp_path / "data")}
    seen = 0
    for more in (1, 20):
        with subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL) as killed:
            while not out.exists() or out.read_bytes().count(b"\n") < seen + more:
                assert killed.poll() is None
            killed.kill()
        seen = out.read_bytes().count(b"\n")
        assert seen < 150
    assert subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=False).returncode == 1
    assert sorted(int(str(row["level"])) for row in rows_of(out)) == [*range(1, 151)]


@pytest.mark.parametrize("flags", [[], ["--jobs", "2"], ["--cores", "1"]])
def test_results_go_to_a_file_without_a_cluster(command: Command, flags: list[str]) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, SEED, STUCK, TURNED]), command.folder / "out.jsonl"
    result = command("solve", pack, "-o", out, *flags)
    assert (result.status, result.err) == (1, "")
    assert result.out.endswith("1 level equal to another, solved once\n")
    rows = sorted(rows_of(out), key=lambda row: str(row["level"]))
    assert [(row["level"], row["status"]) for row in rows] == [
        (1, "solved"), (2, "solved"), (3, "unsolvable"), (4, "solved")
    ]  # fmt: skip
    before = out.read_bytes()
    assert command("solve", pack, "-o", out, *flags).status == 1
    assert out.read_bytes() == before


def test_optimize_and_the_other_verbs_need_no_cluster_either(command: Command) -> None:
    pack, stuck = command.pack("levels.txt", [FEWER_MOVES]), command.pack("stuck.txt", [STUCK])
    better, rated, ids = (command.folder / name for name in ("better.sok", "rated.jsonl", "ids.jsonl"))
    assert command("optimize", pack, stuck, "-o", better, "--jobs", "2").status == 1
    dead, level = sorted(open_pack(find_packs(str(better))[0]).levels, key=lambda each: len(each.records))
    assert "status: unsolvable" in dead.comment
    assert level.records[0].title.startswith("Solution/Moves ")
    solution = replay(level, level.records[0]).solution
    assert solution is not None
    assert (solution.moves, solution.pushes) == (8, 4)
    assert command("info", pack, "--difficulty", "-o", rated).status == 0
    assert rows_of(rated) == command("info", pack, "--difficulty", "--json").objects
    assert command("hash", pack, "-o", ids).status == 0
    assert rows_of(ids) == command("hash", pack, "--json").objects


WRONG_ANSWERS = [
    *("-", "null", "[]", "{}", "7", '"solved"', "[" * 100_000, "9" * 5_000, '{"status": "solved"}', "\0"),
    *('["a", "a", "a"]', '{"number": 1}', '{"status": [], "reason": {}}'),
]
WRONG_FIELDS: Mapping[str, Sequence[object]] = {
    "status": ("lost", 1, None, "unsolvable", "gave_up"),
    "reason": ("time", []),
    "optimal": ("beauty", 1),
    "strategy": (None, "\x1b[2J"),
    "nodes": (-1, "many", 1.5, 1 << 80),
    "stored": (None, []),
    "seconds": (float("nan"), float("inf"), -1, "1"),
    "repeatable": ("yes",),
    "peak": (-5, {}),
    "lurd": ("", "L", 5, ["R"], None, "?", "999999999R"),
    "start": (None, [1], [-1, 1], [1 << 70, 1], "11"),
    "given": ("UUU", 1),
    "method": (3,),
}


@pytest.mark.parametrize("verb", others_slow(["solve", "hash", "optimize", "info --difficulty"], 2))
def test_a_wrong_answer_costs_its_level_alone_and_is_not_kept(
    command: Command, cluster: NearCluster, verb: str
) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES])
    answers = [*WRONG_ANSWERS]
    if verb in ("solve", "optimize"):
        right = searched(Level.from_xsb(ONE_PUSH), cluster.look, Request("bfs", STRATEGIES["bfs"], LIMITS))
        fields = [{name: value} for name, values in WRONG_FIELDS.items() for value in values]
        answers += [json.dumps(json.loads(right) | each) for each in fields]
    for number, answer in enumerate(answers):
        cluster.answers = [answer]
        folder, out = command.folder / str(number), command.folder / f"{number}.jsonl"
        arguments = [*verb.split(), str(pack), "--cluster", "here", "-o", str(out), "--data-dir", str(folder)]
        result = command(*arguments)
        assert (result.status, result.err.count("\n")) == (2, 1), answer
        assert f"{pack}, level 1: left out because a worker's answer is wrong: " in result.err
        assert [row["level"] for row in rows_of(out)] == [2]
        assert command(*arguments).status == 0
        assert [row["level"] for row in rows_of(out)] == [2, 1]


def test_a_claim_that_a_level_with_a_solution_has_none_is_wrong(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH + "\n\nSolution: R\n"]), command.folder / "out.jsonl"
    assert solve(command, pack, out, "--nodes", "9") == 0
    false = json.loads(cluster.texts[0] or "") | {"status": "unsolvable", "lurd": None}
    cluster.answers = [json.dumps(false)]
    assert solve(command, pack, out) == 2
    assert solve(command, pack, out) == 0
    assert [row["status"] for row in rows_of(out)] == ["solved"]


def test_ctrl_c_ends_the_processes_and_says_that_the_same_command_goes_on(tmp_path: Path) -> None:
    pack, out = tmp_path / "levels.txt", tmp_path / "out.jsonl"
    pack.write_text(f"{ONE_PUSH}\n\n{WIDE}\n")
    command = [sys.executable, "-m", "sokoterm", "solve", str(pack), "-o", str(out), "--strategy", "bfs"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "SOKOTERM_DATA": str(tmp_path / "data")}
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
        while not out.exists() or not out.stat().st_size:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith(f"interrupted: {out} contains the result of 1 level; repeat the command to continue\n")
    assert [row["level"] for row in rows_of(out)] == [1]


@pytest.mark.parametrize("levels", [[ONE_PUSH, WIDE], [WIDE, WIDE.replace("@ ", " @").replace("$  #", " $ #")]])
def test_the_workers_of_a_killed_command_end_with_it_and_leave_its_file(tmp_path: Path, levels: list[str]) -> None:
    """Idle ones too, and those begun before others."""
    pack, out = tmp_path / "levels.txt", tmp_path / "out.jsonl"
    pack.write_text("\n\n".join([*levels, TWO_PUSHES]))
    command = [*MODULE, "solve", str(pack), "-o", str(out), "--strategy", "bfs", "--jobs", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        while not out.exists() or not out.stat().st_size:
            assert process.poll() is None
        process.kill()
        again = subprocess.run([*command, "--nodes", "100"], capture_output=True, text=True, check=False)
        assert process.communicate(timeout=2)[0] == b""  # nobody has it open any more
    assert (again.returncode, again.stderr) == (1, "")


def test_another_form_writes_the_file_again_from_the_same_results(command: Command, cluster: NearCluster) -> None:
    pack, out = command.pack("levels.txt", [TWO_PUSHES]), command.folder / "out.jsonl"
    assert solve(command, pack, out) == 0
    assert [row["lurd"] for row in rows_of(out)] == ["RR"]
    assert solve(command, pack, out, "--rle") == 0
    assert [row["lurd"] for row in rows_of(out)] == ["2R"]
    assert len(cluster.done) == 1


def test_a_file_of_results_that_is_removed_in_the_middle_is_said(command: Command, cluster: NearCluster) -> None:
    one, two = command.pack("one.txt", [ONE_PUSH]), command.pack("two.txt", [TWO_PUSHES])
    out = command.folder / "out.jsonl"

    def removed() -> None:
        out.unlink(missing_ok=True)

    cluster.look = removed  # type: ignore[method-assign]
    result = command("solve", one, two, "--cluster", "here", "-o", out)
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "was removed meanwhile; run the same command again to write it" in result.err
    cluster.look = lambda: None  # type: ignore[method-assign]
    assert solve(command, one, out) == 0


@pytest.mark.usefixtures("cluster")
def test_a_file_that_was_cut_short_is_written_again_once_it_is_gone(command: Command) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES]), command.folder / "out.jsonl"
    assert solve(command, pack, out) == 0
    whole = out.read_bytes()
    out.write_bytes(whole[:-7])
    result = command("solve", pack, "--cluster", "here", "-o", out)
    told = f"{out}: not replaced: it is shorter than after the last run; delete it to start over"
    assert (result.status, result.err) == (2, f"sokoterm: {told}\n")
    assert out.read_bytes() == whole[:-7]
    out.unlink()
    assert solve(command, pack, out) == 0
    assert sorted(out.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_solutions_that_cannot_be_kept_are_status_74(command: Command) -> None:
    pack, progress = command.pack("levels.txt", [FEWER_MOVES]), command.data / "progress.db"
    assert command("solve", command.pack("one.txt", [ONE_PUSH]), "--remember").status == 0
    with closing(sqlite3.connect(progress, isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        result = command("solve", pack, "--remember")
    assert result.status == 74
    assert result.err.splitlines()[-1] == "sokoterm: progress is lost: the database is locked by another program"
    progress.unlink()
    progress.mkdir()
    result = command("solve", pack, "--remember")
    assert (result.status, result.err.splitlines()[-1]) == (74, "sokoterm: progress is lost")
