"""Words for improvements: the choices before one, what can be saved and where, and how it ended."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sokoterm.app.improvement import FoundBy, Gain, ImproveChoices, Improvement, Known, Scope
from sokoterm.app.keymap import IMPROVE, Keymap
from sokoterm.app.request import Improved
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.guide import Stretch
from sokoterm.language import N_, _, in_clauses, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.packs import words_of

_FEWEST: Mapping[Objective, str] = MappingProxyType(
    {
        Objective.MOVES: N_("fewest moves"),
        Objective.PUSHES: N_("fewest pushes"),
        Objective.LINES: N_("fewest box lines"),
        Objective.CHANGES: N_("fewest box changes"),
        Objective.SESSIONS: N_("fewest pushing sessions"),
    }
)
_PROVEN: Mapping[Objective, str] = MappingProxyType(
    {
        Objective.MOVES: N_("proven: no solution has fewer moves"),
        Objective.PUSHES: N_("proven: no solution has fewer pushes"),
        Objective.LINES: N_("proven: no solution has fewer box lines"),
        Objective.CHANGES: N_("proven: no solution has fewer box changes"),
        Objective.SESSIONS: N_("proven: no solution has fewer pushing sessions"),
    }
)


_SOURCES = {
    FoundBy.PLAYER: N_("your best"),
    FoundBy.SOLVER: N_("solver"),
    FoundBy.OPTIMIZER: N_("improved"),
    FoundBy.FILE: N_("known"),
    FoundBy.COMMAND_LINE: N_("the given moves"),
}


def finder(found_by: FoundBy) -> str:
    """``your best``, ``known``."""
    return _(_SOURCES[found_by])


def fewest(objective: Objective) -> str:
    """``fewest box lines``."""
    return _(_FEWEST[objective])


def _amount_text(objective: Objective, count: int) -> str:
    """``12 box lines``."""
    match objective:
        case Objective.MOVES:
            return moves_text(count)
        case Objective.PUSHES:
            return pushes_text(count)
        case Objective.LINES:
            return ngettext("{n:,} box line", "{n:,} box lines", count)
        case Objective.CHANGES:
            return ngettext("{n:,} box change", "{n:,} box changes", count)
        case Objective.SESSIONS:
            return ngettext("{n:,} pushing session", "{n:,} pushing sessions", count)


def gain_text(gain: Gain) -> str:
    """``14 moves can be saved, 9 in moves 40-90``: where, not how."""
    amount = _amount_text(gain.metric, gain.count)
    saved = _("{amount} can be saved", amount=amount)
    if gain.stretch is None:
        return saved
    first, last = gain.stretch.first, gain.stretch.last
    if gain.share == gain.count:
        return _("{amount} can be saved in moves {first}-{last}", amount=amount, first=first, last=last)
    return _("{saved}, {n:,} in moves {first}-{last}", saved=saved, n=gain.share, first=first, last=last)


def improvement_text(improvement: Improvement, keymap: Keymap) -> tuple[str, str]:
    """The line about an improvement that runs or has found something that was not shown yet, and the key in it.

    ``keymap`` is that of the board or of a replay.
    """
    if improvement.gain is None:
        key = keymap.key_of("improve")
        seconds, wanted = round(improvement.seconds), fewest(improvement.objective)
        return _("improving {seconds} s, for {wanted}; {key} stops", seconds=seconds, wanted=wanted, key=key), key
    key = keymap.key_of("replay")
    shows = _("{key} shows it", key=key) if improvement.has_news else ""
    return in_clauses([gain_text(improvement.gain), shows]), key


def improvement_of_another(improvement: Improvement, keymap: Keymap) -> tuple[str, str]:
    """The same in a replay of another solution than the one that is made better: moves there are not moves here."""
    if improvement.has_news:
        key = keymap.key_of("replay")
        return _("another solution was improved: {key} shows it", key=key), key
    seconds, key = round(improvement.seconds), keymap.key_of("improve")
    return _("improving another solution {seconds} s; {key} stops", seconds=seconds, key=key), key


def improvement_elsewhere(improving: Improved, keymap: Keymap) -> tuple[str, str]:
    """``improving First Steps 3, 12 s; Esc stops``, on the board of another level, and the key in it."""
    level = words_of(improving.pack_session).label(improving.improvement.level)
    seconds, key = round(improving.improvement.seconds), keymap.key_of("cancel")
    return _("improving {level}, {seconds} s; {key} stops", level=level, seconds=seconds, key=key), key


def improved_text(over: Improved, keymap: Keymap) -> str:
    """The sentence on an improvement that is over, with its level if that is not in play."""
    improvement = over.improvement
    proven = _(_PROVEN[improvement.objective]) if improvement.is_proven else ""
    if improvement.gain is not None and (improvement.has_news or over.is_elsewhere):
        shows = "" if over.is_elsewhere else _("{key} shows it", key=keymap.key_of("replay"))
        text = in_clauses([gain_text(improvement.gain), proven, shows])
    elif improvement.gain is not None:
        saved = _("{amount} can be saved", amount=_amount_text(improvement.gain.metric, improvement.gain.count))
        nothing = _("{saved}, nothing further found", saved=saved)
        text = in_clauses([nothing, proven])
    elif improvement.best is None and proven:
        text = proven
    else:
        nothing = _("no better solution found in {seconds} s", seconds=round(improvement.seconds))
        text = in_clauses([nothing, proven])
    return f"{words_of(over.pack_session).label(improvement.level)}: {text}" if over.is_elsewhere else text


def stretch_text(stretch: Stretch) -> str:
    """``saves 9 moves and 2 pushes here``, ``another saves 2 pushes here``."""
    moves, pushes = -stretch.moves, -stretch.pushes
    less = [text(n) for n, text in ((moves, moves_text), (pushes, pushes_text)) if n > 0]
    more = [text(-n) for n, text in ((moves, moves_text), (pushes, pushes_text)) if n < 0]
    if less and more:
        return _("here {less} less, {more} more", less=less[0], more=more[0])
    amounts = less or more
    saved = _("{first} and {second}", first=amounts[0], second=amounts[1]) if len(amounts) == 2 else amounts[0]
    return _("saves {amount} here", amount=saved) if less else _("another saves {amount} here", amount=saved)


def no_stretch_text(stretches: Sequence[Stretch], *, is_next: bool) -> str:
    """Why there is no next or previous stretch to go to."""
    if not stretches:
        return _("no other solution to compare with")
    return _("no further difference") if is_next else _("no earlier difference")


def parts_text(stretches: Sequence[Stretch], key: str) -> str:
    """``differs in moves 40-90 and 2 more places: n goes there``: from another solution."""
    more = len(stretches) - 1
    places = _("in moves {first}-{last}", first=stretches[0].first, last=stretches[0].last)
    if more:
        # Translators: in moves 40-90 and 2 more places.
        places = ngettext("{places} and {n:,} more place", "{places} and {n:,} more places", more, places=places)
    return _("differs {places}: {key} goes there", places=places, key=key)


_MEANINGS: Mapping[str, str] = MappingProxyType({line.keys: line.text for line in IMPROVE.legend})


class ChoiceWords:
    """The words of the choices before an improvement."""

    def __init__(self, choices: ImproveChoices) -> None:
        self._choices = choices

    @property
    def solution(self) -> str:
        """``your best, 97 moves, 23 pushes``, with the objective if it is another count."""
        return self._named(self._choices.chosen)

    def _named(self, known: Known) -> str:
        """The finder and the counts of a solution, numbered if another one has the same."""
        named = self._unnumbered(known)
        alike = [each for each in self._choices.known if self._unnumbered(each) == named]
        place = next(number for number, each in enumerate(alike, start=1) if each is known)
        return named if place == 1 else _("{solution}, no. {number}", solution=named, number=place)

    def _unnumbered(self, known: Known) -> str:
        objective, solution = self._choices.objective, known.solution
        is_other = objective not in (Objective.MOVES, Objective.PUSHES)
        other = _amount_text(objective, objective.measure(solution)) if is_other else ""
        text = listed([finder(known.found_by), moves_and_pushes(solution), other])
        return _("{solution} ({credit})", solution=text, credit=known.credit) if known.credit else text

    @property
    def objective(self) -> str:
        """``fewest box lines (runs of pushes in one direction)``."""
        objective = self._choices.objective
        meaning = _MEANINGS.get(_FEWEST[objective].removeprefix("fewest "))
        if meaning is None:
            return fewest(objective)
        return _("{objective} ({meaning})", objective=fewest(objective), meaning=_(meaning))

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
    def crossing(self) -> str:
        """``parts of 2 other solutions``, ``parts of known, 97 moves, 23 pushes (YASS)``."""
        crossed = self._choices.crossed
        if not crossed:
            return _("no other solution") if self._choices.others else _("no other solution is known")
        if len(crossed) == 1:
            return _("parts of {solution}", solution=self._named(crossed[0]))
        return ngettext("parts of {n:,} other solution", "parts of {n:,} other solutions", len(crossed))

    def squares(self, kept_mark: str, barred_mark: str) -> str:
        """``any box may move, to any square``, ``keeps 2 boxes ({}), bars 3 squares (!)``.

        The marks are those of a kept box and of a barred square on the board.
        """
        kept, barred = (each.bit_count() for each in (self._choices.kept, self._choices.barred))
        if not kept and not barred:
            return _("any box may move, to any square")
        keeps = ngettext("keeps {n:,} box ({mark})", "keeps {n:,} boxes ({mark})", kept, mark=kept_mark)
        bars = ngettext("bars {n:,} square ({mark})", "bars {n:,} squares ({mark})", barred, mark=barred_mark)
        return listed([keeps if kept else "", bars if barred else ""])

    def square(self, square: Square) -> str:
        """``box 3 of 5: keeps its pushes``, ``row 2 column 7: barred``."""
        choices = self._choices
        level, bit = choices.level, 1 << square
        if level.start.boxes & bit:
            boxes = [*squares_of(level.start.boxes & level.board.floor)]
            fate = _("keeps its pushes") if choices.kept & bit else _("may change")
            number = boxes.index(square) + 1
            return _("box {number} of {boxes}: {fate}", number=number, boxes=len(boxes), fate=fate)
        row, column = level.board.row_column(square)
        fate = pgettext("a square", "open")
        if not level.board.floor & bit:
            fate = _("a wall")
        elif choices.barred & bit:
            fate = pgettext("a square", "barred")
        return _("row {row} column {column}: {fate}", row=row + 1, column=column + 1, fate=fate)

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
