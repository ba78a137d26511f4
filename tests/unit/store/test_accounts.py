"""Account names, and the folders made from them."""

import os
from pathlib import Path

import pytest

from sokoterm.store.paths import account_dir, is_account_name, is_login_shell, unix_account, unix_home

pwd = pytest.importorskip("pwd")


@pytest.mark.parametrize("name", ["ann", "Ann-2", "a.b_c", "ann@example.org", "7", "x" * 32])
def test_names(name: str) -> None:
    assert is_account_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "/etc",
        ".ann",
        "-ann",
        "_ann",
        "@",
        "a b",
        "a\n",
        "a\0",
        "a\x1b",
        "ä",
        "²",
        "x" * 33,
    ],
)
def test_what_is_no_name(name: str) -> None:
    assert not is_account_name(name)


def test_the_folder_of_an_account_lies_below_that_of_the_data() -> None:
    assert account_dir("/data", None) == "/data"
    assert Path(account_dir("/data", "ann")) == Path("/data/accounts/ann")


def test_name_and_home_come_from_the_password_database(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "/tmp/other")
    entry = pwd.getpwuid(os.getuid())
    assert (unix_account(), unix_home()) == (entry.pw_name, entry.pw_dir)


def test_an_account_without_an_entry_has_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def getpwuid(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setenv("HOME", "/tmp/other")
    monkeypatch.delenv("USERNAME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", getpwuid)
    assert (unix_account(), unix_home(), is_login_shell("/bin/sh")) == ("someone", "/nonexistent", False)


def test_a_login_shell_is_the_program_of_the_password_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = tmp_path / "sokoterm"
    shell.touch()
    link = tmp_path / "link"
    link.symlink_to(shell)
    entry = pwd.getpwuid(os.getuid())
    for place, expected in ((str(shell), True), (str(link), True), ("/bin/sh", False), ("", False)):
        fields = [*entry[:6], place]
        monkeypatch.setattr(pwd, "getpwuid", lambda _, fields=fields: pwd.struct_passwd(fields))
        assert is_login_shell(str(shell)) is expected
