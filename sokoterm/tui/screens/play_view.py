"""The play screen: its picture, and what stands in the header, the status line and the footer."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sokoterm.app.keymap import KEYMAPS, Keymap, Keymaps, shown
from sokoterm.app.level_figures import LevelFigures, Win, figures_of
from sokoterm.app.play import PlayModel
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
from sokoterm.tui.widgets.parts import Card, CardText, draw_keys, draw_title, figure_lines, place_card
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import HINTED, LIT, paint
from sokoterm.wording.columns import clipped, fitting, folded, padded, text_width
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.improvement import improvement_elsewhere_forms, improvement_forms
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.outcomes import deadlock_reason, phrase, progress
from sokoterm.wording.packs import solved_text
from sokoterm.wording.standing import FigureRow, WinWords

_MANY = 9999  # moves and pushes up to here leave what stands beside them where it is
_USUAL_COLUMNS = 80  # those of the usual window
_WIDEST_CARD = 36  # columns of what comes next on the card of a win; more is folded
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
    """The text beside the counters.

    ``alone`` are its forms for a line of its own, the longest first; by default that is the text.  ``is_brief``: it
    goes with the next key.
    """

    text: str
    style: str = PLAIN
    alone: tuple[str, ...] = ()
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
        # Narrow windows have none.
        from sokoterm.tui.screens.side_panel import SidePanel
        from sokoterm.wording.side_panel import PanelWords

        words = PanelWords(self.model, self.keymap.key_of("end run"), has_timer=self._has_timer)
        panel = SidePanel(canvas, area, words, hints, appearance.theme)
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
        canvas.put(chrome.comment, 0, clipped(comment, size.columns), styles.QUIET)
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
    """Draw the message beside the counters, or wherever there is room for it."""
    room = _USUAL_COLUMNS - play.columns[1] if canvas.width >= _ROOMY else canvas.width
    status = _status(play, comment if chrome.comment < 0 and chrome.panel is None else "", room)
    text, style, is_brief, column = status.text, status.style, status.is_brief, play.columns[1]
    is_remark = chrome.comment < 0 and text != "" and text == comment
    fits = text_width(text) <= canvas.width - column or chrome.footer < 0 and not is_brief
    has_room = canvas.width >= _ROOMY and fits
    if has_room:
        canvas.put(chrome.status, column, clipped(text, canvas.width - column), style)
    elif is_remark:
        # The header comes back with the first move; before it a player needs the keys more.
        while text_width(text) > canvas.width and "; " in text:
            text = text.rpartition("; ")[0]
        if text_width(text) <= canvas.width:
            canvas.put(chrome.header, 0, padded(text, canvas.width), style)
    elif text:
        key, label = _aid(play)
        aid = text_width(f"{key} {label}")
        has_aid = not play.prompt and chrome.panel is None
        room, forms = canvas.width - (aid + 2 if has_aid else 0), status.alone or (text,)
        text = next((form for form in forms if text_width(form) <= room), forms[-1])
        row = _draw_message(canvas, chrome, text, style, is_brief=is_brief)
        if has_aid and text_width(text) <= room:
            draw_keys(canvas, row, [(key, label)], canvas.width - aid)


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


def _status(play: PlayScreen, comment: str, room: int) -> _Status:
    """Return the text beside the counters; ``comment`` if there is nothing else to say.

    ``room`` are the columns for what has shorter forms.
    """
    key_of = play.keymaps.play.key_of
    if play.prompt:
        return _Status(play.prompt[0], styles.KEY, play.prompt)
    if play.shown:
        return _Status("")
    if play.model.game.is_solved:
        return _solved_status(play, room)
    if play.message:
        return _Status(play.message, is_brief=True)
    if text := _improvement_text(play, room):
        improvement = play.model.hints.improvement
        return _Status(text, styles.GOOD if improvement is not None and improvement.gain else PLAIN)
    if play.model.hints.is_searching and play.model.hints.has_offer:
        return _Status(_("solution found: {key} shows it; still searching", key=key_of("replay")), styles.GOOD)
    if play.model.hints.is_searching:
        return _searching_status(play)
    if play.model.cannot_be_played:
        return _Status(phrase(Note.CANNOT_BE_PLAYED, play.keymap))
    if play.model.deadlock is not None:
        return _dead_status(play, play.model.deadlock.kind)
    if play.model.hints.has_offer:
        return _Status(phrase(Note.SOLUTION_OFFERED, play.keymap), styles.GOOD)
    if (improving := play.improving_elsewhere()) is not None:
        return _Status(fitting(improvement_elsewhere_forms(improving, play.keymaps.play), room))
    if play.model.game.moves:
        return _Status("")
    if best := play.model.pack_session.best(play.model.level).by_moves:
        return _Status(fitting(_best_forms(play, moves_and_pushes(best)), _message_columns()))
    known = play.words.known_hint(play.model.level, key_of("replay"))
    both = in_clauses((known, play.other_names))
    return _Status(comment or (known if known and text_width(both) > _message_columns() else both))


def _searching_status(play: Play) -> _Status:
    """Return the progress of the search; where it has no room, its seconds."""
    latest = play.model.hints.progress
    if latest is None:
        return _Status(_("solving: ..."))
    text = _("solving: {progress}", progress=progress(latest))
    return _Status(text, alone=(text, _("solving: {seconds} s", seconds=number(latest.seconds, 1))))


def _dead_status(play: Play, kind: DeadlockKind) -> _Status:
    """Return the reason why the position is dead, and the key that leads back, if there is a way."""
    key = play.keymaps.play.key_of("undo dead") if play.model.has_way_back else ""
    if kind is DeadlockKind.LEARNED:
        text = _("this position cannot be solved: proven")
        briefly = _("dead: proven")
        if key:
            text = _("this position cannot be solved: proven, {key} goes back", key=key)
            briefly = _("dead: proven, {key} goes back", key=key)
        return _Status(text, styles.WARNING, (text, briefly))
    reason = deadlock_reason(kind)
    text = _("dead, {key} goes back: {reason}", key=key, reason=reason) if key else _("dead: {reason}", reason=reason)
    return _Status(text, styles.WARNING)


def _best_forms(play: Play, figures: str) -> tuple[str, ...]:
    """Return ``your best: 97 moves, 23 pushes; Enter continues``, with the other packs instead, and shorter forms."""
    key = play.keymaps.play.key_of("accept")
    forms = (
        _("your best: {figures}; {key} continues", figures=figures, key=key),
        _("your best: {figures}", figures=figures),
    )
    places = play.other_names
    return (in_clauses([forms[1], places]), *forms) if places else forms


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


def _improvement_text(play: Play, room: int) -> str:
    """Return the line about an improvement that runs, or has found something that was not shown yet."""
    improvement = play.model.hints.improvement
    if improvement is None or not (improvement.is_running or improvement.has_news):
        return ""
    return fitting(improvement_forms(improvement, play.keymaps.play), room)


def _solved_status(play: Play, room: int) -> _Status:
    """Return what there is to say of a solved level; alone on a line also how to go on."""
    message, words = play.message, play.words
    if message in (phrase(Note.ALREADY_SOLVED, play.keymap), words.why_no_unsolved(play.model.level.number)):
        return _Status(message, styles.GOOD, is_brief=True)
    if message:
        forms = [in_clauses([solved, message]) for solved in _solved_forms(play)]
        return _Status(forms[0], styles.GOOD, (*forms[1:],), is_brief=True)
    if text := _improvement_text(play, room):
        return _Status(text, styles.GOOD)
    if play.solved_before is None:
        return _Status("", styles.GOOD)
    forms = _win_forms(play, play.solved_before)
    return _Status(forms[0], styles.GOOD, (*forms[1:],))


def _solved_forms(play: Play, *, tells_end: bool = False) -> tuple[str, ...]:
    """Return what says that a level is solved, beside the counters and alone on a line, with shorter forms of that.

    ``tells_end``: behind the last level it says that the pack is done.
    """
    key_of = play.keymaps.play.key_of
    if play.model.has_next:
        return _("level solved"), _("solved: {key} next", key=key_of("accept"))
    if not tells_end:
        return _("level solved"), _("level solved")
    text = _("level solved, pack done: {key} other packs", key=key_of("browse"))
    return text, text, _("solved: {key} other packs", key=key_of("browse"))


def _win_forms(play: Play, before: Best) -> list[str]:
    """Return ``level solved, new best (was 97 moves, 23 pushes)``; those of this time stand beside it.

    The forms are those of ``_solved_forms``.
    """
    game, words = play.model.game, play.words
    if text := solved_text(play.model, play.keymaps.play.key_of("accept")):
        return [in_clauses([solved, text]) for solved in _solved_forms(play)]
    forms = _solved_forms(play, tells_end=True)
    if verdict := words.score_verdict(play.model.level, game.moves, game.pushes):
        return [in_clauses([solved, verdict]) for solved in forms]
    moves, pushes = before.by_moves, before.by_pushes
    texts = [*forms]
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
        texts = [_(message, solved=solved, best=best) for solved in forms]
    names = play.other_names
    if names and text_width(in_clauses([texts[0], names])) <= _message_columns():
        return [in_clauses([text, names]) for text in texts]
    return texts


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
