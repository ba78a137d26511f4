"""Names, for a person, of the fields that a format cannot hold."""

from collections.abc import Collection, Iterable, Iterator

from sokoterm.engine.level import Pack, Record

_PACK_FIELDS = ("title", "author", "comment")
_LEVEL_FIELDS = {"title": "titles of levels", "author": "authors of levels", "comment": "comments of levels"}


def lost_fields(
    pack: Pack, *, pack_fields: Collection[str] = (), level_fields: Collection[str] = (), records: bool = False
) -> Iterator[str]:
    """Yield a name for each field of the pack that is not among those held; keys of metadata count as fields.

    ``records`` is true if solutions and saved games are held.
    """
    for field in _PACK_FIELDS:
        if field not in pack_fields and getattr(pack, field):
            yield f"{field} of the collection"
    for key in _keys(pack.metadata):
        if key not in pack_fields:
            yield f"{key} of the collection"
    for field, words in _LEVEL_FIELDS.items():
        if field not in level_fields and any(getattr(level, field) for level in pack.levels):
            yield words
    for key in _keys(pair for level in pack.levels for pair in level.metadata):
        if key not in level_fields:
            yield f"{key} of levels"
    if not records:
        yield from (kind(record) for level in pack.levels for record in level.records)


def kind(record: Record) -> str:
    """Return "saved games" or "solutions", judged by the title of a record; an untitled record is a solution."""
    title = record.title.lower()
    return "saved games" if "save" in title or "snapshot" in title else "solutions"


def _keys(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return list(dict.fromkeys(key for key, _ in pairs))
