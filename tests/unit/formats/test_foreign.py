"""Files of other games and notations: one line that says what they are."""

import pytest

from sokoterm.engine.level import LevelError
from sokoterm.formats.text import parse_xsb

BOARD = "#####\n#@$.#\n#####\n"
PLAIN = "expected plain rows of # @ $ . characters"


def refused(text: str) -> str:
    with pytest.raises(LevelError) as caught:
        parse_xsb(text, "x")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "signs"),
    [
        ("%%%%%\n%Pbg%\n%   %\n%%%%%", 1, "%, g"),
        ("Level 1\nXXXXXX\nX o  X\nX @. X\nXXXXXX\n\nLevel 2\nXXXXX\nXoo.X\nX@. X\nXXXXX", 2, "X, o"),
        ("######\n#M   #\n#BB .#\n# .  #\n#  O #\n######", 1, "M, O"),
        ("#####\n#@o.#\n#####\n\n######\n#@ o.#\n######", 1, "o"),
        ("11111\n12341\n11111", 1, "1, 2, 3, 4"),
        ("█████\n█P$.█\n█████", 1, "█"),
        ("\n▓▓▓▓▓▓\n▓☺ □·▓\n▓▓▓▓▓▓", 2, "▓, ☺, □, ·"),
        ("\u2b1b\ufe0f" * 5 + "\n⬛🙂📦🎯\u2b1b\ufe0f\n⬛⬛⬛⬛⬛", 1, "⬛, 🙂, 📦, 🎯"),
        ("1 1 1 1 1\n1 2 3 4 1\n1 0 0 0 1\n1 1 1 1 1", 1, "1, 2, 3, 4"),
        ("[[9,9,9,9,9],\n [9,1,2,3,9],\n [9,0,0,0,9],\n [9,9,9,9,9]]", 1, "9, 1, 2, 3"),
    ],
)
def test_boards_in_other_signs(text: str, line: int, signs: str) -> None:
    expected = f"x, line {line}: found boards in other signs ({signs}), expected # @ $ . characters"
    assert refused(text) == expected
    assert parse_xsb(f"{text}\n\n{BOARD}", "x").levels, "the others may be broken rows"


@pytest.mark.parametrize(
    "text",
    [
        "#####\n#@x.#\n#####", "#####\n#@$x#\n#. y#\n#####", "******\n*Maze*\n******", "█████\n█ été █\n█████",
        "┌───┐\n│☺□·│\n└───┘", "abba\nacca\nabba",
    ],
)  # fmt: skip
def test_broken_rows_and_texts_are_no_other_signs(text: str) -> None:
    assert parse_xsb(text, "x").levels == ()
