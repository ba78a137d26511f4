"""``sokoterm generate``: makes new levels, the same for the same arguments."""

import argparse
import re
from collections.abc import Callable, Collection, Generator
from contextlib import closing
from functools import partial

from sokoterm.commands.support.files import add_output, write_pack
from sokoterm.commands.support.generation import GenerationBar
from sokoterm.commands.support.levels import Levels
from sokoterm.commands.support.local_workers import in_pool
from sokoterm.commands.support.output import InputError, complain
from sokoterm.commands.support.parser import Parser, count, count_up_to, level_size
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.slices import Steps, finish
from sokoterm.formats.limits import DEFAULT_LIMITS
from sokoterm.generator.bands import ATTEMPTS, BANDS, Band, LevelOrder, making_ordered, order_for
from sokoterm.generator.make import Made
from sokoterm.generator.recipes import Wish
from sokoterm.generator.refine import LEAST_FLOOR
from sokoterm.language import _, listed, ngettext
from sokoterm.language.counts import boxes_text
from sokoterm.solver.common.dice import Dice

_BOXES = range(2, 9)
USUAL = Wish(width=9, height=8, boxes=4, nodes=150_000)
VARIED = Wish(width=8, height=8, boxes=3, nodes=2_000)
_VARIANTS = {"colors": ("colors",), "sliding": ("sliding",), "both": ("colors", "sliding")}
# These take four minutes and half a gigabyte for a level.
_MOST_NODES = 10_000_000
# Distance from a single number that is near enough.
_NEAR = 2
_HARDEST = max(band.most for band in BANDS.values())


class _GenerateArguments(argparse.Namespace):
    seed: int
    size: tuple[int, int] | None
    boxes: int | None
    nodes: int | None
    difficulty: Band | None
    variant: str | None
    count: int
    avoid: list[str]
    output: str | None
    jobs: int

    @property
    def order(self) -> LevelOrder:
        """The order of each level; raises InputError if no room could hold so many boxes."""
        if self.boxes is not None and self.boxes not in _BOXES:
            raise InputError(
                _(
                    "found --boxes {found}, expected {least} to {most}",
                    found=self.boxes,
                    least=_BOXES[0],
                    most=_BOXES[-1],
                )
            )
        if self.variant is not None and self.difficulty is not None:
            raise InputError(
                _("found {flag} with {other}, expected one of them", flag="--variant", other="--difficulty")
            )
        usual = USUAL if self.variant is None else VARIED
        order = LevelOrder((usual,)) if self.difficulty is None else order_for(self.difficulty)
        asked = order.with_all(self.asked)
        if not asked.wishes:
            width, height = self.size or (USUAL.width, USUAL.height)
            boxes = self.boxes or min(wish.boxes for wish in order.wishes)
            raise InputError(
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
        return _VARIANTS[self.variant] if self.variant is not None else ()

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


def run(arguments: list[str]) -> int:
    """Write the levels once all are made."""
    parser = Parser(
        "generate",
        _(
            "Make new levels. The same arguments give the same levels on every machine. No level equals another of "
            "them, a bundled one, or one of a pack to --avoid. A comment gives the seed and the figures of each.\n\n"
            "D is a difficulty as in `sokoterm info`, a range such as 60-70, or {names}; size, boxes and nodes are "
            "then chosen to suit.\n\n"
            "OUT is written once all levels are made. It may replace an older pack, but no other kind of file.",
            names=_names(),
        ),
        "sokoterm generate --seed 7 --boxes 4 --count 10 --jobs 2 -o new.xsb",
    )
    _add_arguments(parser)
    parsed = parser.parse(arguments, _GenerateArguments())
    order = parsed.order
    avoided = [Levels(packs, None) for packs in ([], parsed.avoid)[: 1 + bool(parsed.avoid)]]
    known = {level_hash(each.level) for levels in avoided for each in levels}
    for each in avoided:
        if each.status:
            return each.status  # a pack that cannot be read cannot be avoided
        if parsed.output not in (None, "-"):
            each.check_output(parsed.output)
    try:
        with GenerationBar(parsed.count) as bar:
            pack = _made(parsed, order, known, bar)
    except KeyboardInterrupt:
        complain(_("interrupted: nothing was written"))
        raise
    write_pack(parsed.output, pack, "xsb")
    return 0


def generate_pack(**given: object) -> Pack:
    """Return the pack that the verb writes for its arguments, by name; ``size``, ``difficulty`` as text.

    Raises InputError.
    """
    parsed = _GenerateArguments(
        seed=1,
        size=None,
        boxes=None,
        nodes=None,
        difficulty=None,
        variant=None,
        count=1,
        avoid=[],
        output=None,
        jobs=1,
    )
    types = {"seed": count, "size": level_size, "boxes": count, "difficulty": _difficulty, "variant": _variant}
    types |= {"nodes": count_up_to(_MOST_NODES), "count": count_up_to(DEFAULT_LIMITS.levels)}
    for name, value in given.items():
        if value is not None:
            try:
                setattr(parsed, name, types[name](str(value)))
            except (argparse.ArgumentTypeError, ValueError) as error:
                raise InputError(f"{name}: {error}") from None
    known = {level_hash(each.level) for each in Levels([], None)}
    with GenerationBar(parsed.count, is_quiet=True) as bar:
        return _made(parsed, parsed.order, known, bar)


def _made(parsed: _GenerateArguments, order: LevelOrder, known: Collection[str], bar: GenerationBar) -> Pack:
    levels = []
    with closing(_distinct(parsed, order, known, bar)) as batch:
        for number, made in enumerate(batch, start=1):
            levels.append(_titled(made, parsed, number))
            bar.add_level()
    return Pack(f"Generated {parsed.seed}", tuple(levels))


def _variant(name: str) -> str:
    if name not in _VARIANTS:
        problem = _("found {found!r}, expected one of {names}", found=name, names=listed(_VARIANTS))
        raise argparse.ArgumentTypeError(problem)
    return name


def _add_arguments(parser: Parser) -> None:
    width, height, boxes, nodes, __ = USUAL
    least, most = _BOXES[0], _BOXES[-1]
    size = _("largest size, walls included (default: {size})", size=f"{width}x{height}")
    number = _("boxes in each level, {least} to {most} (default: {usual})", least=least, most=most, usual=boxes)
    positions = _("positions searched for a level; more make it harder (default: {usual:,})", usual=nodes)
    for flag, kind, default, metavar, text in (
        ("--seed", count, 1, "S", _("another seed makes other levels (default: 1)")),
        ("--difficulty", _difficulty, None, "D", _("difficulty of each (default: any)")),
        ("--size", level_size, None, "WxH", size),
        ("--boxes", count, None, "N", number),
        ("--count", count_up_to(DEFAULT_LIMITS.levels), 1, "K", _("how many levels (default: 1)")),
        ("--nodes", count_up_to(_MOST_NODES), None, "N", positions),
    ):
        parser.add_argument(flag, type=kind, default=default, metavar=metavar, help=text)
    text = _("levels of another kind than ordinary Sokoban: {kinds}", kinds=listed(_VARIANTS))
    parser.add_argument("--variant", choices=[*_VARIANTS], metavar="KIND", help=text)
    parser.add_jobs()
    text = _("make no level of this PACK; may be repeated")
    parser.add_argument("--avoid", action="append", default=[], metavar="PACK", help=text)
    add_output(parser)


def _names() -> str:
    *names, last = [f"{name} ({band})" for name, band in BANDS.items()]
    # Translators: the last items of a list.
    return _("{names} or {last}", names=listed(names), last=last)


def _difficulty(text: str) -> Band:
    """A type for argparse: a number, a range or a name."""
    if text in BANDS:
        return BANDS[text]
    ends = [*map(int, text.split("-"))] if re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4})?", text) else [1, 0]
    if ends[0] > ends[-1]:
        problem = _(
            "found {found!r}, expected a number such as 65, a range such as 60-70, or one of {names}",
            found=text,
            names=listed(BANDS),
        )
        raise argparse.ArgumentTypeError(problem)
    if ends[0] > _HARDEST:
        easiest = min(band.least for band in BANDS.values())
        problem = _(
            "found {found!r}, expected a difficulty from {least} to {most}", found=text, least=easiest, most=_HARDEST
        )
        raise argparse.ArgumentTypeError(problem)
    return Band(*ends) if len(ends) > 1 else Band(max(0, ends[0] - _NEAR), ends[0] + _NEAR)


def _distinct(
    parsed: _GenerateArguments, order: LevelOrder, known: Collection[str], bar: GenerationBar
) -> Generator[Made, None, None]:
    """Yield the levels in order, each the first of its number that is not ``known`` and not equal to one before.

    Raises InputError for a number that has none.
    """
    found = dict.fromkeys(known)
    making = partial(_making, order, parsed.seed, bar.dice)
    with closing(_batch(parsed, partial(making, known), bar)) as batch:
        for number, made in enumerate(batch, start=1):
            if made is not None and level_hash(made.level) in found:
                made = bar.finish(making(found, number))
            if made is None:
                problem = _(
                    "level {number} of seed {seed}: {problem}", number=number, seed=parsed.seed, problem=_missed(order)
                )
                raise InputError(problem)
            found[level_hash(made.level)] = None
            yield made


def _batch(
    parsed: _GenerateArguments, making: Callable[[int], Steps[Made | None]], bar: GenerationBar
) -> Generator[Made | None, None, None]:
    """Generate a level for each number, in worker processes if there are several jobs."""
    numbers = range(1, parsed.count + 1)
    if min(parsed.jobs, parsed.count) == 1:
        yield from (bar.finish(making(number)) for number in numbers)
    else:
        with closing(in_pool(partial(_finished, making), numbers, parsed.jobs, bar.look)) as batch:
            yield from batch


def _finished(making: Callable[[int], Steps[Made | None]], number: int) -> Made | None:
    """Generate the level of a number in a worker."""
    return finish(making(number))


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


def _titled(made: Made, parsed: _GenerateArguments, number: int) -> Level:
    """Give a level its title, the arguments that make it, and its figures."""
    comment = f"seed {parsed.seed}, level {number}{parsed.told()}\n{made.in_words()}"
    return made.level._replace(title=f"Generated {parsed.seed}-{number}", comment=comment, number=number)
