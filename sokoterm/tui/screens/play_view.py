"""Playing a level: the picture."""

from typing import Protocol

from sokoterm.app.keymap import Keymaps, shown
from sokoterm.app.play import PlayModel
from sokoterm.engine.board import State
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.text import printable
from sokoterm.store.best import Best
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.board_view import (
    Appearance,
    BoardPlace,
    Chrome,
    Origin,
    Size,
    cell_columns,
    draw_board,
    draw_keys,
    place_chrome,
    scroll_board,
    too_small,
)
from sokoterm.tui.widgets.frame import PLAIN, Canvas, Frame
from sokoterm.wording.columns import clipped, folded, text_width
from sokoterm.wording.outcomes import progress
from sokoterm.wording.packs import solved_text, words_of

_COUNTERS = 26  # columns kept for the counters, so that the message beside them stands still
MESSAGE_COLUMNS = 80 - _COUNTERS  # what is left beside them in the usual window
_ROOMY = 60  # columns from which the message has room beside the counters
_SOLVING = "solving:"
_MOVE = "move"
_FOOTER = {
    "undo": "undo", "plan": "plan", "hint": "hint", "solve": "solve", "restart": "reset", "browse": "list",
    "help": "help", "quit": "quit",
}  # fmt: skip
_SEARCHING_FOOTER = {
    "undo": "undo", "plan": "plan", "solve": "watch", "cancel": "stop", "browse": "list", "help": "help",
    "quit": "quit",
}  # fmt: skip
_SHARING_FOOTER = {
    "undo": "undo", "plan": "plan", "hint": "hint", "copy": "share", "restart": "reset", "browse": "list",
    "help": "help", "quit": "quit",
}  # fmt: skip
# What stands behind the name of a deadlock, as short as the room beside the counters.
_REASONS = {
    DeadlockKind.DEAD_SQUARE: "stranded box",
    DeadlockKind.FREEZE: "stuck for good",
    DeadlockKind.CLOSED_DIAGONAL: "stuck in zigzag",
    DeadlockKind.BIPARTITE: "too few goals for these",
    DeadlockKind.RETROGRADE: "a goal is closed off",
    DeadlockKind.PAIR: "these block each other",
    DeadlockKind.CORRAL: "its boxes cannot leave",
}


class Position(Protocol):
    """A position on the way to that of the play, where its last moves are shown one by one."""

    @property
    def state(self) -> State: ...

    @property
    def moves(self) -> int: ...

    @property
    def pushes(self) -> int: ...


class Playing(Protocol):
    """What the picture shows of a play."""

    model: PlayModel
    message: str
    solved_before: Best | None
    keymaps: Keymaps
    origin: Origin
    place: BoardPlace | None

    @property
    def shown(self) -> "Position | None": ...

    @property
    def comment(self) -> str: ...

    @property
    def prompt(self) -> str: ...

    @property
    def other_names(self) -> str: ...


def view_play(play: Playing, size: Size, appearance: Appearance) -> Frame:
    """Header, the comment's first line, the board, the status line and the keys that matter now.

    Leaves in ``play.origin`` and ``play.place`` where the board is seen, for scrolling and for the mouse.
    """
    play.place = None
    if notice := too_small(size):
        return notice
    canvas = Canvas(*size)
    comment = play.comment
    chrome = place_chrome(size, play.model.level.board.height, has_comment=bool(comment))
    columns = cell_columns(appearance, play.model.level, size.columns)
    now = play.shown or play.model.game
    state, board = now.state, play.model.level.board
    play.origin = scroll_board(play.origin, play.model.level, state, chrome.board, columns)
    play.place = BoardPlace(chrome.board, play.origin, columns, board.stride, board.width, board.height)
    deadlock = None if play.shown else play.model.deadlock
    dead = deadlock.boxes if deadlock else 0
    cursor = draw_board(canvas, chrome.board, play.model.level, state, play.origin, appearance, dead)
    canvas.put(chrome.header, 0, clipped(header(play), size.columns), styles.TITLE)
    if chrome.comment >= 0:
        canvas.put(chrome.comment, 0, clipped(comment, size.columns), styles.QUIET)
    counters = f"moves {now.moves}"
    counters = counters.ljust(12) if size.columns >= _ROOMY else counters
    counters += f" pushes {now.pushes}"
    canvas.put(chrome.status, 0, counters if len(counters) <= size.columns else f"{now.moves}/{now.pushes}")
    if chrome.footer >= 0:
        draw_keys(canvas, chrome.footer, footer(play))
    elif size.columns >= len(counters) + 8 and size.columns < _ROOMY:
        draw_keys(canvas, chrome.status, [(play.keymaps.play.key_of("help"), _FOOTER["help"])], size.columns - 6)
    _draw_status_message(canvas, play, chrome, comment)
    return canvas.frame(cursor)


def _draw_status_message(canvas: Canvas, play: Playing, chrome: Chrome, comment: str) -> None:
    """What is to be said beside the counters, or where there is room for it."""
    text, style = status_message(play, comment if chrome.comment < 0 else "")
    is_remark = chrome.comment < 0 and text != "" and text == comment
    is_brief = bool(play.message) and text.endswith(play.message)
    fits = text_width(text) <= canvas.width - _COUNTERS or chrome.footer < 0 and not is_brief
    has_room = canvas.width >= _ROOMY and fits
    if has_room:
        canvas.put(chrome.status, _COUNTERS, clipped(text, canvas.width - _COUNTERS), style)
    elif is_remark:
        # The header is seen again after the first move; the keys are what is looked for before it.
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
        if not play.prompt and text_width(text) + 2 + len(aid) <= canvas.width:
            draw_keys(canvas, row, [(play.keymaps.play.key_of("help"), _FOOTER["help"])], canvas.width - len(aid))


def _draw_message(canvas: Canvas, chrome: Chrome, text: str, style: str, *, is_brief: bool) -> int:
    """A message without room beside the counters, in place of the footer, or else of the header; returns its last row.

    One that is gone with the next key also takes the line of the counters and those above it, where it is too long for
    one line, for what to do next stands at its end: all that are blank, and others up to half of the window.
    """
    width = canvas.width
    lines = folded(text, width) if is_brief else [text]
    rows = [chrome.footer] if chrome.footer >= 0 else []
    if len(lines) > 1:
        rows.insert(0, chrome.status)
        while len(rows) < len(lines) and (len(rows) < canvas.height // 2 or canvas.is_blank(rows[0] - 1)):
            rows.insert(0, rows[0] - 1)
    rows = rows or [chrome.header]
    lines = [*lines[: len(rows) - 1], " ".join(lines[len(rows) - 1 :])]
    for row, line in zip(rows[-len(lines) :], lines, strict=True):
        canvas.put(row, 0, clipped(line, width).ljust(width), style)
    return rows[-1]


def header(play: Playing) -> str:
    """``First Steps 3/24  A corner is for ever  by its author``."""
    level, pack_session = play.model.level, play.model.pack_session
    parts = [words_of(pack_session).heading(level)]
    title = printable(level.title.strip())
    if title and title not in (str(level.number), *parts):
        parts.append(title)
    author = printable((level.author or pack_session.pack.author).strip())
    if author:
        parts.append(f"by {author}")
    return "  ".join(parts)


def status_message(play: Playing, comment: str) -> tuple[str, str]:
    """What the status line says beside the counters, and in which style; ``comment`` if nothing else is to be said."""
    if play.prompt:
        return play.prompt, styles.KEY
    if play.shown:
        return "", PLAIN
    if play.model.game.is_solved:
        hides_it = play.message and "solved" not in play.message
        return f"level solved; {play.message}" if hides_it else play.message or _solved_text(play), styles.GOOD
    if play.message:
        return play.message, PLAIN
    if play.model.hints.is_searching and play.model.hints.has_offer:
        return f"solution found: {play.keymaps.play.key_of('replay')} shows it; still looking", styles.GOOD
    if play.model.hints.is_searching:
        latest = play.model.hints.progress
        return f"{_SOLVING} {progress(latest) if latest else '...'}", PLAIN
    if deadlock := play.model.deadlock:
        back = f", {play.keymaps.play.key_of('undo dead')} goes back" if play.model.has_way_back else ""
        if deadlock.kind is DeadlockKind.LEARNED:
            return f"this position cannot be solved: proven{back}", styles.WARNING
        return f"dead{back}: {deadlock.kind}, {_REASONS[deadlock.kind]}", styles.WARNING
    if play.model.hints.has_offer:
        return f"solution found: {play.keymaps.play.key_of('replay')} shows it", styles.GOOD
    best = play.model.pack_session.best(play.model.level).by_moves
    if play.model.game.moves:
        return "", PLAIN
    goes_on = f"{play.keymaps.play.key_of('accept')} goes on"
    if best:
        text = f"solved before, best {best.moves}/{best.pushes}; {play.other_names or goes_on}"
        return clipped(text, MESSAGE_COLUMNS), PLAIN
    known = words_of(play.model.pack_session).known_hint(play.model.level, play.keymaps.play.key_of("replay"))
    both = "; ".join(filter(None, (known, play.other_names)))
    return comment or (known if known and len(both) > MESSAGE_COLUMNS else both), PLAIN


def footer(play: Playing) -> list[tuple[str, str]]:
    """The keys that matter now: the first one changes, at a width that leaves the others where they are."""
    if play.prompt:
        return [(shown("esc"), "cancel")]
    keymap = play.keymaps.play
    goes_on = play.model.game.is_solved and not play.shown and play.model.has_next
    can_share = play.model.game.is_solved and not play.shown and play.model.has_result
    key, label = (keymap.key_of("accept"), "next") if goes_on else (keymap.move_keys, _MOVE)
    width = len(f"{keymap.move_keys} {_MOVE}") - len(key) - 1
    others = _SEARCHING_FOOTER if play.model.hints.is_searching else _SHARING_FOOTER if can_share else _FOOTER
    return [(key, label.ljust(width)), *((keymap.key_of(action), label) for action, label in others.items())]


def _solved_text(play: Playing) -> str:
    """``level solved, new best (was 97/23)``: moves and pushes; those of this time stand beside it on the screen."""
    if play.solved_before is None:
        return ""
    moves, pushes = play.solved_before.by_moves, play.solved_before.by_pushes
    if text := solved_text(play.model, play.keymaps.play.key_of("accept")):
        return f"level solved; {text}"
    browse = play.keymaps.play.key_of("browse")
    solved = "level solved" if play.model.has_next else f"level solved, pack done: {browse} other packs"
    if moves is None or pushes is None:
        text = solved
    elif play.model.game.moves < moves.moves or play.model.game.pushes < pushes.pushes:
        text = f"{solved}{',' if play.model.has_next else ';'} new best (was {moves.moves}/{pushes.pushes})"
    else:
        text = f"{solved} (best {moves.moves}/{pushes.pushes})"
    game, words = play.model.game, words_of(play.model.pack_session)
    if verdict := words.score_verdict(play.model.level, game.moves, game.pushes):
        return f"{solved}; {verdict}"
    with_names = f"{text}; {play.other_names}"
    return with_names if play.other_names and len(with_names) <= MESSAGE_COLUMNS else text
