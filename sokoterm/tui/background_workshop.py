"""Levels made in a thread while the player plays: a Workshop."""

from collections.abc import Callable, Sequence

from sokoterm.solver.job import BackgroundTask
from sokoterm.tui.thread_switching import ThreadSwitching
from sokoterm.tui.workshop import Order


class BackgroundWorkshop:
    """A Workshop on a BackgroundTask."""

    def __init__(self, wake: Callable[[], None], switching: ThreadSwitching) -> None:
        self._wake = wake
        self._switching = switching
        self._order: Order | None = None
        self._task: BackgroundTask[Callable[[], None]] | None = None
        self._settled: set[str] = set()

    def follow(self, orders: Sequence[Order], *, gives_way: bool) -> str:
        crash = self._hand_on()
        if self._order is not None and all(each.key != self._order.key for each in orders):
            self._give_up()
        # What was left is made again when it is wanted again, be it that it failed.
        self._settled.intersection_update(each.key for each in orders)
        if self._task is None:
            self._order = next((each for each in orders if each.key not in self._settled), None)
            if self._order is not None and not gives_way:
                self._task = BackgroundTask(self._order.steps(), self._wake)
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
        task, order = self._task, self._order
        if task is None or order is None or not task.is_over:
            return ""
        self._rest()
        # Neither is begun again while it is wanted: the orders of this moment may be older than what is handed on.
        self._settled.add(order.key)
        if task.result is not None:
            task.result()
        return task.crash

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._rest()

    def _rest(self) -> None:
        self._order = self._task = None
        self._switching.rest(self)
