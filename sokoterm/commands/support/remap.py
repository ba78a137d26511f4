"""Key bindings from the settings.

``[keys.SCREEN]`` in config.toml replaces all keys of an action on a screen, and ``[keys.everywhere]`` on all screens.
For an invalid entry, the default applies. Actions added in later versions give up keys that an entry assigns to
another.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sokoterm.app.keymap import (
    DIGITS,
    EDITOR,
    EVERYWHERE,
    KEYMAPS,
    LETTERS,
    NAMED_KEYS,
    REVERSE,
    Binding,
    Keymap,
    Keymaps,
    english,
    with_wasd,
)
from sokoterm.engine.text import printable
from sokoterm.language import N_, _
from sokoterm.store.settings import Config, Entry, shown_value

EVERY_SCREEN = "everywhere"
_NAMES = {english(key).casefold(): key for key in NAMED_KEYS}
_SAME_AS_CONTROL = {"h": "Backspace", "i": "Tab", "j": "Enter", "m": "Enter"}  # indistinguishable in a terminal
# Actions newer than settings for keys: they give up keys that settings assign to another action.
_NEWER = {
    *("zoom in", "zoom out", "edit", "draw", "reverse", "turn view", "mirror view", "rulers"),
    *("collect", "collect into", "letslogic", "move up", "move down", "move first", "move last"),
} | {
    binding.action
    for keymap in (EDITOR, REVERSE)
    for binding in keymap.bindings
    if not any(each.has_action(binding.action) for each in KEYMAPS if each not in (EDITOR, REVERSE))
}
# Actions that cannot be changed, and the complaints.
_STAYS = {"interrupt": N_("{action} is always Ctrl-C"), "label": N_("{action} always uses the letters")}
_EXPECTED_NAMES = " ".join(english(key) for key in NAMED_KEYS if key[1:].strip("0123456789") or key[0] != "f")


class _RefusedError(ValueError):
    """An invalid entry."""


class _Change(NamedTuple):
    entry: Entry
    screens: Sequence[str]
    action: str
    keys: tuple[str, ...]


def written(action: str) -> str:
    return action.replace(" ", "-")


def keys_in_force(profile: str | None, config: Config) -> tuple[Keymaps, list[str]]:
    """Return the keymaps for a profile (None: from the settings) and the settings, and the problems found in these."""
    keymaps = with_wasd(KEYMAPS) if (profile or config.settings.keys) == "wasd" else KEYMAPS
    return remapped(keymaps, config.bindings)


def remapped(keymaps: Keymaps, entries: Sequence[Entry]) -> tuple[Keymaps, list[str]]:
    """Return the keymaps with all valid entries applied, and a line for each of the others."""
    changes, problems = [], []
    for entry in entries:
        try:
            changes.append(_change(keymaps, entry))
        except _RefusedError as refusal:
            problems.append(f"{entry.where}: {refusal}")
    while clash := _find_clash(after := _applied(keymaps, changes)):
        screen, key, actions = clash
        wrong = [change for change in changes if screen in change.screens and change.action in actions][-1]
        changes.remove(wrong)
        other = next(action for action in actions if action != wrong.action)
        problem = N_("{key} cannot be {action}: on {screen}, it is already {other}")
        found = _(problem, key=english(key), action=written(wrong.action), other=written(other), screen=screen)
        problems.append(f"{wrong.entry.where}: {found}")
    return after, problems


def _change(keymaps: Keymaps, entry: Entry) -> _Change:
    tables = [*Keymaps._fields, EVERY_SCREEN]
    if entry.table not in tables:
        problem = N_("found [keys.{table}], expected one of {tables}")
        raise _RefusedError(_(problem, table=printable(entry.table), tables=" ".join(tables)))
    action = _find_action(keymaps, entry)
    if action in _STAYS:
        raise _RefusedError(_(_STAYS[action], action=written(action)))
    keys = _keys(entry, action)
    screens = []
    for name, keymap in keymaps._asdict().items():
        if entry.table in (name, EVERY_SCREEN) and keymap.has_action(action):
            screens.append(name)
            _check_screen(name, keymap, action, keys)
    return _Change(entry, screens, action, keys)


def _find_action(keymaps: Keymaps, entry: Entry) -> str:
    actions = shared = [binding.action for binding in EVERYWHERE]
    if entry.table != EVERY_SCREEN:
        keymap: Keymap = getattr(keymaps, entry.table)
        actions = [binding.action for binding in keymap.bindings if binding.action not in shared]
    for action in actions:
        if written(action) == entry.name:
            return action
    if entry.name in map(written, shared):
        problem = N_("{action} belongs in [keys.{other}], not in [keys.{table}]")
        raise _RefusedError(_(problem, action=entry.name, table=entry.table, other=EVERY_SCREEN))
    names = " ".join(written(action) for action in actions if action not in _STAYS)
    problem = N_("found {action}, expected an action of {table}: {names}")
    raise _RefusedError(_(problem, action=shown_value(entry.name), table=entry.table, names=names))


def _keys(entry: Entry, action: str) -> tuple[str, ...]:
    values = entry.value if isinstance(entry.value, list) else [entry.value]
    if not values:
        raise _RefusedError(_("{action} = []: at least one key is required", action=entry.name))
    keys = tuple(dict.fromkeys(_key(entry, value) for value in values))
    if (action == "cancel") != ("esc" in keys):
        problem = N_("{action} = {value}: Esc must be included, because it always cancels")
        if action != "cancel":
            # Translators: cancel is the name of an action: do not translate it.
            problem = N_("{action} = {value}: Esc is reserved for cancel")
        raise _RefusedError(_(problem, action=entry.name, value=shown_value(entry.value)))
    return keys


def _key(entry: Entry, value: object) -> str:
    name = value.casefold() if isinstance(value, str) else ""
    if isinstance(value, str) and len(value) == 1 and value.isprintable() and value != " ":
        return value
    if name in _NAMES:
        return _NAMES[name]
    letter = name.removeprefix("ctrl-")
    if letter == name or len(letter) != 1 or letter not in LETTERS:
        problem = N_(
            'found {action} = {value}, expected a character such as "u", Ctrl-A to Ctrl-Z, F1 to F12, or {names}'
        )
        raise _RefusedError(_(problem, action=entry.name, value=shown_value(value), names=_EXPECTED_NAMES))
    if letter == "c":
        problem = N_("{action} = {value}: Ctrl-C always stops and quits")
        raise _RefusedError(_(problem, action=entry.name, value=shown_value(entry.value)))
    if letter in _SAME_AS_CONTROL:
        problem = N_("{key} cannot be used: terminals send it for {other}")
        raise _RefusedError(_(problem, key=english(f"C-{letter}"), other=_SAME_AS_CONTROL[letter]))
    return f"C-{letter}"


def _check_screen(name: str, keymap: Keymap, action: str, keys: tuple[str, ...]) -> None:
    for key in keys:
        if keymap.has_action("label") and len(key) == 1 and key.lower() in LETTERS:
            problem = N_("{key} cannot be {action}: letters are labels on {screen}")
        elif keymap.has_action("jump") and key in DIGITS:
            problem = N_("{key} cannot be {action}: on {screen}, digits enter the number of a move")
        else:
            continue
        raise _RefusedError(_(problem, key=key, action=written(action), screen=name))


def _applied(keymaps: Keymaps, changes: Sequence[_Change]) -> Keymaps:
    after = keymaps._asdict()
    for name in after:
        given = {change.action: change.keys for change in changes if name in change.screens}
        if given:
            after[name] = after[name].bound(_rebound(after[name].bindings, given))
    return Keymaps(**after)


def _rebound(bindings: Sequence[Binding], given: Mapping[str, tuple[str, ...]]) -> Iterator[Binding]:
    """Yield the bindings with ``given`` keys, dropping newer actions that have no key left."""
    taken = {key for keys in given.values() for key in keys}
    for binding in bindings:
        keys = given.get(binding.action, binding.keys)
        if binding.action in _NEWER and binding.action not in given:
            keys = tuple(key for key in keys if key not in taken)
        if keys:
            yield binding._replace(keys=keys)


def _find_clash(keymaps: Keymaps) -> tuple[str, str, tuple[str, str]] | None:
    """Return a screen, a key with two meanings there, and both actions; None if there is none."""
    for name, keymap in keymaps._asdict().items():
        actions: dict[str, str] = {}
        for binding in keymap.bindings:
            for key in binding.keys:
                if key in actions:
                    return name, key, (actions[key], binding.action)
                actions[key] = binding.action
    return None
