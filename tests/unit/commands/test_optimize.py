"""``sokoterm optimize``."""

import os
import signal
import subprocess
from functools import partial
from pathlib import Path
from time import monotonic, sleep, time

import pytest

from sokoterm.commands.support.search import Request
from sokoterm.commands.support.worker_processes import search_levels
from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import verify
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.protocol import Found, Limits, Progress, Search, Status, command_limits
from sokoterm.store.found import found_solutions, keep_found
from sokoterm.store.packs import find_packs, open_pack
from sokoterm.store.progress import ProgressStore
from tests.unit.commands.command import FEWER_MOVES, MODULE, ONE_PUSH, SEED, STUCK, WIDE, Command

KEYS = [
    *("pack", "level", "title", "objective", "source", "moves_before", "pushes_before", "count_before"),
    *("moves", "pushes", "count", "lurd", "method", "proven", "seconds"),
]
# Solutions of FEWER_MOVES.
FEWEST_PUSHES, FEWEST_MOVES = "ullddrUluR", "LdlUluRR"
# Both take a walk too many.
LONG_PUSHES, LONG_MOVES = f"ud{FEWEST_PUSHES}", f"ud{FEWEST_MOVES}"


def store_of(command: Command) -> ProgressStore:
    """The progress that the commands of a test have."""
    return ProgressStore.open(str(command.folder / "sokoterm_data" / "progress.db"), time)


def record(pack: Path, title: str, moves: str) -> None:
    """Add a solution to the last level of a file."""
    with pack.open("a", encoding="ascii") as file:
        file.write(f"{title}\n{moves}\n")


def test_fields_of_json(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    result = command("optimize", pack, "--moves", FEWEST_PUSHES, "--json")
    assert (result.status, result.err) == (0, "")
    (found,) = result.objects
    assert list(found) == KEYS
    assert isinstance(found["seconds"], float)
    assert {**found, "seconds": 0} == {
        "pack": str(pack),
        "level": 1,
        "title": "A",
        "objective": "moves",
        "source": "given",
        "moves_before": 10,
        "pushes_before": 2,
        "count_before": 10,
        "moves": 8,
        "pushes": 4,
        "count": 8,
        "lurd": FEWEST_MOVES,
        "method": "whole level",
        "proven": True,
        "seconds": 0,
    }


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
    assert stuck.split()[0:1] + stuck.split()[2:] == ["2", "no", "solution", "B"]
    assert (last.split()[:4], last.split()[-1]) == (["3", "solver", "1/1/1", "1/1/1"], "C")
    assert (blank, totals) == (
        "",
        "3 levels, 1 better, 2 proven, 1 without a solution; before 11/3/2, after 9/5/2",
    )


def test_it_begins_with_the_best_there_is(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    level = open_pack(find_packs(str(pack))[0]).levels[0]

    def begun(*flags: str) -> tuple[object, object]:
        found = command("optimize", pack, "--json", "--for", "pushes", *flags).objects[0]
        return found["source"], found["moves_before"]

    record(pack, "Solution", f"udud{FEWEST_PUSHES}")
    assert begun() == ("file", 14)
    store = store_of(command)
    store.record(level, LONG_PUSHES)
    store.close()
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
    store = store_of(command)
    assert (store.solved(), store.best(level).by_moves, store.dates(level).first_solved) == (set(), None, None)
    assert [(each.solution.lurd, each.credit) for each in found_solutions(store, level)] == [
        (FEWEST_PUSHES, "solver"),
        (FEWEST_MOVES, "optimizer"),
    ]
    store.record(level, LONG_MOVES)
    best = store.best(level)
    assert best.by_moves is not None
    assert best.by_moves.lurd == LONG_MOVES
    store.close()


def test_a_worse_solution_replaces_no_better_one(command: Command) -> None:
    level = open_pack(find_packs(str(command.pack("levels.txt", [FEWER_MOVES])))[0]).levels[0]
    store = store_of(command)
    for lurd in (FEWEST_MOVES, FEWEST_PUSHES, LONG_PUSHES, LONG_MOVES):
        keep_found(store, level, verify(level.board, level.start, lurd), "test")
        assert store.save_rows() is None
    kept = {each.solution.lurd for each in found_solutions(store, level)}
    assert kept == {FEWEST_MOVES, FEWEST_PUSHES}
    store.close()


def test_levels_without_a_solution(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES, STUCK])
    for source in ("own", "file", "known"):
        result = command("optimize", pack, "--from", source, "--json")
        assert result.status == 1
        assert [(each["source"], each["lurd"], each["proven"]) for each in result.objects] == [(None, None, False)] * 2
    assert [each["source"] for each in command("optimize", pack, "--json").objects] == ["solver", None]


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


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--to", "better.txt"], "found --to better.txt, expected a name that ends in .sok"),
        (["--to", "PACK"], "found --to PACK, expected a name that ends in .sok"),
        (["--moves", "R"], "found 2 levels with --moves, expected one: -l N"),
        (["-l", "1", "--moves", "R"], "--moves: step 1 (r) is blocked"),
        (["-l", "1", "--moves", "L"], "--moves: 1 of 1 boxes not on a goal after 1 moves"),
        (["-l", "1", "--moves", "x"], "--moves: found 'x', expected one of l u r d L U R D or a count"),
        (["--time", "0"], "argument --time: found '0', expected a number of seconds over 0"),
        (["--for", "glory"], "argument --for: invalid choice: 'glory'"),
        (["--from", "heaven"], "argument --from: invalid choice: 'heaven'"),
        (["--from", "own", "--moves", "R"], "found --from with --moves, expected one of them"),
    ],
)
def test_bad_input_is_one_line(command: Command, flags: list[str], said: str) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES, ONE_PUSH])
    result = command("optimize", pack, *[str(pack) if each == "PACK" else each for each in flags])
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith(f"sokoterm: {said.replace('PACK', str(pack))}")


def test_a_pack_that_is_read_is_not_replaced(command: Command) -> None:
    pack = command.pack("levels.sok", [FEWER_MOVES])
    before = pack.read_bytes()
    result = command("optimize", pack, "--to", pack)
    assert (result.status, result.out) == (2, "")
    assert result.err == f"sokoterm: {pack}: not replaced: it is one of the packs that were read\n"
    assert pack.read_bytes() == before


def test_what_cannot_be_read_is_status_2_and_the_rest_is_done(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    result = command("optimize", command.folder / "missing.txt", pack, "--json")
    assert (result.status, len(result.objects), result.err.count("\n")) == (2, 1, 1)


def test_jobs_answer_in_the_order_of_the_levels(command: Command) -> None:
    pack = command.pack("levels.txt", [SEED, ONE_PUSH, STUCK, FEWER_MOVES])
    alone = command("optimize", pack, "--json", "--from", "solver")
    together = command("optimize", pack, "--json", "--from", "solver", "--jobs", "3")
    assert alone.status == together.status == 1
    for one, other in zip(alone.objects, together.objects, strict=True):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}


def endless(board: Board, start: State, limits: Limits, *, parent: int) -> Search:
    """Find two solutions, send Ctrl-C to the parent once they are reported, and go on for ever."""
    yield Found(verify(board, start, LONG_PUSHES))
    yield Found(verify(board, start, FEWEST_PUSHES), "luck")
    os.kill(parent, signal.SIGINT)
    while True:
        yield Progress("endless", 7, 0, 0, 0, limits.clock())


def test_a_search_that_is_interrupted_answers_with_the_best_it_has_found(command: Command) -> None:
    level = open_pack(find_packs(str(command.pack("levels.txt", [FEWER_MOVES])))[0]).levels[0]
    request = Request("endless", partial(endless, parent=os.getpid()), command_limits(monotonic))
    answers = search_levels([(level, request)] * 2, 1, keeps=True)
    place, answer = next(answers)
    assert (place, answer.outcome.status, answer.outcome.optimal) == (0, Status.SOLVED, None)
    assert answer.found is not None
    assert answer.given is not None
    found = answer.found
    assert (found.solution.lurd, found.method, answer.given.lurd) == (FEWEST_PUSHES, "luck", LONG_PUSHES)
    with pytest.raises(KeyboardInterrupt):
        next(answers)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_and_keeps_what_is_found(command: Command, jobs: str) -> None:
    """The second level is far too large to come to an end."""
    pack, out = command.pack("levels.txt", [FEWER_MOVES, WIDE, ONE_PUSH]), command.folder / "out.sok"
    arguments = [str(pack), "--time", "600", "--jobs", jobs, "--to", str(out)]
    running = subprocess.Popen([*MODULE, "optimize", *arguments], stdout=subprocess.PIPE, text=True)
    level = open_pack(find_packs(str(pack))[0]).levels[0]
    end = monotonic() + 60
    while monotonic() < end:
        store = store_of(command)
        is_kept = len(found_solutions(store, level)) == 2
        store.close()
        if is_kept:
            break
        sleep(0.1)
    sleep(0.5)
    os.kill(running.pid, signal.SIGINT)
    said, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert [line.split()[0] for line in said.splitlines() if "  " in line.strip()][:3] == ["level", "1", "2"]
    first, *_ = open_pack(find_packs(str(out))[0]).levels
    assert first.records[0].moves == FEWEST_MOVES
