"""Levels made on demand while the player plays: what is wanted, and the thread that builds it."""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol

from sokoterm.app.thread_switching import ThreadSwitching
from sokoterm.engine.value import Value


class BuildJob(Value):
    """A level to be made: ``steps`` gives the work, which comes to what is to be done with the level in front.

    ``key`` tells it from others.
    """

    key: str
    steps: Callable[[], Generator[None, None, Callable[[], None]]]


class LevelBuilder(Protocol):
    """Makes one level at a time, and goes on while the game does."""

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        """Make what stands first and is not made yet, and hand on what is done; the traceback where that failed.

        What is not among the jobs any more is given up.  One that ``gives_way`` stands still for now.
        """

    def pause(self) -> None:
        """Stand still until ``follow`` is called again."""

    def close(self) -> None:
        """Give up, and wait a moment for the thread to see it."""


MakeBuilder = Callable[[Callable[[], None]], LevelBuilder]


class BuildsLevels(Protocol):
    """A pack session whose levels are made when they are wanted."""

    def jobs(self, number: int) -> Sequence[BuildJob]: ...


class Building:
    """Has levels made for a pack session, by a builder that is made when there is something to build."""

    def __init__(self, make_builder: MakeBuilder | None, wake: Callable[[], None]) -> None:
        """The builder wakes the loop; None: nothing is made."""
        self._make_builder = make_builder
        self._wake = wake
        self._builder: LevelBuilder | None = None

    def follow(self, pack_session: BuildsLevels | None, number: int, *, gives_way: bool) -> str:
        """Make what is wanted by someone who is at a level of a pack session; the traceback where that failed."""
        jobs = pack_session.jobs(number) if pack_session is not None else ()
        if self._builder is None and jobs and self._make_builder is not None:
            self._builder = self._make_builder(self._wake)
        return self._builder.follow(jobs, gives_way=gives_way) if self._builder is not None else ""

    def pause(self) -> None:
        """Stand still until ``follow`` is called again."""
        if self._builder is not None:
            self._builder.pause()

    def close(self) -> None:
        """Give up, and wait a moment for the thread to see it."""
        if self._builder is not None:
            self._builder.close()


class _Task(Protocol):
    """The BackgroundTask, which is imported when there is something to build: its threads take time to load."""

    @property
    def is_over(self) -> bool: ...

    @property
    def result(self) -> Callable[[], None] | None: ...

    @property
    def crash(self) -> str: ...

    def pause(self) -> None: ...

    def go_on(self) -> None: ...

    def cancel(self) -> None: ...

    def join(self, seconds: float) -> None: ...


class ThreadBuilder:
    """A LevelBuilder on a BackgroundTask."""

    def __init__(self, wake: Callable[[], None], switching: ThreadSwitching) -> None:
        self._wake = wake
        self._switching = switching
        self._job: BuildJob | None = None
        self._task: _Task | None = None
        self._settled: set[str] = set()

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        crash = self._hand_on()
        if self._job is not None and all(each.key != self._job.key for each in jobs):
            self._give_up()
        # What was left is made again when it is wanted again, be it that it failed.
        self._settled.intersection_update(each.key for each in jobs)
        if self._task is None:
            self._job = next((each for each in jobs if each.key not in self._settled), None)
            if self._job is not None and not gives_way:
                from sokoterm.solver.job import BackgroundTask

                self._task = BackgroundTask(self._job.steps(), self._wake)
                self._switching.hasten(self, keeps_much=True)
        elif gives_way:
            self._task.pause()
        else:
            self._task.go_on()
        return crash

    def pause(self) -> None:
        if self._task is not None:
            self._task.pause()

    def close(self) -> None:
        task = self._task
        self._give_up()
        if task is not None:
            task.join(1.0)

    def _hand_on(self) -> str:
        """Hand on a level that is done, or the traceback of one that failed."""
        task, job = self._task, self._job
        if task is None or job is None or not task.is_over:
            return ""
        self._rest()
        # Neither is begun again while it is wanted: the jobs of this moment may be older than what is handed on.
        self._settled.add(job.key)
        if task.result is not None:
            task.result()
        return task.crash

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._rest()

    def _rest(self) -> None:
        self._job = self._task = None
        self._switching.rest(self)
