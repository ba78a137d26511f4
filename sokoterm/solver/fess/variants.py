"""Variants: the settings of the searches that take turns, and the length of each turn.

Most levels that the first variants do not solve need the right plan together with the right settings, and nothing
predicts which: progress in the plan does not, as it mostly stalls until the solution is found.  So many variants are
drawn at random, and each is tried for a short time.  But on some levels even the right one needs thousands of
positions, so a few variants are never given up.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from sokoterm.solver.common.dice import draws
from sokoterm.solver.fess.forward import SearchSettings
from sokoterm.solver.fess.packing import ExitRule


class SearchVariant(NamedTuple):
    """A way to search: the exit rule of its plan, the settings of the search, and its target.

    ``imagined``: None for the goals, 0 for the best board met backwards, any other number for one of them drawn by it.
    """

    exit_rule: ExitRule = ExitRule()
    settings: SearchSettings = SearchSettings()
    imagined: int | None = None


class Turn(NamedTuple):
    """A turn: a variant, or None for the backward search, and the number of positions it may expand."""

    variant: SearchVariant | None
    expansions: int


# With this exit rule nearly every board has a complete plan, and mostly one that parks no box.
ANYWHERE = ExitRule(1, anywhere=True)

# The first solves most levels.  The second solves the most of those that the first does not solve soon, and the third
# some that take it thousands of positions.  These are kept and continue where they stopped.
FIRST = SearchVariant(ExitRule(2), SearchSettings())
SECOND = SearchVariant(ExitRule(6, shuffle=1), SearchSettings(counts_unmatched=True, spreads=False))
THIRD = SearchVariant(ExitRule(2), SearchSettings(prunes=False, spreads=False))
KEPT = (FIRST, SECOND, THIRD)

# Each of these solves some levels in one turn that none of the others does.
OTHERS = (
    SearchVariant(ANYWHERE, SearchSettings(spreads=False, clears=False)),
    SearchVariant(ExitRule(2), SearchSettings(counts_unmatched=True, clears=False, strict=False)),
    SearchVariant(ExitRule(2), SearchSettings(counts_unmatched=True, clears=False)),
    SearchVariant(ExitRule(6, shuffle=1), SearchSettings(spreads=False, clears=False)),
    SearchVariant(ExitRule(2), SearchSettings(counts_unmatched=True, strict=False)),
)

# Each random variant gets its own exit rule, so its plan is not worth keeping.
SHARED_EXIT_RULES = frozenset(variant.exit_rule for variant in (*KEPT, *OTHERS))

# The shuffle of the first random plan, not used by any variant above.
_NEXT_SHUFFLE = 2

# The backward search.
_BACKWARD = None

_BEST_IMAGINED = FIRST._replace(imagined=0)

# Positions for each of OTHERS.
_TABLED_TURN = 600

# The turns before any variant is drawn at random, and their total of positions.
OPENING = (
    Turn(FIRST, 200),
    Turn(_BACKWARD, 400),
    Turn(FIRST, 500),
    Turn(_BEST_IMAGINED, 300),
    Turn(SECOND, 300),
    *(Turn(variant, _TABLED_TURN) for variant in OTHERS),
    Turn(_BACKWARD, 1_100),
    Turn(_BEST_IMAGINED, 300),
    Turn(SECOND, 1_200),
)
OPENING_POSITIONS = sum(turn.expansions for turn in OPENING)

# The first turns of each round after the opening.
_ROUND_BEGINS = (Turn(_BACKWARD, 300), Turn(FIRST, 200), Turn(SECOND, 200))

# Positions for the search in a round that targets an imagined board: if it gets there at all, it mostly does so soon.
_IMAGINED_TURN = 200

# Random variants in a round, and positions for each.
_DRAWS = 3
_DRAWN_TURN = 800

# Positions for the third variant at the end of the first round, and of each later one.  The hard levels that it is
# known to solve take it 5,000 to 13,000.
_THIRD_TURNS = (14_000, 2_000)

# Fixed seed, for the same draws on every run.  It was picked for a few hard levels; on others it is no better than any
# other.
_SEED = 7

# Shuffles of one draw: more than any search gets to.
_SHUFFLES = 10_000


def turns(draw: int = 0) -> Iterator[Turn]:
    """Yield the turns of the opening and of all rounds, without end; ``draw`` as in ``rounds``."""
    yield from OPENING
    for each in rounds(draw):
        yield from each


def rounds(draw: int = 0) -> Iterator[tuple[Turn, ...]]:
    """Yield the turns of each round after the opening, without end; another ``draw`` has other random variants.

    Kept variants have a share of every round: each finds a solution in the end, or proves that there is none.  So does
    the backward search, since reaching one of its positions solves the level; one search of each round targets one.
    """
    first_of_third, later_of_third = _THIRD_TURNS
    numbers = draws(_SEED + draw)
    for shuffle in count(_NEXT_SHUFFLE + draw * _SHUFFLES, _DRAWS):
        yield (
            *_ROUND_BEGINS,
            Turn(FIRST._replace(imagined=shuffle), _IMAGINED_TURN),
            *(Turn(_drawn(numbers, shuffle + number), _DRAWN_TURN) for number in range(_DRAWS)),
            Turn(THIRD, first_of_third if shuffle == _NEXT_SHUFFLE else later_of_third),
        )


def _drawn(numbers: Iterator[float], shuffle: int) -> SearchVariant:
    """Draw a variant at random; settings that solved fewer of the hard levels are rarer."""

    def comes_up(chance: float) -> bool:
        return next(numbers) <= chance

    exit_rule = ANYWHERE if comes_up(0.1) else ExitRule(2 if comes_up(0.5) else 6)
    rooms = comes_up(0.15)
    return SearchVariant(
        exit_rule._replace(shuffle=shuffle),
        SearchSettings(
            prunes=comes_up(0.95),
            spreads=comes_up(0.7),
            clears=comes_up(0.5),
            # The fourth feature is room connectivity.
            features=4 if rooms else 3 if comes_up(0.7) else 5,
            rooms=rooms,
            strict=comes_up(0.6),
            counts_unmatched=comes_up(0.7),
        ),
    )
