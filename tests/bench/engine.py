"""``python3 -m tests.bench engine``: how fast the rules play, beside the plain game that the tests compare it with.

And a Position beside what people write for themselves: a small class with sets of places, and beside the engine.
"""

import random
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import NamedTuple

from sokoterm.engine.deadlock.check import check_of
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import parse_lurd, play, verify
from sokoterm.engine.rules import legal_pushes, perft, push
from sokoterm.formats.registry import parse
from sokoterm.position import Position
from sokoterm.store.packs import bundled_packs, read_bytes
from tests.bench.common import BenchParser, measured, print_figure
from tests.reference.known import known_solutions
from tests.unit.engine.drawn import plain_of
from tests.unit.engine.plain_variants import PlainGame

_PROJECT = Path(__file__).parents[2]
_SHARED = _PROJECT.parent / "shared"
_MADE = _PROJECT / "tests" / "data" / "made_solutions.tsv"
_DEPTH = 8
# Each figure is the best of so many rounds, in which all are measured in turn.
_ROUNDS = 5
_WIDTH = 24
# Steps of an episode, at random, as those of a learner that knows nothing.
_STEPS = 300


class _Solved(NamedTuple):
    """A level with moves that solve it."""

    level: Level
    lurd: str


class _Sets:
    """Sokoban as a learner of reinforcement learning writes it: sets of places, changed in place."""

    SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))

    def __init__(self, rows: tuple[str, ...]) -> None:
        cells = {(row, column): cell for row, line in enumerate(rows) for column, cell in enumerate(line)}
        self.walls = {place for place, cell in cells.items() if cell == "#"}
        self.boxes = {place for place, cell in cells.items() if cell in "$*"}
        self.goals = {place for place, cell in cells.items() if cell in ".*+"}
        self.player = next(place for place, cell in cells.items() if cell in "@+")

    def move(self, direction: int) -> bool:
        down, right = self.SIDES[direction]
        row, column = self.player
        target = row + down, column + right
        if target in self.walls:
            return False
        if target in self.boxes:
            landing = target[0] + down, target[1] + right
            if landing in self.walls or landing in self.boxes:
                return False
            self.boxes.remove(target)
            self.boxes.add(landing)
        self.player = target
        return True

    @property
    def is_solved(self) -> bool:
        return self.boxes == self.goals


def run(arguments: list[str]) -> int:
    """Print a row for each figure; 1 if the engine and the plain code disagree."""
    parser = BenchParser(
        "engine",
        "Measure on one core: moves verified a second, and sequences of steps counted, against the plain\n"
        "game of the tests. The moves are the known solutions in ../shared, else those of\n"
        "the levels that ship.",
        f"--depth {_DEPTH}",
    )
    depth = parser.flag(
        "--depth", parse=measured, default=_DEPTH, metavar="N", help="steps of a sequence (default: %(default)s)"
    )
    parser.parse(arguments)
    solved = _solved()
    # perft at this depth on a tenth of the levels takes as long as all the rest.
    few = [each.level for each in solved[::10]]
    moves = sum(len(each.lurd) for each in solved)
    print(f"{len(solved):,} solutions of {moves:,} moves; sequences of {depth.value} steps on {len(few)} of the levels")
    dice = random.Random(1)
    episode = [dice.randrange(4) for _ in range(_STEPS)]
    work: dict[str, Callable[[], list[int]]] = {
        "verify": lambda: [verify(level.board, level.start, lurd).pushes for level, lurd in solved],
        "verify, plain": lambda: [_plain_pushes(plain_of(level, level.start), lurd) for level, lurd in solved],
        "play, each position": lambda: [_pushes_of(*each) for each in solved],
        "step": lambda: [_episode(Position(level), episode) for level in few],
        "step, plain": lambda: [_episode(_Sets(level.rows), episode) for level in few],
        "push": lambda: [_pushes_with_position(level) for level in few],
        "push, plain": lambda: [_pushes_with_engine(level) for level in few],
        "perft": lambda: [perft(level.board, level.start, depth.value) for level in few],
        "perft, plain": lambda: [plain_of(level, level.start).perft(depth.value) for level in few],
    }
    results = {name: job() for name, job in work.items()}
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(_ROUNDS):
        for name, job in work.items():
            began = process_time()
            job()
            times[name].append(process_time() - began)
    best = {name: min(each) for name, each in times.items()}
    amounts = {
        "perft": (sum(results["perft"]), "sequences"),
        "step": (_STEPS * len(few), "steps"),
        "push": (sum(results["push"]), "pushes"),
    }
    for name, seconds in best.items():
        kind = name.partition(",")[0]
        amount, unit = amounts.get(kind, (moves, "moves"))
        plain = f"{kind}, plain"
        note = f"{best[plain] / seconds:.2f} times the plain code" if plain in best and name != plain else ""
        print_figure(name, f"{amount / seconds:,.0f} {unit}/s", note=note, width=_WIDTH)
    is_right = results["verify"] == results["verify, plain"] == results["play, each position"]
    is_right = is_right and all(results[kind] == results[f"{kind}, plain"] for kind in ("perft", "step", "push"))
    print(f"all results are {'equal' if is_right else 'NOT equal'}")
    return 0 if is_right else 1


def _episode(game: Position | _Sets, steps: list[int]) -> int:
    """Return how many steps were possible, and how often all boxes were on goals."""
    return sum(game.move(each) + 2 * _STEPS * game.is_solved for each in steps)


def _pushes_with_position(level: Level) -> int:
    """Return the sequences of two pushes, each tested for deadlocks and taken back."""
    position, count = Position(level), 0
    for first in position.legal_pushes:
        position.push(*first)
        for second in position.legal_pushes:
            position.push(*second)
            count += 1 if position.deadlock() else 2
            position.pop()
        position.pop()
    return count


def _pushes_with_engine(level: Level) -> int:
    """Return the same, on values that never change."""
    board, check, count = level.board, check_of(level.board), 0
    for first in legal_pushes(board, level.start):
        state = push(board, level.start, first)
        for second in legal_pushes(board, state) if state else ():
            after = push(board, state, second) if state else None
            count += 1 if after is None or check.find(after.boxes) else 2
    return count


def _pushes_of(level: Level, lurd: str) -> int:
    return sum(letter.isupper() for _, letter in play(level.board, level.start, parse_lurd(lurd)))


def _plain_pushes(game: PlainGame, lurd: str) -> int:
    """Return the pushes of moves that solve a level; -1 where they do not."""
    pushes = 0
    for letter in lurd.lower():
        after = game.step(letter)
        if after is None:
            return -1
        game, pushes = after, pushes + (after.pushed > 0)
    return pushes if game.is_solved else -1


def _solved() -> list[_Solved]:
    if _SHARED.is_dir():
        return [_Solved(each.level, each.lurd) for each in known_solutions(_SHARED)]
    packs = {file.name: parse(read_bytes(file), file.name) for file in bundled_packs()}
    found = []
    for line in _MADE.read_text(encoding="ascii").splitlines():
        name, number, lurd = line.split("\t")
        if level := packs[name.removesuffix(".txt")].find_level(int(number)):
            found.append(_Solved(level, lurd))
    return found
