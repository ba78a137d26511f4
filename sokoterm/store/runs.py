"""Descents: runs from floor to floor, by seed and the moment each began, and what was done on each floor.

A floor that was made ahead has a row as well, so that it is there at once when its run is taken up again.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sokoterm.store.rows import Effort, MadeLevel, Store, is_date, made_level, number_in, upsert

_FLOOR = [*MadeLevel._fields, "entered", *Effort._fields]
_SAVE_FLOOR = upsert("floor", ["seed", "begun", "number"], _FLOOR)
# What has ended stays so, whatever another session of the same person says.
_SAVE_RUN = (
    "INSERT INTO run (seed, begun, played, ended) VALUES (?, ?, ?, ?) "
    f"ON CONFLICT (seed, begun) DO UPDATE SET played = max({number_in('run.played')}, excluded.played), "
    "ended = coalesce(run.ended, excluded.ended)"
)
_ALL_FLOORS = f"SELECT seed, begun, number, {', '.join(_FLOOR)} FROM floor"
_FLOORS = f"{_ALL_FLOORS} WHERE seed = ? AND begun = ? ORDER BY number"
_SORTED = f"{_ALL_FLOORS} ORDER BY seed, begun, number"
_RUNS = "SELECT seed, begun, played, ended FROM run ORDER BY played DESC, begun DESC"


class Run(NamedTuple):
    """A descent: its seed, and when it began, was played last and ended, if it has, in seconds since 1970."""

    seed: int
    begun: float
    played: float
    ended: float | None = None


class Floor(NamedTuple):
    """A floor that was made; ``entered`` is when the player came to it, None where that is still to be."""

    number: int
    made: MadeLevel
    entered: float | None = None
    effort: Effort = Effort()

    @property
    def is_done(self) -> bool:
        return self.effort.solved is not None


class _FloorRow(NamedTuple):
    """A row of the table of floors."""

    seed: int
    begun: float
    number: int
    recipe: int
    xsb: str
    lurd: str
    entered: float | None
    seconds: float
    undos: int
    hints: int
    shown: int
    solved: float | None
    pushes: int
    moves: int

    def floor(self) -> Floor | None:
        """The floor; None where the row is damaged."""
        made = made_level(self.recipe, self.xsb, self.lurd)
        return Floor(self.number, made, self.entered, Effort(*self[7:])) if made is not None else None


class Account(NamedTuple):
    """What a run comes to, to be compared: ``floors`` solved, and what all of them together took.

    ``over`` is how many pushes more than the fewest; going back, hints and solutions count on the open floor too.
    """

    floors: int
    over: int
    undos: int
    hints: int
    shown: int
    pushes: int
    moves: int
    seconds: float


def account(floors: Iterable[Floor]) -> Account:
    """What a run comes to."""
    entered = [floor for floor in floors if floor.entered is not None]
    done = [floor for floor in entered if floor.is_done]
    return Account(
        len(done),
        sum(floor.effort.pushes - floor.made.par for floor in done),
        sum(floor.effort.undos for floor in entered),
        sum(floor.effort.hints for floor in entered),
        sum(floor.effort.shown for floor in entered),
        sum(floor.effort.pushes for floor in done),
        sum(floor.effort.moves for floor in done),
        sum(floor.effort.seconds for floor in entered),
    )


def rank(of: Account) -> tuple[float, ...]:
    """What runs are ordered by: the deepest first, and of equal ones the one that took least."""
    return (-of.floors, of.shown, of.hints, of.over, of.undos, of.moves)


def all_runs(store: Store) -> list[Run]:
    """All runs, the one played last first; one that began at no date is as good as none."""
    return [run for run in store.rows(_RUNS, (), Run) if is_date(run.begun)]


def floors_of(store: Store, run: Run) -> dict[int, Floor]:
    """The floors of a run that were made, by number; one that is damaged is as good as none."""
    rows = store.rows(_FLOORS, (run.seed, run.begun), _FloorRow)
    return {floor.number: floor for row in rows if (floor := row.floor()) is not None}


def all_floors(store: Store) -> dict[tuple[int, float], list[Floor]]:
    """The floors of all runs, by seed and beginning."""
    found: dict[tuple[int, float], list[Floor]] = {}
    for row in store.rows(_SORTED, (), _FloorRow):
        if (floor := row.floor()) is not None:
            found.setdefault((row.seed, row.begun), []).append(floor)
    return found


def keep_run(store: Store, run: Run) -> None:
    """Have a run written with the next save."""
    store.keep(_SAVE_RUN, (run.seed, run.begun), tuple(run))


def keep_floor(store: Store, run: Run, floor: Floor) -> None:
    """Have a floor written with the next save."""
    key = (run.seed, run.begun, floor.number)
    store.keep(_SAVE_FLOOR, key, (*key, *floor.made, floor.entered, *floor.effort))
