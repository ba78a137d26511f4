"""Who plays, and where what he leaves lies: a Unix account, or one of many names that share an account."""

import os

_LONGEST_NAME = 32


def is_account_name(name: str) -> bool:
    """Whether a name may be that of an account, and so of a folder: it neither leads out of one nor hides in it.

    >>> [is_account_name(name) for name in ("ann", "ann@example.org", "../ann", ".ann", "")]
    [True, True, False, False, False]
    """
    letters = name.replace("_", "x").replace("-", "x").replace(".", "x").replace("@", "x")
    return name.isascii() and letters.isalnum() and name[0].isalnum() and len(name) <= _LONGEST_NAME


def account_dir(folder: str, account: str | None) -> str:
    """Where the progress of an account lies below a data folder; ``folder`` itself where no account is named."""
    return os.path.join(folder, "accounts", account) if account else folder


def unix_account() -> str:
    """The name of the account that the program runs under, as the password database has it, not the environment."""
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):  # Windows; an account without an entry
        return os.environ.get("USERNAME") or "someone"


def unix_home() -> str:
    """The home folder of that account, as the password database has it; an empty folder where it has none."""
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return os.path.expanduser("~") if os.name == "nt" else "/nonexistent"


def is_login_shell(program: str) -> bool:
    """Whether the password database has this program as the shell of the account that it runs under."""
    try:
        from pwd import getpwuid

        shell = getpwuid(os.getuid()).pw_shell
    except (ImportError, KeyError):
        return False
    return bool(shell) and os.path.realpath(shell) == os.path.realpath(program)
