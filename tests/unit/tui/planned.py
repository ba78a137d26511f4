"""The push planner above a play of one level, to be typed and clicked at."""

from sokoterm.app.keymap import KEYMAPS
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd
from sokoterm.terminal.events import Pointer
from sokoterm.tui.screens.planner import PlannerScreen
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.screen import Reaction, Screen
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.frame import Frame, Size
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


class Play(PlayScreen):
    """A play of one level, as far as the planner looks at it: without a session."""

    def __init__(self, level: str | Level, moves: str = "") -> None:
        """``level`` is one, or its rows."""
        self._game = Game(Level.from_xsb(level) if isinstance(level, str) else level)
        if moves:
            self._game.play(parse_lurd(moves))
        self.keymaps, self.keymap = KEYMAPS, KEYMAPS.play
        self.place = None

    @property
    def game(self) -> Game:
        return self._game

    @property
    def comment(self) -> str:
        return ""

    def comment_rows(self, columns: int) -> int:  # noqa: ARG002 - there is no comment
        return 0


def press(screen: Screen, key: str) -> Reaction | None:
    """Give a screen a key with its action, as the event loop does."""
    screen.message = ""
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
