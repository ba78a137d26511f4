"""The push planner above a play of one level, to be typed and clicked at."""

from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.planner import PlannerScreen
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets.board_view import Appearance, Area, BoardPlace, Hints, Size
from sokoterm.tui.widgets.frame import Canvas, Frame
from sokoterm.tui.widgets.theme import THEMES

PILLARS = """\
    #####
    #   #####
    # # #   #
  ### #   $ #
###   # # # #
#..   $ $   #
#. @  #######
#######"""


class Play:
    """A play of one level, as far as the planner looks at it."""

    def __init__(self, level: str | Level, moves: str = "") -> None:
        """``level`` is one, or its rows."""
        self.level = Level.from_xsb(level) if isinstance(level, str) else level
        self.game = Game(self.level)
        if moves:
            self.game.play(parse_lurd(moves))
        self.place: BoardPlace | None = None
        self.comment = ""

    def draw_panel(self, canvas: Canvas, area: Area, appearance: Appearance, hints: Hints, question: str) -> None:
        """No window is wide here."""


def press(screen: Screen, key: str) -> Reaction | None:
    """Give a screen a key with its action, as the event loop does."""
    return screen.update(screen.keymap.find_action(key), key)


def picture(screen: Screen, size: Size, appearance: Appearance) -> Frame:
    """Return the picture of a screen, as the event loop paints it."""
    screen.fit(size, appearance)
    return screen.view(size, appearance)


def text_of(screen: Screen, size: tuple[int, int] = (24, 80), cell: int = 2, theme: int = 0) -> str:
    frame = picture(screen, Size(*size), Appearance(THEMES[theme], cell))
    return "\n".join(row.text.rstrip() for row in frame.rows)


def typed(screen: PlannerScreen, keys: list[str]) -> list[object]:
    return [press(screen, key) for key in keys]


def click(screen: PlannerScreen, square: int, button: str = "left", *, is_press: bool = True) -> object:
    text_of(screen)
    assert screen.place is not None
    at = screen.place.cell_of(square)
    assert at is not None
    return screen.point(Pointer(*at, button, is_press))
