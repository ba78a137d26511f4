"""Several accounts: what one pastes is nobody else's, host mode, forgotten sessions, and the score table of all."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import repeat
from pathlib import Path
from time import time

import pytest

from sokoterm.app.keymap import KEYMAPS, without
from sokoterm.app.options import PlayOptions
from sokoterm.app.request import FirstRequest, IdleTooLong
from sokoterm.app.session import Services
from sokoterm.commands.support.opening import with_packs
from sokoterm.linemode.lines import Event as LineEvent
from sokoterm.linemode.session import LineSession
from sokoterm.store.score_table import ScoreTable
from sokoterm.terminal.events import Event, Paste, Pointer
from sokoterm.tui.event_loop import EventLoop
from sokoterm.tui.terminal import Display
from sokoterm.tui.widgets.frame import Size
from tests.unit.app.searches import SlowSearch, on_the_spot
from tests.unit.linemode.fake_lines import FakeLines
from tests.unit.tui import fake_terminal
from tests.unit.tui.fake_terminal import FakeTerminal, Session, in_ascii, line_for, play


def hosted(folder: Path, account: str, *packs: Path) -> PlayOptions:
    """The session of an account in host mode, on a data folder that all accounts share."""
    return PlayOptions(tuple(map(str, packs)), data_dir=str(folder), account=account, is_hosted=True)


def visit(options: PlayOptions, keys: Iterable[Event], size: tuple[int, int] = (24, 120)) -> Session:
    """One session on the fake terminal; each reading of its clock is a second."""
    terminal = FakeTerminal(keys, Size(*size))

    def play(given: Services, first: Sequence[FirstRequest]) -> None:
        EventLoop(on_the_spot(given), Display(terminal), in_ascii(), []).run(first)

    _open(options, play)
    return Session(terminal)


def visit_by_lines(
    options: PlayOptions, commands: Iterable[str | LineEvent], pauses: Iterable[LineEvent] = ()
) -> list[str]:
    """What one session of the line mode says."""
    said: list[str] = []
    lines = FakeLines(commands, pauses)
    _open(options, lambda services, first: LineSession(services, first, [], lines, said.append).run())
    return said


def _open(options: PlayOptions, play: Callable[[Services, Sequence[FirstRequest]], None]) -> None:
    complaints: list[str] = []
    assert with_packs(options, [], complaints.append, lambda: None, play) == 0
    assert complaints == []


ROOM = "########\n#@     #\n#  $   #\n#    . #\n########"
PUSH = "#####\n#@$.#\n#####"
SOLUTION = "rrDldRR"
PASTED = f"Collection: Whisper\n\n{ROOM}\nTitle: Ann was here\n\nSolution\n{SOLUTION}\n"
PASTE = Paste(PASTED.replace("\n", "\r").encode())


def room(folder: Path) -> Path:
    path = folder / "packs" / "room.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{ROOM}\n\n{PUSH}\n", "utf-8")
    return path


def test_whoever_pastes_a_solution_sees_it_until_his_session_ends(tmp_path: Path) -> None:
    pack = room(tmp_path)
    rest = ["wait"] * 9
    visit(hosted(tmp_path, "ann", pack), ["b", *rest])
    scripts: list[list[Event]] = [[PASTE, "R"], [PASTE, *rest, "R"], ["b", "esc", PASTE, *rest, "R"]]
    for keys in scripts:
        assert visit(hosted(tmp_path, "ann", pack), keys).shows("moves, 3 pushes (from Whisper)")
        assert visit(hosted(tmp_path, "bob", pack), [*rest, "R"]).shows("no solution yet")
    # It fits the level of equal hash that is on disk, too.
    to_the_file: list[Event] = [PASTE, *rest, "b", *rest, "h", "k", *rest, "right", "home", *rest]
    assert visit(hosted(tmp_path, "ann", pack), to_the_file).shows("known 3 pushes, 7 moves (from Whisper)")
    said = visit_by_lines(hosted(tmp_path, "ann", pack), ["paste", *PASTED.split("\n"), ".", "R"])
    assert any("7 moves, 3 pushes (from Whisper)" in line for line in said)


def test_a_paste_leaves_nothing_on_the_disk_that_others_read(tmp_path: Path) -> None:
    pack = room(tmp_path)
    rest = ["wait"] * 9
    visit(hosted(tmp_path, "ann", pack), [PASTE, *rest, "R", "esc", "b", *rest, "h", *rest, "o", *rest, *rest])
    with closing(sqlite3.connect(tmp_path / "library.db")) as connection:
        kept = "\n".join(connection.iterdump())
    assert "room" in kept
    assert not any(words in kept for words in ["Ann was here", "Whisper", "content:"])


def test_a_library_that_accounts_share_is_changed_by_none_of_them(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "a.txt").write_text("#####\n#@$.#\n#####\n")
    for key in "rx":
        session = visit(hosted(tmp_path, "ann"), ["b", "left", "end", key])
        assert session.shows("only packs that you have added")
    said = visit_by_lines(hosted(tmp_path, "ann"), ["remove 6 yes", "rename 6 b"])
    assert sum("only packs that you have added" in line for line in said) == 2
    assert [file.name for file in (tmp_path / "packs").iterdir()] == ["a.txt"]


# Host mode and forgotten sessions

HALL = "##########\n#@ $   . #\n#        #\n##########"
HOSTED = without(KEYMAPS, "suspend")
SECONDS = 200  # the fake clock goes on by at least one for each of them


def test_nothing_is_suspended_in_host_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suspended: list[str] = []

    class Terminal(FakeTerminal):
        def suspend(self) -> None:
            suspended.append("stopped")

    monkeypatch.setattr(fake_terminal, "FakeTerminal", Terminal)
    play(tmp_path, HALL, ["l", "C-z", "?", "C-z", "tab", "C-z", "b", "/", "C-z"], keymaps=HOSTED)
    assert suspended == []
    play(tmp_path, HALL, ["C-z"])
    assert suspended == ["stopped"]
    for keymaps in (KEYMAPS, HOSTED):
        helped = play(tmp_path, HALL, ["?"], size=(60, 80), keymaps=keymaps)
        assert (helped.shows("Ctrl-C"), helped.shows("Ctrl-Z")) == (True, keymaps is KEYMAPS)


def test_a_forgotten_session_is_saved_and_ends_with_a_word(tmp_path: Path) -> None:
    notices: list[str] = []
    session = play(tmp_path, HALL, ["l", *["wait"] * SECONDS, "l"], idle_minutes=1, notices=notices)
    assert notices == [line_for(IdleTooLong(1))]
    assert session.saved().moves == 1
    assert play(tmp_path, HALL, []).saved().moves == 1
    assert play(tmp_path, HALL, ["r", "l", *["wait"] * SECONDS, "l"]).saved().moves == 2  # without a limit


@pytest.mark.parametrize("events", [["S", *["wait"] * SECONDS], ["size 24 80", "resume"] * SECONDS])
def test_searches_and_new_sizes_of_the_window_are_nobody(tmp_path: Path, events: list[Event]) -> None:
    notices: list[str] = []
    play(tmp_path, HALL, [*events, "l"], idle_minutes=2, make_solver=SlowSearch, notices=notices)
    assert notices == [line_for(IdleTooLong(2))]


def test_keys_the_mouse_and_pastes_count_as_somebody(tmp_path: Path) -> None:
    press = Pointer(0, 0, "left", True)
    for events in (repeat("D", SECONDS), repeat(press, SECONDS), repeat(Paste(b"?"), SECONDS)):
        session = play(tmp_path, HALL, [*events, "l"], idle_minutes=0.5)
        assert session.saved().moves == 1
        play(tmp_path, HALL, ["r"])


def test_levels_of_a_series_reach_the_table_of_all(tmp_path: Path) -> None:
    pack = tmp_path / "pack.txt"
    pack.write_text("#####\n#@$.#\n#####\n")
    options = hosted(tmp_path, "ann", pack)._replace(scores=str(tmp_path / "scores.db"))
    visit_by_lines(options, ["series boxes:1", "right", "quit"])
    with closing(sqlite3.connect(tmp_path / "scores.db")) as table:
        assert table.execute("SELECT DISTINCT name FROM score").fetchall() == [("ann",)]


# The fewest moves, 3, take the player straight on; the fewest pushes are 2 in any case.
STRAIGHT_ON = (
    "##########\n#@       #\n# $ .    #\n#        #\n##########\nTitle: One\n\n#####\n#@$.#\n#####\nTitle: Two\n"
)
STRAIGHT = ["j", "l", "l"]
ROUNDABOUT = ["l", "h", *STRAIGHT]
DAY = 86_400.0


def scores_of(folder: Path, name: str, day: int = 0, told: list[str] | None = None) -> ScoreTable:
    tell = pytest.fail if told is None else told.append
    return ScoreTable(str(folder / "scores.db"), name, lambda: day * DAY + DAY / 2, tell)


def home(folder: Path, name: str) -> Path:
    (folder / name).mkdir(exist_ok=True)
    return folder / name


def test_after_a_win_it_is_told_who_is_best(tmp_path: Path) -> None:
    play(home(tmp_path, "ann"), STRAIGHT_ON, STRAIGHT, scores=scores_of(tmp_path, "ann"))
    bob = play(home(tmp_path, "bob"), STRAIGHT_ON, ROUNDABOUT, scores=scores_of(tmp_path, "bob"))
    assert bob.shows("level solved; best on this server: 3 moves by ann; yours 5", "? help")


def test_a_table_that_cannot_be_kept_does_not_hide_that_the_level_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notices: list[str] = []
    scores = ScoreTable("nowhere/scores.db", "ann", time, notices.append)
    session = play(tmp_path, STRAIGHT_ON, [*STRAIGHT, "h", "k"], notices=notices, scores=scores)
    said = [" ".join(screen.split()) for screen in session.screens]
    first = next(index for index, screen in enumerate(said) if "the score table is off" in screen)
    assert "level solved" in said[first - 1]
    assert "level solved; nowhere/scores.db: No such file or directory" in said[first]
    assert session.shows("level solved")
    assert not notices


def test_the_browser_shows_the_best_of_the_level_under_the_cursor(tmp_path: Path) -> None:
    play(home(tmp_path, "ann"), STRAIGHT_ON, STRAIGHT, scores=scores_of(tmp_path, "ann", day=2))
    for keys, size, facts in (
        (["b"], (24, 120), "best on this server 2 pushes, 3 moves by ann 1970-01-03"),
        (["b"], (24, 50), "best on this server 2 pushes, 3 moves by ann..."),
        (["b", "j"], (24, 120), ""),
    ):
        session = play(home(tmp_path, "cid"), STRAIGHT_ON, keys, size=size, scores=scores_of(tmp_path, "cid"))
        assert session.shows(facts, "server") == bool(facts)


@pytest.mark.parametrize("size", [(6, 20), (8, 30), (24, 59), (24, 80), (50, 200)])
def test_no_window_is_too_small_for_it(tmp_path: Path, size: tuple[int, int]) -> None:
    long = "a" * 32
    play(home(tmp_path, "ann"), STRAIGHT_ON, STRAIGHT, scores=scores_of(tmp_path, long))
    play(home(tmp_path, "bob"), STRAIGHT_ON, [*ROUNDABOUT, "b", "j"], size=size, scores=scores_of(tmp_path, "bob"))


def test_without_a_table_nothing_is_said_of_it(tmp_path: Path) -> None:
    session = play(tmp_path, STRAIGHT_ON, [*STRAIGHT, "b"])
    assert not any("server" in screen for screen in session.screens)


def test_a_damaged_table_is_told_of_once_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "scores.db").write_bytes(b"nonsense" * 100)
    told: list[str] = []
    keys = [*STRAIGHT, "enter", "l", "b", "k", "j"]
    session = play(tmp_path, STRAIGHT_ON, keys, scores=scores_of(tmp_path, "ann", told=told))
    assert any("level solved" in screen for screen in session.screens)
    assert len(told) == 1
