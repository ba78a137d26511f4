"""Words of the choices before an improvement."""

from sokoterm.app.improve_choices import ImproveChoices, Other, Scope
from sokoterm.app.request import ShowReplay
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.text import counted
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.improvement import fewest
from sokoterm.wording.outcomes import source


class ChoiceWords:
    """The words of the choices before an improvement."""

    def __init__(self, choices: ImproveChoices) -> None:
        self._choices = choices

    @property
    def title(self) -> str:
        """``Improve: 97 moves, 23 pushes``."""
        return f"Improve: {moves_and_pushes(self._choices.solution)}"

    @property
    def objective(self) -> str:
        """``fewest moves``."""
        return fewest(self._choices.objective)

    @property
    def scope(self) -> str:
        """``the whole solution``, ``from move 40 on``; of one that is typed ``moves 40-90_``."""
        choices = self._choices
        match choices.scope:
            case Scope.FROM_HERE:
                return f"from move {choices.here} on"
            case Scope.UP_TO_HERE:
                return f"up to move {choices.here}"
            case Scope.STRETCH if choices.stretch is not None:
                return f"moves {choices.stretch[0]} to {choices.stretch[1]}"
            case Scope.TYPED:
                return f"moves {choices.typed}_"
        return "the whole solution"

    @property
    def crossing(self) -> tuple[str, ...]:
        """``parts of 2 other solutions``, ``parts of known, 97 moves, 23 pushes (YASS)``, and a shorter form."""
        crossed, others = self._choices.crossed, self._choices.others
        if not crossed:
            return ("no other solution", "none") if others else ("no other solution is known", "none known")
        if len(crossed) == 1:
            return f"parts of {source(_shown(crossed[0]))}", "parts of one other"
        return f"parts of {counted(len(crossed), 'other solution')}", f"parts of {len(crossed)} others"

    @property
    def squares(self) -> tuple[str, ...]:
        """``any box may move, to any square``, ``keeps 2 boxes, bars 3 squares``, and a shorter form."""
        kept, barred = (each.bit_count() for each in (self._choices.kept, self._choices.barred))
        if not kept and not barred:
            return "any box may move, to any square", "all boxes, squares"
        parts = [f"keeps {counted(kept, 'box')}"] * bool(kept) + [f"bars {counted(barred, 'square')}"] * bool(barred)
        return ", ".join(parts), f"kept {kept}, barred {barred}"

    def square(self, square: Square) -> tuple[str, ...]:
        """``box 3 of 5: keeps its pushes``, ``row 2 column 7: no box may be pushed here``, and a shorter form."""
        choices = self._choices
        level, bit = choices.level, 1 << square
        if level.start.boxes & bit:
            boxes = [*squares_of(level.start.boxes)]
            fate, short = ("keeps its pushes", "kept") if choices.kept & bit else ("may change", "may change")
            return f"box {boxes.index(square) + 1} of {len(boxes)}: {fate}", f"box: {short}"
        row, column = level.board.row_column(square)
        if not level.board.floor & bit:
            fate, short = "a wall", "wall"
        elif choices.barred & bit:
            fate, short = "no box may be pushed here", "barred"
        else:
            fate, short = "boxes may be pushed here", "open"
        return f"row {row + 1} column {column + 1}: {fate}", short

    @property
    def range_wanted(self) -> str:
        """What to type for a range of moves."""
        moves = self._choices.solution.moves
        example = f"{moves // 4}-{moves * 3 // 4}"
        return f"found moves {self._choices.typed}, expected a range of moves within 0-{moves}: {example}"


def _shown(other: Other) -> ShowReplay:
    return ShowReplay("", other.solution.lurd, other.found_by, other.credit)
