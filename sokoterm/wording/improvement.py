"""Words for improvements: what may be saved and where, and how one ended."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sokoterm.app.improvement import Gain, Improvement
from sokoterm.app.keymap import Keymap
from sokoterm.app.request import Improved
from sokoterm.engine.guide import Stretch
from sokoterm.engine.lurd import Solution
from sokoterm.language import N_, _, in_clauses, moves_text, ngettext, pushes_text
from sokoterm.solver.optimizer.objective import Objective
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


def fewest(objective: Objective) -> str:
    """``fewest box lines``."""
    return _(_FEWEST[objective])


def amount_text(objective: Objective, count: int) -> str:
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


def gain_forms(gain: Gain) -> tuple[str, ...]:
    """``14 moves can be saved, 9 of them between moves 40 and 90``, and shorter forms: where, not how."""
    amount = amount_text(gain.metric, gain.count)
    saved = _("{amount} can be saved", amount=amount)
    if gain.stretch is None:
        return (saved,)
    first, last = gain.stretch.first, gain.stretch.last
    if gain.share == gain.count:
        return (
            _("{amount} can be saved between moves {first} and {last}", amount=amount, first=first, last=last),
            _("{amount} can be saved in moves {first}-{last}", amount=amount, first=first, last=last),
            saved,
        )
    share = gain.share
    return (
        _("{saved}, {n:,} of them between moves {first} and {last}", saved=saved, n=share, first=first, last=last),
        _("{saved}, {n:,} in moves {first}-{last}", saved=saved, n=share, first=first, last=last),
        saved,
    )


def count_text(objective: Objective, solution: Solution) -> str:
    """``12 box lines``."""
    return amount_text(objective, objective.measure(solution))


def improvement_forms(improvement: Improvement, keymap: Keymap) -> tuple[str, ...]:
    """The line about an improvement that runs or has found something that was not shown yet, and shorter forms.

    ``keymap`` is that of the board or of a replay.
    """
    gain, seconds = improvement.gain, round(improvement.seconds)
    begin = _("improving {seconds} s", seconds=seconds)
    if gain is None:
        key = keymap.key_of("improve")
        wanted = fewest(improvement.objective)
        return (
            _("improving {seconds} s, for {wanted}; {key} stops", seconds=seconds, wanted=wanted, key=key),
            _("improving {seconds} s; {key} stops", seconds=seconds, key=key),
            begin,
        )
    key = keymap.key_of("replay")
    shows = _("{key} shows it", key=key) if improvement.has_news else ""
    forms = gain_forms(gain)
    told = []
    if improvement.is_running:
        after = _("{seconds} s", seconds=seconds)
        told = [f"{begin}: {forms[0]}", *(f"{after}: {each}" for each in forms)]
    elif improvement.is_proven:
        told = [f"{forms[0]} ({_proven(improvement)})"]
    better = _("better")
    less = _("{amount} less", amount=amount_text(gain.metric, gain.count))
    briefly = _("{key} better", key=key) if improvement.has_news else better
    return (*(in_clauses([each, shows]) for each in (*told, *forms, less, better)), briefly)


def improvement_of_another_forms(improvement: Improvement, keymap: Keymap) -> tuple[str, ...]:
    """The same in a replay of another solution than the one that is made better: moves there are not moves here."""
    key = keymap.key_of("replay")
    if improvement.has_news:
        return (
            _("another solution was improved: {key} shows it", key=key),
            _("{key} shows a better one", key=key),
            _("{key} better", key=key),
        )
    seconds, key = round(improvement.seconds), keymap.key_of("improve")
    return (
        _("improving another solution {seconds} s; {key} stops", seconds=seconds, key=key),
        _("improving {seconds} s; {key} stops", seconds=seconds, key=key),
        _("improving {seconds} s", seconds=seconds),
    )


def improvement_elsewhere_forms(improving: Improved, keymap: Keymap) -> tuple[str, ...]:
    """``improving First Steps 3, 12 s; Esc stops``, on the board of another level, and shorter forms."""
    label = words_of(improving.pack_session).label(improving.improvement.level)
    key = keymap.key_of("cancel")
    return (
        _(
            "improving {level}, {seconds} s; {key} stops",
            level=label,
            seconds=round(improving.improvement.seconds),
            key=key,
        ),
        _("{key} stops improving {level}", key=key, level=label),
        _("{key} stops improving", key=key),
    )


def _proven(improvement: Improvement) -> str:
    """``proven: no solution has fewer moves``."""
    return _(_PROVEN[improvement.objective])


def improved_text(over: Improved, keymap: Keymap) -> str:
    """The sentence on an improvement that is over, with its level if that is not in play."""
    improvement = over.improvement
    proven = _proven(improvement) if improvement.is_proven else ""
    if improvement.gain is not None and (improvement.has_news or over.is_elsewhere):
        shows = "" if over.is_elsewhere else _("{key} shows it", key=keymap.key_of("replay"))
        text = in_clauses([gain_forms(improvement.gain)[0], proven, shows])
    elif improvement.gain is not None:
        nothing = _("{saved}, nothing further found", saved=gain_forms(improvement.gain)[-1])
        text = in_clauses([nothing, proven])
    elif improvement.best is None and proven:
        text = proven
    else:
        nothing = _("no better solution found in {seconds} s", seconds=round(improvement.seconds))
        text = in_clauses([nothing, proven])
    return f"{words_of(over.pack_session).label(improvement.level)}: {text}" if over.is_elsewhere else text


def stretch_forms(stretch: Stretch) -> tuple[str, ...]:
    """``saves 9 moves and 2 pushes here``, ``another solution saves 2 pushes here``, and shorter forms."""
    moves, pushes = -stretch.moves, -stretch.pushes
    less = [text(n) for n, text in ((moves, moves_text), (pushes, pushes_text)) if n > 0]
    more = [text(-n) for n, text in ((moves, moves_text), (pushes, pushes_text)) if n < 0]
    if less and more:
        return (
            _("here {less} less, {more} more", less=less[0], more=more[0]),
            _("{less} less, {more} more", less=less[0], more=more[0]),
        )
    saved = _both(less or more)
    if less:
        return (
            _("saves {amount} here", amount=saved),
            _("saves {amount} here", amount=less[0]),
            _("saves {amount}", amount=less[0]),
        )
    return (
        _("another solution saves {amount} here", amount=saved),
        _("another saves {amount} here", amount=saved),
        _("another saves {amount}", amount=more[0]),
    )


def _both(amounts: Sequence[str]) -> str:
    return _("{first} and {second}", first=amounts[0], second=amounts[1]) if len(amounts) == 2 else amounts[0]


def no_stretch_text(stretches: Sequence[Stretch], *, is_next: bool) -> str:
    """Why there is no next or previous stretch to go to."""
    if not stretches:
        return _("no other solution to compare with")
    return _("no further difference") if is_next else _("no earlier difference")


def parts_forms(stretches: Sequence[Stretch], key: str) -> tuple[str, ...]:
    """``differs from another solution in moves 40-90 and 2 more places: n goes there``, and shorter forms."""
    more = len(stretches) - 1
    places = _("in moves {first}-{last}", first=stretches[0].first, last=stretches[0].last)
    if more:
        # Translators: in moves 40-90 and 2 more places.
        places = ngettext("{places} and {n:,} more place", "{places} and {n:,} more places", more, places=places)
    return (
        _("differs from another solution {places}: {key} goes there", places=places, key=key),
        _("differs {places}: {key} goes there", places=places, key=key),
        _("{key}: next difference", key=key),
    )
