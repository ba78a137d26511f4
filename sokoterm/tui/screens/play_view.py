"""The play screen: its picture, and what stands in the header, the status line and the footer."""

from collections.abc import Callable

from sokoterm.app.keymap import KEYMAPS, Keymaps, shown
from sokoterm.app.level_figures import LevelFigures, Win, figures_of
from sokoterm.app.outcome import Note
from sokoterm.app.play import PlayModel
from sokoterm.app.session import UnderWay
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.store.solutions import Summary
from sokoterm.tui.screens.play import Play
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    Area,
    Chrome,
    Hints,
    Size,
    draw_board,
    draw_keys,
    place_board,
    place_chrome,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.wording.columns import clipped, fitting, folded, text_width
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.outcomes import DEADLOCK_REASONS, phrase, progress
from sokoterm.wording.packs import solved_text, words_of

_COUNTERS = 26  # columns kept for the counters, so that the message beside them stands still
_MESSAGE_COLUMNS = 80 - _COUNTERS  # the columns beside them in the usual window
_ROOMY = 60  # columns from which the message has room beside the counters
_SOLVING = "solving:"
_MOVE = "move"
_FOOTER = {
    "undo": "undo", "restart": "reset", "hint": "hint", "solve": "solve", "plan": "plan", "browse": "list",
    "help": "help", "quit": "quit",
}  # fmt: skip
_SEARCHING_FOOTER = {
    "undo": "undo", "solve": "watch", "cancel": "stop", "plan": "plan", "browse": "list", "help": "help",
    "quit": "quit",
}  # fmt: skip
_IMPROVING_FOOTER = {
    "undo": "undo", "restart": "reset", "replay": "replay", "improve": "stop", "plan": "plan", "browse": "list",
    "help": "help", "quit": "quit",
}  # fmt: skip
_SOLVED_FOOTER = {
    "undo": "undo", "replay": "replay", "improve": "improve", "restart": "reset", "browse": "list", "help": "help",
    "quit": "quit",
}  # fmt: skip
_SHARING_FOOTER = {
    "undo": "undo", "replay": "replay", "copy": "share", "restart": "reset", "browse": "list", "help": "help",
    "quit": "quit",
}  # fmt: skip


class PlayScreen(Play):
    """The board of a level in play with its picture."""

    def __init__(
        self,
        model: PlayModel,
        keymaps: Keymaps = KEYMAPS,
        *,
        per_second: int = 0,
        has_timer: bool = False,
        improving_elsewhere: Callable[[], UnderWay | None] = lambda: None,
    ) -> None:
        """``per_second`` is the speed at which moves are shown, 0 for not at all.

        ``has_timer``: the panel of a wide window shows the time played.  ``improving_elsewhere`` returns the
        improvement of another level that is under way.
        """
        super().__init__(model, keymaps, per_second)
        self.improving_elsewhere = improving_elsewhere
        self._has_timer = has_timer
        self._figures: LevelFigures | None = None

    def fit(self, size: Size, appearance: Appearance) -> None:
        board = self.model.level.board
        chrome, square = place_chrome(size, board, appearance, has_comment=bool(self.comment))
        self._figures = figures_of(self.model.pack_session, self.model.level) if chrome.panel is not None else None
        self.place = place_board(
            board, (self.shown or self.game).state.player, chrome.board, square, self.place, appearance.view
        )

    def view(self, size: Size, appearance: Appearance) -> Frame:
        return view_play(self, size, appearance)

    def draw_panel(self, canvas: Canvas, area: Area, appearance: Appearance, hints: Hints, question: str = "") -> None:
        """Draw the panel of a wide window: the level, its figures or a question about it, and keys."""
        from sokoterm.tui.screens.side_panel import SidePanel
        from sokoterm.wording.side_panel import PanelWords

        words = PanelWords(self.model, self.keymap.key_of("end run"), has_timer=self._has_timer)
        panel = SidePanel(canvas, area, words, hints, appearance.theme)
        if question:
            panel.put_question(question)
        elif self.win is not None:
            from sokoterm.tui.screens.highlights import win_card

            panel.put_win(win_card(self.model, self.win, self.keymap, appearance))
        elif self._figures is not None:
            panel.put_level(self._figures)


def view_play(play: PlayScreen, size: Size, appearance: Appearance) -> Frame:
    """Draw header, the comment's first line, the board, the status line and the keys that matter now."""
    canvas = Canvas(*size)
    level, now, comment = play.model.level, play.shown or play.game, play.comment
    deadlock = None if play.shown else play.model.deadlock
    dead = deadlock.boxes if deadlock else 0
    place = play.place
    assert place is not None  # see ``fit``
    chrome, _ = place_chrome(size, level.board, appearance, has_comment=bool(comment))
    cursor = draw_board(canvas, place, level, now.state, appearance.theme, dead, now.facing)
    if play.is_lit:
        from sokoterm.tui.screens.highlights import draw_lit_boxes

        draw_lit_boxes(canvas, place, level, now.state, appearance.theme)
    hinted = play.model.hinted if play.shown is None and not dead else None
    if hinted is not None:
        from sokoterm.tui.screens.highlights import draw_hinted_box

        draw_hinted_box(canvas, place, level, now.state, hinted, appearance.theme)
    if chrome.header >= 0:
        canvas.put(chrome.header, 0, clipped(header(play), size.columns), styles.TITLE)
    if chrome.comment >= 0:
        canvas.put(chrome.comment, 0, clipped(comment, size.columns), styles.QUIET)
    counters = f"moves {now.moves}"
    counters = counters.ljust(12) if size.columns >= _ROOMY else counters
    counters += f" pushes {now.pushes}"
    canvas.put(chrome.status, 0, counters if len(counters) <= size.columns else f"{now.moves}/{now.pushes}")
    if chrome.footer >= 0:
        draw_keys(canvas, chrome.footer, footer(play))
    elif chrome.panel is not None:
        play.draw_panel(canvas, chrome.panel, appearance, _panel_hints(play))
    elif size.columns >= len(counters) + 8 and size.columns < _ROOMY:
        draw_keys(canvas, chrome.status, [(play.keymaps.play.key_of("help"), _FOOTER["help"])], size.columns - 6)
    _draw_status_message(canvas, play, chrome, comment)
    if play.win is not None and chrome.panel is None:
        _draw_card(canvas, play, play.win, chrome.board, appearance)
    return canvas.frame(cursor)


def _draw_card(canvas: Canvas, play: Play, win: Win, within: Area, appearance: Appearance) -> None:
    """Draw the card of a win, if there is room for it."""
    from sokoterm.tui.screens.highlights import win_card
    from sokoterm.tui.widgets.card import place_card

    card = win_card(play.model, win, play.keymap, appearance)
    if play.place is not None and (area := place_card(card, within, play.place)) is not None:
        card.draw(canvas, area)


def _draw_status_message(canvas: Canvas, play: PlayScreen, chrome: Chrome, comment: str) -> None:
    """Draw the message beside the counters, or wherever there is room for it."""
    room = _MESSAGE_COLUMNS if canvas.width >= _ROOMY else canvas.width
    text, style = status_message(play, comment if chrome.comment < 0 and chrome.panel is None else "", room)
    is_remark = chrome.comment < 0 and text != "" and text == comment
    is_brief = bool(play.message) and text.endswith(play.message)
    fits = text_width(text) <= canvas.width - _COUNTERS or chrome.footer < 0 and not is_brief
    has_room = canvas.width >= _ROOMY and fits
    if has_room:
        canvas.put(chrome.status, _COUNTERS, clipped(text, canvas.width - _COUNTERS), style)
    elif is_remark:
        # The header comes back with the first move; before it a player needs the keys more.
        while text_width(text) > canvas.width and "; " in text:
            text = text.rpartition("; ")[0]
        if text_width(text) <= canvas.width:
            canvas.put(chrome.header, 0, text.ljust(canvas.width), style)
    elif text:
        if play.model.game.is_solved and play.model.has_next and not play.shown:
            text = text.replace("level solved", f"solved: {play.keymaps.play.key_of('accept')} next", 1)
        if text_width(text) > canvas.width:
            text = text.replace("level solved, pack done", "solved", 1)
            text = text.replace("this position cannot be solved", "dead", 1)
        aid = f"{play.keymaps.play.key_of('help')} {_FOOTER['help']}"
        if text.startswith(_SOLVING) and text_width(text) + 2 + len(aid) > canvas.width:
            text = f"{_SOLVING} {' '.join(text.split()[-2:])}"  # the seconds alone
        row = _draw_message(canvas, chrome, text, style, is_brief=is_brief)
        if not play.prompt and chrome.panel is None and text_width(text) + 2 + len(aid) <= canvas.width:
            draw_keys(canvas, row, [(play.keymaps.play.key_of("help"), _FOOTER["help"])], canvas.width - len(aid))


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
        canvas.put(row, 0, clipped(line, width).ljust(width), style)
    return rows[-1]


def header(play: Play) -> str:
    """Return ``First Ice 3/16  Round the pillar  sliding  by its author``; ordinary Sokoban has no word of its kind."""
    level, words = play.model.level, words_of(play.model.pack_session)
    author = words.author(level)
    parts = (
        words.heading(level),
        words.title_below_heading(level),
        kind_text(level.board),
        f"by {author}" if author else "",
    )
    return "  ".join(filter(None, parts))


def status_message(play: PlayScreen, comment: str, room: int) -> tuple[str, str]:
    """Return the text beside the counters and its style; ``comment`` if there is nothing else to say.

    ``room`` are the columns for what has shorter forms.
    """
    if play.prompt:
        return play.prompt, styles.KEY
    if play.shown:
        return "", PLAIN
    if play.model.game.is_solved:
        hides_it = play.message and "solved" not in play.message
        text = f"level solved; {play.message}" if hides_it else play.message
        return text or _improvement_text(play, room) or _solved_text(play), styles.GOOD
    if play.message:
        return play.message, PLAIN
    if text := _improvement_text(play, room):
        return text, styles.GOOD if play.model.improvement and play.model.improvement.gain else PLAIN
    if play.model.hints.is_searching and play.model.hints.has_offer:
        return f"solution found: {play.keymaps.play.key_of('replay')} shows it; still searching", styles.GOOD
    if play.model.hints.is_searching:
        latest = play.model.hints.progress
        return f"{_SOLVING} {progress(latest) if latest else '...'}", PLAIN
    if deadlock := play.model.deadlock:
        back = f", {play.keymaps.play.key_of('undo dead')} goes back" if play.model.has_way_back else ""
        if deadlock.kind is DeadlockKind.LEARNED:
            return f"this position cannot be solved: proven{back}", styles.WARNING
        return f"dead{back}: {DEADLOCK_REASONS[deadlock.kind]}", styles.WARNING
    if play.model.hints.has_offer:
        return phrase(Note.SOLUTION_OFFERED, play.keymap), styles.GOOD
    if (improving := play.improving_elsewhere()) is not None:
        from sokoterm.wording.improvement import improvement_elsewhere_forms

        return fitting(improvement_elsewhere_forms(improving, play.keymaps.play), room), PLAIN
    best = play.model.pack_session.best(play.model.level).by_moves
    if play.model.game.moves:
        return "", PLAIN
    goes_on = f"{play.keymaps.play.key_of('accept')} continues"
    if best:
        text = f"your best: {moves_and_pushes(best)}"
        return fitting((f"{text}; {play.other_names or goes_on}", f"{text}; {goes_on}", text), _MESSAGE_COLUMNS), PLAIN
    known = words_of(play.model.pack_session).known_hint(play.model.level, play.keymaps.play.key_of("replay"))
    both = "; ".join(filter(None, (known, play.other_names)))
    return comment or (known if known and len(both) > _MESSAGE_COLUMNS else both), PLAIN


def footer(play: PlayScreen) -> list[tuple[str, str]]:
    """Return the keys that matter now."""
    if play.prompt:
        return [(shown("esc"), "cancel")]
    keymap = play.keymaps.play
    is_solved = play.model.game.is_solved and not play.shown
    if is_solved:
        first = [(keymap.key_of("accept"), "next")] if play.model.has_next else []
        if play.model.is_improving:
            labels = _SOLVED_FOOTER | {"improve": _IMPROVING_FOOTER["improve"]}
        else:
            labels = _SHARING_FOOTER if play.model.has_result else _SOLVED_FOOTER
    else:
        first = [(keymap.move_keys, _MOVE)]
        is_searching = play.model.hints.is_searching
        labels = _IMPROVING_FOOTER if play.model.is_improving else _SEARCHING_FOOTER if is_searching else _FOOTER
    if play.improving_elsewhere() is not None:
        labels = labels | {"cancel": "stop"}
    return [*first, *((keymap.key_of(action), label) for action, label in labels.items())]


def _panel_hints(play: PlayScreen) -> list[tuple[str, str]]:
    """Return the keys that matter now, in a panel: on a dead board U comes first."""
    hints = footer(play)
    if play.prompt or play.shown:
        return hints
    key_of = play.keymaps.play.key_of
    if play.model.deadlock and play.model.has_way_back:
        labels = {
            "undo dead": "go back",
            "undo": "undo",
            "restart": "reset",
            "browse": "list",
            "help": "help",
            "quit": "quit",
        }
        return [(key_of(action), label) for action, label in labels.items()]
    return hints


def _improvement_text(play: Play, room: int) -> str:
    """Return the line about an improvement that runs, or has found something that was not shown yet."""
    improvement = play.model.improvement
    if improvement is None or not (improvement.is_running or improvement.has_news):
        return ""
    from sokoterm.wording.improvement import improvement_forms

    return fitting(improvement_forms(improvement, play.keymaps.play), room)


def _solved_text(play: Play) -> str:
    """Return ``level solved, new best (was 97 moves, 23 pushes)``; those of this time stand beside it."""
    if play.solved_before is None:
        return ""
    moves, pushes = play.solved_before.by_moves, play.solved_before.by_pushes
    if text := solved_text(play.model, play.keymaps.play.key_of("accept")):
        return f"level solved; {text}"
    browse = play.keymaps.play.key_of("browse")
    solved = "level solved" if play.model.has_next else f"level solved, pack done: {browse} other packs"
    best = "" if moves is None or pushes is None else moves_and_pushes(Summary(moves.moves, pushes.pushes))
    if moves is None or pushes is None:
        text = solved
    elif play.model.game.moves < moves.moves or play.model.game.pushes < pushes.pushes:
        text = f"{solved}{',' if play.model.has_next else ';'} new best (was {best})"
    else:
        text = f"{solved} (best {best})"
    game, words = play.model.game, words_of(play.model.pack_session)
    if verdict := words.score_verdict(play.model.level, game.moves, game.pushes):
        return f"{solved}; {verdict}"
    with_names = f"{text}; {play.other_names}"
    return with_names if play.other_names and len(with_names) <= _MESSAGE_COLUMNS else text
