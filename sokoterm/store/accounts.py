"""Accounts, and the folders of their progress: a Unix account, or one of many names that share it."""

import os

_LONGEST_NAME = 32


def is_account_name(name: str) -> bool:
    """True if a name may be that of an account, and so of a folder: it neither leaves its parent folder nor is hidden.

    >>> [is_account_name(name) for name in ("ann", "ann@example.org", "../ann", ".ann", "")]
    [True, True, False, False, False]
    """
    letters = name.replace("_", "x").replace("-", "x").replace(".", "x").replace("@", "x")
    return name.isascii() and letters.isalnum() and name[0].isalnum() and len(name) <= _LONGEST_NAME


def account_dir(folder: str, account: str | None) -> str:
    """Return the folder of an account's progress below a data folder; ``folder`` itself without an account."""
    return os.path.join(folder, "accounts", account) if account else folder


def unix_account() -> str:
    """Return the name of the account the program runs under, from the password database, not the environment."""
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):  # Windows; an account without an entry
        return os.environ.get("USERNAME") or "someone"


def unix_home() -> str:
    """Return the home folder of that account, from the password database; a folder that does not exist for none."""
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return os.path.expanduser("~") if os.name == "nt" else "/nonexistent"


def is_login_shell(program: str) -> bool:
    """True if the password database names this program as the shell of the account it runs under."""
    try:
        from pwd import getpwuid

        shell = getpwuid(os.getuid()).pw_shell
    except (ImportError, KeyError):
        return False
    return bool(shell) and os.path.realpath(shell) == os.path.realpath(program)
