"""Locations of a person's files (XDG Base Directory Specification)."""

import os
from collections.abc import Mapping

_APP = "sokoterm"


def data_dir(flag: str | None = None, environ: Mapping[str, str] = os.environ) -> str:
    """Return the data folder: ``flag`` (``--data-dir``), else SOKOTERM_DATA, else ``$XDG_DATA_HOME/sokoterm``."""
    return flag or environ.get("SOKOTERM_DATA") or _folder(environ, "XDG_DATA_HOME", ".local", "share")


def progress_file(folder: str) -> str:
    """Return the progress database in a data folder."""
    return os.path.join(folder, "progress.db")


def library_file(folder: str) -> str:
    """Return the index of packs in a data folder; it may be deleted at any time and is rebuilt."""
    return os.path.join(folder, "library.db")


def packs_dir(folder: str) -> str:
    """Return the folder of added packs in a data folder."""
    return os.path.join(folder, "packs")


def config_file(environ: Mapping[str, str] = os.environ) -> str:
    """Return the settings file, written by hand: ``$XDG_CONFIG_HOME/sokoterm/config.toml``."""
    return os.path.join(_folder(environ, "XDG_CONFIG_HOME", ".config"), "config.toml")


def crash_dir(environ: Mapping[str, str] = os.environ) -> str:
    """Return the folder of crash logs: ``$XDG_STATE_HOME/sokoterm``."""
    return _folder(environ, "XDG_STATE_HOME", ".local", "state")


def bytecode_dir(environ: Mapping[str, str] = os.environ) -> str:
    """Return the folder of compiled modules if Python cannot keep them beside the source: see ``sokoterm.__main__``."""
    return os.path.join(_folder(environ, "XDG_CACHE_HOME", ".cache"), "bytecode")


def _folder(environ: Mapping[str, str], variable: str, *default: str) -> str:
    # The specification says to ignore a value that is not absolute.
    base = environ.get(variable, "")
    if not os.path.isabs(base):
        base = os.path.join(environ.get("HOME") or os.path.expanduser("~"), *default)
    return os.path.join(base, _APP)
