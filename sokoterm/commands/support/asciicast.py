"""A replay as a recording of a terminal: asciicast v2, which asciinema plays
(https://docs.asciinema.org/manual/asciicast/v2/).

The first line is a JSON object, each of the others an event: seconds, "o" for output, and what is written.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sokoterm.app.options import Look
from sokoterm.app.replay import Replay
from sokoterm.commands.support.output import json_line
from sokoterm.engine.level import Level
from sokoterm.tui.screens.replay import draw_place, draw_replay, scroll_replay
from sokoterm.tui.widgets.board_view import Appearance, Origin, Size
from sokoterm.tui.widgets.frame import Canvas, Frame, diff

_BEGIN = "\x1b[?25l\x1b[2J"  # the cursor hidden, and a clear screen
_PLAIN_ATTRIBUTES = "\x1b[m"
_END = "\x1b[?25h"
_FIRST_SECONDS = 1.0  # how long the start is shown
_LAST_SECONDS = 2.0
_PICTURES_PER_SECOND = 40  # more are not seen


class CastStyle(NamedTuple):
    """How moves are recorded: on a terminal of which size, drawn how, at how many moves a second.

    ``timestamp`` is when it was made, in seconds since 1970; without it the same moves make the same bytes.
    """

    size: Size
    appearance: Appearance
    color: bool
    per_second: int
    timestamp: int | None = None


def asciicast(level: Level, lurd: str, title: str, style: CastStyle) -> bytes:
    """The whole file; raises LurdError for moves that cannot be played."""
    header: dict[str, object] = {"version": 2, "width": style.size.columns, "height": style.size.rows}
    if style.timestamp is not None:
        header["timestamp"] = style.timestamp
    header["title"] = title
    lines = [json_line(header)]
    lines += [json_line([round(seconds, 6), "o", data]) for seconds, data in _events(level, lurd, title, style)]
    return ("\n".join(lines) + "\n").encode("ascii")


def _events(level: Level, lurd: str, title: str, style: CastStyle) -> Iterator[tuple[float, str]]:
    playback = Replay(level, "", lurd)
    origin = Origin(0, 0)
    before: Frame | None = None
    seconds = 0.0
    looks = style.appearance.theme.looks
    attributes = {
        name: _attributes(look, color=style.color) for name, look in (looks.many if style.color else looks.few).items()
    }
    step = max(1, -(-style.per_second // _PICTURES_PER_SECOND))
    for k in (*range(0, playback.moves, step), playback.moves):
        playback.show(k)
        canvas, row = Canvas(*style.size), style.size.rows - 1
        origin = scroll_replay(origin, Size(row, style.size.columns), level, playback, style.appearance)
        cursor = draw_replay(canvas, row, level, playback, origin, style.appearance, title)
        draw_place(canvas, row, playback)
        frame = canvas.frame(cursor)
        seconds = _FIRST_SECONDS + (k - 1) / style.per_second if k else 0.0
        yield seconds, ("" if before else _BEGIN) + painted(before, frame, attributes)
        before = frame
    yield seconds + _LAST_SECONDS, _END


def painted(before: Frame | None, frame: Frame, attributes_of: Mapping[str, str]) -> str:
    """What makes a terminal that shows ``before`` (None: nothing) show the frame, in the plain style in the end."""
    pieces: list[str] = []
    attributes, place = _PLAIN_ATTRIBUTES, (-1, -1)
    for span in diff(before, frame):
        if (span.row, span.column) != place:
            pieces.append(f"\x1b[{span.row + 1};{span.column + 1}H")
        if attributes != (attributes := attributes_of.get(span.style, _PLAIN_ATTRIBUTES)):
            pieces.append(attributes)
        pieces.append(span.text)
        place = (span.row, span.column + len(span.text)) if span.text.isascii() else (-1, -1)
    return "".join([*pieces, "" if attributes == _PLAIN_ATTRIBUTES else _PLAIN_ATTRIBUTES])


def _attributes(look: Look, *, color: bool) -> str:
    """The sequence for a look, from the plain one on, in 256 colours (ECMA-48, SGR)."""
    flags = ((1, look.bold), (2, look.dim), (4, look.underline), (7, look.reverse))
    codes = [str(code) for code, is_on in flags if is_on]
    if color:
        codes += [f"{code};5;{n}" for code, n in ((38, look.color), (48, look.background)) if n >= 0]
    return f"\x1b[0;{';'.join(codes)}m" if codes else _PLAIN_ATTRIBUTES
