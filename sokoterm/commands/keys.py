"""``sokoterm keys``: prints the keys in force."""

from sokoterm.app.keymap import Keymaps, english
from sokoterm.commands.support.output import Column, complain, json_line, print_rows, table_of
from sokoterm.commands.support.parser import Parser
from sokoterm.commands.support.remap import keys_in_force, written
from sokoterm.language import _, pgettext
from sokoterm.store.paths import config_file
from sokoterm.store.settings import read_config
from sokoterm.tui.widgets.theme import THEMES, read_looks


def run(arguments: list[str]) -> int:
    """Print the keys of every screen; return 2 if a setting is invalid."""
    parser = Parser(
        "keys",
        _(
            "Print what the keys do on every screen, including your settings. Each line contains the name of an "
            "action for [keys.SCREEN] in config.toml, its keys, and what it does. Screens, actions and keys have their "
            "English names, as in that file. Invalid settings are reported with the values allowed."
        ),
        "sokoterm keys --json",
    )
    keys = parser.flag("--keys", choices=("vi", "wasd"), help=_("letters that move, besides the arrows"))
    as_json = parser.switch("--json", help=_("print a JSON object for each action"))
    parser.parse(arguments)
    config = read_config(config_file(), [theme.name for theme in THEMES])
    keymaps, refused = keys_in_force(keys.value, config)
    if as_json.value:
        for screen, keymap in keymaps._asdict().items():
            for action, names, text, *__ in keymap.bindings:
                fields = {"screen": screen, "action": written(action), "keys": [*map(english, names)], "help": text}
                print(json_line(fields))
    else:
        _print_tables(keymaps)
    problems = [*config.problems, *refused, *read_looks(config.colors)[1]]
    for problem in problems:
        complain(problem)
    return 2 if problems else 0


def _print_tables(keymaps: Keymaps) -> None:
    headings = (_("action"), _("keys"), pgettext("what a key does", "help"))
    columns = [Column(heading, is_text=True) for heading in headings]
    for index, (screen, keymap) in enumerate(keymaps._asdict().items()):
        if index:
            print()
        print(screen)
        rows = [
            (written(action), "a-z" if action == "label" else " ".join(map(english, keys)), _(text))
            for action, keys, text, *__ in keymap.bindings
        ]
        rows += [("", _(line.keys), _(line.text)) for line in keymap.mouse]
        print_rows(f"  {line}" for line in table_of(columns, rows))
