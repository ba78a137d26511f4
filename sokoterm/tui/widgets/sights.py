"""Squares of boards with colours or ice: text with styles, or a tile with a letter on it.

A coloured box shows its capital letter, a goal the small one. A box at home is underlined, reversed on boards that are
not painted, and has a sign in two columns or a white frame on tiles. A box on a goal of another colour looks as on the
floor, with that goal's letter beside its own if there is room.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from sokoterm.app.options import Look
from sokoterm.engine.bits import Square, squares_of, tester
from sokoterm.engine.board import State, colors_of
from sokoterm.engine.level import Level
from sokoterm.engine.rules import boxes_away
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets import tiles
from sokoterm.tui.widgets.theme import CELL_STYLES, Theme
from sokoterm.tui.widgets.tiles import COLORED, FLOOR, ICE_FLOOR, INKS, Palette, Tile, in_color, paint, style_of
from sokoterm.wording.kinds import ICE_SIGN, box_letter, goal_letter

# Styles besides the theme's: private use characters above the tiles' styles, in blocks of one per colour.
_FIRST_STYLE, _BLOCK = 0xF800, len(COLORED)
_BOX, _HOME, _GOAL, _ICE, _DEAD, _PAINTED_HOME = range(6)
_LIKE = {_BOX: styles.BOX, _HOME: styles.BOX, _GOAL: styles.GOAL, _ICE: styles.WALL}  # except for the colour
# Text colours in the order of the names, of medium brightness to be readable on black and on white.
_TEXT_COLORS = (202, 25, 137, 168, 29, 68, 161, 92, 66, 95, 60, 103)
_ICE_COLOR = 31
_DECORATION = re.compile(r"[$*.]")
_BASIC = 16  # colours below are the terminal's own
_GLINT = "j"
# Sprites that do not cover a goal's letter in the middle of its tile.
_BESIDE_LETTERS = {tiles.FINE, tiles.FRAME, *tiles.WAYS.values()}
# Letters on each colour: dark, or white on dark colours.
_WRITING = dict(zip(COLORED, "eteeeeetette", strict=True))


class Sight(NamedTuple):
    """A square as the player sees it.

    ``cell`` is its XSB character, ``$`` for a box on a goal of another colour. ``box`` and ``goal`` are colour numbers
    from 0, None without a colour, box or goal.
    """

    cell: str
    box: int | None = None
    goal: int | None = None
    is_ice: bool = False

    @property
    def is_plain(self) -> bool:
        """True if it looks the same as on an ordinary board."""
        return self.box is None and self.goal is None and not self.is_ice

    @property
    def letter(self) -> str:
        """The letter of the box, else of the goal; "" without a colour."""
        if self.box is not None:
            return box_letter(self.box)
        return goal_letter(self.goal) if self.goal is not None else ""


class Sights:
    """The sights of a state's squares, computed when asked for."""

    def __init__(self, level: Level, state: State) -> None:
        board = level.board
        self._level, self._board, self._rows, self._player = level, board, level.rows, state.player
        self._all_boxes = state.boxes & (1 << board.size) - 1
        squares = board.floor, board.goals, self._all_boxes
        self.is_floor, self._is_goal, self._is_box = (tester(each, board.size) for each in squares)
        self._is_varied = not board.is_ordinary
        if self._is_varied:
            self._is_away = tester(boxes_away(board, state), board.size)
            self._is_ice = tester(board.ice, board.size)
            self._boxes = colors_of(board.boxes_by_layer(state.boxes)[1:])
            self._goals = colors_of(board.colors)

    @property
    def squares(self) -> list[Square]:
        """The squares of boxes, the player, and decoration off the floor."""
        return [*squares_of(self._all_boxes), *[self._player] * (self._player >= 0), *_decorations(self._level)]

    def at(self, square: Square) -> Sight:
        cell = self._cell(square)
        if not self._is_varied:
            return Sight(cell)
        shown = "$" if cell == "*" and self._is_away(square) else cell
        box = self._boxes.get(square) if cell in "$*" else None
        return Sight(shown, box, self._goals.get(square), self._is_ice(square))

    def _cell(self, square: Square) -> str:
        if square == self._player:
            return "+" if self._is_goal(square) else "@"
        if self.is_floor(square):
            return (".*" if self._is_goal(square) else " $")[self._is_box(square)]
        row, column = self._board.row_column(square)
        return self._rows[row][column : column + 1] or " "


@lru_cache(maxsize=4)
def _decorations(level: Level) -> list[Square]:
    """Return the squares off the floor with boxes or goals, which never change."""
    is_floor = tester(level.board.floor, level.board.size)
    found = [level.board.square(y, m.start()) for y, row in enumerate(level.rows) for m in _DECORATION.finditer(row)]
    return [square for square in found if not is_floor(square)]


def text_of(
    sight: Sight, theme: Theme, columns: int, *, is_floor: bool = True, is_dead: bool = False
) -> tuple[str, str]:
    """Return a square's text in one or two columns, and its styles; ``is_dead``: its box proves a deadlock."""
    cell, glyph = sight.cell, theme.glyph(sight.cell, columns)
    usual = CELL_STYLES[cell]
    if theme.is_painted:
        usual = paint(cell, is_floor=is_floor or not sight.is_plain, floor=_ground(sight))
    first, last = (glyph[0], usual), (glyph[-1], usual)  # in one column, only the last
    ice = goal = last
    if sight.is_ice:
        ice = ICE_SIGN, style_of(_GLINT, ICE_FLOOR) if theme.is_painted else _style(_ICE)
    if sight.goal is not None:
        style = style_of(_ink(sight.goal), _ground(sight)) if theme.is_painted else _style(_GOAL, sight.goal)
        goal = goal_letter(sight.goal), style
    if sight.box is not None:
        style = _box_style(sight.box, theme, is_home=cell == "*")
        first, last = (glyph[0], style), (sight.letter, style)
        if sight.goal is not None and cell == "$":
            first = goal
    elif sight.goal is not None and cell == ".":
        first, last = ice if sight.is_ice else (glyph[0], goal[1]), goal
    elif sight.goal is not None and columns == 2:
        last = goal if cell == "+" else (sight.letter, usual)
    elif sight.is_ice and cell == " ":
        first = last = ice
    elif sight.is_ice and cell in "@.+" and columns == 2 and glyph[1] in (" ", glyph[0]):
        last = ice
    text, cell_styles = zip(*((first, last) if columns == 2 else (last,)), strict=True)
    if is_dead:
        cell_styles = (paint(tiles.GUILTY, is_floor=True) if theme.is_painted else DEAD_LETTER,) * columns
    return "".join(text), "".join(cell_styles)


def _ground(sight: Sight) -> str:
    return ICE_FLOOR if sight.is_ice else FLOOR


def _box_style(color: int, theme: Theme, *, is_home: bool) -> str:
    if not theme.is_painted:
        return _style(_HOME if is_home else _BOX, color)
    return _style(_PAINTED_HOME, color) if is_home else style_of(*writing_on(color))


def writing_on(color: int) -> tuple[str, str]:
    """Return the colour letters for text on boxes of a colour, and for the boxes."""
    letter = COLORED[color % len(COLORED)]
    return _WRITING[letter], letter


def _ink(color: int) -> str:
    return INKS[color % len(INKS)]


def _style(kind: int, color: int = 0) -> str:
    return chr(_FIRST_STYLE + kind * _BLOCK + color % _BLOCK)


DEAD_LETTER = _style(_DEAD)
"""The style of a box that proves a deadlock, on boards that are not painted."""


def is_home_style(style: str) -> bool:
    """True for the style of a box at home on boards that are not painted."""
    return ord(style) - _FIRST_STYLE in range(_HOME * _BLOCK, (_HOME + 1) * _BLOCK)


def look_of(style: str, looks: Mapping[str, Look], palette: Palette) -> Look | None:
    """Return the look of a style of this module, based on the theme's ``looks``; None for other styles."""
    kind, color = divmod(ord(style) - _FIRST_STYLE, _BLOCK)
    if kind == _PAINTED_HOME:
        front, back = map(palette.number, writing_on(color))
        return Look(front, background=back, bold=True, underline=True)
    if kind == _DEAD:
        return looks[styles.DEAD]._replace(underline=False)
    if kind not in _LIKE:
        return None
    look = looks[_LIKE[kind]]
    if look.color >= _BASIC:
        look = look._replace(color=_ICE_COLOR if kind == _ICE else _TEXT_COLORS[color])
    if kind != _HOME:
        return look
    # The Linux console cannot underline coloured text.
    return look._replace(color=look.color if look.color >= _BASIC else -1, reverse=True, underline=True)


@lru_cache(maxsize=1024)
def tile_of(
    pixels: int,
    sight: Sight,
    player: str = tiles.STANDING,
    over: tuple[str, ...] = (),
    *,
    is_floor: bool = True,
    has_label: bool = False,
) -> Tile:
    """Return a square's tile with letters and the sprites ``over`` it; ``has_label``: a label covers the middle."""
    colored = [in_color(each, sight.box) if each == tiles.LIT and sight.box is not None else each for each in over]
    things = [*things_of(sight, player)]
    below = len(things) - (sight.cell in "@+")  # only the frame may cover the player's face
    things[below:below] = [each for each in colored if each != tiles.FRAME]
    things += [tiles.FRAME] * (tiles.FRAME in colored)
    tile = tiles.draw_tile(pixels, tuple(things), is_floor=is_floor)
    if tiles.GUILTY in over:
        return _lettered(tile, sight.letter, style_of("t", "R"), middle=True) if sight.box is not None else tile
    is_covered = has_label or sight.box is None and not _BESIDE_LETTERS.issuperset(over)
    ground = next((tiles.GROUNDS[each] for each in over if each in tiles.GROUNDS), "")
    for letter, style, middle in letters_of(sight, ground):
        if middle and tiles.LIT in over:
            tile = _lettered(tile, letter, style_of(COLORED[(sight.box or 0) % len(COLORED)], "t"), middle=True)
        elif middle or not is_covered:
            tile = _lettered(tile, letter, style, middle=middle and not is_covered)
    return tile


def things_of(sight: Sight, player: str) -> tuple[str, ...]:
    """Return the sprites of a square, bottom first."""
    ice = (tiles.ICE,) * sight.is_ice
    below = () if sight.goal is None else (in_color(tiles.GOAL_BELOW, sight.goal),)
    match sight.cell:
        case "." if sight.goal is not None:
            return *ice, in_color(tiles.GOAL, sight.goal)
        case "+" if sight.goal is not None:
            return *ice, *below, player
        case "$" if sight.box is not None:
            return *ice, *below, in_color(tiles.BOX, sight.box)
        case "*" if sight.box is not None:
            return *ice, in_color(tiles.HOME, sight.box)
    return *ice, *tiles.things_on(sight.cell, player)


def letters_of(sight: Sight, ground: str = "") -> list[tuple[str, str, bool]]:
    """Return letters, styles, and True for the middle or False for the corner; ``ground``: an unusual floor colour."""
    letters = []
    if sight.box is not None:
        letters.append((sight.letter, style_of(*writing_on(sight.box)), True))
    if sight.goal is not None and (sight.box is None or sight.cell == "$"):
        style = style_of(_ink(sight.goal), ground or _ground(sight))
        letters.append((goal_letter(sight.goal), style, sight.cell == "."))
    return letters


def _lettered(tile: Tile, letter: str, style: str, *, middle: bool) -> Tile:
    """Return a tile with a letter in the middle or the upper right corner."""
    width, height = len(tile[0][0]), len(tile)
    return lettered(tile, letter, style, *(((height - 1) // 2, (width - 1) // 2) if middle else (0, width - 1)))


def lettered(tile: Tile, letters: str, style: str, row: int, column: int) -> Tile:
    """Return a tile with letters starting at a row and column."""
    text, text_styles = tile[row]
    end = column + len(letters)
    line = text[:column] + letters + text[end:], text_styles[:column] + style * len(letters) + text_styles[end:]
    return (*tile[:row], line, *tile[row + 1 :])
