"""What was pasted: moves or levels, and what to say of it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sokoterm.app.catalog import Catalog
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.game import Stop
from sokoterm.engine.lurd import LurdError, parse_lurd
from sokoterm.engine.text import printable
from sokoterm.store.packs import PackError, PackFile, pack_from_bytes
from sokoterm.tui.screens.play import PlayScreen

NEITHER = "what was pasted is neither moves nor a level"
_NAME = "pasted"
# These are made in some two seconds; the longest known solution has 612,529.
_MOST_MOVES = 1_000_000
# Pasted packs of a session that are listed: the bytes of each are kept.
_MOST_LISTED = 20
_OF_MOVES = frozenset("lurdLURD()0123456789")
_LETTERS = frozenset("lurdLURD")


def is_of_moves(text: str) -> bool:
    """Whether there is nothing in a text but LURD, counts, groups and white space, and a letter among it."""
    found = set(text)
    return bool(found & _LETTERS) and all(each in _OF_MOVES or each.isspace() for each in found)


class Pasted(NamedTuple):
    """Levels that were pasted, and the number of the one to play."""

    file: PackFile
    pack_session: PackSession
    number: int


def open_pasted(data: bytes, files: Sequence[PackFile], open_pack_session: Callable[[PackFile], PackSession]) -> Pasted:
    """The levels in some bytes as a pack, the one among ``files`` if it is there; raises PackError for none."""
    last = next((file for file in reversed(files) if file.is_pasted), None)
    name = f"{_NAME} {int(last.name.removeprefix(_NAME) or 1) + 1}" if last is not None else _NAME
    file = pack_from_bytes(data, name)._replace(is_pasted=True)
    file = next((each for each in files if each.key == file.key), file)
    pack_session = open_pack_session(file)
    number = pack_session.start_number()
    if number is None:
        raise PackError(str(pack_session.pack.errors[0]))
    return Pasted(file, pack_session, number)


def list_pasted(file: PackFile, files: list[PackFile], catalog: Catalog) -> None:
    """List a pasted pack, if it is not there; where they are many, the oldest one goes for it."""
    if file in files:
        return
    files.append(file)
    pasted = [each for each in files if each.is_pasted]
    if len(pasted) > _MOST_LISTED:
        files.remove(pasted[0])
        if catalog.is_open:
            catalog.forget(pasted[0])


def paste_moves(play: PlayScreen, text: str) -> None:
    """Make pasted moves as one undo group, as far as they are possible; its message says how far that was."""
    play.interrupt()
    model = play.model
    try:
        steps = parse_lurd(text)
    except LurdError as error:
        play.message = f"pasted moves: {error}"
        return
    if len(steps) > _MOST_MOVES:
        play.message = f"pasted moves: {len(steps):,}, expected at most {_MOST_MOVES:,}"
        return
    stop = model.make_legal(steps)
    made = len(steps) if stop is None else stop.number - 1
    is_solved = stop is None and model.game.is_solved
    play.message = "" if is_solved else outcome_text(made, stop, play.keymap.key_of("undo"))


def on_one_line(text: str) -> str:
    """Text for a prompt: the white space around it left out, that in it as single blanks, nothing else to act on."""
    return printable(" ".join(text.split()))


def outcome_text(moves: int, stop: Stop | None, undo: str) -> str:
    """``pasted 17 moves; 18th, R: a wall``; ``undo`` is the key that takes them back.

    >>> from sokoterm.engine.bits import Direction
    >>> outcome_text(0, Stop(1, Direction.UP, "a wall"), "u")
    'pasted no moves; 1st, U: a wall'
    """
    made = f"pasted {moves or 'no'} move{'' if moves == 1 else 's'}"
    if stop is None:
        return f"{made}: {undo} takes {'it' if moves == 1 else 'them'} back"
    return f"{made}; {_ordinal(stop.number)}, {stop.direction.letter.upper()}: {stop.reason}"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
