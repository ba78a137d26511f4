"""``sokoterm solve``, and all verbs that search, on levels with colours or ice too."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic

import pytest

from sokoterm.commands.support.search import Answer, Request, search_levels
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.solver.registry import STRATEGIES, NamedStrategy
from sokoterm.solver.search import Limits, Progress, Reason, Search, Status, Strategy
from sokoterm.solver.strategies.best_first import astar
from sokoterm.store.packs import find_packs, open_pack
from tests.unit.commands.command import FEWER_MOVES, MODULE, ONE_PUSH, PLACE, SEED, STUCK, TWO_PUSHES, WIDE, Command

KEYS = [
    *PLACE,
    *("hash", "status", "reason", "strategy", "optimal", "lurd", "moves", "pushes"),
    *("nodes", "stored", "seconds"),
]


@pytest.mark.parametrize("strategy", ["bfs", "astar"])
def test_seed_case(command: Command, strategy: str) -> None:
    pack = command.pack("seed.txt", [SEED])
    result = command.done("solve", pack, "--strategy", strategy, "--json")
    (found,) = result.objects
    level = open_pack(find_packs(str(pack))[0]).levels[0]
    assert list(found) == KEYS
    assert (found["pack"], found["level"], found["title"]) == (str(pack), 1, "A")
    assert (found["status"], found["reason"], found["optimal"]) == ("solved", None, "pushes")
    assert (found["hash"], found["pushes"], found["strategy"]) == (level_hash(level), 43, strategy)
    assert int(str(found["stored"])) < 3869
    assert verify(level.board, level.start, str(found["lurd"])).moves == found["moves"]


def _killed(_board: Board, _start: State, _limits: Limits) -> Search:
    yield Progress("killed", 0, 0, 0, 0, 0.0)
    os.kill(os.getpid(), 9)
    raise AssertionError


def test_a_search_whose_process_is_killed_has_run_out_of_memory_also_where_there_is_no_such_signal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(signal, "SIGKILL")
    level = Level.from_xsb(TWO_PUSHES)
    (answer,) = search_levels([(level, Request("killed", _killed, Limits(clock=monotonic)))], 1)
    assert answer.found is None
    assert (answer.outcome.status, answer.outcome.reason) == (Status.GAVE_UP, Reason.MEMORY)


def test_repeat_counts(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    assert command("solve", pack, "--json", "--rle").objects[0]["lurd"] == "2R"
    assert command("solve", pack, "--rle").out.splitlines()[3].strip() == "2R"
    assert command("solve", pack).out.splitlines()[3:] == ["       RR"]


def test_unsolvable_is_proven_and_status_1(command: Command) -> None:
    pack = command.pack("levels.txt", [STUCK, ONE_PUSH])
    result = command("solve", pack, "--json")
    assert result.status == 1
    assert command("solve", pack).out.count("\n       dead: a box that can reach no goal\n") == 1
    stuck, solved = result.objects
    assert (stuck["status"], stuck["reason"], stuck["lurd"], stuck["pushes"]) == ("unsolvable", None, None, None)
    assert solved["status"] == "solved"


@pytest.mark.parametrize(("limit", "reason"), [("--nodes", "nodes"), ("--states", "states")])
def test_limit_that_was_hit_is_named(command: Command, limit: str, reason: str) -> None:
    pack = command.pack("levels.txt", [SEED])
    result = command("solve", pack, "--strategy", "bfs", limit, "20", "--json")
    assert result.status == 1
    assert (result.objects[0]["status"], result.objects[0]["reason"]) == ("gave_up", reason)
    assert f"gave up: {reason}" in command("solve", pack, "--strategy", "bfs", limit, "20").out


def test_text_tells_figures_and_moves(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES])
    name, heading, first, first_moves, second, second_moves, *_ = command("solve", pack).out.splitlines()
    assert name == str(pack)
    figures = ["level", "status", "seconds", "nodes", "stored", "pushes", "moves", "peak", "MB", "strategy", "title"]
    assert heading.split() == figures
    for row, number, title in ((first, "1", "A"), (second, "2", "B")):
        assert re.match(rf" +{number}  solved .* {number}  +{number}  .* {title}$", row)
        ends = {column: heading.index(column) + len(column) for column in ("level", "pushes", "moves")}
        assert [row[:end].split()[-1] for end in ends.values()] == [number] * 3
        assert row.index(title, 80) == heading.index("title")
    assert (first_moves.strip(), second_moves.strip()) == ("R", "RR")


def test_a_pack_ends_with_a_table_of_what_became_of_its_levels(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, SEED, STUCK, SEED, TWO_PUSHES])
    out = command("solve", pack, "--strategy", "bfs", "--nodes", "20").out
    table = [line.split() for line in out[out.index("\n\n") + 2 :].splitlines()]
    assert table[0] == ["result", "levels", "seconds", "nodes", "pushes", "moves"]
    without_seconds = [[each for each in row if "." not in each] for row in table[1:]]
    assert without_seconds == [
        ["solved", "2", "3", "3", "3"],
        ["unsolvable", "1", "0", "0", "0"],
        ["gave", "up:", "nodes", "2", "40", "0", "0"],
        ["all", "5", "43", "3", "3"],
    ]
    assert command("solve", pack, "-l", "1").out.count("\n") == 4  # the pack, the heading, the level, its moves


def test_the_table_tells_strategies_and_packs_apart(command: Command) -> None:
    first, second = command.pack("a.txt", [ONE_PUSH, SEED]), command.pack("b.txt", [TWO_PUSHES])
    rows = [line.split() for line in command("solve", first, second).out.splitlines()]
    solved = [row for row in rows if row and row[0] == "solved"]
    assert [row[1] for row in solved] == ["2", "3"]  # the first pack, both packs
    assert ["2", "packs"] in rows
    strategies = [row[:3:2] for row in rows if row[:1] == ["astar"] or row[:2] == ["one", "box"]]
    assert len(strategies) == 4


@pytest.mark.parametrize("verb", ["solve", "optimize"])
def test_jobs_answer_in_the_order_of_the_levels(command: Command, verb: str) -> None:
    pack = command.pack("levels.txt", [SEED, ONE_PUSH, STUCK, TWO_PUSHES])
    alone = command(verb, pack, "--json", *(["--cores", "1"] if verb == "solve" else ["--from", "solver"]))
    together = command(verb, pack, "--json", "--jobs", "3", *(["--from", "solver"] if verb == "optimize" else []))
    assert alone.status == together.status == 1
    for one, other in zip(alone.objects, together.objects, strict=True):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}


@pytest.mark.parametrize(
    ("flags", "jobs_and_cores"),
    [
        ("", (1, 3)),
        ("--jobs 1", (1, 1)),
        ("--jobs 2 --cores 2", (2, 2)),
        ("--cores 4", (1, 4)),
        ("--cores 1", (1, 1)),
        ("--nodes 9999", (1, 1)),
        ("--optimal pushes", (1, 1)),
        ("--strategy astar", (1, 1)),
        ("--moves R", (1, 1)),
    ],
)
def test_no_more_cores_are_taken_than_asked_for(command: Command, flags: str, jobs_and_cores: tuple[int, int]) -> None:
    begun: list[tuple[int, int]] = []

    def begin(searches: Sequence[tuple[Level, Request]], jobs: int, _keep: object) -> Generator[Answer, None, None]:
        for _, request in searches:
            several = request.search.keywords.get("cores") if isinstance(request.search, partial) else None
            begun.append((jobs, several.count if several else 1))
        yield from ()

    command.monkeypatch.setattr("sokoterm.commands.support.search.usable_cores", lambda: 3)
    command.monkeypatch.setattr("sokoterm.commands.support.search.search_levels", begin)
    command("solve", command.pack("levels.txt", [TWO_PUSHES]), *flags.split())
    assert begun == [jobs_and_cores]


def test_a_level_is_solved_on_several_cores(command: Command) -> None:
    (found,) = command("solve", command.pack("seed.txt", [SEED]), "--cores", "2", "--json").objects
    level = open_pack(find_packs(str(command.folder / "seed.txt"))[0]).levels[0]
    assert found["status"] == "solved"
    assert verify(level.board, level.start, str(found["lurd"])).pushes == found["pushes"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_optimal_gives_the_proof_or_says_that_the_strategy_cannot(command: Command, strategy: str) -> None:
    result = command(
        "solve", command.pack("levels.txt", [SEED]), "--strategy", strategy, "--optimal", "pushes", "--json"
    )
    if strategy in ("auto", "astar", "bfs"):
        assert (result.status, result.objects[0]["optimal"], result.objects[0]["pushes"]) == (0, "pushes", 43)
    else:
        assert (result.status, result.out) == (2, "")
        assert f"the strategy {strategy} does not prove" in result.err


def test_the_fewest_moves_are_proven(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES, SEED, STUCK])
    result = command("solve", pack, "--optimal", "moves", "--json")
    assert (result.status, result.err) == (1, "")
    solved, of_four, stuck = result.objects
    assert (solved["status"], solved["strategy"], solved["optimal"]) == ("solved", "one box", "moves")
    assert (of_four["status"], of_four["strategy"], of_four["optimal"]) == ("solved", "fewest moves", "moves")
    assert stuck["status"] == "unsolvable"
    command.done("solve", pack, "-l", "1", "--optimal", "moves", "--jobs", "2")
    (by_pushes,) = command("solve", pack, "-l", "1", "--optimal", "pushes", "--json").objects
    assert by_pushes["optimal"] == "pushes"
    assert (by_pushes["pushes"], solved["pushes"]) == (2, 4)
    assert (by_pushes["moves"], solved["moves"]) == (10, 8)
    assert command("solve", pack, "-l", "1", "--optimal", "moves", "--strategy", "astar").status == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_fault_of_a_search_goes_to_the_crash_log(command: Command, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    def fault(*_arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("sokoterm.commands.support.search.solve", fault)
    result = command("solve", command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES]), "--jobs", jobs)
    assert (result.status, result.out.count("\n")) == (70, 0)
    assert "in fault" in Path(result.err.split()[-1]).read_text("utf-8")


def starved_at_once(_board: Board, _start: State, _limits: Limits) -> Search:
    yield from ()
    raise MemoryError


def starved(board: Board, start: State, limits: Limits) -> Search:
    """Find a solution, and lose the memory for anything else."""
    yield from astar(board, start, limits)
    raise MemoryError


def killed_at_last(board: Board, start: State, limits: Limits) -> Search:
    """Find a solution, and be killed by the kernel."""
    outcome = yield from astar(board, start, limits)
    os.kill(os.getpid(), 9)
    return outcome


def test_lost_memory_is_giving_up(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    strategies = {"astar": NamedStrategy("astar", starved_at_once)}
    monkeypatch.setattr("sokoterm.commands.support.search.STRATEGIES", strategies)
    result = command("solve", command.pack("levels.txt", [ONE_PUSH]), "--strategy", "astar", "--json")
    assert (result.status, result.objects[0]["status"], result.objects[0]["reason"]) == (1, "gave_up", "memory")


@pytest.mark.skipif(sys.platform == "win32", reason="the kernel of Windows ends no process for memory")
def test_process_killed_for_memory_takes_no_other_with_it(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from sokoterm.solver import search

    def killed(*arguments: object) -> object:
        board = arguments[0]
        if getattr(board, "width", 0) == 5:
            os.kill(os.getpid(), 9)
        return search.solve(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("sokoterm.commands.support.search.solve", killed)
    result = command("solve", command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES]), "--json", "--jobs", "2")
    assert [(each["status"], each["reason"]) for each in result.objects] == [("gave_up", "memory"), ("solved", None)]


@pytest.mark.parametrize(("jobs", "search"), [("1", starved), ("2", killed_at_last)])
@pytest.mark.skipif(sys.platform == "win32", reason="the kernel of Windows ends no process for memory")
def test_lost_memory_loses_no_solution(command: Command, jobs: str, search: Strategy) -> None:
    command.monkeypatch.setattr(
        "sokoterm.commands.support.search.STRATEGIES", {"astar": NamedStrategy("astar", search)}
    )
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES])
    result = command("solve", pack, "--json", "--strategy", "astar", "--jobs", jobs)
    assert result.status == 0
    assert [(each["status"], each["optimal"], each["lurd"]) for each in result.objects] == [
        ("solved", None, "R"),
        ("solved", None, "RR"),
    ]


def test_the_beam_is_as_wide_as_said_and_draws_lots_by_its_seed(command: Command) -> None:
    pack = command.pack("levels.txt", [SEED])

    def nodes(*flags: str) -> object:
        (found,) = command("solve", pack, "--strategy", "beam", *flags, "--json").objects
        assert (found["status"], found["strategy"]) == ("solved", "beam")
        return found["nodes"]

    assert nodes() == nodes("--width", "300")
    assert nodes("--width", "25") != nodes("--width", "300")
    lots = ("--width", "25", "--anneal", "0.3")
    assert nodes(*lots, "--seed", "1") == nodes(*lots)
    assert len({nodes(*lots, "--seed", str(seed)) for seed in range(1, 5)}) > 1


def test_the_weights_of_the_beam_change_its_search(command: Command) -> None:
    pack = command.pack("levels.txt", [SEED])

    def nodes(*flags: str) -> object:
        (found,) = command("solve", pack, "--strategy", "beam", "--width", "25", *flags, "--json").objects
        assert found["status"] == "solved"
        return found["nodes"]

    assert nodes("--weights", "distance=1,home=0") == nodes()
    assert nodes("--weights", "home=5") != nodes()
    assert nodes("--anneal", "0.2:5") != nodes("--anneal", "0.2:0.2") == nodes("--anneal", "0.2")


def test_a_search_goes_on_from_moves(command: Command) -> None:
    pack = command.pack("levels.txt", [STUCK, SEED])
    level = open_pack(find_packs(str(pack))[0]).levels[1]
    (whole,) = command("solve", pack, "-l", "2", "--strategy", "astar", "--json").objects
    moves = str(whole["lurd"])
    some = moves[:60]
    pushes = sum(map(str.isupper, some))
    file = command.file("moves.txt", some)
    for flag, value, strategy in (("--moves", some, "auto"), ("--moves-file", file, "beam"), ("--from", some, "auto")):
        (found,) = command("solve", pack, "-l", "2", flag, value, "--strategy", strategy, "--json").objects
        assert list(found) == KEYS
        assert (found["status"], found["pushes"]) == ("solved", 43)
        assert verify(level.board, level.start, str(found["lurd"])).moves == found["moves"]
    out = command("solve", pack, "-l", "2", "--moves", some).out.splitlines()
    assert out[-1].strip() == f"found after push {pushes} of the {pushes} given"


# A room so full of boxes that no strategy comes to an end soon.
CROWDED = """\
################
#              #
#  $ $  $ $ $  #
#   $ $  $ $   #
#  #  $ $  # $ #
#     @        #
#  $ $  $ $ $  #
#.....  .......#
#.....         #
################"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="no VmHWM there")
@pytest.mark.parametrize(
    "strategy",
    [
        *([name] for name in STRATEGIES if name != "auto"),
        ["beam", "--width", "50000"],
        ["beam", "--width", "20000", "--anneal", "0.5"],
    ],
    ids=" ".join,
)
def test_memory_stays_below_the_limit_and_64_mb(tmp_path: Path, strategy: list[str]) -> None:
    pack, record = tmp_path / "levels.txt", tmp_path / "record"
    pack.write_text(f"{CROWDED}\n\n{ONE_PUSH}\n", "ascii")
    flags = ["--suite", pack, "--resume", record, "--memory", "60", "--time", "60", "--strategy", *strategy]
    subprocess.run([*MODULE, "bench", "solver", *map(str, flags)], stdout=subprocess.PIPE, check=True, text=True)
    large, small = (json.loads(line) for line in record.read_text("ascii").splitlines()[1:])
    assert large["ending"] in ("gave up: memory", "gave up: time", "solved")
    assert large["peak"] < 124 << 20
    assert (small["ending"], small["pushes"]) == ("solved", 1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")
def test_a_search_without_memory_gives_up_and_the_next_level_has_its_own(command: Command) -> None:
    pack = command.pack("levels.txt", [WIDE, ONE_PUSH])
    search = [*MODULE, "solve", str(pack), "--strategy", "bfs", "--memory", "40", "--json"]
    result = subprocess.run(search, stdout=subprocess.PIPE, text=True, check=False)
    first, second = map(json.loads, result.stdout.splitlines())
    assert result.returncode == 1
    assert (first["status"], first["reason"]) == ("gave_up", "memory")
    assert (second["status"], second["pushes"]) == ("solved", 1)


def test_json_is_ascii_whatever_the_title(command: Command) -> None:
    pack = command.file("levels.txt", f"; 倉庫番\x9b\n\n{ONE_PUSH}\n")
    result = command("solve", pack, "--json")
    assert result.out.isascii()
    assert json.loads(result.out)["title"].startswith("倉庫番")


def all_from(terminal: int) -> str:
    """Read the output of a terminal that nobody has open at the far end any more; one read may give a part of it."""
    shown = bytearray()
    with suppress(OSError):
        while part := os.read(terminal, 65536):
            shown += part
    os.close(terminal)
    return shown.decode()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_progress_stands_on_a_terminal_until_the_answer_comes(tmp_path: Path, jobs: str) -> None:
    pack = tmp_path / "levels.txt"
    pack.write_text(f"{WIDE}\n\n{WIDE}\n", "ascii")
    command = [*MODULE, "solve", str(pack), "--strategy", "bfs", "--time", "0.7", "--jobs", jobs]
    terminal, stderr = os.openpty()
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, check=False, text=True)
    os.close(stderr)
    shown = all_from(terminal)
    assert result.stdout.count("gave up: time") == 3  # and in the table
    assert re.search(
        r"level [12] \([12] of 2\)  bfs  nodes [\d,]+  stored [\d,]+  depth \d+  bound \d+  \d+\.\d s", shown
    )
    assert "\n" not in shown
    assert shown.split("\r")[-2].isspace()
    assert shown.endswith("\r")


ICE = "#######\n#     #\n#@$   #\n#     #\n#    .#\n#######\nVariant: sliding"
LOST_ICE = "#######\n#     #\n#@$   #\n#  .  #\n#     #\n#######\nVariant: sliding"
COLORS = "########\n#@     #\n# $ $  #\n#      #\n# .  . #\n########\nBoxorder: 1 2\nGoalorder: 2 1"


@pytest.mark.parametrize("verb", [["solve"], ["solve", "--moves", "R"], ["bench", "solver", "--suite"]])
@pytest.mark.parametrize(("name", "kinds"), [("beam", "colours or ice"), ("fess", "ice")])
def test_a_strategy_that_does_not_apply_says_so(command: Command, name: str, kinds: str, verb: list[str]) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, ICE])
    result = command(*verb, pack, "-l", "2", "--strategy", name)
    assert (result.status, result.out) == (2, "")
    others = ", ".join(each.name for each in STRATEGIES.values() if each.knows_ice)
    assert result.err == f"sokoterm: strategy {name}: not for levels with {kinds}; for level 2, use one of {others}\n"


def test_difficulty_comes_from_the_searches_of_the_kind(command: Command) -> None:
    pack = command.pack("levels.txt", [ICE, LOST_ICE])
    solved, lost = (each["difficulty"] for each in command("info", pack, "--json", "--difficulty").objects)
    assert isinstance(solved, dict)
    assert isinstance(lost, dict)
    assert (solved["status"], solved["pushes"], solved["lower_bound"]) == ("solved", 2, 2)
    assert (lost["status"], lost["number"]) == ("unsolvable", None)


def test_pictures_have_letters_and_ice(command: Command) -> None:
    pack = command.pack("levels.txt", [COLORS, ICE])
    assert "# A B  #\n#      #\n# b  a #\n" in command("info", pack, "-l", "1").out
    assert "#~~~~~#\n#@$~~~#\n" in command("info", pack, "-l", "2").out
    assert "3 #xAoBox#" in command("reach", pack, "-l", "1", "--box", "3,3").out
    assert "2 #xx~~x#" in command("reach", pack, "-l", "2", "--box", "3,3").out
    assert "5 # b  a #" in command("deadlock", pack, "-l", "1").out


@pytest.mark.parametrize("other", [COLORS.replace("2 1", "1 2"), COLORS + "\nVariant: sliding"])
def test_rows_of_a_bench_with_other_colours_or_ice_are_refused(command: Command, other: str) -> None:
    command.monkeypatch.setattr("sokoterm.commands.bench.signature_suite", list)
    record = command.folder / "record"
    bench = ("bench", "solver", "--nodes", "100", "--resume", record, "--suite")
    assert command(*bench, command.pack("levels.txt", [COLORS])).status == 0
    assert "found rows of suite 1 level" in command.refusal(*bench, command.pack("other.txt", [other]))
