"""Packs written: several packs merged into one, in a format, to a file or stdout."""

from collections.abc import Iterable, Sequence

from sokoterm.commands.support.output import complain, write_data
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.record import replay
from sokoterm.formats.records import kind
from sokoterm.formats.registry import write
from sokoterm.formats.scan import REMARKS

# Most titles of collections in the title of one.
_TITLES = 3


def write_pack(path: str | None, pack: Pack, name: str) -> None:
    """Write a pack in a format to ``path``; to stdout for None and ``-``.  Reports on stderr what the format lacks.

    Raises InputError if the file cannot be written.
    """
    written = write(pack, name)
    write_data(path, written.data)
    if written.lost:
        complain(f"{name} cannot hold: {', '.join(written.lost)}")


def merged(packs: Sequence[Pack]) -> Pack:
    """Merge packs into one with the levels of all.

    Texts that all packs share stay texts of the pack.  Other authors go to their levels, other texts to the comment,
    each below the title of its collection.  If the titles differ, each level gets the key ``collection``: the title of
    its collection and its number there.  Of solutions with the same moves the first is kept.
    """
    titles = _distinct(pack.title for pack in packs)
    title = " + ".join(titles[:_TITLES])
    if len(titles) > _TITLES:
        title += f" and {len(titles) - _TITLES} more"
    authors = {pack.author for pack in packs}
    author = authors.pop() if len(authors) == 1 else ""
    levels: list[Level] = []
    for pack in packs:
        for level in pack.levels:
            level_author = level.author or ("" if author else pack.author)
            metadata = level.metadata
            if len(titles) > 1 and pack.title and not any(key == "collection" for key, _ in metadata):
                metadata = (*metadata, ("collection", f"{pack.title} {level.number}"))
            records = _without_repeats(level)
            levels.append(level._replace(author=level_author, metadata=metadata, records=records))
    common = [pair for pair in packs[0].metadata if all(pair in pack.metadata for pack in packs)] if packs else []
    return Pack(
        title,
        tuple(level._replace(number=number) for number, level in enumerate(levels, start=1)),
        author=author,
        comment=_comment(packs, common),
        metadata=(*_remarks(packs), *(pair for pair in dict.fromkeys(common) if pair[0] != REMARKS)),
    )


def _remarks(packs: Sequence[Pack]) -> tuple[tuple[str, str], ...]:
    """Merge the remarks of packs; if they differ, each is below the title of its pack."""
    remarks = {pack.title: value for pack in packs for key, value in pack.metadata if key == REMARKS}
    if len(set(remarks.values())) > 1:
        return ((REMARKS, "\n\n".join(f"{title}\n{value}" for title, value in remarks.items())),)
    return tuple((REMARKS, value) for value in dict.fromkeys(remarks.values()))


def _comment(packs: Sequence[Pack], common: Sequence[tuple[str, str]]) -> str:
    """Merge all that the packs do not have in common; if it differs, each part is below the title of its pack."""
    said = []
    for pack in packs:
        own = [f"{key}: {value}" for key, value in pack.metadata if (key, value) not in common and key != REMARKS]
        said.append("\n".join(filter(None, [*own, pack.comment.strip("\n")])))
    if len(set(said)) == 1:
        return said[0]
    titles: dict[str, list[str]] = {text: [] for text in said if text}
    for pack, text in zip(packs, said, strict=True):
        if text:
            titles[text].append(pack.title)
    return "\n\n".join("\n".join(filter(None, [*dict.fromkeys(some), text])) for text, some in titles.items())


def _without_repeats(level: Level) -> tuple[Record, ...]:
    """Return the records of a level, of equal moves the first, with the notes of another if it has none."""
    if len(level.records) < 2:
        return level.records
    found: dict[tuple[str, str], Record] = {}
    for record in level.records:
        solution = replay(level, record).solution
        key = (kind(record), solution.lurd if solution else record.moves)
        first = found.setdefault(key, record)
        if not first.notes and record.notes:
            found[key] = first._replace(notes=record.notes)
    return tuple(found.values())


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(filter(None, dict.fromkeys(texts)))
