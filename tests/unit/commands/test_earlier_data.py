"""Progress, index, library and settings that version 0.1.0 wrote before the store was rewritten open with everything.

``tests/data/earlier`` has its databases as SQL, with ``{data}`` for the data folder. They were written by play with
``--plain``: solutions of four levels, open plays with undone moves and bookmarks, a daily level and a descent.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sokoterm.commands.support.remap import keys_in_force
from sokoterm.store.settings import read_config
from sokoterm.tui.widgets.theme import read_looks
from tests.unit.commands.command import Command
from tests.unit.linemode.fake_lines import FakeLines

EARLIER = Path(__file__).parents[3] / "tests" / "data" / "earlier"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "packs").mkdir(parents=True)
    shutil.copy(EARLIER / "own.txt", folder / "packs")
    for name in ("progress", "library"):
        text = (EARLIER / f"{name}.sql").read_text(encoding="utf-8")
        with closing(sqlite3.connect(folder / f"{name}.db")) as database:
            database.executescript(text.replace("{data}", str(folder)))
    return folder


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("pack 2 4", "facts"), "29 moves, 10 pushes"),
        (("pack 6 1", "facts"), "3 moves, 3 pushes"),
        (("pack 1 1", "facts"), "3 moves, 3 pushes"),
        (("pack 12 1", "facts"), "1 move, 1 push"),
        (("pack 2 17",), "as you left it: 5 moves, 2 pushes, 0 of 2 home, you are at row 3 column 3"),
        (("pack 2 17", "redo"), "redone: box b pushed right to row 3 column 5, 0 of 2 home"),
        (("pack 2 17", "return"), "bookmarks: b"),
        (("pack 1 2", "moves"), "as you left it: 9 moves, 2 pushes, 0 of 1 home, you are at row 4 column 5"),
        (("pack 1 2", "return"), "bookmarks: a"),
        (("daily 2026-11-22",), "2 pushes, 0 of 4 home"),
        (("descend 7",), "as you left it: 1 move, 1 push, 0 of 2 home, you are at row 3 column 4"),
        (("runs",), "seed 7: 0 floors, 2 undos, 3 hints, 0:00, yours, open"),
        (("statistics",), "solved: 4 levels"),
    ],
)
def test_progress_is_all_there(folder: Path, command: Command, typed: tuple[str, ...], said: str) -> None:
    command.monkeypatch.setattr("sokoterm.linemode.session.open_lines", lambda: FakeLines(typed, ()))
    assert said in command.done("--plain", "--data-dir", folder).out


def test_the_index_and_the_library_are_all_there(folder: Path, command: Command) -> None:
    found = command("list", "--data-dir", folder, "--json", "has:solution").objects
    assert [(each["title"], each["solved"]) for each in found if str(each["pack"]).endswith("own.txt")] == [
        ("One", True),
        ("Two", False),
    ]
    assert len(command("list", "--data-dir", folder, "--json", "solved").objects) == 4


def test_the_settings_are_all_there() -> None:
    config = read_config(str(EARLIER / "config.toml"), ["unicode"])
    assert not config.problems
    settings = config.settings
    assert (settings.theme, settings.cell, settings.keys, settings.palette) == ("unicode", 1, "wasd", "light")
    assert (settings.animation, settings.clipboard, settings.timer, settings.cores) == (0, False, True, 1)
    assert settings.language == "de"
    assert not read_looks(config.colors)[1]
    keymaps, refused = keys_in_force(None, config)
    assert not refused
    assert "f5" in {key for keymap in keymaps for binding in keymap.bindings for key in binding.keys}


def test_statistics_know_packs_that_were_not_indexed(folder: Path, command: Command) -> None:
    (folder / "library.db").unlink()
    out = command("progress", "show", "--data-dir", folder).out
    assert [line.split("  ")[0] for line in out.splitlines()[-4:]] == [
        "First Steps",
        "One Evening",
        "First Colours",
        "own",
    ]
