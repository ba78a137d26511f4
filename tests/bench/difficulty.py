"""``python3 -m tests.bench difficulty``: the difficulty of every level of some packs, and the order that gives.

The packs are given in tiers, the easiest first, as players know them.  With --humans: what people made of levels, by
which the points in ``solver/figures.py`` were chosen.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing, nullcontext
from hashlib import sha256
from itertools import pairwise, product
from statistics import StatisticsError, median, quantiles
from typing import NamedTuple

from sokoterm.commands.bench import BenchRecord, Fields
from sokoterm.commands.support.levels import Levels
from sokoterm.commands.support.output import InputError, ProgressBar, print_rows
from sokoterm.commands.support.parser import PackFlags, count
from sokoterm.commands.support.workers import in_processes
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.language import levels_done
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import FIGURES_VERSION, DifficultyFigures, difficulty, in_words
from sokoterm.solver.search import Status
from tests.bench import humans
from tests.bench.common import BenchParser

_HEAD = f"{'pack':<28} levels  solved   least    25%  median    75%    most    rank"


class RatedLevel(NamedTuple):
    """A level with its figures; ``tier`` counts from 0."""

    tier: int
    pack: str
    level: Level
    figures: DifficultyFigures

    @property
    def number(self) -> int:
        return difficulty(self.figures)


def run(arguments: list[str]) -> int:
    """Prints a row for each pack and the order; 1 if that is not as given, 2 if a level could not be read."""
    parser = BenchParser(
        "difficulty",
        "Tell how hard packs are: the quartiles of the numbers of their levels, how many a short search solves, and "
        "rank, from -1 to 1: how far the levels grow harder from first to last.  With tiers, the easiest first: "
        "whether the median of every pack is below those of the next tier, and in how many pairs of levels the one "
        "of the lower tier is the harder.",
        "--tier microban1.txt --tier microban2.txt sasquatch1.txt --jobs 2",
    )
    packs = PackFlags(parser)
    parser.add_argument("--tier", nargs="+", action="append", metavar="PACK", help="packs that players find as hard")
    ends = parser.flag("--ends", parse=count, default=0, metavar="K", help="show the K easiest and hardest of a pack")
    jobs = parser.jobs(1)
    resume = parser.flag(
        "--resume", metavar="FILE", help="keep each row there, and go on from those that it has: may be broken off"
    )
    with_people = parser.switch(
        "--humans", help="no packs: how far models of difficulty agree with the people in ../shared/humans"
    )
    parser.parse(arguments)
    given: list[list[str]] | None = parser.values.tier
    if given and packs.packs:
        raise InputError(f"found {packs.packs[0]} outside of any tier, expected all packs in tiers or none")
    if with_people.value:
        online, lab = humans.measured()
        levels = [each.level for each in [*online, *lab]]
        humans.report(online, lab, _rated(levels, jobs.value, resume.value))
        return 0
    tiers = [Levels(tier, reading=packs.reading) for tier in given or [list(packs.packs)]]
    chosen = [(number, each) for number, tier in enumerate(tiers) for each in tier]
    levels = [each.level for _, each in chosen]
    figures = _rated(levels, jobs.value, resume.value)
    rated = [
        RatedLevel(tier, each.pack, each.level, found) for (tier, each), found in zip(chosen, figures, strict=True)
    ]
    is_right = _report(rated, ends.value)
    status = max(tier.status for tier in tiers)
    return status or (0 if is_right else 1)


# Counting


def _belongs_to(levels: Sequence[Level]) -> Fields:
    digest = sha256("\n\n".join([level.xsb() for level in levels]).encode("utf-8")).hexdigest()
    return {"bench": "difficulty", "figures": FIGURES_VERSION, "suite": f"{len(levels)} levels, {digest[:12]}"}


def _rated(levels: Sequence[Level], jobs: int, path: str | None) -> list[DifficultyFigures]:
    with BenchRecord(path, _belongs_to(levels)) if path else nullcontext() as record:
        return _figures(levels, jobs, record)


def _figures(levels: Sequence[Level], jobs: int, record: BenchRecord | None) -> list[DifficultyFigures]:
    """The figures of each level, in order; those that the record has are not counted again."""
    found = [_kept(row, record.path) for row in record.rows] if record else []
    left = levels[len(found) :]
    with ProgressBar(len(levels), levels_done) as bar, closing(in_processes(figures_of, left, jobs)) as counted:
        for figures in counted:
            if record:
                record.add(figures._asdict())
            found.append(figures)
            bar.show(len(found))
    return found


def _kept(row: Fields, path: str) -> DifficultyFigures:
    """A row of a file; raises InputError where it is none."""
    try:
        return DifficultyFigures(**{**row, "status": Status(row["status"])})  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{path}: found a row that this bench did not write; a new file needs another name") from None


# The report


def _report(rated: Sequence[RatedLevel], ends: int) -> bool:
    """Prints all there is to say; whether the packs come in their order."""
    packs: dict[tuple[int, str], list[RatedLevel]] = {}
    for each in rated:
        packs.setdefault((each.tier, each.pack), []).append(each)
    print(_HEAD)
    for (_, name), levels in packs.items():
        print_rows([_row(name, levels)])
    for (_, name), levels in packs.items() if ends else ():
        _print_ends(name, sorted(levels, key=lambda each: each.number), ends)
    tiers = [[each.number for each in rated if each.tier == tier] for tier in sorted({each.tier for each in rated})]
    if len(tiers) < 2:
        return True
    for number, (lower, upper) in enumerate(pairwise(tiers), start=1):
        print(f"tiers {number} and {number + 1}: {_overlap(lower, upper)}% of pairs the other way round")
    return _print_order(packs)


def _row(name: str, levels: Sequence[RatedLevel]) -> str:
    numbers = [each.number for each in levels]
    first, _, third = quantiles(numbers, method="inclusive") if len(numbers) > 1 else numbers * 3
    solved = sum(each.figures.is_solved for each in levels)
    name = printable(name)
    return (
        f"{name if len(name) <= 28 else '...' + name[-25:]:<28} {len(levels):6} {solved:7} {min(numbers):7} "
        f"{first:6.0f} {median(numbers):7.0f} {third:6.0f} {max(numbers):7} {_rank(numbers):>7}"
    )


def _rank(numbers: Sequence[int]) -> str:
    """The rank correlation of the numbers with their places."""
    try:
        return f"{humans.rank_correlation(range(len(numbers)), numbers):.2f}"
    except StatisticsError:
        return "-"


def _print_ends(name: str, levels: Sequence[RatedLevel], ends: int) -> None:
    for which, some in (("easiest", levels[:ends]), ("hardest", levels[-ends:])):
        print_rows([f"\n{printable(name)}, {which}"])
        for each in some:
            figures = each.figures
            row = (
                f"{each.level.number:5} {in_words(figures):>12}  {figures.boxes} boxes, {figures.pushes} pushes, "
                f"gap {figures.gap}, {figures.nodes} nodes, {figures.ways} ways, luck {figures.luck}  "
                f"{printable(each.level.title)}"
            )
            print_rows([row])


def _overlap(lower: Iterable[int], upper: Iterable[int]) -> int:
    pairs = [one > other for one, other in product(lower, upper)]
    return 100 * sum(pairs) // len(pairs)


def _print_order(packs: dict[tuple[int, str], list[RatedLevel]]) -> bool:
    medians = [(tier, name, median([each.number for each in levels])) for (tier, name), levels in packs.items()]
    wrong = [
        f"{printable(one)} at {low:.0f} is not below {printable(other)} at {high:.0f}"
        for tier, one, low in medians
        for above, other, high in medians
        if above == tier + 1 and low >= high
    ]
    print("order: " + ("; ".join(wrong) if wrong else "each pack is below those of the next tier"))
    return not wrong
