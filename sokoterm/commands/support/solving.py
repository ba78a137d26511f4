"""``solve`` with its results in a file: what is written of each level, and the totals."""

import json
from collections.abc import Callable
from functools import partial

from sokoterm.commands.support.answers import answer_of, lost_text, place_key, searched
from sokoterm.commands.support.files import level_in_sok
from sokoterm.commands.support.known import Source, remember
from sokoterm.commands.support.levels import Chosen, Work
from sokoterm.commands.support.output import json_line
from sokoterm.commands.support.recorded import Result
from sokoterm.commands.support.search import Answer, Request, SearchArguments, SearchFigures, SearchTotals
from sokoterm.engine.level import Level, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.language import ngettext
from sokoterm.solver.protocol import Status
from sokoterm.store.known_levels import KnownSolution
from sokoterm.store.progress import ProgressStore


class SolveJob:
    """The searches of ``solve``: a RecordedJob."""

    def __init__(
        self,
        parsed: SearchArguments,
        optimal: str | None,
        request: Request,
        json_of: Callable[[Chosen, Answer], str] | None,
        form: str = "",
        progress: ProgressStore | None = None,
    ) -> None:
        """``optimal`` as in --optimal; ``json_of`` returns the JSON object of a level, None writes SOK.

        ``form`` names what these objects depend on.  ``progress`` is to keep what is found, if anything is.
        """
        self._parsed = parsed
        self._progress = progress
        self.form = form + (" --remember" if progress is not None else "")
        self._optimal = optimal
        self._request = request
        self._json_of = json_of
        self._totals = SearchTotals()
        self._copies = 0
        self._all_solved = True
        limits = {name: getattr(request.limits, name) for name in ("seconds", "nodes", "states", "memory")}
        cut = {name: repr(value) for name, value in parsed.cut._asdict().items()}
        self.name = "solve " + json_line({"search": request.name, "optimal": optimal, **limits, "beam": cut})

    def key(self, level: Level) -> str:
        """Return the level hash; with the place of the player where the walk to the first push counts."""
        return place_key(level) if self._optimal == "moves" else level_hash(level)

    def work(self, chosen: Chosen) -> Work | str:
        """Return the search of a level; raises InputError if the strategy does not know its kind."""
        self._parsed.check_applies([chosen.level])
        return partial(searched, request=self._request)

    def lost(self) -> str:
        return lost_text(self._request)

    def result(self, chosen: Chosen, text: str, is_copy: bool) -> Result:
        answer = answer_of(chosen.level, text)
        keep_answer(self._progress, chosen.level, answer)
        figures = answer.figures
        if is_copy:
            figures = figures._replace(seconds=0.0, nodes=0, stored=0)
        return Result(self._written(chosen, answer), json_line([is_copy, *figures]))

    def count(self, figures: str) -> None:
        is_copy, *fields = json.loads(figures)
        found = SearchFigures(*fields)
        self._totals.add(found)
        self._copies += is_copy
        self._all_solved &= found.ending == Status.SOLVED and self._optimal in (None, found.optimal)

    @property
    def status(self) -> int:
        return 0 if self._all_solved else 1

    def _written(self, chosen: Chosen, answer: Answer) -> bytes:
        if self._json_of is not None:
            return self._json_of(chosen, answer).encode("ascii") + b"\n"
        solution = answer.solution
        if solution is None:
            return level_in_sok(chosen, None, status=answer.figures.ending)
        return level_in_sok(chosen, Record(f"Solution {solution.moves}/{solution.pushes}", solution.lurd))

    def __str__(self) -> str:
        """The totals as text."""
        if not self._copies:
            return str(self._totals)
        copies = ngettext(
            "{n:,} level equal to another, solved once", "{n:,} levels equal to another, solved once", self._copies
        )
        return f"{self._totals}\n\n{copies}"


def keep_answer(progress: ProgressStore | None, level: Level, answer: Answer) -> None:
    """Keep the solution that was found, if any, as known; without a progress nothing is kept."""
    if progress is not None and answer.solution is not None:
        remember(progress, level, KnownSolution(answer.solution, Source.SOLVER.value))
