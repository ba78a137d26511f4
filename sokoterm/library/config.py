"""The settings a person wrote down in config.toml.

A new setting is one field of Config and one row of ``_SETTINGS``.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple

from sokoterm.engine.printable import printable


class Config(NamedTuple):
    """What the file says; None where it says nothing.  Whether there is such a theme is for the screen to know."""

    theme: str | None = None
    cell: int | None = None
    color: bool | None = None
    keys: str | None = None
    mouse: bool | None = None
    animation: int | None = None
    clipboard: bool | None = None


class ConfigError(ValueError):
    """Settings that cannot be read; the text is one line with file, line, what was found and what was expected."""


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
}


def read_config(path: str) -> Config:
    """The settings in a file, none where there is no file; raises ConfigError.

    What is wrong in the file is said after its bare name, so that a line of 80 columns has room for it.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise ConfigError(f"{printable(path)}: cannot be read: {error.strerror}") from None
    return _parse(data, printable(os.path.basename(path)))


def _parse(data: bytes, source: str) -> Config:
    from tomllib import TOMLDecodeError, loads

    try:
        text = data.decode("utf-8-sig")
        found = loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"{source}, line {line}: found the byte 0x{data[error.start]:02x}, expected UTF-8"
        raise ConfigError(problem) from None
    except (TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{source}: found no TOML: {printable(str(error))}") from None
    for name, value in found.items():
        setting = _SETTINGS.get(name)
        where = f"{source}{_place(text, name)}"
        if setting is None:
            raise ConfigError(f"{where}: found {_shown(name)}, expected {' '.join(_SETTINGS)}")
        if type(value) is not setting.type or setting.values and value not in setting.values:
            raise ConfigError(f"{where}: found {name} = {_shown(value)}, expected {setting.expected}")
    return _config(found)


def _config(known: Mapping[str, object]) -> Config:
    theme, cell, color, keys, mouse, animation, clipboard = map(known.get, Config._fields)
    return Config(
        theme if isinstance(theme, str) else None,
        cell if isinstance(cell, int) else None,
        color if isinstance(color, bool) else None,
        keys if isinstance(keys, str) else None,
        mouse if isinstance(mouse, bool) else None,
        animation if isinstance(animation, int) else None,
        clipboard if isinstance(clipboard, bool) else None,
    )


def _place(text: str, name: str) -> str:
    """The line on which a setting stands, where it is easily found."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.partition("=")[0].strip(" \t\"'") == name:
            return f":{number}"
    return ""


def _shown(value: object) -> str:
    """A value in a message, cut where it is long."""
    shown = printable(repr(value))
    return shown if len(shown) <= 40 else shown[:37] + "..."
