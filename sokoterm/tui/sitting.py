"""The level that is played, apart from how it is shown: taken up, saved, searched, its solution recorded."""

from collections.abc import Callable

from sokoterm.engine.board import State
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError
from sokoterm.library.best import Recorded
from sokoterm.library.progress import Progress as ProgressStore
from sokoterm.tui.alarm import MakeThinker, Pondering
from sokoterm.tui.course import Course
from sokoterm.tui.desk import SearchDesk, SearchListener
from sokoterm.tui.keymap import Keymaps
from sokoterm.tui.reactions import Start
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.workshop import MakeWorkshop, Making

_IDLE_SECONDS = 60.0  # a longer silence does not count as time played


class Sitting:
    """One level after the other, until the player leaves.

    ``play`` is None before the first; ``notices`` gathers lines for the player to see.
    """

    def __init__(
        self,
        store: ProgressStore,
        clock: Callable[[], float],
        notices: list[str],
        wake: Callable[[], None],
        make_desk: Callable[[Callable[[], None]], SearchDesk],
        make_thinker: MakeThinker | None,
        keymaps: Keymaps,
        make_workshop: MakeWorkshop | None = None,
    ) -> None:
        """What makes desk, thinker and workshop is called when they are first needed; they call ``wake``."""
        self.play: PlayScreen | None = None
        self.desk: SearchDesk | None = None
        self.notices = notices
        self._store = store
        self._clock = clock
        self._wake = wake
        self._make_desk = make_desk
        self._keymaps = keymaps
        self._pondering = Pondering(make_thinker, wake)
        self._making = Making(make_workshop, wake)
        self._last_key = clock()
        self._seconds_played = 0.0

    # Levels

    def start(self, course: Course, number: int) -> PlayScreen | None:
        """Save what is played and take another level up, as it was left; None where there is none of this number."""
        level = course.find_level(number)
        if level is None:
            return None
        if self.is_searching:
            self.notices.append("search stopped: it was for the other position")
        self.stop_search("")
        self.save(is_over=True)
        self._seconds_played = 0.0
        warns = self.play.warns if self.play is not None else True
        game = self._resumed(level)
        if course.take_up(level):
            game.restart()
        self.play = PlayScreen(course, level, game, self._clock, warns=warns, keymaps=self._keymaps)
        if game.is_solved:
            self.play.solved_lurd = game.lurd
        self._last_key = self._clock()
        self._warn(self._store.save_place(course.key, number))
        self._warn(self._store.save_rows())
        return self.play

    def _resumed(self, level: Level) -> Game:
        """The game as it was left; a play that does not fit the level any more is not resumed."""
        play = self._store.load_play(level)
        if play is None:
            return Game(level)
        try:
            game = Game(level, play.edits, play.cursor, play.bookmarks)
        except LurdError:
            self.notices.append("the saved position does not fit this level: begun anew")
            return Game(level)
        for name in play.others:
            keys = self._keymaps.play.typed("to bookmark", name)
            self.notices.append(f"another session played this level too: {keys} goes to its position")
        return game

    def close(self) -> None:
        """End what goes on in the background, and save."""
        self._pondering.close()
        self._making.close()
        if self.desk is not None:
            self.desk.close()
        self.save()

    # Searches

    @property
    def is_searching(self) -> bool:
        """Whether the solver is at work, and the player waits for it (see ``Advice``)."""
        return self.is_solver_busy and self.play is not None and self.play.advice.is_searching

    @property
    def is_solver_busy(self) -> bool:
        return self.desk is not None and self.desk.is_busy

    def solve(self, state: State) -> None:
        """Have the solver search from a position of the play."""
        if self.play is None:
            return
        self._pondering.stop()
        if self.desk is None:
            self.desk = self._make_desk(self._wake)
        self.desk.start(self.play.level.board, state)

    def stop_search(self, why: str) -> None:
        """End the search, if there is one."""
        if self.desk is not None and self.desk.is_busy:
            self.desk.cancel()
            if self.play is not None:
                self.play.search_stopped(why)

    def listen(self, listener: SearchListener) -> None:
        """Hand on what the solver says, and go on thinking about the position."""
        if self.desk is not None:
            self.desk.tell(listener)

    def ponder(self) -> None:
        """Have the position thought about that the player looks at."""
        self._pondering.follow(self.play)

    def make_levels(self, awaited: Start | None) -> str:
        """Have made what is waited for, or what comes after the level that is played; the traceback of a failure.

        The solver comes first while it is at work for the player.
        """
        if awaited is not None:
            crash = self._making.follow(awaited.course, awaited.number, gives_way=False)
        elif self.play is not None:
            crash = self._making.follow(self.play.course, self.play.level.number, gives_way=self.is_solver_busy)
        else:
            crash = self._making.follow(None, 0, gives_way=False)
        return crash

    def end_run(self) -> str:
        """End the run that is played, for good; what it came to."""
        if self.play is None:
            return ""
        course, level = self.play.course, self.play.level
        self.save()
        course.end_run()
        self._warn(self._store.save_rows())
        return f"the run is over: {course.result(level) or 'no floor was solved'}"

    def pause_making(self) -> None:
        """A key was pressed: nothing is made until it has been acted on and ``make_levels`` is called again."""
        self._making.pause()

    # What is kept

    def record_solution(self) -> Recorded | None:
        """Record a level that has just been solved; None where there is nothing new."""
        play = self.play
        if play is None or not play.game.is_solved or play.solved_lurd == play.game.lurd:
            return None
        play.solved_lurd = play.game.lurd
        self.save(is_over=True)
        recorded = self._store.record(play.level, play.solved_lurd)
        self._warn(recorded.problem)
        play.course.enter_score(play.level, recorded.solution)
        play.course.refresh()
        play.message = ""
        return recorded

    def save(self, *, only_if_needed: bool = False, is_over: bool = False) -> None:
        """Write the position with its history; walks alone wait for the next push.

        A solved position is resumed by the next session, but not once its level ``is_over``.
        """
        play = self.play
        if play is None or only_if_needed and not play.must_save:
            return
        game, seconds = play.game, self._seconds_played
        self._seconds_played = 0.0
        play.must_save = False
        play.course.note_time(play.level, seconds)
        if is_over and game.is_solved:
            play.course.note_solved(play.level, game.lurd)
        problem = self._store.save_play(
            play.level, game.edits, game.cursor, game.bookmarks, seconds, is_solved=is_over and game.is_solved
        )
        self._warn(problem)

    def count_time(self, *, is_played: bool) -> None:
        """A key was pressed: the time since the last one counts where the level is played, and not only looked at."""
        now = self._clock()
        if is_played:
            self._seconds_played += min(now - self._last_key, _IDLE_SECONDS)
        self._last_key = now

    def _warn(self, problem: str | None) -> None:
        if problem is not None and problem not in self.notices:
            self.notices.append(problem)
