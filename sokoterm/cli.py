"""The command line: which verb is meant, and how it ends.

Exit status: 0 done; 1 the answer is no; 2 usage, or some input could not be read; 70 a fault of the program; 74
progress could not be saved in the end.
"""

import gc
import io
import os
import sys
from collections.abc import Callable
from importlib import import_module

from sokoterm import __version__
from sokoterm.commands import HOST, VERBS
from sokoterm.commands.support.output import InputError, complain
from sokoterm.engine.level import LevelError
from sokoterm.engine.lurd import LurdError
from sokoterm.engine.text import whole_number
from sokoterm.process import enter_host_mode, leave_host_mode, raising
from sokoterm.store.packs import PackError
from sokoterm.store.paths import is_login_shell, unix_home

_INTERRUPTED = 130
_BROKEN_PIPE = 141
_CRASHED = 70  # EX_SOFTWARE of sysexits.h


def main(arguments: list[str] | None = None) -> int:
    """Runs the verb named first in the arguments (none: play) and gives the exit status."""
    if arguments is not None:
        return status_of(_run, arguments)
    arguments = sys.argv[1:]
    # sshd gives a login shell no flags.
    if is_login_shell(sys.argv[0]):
        arguments = [HOST, *arguments]
    if HOST not in arguments:
        return status_of(_run, arguments)
    status = _CRASHED
    try:
        enter_host_mode(unix_home())
        status = status_of(_run, arguments)
    finally:
        leave_host_mode(status)


def status_of(run: Callable[[list[str]], int], arguments: list[str]) -> int:
    """The exit status of a command, also where it ends with an error, which one line on stderr says."""
    try:
        _prepare_output()
        status = run(arguments)
        sys.stdout.flush()
        return status
    except SystemExit as stop:  # argparse, after help or a complaint
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return _BROKEN_PIPE
    except (InputError, PackError, LevelError, LurdError) as error:
        complain(str(error))
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
        _drop_output()
    except Exception:  # noqa: BLE001 - a fault of ours: the details go to a file, not over the screen
        return _crashed()
    return 2


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in VERBS:
        verb, *rest = arguments
        run: Callable[[list[str]], int] = import_module(f"sokoterm.commands.{verb}").run
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        with raising():
            return run(rest)
    # Packs alone, and one with a level, need no parser: its import and making are a tenth of the time to the first
    # picture.
    packs, level = arguments, None
    match arguments:
        case [pack, "-l" | "--level", number] if whole_number(number):
            packs, level = [pack], int(number)
    if any(argument.startswith("-") for argument in packs):
        return _run_flags(arguments)
    from sokoterm.app.options import PlayOptions
    from sokoterm.commands.support.open_player import open_player

    return open_player(PlayOptions(tuple(packs), level), may_be_verb=True)


def _run_flags(arguments: list[str]) -> int:
    """The player by its flags, or what the command without a verb tells of itself."""
    from sokoterm.commands.play import run as play
    from sokoterm.commands.support.parser import Parser

    verbs = "\n".join(f"  {verb:<11} {summary}" for verb, summary in VERBS.items())
    parser = Parser(
        "",
        "Sokoban in a terminal: play packs, resume, replay, and watch the solver.",
        "sokoterm levels.txt",
        f"verbs:\n{verbs}\n\n  sokoterm VERB --help tells more; a pack named like a verb is ./VERB",
    )
    parser.add_argument("--version", action="version", version=f"sokoterm {__version__}")
    return play(arguments, parser)


def _prepare_output() -> None:
    """A closed stdout swallows what is printed; letters that the locale does not know are printed as escapes."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the program runs
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _crashed() -> int:
    from traceback import format_exc

    from sokoterm.store.paths import log_crash

    complain(f"something went wrong: {log_crash(format_exc())}")
    return _CRASHED


def _drop_output() -> None:
    """Where nobody takes what is still to be written, it goes nowhere, without a word at the end of Python."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
