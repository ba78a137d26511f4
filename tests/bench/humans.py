"""``python3 -m tests.bench difficulty --humans``: fits the difficulty to people, and tells how far it agrees with them.

The data are in ../shared/humans, counted up from those of Chu, Zheng and Fan (CogSci 2025, MIT licence): the share of
plays that were not finished for 295 levels of a site, and mean times and ratings of 24 levels in a laboratory.

A model is a sum of terms with weights by least squares, fitted to the logarithm of the odds of not finishing.  It is
fitted ten times to nine tenths of the collections and tried on the rest, so that no collection is in both.  On the
levels of the laboratory it is tried as fitted to all levels of the site.
"""

import csv
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import log, log2
from pathlib import Path
from random import Random
from statistics import correlation, fmean, pstdev
from typing import NamedTuple

from sokoterm.commands.support.output import InputError
from sokoterm.engine.level import Level
from sokoterm.solver.figures import DifficultyFigures, difficulty

FOLDER = Path(__file__).parents[3] / "shared" / "humans"

Terms = Sequence[float]
_TERMS: Mapping[str, Callable[[DifficultyFigures], float]] = {
    "number": difficulty,
    "nodes": lambda figures: log2(figures.nodes),
    "ways": lambda figures: log2(figures.ways),
    "nodes/ways": lambda figures: log2(figures.nodes / figures.ways),
    "luck": lambda figures: log2(1 + figures.luck),
    "gap": lambda figures: log2(1 + figures.gap),
    "pushes": lambda figures: log2(figures.pushes),
    "boxes": lambda figures: figures.boxes,
    "crowding": lambda figures: figures.boxes / figures.floor,
}
_MODELS = (
    ("number",),
    ("nodes",),
    ("gap",),
    ("pushes",),
    ("luck",),
    ("nodes/ways",),
    ("nodes", "gap"),
    ("nodes/ways", "pushes"),
    ("nodes/ways", "luck"),
    ("nodes", "ways", "luck"),
    ("nodes/ways", "luck", "gap"),
    ("nodes/ways", "luck", "boxes", "crowding"),
)
_FOLDS, _SAMPLES = 10, 300


class Measured(NamedTuple):
    """A level that people were measured on: the share who did not finish it, else their mean seconds and rating."""

    collection: str
    level: Level
    unfinished: float = 0.0
    seconds: float = 0.0
    rating: float = 0.0


def measured() -> tuple[list[Measured], list[Measured]]:
    """Return the levels of the site and those of the laboratory; raises InputError where the data are missing."""
    if not FOLDER.is_dir():
        raise InputError(f"--humans: found no folder {FOLDER}, expected online.tsv and lab.tsv there")
    online = [
        Measured(row["collection"], _level(row), unfinished=1 - int(row["solves"]) / int(row["plays"]))
        for row in _rows("online.tsv")
    ]
    lab = [
        Measured(
            row["collection"],
            _level(row),
            seconds=float(row["mean_seconds_capped_300"]),
            rating=float(row["rated_difficult"]),
        )
        for row in _rows("lab.tsv")
    ]
    return online, lab


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file, delimiter="\t")]


def _level(row: Mapping[str, str]) -> Level:
    return Level.from_xsb(row["board"].replace("|", "\n"))


def report(online: Sequence[Measured], lab: Sequence[Measured], figures: Sequence[DifficultyFigures]) -> None:
    """Print the table of models; ``figures`` are those of ``online``, then those of ``lab``."""
    unfinished = [each.unfinished for each in online]
    odds = [log(share / (1 - share)) for share in unfinished]
    fold_of = _folds([each.collection for each in online])
    print(f"{'rank correlation with people':<40}unfinished          seconds       rated hard")
    for names in _MODELS:
        terms = [[_TERMS[name](each) for name in names] for each in figures]
        known, new = terms[: len(online)], terms[len(online) :]
        found = [0.0] * len(online)
        for fold in range(_FOLDS):
            some = [place for place in range(len(online)) if fold_of[place] != fold]
            fitted = fit([known[place] for place in some], [odds[place] for place in some])
            for place in range(len(online)):
                if fold_of[place] == fold:
                    found[place] = fitted.score(known[place])
        fitted = fit(known, odds)
        scores = [fitted.score(each) for each in new]
        cells = [
            _with_noise(found, unfinished),
            _with_noise(scores, [each.seconds for each in lab]),
            _with_noise(scores, [each.rating for each in lab]),
        ]
        weights = ", ".join(f"{name} {weight:+.3f}" for name, weight in zip(names, fitted.weights, strict=True))
        print(f"{' + '.join(names):<38}{'   '.join(cells)}   {weights}, {fitted.constant:+.2f}")


def _folds(collections: Sequence[str]) -> list[int]:
    """Return the fold of each level: whole collections, the largest first, each into the smallest fold."""
    sizes = [0] * _FOLDS
    fold_of: dict[str, int] = {}
    for name, count in sorted(Counter(collections).items(), key=lambda item: (-item[1], item[0])):
        fold_of[name] = sizes.index(min(sizes))
        sizes[fold_of[name]] += count
    return [fold_of[name] for name in collections]


class Fit(NamedTuple):
    """A linear model; ``middle`` and ``spread`` of its values on the levels that it is fitted to."""

    weights: Terms
    constant: float
    middle: float
    spread: float

    def score(self, terms: Terms) -> float:
        """Return the value for a level in standard deviations: so the folds can be compared."""
        return (_sum(self.weights, terms) - self.middle) / self.spread


def fit(rows: Sequence[Terms], values: Sequence[float]) -> Fit:
    """Fit a value to the terms of each row by least squares: the normal equations, solved by elimination."""
    means, mean = [fmean(column) for column in zip(*rows, strict=True)], fmean(values)
    centred = [[term - its for term, its in zip(row, means, strict=True)] for row in rows]
    columns = [*zip(*centred, strict=True)]
    matrix = [[*(_sum(one, other) for other in columns), _sum(one, values)] for one in columns]
    for place, pivot in enumerate(matrix):
        pivot[:] = [each / pivot[place] for each in pivot]
        for row in matrix:
            if row is not pivot:
                row[:] = [each - row[place] * other for each, other in zip(row, pivot, strict=True)]
    weights = [row[-1] for row in matrix]
    fitted = [_sum(weights, row) for row in rows]
    return Fit(weights, mean - _sum(weights, means), fmean(fitted), pstdev(fitted))


def _sum(weights: Sequence[float], terms: Sequence[float]) -> float:
    return sum(weight * term for weight, term in zip(weights, terms, strict=True))


def _with_noise(found: Sequence[float], told: Sequence[float]) -> str:
    """Return the rank correlation, and its standard deviation over samples of the levels, drawn with replacement."""
    dice, places = Random(0), range(len(found))
    samples = [dice.choices(places, k=len(found)) for _ in range(_SAMPLES)]
    noise = pstdev(rank_correlation([found[each] for each in some], [told[each] for each in some]) for some in samples)
    return f"{rank_correlation(found, told):7.2f} +- {noise:.2f}"


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's correlation, that of the ranks; equal values share theirs.

    >>> rank_correlation([1, 2, 3, 4], [10, 20, 20, 40])
    0.9486832980505138
    """
    return correlation(_ranks(one), _ranks(other))


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    starts = [
        0,
        *(place for place, (a, b) in enumerate(pairwise(order), start=1) if values[a] != values[b]),
        len(order),
    ]
    ranks = [0.0] * len(values)
    for start, end in pairwise(starts):
        for place in order[start:end]:
            ranks[place] = (start + end - 1) / 2
    return ranks
