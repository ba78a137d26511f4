"""Watching the solver: what it is doing while the game goes on below, and what it has found."""

from sokoterm.app.hints import solver_solution
from sokoterm.app.request import Close, Copy, StopSearch
from sokoterm.app.search_monitor import SearchMonitor
from sokoterm.tui.screens.play_view import Playing
from sokoterm.tui.screens.screen import Reaction
from sokoterm.tui.screens.solver_view import NONE_YET, view_solver
from sokoterm.tui.screens.still import StillScreen
from sokoterm.tui.widgets.board_view import Appearance, Origin, Size
from sokoterm.tui.widgets.frame import Frame


class SolverScreen(StillScreen):
    """One search of a play; to leave this screen does not end it."""

    reads_text = False

    def __init__(self, play: Playing, before: str, search: SearchMonitor) -> None:
        """``before`` are the moves after which the solver was asked."""
        self.keymap = play.keymaps.solver
        self.play = play
        self.search = search
        self.origin = Origin(0, 0)
        self.moves_before = len(before)
        self._before = before

    def view(self, size: Size, appearance: Appearance) -> Frame:
        return view_solver(self, size, appearance)

    def update(self, key: str) -> Reaction | None:
        self.message = ""
        match self.keymap.find_action(key):
            case "cancel":
                return Close()
            case "stop" if not self.search.is_over:
                return StopSearch()
            case "accept" if self.search.solutions:
                return solver_solution(self._before, self.search.solutions[-1])
            case "copy" if self.search.solutions:
                return Copy(self._before + self.search.solutions[-1].lurd)
            case "accept" | "copy":
                self.message = "no solution was found" if self.search.is_over else NONE_YET
        return None
