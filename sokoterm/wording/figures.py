"""Figures as text: counts, times, dates, and distances from par."""

import time

from sokoterm.engine.lurd import Solution
from sokoterm.language import _, listed, moves_text, pgettext, pushes_text
from sokoterm.store.solutions import Summary


def moves_and_pushes(solution: Solution | Summary) -> str:
    return listed([moves_text(solution.moves), pushes_text(solution.pushes)])


def online_text(online: Summary | None) -> str:
    """``best at letslogic.com: 2 pushes, 8 moves``; empty if the site has no figures."""
    counts = ((online.pushes, pushes_text), (online.moves, moves_text)) if online is not None else ()
    figures = listed(text(count) for count, text in counts if count)
    return _("best at letslogic.com: {figures}", figures=figures) if figures else ""


def date_text(seconds: float) -> str:
    """``2026-11-22``: the local date for seconds since 1970."""
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def duration(seconds: int) -> str:
    """``5 s``, ``2 min 5 s`` or ``1 h 2 min``: at most two units."""
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    if hours:
        return _("{h} h {min} min", h=hours, min=minutes) if minutes else _("{h} h", h=hours)
    if minutes:
        return _("{min} min {s} s", min=minutes, s=rest) if rest else _("{min} min", min=minutes)
    return _("{s} s", s=rest)


def clock_time(seconds: float) -> str:
    """``2:41`` or ``1:02:41``.

    >>> clock_time(161), clock_time(3761)
    ('2:41', '1:02:41')
    """
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def weekdays() -> list[str]:
    # Translators: with blanks between.
    return _("Mon Tue Wed Thu Fri Sat Sun").split()


def over_par(over: int) -> str:
    """``3 over par``, ``at par``, or ``2 under par``, which is impossible if par is proven.

    >>> over_par(3), over_par(0)
    ('3 over par', 'at par')
    """
    if not over:
        return _("at par")
    return _("{n} over par", n=over) if over > 0 else _("{n} under par", n=-over)


def over_briefly(over: int) -> str:
    """``+3``, or ``par``."""
    return f"{over:+}" if over else pgettext("score equal to par, short", "par")
