"""What the command line asks of the player."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.app.keymap import KEYMAPS, Keymaps
from sokoterm.engine.text import whole_number
from sokoterm.engine.value import Value
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.store.settings import Settings


class Look(NamedTuple):
    """How a style appears: ANSI colours (-1: the terminal's own) and attributes, which stay without colour."""

    color: int = -1
    bold: bool = False
    dim: bool = False
    underline: bool = False
    reverse: bool = False
    background: int = -1


class PlayOptions(NamedTuple):
    """How to open the player.

    ``packs`` are files, folders, archives, addresses or ``-``, none means the bundled packs; they are read within
    ``limits`` and, if it is not to be guessed, in ``encoding``.  ``lurd`` opens ``level`` of the one pack
    in replay with these moves, as given: they are still to be read and replayed by the rules.
    ``settings`` are what a person likes, by flags and after that by the config file, and
    ``keymaps`` are the keys in force, after the profile and the config file, and ``looks`` what the config file gives
    other colours.

    ``is_hosted`` shuts the player in: nothing stops the process to show a shell, nothing is fetched.  ``account`` is a
    name below the data folder to keep the progress under, ``quota`` how many MB it may take (None: any),
    ``idle_minutes`` how long the player waits for a sign of the person (None: for ever), ``scores`` the file of a
    score table that all accounts share.  ``stats`` prints what the session has cost on the line.  ``series`` begins
    with a level that the program makes.
    """

    packs: tuple[str, ...] = ()
    level: int | None = None
    settings: Settings = Settings()
    data_dir: str | None = None
    lurd: str | None = None
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
    series: "Series | None" = None


DAILY, DESCENT = "daily", "descent"
"""The keys of the packs whose levels the program makes."""


class Series(Value):
    """Levels that the program makes: those of days or a descent; ``number`` is that of a day or a seed.

    Where there is none, it is today, or the descent that was played last.
    """

    is_descent: bool
    number: int | None = None


MOST_SEED = 999_999_999
"""The seeds of descents are whole numbers up to this one."""


def is_seed(text: str) -> bool:
    """Whether it is the seed of a descent as it is written."""
    number = whole_number(text)
    return number is not None and number <= MOST_SEED
