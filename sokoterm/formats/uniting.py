"""Merging of equal levels (the solutions of all, turned to fit, and the best texts) and of packs.

Levels are equal if they have the same level hash: turned or mirrored, with the player elsewhere in its area, or with
different decoration.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from operator import eq
from typing import NamedTuple

from sokoterm.engine.level import RECIPE, Level, Pack, Record
from sokoterm.engine.levelhash import Canonical, canonical, moves_from_canonical, to_canonical
from sokoterm.engine.lurd import LurdError, RunLengthError, end_of, expand, replay
from sokoterm.engine.reach import find_walk
from sokoterm.formats.grammar import REMARKS, kind

SOLUTION, SAVED_GAME, TITLE, AUTHOR, COMMENT = "solution", "saved game", "title", "author", "comment"
"""The parts taken over from a copy."""

OTHER_TITLES, OTHER_AUTHORS = "also called", "also by"
"""Keys for the titles and authors of a level in other packs."""

# A number, perhaps after a word, is only the place of the level in its pack.
_NUMBER = re.compile(r"\W*+(?:level|puzzle|no|nr)?+\W*+[0-9]*+\W*+", re.IGNORECASE)
_NOBODY = ("", "anonymous", "n/a", "none", "unknown", "various", "various authors")
# More than in the longest known solution.
_MOST_LETTERS = 2_000_000
_FIGURES = re.compile(r"(?<![0-9])[0-9]++/[0-9]+")
_KEY_IN_REMARKS = re.compile(r"([a-z][a-z ]*): +(.*)", re.IGNORECASE)
# Most titles of collections in a merged title.
_TITLES = 3
# A line with the number of levels of a collection.
_COUNT = re.compile(r"\s*(?:number of )?(?:levels|puzzles)\s*[:=]\s*([0-9]{1,9})\s*", re.IGNORECASE)
# Keys that belong to a place in a pack, not to the puzzle.
_OF_PLACE = ("collection", "heading")


class LevelCopy(NamedTuple):
    """One of several equal levels, with the title of its pack and ``author_of`` that pack."""

    pack: str
    pack_author: str
    level: Level

    @property
    def author(self) -> str:
        return self.level.author or self.pack_author


class Taken(NamedTuple):
    """A text taken over from a copy: ``what`` is SOLUTION, SAVED_GAME, TITLE, AUTHOR or COMMENT."""

    pack: str
    number: int
    what: str
    text: str


class United(NamedTuple):
    """A level with the texts of its copies; ``left_out`` counts records of copies that do not fit."""

    level: Level
    taken: tuple[Taken, ...]
    left_out: int


def united(copies: Sequence[LevelCopy]) -> United:
    """Return the first of some equal levels, with the texts and records that only the others have.

    The title is the first one that is more than a number, the author the first one named; other titles and authors go
    to the metadata. Comments and metadata of all levels are joined without repeats. Solutions are turned to fit, begin
    with a walk from the player of this level, and are kept if they solve the level with new moves.
    """
    kept, *others = copies
    level, taken = kept.level, list[Taken]()
    titled = _best(copies, lambda copy: copy.level.title, is_real_title)
    author = _best(copies, lambda copy: copy.author, is_real_author)
    comments = [level.comment.strip("\n")] if level.comment.strip() else []
    metadata = dict(level.metadata)
    if titled is not kept:
        taken.append(Taken(titled.pack, titled.level.number, TITLE, titled.level.title))
    if author is not kept:
        taken.append(Taken(author.pack, author.level.number, AUTHOR, author.author))
    for copy in others:
        comment = copy.level.comment.strip("\n")
        if comment.strip() and not any(comment.strip() in each for each in comments):
            comments.append(comment)
            taken.append(Taken(copy.pack, copy.level.number, COMMENT, comment))
        for key, value in copy.level.metadata:
            if key == RECIPE:
                metadata.setdefault(key, value)
            elif key not in _OF_PLACE:
                _add_line(metadata, key, value)
    known = [*comments, *(metadata.get(key, "") for key in (OTHER_TITLES, OTHER_AUTHORS))]
    for key, best, others_said in (
        (OTHER_TITLES, titled.level.title, [copy.level.title for copy in copies if is_real_title(copy.level.title)]),
        (OTHER_AUTHORS, author.author, [copy.author for copy in copies if is_real_author(copy.author)]),
    ):
        for text in others_said:
            if text.casefold() != best.casefold() and not any(text in each for each in known):
                _add_line(metadata, key, text)
    records, from_copies, left_out = _records(copies)
    united = level.replace(
        title=titled.level.title,
        author=level.author if author is kept else author.author,
        comment="\n\n".join(comments),
        metadata=tuple(metadata.items()),
        records=records,
    )
    return United(united, (*taken, *from_copies), left_out)


def with_shared_records(copies: Sequence[LevelCopy]) -> Iterator[Level]:
    """Yield each of some equal levels with the records of all."""
    for copy in copies:
        records, _, _ = _records([copy, *(each for each in copies if each is not copy)])
        yield copy.level.replace(records=records)


Order = Callable[[Sequence[tuple[Pack, Level]]], Sequence[tuple[Pack, Level]]]
"""Function that sorts levels with their packs."""


def merged(packs: Sequence[Pack], order: Order = tuple) -> Pack:
    """Merge packs into one with all levels, in an order.

    Texts that all packs share remain texts of the pack.  Other authors move to their levels, other texts to the remarks
    and the comment, each below the title of its collection; outdated numbers of levels are left out.  If titles or
    numbers change, each level without the key ``collection`` gets it: the title of its collection and its number there.
    Of solutions with the same moves the first is kept.
    """
    titles = [*filter(None, dict.fromkeys(pack.title for pack in packs))]
    title = " + ".join(titles[:_TITLES])
    if len(titles) > _TITLES:
        title += f" and {len(titles) - _TITLES} more"
    # The remarks of a single pack do not change, so its author is not taken from them.
    authors = {id(pack): pack.author if len(packs) == 1 else author_of(pack) for pack in packs}
    author = authors[id(packs[0])] if len({*authors.values()}) == 1 else ""
    chosen = order([(pack, level) for pack in packs for level in pack.levels])
    is_changed = len(titles) > 1 or [level.number for __, level in chosen] != [*range(1, len(chosen) + 1)]
    levels: list[Level] = []
    for pack, level in chosen:
        metadata = level.metadata
        if is_changed and pack.title and not any(key == "collection" for key, __ in metadata):
            metadata = (*metadata, ("collection", f"{pack.title} {level.number}"))
        levels.append(
            level.replace(
                number=len(levels) + 1,
                author=level.author or ("" if author else authors[id(pack)]),
                metadata=metadata,
                records=without_repeats(level),
            )
        )
    common = [
        pair
        for pair in (packs[0].metadata if packs else ())
        if pair[0] != REMARKS and all(pair in pack.metadata for pack in packs)
    ]
    size = len(levels) if len(packs) == 1 else None
    remarks = _below_titles(packs, [_without_counts(remarks_of(pack), size) for pack in packs])
    comment = _below_titles(packs, [_without_counts(_comment(pack, common), size) for pack in packs])
    metadata = (*(((REMARKS, remarks),) if remarks else ()), *dict.fromkeys(common))
    return Pack(title, tuple(levels), author=author, comment=comment, metadata=metadata)


def _comment(pack: Pack, common: Sequence[tuple[str, str]]) -> str:
    own = [f"{key}: {value}" for key, value in pack.metadata if (key, value) not in common and key != REMARKS]
    return "\n".join(filter(None, [*own, pack.comment.strip("\n")]))


def _without_counts(text: str, size: int | None) -> str:
    """Return a text without lines such as ``Levels: 155``, unless they state this size."""
    found = ((_COUNT.fullmatch(line), line) for line in text.split("\n"))
    return "\n".join(line for count, line in found if count is None or int(count[1]) == size)


def _below_titles(packs: Sequence[Pack], texts: Sequence[str]) -> str:
    """Merge a text of each pack, below the titles of the packs unless it is the same in all."""
    if len(set(texts)) == 1:
        return texts[0]
    titles: dict[str, list[str]] = {text: [] for text in texts if text}
    for pack, text in zip(packs, texts, strict=True):
        if text:
            titles[text].append(pack.title)
    return "\n\n".join("\n".join(filter(None, [*dict.fromkeys(some), text])) for text, some in titles.items())


def in_letters(level: Level) -> Level:
    """Return the level with the moves of its records as plain LURD, which every program can read.

    Walks and counts of ksokoban that do not solve the level move to its comment.  Jumps and changes of the player
    (``[]{}``) stay, as in SOK.
    """
    records, unread = list[Record](), list[str]()
    for record in level.records:
        if record.moves.isalpha() or not set("[]{}").isdisjoint(record.moves):
            records.append(record)
            continue
        solution = replay(level, record).solution
        if solution is not None:
            records.append(record._replace(moves=solution.lurd))
        elif set(",-").isdisjoint(record.moves):
            records.append(record._replace(moves=_spelled(record.moves)))
        else:
            unread.append(f"{record.title or 'Solution'}, which does not solve this level: {record.moves}")
    if not unread and all(map(eq, records, level.records)):
        return level
    comment = "\n".join(filter(None, (level.comment.strip("\n"), *unread)))
    return level.replace(records=tuple(records), comment=comment)


def _spelled(moves: str) -> str:
    """Return moves with expanded counts, unless they cannot be read or mark a position with ``*``."""
    try:
        return moves if "*" in moves else expand(moves, _MOST_LETTERS)
    except RunLengthError:
        return moves


def is_real_title(title: str) -> bool:
    """True if a title is more than a number.

    >>> [is_real_title(title) for title in ("Maze", "Level 5", "#12", "", "2001")]
    [True, False, False, False, False]
    """
    return not _NUMBER.fullmatch(title)


def is_real_author(author: str) -> bool:
    return author.strip(" ?-.").casefold() not in _NOBODY


def remarks_of(pack: Pack) -> str:
    """Return the lines of a pack after ``::``."""
    return "\n".join(value for key, value in pack.metadata if key == REMARKS)


def author_of(pack: Pack) -> str:
    """Return the author of a pack, or the author in its remarks if these consist of keys; empty for none."""
    keys = [_KEY_IN_REMARKS.fullmatch(line) for line in remarks_of(pack).split("\n")]
    if pack.author or not all(keys):
        return pack.author
    return next((key[2] for key in keys if key and key[1].lower() == "author" and is_real_author(key[2])), "")


def without_repeats(level: Level) -> tuple[Record, ...]:
    """Return the records of a level without repeated moves; notes may come from a repeated record."""
    return tuple(_by_moves(level).values()) if len(level.records) > 1 else level.records


def _by_moves(level: Level) -> dict[tuple[str, str], Record]:
    found: dict[tuple[str, str], Record] = {}
    for record in level.records:
        solution = replay(level, record).solution
        _add(found, solution.lurd if solution is not None else record.moves, record)
    return found


def _best(copies: Sequence[LevelCopy], text: Callable[[LevelCopy], str], is_real: Callable[[str], bool]) -> LevelCopy:
    real = (copy for copy in copies if is_real(text(copy)))
    return next(real, next((copy for copy in copies if text(copy)), copies[0]))


def _add_line(metadata: dict[str, str], key: str, value: str) -> None:
    if value not in metadata.get(key, "").split("\n"):
        metadata[key] = "\n".join(filter(None, (metadata.get(key, ""), value)))


def _records(copies: Sequence[LevelCopy]) -> tuple[tuple[Record, ...], list[Taken], int]:
    """Return the merged records, those taken over from copies, and the number of those that do not fit."""
    kept, *others = copies
    found = _by_moves(kept.level)
    taken, left_out = [], 0
    having = [copy for copy in others if copy.level.records]
    frames = [canonical(copy.level) for copy in having and [kept, *having]]
    for copy, frame in zip(having, frames[1:]):
        for record in copy.level.records:
            fitted = _fitted(record, copy.level, frame, kept.level, frames[0])
            if fitted is None:
                left_out += 1
            elif _add(found, fitted.moves, fitted):
                what = SAVED_GAME if kind(fitted) == "saved games" else SOLUTION
                taken.append(Taken(copy.pack, copy.level.number, what, fitted.moves))
    return tuple(found.values()), taken, left_out


def _add(found: dict[tuple[str, str], Record], moves: str, record: Record) -> bool:
    """Add a record by its moves, or only its notes if the moves are known; return True if it is new."""
    key = (kind(record), moves)
    first = found.setdefault(key, record)
    if not first.notes and record.notes:
        found[key] = first._replace(notes=record.notes)
    return first is record


def _fitted(record: Record, copy: Level, copy_frame: Canonical, kept: Level, frame: Canonical) -> Record | None:
    solution = replay(copy, record).solution
    if solution is None and kind(record) == "solutions":
        return None
    moves = solution.lurd if solution is not None else record.moves.replace("*", "")
    try:
        if solution is None:
            end_of(copy.board, copy.start, moves)  # raises LurdError also for walks and jumps
        start, turned = to_canonical(copy, moves, copy_frame)
        there = moves_from_canonical(kept, start, turned, frame)
        if there is None:
            return None
        end_of(kept.board, kept.start, there)
    except LurdError:
        return None
    if solution is None:
        _, mark, behind = record.moves.partition("*")  # of the position, with moves to redo behind it
        place = len(there) - len(behind.replace("*", ""))
        return Record(record.title, there[:place] + mark + there[place:], record.notes)
    if len(there) > len(moves):
        there = _without_detour(kept, there)
    fitted = replay(kept, Record("", there)).solution
    if fitted is None:
        return None
    figures = f"{fitted.moves}/{fitted.pushes}"
    title = record.title if len(there) == len(moves) else _FIGURES.sub(figures, record.title, 1)
    return Record(title, fitted.lurd, record.notes)


def _without_detour(level: Level, lurd: str) -> str:
    """Return moves with a shortest walk to their first push; ``lurd`` must have pushes in upper case."""
    pushes = lurd.lstrip("urdl")
    before = end_of(level.board, level.start, lurd[: len(lurd) - len(pushes)])
    walk = find_walk(level.board, level.start, before.player)
    return "".join(direction.letter for direction in walk or ()) + pushes
