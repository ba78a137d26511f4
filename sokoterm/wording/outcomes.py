"""Words for outcomes, the same on the screen and in the line mode; and for improvements of solutions."""

from collections.abc import Sequence

from sokoterm.app import request
from sokoterm.app.improvement import Gain, ImproveChoices, Improvement, Scope, ShowReplay
from sokoterm.app.keymap import IMPROVE, Keymap
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.bits import Square, squares_of
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.game import MOST_MOVES, Stop
from sokoterm.engine.guide import Stretch
from sokoterm.language import N_, _, in_clauses, labelled, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.language import number as number_text
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import Progress
from sokoterm.store.known_levels import KnownSolution, Source
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.packs import DescentWords, words_of

_FEWEST = {
    Objective.MOVES: N_("fewest moves"),
    Objective.PUSHES: N_("fewest pushes"),
    Objective.LINES: N_("fewest box lines"),
    Objective.CHANGES: N_("fewest box changes"),
    Objective.SESSIONS: N_("fewest pushing sessions"),
}
_PROVEN = {
    Objective.MOVES: N_("proven: no solution has fewer moves"),
    Objective.PUSHES: N_("proven: no solution has fewer pushes"),
    Objective.LINES: N_("proven: no solution has fewer box lines"),
    Objective.CHANGES: N_("proven: no solution has fewer box changes"),
    Objective.SESSIONS: N_("proven: no solution has fewer pushing sessions"),
}


_SOURCES = {
    Source.OWN: N_("your best"),
    Source.SOLVER: N_("solver"),
    Source.OPTIMIZER: N_("improved"),
    Source.KNOWN: N_("known"),
    Source.GIVEN: N_("the given moves"),
}


def _amount_text(objective: Objective, count: int) -> str:
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
    """``14 moves can be saved, 9 in moves 40-90``: this says where, but not how."""
    amount = _amount_text(gain.metric, gain.count)
    saved = _("{amount} can be saved", amount=amount)
    if gain.stretch is None:
        return saved
    first, last = gain.stretch.first, gain.stretch.last
    if gain.share == gain.count:
        return _("{amount} can be saved in moves {first}-{last}", amount=amount, first=first, last=last)
    return _("{saved}, {n:,} in moves {first}-{last}", saved=saved, n=gain.share, first=first, last=last)


def improvement_text(improvement: Improvement, keymap: Keymap) -> tuple[str, str]:
    """The line about an improvement that is running or has news, and the key that the line names."""
    if improvement.gain is None:
        key = keymap.key_of("improve")
        seconds, wanted = round(improvement.seconds), _(_FEWEST[improvement.objective])
        return _("improving for {seconds} s ({wanted}); {key} stops", seconds=seconds, wanted=wanted, key=key), key
    key = keymap.key_of("replay")
    shows = _("{key} shows it", key=key) if improvement.has_news else ""
    return in_clauses([gain_text(improvement.gain), shows]), key


def improvement_of_another(improvement: Improvement, keymap: Keymap) -> tuple[str, str]:
    """The same in a replay of another solution, without its ranges of moves, which would not apply there."""
    if improvement.has_news:
        key = keymap.key_of("replay")
        return _("another solution was improved: {key} shows it", key=key), key
    seconds, key = round(improvement.seconds), keymap.key_of("improve")
    return _("improving another solution, {seconds} s; {key} stops", seconds=seconds, key=key), key


def improvement_elsewhere(improving: request.Improved, keymap: Keymap) -> tuple[str, str]:
    """``improving First Steps 3, 12 s; Esc stops``, on the board of another level, and the key in it."""
    level = words_of(improving.pack_session).label(improving.improvement.level)
    seconds, key = round(improving.improvement.seconds), keymap.key_of("cancel")
    return _("improving {level}, {seconds} s; {key} stops", level=level, seconds=seconds, key=key), key


def _improved_text(over: request.Improved, keymap: Keymap) -> str:
    """The sentence on a finished improvement, with its level if that is not in play."""
    improvement, is_elsewhere = over.improvement, over.is_elsewhere
    gain, shows = improvement.gain, ""
    proven = _(_PROVEN[improvement.objective]) if improvement.is_proven else ""
    if gain is not None and (improvement.has_news or is_elsewhere):
        told = gain_text(gain)
        shows = "" if is_elsewhere else _("{key} shows it", key=keymap.key_of("replay"))
    elif gain is not None:
        saved = _("{amount} can be saved", amount=_amount_text(gain.metric, gain.count))
        told = _("{saved}, nothing further found", saved=saved)
    elif improvement.best is None and proven:
        told = ""
    else:
        told = _("no better solution found in {seconds} s", seconds=round(improvement.seconds))
    text = in_clauses([told, proven, shows])
    return labelled(words_of(over.pack_session).label(improvement.level), text) if is_elsewhere else text


def stretch_text(stretch: Stretch) -> str:
    """``saves 9 moves and 2 pushes here``, ``another saves 2 pushes here``."""
    moves, pushes = -stretch.moves, -stretch.pushes
    less = [text(n) for n, text in ((moves, moves_text), (pushes, pushes_text)) if n > 0]
    more = [text(-n) for n, text in ((moves, moves_text), (pushes, pushes_text)) if n < 0]
    if less and more:
        return _("here {less} fewer, {more} more", less=less[0], more=more[0])
    amounts = less or more
    saved = _("{first} and {second}", first=amounts[0], second=amounts[1]) if len(amounts) == 2 else amounts[0]
    return _("saves {amount} here", amount=saved) if less else _("the other solution saves {amount} here", amount=saved)


def no_stretch_text(stretches: Sequence[Stretch], *, is_next: bool) -> str:
    if not stretches:
        return _("no other solution to compare with")
    return _("no further difference") if is_next else _("no earlier difference")


def parts_text(stretches: Sequence[Stretch], key: str) -> str:
    """``differs in moves 40-90 and 2 more places: n goes there``: compared with another solution."""
    more = len(stretches) - 1
    places = _("in moves {first}-{last}", first=stretches[0].first, last=stretches[0].last)
    if more:
        # Translators: in moves 40-90 and 2 more places.
        places = ngettext("{places} and {n:,} more place", "{places} and {n:,} more places", more, places=places)
    return _("differs {places}: {key} goes there", places=places, key=key)


_MEANINGS = {line.keys: line.text for line in IMPROVE.legend}


class ChoiceWords:
    def __init__(self, choices: ImproveChoices) -> None:
        self._choices = choices

    @property
    def solution(self) -> str:
        """``your best, 97 moves, 23 pushes``, with the count of the objective if it is a different one."""
        return self._named(self._choices.chosen)

    def _named(self, known: KnownSolution) -> str:
        """The source and counts of a solution, with a number if several have the same."""
        named = self._unnumbered(known)
        alike = [each for each in self._choices.known if self._unnumbered(each) == named]
        place = next(number for number, each in enumerate(alike, start=1) if each is known)
        return named if place == 1 else _("{solution}, no. {number}", solution=named, number=place)

    def _unnumbered(self, known: KnownSolution) -> str:
        objective, solution = self._choices.objective, known.solution
        is_other = objective not in (Objective.MOVES, Objective.PUSHES)
        other = _amount_text(objective, objective.measure(solution)) if is_other else ""
        text = listed([_(_SOURCES[known.source]), moves_and_pushes(solution), other])
        return _("{solution} ({credit})", solution=text, credit=known.credit) if known.credit else text

    @property
    def objective(self) -> str:
        """``fewest box lines (runs of pushes in one direction)``."""
        objective = self._choices.objective
        meaning = _MEANINGS.get(_FEWEST[objective].removeprefix("fewest "))
        if meaning is None:
            return _(_FEWEST[objective])
        return _("{objective} ({meaning})", objective=_(_FEWEST[objective]), meaning=_(meaning))

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
        """``any box may move, to any square``, or ``keeps 2 boxes ({}), bars 3 squares (!)`` with the given marks."""
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
        typed, moves = self._choices.typed, self._choices.solution.moves
        told = {"found": typed, "moves": moves, "example": f"{moves // 4}-{moves * 3 // 4}"}
        return _("{found} is not a range of moves within 0-{moves}, such as {example}", **told)


DEADLOCKS = {
    # Translators: the first text of each kind of deadlock has at most 40 columns, beside the counters of a play.
    DeadlockKind.DEAD_SQUARE: (
        N_("a box that can reach no goal"), N_("{box} can never reach a goal"), N_("{boxes} can never reach a goal"),
        N_("a box on a square from which it can reach no goal")),
    DeadlockKind.FREEZE: (
        N_("boxes that no push can move"), N_("{box} is frozen"), N_("{boxes} are frozen"),
        N_("boxes that can never be pushed again, one of them off the goals")),
    DeadlockKind.CLOSED_DIAGONAL: (
        N_("boxes stuck in a zigzag"), N_("{box} is stuck in a zigzag"), N_("{boxes} are stuck in a zigzag"),
        N_("boxes in a zigzag that no push can open")),
    DeadlockKind.BIPARTITE: (
        N_("too few goals for these boxes"), N_("{box} has no goal left"),
        N_("{boxes} have too few goals for all of them"), N_("boxes that can reach fewer goals than there are boxes")),
    DeadlockKind.RETROGRADE: (
        N_("a goal is closed off"), N_("{box} closes a goal off"), N_("{boxes} close a goal off"),
        N_("a goal that no box can reach any more")),
    DeadlockKind.PAIR: (
        N_("boxes that block each other"), N_("{box} blocks another"), N_("{boxes} block each other"),
        N_("two boxes near each other that cannot both reach goals")),
    DeadlockKind.CORRAL: (
        N_("boxes that are shut in"), N_("{box} is shut in"), N_("{boxes} are shut in"),
        N_("an area closed to the player, whose boxes can neither reach goals nor leave")),
    DeadlockKind.LEARNED: (
        "", N_("{box} cannot be brought home"), N_("{boxes} cannot all be brought home"),
        N_("boxes proven dead together, by this search or an earlier one")),
}  # fmt: skip
"""Texts for each kind of deadlock: a short reason, the problem with one box and with several, and the test."""


def deadlock_reason(kind: DeadlockKind) -> str:
    """Return the short reason why a position is dead, to be shown beside the counters of a game."""
    return _(reason) if (reason := DEADLOCKS[kind][0]) else ""


def phrase(outcome: request.Outcome | None, keymap: Keymap, pack_session: PackSession | None = None) -> str:
    """Return the line for an outcome; empty if the board says it all.

    ``keymap`` is the keymap of play; ``pack_session`` is needed for levels that do not exist.
    """
    match outcome:
        case request.Note.TOO_MANY_MOVES:
            return _(request.Note.TOO_MANY_MOVES.value, most=MOST_MOVES)
        case request.Note():
            return _(outcome.value).format_map(keymap.first_keys)
        case request.NoteOf(note, values):
            keys = keymap.typed("to bookmark", str(values["name"])) if "name" in values else ""
            return _(note.value, **{**keymap.first_keys, **values, "keys": keys})
        case request.Improved():
            return _improved_text(outcome, keymap)
        case request.RunOver(run):
            result, rank = words_of(run).result(run.depth), DescentWords(run).rank
            over = _("the run is over: {result}", result=result or _("no floor was solved"))
            return in_clauses([over, _("rank among your runs: {rank}", rank=rank) if rank else ""])
        case request.NoLevel(number) if pack_session is not None:
            return words_of(pack_session).why_missing(number)
        case request.NoNextLevel(number, unsolved) if pack_session is not None:
            words = words_of(pack_session)
            return words.why_no_unsolved(number) if unsolved else words.why_no_next(number)
        case request.IdleTooLong(minutes):
            # Plural forms exist only for whole numbers.
            told, whole = f"{minutes:g}", int(minutes) if minutes == int(minutes) else 2
            return ngettext(
                "no key pressed for {minutes} minute: saved and quit",
                "no key pressed for {minutes} minutes: saved and quit",
                whole,
                minutes=told,
            )
        case request.PastedMoves(moves, stop):
            return _pasted_text(moves, stop, keymap.key_of("undo"))
    return ""


def _pasted_text(moves: int, stop: Stop | None, undo: str) -> str:
    """``pasted 17 moves; move 18, R: a wall``; ``undo`` is a key."""
    if stop is None:
        return ngettext(
            "pasted {n:,} move: {key} takes it back", "pasted {n:,} moves: {key} takes them back", moves, key=undo
        )
    made = ngettext("pasted {n:,} move", "pasted {n:,} moves", moves)
    letter = stop.direction.letter.upper()
    return _(
        "{pasted}; move {number}, {letter}: {why}", pasted=made, number=stop.number, letter=letter, why=stop.reason
    )


def source(replay: ShowReplay) -> str:
    """The source and length of a solution: ``known, 97 moves, 23 pushes (YASS 2.86)``."""
    if replay.source is Source.GIVEN:
        return _(_SOURCES[replay.source])
    pushes = sum(map(str.isupper, replay.lurd))
    text = listed([_(_SOURCES[replay.source]), moves_text(len(replay.lurd)), pushes_text(pushes)])
    return _("{solution} ({credit})", solution=text, credit=replay.credit) if replay.credit else text


def progress(latest: Progress) -> str:
    """``nodes 1200, depth 31, bound 43, 2.5 s``; depth and lower bound in pushes, if the strategy has them."""
    seconds = number_text(latest.seconds, 1)
    if not latest.depth:
        return _("nodes {nodes}, {seconds} s", nodes=latest.nodes, seconds=seconds)
    counts = {"nodes": latest.nodes, "depth": latest.depth, "bound": latest.lower_bound}
    return _("nodes {nodes}, depth {depth}, bound {bound}, {seconds} s", seconds=seconds, **counts)
