"""Options of the player, as the command line and the config file give them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sokoterm.app.keymap import KEYMAPS, Keymaps
from sokoterm.engine.level import Level
from sokoterm.engine.text import whole_number
from sokoterm.engine.value import Value
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.store.settings import Settings


class Look(Value):
    """The look of a style: ANSI colours (-1: the terminal's own), and attributes, which stay without colour."""

    color: int = -1
    bold: bool = False
    dim: bool = False
    underline: bool = False
    reverse: bool = False
    background: int = -1


class Series(Value):
    """A level of a series to begin with: of the day ``number``, or the first open floor of the descent of that seed.

    Without a number it is today's level, or the descent that was played last.
    """

    is_descent: bool
    number: int | None = None


DAILY, DESCENT = "daily", "descent"
"""The keys of the generated packs."""

MOST_PASTED = 1_000_000
"""The most bytes of a paste; a longer one is dropped. The longest known solution has 612,529 moves."""

MOST_SEED = 999_999_999
"""The greatest seed of a descent; the least is 0."""


def is_seed(text: str) -> bool:
    number = whole_number(text)
    return number is not None and number <= MOST_SEED


class PlayOptions(Value):
    """Options of the player.

    ``packs`` are files, folders, archives, addresses or ``-``, none for the bundled packs. They are read within
    ``limits``, and in ``encoding`` unless that is to be guessed. ``lurd`` returns the moves that are shown as a
    replay of ``level`` of the one pack. ``settings`` come from flags and the config file, as do ``keymaps``, the keys
    in force; ``looks`` are the colours of the config file. ``series`` is a generated level to begin with.

    ``is_hosted`` shuts the player in: nothing stops the process to show a shell, nothing is fetched. ``account`` is the
    name of a folder for the progress below the data folder, ``quota`` its limit in MB (None: no limit).
    ``idle_minutes`` is the time without a key after which the session ends (None: never), ``scores`` the file of the
    score table that all accounts share. ``stats`` prints what the session has cost on the line.
    """

    packs: tuple[str, ...] = ()
    level: int | None = None
    settings: Settings = Settings()
    data_dir: str | None = None
    lurd: Callable[[Level], str] | None = None
    limits: ReadLimits = DEFAULT_LIMITS
    encoding: str | None = None
    keymaps: Keymaps = KEYMAPS
    is_hosted: bool = False
    account: str | None = None
    idle_minutes: float | None = None
    quota: int | None = None
    looks: Mapping[str, Look] = MappingProxyType({})
    scores: str | None = None
    stats: bool = False
    series: Series | None = None
