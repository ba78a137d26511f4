"""Display: the terminal and how pictures are shown on it."""

from collections.abc import Sequence

from sokoterm.engine.value import Value
from sokoterm.tui.terminal.terminal import Counts, Terminal
from sokoterm.tui.widgets.theme import Theme


class Display(Value):
    """A terminal, with the ``themes`` it can show.

    Moves found for the player are shown at ``animation`` moves a second; 0 shows their end at once. ``statistics``, if
    wanted, are told what is read and painted.
    """

    terminal: Terminal
    themes: Sequence[Theme]
    animation: int = 0
    statistics: Counts | None = None
