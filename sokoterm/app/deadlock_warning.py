"""Deadlock warnings for the position in play, and proofs searched for in the background."""

from collections.abc import Callable

from sokoterm.app.background import Background, ThreadSwitching
from sokoterm.engine.bits import Bitboard
from sokoterm.engine.board import Board, State
from sokoterm.engine.deadlock.check import Deadlock, Patterns, check_of
from sokoterm.engine.lurd import Solution
from sokoterm.engine.reach import reachable_area
from sokoterm.engine.rules import is_solved
from sokoterm.engine.value import Value
from sokoterm.solver.search import Found, Limits, Outcome, Strategy, within_memory

# Boards with more floor squares get only the cheap tests.
_LARGEST_FLOOR = 20_000

# Bytes for the cached answers of one board, and for one answer without its boxes.
_MEMORY = 12_000_000
_ANSWER = 240

# Limits of a proof search: seconds, positions, and bytes of the process.
_SECONDS = 20.0
_MOST_POSITIONS = 200_000
_PROOF_MEMORY = 256 << 20


class Question(Value):
    """A claim about a position for a search to prove, identified by ``key``.

    ``answer`` receives the last solution found, and the metric in which it is proven optimal.
    """

    key: tuple[object, ...]
    board: Board
    state: State
    strategy: Callable[[], Strategy]
    answer: Callable[[Solution | None, str | None], None]


class DeadlockWarning:
    """Deadlock tests for the positions of one board.

    Only the cheap tests run before the first frame; ``sharpen`` adds the others. A prover that adds to ``patterns``
    calls ``look_again``, which has an effect only if the warning ``takes_proofs``.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.patterns = Patterns()
        self.takes_proofs = board.floor.bit_count() <= _LARGEST_FLOOR
        self.is_sharp = not self.takes_proofs
        check = check_of(board)
        self._find: Callable[[Bitboard, Bitboard], Deadlock | None] = lambda boxes, _: check.find(boxes)
        self._question: State | None = None
        # The boxes and the player's area of the latest position, and the answer.
        self._seen: tuple[Bitboard, Bitboard, Deadlock | None] = (0, 0, None)
        # Earlier answers, oldest first, and the number of patterns known at the latest one.
        self._answers: dict[State, Deadlock | None] = {}
        self._patterns_tried = 0
        self._most_answers = _MEMORY // (_ANSWER + board.stride * board.height // 4)

    def sharpen(self) -> None:
        """Add all tests that take no noticeable time; building them takes 0.1 s on a large board."""
        if self.is_sharp:
            return
        from sokoterm.engine.deadlock.detector import DeadlockDetector, game_bounds  # only after the first frame

        self._find = DeadlockDetector(self.board, self.patterns, bounds=game_bounds(self.board)).explain
        self.is_sharp = True
        self.look_again()

    def learn(self, state: State) -> None:
        """Store a position that the solver has proven to be lost."""
        if not is_solved(self.board, state):  # a solution needs at least one push
            self.patterns.add(state.boxes, reachable_area(self.board, state))
            self.look_again()

    def look_again(self) -> None:
        """Forget answers for positions not known to be lost, since new patterns may apply."""
        self._seen = (0, 0, None)
        self._patterns_tried = self.patterns.learned
        self._answers = {state: deadlock for state, deadlock in self._answers.items() if deadlock is not None}

    def find(self, state: State) -> Deadlock | None:
        """The deadlock that makes a position lost; None if none is known."""
        boxes, area, deadlock = self._seen
        if boxes != state.boxes or not area >> state.player & 1:
            if self.patterns.learned != self._patterns_tried:
                self.look_again()
            area = reachable_area(self.board, state)
            deadlock = self._answers[state] if state in self._answers else self._find(state.boxes, area)
            self._seen = (state.boxes, area, deadlock)
        self._answers[state] = deadlock
        if len(self._answers) > self._most_answers:
            del self._answers[next(iter(self._answers))]
        return deadlock

    def was_lost(self, state: State) -> bool:
        """True if ``find`` has found a deadlock in exactly this position; runs no test."""
        return self._answers.get(state) is not None

    def ask(self, state: State) -> None:
        self._question = state

    def question(self, state: State) -> State | None:
        """The position of the requested proof, if the player has only walked since."""
        question = self._question
        if question is None or question.boxes != state.boxes:
            return None
        return question if reachable_area(self.board, question) >> state.player & 1 else None

    def lost(self, state: State) -> Question:

        def strategy() -> Strategy:
            from sokoterm.solver.proof import prover  # only after the first frame

            return prover(self.patterns)

        return Question((self, state), self.board, state, strategy, lambda *_: self.look_again())


class Prover(Background[Outcome]):
    """Background proof search for one ``question`` at a time; it rests half of the time."""

    def __init__(
        self,
        wake: Callable[[], None],
        clock: Callable[[], float],
        switching: ThreadSwitching | None = None,
        memory: int = _PROOF_MEMORY,
    ) -> None:
        """``memory``: the size of the process in bytes at which a proof search gives up."""
        super().__init__(wake, switching, rests=True)
        self.question: Question | None = None
        self._solution: Solution | None = None
        self._limits = Limits(_SECONDS, _MOST_POSITIONS, _MOST_POSITIONS, clock, memory)

    def seek(self, question: Question | None) -> None:
        """Search for the answer to a question, cancelling any other; None only cancels."""
        if question is None and self.question is not None:
            self.cancel()
        elif question is not None and (self.question is None or question.key != self.question.key):
            self.begin(within_memory(question.strategy()(question.board, question.state, self._limits)))
            self.question, self._solution = question, None

    def cancel(self) -> None:
        super().cancel()
        self.question = None

    def answer(self) -> None:
        for event in self.events():
            if isinstance(event, Found):
                self._solution = event.solution
            elif self.question is not None:
                # A crash counts as no answer: nobody waits for one.
                self.question.answer(self._solution, event.optimal if isinstance(event, Outcome) else None)
