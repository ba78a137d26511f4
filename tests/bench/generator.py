"""``python3 -m tests.bench generator``: made levels beside the levels of packs, by the same figures."""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from statistics import median
from time import process_time
from typing import NamedTuple, TypeVar

from sokoterm.commands.support.levels import Levels
from sokoterm.commands.support.output import ProgressBar, print_rows
from sokoterm.commands.support.parser import count
from sokoterm.commands.support.workers import in_processes
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.steps import finish
from sokoterm.engine.text import printable
from sokoterm.generator.make import USUAL, making
from sokoterm.generator.puzzle import solve_by_nodes, squares_used
from sokoterm.generator.recipes import BANDS, LevelOrder, order_for
from sokoterm.language import levels_done
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import difficulty
from tests.bench.common import BenchParser, measured

_HEAD = "                  levels  boxes  floor  pushes  lines  changes  a box   used  difficulty  seconds  longest"

_Item = TypeVar("_Item")


class _LevelFigures(NamedTuple):
    """The figures of a level by its solution with the fewest pushes; ``seconds`` are those of the processor."""

    boxes: int
    floor: int
    pushes: int
    lines: int
    changes: int
    used: int
    difficulty: int
    seconds: float


def run(arguments: list[str]) -> int:
    """Prints a row of medians for each difficulty, for a bare ``generate``, and for each pack; 2 if one fails."""
    parser = BenchParser(
        "generator",
        "Make levels of each difficulty, and hold them beside packs: medians of boxes, floor, pushes, box lines, "
        "box changes, these for each box, the share of the floor that the solution uses, the difficulty, and the "
        "seconds of one core that a level took to make, with those of the slowest.\n\n"
        "Solutions are those with the fewest pushes.",
        "--suite microban1.txt microban2.txt --jobs 2",
    )
    suite = parser.several("--suite", parse=str, nargs="+", metavar="PACK", help="packs to hold beside (default: none)")
    difficulty = parser.several(
        "--difficulty", parse=str, nargs="+", choices=tuple(BANDS), metavar="D", help="default: each"
    )
    number = parser.flag("--count", parse=measured, default=40, metavar="K", help="levels of each kind (default: 40)")
    seed = parser.flag("--seed", parse=count, default=1, metavar="S", help="as for generate (default: 1)")
    nodes = parser.flag(
        "--nodes",
        parse=measured,
        default=20_000,  # leaves out few levels of Microban's kind
        metavar="N",
        help="leave out levels of a pack that take more positions to solve (default: 20,000)",
    )
    jobs = parser.jobs(1)
    parser.parse(arguments)
    print(_HEAD)
    orders = {f"{name} {BANDS[name]}": order_for(BANDS[name]) for name in difficulty.value or BANDS}
    orders[f"{USUAL.boxes} boxes, {USUAL.width}x{USUAL.height}"] = LevelOrder((USUAL,))
    for name, order in orders.items():
        _print(name, partial(_made, order, seed.value), range(1, number.value + 1), jobs.value)
    if not suite.value:
        return 0
    packs = Levels(suite.value)
    for path, pack in packs.packs():
        _print(pack.title or path, partial(_measured, nodes.value), pack.levels, jobs.value)
    return packs.status


def _print(name: str, work: Callable[[_Item], _LevelFigures | None], items: Sequence[_Item], jobs: int) -> None:
    with ProgressBar(len(items), levels_done) as bar, closing(in_processes(work, items, jobs)) as found:
        rows = _counted(found, bar)
    print_rows([_line(printable(name), rows, len(items))])
    sys.stdout.flush()


def _counted(found: Iterable[_LevelFigures | None], bar: ProgressBar) -> list[_LevelFigures]:
    rows = []
    for number, row in enumerate(found, start=1):
        bar.show(number)
        if row is not None:
            rows.append(row)
    return rows


def _line(name: str, rows: Sequence[_LevelFigures], asked: int) -> str:
    """The medians, and what of the levels was left out."""
    begin = f"{name[:17]:<17} {len(rows):6}"
    left_out = f"  without {asked - len(rows)} of {asked}" if len(rows) < asked else ""
    if not rows:
        return begin + left_out
    columns = list(zip(*rows))
    boxes, floor, pushes, lines, changes, _, number, seconds = map(median, columns)
    a_box = median([row.changes / row.boxes for row in rows])
    used = median([100 * row.used / row.floor for row in rows])
    took = f"  {seconds:7.2f}  {max(columns[-1]):7.2f}" if seconds else " " * 18
    figures = f"{boxes:5.1f}  {floor:5.1f}  {pushes:6.1f}  {lines:5.1f}  {changes:7.1f}  {a_box:5.2f}  {used:4.0f}%"
    return f"{begin}  {figures}  {number:10.1f}{took}{left_out}".rstrip()


def _made(order: LevelOrder, seed: int, number: int) -> _LevelFigures | None:
    began = process_time()
    made = finish(making(order, partial(Dice.of, seed, number)))
    if made is None:
        return None
    return _row(made.level, made.solution, made.used, made.difficulty, process_time() - began)


def _measured(nodes: int, level: Level) -> _LevelFigures | None:
    board, start = level.board, level.start
    solved = finish(solve_by_nodes(board, start, nodes)) if start.boxes != board.goals else None
    if solved is None:
        return None
    used = squares_used(board, start, solved.solution.lurd).bit_count()
    return _row(level, solved.solution, used, difficulty(figures_of(level)), 0.0)


def _row(level: Level, solution: Solution, used: int, number: int, seconds: float) -> _LevelFigures:
    floor, changes = level.board.floor.bit_count(), solution.box_changes
    return _LevelFigures(level.boxes, floor, solution.pushes, solution.box_lines, changes, used, number, seconds)
