"""Packs of new levels: what may be asked for, and the levels made for it, the same for the same request."""

import re
from collections.abc import Callable, Collection, Generator
from contextlib import closing
from functools import partial
from itertools import count

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.slices import Steps, finish
from sokoterm.engine.value import Value
from sokoterm.generator.bands import ATTEMPTS, BANDS, Band, LevelOrder, making_ordered, order_for
from sokoterm.generator.make import Made
from sokoterm.generator.recipes import Wish
from sokoterm.generator.refine import LEAST_FLOOR
from sokoterm.language import _, listed, ngettext
from sokoterm.language.counts import boxes_text
from sokoterm.solver.common.dice import Dice

BOXES = range(2, 9)
USUAL = Wish(width=9, height=8, boxes=4, nodes=150_000)
VARIED = Wish(width=8, height=8, boxes=3, nodes=2_000)
VARIANTS = {"colors": ("colors",), "sliding": ("sliding",), "both": ("colors", "sliding")}
# These take four minutes and half a gigabyte for a level.
MOST_NODES = 10_000_000
# Distance from a single number that is near enough.
_NEAR = 2
_HARDEST = max(band.most for band in BANDS.values())

Making = Callable[[int], Steps[Made | None]]
"""The generation of the level of a number; None if it has none."""


class PackRequest(Value):
    """A pack to make: seed, number of levels, and what each is to have; None where any will do."""

    seed: int = 1
    count: int = 1
    size: tuple[int, int] | None = None
    boxes: int | None = None
    nodes: int | None = None
    difficulty: Band | None = None
    variant: str | None = None

    def make_order(self) -> LevelOrder:
        """Make the order of each level; raises ValueError if no room could hold so many boxes."""
        if self.boxes is not None and self.boxes not in BOXES:
            raise ValueError(
                _(
                    "found --boxes {found}, expected {least} to {most}",
                    found=self.boxes,
                    least=BOXES[0],
                    most=BOXES[-1],
                )
            )
        if self.variant is not None and self.difficulty is not None:
            raise ValueError(
                _("found {flag} with {other}, expected one of them", flag="--variant", other="--difficulty")
            )
        usual = USUAL if self.variant is None else VARIED
        order = LevelOrder((usual,)) if self.difficulty is None else order_for(self.difficulty)
        asked = order.with_all(self.asked)
        if not asked.wishes:
            width, height = self.size or (USUAL.width, USUAL.height)
            boxes = self.boxes or min(wish.boxes for wish in order.wishes)
            raise ValueError(
                ngettext(
                    "found --size {size}, expected at least {n} square within its walls for {boxes}",
                    "found --size {size}, expected at least {n} squares within its walls for {boxes}",
                    LEAST_FLOOR * boxes,
                    size=f"{width}x{height}",
                    boxes=boxes_text(boxes),
                )
            )
        return asked._replace(wishes=tuple(wish._replace(kinds=self.kinds) for wish in asked.wishes))

    @property
    def asked(self) -> dict[str, int]:
        """The fields of a wish that are given, by name."""
        width, height = self.size or (None, None)
        fields = {"width": width, "height": height, "boxes": self.boxes, "nodes": self.nodes}
        return {name: value for name, value in fields.items() if value is not None}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the levels, none for ordinary ones."""
        return VARIANTS[self.variant] if self.variant is not None else ()

    def told(self) -> str:
        """The arguments that make a level again, without seed and number, each after a comma."""
        usual = USUAL if self.variant is None else VARIED
        asked = usual._asdict() | self.asked if self.difficulty is None else self.asked
        parts = [""] if self.difficulty is None else ["", f"difficulty {self.difficulty}"]
        if self.variant is not None:
            parts.append(f"variant {self.variant}")
        if "width" in asked:
            parts.append(f"size {asked['width']}x{asked['height']}")
        return ", ".join(parts + [f"{name} {asked[name]:,}" for name in ("boxes", "nodes") if name in asked])

    @property
    def title(self) -> str:
        return f"Generated {self.seed}"


def band_of(text: str) -> Band:
    """Return the band of a difficulty: a number, a range or a name; raises ValueError."""
    if text in BANDS:
        return BANDS[text]
    ends = [*map(int, text.split("-"))] if re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4})?", text) else [1, 0]
    if ends[0] > ends[-1]:
        problem = _(
            "found {found!r}, expected a number such as 65, a range such as 60-70, or one of {names}",
            found=text,
            names=listed(BANDS),
        )
        raise ValueError(problem)
    if ends[0] > _HARDEST:
        easiest = min(band.least for band in BANDS.values())
        problem = _(
            "found {found!r}, expected a difficulty from {least} to {most}", found=text, least=easiest, most=_HARDEST
        )
        raise ValueError(problem)
    return Band(*ends) if len(ends) > 1 else Band(max(0, ends[0] - _NEAR), ends[0] + _NEAR)


def _one_by_one(making: Making) -> Generator[Made | None, None, None]:
    for number in count(1):
        yield finish(making(number))


def levels_of(
    request: PackRequest,
    known: Collection[str],
    batch: Callable[[Making], Generator[Made | None, None, None]] = _one_by_one,
    finished: Callable[[Steps[Made | None]], Made | None] = finish,
    dice_of: Callable[..., Dice] = Dice.of,
) -> Generator[Level, None, None]:
    """Yield the levels in order, each the first of its number that is not ``known`` and not equal to one before.

    ``batch`` makes what it is given of each number from 1, ``finished`` one level more; ``dice_of`` makes the dice of
    an attempt.  Raises ValueError for a number that has no level.
    """
    found = dict.fromkeys(known)
    order = request.make_order()
    making = partial(_making, order, request.seed, dice_of)
    with closing(batch(partial(making, known))) as levels:
        for number, made in zip(range(1, request.count + 1), levels):
            if made is not None and level_hash(made.level) in found:
                made = finished(making(found, number))
            if made is None:
                problem = _(
                    "level {number} of seed {seed}: {problem}", number=number, seed=request.seed, problem=_missed(order)
                )
                raise ValueError(problem)
            found[level_hash(made.level)] = None
            comment = f"seed {request.seed}, level {number}{request.told()}\n{made.in_words()}"
            yield made.level._replace(title=f"{request.title}-{number}", comment=comment, number=number)


def _making(
    order: LevelOrder, seed: int, dice_of: Callable[..., Dice], known: Collection[str], number: int
) -> Steps[Made | None]:
    """Generate a level by the seed and its number alone, so that neither the count nor the jobs change it."""
    return making_ordered(order, partial(dice_of, seed, number), known)


def _missed(order: LevelOrder) -> str:
    """Name what was not found, and what may help."""
    if order.band is not None:
        return ngettext(
            "no level of difficulty {band} in {n} attempt: try another difficulty or --seed",
            "no level of difficulty {band} in {n} attempts: try another difficulty or --seed",
            ATTEMPTS,
            band=order.band,
        )
    width, height, boxes, *__ = order.wishes[0]
    return ngettext(
        "no level with {n} box in {size} within the limit: try more --nodes or another --size",
        "no level with {n} boxes in {size} within the limit: try more --nodes or another --size",
        boxes,
        size=f"{width}x{height}",
    )
