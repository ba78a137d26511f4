"""letslogic.com in the game, on both faces, against a server on loopback."""

import time
from collections.abc import Generator, Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import TypeVar

import pytest

from sokoterm.app import online as requests
from sokoterm.app.background import Background
from sokoterm.app.options import PlayOptions
from sokoterm.linemode.lines import Event as LineEvent
from sokoterm.solver.search import Found, Progress
from sokoterm.store import letslogic
from sokoterm.store.fetch import Patience
from sokoterm.store.letslogic import Letslogic, LetslogicError
from sokoterm.store.paths import config_file
from sokoterm.store.settings import Settings
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, STUCK, TWO_PUSHES
from tests.unit.store.letslogic_server import KEY, OnlineServer, online
from tests.unit.store.loopback import page
from tests.unit.tui.fake_terminal import Session, pane_lines
from tests.unit.tui.test_accounts import hosted, visit, visit_by_lines

_Result = TypeVar("_Result")

FETCH = ["W", "enter"]
TO_PACK = ["esc", "right", "home", "enter"]  # from the screen to the first level of the pack
FETCHED = "letslogic/Six_Rooms.txt: 3 levels, 3 of them new"
QUESTION = "send 1/1 to letslogic.com, where you have none?"


class _AtOnce(Background[_Result]):
    """Requests that are answered before the next key."""

    def begin(self, work: Generator[Progress | Found | None, None, _Result]) -> None:
        super().begin(work)
        self.join(60)


@pytest.fixture(name="web")
def _web(monkeypatch: pytest.MonkeyPatch) -> Iterator[OnlineServer]:
    monkeypatch.delenv("SOKOTERM_LETSLOGIC_KEY", raising=False)
    with online(monkeypatch, [ONE_PUSH, TWO_PUSHES, FEWER_MOVES]) as web:
        monkeypatch.setattr(letslogic, "SERVER", web.address)
        yield web


@pytest.fixture(name="at_once")
def _answer_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "Background", _AtOnce)


def player(folder: Path, key: str = KEY) -> PlayOptions:
    return PlayOptions(data_dir=str(folder), settings=Settings(letslogic_key=key))


def look(folder: Path, *keys: str, size: tuple[int, int] = (24, 80)) -> Session:
    """A session with a key, from the list of packs."""
    return visit(player(folder), keys, size)


@pytest.mark.usefixtures("at_once")
def test_collections_are_listed_when_asked_for_and_fetched(tmp_path: Path, web: OnlineServer) -> None:
    look(tmp_path, "wait", "down", "wait")
    assert web.asked == []
    session = look(tmp_path, *FETCH)
    assert session.shows(" Six/Rooms 3 levels, by Ann", FETCHED)
    assert web.paths == ["collections", "collections", "collection/12"]
    assert session.shows("* Six/Rooms", "  Collection 13")
    below = look(tmp_path, *FETCH, "esc")
    assert below.shows("Six_Rooms", "Six/Rooms, 3 levels")  # the cursor is on it
    assert look(tmp_path, *FETCH).shows("letslogic/Six_Rooms.txt: 3 levels, already there")


@pytest.mark.usefixtures("at_once")
def test_the_best_of_the_site_is_beside_ones_own(tmp_path: Path, web: OnlineServer) -> None:
    web.levels[1] |= dict.fromkeys(("blue_moves", "green_pushes"))
    session = look(tmp_path, *FETCH, *TO_PACK, "l", "wait", size=(24, 120))
    assert session.shows("this time 1 1", "W letslogic.com 8 2")
    asked = len(web.asked)
    assert look(tmp_path, *TO_PACK[1:], "r", size=(30, 120)).shows("your best 1 1", "letslogic.com 8 2")
    assert look(tmp_path, *TO_PACK[1:], "n", size=(30, 120)).shows("letslogic.com - -")
    assert len(web.asked) == asked


@pytest.mark.usefixtures("at_once")
def test_a_solution_is_sent_after_a_yes(tmp_path: Path, web: OnlineServer) -> None:
    solve = [*FETCH, *TO_PACK, "l"]
    asked = look(tmp_path, *solve, "W")
    assert asked.shows(QUESTION)
    for no in ("esc", "n", "enter", "space", "W"):
        look(tmp_path, *TO_PACK[1:], "W", no, "y")
    assert web.sent == []
    sent = look(tmp_path, *TO_PACK[1:], "W", "y", "wait")
    assert web.sent == [("level/100", "R")]
    assert sent.shows("1/1 accepted: Well done in 1")
    assert look(tmp_path, *TO_PACK[1:], "W").shows("nothing to send: no solution here beats your results there")
    web.boards[101] = STUCK
    refused = look(tmp_path, *TO_PACK[1:3], "down", "enter", *"ll", "W", "y", "wait")
    assert refused.shows("2/2 refused: Invalid Solution")
    assert len(web.sent) == 2


@pytest.mark.usefixtures("at_once")
def test_a_level_from_elsewhere_is_not_asked_for(tmp_path: Path, web: OnlineServer) -> None:
    assert look(tmp_path, "enter", "W").shows("not in a collection fetched from letslogic.com")
    assert web.asked == []


def test_without_a_key_two_lines_say_how_to_get_one(tmp_path: Path, web: OnlineServer) -> None:
    session = visit(player(tmp_path, ""), ["W", "enter", "enter"], (24, 200))
    first, second, *rest = map(str.strip, pane_lines(session))
    assert first == "The key is shown in the preferences of your account at letslogic.com."
    assert (second, *rest) == (f'Set letslogic_key = "..." in {config_file()}.', *[""] * len(rest))
    small = (
        "".join(map(str.strip, pane_lines(visit(player(tmp_path, ""), keys, (8, 30)))))
        for keys in (["W"], ["W", "end"])
    )
    assert [(text.startswith("The key"), text.endswith("toml.")) for text in small] == [(True, False), (False, True)]
    said = visit_by_lines(player(tmp_path, ""), ["letslogic"])
    assert said[-2:] == [first, second]
    assert web.asked == []


def test_never_in_host_mode(tmp_path: Path, web: OnlineServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOKOTERM_LETSLOGIC_KEY", KEY)
    for options in (hosted(tmp_path, "ann"), player(tmp_path)._replace(is_hosted=True)):
        for keys in (["W"], ["enter", "W"]):
            assert visit(options, keys).shows("letslogic.com is not available")
        for command in ("letslogic", "letslogic 12", "letslogic submit"):
            said = visit_by_lines(options, ["pack 1", command])
            assert any(line.startswith("letslogic.com is not available") for line in said)
    assert web.asked == []


@pytest.mark.parametrize("leave", [["esc"], ["C-c"], ["left", "b"], ["esc", "esc"]])
def test_a_silent_server_holds_nothing_up(tmp_path: Path, web: OnlineServer, leave: list[str]) -> None:
    web.silent = {"collection/12"}
    look_at = iter(["W"])

    def keys() -> Iterator[str]:
        yield from look_at
        while "collections" not in web.paths:
            yield "wait"
        for key in ("wait 0.25",) * 20:
            time.sleep(0.01)
            yield key
        yield "enter"
        while "collection/12" not in web.paths:
            yield "wait 0.25"
        yield from ("down", "enter", "up", "wait 3", *leave, "wait")

    session = visit(player(tmp_path), keys())
    assert any("asking letslogic.com ... " in screen for screen in session.screens)
    assert web.paths == ["collections", "collections", "collection/12"]
    assert session.shows("cancelled") is (leave in (["esc"], ["C-c"]))
    assert not (tmp_path / "packs" / "letslogic").exists()


def test_a_bar_shows_how_much_has_arrived(tmp_path: Path, web: OnlineServer, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = page(b" " * 8192)

    def half(out: BufferedIOBase) -> None:
        out.write(whole[: len(whole) - 4096])
        out.flush()
        web.over.wait()

    monkeypatch.setattr(web, "find", lambda *_: half)
    arrived: list[int] = []
    check = Letslogic.check

    def noted(api: Letslogic, *sizes: int) -> None:
        check(api, *sizes)
        arrived.extend(sizes)

    monkeypatch.setattr(Letslogic, "check", noted)

    def keys() -> Iterator[str]:
        yield "W"
        while 4096 not in arrived:
            yield "wait 0.25"
        yield from ("wait 0.25", "wait 0.25")

    session = visit(player(tmp_path), keys())
    assert session.shows("asking letslogic.com ... ", " s 4 kB ━━━━━━━━━━━━━━━───────────────")


@pytest.mark.usefixtures("at_once")
def test_a_dead_server_gets_one_line(tmp_path: Path, web: OnlineServer, monkeypatch: pytest.MonkeyPatch) -> None:
    web.faults["collections"] = None
    session = look(tmp_path, "W")
    assert session.shows("the server closed the connection without an answer", "try again")
    assert look(tmp_path, "W", "enter").shows("Six/Rooms")
    monkeypatch.setattr(Letslogic.__init__, "__defaults__", (Patience(step=0.05),))
    web.silent = {"collections"}
    assert look(tmp_path, "W").shows("nothing arrived for 0.05 seconds")


def test_what_is_cancelled_is_not_sent(web: OnlineServer) -> None:
    api = Letslogic(web.address, KEY, lambda _: setattr(api, "is_cancelled", True))
    web.locks = 1
    with pytest.raises(LetslogicError, match="cancelled"):
        api.submit(100, "R")
    assert len(web.sent) == 1  # the one that was answered with "API Locked"


@pytest.mark.usefixtures("at_once")
def test_by_lines(tmp_path: Path, web: OnlineServer) -> None:
    said = visit_by_lines(player(tmp_path), ["letslogic", "letslogic fetch 12", "letslogic 14"])
    assert said[-4:-1] == ["12: Six/Rooms, 3 levels, by Ann", "13: Collection 13, 0 levels", FETCHED]
    assert said[-1] == "the server has no collection 14"
    number = next(line.split(":")[0] for line in visit_by_lines(player(tmp_path), ["packs"]) if "Six_Rooms" in line)
    commands = [f"pack {number}", "letslogic submit", "l", "letslogic submit", "letslogic submit yes", "facts"]
    said = visit_by_lines(player(tmp_path), commands)
    assert "nothing to send: no solution here beats your results there" in said
    assert f"{QUESTION} letslogic submit yes sends" in said
    assert any(line.startswith("1/1 accepted: Well done in 1") for line in said)
    assert any("best at letslogic.com: 2 pushes, 8 moves" in line for line in said)
    assert web.sent == [("level/100", "R")]


@pytest.mark.usefixtures("at_once")
def test_a_yes_counts_for_the_level_that_was_asked_about(tmp_path: Path, web: OnlineServer) -> None:
    look(tmp_path, *FETCH)
    said = visit_by_lines(player(tmp_path), ["packs"])
    number = next(line.split(":")[0] for line in said if "Six_Rooms" in line)
    yes = "letslogic submit yes"
    said = visit_by_lines(player(tmp_path), [f"pack {number}", "l", "letslogic submit", "level 2", yes, "level 1", yes])
    assert said[-1] == f"{QUESTION} {yes} sends"
    assert web.sent == []


def test_ctrl_c_cancels_by_lines(tmp_path: Path, web: OnlineServer) -> None:
    web.silent = {"collections"}
    events = (LineEvent.INTERRUPT if web.asked else LineEvent.NOTHING for _ in range(1 << 20))
    assert visit_by_lines(player(tmp_path), ["letslogic"], events)[-1] == "cancelled"
