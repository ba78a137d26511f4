"""Candidates for the packs: levels generated from seeds, recorded one by one."""

from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from sokoterm import __version__
from sokoterm.commands.bench import BenchRecord, Fields
from sokoterm.commands.support.output import ProgressBar
from sokoterm.commands.support.workers import in_processes
from sokoterm.engine.steps import finish
from sokoterm.generator.make import making_once, summary
from sokoterm.generator.recipes import Wish
from sokoterm.language import levels_done
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.figures import FIGURES_VERSION

SEED = 2026

# Groups of a wish and the number of levels.  Add groups at the end only: then no candidate changes.
GROUPS: tuple[tuple[Wish, int], ...] = (
    (Wish(7, 6, 2, 4_000), 900),
    (Wish(8, 7, 2, 20_000), 435),
    (Wish(7, 7, 3, 2_000), 900),
    (Wish(8, 7, 3, 12_000), 600),
    (Wish(9, 7, 3, 50_000), 15),
    (Wish(7, 7, 4, 8_000), 600),
    (Wish(9, 7, 4, 15_000), 700),
    (Wish(9, 8, 4, 100_000), 18),
    (Wish(8, 8, 5, 30_000), 500),
    (Wish(10, 8, 5, 100_000), 150),
    (Wish(10, 8, 5, 300_000), 23),
    (Wish(10, 9, 6, 300_000), 19),
    (Wish(11, 9, 6, 600_000), 5),
    (Wish(12, 9, 7, 900_000), 1),
    (Wish(9, 8, 6, 150_000), 600),
    (Wish(9, 9, 7, 150_000), 400),
)


class Candidate(NamedTuple):
    """A level, its origin and its figures.

    ``group`` and ``number`` count from 1; ``xsb`` is empty if the attempt made no level.  ``words`` are the figures as
    text; ``difficulty`` and the last fields are those of ``generator.measure``.
    """

    group: int
    number: int
    xsb: str = ""
    words: str = ""
    difficulty: int = 0
    boxes: int = 0
    floor: int = 0
    used: int = 0
    pushes: int = 0
    moves: int = 0
    lines: int = 0
    changes: int = 0
    gap: int = 0
    tried: int = 0
    lost: int = 0
    is_rated: bool = False

    @property
    def made_by(self) -> str:
        """The seed and the wish."""
        wish = GROUPS[self.group - 1][0]
        size = f"size {wish.width}x{wish.height}, boxes {wish.boxes}, nodes {wish.nodes:,}"
        return f"seed {SEED}, {self.group}, {self.number}: {size}"


def make_all(path: str, jobs: int, groups: Sequence[tuple[Wish, int]] = GROUPS) -> list[Candidate]:
    """Make all candidates, in order; those in the file at ``path`` are not made again, new ones are added there."""
    places = [(group, number) for group, (_, many) in enumerate(groups, start=1) for number in range(1, many + 1)]
    with BenchRecord(path, {"candidates of": __version__, "seed": SEED, "figures": FIGURES_VERSION}) as record:
        found = {(each.group, each.number): each for each in map(_read, record.rows)}
        missing = [(place, groups[place[0] - 1][0]) for place in places if place not in found]
        # A part of each group at a time, so that every kind can be looked at early.
        missing.sort(key=lambda task: 1_000 * task[0][1] // groups[task[0][0] - 1][1])
        with ProgressBar(len(missing), levels_done) as bar, closing(in_processes(_made, missing, jobs)) as made:
            for done, each in enumerate(made, start=1):
                record.add(each._asdict())
                found[each.group, each.number] = each
                bar.show(done)
    return [found[place] for place in places]


def _read(fields: Fields) -> Candidate:
    return Candidate(**fields)  # type: ignore[arg-type]


def _made(task: tuple[tuple[int, int], Wish]) -> Candidate:
    (group, number), wish = task
    made = finish(making_once(wish, Dice.of(SEED, group, number)))
    if made is None:
        return Candidate(group, number)
    figures, solution, measure = made.figures, made.solution, made.measure
    return Candidate(
        group,
        number,
        xsb=made.level.xsb(),
        words=f"difficulty {'' if figures.is_solved else 'at least '}{measure.number}, {summary(made.level, solution)}",
        difficulty=measure.number,
        boxes=made.level.boxes,
        floor=made.floor,
        used=made.used,
        pushes=solution.pushes,
        moves=solution.moves,
        lines=solution.box_lines,
        changes=solution.box_changes,
        gap=figures.gap,
        tried=measure.tried,
        lost=measure.lost,
        is_rated=figures.is_solved,
    )
