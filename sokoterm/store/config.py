"""The settings a person wrote down in config.toml."""

import os
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, get_args

from sokoterm.engine.printable import printable
from sokoterm.store.regular import require_file
from sokoterm.store.settings import Settings


class Entry(NamedTuple):
    """One line below ``[keys]`` or ``[colors]``, which it is for the screen to understand.

    ``table`` is the screen that ``[keys.SCREEN]`` names, empty for colours; ``where`` begins a message about it.
    """

    table: str
    name: str
    value: object
    where: str


class _Allowed(NamedTuple):
    """What a setting may be, ``expected`` in words; any of its types where no ``values`` are told."""

    types: tuple[type, ...]
    expected: str
    values: Collection[object] = ()

    def has(self, value: object) -> bool:
        """Whether it may be this; 1 is not true here."""
        return value is not None and type(value) in self.types and (not self.values or value in self.values)


class Config(NamedTuple):
    """What the file says.

    ``problems`` are lines about what cannot be followed, each with file, line, what was found and what was expected;
    the rest of the file holds.
    """

    settings: Settings = Settings()
    bindings: tuple[Entry, ...] = ()
    colors: tuple[Entry, ...] = ()
    problems: tuple[str, ...] = ()


_KEYS, _COLORS, _PROFILE = "keys", "colors", "profile"


def read_config(path: str, themes: Collection[str]) -> Config:
    """The settings in a file, none where there is no file; ``themes`` are the names that a theme can have.

    What is wrong in the file is said after its bare name, so that a line of 80 columns has room for it.
    """
    try:
        require_file(path)
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
        problem = f"{source}:{line}: found the byte 0x{data[error.start]:02x}, expected UTF-8"
        return Config(problems=(problem,))
    except (TOMLDecodeError, RecursionError) as error:
        if place := _profile_beside_tables(text):
            problem = (
                f"{source}:{place}: found {_KEYS} = beside [{_KEYS}.SCREEN], expected {_PROFILE} = below [{_KEYS}]"
            )
            return Config(problems=(problem,))
        where, what = _place_of(str(error), text)
        return Config(problems=(f"{source}{where}: found no TOML: {printable(what)}",))
    except ValueError:  # Python reads no decimal number of so many digits
        return Config(problems=(f"{source}: found a number of thousands of digits",))
    return _Reader(source, text, themes).config(found)


class _Reader:
    """Takes apart what the TOML of one file says; what cannot be followed is told in ``problems`` and left out."""

    def __init__(self, source: str, text: str, themes: Collection[str]) -> None:
        self._source = source
        self._allowed = {name: _allowed(row) for name, row in Settings.__annotations__.items()}
        self._allowed["theme"] = _Allowed((str,), f"one of {' '.join(themes)}", themes)
        self._text = text
        self._problems: list[str] = []

    def config(self, found: Mapping[str, object]) -> Config:
        """The settings."""
        known: dict[str, object] = {}
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
        settings = Settings._make(map(known.get, Settings._fields))
        return Config(settings, tuple(bindings), tuple(colors), tuple(self._problems))

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
        values = self._allowed.get(name)
        where = self._where(*path)
        if values is None:
            expected = f"a table [{_COLORS}]" if name == _COLORS else " ".join([*Settings._fields, _COLORS])
            self._problems.append(f"{where}: found {shown_value(name)}, expected {expected}")
        elif not values.has(value):
            self._problems.append(f"{where}: found {'.'.join(path)} = {shown_value(value)}, expected {values.expected}")
        else:
            return True
        return False

    def _where(self, *path: str) -> str:
        """``config.toml:3``, without the line where it is not easily found."""
        line = _line_of(self._text, path)
        return f"{self._source}:{line}" if line else self._source


def _allowed(row: object) -> _Allowed:
    """What a row of Settings says."""
    kinds, expected, *values = get_args(row)
    return _Allowed(get_args(kinds), expected, *values)


def _place_of(message: str, text: str) -> tuple[str, str]:
    """``:1:17`` and the rest, of a message that ends with ``(at line 1, column 17)`` or ``(at end of document)``."""
    import re

    what, found, place = message.rpartition(" (at ")
    if not found:
        return "", message
    numbers = re.findall(r"[0-9]+", place) or [max(1, len(text.splitlines()))]
    return "".join(f":{number}" for number in numbers), what


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
