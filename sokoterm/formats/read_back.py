"""Check of a file before it replaces anything: read back, it has every level and text of its pack, whole."""

from collections import Counter
from collections.abc import Collection, Iterable

from sokoterm.engine.level import Level, LevelError, Pack
from sokoterm.engine.levelhash import exact_id
from sokoterm.formats.limits import UNLIMITED
from sokoterm.formats.registry import FORMATS, Holds, Written, cleaned, parse
from sokoterm.formats.variant_keys import without_kinds
from sokoterm.formats.write_text import as_text_has_it
from sokoterm.language import N_, _

_FIELDS = ("title", "author")
MISREAD = N_("not written: it would not be read back as it is")


def check_read_back(written: Written, pack: Pack, name: str, source: str = "") -> None:
    """Raise LevelError for the first level of a pack that its file does not hold whole, or for the pack's own texts.

    Boards, colours, ice and the words of texts are compared, and records, but for what is ``lost``; ``source`` names
    the file.
    """
    pack, holds = cleaned(pack), FORMATS[name].holds
    there = parse(written.data, source, "utf-8", UNLIMITED)
    rest = iter(there.levels)
    found = next(rest, None)
    for level in pack.levels:
        if found is not None and _is_whole(found, level, holds, has_lost=bool(written.lost)):
            found = next(rest, None)
        elif holds is None or holds.every_level:
            raise LevelError(_(MISREAD), source=source, level=level.number, title=level.title)
    if found is not None or holds is None and not _has_texts(there, pack._replace(title=pack.title or there.title)):
        raise LevelError(_(MISREAD), source=source)


def _is_whole(found: Level, level: Level, holds: Holds | None, *, has_lost: bool) -> bool:
    if holds is not None:
        kept = without_kinds(level, keeps_colors=holds.colors)
        return exact_id(found) == exact_id(kept) and _has_fields(found, level, holds.level_fields)
    level = as_text_has_it(level, [])
    wanted, moves = ([record.moves for record in each.records] for each in (level, found))
    has_records = moves == wanted or has_lost and Counter(moves) <= Counter(wanted)
    return found.position == level.position and has_records and _has_texts(found, level)


def _has_texts(found: Pack | Level, owner: Pack | Level) -> bool:
    """True if all texts are there, none twice, and no others; keys that are unknown to text may be in the comment."""
    if not (found.comment or found.metadata or owner.comment or owner.metadata):
        return _has_fields(found, owner, _FIELDS)
    least = _words([owner.comment, *(value for _, value in owner.metadata)])
    most = _words([owner.comment, *(f"{key}: {value}" for key, value in owner.metadata)])
    there = _words([found.comment, *(value for _, value in found.metadata)])
    return least <= there <= most and _has_fields(found, owner, _FIELDS)


def _has_fields(found: Pack | Level, owner: Pack | Level, fields: Collection[str]) -> bool:
    return all(getattr(found, each).split() == getattr(owner, each).split() for each in _FIELDS if each in fields)


def _words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in text.split())
