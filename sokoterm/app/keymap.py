"""Table of keys: the keys of each action on each kind of screen, with its line in the help.

It is the source for footers, help screens, `sokoterm keys`, [keys.SCREEN] in the settings, the tables in
docs/playing.md and the letters of the line mode.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from sokoterm.engine.value import Value
from sokoterm.language import _, pgettext

# Keys of Cyrillic keyboards (Russian; Ukrainian and Belarusian where they differ) and the Latin letters on them.
_CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбюёіїєўґ"
_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`s]'o\\"
_UPPER_LATIN = 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~S}"O|'
_PLACES = str.maketrans(_CYRILLIC + _CYRILLIC.upper(), _LATIN + _UPPER_LATIN)


def by_place(key: str) -> str:
    """Return the Latin letter on the same key as a Cyrillic one; other keys unchanged.

    >>> by_place("ц"), by_place("Ы"), by_place("é"), by_place("left")
    ('w', 'S', 'é', 'left')
    """
    return key.translate(_PLACES)


class Binding(NamedTuple):
    """An action and its keys; bindings with the same ``help`` share a line of the help, under the heading ``group``.

    ``screen_only`` says why the line mode lacks the action, unless a command of the line mode replaces it.
    """

    action: str
    keys: tuple[str, ...]
    help: str
    screen_only: str = ""
    group: str = ""


class Keymap(Value):
    """The bindings of one kind of screen, with help on the mouse (``mouse``) and on figures and marks (``legend``)."""

    name: str
    bindings: tuple[Binding, ...]
    mouse: "tuple[HelpLine, ...]" = ()
    legend: "tuple[HelpLine, ...]" = ()

    @cached_property
    def _actions(self) -> dict[str, str]:
        """The action of each key; the first one if a key has two."""
        return {key: binding.action for binding in reversed(self.bindings) for key in binding.keys}

    @cached_property
    def first_keys(self) -> dict[str, str]:
        """The first key of each action, as shown to the player, whose language stays the same from here on."""
        return {binding.action: shown(binding.keys[0]) for binding in reversed(self.bindings)}

    def keys_towards(self, verb: str = "") -> str:
        """Return the displayed first keys of an action in the four directions: ``Shift-arrows``."""
        return _joined([self.keys_of(f"{verb}{towards}")[0] for towards in ("left", "down", "up", "right")])

    def find_action(self, key: str) -> str | None:
        return self._actions.get(key)

    def key_of(self, action: str) -> str:
        """Return the displayed first key of an action; empty if the settings leave it no key."""
        return self.first_keys.get(action, "")

    def keys_of(self, action: str) -> tuple[str, ...]:
        return next(binding.keys for binding in self.bindings if binding.action == action)

    def typed(self, action: str, letter: str) -> str:
        """Return the displayed key of an action, followed by a letter: ``'a``, ``F5 a``."""
        key = self.key_of(action)
        return f"{key}{letter}" if len(key) == 1 else f"{key} {letter}"

    def hints(self, labels: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return pairs of displayed key and label for each action that has both; ``a/b`` joins two actions."""
        keys = self.first_keys
        return [
            (keys[action] if action in keys else " ".join(map(keys.__getitem__, action.split("/"))), label)
            for action, label in labels.items()
            if label and (action in keys or "/" in action)
        ]

    def has_action(self, action: str) -> bool:
        return action in self.first_keys

    def bound(self, bindings: Iterable[Binding]) -> "Keymap":
        return Keymap(self.name, tuple(bindings), self.mouse, self.legend)

    def only(self, name: str, actions: Container[str]) -> "Keymap":
        return Keymap(name, tuple(binding for binding in self.bindings if binding.action in actions))


class HelpLine(Value):
    keys: str
    text: str
    group: str = ""


def _grouped(*parts: str | Binding) -> tuple[Binding, ...]:
    """Return bindings with groups: a string is the heading for the bindings after it."""
    grouped, heading = list[Binding](), ""
    for part in parts:
        if isinstance(part, str):
            heading = part
        else:
            grouped.append(part if part.group else part._replace(group=heading))
    return tuple(grouped)


MOUSE = "Mouse"
"""Heading of the group of mouse actions."""

EVERYWHERE = _grouped(
    "View",
    Binding("theme", ("T",), "another theme", "nothing is drawn"),
    Binding("mouse", ("M",), "mouse on or off (off: the terminal selects text)", "nothing is drawn"),
    "Program",
    Binding("help", ("?", "f1"), "this help"),
    Binding("redraw", ("C-l",), "redraw the screen", "board prints the board again"),
    Binding("suspend", ("C-z",), "suspend (fg resumes)", "Ctrl-Z belongs to the terminal"),
    Binding("quit", ("q",), "save and quit"),
    Binding("interrupt", ("C-c",), "stop a search or replay; else save and quit"),
)
"""Bindings of every screen, except letters where letters are labels."""

CONTROL_ACTIONS = ("redraw", "suspend", "interrupt")
"""Actions of control keys, which also work while typing text."""

KEYPAD_ACTIONS = {"8": "up", "4": "left", "6": "right", "2": "down"}
"""Actions of digits that are neither bound nor text, as is usual for a keypad."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""The letters of labels."""

_LETTERS_ELSEWHERE = ("theme", "mouse", "quit")  # actions whose letters are labels in the planner


def _arrows(text: str, verb: str = "", *, letters: bool = True, screen_only: str = "") -> Iterator[Binding]:
    """Yield the bindings of the four directions: arrows and h j k l, with Shift if there is a verb."""
    for towards, letter in {"left": "h", "down": "j", "up": "k", "right": "l"}.items():
        keys = (f"S-{towards}", letter.upper()) if verb else (towards, letter)
        yield Binding(f"{verb}{towards}", keys if letters else keys[:1], text, screen_only)


_LINES_ARE_WHOLE = "nothing is open"
_DRAWN = "levels are drawn on a screen"

PLAY = Keymap(
    "play",
    _grouped(
        "Move",
        *_arrows("move, push"),
        *_arrows("run: walk or push until blocked", "run "),
        "Take back",
        Binding("undo", ("u", "backspace", "z"), "undo"),
        Binding("redo", ("C-r", "y"), "redo"),
        Binding("undo all", ("home",), "undo all"),
        Binding("redo all", ("end",), "redo all"),
        Binding("undo dead", ("U",), "back to the last position that is not dead"),
        Binding("restart", ("r",), "reset: back to the start (can be undone)"),
        Binding("bookmark", ("m",), "set a bookmark: type a letter"),
        Binding("to bookmark", ("'",), "go to a bookmark: type its letter"),
        "Think",
        Binding("plan", ("tab", "S-tab"), "push planner: choose a box, then a square"),
        Binding("plan goal", ("G",), "push planner: choose a goal, then a box for it"),
        Binding("plain", ("P",), "walk-to and push-to on or off in this pack"),
        Binding("hint", (".",), "hint: make one push of a solution"),
        Binding("solve", ("S",), "solve from here; during a search: watch it (Esc stops)"),
        Binding("replay", ("R",), "replay a solution: your best, one just found, or a known one"),
        Binding("improve", ("O",), "improve your solution of a solved level; again: stop"),
        Binding("reverse", ("B",), "reverse play: pull the boxes from the goals", _DRAWN),
        Binding("copy", ("Y",), "copy and show the moves, again: a link; daily and descent: the result"),
        "Go",
        Binding("next level", ("n", "pgdn"), "next level"),
        Binding("previous level", ("p", "pgup"), "previous level"),
        Binding("next unsolved", ("N",), "next unsolved level"),
        Binding("accept", ("enter",), "on a solved level: next unsolved"),
        Binding("go to level", ("g",), "go to a level by number"),
        Binding("browse", ("b",), "browse levels and packs"),
        Binding("collect", ("f",), "add a level to your favourites; again: take it out"),
        Binding("collect into", ("F",), "add this level, and later ones, to another of your packs"),
        Binding("edit", ("e",), "edit this level, draw a new one", _DRAWN),
        Binding("draw", ("E",), "edit this level, draw a new one", _DRAWN),
        Binding("statistics", ("i",), "statistics: days, packs, streaks"),
        Binding("letslogic", ("W",), "letslogic.com: compare this level, send your solution"),
        Binding("end run", ("X",), "end the descent (asks first)"),
        Binding("cancel", ("esc",), "cancel; never quits", _LINES_ARE_WHOLE),
        "View",
        Binding("zoom in", ("+", "="), "larger or smaller squares", "nothing is drawn"),
        Binding("zoom out", ("-",), "larger or smaller squares", "nothing is drawn"),
        Binding("turn view", ("t",), "rotate the view clockwise, mirror it", "nothing is drawn"),
        Binding("mirror view", ("x",), "rotate the view clockwise, mirror it", "nothing is drawn"),
        Binding("rulers", (":",), "rulers (row and column numbers) on or off", "nothing is drawn"),
        Binding("warnings", ("D",), "deadlock warnings on or off"),
        *EVERYWHERE,
    ),
    (
        HelpLine("click: floor", "walk there by the shortest path"),
        HelpLine("click: box", "its squares light up; then click one, or drag the box"),
        HelpLine("right click: goal", "the boxes that reach it light up"),
    ),
)

REPLAY = Keymap(
    "replay",
    _grouped(
        "Move",
        Binding("step back", ("left", "u"), "one move back"),
        Binding("step", ("right",), "one move forward"),
        Binding("push back", ("[",), "one push back"),
        Binding("push", ("]",), "one push forward"),
        Binding("first", ("home",), "to the start"),
        Binding("last", ("end",), "to the end"),
        Binding("jump", ("g",), "go to a move: type its number first"),
        "Speed",
        Binding("pause", ("space",), "play, pause"),
        Binding("faster", ("+", "up", "="), "faster", "a replay waits for your commands"),
        Binding("slower", ("-", "down"), "slower", "a replay waits for your commands"),
        "Think",
        Binding("replay", ("R",), "the next solution: just found, or known"),
        Binding("next stretch", ("n",), "next difference from another solution"),
        Binding("previous stretch", ("p",), "previous difference"),
        Binding("improve", ("O",), "improve this solution; again: stop"),
        Binding("watch", ("S",), "watch the search, or see its result", "a solution is announced when it is found"),
        Binding("copy", ("Y",), "copy and show the moves up to here"),
        "Go",
        Binding("take over", ("enter",), "take over from here; after a number: go to that move"),
        Binding("take over left", ("h",), "take over and move"),
        Binding("take over down", ("j",), "take over and move"),
        Binding("take over up", ("k",), "take over and move"),
        Binding("take over right", ("l",), "take over and move"),
        Binding("cancel", ("esc", "b"), "back to your own position"),
        *EVERYWHERE,
    ),
    (HelpLine("click wheel", "play, pause; one move back or forward"),),
)

IMPROVE = Keymap(
    "improve",
    _grouped(
        "Choose",
        Binding("up", ("up", "k"), "choose a line, or a square on the board"),
        Binding("down", ("down", "j"), "choose a line, or a square on the board"),
        Binding("left", ("left", "h"), "change the line, or choose a square on the board"),
        Binding("right", ("right", "l"), "change the line, or choose a square on the board"),
        Binding("switch", ("tab",), "switch between the choices and the board"),
        Binding("mark", ("space",), "box: keep its pushes; square: let no box be pushed there; again: undo"),
        Binding("take back", ("backspace",), "delete the last character of a typed range"),
        "Go",
        Binding("accept", ("enter",), "start; the solution is improved while you play"),
        Binding("cancel", ("esc", "O", "b"), "back, without starting"),
        *EVERYWHERE,
    ),
    (
        HelpLine("0-9 -", "type the range of moves that may change: 40-90, 40-, -90"),
        HelpLine("click", "like Space on that box or square"),
    ),
    (
        HelpLine("box lines", "runs of pushes in one direction"),
        HelpLine("box changes", "pushes of a different box than before"),
        HelpLine("pushing sessions", "runs of pushes without walking in between"),
    ),
)

SOLVER = Keymap(
    "solver",
    _grouped(
        "Go",
        Binding("accept", ("enter", "R"), "replay the best solution so far"),
        Binding("cancel", ("esc", "S", "b"), "back to the game; the search continues"),
        Binding("stop", ("x",), "stop the search"),
        Binding("copy", ("Y",), "copy and show the best solution so far"),
        *EVERYWHERE,
    ),
    legend=(
        HelpLine("astar", "finds the fewest pushes"),
        HelpLine("fess", "fills goals in a planned order"),
        HelpLine("backward", "pulls boxes from the goals"),
        HelpLine("greedy", "tries what looks closest"),
        HelpLine("one box", "tries every path of one box"),
        HelpLine("━━──", "progress of a strategy: boxes home, steps of its plan, pulls left"),
        HelpLine("▂▅▇", "its nodes per second over the last few seconds"),
        HelpLine("nodes", "positions expanded, and per second"),
        HelpLine("stored", "positions or moves stored, and the memory in use"),
        HelpLine("pushes", "depth of the search, and a lower bound on the solution"),
        HelpLine("bound", "lower bound on the pushes left from the best position"),
        HelpLine("home", "boxes on goals"),
        HelpLine("packed", "steps of the plan done: goals filled in its order"),
        HelpLine("regions", "areas into which the boxes divide the floor"),
        HelpLine("out of plan", "boxes that cannot reach any goal left in the plan"),
        HelpLine("hotspots", "boxes that block others from a goal"),
        HelpLine("unmatched", "steps of the plan that no box can carry out"),
        HelpLine("in the way", "boxes between the next goal of the plan and its box"),
        HelpLine("box moves", "to the best position; pushes of one box in a row count once"),
        HelpLine("shortened to", "pushes in the solution (or whatever is being minimized) while it is improved"),
        HelpLine("pulls left", "lower bound on the pulls left, from the goals back to the start"),
    ),
)

BROWSER = Keymap(
    "browser",
    _grouped(
        "Move",
        Binding("up", ("up", "k"), "up, down"),
        Binding("down", ("down", "j"), "up, down"),
        Binding("page up", ("pgup",), "a page up, down"),
        Binding("page down", ("pgdn",), "a page up, down"),
        Binding("first", ("home",), "first, last"),
        Binding("last", ("end",), "first, last"),
        "Go",
        Binding("accept", ("enter", "space"), "play"),
        Binding("open", ("right", "l"), "the levels of the pack; unfold a folder"),
        Binding("close", ("left", "h", "b"), "back to the packs; fold a folder"),
        Binding("next unsolved", ("N", "n"), "next unsolved"),
        Binding("statistics", ("i",), "statistics: days, packs, streaks"),
        Binding("letslogic", ("W",), "letslogic.com: collections to fetch"),
        Binding("cancel", ("esc",), "clear the search; back to the game", _LINES_ARE_WHOLE),
        "Find",
        Binding("search", ("/",), "filter: words, boxes:4, pushes<50, unique..."),
        Binding("series", ("p",), "play all levels that match the filter, one after another"),
        Binding("order", ("o",), "next sort order: easiest, unsolved, last played first..."),
        Binding("order back", ("O",), "previous sort order"),
        "Change",
        Binding("edit", ("e",), "edit a level, draw a new one", _DRAWN),
        Binding("draw", ("E",), "edit a level, draw a new one", _DRAWN),
        Binding("collect", ("f",), "add a level to your favourites; again: take it out"),
        Binding("collect into", ("F",), "add this level, and later ones, to another of your packs"),
        Binding("move up", ("S-up", "K"), "move a level in your pack up, down, to the start or end"),
        Binding("move down", ("S-down", "J"), "move a level in your pack up, down, to the start or end"),
        Binding("move first", ("S-home",), "move a level in your pack up, down, to the start or end"),
        Binding("move last", ("S-end",), "move a level in your pack up, down, to the start or end"),
        Binding("rename", ("r",), "rename one of your packs; for a level in it: title and note"),
        Binding("remove", ("x", "delete"), "remove one of your packs, or a level in it (asks first)"),
        *EVERYWHERE,
    ),
    (
        HelpLine("click", "choose; a second click plays"),
        HelpLine("right click", "the levels of the pack, back to the packs"),
        HelpLine("wheel", "a few lines up, down"),
    ),
    legend=(
        HelpLine("stars", "three for the fewest known pushes, two within 10%"),
        HelpLine("*", "pack: every level solved"),
        HelpLine("+", "solved only with help: a hint or a solution seen"),
        HelpLine("~", "started, not solved yet"),
        HelpLine("!", "cannot be read; for a pack: some of its levels"),
        HelpLine("♥", "in your favourites, or in the pack you last added to"),
    ),
)

PLANNER = Keymap(
    "push planner",
    _grouped(
        "Choose",
        Binding("label", tuple(LETTERS), "go to the box, square or goal with this label, upper or lower case"),
        *_arrows("to the nearest label in that direction", letters=False),
        Binding("first", ("home",), "first label, last label"),
        Binding("last", ("end",), "first label, last label"),
        Binding("next", ("tab",), "next box or goal"),
        Binding("previous", ("S-tab",), "previous box or goal"),
        Binding("take back", ("backspace",), "delete a typed letter", "edit the line before Enter"),
        Binding(
            "all letters", ("space",), "show letters instead of marks where only one fits", "each box has one name"
        ),
        "Go",
        Binding("accept", ("enter",), "choose the box or goal; push the box to the square"),
        Binding("cancel", ("esc",), "back one step, then to the game", _LINES_ARE_WHOLE),
        *(each for each in EVERYWHERE if each.action not in _LETTERS_ELSEWHERE),
    ),
    (
        HelpLine("click: square", "push the box there; on a box: choose it; elsewhere: leave"),
        HelpLine("right click: goal", "the boxes that reach it light up"),
    ),
)


EDITOR = Keymap(
    "editor",
    _grouped(
        "Move",
        *_arrows("move the cursor", screen_only=_DRAWN),
        "Draw",
        *_arrows("move and draw the same thing again", "draw ", screen_only=_DRAWN),
        Binding("wall", ("#",), "a wall; again: floor", _DRAWN),
        Binding("floor", ("space",), "empty floor", _DRAWN),
        Binding("box", ("$",), "a box; again: take it away", _DRAWN),
        Binding("goal", (".",), "a goal; again: take it away", _DRAWN),
        Binding("player", ("@",), "move the player here", _DRAWN),
        Binding("ice", ("~",), "ice, on which boxes slide; again: take it away", _DRAWN),
        Binding("color", ("o",), "next colour for the box or goal", _DRAWN),
        Binding("goal color", ("O",), "next colour for the goal, even under a box", _DRAWN),
        Binding("mark", ("m",), "mark a corner: what is drawn next fills the rectangle", _DRAWN),
        "Change",
        Binding("turn", ("t",), "rotate clockwise", _DRAWN),
        Binding("mirror", ("x",), "mirror left to right", _DRAWN),
        Binding("add row", ("r",), "insert a row here, remove this row", _DRAWN),
        Binding("remove row", ("R",), "insert a row here, remove this row", _DRAWN),
        Binding("add column", ("c",), "insert a column here, remove this column", _DRAWN),
        Binding("remove column", ("C",), "insert a column here, remove this column", _DRAWN),
        Binding("texts", ("i",), "title, author and comment", _DRAWN),
        "Take back",
        Binding("undo", ("u", "backspace", "z"), "undo", _DRAWN),
        Binding("redo", ("C-r", "y"), "redo", _DRAWN),
        "Go",
        Binding("to fault", ("tab",), "go to the problem", _DRAWN),
        Binding("accept", ("enter",), "play it; you can go on drawing later", _DRAWN),
        Binding("solve", ("S",), "play it and start the solver", _DRAWN),
        Binding("save", ("W",), "save it to one of your packs", _DRAWN),
        Binding("reverse", ("B",), "reverse play: pull the boxes from the goals to a starting position", _DRAWN),
        Binding("copy", ("Y",), "copy and show it as text; again: as a link", _DRAWN),
        Binding("cancel", ("esc", "b"), "drop the mark; leave the editor", _DRAWN),
        "View",
        Binding("zoom in", ("+", "="), "larger or smaller squares", _DRAWN),
        Binding("zoom out", ("-",), "larger or smaller squares", _DRAWN),
        *EVERYWHERE,
    ),
    (
        HelpLine("click", "draw the same thing again; if already there: take it away"),
        HelpLine("drag", "fill the rectangle"),
        HelpLine("right click", "floor"),
    ),
)


REVERSE = Keymap(
    "reverse play",
    _grouped(
        "Move",
        *_arrows("walk", screen_only=_DRAWN),
        *_arrows("step back and pull the box along", "pull ", screen_only=_DRAWN),
        Binding("next area", ("tab",), "before the first pull: go to the next area", _DRAWN),
        "Take back",
        Binding("undo", ("u", "backspace", "z"), "undo", _DRAWN),
        Binding("redo", ("C-r", "y"), "redo", _DRAWN),
        Binding("undo all", ("home",), "undo all", _DRAWN),
        Binding("redo all", ("end",), "redo all", _DRAWN),
        "Go",
        Binding("accept", ("enter",), "accept the solution; in the editor: the position", _DRAWN),
        Binding("cancel", ("esc", "B", "b"), "back", _DRAWN),
        "View",
        Binding("zoom in", ("+", "="), "larger or smaller squares", _DRAWN),
        Binding("zoom out", ("-",), "larger or smaller squares", _DRAWN),
        Binding("turn view", ("t",), "rotate the view clockwise, mirror it", _DRAWN),
        Binding("mirror view", ("x",), "rotate the view clockwise, mirror it", _DRAWN),
        Binding("rulers", (":",), "rulers (row and column numbers) on or off", _DRAWN),
        *EVERYWHERE,
    ),
    (HelpLine("click", "walk there; before the first pull: jump there"),),
    (
        HelpLine("goal", "starting square of a box: pull one onto each"),
        HelpLine("solution", "your moves in reverse, checked by the rules"),
    ),
)


class Keymaps(NamedTuple):
    play: Keymap
    replay: Keymap
    solver: Keymap
    browser: Keymap
    planner: Keymap
    improve: Keymap
    editor: Keymap
    reverse: Keymap


KEYMAPS = Keymaps(PLAY, REPLAY, SOLVER, BROWSER, PLANNER, IMPROVE, EDITOR, REVERSE)
"""The default keys, before any profile or settings."""

DIGITS = frozenset("0123456789")
"""The digit keys: ASCII only, not ``²`` or digits of other scripts."""

_WASD = {"left": "a", "down": "s", "up": "w", "right": "d"}


def with_wasd(keymaps: Keymaps) -> Keymaps:
    """Return the keymaps of the WASD profile: w a s d as arrows, except where letters are labels."""

    def also_wasd(binding: Binding) -> Binding:
        return binding._replace(keys=(*binding.keys, *(_WASD[key] for key in binding.keys if key in _WASD)))

    return Keymaps(
        *(each if each.has_action("label") else each.bound(map(also_wasd, each.bindings)) for each in keymaps)
    )


def without(keymaps: Keymaps, action: str) -> Keymaps:
    return Keymaps(*(each.bound(b for b in each.bindings if b.action != action) for each in keymaps))


_SHOWN = {
    "left": "Left", "right": "Right", "up": "Up", "down": "Down", "home": "Home", "end": "End", "pgup": "PgUp",
    "pgdn": "PgDn", "enter": "Enter", "esc": "Esc", "space": "Space", "backspace": "Backspace", "f1": "F1",
    "tab": "Tab", "insert": "Insert", "delete": "Delete", **{f"f{n}": f"F{n}" for n in range(1, 13)},
}  # fmt: skip


NAMED_KEYS = (*_SHOWN, *(f"S-{key}" for key in ("left", "right", "up", "down", "home", "end", "tab")))
"""Keys that are not characters, except those with Control."""

MODIFIERS = {"S-": "Shift-{key}", "C-": "Ctrl-{key}"}
"""Names of keys pressed with Shift or Control, by the prefix of such a key."""


def shown(key: str, say: Callable[[str, str], str] = pgettext) -> str:
    """Return the displayed name of a key; ``say`` translates it, given a context and a name."""
    if key[:2] in MODIFIERS and key[2:]:
        name = key[2:].upper() if key[0] == "C" else shown(key[2:], say)
        return say("key", MODIFIERS[key[:2]]).format(key=name)
    return say("key", _SHOWN[key]) if key in _SHOWN else key


def english(key: str) -> str:
    """Return the name of a key in English, as in the settings."""
    return shown(key, lambda __, name: name)


def key_shown_as(name: str) -> str:
    """Return the key with a displayed name; empty if the name matches no key or several.

    >>> [key_shown_as(shown(key)) for key in ("u", "S-left", "C-r", "f1")], key_shown_as("arrows")
    (['u', 'S-left', 'C-r', 'f1'], '')
    """
    named = (key for key in (*NAMED_KEYS, *(f"C-{letter}" for letter in LETTERS)) if shown(key) == name)
    return next(named, name if len(name) == 1 else "")


def help_lines(keymap: Keymap) -> list[HelpLine]:
    """Return the help of a screen by groups, with one line for all keys with the same effect; the mouse comes last."""
    groups: dict[str, dict[str, list[str]]] = {}
    for binding in keymap.bindings:
        groups.setdefault(binding.group, {}).setdefault(binding.help, []).extend(binding.keys)
    lines = [HelpLine(_joined(keys), text, group) for group, each in groups.items() for text, keys in each.items()]
    return lines + [line._replace(group=MOUSE) for line in keymap.mouse]


_ARROWS = {"left", "down", "up", "right"}


def _joined(keys: list[str]) -> str:
    """Return the displayed names of keys, with ``arrows`` for all four arrows and ``a-z`` for all letters."""
    names: list[str] = []
    if set(LETTERS) <= set(keys):
        names.append("a-z")
        keys = [key for key in keys if key not in LETTERS]
    for prefix, name in (("", _("arrows")), ("S-", _("Shift-arrows"))):
        arrows = {prefix + arrow for arrow in _ARROWS}
        if arrows <= set(keys):
            names.append(name)
            keys = [key for key in keys if key not in arrows]
    return " ".join(names + [shown(key) for key in keys])
