"""``python3 -m tests.bench planner``: how fast the push planner answers, and how that grows with the board."""

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

from sokoterm.commands.support.levels import Chosen, Levels
from sokoterm.commands.support.output import InputError
from sokoterm.engine.bits import Square, scan
from sokoterm.engine.level import Level
from sokoterm.engine.planner import box_reach as planner
from sokoterm.engine.planner.box_reach import BoxReach, Fewest, boxes_that_reach
from sokoterm.engine.planner.cut_vertices import CutVertices
from sokoterm.engine.rules import legal_pushes
from sokoterm.engine.text import printable
from sokoterm.tui.screens.planner import PlannerScreen
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.frame import Frame, Size
from sokoterm.tui.widgets.theme import THEMES
from tests.bench.common import BenchParser, measured, print_figure
from tests.bench.made_boards import crowded_board, maze, open_board
from tests.bench.naive_planner import naive_pushes
from tests.unit.tui.planned import Play

_SIZES = (10, 20, 50, 100, 200)
_MAZE, _CROWD = 50, 100
_CLICKS = 100
_WINDOW = Size(24, 80)
_ROUNDS = 101
_GROWTH_ROUNDS = 21
_PLAN_ROUNDS = 5
_WIDTH = 17


class _NamedLevel(NamedTuple):
    """A level to measure on, under the name it is printed with."""

    name: str
    level: Level


class _ClickTimes(NamedTuple):
    """Seconds: the squares in reach, the same with the position known, the plan to the farthest, some more plans.

    ``picture`` is what the player waits for: labels, marks and all.
    """

    reach: float
    next_reach: float
    plan: float
    next_plans: list[float]
    picture: float


def run(arguments: list[str]) -> int:
    """Print the figures; 1 if the planner differs from the plain search, 2 if a pack could not be read."""
    parser = BenchParser(
        "planner",
        "Measure the push planner on one core: all squares in reach of a box (on the largest level of one box, and on\n"
        "open boards of several sizes), against a search with a flood fill for every step; plans; and clicks on boxes\n"
        "of the largest board.",
        "--suite levels.txt",
    )
    suite = parser.several(
        "--suite", parse=str, nargs="+", metavar="PACK", help="default: the bundled packs and boards made for it"
    )
    clicks = parser.flag(
        "--clicks", parse=measured, default=_CLICKS, metavar="N", help="boxes to click on (default: %(default)s)"
    )
    parser.parse(arguments)
    levels = Levels(suite.value)
    chosen = [_NamedLevel(_name(each), each.level) for each in levels]
    if not chosen and suite.value:
        raise InputError("found no levels to measure")
    if not suite.value:
        chosen += [_NamedLevel("maze", maze(_MAZE)), _NamedLevel("crowd", crowded_board(_CROWD))]
    alone = [each for each in chosen if each.level.boxes == 1]
    is_right = not alone or _one_box(max(alone, key=_floor))
    _growth()
    _clicks(max(chosen, key=_floor), clicks.value)
    return levels.status or (0 if is_right else 1)


def _name(chosen: Chosen) -> str:
    return f"{chosen.pack}:{chosen.level.number}"


def _floor(measured: _NamedLevel) -> int:
    return measured.level.board.floor.bit_count()


def _one_box(measured: _NamedLevel) -> bool:
    """Print how long the squares and the plan take in a level of one box; whether the plain search finds the same."""
    board, state = measured.level.board, measured.level.start
    (box,), (goal,) = scan(state.boxes), scan(board.goals)
    print(_title(measured))
    reach = BoxReach(board, state, box)
    began = perf_counter()
    expected = naive_pushes(board, state, box)
    naive = perf_counter() - began
    ready = _median(lambda: BoxReach(board, state, box))
    cold = _median(lambda: _without_tables(measured.level, box))
    is_right = dict(reach.pushes) == expected
    squares = f"{len(reach.pushes):,} squares, the farthest {max(reach.pushes.values()):,} pushes"
    _print_time("squares in reach", ready, f"median of {_ROUNDS}: {squares}")
    _print_time("and the tables", cold, "with what is known of the board alone made anew")
    _print_time(
        "flood fills", naive, f"{naive / ready:,.0f} times as long, " + ("the same" if is_right else "NOT the same")
    )
    for fewest in Fewest:
        if goal in reach.pushes:
            _plan(measured.level, box, goal, fewest)
    return is_right


def _without_tables(level: Level, box: Square) -> BoxReach:
    planner.pushes_from.cache_clear()
    return BoxReach(level.board, level.start, box)


def _plan(level: Level, box: Square, goal: Square, fewest: Fewest) -> None:
    """Print how long the plan to the goal takes, alone and as the longest time between two breaks in it."""
    plan = BoxReach(level.board, level.start, box).plan(goal, fewest)
    reaches = iter([BoxReach(level.board, level.start, box) for _ in range(_PLAN_ROUNDS)])
    seconds = _median(lambda: next(reaches).plan(goal, fewest), _PLAN_ROUNDS)
    longest = 0.0
    began = perf_counter()
    for _ in BoxReach(level.board, level.start, box).plan_in_steps(goal, fewest):
        longest = max(longest, perf_counter() - began)
        began = perf_counter()
    figures = f"{plan.pushes:,} pushes, {plan.moves:,} moves"
    _print_time(f"fewest {fewest}", seconds, f"{figures}; {longest * 1e3:.1f} ms at most without a break")


def _growth() -> None:
    """Print a row for each open board."""
    print()
    print_figure("open boards", "floor", "ms", "us a square", width=_WIDTH)
    for size in _SIZES:
        level = open_board(size)
        (box,) = scan(level.start.boxes)
        seconds = _median(partial(BoxReach, level.board, level.start, box), _GROWTH_ROUNDS)
        floor = level.board.floor.bit_count()
        figures = f"{floor:,}", f"{seconds * 1e3:.3f}", f"{seconds / floor * 1e6:.2f}"
        print_figure(f"{size}x{size}", *figures, width=_WIDTH)


def _clicks(measured: _NamedLevel, clicks: int) -> None:
    """Print how long clicks take on boxes that can be pushed, and what the next squares ask for."""
    board, state = measured.level.board, measured.level.start
    random = Random(clicks)
    boxes = sorted({each.box for each in legal_pushes(board, state)})
    print(f"\n{_title(measured)}, {len(boxes):,} of which can be pushed")
    if not boxes:
        return
    timed = [_click(measured.level, box) for box in random.sample(boxes, min(clicks, len(boxes)))]
    for name, times, note in (
        ("click", [each.reach + each.plan for each in timed], "squares in reach and the plan to the farthest"),
        ("its picture", [each.picture for each in timed], "from the click to the squares on the screen, with letters"),
        ("next box", [each.next_reach for each in timed], "squares in reach, in the same position"),
        ("plan", [each.plan for each in timed], "to the farthest square, the first of a box"),
        ("next plan", [seconds for each in timed for seconds in each.next_plans], "to a square of the same box"),
    ):
        if times:
            _print_time(name, median(times), f"{max(times) * 1e3:.2f} ms at most: {note}")
    goal = random.choice(list(scan(board.goals)))
    began = perf_counter()
    found = len(list(boxes_that_reach(board, state, goal)))
    _print_time("boxes to a goal", perf_counter() - began, f"all {found:,} that reach one goal, each with its pushes")


def _click(level: Level, box: Square) -> _ClickTimes:
    board, state = level.board, level.start
    blocks = CutVertices(board, state.boxes)
    first = _seconds(lambda: BoxReach(board, state, box))
    following = _seconds(lambda: BoxReach(board, state, box, blocks))
    reach = BoxReach(board, state, box)
    farthest, *others = sorted(reach.pushes, key=lambda square: -reach.pushes[square])
    plan = _seconds(lambda: reach.plan(farthest))
    next_plans = [_seconds(partial(reach.plan, square)) for square in others[:3]]
    play = Play(level)
    return _ClickTimes(first, following, plan, next_plans, _seconds(lambda: _picture(play, box)))


def _picture(play: Play, box: Square) -> Frame:
    screen, appearance = PlannerScreen(play, box), Appearance(THEMES[0], 0)
    screen.fit(_WINDOW, appearance)
    return screen.view(_WINDOW, appearance)


def _title(measured: _NamedLevel) -> str:
    board, boxes = measured.level.board, measured.level.boxes
    return f"{printable(measured.name)}: {board.width}x{board.height}, {boxes:,} box{'es' * (boxes > 1)}"


def _print_time(name: str, seconds: float, note: str) -> None:
    print_figure(name, f"{seconds * 1e3:.2f} ms", note=note, width=_WIDTH)


def _seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _median(work: Callable[[], object], rounds: int | None = None) -> float:
    return median(_seconds(work) for _ in range(rounds or _ROUNDS))
