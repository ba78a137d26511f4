"""Host mode: the player for people who may do nothing else on this machine, and whom sshd lets in for it.

What cannot be done from inside stands in docs/hosting.md: Python has read its environment by now.
"""

import os
import re
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from typing import NoReturn

from sokoterm.store.paths import unix_home

# What a client may say of its terminal, its language and its eyes; everything else of the environment names files
# and programs: SOKOTERM_DATA, XDG_*, TERMINFO, LANGUAGE, TZ, PAGER, EDITOR, SHELL ...
_KEPT = ("TERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")


def enter_host_mode() -> None:
    """Trust the environment no more, leave no core file and no file for others, and ignore Ctrl-Z and Ctrl-\\.

    The player takes the terminal and reads those two as keys; before and after that the terminal sends signals.
    """
    distrust(os.environ, unix_home())
    os.umask(0o077)
    if sys.platform == "win32":
        return
    import resource
    import signal

    for number in (signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def distrust(environ: MutableMapping[str, str], home: str) -> None:
    """Leave nothing in an environment but what cannot name a file, and the home folder.

    >>> environ = {"TERM": "xterm", "LANG": "../x", "LESSOPEN": "|sh", "HOME": "/tmp"}
    >>> distrust(environ, "/home/ann")
    >>> environ
    {'TERM': 'xterm', 'HOME': '/home/ann'}
    """
    kept = {name: value for name in _KEPT if _PLAIN.fullmatch(value := environ.get(name, ""))}
    environ.clear()
    environ.update(kept, HOME=home)


def leave_host_mode(status: int) -> NoReturn:
    """End the program here: Python does not come back, not even where it was told to show a prompt in the end."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
    os._exit(status)
