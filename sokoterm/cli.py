"""The command line: which verb is meant, and how it ends.

Exit status: 0 done; 1 the answer is no; 2 usage, or some input could not be read; 70 a fault of the program.
"""

import contextlib
import io
import os
import sys
from collections.abc import Callable
from importlib import import_module

from sokoterm import __version__
from sokoterm.engine.level import LevelError
from sokoterm.engine.lurd import LurdError
from sokoterm.library.packs import PackError
from sokoterm.verbs import VERBS
from sokoterm.verbs.output import InputError, complain
from sokoterm.verbs.parser import Parser

_INTERRUPTED = 130
_BROKEN_PIPE = 141


def main(arguments: list[str] | None = None) -> int:
    """Runs the verb named first in the arguments (none: play) and gives the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        _accept_any_text()
        status = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except SystemExit as stop:  # argparse, after help or a complaint
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        _close_stdout()
        return _BROKEN_PIPE
    except (InputError, PackError, LevelError, LurdError) as error:
        complain(str(error))
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
        _close_stdout()
    except Exception:  # noqa: BLE001 - a fault of ours: the details go to a file, not over the screen
        return _crashed()
    return 2


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in VERBS:
        verb, *rest = arguments
        run: Callable[[list[str]], int] = import_module(f"sokoterm.verbs.{verb}").run
        return run(rest)
    from sokoterm.verbs.play import run as play

    return play(arguments, _top_parser())


def _accept_any_text() -> None:
    """A title in letters that the locale does not know is printed with escapes, not refused."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _top_parser() -> Parser:
    """The command without a verb: it plays, and its help names the verbs."""
    verbs = "\n".join(f"  {verb:<8} {summary}" for verb, summary in VERBS.items())
    parser = Parser(
        "",
        "Sokoban in a terminal: play packs, resume, replay, and watch the solver.",
        "sokoterm levels.txt",
        f"verbs:\n{verbs}\n\n  sokoterm VERB --help tells more; a pack named like a verb is ./VERB",
    )
    parser.add_argument("--version", action="version", version=f"sokoterm {__version__}")
    return parser


def _crashed() -> int:
    from traceback import format_exc

    from sokoterm.tui.player import CRASHED, log_crash

    complain(f"something went wrong; the details are in {log_crash(format_exc())}")
    return CRASHED


def _close_stdout() -> None:
    """Nobody takes what is written there: what is still to come goes nowhere, without a word."""
    with contextlib.suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
