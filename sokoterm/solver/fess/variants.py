"""The searches that take turns: what each of them does in its own way, and how long it may.

Most levels that the first ones do not solve need the right plan and the right manner together, and nothing tells
beforehand which those are: how far a search has come by its plan does not, for it mostly stands still until it has the
solution.  So many are tried, each for a short time, drawn at random.
"""

from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

from sokoterm.solver.draws import draws
from sokoterm.solver.fess.forward import Manner
from sokoterm.solver.fess.packing import WayOut


class Variant(NamedTuple):
    """How a search differs from others: by its plan and its manner."""

    way_out: WayOut = WayOut()
    manner: Manner = Manner()


class Turn(NamedTuple):
    """The positions that a variant may expand, or without one the search backwards."""

    variant: Variant | None
    expansions: int


# By this way out nearly every board has a whole plan, and mostly one that parks no box.
ANYWHERE = WayOut(1, anywhere=True)

# The first solves most levels; each of the others, of those that are left, the most that no other before it does.
FIRST = Variant(WayOut(2), Manner())
OTHERS = (
    Variant(ANYWHERE, Manner(spreads=False, clears=False)),
    Variant(WayOut(6, shuffle=1), Manner(spreads=False, clears=False)),
    Variant(WayOut(2), Manner(foresees=True, strict=False)),
    Variant(ANYWHERE, Manner(spreads=False)),
    Variant(WayOut(2), Manner(foresees=True, clears=False)),
    Variant(ANYWHERE, Manner(foresees=True, prunes=False, spreads=False, features=4, rooms=True)),
    Variant(WayOut(2), Manner(foresees=True, clears=False, strict=False)),
    Variant(WayOut(6, shuffle=1), Manner(foresees=True, spreads=False)),
)

# The positions that the first may expand before the search backwards, before all others, and before the second round of
# these and each one after that.  ``auto`` goes by these, too, in how long it lets the whole search have its first turn.
_FIRST_TURNS = (200, 500, 1_000, 150)

# The positions that the search backwards may expand in its first turn, in the second one, and before each later round.
_HOME_TURNS = (400, 1_100, 300)

# The variants before the second turn of the search backwards, and those of a round.
_SOON = 3
_ROUND = 6

# The positions that one of the others may expand, and one that is drawn.
_TURNS = (600, 1_000)

# What the draws begin with; the same numbers come on every run.
_SEED = 0


def variants() -> Iterator[Variant]:
    """All but the first, without end: those above, then others drawn at random."""
    numbers = draws(_SEED)
    return chain(OTHERS, (_drawn(numbers, shuffle) for shuffle in count(len(OTHERS))))


def turns() -> Iterator[Turn]:
    """Who searches next, without end.

    The first of all has a part of every round: it meets every position in the end.  So does the search backwards: to
    come to one of its positions ends all others.
    """
    early, alone, soon, later = _FIRST_TURNS
    home_early, home_soon, home_later = _HOME_TURNS
    yield Turn(FIRST, early)
    yield Turn(None, home_early)
    yield Turn(FIRST, alone)
    for number, variant in enumerate(variants()):
        if number == _SOON:
            yield Turn(None, home_soon)
        elif number and number % _ROUND == 0:
            yield Turn(None, home_later)
            yield Turn(FIRST, soon if number == _ROUND else later)
        yield Turn(variant, _TURNS[number >= len(OTHERS)])


def _drawn(numbers: Iterator[float], shuffle: int) -> Variant:
    """One of many variants, with a plan that is shuffled like no other.

    What seldom comes up has solved the fewest of the hard levels.
    """

    def comes_up(odds: float) -> bool:
        return next(numbers) <= odds

    way_out = ANYWHERE if comes_up(0.2) else WayOut(2 if comes_up(0.5) else 6)
    return Variant(
        way_out._replace(shuffle=shuffle),
        Manner(
            spreads=comes_up(0.5),
            clears=comes_up(0.5),
            features=3 if comes_up(0.5) else 4 if comes_up(0.5) else 5,
            rooms=comes_up(0.25),
            strict=comes_up(0.5),
            foresees=comes_up(0.7),
            prunes=comes_up(0.9),
        ),
    )
