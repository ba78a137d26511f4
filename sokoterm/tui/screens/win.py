"""The card of a win."""

from collections.abc import Iterable
from operator import itemgetter

from sokoterm.app.keymap import Keymap
from sokoterm.app.play import PlayModel
from sokoterm.engine.bits import Square, squares_of
from sokoterm.language import pgettext
from sokoterm.store.known_levels import MOST_STARS
from sokoterm.tui.widgets import parts
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import BoardPlace, Chrome
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import MARGIN, PLAIN, Area, CardText, Hints, Line
from sokoterm.tui.widgets.lettering import large
from sokoterm.wording.columns import folded, text_width
from sokoterm.wording.standing import FigureRow, Moment, WinWords

_STYLES = {
    Moment.PACK_DONE: styles.GOOD, Moment.RECORD: styles.GOOD, Moment.PERFECT: styles.GOOD,
    Moment.FEWEST_PUSHES: styles.GOOD, Moment.ALONE: styles.GOOD, Moment.HELPED: styles.TITLE,
}  # fmt: skip
_WIDEST, _BAR = 44, 20  # columns at which the next step is folded, and of the progress bar
_GAP = 2  # columns between a board and a card beside it, or two columns of a card


def _find_spot(card: parts.Card, within: Area, place: BoardPlace, kept: Iterable[Square]) -> tuple[int, Area] | None:
    """Return a card's best spot and how many of the visible squares ``kept`` it covers, None if it does not fit.

    It is below, beside or above the board if possible, else where it covers the fewest of these squares, then the least
    of the board.
    """
    height = len(card.lines) + 2
    width = max(*map(parts.line_width, card.lines), text_width(card.title) + 2) + 2 * MARGIN
    rows, columns = place.shown
    top, left = place.corner_of(rows.start, columns.start)
    bottom, right = place.corner_of(rows.stop, columns.stop)
    corners = filter(None, map(place.cell_of, kept))
    cells = [Area(*corner, place.size.rows, place.size.columns) for corner in corners]
    last_top, last_left = within.top + within.height - height, within.left + within.width - width
    middle, centre = (top + bottom - height) // 2, left + (right - left - width) // 2
    tops = [bottom + (bottom < last_top), middle, top - height, within.top, last_top]
    lefts = [centre, right + _GAP, left - _GAP - width, within.left, last_left]
    for cell in cells:
        tops += (cell.top + cell.height, cell.top - height)
        lefts += (cell.left + cell.width, cell.left - width)
    spots = [
        Area(each_top, each_left, height, width)
        for each_top in dict.fromkeys(tops)
        for each_left in dict.fromkeys(lefts)
        if within.top <= each_top <= last_top and within.left <= each_left <= last_left
    ]
    board = Area(top, left, bottom - top, right - left)
    rated = [(sum(_shared(spot, cell) > 0 for cell in cells), _shared(spot, board), spot) for spot in spots]
    covered, __, best = min(rated, key=itemgetter(0, 1), default=(0, 0, None))
    return (covered, best) if best is not None else None


def _shared(one: Area, other: Area) -> int:
    """Return the number of common cells of two areas."""
    rows = min(one.top + one.height, other.top + other.height) - max(one.top, other.top)
    columns = min(one.left + one.width, other.left + other.width) - max(one.left, other.left)
    return max(0, rows) * max(0, columns)


def draw_win(
    canvas: Canvas, chrome: Chrome, place: BoardPlace, model: PlayModel, keymap: Keymap, hints: Hints, *, is_new: bool
) -> parts.Card | None:
    """Draw the win's card: the largest that covers no box and not the player, else the one that covers fewest.

    ``is_new``: show the pack's progress from before the win. If there is a panel and every card covers something,
    return a card for it instead.
    """
    within, state = chrome.board, model.game.state
    kept = [state.player, *squares_of(state.boxes & model.level.board.floor)]
    cards = _cards(model, keymap, hints, within.width - 4, is_new=is_new)
    spots = [(spot, card) for card in cards if (spot := _find_spot(card, within, place, kept)) is not None]
    least = min((spot[0] for spot, __ in spots), default=1)
    if chrome.panel is not None and least:
        return _cards(model, keymap, (), chrome.panel.width - 4, is_new=is_new)[-1]
    for area, card in [(area, card) for (covered, area), card in spots if covered == least][:1]:
        canvas.draw_frame(area, card.title, card.style, style=card.style)
        canvas.draw_list(area.inside, card.lines)
    return None


def _cards(model: PlayModel, keymap: Keymap, hints: Hints, width: int, *, is_new: bool) -> list[parts.Card]:
    """Return the cards that fit a width, largest first; the last one also suits a panel."""
    assert model.win is not None
    win, words, blank = model.win, WinWords(model, model.win, keymap), parts.plain_lines([""])
    style, rows = _STYLES.get(words.moment, styles.ACCENT), words.rows
    if words.time:
        rows.append(FigureRow(pgettext("label of the time played", "time"), "", words.time))
    letters = parts.plain_lines(large(words.cheer) or [words.cheer], style)
    table = parts.figure_lines(rows, min(width, _WIDEST), styles.KEY)
    stars = [(*parts.star_line(win.stars, " "), CardText(f"  {words.beside_stars}"))]
    below = list[Line]()
    if words.progress is not None:
        levels, solved = words.progress[1], words.progress[0] - is_new
        below.append((*parts.gauge(solved, levels, _BAR), CardText(f" {solved}/{levels}", styles.QUIET)))
    for text, line_style in ((words.left, PLAIN), (words.following, styles.KEY)):
        below += parts.plain_lines(filter(None, folded(text, min(width, _WIDEST))), line_style)
    left = [*letters, *stars, *below]
    bodies = (
        [*letters, *blank, *_large_stars(win.stars, words.beside_stars), *blank, *table, *blank, *below, *blank,
         parts.key_row(tuple(hints), _WIDEST)],
        parts.beside((left, table), max(map(parts.line_width, left)) + _GAP),
        [*letters, *stars, *table, *below],
    )  # fmt: skip
    widths = [max(map(parts.line_width, lines)) for lines in bodies]
    contents = [parts.centred(lines, each) for lines, each in zip(bodies, widths) if each <= width]
    return [parts.Card(words.title, lines, style) for lines in [*contents, [*stars, *table, *below]]]


def _large_stars(stars: int, text: str) -> list[Line]:
    earned, missing = large("*" * stars), large("." * (MOST_STARS - stars))
    texts = ["", text, ""]
    return [
        (CardText(f"{one} ", styles.ACCENT), CardText(other, styles.QUIET), CardText(f" {told:{text_width(text)}}"))
        for one, other, told in zip(earned, missing, texts)
    ]
