"""Hints for the level in play: the running search, known solutions, and the next push of the best one."""

from collections.abc import Sequence

from sokoterm.app.improvement import Improvement, ShowReplay, parting
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Note, Outcome, Solve
from sokoterm.engine.bits import Direction
from sokoterm.engine.game import MOST_MOVES, Game
from sokoterm.engine.guide import Guide, Stretch
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, Solution, end_of, verify
from sokoterm.solver.search import Progress
from sokoterm.store.known_levels import Source

# Offsets on an imaginary board too wide for any game to cross.
_STEPS = {"u": -MOST_MOVES, "d": MOST_MOVES, "l": -1, "r": 1}


class Hints:
    """Hints for one level: the running search, and the solutions found or known.

    ``search`` is the running search, ``is_answered`` once it has found a solution, and ``progress`` its latest report.
    ``asked`` are the moves before the last request to the solver. ``has_offer``: a solution has been found but not
    shown yet. A search for a hint continues after the hint, so that later hints follow a better solution.
    """

    def __init__(self, pack_session: PackSession, level: Level, game: Game) -> None:
        self.search: Solve | None = None
        self.is_answered = False
        self.asked: str | None = None
        self.progress: Progress | None = None
        self.has_offer = False
        self._pack_session = pack_session
        self._level = level
        self._game = game
        self._lost_from: str | None = None
        # By the moves before a solution and its own moves.
        self._guides: dict[tuple[str, str], Guide] = {}
        # Of this session, latest last.
        self._found = pack_session.found_solutions[level.number]
        self._improvements = pack_session.improvements[level.number]

    @property
    def improvement(self) -> Improvement | None:
        return self._improvements[-1] if self._improvements else None

    @property
    def is_searching(self) -> bool:
        """True if a search is running that the player should hear of."""
        return self.search is not None and not (self.search.is_hint and self.is_answered)

    # Requests

    def solve(self, *, is_hint: bool = False) -> Solve | Note:
        """Return the search to start, or why there is none.

        If hints followed a solution that was not shown yet, the rest of that solution is offered instead.
        """
        if self._game.is_solved:
            return Note.ALREADY_SOLVED
        if self.is_searching:
            return Note.ALREADY_SEARCHING
        self.asked = self._game.lurd
        if not is_hint and self._offers_solution_of_hints():
            return Note.SOLUTION_OFFERED
        self.search = Solve(self._game.state, self.asked, is_hint)
        self.is_answered = False
        self.progress = None
        return self.search

    def next_push(self) -> Sequence[Direction]:
        """Return the next push of the best known solution through this position, with the walk to it; else nothing."""
        improved = [each.best for each in self._improvements if each.best is not None]
        for solution in sorted(improved, key=self._improvements[-1].objective.key) if improved else ():
            advance = self._guide("", solution.lurd).find_next_push(self._game.state)
            if advance is not None:
                return advance.steps
        best = self._pack_session.best(self._level).by_pushes
        known = [(each.before, each.lurd) for each in self._found] + ([("", best.lurd)] if best else [])
        ways = [way for each in known if (way := self._guide(*each).find_next_push(self._game.state)) is not None]
        return min(ways, key=lambda each: (each.pushes, each.moves)).steps if ways else ()

    def replay(self) -> ShowReplay | Note:
        best, found = self._pack_session.best(self._level).by_moves, self._last_found
        if improved := self._improved_news:
            return improved
        if found and (self.has_offer or best is None or not found.before and len(found.lurd) < best.moves):
            return found
        if kept := self.kept():
            return kept[0]
        if self._pack_session.lookups.is_replaying:
            return Note.SOLUTIONS_BEING_REPLAYED
        if self._lost_from is not None and self._game.lurd.startswith(self._lost_from):
            return _no_solution(self._lost_from)
        return Note.NO_SOLUTION_YET

    def find_offer(self) -> ShowReplay | None:
        return self._improved_news or (self._last_found if self.has_offer else None)

    @property
    def _improved_news(self) -> ShowReplay | None:
        latest = self.improvement
        return latest.shown if latest is not None and latest.has_news else None

    @property
    def _last_found(self) -> ShowReplay | None:
        return next((each for each in reversed(self._found) if each.source is not Source.HINT), None)

    # News of the solver

    def found(self, solution: Solution) -> Solve | None:
        """Store a solution, and offer it unless only a hint was requested; return the search if this is its first."""
        search, was_answered = self.search, self.is_answered
        if search is None:
            return None
        source = Source.HINT if search.is_hint else Source.SOLVER
        self._found.append(ShowReplay(search.before, solution.lurd, source))
        self.is_answered = True
        self.has_offer = self.has_offer or not search.is_hint
        return None if was_answered else search

    def search_stopped(self, why: Outcome | None) -> Outcome | None:
        """Record the end of the search; return the outcome to show, if the player was waiting."""
        if self.search is not None and why is Note.NO_SOLUTION_FROM_THERE:
            self._lost_from = self.search.before
            why = _no_solution(self._lost_from)
        was_awaited = self.is_searching
        self.search = None
        self.progress = None
        return why if was_awaited else None

    def _offers_solution_of_hints(self) -> bool:
        """Offer the rest of the best solution used for hints; False if a requested solution continues from here too."""
        board, state = self._level.board, self._game.state
        rests = [(each.source, self._guide(each.before, each.lurd).find_rest(state)) for each in self._found]
        of_hints = [rest for source, rest in rests if source is Source.HINT and rest]
        if not of_hints or any(rest for source, rest in rests if source is not Source.HINT):
            return False
        solution = min((verify(board, state, rest) for rest in of_hints), key=lambda each: (each.pushes, each.moves))
        self._found.append(ShowReplay(self._game.lurd, solution.lurd, Source.SOLVER))
        self.has_offer = True
        return True

    def _guide(self, before: str, lurd: str) -> Guide:
        if (before, lurd) not in self._guides:
            board = self._level.board
            self._guides[before, lurd] = Guide(board, end_of(board, self._level.start, before), lurd)
        return self._guides[before, lurd]

    # Solutions to show

    def kept(self) -> list[ShowReplay]:
        """Return the different solutions to show.

        The player's best come first, then improvements (latest first), the solver's latest, and known ones.
        """
        best = self._pack_session.best(self._level)
        own = filter(None, (best.by_moves, best.by_pushes))
        offers = [ShowReplay("", each.lurd, Source.OWN) for each in own]
        offers += filter(None, (each.shown for each in reversed(self._improvements)))
        offers += filter(None, [self._last_found])
        for known in self._pack_session.lookups.all_known(self._level):
            offers.append(ShowReplay("", known.solution.lurd, Source.KNOWN, known.credit))
        for each in self._improvements:
            if each.best is not None:
                offers.append(ShowReplay("", each.known.lurd, Source.GIVEN))
        kept: list[ShowReplay] = []
        for offer in offers:
            if not any(are_alike(offer, each) for each in kept):
                kept.append(offer)
        return kept

    def after(self, shown: ShowReplay) -> ShowReplay | None:
        """Return the solution to offer after the one shown, in a cycle; None if there is no other."""
        kept = self.kept()
        place = next((i for i, each in enumerate(kept) if are_alike(each, shown)), -1)
        after = kept[(place + 1) % len(kept)] if kept else None
        return None if after is None or place >= 0 and len(kept) == 1 else after

    def parts(self, shown: ShowReplay) -> list[Stretch]:
        """Return the stretches on which a shown solution differs from another one, in moves from the level's start.

        The other one comes from the latest improvement, else it is the player's best or the first better known one.
        """
        try:
            solution = verify(self._level.board, self._level.start, shown.moves)
        except LurdError:
            return []
        other = self._other_than(solution)
        return parting(self._level, solution, other) if other is not None else []

    def _other_than(self, solution: Solution) -> Solution | None:
        for improvement in reversed(self._improvements):
            if improvement.best is not None and solution in (improvement.known, improvement.best):
                return improvement.known if solution == improvement.best else improvement.best
        own = self._pack_session.best(self._level)
        if own.by_moves is not None and solution not in (own.by_moves, own.by_pushes):
            return own.by_moves
        known = [each.solution for each in self._pack_session.lookups.all_known(self._level)]
        better = (each for each in known if each.moves < solution.moves or each.pushes < solution.pushes)
        return next(better, None)


def _no_solution(before: str) -> Note:
    """Return the note for a position without a solution; before the first push, undo cannot help."""
    return Note.NO_SOLUTION_FROM_THERE if any(map(str.isupper, before)) else Note.LEVEL_UNSOLVABLE


def are_alike(replay: ShowReplay, other: ShowReplay) -> bool:
    """Return True if two solutions have the same length and the same pushes.

    >>> are_alike(ShowReplay("", "urrdL", Source.OWN), ShowReplay("rr", "udL", Source.SOLVER))
    True
    >>> are_alike(ShowReplay("", "urrdL", Source.OWN), ShowReplay("", "urrddUL", Source.OWN))
    False
    """
    moves, others = replay.moves, other.moves
    return moves == others or len(moves) == len(others) and _pushes_of(moves) == _pushes_of(others)


def _pushes_of(lurd: str) -> list[tuple[int, str]]:
    """Return the pushes in order, each with the player's position before it, relative to the start."""
    place, pushes = 0, []
    for letter in lurd:
        if letter.isupper():
            pushes.append((place, letter))
        place += _STEPS[letter.lower()]
    return pushes
