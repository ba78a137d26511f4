"""``python3 -m levels.make.choose_packs``: chooses the packs beside First Steps from thousands of generated levels.

Candidates (candidates.py) and names come from seeds: the packs are the same on every machine.  The choice can be
interrupted, and resumes.
"""

import argparse
import csv
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from levels.make.candidates import SEED, Candidate, make_all
from levels.make.pack_names import EVENING, LONG_NIGHT, RAINY_DAY, WEEKEND, names
from levels.make.twins import best_solution, is_twin
from sokoterm.engine.bits import Bitboard, regions
from sokoterm.engine.level import RECIPE, Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import parse, write
from sokoterm.generator.make import summary
from sokoterm.generator.recipes import BANDS, Band
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import difficulty

LEVELS = Path(__file__).parents[1]
SOLUTIONS = LEVELS.parent / "tests" / "data" / "made_solutions.tsv"
SIZE = 40

# Candidates not to be chosen, by group and number, and why.
THROWN_OUT: Mapping[tuple[int, int], str] = MappingProxyType(
    {
        (1, 12): "known from elsewhere",
        (1, 130): "known from elsewhere",
        (1, 222): "known from elsewhere",
        (2, 4): "a walk round the pillar for every push",
        (2, 93): "known from elsewhere",
    }
)


class Theme(NamedTuple):
    """A pack to make: its file, title and comment, the measure of its levels, and the nouns of their names."""

    file: str
    title: str
    comment: str
    band: Band
    nouns: str


# In the order of their names, after First Steps.
THEMES = (
    Theme(
        "one-evening.txt",
        "One Evening",
        "A few boxes in small rooms, for the time between supper and bed.",
        BANDS["easy"],
        EVENING,
    ),
    Theme(
        "one-long-night.txt",
        "One Long Night",
        "Three boxes or more, in each other's way. One more level, and then to bed.",
        BANDS["microban"],
        LONG_NIGHT,
    ),
    Theme(
        "one-rainy-day.txt",
        "One Rainy Day",
        "Four boxes or more. The door can wait.",
        BANDS["hard"],
        RAINY_DAY,
    ),
    Theme(
        "one-weekend.txt",
        "One Weekend",
        "Five boxes or more, few squares, and no straight way anywhere. Bring sandwiches.",
        BANDS["fiendish"],
        WEEKEND,
    ),
)


class Fit(NamedTuple):
    """A candidate that may be chosen; ``goals``: the sizes of the groups in which the goals lie."""

    candidate: Candidate
    level: Level
    goals: tuple[int, ...]

    @property
    def seed(self) -> tuple[int, int, int]:
        """The seeds of the level."""
        return SEED, self.candidate.group, self.candidate.number

    @property
    def kind(self) -> tuple[int, int, int]:
        """Boxes and size, turned upright."""
        board = self.level.board
        return self.level.boxes, min(board.width, board.height), max(board.width, board.height)

    @property
    def interest(self) -> int:
        """Interest for its size: box changes, detours and ways to go wrong, minus walks and idle floor."""
        each = self.candidate
        return (
            12 * each.changes // each.boxes
            + 3 * each.gap
            + 40 * each.lost // each.tried
            - 4 * each.moves // each.pushes
            - each.floor // each.boxes
            - 2 * (each.floor - each.used)
        )


class _ChoiceArguments(argparse.Namespace):
    record: str
    jobs: int
    hashes: list[str]


def main() -> None:
    """Write the packs, and their solutions for the tests."""
    parser = argparse.ArgumentParser(prog="python3 -m levels.make.choose_packs", description=__doc__)
    parser.add_argument("--record", default="candidates.jsonl", help="where the candidates are kept (default: here)")
    parser.add_argument("--jobs", type=int, default=1, help="candidates at a time")
    parser.add_argument("--hashes", action="append", default=[], help="table of known levels: article_hash is a column")
    arguments = parser.parse_args(namespace=_ChoiceArguments())
    candidates = make_all(arguments.record, arguments.jobs)
    known = {hash_ for path in arguments.hashes for hash_ in _hashes(path)}
    first_steps = LEVELS / "first-steps.txt"
    known |= {level_hash(level) for level in parse(first_steps.read_bytes(), first_steps.name).levels}
    fits = fitting(candidates, known)
    chosen: list[Fit] = []
    rows: list[str] = []
    for theme in THEMES:
        picked = choose(fits, theme.band, chosen)
        chosen += picked
        rows += _write(theme, picked)
    SOLUTIONS.write_text("".join(rows), "ascii", newline="\n")


def _hashes(path: str) -> Iterator[str]:
    with open(path, encoding="ascii", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            yield row["article_hash"]


def fitting(candidates: Sequence[Candidate], known: Collection[str]) -> list[Fit]:
    """Return the candidates that are not dull, the first of equal ones; prints what became of all."""
    met = set(known)
    fits = []
    fates: Counter[str] = Counter()
    for each in candidates:
        fate = dull(each)
        if not fate:
            level = Level.from_xsb(each.xsb)
            hash_ = level_hash(level)
            fate = "equal to another" if hash_ in met else "too many corridors" if is_corridors(level) else ""
            met.add(hash_)
            if not fate:
                fits.append(Fit(each, level, _goal_groups(level)))
        fates[fate or "fit to be chosen"] += 1
    print(f"{len(candidates):,} candidates: " + ", ".join(f"{many:,} {fate}" for fate, many in fates.most_common()))
    return fits


def dull(each: Candidate) -> str:
    """Return why a candidate is dull; empty if it is not."""
    places = min(16, each.lines)
    reasons = {
        "not made": not each.xsb,
        "too hard to rate": not each.is_rated,
        "thrown out": (each.group, each.number) in THROWN_OUT,
        "over soon": each.pushes < 8,
        "too many moves a push": 2 * each.moves > 11 * each.pushes,
        "boxes go home soon": 2 * each.changes < 3 * each.boxes or each.changes < 5,
        "hardly a choice": 10 * each.tried < (15 + 3 * each.boxes) * places,
        "hardly a mistake": 12 * each.lost < each.tried,
        "idle floor": 10 * each.used < 9 * each.floor,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def is_corridors(level: Level) -> bool:
    """True if more than half of the floor is corridor."""
    floor, stride = level.board.floor, level.board.stride
    upright = floor << stride & floor >> stride & ~(floor << 1) & ~(floor >> 1)
    across = floor << 1 & floor >> 1 & ~(floor << stride) & ~(floor >> stride)
    return 2 * (floor & (upright | across)).bit_count() > floor.bit_count()


def choose(fits: Sequence[Fit], band: Band, others: Sequence[Fit]) -> list[Fit]:
    """Choose the levels of a pack, by their measure: spread over the band, varied, and without twins."""
    waiting = [each for each in fits if band.least <= each.candidate.difficulty <= band.most]
    hardest = max((each.candidate.difficulty for each in waiting), default=band.least)
    print(f"{band}: {len(waiting)} to choose from, up to {hardest}")
    chosen: list[Fit] = []
    for slot in range(SIZE):
        wanted = band.least + (hardest - band.least) * slot // (SIZE - 1)
        best = _best(waiting, wanted, chosen)
        while any(is_twin(best.level, each.level) for each in (*others, *chosen)):
            waiting.remove(best)
            best = _best(waiting, wanted, chosen)
        waiting.remove(best)
        chosen.append(best)
    return sorted(chosen, key=lambda each: (each.candidate.difficulty, each.candidate.lines, each.seed))


def _best(waiting: Sequence[Fit], wanted: int, chosen: Sequence[Fit]) -> Fit:
    """Return the most interesting level near a difficulty; levels of its kind already chosen count against it."""
    if not waiting:
        raise SystemExit("found too few candidates for a pack, expected more of the groups to be asked for")
    kinds = Counter(each.kind for each in chosen)
    boxes = Counter(each.level.boxes for each in chosen)
    goals = Counter(each.goals for each in chosen)

    def worth(each: Fit) -> tuple[int, int]:
        alike = 6 * kinds[each.kind] + boxes[each.level.boxes] + 3 * goals[each.goals]
        return each.interest - alike, -each.candidate.number

    off = min(max(1, abs(each.candidate.difficulty - wanted)) for each in waiting)
    return max((each for each in waiting if abs(each.candidate.difficulty - wanted) <= off), key=worth)


def _goal_groups(level: Level) -> tuple[int, ...]:
    goals: Bitboard = level.board.goals
    return tuple(sorted(group.bit_count() for group in regions(goals, level.board.stride)))


def _write(theme: Theme, picked: Sequence[Fit]) -> Iterator[str]:
    """Write a pack, from easy to hard; yields the rows of the table of its solutions: file, number, moves."""
    levels = []
    titles = names(theme.nouns, [each.seed for each in picked])
    rated = [(difficulty(figures_of(each.level)), each, title) for each, title in zip(picked, titles)]
    rated.sort(key=lambda row: (row[0], row[1].candidate.lines, row[1].seed))
    for number, (hard, each, title) in enumerate(rated, start=1):
        level = each.level
        solution = best_solution(level)
        recipe = f"difficulty {hard}, {summary(level, solution)}; {each.candidate.made_by}"
        level = level.replace(title=title, author="the sokoterm project", metadata=((RECIPE, recipe),))
        levels.append(level.replace(number=number))
        yield f"{theme.file}\t{number}\t{solution.lurd}\n"
    metadata = (("copyright", "MIT, like the program"),)
    pack = Pack(theme.title, tuple(levels), author="the sokoterm project", comment=theme.comment, metadata=metadata)
    (LEVELS / theme.file).write_bytes(write(pack, "xsb").data)


if __name__ == "__main__":
    main()
