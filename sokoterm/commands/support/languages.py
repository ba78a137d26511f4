"""Choice of the player's language: --language, else the settings, else the locale."""

import os
from collections.abc import Sequence

from sokoterm.commands import LANGUAGE
from sokoterm.commands.support.output import InputError
from sokoterm.language import _, codes_in
from sokoterm.store.languages import find_catalog, languages
from sokoterm.store.paths import config_file
from sokoterm.store.settings import read_config
from sokoterm.tui.terminal.encoding import speaks_utf8


def choose_language(arguments: Sequence[str]) -> list[str]:
    """Speak the language that is asked for, and return the arguments without --language.

    It is English with --json, whose texts are for programs, and in a locale that cannot show all letters.  Raises
    InputError for a --language without a catalog.
    """
    others, asked = _without_flag(arguments)
    if asked is not None and asked not in (known := languages()):
        raise InputError(
            _("found {value}, expected one of {names}", value=f"{LANGUAGE} {asked}", names=", ".join(known))
        )
    codes = [asked] if asked is not None else [*_codes_in_settings()] or [*codes_in(os.environ)]
    if "--json" not in others and speaks_utf8() and (catalog := find_catalog(codes)) is not None:
        catalog.speak()
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
