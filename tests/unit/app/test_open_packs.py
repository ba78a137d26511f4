"""What the browser keeps of the packs that it reads."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from sokoterm.app.lists import OpenPacks
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical
from sokoterm.store.packs import PackError, PackFile, find_packs
from tests.unit.app.generated import Home


def test_a_pack_that_could_be_read_in_the_end_has_no_problem(tmp_path: Path) -> None:
    (tmp_path / "pack.txt").write_text("#####\n#@$.#\n#####\n")
    (file,) = find_packs(str(tmp_path / "pack.txt"))
    home = Home(tmp_path)
    problems = ["it is locked"]

    def open_pack_session(file: PackFile) -> PackSession:
        if problems:
            raise PackError(problems.pop())
        return cast(PackSession, SimpleNamespace(key=file.key))

    packs = OpenPacks(open_pack_session, home.catalog)
    assert packs.open(file) is None
    assert "it is locked" in home.catalog.problem(file)
    assert packs.open(file) is not None
    assert home.catalog.problem(file) == ""
    home.close()


def test_a_pack_that_cannot_be_learned_is_no_hindrance_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    for name in ("broken", "whole"):
        (tmp_path / f"{name}.txt").write_text(f"; {name}\n\n#####\n#@$.#\n#####\n")
    broken, whole = files = find_packs(str(tmp_path))

    def fail(level: Level) -> Canonical:
        if level.title == "broken":
            raise RecursionError("of the reader")
        return canonical(level)

    monkeypatch.setattr("sokoterm.store.library.canonical", fail)
    home = Home(tmp_path)
    library = home.catalog
    while library.has_work(files):
        library.work(files)
    (log,) = (state / "sokoterm").iterdir()
    problem = f"broken: cannot be read: internal error: see {log}"
    assert (library.problem(broken), library.problem(whole)) == (problem, "")
    assert list(library.figures(files)) == [whole.key]
    home.close()
