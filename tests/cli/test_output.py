"""Files that verbs write: whole or not at all."""

import os
from pathlib import Path

import pytest

from sokoterm.verbs.output import InputError, write_file, write_new_file


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
