"""What a person may choose, by a flag or in config.toml.

A new setting is one row of Settings, and one flag in ``commands/play.py`` if it is to have one.  What is said of a
setting beside its type is plain: the first picture waits for this module, and only who reads a config file looks at it.
"""

from typing import Annotated, NamedTuple

FASTEST = 1000
"""The most moves that an animation may be asked to show in a second."""


KEY_PROFILES = ("vi", "wasd")
"""The sets of letters that move."""

_YES_OR_NO = "true or false"


class Settings(NamedTuple):
    """Each setting with its type, what a message says of its values, and these where the type does not say them.

    None leaves the choice to what is asked next: after the flags the config file, after that the terminal.

    ``cell`` is the columns of a square, ``keys`` the name of a key profile, ``animation`` the moves shown in a second
    (0: at once), ``clipboard`` whether copied moves are sent to that of the terminal, ``slow_link`` whether the line to
    the terminal is slow, ``plain`` whether lines are read and written in place of keys and pictures.
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
        """These, and those of others where these leave a choice."""
        return Settings._make(other if mine is None else mine for mine, other in zip(self, others, strict=True))
