"""Figures as text: counts, times, dates, and distances from par."""

import time

from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import counted
from sokoterm.store.solutions import Summary


def moves_and_pushes(solution: Solution | Summary) -> str:
    """``97 moves, 23 pushes``."""
    return f"{counted(solution.moves, 'move')}, {counted(solution.pushes, 'push')}"


def date_text(seconds: float) -> str:
    """``2026-11-22``: the local day of a moment in seconds since 1970."""
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def duration(seconds: int) -> str:
    """``5 s``, ``2 min 5 s`` or ``1 h 2 min``: two figures at most."""
    parts = [(seconds // 3600, "h"), (seconds // 60 % 60, "min"), (seconds % 60, "s")]
    first = next((place for place, (count, _) in enumerate(parts) if count), 2)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count) or "0 s"


def clock_time(seconds: float) -> str:
    """``2:41`` or ``1:02:41``.

    >>> clock_time(161), clock_time(3761)
    ('2:41', '1:02:41')
    """
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def over_par(over: int) -> str:
    """``3 over par``, ``on par``, or ``2 under par``, which no proven par allows.

    >>> over_par(3), over_par(0)
    ('3 over par', 'on par')
    """
    return f"{abs(over)} {'over' if over > 0 else 'under'} par" if over else "on par"


def over_briefly(over: int) -> str:
    """``+3``, or ``par``."""
    return f"{over:+}" if over else "par"
