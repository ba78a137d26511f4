"""The line on stderr that tells how far searches have come, where stderr is a terminal."""

from collections.abc import Sequence

from sokoterm.commands.searches import Report
from sokoterm.commands.status_line import StatusLine


class ProgressLine(StatusLine):
    """Which level is searched, and what the search has seen so far."""

    def __init__(self, numbers: Sequence[int]) -> None:
        """``numbers`` are those of the levels that are searched, in their order."""
        super().__init__()
        self._numbers = numbers

    def show(self, report: Report) -> None:
        """Show how far the search of a level has come."""
        search = report.progress
        pushes = f"depth {search.depth}  bound {search.lower_bound}  " if search.depth else ""
        self.write(
            f"level {self._numbers[report.place]} ({report.place + 1} of {len(self._numbers)})  {search.strategy}  "
            f"nodes {search.nodes:,}  stored {search.stored:,}  {pushes}{search.seconds:.1f} s"
        )
