"""The card of a win, and the panel beside the board of a wide window: the level, its figures and the keys."""

from collections.abc import Sequence

from sokoterm.app.keymap import Keymap
from sokoterm.app.play import PlayModel, Win, figures_of
from sokoterm.language import _, pgettext
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Area, Hints
from sokoterm.tui.widgets.frame import PLAIN, Canvas
from sokoterm.tui.widgets.parts import Card, Line, draw_list, draw_rule, figure_lines, key_lines, plain_lines
from sokoterm.wording.columns import clipped, folded
from sokoterm.wording.figures import clock_time
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.packs import words_of
from sokoterm.wording.standing import FigureRow, WinWords, figure_rows

_WIDEST_CARD = 36  # columns of what comes next on the card of a win; more is folded
_EDGE = 3  # columns of the line on the left of the panel, and of the room beside that
_MARGIN = 1  # columns left free on its right


def win_card(model: PlayModel, win: Win, keymap: Keymap, width: int | None = None) -> Card:
    """Return the card of a win; its table of figures is made to fit a ``width``."""
    words = WinWords(model, win, keymap)
    rows = words.rows
    if words.time:
        rows.append(FigureRow(pgettext("label of the time played", "time"), "", words.time))
    lines = figure_lines(rows, styles.KEY, width)
    for text, style in ((words.left, PLAIN), (words.following, styles.KEY)):
        lines += plain_lines(filter(None, folded(text, width or _WIDEST_CARD)), style)
    return Card(words.title, lines)


def draw_panel(
    canvas: Canvas,
    area: Area,
    model: PlayModel,
    keymap: Keymap,
    hints: Hints,
    told: str | Win | None,
    *,
    has_timer: bool,
    legend: Sequence[Line] = (),
) -> None:
    """Draw the level's name and below it a question, a win, or the level's comment and figures; keys at the bottom.

    A question may have a ``legend``.

    ``has_timer``: the player wants to see the time.
    """
    width = area.width - _EDGE - _MARGIN
    above, below = list[Line](), list[Sequence[Line]]()
    if isinstance(told, str):
        above, below = plain_lines(folded(told, width), styles.TITLE), [legend]
    elif told is not None:
        card = win_card(model, told, keymap, width)
        above = [*plain_lines(folded(card.title, width), styles.GOOD), *card.lines]
    else:
        figures = figures_of(model.pack_session, model.level)
        names = " ".join(sorted(model.game.bookmarks))
        more = [_("bookmarks: {names}", names=names)] if names else []
        more += [_("time {time}", time=clock_time(model.seconds))] if has_timer else []
        below = [figure_lines(figure_rows(figures, figures.best), width=width), plain_lines(more)]
    draw_rule(canvas, area._replace(width=1))
    keys = key_lines(hints, width)
    left, last = area.left + _EDGE, area.top + area.height - len(keys)
    draw_list(canvas, Area(last, left, len(keys), width), keys)
    blocks = [_title_lines(model, width), above, *below]
    if not isinstance(told, str):
        room = last - 1 - area.top - sum(len(block) + 1 for block in blocks if block)
        blocks.insert(2, _comment_lines(model, keymap.key_of("end run"), width, room))
    row = area.top
    for block in blocks:
        draw_list(canvas, Area(row, left, last - 1 - row, width), block)
        row += len(block) + bool(block)


def _title_lines(model: PlayModel, width: int) -> Sequence[Line]:
    words, level = words_of(model.pack_session), model.level
    author = words.author(level)
    parts = (
        (words.heading(level), styles.TITLE),
        (words.title_below_heading(level), styles.KEY),
        (_("by {author}", author=author) if author else "", styles.QUIET),
        (kind_text(level.board), styles.QUIET),
    )
    return [line for text, style in parts if text for line in plain_lines(folded(text, width), style)]


def _comment_lines(model: PlayModel, end_key: str, width: int, room: int) -> Sequence[Line]:
    """Return the comment of the level, cut to some lines with a blank one below it; ``end_key`` ends a run."""
    comment = words_of(model.pack_session).comment(model.level, end_key, is_solved=model.game.is_solved)
    lines = [part for line in comment for part in folded(line, width)]
    if len(lines) > room - 1:
        lines = lines[: max(0, room - 1)]
        lines[-1:] = [clipped(f"{line} ..", width) for line in lines[-1:]]
    return plain_lines(lines)
