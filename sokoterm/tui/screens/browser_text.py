"""What the browser says of a level in words."""

import time

from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.printable import printable
from sokoterm.library.known import Known
from sokoterm.tui.course import Course


def level_facts(course: Course, level: Level, *, with_library: bool) -> str:
    """When a level was solved and how long it was played; what files brought, and its other names."""
    best = course.best(level)
    facts = []
    if best.first_solved is not None and best.last_solved is not None:
        first, last = map(_date, (best.first_solved, best.last_solved))
        facts.append(f"solved {first}" + (f", last {last}" if last != first else ""))
    if best.seconds >= 1:
        minutes, seconds = divmod(round(best.seconds), 60)
        facts.append(f"played for {minutes} min {seconds} s")
    if with_library and (known := course.known(level)):
        facts.append(known_text(known[0]))
    if names := course.other_names(level):
        facts.append(names)
    return ", ".join(facts)


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def known_text(known: Known) -> str:
    """``known 97 pushes, 230 moves (YASS 2.86)``: a solution that a file brought."""
    moves, pushes = known.solution.moves, known.solution.pushes
    return f"known {pushes} push{'es' if pushes != 1 else ''}, {moves} move{'s' if moves != 1 else ''} ({known.credit})"


def shown_title(level: Level) -> str:
    """The title, unless it only repeats the number."""
    title = printable(level.title.strip())
    return "" if title == str(level.number) else title


def searched_words(entry: Level | LevelError) -> str:
    """What a search looks for words in."""
    words = f"{entry.number} {entry.title} {entry.author}" if isinstance(entry, Level) else f"{entry.level}"
    return words.casefold()
