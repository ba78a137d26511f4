"""The play screen: its picture, header, status line and footer, the card of a win, and the panel of a wide window."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from sokoterm.app.keymap import KEYMAPS, Keymap, Keymaps, shown
from sokoterm.app.play import LevelFigures, PlayModel, Win, figures_of
from sokoterm.app.request import Improved, Note
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.rules import boxes_home
from sokoterm.language import N_, _, in_clauses, number, pgettext
from sokoterm.store.solutions import Best, Summary
from sokoterm.tui.screens.play import Play
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    Chrome,
    Hints,
    Size,
    SquareSize,
    draw_board,
    place_board,
    place_chrome,
    put_square,
    text_tile,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.tui.widgets.parts import Card, CardText, Line, draw_keys, draw_line, draw_title, figure_lines, place_card
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import HINTED, LIT, paint
from sokoterm.wording.columns import clipped, cut_at_a_word, folded, padded, text_width
from sokoterm.wording.figures import clock_time, moves_and_pushes
from sokoterm.wording.improvement import improvement_elsewhere, improvement_text
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.outcomes import deadlock_reason, phrase, progress
from sokoterm.wording.packs import solved_text, words_of
from sokoterm.wording.standing import FigureRow, WinWords, figure_rows

_MANY = 9999  # moves and pushes up to here leave what stands beside them where it is
_USUAL_COLUMNS = 80  # those of the usual window
_WIDEST_CARD = 36  # columns of what comes next on the card of a win; more is folded
_EDGE = 3  # columns of the line on the left of the panel, and of the room beside that
_MARGIN = 1  # columns left free on its right
_GAP = 2  # least columns between two keys in it
_ROOMY = 60  # columns from which the message has room beside the counters
# Translators: the labels of keys below the board; a line of 80 columns has room for most of them if they are short.
_FOOTER = {
    "undo": N_("undo"), "restart": N_("reset"), "hint": N_("hint"), "solve": N_("solve"), "plan": N_("plan"),
    "browse": N_("list"), "help": N_("help"), "quit": N_("quit"),
}  # fmt: skip
_SEARCHING_FOOTER = {
    "undo": N_("undo"), "solve": N_("watch"), "cancel": N_("stop"), "plan": N_("plan"), "browse": N_("list"),
    "help": N_("help"), "quit": N_("quit"),
}  # fmt: skip
_IMPROVING_FOOTER = {
    "undo": N_("undo"), "restart": N_("reset"), "replay": N_("replay"), "improve": N_("stop"), "plan": N_("plan"),
    "browse": N_("list"), "help": N_("help"), "quit": N_("quit"),
}  # fmt: skip
_SOLVED_FOOTER = {
    "undo": N_("undo"), "replay": N_("replay"), "improve": N_("improve"), "restart": N_("reset"),
    "browse": N_("list"), "help": N_("help"), "quit": N_("quit"),
}  # fmt: skip
_SHARING_FOOTER = {
    "undo": N_("undo"), "replay": N_("replay"), "copy": N_("share"), "restart": N_("reset"), "browse": N_("list"),
    "help": N_("help"), "quit": N_("quit"),
}  # fmt: skip


class _Status(NamedTuple):
    """The text beside the counters, with the ``key`` that stays in it in a narrow window.

    ``alone`` is the text where it hides the keys, if that is another.  ``is_brief``: it goes with the next key.
    """

    text: str
    style: str = PLAIN
    key: str = ""
    alone: str = ""
    is_brief: bool = False


class PlayScreen(Play):
    """The board of a level in play with its picture."""

    def __init__(
        self,
        model: PlayModel,
        keymaps: Keymaps = KEYMAPS,
        *,
        per_second: int = 0,
        has_timer: bool = False,
        improving_elsewhere: Callable[[], Improved | None] = lambda: None,
    ) -> None:
        """``per_second`` is the speed at which moves are shown, 0 for not at all.

        ``has_timer``: the panel of a wide window shows the time played.  ``improving_elsewhere`` returns the
        improvement of another level that is under way.
        """
        super().__init__(model, keymaps, per_second)
        self.improving_elsewhere = improving_elsewhere
        self._has_timer = has_timer
        self._figures: LevelFigures | None = None
        self.chrome: Chrome | None = None
        self.remark = self.header = ""
        self._named: str | None = None
        # What the chrome depends on, and the size of squares in it.
        self._laid_out: tuple[Size, Appearance, bool] | None = None
        self._square = SquareSize(1, 1)
        self.columns = _counter_columns()

    def fit(self, size: Size, appearance: Appearance) -> None:
        board = self.model.level.board
        self.remark = self.comment
        if self.model.pack_session.name != self._named:  # at first, and when the pack has been renamed
            self._named, self.header = self.model.pack_session.name, header(self)
        asked = size, appearance, bool(self.remark)
        if self.chrome is None or asked != self._laid_out:
            self._laid_out = asked
            self.chrome, self._square = place_chrome(size, board, appearance, has_comment=bool(self.remark))
        self._figures = figures_of(self.model.pack_session, self.model.level) if self.chrome.panel is not None else None
        self.place = place_board(
            board, (self.shown or self.game).state.player, self.chrome.board, self._square, self.place, appearance.view
        )

    def view(self, size: Size, appearance: Appearance) -> Frame:
        return view_play(self, size, appearance)

    def draw_panel(self, canvas: Canvas, area: Area, appearance: Appearance, hints: Hints, question: str = "") -> None:
        """Draw the panel of a wide window: the level, its figures or a question about it, and keys."""
        end_key = self.keymap.key_of("end run")
        panel = SidePanel(canvas, area, self.model, hints, appearance.theme, end_key=end_key, has_timer=self._has_timer)
        if question:
            panel.put_question(question)
        elif (win := self.win) is not None:
            panel.put_win(win_card(self.model, win, self.keymap, appearance, panel.width))
        elif self._figures is not None:
            panel.put_level(self._figures)


def view_play(play: PlayScreen, size: Size, appearance: Appearance) -> Frame:
    """Draw header, the comment's first line, the board, the status line and the keys that matter now."""
    canvas = Canvas(*size)
    level, now, comment = play.model.level, play.shown or play.game, play.remark
    deadlock = None if play.shown else play.model.deadlock
    dead = deadlock.boxes if deadlock else 0
    place, chrome = play.place, play.chrome
    assert place is not None and chrome is not None  # noqa: PT018 - see ``fit``
    cursor = draw_board(canvas, place, level, now.state, appearance.theme, dead, now.facing)
    if play.is_lit:
        home = squares_of(boxes_home(level.board, now.state))
        _draw_boxes(canvas, play, now.state, home, appearance.theme, LIT, styles.CHOSEN)
    hinted = play.model.hinted if play.shown is None and not dead else None
    if hinted is not None:
        _draw_boxes(canvas, play, now.state, [hinted], appearance.theme, HINTED, styles.PICKED)
    if chrome.header >= 0:
        draw_title(canvas, play.header, chrome.header)
    if chrome.comment >= 0:
        canvas.put(chrome.comment, 0, cut_at_a_word(comment, size.columns), styles.QUIET)
    moves, pushes = _counters(now.moves, now.pushes)
    if size.columns >= _ROOMY:
        moves = padded(moves, play.columns[0] - 1)
    counters = f"{moves} {pushes}"
    width = text_width(counters)
    canvas.put(chrome.status, 0, counters if width <= size.columns else f"{now.moves}/{now.pushes}")
    if chrome.footer >= 0:
        draw_keys(canvas, chrome.footer, footer(play))
    elif chrome.panel is not None:
        play.draw_panel(canvas, chrome.panel, appearance, _panel_hints(play))
    elif size.columns < _ROOMY:
        aid = _aid(play)
        column = size.columns - text_width(" ".join(aid))
        if width + 2 <= column:
            draw_keys(canvas, chrome.status, [aid], column)
    _draw_status_message(canvas, play, chrome, comment)
    if chrome.panel is None and (win := play.win) is not None:
        _draw_card(canvas, play, win, chrome.board, appearance)
    return canvas.frame(cursor)


def _counters(moves: int, pushes: int) -> tuple[str, str]:
    """Return ``moves 12`` and ``pushes 3``."""
    # Translators: the counters below the board, as in "moves 12      pushes 3"; better at most 11 columns.
    return _("moves {number}", number=moves), _("pushes {number}", number=pushes)


def _counter_columns() -> tuple[int, int]:
    """Return the columns of the pushes and of the message beside the counters, which stand still."""
    moves, pushes = map(text_width, _counters(_MANY, _MANY))
    return moves + 3, moves + 3 + pushes + 2


def _message_columns() -> int:
    """Return the columns for the message beside the counters in the usual window."""
    return _USUAL_COLUMNS - _counter_columns()[1]


def _aid(play: Play) -> tuple[str, str]:
    """Return the key of the help, and its label."""
    return play.keymaps.play.key_of("help"), _("help")


def _draw_card(canvas: Canvas, play: Play, win: Win, within: Area, appearance: Appearance) -> None:
    """Draw the card of a win, if there is room for it."""
    card = win_card(play.model, win, play.keymap, appearance)
    if play.place is not None and (area := place_card(card, within, play.place)) is not None:
        card.draw(canvas, area)


def _draw_status_message(canvas: Canvas, play: PlayScreen, chrome: Chrome, comment: str) -> None:
    """Draw the message beside the counters, or where it does not fit there in place of the keys, all but the help."""
    width, column = canvas.width, play.columns[1]
    status = _status(play, comment if chrome.comment < 0 and chrome.panel is None else "")
    text, style = status.text, status.style
    if not text:
        return
    is_remark = chrome.comment < 0 and text == comment
    stays = chrome.footer < 0 and not status.is_brief
    if width >= _ROOMY and (stays or text_width(text) <= width - column):
        canvas.put(chrome.status, column, cut_at_a_word(text, width - column, status.key), style)
    elif is_remark:
        # The header comes back with the first move; before it a player needs the keys more.
        while text_width(text) > width and "; " in text:
            text = text.rpartition("; ")[0]
        if text_width(text) <= width:
            canvas.put(chrome.header, 0, padded(text, width), style)
    else:
        key, label = _aid(play)
        has_aid = not play.prompt and chrome.panel is None
        aid = width - text_width(f"{key} {label}")
        text = status.alone or text
        if text_width(text) > width and not status.is_brief:
            text = cut_at_a_word(text, aid - 2 if has_aid else width, status.key)
        row = _draw_message(canvas, chrome, text, style, is_brief=status.is_brief)
        if has_aid and text_width(text) <= aid - 2:
            draw_keys(canvas, row, [(key, label)], aid)


def _draw_message(canvas: Canvas, chrome: Chrome, text: str, style: str, *, is_brief: bool) -> int:
    """Draw a message in place of the footer, or else of the header; return its last row.

    A brief one, which goes with the next key, also takes the line of the counters and those above it if it is too long
    for one line, for it ends with what to do next: all that are blank, and others up to half of the window.
    """
    width = canvas.width
    lines = folded(text, width) if is_brief else [text]
    rows = [chrome.footer] if chrome.footer >= 0 else []
    if len(lines) > 1:
        rows.insert(0, chrome.status)
        while len(rows) < len(lines) and (len(rows) < canvas.height // 2 or canvas.is_blank(rows[0] - 1)):
            rows.insert(0, rows[0] - 1)
    rows = rows or [chrome.header if chrome.header >= 0 else chrome.status]
    lines = [*lines[: len(rows) - 1], " ".join(lines[len(rows) - 1 :])]
    for row, line in zip(rows[-len(lines) :], lines, strict=True):
        canvas.put(row, 0, padded(clipped(line, width), width), style)
    return rows[-1]


def header(play: Play) -> str:
    """Return ``First Ice 3/16  Round the pillar  sliding  by its author``; ordinary Sokoban has no word of its kind."""
    level, words = play.model.level, play.words
    author = words.author(level)
    parts = (
        words.heading(level),
        words.title_below_heading(level),
        kind_text(level.board),
        _("by {author}", author=author) if author else "",
    )
    return "  ".join(filter(None, parts))


def _status(play: PlayScreen, comment: str) -> _Status:
    """Return the text beside the counters; ``comment`` if there is nothing else to say."""
    model, key_of = play.model, play.keymaps.play.key_of
    if play.prompt:
        return _Status(play.prompt, styles.KEY, play.typed)
    if play.shown:
        return _Status("")
    if model.game.is_solved:
        return _solved_status(play)
    if play.message:
        return _Status(play.message, is_brief=True)
    if told := _improvement_status(play):
        return told
    offer = key_of("replay")
    if model.hints.is_searching and model.hints.has_offer:
        return _Status(_("solution found: {key} shows it; still searching", key=offer), styles.GOOD, offer)
    if model.hints.is_searching:
        return _searching_status(play)
    if model.cannot_be_played:
        return _Status(phrase(Note.CANNOT_BE_PLAYED, play.keymap))
    if model.deadlock is not None:
        return _dead_status(play, model.deadlock.kind)
    if model.hints.has_offer:
        return _Status(phrase(Note.SOLUTION_OFFERED, play.keymap), styles.GOOD, offer)
    if (improving := play.improving_elsewhere()) is not None:
        text, key = improvement_elsewhere(improving, play.keymaps.play)
        return _Status(cut_at_a_word(text, _message_columns(), key), key=key)
    if model.game.moves:
        return _Status("")
    if best := model.pack_session.best(model.level).by_moves:
        figures, key = moves_and_pushes(best), key_of("accept")
        return _Status(
            _with_names(play, _("your best: {figures}", figures=figures))
            or _("your best: {figures}; {key} continues", figures=figures, key=key),
            key=key,
        )
    known = play.words.known_hint(model.level, offer)
    return _Status(comment or _with_names(play, known) or known or play.other_names, key=offer)


def _with_names(play: Play, text: str) -> str:
    """Return a text and the names of other packs with the level; empty if there are none, or no room for both."""
    names = play.other_names
    both = in_clauses([text, names])
    return both if names and text_width(both) <= _message_columns() else ""


def _searching_status(play: Play) -> _Status:
    """Return the progress of the search; where it has no room, its seconds stay."""
    latest = play.model.hints.progress
    if latest is None:
        return _Status(_("solving: ..."))
    return _Status(_("solving: {progress}", progress=progress(latest)), key=number(latest.seconds, 1))


def _dead_status(play: Play, kind: DeadlockKind) -> _Status:
    """Return the reason why the position is dead, and the key that leads back, if there is a way."""
    key = play.keymaps.play.key_of("undo dead") if play.model.has_way_back else ""
    if kind is DeadlockKind.LEARNED:
        text = _("this position cannot be solved: proven")
        if key:
            text = _("this position cannot be solved: proven, {key} goes back", key=key)
        return _Status(text, styles.WARNING, key)
    reason = deadlock_reason(kind)
    text = _("dead, {key} goes back: {reason}", key=key, reason=reason) if key else _("dead: {reason}", reason=reason)
    return _Status(text, styles.WARNING, key)


def footer(play: PlayScreen) -> list[tuple[str, str]]:
    """Return the keys that matter now."""
    if play.prompt:
        return [(shown("esc"), _("cancel"))]
    keymap = play.keymaps.play
    is_solved = play.model.game.is_solved and not play.shown
    if is_solved:
        first = [(keymap.key_of("accept"), pgettext("footer: the next level", "next"))] if play.model.has_next else []
        if play.model.is_improving:
            labels = _SOLVED_FOOTER | {"improve": _IMPROVING_FOOTER["improve"]}
        else:
            labels = _SHARING_FOOTER if play.model.has_result else _SOLVED_FOOTER
    else:
        first = [(play.move_keys, pgettext("footer: the player moves", "move"))]
        is_searching = play.model.hints.is_searching
        labels = _IMPROVING_FOOTER if play.model.is_improving else _SEARCHING_FOOTER if is_searching else _FOOTER
    if play.is_drawn:
        # Translators: the key that goes back to the drawing.
        back = "edit", N_("draw")
        labels = dict(back if item[0] == "browse" else item for item in labels.items())
    if play.improving_elsewhere() is not None:
        labels = labels | {"cancel": N_("stop")}
    return [*first, *keymap.hints({action: _(label) for action, label in labels.items()})]


def _panel_hints(play: PlayScreen) -> list[tuple[str, str]]:
    """Return the keys that matter now, in a panel: on a dead board U comes first."""
    hints = footer(play)
    if play.prompt or play.shown:
        return hints
    if play.model.deadlock and play.model.has_way_back:
        labels = {
            "undo dead": _("go back"),
            "undo": _("undo"),
            "restart": _("reset"),
            "browse": _("list"),
            "help": _("help"),
            "quit": _("quit"),
        }
        return play.keymaps.play.hints(labels)
    return hints


def _improvement_status(play: Play) -> _Status | None:
    """Return the line about an improvement that runs, or has found something that was not shown yet."""
    improvement = play.model.hints.improvement
    if improvement is None or not (improvement.is_running or improvement.has_news):
        return None
    text, key = improvement_text(improvement, play.keymaps.play)
    return _Status(cut_at_a_word(text, _message_columns(), key), styles.GOOD if improvement.gain else PLAIN, key)


def _solved_status(play: Play) -> _Status:
    """Return what there is to say of a solved level; alone on a line also how to go on."""
    message, words = play.message, play.words
    if message in (phrase(Note.ALREADY_SOLVED, play.keymap), words.why_no_unsolved(play.model.level.number)):
        return _Status(message, styles.GOOD, is_brief=True)
    if message:
        text, alone = (in_clauses([solved, message]) for solved in _solved_texts(play))
        return _Status(text, styles.GOOD, alone=alone, is_brief=True)
    if told := _improvement_status(play):
        return told._replace(style=styles.GOOD)
    if play.solved_before is None:
        return _Status("", styles.GOOD)
    text, alone = _win_texts(play, play.solved_before)
    return _Status(text, styles.GOOD, play.keymaps.play.key_of("accept" if play.model.has_next else "browse"), alone)


def _solved_texts(play: Play, *, tells_end: bool = False) -> tuple[str, str]:
    """Return what says that a level is solved: beside the counters, and alone on a line, where it hides the keys.

    ``tells_end``: behind the last level it says that the pack is done.
    """
    text, key_of = _("level solved"), play.keymaps.play.key_of
    if play.model.has_next:
        return text, _("solved: {key} next", key=key_of("accept"))
    if not tells_end:
        return text, text
    key = key_of("browse")
    return _("level solved, pack done: {key} other packs", key=key), _("solved: {key} other packs", key=key)


def _win_texts(play: Play, before: Best) -> tuple[str, str]:
    """Return ``level solved, new best (was 97 moves, 23 pushes)``; those of this time stand beside it.

    Both texts are those of ``_solved_texts``.
    """
    game, words = play.model.game, play.words
    if text := solved_text(play.model, play.keymaps.play.key_of("accept")):
        beside, alone = _solved_texts(play)
        return in_clauses([beside, text]), in_clauses([alone, text])
    beside, alone = _solved_texts(play, tells_end=True)
    if verdict := words.score_verdict(play.model.level, game.moves, game.pushes):
        return in_clauses([beside, verdict]), in_clauses([alone, verdict])
    moves, pushes = before.by_moves, before.by_pushes
    if moves is not None and pushes is not None:
        best = moves_and_pushes(Summary(moves.moves, pushes.pushes))
        is_better = game.moves < moves.moves or game.pushes < pushes.pushes
        message = N_("{solved} (best {best})")
        if is_better:
            # Translators: {solved} is "level solved".
            message = N_("{solved}, new best (was {best})")
            if not play.model.has_next:
                # Translators: {solved} is "level solved, pack done: b other packs".
                message = N_("{solved}; new best (was {best})")
        beside, alone = _(message, solved=beside, best=best), _(message, solved=alone, best=best)
    if with_names := _with_names(play, beside):
        return with_names, in_clauses([alone, play.other_names])
    return beside, alone


# The moment of a win: boxes that flash, and a card with the figures of the level and what comes next


def win_card(model: PlayModel, win: Win, keymap: Keymap, appearance: Appearance, width: int | None = None) -> Card:
    """Return the card of a win; its table of figures is made to fit a ``width``."""
    words = WinWords(model, win, keymap)
    rows = words.rows
    if words.time:
        rows.append(FigureRow(pgettext("label of the time played", "time"), "", words.time))
    lines = figure_lines(rows, styles.KEY, width)
    for text, style in ((words.left, PLAIN), (words.following, styles.KEY)):
        lines += [(CardText(line, style),) for line in folded(text, width or _WIDEST_CARD) if line]
    return Card(words.title, lines, has_lines=appearance.theme.has_lines)


def _draw_boxes(
    canvas: Canvas, play: PlayScreen, state: State, boxes: Iterable[Square], theme: Theme, mark: str, style: str
) -> None:
    """Draw boxes with a mark over a board that has been drawn; ``style`` is for themes that are not painted."""
    from sokoterm.tui.widgets.sights import Sights, text_of, tile_of  # after a hint or a win only

    place, sights = play.place, Sights(play.model.level, state)
    assert place is not None  # see ``fit``
    columns, painted = place.size.columns, paint(mark, is_floor=True) if theme.is_painted else style
    for box in boxes:
        sight = sights.at(box)
        if place.size.is_tile:
            tile = tile_of(columns, sight, over=(mark,))
        else:
            tile = text_tile(text_of(sight, theme, columns)[0], painted, columns)
        put_square(canvas, place, box, tile)


# The panel of a wide window: the level, its figures, and the keys that matter now


class SidePanel:
    """A panel in its area, drawn from the top, with the keys at the bottom; ``width`` is that of its lines."""

    def __init__(
        self, canvas: Canvas, area: Area, play: PlayModel, hints: Hints, theme: Theme, *, end_key: str, has_timer: bool
    ) -> None:
        """``end_key`` is the key that ends a run; ``has_timer``: the player wants to see the time."""
        self._canvas = canvas
        self._play = play
        self._words = words_of(play.pack_session)
        self._end_key = end_key
        self._has_timer = has_timer
        self._left = area.left + _EDGE
        self._row = area.top
        self.width = area.width - _EDGE - _MARGIN
        keys = _key_lines(hints, self.width)
        self._end = area.top + area.height - len(keys)
        edge = "│" if theme.has_lines else "|"
        for row in range(area.top, area.top + area.height):
            canvas.put(row, area.left, edge, styles.QUIET)
        for row, line in enumerate(keys, start=self._end):
            draw_line(canvas, row, self._left, self.width, line)
        self._put_title()

    def put_level(self, figures: LevelFigures) -> None:
        """Put the comment, as much as fits, the figures, the bookmarks and the time."""
        rows = figure_rows(figures, figures.best)
        table = figure_lines(rows, width=self.width) if rows else []
        more = [(CardText(text),) for text in self._bookmarks_and_time()]
        self._put_comment(self._room - sum(len(part) + 1 for part in (table, more) if part))
        self._put(table)
        self._put(more)

    def put_win(self, card: Card) -> None:
        """Put the card of a win, and the comment below it."""
        self._put([*((CardText(line, styles.GOOD),) for line in folded(card.title, self.width)), *card.lines])
        self._put_comment(self._room)

    def put_question(self, text: str) -> None:
        """Put the choice that the player has to make."""
        self._put([(CardText(line, styles.TITLE),) for line in folded(text, self.width)])

    def _bookmarks_and_time(self) -> Iterator[str]:
        """``bookmarks: a b``, ``time 2:41`` as of the last key."""
        if names := " ".join(sorted(self._play.game.bookmarks)):
            yield _("bookmarks: {names}", names=names)
        if self._has_timer:
            yield _("time {time}", time=clock_time(self._play.seconds))

    @property
    def _room(self) -> int:
        """The lines that are left, but for a blank one above the keys."""
        return max(0, self._end - 1 - self._row)

    def _put_title(self) -> None:
        """Put the level's number, title and author."""
        words, level = self._words, self._play.level
        author = words.author(level)
        parts = (
            (words.heading(level), styles.TITLE),
            (words.title_below_heading(level), styles.KEY),
            (_("by {author}", author=author) if author else "", styles.QUIET),
            (kind_text(level.board), styles.QUIET),
        )
        self._put([(CardText(line, style),) for text, style in parts if text for line in folded(text, self.width)])

    def _put_comment(self, room: int) -> None:
        play = self._play
        comment = self._words.comment(play.level, self._end_key, is_solved=play.game.is_solved)
        lines = [part for line in comment for part in folded(line, self.width)]
        if len(lines) > room - 1:
            lines = lines[: max(0, room - 1)]
            lines[-1:] = [clipped(f"{line} ..", self.width) for line in lines[-1:]]
        self._put([(CardText(line),) for line in lines])

    def _put(self, lines: Sequence[Line]) -> None:
        """Put lines and a blank one below them, as far as there is room."""
        for line in lines[: self._room]:
            draw_line(self._canvas, self._row, self._left, self.width, line)
            self._row += 1
        self._row += bool(lines)


def _key_lines(hints: Hints, width: int) -> list[Line]:
    """Return keys and what they do in two columns, in the order of reading; what is too wide for one has its line."""
    cells = [(CardText(key, styles.KEY), CardText(f" {label.strip()}")) for key, label in hints]
    widths = [sum(text_width(part.text) for part in cell) for cell in cells]
    column = max(width // 2, max(widths[::2], default=0) + _GAP)
    if column + max(widths[1::2], default=0) > width:
        column = width // 2
    lines = list[Line]()
    while cells:
        is_pair = len(cells) > 1 and widths[0] + _GAP <= column and column + widths[1] <= width
        gap = CardText(" " * (column - widths[0]))
        lines.append((*cells[0], gap, *cells[1]) if is_pair else cells[0])
        del cells[: 1 + is_pair], widths[: 1 + is_pair]
    return lines
