"""The one table of commands that are given as lines, and the actions of the keymaps that they stand for.

A command is given by one of its words or by a letter: those that the keymap in force has for the same action.  So the
letters are those of the screens, also where a profile or the settings change them.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from sokoterm.app.keymap import PLAY, REPLAY, Keymap
from sokoterm.engine.bits import Direction


class Command(NamedTuple):
    """``words`` are what it is called, the first one in messages; ``usage`` shows what may follow.

    ``actions`` are those of keymaps that it stands for, as ``keymap: action``.
    """

    words: tuple[str, ...]
    usage: str
    help: str
    actions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.words[0]


class Given(NamedTuple):
    """A command with what followed it; ``action`` is that of the keymap, empty where it stands for none or several."""

    name: str
    action: str
    arguments: tuple[str, ...]


_NUMBERS = re.compile(r"(?<![0-9])-?[0-9]{1,6}")
_LONGEST_NUMBER = 6
COUNT = "a count from 1 on"
"""What is expected where something is to be done several times."""


class NumberError(ValueError):
    """What stands where a number is expected; the text says so in one line."""


def numbers_in(arguments: tuple[str, ...]) -> list[int]:
    """The numbers in what follows a command: ``4,7`` and ``row 4 column 7`` are the same."""
    return [int(number) for number in _NUMBERS.findall(" ".join(arguments))]


def number_in(arguments: tuple[str, ...], expected: str, *, least: int = 1, otherwise: int | None = None) -> int:
    """The one number that follows a command, ``otherwise`` where nothing does.

    Raises NumberError, which says what is ``expected``, for anything else and for less than ``least``.

    >>> number_in(("3",), COUNT)
    3
    """
    if not arguments and otherwise is not None:
        return otherwise
    found = " ".join(arguments)
    if found.isascii() and found.isdecimal() and len(found) <= _LONGEST_NUMBER and int(found) >= least:
        return int(found)
    raise NumberError(f"found {found or 'nothing'}, expected {expected}")


class Steps(NamedTuple):
    """A row of steps, typed as letters: the same in LURD, with counts."""

    lurd: str


class Unknown(NamedTuple):
    """What was not understood, in one line."""

    problem: str


DIRECTIONS_BY_NAME = {
    "left": Direction.LEFT, "down": Direction.DOWN, "up": Direction.UP, "right": Direction.RIGHT,
}  # fmt: skip

_LOOKING = (
    Command(
        ("board", "look"), "", "the board as a picture: letters are boxes, capitals those at home", ("play: redraw",)
    ),
    Command(("map",), "[N]", "the part of the board around you, N squares to each side, else 3"),
    Command(("where", "what"), "[BOX or ROW,COLUMN]", "where you are and what is around you; or a box, or a square"),
    Command(("boxes",), "", "each box, where it is, and whether at home"),
    Command(("goals",), "", "each goal, and which box it has"),
    Command(("difficulty",), "", "how hard the level is, and what that is made of: a second of work"),
    Command(("status",), "", "how many moves, pushes and boxes at home"),
    Command(("facts",), "", "what is known of the level: when it was solved, by whom, where else it stands"),
)
_ALWAYS = (
    Command(("more",), "", "go on with a list that was cut", ("browser: page down", "browser: down")),
    Command(("help",), "[COMMAND]", "the commands, or what one does", ("play: help", "push planner: help")),
    Command(
        ("quit", "exit", "bye"),
        "",
        "save and quit; so do Ctrl-C, unless it stops something, and the end of input",
        ("play: quit", "play: interrupt", "push planner: interrupt"),
    ),
)
_BROWSING = (
    Command(
        ("levels", "list"),
        "[N]",
        "the levels of the pack, from number N on",
        ("play: browse", "browser: open", "browser: first", "browser: last", "browser: up", "browser: page up"),
    ),
    Command(("packs",), "[N]", "all packs, from number N on", ("browser: close",)),
    Command(("pack", "open"), "N [LEVEL]", "play pack number N", ("browser: accept",)),
    Command(("daily",), "[DATE]", "play the level of today, or of a day: daily 2026-11-22"),
    Command(("descend",), "[SEED]", "play floor after floor: the open run, or that of a seed"),
    Command(("runs",), "", "all descents, the deepest first"),
    Command(("paste",), "", "take the lines that follow, up to one with a single dot, for moves or levels to play"),
    Command(("order",), "", "list levels and packs from the easiest on, or as they stand", ("browser: order",)),
    Command(("search", "find"), "TEXT", "packs and levels with these words in their names", ("browser: search",)),
)
LOOKS = frozenset(command.name for command in _LOOKING)
"""Commands that only look at what is shown, the play or a replay."""

_PLAYING = (
    Command(("left",), "[N]", "walk or push left, N times", ("play: left",)),
    Command(("right",), "[N]", "walk or push right", ("play: right",)),
    Command(("up",), "[N]", "walk or push up", ("play: up",)),
    Command(("down",), "[N]", "walk or push down", ("play: down",)),
    Command(
        ("run",),
        "DIRECTION",
        "walk or push until something is in the way",
        ("play: run left", "play: run down", "play: run up", "play: run right"),
    ),
    Command(
        ("moves", "lurd"),
        "[LURD]",
        "make moves written as l u r d, counts before them; alone: print yours",
        ("play: copy",),
    ),
    Command(("walk",), "to ROW,COLUMN", "walk there by the shortest way, without a push"),
    Command(
        ("push",),
        "[BOX to ROW,COLUMN, or BOX DIRECTION N]",
        "push a box there while the others stand still; alone: the boxes that can be pushed",
        (
            "play: plan",
            "push planner: label",
            "push planner: accept",
            "push planner: next",
            "push planner: previous",
            "push planner: left",
            "push planner: down",
            "push planner: up",
            "push planner: right",
            "push planner: first",
            "push planner: last",
        ),
    ),
    Command(("reach",), "BOX", "where a box can be pushed while the others stand still"),
    Command(("fill",), "ROW,COLUMN", "which boxes can be pushed to this goal", ("play: plan goal",)),
    Command(("undo",), "[N or all]", "take back the last command, or N, or all", ("play: undo", "play: undo all")),
    Command(("redo",), "[N or all]", "make again what was undone", ("play: redo", "play: redo all")),
    Command(("reset", "restart"), "", "back to the start; undo brings the moves back", ("play: restart",)),
    Command(("alive",), "", "back to the last position that is not known to be lost", ("play: undo dead",)),
    Command(("mark", "bookmark"), "LETTER", "remember this position under a letter", ("play: bookmark",)),
    Command(("return",), "LETTER", "go back to a bookmark; without a letter: which there are", ("play: to bookmark",)),
    Command(("solve",), "", "have the solver search from here; again: how far it is", ("play: solve",)),
    Command(("stop",), "", "stop the search", ("play: cancel", "solver: stop", "solver: cancel")),
    Command(("wait",), "", "wait until the search is over"),
    Command(("replay",), "", "step through your best, a found or a known solution", ("play: replay", "solver: accept")),
    Command(("next",), "", "next level", ("play: next level",)),
    Command(("previous",), "", "previous level", ("play: previous level",)),
    Command(("unsolved",), "", "next unsolved level", ("play: next unsolved", "browser: next unsolved")),
    Command(("enter",), "", "on a solved level: next unsolved; so does an empty line", ("play: accept",)),
    Command(("result",), "", "of a solved daily or of a descent: one line to show to others"),
    Command(("end run",), "yes", "end the run of a descent", ("play: end run",)),
    Command(("go", "level"), "N", "go to level N", ("play: go to level",)),
    *_BROWSING,
    Command(("warnings",), "[on or off]", "say when a position is lost", ("play: warnings",)),
    Command(("planner",), "", "walk, push, reach and fill off or on in this pack", ("play: plain",)),
    *_LOOKING,
    *_ALWAYS,
)
_REPLAYING = (
    Command(("next", "right", "forward"), "[N]", "N moves on", ("replay: step",)),
    Command(("back", "left"), "[N]", "N moves back", ("replay: step back",)),
    Command(("push",), "", "on to the next push", ("replay: push",)),
    Command(("unpush",), "", "back to the push before", ("replay: push back",)),
    Command(("first", "start"), "", "to the start", ("replay: first",)),
    Command(("last", "end"), "", "to the end", ("replay: last",)),
    Command(("move", "go"), "N", "to move N", ("replay: jump",)),
    Command(("play",), "[to N]", "tell all pushes to the end or to move N; Ctrl-C stops", ("replay: pause",)),
    Command(
        ("take over", "take"),
        "[DIRECTION]",
        "play on from here, with a move at once; so does an empty line",
        (
            "replay: take over",
            "replay: take over left",
            "replay: take over down",
            "replay: take over up",
            "replay: take over right",
        ),
    ),
    Command(("another", "replay"), "", "another solution: found meanwhile, or known", ("replay: replay",)),
    Command(("moves", "lurd"), "", "print the moves up to here", ("replay: copy",)),
    Command(("leave", "stop"), "", "back to your own position", ("replay: cancel",)),
    *_LOOKING,
    *_ALWAYS,
)


def _stands_for(commands: Iterable[Command], action: str) -> Command | None:
    return next((command for command in commands if action in command.actions), None)


def _completed(commands: tuple[Command, ...], keymap: Keymap) -> tuple[Command, ...]:
    """Return commands with one more for each action of a keymap that none stands for: its name is its word."""
    others = (
        Command((binding.action,), "", binding.help, (f"{keymap.name}: {binding.action}",))
        for binding in keymap.bindings
        if not binding.screen_only
        and not _stands_for(commands, f"{keymap.name}: {binding.action}")
        and not _stands_for(commands, f"{PLAY.name}: {binding.action}")
    )
    return (*commands, *others)


PLAY_COMMANDS = _completed(_PLAYING, PLAY)
REPLAY_COMMANDS = _completed(_REPLAYING, REPLAY)
PACKS_COMMANDS = (*_BROWSING, *_ALWAYS)
"""Those before a level is open."""

_FILLERS = ("to", "row", "column", "box", "goal", "level", "from", "and", "on")
_LURD = re.compile(r"[0-9()lurdLURD]+")


class Grammar:
    """What lines mean under one table, with the letters of a keymap."""

    def __init__(self, commands: tuple[Command, ...], keymap: Keymap, *, steps: Keymap | None = None) -> None:
        """``steps`` is the keymap by whose letters steps are made, if they are commands here."""
        self.commands = commands
        self._screen = keymap.name
        self._by_word = {word: command for command in commands for word in command.words}
        self._by_letter: dict[str, Given] = {}
        self._letters_of: dict[str, list[str]] = {}
        self._screen_only: dict[str, str] = {}
        for binding in keymap.bindings:
            letters = [key for key in binding.keys if len(key) == 1]
            command = _stands_for(commands, f"{keymap.name}: {binding.action}")
            command = command or _stands_for(commands, f"play: {binding.action}")
            if command is not None:
                self._by_letter.update((letter, Given(command.name, binding.action, ())) for letter in letters)
                self._letters_of.setdefault(command.name, []).extend(letters)
            elif binding.screen_only:
                why = f"{binding.action} does nothing here: {binding.screen_only}"
                self._screen_only.update((name, why) for name in (*letters, binding.action))
        self._steps = _step_letters(steps) if steps is not None else {}

    def read(self, line: str) -> Given | Steps | Unknown | None:
        """What a line means; None for an empty one."""
        tokens = line.split()
        if not tokens:
            return None
        return self._words(tokens) or self._letters(tokens) or Unknown(self._why_unknown(line.strip()))

    def _letters(self, tokens: list[str]) -> Given | Steps | None:
        """``u``, ``m a``, ``ma``, ``g5``, ``5l``, ``llk``: letters stand for what the keys do."""
        typed = "".join(tokens)
        if steps := self._read_steps(typed):
            return steps
        first, *rest = tokens
        given = self._by_letter.get(first)
        if given is None and len(first) > 1 and first.casefold() not in self._by_word:
            given = self._by_letter.get(first[0])
            takes = given is not None and (
                given.name in ("mark", "return") and len(first) == 2 or first[1:].isdecimal()
            )
            given, rest = (given, [first[1:], *rest]) if takes else (None, rest)
        return given._replace(arguments=_arguments(given.name, rest)) if given is not None else None

    def _read_steps(self, typed: str) -> Steps | None:
        letters = [letter for letter in typed if letter not in "0123456789"]
        if not letters or typed[-1] not in self._steps or any(letter not in self._steps for letter in letters):
            return None
        return Steps("".join(self._steps.get(letter, letter) for letter in typed))

    def _words(self, tokens: list[str]) -> Given | None:
        words = [token.casefold() for token in tokens]
        if words[0].isdecimal() and len(words) == 2:
            tokens, words = tokens[::-1], words[::-1]  # 3 left
        for length in range(min(3, len(words)), 0, -1):
            command = self._by_word.get(" ".join(words[:length]))
            if command is not None:
                return Given(command.name, self._action(command), _arguments(command.name, tokens[length:]))
        return None

    def _action(self, command: Command) -> str:
        """What a command stands for on the screen of this table; empty where that is nothing or several things."""
        found = [each.partition(": ")[2] for each in command.actions if each.startswith(f"{self._screen}: ")]
        return found[0] if len(found) == 1 else ""

    def _why_unknown(self, line: str) -> str:
        if line in self._screen_only:
            return self._screen_only[line]
        shown = line if len(line) <= 40 else f"{line[:37]}..."
        if self._steps and _LURD.fullmatch(line):
            return f"not understood: {shown}; moves in LURD stand behind a word: moves {shown}"
        return f"not understood: {shown}; help lists the commands"

    def help(self, word: str = "") -> list[str]:
        """A line for each command, or for the one that is called so."""
        if word in self._steps:
            return self._steps_help()
        if word:
            given = self._by_letter.get(word)
            command = self._by_word.get(given.name if given is not None else word.casefold())
            return [self._help_line(command)] if command is not None else [self._why_unknown(word)]
        return [*self._steps_help(), *map(self._help_line, self.commands)]

    def _steps_help(self) -> list[str]:
        if not self._steps:
            return []
        keys, last = " ".join(self._steps), [*self._steps][-1]
        return [
            f"{keys} are the keys that move, and {last}{last}{keys[0]} is a row of moves, 3{last} the same three times"
        ]

    def _help_line(self, command: Command) -> str:
        names = [*command.words, *self._letters_of.get(command.name, [])]
        usage = f" {command.usage}" if command.usage else ""
        return f"{', '.join(names)}{usage}: {command.help}"


def _step_letters(keymap: Keymap) -> dict[str, str]:
    """The letters of steps, each with that of LURD."""
    return {
        key: direction.letter
        for name, direction in DIRECTIONS_BY_NAME.items()
        for key in keymap.keys_of(name)
        if len(key) == 1
    }


def _arguments(name: str, tokens: list[str]) -> tuple[str, ...]:
    """What follows a command, without the words that only make it read well."""
    if name == "search":
        return tuple(tokens)
    kept = tuple(token for token in tokens if token.casefold() not in _FILLERS)
    return kept or tuple(tokens[-1:])
