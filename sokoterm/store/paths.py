"""Locations of a person's files: by the XDG Base Directory Specification, and by account; crash logs.

An account is a Unix account, or one of many names that share it.
"""

import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from errno import EINVAL

from sokoterm.language import N_, _

_APP = "sokoterm"
_ACCOUNTS = "accounts"
_LONGEST_NAME = 32
# What was found instead of a file, by its type.
_FOUND = {
    stat.S_IFDIR: N_("found a folder, expected {expected}"),
    stat.S_IFIFO: N_("found a pipe, expected {expected}"),
    stat.S_IFSOCK: N_("found a socket, expected {expected}"),
}


class LostProgressError(Exception):
    """Progress that could not be saved; the error's text is one line that says why."""


def data_dir(flag: str | None = None, environ: Mapping[str, str] = os.environ) -> str:
    """Return the data folder: ``flag`` (``--data-dir``), else SOKOTERM_DATA, else ``$XDG_DATA_HOME/sokoterm``."""
    return flag or environ.get("SOKOTERM_DATA") or _folder(environ, "XDG_DATA_HOME", ".local", "share")


def progress_file(folder: str) -> str:
    return os.path.join(folder, "progress.db")


def library_file(folder: str) -> str:
    """Return the index of packs in a data folder; it may be deleted at any time and is rebuilt."""
    return os.path.join(folder, "library.db")


def packs_dir(folder: str) -> str:
    return os.path.join(folder, "packs")


def config_file(environ: Mapping[str, str] = os.environ) -> str:
    """Return the settings file, written by hand: ``$XDG_CONFIG_HOME/sokoterm/config.toml``."""
    return os.path.join(_folder(environ, "XDG_CONFIG_HOME", ".config"), "config.toml")


def skins_dir(environ: Mapping[str, str] = os.environ) -> str:
    """Return the folder of the player's own skins, beside the settings file."""
    return os.path.join(os.path.dirname(config_file(environ)), "skins")


def crash_dir(environ: Mapping[str, str] = os.environ) -> str:
    """Return the folder of crash logs: ``$XDG_STATE_HOME/sokoterm``."""
    return _folder(environ, "XDG_STATE_HOME", ".local", "state")


def bytecode_dir(environ: Mapping[str, str] = os.environ) -> str:
    """Return the folder for compiled modules if Python cannot keep them with the source: see ``sokoterm.__main__``."""
    return os.path.join(_folder(environ, "XDG_CACHE_HOME", ".cache"), "bytecode")


def catalogs_dir(environ: Mapping[str, str] = os.environ) -> str:
    """Return the folder of catalogs compiled in a checkout; an installed sokoterm ships its own."""
    return os.path.join(_folder(environ, "XDG_CACHE_HOME", ".cache"), "catalogs")


def is_account_name(name: str) -> bool:
    """True if a name can be that of an account and its folder: not hidden, and without path separators.

    >>> [is_account_name(name) for name in ("ann", "ann@example.org", "../ann", ".ann", "")]
    [True, True, False, False, False]
    """
    letters = name.replace("_", "x").replace("-", "x").replace(".", "x").replace("@", "x")
    return name.isascii() and letters.isalnum() and name[0].isalnum() and len(name) <= _LONGEST_NAME


def account_dir(folder: str, account: str | None) -> str:
    """Return the folder of an account's progress in a data folder; ``folder`` itself without an account."""
    return os.path.join(accounts_dir(folder), account) if account else folder


def accounts_dir(folder: str) -> str:
    return os.path.join(folder, _ACCOUNTS)


def progress_files(folder: str) -> list[str]:
    """Return the existing progress databases in a data folder: its own, and one per account."""
    names: list[str] = []
    with suppress(OSError):
        names = sorted(os.listdir(accounts_dir(folder)))
    paths = [progress_file(folder), *(progress_file(account_dir(folder, name)) for name in names)]
    return [path for path in paths if os.path.isfile(path)]


def unix_account() -> str:
    """Return the name of the current account, from the password database, not the environment."""
    return _password_entry("pw_name") or os.environ.get("USERNAME") or "someone"


def unix_home() -> str:
    """Return the home folder of that account, from the password database; without an entry, one that does not exist."""
    return _password_entry("pw_dir") or (os.path.expanduser("~") if os.name == "nt" else "/nonexistent")


def is_login_shell(program: str) -> bool:
    """True if the password database names this program as the shell of the current account."""
    shell = _password_entry("pw_shell")
    return bool(shell) and os.path.realpath(shell) == os.path.realpath(program)


def _password_entry(field: str) -> str:
    try:
        from pwd import getpwuid  # POSIX

        return str(getattr(getpwuid(os.getuid()), field))
    except (ImportError, KeyError):  # Windows; an account without an entry
        return ""


def log_crash(traceback: str) -> str:
    """Write a traceback to a new file; return a line that names it, or that says why it could not be written."""
    folder = crash_dir()
    path = os.path.join(folder, time.strftime("crash-%Y%m%d-%H%M%S") + f"-{os.getpid()}.log")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(traceback)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        last = traceback.strip().rpartition("\n")[2]
        return _("{error} (no details: {path}: cannot be written: {reason})", error=last, path=path, reason=reason)
    return _("see {path}", path=path)


def require_file(path: str, expected: str = "") -> None:
    """Raise OSError unless a path is a regular file, a link to one, or free: opening a pipe could wait forever."""
    with suppress(FileNotFoundError):
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            found = _FOUND.get(stat.S_IFMT(mode), N_("found a device, expected {expected}"))
            raise OSError(EINVAL, _(found, expected=expected or _("a file")), path)


def _folder(environ: Mapping[str, str], variable: str, *default: str) -> str:
    # The specification says to ignore a value that is not absolute.
    base = environ.get(variable, "")
    if not os.path.isabs(base):
        base = os.path.join(environ.get("HOME") or os.path.expanduser("~"), *default)
    return os.path.join(base, _APP)
