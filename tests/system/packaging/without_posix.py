"""A Python that lacks what Windows lacks; run as a program, it imports every module and plays a level to its end."""

import importlib
import importlib.abc
import importlib.machinery
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from types import ModuleType

# What parts of the standard library take from these they have taken by now, as far as they need it where they run here.
import asyncio  # noqa: F401 # isort: skip
import multiprocessing.connection  # noqa: F401 # isort: skip
import subprocess  # noqa: F401 # isort: skip
import tempfile  # noqa: F401 # isort: skip

POSIX_MODULES = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
WINDOWS_SIGNALS = {"SIGABRT", "SIGBREAK", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"}
POSIX_SIGNAL_CALLS = {"alarm", "getitimer", "pthread_sigmask", "setitimer", "siginterrupt", "sigwait"}
POSIX_CALLS = {
    "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getuid", "killpg",
    "memfd_create", "mkfifo", "openpty", "register_at_fork", "sched_getaffinity", "set_blocking", "setsid", "statvfs",
    "sysconf", "tcgetpgrp", "tcsetpgrp", "ttyname", "uname",
}  # fmt: skip


class NoPosix(importlib.abc.MetaPathFinder):
    """Finds none of the modules that Windows does not have."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None,  # noqa: ARG002 - what a finder is asked
        target: ModuleType | None = None,  # noqa: ARG002 - the same
    ) -> importlib.machinery.ModuleSpec | None:
        if name in POSIX_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def hide() -> None:
    """Take away modules, signals and system calls."""
    sys.meta_path.insert(0, NoPosix())
    for name in POSIX_MODULES:
        sys.modules.pop(name, None)
    for name in dir(signal):
        is_missing_signal = name.startswith("SIG") and name not in WINDOWS_SIGNALS
        if is_missing_signal or name in POSIX_SIGNAL_CALLS:
            delattr(signal, name)
    for name in POSIX_CALLS:
        if hasattr(os, name):
            delattr(os, name)


def import_everything() -> int:
    """Import every module of the package; how many there are."""
    import sokoterm

    names = [each.name for each in pkgutil.walk_packages(sokoterm.__path__, "sokoterm.")]
    for name in names:
        if not name.endswith("__main__"):
            importlib.import_module(name)
    return len(names)


def play_a_level(folder: Path) -> str:
    """The last picture of a level that is pushed to its end, with a look at the help and at the list."""
    from tests.unit.tui.fake_terminal import play

    pack = "########\n#@ $ . #\n########\n\n########\n#@ $ . #\n#      #\n########\n"
    keys = ["right", "right", "u", "right", "C-z", "right", "?", "esc", "b", "esc", "wait"]
    return play(folder, pack, keys).last


def play_by_lines(folder: Path) -> int:
    """The exit status of ``--plain``, which prints what becomes of a level."""
    from sokoterm.cli import main
    from sokoterm.linemode import session
    from sokoterm.linemode.lines import Lines

    setattr(session, "open_lines", Lines)  # noqa: B010 - what is opened on Windows
    level = folder / "level.txt"
    level.write_text("########\n#@ $ . #\n########\n", "ascii")
    sys.stdin = StringIO("3l\nS\nwait\n")
    return main(["--plain", "--data-dir", str(folder / "lines"), str(level)])


def main() -> None:
    hide()
    print(import_everything(), "modules")
    print(play_a_level(Path(sys.argv[1])))
    sys.exit(play_by_lines(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
