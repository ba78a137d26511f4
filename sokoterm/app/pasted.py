"""Packs of this session alone: pasted levels, and those that a query finds, to be played one after the other.

A level that was found notes the pack and number it comes from.  Solutions and open plays are its own, as they are kept
by level.  Pasted moves are made on the board.
"""

import re
from collections.abc import Callable, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.pack_session import PackSession
from sokoterm.app.play import PlayModel
from sokoterm.app.request import BadPaste, PastedMoves, TooManyPasted
from sokoterm.engine.bits import Direction
from sokoterm.engine.board import Board, State
from sokoterm.engine.game import MOST_MOVES
from sokoterm.engine.level import LevelError
from sokoterm.engine.lurd import LurdError
from sokoterm.engine.record import steps_of
from sokoterm.engine.text import printable
from sokoterm.engine.value import Value
from sokoterm.formats.text import has_board, has_nearly_moves, moves_in
from sokoterm.store.packs import PackError, PackFile, pack_from_bytes

MOST_PASTED = 1_000_000
"""The most bytes of a paste; a longer one is dropped. The longest known solution has 612,529 moves."""

_NAME = "pasted"
_NUMBERED = f"{_NAME}(?: ([0-9]{{1,9}}))?"
# Pasted packs of a session that are listed: the bytes of each are kept.
_MOST_LISTED = 20


def is_of_moves(text: str) -> bool:
    """True if pasted text is of moves, maybe with titles or a mistake, and not of levels."""
    if has_board(text):
        return False
    try:
        return any(map(str.isalpha, moves_in(text)))
    except LevelError as error:
        return not error.character or "#" not in text and has_nearly_moves(text)


def steps_in(text: str, board: Board, state: State) -> list[Direction]:
    """Return the steps that moves in a text are from a position; raises LevelError and LurdError."""
    return steps_of(board, state, moves_in(text))


class Pasted(Value):
    """Pasted levels, and the number of the one to play."""

    file: PackFile
    pack_session: PackSession
    number: int


def open_pasted(data: bytes, files: Sequence[PackFile], open_pack_session: Callable[[PackFile], PackSession]) -> Pasted:
    """Open the levels in some bytes as a pack, the same one if ``files`` has it; raises PackError for no level."""
    numbers = [match[1] for file in files if file.is_pasted and (match := re.fullmatch(_NUMBERED, file.name))]
    name = f"{_NAME} {int(numbers[-1] or 1) + 1}" if numbers else _NAME
    file = pack_from_bytes(data, name)._replace(is_pasted=True)
    file = next((each for each in files if each.key == file.key), file)
    pack_session = open_pack_session(file)
    number = pack_session.start_number()
    if number is None:
        raise PackError(str(pack_session.pack.errors[0]))
    return Pasted(file, pack_session, number)


def list_pasted(file: PackFile, files: list[PackFile], catalog: Catalog) -> None:
    """Add a pasted pack to the list unless it is there; if there are many, the oldest one goes."""
    if file in files:
        return
    files.append(file)
    pasted = [each for each in files if each.is_pasted]
    if len(pasted) > _MOST_LISTED:
        files.remove(pasted[0])
        if catalog.is_open:
            catalog.forget(pasted[0])


def paste_moves(play: PlayModel, text: str) -> PastedMoves | TooManyPasted | BadPaste | None:
    """Make pasted moves as one undo group, as far as they are possible; return None if they solve the level."""
    try:
        steps = steps_in(text, play.level.board, play.game.state)
    except (LevelError, LurdError) as error:
        return BadPaste(str(error))
    if len(steps) > MOST_MOVES:
        return TooManyPasted(len(steps), MOST_MOVES)
    stop = play.make_legal(steps)
    if stop is None and play.game.is_solved:
        return None
    return PastedMoves(len(steps) if stop is None else stop.number - 1, stop)


def on_one_line(text: str) -> str:
    """Return text for a prompt: white space stripped and folded to single blanks, nothing for a terminal to act on."""
    return printable(" ".join(text.split()))
