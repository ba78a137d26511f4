"""Words of the choices before an improvement."""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.app.improvement import ImproveChoices, Known, Scope
from sokoterm.app.keymap import IMPROVE
from sokoterm.engine.bits import Square, squares_of
from sokoterm.language import N_, _, listed, ngettext, pgettext
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.improvement import count_text, fewest
from sokoterm.wording.outcomes import finder

_NOUNS: Mapping[Objective, str] = MappingProxyType(
    {
        Objective.MOVES: N_("moves"),
        Objective.PUSHES: N_("pushes"),
        Objective.LINES: N_("box lines"),
        Objective.CHANGES: N_("box changes"),
        Objective.SESSIONS: N_("pushing sessions"),
    }
)
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
        return (
            named if place == 1 else tuple(_("{solution}, no. {number}", solution=form, number=place) for form in named)
        )

    def _forms(self, known: Known) -> tuple[str, ...]:
        objective, solution, found_by = self._choices.objective, known.solution, finder(known.found_by)
        briefly = count_text(objective, solution)
        is_other = objective not in (Objective.MOVES, Objective.PUSHES)
        long = listed([found_by, moves_and_pushes(solution), briefly if is_other else ""])
        credited = _("{solution} ({credit})", solution=long, credit=known.credit) if known.credit else long
        return credited, long, listed([found_by, briefly]), briefly, str(objective.measure(solution))

    @property
    def objective(self) -> tuple[str, ...]:
        """``fewest box lines (runs of pushes in one direction)``, and shorter forms."""
        objective = self._choices.objective
        text, noun = fewest(objective), _(_NOUNS[objective])
        meaning = _MEANINGS.get(_NOUNS[objective])
        if meaning is None:
            return text, noun
        return _("{objective} ({meaning})", objective=text, meaning=_(meaning)), text, noun

    @property
    def scope(self) -> str:
        """``the whole solution``, ``from move 40 on``, ``moves 40-90``."""
        choices, shown = self._choices, self._choices.shown
        if choices.scope is Scope.TYPED:
            return _("moves {range}", range=choices.typed)
        if shown is not None:
            match choices.scope:
                case Scope.FROM_HERE:
                    return _("from move {number} on", number=shown.here)
                case Scope.UP_TO_HERE:
                    return _("up to move {number}", number=shown.here)
                case Scope.STRETCH if shown.stretch is not None:
                    return _("moves {first} to {last}", first=shown.stretch[0], last=shown.stretch[1])
        return _("the whole solution")

    @property
    def crossing(self) -> tuple[str, ...]:
        """``parts of 2 other solutions``, ``parts of known, 97 moves, 23 pushes (YASS)``, and a shorter form."""
        crossed, others = self._choices.crossed, self._choices.others
        if not crossed:
            if others:
                return _("no other solution"), pgettext("no solution", "none")
            return _("no other solution is known"), _("none known")
        if len(crossed) == 1:
            forms = self._named(crossed[0])
            return *(_("parts of {solution}", solution=form) for form in forms), _("parts of one other")
        count = len(crossed)
        return (
            ngettext("parts of {n:,} other solution", "parts of {n:,} other solutions", count),
            ngettext("parts of {n:,} other", "parts of {n:,} others", count),
        )

    def squares(self, kept_mark: str, barred_mark: str) -> tuple[str, ...]:
        """``any box may move, to any square``, ``keeps 2 boxes ({}), bars 3 squares (!)``, and shorter forms.

        The marks are those of a kept box and of a barred square on the board.
        """
        kept, barred = (each.bit_count() for each in (self._choices.kept, self._choices.barred))
        if not kept and not barred:
            return _("any box may move, to any square"), _("any box, any square")
        keeps = ngettext("keeps {n:,} box ({mark})", "keeps {n:,} boxes ({mark})", kept, mark=kept_mark)
        bars = ngettext("bars {n:,} square ({mark})", "bars {n:,} squares ({mark})", barred, mark=barred_mark)
        # Translators: boxes that keep their pushes.
        marked = ngettext("{n:,} kept ({mark})", "{n:,} kept ({mark})", kept, mark=kept_mark)
        # Translators: squares that no box may be pushed to.
        shut = ngettext("{n:,} barred ({mark})", "{n:,} barred ({mark})", barred, mark=barred_mark)
        return (
            listed([keeps if kept else "", bars if barred else ""]),
            listed([marked if kept else "", shut if barred else ""]),
            _("{kept} kept, {barred} barred", kept=kept, barred=barred),
        )

    def square(self, square: Square) -> tuple[str, ...]:
        """``box 3 of 5: keeps its pushes``, ``row 2 column 7: no box may be pushed here``, and a shorter form."""
        choices = self._choices
        level, bit = choices.level, 1 << square
        if level.start.boxes & bit:
            boxes = [*squares_of(level.start.boxes & level.board.floor)]
            number = boxes.index(square) + 1
            is_kept = choices.kept & bit
            fate = _("keeps its pushes") if is_kept else _("may change")
            short = pgettext("a box", "kept") if is_kept else _("may change")
            return (
                _("box {number} of {boxes}: {fate}", number=number, boxes=len(boxes), fate=fate),
                _("box {number} {fate}", number=number, fate=short),
            )
        row, column = level.board.row_column(square)
        if not level.board.floor & bit:
            fate, short = _("a wall"), _("wall")
        elif choices.barred & bit:
            fate, short = _("no box may be pushed here"), pgettext("a square", "barred")
        else:
            fate, short = _("boxes may be pushed here"), pgettext("a square", "open")
        return (
            _("row {row} column {column}: {fate}", row=row + 1, column=column + 1, fate=fate),
            f"{row + 1},{column + 1} {short}",
        )

    @property
    def range_wanted(self) -> str:
        """The sentence on a typed text that is no range of moves."""
        moves = self._choices.solution.moves
        example = f"{moves // 4}-{moves * 3 // 4}"
        return _(
            "found moves {found}, expected a range of moves within 0-{moves}: {example}",
            found=self._choices.typed,
            moves=moves,
            example=example,
        )
