"""Choice of the player's language: --language, else the settings, else the locale."""

import os
from collections.abc import Sequence

from sokoterm.commands import LANGUAGE
from sokoterm.commands.support.output import InputError, complain
from sokoterm.language import N_, VARIABLES, _, codes_in
from sokoterm.store.languages import find_catalog, languages, nearest_language
from sokoterm.store.paths import config_file
from sokoterm.store.settings import read_config
from sokoterm.terminal.encoding import speaks_utf8


def choose_language(arguments: Sequence[str]) -> list[str]:
    """Speak the language that is asked for, and return the arguments without --language.

    It is English with --json, whose texts are for programs, and in a locale that cannot show all letters; a language
    that was asked for is then told to be missing.  Raises InputError for a --language without a catalog.
    """
    others, asked = _without_flag(arguments)
    if asked is not None and nearest_language(asked) is None:
        names = ", ".join(languages())
        raise InputError(_("found {value}, expected one of {names}", value=f"{LANGUAGE} {asked}", names=names))
    chosen = [asked] if asked is not None else [*_codes_in_settings()]
    catalog = find_catalog(chosen or codes_in(os.environ))
    if "--json" in others or catalog is None:
        return others
    if speaks_utf8():
        catalog.speak()
    elif chosen:
        variable = next((name for name in VARIABLES if os.environ.get(name)), "LANG")
        locale = f"{variable}={os.environ.get(variable, '')}"
        problem = N_("found {locale}, no UTF-8 locale of this machine, expected one for the language {code}")
        complain(_(problem, locale=locale, code=catalog.code))
    return others


def _without_flag(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the arguments without --language CODE or --language=CODE, and the code; raises InputError for no code."""
    others: list[str] = []
    asked: str | None = None
    following = iter(arguments)
    for argument in following:
        if argument == "--":
            others.append(argument)
            break
        flag, equals, code = argument.partition("=")
        if flag != LANGUAGE:
            others.append(argument)
            continue
        asked = code if equals else next(following, "")
        if not asked:
            raise InputError(_("found {flag} without a code, expected one such as de", flag=LANGUAGE))
    return [*others, *following], asked


def _codes_in_settings() -> Sequence[str]:
    """Return the language of the settings; nothing if it is not set or has no catalog, which the player is told."""
    path = config_file()
    try:
        with open(path, "rb") as file:
            is_named = b"language" in file.read()  # settings without it are not parsed twice
    except OSError:
        return ()
    language = read_config(path, ()).settings.language if is_named else None
    return () if language is None else (language,)
