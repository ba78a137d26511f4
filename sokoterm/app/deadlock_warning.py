"""Deadlock warning: positions of a board that are known to be lost; and proofs sought in the background."""

from collections.abc import Callable
from typing import Protocol

from sokoterm.app.thread_switching import ThreadSwitching
from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Deadlock, check_of
from sokoterm.engine.deadlock.patterns import Patterns
from sokoterm.engine.lurd import Solution
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import is_solved
from sokoterm.engine.value import Value
from sokoterm.solver.protocol import Limits, Strategy

# Floor squares above which a board has the cheap tests alone.
_LARGEST_FLOOR = 20_000

# Bytes for the remembered answers of one board, and for one answer beside its boxes.
_MEMORY = 12_000_000
_ANSWER = 240

# Limits of a proof: seconds, positions, and bytes of the process.
_SECONDS = 20.0
_MOST_POSITIONS = 200_000
_PROOF_MEMORY = 256 << 20


class DeadlockWarning:
    """Verdicts on the positions of one board: lost, and why, or not known to be lost.

    It begins with the cheap tests, since the first picture waits for them; ``sharpen`` adds the others. A prover that
    adds to ``patterns`` calls ``look_again``; that is of use only if the warning ``takes_proofs``.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.patterns = Patterns()
        self.takes_proofs = board.floor.bit_count() <= _LARGEST_FLOOR
        self.is_sharp = not self.takes_proofs
        self._check = check_of(board)
        self._find: Callable[[Bitboard, Bitboard], Deadlock | None] | None = None
        self._question: State | None = None
        # The latest position, with the area of its player, and the answer.
        self._seen: tuple[Bitboard, Bitboard, Deadlock | None] = (0, 0, None)
        # Earlier answers, the oldest first, and the number of patterns known when the latest were given.
        self._answers: dict[State, Deadlock | None] = {}
        self._patterns_tried = 0
        self._most_answers = _MEMORY // (_ANSWER + board.stride * board.height // 4)

    def sharpen(self) -> None:
        """Add all tests that take no noticeable time."""
        if self.is_sharp:
            return
        from sokoterm.engine.deadlock.detector import DeadlockDetector, game_bounds

        self._find = DeadlockDetector(self.board, self.patterns, bounds=game_bounds(self.board)).explain
        self.is_sharp = True
        self.look_again()

    def learn(self, state: State) -> None:
        """Take in that the solver has proven a position to be lost."""
        if not is_solved(self.board, state):  # a search wants one push at least
            self.patterns.add(state.boxes, reachable_area(self.board, state))
            self.look_again()

    def look_again(self) -> None:
        """Forget the positions not known to be lost: more is known now."""
        self._seen = (0, 0, None)
        self._patterns_tried = self.patterns.learned
        self._answers = {state: deadlock for state, deadlock in self._answers.items() if deadlock is not None}

    def find(self, state: State) -> Deadlock | None:
        """The known reason why a position is lost."""
        boxes, area, deadlock = self._seen
        if boxes != state.boxes or not area >> state.player & 1:
            if self.patterns.learned != self._patterns_tried:
                self.look_again()
            area = reachable_area(self.board, state)
            deadlock = self._answers[state] if state in self._answers else self._test(state.boxes, area)
            self._seen = (state.boxes, area, deadlock)
        self._answers[state] = deadlock
        if len(self._answers) > self._most_answers:
            del self._answers[next(iter(self._answers))]
        return deadlock

    def was_lost(self, state: State) -> bool:
        """True if ``find`` said so of this very position; costs no test."""
        return self._answers.get(state) is not None

    def ask(self, state: State) -> None:
        """Ask for a proof about a position."""
        self._question = state

    def question(self, state: State) -> State | None:
        """The position asked about, if only walks have been made since."""
        question = self._question
        if question is None or question.boxes != state.boxes:
            return None
        return question if reachable_area(self.board, question) >> state.player & 1 else None

    def _test(self, boxes: Bitboard, area: Bitboard) -> Deadlock | None:
        return self._find(boxes, area) if self._find is not None else self._check.find(boxes)


class Question(Protocol):
    """Something to prove of a position by a search."""

    @property
    def board(self) -> Board: ...

    @property
    def state(self) -> State: ...

    @property
    def strategy(self) -> Strategy: ...

    def answer(self, solution: Solution | None, optimal: str | None) -> None:
        """Take in the end of the search: its last solution, and the metric in which that is proven the best."""


class LostQuestion(Value):
    """The question whether a position of a warning's board is lost."""

    warning: DeadlockWarning
    state: State

    @property
    def board(self) -> Board:
        return self.warning.board

    @property
    def strategy(self) -> Strategy:
        from sokoterm.solver.proof import prover

        return prover(self.warning.patterns)

    def answer(self, solution: Solution | None, optimal: str | None) -> None:  # noqa: ARG002 - patterns hold the proof
        self.warning.look_again()


class BackgroundProver(Protocol):
    """Background search for a proof, one question at a time."""

    @property
    def question(self) -> Question | None:
        """The latest question, unless it was given up."""

    def start(self, question: Question) -> None:
        """Seek the answer to a question in place of any other."""

    def stop(self) -> None:
        """Give the question up."""

    def close(self) -> None:
        """Stop, and wait a moment for the thread to see it."""

    def tell(self) -> None:
        """Answer the question if its search has ended since the last call."""


MakeProver = Callable[[Callable[[], None]], BackgroundProver]


class Questioned(Protocol):
    """A play as the proof search sees it; ``question`` is what to prove, if anything."""

    @property
    def question(self) -> Question | None: ...


class ProofSearch:
    """Proof search for one question after the other."""

    def __init__(self, make_prover: MakeProver | None, wake: Callable[[], None]) -> None:
        """The prover is made for the first question, and wakes the loop; None: nothing is proven."""
        self._make_prover = make_prover
        self._wake = wake
        self._prover: BackgroundProver | None = None

    def follow(self, play: Questioned | None) -> None:
        """Go on with the question of a play, or with another one."""
        if self._prover is not None:
            self._prover.tell()
        question = play.question if play is not None else None
        if question is None:
            self.stop()
        elif self._make_prover is not None and (self._prover is None or self._prover.question != question):
            if self._prover is None:
                self._prover = self._make_prover(self._wake)
            self._prover.start(question)

    def stop(self) -> None:
        """Give the question up."""
        if self._prover is not None:
            self._prover.stop()

    def close(self) -> None:
        """Stop, and wait a moment for the thread to see it."""
        if self._prover is not None:
            self._prover.close()


class ThreadProver:
    """A BackgroundProver on a SolverJob that rests half of the time."""

    def __init__(
        self,
        wake: Callable[[], None],
        clock: Callable[[], float],
        switching: ThreadSwitching,
        memory: int = _PROOF_MEMORY,
    ) -> None:
        """``memory``: the bytes of the process at which a proof is given up."""
        from sokoterm.solver.job import SolverJob

        self._job = SolverJob(wake, rests=True)
        self._clock = clock
        self._switching = switching
        self._memory = memory
        self._id = 0
        self._solution: Solution | None = None
        self.question: Question | None = None

    def start(self, question: Question) -> None:
        self.question, self._solution = question, None
        self._switching.hasten(self, keeps_much=True)
        limits = Limits(_SECONDS, _MOST_POSITIONS, _MOST_POSITIONS, self._clock, self._memory)
        self._id = self._job.start(question.strategy, question.board, question.state, limits)

    def stop(self) -> None:
        if self.question is not None:
            self._job.cancel()
            self.question = None
            self._switching.rest(self)

    def close(self) -> None:
        self.stop()
        self._job.join(1.0)

    def tell(self) -> None:
        from sokoterm.solver.job import JobEnded, JobSolved

        for message in self._job.messages():
            if message.job != self._id or self.question is None:
                continue
            if isinstance(message, JobSolved):
                self._solution = message.found.solution
                continue
            # A crash is as good as giving up: nobody waits for an answer.
            self._switching.rest(self)
            self.question.answer(self._solution, message.outcome.optimal if isinstance(message, JobEnded) else None)
