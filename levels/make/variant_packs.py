"""Makes the packs of levels with colours, with ice, and with both: ``python3 -m levels.make.variant_packs``.

They run from easy to hard, and of equally hard levels by pushes.  It takes a few minutes.
"""

from itertools import count
from pathlib import Path
from typing import NamedTuple

from sokoterm.engine.level import RECIPE, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.steps import finish
from sokoterm.formats.registry import write
from sokoterm.generator.make import Made, making_once
from sokoterm.generator.recipes import Wish
from sokoterm.solver.common.dice import Dice

_AUTHOR = "the sokoterm project"
_COPYRIGHT = (("copyright", "MIT, like the program"),)
_PER_WISH = 10


class VariantPack(NamedTuple):
    """A pack to make: its file and texts, and what its levels are made of."""

    name: str
    title: str
    comment: str
    kinds: tuple[str, ...]
    seed: int
    wishes: tuple[Wish, ...]


_SIZES = (Wish(7, 7, 2, 800), Wish(7, 7, 3, 1_500), Wish(8, 8, 3, 2_000), Wish(8, 8, 4, 3_000))
_LARGER = (Wish(7, 7, 2, 800), Wish(8, 8, 3, 2_000), Wish(9, 8, 3, 4_000), Wish(9, 9, 4, 6_000))

PACKS = (
    VariantPack("variants-forty-colours", "Forty Colours", "Boxes with goals of their own.", ("colors",), 1, _SIZES),
    VariantPack("variants-forty-on-ice", "Forty on Ice", "Boxes that slide.", ("sliding",), 2, _LARGER),
    VariantPack(
        "variants-forty-cold-colours",
        "Forty Cold Colours",
        "Sliding boxes with goals of their own.",
        ("colors", "sliding"),
        3,
        _SIZES,
    ),
)


def main() -> None:
    """Write the packs beside those that ship."""
    folder = Path(__file__).parents[1]
    for pack in PACKS:
        (folder / f"{pack.name}.txt").write_bytes(write(made(pack), "xsb").data)


def made(pack: VariantPack) -> Pack:
    """Make the levels of a pack."""
    known: set[str] = set()
    levels: list[Made] = []
    for group, wish in enumerate(pack.wishes, start=1):
        numbers = count()
        while len(levels) < group * _PER_WISH:
            dice = Dice.of(pack.seed, group - 1, next(numbers))
            found = finish(making_once(wish._replace(kinds=pack.kinds), dice))
            if found is not None and level_hash(found.level) not in known:
                known.add(level_hash(found.level))
                levels.append(found)
    levels.sort(key=lambda each: (each.difficulty, each.solution.pushes))
    titled = (
        each.level.replace(
            metadata=((RECIPE, each.in_words()),), title=f"{pack.title} {number}", author=_AUTHOR, number=number
        )
        for number, each in enumerate(levels, start=1)
    )
    return Pack(pack.title, tuple(titled), (), _AUTHOR, pack.comment, _COPYRIGHT)


if __name__ == "__main__":
    main()
