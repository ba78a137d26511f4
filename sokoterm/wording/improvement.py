"""Words for improvements: what may be saved and where, how one ended, and the choices before it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sokoterm.app.improve_choices import ImproveChoices, Other, Scope
from sokoterm.app.improvement import Gain, Improvement
from sokoterm.app.keymap import Keymap
from sokoterm.app.outcome import Improved
from sokoterm.app.request import ShowReplay
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.stretches import Stretch
from sokoterm.engine.text import counted
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.outcomes import source
from sokoterm.wording.packs import words_of

_NOUNS: Mapping[Objective, str] = MappingProxyType(
    {
        Objective.MOVES: "move",
        Objective.PUSHES: "push",
        Objective.LINES: "box line",
        Objective.CHANGES: "box change",
        Objective.SESSIONS: "pushing session",
    }
)


def fewest(objective: Objective) -> str:
    """``fewest box lines``."""
    return f"fewest {counted(2, _NOUNS[objective]).removeprefix('2 ')}"


def gain_forms(gain: Gain) -> tuple[str, ...]:
    """``14 moves can be saved, 9 of them between moves 40 and 90``, and shorter forms: where, not how."""
    amount = f"{counted(gain.count, _NOUNS[gain.metric])} can be saved"
    if gain.stretch is None:
        return (amount,)
    between = f"between moves {gain.stretch.first} and {gain.stretch.last}"
    briefly = f"{gain.stretch.first}-{gain.stretch.last}"
    if gain.share == gain.count:
        return f"{amount} {between}", f"{amount} in moves {briefly}", amount
    return f"{amount}, {gain.share} of them {between}", f"{amount}, {gain.share} in moves {briefly}", amount


def improvement_forms(improvement: Improvement, keymap: Keymap) -> tuple[str, ...]:
    """The line about an improvement that runs or has found something that was not shown yet, and shorter forms."""
    gain, shows = improvement.gain, f"{keymap.key_of('replay')} shows it"
    begin = f"improving {improvement.seconds:.0f} s"
    if gain is None:
        stops = f"{keymap.key_of('improve')} stops"
        return f"{begin}, for {fewest(improvement.objective)}; {stops}", f"{begin}; {stops}", begin
    ending = f"; {shows}" if improvement.has_news else ""
    forms = gain_forms(gain)
    less = f"{counted(gain.count, _NOUNS[gain.metric])} less{ending}"
    if improvement.is_running:
        told = [f"{begin}: {forms[0]}{ending}", *(f"{improvement.seconds:.0f} s: {each}{ending}" for each in forms)]
    else:
        told = [f"{forms[0]} ({_proven(improvement)}){ending}"] if improvement.is_proven else []
    briefly = f"{keymap.key_of('replay')} better" if improvement.has_news else "better"
    return (*told, *(f"{each}{ending}" for each in forms), less, f"better{ending}", briefly)


def _proven(improvement: Improvement) -> str:
    """``proven: no solution has fewer moves``."""
    return f"proven: no solution has fewer {fewest(improvement.objective).removeprefix('fewest ')}"


def improved_text(over: Improved, keymap: Keymap) -> str:
    """The sentence on an improvement that is over, with its level if that is not in play."""
    improvement = over.improvement
    label = f"{words_of(over.pack_session).label(improvement.level)}: " if over.is_elsewhere else ""
    proven = f"; {_proven(improvement)}" if improvement.is_proven else ""
    if improvement.gain is not None and improvement.found_any:
        shows = f"; {keymap.key_of('replay')} shows it" if improvement.has_news else ""
        return f"{label}{gain_forms(improvement.gain)[0]}{proven}{'' if over.is_elsewhere else shows}"
    better = "no better solution found" if improvement.best is None else "nothing better than before found"
    return f"{label}{better} in {improvement.seconds:.0f} s{proven}"


def stretch_text(stretch: Stretch) -> str:
    """``saves 9 moves and 2 pushes here`` for the shown solution, ``9 moves and 2 pushes too many here``."""
    moves, pushes = -stretch.moves, -stretch.pushes
    less = [counted(n, noun) for n, noun in ((moves, "move"), (pushes, "push")) if n > 0]
    more = [counted(-n, noun) for n, noun in ((moves, "move"), (pushes, "push")) if n < 0]
    if less and more:
        return f"here {less[0]} less, {more[0]} more"
    return f"saves {' and '.join(less)} here" if less else f"{' and '.join(more)} too many here"


def parts_forms(stretches: Sequence[Stretch], key: str) -> tuple[str, ...]:
    """``parts from another one in moves 40-90 and 2 more places: n goes there``, and shorter forms."""
    more = len(stretches) - 1
    places = f"in moves {stretches[0].first}-{stretches[0].last}"
    places += f" and {counted(more, 'more place')}" if more else ""
    goes = f"{key} goes there"
    return (
        f"parts from another one {places}: {goes}",
        f"parts {places}: {goes}",
        f"{key}: where two part",
        f"{key} parts",
    )


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
