"""Tests of files that are written as a whole or not at all."""

import os
from pathlib import Path

import pytest

from sokoterm.store.whole_files import move_to_free


def test_a_file_that_cannot_leave_its_folder_gets_no_second_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"levels")
    unlink = os.unlink

    def guarded(path: str) -> None:
        if path == str(old):
            raise PermissionError
        unlink(path)

    monkeypatch.setattr(os, "unlink", guarded)
    with pytest.raises(PermissionError):
        move_to_free(str(old), str(new))
    assert os.listdir(tmp_path) == ["old"]
