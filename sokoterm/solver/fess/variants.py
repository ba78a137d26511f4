"""The searches that take turns: what each of them does in its own way, and how long it may.

Most levels that the first ones do not solve need the right plan and the right manner together, and nothing tells
beforehand which those are: how far a search has come by its plan does not, for it mostly stands still until it has the
solution.  So many are tried, each for a short time, drawn at random.  But some levels take the right one thousands of
positions: a few are never given up.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from sokoterm.solver.common.draws import draws
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

# The first solves most levels.  Of those that it does not solve soon the second solves the most, and the third some
# that take it thousands of positions.  These are kept, and go on where they stopped.
FIRST = Variant(WayOut(2), Manner())
SECOND = Variant(WayOut(6, shuffle=1), Manner(foresees=True, spreads=False))
THIRD = Variant(WayOut(2), Manner(prunes=False, spreads=False))
KEPT = (FIRST, SECOND, THIRD)

# Each of them solves some levels in one turn that none of the others does.
OTHERS = (
    Variant(ANYWHERE, Manner(spreads=False, clears=False)),
    Variant(WayOut(2), Manner(foresees=True, clears=False, strict=False)),
    Variant(WayOut(2), Manner(foresees=True, clears=False)),
    Variant(WayOut(6, shuffle=1), Manner(spreads=False, clears=False)),
    Variant(WayOut(2), Manner(foresees=True, strict=False)),
)

# Who is drawn has a way out of its own.
SHARED_WAYS_OUT = frozenset(variant.way_out for variant in (*KEPT, *OTHERS))

# The shuffle of the first plan that is drawn: no other variant has it.
_NEXT_SHUFFLE = 2

# The search backwards.
_HOME = None

_BEST_IMAGINED = FIRST._replace(imagined=0)

# The positions that one of the table may expand.
_TABLED_TURN = 600

# Who takes turns before any is drawn, and the positions of all those turns.
_OPENING = (
    Turn(FIRST, 200),
    Turn(_HOME, 400),
    Turn(FIRST, 500),
    Turn(_BEST_IMAGINED, 300),
    Turn(SECOND, 300),
    *(Turn(variant, _TABLED_TURN) for variant in OTHERS),
    Turn(_HOME, 1_100),
    Turn(_BEST_IMAGINED, 300),
    Turn(SECOND, 1_200),
)
OPENING = sum(turn.expansions for turn in _OPENING)

# What begins each round after the opening.
_ROUND_BEGINS = (Turn(_HOME, 300), Turn(FIRST, 200), Turn(SECOND, 200))

# The positions of the one in a round that goes for an imagined board: who comes there mostly does so soon.
_IMAGINED_TURN = 200

# How many are drawn in a round, and the positions that each of them may expand.
_DRAWS = 3
_DRAWN_TURN = 800

# Those that the third may expand at the end of the first round, and at that of each later one.  The hard levels that it
# is known to solve take it 5,000 to 13,000.
_THIRD_TURNS = (14_000, 2_000)

# What the draws begin with, so that the same numbers come on every run.  It was picked for what it solves of a few hard
# levels: on others it is worth no more than another one.
_SEED = 7


def turns() -> Iterator[Turn]:
    """Who searches next, without end.

    Those that are kept have a part of every round: each comes to a solution in the end, or to the proof that there is
    none.  So has the search backwards: to come to one of its positions ends all others, and one search of a round goes
    for that.
    """
    yield from _OPENING
    first_of_third, later_of_third = _THIRD_TURNS
    numbers = draws(_SEED)
    for shuffle in count(_NEXT_SHUFFLE, _DRAWS):
        yield from _ROUND_BEGINS
        yield Turn(FIRST._replace(imagined=shuffle), _IMAGINED_TURN)
        for number in range(_DRAWS):
            yield Turn(_drawn(numbers, shuffle + number), _DRAWN_TURN)
        yield Turn(THIRD, first_of_third if shuffle == _NEXT_SHUFFLE else later_of_third)


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
