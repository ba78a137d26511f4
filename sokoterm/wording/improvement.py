"""Words for improvements: what may be saved and where, and how one ended."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sokoterm.app.improvement import Gain, Improvement
from sokoterm.app.keymap import Keymap
from sokoterm.app.outcome import Improved
from sokoterm.app.session import UnderWay
from sokoterm.engine.lurd import Solution
from sokoterm.engine.stretches import Stretch
from sokoterm.engine.text import counted
from sokoterm.solver.optimizer.objective import Objective
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


def count_text(objective: Objective, solution: Solution) -> str:
    """``12 box lines``."""
    return counted(objective.measure(solution), _NOUNS[objective])


def improvement_forms(improvement: Improvement, keymap: Keymap) -> tuple[str, ...]:
    """The line about an improvement that runs or has found something that was not shown yet, and shorter forms.

    ``keymap`` is that of the board or of a replay.
    """
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


def improvement_of_another_forms(improvement: Improvement, keymap: Keymap) -> tuple[str, ...]:
    """The same in a replay of another solution than the one that is made better: moves there are not moves here."""
    key = keymap.key_of("replay")
    if improvement.has_news:
        return f"another solution was improved: {key} shows it", f"{key} shows a better one", f"{key} better"
    begin, stops = f"{improvement.seconds:.0f} s", f"{keymap.key_of('improve')} stops"
    return f"improving another solution {begin}; {stops}", f"improving {begin}; {stops}", f"improving {begin}"


def improvement_elsewhere_forms(improving: UnderWay, keymap: Keymap) -> tuple[str, ...]:
    """``improving First Steps 3, 12 s; Esc stops``, on the board of another level, and shorter forms."""
    label = words_of(improving.pack_session).label(improving.improvement.level)
    key = keymap.key_of("cancel")
    return (
        f"improving {label}, {improving.improvement.seconds:.0f} s; {key} stops",
        f"{key} stops improving {label}",
        f"{key} stops improving",
    )


def _proven(improvement: Improvement) -> str:
    """``proven: no solution has fewer moves``."""
    return f"proven: no solution has fewer {fewest(improvement.objective).removeprefix('fewest ')}"


def improved_text(over: Improved, keymap: Keymap) -> str:
    """The sentence on an improvement that is over, with its level if that is not in play."""
    improvement = over.improvement
    label = f"{words_of(over.pack_session).label(improvement.level)}: " if over.is_elsewhere else ""
    if improvement.best is None and improvement.is_proven:
        return f"{label}{_proven(improvement)}"
    proven = f"; {_proven(improvement)}" if improvement.is_proven else ""
    if improvement.gain is not None and (improvement.has_news or over.is_elsewhere):
        shows = "" if over.is_elsewhere else f"; {keymap.key_of('replay')} shows it"
        return f"{label}{gain_forms(improvement.gain)[0]}{proven}{shows}"
    if improvement.gain is not None:
        return f"{gain_forms(improvement.gain)[-1]}, nothing further found{proven}"
    return f"{label}no better solution found in {improvement.seconds:.0f} s{proven}"


def stretch_forms(stretch: Stretch) -> tuple[str, ...]:
    """``saves 9 moves and 2 pushes here``, ``another solution saves 2 pushes here``, and shorter forms."""
    moves, pushes = -stretch.moves, -stretch.pushes
    less = [counted(n, noun) for n, noun in ((moves, "move"), (pushes, "push")) if n > 0]
    more = [counted(-n, noun) for n, noun in ((moves, "move"), (pushes, "push")) if n < 0]
    if less and more:
        mixed = f"{less[0]} less, {more[0]} more"
        return f"here {mixed}", mixed
    if less:
        return f"saves {' and '.join(less)} here", f"saves {less[0]} here", f"saves {less[0]}"
    saved = " and ".join(more)
    return f"another solution saves {saved} here", f"another saves {saved} here", f"another saves {more[0]}"


def no_stretch_text(stretches: Sequence[Stretch], *, is_next: bool) -> str:
    """Why there is no next or previous stretch to go to."""
    if not stretches:
        return "no other solution to compare with"
    return "no further difference" if is_next else "no earlier difference"


def parts_forms(stretches: Sequence[Stretch], key: str) -> tuple[str, ...]:
    """``differs from another solution in moves 40-90 and 2 more places: n goes there``, and shorter forms."""
    more = len(stretches) - 1
    places = f"in moves {stretches[0].first}-{stretches[0].last}"
    places += f" and {counted(more, 'more place')}" if more else ""
    goes = f"{key} goes there"
    return f"differs from another solution {places}: {goes}", f"differs {places}: {goes}", f"{key}: next difference"
