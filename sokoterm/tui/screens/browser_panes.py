"""The panes of the browser: packs, levels and the preview beside each other, or as many as a window has room for."""

from sokoterm.engine.value import Value

_LIST_WIDTH = 57  # least columns of the list beside a picture
PICTURE_FROM = 72
"""Columns from which there is room for a picture."""
_PANES_FROM = 100  # columns from which there is room for three panes
# Shares of the three panes and the rules between them, and the most columns that lists need.
_PACKS_PERCENT, _MOST_OF_PACKS = 27, 44
_LEVELS_PERCENT, _MOST_OF_LEVELS = 37, 66
_RULE = 3


class Pane(Value):
    """Columns of the screen: the list of packs or of levels, or the preview."""

    left: int
    width: int

    def __contains__(self, column: int) -> bool:
        return self.left <= column < self.left + self.width


class Panes(Value):
    """The panes of a window; where there is no room for all of them, ``packs`` and ``levels`` are the same."""

    packs: Pane
    levels: Pane
    preview: Pane

    @property
    def are_three(self) -> bool:
        return self.packs != self.levels


def panes_of(columns: int) -> Panes:
    """Return the panes of a window of so many columns."""
    if columns < _PANES_FROM:
        width = max(_LIST_WIDTH, columns // 2) if columns >= PICTURE_FROM else columns
        return Panes(Pane(0, width), Pane(0, width), Pane(width + 2, columns - width - 2))
    packs = Pane(0, min(columns * _PACKS_PERCENT // 100, _MOST_OF_PACKS))
    levels = Pane(packs.width + _RULE, min(columns * _LEVELS_PERCENT // 100, _MOST_OF_LEVELS))
    preview = levels.left + levels.width + _RULE
    return Panes(packs, levels, Pane(preview, columns - preview))
