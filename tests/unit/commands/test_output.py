"""Files that verbs write: whole or not at all."""

import os
import sys
import time
from pathlib import Path

import pytest

from sokoterm.commands.support.output import InputError, print_data, print_row
from sokoterm.commands.support.results import write_file, write_new_file
from sokoterm.store.whole_files import lock


def test_a_file_is_written_and_nothing_beside_it(tmp_path: Path) -> None:
    write_file(str(tmp_path / "out.xsb"), b"new")
    assert (tmp_path / "out.xsb").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["out.xsb"]


def test_a_file_is_replaced_with_its_permissions(tmp_path: Path) -> None:
    old = tmp_path / "out.xsb"
    old.write_bytes(b"old")
    old.chmod(0o640)
    write_file(str(old), b"new")
    assert (old.read_bytes(), old.stat().st_mode & 0o777) == (b"new", 0o640)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("out.xsb")
    write_file(str(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out.xsb").read_bytes() == b"new"


def test_a_device_takes_the_data() -> None:
    write_file(os.devnull, b"new")
    assert not os.path.isfile(os.devnull)


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="needs /dev/fd")
def test_a_pipe_that_a_shell_names_takes_the_data() -> None:
    reading, writing = os.pipe()
    write_file(f"/dev/fd/{writing}", b"levels")
    os.close(writing)
    with open(reading, "rb") as pipe:
        assert pipe.read() == b"levels"


@pytest.mark.parametrize("name", ["missing/out.xsb", "folder", "nul\0", ""])
def test_what_cannot_be_written_is_said_in_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        write_file(name, b"new")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "out.xsb"
    old.write_bytes(b"old")

    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(InputError, match="No space left"):
        write_file(str(old), b"new")
    assert (old.read_bytes(), os.listdir(tmp_path)) == (b"old", ["out.xsb"])


def test_a_new_file_takes_the_place_of_no_other(tmp_path: Path) -> None:
    path = tmp_path / "new"
    assert write_new_file(str(path), b"first")
    assert not write_new_file(str(path), b"second")
    assert path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["new"]
    with pytest.raises(InputError, match="cannot be written: No such file"):
        write_new_file(str(tmp_path / "missing" / "new"), b"")


def test_what_another_session_left_is_neither_in_the_way_nor_removed(tmp_path: Path) -> None:
    for leftover in (f".sokoterm-{os.getpid()}.tmp", f".sokoterm-{b'other'.hex()}.tmp"):
        (tmp_path / leftover).write_bytes(b"of somebody else")
    left = sorted(os.listdir(tmp_path))
    write_file(str(tmp_path / "one"), b"1")
    assert write_new_file(str(tmp_path / "two"), b"2")
    assert sorted(os.listdir(tmp_path)) == [*left, "one", "two"]
    assert all((tmp_path / name).read_bytes() == b"of somebody else" for name in left)


def test_a_name_that_is_taken_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", lambda _: b"taken.")
    taken = tmp_path / f".sokoterm-{b'taken.'.hex()}.tmp"
    taken.write_bytes(b"of somebody else")
    with pytest.raises(InputError, match="File exists"):
        write_file(str(tmp_path / "one"), b"1")
    assert taken.read_bytes() == b"of somebody else"


def leave(path: Path, seconds: float) -> Path:
    """A file that nobody has touched for so many seconds."""
    path.write_bytes(b"unfinished")
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def test_what_killed_writers_left_is_removed_with_the_next_file(tmp_path: Path) -> None:
    leave(tmp_path / ".sokoterm-0123456789ab.tmp", 7200)
    (tmp_path / ".sokoterm-0123456789ad.tmp").mkdir()
    kept = [
        leave(tmp_path / ".sokoterm-0123456789ac.tmp", 60),  # somebody is writing it
        tmp_path / ".sokoterm-0123456789ad.tmp",
        leave(tmp_path / ".sokoterm-notes.tmp", 7200),
        leave(tmp_path / "sokoterm.tmp", 7200),
    ]
    leave(tmp_path / ".sokoterm-0123456789ae.tmp", 60)
    with kept[0].open("rb") as written:
        assert lock(written.fileno())
        write_file(str(tmp_path / "out"), b"new")
    assert sorted(os.listdir(tmp_path)) == sorted(["out", *(path.name for path in kept)])


def test_a_file_may_be_given_permissions(tmp_path: Path) -> None:
    for _ in range(2):
        write_file(str(tmp_path / "out"), b"new", 0o755)
        assert (tmp_path / "out").stat().st_mode & 0o777 == 0o755
        (tmp_path / "out").chmod(0o600)


def test_a_new_file_has_the_permissions_of_any(tmp_path: Path) -> None:
    (tmp_path / "any").write_bytes(b"")
    write_file(str(tmp_path / "out"), b"")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "any").stat().st_mode


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("x" * 90, "x" * 80),
        ("庫" * 41, "庫" * 40),
        ("e\u0301" * 90, "e\u0301" * 80),
        ("123 " * 19 + "12345", "123 " * 18 + "123"),
        ("123 " * 19 + "1234 5", "123 " * 19 + "1234"),
    ],
)
def test_a_row_is_clipped_on_a_terminal_alone(
    row: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    print_row(row)
    assert capsys.readouterr().out == f"{row}\n"
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    print_row(row)
    assert capsys.readouterr().out == f"{shown}\n"


def test_data_on_a_terminal_cannot_act_on_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"; A\x1b[2J\n#@$.#\n"
    print_data(data)
    assert capsys.readouterr().out.encode() == data
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    print_data(data)
    assert capsys.readouterr().out == "; A?[2J\n#@$.#\n"
