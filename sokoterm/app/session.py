"""Session of a player, independent of the user interface: levels, saving, searches, recording of solutions."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sokoterm.app.background import BuildJob, LevelBuilder
from sokoterm.app.catalog import Catalog
from sokoterm.app.deadlock_warning import Prover
from sokoterm.app.improvement import Improvement, ShowReplay
from sokoterm.app.keymap import KEYMAPS, Keymaps
from sokoterm.app.pack_session import PackSession
from sokoterm.app.play import PlayModel
from sokoterm.app.request import (
    Ask,
    Collect,
    IdleTooLong,
    Improve,
    Improved,
    NoLevel,
    Note,
    NoteOf,
    OpenEditor,
    Outcome,
    Request,
    RunOver,
    Solve,
    Start,
    TakeOver,
)
from sokoterm.app.solver import Solver
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import LurdError
from sokoterm.engine.text import whole_number
from sokoterm.engine.value import Value
from sokoterm.formats.write_text import to_link
from sokoterm.solver.search import Crashed, Found, News, Progress, Status
from sokoterm.solver.search import Outcome as SearchOutcome
from sokoterm.store.packs import PackFile
from sokoterm.store.progress import ProgressStore
from sokoterm.store.settings import LINK_PAGE
from sokoterm.store.solutions import Recorded

if TYPE_CHECKING:
    from sokoterm.app.generated import GeneratedSeries
    from sokoterm.app.lists import Lists
    from sokoterm.app.online import Online
    from sokoterm.store.letslogic import Told


class Services(Value):
    """Everything a session works with, whatever the user interface.

    ``files`` are the packs in the list; ``open_pack_session`` reads one, or raises PackError. ``log_crash`` writes a
    traceback and returns a message with its location. ``make_solver``, ``make_prover`` and ``make_builder`` receive a
    function that wakes the event loop. ``clock`` returns monotonic seconds. The session ends after ``idle_minutes``
    without a key (None: never). ``series`` has the generated packs, listed above the others if ``lists_series``.
    ``own_folder`` has the player's own packs, at most ``own_quota`` MB (None: no limit). ``warns`` is the initial state
    of deadlock warnings. ``letslogic_key`` is empty if the player has none, and None if the site is off limits.
    ``link_page`` is the address of the page that links open.
    """

    store: ProgressStore
    catalog: Catalog
    files: Sequence[PackFile]
    open_pack_session: Callable[[PackFile], PackSession]
    log_crash: Callable[[str], str]
    make_solver: Callable[[Callable[[], None]], Solver]
    make_prover: Callable[[Callable[[], None]], Prover]
    make_builder: Callable[[Callable[[], None]], LevelBuilder] = LevelBuilder
    keymaps: Keymaps = KEYMAPS
    clock: Callable[[], float] = time.monotonic
    idle_minutes: float | None = None
    series: "GeneratedSeries | None" = None
    lists_series: bool = False
    warns: bool = True
    own_folder: str = ""
    own_quota: int | None = None
    letslogic_key: str | None = None
    link_page: str = LINK_PAGE


_IDLE_SECONDS = 60.0  # longest pause that counts as time played
_WHY = {Status.UNSOLVABLE: Note.NO_SOLUTION_FROM_THERE, Status.BEGINS_SOLVED: Note.CANNOT_BE_PLAYED}
_RETRY_SECONDS = 5.0  # between two attempts to save after a failure


class Heard(Value):
    """News of the solver for the player; ``is_first``: the first solution for what was ``asked``."""

    news: News
    asked: Solve | Improvement
    answer: Outcome | None = None
    is_first: bool = True


class Session:
    """One level after the other, until the player leaves; ``play`` is None before the first."""

    def __init__(self, services: Services, notify: Callable[[str | Outcome], None], wake: Callable[[], None]) -> None:
        """``notify`` shows a message to the player, perhaps repeatedly; ``wake`` wakes the event loop from a thread."""
        self.play: PlayModel | None = None
        self.solver = services.make_solver(wake)
        self._services = services
        self._store = services.store
        self._clock = services.clock
        self._notify = notify
        self._prover = services.make_prover(wake)
        self._wake = wake
        self.builder = services.make_builder(wake)
        self._last_key = self._clock()
        self._seconds_played = 0.0
        self._failed_at = self._clock()
        self._improving: Improved | None = None

    @property
    def warns(self) -> bool:
        """True if deadlock warnings are on; each level inherits the setting of the previous one."""
        return self.play.warns if self.play is not None else self._services.warns

    @cached_property
    def lists(self) -> "Lists":
        from sokoterm.app.lists import Lists  # not needed to play a level

        services, solver = self._services, self.solver
        lists = Lists(
            services.files,
            services.open_pack_session,
            services.catalog,
            services.own_folder,
            services.own_quota,
            is_busy=lambda: solver.is_busy,
        )
        if self.play is not None:
            lists.hold(self.play.pack_session)
        return lists

    # letslogic.com

    @cached_property
    def online(self) -> "Online | None":
        """The requests to letslogic.com; None if the site is off limits."""
        from sokoterm.app.online import Online  # rarely used

        key, folder = self._services.letslogic_key, os.path.dirname(self._services.own_folder)
        return Online(key, self._store, folder, self._wake, self.lists.list_added) if key is not None else None

    def hear_online(self) -> "Told | None":
        told = self.online.listen() if "online" in vars(self) and self.online is not None else None
        if told is not None and self.play is not None:
            self.play.pack_session.refresh()
        return self._services.log_crash(told.traceback) if isinstance(told, Crashed) else told

    def _ask_online(self, play: PlayModel, *, sends: bool) -> Note | None:
        """Send the waiting solutions of the level in play, else compare the level; return why that is not possible."""
        if self.online is None or not self.online.has_key:
            return Note.ONLINE_OFF if self.online is None else None
        if self.online.is_busy:
            return Note.ONLINE_BUSY
        number = whole_number(dict(play.pack_session.pack.metadata).get("id", ""))
        if number is None or number not in self.online.fetched:
            return Note.NOT_ONLINE
        key = play.pack_session.hash_of(play.level)
        if sends and self.online.parcels and level_hash(self.online.parcels[0].row.level) == key:
            self.online.send()
        else:
            self.online.ask(lambda account: account.compare([number], key))
        return None

    # Requests

    def carry_out(self, asked: Request) -> Outcome | None:
        """Carry out the session's part of a request; return the outcome, if any. The user interface does the rest.

        A level that is still being generated cannot be started yet: see ``awaits``.
        """
        play = self.play
        match asked:
            case Start():
                return self._start(asked)
            case Solve(state) if play is not None:
                if self._improving is not None:
                    self._warn(self._end_search())
                self._prover.seek(None)
                self.solver.start(play.level.board, state)
            case Improve() if play is not None:
                self._improve(play, asked)
            case Ask.STOP_SEARCH:
                return self._end_search() if self.is_searching else None
            case ShowReplay() if play is not None:
                self._note_shown(play, asked)
            case TakeOver(lurd) if play is not None:
                return play.take_over(lurd)
            case Ask.END_RUN if play is not None and (run := play.run) is not None:
                self.save()
                run.end()
                self._warn(self._store.save_rows())
                return RunOver(run)
            case Ask.BROWSE | Ask.LEAVE_PACK:
                self.save()
                self.lists.close_others(play.pack_session if play is not None else None)
            case Collect(pack_session, number, into) if (level := pack_session.find_level(number)) is not None:
                return self.lists.collect(pack_session, level, into)
            case OpenEditor() | Ask.SHOW_STATISTICS:
                self.save()
            case Ask.SHOW_ONLINE if self.online is None:
                return Note.ONLINE_OFF
            case Ask.COMPARE_ONLINE | Ask.SEND if play is not None:
                return self._ask_online(play, sends=asked is Ask.SEND)
        return None

    # Levels

    def _start(self, asked: Start) -> NoLevel | None:
        pack_session, level = asked.pack_session, asked.pack_session.find_level(asked.number)
        if level is None:
            return NoLevel(asked.number)
        if self._improving is None:
            if self.is_searching:
                self._notify(Note.SEARCH_OF_OTHER_POSITION_STOPPED)
            self._end_search()
        self.save(is_over=True)
        self._seconds_played = 0.0
        game = self._resumed(level)
        if "lists" in vars(self):
            self.lists.hold(pack_session)
        pack_session.beside = lambda *asked: self.lists.file_beside(*asked)
        problem = pack_session.take_up(level, game)
        self.play = PlayModel(pack_session, level, game, self._clock, warns=self.warns)
        self._last_key = self._clock()
        self._warn(problem)
        self._warn(self._store.save_rows())
        return None

    def _resumed(self, level: Level) -> Game:
        """Return the saved game of a level; a new one if there is none, or if it does not fit the level."""
        play = self._store.load_play(level)
        if play is None:
            return Game(level)
        try:
            game = Game(level, play.edits, play.cursor, play.bookmarks)
        except LurdError:
            self._notify(Note.PLAY_DOES_NOT_FIT)
            return Game(level)
        for name in play.others:
            self._notify(Note.OTHER_SESSION.of(name=name))
        return game

    def link_to(self, level: Level, lurd: str = "") -> str:
        return to_link(level, self._services.link_page, lurd)

    def close(self) -> None:
        self._prover.close()
        self.builder.close()
        self._end_search()
        self.solver.close()
        if "online" in vars(self) and self.online is not None:
            self.online.cancel()
        self.save()

    # Searches

    @property
    def is_searching(self) -> bool:
        """True if the player is waiting for a search (see ``Hints``), or a solution is being improved."""
        is_awaited = self.play is not None and self.play.hints.is_searching
        return self.solver.is_busy and (self._improving is not None or is_awaited)

    @property
    def improving_elsewhere(self) -> Improved | None:
        """The running improvement, if its level is not the one in play."""
        is_here = self._improving is not None and self._is_in_play(self._improving.improvement)
        return None if is_here else self._improving

    def _is_in_play(self, improvement: Improvement) -> bool:
        return self.play is not None and improvement.level is self.play.level

    def _improve(self, play: PlayModel, asked: Improve) -> None:
        """Start improving a solution in the background; any other search ends, with a message."""
        task, level, pack_session = asked.choices.task, play.level, play.pack_session
        if task is None:
            return
        self._warn(self._end_search())
        improvement = Improvement(level, task)
        pack_session.improvements[level.number].append(improvement)
        self._prover.seek(None)
        self.solver.start(level.board, level.start, task)
        self._improving = Improved(improvement, pack_session)

    def _end_improvement(self, seconds: float | None = None, *, is_proven: bool = False) -> Improved | None:
        """Record the end of the improvement and store its results; None if none was running."""
        if self._improving is None:
            return None
        over, self._improving = self._improving, None
        improvement, pack_session = over.improvement, over.pack_session
        improvement.ended(improvement.seconds if seconds is None else seconds, is_proven=is_proven)
        if improvement.best is not None:
            self._warn(pack_session.keep_improved(improvement.level, improvement.best))
        if is_proven:
            best = improvement.best or improvement.known
            self._warn(pack_session.keep_proven(improvement.level, improvement.objective, best))
        return over._replace(is_elsewhere=not self._is_in_play(improvement))

    def _end_search(self) -> Outcome | None:
        """Stop the search or improvement, if any; return the outcome for the player."""
        if not self.solver.is_busy:
            return None
        if self._improving is not None:
            for news in self.solver.news():  # keep what it has found so far
                for told in self._hear_of(self._improving.improvement, news):
                    if not isinstance(told.news, Found):
                        return told.answer
        self.solver.cancel()
        if self._improving is not None:
            return self._end_improvement()
        return self.play.search_stopped(Note.SEARCH_STOPPED) if self.play is not None else None

    def listen(self, *, is_watched: bool) -> Iterator[Heard]:
        """Process the news of the solver, and yield what the player should hear.

        ``is_watched``: the board is on the screen, so that a hint can be made immediately.
        """
        for news in self.solver.news():
            play = self.play
            if self._improving is not None:
                yield from self._hear_of(self._improving.improvement, news)
            elif play is not None and isinstance(news, Progress):
                play.hints.progress = news
            elif play is not None:
                search, was_awaited, is_first = play.hints.search, play.hints.is_searching, not play.hints.is_answered
                match news:
                    case Found(solution):
                        answer: Outcome | None = play.found(solution, is_watched=is_watched)
                        was_awaited = True  # also report solutions found after a hint
                    case Crashed(traceback):
                        answer = play.search_stopped(self._crashed(traceback))
                    case SearchOutcome(status, reason=reason):
                        why = _WHY.get(status)
                        if reason is not None:
                            why = Note[f"NO_SOLUTION_IN_{reason.name}"]
                        answer = play.search_stopped(why)
                if search is not None and was_awaited:
                    yield Heard(news, search, answer, is_first)

    def _hear_of(self, improvement: Improvement, news: News) -> Iterator[Heard]:
        """Process news of an improvement; the gain is updated only with its progress, to limit the pace."""
        match news:
            case Progress():
                improvement.tell(news.seconds)
            case Found(solution):
                is_first = improvement.best is None
                improvement.found(solution)
                if is_first:
                    improvement.tell(improvement.seconds)
                    yield Heard(news, improvement)
            case Crashed(traceback):
                self._end_improvement()
                yield Heard(news, improvement, self._crashed(traceback))
            case SearchOutcome(seconds=seconds, optimal=optimal):
                is_proven = optimal == improvement.objective
                yield Heard(news, improvement, self._end_improvement(seconds, is_proven=is_proven))

    def _crashed(self, traceback: str) -> NoteOf:
        return Note.SOLVER_CRASHED.of(log=self._services.log_crash(traceback))

    def _note_shown(self, play: PlayModel, replay: ShowReplay) -> None:
        """Record that a solution is shown, which counts as help unless the level is solved."""
        play.hints.has_offer = False
        for improvement in play.pack_session.improvements[play.level.number]:
            if improvement.best is not None and replay.lurd == improvement.best.lurd:
                improvement.has_news = False
        if not play.game.is_solved:
            play.pack_session.note_aid(play.level, "shown", replay.before)

    def seek_proof(self) -> None:
        """Search for a proof about the position in play, unless a solution is being improved."""
        self._prover.answer()
        self._prover.seek(self.play.question if self.play is not None and self._improving is None else None)

    def make_levels(self, awaited: Start | None) -> NoteOf | None:
        """Build the awaited level, or those after the level in play; return a failure. The solver has priority."""
        jobs: Sequence[BuildJob] = ()
        if awaited is not None:
            jobs = awaited.pack_session.jobs(awaited.number)
        elif self.play is not None:
            jobs = self.play.pack_session.jobs(self.play.level.number)
        crash = self.builder.follow(jobs, gives_way=awaited is None and self.solver.is_busy)
        return Note.LEVEL_NOT_MADE.of(log=self._services.log_crash(crash)) if crash else None

    def awaits(self, start: Start) -> bool:
        return start.pack_session.is_making(start.number)

    # Saving

    def record_solution(self) -> Recorded | None:
        """Record the solution of a level that has just been solved; None if there is nothing new."""
        play = self.play
        if play is None or not play.game.is_solved or play.solved_lurd == play.game.lurd:
            return None
        earlier, play.solved_lurd = play.solved_lurd, play.game.lurd
        self.save(is_over=True)
        recorded = self._store.record(play.level, play.solved_lurd)
        self._warn(recorded.problem)
        if play.pack_session.scores is not None:
            play.pack_session.scores.enter(play.level, recorded.solution)
        play.pack_session.refresh()
        if earlier and play.game.lurd.startswith(earlier) and play.game.lurd[len(earlier) :].islower():
            return recorded  # a walk on the solved board
        play.note_win(recorded)
        return recorded

    def save(self, *, only_if_needed: bool = False, is_over: bool = False) -> None:
        """Save the game; mere walks are saved with the next push. ``is_over``: the player leaves the level."""
        play = self.play
        if play is None or only_if_needed and not (play.game.must_save or play.game.was_condensed):
            if self.retry_after == 0:
                self._failed_at = self._clock()
                self._store.save_rows()
            return
        game, seconds = play.game, self._seconds_played
        self._seconds_played = 0.0
        game.must_save = False
        play.seconds += seconds
        self._warn(play.pack_session.save(play.level, game, seconds, is_over=is_over))
        if game.was_condensed:
            game.was_condensed = False
            self._warn(Note.HISTORY_CONDENSED)

    @property
    def retry_after(self) -> float | None:
        """Seconds until a failed save is tried again; None if none has failed."""
        if not self._store.has_failed:
            return None
        return max(0.0, self._failed_at + _RETRY_SECONDS - self._clock())

    @property
    def idle_seconds_left(self) -> float | None:
        """Seconds without a key until the session ends, 0 once it has to end; None if there is no limit."""
        minutes = self._services.idle_minutes
        return None if minutes is None else max(0.0, self._last_key + 60 * minutes - self._clock())

    @property
    def why_over(self) -> IdleTooLong | None:
        return IdleTooLong(self._services.idle_minutes or 0) if self.idle_seconds_left == 0 else None

    def note_key(self, *, is_played: bool) -> None:
        """Record activity; with ``is_played``, the time since the last activity counts as played."""
        now = self._clock()
        if is_played:
            self._seconds_played += min(now - self._last_key, _IDLE_SECONDS)
        self._last_key = now

    def _warn(self, problem: str | Outcome | None) -> None:
        if problem is not None:
            self._notify(problem)
