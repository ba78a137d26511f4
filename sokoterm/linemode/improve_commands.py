"""The command ``improve`` of a play and of a replay."""

from sokoterm.app.improvement import ImproveChoices, Scope
from sokoterm.app.keymap import Keymap
from sokoterm.app.play import PlayModel
from sokoterm.app.request import Answer as Outcome
from sokoterm.app.request import ChooseImprovement, Improve, Request, StopSearch
from sokoterm.language import _, listed
from sokoterm.linemode.commands import numbers_in
from sokoterm.linemode.look import BoxNames, find_square
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.wording.improvement import ChoiceWords, improvement_text
from sokoterm.wording.outcomes import phrase

_SCOPES = {"rest": Scope.FROM_HERE, "start": Scope.UP_TO_HERE}


def asked(play: PlayModel, answer: Outcome, arguments: tuple[str, ...], keymap: Keymap) -> Request | str:
    """Return what the words of the command ask for, or what to say instead; ``answer`` is that of the play."""
    if arguments == ("stop",):
        return StopSearch()
    improvement = play.hints.improvement
    if improvement is not None and improvement.is_running:
        if arguments:
            return _("an improvement is running: stop ends it")
        if improvement.gain is not None:
            return improvement_text(improvement, keymap)[0]
        return _("improving {seconds} s: stop ends it", seconds=round(improvement.seconds))
    if not isinstance(answer, ChooseImprovement):
        return answer if isinstance(answer, Request) else phrase(answer, keymap)
    return _choose(answer.choices, arguments) or Improve(answer.choices)


def _choose(choices: ImproveChoices, arguments: tuple[str, ...]) -> str:
    """Choose by the words of a command; return what is wrong with them, empty if nothing is."""
    words = [word.casefold() for word in arguments]
    objective = scope = ""  # the words for them, each of which is given once
    while words:
        word = words.pop(0)
        if word in [*Objective]:
            if objective:
                return _(
                    "found {first} and {second}, expected one of {names}",
                    first=objective,
                    second=word,
                    names=listed(Objective),
                )
            choices.objective, objective = Objective(word), word
        elif word in _SCOPES or "-" in word:
            if scope:
                return _("found {first} and {second}, expected one part of the solution", first=scope, second=word)
            if problem := _limit(choices, word):
                return problem
            scope = word
        elif word == "alone":
            choices.cross_nothing()
        elif word == "keep":
            if problem := _keep(choices, words):
                return problem
        elif word == "bar":
            if problem := _bar(choices, words):
                return problem
        else:
            return _(
                "found {found}, expected {names}, 40-90, rest, start, alone, keep or bar",
                found=word,
                names=listed(Objective),
            )
    return "" if choices.task is not None else ChoiceWords(choices).range_wanted


def _limit(choices: ImproveChoices, word: str) -> str:
    """Choose the part that may change; return why that cannot be."""
    if "-" in word:
        choices.type(word)
    elif _SCOPES[word] in choices.scopes:
        choices.scope = _SCOPES[word]
    else:
        return _(
            "{word} is for a replay, between its first move and its last: replay, move 12, improve {word}", word=word
        )
    return ""


def _keep(choices: ImproveChoices, words: list[str]) -> str:
    """Keep the boxes that the next words name; return what is wrong with them."""
    names, kept = BoxNames(choices.level), 0
    while words and (box := names.find(words[0])) is not None:
        kept |= 1 << box
        del words[0]
    choices.kept |= kept
    found = " ".join(["keep", *words[:1]])
    if kept:
        return ""
    example = next(iter(names.now().values()))
    return _("found {found}, expected the letters of boxes: keep {example}", found=found, example=example)


def _bar(choices: ImproveChoices, words: list[str]) -> str:
    """Bar the squares that the next words name, as ``4,12`` or ``4 12``; return what is wrong with them."""
    board, place = choices.level.board, list[str]()
    while words and words[0].replace(",", "").isdecimal():
        place.append(words.pop(0))
    numbers = numbers_in(tuple(place))
    squares = [find_square(board, numbers[k : k + 2]) for k in range(0, len(numbers), 2)]
    barred = [square for square in squares if square is not None and board.floor >> square & 1]
    if not squares or len(barred) < len(squares):
        example = "{},{}".format(*(each + 1 for each in board.row_column(choices.level.start.player)))
        return _(
            "found {found}, expected the row and column of a square of the floor: bar {example}",
            found=" ".join(["bar", *place]),
            example=example,
        )
    choices.barred |= sum(1 << square for square in {*barred})
    return ""
