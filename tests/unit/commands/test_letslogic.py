"""``sokoterm letslogic`` against a server on loopback."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sokoterm.engine.level import Level
from sokoterm.store import letslogic
from sokoterm.store.packs import find_packs, open_pack
from sokoterm.store.paths import config_file, data_dir, packs_dir, progress_file
from sokoterm.store.progress import opened_progress
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, STUCK, TWO_PUSHES, Command, Result
from tests.unit.store.letslogic_server import KEY, OnlineServer, online

QUICK, FEW = "LdlUluRR", "ullddrUluR"
BETTER = [("level/101", "RR"), ("level/102", QUICK), ("level/102", FEW)]

SHOWN = """\
collection 12
level   id  best moves  best pushes  there moves  there pushes  here moves  here pushes  better        title
    1  100  8/4         10/2                                                                           Room 100
    2  101  8/4         10/2                                    2/2         2/2          moves pushes  Room 101
    3  102  8/4         10/2         9/3          10/2          8/4         10/2         moves         Room 102

3 levels, 2 solved here, 2 solutions to send
"""


@pytest.fixture(name="web")
def _web(monkeypatch: pytest.MonkeyPatch) -> Iterator[OnlineServer]:
    monkeypatch.setattr(letslogic, "sleep", lambda _: None)
    monkeypatch.setenv("SOKOTERM_LETSLOGIC_KEY", KEY)
    with online(monkeypatch, [ONE_PUSH, TWO_PUSHES, FEWER_MOVES]) as web:
        yield web


class Verb:
    """The verb, with its server and the progress of a person."""

    def __init__(self, command: Command, web: OnlineServer) -> None:
        self._command = command
        self._web = web

    def __call__(self, *arguments: str) -> Result:
        result = self._command("letslogic", *arguments, "--server", self._web.address)
        assert KEY not in result.out + result.err
        return result

    def solve(self, board: str, *solutions: str) -> None:
        """Solve a level as the player does."""
        level = Level.from_xsb(board)
        with opened_progress(progress_file(data_dir()), lambda: 0.0, pytest.fail) as progress:
            for lurd in solutions:
                assert progress.record(level, lurd).problem is None

    def solve_two(self) -> None:
        """Solve two of the three levels, one of them as its mirror image, and elsewhere than it is fetched."""
        self.solve(TWO_PUSHES, "RR")
        mirrored = "\n".join(row.ljust(6)[::-1] for row in FEWER_MOVES.split("\n"))
        turn = str.maketrans("lrLR", "rlRL")
        self.solve(mirrored, QUICK.translate(turn), FEW.translate(turn))


@pytest.fixture(name="verb")
def _verb(command: Command, web: OnlineServer) -> Verb:
    return Verb(command, web)


def answering(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    """Have a person at a terminal who types an answer."""
    typed = io.StringIO(answer)
    monkeypatch.setattr(typed, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", typed)


def test_collections(verb: Verb) -> None:
    assert verb("collections").out == "12: Six/Rooms, 3 levels, by Ann\n13: Collection 13, 0 levels\n"
    verb("fetch", "12")
    assert [each["fetched"] for each in verb("collections", "--json").objects] == [True, False]


def test_a_collection_becomes_a_pack_of_the_library(verb: Verb) -> None:
    result = verb("fetch", "12")
    assert (result.status, result.err) == (0, "")
    assert result.out == "letslogic/Six_Rooms.txt: 3 levels, 3 of them new\n"
    (file,) = find_packs(packs_dir(data_dir()))
    pack = open_pack(file)
    assert (pack.title, pack.author) == ("Six/Rooms", "Ann")
    assert dict(pack.metadata)["id"] == "12"
    assert [(each.title, dict(each.metadata)["id"]) for each in pack.levels] == [
        ("Room 100", "100"),
        ("Room 101", "101"),
        ("Room 102", "102"),
    ]
    again = verb("fetch", "12", "--json").objects
    assert [(each["file"], each["added"], each["levels"]) for each in again] == [(file.path, False, 3)]


@pytest.mark.parametrize(
    ("title", "name"),
    [(".", "pack"), ("..", "pack"), ("../../up", "_.._up"), ("a\\b", "a_b"), ("a\0b", "a_b"), ("nul", "_nul")],
)
def test_no_title_leads_out_of_the_folder(verb: Verb, web: OnlineServer, title: str, name: str) -> None:
    web.title = title
    assert verb("fetch", "12").out == f"letslogic/{name}.txt: 3 levels, 3 of them new\n"


def test_what_cannot_be_used_is_told(verb: Verb, web: OnlineServer) -> None:
    web.levels[1]["map"] = None
    result = verb("fetch", "12")
    assert (result.status, result.err) == (2, "sokoterm: collection 12, level 2: found no board (map)\n")
    assert result.out == "letslogic/Six_Rooms.txt: 2 levels, 2 of them new\n"
    web.levels.clear()
    assert verb("fetch", "12").err == "sokoterm: collection 12 has no usable level\n"
    assert verb("fetch", "14").err == "sokoterm: the server has no collection 14\n"


def test_best_figures_beside_ones_own(verb: Verb, web: OnlineServer) -> None:
    web.records = {"102": {"blue": {"moves": 9, "pushes": 3}, "green": {"moves": 10, "pushes": 2}}}
    verb.solve_two()
    verb("fetch", "12")
    result = verb("show")
    assert (result.status, result.err) == (0, "")
    assert result.out == SHOWN
    last = verb("show", "12", "--json").objects[2]
    assert (last["id"], last["here_moves"], last["there_moves"], last["better"]) == (
        102,
        {"moves": 8, "pushes": 4},
        {"moves": 9, "pushes": 3},
        ["moves"],
    )
    assert web.sent == []


def test_better_solutions_are_sent_once_after_a_yes(
    verb: Verb, web: OnlineServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    verb.solve_two()
    verb("fetch", "12")
    answering(monkeypatch, "y\n")
    result = verb("submit")
    assert (result.status, result.err) == (0, f"Send 3 solutions to {web.address}? [y/N] ")
    assert web.sent == BETTER
    lines = result.out.splitlines()
    assert (lines[0], len(lines)) == ("collection 12", 9)
    assert lines[-1] == "3 of 3 sent, 3 accepted"
    assert "level 2 (id 101): 2/2 accepted: Well done in 2?[31m move(s)." in lines[-4]
    again = verb("submit", "--yes")
    assert (again.status, again.out) == (0, "nothing to send: no solution here beats your results there\n")
    web.records.clear()  # a server that is late with its records
    assert verb("submit", "12", "--yes").out == again.out
    assert len(web.sent) == 3


@pytest.mark.parametrize("answer", ["\n", "n\n", "yess\n", ""])
def test_nothing_is_sent_without_a_yes(
    verb: Verb, web: OnlineServer, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    verb.solve_two()
    answering(monkeypatch, answer)
    result = verb("submit", "12")
    assert result.status == 1
    assert result.out.endswith("nothing sent\n")
    assert web.sent == []


def test_a_password_in_the_address_is_neither_shown_nor_kept(command: Command, verb: Verb, web: OnlineServer) -> None:
    verb.solve_two()
    answering(command.monkeypatch, "n\n")
    address = web.address.replace("//", "//ann:hush@")
    for action in ("fetch", "submit"):
        result = command("letslogic", action, "12", "--server", address)
        assert "hush" not in result.out + result.err
    assert f"to {web.address}? [y/N]" in result.err
    assert b"hush" not in Path(progress_file(data_dir())).read_bytes()
    assert "3 levels, 2 solved here" in verb("show").out  # of the collection fetched from there


def test_nothing_is_sent_where_nobody_can_be_asked(
    verb: Verb, web: OnlineServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    verb.solve_two()
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    result = verb("submit", "12")
    assert (result.status, result.err) == (2, "sokoterm: nothing sent: there is no terminal to ask on; use --yes\n")
    assert verb("submit", "12", "--json").status == 2
    assert web.sent == []


def test_another_person_has_sent_nothing_yet(verb: Verb, web: OnlineServer, monkeypatch: pytest.MonkeyPatch) -> None:
    verb.solve_two()
    verb("submit", "12", "--yes")
    web.records.clear()
    monkeypatch.setattr("tests.unit.store.letslogic_server.KEY", "another")
    monkeypatch.setenv("SOKOTERM_LETSLOGIC_KEY", "another")
    assert [each["status"] for each in verb("submit", "12", "--yes", "--json").objects] == ["accepted"] * 3


def test_a_refused_solution_is_told_and_not_sent_again(verb: Verb, web: OnlineServer) -> None:
    verb.solve_two()
    web.boards[101] = STUCK
    result = verb("submit", "12", "--yes")
    assert (result.status, result.err) == (1, "")
    assert "level 2 (id 101): 2/2 refused: Invalid Solution\n" in result.out
    assert result.out.endswith("3 of 3 sent, 2 accepted\n")
    assert verb("submit", "12", "--yes").status == 0
    assert web.sent == BETTER


def test_a_lost_connection(verb: Verb, web: OnlineServer) -> None:
    verb.solve_two()
    web.faults["level/102"] = None
    result = verb("submit", "12", "--yes")
    assert result.status == 2
    assert result.err == f"sokoterm: {web.place}: the server closed the connection without an answer\n"
    assert [line.partition(": ")[2] for line in result.out.splitlines()[-4:-1]] == [
        "2/2 accepted: Well done in 2?[31m move(s).",
        "8/4 unknown: it may have arrived",
        "10/2 not sent",
    ]
    assert result.out.endswith("1 of 3 sent, 1 accepted\n")
    assert verb("submit", "12", "--yes").status == 0
    assert web.sent == [*BETTER[:2], *BETTER[1:]]


def test_a_server_that_stays_locked_or_says_no(verb: Verb, web: OnlineServer) -> None:
    verb.solve_two()
    web.faults["level/101"] = (200, b'{"error": "Down for a while"}')
    result = verb("submit", "12", "--yes", "--json")
    assert (result.status, result.err) == (2, "sokoterm: the server says: Down for a while\n")
    assert [each["status"] for each in result.objects] == ["not sent"] * 3
    web.locks = 2
    assert [each["status"] for each in verb("submit", "12", "--yes", "--json").objects] == ["accepted"] * 3
    web.locks = 5
    assert verb("show", "12").err == "sokoterm: the server is locked: it was asked 5 times; try again later\n"


def test_an_interrupt_leaves_a_clear_state(verb: Verb, web: OnlineServer, monkeypatch: pytest.MonkeyPatch) -> None:
    verb.solve_two()

    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(letslogic, "sleep", interrupted)
    web.faults["level/102"] = (429, b"")
    result = verb("submit", "12", "--yes", "--json")
    assert result.status == 130
    assert [(each["lurd"], each["status"]) for each in result.objects] == [
        ("RR", "accepted"),
        (QUICK, "unknown"),
        (FEW, "not sent"),
    ]


def test_the_key_comes_from_the_settings(verb: Verb, web: OnlineServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOKOTERM_LETSLOGIC_KEY")
    expected = f'put letslogic_key = "..." into {config_file()}, or set SOKOTERM_LETSLOGIC_KEY\n'
    for action in ("collections", "show", "submit"):
        result = verb(action)
        assert (result.status, result.err) == (2, f"sokoterm: no usable key for letslogic.com: {expected}")
    settings = Path(config_file())
    settings.parent.mkdir(parents=True)
    settings.write_text(f'letslogic_key = "{KEY}"\n', "utf-8")
    assert verb("collections").status == 0
    settings.write_text(f'letslogic_key = ["{KEY}"]\n', "utf-8")
    assert verb("collections").err.startswith("sokoterm: config.toml:1: found letslogic_key = (not shown), expected")
    settings.write_text('letslogic_key = "a\\nb"\n', "utf-8")
    assert verb("collections").err == f"sokoterm: no usable key for letslogic.com: {expected}"
    assert len(web.asked) == 1


def test_without_a_collection_nobody_is_asked(verb: Verb, web: OnlineServer) -> None:
    for action in ("show", "submit"):
        result = verb(action)
        assert result.status == 0
        assert result.err == "sokoterm: no collections yet: `sokoterm letslogic fetch ID` fetches one\n"
    for arguments in (("fetch",), ("collections", "12"), ("show", "x")):
        assert verb(*arguments).status == 2
    assert web.asked == []


def test_never_in_host_mode(verb: Verb, web: OnlineServer) -> None:
    verb.solve_two()
    for arguments in (("submit", "12", "--yes", "--host"), ("--host", "show", "12"), ("fetch", "12", "--host")):
        result = verb(*arguments)
        assert (result.status, result.out) == (2, "")
        assert result.err == "sokoterm: letslogic: not available with --host\n"
    assert web.asked == []
