"""Start of the player from the command line.  The first picture waits for every import here."""

import gc
import os
from collections.abc import Container
from functools import partial

from sokoterm.app.keymap import KEYMAPS, with_wasd
from sokoterm.app.options import PlayOptions
from sokoterm.commands import VERBS
from sokoterm.commands.support.output import InputError, complain
from sokoterm.engine.text import whole_number
from sokoterm.language import N_, _
from sokoterm.process import ending_at_once
from sokoterm.store.packs import NearNameError, PackError, find_packs_or_named
from sokoterm.store.paths import config_file, data_dir, packs_dir
from sokoterm.store.settings import Settings, read_config
from sokoterm.tui.widgets.theme import THEMES, find_theme, read_looks

_FLAGS = (
    ("--theme", "theme"), ("--cell", "cell"), ("--palette", "palette"), ("--no-color", "color"), ("--keys", "keys"),
    ("--no-mouse", "mouse"), ("--animation", "animation"), ("--slow-link", "slow_link"), ("--plain", "plain"),
)  # fmt: skip


def plain_options(arguments: list[str]) -> PlayOptions | None:
    """Return the options of the usual command lines, which need no parser; None for others.

    They name packs, or one pack and a level of it, after a theme if need be.
    """
    theme, level, packs = None, None, arguments
    match arguments:
        case ["--theme", name, *rest] if find_theme(name) is not None:
            theme, packs = name, rest
    match packs:
        case [pack, "-l" | "--level", number] if whole_number(number):
            packs, level = [pack], int(number)
    if any(argument.startswith("-") for argument in packs):
        return None
    return PlayOptions(tuple(packs), level, Settings(theme=theme))


def open_player(options: PlayOptions, *, may_be_verb: bool = False) -> int:
    """Play until the player leaves; return the exit status of the player.

    ``may_be_verb``: a name that is no file may be meant as a verb.  Raises InputError for flags of the screen where
    there is none.
    """
    with ending_at_once():
        return _open_player(options, may_be_verb=may_be_verb)


def _open_player(options: PlayOptions, *, may_be_verb: bool) -> int:
    given = flags_given(options)
    options, problems = _settled(options)
    if options.settings.plain:
        if drawn := [flag for flag in given if flag not in ("--plain", "--keys")]:
            problem = N_("found {flag}, which has no effect without a screen: --plain prints lines")
            if "--plain" not in given:
                problem = N_(
                    "found {flag}, which has no effect without a screen: plain = true in the settings prints lines"
                )
            raise InputError(_(problem, flag=drawn[0]))
        from sokoterm.linemode.session import play, take_keyboard  # one of the two faces
    else:
        from sokoterm.tui.event_loop import play, take_keyboard  # one of the two faces
    first = options.packs[0] if options.packs else ""
    meant = verb_meant(first) if may_be_verb else ""
    if meant or options.packs and all(map(_is_missing, options.packs)):
        problems_of = [
            _why_missing(path, options, may_be_verb=may_be_verb and not index)
            for index, path in enumerate(options.packs)
            if _is_missing(path)
        ]
        if all(problems_of) or meant and problems_of[0]:
            for problem in filter(None, problems_of[: 1 if meant and first in VERBS else None]):
                complain(problem)
            return 2
    from sokoterm.commands.support.opening import with_packs  # once the terminal is known to do

    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    notices = problems[:]
    if len(problems) > 1:
        name = os.path.basename(config_file())
        notices = [_("{n} problems in {file}: `sokoterm keys` lists them", n=len(problems), file=name)]
    # A line of the screen seldom has room for all that is allowed in the settings.
    clipped = () if options.settings.plain else (*notices,)
    try:
        status = with_packs(
            options, notices, complain, partial(take_keyboard, options), partial(play, options, notices)
        )
        for notice in clipped:
            if notice not in notices:
                complain(notice)
        return status
    finally:
        for problem in problems if len(problems) > 1 else ():
            complain(problem)


def _settled(options: PlayOptions) -> tuple[PlayOptions, list[str]]:
    """Return the options, completed by the config file, and a line for each of its entries that cannot be followed."""
    path = config_file()
    if not os.path.exists(path):
        return options._replace(keymaps=with_wasd(KEYMAPS)) if options.settings.keys == "wasd" else options, []
    # With settings only.
    from sokoterm.commands.support.remap import keys_in_force

    config = read_config(path, [theme.name for theme in THEMES])
    keymaps, refused = keys_in_force(options.settings.keys, config)
    looks, unknown = read_looks(config.colors)
    settings = options.settings.otherwise(config.settings)
    problems = [*config.problems, *refused, *unknown]
    return options._replace(settings=settings, keymaps=keymaps, looks=looks), problems


def flags_given(options: PlayOptions) -> list[str]:
    """Return the flags of the player's looks and input that are given."""
    chosen = [flag for flag, name in _FLAGS if getattr(options.settings, name) is not None]
    return [*chosen, *(["--stats"] if options.stats else [])]


def refuse_unused(options: PlayOptions, used: Container[str]) -> None:
    """Raise InputError if a flag of the player or its host has no effect on what is printed: it is not in ``used``."""
    hosting = (
        ("--host", options.is_hosted), ("--account", options.account is not None),
        ("--idle", options.idle_minutes is not None), ("--quota", options.quota is not None),
        ("--scores", options.scores is not None),
    )  # fmt: skip
    for flag in [*flags_given(options), *(flag for flag, is_given in hosting if is_given)]:
        if flag not in used:
            raise InputError(_("found {flag}, which has no effect on what is printed", flag=flag))


def _is_missing(path: str) -> bool:
    return path != "-" and "://" not in path and "\0" not in path and not os.path.lexists(path)


def _why_missing(path: str, options: PlayOptions, *, may_be_verb: bool) -> str:
    """Return why there is no pack at a path, with the nearest verb or pack; empty if there is one, or one called so."""
    try:
        find_packs_or_named(path, packs_dir(data_dir(options.data_dir)), options.limits)
    except PackError as error:
        problem, names_another = str(error), isinstance(error, NearNameError)
    else:
        return ""
    if may_be_verb and (meant := verb_meant(path)):
        return meant
    if not may_be_verb or names_another or not path.replace("-", "").isalpha():
        return problem
    return _("{path}: found no such verb or file (--help lists the verbs)", path=path)


def verb_meant(word: str) -> str:
    """Return the complaint about a word that is no file but a verb behind an option, or much like one; else nothing."""
    if not word.replace("-", "").isalpha() or not _is_missing(word):
        return ""
    if word in VERBS:
        return _("found the verb {verb} behind an option, expected it first: sokoterm {verb} ...", verb=word)
    from difflib import get_close_matches  # unknown names only

    near = get_close_matches(word.lower(), VERBS, 1)
    return _("{path}: found no such verb or file; is it {verb}?", path=word, verb=near[0]) if near else ""
