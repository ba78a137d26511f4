"""Levels built on demand while the player plays: the jobs, and the thread that does them."""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol

from sokoterm.app.thread_switching import ThreadSwitching
from sokoterm.engine.value import Value


class BuildJob(Value):
    """A level to build: ``steps`` is the work, whose result takes the level up in the program's own thread.

    ``key`` tells the job from others.
    """

    key: tuple[object, ...]
    steps: Callable[[], Generator[None, None, Callable[[], None]]]


class LevelBuilder(Protocol):
    """Builder of one level at a time, while the game goes on."""

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        """Build the first job that is not done, and hand on what is; return the traceback of a job that failed.

        A job that is not wanted any more is given up. A builder that ``gives_way`` pauses for now.
        """

    def pause(self) -> None:
        """Pause until ``follow`` is called again."""

    def close(self) -> None:
        """Cancel the job, and wait a moment for the thread to see it."""


MakeBuilder = Callable[[Callable[[], None]], LevelBuilder]


class Building:
    """Jobs for a level builder, which is made when there is something to build."""

    def __init__(self, make_builder: MakeBuilder | None, wake: Callable[[], None]) -> None:
        """The builder wakes the loop; None: nothing is built."""
        self._make_builder = make_builder
        self._wake = wake
        self._builder: LevelBuilder | None = None

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        """Build what is wanted now, as ``LevelBuilder.follow`` does."""
        if self._builder is None and jobs and self._make_builder is not None:
            self._builder = self._make_builder(self._wake)
        return self._builder.follow(jobs, gives_way=gives_way) if self._builder is not None else ""

    def pause(self) -> None:
        """Pause until ``follow`` is called again."""
        if self._builder is not None:
            self._builder.pause()

    def close(self) -> None:
        """Cancel the job, and wait a moment for the thread to see it."""
        if self._builder is not None:
            self._builder.close()


class _Task(Protocol):
    """The BackgroundTask, imported when there is something to build: its threads take time to load."""

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
        self._settled: set[tuple[object, ...]] = set()

    def follow(self, jobs: Sequence[BuildJob], *, gives_way: bool) -> str:
        crash = self._hand_on()
        if self._job is not None and all(each.key != self._job.key for each in jobs):
            self._give_up()
        # A job that was dropped is done again when it is wanted again, even if it failed.
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
        """Hand on a level that is done; return the traceback of one that failed."""
        task, job = self._task, self._job
        if task is None or job is None or not task.is_over:
            return ""
        self._rest()
        # Neither is begun again while it is wanted: the jobs given now may be older than the level handed on.
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
