"""Large letters made of half blocks."""

from collections.abc import Sequence

from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area, Line
from sokoterm.tui.widgets.parts import beside, line_width, plain_lines


def large(text: str) -> list[str]:
    """Return three rows of half blocks that spell a text, nothing if a letter is missing; ``*`` and ``.`` are stars."""
    text = text.translate(_LOOK_ALIKE)
    if not all(character in _LETTERS for character in text):
        return []
    rows = ["", "", ""]
    for character in text:
        pixels = _LETTERS[character].split("/")
        pixels.append(" " * len(pixels[0]))
        for row in range(3):
            rows[row] += "".join(map(_HALVES.__getitem__, zip(*pixels[2 * row : 2 * row + 2], strict=True))) + " "
    return [row[:-1] for row in rows]


def draw_name(canvas: Canvas, lines: Sequence[Line]) -> None:
    """Draw the name of the game, with up to three lines beside it if they fit."""
    letters = plain_lines(large(_NAME), styles.ACCENT)
    left = canvas.width - room_beside_name(canvas.width)
    fitting = [line if left + line_width(line) <= canvas.width else () for line in lines]
    canvas.draw_list(Area(0, 1, NAME_ROWS, canvas.width), beside((letters, fitting), left - 1))


def room_beside_name(width: int) -> int:
    """Return the columns to the right of the name of the game."""
    return width - 1 - len(large(_NAME)[0]) - _NAME_GAP


NAME_ROWS = 3
_NAME, _NAME_GAP = "SOKOTERM", 4
_LOOK_ALIKE = str.maketrans("АВЕКМНОРСТХЗЧ", "ABEKMHOPCTX34")
_HALVES = {(" ", " "): " ", ("#", " "): "▀", (" ", "#"): "▄", ("#", "#"): "█"}
_LETTERS = {
    " ": "  /  /  /  /  ", "!": "#/#/#/ /#", "+": "   / # /###/ # /   ", "-": "   /   /###/   /   ",
    "A": "####/#  #/####/#  #/#  #", "B": "### /#  #/### /#  #/### ", "C": "####/#   /#   /#   /####",
    "D": "### /#  #/#  #/#  #/### ", "E": "####/#   /### /#   /####", "F": "####/#   /### /#   /#   ",
    "G": "####/#   /# ##/#  #/####", "H": "#  #/#  #/####/#  #/#  #", "I": "#/#/#/#/#", "J": "  ##/   #/   #/#  #/####",
    "K": "#  #/# # /##  /# # /#  #", "L": "#   /#   /#   /#   /####", "M": "#   #/## ##/# # #/#   #/#   #",
    "N": "#  #/## #/# ##/#  #/#  #", "O": "####/#  #/#  #/#  #/####", "P": "####/#  #/####/#   /#   ",
    "Q": "####/#  #/#  #/# ##/####", "R": "####/#  #/### /# # /#  #", "S": "####/#   /####/   #/####",
    "T": "#####/  #  /  #  /  #  /  #  ", "U": "#  #/#  #/#  #/#  #/####", "V": "#   #/#   #/#   #/ # # /  #  ",
    "W": "#   #/#   #/# # #/## ##/#   #", "X": "#   #/ # # /  #  / # # /#   #", "Y": "#   #/ # # /  #  /  #  /  #  ",
    "Z": "####/   #/ ## /#   /####", "0": "####/#  #/#  #/#  #/####", "1": " #/##/ #/ #/ #",
    "2": "####/   #/####/#   /####", "3": "####/   #/ ###/   #/####", "4": "#  #/#  #/####/   #/   #",
    "5": "####/#   /####/   #/####", "6": "####/#   /####/#  #/####", "7": "####/   #/  # /  # /  # ",
    "8": "####/#  #/####/#  #/####", "9": "####/#  #/####/   #/####",
    "*": "  #   /##### / ###  /## ## /#   # ", ".": "      /      /  #   /      /      ",
    "¡": "#/ /#/#/#", "É": "  # /####/### /#   /####", "Í": " #/# /# /# /# ", "Ó": "  # /####/#  #/#  #/####",
    "Ö": "#  #/    /####/#  #/####",
    **dict(zip("БГДЖИЙЛПУШЩЬЫЭЯ", (
        "####/#   /####/#  #/####", "####/#   /#   /#   /#   ", " ## / ## /#  #/####/#  #",
        "# # #/# # #/ ### /# # #/# # #", "#  #/# ##/# ##/## #/#  #", " ## /#  #/# ##/## #/#  #",
        " ###/ # #/ # #/#  #/#  #", "####/#  #/#  #/#  #/#  #", "#  #/#  #/####/   #/####",
        "#   #/# # #/# # #/# # #/#####", "# # # /# # # /# # # /##### /     #", "#   /#   /### /#  #/### ",
        "#    #/#    #/###  #/#  # #/###  #", "### /   #/ ###/   #/### ", " ###/#  #/ ###/ # #/#  #",
    ), strict=True)),
}  # fmt: skip
