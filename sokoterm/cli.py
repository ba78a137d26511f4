"""The command line: runs a verb, and turns its end into an exit status.

Exit status: 0 done; 1 the answer is no; 2 usage, or some input could not be read; 70 the program crashed; 74
progress could not be saved; 75 the scheduler of a cluster was lost.
"""

import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from sokoterm.commands import HOST, LANGUAGE, NOT_SAVED, VERBS
from sokoterm.commands.support.output import InputError, complain
from sokoterm.engine.level import LevelError
from sokoterm.engine.lurd import LurdError
from sokoterm.language import N_, VARIABLES, _, codes_in
from sokoterm.process import enter_host_mode, leave_host_mode, raising
from sokoterm.store.packs import PackError
from sokoterm.store.paths import LostProgressError, config_file, is_login_shell, log_crash, unix_home

_INTERRUPTED = 130
_BROKEN_PIPE = 141
_CRASHED = 70  # EX_SOFTWARE of sysexits.h


def main(arguments: list[str] | None = None) -> int:
    """Run the verb named first in the arguments, or play; return the exit status."""
    if arguments is None:
        # sshd gives a login shell no flags.
        arguments = [*([HOST] if is_login_shell(sys.argv[0]) else []), *sys.argv[1:]]
        if HOST in arguments:
            status = _CRASHED
            try:
                enter_host_mode(unix_home())
                status = status_of(_run, arguments)
            finally:
                leave_host_mode(status)
    return status_of(_run, arguments)


def status_of(run: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run a command and return its exit status; errors are reported in one line on stderr."""
    try:
        if sys.stdout is None:  # closed: output is discarded, as long as the program runs
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        if isinstance(sys.stdout, io.TextIOWrapper):  # letters that the locale cannot encode are printed as escapes
            sys.stdout.reconfigure(errors="backslashreplace")
        status = run(arguments)
        sys.stdout.flush()
        return status
    except SystemExit as stop:  # by argparse, after help or an error
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return _BROKEN_PIPE
    except (InputError, PackError, LevelError, LurdError) as error:
        complain(str(error))
    except LostProgressError as error:
        complain(str(error))
        return NOT_SAVED
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
        _drop_output()
    except Exception:  # noqa: BLE001 - a crash: the traceback goes to a file
        from traceback import format_exc  # crashes only

        complain(_("internal error: {log}", log=log_crash(format_exc())))
        return _CRASHED
    return 2


def _run(arguments: list[str]) -> int:
    asked = any(argument.startswith(LANGUAGE) for argument in arguments)
    if asked or os.path.exists(config_file()) or any(codes_in(os.environ)):
        arguments = _choose_language(arguments)
    if arguments and arguments[0] in VERBS:
        verb, *rest = arguments
        run: Callable[[list[str]], int] = import_module(f"sokoterm.commands.{verb}").run
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        with raising():
            return run(rest)
    # Other verbs do not load these.
    from sokoterm.commands.support.opening import open_player, plain_options

    options = plain_options(arguments)
    if options is None:
        from sokoterm.commands import play  # the parser takes a tenth of the time to the first picture

        return play.run(arguments, play.main_parser())
    return open_player(options, may_be_verb=True)


def _choose_language(arguments: Sequence[str]) -> list[str]:
    """Switch to the requested language, and return the arguments without --language.

    English is used with --json, whose output is for programs, and in a locale that cannot show all letters, with a
    warning if a language was requested. Raises InputError for a --language without a catalog.
    """
    # English needs none of these.
    from sokoterm.store.languages import find_catalog, languages, nearest_language
    from sokoterm.terminal.encoding import speaks_utf8

    others, asked = _without_flag(arguments)
    if asked is not None and nearest_language(asked) is None:
        names = ", ".join(languages())
        raise InputError(_("found {value}, expected one of {names}", value=f"{LANGUAGE} {asked}", names=names))
    chosen = asked if asked is not None else _language_in_settings()
    catalog = find_catalog([chosen] if chosen is not None else codes_in(os.environ))
    if "--json" in others or catalog is None:
        return others
    if speaks_utf8():
        catalog.speak()
    elif chosen is not None:
        variable = next((name for name in VARIABLES if os.environ.get(name)), "LANG")
        locale = f"{variable}={os.environ.get(variable, '')}"
        problem = N_("{locale} is not a UTF-8 locale of this machine; the language {code} needs one")
        complain(_(problem, locale=locale, code=catalog.code))
    return others


def _without_flag(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Split --language CODE or --language=CODE off the arguments; raises InputError if the code is missing."""
    others: list[str] = []
    asked: str | None = None
    following = iter(arguments)
    for argument in following:
        flag, equals, code = argument.partition("=")
        if flag == LANGUAGE:
            asked = code if equals else next(following, "")
            if not asked:
                raise InputError(_("found {flag} without a code, expected one such as de", flag=LANGUAGE))
        else:
            others.append(argument)
            if argument == "--":
                break
    return [*others, *following], asked


def _language_in_settings() -> str | None:
    """Return the language of the settings; None if it is not set or has no catalog."""
    from sokoterm.store.settings import read_config  # with settings only

    path = config_file()
    try:
        with open(path, "rb") as file:
            is_named = b"language" in file.read()  # settings without it are not parsed twice
    except OSError:
        return None
    return read_config(path, ()).settings.language if is_named else None


def _drop_output() -> None:
    """Discard output that cannot be written, so that Python does not report it at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
