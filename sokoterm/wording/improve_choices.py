"""Words of the choices before an improvement."""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.app.improve_choices import ImproveChoices, Known, Scope
from sokoterm.app.keymap import IMPROVE
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.text import counted
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.improvement import count_text, fewest
from sokoterm.wording.outcomes import finder

_MEANINGS: Mapping[str, str] = MappingProxyType({line.keys: line.text for line in IMPROVE.legend})


class ChoiceWords:
    """The words of the choices before an improvement."""

    def __init__(self, choices: ImproveChoices) -> None:
        self._choices = choices

    @property
    def solution(self) -> tuple[str, ...]:
        """``your best, 97 moves, 23 pushes``, with the objective if it is another count, and shorter forms."""
        return self._named(self._choices.chosen)

    def _named(self, known: Known) -> tuple[str, ...]:
        """The finder and the counts of a solution, numbered if another one has the same, and shorter forms."""
        named = self._forms(known)
        alike = [each for each in self._choices.known if self._forms(each)[0] == named[0]]
        place = next(number for number, each in enumerate(alike, start=1) if each is known)
        return named if place == 1 else tuple(f"{form}, no. {place}" for form in named)

    def _forms(self, known: Known) -> tuple[str, ...]:
        objective, solution, found_by = self._choices.objective, known.solution, finder(known.found_by)
        figures = moves_and_pushes(solution)
        if objective not in (Objective.MOVES, Objective.PUSHES):
            figures += f", {count_text(objective, solution)}"
        briefly = count_text(objective, solution)
        credit = f" ({known.credit})" if known.credit else ""
        shortest = f"{objective.measure(solution)} {objective}"
        return f"{found_by}, {figures}{credit}", f"{found_by}, {figures}", f"{found_by}, {briefly}", briefly, shortest

    @property
    def objective(self) -> tuple[str, ...]:
        """``fewest box lines (runs of pushes in one direction)``, and shorter forms."""
        text = fewest(self._choices.objective)
        noun = text.removeprefix("fewest ")
        meaning = _MEANINGS.get(noun)
        return (f"{text} ({meaning})", text, noun) if meaning else (text, noun)

    @property
    def scope(self) -> str:
        """``the whole solution``, ``from move 40 on``, ``moves 40-90``."""
        choices, shown = self._choices, self._choices.shown
        if choices.scope is Scope.TYPED:
            return f"moves {choices.typed}"
        if shown is not None:
            match choices.scope:
                case Scope.FROM_HERE:
                    return f"from move {shown.here} on"
                case Scope.UP_TO_HERE:
                    return f"up to move {shown.here}"
                case Scope.STRETCH if shown.stretch is not None:
                    return f"moves {shown.stretch[0]} to {shown.stretch[1]}"
        return "the whole solution"

    @property
    def crossing(self) -> tuple[str, ...]:
        """``parts of 2 other solutions``, ``parts of known, 97 moves, 23 pushes (YASS)``, and a shorter form."""
        crossed, others = self._choices.crossed, self._choices.others
        if not crossed:
            return ("no other solution", "none") if others else ("no other solution is known", "none known")
        if len(crossed) == 1:
            return *(f"parts of {form}" for form in self._named(crossed[0])), "parts of one other"
        return f"parts of {counted(len(crossed), 'other solution')}", f"parts of {len(crossed)} others"

    def squares(self, kept_mark: str, barred_mark: str) -> tuple[str, ...]:
        """``any box may move, to any square``, ``keeps 2 boxes ({}), bars 3 squares (!)``, and shorter forms.

        The marks are those of a kept box and of a barred square on the board.
        """
        kept, barred = (each.bit_count() for each in (self._choices.kept, self._choices.barred))
        if not kept and not barred:
            return "any box may move, to any square", "any box, any square"
        parts = [f"keeps {counted(kept, 'box')} ({kept_mark})"] if kept else []
        parts += [f"bars {counted(barred, 'square')} ({barred_mark})"] if barred else []
        marked = [f"{kept} kept ({kept_mark})"] * bool(kept) + [f"{barred} barred ({barred_mark})"] * bool(barred)
        return ", ".join(parts), ", ".join(marked), f"{kept} kept, {barred} barred"

    def square(self, square: Square) -> tuple[str, ...]:
        """``box 3 of 5: keeps its pushes``, ``row 2 column 7: no box may be pushed here``, and a shorter form."""
        choices = self._choices
        level, bit = choices.level, 1 << square
        if level.start.boxes & bit:
            boxes = [*squares_of(level.start.boxes & level.board.floor)]
            number = boxes.index(square) + 1
            fate, short = ("keeps its pushes", "kept") if choices.kept & bit else ("may change", "may change")
            return f"box {number} of {len(boxes)}: {fate}", f"box {number} {short}"
        row, column = level.board.row_column(square)
        if not level.board.floor & bit:
            fate, short = "a wall", "wall"
        elif choices.barred & bit:
            fate, short = "no box may be pushed here", "barred"
        else:
            fate, short = "boxes may be pushed here", "open"
        return f"row {row + 1} column {column + 1}: {fate}", f"{row + 1},{column + 1} {short}"

    @property
    def range_wanted(self) -> str:
        """The sentence on a typed text that is no range of moves."""
        moves = self._choices.solution.moves
        example = f"{moves // 4}-{moves * 3 // 4}"
        return f"found moves {self._choices.typed}, expected a range of moves within 0-{moves}: {example}"
