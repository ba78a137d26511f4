"""Host mode and forgotten sessions, on the fake terminal."""

import sqlite3
from contextlib import closing
from itertools import repeat
from pathlib import Path

import pytest

from sokoterm.app.keymap import KEYMAPS, without
from sokoterm.app.request import IdleTooLong
from sokoterm.terminal.events import Paste, Pointer
from tests.unit.app.searches import SlowSearch
from tests.unit.tui import fake_terminal
from tests.unit.tui.fake_terminal import FakeTerminal, line_for, play
from tests.unit.tui.visits import hosted, visit_by_lines

PACK = "##########\n#@ $   . #\n#        #\n##########"
HOSTED = without(KEYMAPS, "suspend")
SECONDS = 200  # the fake clock goes on by at least one for each of them


def test_nothing_is_suspended_in_host_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suspended: list[str] = []

    class Terminal(FakeTerminal):
        def suspend(self) -> None:
            suspended.append("stopped")

    monkeypatch.setattr(fake_terminal, "FakeTerminal", Terminal)
    play(tmp_path, PACK, ["l", "C-z", "?", "C-z", "tab", "C-z", "b", "/", "C-z"], keymaps=HOSTED)
    assert suspended == []
    play(tmp_path, PACK, ["C-z"])
    assert suspended == ["stopped"]


def test_help_offers_no_suspending_in_host_mode(tmp_path: Path) -> None:
    for keymaps in (KEYMAPS, HOSTED):
        session = play(tmp_path, PACK, ["?"], size=(60, 80), keymaps=keymaps)
        assert session.shows("Ctrl-C")
        assert session.shows("Ctrl-Z") is (keymaps is KEYMAPS)


def test_a_forgotten_session_is_saved_and_ends_with_a_word(tmp_path: Path) -> None:
    notices: list[str] = []
    session = play(tmp_path, PACK, ["l", *["wait"] * SECONDS, "l"], idle_minutes=1, notices=notices)
    assert notices == [line_for(IdleTooLong(1))]
    assert session.saved().moves == 1
    assert play(tmp_path, PACK, []).saved().moves == 1


def test_without_a_limit_nobody_is_sent_away(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["l", *["wait"] * SECONDS, "l"]).saved().moves == 2


def test_a_search_does_not_count_as_somebody(tmp_path: Path) -> None:
    notices: list[str] = []
    play(tmp_path, PACK, ["S", *["wait"] * SECONDS, "l"], idle_minutes=2, make_solver=SlowSearch, notices=notices)
    assert notices == [line_for(IdleTooLong(2))]


def test_keys_the_mouse_and_pastes_count_as_somebody(tmp_path: Path) -> None:
    press = Pointer(0, 0, "left", True)
    for events in (repeat("D", SECONDS), repeat(press, SECONDS), repeat(Paste(b"?"), SECONDS)):
        session = play(tmp_path, PACK, [*events, "l"], idle_minutes=0.5)
        assert session.saved().moves == 1
        play(tmp_path, PACK, ["r"])


def test_a_new_size_of_the_window_is_nobody(tmp_path: Path) -> None:
    notices: list[str] = []
    play(tmp_path, PACK, [*["size 24 80", "resume"] * SECONDS, "l"], idle_minutes=1, notices=notices)
    assert notices == [line_for(IdleTooLong(1))]


def test_levels_of_a_series_reach_the_table_of_all(tmp_path: Path) -> None:
    pack = tmp_path / "pack.txt"
    pack.write_text("#####\n#@$.#\n#####\n")
    options = hosted(tmp_path, "ann", pack)._replace(scores=str(tmp_path / "scores.db"))
    visit_by_lines(options, ["series boxes:1", "right", "quit"])
    with closing(sqlite3.connect(tmp_path / "scores.db")) as table:
        assert table.execute("SELECT DISTINCT name FROM score").fetchall() == [("ann",)]
