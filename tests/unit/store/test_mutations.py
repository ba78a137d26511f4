"""Mutated files given to every reader of packs: each is read, or refused in one line of its own.

Every field of them is mutated, reproducible by seed: archives, gzip, XML and text.
"""

import gzip
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from traceback import format_exc

import pytest

from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.registry import FORMATS, write
from sokoterm.store import paths
from sokoterm.store.exchange import merge
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackError, PackFile, added_packs, find_packs, open_pack, pack_from_bytes, stamp_of
from tests.unit.store.archived import BOARD, zipped, zipped_64
from tests.unit.store.stores import open_store, ticking

_LIMITS = ReadLimits(megabytes=1, width=200, height=200, levels=100)
# By signature, the sizes in bytes of the fields of a zip header after it.
_HEADERS = {
    b"PK\3\4": (2, 2, 2, 2, 2, 4, 4, 4, 2, 2),
    b"PK\1\2": (2, 2, 2, 2, 2, 2, 4, 4, 4, 2, 2, 2, 2, 2, 4, 4),
    b"PK\5\6": (2, 2, 2, 2, 4, 4, 2),
    b"PK\6\6": (8, 2, 2, 4, 4, 8, 8, 8, 8),
    b"PK\6\7": (4, 8, 4),
    b"\1\0\x18\0": (8, 8, 8),  # the 64-bit extra field, its own size in front
}
_NAMES = (
    *("a" * 300, "1" * 5000, "٣" * 5000, "x/" * 400 + "y"),
    *("..", "/x", "C:x", ".h", "__MACOSX/a", "\x1b[2J", "\x00", "ﬀ"),
)
_SLC, _SSX, _TEXT = (
    (Path(__file__).parents[2] / "data" / "mutated" / f"sample.{suffix}").read_text("utf-8")
    for suffix in ("slc", "ssx", "txt")
)
_WORDS = (
    *"#@$.*+-_|()[]{};:><&'\"/\n\r\t \0\x1b\x85\u2028\u202e\ufeff\ud800\U0010ffffé01²",
    *("\r\n", "9" * 5, "9" * 9, "9" * 5000, "-1", "1e999", "٣" * 20, "٣" * 5000, "Time: 999999999:59:59"),
    *("9(" * 40, ")" * 40, "9(#)", "#" * 1500, "\n#" * 1500, "lurdLURD", "l9" * 50, "0-0", "999999-999999", "```"),
    *("Title:", "Author:", "Comment:", "Comment-End:", "Solution:", "Savegame", "Date:", "Set:"),
    *("<L>", "</L>", "<Level>", "</Level>", "<LevelCollection>", "<Map>", "</Map>", "<Row>", "</Row>", "<x>", "</x>"),
    *("<Solution>", "</Solution>", "<x>" * 60, "<?x ?>", "<!DOCTYPE a [", "]>", "<!ENTITY a 'b'>", "xmlns:a='b'"),
    *('Id="', "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&#0;", "&#x110000;", "&x;"),
    *("utf-16", "utf-7", "idna", "zlib", "rot13", "undefined", "unicode_escape", "euc_kr", "iso-2022-jp"),
)
_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-7", "latin-1", "cp437", "gb18030", "cp037")


def _number(random: Random, size: int) -> bytes:
    """Return a number of so many bytes at which counting may go wrong, or a random one."""
    top = 1 << 8 * size
    edges = (0, 1, 2, top // 2 - 1, top // 2, top - 1, top - 2, 8, 9, 12, 30, 46, 0x2041, 0x800, 0xFFFF, 0xFFFFFFFF)
    figure = random.choice(edges) + random.randint(-1, 1) if random.random() < 0.8 else random.getrandbits(8 * size)
    return (figure % top).to_bytes(size, "little")


def _flipped(random: Random, data: bytes) -> bytes:
    """Change, remove, insert, move or truncate some bytes."""
    changed = bytearray(data)
    for _ in range(random.randint(0, 3)):
        place = random.randint(0, len(changed))
        match random.randrange(4):
            case 0:
                changed[place : place + 1] = random.randbytes(1)
            case 1:
                del changed[place : place + random.choice((1, 2, 4, 8, 30))]
            case 2:
                changed[place:place] = random.choice((b"\0", b"\xff" * 8, b"PK\5\6", b"PK\6\6", b"PK\1\2", b"\x1f\x8b"))
            case 3:
                from_here = random.randint(0, len(changed))
                changed[place:place] = changed[from_here : from_here + random.choice((4, 20, 46, 100))]
    if random.random() < 0.1:
        del changed[random.randint(0, len(changed)) :]
    return bytes(changed)


def _zip(random: Random) -> bytes:
    name = random.choice(_NAMES) if random.random() < 0.3 else "x.txt"
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    content = random.choice((BOARD, "words", "", BOARD * 200, _TEXT, _SLC, zipped({"a": BOARD}), gzip.compress(b"x")))
    data = random.choice((zipped_64(), zipped({"a.txt": BOARD, name: content, "z/10.xsb": BOARD}, method)))
    changed = bytearray(data)
    places = [
        (place + 4 + sum(sizes[:index]), size)
        for signature, sizes in _HEADERS.items()
        for place in range(len(data))
        if data.startswith(signature, place)
        for index, size in enumerate(sizes)
    ]
    for place, size in random.sample(places, random.randint(1, 4)):
        changed[place : place + size] = _number(random, size)[: len(data) - place]
    return _flipped(random, bytes(changed)) if random.random() < 0.3 else bytes(changed)


def _gzip(random: Random) -> bytes:
    data = gzip.compress(random.choice((BOARD, _TEXT, _SLC, "")).encode()) * random.randint(1, 3)
    changed = bytearray(data)
    for _ in range(random.randint(0, 2)):
        changed[random.randrange(10)] = random.choice((0, 1, 2, 4, 8, 16, 31, 255))
    return _flipped(random, bytes(changed))


def _words(random: Random, text: str) -> bytes:
    """Insert words and move lines, and encode the text in some way."""
    lines = text.splitlines(keepends=True)
    for _ in range(random.randint(0, 3)):
        place = random.randrange(len(lines))
        match random.randrange(4):
            case 0:
                lines[place] = lines[random.randrange(len(lines))]
            case 1:
                lines[place] *= random.choice((0, 2, 50))
            case _:
                column = random.randint(0, len(lines[place]))
                cut = column + random.choice((0, 0, 1, 5))
                lines[place] = lines[place][:column] + random.choice(_WORDS) + lines[place][cut:]
    encoding = random.choice(_ENCODINGS) if random.random() < 0.3 else "utf-8"
    data = "".join(lines).encode(encoding, "surrogatepass" if encoding.startswith("utf-") else "replace")
    return _flipped(random, data) if random.random() < 0.3 else data


MUTATED: dict[str, Callable[[Random], bytes]] = {
    "zip": _zip,
    "gzip": _gzip,
    "slc": lambda random: _words(random, _SLC),
    "ssx": lambda random: _words(random, _SSX),
    "text": lambda random: _words(random, _TEXT),
}
"""By kind, a mutated file for the random numbers that are given."""


class Reader:
    """Every reader of packs, in a folder; an unforeseen exception fails the test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "packs"
        self._folder.mkdir()
        self._index = LibraryIndex.open(str(folder / "library.db"), ticking())
        self._store = open_store(folder)

    def read(self, data: bytes, name: str) -> None:
        path = self._folder / name
        path.write_bytes(data)
        said: list[str] = []
        files = [pack_from_bytes(data), *added_packs(str(self._folder), self._index.stamps())]
        for place in (self._folder, path):
            try:
                files += find_packs(str(place), _LIMITS)
            except PackError as error:
                said.append(str(error))
        for file in files:
            said += self._open(file)
        assert all(map(str.isprintable, said))
        assert (self._index.notices, self._store.notices) == ([], [])

    def _open(self, file: PackFile) -> list[str]:
        """Do everything with a pack that the program does; return why it cannot be read."""
        try:
            stamp = stamp_of(file)
            pack = open_pack(file, limits=_LIMITS)
            self._index.learn(file, pack, stamp)
        except PackError as error:
            return [str(error)]
        numbers = [level.number for level in pack.levels] + [error.level for error in pack.errors]
        assert sorted(numbers) == list(range(1, pack.size + 1))
        merge(self._store, pack, file.source, 0.0)
        for name in FORMATS:
            write(pack, name)
        return []

    def close(self) -> None:
        self._index.close()
        self._store.close()


def _no_log(_: str) -> str:
    raise AssertionError(format_exc())


@pytest.mark.parametrize("kind", MUTATED)
@pytest.mark.parametrize("count", [60, pytest.param(20_000, marks=pytest.mark.long)])
def test_mutated_files_are_read_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, count: int
) -> None:
    monkeypatch.setattr(paths, "log_crash", _no_log)
    reader = Reader(tmp_path)
    for seed in range(count):
        data = MUTATED[kind](Random(f"{kind} {seed}"))
        try:
            reader.read(data, "a.txt")
        except BaseException:
            print(f"{kind} {seed}", file=sys.stderr)
            raise
    reader.close()
