"""Levels that a query finds, to be played one after the other: a pack of this session, as pasted ones are.

Each level notes the pack and number it comes from. Solutions and open plays are its own, as they are kept by level.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

from sokoterm.app.catalog import Catalog, LevelSort
from sokoterm.app.pack_session import PackSession
from sokoterm.app.pasted import Pasted, list_pasted
from sokoterm.engine.level import Level, Pack
from sokoterm.formats.registry import write
from sokoterm.store.library import LevelRow
from sokoterm.store.packs import PackError, PackFile, natural_key, pack_from_bytes
from sokoterm.store.query import Query

MOST_LEVELS = 500
"""The levels of a series: to read more packs would keep the player waiting."""

_RANKS: Mapping[LevelSort, Callable[[LevelRow], Any]] = MappingProxyType(
    {
        LevelSort.DIFFICULTY: lambda row: row.hard,
        LevelSort.BOXES: lambda row: row.boxes,
        LevelSort.SIZE: lambda row: row.width * row.height,
        LevelSort.TITLE: lambda row: (not row.title, natural_key(row.title)),
        LevelSort.UNSOLVED: lambda row: row.is_solved,
    }
)


def levels_found(
    query: Query, files: Sequence[PackFile], catalog: Catalog, open_pack_session: Callable[[PackFile], PackSession]
) -> Iterator[tuple[Pack, Level]]:
    """Yield the levels of indexed packs that answer a query in the order of lists, each with its pack.

    Pasted packs and earlier series are passed over.
    """
    lasting = {file.key: file for file in files if not file.is_pasted}
    rows = catalog.find_levels(list(lasting.values()), query)
    if catalog.sort in _RANKS:
        rows = sorted(rows, key=_RANKS[catalog.sort])
    packs: dict[str, Pack | None] = {}
    for row in rows:
        if row.key not in packs:
            try:
                packs[row.key] = open_pack_session(lasting[row.key]).pack
            except PackError:
                packs[row.key] = None
        pack = packs[row.key]
        level = pack.find_level(row.number) if pack is not None else None
        if pack is not None and level is not None:
            yield pack, level


def open_series(
    text: str,
    found: Iterable[tuple[Pack, Level]],
    files: list[PackFile],
    catalog: Catalog,
    open_pack_session: Callable[[PackFile], PackSession],
) -> Pasted | None:
    """Open the first levels found as a pack called ``text``, and list it; None if there are none.

    Raises PackError.
    """
    levels = [_noted(pack, level, place) for place, (pack, level) in enumerate(islice(found, MOST_LEVELS), start=1)]
    if not levels:
        return None
    data = write(Pack(text, tuple(levels)), "sok").data
    file = pack_from_bytes(data)._replace(path=text, name=text, is_pasted=True, is_series=True)
    file = next((each for each in files if each.key == file.key), file)
    pack_session = open_pack_session(file)
    number = pack_session.start_number()
    if number is None:
        return None
    list_pasted(file, files, catalog)
    return Pasted(file, pack_session, number)


def _noted(pack: Pack, level: Level, place: int) -> Level:
    """Return a level for another pack: with its author, the place it comes from, and without records."""
    origin = ("collection", f"{pack.title} {level.number}")
    has_origin = any(key == "collection" for key, _ in level.metadata)
    metadata = level.metadata if has_origin else (*level.metadata, origin)
    return level._replace(number=place, author=level.author or pack.author, metadata=metadata, records=())
