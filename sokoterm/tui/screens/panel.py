"""The panel beside the board in a wide window: pack, level, figures and keys."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sokoterm.app.play import PlayModel, Win, figures_of
from sokoterm.engine.game import Game
from sokoterm.engine.rules import boxes_home
from sokoterm.language import _, levels_text, ngettext, pgettext
from sokoterm.tui.screens.motion import ShownPosition
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import PLAIN, Area, CardText, Hints, Line
from sokoterm.tui.widgets.parts import Card, at_both_ends, figure_lines, gauge, key_lines, label_lines, plain_lines
from sokoterm.wording.columns import clipped, folded, text_width
from sokoterm.wording.figures import clock_time
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.packs import generated_words_of, words_of
from sokoterm.wording.standing import FigureRow, figure_rows

_EDGE = 3  # columns of the rule on the left and the gap beside it
_MARGIN = 1  # columns left blank on the right


class _Facts(NamedTuple):
    """The win; solved and all levels of the pack, if counted; levels solved today; days of the streak."""

    win: Win | None
    progress: tuple[int, int] | None
    today: int
    streak: int


def _facts_of(model: PlayModel) -> _Facts:
    from sokoterm.store.series import streak  # only for wide windows

    pack_session = model.pack_session
    left = None if generated_words_of(pack_session) else pack_session.count_unsolved()
    size, days, today = pack_session.pack.size, pack_session.store.days_solved(), date.today()
    progress = None if left is None else (size - left, size)
    return _Facts(model.win, progress, days[today], streak(days, today).now)


class Panel:
    """The panel of a level in play, which caches its counts."""

    def __init__(self, model: PlayModel, end_key: str, *, has_timer: bool) -> None:
        """``end_key`` ends a run; ``has_timer``: show the time played."""
        self._model, self._end_key, self._has_timer = model, end_key, has_timer
        self._facts: _Facts | None = None

    def count(self) -> None:
        """Update the counts that a win changes."""
        if self._facts is None or self._facts.win is not self._model.win:
            self._facts = _facts_of(self._model)

    def draw(
        self,
        canvas: Canvas,
        area: Area,
        hints: Hints,
        told: Card | None,
        now: Game | ShownPosition,
        *,
        is_progress_new: bool = False,
    ) -> None:
        """Draw the level at ``now``, or a card, and the keys; ``is_progress_new``: show the progress before the win."""
        model, facts, width = self._model, self._facts or _facts_of(self._model), area.width - _EDGE - _MARGIN
        canvas.draw_rule(area._replace(width=1))
        keys = key_lines(tuple(hints), width)
        left, last = area.left + _EDGE, area.top + area.height - len(keys)
        canvas.draw_list(Area(last, left, len(keys), width), keys)
        blocks = [_title_lines(model, width), _progress_lines(facts.progress, width, is_new=is_progress_new)]
        if told is not None:
            blocks.append([*plain_lines(folded(told.title, width), told.style), *told.lines])
        else:
            more = _more_rows(model, facts, has_timer=self._has_timer)
            blocks += [_figure_lines(model, now, width), label_lines(more, width)]
            room = last - 1 - area.top - sum(len(block) + 1 for block in blocks if block)
            blocks.insert(2, _comment_lines(model, self._end_key, width, room))
        row = area.top
        for block in blocks:
            canvas.draw_list(Area(row, left, last - 1 - row, width), block)
            row += len(block) + bool(block)


def _title_lines(model: PlayModel, width: int) -> Sequence[Line]:
    words, level = words_of(model.pack_session), model.level
    author, title, (name, place) = words.author(level), words.title_below_heading(level), words.heading_parts(level)
    style, names = styles.QUIET if title else styles.TITLE, folded(name, width - text_width(place) - 1)
    first = at_both_ends(CardText(names[0], style), CardText(place, styles.QUIET), width=width)
    parts = (
        *((name, style) for name in names[1:]),
        (title, styles.TITLE),
        (_("by {author}", author=author) if author else "", styles.QUIET),
        (kind_text(level.board), styles.QUIET),
    )
    return [first, *(line for text, style in parts if text for line in plain_lines(folded(text, width), style))]


def _progress_lines(progress: tuple[int, int] | None, width: int, *, is_new: bool) -> list[Line]:
    if progress is None or progress[1] == 1:
        return []
    solved, levels = progress[0] - is_new, progress[1]
    text = ngettext("{n:,} level to go in this pack", "{n:,} levels to go in this pack", levels - solved)
    told = text if solved < levels else _("pack done: every level is solved")
    return [gauge(solved, levels, width), *plain_lines(folded(told, width), styles.QUIET)]


def _figure_lines(model: PlayModel, now: Game | ShownPosition, width: int) -> list[Line]:
    figures, boxes = figures_of(model.pack_session, model.level), model.level.boxes
    rows = [FigureRow(pgettext("figures of the position", "now"), str(now.moves), str(now.pushes))]
    home = boxes_home(model.level.board, now.state).bit_count()
    label, shown = _("boxes home"), [CardText(f"{home}/{boxes}", styles.KEY)]
    if text_width(label) + len("▇ ") * boxes < width:
        shown = [CardText("▇ " * home, styles.GOOD), CardText("░ " * (boxes - home), styles.QUIET)]
    table = figure_lines([*rows, *figure_rows(figures)], width, PLAIN, styles.QUIET)
    return [*table, at_both_ends(CardText(label, styles.QUIET), *shown, width=width)]


def _more_rows(model: PlayModel, facts: _Facts, *, has_timer: bool) -> Sequence[tuple[str, str]]:
    return (
        (_("bookmarks"), " ".join(sorted(model.game.bookmarks))),
        (pgettext("label of the time played", "time"), clock_time(model.seconds) if has_timer else ""),
        (_("today"), levels_text(facts.today) if facts.today else ""),
        (_("streak"), ngettext("{n:,} day", "{n:,} days", facts.streak) if facts.streak > 1 else ""),
    )


def _comment_lines(model: PlayModel, end_key: str, width: int, room: int) -> Sequence[Line]:
    """Return the level's comment, cut to the room with a blank line below it."""
    comment = words_of(model.pack_session).comment(model.level, end_key, is_solved=model.game.is_solved)
    lines = [part for line in comment for part in folded(line, width)]
    if len(lines) > room - 1:
        lines = lines[: max(0, room - 1)]
        lines[-1:] = [clipped(f"{line} ..", width) for line in lines[-1:]]
    return plain_lines(lines)
