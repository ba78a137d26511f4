"""Play model: the level in play, the actions of the player and their outcomes, and the figures of a level."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sokoterm.app.deadlock_warning import DeadlockWarning, Question
from sokoterm.app.hints import Hints, are_alike
from sokoterm.app.improvement import ImproveChoices, Shown, ShowReplay
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import (
    Answer,
    Ask,
    Blocked,
    ChooseImprovement,
    Collect,
    Copy,
    Moved,
    NoLevel,
    NoNextLevel,
    Note,
    NoteOf,
    OpenEditor,
    OpenPlanner,
    Outcome,
    PastedMoves,
    Perform,
    Start,
)
from sokoterm.engine.bits import Direction, Square
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import Deadlock, cannot_be_played
from sokoterm.engine.game import MOST_MOVES, Game
from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.lurd import LurdError, Solution, end_of, parse_lurd, steps_of, verify
from sokoterm.engine.reach import find_walk
from sokoterm.engine.value import Value
from sokoterm.formats.text import moves_in
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import Strategy
from sokoterm.store.known_levels import KnownSolution, Par, Source, stars
from sokoterm.store.solutions import Recorded, Summary

if TYPE_CHECKING:
    from sokoterm.app.generated import DescentPack


class LevelFigures(Value):
    """The player's ``best``, the best ``known`` solution, and other figures, 0 where unknown.

    Every solution ``needs`` this number of pushes. ``optimum`` and ``fewest_moves`` are the proven minimum numbers of
    pushes and moves. ``par`` is the best known number of pushes if none of the other figures says it. ``online`` comes
    from ``Best``.
    """

    best: Summary | None
    known: Summary | None
    needs: int
    optimum: int
    fewest_moves: int = 0
    par: int = 0
    online: Summary | None = None


class Win(Value):
    """A level that has just been solved by the moves ``lurd`` in ``seconds``; ``before`` is the previous best.

    ``following`` is the next unsolved level, None if the pack is done. ``unsolved`` counts the unsolved levels of the
    pack; None for a generated pack, or one too large to count. ``levels`` is the size of the pack. ``is_helped``: the
    level has never been solved without help, and gets no ``stars``. ``was_helped``: it had been solved only with help.
    ``is_first``: no level had been solved at all. ``par`` and ``figures`` are as known at this moment.
    """

    lurd: str
    moves: int
    pushes: int
    seconds: float
    before: Summary | None
    following: int | None
    unsolved: int | None
    is_helped: bool = False
    par: Par | None = None
    stars: int = 0
    was_helped: bool = False
    is_first: bool = False
    levels: int = 1
    figures: LevelFigures = LevelFigures(None, None, 0, 0)

    @property
    def is_new_best(self) -> bool:
        """True if this beats the player's previous moves or pushes."""
        return self.before is not None and (self.moves < self.before.moves or self.pushes < self.before.pushes)


def _fewest_of(solutions: Iterable[Solution | None]) -> Summary | None:
    known = [solution for solution in solutions if solution is not None]
    if not known:
        return None
    return Summary(min(each.moves for each in known), min(each.pushes for each in known))


def figures_of(pack_session: PackSession, level: Level) -> LevelFigures:
    """Return the figures of a level that are known without waiting."""
    lookups, best = pack_session.lookups, pack_session.best(level)
    figures = stored_figures(pack_session, level)
    return figures._replace(
        best=_fewest_of((best.by_moves, best.by_pushes)),
        needs=figures.needs or lookups.needed_pushes(level),
        fewest_moves=lookups.proven(level).get(Objective.MOVES, 0),
        online=best.online,
    )


def stored_figures(pack_session: PackSession, level: Level) -> LevelFigures:
    """Return the player's figures of a level and the known ones, without starting a lower bound."""
    mine, par = pack_session.figures(level), pack_session.par(level)
    known = _fewest_of(each.solution for each in pack_session.lookups.known_at_once(level))
    optimum, least = (par.pushes if par.is_proven else 0, par.pushes) if par is not None else (0, 0)
    is_told = any(each is not None and each.pushes <= least for each in (mine, known))
    return LevelFigures(mine, known, optimum, optimum, par=0 if optimum or is_told else least)


# Solutions to choose from before an improvement, and their longest (except the player's own): each is replayed before
# the next frame.
_MOST_CHOICES = 6
_LONGEST_CHOICE = 5_000
# Most floor squares on which paths of the player, or of a box, are found within half a second.
_LARGEST_FOR_WALKS = 300_000
_LARGEST = 120_000
_LARGEST_WITH_ICE = 6_000
_QUESTION_SECONDS = 1.0  # without a change of position, before a proof search
_SHARPEN_SECONDS = 0.2  # before tests that the first frame does without, for players who leave immediately
_BACK_SECONDS = 0.03  # of tests for the last position that is not dead; one test may run a little longer


class PlayModel:
    """One level in play. ``win`` is the last solution of this session, ``seconds`` the time played since then."""

    def __init__(
        self, pack_session: PackSession, level: Level, game: Game, clock: Callable[[], float], *, warns: bool = True
    ) -> None:
        self.pack_session = pack_session
        self.level = level
        self.game = game
        self.warns = warns
        self._hinted: tuple[State, Square] | None = None
        self.solved_lurd = game.lurd if game.is_solved else ""
        self.win: Win | None = None
        self.seconds = 0.0
        self.hints = Hints(pack_session, level, game)
        self.warning = DeadlockWarning(level.board)
        self._asked = set[Objective]()
        self._clock = clock

    # State

    @property
    def has_next(self) -> bool:
        """True if another level of the pack, or another one-level file in its folder, is unsolved."""
        return self._next_unsolved() is not None

    @property
    def credited_level(self) -> Level:
        """The level with its author, or else the author of its pack."""
        return self.level.replace(author=self.level.author or self.pack_session.pack.author)

    @property
    def run(self) -> "DescentPack | None":
        """The open descent that the level belongs to, if any."""
        return None if self.is_run_over else self.pack_session.run_of_levels

    @property
    def is_run_over(self) -> bool:
        run = self.pack_session.run_of_levels
        return run is not None and run.is_over

    @property
    def has_result(self) -> bool:
        """True if there is a result to share: a solved daily level, or a descent."""
        return self.pack_session.has_result(self.level.number)

    @property
    def deadlock(self) -> Deadlock | None:
        """The deadlock in the position, if known and if warnings are on. The first access runs the tests."""
        return self.warning.find(self.game.state) if self.warns else None

    @property
    def cannot_be_played(self) -> bool:
        """True if the level starts solved, cannot be played, and no box has been pushed."""
        return not self.game.pushes and self._has_no_solution

    @property
    def hinted(self) -> Square | None:
        """The box pushed by a hint, if that push led to this position."""
        return self._hinted[1] if self._hinted is not None and self._hinted[0] == self.game.state else None

    @property
    def has_way_back(self) -> bool:
        """True if undo can help: there are moves to undo, and the start is neither lost nor unplayable."""
        return self.game.can_undo and self.warning.find(self.level.start) is None and not self._has_no_solution

    @property
    def _has_no_solution(self) -> bool:
        return cannot_be_played(self.level.board, self.level.start)

    @property
    def question(self) -> Question | None:
        """The claim to prove while a position stays unchanged: that it is lost, or after a win the fewest pushes."""
        state = self.warning.question(self.game.state)
        if state is None:
            return None
        return self.warning.lost(state) if self._may_be_lost else self._unproven

    @property
    def _unproven(self) -> Question | None:
        """The next claim to prove after a win: fewest pushes, then fewest moves, each tried once."""
        pack_session, level, asked = self.pack_session, self.level, self._asked
        is_won = self.win is not None and self.game.is_solved and pack_session.find_made(level.number) is None
        if not is_won or self.hints.search is not None or not self.warning.takes_proofs:
            return None
        figures = figures_of(pack_session, level)
        known = ((Objective.PUSHES, figures.optimum), (Objective.MOVES, figures.fewest_moves))
        metric = next((metric for metric, fewest in known if not fewest and metric not in asked), None)
        if metric is None:
            return None

        def strategy() -> Strategy:
            from sokoterm.solver.strategies import fewest  # only after the first frame

            return fewest.search_moves if metric is Objective.MOVES else fewest.search_pushes

        def answer(solution: Solution | None, optimal: str | None) -> None:
            asked.add(metric)
            if solution is not None and optimal == metric:
                pack_session.keep_proven(level, metric, solution)

        return Question((pack_session, level, metric), level.board, level.start, strategy, answer)

    @property
    def _may_be_lost(self) -> bool:
        is_watched = self.warns and self.hints.search is None and self.warning.takes_proofs
        return is_watched and self.game.pushes > 0 and not self.game.is_solved and self.deadlock is None

    def note_win(self, recorded: Recorded) -> None:
        """Fill in ``win`` after a solution has been recorded."""
        pack_session, level, solution = self.pack_session, self.level, recorded.solution
        is_made = pack_session.find_made(level.number) is not None
        if not is_made:
            pack_session.lookups.needed_pushes(level, waits=True)
        before = _fewest_of((recorded.before.by_moves, recorded.before.by_pushes))
        figures, par = pack_session.figures(level), pack_session.par(level)
        if par == Par(solution.pushes, True) and Objective.PUSHES not in pack_session.lookups.proven(level):
            pack_session.keep_proven(level, Objective.PUSHES, solution)  # equals the lower bound, which is not stored
        is_helped = figures is not None and figures.is_helped
        self.win = Win(
            solution.lurd,
            solution.moves,
            solution.pushes,
            pack_session.store.dates(level).seconds if before is None else self.seconds,
            before,
            pack_session.next_unsolved(level.number),
            None if is_made else pack_session.count_unsolved(),
            is_helped,
            par,
            0 if is_helped else stars(solution.pushes, par),
            before is not None and recorded.before.dates.is_helped and not is_helped,
            before is None and len(pack_session.store.solved()) == 1,
            pack_session.pack.size,
            figures_of(pack_session, level),
        )
        self.seconds = 0.0

    # Time

    def wake_after(self) -> float | None:
        """Return the seconds until ``tick`` has something to do; None if there is nothing."""
        if self.pack_session.lookups.idle_work(self.level) is not None:
            return 0.0
        if not self.warning.is_sharp:
            return _SHARPEN_SECONDS
        is_new = self.warning.question(self.game.state) is None
        return _QUESTION_SECONDS if is_new and (self._may_be_lost or self._unproven) else None

    def tick(self) -> None:
        """Do some of the work deferred after the first frame, or request a proof about the position."""
        lookups = self.pack_session.lookups
        is_waited_for = not self.warning.is_sharp and lookups.is_replaying
        if not is_waited_for and (work := lookups.idle_work(self.level)) is not None:
            work()
        elif not self.warning.is_sharp:
            self.warning.sharpen()
        else:
            self.warning.ask(self.game.state)

    # Actions

    def act(self, action: str) -> Answer:
        match action:
            case "left" | "down" | "up" | "right":
                return self._move(action, self.game.walk_or_push)
            case "run left" | "run down" | "run up" | "run right":
                return self._move(action.rpartition(" ")[2], self.game.run)
            case "undo" | "redo" | "undo all" | "redo all" | "restart" | "undo dead":
                return self._edit(action)
            case "plan" | "plan goal":
                return self.why_no_planning or OpenPlanner(asks_goal=action == "plan goal")
            case "plain":
                pack_session, is_off = self.pack_session, not self.pack_session.is_planning_off
                if problem := pack_session.store.save_planning_off(pack_session.key, is_off):
                    return Note.NOT_SAVED.of(problem=problem)
                return Note.PLANNING_OFF if is_off else Note.PLANNING_ON
            case "warnings":
                self.warns = not self.warns
                return Note.WARNINGS_ON if self.warns else Note.WARNINGS_OFF
            case "solve":
                return Ask.WATCH if self.hints.is_searching else self.hints.solve()
            case "hint":
                followed = None if self.game.is_solved else self._follow_hints()
                return followed or self.hints.solve(is_hint=True)
            case "cancel":
                return Ask.STOP_SEARCH
            case "improve":
                return self._improve()
            case "replay":
                return self.hints.replay()
            case "collect":
                return Collect(self.pack_session, self.level.number)
            case "copy" if (not self.game.moves or self.game.is_solved) and self.has_result:
                return Ask.SHARE
            case "copy":
                best = self.pack_session.best(self.level).by_moves
                if best is not None and (self.game.is_solved or not self.game.moves):
                    return Copy(best.lurd, is_best=True)
                return Copy(self.game.lurd)
        return self._leave(action)

    def _move(self, name: str, move: Callable[[Direction], bool]) -> Answer:
        direction, before = Direction[name.upper()], self.game.moves
        if move(direction):
            return Moved(self.game.lurd_from(before))
        return Blocked(direction) if self.game.room else Note.TOO_MANY_MOVES

    def _edit(self, action: str) -> Answer:
        game, before = self.game, self.game.lurd
        was_solved = game.is_solved
        answer: Note | None
        match action:
            case "undo" | "undo all":
                changed = game.undo() if action == "undo" else game.undo_all()
                answer = Note.DONE if changed else Note.NOTHING_TO_UNDO
            case "redo" | "redo all":
                changed = game.redo() if action == "redo" else game.redo_all()
                answer = Note.DONE if changed else Note.NOTHING_TO_REDO
            case "restart":
                answer = Note.RESTARTED if game.restart() else None
            case _:
                answer = self._undo_dead()
        if action not in ("redo", "redo all") and game.lurd != before:
            self.pack_session.note_aid(self.level, "undos", game.lurd)
        if was_solved and action == "restart":
            self.pack_session.store.forget_help(self.level)  # it may be solved without help now
            self.solved_lurd = ""
            self.seconds = 0.0
        elif action == "undo" and game.is_solved:
            # Undoing back to a solved position does not count as solving the level without help.
            self.pack_session.store.note_help(self.level, game.lurd)
            self.solved_lurd = game.lurd
        return answer

    def _undo_dead(self) -> Note:
        """Go back to a position not known to be dead; if that takes too long, the next call continues."""
        warning, last = self.warning, self._clock() + _BACK_SECONDS

        def is_good(state: State) -> bool:
            return not warning.was_lost(state) and (self._clock() > last or warning.find(state) is None)

        if warning.find(self.game.state) is None:
            return Note.NOT_DEAD
        if warning.find(self.level.start) is not None:
            return Note.DEAD_FROM_START
        if self._has_no_solution:
            return Note.CANNOT_BE_PLAYED
        self.game.undo_until(is_good)
        return Note.DONE

    def _leave(self, action: str) -> Answer:
        number = self.level.number
        match action:
            case "browse":
                return Ask.BROWSE
            case "reverse":
                from sokoterm.app.pulling import why_no_pulling  # rarely used

                return why_no_pulling(self.level) or Ask.OPEN_REVERSE
            case "edit" | "draw":
                return OpenEditor(self.pack_session, number) if action == "edit" else OpenEditor()
            case "statistics":
                return Ask.SHOW_STATISTICS
            case "letslogic":
                return Ask.COMPARE_ONLINE
            case "next level":
                return self._start(self.pack_session.next_number(number), 1) or NoNextLevel(number, unsolved=False)
            case "previous level":
                return self._start(self.pack_session.previous_number(number), -1) or Note.FIRST_LEVEL
            case "end run":
                return Note.NO_RUN
            case "next unsolved" | "accept":
                was_solved = not self.game.moves and self.pack_session.is_solved(number)
                if action == "next unsolved" or self.game.is_solved or was_solved or self._has_no_solution:
                    return self._next_unsolved() or NoNextLevel(number, unsolved=True)
        return None

    def _start(self, number: int | None, step: int) -> Start | None:
        """Request a level; without a number, the level of another file (see ``Lists.file_beside``)."""
        pack_session = self.pack_session
        if number is not None:
            return Start(pack_session, number)
        other = pack_session.beside(pack_session, step)
        return Start(other, other.numbers[0]) if other is not None else None

    def _next_unsolved(self) -> Start | None:
        return self._start(self.pack_session.next_unsolved(self.level.number), 0)

    def go_to_level(self, number: int) -> Answer:
        """Request the level of the pack with this number, if it exists."""
        return Start(self.pack_session, number) if self.pack_session.has_level(number) else NoLevel(number)

    # Path finding

    @property
    def why_no_planning(self) -> Note | None:
        """The note saying why the planner is not available; None if it is."""
        if self.pack_session.is_planning_off:
            return Note.PLANNING_IS_OFF
        board = self.level.board
        most = _LARGEST_WITH_ICE if board.ice else _LARGEST
        return Note.BOARD_TOO_LARGE if board.floor.bit_count() > most else None

    def walk_to(self, square: Square) -> Answer:
        if self.pack_session.is_planning_off:
            return Note.PLANNING_IS_OFF
        if self.level.board.floor.bit_count() > _LARGEST_FOR_WALKS:
            return Note.BOARD_TOO_LARGE
        walk = find_walk(self.level.board, self.game.state, square)
        return Note.NO_WAY if walk is None else Perform("".join(direction.letter for direction in walk))

    def perform(self, lurd: str) -> Moved | Note:
        """Make moves known to be valid in this position, as one undo group."""
        if len(lurd) > self.game.room:
            return Note.TOO_MANY_MOVES
        self.game.play(parse_lurd(lurd))
        return Moved(lurd)

    def paste(self, text: str) -> PastedMoves | NoteOf | None:
        """Make pasted moves as one undo group, up to the first illegal one; return None if they solve the level."""
        try:
            steps = steps_of(self.level.board, self.game.state, moves_in(text))
        except (LevelError, LurdError) as error:
            return Note.PASTED_WRONG.of(problem=str(error))
        if len(steps) > MOST_MOVES:
            return Note.PASTED_TOO_MANY.of(moves=len(steps), most=MOST_MOVES)
        stop = self.game.play_legal(steps)
        if stop is None and self.game.is_solved:
            return None
        return PastedMoves(len(steps) if stop is None else stop.number - 1, stop)

    def take_over(self, lurd: str) -> Note | None:
        """Take over the moves of a replay; return None if the game is already there."""
        if len(lurd) > MOST_MOVES:
            return Note.TOO_MANY_MOVES
        return Note.TAKEN_OVER if self.game.go_to(lurd) else None

    # Bookmarks

    def set_bookmark(self, name: str) -> NoteOf | Note:
        if not self.game.set_bookmark(name):
            return Note.BOOKMARKS_FULL
        return Note.BOOKMARK_SET.of(name=name)

    def go_to_bookmark(self, name: str) -> Note | NoteOf:
        try:
            if not self.game.go_to_bookmark(name):
                return Note.NO_BOOKMARK.of(name=name)
        except LurdError:
            return Note.BOOKMARK_DOES_NOT_FIT
        self.pack_session.note_aid(self.level, "undos", self.game.lurd)
        return Note.DONE

    # The solver

    def _follow_hints(self) -> Note | None:
        """Make the next push of a known solution; return None if the position is on none."""
        steps = self.hints.next_push()
        if not steps:
            return None
        if len(steps) > self.game.room:
            return Note.TOO_MANY_MOVES
        self.game.play(steps)
        state, offset = self.game.state, self.level.board.offsets[self.game.stance.facing]
        box = state.player + offset
        while not state.boxes >> box & 1:  # it slid on
            box += offset
        self._hinted = state, box
        self.pack_session.note_aid(self.level, "hints", self.game.lurd)
        return Note.HINT_GIVEN

    # The optimizer

    @property
    def is_improving(self) -> bool:
        return self.hints.improvement is not None and self.hints.improvement.is_running

    def _improve(self) -> Answer:
        if self.is_improving:
            return Ask.STOP_SEARCH
        if self.pack_session.best(self.level).by_moves is None:
            return Note.NOTHING_TO_IMPROVE
        return self._choose(self.hints.kept())

    def improve_shown(self, replay: ShowReplay, here: int, stretch: tuple[int, int] | None) -> Answer:
        """Request the choices for improving a shown solution; stop a running improvement.

        ``here`` is the number of moves shown, from the level's start. ``stretch`` is the range of moves around it that
        differs from another solution.
        """
        if self.is_improving:
            return Ask.STOP_SEARCH
        try:
            solution = verify(self.level.board, self.level.start, replay.moves)
        except LurdError:
            return Note.NOTHING_TO_IMPROVE
        others = (each for each in self.hints.kept() if not are_alike(each, replay))
        return self._choose([replay, *others], Shown(solution, here, stretch))

    def _choose(self, replays: Sequence[ShowReplay], shown: Shown | None = None) -> ChooseImprovement:
        latest, board, start = self.hints.improvement, self.level.board, self.level.start
        known = list[KnownSolution]()
        for each in replays:
            lurd = each.moves
            is_needed = each.source is Source.OWN or shown is not None and shown.solution.lurd == lurd
            if is_needed or len(lurd) <= _LONGEST_CHOICE and len(known) < _MOST_CHOICES:
                known.append(KnownSolution(verify(board, start, lurd), each.credit, each.source))
        objective = latest.objective if latest is not None else Objective.MOVES
        return ChooseImprovement(ImproveChoices(self.level, known, objective, shown))

    def found(self, solution: Solution, *, is_watched: bool) -> Note | None:
        """Store a solution of the solver; return what to tell the player.

        It is offered, not shown. If a hint was requested, the player has not moved since, and the board is on the
        screen (``is_watched``), its first push is made.
        """
        search = self.hints.found(solution)
        if search is None:
            return None
        if not search.is_hint:
            return Note.SOLUTION_OFFERED
        if self.game.lurd != search.before:
            return Note.HINT_ELSEWHERE
        return (is_watched and self._follow_hints()) or Note.HINT_READY

    def search_stopped(self, why: Outcome | None) -> Outcome | None:
        search = self.hints.search
        if search is not None and why is Note.NO_SOLUTION_FROM_THERE:
            self.warning.learn(end_of(self.level.board, self.level.start, search.before))
        return self.hints.search_stopped(why)
