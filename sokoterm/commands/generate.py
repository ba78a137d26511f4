"""``sokoterm generate``: makes new levels, which depend only on the arguments."""

import argparse
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from time import monotonic
from typing import Self, TypeVar

from sokoterm.commands.support.levels import Levels
from sokoterm.commands.support.output import InputError, ProgressBar, complain
from sokoterm.commands.support.parser import Parser, count, count_up_to, level_size
from sokoterm.commands.support.results import output_flag, write_pack
from sokoterm.commands.support.workers import Tell, in_processes
from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.steps import Events, Steps, finish
from sokoterm.formats.limits import DEFAULT_LIMITS
from sokoterm.generator import make
from sokoterm.generator.recipes import BANDS, Band, Recipe
from sokoterm.language import _, joined, levels_done, listed, ngettext
from sokoterm.solver.common.dice import Dice
from sokoterm.store.packs import bundled_hashes
from sokoterm.wording.figures import clock_time

_Result = TypeVar("_Result")


def made_under_bar(recipe: Recipe) -> make.Made:
    with GenerationBar(1) as bar:
        return bar.finish(make.made_by(recipe, bundled_hashes(), bar.dice))


class GenerationBar(ProgressBar):
    """Progress bar for ``total`` levels that are made in this process or others; ``made`` are finished.

    >>> with GenerationBar(1) as bar:
    ...     bar.finish(made_by(recipe, dice_of=bar.dice))
    """

    def __init__(self, total: int) -> None:
        super().__init__(total, self._worded)
        self.made = 0
        self._begun = monotonic()
        self._attempts = 0
        self.dice: Callable[..., Dice] = partial(_counted_dice, self.count_attempt)
        """Makes the dice of one more attempt in this process."""

    def __enter__(self) -> Self:
        self.look()
        return self

    def finish(self, steps: Steps[_Result]) -> _Result:
        """Run work step by step, updating the bar, and return its result."""
        work = Events(steps)
        for __ in work:
            self.look()
        return work.result

    def count_attempt(self, _seeds: object) -> None:
        self._attempts += 1

    def look(self) -> None:
        """Update the bar, at most ten times per second."""
        self.show(self.made)

    def _worded(self, done: int, total: int) -> str:
        tried = ngettext("{n} attempt", "{n} attempts", self._attempts) if self._attempts else ""
        return listed([levels_done(done, total), tried, clock_time(monotonic() - self._begun)])


def _counted_dice(count: Callable[[object], object], *seeds: int) -> Dice:
    count(seeds)
    return Dice.of(*seeds)


def run(arguments: list[str]) -> int:
    """Write the levels once all are made."""
    *bands, last = [f"{name} ({band})" for name, band in BANDS.items()]
    # Translators: the last items of a list.
    names = _("{names} or {last}", names=joined(bands), last=last)
    parser = Parser(
        "generate",
        _(
            "Make new levels. The same arguments give the same levels on every machine. No new level equals "
            "another new one, a bundled one, or one in a pack named by --avoid. The Recipe key of each level "
            "contains its figures and seed.\n\n"
            "D is a difficulty as in `sokoterm info`, a range such as 60-70, or {names}; it determines size, boxes "
            "and nodes, except those you set.\n\n"
            "OUT is written once all levels are made. It may replace an older pack, but no other kind of file.",
            names=names,
        ),
        "sokoterm generate --seed 7 --boxes 4 --count 10 --jobs 2 -o new.xsb",
    )
    width, height, boxes, nodes, __ = make.USUAL
    parser.flag("--seed", parse=count, default=1, metavar="S", help=_("another seed makes other levels (default: 1)"))
    parser.flag("--difficulty", parse=_difficulty, metavar="D", help=_("difficulty of each level (default: any)"))
    text = _("largest size, walls included (default: {size})", size=f"{width}x{height}")
    parser.flag("--size", parse=level_size, metavar="WxH", help=text)
    least, most = make.BOXES[0], make.BOXES[-1]
    text = _("boxes in each level, {least} to {most} (default: {usual})", least=least, most=most, usual=boxes)
    parser.flag("--boxes", parse=count, metavar="N", help=text)
    most_levels = count_up_to(DEFAULT_LIMITS.levels)
    parser.flag("--count", parse=most_levels, default=1, metavar="K", help=_("how many levels (default: 1)"))
    text = _("positions searched per level; more make it harder (default: {usual:,})", usual=nodes)
    parser.flag("--nodes", parse=count_up_to(make.MOST_NODES), metavar="N", help=text)
    text = _("kind of levels, if not ordinary Sokoban: {kinds}", kinds=joined(make.VARIANTS))
    parser.flag("--variant", choices=[*make.VARIANTS], metavar="KIND", help=text)
    jobs = parser.jobs(1)
    text = _("make no level that is in this PACK; may be repeated")
    avoid = parser.several("--avoid", parse=str, metavar="PACK", help=text)
    output = output_flag(parser)
    parser.parse(arguments)
    request = make.PackRequest(**{name: getattr(parser.values, name) for name in make.PackRequest.__match_args__})
    try:
        return _generate(request, avoid.value, output.value, jobs.value)
    except ValueError as error:
        raise InputError(str(error)) from None


def _generate(request: make.PackRequest, avoid: Sequence[str], output: str | None, jobs: int) -> int:
    request.make_order()  # reports errors before packs are read
    avoided = [Levels(packs) for packs in ([], avoid)[: 1 + bool(avoid)]]
    known = {level_hash(each.level) for levels in avoided for each in levels}
    for each in avoided:
        if each.status:
            return each.status  # a pack that cannot be read cannot be avoided
        if output not in (None, "-"):
            each.check_output(output)
    levels: list[Level] = []
    try:
        with (
            GenerationBar(request.count) as bar,
            closing(make.levels_of(request, known, partial(_batch, jobs, bar))) as made,
        ):
            for level in made:
                if level is not None:
                    levels.append(level)
                    bar.made += 1
                bar.look()
    except KeyboardInterrupt:
        complain(_("interrupted: nothing was written"))
        raise
    write_pack(output, Pack(request.title, tuple(levels)), "xsb")
    return 0


def _difficulty(text: str) -> Band:
    try:
        return make.band_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(error) from None


def _batch(
    jobs: int, bar: GenerationBar, making: make.Making, numbers: Sequence[int]
) -> Generator[tuple[make.Made | None] | None, None, None]:
    if min(jobs, len(numbers)) == 1:
        yield from make.one_by_one(making, numbers, bar.dice)
    else:
        with closing(in_processes(partial(_finished, making), numbers, jobs, bar.look, bar.count_attempt)) as batch:
            yield from ((each,) for each in batch)


def _finished(making: make.Making, number: int, tell: Tell) -> make.Made | None:
    return finish(making(number, partial(_counted_dice, tell)))
