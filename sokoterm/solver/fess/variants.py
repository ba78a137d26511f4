"""The searches that take turns: what each of them does in its own way, and how long it may.

Most levels that the first ones do not solve need the right plan and the right manner together, and nothing tells
beforehand which those are: how far a search has come by its plan does not, for it mostly stands still until it has the
solution.  So many are tried, each for a short time, drawn at random.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from sokoterm.solver.draws import draws
from sokoterm.solver.fess.forward import Manner
from sokoterm.solver.fess.packing import WayOut


class Variant(NamedTuple):
    """How a search differs from others: by its plan and its manner, and by what it goes for.

    ``imagined``: None is for the goals, 0 for the board that stands best of those met backwards, and any other number
    for one of them drawn by it.
    """

    way_out: WayOut = WayOut()
    manner: Manner = Manner()
    imagined: int | None = None


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

# The shuffle of the first plan that is drawn: no other variant has it.
_NEXT_SHUFFLE = 2

# The positions that the first may expand before the search backwards, before all others, and before the second round of
# these and each one after that.  ``auto`` goes by these, too, in how long it lets the whole search have its first turn.
_FIRST_TURNS = (200, 500, 500, 150)

# The positions that the search backwards may expand in its first turn, in the second one, and before each later round.
_HOME_TURNS = (400, 1_100, 300)

# The other variants before the second turn of the search backwards, and those of a round.
_SOON = 3
_ROUND = 6

# The positions that one of the table may expand, and one that is drawn.
_TABLED_TURN = 600
_DRAWN_TURN = 1_000

# The positions that one may expand that goes for an imagined board, the first and each drawn one: who comes there
# mostly does so with fewer.
_IMAGINED_TURN = 300
_LATER_IMAGINED_TURN = 200

# What the draws begin with, so that the same numbers come on every run.  It was picked for what it solves of a few hard
# levels: on others it is worth no more than another one.
_SEED = 7


def turns() -> Iterator[Turn]:
    """Who searches next, without end.

    The first of all has a part of every round: it meets every position in the end.  So does the search backwards: to
    come to one of its positions ends all others, and one search of a round goes for that.
    """
    early, alone, soon, later = _FIRST_TURNS
    home_early, home_soon, home_later = _HOME_TURNS
    yield Turn(FIRST, early)
    yield Turn(None, home_early)
    yield Turn(FIRST, alone)
    yield Turn(FIRST._replace(imagined=0), _IMAGINED_TURN)
    for number, turn in enumerate(_turns_of_others()):
        if number == _SOON:
            yield Turn(None, home_soon)
            yield Turn(FIRST._replace(imagined=0), _IMAGINED_TURN)
        elif number and number % _ROUND == 0:
            yield Turn(None, home_later)
            yield Turn(FIRST, soon if number == _ROUND else later)
            yield Turn(FIRST._replace(imagined=number), _LATER_IMAGINED_TURN)
        yield turn


def _turns_of_others() -> Iterator[Turn]:
    """One turn for each variant of the table, and then for one after the other that is drawn."""
    for variant in OTHERS:
        yield Turn(variant, _TABLED_TURN)
    numbers = draws(_SEED)
    for shuffle in count(_NEXT_SHUFFLE):
        yield Turn(_drawn(numbers, shuffle), _DRAWN_TURN)


def _drawn(numbers: Iterator[float], shuffle: int) -> Variant:
    """One of many variants; what seldom comes up has solved the fewest of the hard levels in its time."""

    def comes_up(chance: float) -> bool:
        return next(numbers) <= chance

    way_out = ANYWHERE if comes_up(0.1) else WayOut(2 if comes_up(0.5) else 6)
    rooms = comes_up(0.15)
    return Variant(
        way_out._replace(shuffle=shuffle),
        Manner(
            prunes=comes_up(0.95),
            spreads=comes_up(0.7),
            clears=comes_up(0.5),
            # The fourth feature is that of rooms.
            features=4 if rooms else 3 if comes_up(0.7) else 5,
            rooms=rooms,
            strict=comes_up(0.6),
            foresees=comes_up(0.7),
        ),
    )
