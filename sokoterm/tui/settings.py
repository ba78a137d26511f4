"""The settings of the config file, where the command line says nothing."""

import os

from sokoterm.app.keymap import KEYMAPS, with_wasd
from sokoterm.app.options import PlayOptions
from sokoterm.store.paths import config_file


def settled(options: PlayOptions) -> tuple[PlayOptions, list[str]]:
    """The options, and what the config file says where they say nothing, keys and colours among it.

    With them a line for everything in the file that cannot be followed.
    """
    path = config_file()
    if not os.path.exists(path):
        return options._replace(keymaps=with_wasd(KEYMAPS)) if options.settings.keys == "wasd" else options, []
    from sokoterm.app.remap import keys_in_force
    from sokoterm.store.settings import read_config
    from sokoterm.tui.widgets.palette import read_looks
    from sokoterm.tui.widgets.theme import THEMES

    config = read_config(path, [theme.name for theme in THEMES])
    keymaps, refused = keys_in_force(options.settings.keys, config)
    looks, unknown = read_looks(config.colors)
    settings = options.settings.otherwise(config.settings)
    problems = [*config.problems, *refused, *unknown]
    return options._replace(settings=settings, keymaps=keymaps, looks=looks), problems


def summed_up(problems: list[str]) -> list[str]:
    """What to show of the problems while each notice takes a line: how many they are, unless there is but one."""
    if len(problems) <= 1:
        return problems[:]
    return [f"{len(problems)} problems in {os.path.basename(config_file())}: `sokoterm keys` lists them"]
