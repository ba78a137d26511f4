"""Thinking about the position that the player looks at, as long as it stays: which one, and when to stop."""

from collections.abc import Callable
from typing import Protocol

from sokoterm.engine.board import State
from sokoterm.tui.alarm import Alarm
from sokoterm.tui.desk import Thinker

MakeThinker = Callable[[Callable[[], None]], Thinker]


class Pondered(Protocol):
    """What is to be known of a play; ``question`` is the position to think about, if there is one."""

    alarm: Alarm

    @property
    def question(self) -> State | None: ...


class Pondering:
    """Has a thinker think about one position after the other."""

    def __init__(self, make_thinker: MakeThinker | None, wake: Callable[[], None]) -> None:
        """The thinker is made when there is something to think about, and wakes the loop; None: nobody thinks."""
        self._make_thinker = make_thinker
        self._wake = wake
        self._thinker: Thinker | None = None

    def follow(self, play: Pondered | None) -> None:
        """Go on with the position of a play, or with another one."""
        if self._thinker is not None:
            self._thinker.tell()
        question = play.question if play is not None else None
        if play is None or question is None:
            self.stop()
        elif self._make_thinker is not None and (self._thinker is None or self._thinker.state is not question):
            if self._thinker is None:
                self._thinker = self._make_thinker(self._wake)
            self._thinker.start(play.alarm, question)

    def stop(self) -> None:
        """Give the position up."""
        if self._thinker is not None:
            self._thinker.stop()

    def close(self) -> None:
        """Stop, and wait a moment for the thread to see it."""
        if self._thinker is not None:
            self._thinker.close()
