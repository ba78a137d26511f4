"""Options of the player, from the command line and the config file."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from sokoterm.app.keymap import KEYMAPS, Keymaps
from sokoterm.engine.level import Level
from sokoterm.engine.text import whole_number
from sokoterm.engine.value import Value
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.store.settings import Settings


class Look(Value):
    """ANSI colours of a style (-1: the terminal's default), and attributes, which also apply without colour."""

    color: int = -1
    bold: bool = False
    dim: bool = False
    underline: bool = False
    reverse: bool = False
    background: int = -1


class Series(Value):
    """A generated level to start with: the day ``number``, or the descent with the seed ``number``.

    Without a number, it is today's level, or the last played descent.
    """

    is_descent: bool
    number: int | None = None


DAILY, DESCENT = "daily", "descent"
"""The keys of the generated packs."""

MOST_PASTED = 1_000_000
"""Most bytes of a paste; a longer one is dropped. The longest known solution has 612,529 moves."""

MOST_SEED = 999_999_999
"""Greatest seed of a descent; the least is 0."""


def is_seed(text: str) -> bool:
    number = whole_number(text)
    return number is not None and number <= MOST_SEED


class PlayOptions(Value):
    """Options of the player.

    ``packs`` are files, folders, archives, addresses or ``-``; none for the bundled packs. They are read within
    ``limits``, in ``encoding`` (None: guess it). ``lurd`` returns moves to replay in ``level`` of the only pack.
    ``settings`` and ``keymaps`` combine flags and the config file; ``looks`` are the colours of the config file.
    ``series`` is a generated level to start with.

    ``is_hosted`` confines the player: no suspending to a shell, and no downloads. ``account`` is the folder for the
    progress within the data folder, with at most ``quota`` MB (None: no limit). The session ends after
    ``idle_minutes`` without a key (None: never). ``scores`` is the file of the score table shared by all accounts.
    ``stats`` prints the traffic of the session at the end.
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
