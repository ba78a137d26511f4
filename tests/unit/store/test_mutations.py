"""Mutated files given to every reader of packs: each is read, or refused in one line of its own."""

import sys
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
from tests.unit.store.mutations import MUTATED
from tests.unit.store.stores import open_store, ticking

_LIMITS = ReadLimits(megabytes=1, width=200, height=200, levels=100)


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
@pytest.mark.parametrize("count", [100, pytest.param(20_000, marks=pytest.mark.long)])
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
