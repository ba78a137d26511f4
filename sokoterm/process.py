"""The process of a verb: Ctrl-C, and host mode.

Host mode is for people who may do nothing on this machine but play: sshd starts it for them. docs/hosting.md has what a
program cannot do from inside, because Python has already read its environment.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager, contextmanager, suppress
from signal import SIG_DFL, SIG_IGN, SIGINT, default_int_handler, getsignal, signal
from typing import NoReturn

# Variables that a client may set, for terminal, language and colours. All others can name files and programs:
# SOKOTERM_DATA, XDG_*, TERMINFO, LANGUAGE, TZ, PAGER, EDITOR, SHELL ...
_KEPT = ("TERM", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "NO_COLOR")
# A lane of a search (solver/lanes.py).  The folder of sokoterm comes last: nothing in it hides a standard module.
_LANE = """\
import os, sys, time
sys.path.append(sys.argv[1])
from sokoterm.solver.lanes import serve
if hasattr(os, "nice"):
    os.nice(int(sys.argv[2]))
serve(time.monotonic, lambda: os._exit(0))
"""
_GIVES_WAY = "5"  # see nice(1)
_PLAIN = r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}"


def raising() -> AbstractContextManager[None]:
    """Make Ctrl-C raise KeyboardInterrupt inside the block, for a verb that has to clean up."""
    return _replacing(SIG_DFL, default_int_handler)


def ending_at_once() -> AbstractContextManager[None]:
    """Make Ctrl-C end the process inside the block, unless the screen or line mode handles Ctrl-C itself.

    An exception raised during an import, in a destructor or at exit would print a traceback or be lost.
    """
    return _replacing(default_int_handler, SIG_DFL)


def lane_command(*, gives_way: bool = False) -> tuple[str, ...]:
    """Return the command of a process that serves a lane of a search; ``gives_way``: at a lower priority."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    bytecode = () if sys.pycache_prefix is None else ("-X", f"pycache_prefix={sys.pycache_prefix}")
    return (sys.executable, "-S", "-P", *bytecode, "-c", _LANE, root, _GIVES_WAY if gives_way else "0")


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


@contextmanager
def _replacing(usual: object, other: Callable[..., object] | int) -> Iterator[None]:
    """Replace the handler of Ctrl-C inside the block, if it is the usual one; an ignored Ctrl-C stays ignored."""
    before = getsignal(SIGINT)
    if before is usual:
        signal(SIGINT, other)
    try:
        yield
    finally:
        if getsignal(SIGINT) is other:
            signal(SIGINT, before)


def enter_host_mode(home: str) -> None:
    """Distrust the environment, write no core file and no file for others, and ignore Ctrl-Z and Ctrl-\\.

    The player reads those two as keys while it has the terminal. ``home`` is the home folder of the account.
    """
    distrust(os.environ, home)
    os.umask(0o077)
    if sys.platform == "win32":
        return
    # POSIX.
    import resource
    from signal import SIGQUIT, SIGTSTP

    for number in (SIGQUIT, SIGTSTP):
        signal(number, SIG_IGN)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def distrust(environ: MutableMapping[str, str], home: str) -> None:
    """Reduce an environment to the home folder and variables that cannot name a file.

    >>> environ = {"TERM": "xterm", "LANG": "../x", "LESSOPEN": "|sh", "HOME": "/tmp"}
    >>> distrust(environ, "/home/ann")
    >>> environ
    {'TERM': 'xterm', 'HOME': '/home/ann'}
    """
    kept = {name: value for name in _KEPT if re.fullmatch(_PLAIN, value := environ.get(name, ""))}
    environ.clear()
    environ.update(kept, HOME=home)


def leave_host_mode(status: int) -> NoReturn:
    """End the program immediately: Python must not return to a prompt, whatever its environment asked for."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
    os._exit(status)
