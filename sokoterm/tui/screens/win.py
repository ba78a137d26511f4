"""The card of a win."""

from collections.abc import Sequence

from sokoterm.app.keymap import Keymap
from sokoterm.app.play import Moment, PlayModel, Win
from sokoterm.engine.bits import Square
from sokoterm.language import pgettext
from sokoterm.store.known_levels import MOST_STARS
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import Area, BoardPlace, Hints
from sokoterm.tui.widgets.frame import PLAIN, Canvas
from sokoterm.tui.widgets.lettering import large
from sokoterm.tui.widgets.parts import (
    Card,
    CardText,
    Line,
    centred,
    figure_lines,
    gauge,
    key_row,
    line_width,
    plain_lines,
)
from sokoterm.wording.columns import folded, text_width
from sokoterm.wording.standing import FigureRow, WinWords

_STYLES = {
    Moment.PACK_DONE: styles.GOOD, Moment.RECORD: styles.GOOD, Moment.PERFECT: styles.GOOD,
    Moment.FEWEST_PUSHES: styles.GOOD, Moment.ALONE: styles.GOOD, Moment.HELPED: styles.TITLE,
}  # fmt: skip
_WIDEST = 44  # columns of what comes next; more is folded
_BAR = 20  # columns of the progress of the pack


def star_text(stars: int) -> Line:
    return CardText("*" * stars, styles.ACCENT), CardText("." * (MOST_STARS - stars), styles.QUIET)


_LARGE_STARS = [*zip(large("*"), large("."), strict=True)]


def win_cards(
    model: PlayModel, win: Win, keymap: Keymap, hints: Hints, width: int, *, is_before: bool = False
) -> list[Card]:
    """Return the cards of a win that have room in a width, the largest first, the last one for a panel.

    ``hints`` are keys for the largest.  ``is_before``: the progress of the pack is that of before the win.
    """
    words, blank = WinWords(model, win, keymap), plain_lines([""])
    style, rows = _STYLES.get(words.moment, styles.ACCENT), words.rows
    if words.time:
        rows.append(FigureRow(pgettext("label of the time played", "time"), "", words.time))
    letters = plain_lines(large(words.cheer) or [words.cheer], style)
    table, told = figure_lines(rows, styles.KEY, min(width, _WIDEST)), words.beside_stars
    stars = [(*star_text(win.stars), CardText(f"  {told}"))] if win.stars else plain_lines([told])
    large_stars = _large_stars(win.stars, told) if win.stars else stars
    below = list[Line]()
    if words.progress is not None:
        solved, levels = words.progress
        shown = solved - (is_before and win.before is None)
        below.append((*gauge(shown, levels, _BAR, style=style), CardText(f" {shown}/{levels}", styles.QUIET)))
    for text, line_style in ((words.left, PLAIN), (words.following, styles.KEY)):
        below += plain_lines(filter(None, folded(text, min(width, _WIDEST))), line_style)
    keys = [key_row(tuple(hints), _WIDEST)]
    blocks = (
        [*letters, *blank, *large_stars, *blank, *table, *blank, *below, *blank, *keys],
        [*letters, *blank, *stars, *blank, *table, *blank, *below],
        [*letters, *stars, *table, *below],
        [*stars, *table, *below],
    )
    widths = (max(map(line_width, lines)) for lines in blocks)
    return [
        Card(words.title, centred(lines, each) if lines is not blocks[-1] else lines, style)
        for lines, each in zip(blocks, widths)
        if each <= width or lines is blocks[-1]
    ]


def _large_stars(stars: int, text: str) -> list[Line]:
    """Return stars of three lines with a text beside them."""
    lines = list[Line]()
    for row, (star, missing) in enumerate(_LARGE_STARS):
        cells = [CardText(f"{star}  ", styles.ACCENT)] * stars + [CardText(f"{missing}  ", styles.QUIET)] * (
            MOST_STARS - stars
        )
        lines.append((*cells, CardText(f" {text if row == 1 else ' ' * text_width(text)}")))
    return lines


def draw_win(
    canvas: Canvas, within: Area, place: BoardPlace, cards: Sequence[Card], kept: Sequence[Square], *, may_cover: bool
) -> bool:
    """Draw the largest of some cards that covers none of the squares ``kept``; return True if one was drawn.

    ``may_cover``: where all of them do, that which covers the fewest.
    """
    spots = [(spot, card) for card in cards if (spot := card.spot(within, place, kept)) is not None]
    least = min((spot[0] for spot, __ in spots), default=0)
    for (covered, area), card in spots:
        if covered == least and (may_cover or not covered):
            card.draw(canvas, area)
            return True
    return False
