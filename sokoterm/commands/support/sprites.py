"""Replays as PNG and GIF pictures, drawn with the sprites of a skin."""

from collections.abc import Iterator

from sokoterm.app.replay import Replay
from sokoterm.commands.support.output import InputError
from sokoterm.engine.bits import Square
from sokoterm.engine.level import Level
from sokoterm.language import _
from sokoterm.pictures.draw import BoardPainter, Thing, thing_on
from sokoterm.pictures.gif import gif
from sokoterm.pictures.png import Picture, png
from sokoterm.pictures.skins import Skin, SkinError, named
from sokoterm.store.settings import Settings
from sokoterm.tui.widgets.sights import Sights

_WIDE, _MOST_TIMES = 640, 3  # small boards are enlarged up to this width
_MOST_SQUARES = {"--png": 1 << 16, "--gif": 1 << 13}
_MOST_MOVES = 5000  # about 15 minutes at the default speed
_PICTURES_PER_SECOND = 50  # browsers slow down GIFs with more
_FIRST, _LAST = 100, 300  # hundredths of a second


def skin_of(settings: Settings) -> Skin:
    """Return the skin in the settings; raises InputError."""
    try:
        return named(settings.skin, dark=settings.palette != "light")
    except SkinError as error:
        raise InputError(str(error)) from None


def still_png(level: Level, lurd: str, skin: Skin, k: int) -> bytes:
    """Draw the position after ``k`` moves; raises LurdError, and InputError for a board that is too large."""
    playback = Replay(level, "", lurd)
    playback.show(k)
    times = _times(level, skin, "--png")
    return png(_picture(BoardPainter(level.board, skin), level, playback).enlarged(times))


def animated_gif(level: Level, lurd: str, skin: Skin, per_second: int) -> bytes:
    """Draw the moves in a loop; raises LurdError, and InputError for too large a board or too many moves."""
    playback = Replay(level, "", lurd)
    if playback.moves > _MOST_MOVES:
        n, most = playback.moves, _MOST_MOVES
        raise InputError(_("{flag}: too many moves ({n:,}; at most {most:,})", flag="--gif", n=n, most=most))
    times = _times(level, skin, "--gif")
    return gif(_frames(level, playback, skin, per_second), times)


def _frames(level: Level, playback: Replay, skin: Skin, per_second: int) -> Iterator[tuple[Picture, int]]:
    painter = BoardPainter(level.board, skin)
    step = -(-per_second // _PICTURES_PER_SECOND)
    for k, slides, left in playback.film(per_second, _PICTURES_PER_SECOND):
        hundredths = max(100 // _PICTURES_PER_SECOND, 100 * step // per_second // (slides + 1)) if k else _FIRST
        yield _picture(painter, level, playback), hundredths if left or k < playback.moves else _LAST


def _picture(painter: BoardPainter, level: Level, playback: Replay) -> Picture:
    things, sights = dict[Square, Thing](), Sights(level, playback.state)
    for square in sights.squares:
        sight = sights.at(square)
        if thing := thing_on(sight.cell, sight.box, sight.goal, playback.stance):
            things[square] = thing
    return painter.picture(things)


def _times(level: Level, skin: Skin, flag: str) -> int:
    """Return the factor by which pixels are enlarged."""
    n, most = level.board.width * level.board.height, _MOST_SQUARES[flag]
    if n > most:
        raise InputError(_("{flag}: too many squares ({n:,}; at most {most:,})", flag=flag, n=n, most=most))
    return max(1, min(_MOST_TIMES, _WIDE // (level.board.width * skin.size)))
