"""The colours that the settings give to styles.

A line of ``[colors]`` in config.toml names a style and its colour, with attributes and a background if they are asked
for: ``box = "bold bright-yellow"``, ``chosen = "black on cyan"``, ``wall = 240``.
"""

from collections.abc import Sequence

from sokoterm.app.options import Look
from sokoterm.language import _
from sokoterm.store.settings import Entry, shown_value
from sokoterm.tui.widgets.theme import STYLE_NAMES

_BASIC = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_NUMBERS = {name: number for number, name in enumerate((*_BASIC, *(f"bright-{name}" for name in _BASIC)))}
_NUMBERS |= {"default": -1}
_ATTRIBUTES = ("bold", "dim", "underline", "reverse")


def read_looks(entries: Sequence[Entry]) -> tuple[dict[str, Look], list[str]]:
    """Return the looks of some styles, and a line for each entry that cannot be followed."""
    looks, problems = {}, []
    for entry in entries:
        look = _look(entry.value)
        if entry.name not in STYLE_NAMES:
            found = shown_value(entry.name)
            names = " ".join(STYLE_NAMES)
            problems.append(
                _("{where}: found {found}, expected one of {names}", where=entry.where, found=found, names=names)
            )
        elif look is None:
            problems.append(
                _(
                    # Translators: bright-, default and on are typed so.
                    "{where}: found {found}, expected a colour: {colors}, bright- before one of them, default, or 0 to"
                    " 255; beside it {attributes}; after 'on' a background",
                    where=entry.where,
                    found=f"{entry.name} = {shown_value(entry.value)}",
                    colors=" ".join(_BASIC),
                    attributes=" ".join(_ATTRIBUTES),
                )
            )
        else:
            looks[STYLE_NAMES[entry.name]] = look
    return looks, problems


def _look(value: object) -> Look | None:
    """``bold red on 17``; None for what is no look."""
    if type(value) is int:
        return Look(value) if 0 <= value < 256 else None
    if not isinstance(value, str):
        return None
    front, on, back = value.casefold().partition(" on ")
    words = front.split()
    colors = [word for word in words if word not in _ATTRIBUTES]
    numbers = [_number(word) for word in [*colors, back.strip() if on else "default"]]
    if not words or len(colors) > 1 or None in numbers:
        return None
    known = [number for number in numbers if number is not None]
    attributes = {word: True for word in words if word in _ATTRIBUTES}
    return Look(known[0] if colors else -1, background=known[-1], **attributes)


def _number(word: str) -> int | None:
    if word.isascii() and word.isdigit() and len(word) < 4 and int(word) < 256:
        return int(word)
    return _NUMBERS.get(word)
