"""Replays as recordings of a terminal (asciicast v2, https://docs.asciinema.org/manual/asciicast/v2/).

A recording is a JSON object on the first line, then an event on each: seconds, "o" for output, and the text written.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from sokoterm.app.options import Look
from sokoterm.app.replay import Replay
from sokoterm.commands.support.output import json_line
from sokoterm.engine.level import Level
from sokoterm.tui.screens.replay import draw_place, draw_replay, place_replay
from sokoterm.tui.widgets.board_view import Appearance, BoardPlace, Size
from sokoterm.tui.widgets.frame import Canvas, Frame, diff
from sokoterm.tui.widgets.sights import look_of
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import Palette, colors_of

FIRST_SECONDS = 1.0
"""The time for which the start is shown."""

_LAST_SECONDS = 2.0

_BEGIN = "\x1b[?25l\x1b[2J"  # hide the cursor, clear the screen
_PLAIN_ATTRIBUTES = "\x1b[m"
_END = "\x1b[?25h"
_PICTURES_PER_SECOND = 40  # more are not seen


class ReplayStyle(NamedTuple):
    """Look and speed of a replay: ``cell`` columns for a square (0: as many as fit), ``per_second`` moves a second."""

    theme: Theme
    cell: int
    color: bool
    per_second: int
    palette: Palette

    @property
    def looks(self) -> Mapping[str, Look]:
        """The looks of the theme, with or without colour."""
        return self.theme.looks.many if self.color else self.theme.looks.few


def asciicast(
    level: Level, lurd: str, title: str, style: ReplayStyle, size: Size, timestamp: int | None = None
) -> bytes:
    """Record moves on a terminal of some size; raises LurdError for moves that cannot be played.

    ``timestamp`` is the time of the recording in seconds since 1970; without it the same moves give the same bytes.
    """
    header: dict[str, object] = {"version": 2, "width": size.columns, "height": size.rows}
    if timestamp is not None:
        header["timestamp"] = timestamp
    header["title"] = title
    lines = [json_line(header)]
    lines += [json_line([round(seconds, 6), "o", data]) for seconds, data in _events(level, lurd, title, style, size)]
    return ("\n".join(lines) + "\n").encode("ascii")


def _events(level: Level, lurd: str, title: str, style: ReplayStyle, size: Size) -> Iterator[tuple[float, str]]:
    playback = Replay(level, "", lurd)
    place: BoardPlace | None = None
    appearance = Appearance(style.theme, style.cell, style.palette)
    before: Frame | None = None
    seconds = 0.0
    attributes = {name: _attributes(look, color=style.color) for name, look in style.looks.items()}

    def attributes_of(name: str) -> str:
        if name not in attributes:
            look = look_of(name, style.looks, style.palette)
            if look is None:
                front, back = map(style.palette.number, colors_of(name) or (" ", " "))
                look = Look(front, background=back)
            attributes[name] = _attributes(look, color=style.color)
        return attributes[name]

    step = max(1, -(-style.per_second // _PICTURES_PER_SECOND))
    for k in (*range(0, playback.moves, step), playback.moves):
        playback.glide(k)
        slides = min(playback.sliding, _PICTURES_PER_SECOND // style.per_second)
        while playback.sliding > slides:
            playback.glide_on()
        for left in range(slides, -1, -1):
            canvas, row = Canvas(*size), size.rows - 1
            place = place_replay(place, Size(row, size.columns), level, playback, appearance)
            cursor = draw_replay(canvas, place, level, playback, style.theme, title)
            draw_place(canvas, row, playback)
            frame = canvas.frame(cursor)
            seconds = FIRST_SECONDS + (k - 1 + (slides - left) / (slides + 1)) / style.per_second if k else 0.0
            yield seconds, ("" if before else _BEGIN) + _painted(before, frame, attributes_of)
            before = frame
            if left:
                playback.glide_on()
    yield seconds + _LAST_SECONDS, _END


def _painted(before: Frame | None, frame: Frame, attributes_of: Callable[[str], str]) -> str:
    """Return the output that changes a terminal from ``before`` (None: blank) to a frame, ending in plain style."""
    pieces: list[str] = []
    attributes, place = _PLAIN_ATTRIBUTES, (-1, -1)
    for span in diff(before, frame):
        if (span.row, span.column) != place:
            pieces.append(f"\x1b[{span.row + 1};{span.column + 1}H")
        if attributes != (attributes := attributes_of(span.style)):
            pieces.append(attributes)
        pieces.append(span.text)
        place = (span.row, span.column + len(span.text)) if span.text.isascii() else (-1, -1)
    return "".join([*pieces, "" if attributes == _PLAIN_ATTRIBUTES else _PLAIN_ATTRIBUTES])


def _attributes(look: Look, *, color: bool) -> str:
    """Return the escape sequence of a look after any other, in 256 colours (ECMA-48, SGR)."""
    flags = ((1, look.bold), (2, look.dim), (4, look.underline), (7, look.reverse))
    codes = [str(code) for code, is_on in flags if is_on]
    if color:
        codes += [f"{code};5;{n}" for code, n in ((38, look.color), (48, look.background)) if n >= 0]
    return f"\x1b[0;{';'.join(codes)}m" if codes else _PLAIN_ATTRIBUTES
