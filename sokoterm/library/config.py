"""The settings a person wrote down in config.toml.

A new setting is one field of Config and one row of ``_SETTINGS``, in the same order.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from sokoterm.engine.printable import printable


class Entry(NamedTuple):
    """One line below ``[keys]`` or ``[colors]``, which it is for the screen to understand.

    ``table`` is the screen that ``[keys.SCREEN]`` names, empty for colours; ``where`` begins a message about it.
    """

    table: str
    name: str
    value: object
    where: str


class Config(NamedTuple):
    """What the file says; None where it says nothing.

    ``problems`` are lines about what cannot be followed, each with file, line, what was found and what was expected;
    the rest of the file holds.
    """

    theme: str | None = None
    cell: int | None = None
    color: bool | None = None
    keys: str | None = None
    mouse: bool | None = None
    animation: int | None = None
    clipboard: bool | None = None
    slow_link: bool | None = None
    plain: bool | None = None
    bindings: tuple[Entry, ...] = ()
    colors: tuple[Entry, ...] = ()
    problems: tuple[str, ...] = ()


class _Setting(NamedTuple):
    """The values a setting takes, or the type of them, and how a message says so."""

    expected: str
    type: type
    values: tuple[str | int, ...] | range = ()


_SETTINGS = {
    "theme": _Setting("the name of a theme in quotes", str),
    "cell": _Setting("1 or 2", int, (1, 2)),
    "color": _Setting("true or false", bool),
    "keys": _Setting('"vi" or "wasd"', str, ("vi", "wasd")),
    "mouse": _Setting("true or false", bool),
    "animation": _Setting("moves a second, from 0 to 1000", int, range(1001)),
    "clipboard": _Setting("true or false", bool),
    "slow_link": _Setting("true or false", bool),
    "plain": _Setting("true or false", bool),
}


_KEYS, _COLORS, _PROFILE = "keys", "colors", "profile"


def read_config(path: str, themes: Collection[str]) -> Config:
    """The settings in a file, none where there is no file; ``themes`` are the names that a theme can have.

    What is wrong in the file is said after its bare name, so that a line of 80 columns has room for it.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return Config()
    except OSError as error:
        return Config(problems=(f"{printable(path)}: cannot be read: {error.strerror}",))
    return _parse(data, printable(os.path.basename(path)), themes)


def _parse(data: bytes, source: str, themes: Collection[str]) -> Config:
    from tomllib import TOMLDecodeError, loads

    try:
        text = data.decode("utf-8-sig")
        found: dict[str, object] = loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"{source}, line {line}: found the byte 0x{data[error.start]:02x}, expected UTF-8"
        return Config(problems=(problem,))
    except (TOMLDecodeError, RecursionError) as error:
        if place := _profile_beside_tables(text):
            problem = (
                f"{source}:{place}: found {_KEYS} = beside [{_KEYS}.SCREEN], expected {_PROFILE} = below [{_KEYS}]"
            )
            return Config(problems=(problem,))
        return Config(problems=(f"{source}: found no TOML: {printable(str(error))}",))
    except ValueError:  # Python reads no decimal number of so many digits
        return Config(problems=(f"{source}: found a number of thousands of digits",))
    return _Reader(source, text, themes).config(found)


class _Reader:
    """Takes apart what the TOML of one file says; what cannot be followed is told in ``problems`` and left out."""

    def __init__(self, source: str, text: str, themes: Collection[str]) -> None:
        self._source = source
        theme = _Setting(f"one of {' '.join(themes)}", str, tuple(themes))
        self._settings = {**_SETTINGS, "theme": theme}
        self._text = text
        self._problems: list[str] = []

    def config(self, found: Mapping[str, object]) -> Config:
        """The settings."""
        known = {}
        bindings: list[Entry] = []
        colors: list[Entry] = []
        for name, value in found.items():
            if name == _KEYS and isinstance(value, dict):
                bindings += self._bindings(value)
                name, value = _KEYS, value.get(_PROFILE)
                if value is not None and self._is_expected(name, value, _KEYS, _PROFILE):
                    known[name] = value
            elif name == _COLORS and isinstance(value, dict):
                colors += (Entry("", each, color, self._where(_COLORS, each)) for each, color in value.items())
            elif self._is_expected(name, value, name):
                known[name] = value
        return _config(known)._replace(bindings=tuple(bindings), colors=tuple(colors), problems=tuple(self._problems))

    def _bindings(self, tables: Mapping[str, object]) -> Iterator[Entry]:
        """The lines below ``[keys.SCREEN]``."""
        for screen, table in tables.items():
            if isinstance(table, dict):
                for action, keys in table.items():
                    yield Entry(screen, action, keys, self._where(_KEYS, screen, action))
            elif screen != _PROFILE:
                place = self._where(_KEYS, screen)
                self._problems.append(
                    f"{place}: found {shown_value(screen)}, expected {_PROFILE} or a table [keys.SCREEN]"
                )

    def _is_expected(self, name: str, value: object, *path: str) -> bool:
        """Whether there is such a setting with such a value."""
        setting = self._settings.get(name)
        where = self._where(*path)
        if setting is None:
            expected = f"a table [{_COLORS}]" if name == _COLORS else " ".join([*_SETTINGS, _COLORS])
            self._problems.append(f"{where}: found {shown_value(name)}, expected {expected}")
        elif type(value) is not setting.type or setting.values and value not in setting.values:
            self._problems.append(
                f"{where}: found {'.'.join(path)} = {shown_value(value)}, expected {setting.expected}"
            )
        else:
            return True
        return False

    def _where(self, *path: str) -> str:
        """``config.toml:3``, without the line where it is not easily found."""
        line = _line_of(self._text, path)
        return f"{self._source}:{line}" if line else self._source


def _config(known: Mapping[str, object]) -> Config:
    theme, cell, color, keys, mouse, animation, clipboard, slow_link, plain = map(known.get, _SETTINGS)
    return Config(
        theme if isinstance(theme, str) else None,
        cell if isinstance(cell, int) else None,
        color if isinstance(color, bool) else None,
        keys if isinstance(keys, str) else None,
        mouse if isinstance(mouse, bool) else None,
        animation if isinstance(animation, int) else None,
        clipboard if isinstance(clipboard, bool) else None,
        slow_link if isinstance(slow_link, bool) else None,
        plain if isinstance(plain, bool) else None,
    )


def _profile_beside_tables(text: str) -> int:
    """The line of ``keys = "wasd"`` where tables of keys follow, which TOML does not allow; 0 where that is not so."""
    lines = text.splitlines()
    has_tables = any(line.replace(" ", "").startswith((f"[{_KEYS}]", f"[{_KEYS}.")) for line in lines)
    profiles = (number for number, line in enumerate(lines, start=1) if line.partition("=")[0].strip() == _KEYS)
    return next(profiles, 0) if has_tables else 0


def _line_of(text: str, path: tuple[str, ...]) -> int:
    """The line on which a setting stands, or else the nearest of the tables it is in; 0 where it is not easily found.

    TOML once read tells no lines: they are looked up in its text.
    """
    import re

    header: tuple[str, ...] = ()
    best, place = 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        table = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?$", line)
        name = line.partition("=")[0] if "=" in line else ""
        if table:
            header = full = _parts(table[1])
        elif name:
            full = header + _parts(name)
        else:
            continue
        if len(full) > best and path[: len(full)] == full:
            best, place = len(full), number
    return place


def _parts(name: str) -> tuple[str, ...]:
    """A dotted key of TOML; a dot in quotes is none that this program knows."""
    return tuple(part.strip(" \t\"'") for part in name.split("."))


def shown_value(value: object) -> str:
    """A value in a message, cut where it is long."""
    try:
        shown = printable(repr(value))
    except ValueError:  # nor does it write one
        shown = "a number of thousands of digits"
    return shown if len(shown) <= 40 else shown[:37] + "..."
