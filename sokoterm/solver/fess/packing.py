"""Packing search: a backward search, from all goals filled, for an order in which to fill the goals.

Boxes are pulled off the goals.  The starting squares of boxes are *bases*.  The *sink* is the largest set of bases
between which a lone box can be pushed both ways; a box that reaches a base of the sink leaves the board together with
that base.  While some box can leave, only such moves are made; else boxes are pulled off the goals as far as possible.
A box too close to a base counts as not unpacked yet and may not leave there.  The search ends when every box left is on
a base left.
"""

from collections.abc import Generator, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from sokoterm.engine.bits import Bitboard, Square, bitboard_of, lowest, regions, scan
from sokoterm.engine.lone_box import LoneBox
from sokoterm.engine.matching import can_match
from sokoterm.solver.common.board_tables import FAR, BoardTables
from sokoterm.solver.common.dice import mixed
from sokoterm.solver.fess.macro import Landing, Pieces, lifted, macro_moves, touching
from sokoterm.solver.fess.tree import Move, Node, Score, search_farthest, weighed
from sokoterm.solver.meter import Meter
from sokoterm.solver.protocol import Progress


class ExitRule(NamedTuple):
    """The rule by which boxes leave: at bases at least ``pushes`` away, in the sink or, failing that, ``anywhere``.

    ``shuffle``: seed for the choice among boxes that can leave or be pulled; 0 takes the farthest.
    """

    pushes: int = 6
    anywhere: bool = False
    shuffle: int = 0

    def noise(self, square: Square, boxes: Bitboard) -> int:
        """Return a random number for a square, which depends on the shuffle and the number of boxes."""
        return mixed(self.shuffle << 32 | boxes.bit_count() << 20 | square)


def search_packing(
    tables: BoardTables, bases: Bitboard, exit_rule: ExitRule, meter: Meter, effort: int
) -> Generator[Progress, None, Node]:
    """Return the node of the packing search with the fewest boxes left; ``effort`` is that of ``search_farthest``.

    Ideally the boxes left are on bases: those are the first that the plan moves.
    """
    return (yield from search_farthest(Unpacking(tables, bases, exit_rule, meter), effort))


class LiftedBox(NamedTuple):
    """A box next to the player's region, with that region and the number of others once lifted, and its macro moves."""

    box: Square
    area: Bitboard
    others: int
    landings: list[Landing]


class Unpacking:
    """Domain of the packing search; a score is boxes left, boxes on goals, regions, negated distance to the goals."""

    cell_size = 3

    def __init__(self, tables: BoardTables, bases: Bitboard, exit_rule: ExitRule, meter: Meter) -> None:
        self._tables = tables
        self._exit_rule = exit_rule
        self._bases = bases
        self._meter = meter
        self.allowed = reduce(or_, (tables.reach.get(base, 0) for base in scan(bases)), 0)
        self._pushes: dict[Square, dict[Square, int]] = {}
        self._bases_of: dict[Square, Bitboard] = {}
        self._entered: set[tuple[Bitboard, Bitboard, int]] = set()

    def prepare(self) -> Generator[Progress, None, None]:
        """Compute the pushes of a lone box from each base."""
        for base in scan(self._bases):
            yield self._meter.progress()
            self._pushes[base] = self._tables.pushes_from(base)

    def roots(self) -> Iterator[Move]:
        """Yield the positions with all goals filled, one for each region of the player."""
        tables = self._tables
        parts = regions(tables.free(tables.goals), tables.stride)
        boxes = tables.goals.bit_count()
        for region in parts:
            yield Move(0, (boxes, boxes, len(parts), 0), tables.goals, self._bases, 0, 0, lowest(region))

    def enter(self, move: Move) -> Bitboard:
        key = move.boxes, move.bases, move.player
        if key in self._entered:
            return 0
        self._entered.add(key)
        return self.region(move.boxes, move.player)

    def progress(self) -> Progress:
        return self._meter.progress()

    def standing(self, node: Node) -> Score:
        return node.score

    def region(self, boxes: Bitboard, player: Square) -> Bitboard:
        return self._tables.region(boxes, player)

    def is_goal(self, move: Move) -> bool:
        """True if every box left is on a base left, where it may have started."""
        return move.boxes == move.bases

    def moves(self, node: Node) -> Generator[Progress, None, list[Move]]:
        lifts = yield from self.lifts(node)
        for sink in self.sinks(node.boxes, node.bases):
            if leaving := (yield from self._leaving(node, lifts, sink)):
                return weighed(leaving, {0})
        pulled: list[Move] = []
        for box, _, others, landings in lifts:
            if self._meter.is_due():
                yield self._meter.progress()
            pulled += [
                Move(1, self._pulled(node.score, box, square, others + pieces), there, node.bases, box, square, player)
                for square, after, pieces in landings
                if ((there := node.boxes ^ 1 << box | 1 << square), node.bases, player := lowest(after))
                not in self._entered
            ]
        yield self._meter.progress()
        return weighed(pulled, set(self._advised(pulled, node.score)))

    def lifts(self, node: Node) -> Generator[Progress, None, list[LiftedBox]]:
        """Return each box next to the player's region, with its macro moves."""
        tables, stride, region = self._tables, self._tables.stride, node.region
        free = tables.free(node.boxes)
        closed = regions(free & ~region, stride)
        pieces_around: Pieces = {}
        lifts = []
        for box in touching(tables.squares(node.boxes), region, stride):
            yield self._meter.progress()
            base = tables.base(node.boxes, box)
            area, others = lifted(region, closed, box, stride)
            allowed = (free | 1 << box) & self.allowed >> base
            landings = macro_moves(area, region, box, allowed, stride, pieces_around, pulls=True)
            if base:
                landings = [(base + square, after, pieces) for square, after, pieces in landings]
            lifts.append(LiftedBox(base + box, area, others, landings))
        return lifts

    def _leaving(self, node: Node, lifts: Sequence[LiftedBox], sink: Bitboard) -> Generator[Progress, None, list[Move]]:
        """Return the moves by which boxes leave at a base of the ``sink``, best first."""
        ranked: list[tuple[tuple[int, int, int], Move]] = []
        for box, area, others, landings in lifts:
            if self._meter.is_due():
                yield self._meter.progress()
            exit_base = self._exit_base(box, node.bases, bitboard_of(square for square, _, _ in landings) & sink)
            if exit_base is not None and (move := self._without(node, box, exit_base, area, others + 1)):
                on_goal = self._tables.goals >> box & 1
                ranked.append(((on_goal, *self._rank(box, node.boxes, others, exit_base)), move))
        ranked.sort(key=lambda each: each[0])
        return [move for _, move in ranked]

    def _rank(self, box: int, boxes: Bitboard, others: int, exit_base: int) -> tuple[int, int]:
        """Rank a box to leave: few regions first, then the farthest, or a random one if shuffled."""
        if not self._exit_rule.shuffle:
            return others, -self._pushes[exit_base][box]
        noise = self._exit_rule.noise(box, boxes)
        return others + noise % 3, noise

    def _exit_base(self, box: int, bases: Bitboard, reached: Bitboard) -> int | None:
        """Return the farthest base at which a box may leave, or None."""
        exits = []
        for base in scan(reached & bases):
            pushes = self._pushes[base].get(box, FAR)
            if self._exit_rule.pushes <= pushes < FAR:
                exits.append((pushes, base))
        return max(exits)[1] if exits else None

    def _without(self, node: Node, box: Square, base: Square, area: Bitboard, count: int) -> Move | None:
        """Return the move by which a box leaves at a base; None if the others could not all reach bases of their own.

        Also None if the position was entered before.
        """
        boxes, bases = node.boxes ^ 1 << box, node.bases ^ 1 << base
        player = lowest(area)
        if (boxes, bases, player) in self._entered or not self._can_leave(boxes, bases):
            return None
        left, on_goals, _, distance = node.score
        on_goals -= self._tables.goals >> box & 1
        score = left - 1, on_goals, count, distance + self._tables.to_goal[box]
        return Move(1, score, boxes, bases, box, base, player)

    def _can_leave(self, boxes: Bitboard, bases: Bitboard) -> bool:
        return can_match([self._bases_that_reach(box) & bases for box in scan(boxes)])

    def _bases_that_reach(self, square: Square) -> Bitboard:
        """Return the bases from which a lone box can be pushed to a square."""
        found = self._bases_of.get(square)
        if found is None:
            reach = self._tables.reach
            found = bitboard_of(base for base in scan(self._bases) if reach.get(base, 0) >> square & 1)
            self._bases_of[square] = found
        return found

    def _pulled(self, score: Score, box: Square, square: Square, count: int) -> Score:
        """Return the score after a box is pulled to another square."""
        goals, to_goal = self._tables.goals, self._tables.to_goal
        left, on_goals, _, distance = score
        on_goals += (goals >> square & 1) - (goals >> box & 1)
        return left, on_goals, count, distance - to_goal[square] + to_goal[box]

    def _advised(self, moves: list[Move], score: Score) -> Iterator[int]:
        """Yield the best move of a box off the goals that cuts off no region, and the best that joins regions."""
        goals, count = self._tables.goals, score[2]
        off = [i for i, move in enumerate(moves) if goals >> move.origin & 1 and not goals >> move.square & 1]
        off = [i for i in off if moves[i].score[2] <= count]
        if off:
            yield min(off, key=lambda i: self._pull_rank(moves[i]))
        joining = [i for i, move in enumerate(moves) if move.score[2] < count]
        if joining:
            yield min(joining, key=lambda i: moves[i].score)

    def _pull_rank(self, move: Move) -> tuple[int, int, int]:
        """Rank a pull off a goal: few regions first, then far from the goals, or random if shuffled."""
        parts, pushes = move.score[2], self._tables.to_goal[move.square]
        if not self._exit_rule.shuffle:
            return parts, 0, -pushes
        noise = self._exit_rule.noise(move.origin, move.boxes)
        return parts + noise % 2, noise, self._exit_rule.noise(move.square, move.boxes) % 6 - pushes

    def sinks(self, boxes: Bitboard, bases: Bitboard) -> Sequence[Bitboard]:
        """Return the sets of free bases between which a lone box can be pushed both ways, with the boxes as walls.

        The largest set comes first, and is the only one unless boxes may leave anywhere.
        """
        tables = self._tables
        lone = LoneBox(tables.board, tables.squares(boxes))
        left = tables.squares(bases) & lone.free
        sinks = []
        while left:
            first = lowest(left)
            there = bitboard_of(lone.pushes_from(first))
            both = 1 << first | there & left & lone.squares_towards(1 << first)
            sinks.append(both * tables.all_layers)
            left &= ~both
        sinks.sort(key=int.bit_count, reverse=True)
        return sinks if self._exit_rule.anywhere else sinks[:1]
