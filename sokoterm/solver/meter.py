"""What every search counts and reports: its limits, its progress, its end."""

from sokoterm.engine.board import Board
from sokoterm.solver.protocol import Limits, Outcome, Progress, Reason, Status

# No search holds more than this in stored states, whatever its limit says: 5,000,000 states of a board of usual size
# stay below it, a board of 200 x 200 reaches it after some 350,000.
_MEMORY = 2_000_000_000
# A stored state: its slot in a dict, the header of its int, its place in a queue.
_BYTES_PER_STATE = 240


class Meter:
    """The counts of one search beside its limits.

    ``nodes`` are expanded states, ``stored`` remembered ones, ``depth`` and ``lower_bound`` are in pushes.
    ``children_per_yield`` keeps the time between two yields short on any board: 256, less where a flood fill is dear.
    """

    def __init__(self, strategy: str, board: Board, limits: Limits) -> None:
        bits = board.stride * board.height
        self.strategy = strategy
        self.nodes = 0
        self.stored = 0
        self.depth = 0
        self.lower_bound = 0
        self.children_per_yield = max(1, min(256, 65_536 // bits))
        self._limits = limits
        self._began = limits.clock()
        self._max_nodes = limits.nodes
        self._max_stored = min(limits.states, _MEMORY // (_BYTES_PER_STATE + bits // 7))

    @property
    def seconds(self) -> float:
        return self._limits.clock() - self._began

    def progress(self) -> Progress:
        return Progress(self.strategy, self.nodes, self.stored, self.depth, self.lower_bound, self.seconds)

    def out_of_time(self) -> bool:
        return self.seconds >= self._limits.seconds

    def find_reason(self) -> Reason | None:
        """The limit in nodes or states that has been reached, if any."""
        if self.nodes >= self._max_nodes:
            return Reason.NODES
        if self.stored >= self._max_stored:
            return Reason.STATES if self._max_stored == self._limits.states else Reason.MEMORY
        return None

    def solved(self, optimal: str | None) -> Outcome:
        return self._outcome(Status.SOLVED, None, optimal)

    def unsolvable(self) -> Outcome:
        return self._outcome(Status.UNSOLVABLE, None, None)

    def gave_up(self, reason: Reason) -> Outcome:
        return self._outcome(Status.GAVE_UP, reason, None)

    def _outcome(self, status: Status, reason: Reason | None, optimal: str | None) -> Outcome:
        return Outcome(status, self.strategy, reason, optimal, self.nodes, self.stored, self.seconds)
