"""Settings, chosen by a flag or in config.toml, and the reader of that file.

A new setting is one row of Settings, plus a flag in ``commands/play.py`` if it needs one. The annotations are plain
values, interpreted only when a config file is read, because the first frame waits for this module.
"""

import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, NamedTuple, get_args

from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.language import N_, _
from sokoterm.store.paths import require_file

FASTEST = 1000
"""The most moves per second of an animation."""


ZOOMS = (1, 2, 4, 6, 8, 10, 12, 16)
"""The columns that a square of a board may take."""

PALETTE_NAMES = ("dark", "light")
"""The palettes of painted themes."""

KEY_PROFILES = ("vi", "wasd")
"""The sets of letters that move the player."""

CORES = 4
"""The most cores that the solver uses, as in ``solver/lanes.py``."""

LETSLOGIC_KEY = "SOKOTERM_LETSLOGIC_KEY"
"""The environment variable with the letslogic.com key."""

LINK_PAGE = "https://sokoban-solver-statistics.sourceforge.io/"
"""The page that links open by default: SokobanScript, where its author runs it."""

_YES_OR_NO = N_("true or false")
# Settings whose values no message shows.
_SECRETS = ("letslogic_key",)


class Settings(NamedTuple):
    """Every setting: its type, a description of its values for messages, and the values if not all of the type.

    None passes the choice on: from the flags to the config file, from there to the terminal.

    ``cell`` is the columns per square, ``keys`` a key profile, ``animation`` the moves shown per second (0: all at
    once). ``clipboard`` copies moves to the terminal's clipboard, ``slow_link`` is for slow connections to a terminal,
    ``plain`` chooses line mode. ``palette`` is that of painted boards, ``skin`` names the sprites of pictures.
    ``timer`` shows the time played in wide windows; with ``reduce_motion`` nothing but a replay moves. ``cores`` is for
    the solver. Without ``keys_by_place``, Cyrillic letters do not stand for the Latin ones on their keys. ``cursor``
    shows the terminal's own cursor in all themes; without ``title``, the window keeps its title; ``bell`` rings after a
    long search. ``language`` is the code of a catalog, such as ``de``, or ``en``. ``letslogic_key`` is the player's key
    to the letslogic.com API; no message shows it. ``link_page`` is the address of the page that links open.
    """

    theme: Annotated[str | None, N_("the name of a theme in quotes")] = None
    cell: Annotated[int | None, N_("1, 2, 4, 6, 8, 10, 12 or 16"), ZOOMS] = None
    color: Annotated[bool | None, _YES_OR_NO] = None
    keys: Annotated[str | None, N_('"vi" or "wasd"'), KEY_PROFILES] = None
    mouse: Annotated[bool | None, _YES_OR_NO] = None
    animation: Annotated[int | None, N_("moves per second, from 0 to {most}"), range(FASTEST + 1)] = None
    clipboard: Annotated[bool | None, _YES_OR_NO] = None
    slow_link: Annotated[bool | None, _YES_OR_NO] = None
    plain: Annotated[bool | None, _YES_OR_NO] = None
    palette: Annotated[str | None, N_('"dark" or "light"'), PALETTE_NAMES] = None
    skin: Annotated[str | None, N_("the name of a skin in quotes")] = None
    timer: Annotated[bool | None, _YES_OR_NO] = None
    reduce_motion: Annotated[bool | None, _YES_OR_NO] = None
    cores: Annotated[int | None, N_("cores, from 1 to {most}"), range(1, CORES + 1)] = None
    keys_by_place: Annotated[bool | None, _YES_OR_NO] = None
    cursor: Annotated[bool | None, _YES_OR_NO] = None
    title: Annotated[bool | None, _YES_OR_NO] = None
    bell: Annotated[bool | None, _YES_OR_NO] = None
    language: Annotated[str | None, N_("the code of a language in quotes")] = None
    letslogic_key: Annotated[str | None, N_("your key for letslogic.com in quotes")] = None
    link_page: Annotated[str | None, N_("the address of a page in quotes")] = None

    def otherwise(self, others: "Settings") -> "Settings":
        """Return these settings, with unset ones taken from ``others``."""
        return Settings._make(other if mine is None else mine for mine, other in zip(self, others, strict=True))


def letslogic_key(settings: Settings) -> str:
    """Return the letslogic.com key, from the environment or else the settings; empty without a usable one."""
    key = (os.environ.get(LETSLOGIC_KEY) or settings.letslogic_key or "").strip()
    return key if key.isascii() and key.isprintable() else ""


class Entry(Value):
    """One line under ``[keys]`` (``table`` is the SCREEN) or ``[colors]``; ``where`` begins messages about it."""

    table: str
    name: str
    value: object
    where: str


class _Allowed(Value):
    """The values a setting may have, or any of the types; ``expected`` says which, with ``{most}`` for a range."""

    types: tuple[type, ...]
    expected: str
    values: Collection[object] = ()

    @property
    def in_words(self) -> str:
        return _(self.expected, most=self.values[-1]) if isinstance(self.values, range) else _(self.expected)

    def has(self, value: object) -> bool:
        """True if the value is allowed; 1 is not accepted for true."""
        return value is not None and type(value) in self.types and (not self.values or value in self.values)


class Config(Value):
    """The content of the file; ``problems`` has a line for each entry that cannot be used, and the rest applies."""

    settings: Settings = Settings()
    bindings: tuple[Entry, ...] = ()
    colors: tuple[Entry, ...] = ()
    problems: tuple[str, ...] = ()


_KEYS, _COLORS, _PROFILE = "keys", "colors", "profile"


def read_config(path: str, themes: Collection[str]) -> Config:
    """Return the settings in a file, or the defaults; problems name it without its folder, to fit in 80 columns."""
    try:
        require_file(path)
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return Config()
    except OSError as error:
        problem = _("{path}: cannot be read: {reason}", path=printable(path), reason=error.strerror)
        return Config(problems=(problem,))
    return _parse(data, printable(os.path.basename(path)), themes)


def _parse(data: bytes, source: str, themes: Collection[str]) -> Config:
    from tomllib import loads  # takes 3 ms, with settings only

    try:
        text = data.decode("utf-8-sig")
        found: dict[str, object] = loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = f":{line}"
        problem = _("found the byte 0x{byte}, expected UTF-8", byte=f"{data[error.start]:02x}")
    except (ValueError, RecursionError) as error:
        if line := _profile_beside_tables(text):
            where = f":{line}"
            problem = _("found keys = beside [keys.SCREEN], expected profile = under [keys]")
        else:
            where, what = place_of(str(error), text)
            problem = _("found invalid TOML: {reason}", reason=printable(what))
    else:
        return _Reader(source, text, themes).config(found)
    return Config(problems=(f"{source}{where}: {problem}",))


class _Reader:
    """Interpreter of the parsed TOML of one file; entries that cannot be used go to ``problems``."""

    def __init__(self, source: str, text: str, themes: Collection[str]) -> None:
        self._source = source
        self._allowed = {name: _allowed(row) for name, row in Settings.__annotations__.items()}
        self._allowed["theme"] = _Allowed((str,), _("one of {names}", names=" ".join(themes)), themes)
        self._text = text
        self._problems: list[str] = []

    def config(self, found: Mapping[str, object]) -> Config:
        known: dict[str, object] = {}
        if "language" in found:
            from sokoterm.store.languages import languages, nearest_language  # the language in the settings only

            codes = languages()
            self._allowed["language"] = _Allowed((str,), f"one of {' '.join(codes)}", codes)
            if isinstance(asked := found["language"], str):
                found = {**found, "language": nearest_language(asked) or asked}
        bindings: list[Entry] = []
        colors: list[Entry] = []
        for name, value in found.items():
            if name == _KEYS and isinstance(value, dict):
                bindings += self._bindings(value)
                profile = value.get(_PROFILE)
                if profile is not None and self._is_expected(_KEYS, profile, _KEYS, _PROFILE):
                    known[_KEYS] = profile
            elif name == _COLORS and isinstance(value, dict):
                colors += (Entry("", each, color, self._where(_COLORS, each)) for each, color in value.items())
            elif self._is_expected(name, value, name):
                known[name] = value
        settings = Settings._make(map(known.get, Settings._fields))
        return Config(settings, tuple(bindings), tuple(colors), tuple(self._problems))

    def _bindings(self, tables: Mapping[str, object]) -> Iterator[Entry]:
        for screen, table in tables.items():
            if isinstance(table, dict):
                for action, keys in table.items():
                    yield Entry(screen, action, keys, self._where(_KEYS, screen, action))
            elif screen != _PROFILE:
                place = self._where(_KEYS, screen)
                problem = _("found {found}, expected profile or a table [keys.SCREEN]", found=shown_value(screen))
                self._problems.append(f"{place}: {problem}")

    def _is_expected(self, name: str, value: object, *path: str) -> bool:
        """True if this setting exists and may have this value; otherwise adds a problem."""
        values = self._allowed.get(name)
        if values is None:
            expected = _("a table [colors]") if name == _COLORS else " ".join([*Settings._fields, _COLORS])
            found = shown_value(name)
        elif not values.has(value):
            shown = _("(not shown)") if name in _SECRETS else shown_value(value)
            found, expected = f"{'.'.join(path)} = {shown}", values.in_words
        else:
            return True
        problem = _("found {found}, expected {expected}", found=found, expected=expected)
        self._problems.append(f"{self._where(*path)}: {problem}")
        return False

    def _where(self, *path: str) -> str:
        """Return ``config.toml:3``, without the line if it is not easily found."""
        line = line_of(self._text, path)
        return f"{self._source}:{line}" if line else self._source


def _allowed(row: object) -> _Allowed:
    kinds, expected, *values = get_args(row)
    return _Allowed(get_args(kinds), expected, *values)


def place_of(message: str, text: str) -> tuple[str, str]:
    """Split ``(at line 1, column 17)`` or ``(at end of document)`` off a message: ``:1:17``, and the rest."""
    what, found, place = message.rpartition(" (at ")
    if not found:
        return "", message
    numbers = re.findall(r"[0-9]+", place) or [max(1, len(text.splitlines()))]
    return "".join(f":{number}" for number in numbers), what


def _profile_beside_tables(text: str) -> int:
    """Return the line of ``keys = "wasd"`` if tables of keys follow, which TOML does not allow; 0 otherwise."""
    lines = text.splitlines()
    has_tables = any(line.replace(" ", "").startswith((f"[{_KEYS}]", f"[{_KEYS}.")) for line in lines)
    profiles = (number for number, line in enumerate(lines, start=1) if line.partition("=")[0].strip() == _KEYS)
    return next(profiles, 0) if has_tables else 0


def line_of(text: str, path: tuple[str, ...]) -> int:
    """Search the text for the line of a setting or its table, because the TOML parser reports none; 0 if unclear."""
    header: tuple[str, ...] = ()
    best, place = 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        table = re.match(r"\s*\[([^\[\]]+)\]\s*+(#.*)?$", line)
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
    """Split a dotted TOML key; no key of this program has a dot in quotes."""
    return tuple(part.strip(" \t\"'") for part in name.split("."))


def shown_value(value: object) -> str:
    """Return a value for a message, shortened if it is long."""
    try:
        shown = printable(repr(value))
    except ValueError:  # Python refuses to print so many digits
        shown = _("a number with thousands of digits")
    except RecursionError:  # as after "a.a.a.a = 1" with thousands of dots
        shown = "{...}"
    return shown if len(shown) <= 40 else shown[:37] + "..."
