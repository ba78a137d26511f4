"""Table of line-mode commands, typed as a word or a key of their action, and the grammar that reads a line."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from sokoterm.app.keymap import DIGITS, PLAY, REPLAY, Binding, Keymap, by_place
from sokoterm.engine.bits import Direction
from sokoterm.formats.grammar import is_moves
from sokoterm.language import N_, _, labelled, listed


class Command(NamedTuple):
    """A command: ``words`` (first: its name), ``usage``, ``help`` (default: its first action's), and ``actions``."""

    words: tuple[str, ...]
    usage: str = ""
    help: str = ""
    actions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.words[0]


def _row(words: str, usage: str = "", help_text: str = "", *actions: str) -> Command:
    return Command(tuple(words.split(", ")), usage, help_text, actions)


Arguments = tuple[str, ...]


class Given(NamedTuple):
    """A command as typed; ``action`` is its action in the keymap, empty for none or several."""

    name: str
    action: str
    arguments: Arguments


_NUMBERS = re.compile(r"(?<![0-9])-?[0-9]{1,6}")
_LONGEST_NUMBER = 6
COUNT = N_("a count of at least 1")
"""Description of an expected number of repetitions."""


class ArgumentError(ValueError):
    """An invalid argument; the text is one line for the player."""


def numbers_in(arguments: Arguments) -> list[int]:
    """Return the numbers among arguments, which may be written ``4,7`` or ``row 4 column 7``."""
    return [int(number) for number in _NUMBERS.findall(" ".join(arguments))]


def number_in(arguments: Arguments, expected: str, *, least: int = 1, otherwise: int | None = None) -> int:
    """Return the only number among arguments, or ``otherwise`` without arguments.

    Raises ArgumentError, which names what is ``expected`` (a catalog text), for anything else or less than ``least``.

    >>> number_in(("3",), COUNT)
    3
    """
    if not arguments and otherwise is not None:
        return otherwise
    found = " ".join(arguments)
    if found.isascii() and found.isdecimal() and len(found) <= _LONGEST_NUMBER and int(found) >= least:
        return int(found)
    if not found:
        raise ArgumentError(_("type {expected}", expected=_(expected)))
    raise ArgumentError(_("found {found}, expected {expected}", found=found, expected=_(expected)))


DIRECTIONS_BY_NAME = {
    "left": Direction.LEFT, "down": Direction.DOWN, "up": Direction.UP, "right": Direction.RIGHT,
}  # fmt: skip

_LOOKING = (
    _row("board, look", "", N_("the board as a picture: letters are boxes, capitals are home"), "redraw"),
    _row("map", "[N]", N_("the board around you, N squares to each side (default: 3)")),
    _row("where, what", N_("[BOX or ROW,COLUMN]"), N_("where you are, or a box or square, and what surrounds it")),
    _row("boxes", "", N_("each box, its place, and whether it is home")),
    _row("goals", "", N_("each goal, and its box")),
    _row("difficulty", "", N_("how hard the level is, and why (takes a second)")),
    _row("status", "", N_("moves, pushes and boxes at home")),
    _row("facts", "", N_("the history of the level: when solved, by whom, which other packs have it")),
)
LOOKS = frozenset(command.name for command in _LOOKING)
"""Commands that only look at the game or replay."""

LISTS = ("packs", "runs", "search", "boxes", "goals")
"""Commands with answers that may be long, continued by ``more``."""

_QUIT = N_("save and quit; same as the end of input, or Ctrl-C when nothing is running")
_ALWAYS = (
    _row("more", "", N_("the rest of a long list")),
    _row("help", N_("[COMMAND]"), N_("all commands, or one"), "help"),
    _row("quit, exit, bye", "", _QUIT, "quit", "interrupt"),
)
_BROWSING = (
    _row("levels, list", "[N]", N_("the levels of the pack, from level N"), "browse"),
    _row("packs", "[N]", N_("the packs, from pack N")),
    _row("continue", "", N_("continue where you left off")),
    _row("pack, open", N_("N [LEVEL]"), N_("play pack number N")),
    _row("rename", N_("N NAME"), N_("rename pack number N of your library")),
    _row("remove", "N", N_("remove pack number N of your library; asks first")),
    _row("move level", N_("N to M"), N_("move level N of the pack in play, one of yours, to place M")),
    _row("take out", "N", N_("take level N out of the pack in play, one of yours; asks first")),
    _row("title", N_("N TEXT"), N_("give level N of the pack in play, one of yours, another title")),
    _row("note", N_("N TEXT"), N_("give level N another note; | starts a new line")),
    _row("daily", N_("[DATE]"), N_("play today's level, or that of a date: daily 2026-11-22")),
    _row("descend", N_("[SEED]"), N_("play a descent: the open run, or the run of a seed")),
    _row("runs", "", N_("all descents, the deepest first")),
    _row("statistics", "", "", "statistics"),
    _row(
        "letslogic",
        N_("[fetch N, submit, or submit yes]"),
        N_("list the collections of letslogic.com, fetch one, or send your solutions of this level"),
        "letslogic",
    ),
    _row("paste", "", N_("paste moves or levels as lines, up to a line with a single dot")),
    _row("order, sort", N_("[NAME]"), N_("sort lists by number, title, size, boxes, difficulty, played or unsolved")),
    _row(
        "search, find, filter",
        N_("TEXT"),
        N_("find packs and levels: words, boxes:4, unsolved, unique, pushes<50, author:skinner, hard>60"),
    ),
    _row("series", N_("QUERY"), N_("play all levels that a query finds, one after the other: series unsolved hard<50")),
)
_STOP = _row("stop", "", N_("stop the search or improvement"))
_WAIT = _row("wait", "", N_("wait until the search or improvement is over"))
_PLAYING = (
    _row("left", "[N]", N_("walk or push left, N times"), "left"),
    _row("right", "[N]", N_("walk or push right"), "right"),
    _row("up", "[N]", N_("walk or push up"), "up"),
    _row("down", "[N]", N_("walk or push down"), "down"),
    _row("run", N_("DIRECTION"), N_("walk or push until blocked"), "run left", "run down", "run up", "run right"),
    _row(
        "moves, lurd",
        N_("[LURD]"),
        N_("make moves written as l u r d, with counts; without moves: print yours"),
        "copy",
    ),
    _row("walk", N_("to ROW,COLUMN"), N_("walk there by the shortest path")),
    _row(
        "push",
        N_("[BOX to ROW,COLUMN, or BOX DIRECTION N]"),
        N_("push a box there, moving no other; without a box: list those you can push"),
        "plan",
    ),
    _row("reach", N_("BOX"), N_("the squares a box can be pushed to, moving no other")),
    _row("fill", N_("ROW,COLUMN"), N_("the boxes that can be pushed to this goal"), "plan goal"),
    _row("undo", N_("[N or all]"), N_("undo the last command, the last N, or all"), "undo", "undo all"),
    _row("redo", N_("[N or all]"), N_("make undone moves again"), "redo", "redo all"),
    _row("reset, restart", "", "", "restart"),
    _row("alive", "", "", "undo dead"),
    _row("mark, bookmark", N_("LETTER"), "", "bookmark"),
    _row("return", N_("LETTER"), N_("go back to a bookmark; without a letter: list them"), "to bookmark"),
    _row("solve", "", N_("start the solver from here, or print its progress"), "solve"),
    _STOP._replace(actions=("cancel",)),
    _WAIT,
    _row("replay", "", "", "replay"),
    _row(
        "improve",
        N_("[moves, pushes, lines, changes or sessions] [40-90] [keep BOX ...] [bar ROW,COLUMN ...] [alone]"),
        N_(
            "improve your solution in the background: fewest moves, or what you name; 40-90: change only these "
            "moves; keep: boxes that keep their pushes; bar: squares that no box may be pushed to; alone: without "
            "parts of other solutions"
        ),
        "improve",
    ),
    _row("next", "", "", "next level"),
    _row("previous", "", "", "previous level"),
    _row("unsolved", "", "", "next unsolved"),
    _row("enter", "", N_("on a solved level: next unsolved; same as an empty line"), "accept"),
    _row(
        "collect",
        N_("[NAME]"),
        N_("add the level to your favourites, or take it out; NAME: use this pack of yours from now on"),
        *("collect", "collect into"),
    ),
    _row("link", "[solution]", N_("a link to the level; link solution: to the level and your best solution")),
    _row("result", "", N_("the result of a daily or descent, as one line to share")),
    _row("end run", "", N_("end the run of a descent; asks first"), "end run"),
    _row("go, level", "N", "", "go to level"),
    _row("warnings", N_("[on or off]"), "", "warnings"),
    _row("planner", "", N_("turn walk, push, reach and fill off or on in this pack"), "plain"),
)
_REPLAYING = (
    _row("next, right, forward", "[N]", N_("N moves forward"), "step"),
    _row("back, left", "[N]", N_("N moves back"), "step back"),
    _row("push", "", "", "push"),
    _row("unpush", "", "", "push back"),
    _row("first, start", "", "", "first"),
    _row("last, end", "", "", "last"),
    _row("move, go", "N", N_("to move N"), "jump"),
    _row("play", N_("[to N]"), N_("read out the pushes to the end, or to move N; Ctrl-C stops"), "pause"),
    _row(
        "take over, take",
        N_("[DIRECTION]"),
        N_("play on from here, optionally with a first move; same as an empty line"),
        *("take over", "take over left", "take over down", "take over up", "take over right"),
    ),
    _row("another, replay", "", "", "replay"),
    _row(
        "parts",
        "",
        N_(
            "where this solution differs from another one, and what that saves; the letters go to the next or "
            "previous place"
        ),
        *("next stretch", "previous stretch"),
    ),
    _row(
        "improve",
        N_("as in play, [rest or start]"),
        N_("improve this solution in the background: all of it, the rest from here on, or its start up to here"),
        "improve",
    ),
    _row("moves, lurd", "", N_("print the moves up to here"), "copy"),
    _STOP,
    _WAIT,
    _row("leave", "", "", "cancel"),
)


def _stands_for(commands: Iterable[Command], action: str) -> Command | None:
    return next((command for command in commands if action in command.actions), None)


def _completed(own: tuple[Command, ...], shared: tuple[Command, ...], keymap: Keymap) -> tuple[Command, ...]:
    """Return all commands, with an additional one for each keymap action not covered, named after it."""
    others = (
        Command((binding.action,), actions=(binding.action,))
        for binding in keymap.bindings
        if not binding.screen_only and not _stands_for((*own, *shared), binding.action)
    )
    return (*own, *others, *shared)


PLAY_COMMANDS = _completed(_PLAYING, (*_BROWSING, *_LOOKING, *_ALWAYS), PLAY)
REPLAY_COMMANDS = _completed(_REPLAYING, (*_LOOKING, *_ALWAYS), REPLAY)
PACKS_COMMANDS = (*_BROWSING, *_ALWAYS)
"""The commands available before a level is open."""

_FILLERS = ("to", "row", "column", "box", "goal", "level", "from", "and", "on")


class Grammar:
    """Reader of lines for one table of commands and the letters of a keymap."""

    def __init__(self, commands: tuple[Command, ...], keymap: Keymap, *, keys_by_place: bool = True) -> None:
        """``keys_by_place``: Cyrillic letters that are no command count as the Latin ones on the same keys."""
        self._commands = commands
        self._bindings = keymap.bindings
        self._keys_by_place = keys_by_place
        self._by_word = {word: command for command in commands for word in command.words}
        self._by_letter = {
            letter: Given(command.name, binding.action, ())
            for binding in keymap.bindings
            if (command := _stands_for(commands, binding.action)) is not None
            for letter in _letters_of(binding)
        }
        # The letter of LURD for each key that steps.
        self._steps = {
            key: DIRECTIONS_BY_NAME[given.name].letter
            for key, given in self._by_letter.items()
            if given.name in DIRECTIONS_BY_NAME
        }

    def read(self, line: str) -> Given | str:
        """Return the command of a non-blank line, or else the reason why there is none, as one line for the player."""
        tokens = line.split()
        meant = self._words(tokens) or self._letters(tokens)
        if meant is None and self._keys_by_place and not line.isascii():
            placed = by_place(line).split()
            meant = self._words([placed[0], *tokens[1:]]) or self._letters(placed)
        return meant or self._why_unknown(line.strip())

    def _letters(self, tokens: list[str]) -> Given | None:
        """Read keys: ``u``, ``m a``, ``ma``, ``g5``; keys that step are ``moves``: ``5l``, ``llk``."""
        typed = "".join(tokens)
        if typed[-1] in self._steps and all(letter in self._steps or letter in DIGITS for letter in typed):
            return Given("moves", "", ("".join(self._steps.get(letter, letter) for letter in typed),))
        first, *rest = tokens
        given = self._by_letter.get(first)
        if given is None and len(first) > 1 and first.casefold() not in self._by_word:
            given, rest = self._by_letter.get(first[0]), [first[1:], *rest]
            takes_letter = given is not None and given.name in ("mark", "return") and len(first) == 2
            if not takes_letter and not first[1:].isdecimal():
                return None
        return given._replace(arguments=_arguments(given.name, rest)) if given is not None else None

    def _words(self, tokens: list[str]) -> Given | None:
        words = [token.casefold() for token in tokens]
        if words[0].isdecimal() and len(words) == 2:
            tokens, words = tokens[::-1], words[::-1]  # 3 left
        for length in range(min(3, len(words)), 0, -1):
            command = self._by_word.get(" ".join(words[:length]))
            if command is not None:
                action = command.actions[0] if len(command.actions) == 1 else ""
                return Given(command.name, action, _arguments(command.name, tokens[length:]))
        return None

    def _why_unknown(self, line: str) -> str:
        for binding in self._bindings:
            is_meant = line == binding.action or line in _letters_of(binding)
            if is_meant and binding.screen_only and _stands_for(self._commands, binding.action) is None:
                reason = _(binding.screen_only)
                return _("{action} does nothing here: {reason}", action=binding.action, reason=reason)
        shown = line if len(line) <= 40 else f"{line[:37]}..."
        if self._steps and is_moves(line):
            return _("unknown command: {command}; to make these moves, type: moves {command}", command=shown)
        return _("unknown command: {command}; help lists the commands", command=shown)

    def help(self, word: str = "") -> list[str]:
        """Return a line for each command, or for one given by word or letter."""
        steps = self._steps_help() if self._steps else []
        if not word:
            return [*steps, *map(self._help_line, self._commands)]
        if word in self._steps:
            return steps
        given = self._by_letter.get(word)
        command = self._by_word.get(given.name if given is not None else word.casefold())
        return [self._help_line(command) if command is not None else self._why_unknown(word)]

    def _steps_help(self) -> list[str]:
        keys, last = " ".join(self._steps), [*self._steps][-1]
        three, thrice = f"{last}{last}{keys[0]}", f"3{last}"
        told = N_("{keys} move you; {three} makes three moves, {thrice} the same move three times")
        return [_(told, keys=keys, three=three, thrice=thrice)]

    def _help_line(self, command: Command) -> str:
        bindings = [binding for binding in self._bindings if binding.action in command.actions]
        names = [*command.words, *(letter for binding in bindings for letter in _letters_of(binding))]
        usage = f" {_(command.usage)}" if command.usage else ""
        return labelled(f"{listed(names)}{usage}", _(command.help or bindings[0].help))


def _letters_of(binding: Binding) -> list[str]:
    return [key for key in binding.keys if len(key) == 1]


def _arguments(name: str, tokens: list[str]) -> Arguments:
    if name in ("search", "rename", "collect", "title", "note"):
        return tuple(tokens)
    kept = tuple(token for token in tokens if token.casefold() not in _FILLERS)
    return kept or tuple(tokens[-1:])
