"""``python3 -m tests.bench cluster``: many small levels solved on a Dask cluster whose processes are killed."""

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from random import Random
from signal import SIGKILL
from socket import socket
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import NamedTuple

from sokoterm.commands import SCHEDULER_LOST
from sokoterm.commands.support.output import InputError
from sokoterm.engine.bits import scan
from sokoterm.engine.board import Board, State
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import LurdError, verify
from sokoterm.engine.reach import reachable_area
from sokoterm.store.packs import bundled_packs, find_packs, open_pack
from tests.bench.common import BenchParser, measured, print_figure
from tests.bench.files import PEAK_COMMAND, made_copies
from tests.bench.sessions import player_environ

_LEVELS = 20_000
_COPIES = 3_000
# Levels of a file.
_FILE = 2_500
# Pulls on a way from a solved position of a level of ours, and those after which it begins another level.
_PULLS = 60
_STEP = 4
# Takes some hundredths of a second for such a level, as the others do for a small level of a person.
_SEARCH = ("--strategy", "fess", "--nodes", "2000")
# Shares of the levels after which the command is killed, a worker, once more the worker, and the scheduler.
_KILLS = (0.1, 0.2, 0.4, 0.6)
_LOOK_SECONDS = 0.05
_MEGABYTES = 300
_RATIO = 1.8


Process = subprocess.Popen[bytes]


class Client(NamedTuple):
    """Result of one command: its exit status, seconds, and the most memory that it took, in KB."""

    status: int
    seconds: float
    kilobytes: int


def run(arguments: list[str]) -> int:
    """Prints a row for each figure; 1 if a level has not exactly one result, or a bound is not kept."""
    parser = BenchParser(
        "cluster",
        "Solve small levels on a cluster of this machine. The rates of one worker and of two are those of a tenth\n"
        "of the levels. Then two workers solve them all; the command is killed, one worker twice, and the scheduler,\n"
        f"and the same command goes on. Bounds: {_RATIO} times the rate of one worker, {_MEGABYTES} MB for the client.",
        "--levels 2000 --copies 300",
    )
    text = f"levels (default: {_LEVELS:,})"
    levels = parser.flag("--levels", parse=measured, default=_LEVELS, metavar="N", help=text)
    text = f"copies among them (default: {_COPIES:,})"
    copies = parser.flag("--copies", parse=measured, default=_COPIES, metavar="N", help=text)
    parser.parse(arguments)
    if copies.value >= levels.value:
        raise InputError(f"found {copies.value:,} copies among {levels.value:,} levels, expected fewer")
    with TemporaryDirectory(prefix="sokoterm-bench-") as folder:
        return _measure(folder, levels.value, copies.value)


def _measure(folder: str, levels: int, copies: int) -> int:
    few, many = os.path.join(folder, "few"), os.path.join(folder, "many")
    pictures = list(made_levels(levels, copies))
    print(f"{levels:,} levels, {copies:,} of them copies", flush=True)
    if hasattr(os, "getloadavg"):
        note = f"of {os.cpu_count()} cores; rates tell something only on a machine that is idle"
        print_figure("load before", f"{os.getloadavg()[0]:.1f}", note=note)
    write_levels(few, pictures[: max(1, levels // 10)])
    write_levels(many, pictures)
    rates = []
    for workers in (1, 2):
        with Machines(folder, workers) as machines:
            out = os.path.join(folder, f"few-{workers}.jsonl")
            client = machines.solve(few, out)
            rates.append(_lines(out) / client.seconds)
            print_figure(f"{workers} worker{'s' * (workers > 1)}", f"{rates[-1]:.1f} levels/s")
    ratio = rates[1] / rates[0]
    print_figure("ratio", f"{ratio:.2f}", note=f"bound {_RATIO}")
    out = os.path.join(folder, "many.jsonl")
    with Machines(folder, 2) as machines:
        killed, twice, last = _KILLS[0] * levels, [share * levels for share in _KILLS[1:3]], _KILLS[3] * levels
        clients = [machines.solve(many, out, [(killed, subprocess.Popen.kill)])]
        by_worker = [(lines, lambda _: machines.restart_worker()) for lines in twice]
        clients.append(machines.solve(many, out, [*by_worker, (last, lambda _: machines.kill_scheduler())]))
        machines.start_scheduler()
        clients.append(machines.solve(many, out))
    seconds, kilobytes = sum(each.seconds for each in clients), max(each.kilobytes for each in clients)
    print_figure("with kills", f"{levels / seconds:.1f} levels/s", note=f"{seconds:.0f} s, {len(clients)} commands")
    print_figure("client", f"{kilobytes / 1024:.0f} MB", note=f"bound {_MEGABYTES} MB")
    faults = list(faults_in(many, out, levels - copies))
    statuses = [each.status for each in clients]
    if statuses[:2] != [-SIGKILL, SCHEDULER_LOST] or statuses[2] not in (0, 1):
        faults.append(f"exit statuses {statuses}")
    print_figure("results", f"{_lines(out):,}", note="; ".join(faults) or "one for each level, solutions verified")
    return 1 if faults or ratio < _RATIO or kilobytes > _MEGABYTES << 10 else 0


def made_levels(number: int, copies: int) -> Iterator[list[str]]:
    """Pictures of so many levels: starts pulled from the goals of our own; ``copies`` are others, turned and moved."""
    random = Random(number)
    own = [level for file in bundled_packs() for level in open_pack(file).levels if level.board.is_ordinary]
    met: dict[str, Level] = {}
    while len(met) < number - copies:
        met |= {level_hash(made): made for level in own for made in _pulled(level, random)}
    levels = [*met.values()][: number - copies]
    pictures = [[*level.rows] for level in levels]
    pictures += [rows for _, rows in made_copies(levels[:copies], copies)]
    random.shuffle(pictures)
    yield from pictures


def _pulled(level: Level, random: Random) -> Iterator[Level]:
    """Levels that begin on a way of pulls by chance from a solved position, so that they can be solved."""
    board = level.board
    state = State(board.goals, random.choice([*scan(board.floor & ~board.goals)]))
    for count in range(_PULLS):
        pulls = [each for each in _pulls(board, state) if any(True for _ in _pulls(board, each))]
        if not pulls:
            return
        state = random.choice(pulls)
        if count % _STEP == _STEP - 1:
            yield Level.from_xsb("\n".join(level.picture(state)))


def _pulls(board: Board, state: State) -> Iterator[State]:
    """The positions one pull away."""
    area = reachable_area(board, state)
    for box in scan(state.boxes & board.floor):
        for offset in board.offsets:
            player, behind = box + offset, box + 2 * offset
            if area >> player & 1 and board.floor & ~state.boxes & 1 << behind:
                yield State(state.boxes ^ 1 << box ^ 1 << player, behind)


def write_levels(folder: str, pictures: Sequence[Sequence[str]]) -> None:
    """Writes levels to the files of a folder."""
    os.mkdir(folder)
    for first in range(0, len(pictures), _FILE):
        with open(os.path.join(folder, f"{first // _FILE + 1}.xsb"), "w", encoding="ascii") as file:
            for place, rows in enumerate(pictures[first : first + _FILE], start=first + 1):
                file.write("\n".join([f"; level {place}", "", *rows, "", ""]))


def faults_in(folder: str, out: str, distinct: int) -> Iterator[str]:
    """Faults of the results for the levels in a folder, of which so many differ; nothing if all is right."""
    levels = {(file.path, each.number): each for file in find_packs(folder) for each in open_pack(file).levels}
    found: Counter[tuple[str, int]] = Counter()
    unsolved = 0
    with open(out, encoding="ascii") as lines:
        for line in lines:
            result = json.loads(line)
            place = result["pack"], result["level"]
            found[place] += 1
            if result["lurd"] is not None:
                with suppress(LurdError, KeyError):
                    verify(levels[place].board, levels[place].start, result["lurd"])
                    continue
                unsolved += 1
    if missing := len(levels.keys() - found.keys()):
        yield f"{missing:,} levels without a result"
    if repeated := sum(count > 1 for count in found.values()):
        yield f"{repeated:,} levels with several results"
    if unsolved:
        yield f"{unsolved:,} wrong solutions"
    with closing(sqlite3.connect(out + ".journal")) as journal:
        (searches,) = journal.execute("SELECT count(*) FROM results").fetchone()
    if searches != distinct:
        yield f"{searches:,} levels searched, expected {distinct:,}"


def _lines(path: str) -> int:
    """The lines of a file, 0 if there is none."""
    try:
        with open(path, "rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 16), b""))
    except FileNotFoundError:
        return 0


class Machines:
    """A scheduler and workers, each in a process of its own."""

    def __init__(self, folder: str, workers: int) -> None:
        self._environ = player_environ(folder)
        self._folder = folder
        with closing(socket()) as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._count = workers
        self._workers: list[Process] = []

    def __enter__(self) -> "Machines":
        self.start_scheduler()
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self._workers, self._scheduler):
            process.kill()
            process.wait()

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        return f"127.0.0.1:{self._port}"

    def kill_scheduler(self) -> None:
        self._scheduler.kill()
        self._scheduler.wait()

    def start_scheduler(self) -> None:
        """Starts the scheduler, and the workers that had lost it."""
        port = ["--port", str(self._port)]
        self._scheduler = self._dask("scheduler", "--host", "127.0.0.1", *port)
        for process in self._workers:
            process.kill()
            process.wait()
        self._workers = [self._worker() for _ in range(self._count)]

    def restart_worker(self) -> None:
        """Kills the first worker, and starts another."""
        self._workers[0].kill()
        self._workers[0].wait()
        self._workers[0] = self._worker()

    def solve(self, packs: str, out: str, kills: Sequence[tuple[float, Callable[[Process], None]]] = ()) -> Client:
        """Runs the verb; each of ``kills`` is called with its process once there are so many lines in ``out``."""
        arguments = ["solve", packs, "--cluster", self.address, *_SEARCH, "-o", out]
        command = [sys.executable, "-c", PEAK_COMMAND, *arguments]
        self.wait_for_workers()
        begin = perf_counter()
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=self._environ, stdout=pipe, stderr=pipe) as client:
            for lines, kill in kills:
                while _lines(out) < lines and client.poll() is None:
                    sleep(_LOOK_SECONDS)
                kill(client)
            _, said = client.communicate()
        kilobytes = int(said.split()[-1]) if client.returncode >= 0 else 0
        return Client(client.returncode, perf_counter() - begin, kilobytes)

    def wait_for_workers(self) -> None:
        """Waits a minute at most, and raises CalledProcessError if they do not come."""
        wait = "import sys, distributed; distributed.Client(sys.argv[1]).wait_for_workers(int(sys.argv[2]), 60)"
        command = [sys.executable, "-c", wait, self.address, str(self._count)]
        subprocess.run(command, env=self._environ, check=True)

    def _worker(self) -> Process:
        return self._dask("worker", self.address, "--nworkers", "1", "--nthreads", "1", "--no-nanny")

    def _dask(self, *arguments: str) -> Process:
        with open(os.path.join(self._folder, "dask.log"), "ab") as log:
            command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
            return subprocess.Popen(command, env=self._environ, cwd=self._folder, stdout=log, stderr=log)
