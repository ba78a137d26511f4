"""The command ``improve`` of a play and of a replay."""

from sokoterm.app.improve_choices import ImproveChoices, Scope
from sokoterm.app.keymap import Keymap
from sokoterm.app.outcome import Answer as Outcome
from sokoterm.app.play import PlayModel
from sokoterm.app.request import ChooseImprovement, Improve, Request, StopSearch
from sokoterm.engine.text import whole_number
from sokoterm.linemode.look import BoxNames, find_square
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.wording.improve_choices import ChoiceWords
from sokoterm.wording.improvement import improvement_forms
from sokoterm.wording.outcomes import phrase

_SCOPES = {"rest": Scope.FROM_HERE, "start": Scope.UP_TO_HERE}


def progress_line(play: PlayModel, keymap: Keymap) -> str:
    """Return how far an improvement of the level has come; empty if none is under way."""
    improvement = play.improvement
    return improvement_forms(improvement, keymap)[0] if improvement is not None and improvement.is_running else ""


def chosen(answer: Outcome, arguments: tuple[str, ...], keymap: Keymap) -> Request | str:
    """Return the request for an improvement by the words of a command, or why there is none."""
    if arguments == ("stop",) and not isinstance(answer, StopSearch):
        return "nothing is being improved"
    if not isinstance(answer, ChooseImprovement):
        return answer if isinstance(answer, Request) else phrase(answer, keymap)
    return _choose(answer.choices, arguments) or Improve(answer.choices)


def _choose(choices: ImproveChoices, arguments: tuple[str, ...]) -> str:
    """Choose by the words of a command; return what is wrong with them, empty if nothing is."""
    words = list(arguments)
    while words:
        word = words.pop(0)
        if word in [*Objective]:
            choices.objective = Objective(word)
        elif word in _SCOPES and _SCOPES[word] in choices.scopes:
            choices.scope = _SCOPES[word]
        elif word in _SCOPES:
            return f"no {word} to improve here: go to a move of the solution first"
        elif word == "alone":
            choices.cross_nothing()
        elif word in ("keep", "bar"):
            if problem := _mark(choices, word, words):
                return problem
        elif "-" in word:
            choices.type(word)
        else:
            return f"found {word}, expected an objective, a range of moves, rest, start, alone, keep or bar"
    return "" if choices.task is not None else ChoiceWords(choices).range_wanted


def _mark(choices: ImproveChoices, word: str, words: list[str]) -> str:
    """Keep the box, or bar the square, that the next words name; return what is wrong with them."""
    if word == "keep":
        name = words.pop(0) if words else ""
        box = BoxNames(choices.level).find(name)
        if box is None:
            return f"found keep {name}, expected the letter of a box"
        choices.kept |= 1 << box
        return ""
    place, words[:2] = words[:2], []
    numbers = [number for each in place if (number := whole_number(each)) is not None]
    square = find_square(choices.level.board, numbers)
    if square is None or not choices.level.board.floor >> square & 1:
        return f"found bar {' '.join(place)}, expected the row and the column of a square of the floor"
    choices.barred |= 1 << square
    return ""
