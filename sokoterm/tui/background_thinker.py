"""The proof that a position is lost, sought in the background while the player thinks."""

from collections.abc import Callable

from sokoterm.engine.board import State
from sokoterm.solver.job import SolverJob
from sokoterm.solver.protocol import MEGABYTE, Limits
from sokoterm.solver.strategies.proof import prover
from sokoterm.tui.alarm import Alarm
from sokoterm.tui.thread_switching import ThreadSwitching

_SECONDS = 20.0
_MOST_POSITIONS = 200_000
_MEMORY = 256 * MEGABYTE


class BackgroundThinker:
    """A Thinker on a SolverJob that rests half of the time."""

    def __init__(self, wake: Callable[[], None], clock: Callable[[], float], switching: ThreadSwitching) -> None:
        self._job = SolverJob(wake, rests=True)
        self._clock = clock
        self._switching = switching
        self._id = 0
        self._alarm: Alarm | None = None
        self.state: State | None = None

    def start(self, alarm: Alarm, state: State) -> None:
        self._alarm, self.state = alarm, state
        self._switching.hasten(self)
        limits = Limits(_SECONDS, _MOST_POSITIONS, _MOST_POSITIONS, self._clock, _MEMORY)
        self._id = self._job.start(prover(alarm.patterns), alarm.board, state, limits)

    def stop(self) -> None:
        if self.state is not None:
            self._job.cancel()
            self._alarm = self.state = None
            self._switching.rest(self)

    def close(self) -> None:
        self.stop()
        self._job.join(1.0)

    def tell(self) -> None:
        for message in self._job.messages():
            if message.job == self._id and self._alarm is not None:
                # A crash is as good as giving up: nobody waits for an answer.
                self._switching.rest(self)
                self._alarm.look_again()
