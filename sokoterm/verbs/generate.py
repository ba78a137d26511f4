"""``sokoterm generate``: new levels, the same ones for the same arguments."""

import argparse
import signal
from collections.abc import Collection, Generator
from contextlib import closing
from functools import partial
from multiprocessing import get_context

from sokoterm.engine.level import Level, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.write import write
from sokoterm.generator.dice import Dice
from sokoterm.generator.make import Made, Wish, make_level
from sokoterm.generator.refine import LEAST_FLOOR
from sokoterm.verbs.crew import end_by_signal, leave_signals_to_parent, signals_held
from sokoterm.verbs.levels import Levels
from sokoterm.verbs.output import InputError, print_data, write_file
from sokoterm.verbs.parser import Parser, board_size, count
from sokoterm.verbs.progress_bar import ProgressBar

_SIZE = (9, 8)
_BOXES = range(2, 9)
_NODES = 150_000


class _Arguments(argparse.Namespace):
    seed: int
    size: tuple[int, int]
    boxes: int
    count: int
    nodes: int
    output: str | None
    jobs: int

    @property
    def wish(self) -> Wish:
        """What each level is to be; raises InputError where no room could hold so many boxes."""
        width, height = self.size
        if self.boxes not in _BOXES:
            raise InputError(f"found --boxes {self.boxes}, expected {_BOXES[0]} to {_BOXES[-1]}")
        if max(0, width - 2) * max(0, height - 2) < LEAST_FLOOR * self.boxes:
            raise InputError(
                f"found --size {width}x{height}, expected at least {LEAST_FLOOR * self.boxes} squares within its "
                f"walls for {self.boxes} boxes"
            )
        return Wish(width, height, self.boxes, self.nodes)


def run(arguments: list[str]) -> int:
    """Writes the levels when all are made."""
    parser = Parser(
        "generate",
        "Make new levels. The same arguments give the same levels on every machine; none is equal to another of them "
        "or to a level that ships. Each stands with its seed and its figures.\n\n"
        "OUT is written when all are made, and takes the place of an older pack; never of a file that is no pack.",
        "sokoterm generate --seed 7 --boxes 4 --count 10 --jobs 2 -o new.xsb",
    )
    _add_arguments(parser)
    parsed = parser.parse(arguments, _Arguments())
    wish = parsed.wish
    shipped = Levels([], None)
    known = frozenset(level_hash(each.level) for each in shipped)
    if parsed.output not in (None, "-"):
        shipped.check_output(parsed.output)
    levels = []
    with ProgressBar(parsed.count, "levels") as bar, closing(_distinct(parsed, wish, known)) as batch:
        bar.show(0)
        for number, made in enumerate(batch, start=1):
            levels.append(_titled(made, parsed, number))
            bar.show(number)
    data = write(Pack(f"Generated {parsed.seed}", tuple(levels)), "xsb").data
    if parsed.output in (None, "-"):
        print_data(data)
    else:
        write_file(parsed.output, data)
    return 0


def _add_arguments(parser: Parser) -> None:
    size = "x".join(map(str, _SIZE))
    for flag, kind, default, metavar, text in (
        ("--seed", count, 1, "S", "another seed, other levels (default: 1)"),
        ("--size", board_size, _SIZE, "WxH", f"largest size, walls included (default: {size})"),
        ("--boxes", count, 4, "N", f"boxes in each level, {_BOXES[0]} to {_BOXES[-1]} (default: 4)"),
        ("--count", count, 1, "K", "how many levels (default: 1)"),
        ("--nodes", count, _NODES, "N", f"positions to look at for a level; more: harder (default: {_NODES:,})"),
        ("--jobs", count, 1, "N", "levels at a time, each in a process (default: 1)"),
    ):
        parser.add_argument(flag, type=kind, default=default, metavar=metavar, help=text)
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file; else, or with -, to stdout")


def _distinct(parsed: _Arguments, wish: Wish, known: Collection[str]) -> Generator[Made, None, None]:
    """The levels in order: each the first of its number that is not ``known`` and not equal to one before."""
    found = dict.fromkeys(known)
    with closing(_batch(parsed, wish, known)) as batch:
        for number, made in enumerate(batch, start=1):
            if made is not None and level_hash(made.level) in found:
                made = _make(wish, parsed.seed, found, number)
            if made is None:
                raise InputError(
                    f"level {number} of seed {parsed.seed}: found none of {wish.boxes} boxes in "
                    f"{wish.width}x{wish.height} within the limit, expected more --nodes or another --size"
                )
            found[level_hash(made.level)] = None
            yield made


def _batch(parsed: _Arguments, wish: Wish, known: Collection[str]) -> Generator[Made | None, None, None]:
    """The levels in order, made by as many processes as asked for; however this ends, they end with it."""
    numbers = range(1, parsed.count + 1)
    make = partial(_make, wish, parsed.seed, known)
    jobs = min(parsed.jobs, parsed.count)
    if jobs == 1:
        yield from map(make, numbers)
        return
    restored = signal.signal(signal.SIGTERM, end_by_signal)
    try:
        with signals_held():
            pool = get_context().Pool(jobs, leave_signals_to_parent)
        with pool:
            yield from pool.imap(make, numbers)
    finally:
        signal.signal(signal.SIGTERM, restored)


def _make(wish: Wish, seed: int, known: Collection[str], number: int) -> Made | None:
    """A level by the seed and its number alone, so that neither the count nor the jobs change it."""
    return make_level(wish, partial(Dice.of, seed, number), known)


def _titled(made: Made, parsed: _Arguments, number: int) -> Level:
    """The level with its title, the arguments that make it, and its figures."""
    solution = made.solution
    width, height = parsed.size
    comment = (
        f"seed {parsed.seed}, level {number}, size {width}x{height}, boxes {parsed.boxes}, nodes {parsed.nodes:,}\n"
        f"{solution.pushes} pushes, {solution.moves} moves, {solution.box_lines} box lines, "
        f"{solution.box_changes} box changes, {solution.pushing_sessions} pushing sessions, "
        f"{made.used} of {made.floor} floor squares used"
    )
    return made.level._replace(title=f"Generated {parsed.seed}-{number}", comment=comment, number=number)
