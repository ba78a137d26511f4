"""Flags by which a person steers the optimizer: what may change, and what it takes from other solutions."""

from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sokoterm.commands.support.levels import GivenMoves, MovesFlags, several_levels, solution_of
from sokoterm.commands.support.output import InputError
from sokoterm.commands.support.parser import Parser
from sokoterm.commands.support.squares import boxes_in, floor_in, rectangle
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import range_in
from sokoterm.language import N_, _, ngettext
from sokoterm.solver.optimizer.objective import Steering

_ALL = "all"


class MoveRange(NamedTuple):
    """The positions after two numbers of moves; ``last`` is None for the end."""

    first: int
    last: int | None

    def __str__(self) -> str:
        return f"{self.first}-{'' if self.last is None else self.last}"


class SteeringFlags:
    """The flags of steering; ``moves`` are those of the solution to begin with."""

    def __init__(self, parser: Parser, moves: MovesFlags) -> None:
        self._moves = moves
        # Translators: flags by which a person steers the optimizer.
        group = parser.add_argument_group(_("steering"))
        text = _("change only what is between the positions after A and after B moves; A- is up to the end")
        self._between = parser.flag("--between", group=group, parse=_between, metavar="A-B", help=text)
        text = _("the box there at the start keeps its pushes; a rectangle by two corners: 2,3-4,9")
        self._keep = parser.several("--keep", group=group, parse=rectangle, metavar="ROW,COL", help=text)
        text = _("push no box there, unless the solution to begin with does; also a rectangle")
        self._bar = parser.several("--bar", group=group, parse=rectangle, metavar="ROW,COL", help=text)
        text = _(
            "also take over parts of this solution; {all}: of all that are found beside the one to begin with", all=_ALL
        )
        self._cross = parser.several("--cross", group=group, parse=str, metavar="TEXT", help=text)
        text = _("the same, of the solution in a file")
        self._cross_file = parser.several("--cross-file", group=group, parse=str, metavar="FILE", help=text)

    @property
    def given(self) -> dict[str, object]:
        """The flags that speak of one level, each true if it is given."""
        flags = {
            "between": self._between,
            "keep": self._keep,
            "bar": self._bar,
            "cross": self._cross,
            "cross_file": self._cross_file,
        }
        return self._moves.given | {name: bool(flag.value) for name, flag in flags.items()}

    def check_levels(self, count: int) -> None:
        """Raise InputError if flags that speak of one level are given for several."""
        given = self.given | {"cross": set(self._cross.value) - {_ALL}}
        flag = next((flag for flag, value in given.items() if value), None)
        if flag and count != 1:
            raise several_levels(count, f"--{flag.replace('_', '-')}")

    def of(self, level: Level, begin: Solution | None, known: Sequence[Solution]) -> Steering:
        """Return the steering of a level; ``known`` are its solutions, of which --cross all takes the others.

        Raises InputError for what does not fit the level or the solution to ``begin`` with, and PackError.
        """
        between = self._between.value or MoveRange(0, None)
        if self._between.value and begin is None:
            problem = N_("found --between {between} without a solution to begin with, expected --moves")
            raise InputError(_(problem, between=between))
        if begin is not None and max(between.first + 1, between.last or 0) > begin.moves:
            raise InputError(
                ngettext(
                    "--between {between}: found a solution of {n} move, expected moves of it",
                    "--between {between}: found a solution of {n} moves, expected moves of it",
                    begin.moves,
                    between=between,
                )
            )
        others = {each.lurd: each for each in self._others(level, known)}
        if begin is not None:
            others.pop(begin.lurd, None)
        kept = boxes_in(level, self._keep.value, "--keep")
        return Steering(*between, kept, floor_in(level, self._bar.value, "--bar"), tuple(others.values()))

    def _others(self, level: Level, known: Sequence[Solution]) -> Iterator[Solution]:
        for moves in self._cross.value:
            if moves == _ALL:
                yield from known
            else:
                yield solution_of(level, GivenMoves.read(moves, "--cross"))
        for path in self._cross_file.value:
            yield solution_of(level, self._moves.read_file(path, "--cross-file"))


def _between(text: str) -> MoveRange:
    """A type for argparse: a range of moves."""
    found = range_in(text)
    if found is None:
        problem = N_("found {found!r}, expected two numbers of moves such as 20-60, or 20- up to the end")
        raise ArgumentTypeError(_(problem, found=text))
    return MoveRange(*found)
