"""The keys that the settings give to actions.

``[keys.SCREEN]`` in config.toml gives an action of that screen all its keys, ``[keys.everywhere]`` an action that all
screens share.  An entry that cannot be followed is reported in one line, and its default holds.  Actions newer than the
settings of players yield default keys that an entry gives to another action.
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
_SAME_AS_CONTROL = {"h": "Backspace", "i": "Tab", "j": "Enter", "m": "Enter"}  # a terminal sends the same for both
# Actions that came after settings with keys: they give way to a key that such settings have given to another one.
_NEWER = {
    *("zoom in", "zoom out", "edit", "draw", "reverse", "turn view", "mirror view", "rulers"),
    *("collect", "collect into", "letslogic", "move up", "move down", "move first", "move last"),
} | {
    binding.action
    for keymap in (EDITOR, REVERSE)
    for binding in keymap.bindings
    if not any(each.has_action(binding.action) for each in KEYMAPS if each not in (EDITOR, REVERSE))
}
# Actions that cannot be changed, with what is said of them.
_STAYS = {"interrupt": N_("found {action}, which stays Ctrl-C"), "label": N_("found {action}, which stays the letters")}
_EXPECTED_NAMES = " ".join(english(key) for key in NAMED_KEYS if key[1:].strip("0123456789") or key[0] != "f")


class _RefusedError(ValueError):
    """An entry that cannot be followed; the text says what was found and what was expected."""


class _Change(NamedTuple):
    """The keys of one action on some screens."""

    entry: Entry
    screens: Sequence[str]
    action: str
    keys: tuple[str, ...]


def written(action: str) -> str:
    """Return an action as the settings write it."""
    return action.replace(" ", "-")


def keys_in_force(profile: str | None, config: Config) -> tuple[Keymaps, list[str]]:
    """Return the keymaps after a profile (None: that of the settings) and the settings, and the problems of those."""
    keymaps = with_wasd(KEYMAPS) if (profile or config.settings.keys) == "wasd" else KEYMAPS
    return remapped(keymaps, config.bindings)


def remapped(keymaps: Keymaps, entries: Sequence[Entry]) -> tuple[Keymaps, list[str]]:
    """Return the keymaps after all entries that can be followed, and a line for each of the others."""
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
        problem = N_("found {key} for {action}, which is {other} on {screen}; expected the key for one of them only")
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
        problem = N_("found {action} in [keys.{table}], expected it in [keys.{other}]")
        raise _RefusedError(_(problem, action=entry.name, table=entry.table, other=EVERY_SCREEN))
    names = " ".join(written(action) for action in actions if action not in _STAYS)
    problem = N_("found {action}, expected an action of {table}: {names}")
    raise _RefusedError(_(problem, action=shown_value(entry.name), table=entry.table, names=names))


def _keys(entry: Entry, action: str) -> tuple[str, ...]:
    values = entry.value if isinstance(entry.value, list) else [entry.value]
    if not values:
        raise _RefusedError(_("found {action} = [], expected at least one key", action=entry.name))
    keys = tuple(dict.fromkeys(_key(entry, value) for value in values))
    if (action == "cancel") != ("esc" in keys):
        problem = N_("found {action} = {value}, expected Esc among them: it always cancels")
        if action != "cancel":
            # Translators: cancel is the name of an action, which stays as it is.
            problem = N_("found {action} = {value}, but Esc is reserved for cancel")
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
        problem = N_("found {action} = {value}, but Ctrl-C always stops and quits")
        raise _RefusedError(_(problem, action=entry.name, value=shown_value(entry.value)))
    if letter in _SAME_AS_CONTROL:
        problem = N_("found {key}, which terminals send for {other}")
        raise _RefusedError(_(problem, key=english(f"C-{letter}"), other=_SAME_AS_CONTROL[letter]))
    return f"C-{letter}"


def _check_screen(name: str, keymap: Keymap, action: str, keys: tuple[str, ...]) -> None:
    for key in keys:
        if keymap.has_action("label") and len(key) == 1 and key.lower() in LETTERS:
            problem = N_("found {key} for {action}, but letters are labels on {screen}")
        elif keymap.has_action("jump") and key in DIGITS:
            problem = N_("found {key} for {action}, but digits are the number of a move on {screen}")
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
    """Yield the bindings with the keys ``given`` to actions, without newer actions that have no key left."""
    taken = {key for keys in given.values() for key in keys}
    for binding in bindings:
        keys = given.get(binding.action, binding.keys)
        if binding.action in _NEWER and binding.action not in given:
            keys = tuple(key for key in keys if key not in taken)
        if keys:
            yield binding._replace(keys=keys)


def _find_clash(keymaps: Keymaps) -> tuple[str, str, tuple[str, str]] | None:
    """Return a screen, a key that would do two things there, and their actions; None if there is none."""
    for name, keymap in keymaps._asdict().items():
        actions: dict[str, str] = {}
        for binding in keymap.bindings:
            for key in binding.keys:
                if key in actions:
                    return name, key, (actions[key], binding.action)
                actions[key] = binding.action
    return None
