"""Files that verbs write, whole or not at all: data, and packs in any format, several of them merged into one."""

import os
import re
from collections.abc import Iterable, Sequence

from sokoterm.commands.support.levels import Chosen
from sokoterm.commands.support.output import InputError, complain, not_written, print_data
from sokoterm.commands.support.parser import Option, Parser
from sokoterm.engine.level import Level, Pack, Record
from sokoterm.formats.grammar import REMARKS
from sokoterm.formats.registry import FORMATS, check_read_back, write
from sokoterm.formats.uniting import author_of, in_letters, remarks_of, without_repeats
from sokoterm.language import _, listed, ngettext
from sokoterm.store.whole_files import move_to_free, unfinished, write_whole

# Most titles of collections in the title of one.
_TITLES = 3
# Most letters of texts of several collections above the boards: some hundred lines.
_MOST_TEXTS = 1 << 15
# A line that counts the levels of its collection.
_COUNT = re.compile(r"\s*(?:number of )?(?:levels|puzzles)\s*[:=]\s*([0-9]{1,9})\s*", re.IGNORECASE)


def write_data(path: str | None, data: bytes) -> None:
    """Write a file of text to ``path``; to stdout for None and ``-``."""
    if path in (None, "-"):
        print_data(data)
    else:
        write_file(path, data)


def write_file(path: str, data: bytes, mode: int | None = None) -> None:
    """Write a whole file or change nothing, as ``write_whole`` does; raises InputError if it cannot be written."""
    try:
        write_whole(path, data, mode)
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from None


def write_new_file(path: str, data: bytes) -> bool:
    """Write a whole new file; False if there is one of this name by now.  Raises InputError."""
    try:
        with unfinished(path, data) as new:
            move_to_free(new, path)
    except FileExistsError:
        return False
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from None
    return True


def _not_written(path: str, error: OSError | ValueError) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return not_written(path, reason)


def output_flag(parser: Parser) -> Option[str | None]:
    """Add the flag --output of a verb that writes a pack."""
    text = _("write to this file; else, or with -, to stdout")
    return parser.flag("-o", "--output", metavar="OUT", help=text)


def format_flag(parser: Parser) -> Option[str | None]:
    """Add the flag --to for the format of a pack."""
    text = _("{formats}; default: suffix of OUT", formats=" ".join(FORMATS))
    return parser.flag("--to", choices=tuple(FORMATS), metavar="FORMAT", help=text)


def texts_flag(parser: Parser) -> Option[bool]:
    """Add the flag --texts of a verb that merges packs."""
    text = _("keep remarks and comments of several packs that would fill pages above the boards")
    return parser.switch("--texts", help=text)


def write_pack(path: str | None, pack: Pack, name: str, *, is_whole: bool = True) -> None:
    """Write a pack in a format, with plain LURD, to ``path``; to stdout for None and ``-``.

    Tells on stderr what the format lacks, and of a file the number of levels in it, and whether it replaced an older
    one; without ``is_whole`` also that something, which was reported, is not in it.

    Raises InputError if the file cannot be written, and LevelError if it would not be read back as it is.
    """
    pack = pack._replace(levels=tuple(map(in_letters, pack.levels)))
    written = write(pack, name)
    check_read_back(written, pack, name, path or "")
    is_older = path is not None and os.path.isfile(path) and os.path.getsize(path) > 0
    write_data(path, written.data)
    if written.lost:
        # Translators: the name of a format, and what is left out of the file.
        complain(_("{format} cannot hold: {lost}", format=name, lost=listed(written.lost)))
    if path not in (None, "-") and os.path.isfile(path):
        number = len(pack.levels)
        levels = ngettext("{path}: {n:,} level written", "{path}: {n:,} levels written", number, path=path)
        older = _("in place of an older pack") if is_older else ""
        lacking = "" if is_whole else _("without what is named above")
        complain(listed([levels, older, lacking]))


def level_in_sok(chosen: Chosen, record: Record | None, status: str = "") -> bytes:
    """Return a level as SOK text that may follow that of others, with a record before its own.

    It names its author, and its pack and number there; ``status`` goes to its comment.
    """
    level = chosen.level
    collection = f"{chosen.title} {level.number}"
    given = {key for key, _ in level.metadata}
    metadata = [*level.metadata, *([] if "collection" in given else [("collection", collection)])]
    if status:
        metadata.append(("status", status))
    records = (record, *level.records) if record else level.records
    return write(Pack("", (level._replace(metadata=tuple(metadata), records=records),)), "sok").data + b"\n"


def merged(packs: Sequence[Pack], *, keeps_texts: bool = True) -> Pack:
    """Merge packs into one with the levels of all.

    Texts that all packs share stay texts of the pack.  Other authors go to their levels, other texts to the remarks and
    the comment, each below the title of its collection; numbers of levels that no longer hold are left out.  If titles
    or numbers change, each level gets the key ``collection`` unless it has one: the title of its collection and its
    number there.  Of solutions with the same moves the first is kept.

    Unless it ``keeps_texts``, remarks and comments that would bury the boards are left out, which is told on stderr.
    """
    titles = _distinct(pack.title for pack in packs)
    title = " + ".join(titles[:_TITLES])
    if len(titles) > _TITLES:
        title += f" and {len(titles) - _TITLES} more"
    # What a single pack says of its author stays where it stands.
    authors = [pack.author if len(packs) == 1 else author_of(pack) for pack in packs]
    author = authors[0] if len(set(authors)) == 1 else ""
    numbers = [level.number for pack in packs for level in pack.levels]
    is_changed = len(titles) > 1 or numbers != [*range(1, len(numbers) + 1)]
    levels: list[Level] = []
    for pack, pack_author in zip(packs, authors, strict=True):
        for level in pack.levels:
            level_author = level.author or ("" if author else pack_author)
            metadata = level.metadata
            if is_changed and pack.title and not any(key == "collection" for key, _ in metadata):
                metadata = (*metadata, ("collection", f"{pack.title} {level.number}"))
            records = without_repeats(level)
            levels.append(level._replace(author=level_author, metadata=metadata, records=records))
    common = [pair for pair in packs[0].metadata if all(pair in pack.metadata for pack in packs)] if packs else []
    common = [pair for pair in common if pair[0] != REMARKS]
    size = len(levels) if len(packs) == 1 else None
    remarks = _below_titles(packs, [_without_counts(remarks_of(pack), size) for pack in packs])
    comment = _below_titles(packs, [_without_counts(_comment(pack, common), size) for pack in packs])
    if len(packs) > 1 and not keeps_texts and (length := len(remarks) + len(comment)) > _MOST_TEXTS:
        remarks = comment = ""
        complain(
            # Translators: kB is kilobytes.
            ngettext(
                "left out: {size:,} kB of texts about {n:,} pack; --texts writes them",
                "left out: {size:,} kB of texts about {n:,} packs; --texts writes them",
                len(packs),
                size=round(length / 1000),
            )
        )
    return Pack(
        title,
        tuple(level._replace(number=number) for number, level in enumerate(levels, start=1)),
        author=author,
        comment=comment,
        metadata=(*(((REMARKS, remarks),) if remarks else ()), *dict.fromkeys(common)),
    )


def _comment(pack: Pack, common: Sequence[tuple[str, str]]) -> str:
    """Return all that a pack says besides its remarks and what it has in ``common`` with others."""
    own = [f"{key}: {value}" for key, value in pack.metadata if (key, value) not in common and key != REMARKS]
    return "\n".join(filter(None, [*own, pack.comment.strip("\n")]))


def _without_counts(text: str, size: int | None) -> str:
    """Return a text without lines such as ``Levels: 155``, except those that give this size."""
    found = ((_COUNT.fullmatch(line), line) for line in text.split("\n"))
    return "\n".join(line for count, line in found if count is None or int(count[1]) == size)


def _below_titles(packs: Sequence[Pack], texts: Sequence[str]) -> str:
    """Merge a text of each pack: one that all have stays as it is, others stand below the titles of their packs."""
    if len(set(texts)) == 1:
        return texts[0]
    titles: dict[str, list[str]] = {text: [] for text in texts if text}
    for pack, text in zip(packs, texts, strict=True):
        if text:
            titles[text].append(pack.title)
    return "\n\n".join("\n".join(filter(None, [*dict.fromkeys(some), text])) for text, some in titles.items())


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(filter(None, dict.fromkeys(texts)))
