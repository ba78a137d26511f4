"""Large letters of half blocks, for titles and moments."""


def large(text: str) -> list[str]:
    """Return three rows of half blocks that spell a text; nothing if it has a character that has no large one.

    Letters are five pixels high, and have no accents.
    """
    if not all(character in _LETTERS for character in text):
        return []
    rows = ["", "", ""]
    for character in text:
        pixels = _LETTERS[character].split("/")
        pixels.append(" " * len(pixels[0]))
        for row in range(3):
            rows[row] += "".join(map(_HALVES.__getitem__, zip(*pixels[2 * row : 2 * row + 2], strict=True))) + " "
    return [row[:-1] for row in rows]


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
}  # fmt: skip
