"""Generated levels by series: daily levels with their streak, and descents with their floors.

Days are in UTC and numbered from 1, which is 1 January 2026. A descent is a run from floor to floor, by seed and start;
a floor generated ahead is stored too, so that a resumed run has it immediately.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from sokoterm.engine.lurd import measure
from sokoterm.engine.value import Value
from sokoterm.store.progress import ProgressStore
from sokoterm.store.solutions import is_date

FIRST_DAY = date(2026, 1, 1)

_MOVES = frozenset("lurdLURD")


class MadeLevel(NamedTuple):
    """A generated level as stored: the generator's version, the picture, and a solution with the fewest pushes."""

    recipe: int
    xsb: str
    lurd: str

    @property
    def par(self) -> int:
        """The fewest pushes."""
        return measure(self.lurd).pushes


class Effort(NamedTuple):
    """The effort spent on a level until it was solved; ``solved`` is the date in seconds since 1970.

    ``undos`` counts steps back, ``hints`` requested hints, ``shown`` viewed solutions; none change after the solution.
    """

    seconds: float = 0.0
    undos: int = 0
    hints: int = 0
    shown: int = 0
    solved: float | None = None
    pushes: int = 0
    moves: int = 0

    @property
    def is_helped(self) -> bool:
        return bool(self.hints or self.shown)


def _upsert(table: str, key: Sequence[str], others: Sequence[str]) -> str:
    """Return the statement that writes a row of a table with an Effort; a solved row is never overwritten.

    The effort of an unsolved row never shrinks, even if the writer has not read it, and its level is never replaced by
    one of an older recipe.
    """
    changes = {name: f"excluded.{name}" for name in others}
    changes |= {
        name: f"CASE {table}.recipe WHEN excluded.recipe THEN max({table}.{name}, excluded.{name}) "
        f"ELSE excluded.{name} END"
        for name in ("seconds", "undos", "hints", "shown")
    }
    if "entered" in others:
        changes["entered"] = f"coalesce({table}.entered, excluded.entered)"
    columns = ", ".join([*key, *others])
    assignments = ", ".join(f"{name} = {value}" for name, value in changes.items())
    places = ", ".join("?" * (len(key) + len(others)))
    return (
        f"INSERT INTO {table} ({columns}) VALUES ({places}) ON CONFLICT ({', '.join(key)}) DO UPDATE SET {assignments} "
        f"WHERE {table}.solved IS NULL AND (excluded.solved IS NOT NULL OR excluded.recipe >= {table}.recipe)"
    )


SAVE_DAY = _upsert("day", ["date"], [*MadeLevel._fields, *Effort._fields])
SAVE_FLOOR = _upsert("floor", ["seed", "begun", "number"], [*MadeLevel._fields, "entered", *Effort._fields])
# An ended run stays ended, whatever another session of the same person writes.
SAVE_RUN = (
    "INSERT INTO run (seed, begun, played, ended) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (seed, begun) DO UPDATE SET played = max(run.played, excluded.played), "
    "ended = coalesce(run.ended, excluded.ended)"
)


class Day(Value):
    """A day whose level was generated, and the effort spent on it."""

    date: date
    made: MadeLevel
    effort: Effort = Effort()

    @property
    def is_on_time(self) -> bool:
        """True if it was solved on its own day."""
        return self.effort.solved is not None and day_of(self.effort.solved) == self.date

    def stands(self, recipe: int) -> bool:
        """True if the day is kept for a recipe: levels of other recipes are kept only if they are solved."""
        return self.made.recipe == recipe or self.effort.solved is not None


def _day(
    text: str, recipe: int, xsb: str, lurd: str, seconds: float, undos: int, hints: int, shown: int,
    solved: float | None, pushes: int, moves: int,
) -> Day:  # fmt: skip
    """Return the day of a row; raises ValueError if it is damaged."""
    day = day_from_text(text)
    if day is None:
        raise ValueError("no date")
    effort = Effort(seconds, undos, hints, shown, solved, pushes, moves)
    return Day(day, _checked(MadeLevel(recipe, xsb, lurd), effort), effort)


class Streak(Value):
    """A number of consecutive days: the current streak, and the longest."""

    now: int
    longest: int


def day_of(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def number_of(day: date) -> int:
    """Return the number of a day, 1 for the first with a level."""
    return (day - FIRST_DAY).days + 1


def day_of_number(number: int) -> date:
    return FIRST_DAY + timedelta(days=number - 1)


def day_from_text(text: str) -> date | None:
    """Return the day of a date YYYY-MM-DD, None for other text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


def find_number(text: str) -> int | None:
    """Return the number of the day of a date, None for other text."""
    day = day_from_text(text)
    return number_of(day) if day is not None else None


def all_days(store: ProgressStore) -> list[Day]:
    """Return the days whose levels were generated, in order; damaged rows are skipped."""
    return store.rows("SELECT * FROM day ORDER BY date", (), _day)


def keep_day(store: ProgressStore, day: Day) -> None:
    key = day.date.isoformat()
    store.keep(SAVE_DAY, (key,), (key, *day.made, *day.effort))


def days_on_time(days: Iterable[Day]) -> list[date]:
    """Return the days whose level was solved on its own day."""
    return [day.date for day in days if day.is_on_time]


def streak(days: Iterable[date], today: date) -> Streak:
    """Return the streaks of some days; a streak up to yesterday is not broken yet."""
    longest = run = 0
    before: date | None = None
    for day in sorted(days):
        run = run + 1 if before is not None and day == before + timedelta(days=1) else 1
        longest = max(longest, run)
        before = day
    is_unbroken = before is not None and before >= today - timedelta(days=1)
    return Streak(run if is_unbroken else 0, longest)


class Run(NamedTuple):
    """A descent: its seed, and when it began, was last played and ended (None if open), in seconds since 1970."""

    seed: int
    begun: float
    played: float
    ended: float | None = None


class Floor(Value):
    """A generated floor; ``entered`` is when the player reached it, None if not yet."""

    number: int
    made: MadeLevel
    entered: float | None = None
    effort: Effort = Effort()


def _floor(
    seed: int, begun: float, number: int, recipe: int, xsb: str, lurd: str, entered: float | None, seconds: float,
    undos: int, hints: int, shown: int, solved: float | None, pushes: int, moves: int,
) -> tuple[tuple[int, float], Floor]:  # fmt: skip
    """Return a floor with the seed and start of its run; raises ValueError if the row is damaged."""
    effort = Effort(seconds, undos, hints, shown, solved, pushes, moves)
    return (seed, begun), Floor(number, _checked(MadeLevel(recipe, xsb, lurd), effort), entered, effort)


def _checked(made: MadeLevel, effort: Effort) -> MadeLevel:
    """Return the level if its solution is moves and the times of the effort are dates; raises ValueError."""
    times = (effort.seconds, 0.0 if effort.solved is None else effort.solved)
    if not (_MOVES.issuperset(made.lurd) and all(map(is_date, times))):
        raise ValueError("no solution, or a moment that no calendar has")
    return made


class RunScore(NamedTuple):
    """Score of a descent: seed, start in seconds since 1970, and cost so far; the player's own has no name.

    ``floors`` is the number solved, ``over`` the pushes beyond the fewest; other counts are those of Effort.
    """

    name: str
    seed: int
    begun: float
    is_over: bool
    floors: int
    over: int
    undos: int
    hints: int
    shown: int
    pushes: int
    moves: int
    seconds: float

    @property
    def is_own(self) -> bool:
        return not self.name


def score_of(run: Run, floors: Iterable[Floor]) -> RunScore:
    """Return the score of the player's own run; help and time on the open floor count too."""
    entered = [floor for floor in floors if floor.entered is not None]
    done = [floor for floor in entered if floor.effort.solved is not None]
    return RunScore(
        "",
        run.seed,
        run.begun,
        run.ended is not None,
        floors=len(done),
        over=sum(floor.effort.pushes - floor.made.par for floor in done),
        undos=sum(floor.effort.undos for floor in entered),
        hints=sum(floor.effort.hints for floor in entered),
        shown=sum(floor.effort.shown for floor in entered),
        pushes=sum(floor.effort.pushes for floor in done),
        moves=sum(floor.effort.moves for floor in done),
        seconds=sum(floor.effort.seconds for floor in entered),
    )


def rank(run: RunScore) -> tuple[float, ...]:
    """Return the sort key of runs: the deepest first, then the one that cost least, then the latest."""
    return (-run.floors, run.shown, run.hints, run.over, run.undos, run.moves, -run.begun)


def all_runs(store: ProgressStore) -> list[Run]:
    """Return all runs, the one played last first; a run with an impossible start is skipped."""
    runs = store.rows("SELECT * FROM run ORDER BY played DESC, begun DESC", (), Run)
    return [run for run in runs if is_date(run.begun)]


def floors_of(store: ProgressStore, run: Run) -> dict[int, Floor]:
    """Return the generated floors of a run by number; damaged rows are skipped."""
    query = "SELECT * FROM floor WHERE seed = ? AND begun = ? ORDER BY number"
    return {floor.number: floor for __, floor in store.rows(query, (run.seed, run.begun), _floor)}


def all_floors(store: ProgressStore) -> dict[tuple[int, float], list[Floor]]:
    """Return the floors of all runs, by seed and start."""
    found: dict[tuple[int, float], list[Floor]] = {}
    for run, floor in store.rows("SELECT * FROM floor ORDER BY seed, begun, number", (), _floor):
        found.setdefault(run, []).append(floor)
    return found


def keep_run(store: ProgressStore, run: Run) -> None:
    store.keep(SAVE_RUN, (run.seed, run.begun), tuple(run))


def keep_floor(store: ProgressStore, run: Run, floor: Floor) -> None:
    key = (run.seed, run.begun, floor.number)
    store.keep(SAVE_FLOOR, key, (*key, *floor.made, floor.entered, *floor.effort))
