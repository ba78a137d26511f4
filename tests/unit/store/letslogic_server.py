"""A server on loopback that behaves as letslogic.com is said to."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, verify
from tests.unit.store.loopback import Answer, Loopback, page, running

KEY = "0123secret4567"
COLLECTION = 12
_DIGITS = str.maketrans(" #@$.*+", "0123456")


class OnlineServer(Loopback):
    """One collection of levels, one player with records, and faults to come.

    ``locks`` is the number of requests that are answered with "API Locked"; ``faults`` are answers that stand in for
    those of a path once, as status, content and reason, None to hang up, or after a silence. The content of a redirect
    is its target.
    """

    def __init__(self, boards: Sequence[str]) -> None:
        super().__init__()
        self.title, self.author = "Six/Rooms", "Ann"
        self.levels: list[dict[str, object]] = [_level(100 + index, board) for index, board in enumerate(boards)]
        self.boards = {100 + index: board for index, board in enumerate(boards)}
        self.records: dict[str, dict[str, dict[str, int]]] = {}
        self.locks = 0
        self.is_zipped = True
        self.faults: dict[str, tuple[int, bytes] | tuple[int, bytes, str] | None] = {}
        self.silent: set[str] = set()
        self.asked: list[tuple[str, dict[str, str]]] = []

    @property
    def address(self) -> str:
        return self.url("/api/v1")

    @property
    def place(self) -> str:
        """The server alone, as messages name it."""
        return self.url("").removeprefix("http://")

    @property
    def sent(self) -> list[tuple[str, str]]:
        """The solutions that came, with their paths."""
        return [(path, form["solution"]) for path, form in self.asked if "solution" in form]

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def answer(self, path: str, form: dict[str, str]) -> object:
        """The answer to a good request."""
        if form.get("key") != KEY:
            return {"error": "Invalid API key"}
        match path.split("/"):
            case ["collections"]:
                more = {"description": "<b>x</b>", "unknown": [1, {}]}
                return [
                    {"id": COLLECTION, "title": self.title, "author": self.author, "levels": len(self.levels), **more},
                    {"id": "13", "title": None, "author": None, "levels": None},
                ]
            case ["collection", "12"]:
                return self.levels
            case ["records"]:
                return self.records or []
            case ["level", number] if int(number) in self.boards:
                return self._judged(number, form["solution"])
            case ["level", _]:
                return {"error": "Specified level does not exist"}
        return {"error": "No such page"}

    def _judged(self, number: str, lurd: str) -> object:
        level = Level.from_xsb(self.boards[int(number)])
        try:
            solution = verify(level.board, level.start, lurd)
        except LurdError:
            return {"error": "Invalid Solution"}
        figures = {"rank": 1, "points": 10, "moves": solution.moves, "pushes": solution.pushes}
        record = self.records.setdefault(number, {})
        if "blue" not in record or solution.moves < record["blue"]["moves"]:
            record["blue"] = figures
        if "green" not in record or solution.pushes < record["green"]["pushes"]:
            record["green"] = figures
        return {"result": f"Well done in {solution.moves}\x1b[31m move(s).", **record}

    def find(self, path: str, form: dict[str, str]) -> Answer:
        path = path.removeprefix("/api/v1/")
        self.asked.append((path, form))
        if path in self.silent:
            return lambda _: self.over.wait()
        if self.locks:
            self.locks -= 1
            return page(b'{"error": "API Locked"}')
        if path not in self.faults:
            data = json.dumps(self.answer(path, form)).encode()
            return page(zipped(data) if path == "records" and self.is_zipped else data)
        if (fault := self.faults.pop(path)) is None:
            return b""
        status, data, *reason = fault
        target = [f"Location: {data.decode()}"] if 300 <= status < 400 else []
        return page(data, *target, status=f"{status} {reason[0] if reason else HTTPStatus(status).phrase}")


@contextmanager
def online(monkeypatch: pytest.MonkeyPatch, boards: Sequence[str]) -> Iterator[OnlineServer]:
    """Run a server during a block, with a proxy in the environment that nobody should use."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with running(OnlineServer(boards)) as web:
        yield web


def zipped(data: bytes, method: int = ZIP_STORED) -> bytes:
    archive = BytesIO()
    with ZipFile(archive, "w", method) as file:
        file.writestr(ZipInfo("records.json"), data, method)  # of no date
    return archive.getvalue()


def _level(number: int, board: str) -> dict[str, object]:
    rows = board.split("\n")
    width = max(map(len, rows))
    text = "".join(row.ljust(width) for row in rows).translate(_DIGITS)
    figures = {"blue_moves": 8, "blue_pushes": "4", "green_moves": 10, "green_pushes": 2}
    return {"id": number, "width": width, "height": len(rows), "title": f"Room {number}", "map": text, **figures}
