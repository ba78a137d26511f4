"""What the app asks of the solver; search.py does it, and is loaded when it is first needed."""

from typing import Protocol

from sokoterm.engine.board import Board, State
from sokoterm.engine.lurd import Solution
from sokoterm.solver.protocol import Progress
from sokoterm.tui.outcome import GaveUp, Note
from sokoterm.tui.reactions import Screen
from sokoterm.tui.screens.play_view import Playing


class SearchListener(Protocol):
    """Who is told what a search says, on the main thread."""

    def search_progressed(self, progress: Progress) -> None:
        """The search goes on; told a few times a second."""

    def search_found(self, solution: Solution) -> None:
        """A solution; better ones may follow."""

    def search_ended(self, why: Note | GaveUp | None) -> None:
        """The search has ended by itself: why without a solution, None after one."""

    def search_crashed(self, traceback: str) -> None:
        """The search has failed; the text is for a log."""


class SearchDesk(Protocol):
    """One search at a time in the background."""

    @property
    def is_busy(self) -> bool:
        """Whether a search is under way that has not said its last word."""

    def start(self, board: Board, state: State) -> None:
        """Search from a position; ends an older search."""

    def watch(self, play: Playing, before: str) -> Screen | None:
        """A screen that shows what the search is doing, after the moves ``before`` of a play; None before the first."""

    def cancel(self) -> None:
        """End the search; nothing more is heard of it."""

    def close(self) -> None:
        """Cancel, and wait a moment for the thread to see it."""

    def tell(self, listener: SearchListener) -> None:
        """Hand on what the newest search has said since the last call."""

    def until_progress(self) -> float:
        """Seconds until progress may be told again."""
