"""The card of a solved daily level: figures, streak, week, and a result to share."""

from sokoterm.app.generated import DailyPack
from sokoterm.engine.level import Level
from sokoterm.language import _, listed, ngettext
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import PLAIN, Area, CardText, Line
from sokoterm.tui.widgets.lettering import large
from sokoterm.tui.widgets.parts import beside, joined, line_width, plain_lines
from sokoterm.wording.columns import padded, text_width
from sokoterm.wording.figures import over_briefly, weekdays
from sokoterm.wording.packs import SQUARES, STAR, DailyWords

_SHOWN = {STAR: ("*", styles.ACCENT), SQUARES[0]: ("▒▒ ", styles.ACCENT), SQUARES[1]: ("▇▇ ", styles.GOOD)}
_MOST_DAYS = 14  # of a streak drawn one by one
_WIDTH = 64


def draw_day(canvas: Canvas, pack: DailyPack, level: Level) -> None:
    """Draw as much of a day's card as fits above the last two lines."""
    words, row = DailyWords(pack), pack.streak
    area = Area(0, max(0, (canvas.width - _WIDTH) // 2), canvas.height - 2, min(_WIDTH, canvas.width))
    effort = pack.day(level.number).effort
    over = effort.pushes - pack.day(level.number).made.par
    style = styles.ACCENT if over > 0 or effort.is_helped else styles.GOOD
    cheer = [_("with help")] if effort.is_helped else large(over_briefly(over).upper()) or [over_briefly(over)]
    letters, figures = plain_lines(cheer, style), plain_lines(words.figures(level))
    days = ngettext("{n:,} day", "{n:,} days", row.now)
    streak: Line = (
        CardText(_("streak") + "  ", styles.QUIET),
        CardText("▇" * min(row.now, _MOST_DAYS), styles.GOOD),
        CardText(" " + listed([days, _("longest {days}", days=row.longest)])),
    )
    shown = [joined(_SHOWN.get(each, (each, PLAIN)) for each in line) for line in words.shared(level)]
    share = [*plain_lines([_("to share")], styles.QUIET), *shown]
    left = plain_lines([words.next_in], styles.GOOD)
    head = beside((letters, figures), max(map(line_width, letters)) + 4)
    room = area.inside
    for blocks in (
        [head, [streak], week_lines(pack, level.number, room.width), share, left],
        [head, [streak], week_lines(pack, level.number, room.width), left],
        [[*figures, streak, *left]],
    ):
        lines = [line for block in blocks for line in [(), *block]][1:]
        if len(lines) <= room.height:
            break
    height = min(area.height, len(lines) + area.height - room.height)
    area = area._replace(top=(area.height - height) // 2, height=height)
    canvas.draw_list(canvas.draw_pane(area, words.title(level.number), has_focus=True), lines)


def week_lines(pack: DailyPack, number: int, room: int) -> list[Line]:
    """Return the days of the week with their pushes over par, without labels if there is little room."""
    names, overs = weekdays(), pack.week(number)
    labels = [_("week"), _("over par")]
    first, width = max(map(text_width, labels)) + 2, max(5, *(text_width(name) + 1 for name in names))
    if first + len(names) * width > room:
        labels, first, width = ["", ""], 0, room // len(names)
    told = ["" if over is None else f"{over:+}" if over else "0" for over in overs]
    squares = [
        ("░░", styles.QUIET) if over is None else ("▇▇", styles.GOOD) if over <= 0 else ("▒▒", styles.ACCENT)
        for over in overs
    ]
    blank = padded("", first)
    return [
        (CardText(padded(labels[0], first) + "".join(padded(name, width) for name in names), styles.QUIET),),
        (CardText(blank), *(CardText(padded(text, width), style) for text, style in squares)),
        (CardText(padded(labels[1], first), styles.QUIET), CardText("".join(padded(text, width) for text in told))),
    ]
