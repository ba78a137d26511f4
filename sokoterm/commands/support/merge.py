"""Several packs as one, for a file of one of the formats that are written."""

from collections.abc import Iterable, Sequence

from sokoterm.engine.level import Level, Pack, Record
from sokoterm.engine.record import replay
from sokoterm.formats.records import kind
from sokoterm.formats.scan import REMARKS

# How many titles of collections fit into the title of one.
_TITLES = 3


def merged(packs: Sequence[Pack]) -> Pack:
    """One pack with the levels of all.

    Texts that are the same in all of them stay as they are, an author else stands beside the levels, and what there
    is to say of each collection below its title in the comment.  Where the collections differ in their titles, each
    level has the key ``collection``: the title of its own and its number there.  Of solutions that make the same
    moves the first stays.
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
    """The remarks of all packs as those of one, each below the title of its own where there are several."""
    remarks = {pack.title: value for pack in packs for key, value in pack.metadata if key == REMARKS}
    if len(set(remarks.values())) > 1:
        return ((REMARKS, "\n\n".join(f"{title}\n{value}" for title, value in remarks.items())),)
    return tuple((REMARKS, value) for value in dict.fromkeys(remarks.values()))


def _comment(packs: Sequence[Pack], common: Sequence[tuple[str, str]]) -> str:
    """What there is to say of the packs beside what they have in common, below their titles where it differs."""
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
    """The records of a level, of those with equal moves the first, with the notes of another where it has none."""
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
