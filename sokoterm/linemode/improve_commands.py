"""The command ``improve`` of a play and of a replay."""

from sokoterm.app.improvement import ImproveChoices, Scope
from sokoterm.app.keymap import Keymap
from sokoterm.app.outcome import Answer as Outcome
from sokoterm.app.play import PlayModel
from sokoterm.app.request import ChooseImprovement, Improve, Request, StopSearch
from sokoterm.linemode.look import BoxNames
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.wording.improvement import improvement_forms
from sokoterm.wording.outcomes import phrase

_PARTS = {"rest": Scope.FROM_HERE, "start": Scope.UP_TO_HERE}


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
    names = BoxNames(choices.level)
    keeps = False
    for word in arguments:
        if keeps:
            box = names.find(word)
            if box is None:
                return f"no box {word} to keep"
            choices.keep(box)
        elif word == "keep":
            keeps = True
        elif word in [*Objective]:
            choices.objective = Objective(word)
        elif word in _PARTS:
            if _PARTS[word] not in choices.parts:
                return f"no {word} to improve here: go to a move of the solution first"
            choices.part = _PARTS[word]
        else:
            return f"found {word}, expected moves, pushes, lines, changes, sessions, rest, start or keep"
    return ""
