"""``sokoterm optimize``."""

import json
import os
import signal
import subprocess
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep

import pytest

from sokoterm.commands.support.search import Request, search_levels
from sokoterm.engine.bits import Square, scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.guide import Stretch
from sokoterm.engine.lurd import Solution, parse_lurd, play, verify
from sokoterm.solver.optimizer.objective import Objective, Steering
from sokoterm.solver.search import Found, Limits, Outcome, Progress, Search, Status
from sokoterm.store.packs import find_packs, open_pack
from tests.slow import slow
from tests.unit.commands.command import FEWER_MOVES, MODULE, ONE_PUSH, PLACE, SEED, STUCK, WIDE, Command
from tests.unit.solver.cases import SEED_CASE
from tests.unit.solver.optimizer.known import long_solution

KEYS = [
    *PLACE,
    *("objective", "source", "moves_before", "pushes_before", "count_before"),
    *("moves", "pushes", "count", "lurd", "where", "lack", "method", "proven", "seconds"),
]
IMPROVED = """{
"pack_title": "levels", "pack_author": "", "level": 1, "title": "A", "author": "", "objective": "moves",
"source": "given", "moves_before": 10, "pushes_before": 2, "count_before": 10, "moves": 8, "pushes": 4, "count": 8,
"where": null, "lack": null, "method": "whole level", "proven": true, "seconds": 0
}"""
# Solutions of FEWER_MOVES.
FEWEST_PUSHES, FEWEST_MOVES = "ullddrUluR", "LdlUluRR"
# Both take a walk too many.
LONG_PUSHES, LONG_MOVES = f"ud{FEWEST_PUSHES}", f"ud{FEWEST_MOVES}"


def record(pack: Path, title: str, moves: str) -> None:
    """Add a solution to the last level of a file."""
    with pack.open("a", encoding="ascii") as file:
        file.write(f"{title}\n{moves}\n")


def test_fields_of_json(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    (found,) = command.done("optimize", pack, "--moves", FEWEST_PUSHES, "--json").objects
    assert list(found) == KEYS
    assert isinstance(found["seconds"], float)
    assert {**found, "seconds": 0} == {"pack": str(pack), "lurd": FEWEST_MOVES, **json.loads(IMPROVED)}


@pytest.mark.parametrize("objective", Objective)
def test_each_objective_is_proven_on_a_small_level(command: Command, objective: Objective) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    level = open_pack(find_packs(str(pack))[0]).levels[0]
    known = verify(level.board, level.start, "ud" + FEWEST_PUSHES)
    (found,) = command("optimize", pack, "--moves", known.lurd, "--for", objective, "--json").objects
    solution = verify(level.board, level.start, str(found["lurd"]))
    assert objective.key(solution) < objective.key(known)
    assert (found["count_before"], found["count"]) == (objective.measure(known), objective.measure(solution))
    assert found["proven"]


def test_table(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES, STUCK, ONE_PUSH])
    result = command("optimize", pack, "--for", "changes")
    assert result.status == 1
    name, heading, first, moves, stuck, last, blank, totals = result.out.splitlines()
    assert name == str(pack)
    assert heading.split() == ["level", "from", "before", "after", "saved", "proven", "seconds", "method", "title"]
    ends = {column: heading.index(column) + len(column) for column in ("level", "before", "after", "saved")}
    assert [first[:end].split()[-1] for end in ends.values()] == ["1", "10/2/1", "8/4/1", "2/-2/0"]
    begins = [heading.index(column) for column in ("from", "proven", "method", "title")]
    assert [first[begin:].split("  ")[0].strip() for begin in begins] == ["solver", "yes", "whole level", "A"]
    assert moves.strip() == FEWEST_MOVES
    assert stuck.split()[0:1] + stuck.split()[2:] == ["2", "unsolvable", "B"]
    assert (last.split()[:4], last.split()[-1]) == (["3", "solver", "1/1/1", "1/1/1"], "C")
    assert (blank, totals) == ("", "3 levels, 1 better, 2 proven, 1 without a solution; before 11/3/2, after 9/5/2")


def test_it_begins_with_the_best_there_is(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    level = open_pack(find_packs(str(pack))[0]).levels[0]

    def begun(*flags: str) -> tuple[object, object]:
        found = command("optimize", pack, "--json", "--for", "pushes", *flags).objects[0]
        return found["source"], found["moves_before"]

    record(pack, "Solution", f"udud{FEWEST_PUSHES}")
    assert begun() == ("file", 14)
    with command.progress() as store:
        store.record(level, LONG_PUSHES)
    assert begun("--from", "own") == ("own", 12)
    assert begun() == ("known", 10)  # what the last two have found
    assert [begun("--from", each) for each in ("file", "known", "solver")] == [
        ("file", 14),
        ("known", 10),
        ("solver", 10),
    ]


def test_known_from_another_pack_of_the_library(command: Command) -> None:
    mirrored = "\n".join(line[::-1] for line in FEWER_MOVES.splitlines())
    other, pack = command.pack("other.txt", [mirrored]), command.pack("levels.txt", [FEWER_MOVES])
    record(other, "Solution", FEWEST_MOVES.translate(str.maketrans("lrLR", "rlRL")))
    assert command("add", other).status == 0
    (found,) = command("optimize", pack, "--json").objects
    assert (found["source"], found["moves_before"], found["lurd"]) == ("known", 8, FEWEST_MOVES)


def test_what_is_found_is_known_and_nobody_has_solved_the_level(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    level = open_pack(find_packs(str(pack))[0]).levels[0]
    assert command("optimize", pack).status == 0
    with command.progress() as store:
        assert (store.solved(), store.best(level).by_moves, store.dates(level).first_solved) == (set(), None, None)
        assert [(each.solution.lurd, each.credit) for each in store.found_solutions(level)] == [
            (FEWEST_PUSHES, "solver"),
            (FEWEST_MOVES, "optimizer"),
        ]
        store.record(level, LONG_MOVES)
        best = store.best(level)
        assert best.by_moves is not None
        assert best.by_moves.lurd == LONG_MOVES


def test_a_worse_solution_replaces_no_better_one(command: Command) -> None:
    level = open_pack(find_packs(str(command.pack("levels.txt", [FEWER_MOVES])))[0]).levels[0]
    with command.progress() as store:
        for lurd in (FEWEST_MOVES, FEWEST_PUSHES, LONG_PUSHES, LONG_MOVES):
            store.keep_found(level, verify(level.board, level.start, lurd), "test")
            assert store.save_rows() is None
        kept = {each.solution.lurd for each in store.found_solutions(level)}
        assert kept == {FEWEST_MOVES, FEWEST_PUSHES}


def test_what_the_solver_has_shortened_is_its_solution(command: Command) -> None:
    (solved,), (found,) = (command(*verb, "-l", "10", "--json").objects for verb in (["solve"], ["optimize"]))
    assert (found["source"], found["moves_before"], found["pushes_before"]) == (
        "solver",
        solved["moves"],
        solved["pushes"],
    )


def test_levels_without_a_solution(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES, STUCK])
    for source in ("own", "file", "known"):
        result = command("optimize", pack, "--from", source, "--json")
        assert result.status == 1
        fields = [(each["source"], each["lurd"], each["proven"], each["lack"]) for each in result.objects]
        assert fields == [(None, None, False, "none stored")] * 2
    found = command("optimize", pack, "--json").objects
    assert [(each["source"], each["lack"]) for each in found] == [("solver", None), (None, "unsolvable")]


def test_a_solution_of_the_file_that_is_ones_own_as_well_is_one_of_the_file(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    record(pack, "Solution", FEWEST_PUSHES)
    assert command("progress", "import", pack).status == 0
    for source in ("own", "file"):
        assert command("optimize", pack, "--from", source, "--json").objects[0]["moves_before"] == 10


def test_the_pack_that_is_written(command: Command) -> None:
    pack, out = command.pack("levels.txt", [STUCK, FEWER_MOVES]), command.folder / "better.sok"
    record(pack, "Solution", FEWEST_PUSHES)
    assert command("optimize", pack, "--to", out).status == 1
    stuck, level = open_pack(find_packs(str(out))[0]).levels
    assert (stuck.title, stuck.records, level.title) == ("A", (), "B")
    assert [(each.title, each.moves) for each in level.records] == [
        ("Solution/Moves 8/4", FEWEST_MOVES),
        ("Solution", FEWEST_PUSHES),
    ]
    verified = command("verify", out, "-l", "2", "--moves", level.records[0].moves)
    assert (verified.status, verified.out[:23]) == (0, "solved: moves 8, pushes")
    assert command("optimize", out, "-l", "2", "--json").objects[0]["source"] == "file"


def optimized(command: Command, pack: Path, *flags: str) -> Solution:
    """Optimize the long solution of the seed case, steered by flags."""
    result = command.done("optimize", pack, "--moves", long_solution().lurd, *flags, "--json")
    return verify(SEED_CASE.board, SEED_CASE.start, str(result.objects[0]["lurd"]))


def pushes_to(solution: Solution, square: Square) -> int:
    """Count the pushes that take a box of the seed case to a square."""
    states = [after for after, _ in play(SEED_CASE.board, SEED_CASE.start, parse_lurd(solution.lurd))]
    return sum(after.boxes >> square & ~before.boxes >> square & 1 for before, after in pairwise(states))


def test_only_the_moves_between_change(command: Command) -> None:
    pack, known = command.pack("levels.txt", [SEED]), long_solution()
    best = optimized(command, pack, "--between", "60-140")
    assert best.moves < known.moves
    assert (best.lurd[:60], best.lurd[140 - known.moves :]) == (known.lurd[:60], known.lurd[140:])
    late = optimized(command, pack, "--between", "100-")
    assert late.moves < known.moves
    assert late.lurd[:100] == known.lurd[:100]


def test_kept_boxes_keep_their_pushes(command: Command) -> None:
    pack, known = command.pack("levels.txt", [SEED]), long_solution()
    free = optimized(command, pack)
    assert free.moves < known.moves
    every = optimized(command, pack, "--keep", "1,1-8,8")
    assert every.pushes == known.pushes
    squares = [square for square in scan(SEED_CASE.board.floor) if pushes_to(free, square) != pushes_to(known, square)]
    assert squares
    assert [pushes_to(every, square) for square in squares] == [pushes_to(known, square) for square in squares]
    some = optimized(command, pack, "--keep", "3,5", "--keep", "5,4")
    assert free.moves < some.moves <= every.moves


def test_no_box_is_pushed_to_barred_squares_but_by_pushes_of_the_solution(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    for moves in (FEWEST_PUSHES, LONG_PUSHES):
        (found,) = command("optimize", pack, "--moves", moves, "--bar", "1,1-5,5", "--json").objects
        assert found["lurd"] == FEWEST_PUSHES


def crossing(
    _board: Board, _start: State, _known: Solution, _objective: Objective, _limits: Limits, steering: Steering
) -> Search:
    """Find what the steering has to cross with, in the order of moves."""
    yield from (Found(each, "crossed") for each in sorted(steering.others, key=lambda each: -each.moves))
    return Outcome(Status.SOLVED, "crossing", None, None, len(steering.others), 0, 0.0)


def test_other_solutions_are_crossed_with(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoterm.commands.optimize.optimize", crossing)
    pack, moves = command.pack("levels.txt", [FEWER_MOVES]), command.file("moves.txt", LONG_PUSHES)
    record(pack, "Solution", FEWEST_MOVES)

    def crossed(*flags: str | Path) -> object:
        return command("optimize", pack, "--moves", FEWEST_PUSHES, "--json", *flags).objects[0]["lurd"]

    assert crossed() == FEWEST_PUSHES
    assert crossed("--cross", FEWEST_PUSHES) == FEWEST_PUSHES  # that is no other
    assert crossed("--cross", LONG_MOVES) == LONG_MOVES
    assert crossed("--cross-file", moves) == LONG_PUSHES
    assert crossed("--cross-file", moves, "--cross", LONG_MOVES) == LONG_MOVES
    assert crossed("--cross", "all") == FEWEST_MOVES
    assert crossed("--cross", "all", "--cross", "LdlUluRR") == FEWEST_MOVES


def endless(board: Board, start: State, limits: Limits, *, parent: int) -> Search:
    """Find two solutions, send Ctrl-C to the parent once they are reported, and go on for ever."""
    yield Found(verify(board, start, LONG_PUSHES))
    yield Found(verify(board, start, FEWEST_PUSHES), "luck")
    os.kill(parent, signal.SIGINT)
    while True:
        yield Progress("endless", 7, 0, 0, 0, limits.clock())


def test_a_search_that_is_interrupted_answers_with_the_best_it_has_found(command: Command) -> None:
    level = open_pack(find_packs(str(command.pack("levels.txt", [FEWER_MOVES])))[0]).levels[0]
    request = Request("endless", partial(endless, parent=os.getpid()), Limits(clock=monotonic))
    answers = search_levels([(level, request)] * 2, 1, keeps=True)
    answer = next(answers)
    assert (answer.outcome.status, answer.outcome.optimal) == (Status.SOLVED, None)
    assert answer.found is not None
    assert answer.given is not None
    found = answer.found
    assert (found.solution.lurd, found.method, answer.given.lurd) == (FEWEST_PUSHES, "luck", LONG_PUSHES)
    with pytest.raises(KeyboardInterrupt):
        next(answers)


@pytest.mark.parametrize(("jobs", "end", "status"), [("1", signal.SIGINT, 130), slow("2", signal.SIGTERM, 143)])
def test_a_signal_prints_and_keeps_what_is_found(command: Command, jobs: str, end: signal.Signals, status: int) -> None:
    """The second level is far too large to come to an end."""
    pack, out = command.pack("levels.txt", [FEWER_MOVES, WIDE, ONE_PUSH]), command.folder / "out.sok"
    arguments = [str(pack), "--time", "600", "--jobs", jobs, "--to", str(out)]
    running = subprocess.Popen([*MODULE, "optimize", *arguments], stdout=subprocess.PIPE, text=True)
    level = open_pack(find_packs(str(pack))[0]).levels[0]
    last = monotonic() + 60
    while monotonic() < last:
        with command.progress() as store:
            is_kept = len(store.found_solutions(level)) == 2
        if is_kept:
            break
        sleep(0.1)
    sleep(2.0)  # the search of the second level has begun, also on a machine under load
    running.send_signal(end)
    said, _ = running.communicate(timeout=60)
    assert running.returncode == status
    assert [line.split()[0] for line in said.splitlines() if "  " in line.strip()][:3] == ["level", "1", "2"]
    first, *_ = open_pack(find_packs(str(out))[0]).levels
    assert first.records[0].moves == FEWEST_MOVES


def test_the_pack_is_written_though_nobody_reads_the_rows(command: Command) -> None:
    """The reader goes before the row of the second level, for which the solver takes its whole time."""
    pack, out = command.pack("levels.txt", [FEWER_MOVES, WIDE]), command.folder / "out.sok"
    arguments = [str(pack), "--time", "1", "--to", str(out)]
    running = subprocess.Popen([*MODULE, "optimize", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert running.stdout is not None
    assert [running.stdout.readline().split()[:1] for _ in range(3)][1:] == [[b"level"], [b"1"]]
    running.stdout.close()
    assert running.wait(60) == 141
    assert [level.title for level in open_pack(find_packs(str(out))[0]).levels] == ["A", "B"]


def test_where_tells_no_moves(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    result = command("optimize", pack, "--moves", LONG_PUSHES, "--for", "pushes", "--stretches")
    assert (result.status, FEWEST_PUSHES not in result.out) == (0, True)
    (where,) = [line.strip() for line in result.out.splitlines() if "between move" in line]
    assert where.endswith("saved 2/0")
    (found,) = command("optimize", pack, "--moves", LONG_PUSHES, "--for", "pushes", "--stretches", "--json").objects
    assert (found["lurd"], found["where"]) == (None, [dict(zip(Stretch._fields, (1, 3, 1, 1, 2, 0), strict=True))])


def test_where_without_a_query_means_what_it_did_before_there_were_queries(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    flags = ("--moves", LONG_PUSHES, "--for", "pushes")
    for result in (
        command("optimize", "--where", pack, *flags),
        command("optimize", pack, *flags, "--where"),
        command("optimize", pack, "--where", *flags),
    ):
        assert (result.status, result.err) == (0, "")
        assert "between move" in result.out
    assert command("optimize", pack, "--where", "boxes:99").out == ""
