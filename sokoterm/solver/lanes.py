"""Lanes: searches of one level at the same time, on several cores.

``auto`` starts by itself, since most levels need nothing more.  If it takes long, other searches join it, each a *lane*
in its own process that pickles its events into a pipe, and ``auto`` leaves their strategies to them.  The first
solution stops all other searches, while the search that found it runs to its end.  A proof that there is no solution
ends everything.

A lane that dies affects no other search.  When the coordinator ends, however that happens, each lane sees its input
pipe close and exits immediately.
"""

import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from queue import Empty, SimpleQueue
from subprocess import DEVNULL, PIPE, Popen
from traceback import format_exc
from typing import IO, NamedTuple

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import verify
from sokoterm.solver.fess.search import search as search_by_features
from sokoterm.solver.search import (
    Cores,
    Crashed,
    Found,
    Limits,
    News,
    Outcome,
    Progress,
    Reason,
    Search,
    Status,
    Strategy,
    resident_bytes,
    solve,
)
from sokoterm.solver.strategies import auto, backward, best_first
from sokoterm.solver.strategies.auto import Contender
from sokoterm.solver.strategies.fewest import has_one_box

MOST_CORES = 4
"""Most searches at the same time: all that differ usefully."""

# Time between two reports of a lane.
_REPORT_SECONDS = 0.1

# Longest wait for a report.
_WAIT_SECONDS = 0.02

# Steps of the coordinator's search between two checks for reports: steps are short, and checking after each one would
# take a tenth of the time.
_STEPS = 16

# Number of the coordinator's search; lanes are numbered from 0.
_OWN = -1


class _Task(NamedTuple):
    """Task of a lane: a search with its limits except time, which the coordinator watches."""

    strategy: Strategy
    board: Board
    start: State
    nodes: int
    states: int
    memory: int


class _Report(NamedTuple):
    """Event of a lane, and the memory of its process in bytes; if killed, it reports Crashed without a traceback."""

    event: News
    memory: int = 0


def search(
    board: Board, start: State, limits: Limits, *, cores: Cores, lanes: Mapping[str, Strategy] | None = None
) -> Search:
    """Search for a solution of at least one push on several cores, within common limits; never repeatable.

    ``lanes``: searches that join ``auto``, as returned by ``lanes_for``; None: those that suit the board.
    """
    if cores.count == 1 or has_one_box(board, start):
        return (yield from auto.search(board, start, limits))
    coordinator = _Coordinator(board, start, limits, cores, lanes_for(board) if lanes is None else lanes)
    try:
        return (yield from coordinator.run())
    finally:
        coordinator.close()


def lanes_for(board: Board) -> Mapping[str, Strategy]:
    """Return the searches that join ``auto``, the most useful first, by the name of the strategy left to each.

    The last runs a strategy that ``auto`` keeps, or with other random variants.
    """
    last = Contender("fess", partial(search_by_features, draw=1), 1, 100)
    if board.ice:
        last = Contender("astar", best_first.astar, 1, 100)
    contenders = {
        "backward": Contender("backward", backward.search, 1, 100),
        "greedy": Contender("greedy", best_first.greedy, 1, 100),
        "": last,
    }
    return {name: partial(auto.search_in_turns, contenders=(each,)) for name, each in contenders.items()}


class _Coordinator:
    def __init__(self, board: Board, start: State, limits: Limits, cores: Cores, lanes: Mapping[str, Strategy]) -> None:
        self._board = board
        self._start = start
        self._limits = limits
        self._cores = cores
        self._began = limits.clock()
        own = limits
        if not cores.only_waits:
            own = limits._replace(states=limits.states // cores.count, memory=limits.memory // cores.count)
        joining = [*lanes.items()][: cores.count - 1]
        self._left_out: set[str] = set()  # of the coordinator's search, once the lanes have begun
        self._own = auto.search(board, start, own, self._left_out)
        self._waiting = joining
        if cores.only_waits:
            self._waiting = [("", partial(auto.search, left_out=frozenset(dict(joining)))), *joining]
        self._lanes: list[_Lane] = []
        self._reports: SimpleQueue[tuple[int, _Report]] = SimpleQueue()
        self._running = {_OWN}
        self._latest: dict[int, Progress] = {}
        self._newest = Progress("auto")
        self._solved_by: str | None = None  # the name of a strategy
        self._crash = ""

    def run(self) -> Search:
        """Follow all searches until one has an answer or none is left."""
        for number, event in self._events():
            match event:
                case Progress():
                    self._latest[number] = self._newest = event
                    if number == 0 and self._own_rests:
                        self._stop(_OWN)
                case Found():
                    if self._solved_by is None:
                        self._solved_by = self._latest.get(number, self._newest).strategy
                    for other in self._running - {number}:
                        self._stop(other)
                    yield event._replace(solution=verify(self._board, self._start, event.solution.lurd))
                case Outcome():
                    self._latest[number] = self._latest.get(number, self._newest)._replace(nodes=event.nodes)
                    self._stop(number)
                    if event.status is not Status.GAVE_UP or not self._running:
                        return self._summed(event)
                case Crashed():
                    self._crash = event.traceback or self._crash
                    self._stop(number)
                    if not self._running:
                        if self._crash and self._solved_by is None:
                            raise RuntimeError(f"a lane has failed: {self._crash}")
                        return self._at_limit(Reason.MEMORY)  # killed by the kernel, most likely
            yield self._progress()
            if self._seconds >= self._limits.seconds:
                return self._at_limit(Reason.TIME)
            if self._nodes >= self._limits.nodes:
                return self._at_limit(Reason.NODES)
        raise AssertionError("events without end came to their end")

    def close(self) -> None:
        """Stop all searches and wait for their processes to exit."""
        for number in [*self._running]:
            self._stop(number)
        for lane in self._lanes:
            lane.process.wait()

    def _events(self) -> Iterator[tuple[int, News | None]]:
        """Yield the events of the running searches with their numbers, or None while there are none."""
        while True:
            works = _OWN in self._running and not self._own_rests
            if works:
                yield _OWN, self._own_event()
                if self._waiting and self._solved_by is None and self._seconds >= self._cores.alone:
                    self._begin_lanes()
            try:
                number, report = self._reports.get(timeout=0 if works else _WAIT_SECONDS)
            except Empty:
                if not works:
                    yield _OWN, None
                continue
            if number in self._running:  # else it was stopped after this report
                self._lanes[number].memory = report.memory
                yield number, report.event

    @property
    def _own_rests(self) -> bool:
        """True while the coordinator's search waits for the first report of the lane that replaces it."""
        return self._cores.only_waits and {_OWN, 0} <= self._running

    def _own_event(self) -> News:
        """Return the next solution or the end of the coordinator's search, or its progress after some steps."""
        try:
            for _ in range(_STEPS):
                event = next(self._own)
                if isinstance(event, Found):
                    break
            return event
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        except Exception as error:  # noqa: BLE001 - the other searches go on
            return _death(error)

    def _begin_lanes(self) -> None:
        """Start the lanes, or as many as the system allows."""
        count, limits = self._cores.count, self._limits
        memory = limits.memory - (limits.resident() if self._cores.only_waits else 0)
        shares = limits.nodes, limits.states // count, max(0, memory) // count
        waiting, self._waiting = self._waiting, []
        for number, (name, strategy) in enumerate(waiting):
            task = _Task(strategy, self._board, self._start, *shares)
            try:
                lane = _Lane(number, self._cores.command, task, self._reports)
            except OSError:
                return
            self._lanes.append(lane)
            self._running.add(number)
            self._left_out.add(name)

    def _stop(self, number: int) -> None:
        self._running.remove(number)
        if number == _OWN:
            self._own.close()
        else:
            self._lanes[number].process.kill()

    def _progress(self) -> Progress:
        return self._newest._replace(
            nodes=self._nodes,
            stored=self._stored,
            seconds=self._seconds,
            cores=len(self._running) - self._own_rests,
            lanes_memory=sum(self._lanes[number].memory for number in self._running if number != _OWN),
            shares=tuple([share for each in self._latest.values() for share in each.shares or (each,)]),
        )

    def _at_limit(self, reason: Reason) -> Outcome:
        if self._solved_by is None:
            return self._summed(Outcome(Status.GAVE_UP, self._newest.strategy, reason))
        return self._summed(Outcome(Status.SOLVED, self._solved_by))

    def _summed(self, end: Outcome) -> Outcome:
        """Turn the outcome of the search that has ended into the outcome of all."""
        stored = self._stored + end.stored
        return end._replace(nodes=self._nodes, stored=stored, seconds=self._seconds, repeatable=False)

    @property
    def _seconds(self) -> float:
        return self._limits.clock() - self._began

    @property
    def _nodes(self) -> int:
        return sum(latest.nodes for latest in self._latest.values())

    @property
    def _stored(self) -> int:
        return sum(latest.stored for number, latest in self._latest.items() if number in self._running)


class _Lane:
    """Search in its own process; ``memory`` is that of the process in bytes, 0 if unknown."""

    def __init__(
        self, number: int, command: Sequence[str], task: _Task, reports: SimpleQueue[tuple[int, _Report]]
    ) -> None:
        """Start the process; raise OSError.  Reports arrive with ``number``; the last one is Crashed.

        A thread writes the task and reads the reports, since either may block.
        """
        self.memory = 0
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        asked, told = self.process.stdin, self.process.stdout
        if asked is None or told is None:
            raise AssertionError("a process without pipes")
        follow = partial(_follow, asked, told, task, lambda each: reports.put((number, each)))
        threading.Thread(target=follow, daemon=True).start()


def _follow(asked: IO[bytes], told: IO[bytes], task: _Task, report: Callable[[_Report], None]) -> None:
    """Send a lane its task and pass on its reports until there are no more; an incomplete one is dropped."""
    with suppress(OSError), asked, told, suppress(EOFError, pickle.UnpicklingError):
        pickle.dump(task, asked)
        asked.flush()
        while True:
            each: _Report = pickle.load(told)
            report(each)
    report(_Report(Crashed("")))


def serve(clock: Callable[[], float], end: Callable[[], object]) -> None:
    """Serve a lane: read the task from stdin and write reports to stdout, as the only work of this process.

    ``end`` exits immediately: no time is spent freeing tables, and no pipe is closed while a thread reads from it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the coordinator too
    with open(0, "rb") as asked, open(1, "wb") as told:
        try:
            task: _Task = pickle.load(asked)

            def watch() -> None:
                asked.read()
                end()

            threading.Thread(target=watch, daemon=True).start()
            _serve(task, clock, told)
        finally:
            end()


def _serve(task: _Task, clock: Callable[[], float], told: IO[bytes]) -> None:
    def report(event: News) -> None:
        pickle.dump(_Report(event, resident_bytes()), told)
        told.flush()

    limits = Limits(inf, task.nodes, task.states, clock, task.memory)
    try:
        _, outcome = solve(task.board, task.start, task.strategy, limits, report, _REPORT_SECONDS)
    except Exception as error:  # noqa: BLE001 - told to the coordinator
        report(_death(error))
    else:
        report(outcome)


def _death(error: Exception) -> Crashed:
    return Crashed("" if isinstance(error, MemoryError) else format_exc())
