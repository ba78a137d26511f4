"""The settings of the config file, where the command line says nothing."""

import os

from sokoterm.engine.printable import printable
from sokoterm.library.paths import config_file
from sokoterm.tui.options import PlayOptions


def settled(options: PlayOptions, notices: list[str]) -> PlayOptions:
    """The options, and what the config file says where they say nothing."""
    path = config_file()
    if not os.path.exists(path):
        return options
    from sokoterm.library.config import ConfigError, read_config

    try:
        config = read_config(path)
    except ConfigError as error:
        notices.append(str(error))
        return options
    from sokoterm.tui.theme import THEMES, find_theme

    if config.theme is not None and find_theme(config.theme) is None:
        names = ", ".join(theme.name for theme in THEMES)
        notices.append(f"{os.path.basename(path)}: theme: found {printable(config.theme)!r}, expected one of {names}")
    settled = {name: value for name, value in config._asdict().items() if getattr(options, name) is None}
    return options._replace(**settled)
