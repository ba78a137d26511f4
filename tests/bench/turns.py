"""``python3 -m tests.bench turns``: finds how ``auto`` should divide its time, from results of each strategy alone.

Each record is a file that ``sokoterm bench solver --suite PACK --strategy NAME --resume FILE`` wrote, all of the same
suite.  A strategy that solved a level in so many seconds is assumed to solve it in turns that add up to that time.

A *rule* gives the shares of the strategies, by the board: it is a tree of comparisons of one feature with a number.
Trees of no, one and two levels are grown greedily from all levels, and tried on each collection by a tree grown from
the others.
"""

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sokoterm.commands.support.levels import Levels
from sokoterm.commands.support.output import InputError
from sokoterm.engine.bits import regions
from sokoterm.engine.level import Level
from sokoterm.solver.strategies.auto import FIRST_ROUND, FIRST_SHARE_OF_ASTAR, GROWTH
from tests.bench.common import BenchParser
from tests.bench.humans import fit

# Percent of a round for greedy, backward search and FESS; A* gets the rest.
Shares = tuple[int, int, int]

# Turns of a round, in this order.
_STRATEGIES = ("astar", "greedy", "backward", "fess")

# Shares that are tried.
SHARES: Sequence[Shares] = (
    (7, 30, 60),
    (10, 50, 37),
    (7, 70, 20),
    (30, 50, 17),
    (30, 30, 37),
    (5, 17, 75),
    (2, 8, 88),
    (50, 30, 17),
)

# Levels are counted as solved within these seconds.
_WITHIN = (1, 2, 3, 5, 10)

# Fewest levels of a branch, and what it must solve in addition, summed over _WITHIN.
_LEAST = 20
_GAIN = 4

# Numbers tried for each feature.
_CUTS = 16

# Least seconds of a search whose nodes are timed: shorter ones mostly build tables.
_LONG = 2.0

# Levels of one pack that are left out together: a pack of many hundreds is made of several series.
_MOST_TOGETHER = 330

FEATURES: Mapping[str, Callable[[Level], float]] = {
    "squares": lambda level: level.board.floor.bit_count(),
    "boxes": lambda level: level.start.boxes.bit_count(),
    "squares a box": lambda level: level.board.floor.bit_count() / level.start.boxes.bit_count(),
    "boxes not home": lambda level: (level.start.boxes & ~level.board.goals).bit_count(),
    "share home": lambda level: (level.start.boxes & level.board.goals).bit_count() / level.start.boxes.bit_count(),
    "groups of goals": lambda level: len(regions(level.board.goals, level.board.stride)),
    "bits of an arrangement": lambda level: math.log2(
        math.comb(level.board.floor.bit_count(), level.start.boxes.bit_count())
    ),
}


class Case(NamedTuple):
    """Level: its collection, its features, and for each of SHARES whether it is solved within each of _WITHIN."""

    collection: str
    features: Mapping[str, float]
    solved: Mapping[Shares, tuple[bool, ...]]


class Branch(NamedTuple):
    """Comparison of a feature with a number, and the rules for levels below it and for the others."""

    feature: str
    number: float
    below: "Rule"
    above: "Rule"


Rule = Branch | Shares


def run(arguments: list[str]) -> int:
    """Print the rules and what they solve; returns 2 if a level could not be read."""
    parser = BenchParser(
        "turns",
        "Find the shares of the strategies in auto from results of each alone, and the microseconds of their nodes.",
        "--suite FOLDER astar.jsonl greedy.jsonl backward.jsonl fess.jsonl",
    )
    text = "written by sokoterm bench solver --resume FILE"
    files = parser.several("records", parse=str, nargs="+", metavar="FILE", help=text)
    suite = parser.flag("--suite", metavar="PACK", help="the suite of all records; default: the bundled packs")
    parser.parse(arguments)
    levels = Levels([suite.value] if suite.value else [])
    by_place = {(each.pack, each.level.number): each.level for each in levels}
    seconds: dict[tuple[str, int], dict[str, float]] = defaultdict(dict)
    print("microseconds of a node")
    for file in files.value:
        with open(file, encoding="ascii") as lines:
            head, *rows = map(json.loads, lines)
        if head["strategy"] not in _STRATEGIES:
            raise InputError(f"{file}: found results of {head['strategy']}, expected one of {', '.join(_STRATEGIES)}")
        timed = []
        for row in rows:
            place = row["pack"], row["level"]
            if place not in by_place:
                raise InputError(f"{file}: found level {place[1]} of {place[0]}, expected levels of the suite")
            seconds[place][head["strategy"]] = row["first"] if row["pushes"] else math.inf
            if row["seconds"] >= _LONG:
                timed.append((by_place[place], row["seconds"] / max(1, row["nodes"])))
        print(f"  {head['strategy']:<9} {_node_time(timed)}")
    print(f"\nof {len(seconds)} levels solved in        {' '.join(f'{limit:>2} s' for limit in _WITHIN)}")
    for name in _STRATEGIES:
        print(_row(name, [_within(each.get(name, math.inf)) for each in seconds.values()]))
    print(_row("any of these", [_within(min(each.values())) for each in seconds.values()]))
    cases = [_case(place, by_place[place], each) for place, each in seconds.items()]
    for depth in range(3):
        rule = grow(cases, depth)
        print(f"\na rule of {depth} levels:", *_lines(rule), sep="\n")
        print(_row("all levels", [case.solved[shares_by(rule, case)] for case in cases]))
        print(_row("collections left out", _left_out(cases, depth)))
    return levels.status


def total_seconds(seconds: Mapping[str, float], shares: Shares) -> float:
    """Return when turns of these shares (percent, in the order of greedy, backward, FESS) solve a level."""
    all_shares = 100 - sum(shares), *shares
    used = dict.fromkeys(_STRATEGIES, 0.0)
    length, total, first = FIRST_ROUND / 1e6, 0.0, True
    if not any(each < math.inf for each in seconds.values()):
        return math.inf
    while True:
        for name, share in zip(_STRATEGIES, all_shares):
            turn = length * (FIRST_SHARE_OF_ASTAR if first and name == "astar" else share) / 100
            missing = seconds.get(name, math.inf) - used[name]
            if missing <= turn:
                return total + max(0.0, missing)
            used[name] += turn
            total += turn
        length *= GROWTH
        first = False


def grow(cases: Sequence[Case], depth: int) -> Rule:
    """Return the best rule found for these levels, of at most ``depth`` comparisons in a row."""
    shares, most = _best_shares(cases)
    if depth == 0:
        return shares
    most += _GAIN
    best = None
    for feature in FEATURES:
        values = sorted({case.features[feature] for case in cases})
        for number in values[:: max(1, len(values) // _CUTS)]:
            below = [case for case in cases if case.features[feature] < number]
            above = [case for case in cases if case.features[feature] >= number]
            if min(len(below), len(above)) >= _LEAST:
                solved = _best_shares(below)[1] + _best_shares(above)[1]
                if solved > most:
                    most, best = solved, (feature, number, below, above)
    if best is None:
        return shares
    feature, number, below, above = best
    return Branch(feature, number, grow(below, depth - 1), grow(above, depth - 1))


def shares_by(rule: Rule, case: Case) -> Shares:
    """Return the shares that a rule gives for a level."""
    while isinstance(rule, Branch):
        rule = rule.below if case.features[rule.feature] < rule.number else rule.above
    return rule


def _best_shares(cases: Sequence[Case]) -> tuple[Shares, int]:
    counts = {shares: sum(sum(case.solved[shares]) for case in cases) for shares in SHARES}
    best = max(SHARES, key=counts.__getitem__)
    return best, counts[best]


def _left_out(cases: Sequence[Case], depth: int) -> list[tuple[bool, ...]]:
    """Return what each collection solves by a rule grown from the others."""
    solved = []
    for collection in sorted({case.collection for case in cases}):
        rule = grow([case for case in cases if case.collection != collection], depth)
        solved += [case.solved[shares_by(rule, case)] for case in cases if case.collection == collection]
    return solved


def _case(place: tuple[str, int], level: Level, seconds: Mapping[str, float]) -> Case:
    pack, number = place
    features = {name: feature(level) for name, feature in FEATURES.items()}
    solved = {shares: _within(total_seconds(seconds, shares)) for shares in SHARES}
    return Case(f"{pack} {number // _MOST_TOGETHER}", features, solved)


def _within(seconds: float) -> tuple[bool, ...]:
    return tuple(seconds <= limit for limit in _WITHIN)


def _node_time(timed: Sequence[tuple[Level, float]]) -> str:
    """Return the microseconds of a node as a product of powers, by least squares of the logarithms."""
    if len(timed) < _LEAST:
        return "too few long searches"
    terms = [(math.log(FEATURES["boxes"](level)), math.log(FEATURES["squares"](level))) for level, _ in timed]
    found = fit(terms, [math.log(seconds * 1e6) for _, seconds in timed])
    by_boxes, by_squares = found.weights
    return f"{math.exp(found.constant):.1f} * boxes^{by_boxes:.2f} * squares^{by_squares:.2f}"


def _row(name: str, solved: Sequence[tuple[bool, ...]]) -> str:
    return f"{name:<25}" + " ".join(f"{sum(each):>4}" for each in zip(*solved))


def _lines(rule: Rule, indent: str = "  ") -> Iterator[str]:
    if isinstance(rule, Branch):
        yield f"{indent}{rule.feature} below {rule.number:.4g}:"
        yield from _lines(rule.below, indent + "  ")
        yield f"{indent}else:"
        yield from _lines(rule.above, indent + "  ")
    else:
        yield f"{indent}greedy {rule[0]}, backward {rule[1]}, fess {rule[2]} percent"
