"""Lanes: searches of one level at the same time, on several cores.

``auto`` begins alone, since most levels need no more.  If it goes on for long, other searches join it, each a *lane* in
a process of its own that pickles what it yields into a pipe.  The first solution stops all other searches; the one that
found it goes on to its end.  A proof that there is no solution ends the search.

A lane that dies costs itself only.  A lane whose coordinator is gone, however that ended, sees the end of the pipe
that its task came through, and ends at once.
"""

import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
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
"""The most searches at the same time; there are no more that differ."""

# The time between two reports of a lane.
_REPORT_SECONDS = 0.1

# The longest wait for a report.
_WAIT_SECONDS = 0.02

# The steps of the coordinator's search between two looks at the reports: each step is short, and a look at every one
# would take a tenth of the time.
_STEPS = 16

# The search of the coordinator; lanes are numbered from 0.
_OWN = -1


class _Task(NamedTuple):
    """The search of a lane, and its limits but for the time, which the coordinator keeps."""

    strategy: Strategy
    board: Board
    start: State
    nodes: int
    states: int
    memory: int


class _Report(NamedTuple):
    """News of a lane, and the memory of its process in bytes; one that was killed has crashed without a traceback."""

    event: News
    memory: int = 0


def search(
    board: Board, start: State, limits: Limits, *, cores: Cores, lanes: Sequence[Strategy] | None = None
) -> Search:
    """Search for a solution of at least one push on several cores, within common limits; never repeatable.

    ``lanes`` are the strategies that join ``auto``; None: those that suit the board.
    """
    if cores.count == 1 or has_one_box(board, start):
        return (yield from auto.search(board, start, limits))
    coordinator = _Coordinator(board, start, limits, cores, lanes_for(board) if lanes is None else lanes)
    try:
        return (yield from coordinator.run())
    finally:
        coordinator.close()


def lanes_for(board: Board) -> tuple[Strategy, ...]:
    """Return the strategies that join ``auto``, first those that solve most of what it does not."""
    last = Contender("fess", partial(search_by_features, draw=1), 1, 1)
    if board.ice:
        last = Contender("astar", best_first.astar, 1, 1)
    contenders = Contender("backward", backward.search, 1, 1), Contender("greedy", best_first.greedy, 1, 1), last
    return tuple(partial(auto.search_in_turns, contenders=(each,)) for each in contenders)


class _Coordinator:
    """The searches of one level."""

    def __init__(self, board: Board, start: State, limits: Limits, cores: Cores, lanes: Sequence[Strategy]) -> None:
        self._board = board
        self._start = start
        self._limits = limits
        self._cores = cores
        self._began = limits.clock()
        own = limits
        if not cores.only_waits:
            own = limits._replace(states=limits.states // cores.count, memory=limits.memory // cores.count)
        self._own = auto.search(board, start, own)
        self._waiting = [auto.search, *lanes][: cores.count] if cores.only_waits else [*lanes][: cores.count - 1]
        self._lanes: list[_Lane] = []
        self._reports: SimpleQueue[tuple[int, _Report]] = SimpleQueue()
        self._running = {_OWN}
        self._latest: dict[int, Progress] = {}
        self._newest = Progress("auto")
        self._solved_by: str | None = None  # the name of a strategy
        self._crash = ""

    def run(self) -> Search:
        """Follow all searches until one of them has an answer, or none is left."""
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
        """Stop all searches; no process is left."""
        for number in [*self._running]:
            self._stop(number)
        for lane in self._lanes:
            lane.process.wait()

    def _events(self) -> Iterator[tuple[int, News | None]]:
        """Yield what the searches under way report, with their numbers, and None while none of them does."""
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
        """True while the search of the coordinator waits for the first report of the lane that takes its place."""
        return self._cores.only_waits and {_OWN, 0} <= self._running

    def _own_event(self) -> News:
        """Return the next solution or end of the coordinator's search, or its progress after some steps."""
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
        """Begin the lanes; where no process can be started, ``auto`` goes on alone."""
        count, limits = self._cores.count, self._limits
        memory = limits.memory - (limits.resident() if self._cores.only_waits else 0)
        shares = limits.nodes, limits.states // count, max(0, memory) // count
        waiting, self._waiting = self._waiting, []
        for number, strategy in enumerate(waiting):
            task = _Task(strategy, self._board, self._start, *shares)
            try:
                lane = _Lane(number, self._cores.command, task, self._reports)
            except OSError:
                return
            self._lanes.append(lane)
            self._running.add(number)

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
        """Turn the outcome of one search, which has ended, into that of all."""
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
    """A search in a process of its own; ``memory`` is that of the process in bytes, 0 if unknown."""

    def __init__(
        self, number: int, command: Sequence[str], task: _Task, reports: SimpleQueue[tuple[int, _Report]]
    ) -> None:
        """Start the process, whose reports come with the ``number``, the last of them a death.

        Raises OSError.  A thread writes the task and reads the reports: either may have to wait for the process.
        """
        self.memory = 0
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        asked, told = self.process.stdin, self.process.stdout
        if asked is None or told is None:
            raise AssertionError("a process without pipes")
        follow = partial(_follow, asked, told, task, lambda each: reports.put((number, each)))
        threading.Thread(target=follow, daemon=True).start()


def _follow(asked: IO[bytes], told: IO[bytes], task: _Task, report: Callable[[_Report], None]) -> None:
    """Give a lane its task and pass its reports on until there are no more; what is cut short is dropped."""
    with suppress(OSError), asked, told, suppress(EOFError, pickle.UnpicklingError):
        pickle.dump(task, asked)
        asked.flush()
        while True:
            each: _Report = pickle.load(told)
            report(each)
    report(_Report(Crashed("")))


def serve(clock: Callable[[], float], end: Callable[[], object]) -> None:
    """Serve a lane: the whole work of its process, which reads the task from stdin and writes reports to stdout.

    ``end`` ends the process at once; no table is freed before, and no pipe is closed that a thread still reads.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C comes to the coordinator too
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
