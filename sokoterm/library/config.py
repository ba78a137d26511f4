"""The settings a person wrote down in config.toml.

A new setting is one field of Config and one row of ``_SETTINGS``.
"""

from dataclasses import dataclass
from typing import NamedTuple

from sokoterm.engine.printable import printable


@dataclass(frozen=True)
class Config:
    """What the file says; None where it says nothing.  Whether there is such a theme is for the screen to know."""

    theme: str | None = None
    cell: int | None = None
    color: bool | None = None
    keys: str | None = None


class _Setting(NamedTuple):
    """The values a setting takes, or the type of them, and how a message says so."""

    expected: str
    type: type
    values: tuple[str | int, ...] = ()


_SETTINGS = {
    "theme": _Setting("the name of a theme in quotes", str),
    "cell": _Setting("1 or 2", int, (1, 2)),
    "color": _Setting("true or false", bool),
    "keys": _Setting('"vi" or "wasd"', str, ("vi", "wasd")),
}


def read_config(path: str) -> tuple[Config, list[str]]:
    """The settings in a file, and one line for each that is left out because it is not as expected.

    No file is no settings; a file that cannot be read or is no TOML gives none, and the line that says why.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return Config(), []
    except OSError as error:
        return Config(), [f"{printable(path)}: cannot be read: {error.strerror}"]
    return _parse(data, printable(path))


def _parse(data: bytes, source: str) -> tuple[Config, list[str]]:
    from tomllib import TOMLDecodeError, loads

    try:
        text = data.decode()
        found = loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Config(), [f"{source}, line {line}: found the byte 0x{data[error.start]:02x}, expected UTF-8"]
    except (TOMLDecodeError, RecursionError) as error:
        return Config(), [f"{source}: found no TOML: {printable(str(error))}"]
    known: dict[str, object] = {}
    problems = []
    for name, value in found.items():
        setting = _SETTINGS.get(name)
        where = f"{source}{_place(text, name)}"
        if setting is None:
            problems.append(f"{where}: found {_shown(name)}, expected one of {', '.join(_SETTINGS)}")
        elif type(value) is not setting.type or setting.values and value not in setting.values:
            problems.append(f"{where}: found {name} = {_shown(value)}, expected {setting.expected}")
        else:
            known[name] = value
    return _config(known), problems


def _config(known: dict[str, object]) -> Config:
    theme, cell, color, keys = (known.get(name) for name in ("theme", "cell", "color", "keys"))
    return Config(
        theme if isinstance(theme, str) else None,
        cell if isinstance(cell, int) else None,
        color if isinstance(color, bool) else None,
        keys if isinstance(keys, str) else None,
    )


def _place(text: str, name: str) -> str:
    """The line on which a setting stands, where it is easily found."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.partition("=")[0].strip(" \t\"'") == name:
            return f", line {number}"
    return ""


def _shown(value: object) -> str:
    """A value in a message, cut where it is long."""
    shown = printable(repr(value))
    return shown if len(shown) <= 40 else shown[:37] + "..."
