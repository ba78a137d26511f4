"""What the browser says of packs and levels: their lines in the lists, and more in words."""

import time

from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.printable import printable
from sokoterm.library.known import Known
from sokoterm.library.packs import PackFile
from sokoterm.library.progress import Summary
from sokoterm.tui.course import Course
from sokoterm.tui.lists import level_line, pack_line
from sokoterm.tui.shelf import Figures


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


def index_of(course: Course, number: int | None) -> int:
    """Where the level of this number stands in the list; the first one where it does not."""
    levels = (entry.number if isinstance(entry, Level) else entry.level for entry in course.entries)
    return next((index for index, each in enumerate(levels) if each == number), 0)


def pack_row(file: PackFile, figures: Figures | None, problem: str, width: int) -> str:
    """The line of a pack; ``problem`` is why it cannot be read, or empty."""
    name = printable(file.name)
    if problem:
        return pack_line("!", name, "cannot be read", width)
    if figures is None:
        return pack_line(" ", name, "-", width)
    # The packs that ship have their titles, those of a person the names that they were given.
    name = figures.title if file.is_bundled else name
    return pack_line("*" if figures.is_done else " ", name, f"{figures.solved}/{figures.size}", width)


def level_row(level: Level, figures: Summary | None, width: int) -> str:
    """The line of a level, with the player's best figures."""
    return level_line(
        "*" if figures else " ",
        str(level.number),
        shown_title(level),
        f"{level.board.width}x{level.board.height}",
        str(level.boxes),
        str(figures.moves) if figures else "-",
        str(figures.pushes) if figures else "-",
        width,
    )
