"""Client of the letslogic.com API: collections, everyone's best figures, the player's figures, and solutions to send.

Every request is a form with the player's key; every answer is JSON, the records as a file in a ZIP archive. The API has
no public description: this reads what programs that use it agree on (see CONTRIBUTING.md), and ignores unknown fields.
"""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from operator import itemgetter
from time import sleep, time
from typing import NamedTuple
from urllib.parse import urlsplit

from sokoterm.engine.level import Level, LevelError, Pack, level_from_rows
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import Solution, until_last_push, verify
from sokoterm.engine.text import MOST_DIGITS, printable, whole_number
from sokoterm.formats.limits import DEFAULT_LIMITS
from sokoterm.formats.registry import write
from sokoterm.language import _, ngettext
from sokoterm.store.adding import Added, LibraryFolder
from sokoterm.store.archives import ArchiveError, read_first
from sokoterm.store.fetch import PATIENCE, FetchError, FormAnswer, Patience, post, without_password
from sokoterm.store.library import LibraryIndex
from sokoterm.store.library_folder import safe_name
from sokoterm.store.packs import pack_from_bytes
from sokoterm.store.paths import library_file, packs_dir
from sokoterm.store.progress import ProgressStore

SERVER = "https://letslogic.com/api/v1"

# A person who has solved every level gets about 6 MB of records, three objects per level. Parsed JSON takes up to
# 35 times its size, and 60 kB of ZIP may unpack to 64 MB.
_MOST_BYTES = 16 << 20
_MOST_OBJECTS = 500_000
_TRIES = 5
_PAUSE = 0.5  # seconds
_LOCKED = "api locked"
_TOO_MANY_REQUESTS = 429
# Errors about the solution rather than the key or the server.
_REFUSALS = ("invalid solution", "level does not exist")
# The digits of a map.
_CELLS = str.maketrans("01234567", " #@$.*+ ")
_LONGEST_TEXT = 300
# The start of an answer that is not JSON: bytes searched for the key, and characters shown.
_BEGIN, _SHOWN_BEGIN = 1000, 40

ACCEPTED, REFUSED, UNKNOWN, NOT_SENT = "accepted", "refused", "unknown", "not sent"
"""Status of a solution to send."""

_FOLDER = "letslogic"  # of the library, for fetched packs
_PATIENCE = 10.0  # seconds to wait for another session that writes the index
_FIGURES = ("best_moves", "best_pushes", "there_moves", "there_pushes", "here_moves", "here_pushes")

_SAVE_COLLECTION = "INSERT OR REPLACE INTO letslogic_collection VALUES (?, ?, ?)"
_COLLECTIONS = "SELECT id FROM letslogic_collection WHERE server = ? ORDER BY id"
_SAVE_BEST = "INSERT OR REPLACE INTO letslogic_best VALUES (?, ?, ?)"
_SAVE_SENT = "INSERT OR REPLACE INTO letslogic_sent VALUES (?, ?, ?, ?, ?, ?)"
_SENT = "SELECT level, moves, pushes, is_accepted FROM letslogic_sent WHERE person = ?"


class LetslogicError(Exception):
    """No usable answer; the error's text is one line that says why."""


class LostError(LetslogicError):
    """No answer, or an unintelligible one: the outcome of the request is unknown."""


class OnlineCollection(NamedTuple):
    """A collection on the server, with its number of ``levels``."""

    id: int
    title: str
    author: str = ""
    levels: int = 0


Figures = tuple[int, int]
"""The moves and pushes of one solution."""

OnlineBest = tuple[Figures | None, Figures | None]
"""The figures of the solutions with the fewest moves and the fewest pushes, None where there is none."""

OnlineLevel = tuple[int, Level, OnlineBest]
"""The id of a level, the level with its place in the collection as number, and the best of all players."""


class SiteLevel(NamedTuple):
    """A level on the server with its figures by name: of all players, of the player there, and here.

    ``better`` has the solutions here that beat the player's own there, with the metrics by which they do.
    """

    collection: int
    id: int
    level: Level
    figures: Mapping[str, Figures | None]
    better: Mapping[Solution, Sequence[str]]


class Parcel(NamedTuple):
    """A solution to send; once sent, its status and the server's answer."""

    row: SiteLevel
    solution: Solution
    status: str = NOT_SENT
    answer: str = ""

    @property
    def figures(self) -> Figures:
        return self.solution.moves, self.solution.pushes


class Fetched(NamedTuple):
    """A collection added as a pack, its name in the library, and a line for each unusable level."""

    collection: OnlineCollection
    name: str
    added: Added
    problems: Sequence[str]


class Compared(NamedTuple):
    """The levels of some collections, the solutions to send, and a line for each unusable level."""

    rows: Sequence[SiteLevel]
    parcels: Sequence[Parcel]
    problems: Sequence[str]


Told = str | Sequence[OnlineCollection] | Fetched | Compared | Parcel
"""The result of a request; a text is the reason why it failed."""


class Letslogic:
    """The API for one person; its methods raise LetslogicError.

    A request answered with "API Locked" is repeated after half a second, five times in all; ``sleep`` waits. ``server``
    is its address without a password. ``arrived`` is the bytes of the current answer received so far and their total, 0
    if unknown. Another thread may set ``is_cancelled`` to stop all requests and reading.
    """

    arrived = (0, 0)
    is_cancelled = False

    def __init__(self, server: str, key: str, sleep: Callable[[float], None], patience: Patience = PATIENCE) -> None:
        self._server = server.rstrip("/")
        self.server = without_password(self._server)
        self._key = key
        self._sleep = sleep
        self._patience = patience

    @property
    def person(self) -> str:
        """Pseudonym of this person on this server, from which the key cannot be derived."""
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
        """Return the levels of a collection, and a line for each unusable one."""
        levels, problems = [], []
        for number, each in enumerate(_objects(self._json(f"collection/{collection}"), "levels"), start=1):
            try:
                levels.append(_level(each, number))
            except LevelError as error:
                where = {"collection": collection, "number": number, "problem": printable(error.problem)}
                problems.append(_("collection {collection}, level {number}: {problem}", **where))
        return levels, problems

    def records(self) -> dict[int, OnlineBest]:
        """Return the figures of the player's own solutions on the server, by level id."""
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
            records[number] = _figures(each.get("blue")), _figures(each.get("green"))
        return records

    def submit(self, level: int, lurd: str) -> tuple[bool, str]:
        """Send a solution; return whether it was accepted, and the answer. Raises LetslogicError if that is unknown."""
        answer = self._ask(f"level/{level}", solution=lurd)
        found = _json_of(answer.data)
        error = _text(found.get("error")) if isinstance(found, dict) else ""
        if any(each in error.lower() for each in _REFUSALS):
            return False, self._shown(error)
        found = self._parsed(answer, answer.data)
        text = _text(found.get("result")) if isinstance(found, dict) else ""
        if not text:
            raise LostError(_("found no result in the answer"))
        return True, self._shown(text)

    def _json(self, path: str) -> object:
        answer = self._ask(path)
        return self._parsed(answer, answer.data)

    def _ask(self, path: str, **fields: str) -> FormAnswer:
        """Send a form, again while the server is locked."""
        for attempt in range(_TRIES):
            if attempt:
                self._sleep(_PAUSE)
            try:
                self.check()
                form = {"key": self._key, **fields}
                answer = post(f"{self._server}/{path}", form, _MOST_BYTES, self._patience, self.check)
            except FetchError as error:
                place = printable(urlsplit(self.server).netloc)
                raise LostError(f"{place}: {self._shown(str(error))}") from None
            if not _is_locked(answer):
                return answer
        raise LetslogicError(_("the server is locked: it was asked {tries} times; try again later", tries=_TRIES))

    def check(self, arrived: int = 0, length: int = 0) -> None:
        """Note how much has arrived; raises LetslogicError if the request was cancelled."""
        self.arrived = arrived, length
        if self.is_cancelled:
            raise LetslogicError(_("cancelled"))

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
        """Return a server's text on one line, without the key in case it was echoed."""
        return printable(text.replace(self._key, "(key)"))[:_LONGEST_TEXT].strip()


def with_figures(best: OnlineBest, more: Sequence[Figures]) -> OnlineBest:
    """Return the best of these and other figures."""
    by_moves, by_pushes = ([each for each in (one, *more) if each is not None] for one in best)
    return min(by_moves, default=None), min(by_pushes, key=itemgetter(1, 0), default=None)


def better_ones(
    own: Sequence[Solution | None], there: OnlineBest, refused: Sequence[Figures] = ()
) -> dict[Solution, list[str]]:
    """Return which of a player's best solutions, by moves and by pushes, beat the server's, and by which metrics.

    Ties are decided by the other figure, as on the server; figures that it has ``refused`` are left out.
    """
    found: dict[Solution, list[str]] = {}
    for solution, theirs, (metric, turn) in zip(own, there, (("moves", 1), ("pushes", -1)), strict=True):
        figures = (solution.moves, solution.pushes) if solution is not None else None
        if solution is None or figures is None or figures in refused:
            continue
        if theirs is None or figures[::turn] < theirs[::turn]:
            found.setdefault(solution, []).append(metric)
    return found


def _objects(found: object, name: str) -> list[dict[str, object]]:
    """Return a list of JSON objects, which may be nested under its name."""
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
    title, author = _text(found.get("title")), _text(found.get("author"))
    level = level_from_rows(rows, number=number).replace(title=title, author=author, metadata=(("id", str(known)),))
    return known, level, (_figures(found, "blue_"), _figures(found, "green_"))


def _rows(text: str, found: dict[str, object]) -> list[str]:
    """Return the rows of a board given as one digit per square or as lines of XSB."""
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


def _figures(found: object, metric: str = "") -> Figures | None:
    fields = found if isinstance(found, dict) else {}
    moves, pushes = _whole(fields.get(f"{metric}moves")), _whole(fields.get(f"{metric}pushes"))
    return (moves, pushes) if moves and pushes else None  # none may be written as 0


def _whole(found: object) -> int | None:
    """Return a whole number, possibly in quotes; None for anything else."""
    if isinstance(found, str):
        return whole_number(found)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10**MOST_DIGITS:
        return found
    return None


def _text(found: object) -> str:
    return printable(found).strip()[:_LONGEST_TEXT] if isinstance(found, str) else ""


def _json_of(data: bytes) -> object:
    """Parse JSON; None if it is invalid. Raises LostError for more objects than any real answer has."""
    if data.count(b"{") + data.count(b"[") > _MOST_OBJECTS:
        raise LostError(_("the answer has more than {most:,} objects", most=_MOST_OBJECTS))
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
                raise LetslogicError(_("the records are larger than {most:,} bytes", most=_MOST_BYTES))
    except ArchiveError:
        raise LetslogicError(_("the archive of records is damaged")) from None
    return bytes(unpacked)


class Account(Letslogic):
    """A person's account, recorded in ``progress``; its requests raise LetslogicError and PackError."""

    def __init__(self, key: str, folder: str, progress: ProgressStore, server: str = "") -> None:
        """``folder`` is the data folder."""
        super().__init__(server or SERVER, key, sleep)
        self._folder, self.progress = folder, progress

    @property
    def fetched(self) -> list[int]:
        """The ids of the collections that were fetched, in order."""
        return self.progress.rows(_COLLECTIONS, (self.server,), int)

    def fetch(self, number: int) -> Fetched:
        """Add a collection to the library as a pack."""
        collection = next((each for each in self.collections() if each.id == number), None)
        if collection is None:
            raise LetslogicError(_("the server has no collection {number}", number=number))
        online, problems = self.levels(number)
        if not online:
            raise LetslogicError(_("collection {number} has no usable level", number=number))
        levels, metadata = tuple(each[1] for each in online), (("id", str(number)),)
        data = write(Pack(collection.title, levels, author=collection.author, metadata=metadata), "xsb").data
        name, packs = f"{_FOLDER}/{safe_name(collection.title)}", packs_dir(self._folder)
        index = LibraryIndex.open(library_file(self._folder), time, _PATIENCE)
        try:
            self.check()
            library = LibraryFolder(packs, index, lambda __: None)
            added = library.add(pack_from_bytes(data, f"{_FOLDER}-{number}.txt")._replace(name=name))
        finally:
            index.close()
        entry = (self.server, number)
        self.progress.keep(_SAVE_COLLECTION, entry, (*entry, collection.title))
        self._keep_best(online)
        return Fetched(collection, os.path.relpath(added.path, packs), added, problems)

    def compare(self, collections: Sequence[int], key: str = "") -> Compared:
        """Compare the player's solutions there and here in some collections, or only in levels of the hash ``key``."""
        sent, rows, every = defaultdict[tuple[int, int], list[Figures]](list), list[SiteLevel](), list[str]()
        records = self.records()
        for one, moves, pushes, is_accepted in self.progress.rows(_SENT, (self.person,), tuple[int, int, int, int]):
            sent[one, is_accepted].append((moves, pushes))
        for collection in collections:
            online, problems = self.levels(collection)
            every += problems
            self._keep_best(online)
            for number, level, best in online:
                if key in ("", level_hash(level)):
                    there = with_figures(records.get(number, (None, None)), sent[number, 1])
                    own = self.progress.best(level)
                    here = [each and until_last_push(each) for each in (own.by_moves, own.by_pushes)]
                    figures = (*best, *there, *(each and (each.moves, each.pushes) for each in here))
                    better = better_ones(here, there, sent[number, 0])
                    rows.append(SiteLevel(collection, number, level, dict(zip(_FIGURES, figures, strict=True)), better))
        return Compared(rows, [Parcel(row, solution) for row in rows for solution in row.better], every)

    def send(self, parcel: Parcel) -> Parcel:
        """Send a solution and store the outcome."""
        row, solution = parcel.row, parcel.solution
        verify(row.level.board, row.level.start, solution.lurd)
        is_accepted, text = self.submit(row.id, solution.lurd)
        sent = (self.person, row.id, *parcel.figures)
        self.progress.keep(_SAVE_SENT, sent, (*sent, int(is_accepted), time()))
        self.progress.save_rows()
        return parcel._replace(status=ACCEPTED if is_accepted else REFUSED, answer=text)

    def _keep_best(self, levels: Sequence[OnlineLevel]) -> None:
        for __, level, (by_moves, by_pushes) in levels:
            key = level_hash(level)
            best = (by_moves and by_moves[0], by_pushes and by_pushes[1])
            self.progress.keep(_SAVE_BEST, (key,), (key, *best))
        self.progress.save_rows()
