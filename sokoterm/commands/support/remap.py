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
    shown,
    with_wasd,
)
from sokoterm.engine.text import printable
from sokoterm.language import N_, _
from sokoterm.store.settings import Config, Entry, shown_value

EVERY_SCREEN = "everywhere"
_NAMES = {shown(key).casefold(): key for key in NAMED_KEYS}
_SAME_AS_CONTROL = {"h": "Backspace", "i": "Tab", "j": "Enter", "m": "Enter"}  # a terminal sends the same for both
# Actions that came after settings with keys: they give way to a key that such settings have given to another one.
_NEWER = {"zoom in", "zoom out", "edit", "draw", "reverse", "turn view", "mirror view"} | {
    binding.action
    for keymap in (EDITOR, REVERSE)
    for binding in keymap.bindings
    if not any(each.has_action(binding.action) for each in KEYMAPS if each not in (EDITOR, REVERSE))
}
# Actions that cannot be changed, with what is said of them.
_STAYS = {
    "interrupt": N_("found {action}, which stays Ctrl-C"),
    "label": N_("found {action}, which stays the letters"),
}
_EXPECTED_NAMES = " ".join(shown(key) for key in NAMED_KEYS if key[1:].strip("0123456789") or key[0] != "f")


class _RefusedError(ValueError):
    """An entry that cannot be followed; the text says what was found and what was expected."""


class _Change(NamedTuple):
    """The keys of one action on some screens."""

    entry: Entry
    screens: tuple[str, ...]
    action: str
    keys: tuple[str, ...]


class _Clash(NamedTuple):
    """One key that would do two things on a screen."""

    screen: str
    key: str
    actions: tuple[str, str]


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
        wrong = [change for change in changes if clash.screen in change.screens and change.action in clash.actions][-1]
        changes.remove(wrong)
        other = next(action for action in clash.actions if action != wrong.action)
        problem = _(
            "found {key} for {action}, which is {other} on {screen}; expected the key for one of them only",
            key=shown(clash.key),
            action=written(wrong.action),
            other=written(other),
            screen=clash.screen,
        )
        problems.append(f"{wrong.entry.where}: {problem}")
    return after, problems


def _change(keymaps: Keymaps, entry: Entry) -> _Change:
    """Return the change of an entry; raises _RefusedError."""
    tables = [*Keymaps._fields, EVERY_SCREEN]
    if entry.table not in tables:
        raise _RefusedError(
            _("found [keys.{table}], expected one of {tables}", table=printable(entry.table), tables=" ".join(tables))
        )
    shared = {binding.action for binding in EVERYWHERE}
    action = _find_action(keymaps, entry, shared)
    if action in _STAYS:
        raise _RefusedError(_(_STAYS[action], action=written(action)))
    screens = tuple(
        name
        for name, keymap in zip(Keymaps._fields, keymaps, strict=True)
        if entry.table in (name, EVERY_SCREEN) and keymap.has_action(action)
    )
    keys = _keys(entry, action)
    for name in screens:
        _check_screen(name, getattr(keymaps, name), action, keys)
    return _Change(entry, screens, action, keys)


def _find_action(keymaps: Keymaps, entry: Entry, shared: set[str]) -> str:
    if entry.table == EVERY_SCREEN:
        actions = shared
        order = [binding.action for binding in EVERYWHERE]
    else:
        keymap: Keymap = getattr(keymaps, entry.table)
        order = [binding.action for binding in keymap.bindings if binding.action not in shared]
        actions = set(order)
    for action in actions:
        if written(action) == entry.name:
            return action
    if entry.name in map(written, shared):
        raise _RefusedError(
            _(
                "found {action} in [keys.{table}], expected it in [keys.{other}]",
                action=entry.name,
                table=entry.table,
                other=EVERY_SCREEN,
            )
        )
    names = " ".join(written(action) for action in order if action not in _STAYS)
    raise _RefusedError(
        _(
            "found {action}, expected an action of {table}: {names}",
            action=shown_value(entry.name),
            table=entry.table,
            names=names,
        )
    )


def _keys(entry: Entry, action: str) -> tuple[str, ...]:
    """Return the program's names of the keys, each once."""
    values = entry.value if isinstance(entry.value, list) else [entry.value]
    if not values:
        raise _RefusedError(_("found {action} = [], expected at least one key", action=entry.name))
    keys = tuple(dict.fromkeys(_key(entry, value) for value in values))
    if action == "cancel" and "esc" not in keys:
        raise _RefusedError(
            _(
                "found {action} = {value}, expected Esc among them: it always cancels",
                action=entry.name,
                value=shown_value(entry.value),
            )
        )
    if action != "cancel" and "esc" in keys:
        raise _RefusedError(
            # Translators: cancel is the name of an action, which stays as it is.
            _(
                "found {action} = {value}, but Esc is reserved for cancel",
                action=entry.name,
                value=shown_value(entry.value),
            )
        )
    return keys


def _key(entry: Entry, value: object) -> str:
    if isinstance(value, str):
        if len(value) == 1 and value.isprintable() and value != " ":
            return value
        name = value.casefold()
        if name in _NAMES:
            return _NAMES[name]
        letter = name.removeprefix("ctrl-")
        if letter != name and len(letter) == 1 and letter in LETTERS:
            if letter == "c":
                raise _RefusedError(
                    _(
                        "found {action} = {value}, but Ctrl-C always stops and quits",
                        action=entry.name,
                        value=shown_value(entry.value),
                    )
                )
            if letter in _SAME_AS_CONTROL:
                raise _RefusedError(
                    _(
                        "found {key}, which terminals send for {other}",
                        key=shown(f"C-{letter}"),
                        other=_SAME_AS_CONTROL[letter],
                    )
                )
            return f"C-{letter}"
    raise _RefusedError(
        _(
            'found {action} = {value}, expected a character such as "u", Ctrl-A to Ctrl-Z, F1 to F12, or {names}',
            action=entry.name,
            value=shown_value(value),
            names=_EXPECTED_NAMES,
        )
    )


def _check_screen(name: str, keymap: Keymap, action: str, keys: tuple[str, ...]) -> None:
    """Refuse keys that are labels or digits on a screen."""
    for key in keys:
        if keymap.has_action("label") and len(key) == 1 and key.lower() in LETTERS:
            raise _RefusedError(
                _(
                    "found {key} for {action}, but letters are labels on {screen}",
                    key=key,
                    action=written(action),
                    screen=name,
                )
            )
        if keymap.has_action("jump") and key in DIGITS:
            raise _RefusedError(
                _(
                    "found {key} for {action}, but digits are the number of a move on {screen}",
                    key=key,
                    action=written(action),
                    screen=name,
                )
            )


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


def _find_clash(keymaps: Keymaps) -> _Clash | None:
    for name, keymap in zip(Keymaps._fields, keymaps, strict=True):
        actions: dict[str, str] = {}
        for binding in keymap.bindings:
            for key in binding.keys:
                if key in actions:
                    return _Clash(name, key, (actions[key], binding.action))
                actions[key] = binding.action
    return None
