"""The settings of the config file, where the command line says nothing."""

import os

from sokoterm.library.paths import config_file
from sokoterm.tui.keymap import KEYMAPS, with_wasd
from sokoterm.tui.options import PlayOptions


def settled(options: PlayOptions, notices: list[str]) -> PlayOptions:
    """The options, and what the config file says where they say nothing, keys and colours among it."""
    path = config_file()
    if not os.path.exists(path):
        return options._replace(keymaps=with_wasd(KEYMAPS)) if options.settings.keys == "wasd" else options
    from sokoterm.library.config import read_config
    from sokoterm.tui.palette import read_looks
    from sokoterm.tui.remap import keys_in_force
    from sokoterm.tui.theme import THEMES

    config = read_config(path, [theme.name for theme in THEMES])
    notices += config.problems
    keymaps, refused = keys_in_force(options.settings.keys, config)
    looks, unknown = read_looks(config.colors)
    notices += (*refused, *unknown)
    return options._replace(settings=options.settings.otherwise(config.settings), keymaps=keymaps, looks=looks)
