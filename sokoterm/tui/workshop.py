"""What the player asks of those who make levels; background_workshop.py does it, and is loaded when first needed."""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol

from sokoterm.engine.value import Value


class Order(Value):
    """A level to be made: ``steps`` gives the work, which comes to what is to be done with the level in front.

    ``key`` tells it from others.
    """

    key: str
    steps: Callable[[], Generator[None, None, Callable[[], None]]]


class Workshop(Protocol):
    """Makes one level at a time, and goes on while the game does."""

    def follow(self, orders: Sequence[Order], *, gives_way: bool) -> str:
        """Make what stands first and is not made yet, and hand on what is done; the traceback where that failed.

        What is not among the orders any more is given up.  One that ``gives_way`` stands still for now.
        """

    def pause(self) -> None:
        """Stand still until ``follow`` is called again."""

    def close(self) -> None:
        """Give up, and wait a moment for the thread to see it."""


MakeWorkshop = Callable[[Callable[[], None]], Workshop]


class MadeTo(Protocol):
    """A course whose levels are made when they are wanted."""

    def orders(self, number: int) -> Sequence[Order]: ...


class Making:
    """Has levels made for a course, by a workshop that is opened when there is something to make."""

    def __init__(self, make_workshop: MakeWorkshop | None, wake: Callable[[], None]) -> None:
        """The workshop wakes the loop; None: nothing is made."""
        self._make_workshop = make_workshop
        self._wake = wake
        self._workshop: Workshop | None = None

    def follow(self, course: MadeTo | None, number: int, *, gives_way: bool) -> str:
        """Make what is wanted by someone who is at a level of a course; the traceback where that failed."""
        orders = course.orders(number) if course is not None else ()
        if self._workshop is None and orders and self._make_workshop is not None:
            self._workshop = self._make_workshop(self._wake)
        return self._workshop.follow(orders, gives_way=gives_way) if self._workshop is not None else ""

    def pause(self) -> None:
        """Stand still until ``follow`` is called again."""
        if self._workshop is not None:
            self._workshop.pause()

    def close(self) -> None:
        """Give up, and wait a moment for the thread to see it."""
        if self._workshop is not None:
            self._workshop.close()
