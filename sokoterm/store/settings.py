"""Settings, chosen by a flag or in config.toml.

A new setting is one row of Settings, plus one flag in ``commands/play.py`` if it is to have one. The annotations are
plain values because the first frame waits for this module; only the reader of a config file interprets them.
"""

from typing import Annotated, NamedTuple

FASTEST = 1000
"""The most moves per second of an animation."""


KEY_PROFILES = ("vi", "wasd")
"""The sets of letters that move the player."""

_YES_OR_NO = "true or false"


class Settings(NamedTuple):
    """Every setting: its type, a description of its values for messages, and the values if the type allows more.

    None passes the choice on: from the flags to the config file, from there to the terminal.

    ``cell`` is the number of columns of a square, ``keys`` the name of a key profile, ``animation`` the moves shown per
    second (0: at once). ``clipboard`` is true if copied moves go to the terminal's clipboard, ``slow_link`` if the
    connection to the terminal is slow, ``plain`` for line mode instead of keys and frames.
    """

    theme: Annotated[str | None, "the name of a theme in quotes"] = None
    cell: Annotated[int | None, "1 or 2", (1, 2)] = None
    color: Annotated[bool | None, _YES_OR_NO] = None
    keys: Annotated[str | None, '"vi" or "wasd"', KEY_PROFILES] = None
    mouse: Annotated[bool | None, _YES_OR_NO] = None
    animation: Annotated[int | None, f"moves a second, from 0 to {FASTEST}", range(FASTEST + 1)] = None
    clipboard: Annotated[bool | None, _YES_OR_NO] = None
    slow_link: Annotated[bool | None, _YES_OR_NO] = None
    plain: Annotated[bool | None, _YES_OR_NO] = None

    def otherwise(self, others: "Settings") -> "Settings":
        """Return these settings, with unset ones taken from ``others``."""
        return Settings._make(other if mine is None else mine for mine, other in zip(self, others, strict=True))
