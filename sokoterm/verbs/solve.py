"""``sokoterm solve``: solutions without a terminal."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from time import monotonic
from types import MappingProxyType

from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution, run_lengths
from sokoterm.engine.printable import printable
from sokoterm.solver import STRATEGIES
from sokoterm.solver.protocol import Limits, Outcome, Status, command_limits
from sokoterm.verbs.levels import Chosen, LevelChoice, Levels, add_levels
from sokoterm.verbs.output import InputError, complain, json_line
from sokoterm.verbs.parser import PackArguments, Parser, count, seconds
from sokoterm.verbs.progress_line import ProgressLine
from sokoterm.verbs.searches import Answer, search_levels

# The strategies that prove that no solution has fewer, by what they count; auto does as well.
_PROVERS: Mapping[str, tuple[str, ...]] = MappingProxyType({"pushes": ("astar", "bfs"), "moves": ()})


class _Arguments(PackArguments):
    level: LevelChoice | None
    strategy: str
    optimal: str | None
    time: float
    nodes: int
    states: int
    jobs: int
    rle: bool
    json: bool


def run(arguments: list[str]) -> int:
    """Prints the answer for each level in order, as soon as it is known; 1 if one is not solved."""
    parser = Parser(
        "solve",
        "Solve levels without a terminal; what is not solved is proven unsolvable, or given up at a limit.",
        "sokoterm solve levels.txt -l 2-9,14 --jobs 2 --json",
    )
    _add_arguments(parser)
    parsed = parser.parse(arguments, _Arguments())
    levels = Levels(parsed.packs, parsed.level, reading=parsed.reading)
    chosen = list(levels)
    provable = [each for each in chosen if parsed.optimal != "moves" or _has_one_box(each)]
    limits = Limits(parsed.time, parsed.nodes, parsed.states, monotonic)
    all_solved = True
    pack = ""
    for each, answer in answers(provable, _strategy(parsed.strategy, parsed.optimal), limits, parsed.jobs):
        if not parsed.json and each.pack != pack:
            pack = each.pack
            print(printable(pack))
        print(_json(each, answer, parsed.rle) if parsed.json else _text(each, answer, parsed.rle), flush=True)
        all_solved &= answer.outcome.status is Status.SOLVED and parsed.optimal in (None, answer.outcome.optimal)
    return 2 if len(provable) < len(chosen) else levels.status or (0 if all_solved else 1)


def answers(chosen: list[Chosen], strategy: str, limits: Limits, jobs: int) -> Iterator[tuple[Chosen, Answer]]:
    """Each level with its answer, in order; how far the searches have come stands on stderr meanwhile."""
    levels = [each.level for each in chosen]
    with (
        ProgressLine([level.number for level in levels]) as line,
        closing(search_levels(levels, strategy, limits, jobs, line.show)) as found,
    ):
        for each, answer in zip(chosen, found):
            line.clear()
            yield each, answer


def add_search(parser: Parser, default_seconds: float) -> None:
    """The flags that say how to search."""
    names = ", ".join(STRATEGIES)
    parser.add_argument("--strategy", choices=tuple(STRATEGIES), default="auto", metavar="NAME", help=names)
    parser.add_argument(
        "--time", type=seconds, default=default_seconds, metavar="S", help="seconds a level (default: %(default)g)"
    )
    parser.add_argument("--jobs", type=count, default=1, metavar="N", help="levels at a time, each in a process")


def status_text(outcome: Outcome) -> str:
    """How a search ended, and at which limit."""
    return outcome.status.replace("_", " ") + (f": {outcome.reason}" if outcome.reason else "")


def _add_arguments(parser: Parser) -> None:
    defaults = command_limits(monotonic)
    add_levels(parser)
    add_search(parser, defaults.seconds)
    for flag, default, noun in (("--nodes", defaults.nodes, "expanded"), ("--states", defaults.states, "stored")):
        parser.add_argument(
            flag, type=count, default=default, metavar="N", help=f"{noun} states a level (default: {default:,})"
        )
    parser.add_argument(
        "--optimal",
        choices=tuple(_PROVERS),
        help="search for the proof, too, that no solution has fewer; moves: for levels of one box only",
    )
    parser.add_argument("--rle", action="store_true", help="print moves with repeat counts: 2R4D")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each level")


def _has_one_box(chosen: Chosen) -> bool:
    """Whether there is a proof of fewest moves for a level; if not, this is said."""
    if chosen.level.boxes == 1:
        return True
    complain(
        f"{chosen.pack}, level {chosen.level.number}: found {chosen.level.boxes} boxes, expected one: "
        "the fewest moves are proven for levels of one box only"
    )
    return False


def _strategy(name: str, optimal: str | None) -> str:
    """The strategy or prover to search with; raises InputError where the one named proves nothing of the kind."""
    if optimal is None:
        return name
    provers = _PROVERS[optimal]
    if name == "auto":
        return f"fewest {optimal}"
    if name not in provers:
        expected = ", ".join(("auto", *provers))
        raise InputError(f"found the strategy {name}, expected one that proves the fewest {optimal}: {expected}")
    return name


def _text(chosen: Chosen, answer: Answer, rle: bool) -> str:
    outcome, solution = answer
    figures = f"{solution.pushes:6,} pushes {solution.moves:6,} moves" if solution else " " * 26
    line = (
        f"{chosen.level.number:5}  {status_text(outcome):<15} {figures} {outcome.nodes:11,} nodes "
        f"{outcome.stored:11,} stored {outcome.seconds:8.2f} s  {outcome.strategy:<7} {printable(chosen.level.title)}"
    ).rstrip()
    return f"{line}\n       {_moves(solution, rle)}" if solution else line


def _moves(solution: Solution, rle: bool) -> str:
    return run_lengths(solution.lurd) if rle else solution.lurd


def _json(chosen: Chosen, answer: Answer, rle: bool) -> str:
    outcome, solution = answer
    return json_line(
        {
            "pack": chosen.pack,
            "level": chosen.level.number,
            "title": chosen.level.title,
            "hash": level_hash(chosen.level),
            "status": outcome.status,
            "reason": outcome.reason,
            "strategy": outcome.strategy,
            "optimal": outcome.optimal,
            "lurd": _moves(solution, rle) if solution else None,
            "moves": solution.moves if solution else None,
            "pushes": solution.pushes if solution else None,
            "nodes": outcome.nodes,
            "stored": outcome.stored,
            "seconds": round(outcome.seconds, 3),
        }
    )
