"""The client of letslogic.com against a server on loopback, good and bad."""

import json
from collections.abc import Callable, Iterator
from zipfile import ZIP_DEFLATED, ZIP_LZMA

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, verify
from sokoterm.store.fetch import FetchError, Patience, post
from sokoterm.store.letslogic import (
    Letslogic,
    LetslogicError,
    LostError,
    OnlineCollection,
    better_ones,
    with_figures,
)
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, TWO_PUSHES
from tests.unit.store.letslogic_server import COLLECTION, KEY, OnlineServer, online, zipped

BOARDS = [ONE_PUSH, TWO_PUSHES, FEWER_MOVES]
PATIENT = Patience(step=30, whole=60)


@pytest.fixture(name="web")
def _web(monkeypatch: pytest.MonkeyPatch) -> Iterator[OnlineServer]:
    with online(monkeypatch, BOARDS) as web:
        yield web


@pytest.fixture(name="slept")
def _slept() -> list[float]:
    return []


@pytest.fixture(name="api")
def _api(web: OnlineServer, slept: list[float]) -> Letslogic:
    return Letslogic(web.address, KEY, slept.append, PATIENT)


def problem(ask: Callable[[], object]) -> str:
    with pytest.raises(LetslogicError) as caught:
        ask()
    text = str(caught.value)
    assert text.isprintable()
    assert KEY not in text
    return text


def test_collections(api: Letslogic, web: OnlineServer) -> None:
    assert api.collections() == [
        OnlineCollection(COLLECTION, "Six/Rooms", "Ann", 3),
        OnlineCollection(13, "Collection 13", "", 0),
    ]
    assert web.asked == [("collections", {"key": KEY})]


def test_no_text_is_longer_than_a_few_lines(api: Letslogic, web: OnlineServer) -> None:
    web.title = web.author = "x" * 100_000
    assert [len(each.title + each.author) for each in api.collections()] == [600, len("Collection 13")]


def test_levels_with_their_best_figures(api: Letslogic) -> None:
    levels, problems = api.levels(COLLECTION)
    assert problems == []
    assert [number for number, *_ in levels] == [100, 101, 102]
    assert [level.puzzle for _, level, _ in levels] == [Level.from_xsb(board).puzzle for board in BOARDS]
    _, last, best = levels[2]
    assert best == ((8, 4), (10, 2))
    assert (last.title, last.number, last.metadata) == ("Room 102", 3, (("id", "102"),))


def test_a_level_may_come_as_rows_and_without_figures(api: Letslogic, web: OnlineServer) -> None:
    web.levels[0] = {"id": 100, "map": ONE_PUSH, "blue_moves": None, "blue_pushes": 0, "green_moves": 4}
    ((_, level, best), *_), _ = api.levels(COLLECTION)
    assert level.puzzle == Level.from_xsb(ONE_PUSH).puzzle
    assert best == (None, None)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"id": None}, "found no number (id)"),
        ({"map": None}, "found no board (map)"),
        ({"width": 4}, "found a board of 15 squares, expected width times height, 4x3"),
        ({"height": None}, "found a board of 15 squares, expected width times height, 5xNone"),
        ({"map": "111111034911111"}, "found '8', expected"),
        ({"map": "111111000111111"}, "found no player, expected one @ or +"),
    ],
)
def test_a_level_that_cannot_be_used_costs_only_itself(
    api: Letslogic, web: OnlineServer, fields: dict[str, object], told: str
) -> None:
    web.levels[0] |= fields
    levels, (line,) = api.levels(COLLECTION)
    assert [number for number, *_ in levels] == [101, 102]
    assert [level.number for _, level, _ in levels] == [2, 3]
    assert line.startswith("collection 12, level 1: ")
    assert told.replace("'8'", "'9'") in line


@pytest.mark.parametrize("is_zipped", [True, False])
def test_records(api: Letslogic, web: OnlineServer, is_zipped: bool) -> None:
    web.is_zipped = is_zipped
    assert api.records() == {}
    web.records = {"102": {"blue": {"rank": 2, "moves": 8, "pushes": 4}}}
    assert api.records() == {102: ((8, 4), None)}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (zipped(b"{}")[:30], "the archive of records is damaged"),
        (zipped(b"{}", ZIP_LZMA), "the archive of records is damaged"),
        (zipped(b"[}"), "found no JSON in the answer, which begins '[}'"),
        (zipped(b" " * (17 << 20), ZIP_DEFLATED), "the records are larger than 16,777,216 bytes"),
        (zipped(b"[" + b"[]," * 500_000, ZIP_DEFLATED), "the answer has more than 500,000 objects"),
        (zipped(b"{}").replace(b"records", b"recordz", 1), "the archive of records is damaged"),
        (b'[{"34": 1}]', "found no table of records in the answer"),
        (b'{"x": {}}', "found the record 'x', expected the number of a level"),
        (b'{"34": 1}', "found the record '34', expected the number of a level"),
    ],
)
def test_records_that_cannot_be_read(api: Letslogic, web: OnlineServer, data: bytes, told: str) -> None:
    web.faults["records"] = (200, data)
    assert problem(api.records) == told


def test_a_solution_is_accepted_or_refused(api: Letslogic, web: OnlineServer) -> None:
    assert api.submit(100, "R") == (True, "Well done in 1?[31m move(s).")
    assert api.submit(101, "R") == (False, "Invalid Solution")
    assert api.submit(7, "R") == (False, "Specified level does not exist")
    assert web.asked[0] == ("level/100", {"key": KEY, "solution": "R"})


def test_a_locked_server_is_asked_five_times(api: Letslogic, web: OnlineServer, slept: list[float]) -> None:
    web.locks = 4
    assert api.submit(100, "R")[0]
    assert (slept, len(web.sent)) == ([0.5] * 4, 5)
    web.locks = 5
    with pytest.raises(LetslogicError, match=r"the server is locked: it was asked 5 times; try again later$") as caught:
        api.submit(100, "R")
    assert not isinstance(caught.value, LostError)
    assert (slept, len(web.sent)) == ([0.5] * 8, 10)


@pytest.mark.parametrize("fault", [(403, b'{"error": "API Locked"}'), (200, b"API Locked"), (429, b"slow down")])
def test_a_lock_may_be_said_in_other_ways(
    api: Letslogic, web: OnlineServer, slept: list[float], fault: tuple[int, bytes]
) -> None:
    web.faults["collections"] = fault
    assert len(api.collections()) == 2
    assert slept == [0.5]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ((200, b'{"error": "Invalid key 0123secret4567\\n"}'), "the server says: Invalid key (key)"),
        ((403, b'{"error": "Invalid key"}'), "the server says: Invalid key"),
        ((500, b"<html>"), "the server answered 500 Internal Server Error"),
        ((200, b"<html>\x1b[1m 0123secret4567"), "found no JSON in the answer, which begins '<html>?[1m (key)'"),
        ((200, b""), "the answer is empty"),
        ((200, b"[" * 100_000), "found no JSON in the answer, which begins '" + "[" * 40 + "'"),
        ((200, b'{"a": 1}'), "found no list of collections in the answer"),
        ((200, b"[1]"), "found no list of collections in the answer"),
        ((200, b'[{"title": "x"}]'), "found a collection without a number (id)"),
        ((302, b"http://localhost:9/elsewhere"), "redirected to localhost, expected an answer"),
        (None, "the server closed the connection without an answer"),
        # A key that is sent back is not shown.
        ((200, f"{'<' * 36}{KEY}".encode()), f"found no JSON in the answer, which begins '{'<' * 36}(key'"),
        ((302, f"https://elsewhere/?key={KEY}".encode()), "redirected to elsewhere, expected an answer"),
        ((500, b"", f"Refused {KEY}"), "the server answered 500 Refused (key)"),
    ],
)
def test_bad_answers(
    api: Letslogic, web: OnlineServer, fault: tuple[int, bytes] | tuple[int, bytes, str] | None, told: str
) -> None:
    web.faults["collections"] = fault
    assert problem(api.collections).endswith(told)
    assert len(web.asked) == 1


@pytest.mark.parametrize("fault", [(200, b"{}"), (200, b"[]"), (502, b"bad gateway"), (200, b"oops"), None])
def test_what_became_of_a_solution_may_be_open(
    api: Letslogic, web: OnlineServer, fault: tuple[int, bytes] | None
) -> None:
    web.faults["level/100"] = fault
    with pytest.raises(LostError):
        api.submit(100, "R")
    assert len(web.sent) == 1


def test_a_silent_server(web: OnlineServer, slept: list[float]) -> None:
    web.silent = {"collections"}
    api = Letslogic(web.address, KEY, slept.append, Patience(step=0.1, whole=60))
    assert problem(api.collections) == f"{web.place}: nothing arrived for 0.1 seconds"


def test_a_form_goes_over_https_or_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: pytest.fail("a server was looked up"))
    for address in ("http://letslogic.com/api", "ftp://127.0.0.1.example.org/"):
        with pytest.raises(FetchError, match=r"expected an https address$"):
            post(address, {"key": KEY}, 100)


def test_an_answer_is_not_read_without_end(web: OnlineServer) -> None:
    with pytest.raises(FetchError, match=r"the answer is larger than 50 bytes$"):
        post(f"{web.address}/collections", {"key": KEY}, 50, PATIENT)
    data = post(f"{web.address}/collections", {"key": KEY}, 5000, PATIENT).data
    assert len(json.loads(data)) == 2


_LEVEL = Level.from_xsb(FEWER_MOVES)
_QUICK = verify(_LEVEL.board, _LEVEL.start, "LdlUluRR")  # 8 moves, 4 pushes
_FEW = verify(_LEVEL.board, _LEVEL.start, "ullddrUluR")  # 10 moves, 2 pushes


@pytest.mark.parametrize(
    ("own", "there", "better"),
    [
        ((None, None), (None, None), []),
        ((_QUICK, _FEW), (None, None), [(_QUICK, "moves"), (_FEW, "pushes")]),
        ((_QUICK, _QUICK), (None, None), [(_QUICK, "moves pushes")]),
        ((_QUICK, _FEW), ((8, 4), (10, 2)), []),
        ((_QUICK, _FEW), ((8, 5), (11, 2)), [(_QUICK, "moves"), (_FEW, "pushes")]),
        ((_QUICK, _FEW), ((9, 2), (9, 2)), [(_QUICK, "moves")]),
        ((_QUICK, _FEW), ((7, 6), (7, 6)), [(_FEW, "pushes")]),
        ((_QUICK, _QUICK), ((7, 5), (7, 5)), [(_QUICK, "pushes")]),
    ],
)
def test_what_is_better(
    own: tuple[Solution | None, Solution | None],
    there: tuple[tuple[int, int] | None, tuple[int, int] | None],
    better: list[tuple[Solution, str]],
) -> None:
    assert better_ones(own, there) == {solution: by.split() for solution, by in better}


def test_the_best_of_several_figures() -> None:
    more = [(8, 4), (10, 2), (8, 5)]
    assert with_figures((None, None), more) == ((8, 4), (10, 2))
    assert with_figures(((7, 9), None), more) == ((7, 9), (10, 2))
    assert with_figures((None, None), []) == (None, None)
