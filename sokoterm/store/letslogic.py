"""Client of the API of letslogic.com: collections, their best figures, a person's own ones, and solutions to send.

Every request is a form with the person's key; every answer is JSON, the records as a file in a ZIP archive. The API is
not described in public: what is read here is what programs that use it agree on (docs/levels-and-formats.md says what
is assumed). Fields that are not known are ignored.
"""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import NamedTuple

from sokoterm.engine.level import Level, LevelError, level_from_rows
from sokoterm.engine.lurd import Solution
from sokoterm.engine.text import MOST_DIGITS, printable, whole_number
from sokoterm.formats.limits import DEFAULT_LIMITS
from sokoterm.language import _, ngettext
from sokoterm.store.archives import ArchiveError, read_first
from sokoterm.store.fetch import PATIENCE, FetchError, FormAnswer, Patience, post, without_password
from sokoterm.store.progress import ProgressStore
from sokoterm.store.solutions import Best

SERVER = "https://letslogic.com/api/v1"

# A person who has solved all levels there gets about 6 MB of records, of three objects a level.  In memory JSON takes
# up to 35 times as much, and 64 MB of it may come in 60 kB of ZIP.
_MOST_BYTES = 16 << 20
_MOST_OBJECTS = 500_000
_TRIES = 5
_PAUSE = 0.5  # seconds
_LOCKED = "api locked"
_TOO_MANY_REQUESTS = 429
# Errors that speak of the solution, not of the key or the server.
_REFUSALS = ("invalid solution", "level does not exist")
# The digits of a map.
_CELLS = str.maketrans("01234567", " #@$.*+ ")
_LONGEST_TEXT = 300
# The begin of an answer that is no JSON: looked at for the key, and shown.
_BEGIN, _SHOWN_BEGIN = 1000, 40

# What was fetched and sent is kept with the progress.
_SAVE_COLLECTION = "INSERT OR REPLACE INTO letslogic_collection VALUES (?, ?, ?)"
_COLLECTIONS = "SELECT id, title FROM letslogic_collection WHERE server = ? ORDER BY id"
_SAVE_SENT = "INSERT OR REPLACE INTO letslogic_sent VALUES (?, ?, ?, ?, ?, ?)"
_SENT = "SELECT level, moves, pushes, is_accepted FROM letslogic_sent WHERE person = ?"


class LetslogicError(Exception):
    """No usable answer; its text is one line that says why."""


class LostError(LetslogicError):
    """No answer, or one that cannot be understood: it is not known what has become of the request."""


class OnlineCollection(NamedTuple):
    """A collection on the server; ``levels`` is their number."""

    id: int
    title: str
    author: str = ""
    levels: int = 0


class Figures(NamedTuple):
    """The moves and pushes of one solution."""

    moves: int
    pushes: int

    @classmethod
    def of(cls, solution: Solution) -> "Figures":
        return cls(solution.moves, solution.pushes)


class OnlineBest(NamedTuple):
    """The figures of the solution with the fewest moves and of that with the fewest pushes, as far as there are any."""

    by_moves: Figures | None = None
    by_pushes: Figures | None = None

    def with_figures(self, more: Sequence[Figures]) -> "OnlineBest":
        """Return the best of these and others."""
        by_moves = [each for each in (self.by_moves, *more) if each is not None]
        by_pushes = [each for each in (self.by_pushes, *more) if each is not None]
        return OnlineBest(min(by_moves, default=None), min(by_pushes, key=_pushes_first, default=None))


class OnlineLevel(NamedTuple):
    """A level on the server; ``best`` is that of all players, ``level.number`` its place in the collection."""

    id: int
    level: Level
    best: OnlineBest


class Better(NamedTuple):
    """A solution better than the person's own on the server; ``by`` names the metrics: moves, pushes or both."""

    solution: Solution
    by: tuple[str, ...]


class Reply(NamedTuple):
    """The server's reply to a solution: its text, and whether the solution was accepted."""

    is_accepted: bool
    text: str


class Letslogic:
    """The API for one person.

    Its methods raise LetslogicError. A request that is answered with "API Locked" is repeated after half a second, five
    times in all; ``sleep`` waits.
    """

    def __init__(self, server: str, key: str, sleep: Callable[[float], None], patience: Patience = PATIENCE) -> None:
        self._server = server.rstrip("/")
        self._key = key
        self._sleep = sleep
        self._patience = patience

    @property
    def person(self) -> str:
        """Name of this person on this server; the key cannot be found from it."""
        return sha256(f"{self._server}\n{self._key}".encode()).hexdigest()[:16]

    def collections(self) -> list[OnlineCollection]:
        found = []
        for each in _objects(self._json("collections"), "collections"):
            number = _whole(each.get("id"))
            if number is None:
                raise LetslogicError(_("found a collection without a number (id)"))
            title = _text(each.get("title")) or f"Collection {number}"
            found.append(OnlineCollection(number, title, _text(each.get("author")), _whole(each.get("levels")) or 0))
        return found

    def levels(self, collection: int) -> tuple[list[OnlineLevel], list[str]]:
        """Return the levels of a collection, and a line for each that cannot be used."""
        levels, problems = [], []
        for number, each in enumerate(_objects(self._json(f"collection/{collection}"), "levels"), start=1):
            try:
                levels.append(_level(each, number))
            except LevelError as error:
                problems.append(
                    _(
                        "collection {collection}, level {number}: {problem}",
                        collection=collection,
                        number=number,
                        problem=printable(error.problem),
                    )
                )
        return levels, problems

    def records(self) -> dict[int, OnlineBest]:
        """Return the figures of the person's own solutions on the server, by the id of the level."""
        answer = self._ask("records")
        found = self._parsed(answer, _unpacked(answer.data))
        if not found:
            return {}  # an empty list, as PHP writes an empty table
        if not isinstance(found, dict):
            raise LetslogicError(_("found no table of records in the answer"))
        records = {}
        for name, each in found.items():
            number = whole_number(name)
            if number is None or not isinstance(each, dict):
                found_name = printable(name)[:20]
                raise LetslogicError(_("found the record {found!r}, expected the number of a level", found=found_name))
            records[number] = OnlineBest(_figures_in(each.get("blue")), _figures_in(each.get("green")))
        return records

    def submit(self, level: int, lurd: str) -> Reply:
        """Send a solution; raises LetslogicError also for an answer that leaves open what became of it."""
        answer = self._ask(f"level/{level}", solution=lurd)
        found = _json_of(answer.data)
        error = _text(found.get("error")) if isinstance(found, dict) else ""
        if any(each in error.lower() for each in _REFUSALS):
            return Reply(is_accepted=False, text=self._shown(error))
        found = self._parsed(answer, answer.data)
        text = _text(found.get("result")) if isinstance(found, dict) else ""
        if not text:
            raise LostError(_("found no result in the answer"))
        return Reply(is_accepted=True, text=self._shown(text))

    def _json(self, path: str) -> object:
        answer = self._ask(path)
        return self._parsed(answer, answer.data)

    def _ask(self, path: str, **fields: str) -> FormAnswer:
        """Send a form until the server is not locked."""
        for attempt in range(_TRIES):
            if attempt:
                self._sleep(_PAUSE)
            try:
                answer = post(f"{self._server}/{path}", {"key": self._key, **fields}, _MOST_BYTES, self._patience)
            except FetchError as error:
                raise LostError(f"{printable(without_password(self._server))}: {self._shown(str(error))}") from None
            if not _is_locked(answer):
                return answer
        raise LetslogicError(_("the server is locked: it was asked {tries} times; try again later", tries=_TRIES))

    def _parsed(self, answer: FormAnswer, data: bytes) -> object:
        found = _json_of(data)
        if isinstance(found, dict) and (error := _text(found.get("error"))):
            raise LetslogicError(_("the server says: {text}", text=self._shown(error)))
        if answer.status != 200:
            said = f"{answer.status} {self._shown(answer.reason)}".rstrip()
            raise LostError(_("the server answered {answer}", answer=said))
        if found is None:
            if not data:
                raise LostError(_("the answer is empty"))
            begin = self._shown(data[:_BEGIN].decode("utf-8", "replace"))[:_SHOWN_BEGIN]
            raise LostError(_("found no JSON in the answer, which begins {begin!r}", begin=begin))
        return found

    def _shown(self, text: str) -> str:
        """Return a text of the server on one line, without the key, should it have been sent back."""
        return printable(text.replace(self._key, "(key)"))[:_LONGEST_TEXT].strip()


def better_ones(own: Best, there: OnlineBest) -> list[Better]:
    """Return which of a person's best solutions are better than what the server has, fewest moves first.

    Moves are compared first and then pushes, or the other way round, as by the server.
    """
    found: dict[Figures, Better] = {}
    if own.by_moves is not None:
        figures = Figures.of(own.by_moves)
        if there.by_moves is None or figures < there.by_moves:
            found[figures] = Better(own.by_moves, ("moves",))
    if own.by_pushes is not None:
        figures = Figures.of(own.by_pushes)
        if there.by_pushes is None or _pushes_first(figures) < _pushes_first(there.by_pushes):
            both = found.get(figures)
            found[figures] = both._replace(by=("moves", "pushes")) if both else Better(own.by_pushes, ("pushes",))
    return list(found.values())


def _pushes_first(figures: Figures) -> tuple[int, int]:
    return figures.pushes, figures.moves


def _objects(found: object, name: str) -> list[dict[str, object]]:
    """Return a list of JSON objects, which may stand under its name."""
    if isinstance(found, dict):
        found = found.get(name)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise LetslogicError(_("found no list of {name} in the answer", name=name))
    return found


def _level(found: dict[str, object], number: int) -> OnlineLevel:
    """Return a level of the API; raises LevelError."""
    known = _whole(found.get("id"))
    if known is None:
        raise LevelError(_("found no number (id)"))
    text = found.get("map")
    if not isinstance(text, str) or not text.strip():
        raise LevelError(_("found no board (map)"))
    rows = _rows(text, found)
    DEFAULT_LIMITS.check_board(max(map(len, rows)), len(rows), 0)
    level = level_from_rows(rows, number=number)
    level = level.replace(
        title=_text(found.get("title")), author=_text(found.get("author")), metadata=(("id", str(known)),)
    )
    best = OnlineBest(
        _figures(found.get("blue_moves"), found.get("blue_pushes")),
        _figures(found.get("green_moves"), found.get("green_pushes")),
    )
    return OnlineLevel(known, level, best)


def _rows(text: str, found: dict[str, object]) -> list[str]:
    """Return the rows of a board: a digit for each square, or lines of XSB."""
    if not (text.isascii() and text.isdigit()):
        return text.splitlines()
    width, height = _whole(found.get("width")), _whole(found.get("height"))
    if not width or not height or width * height != len(text):
        problem = ngettext(
            "found a board of {n} square, expected width times height, {width}x{height}",
            "found a board of {n} squares, expected width times height, {width}x{height}",
            len(text),
            width=width,
            height=height,
        )
        raise LevelError(problem)
    cells = text.translate(_CELLS)
    return [cells[first : first + width] for first in range(0, len(cells), width)]


def _figures_in(found: object) -> Figures | None:
    return _figures(found.get("moves"), found.get("pushes")) if isinstance(found, dict) else None


def _figures(moves: object, pushes: object) -> Figures | None:
    # None may be written as 0.
    first, second = _whole(moves), _whole(pushes)
    return Figures(first, second) if first and second else None


def _whole(found: object) -> int | None:
    """Return a number of JSON, also one in quotes; None for anything else."""
    if isinstance(found, str):
        return whole_number(found)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10**MOST_DIGITS:
        return found
    return None


def _text(found: object) -> str:
    return printable(found).strip() if isinstance(found, str) else ""


def _json_of(data: bytes) -> object:
    """Return the content of JSON; None if it is none.  Raises LostError for more than any answer has."""
    if data.count(b"{") + data.count(b"[") > _MOST_OBJECTS:
        raise LostError(_("found more than {most:,} objects in the answer", most=_MOST_OBJECTS))
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found


def _is_locked(answer: FormAnswer) -> bool:
    found = _json_of(answer.data)
    said = found.get("error") if isinstance(found, dict) else found
    if found is None:
        said = answer.data[:_LONGEST_TEXT].decode("utf-8", "replace")
    return answer.status == _TOO_MANY_REQUESTS or isinstance(said, str) and _LOCKED in said.lower()


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"PK"):
        return data
    unpacked = bytearray()
    try:
        for chunk in read_first(data):
            unpacked += chunk
            if len(unpacked) > _MOST_BYTES:
                raise LetslogicError(_("found records of more than {most:,} bytes", most=_MOST_BYTES))
    except ArchiveError:
        raise LetslogicError(_("found a damaged archive of records")) from None
    return bytes(unpacked)


class Sent(NamedTuple):
    """A solution that the server has accepted or refused, by the id of its level and its figures."""

    level: int
    moves: int
    pushes: int
    is_accepted: int


def keep_collection(store: ProgressStore, server: str, collection: int, title: str) -> None:
    """Queue a collection as fetched for the next save."""
    store.keep(_SAVE_COLLECTION, (server, collection), (server, collection, title))


def kept_collections(store: ProgressStore, server: str) -> dict[int, str]:
    """Return the titles of the collections fetched from a server, by their ids; raises PackError."""
    return dict(store.rows(_COLLECTIONS, (server,), tuple[int, str]))


def keep_sent(store: ProgressStore, person: str, sent: Sent, date: float) -> None:
    """Queue a solution as sent for the next save; ``date`` is in seconds since 1970."""
    store.keep(_SAVE_SENT, (person, *sent[:3]), (person, *sent, date))


def sent_by(store: ProgressStore, person: str) -> list[Sent]:
    """Return what a person has sent; raises PackError."""
    return store.rows(_SENT, (person,), Sent)
