"""Reader for text packs: plain or run-length boards among titles, keys, comments and moves, in every common layout.

Between two boards are the notes and records of the upper one and the heading of the lower one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, zip_longest
from typing import NamedTuple

from sokoterm.engine.bits import Square, tester
from sokoterm.engine.board import colors_of
from sokoterm.engine.level import RECIPE, Level, LevelError, Pack, Record, varied
from sokoterm.engine.lurd import replay
from sokoterm.engine.steps import uncollected
from sokoterm.engine.text import title_of_file
from sokoterm.engine.value import Value
from sokoterm.formats.foreign import TextLines, read_lines, split_lines, unquoted
from sokoterm.formats.grammar import (
    BOX_ORDER,
    GAME,
    GOAL_ORDER,
    HEADING,
    ICE,
    KEYS,
    MOVES,
    REMARKS,
    UNKEYED,
    VARIANT,
    VARIANT_KEYS,
    BoardLines,
    Moves,
    Text,
    behind_title,
    is_claim,
    is_level_row,
    is_nearly_moves,
    is_no_word,
    is_recipe,
    is_record,
    is_title,
    is_walks,
    margin_of,
    read_board,
    scan,
    text_of,
    without_mark,
)
from sokoterm.formats.limits import (
    DEFAULT_LIMITS,
    UNLIMITED,
    BeyondLimitsError,
    ReadLimits,
    SquareCount,
    likelier_encodings,
    read_text,
)
from sokoterm.language import _

_SLIDING = "sliding"
_ICE_MARK, _NO_ICE = "~", "-"
_ANY = (0, 99)
_MOST_DIGITS = 6
_BOXES, _GOALS = "$*", ".*+"


def with_keys(level: Level, values: dict[str, str]) -> Level:
    """Return a level with the colours and ice of its keys, and remove the used keys from ``values``."""
    found = _varied(level, values)
    if found.board.is_ordinary or any(
        replay(level, each).solution and not replay(found, each).solution for each in level.records
    ):
        return level
    for key in (BOX_ORDER, GOAL_ORDER, ICE):
        values.pop(key, None)
    if _is_sliding(values):
        del values[VARIANT]
    return found


def pictured(level: Level) -> str:
    """Return the rows of a level, with its keys below, for ``from_picture``."""
    keys = (f"{key}: {line}" for key, value in keys_of(level) for line in value.split("\n"))
    return "\n".join([*level.rows, *keys])


def from_picture(text: str) -> Level:
    """Parse the result of ``pictured``; raises LevelError."""
    lines = [line.partition(": ") for line in text.split("\n")]
    level = Level.from_xsb("\n".join(row for row, colon, __ in lines if not colon))
    values = _joined((key, value) for key, colon, value in lines if colon)
    return with_keys(level, values) if values else level


def foreign_keys(level: Level) -> list[tuple[str, str]]:
    """Return the variant keys in the metadata of a level that a reader would still ignore beside its own keys."""
    foreign = [pair for pair in level.metadata if pair[0] in VARIANT_KEYS]
    if not foreign:
        return []
    values = _joined((*keys_of(level), *foreign))
    is_same = with_keys(without_kinds(level), values).puzzle == level.puzzle
    return foreign if is_same and values == dict(foreign) else []


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    values: dict[str, list[str]] = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    return {key: "\n".join(each) for key, each in values.items()}


def without_kinds(level: Level, *, keeps_colors: bool = False) -> Level:
    """Return a level without colours and ice, or only without ice."""
    board, start = level.board, level.start
    if keeps_colors and board.colors:
        return level.replace(board=board._replace(ice=0))
    return level.replace(board=board.ordinary, start=start._replace(boxes=start.boxes & board.floor))


def keys_of(level: Level) -> Iterator[tuple[str, str]]:
    """Yield the keys of a level with colours or ice, and their values."""
    board = level.board
    if board.is_ordinary:
        return
    boxes = colors_of(board.boxes_by_layer(level.start.boxes)[1:])
    for key, cells, colors in ((BOX_ORDER, _BOXES, boxes), (GOAL_ORDER, _GOALS, colors_of(board.colors))):
        if colors:
            # A number for each colour, skipping the one that means any.
            numbers = {color: color + 1 + (color + 1 >= _ANY[1]) for color in {*colors.values()}}
            yield key, " ".join(str(numbers.get(colors.get(square, -1), _ANY[1])) for square in _squares(level, cells))
    if board.ice == board.floor and all(key != VARIANT for key, _ in level.metadata):
        yield VARIANT, _SLIDING
    elif board.ice:
        digits = f"{board.ice:b}"[::-1].translate({ord("0"): _NO_ICE, ord("1"): _ICE_MARK})
        rows = (digits[first : first + board.width].rstrip(_NO_ICE) for first in range(0, len(digits), board.stride))
        yield ICE, "\n".join(row or _NO_ICE for row in rows)


def _squares(level: Level, cells: str) -> Iterator[Square]:
    for row, line in enumerate(level.rows):
        for column, cell in enumerate(line):
            if cell in cells:
                yield level.board.square(row, column)


def _varied(level: Level, values: Mapping[str, str]) -> Level:
    board = level.board
    boxes = _numbers(level, _BOXES, values.get(BOX_ORDER, "").split())
    goals = _numbers(level, _GOALS, values.get(GOAL_ORDER, "").split())
    rows = values.get(ICE, "").split("\n")
    if boxes is None or goals is None or len(rows) > board.height:
        return level
    colors = {number: color for color, number in enumerate(sorted({*boxes.values(), *goals.values()}))}
    of_boxes, of_goals = ({square: colors[number] for square, number in each.items()} for each in (boxes, goals))
    digits = ("".join("01"[cell == _ICE_MARK] for cell in row[: board.width]).ljust(board.stride, "0") for row in rows)
    ice = int("".join(digits)[::-1], 2)
    if not ice and _is_sliding(values):
        ice = board.floor
    try:
        return varied(level, of_boxes, of_goals, ice)
    except LevelError:
        return level


def _numbers(level: Level, cells: str, words: list[str]) -> dict[Square, int] | None:
    """Return the numbers of floor squares in an order, except those that mean any; None if it is invalid."""
    if not all(word.isascii() and word.isdecimal() and len(word) <= _MOST_DIGITS for word in words):
        return None
    numbers = [int(word) for word in words]
    squares = [*_squares(level, cells)] if words else []
    if any(number not in _ANY for number in numbers[len(squares) :]):
        return None
    on_floor = tester(level.board.floor, level.board.size)
    return {square: number for square, number in zip(squares, numbers) if number not in _ANY and on_floor(square)}


def _is_sliding(values: Mapping[str, str]) -> bool:
    return values.get(VARIANT, "").strip().lower() == _SLIDING


# Keys that name the game, and games on other grids, with several players, or with pulls.
_GAME_KEYS = (GAME, VARIANT)
_OTHER_GAMES = ("hexoban", "trioban", "octoban", "multiban", "pukoban")
# Multi-line strings in source code, and the beginning of boards in them. Each mark is searched for separately.
_LONG_TEXTS = ("`(?<!```)", '"""', "'''", r"\[\[")
_BOARD_IN_TEXT = r"\n?[ ]*##"
# The key for moves that may be words of a title.
_MOVES = "moves"
# Headings of levels with a number, and headings that may be items of a list.
_LEVEL = r"(?i)\W*+level\W*+\d++(?:\s*+[^\w\s].*|\s++of\s++\d++\W*+)?"
_NUMBERED = r"\W*+\d++(?:/\d++|[.):]\s.*)?\W*"
# The target column of a ksokoban walk.
_COLUMN = r"(?<![0-9])[0-9]{1,6}(?=-)"
# Limit of texts and runs of moves between two boards; a solution of a million moves is one.
_MOST_TEXTS = 100_000
# Keys of texts that may be headings, or come before one.
_COUNTED = frozenset(("title", _MOVES, *UNKEYED))
# Keys of texts that belong to a comment.
_WORDS = (*UNKEYED, "comment")
# Beyond this number of boards, they are read on demand.
MANY = 1000


class _Draft(NamedTuple):
    """A board with its texts and records; the lines of notes are None for a record that cannot have notes."""

    rows: BoardLines
    above: list[Text]
    below: list[Text]
    records: list[tuple[Record, list[str] | None]]


class _Sides(Value):
    """The keys of texts that are always above, or always below, their boards in a file.

    ``shapes`` are the shapes of the first headings, ``lines`` is the number of texts above each board, 0 if it varies.
    ``is_tight``: no blank line separates the boards.
    """

    above: set[str]
    below: set[str]
    shapes: set[str]
    lines: int
    is_tight: bool = False


@uncollected()
def parse_text(data: bytes, source: str, limits: ReadLimits = DEFAULT_LIMITS, encoding: str | None = None) -> Pack:
    """Parse the bytes of a text; raises LevelError as ``parse_xsb`` and ``read_text`` do."""
    text, is_guess = read_text(data, encoding, limits)
    pack = parse_xsb(text, source, limits)
    return pack._replace(likelier=likelier_encodings(data)) if is_guess else pack


def parse_xsb(text: str, source: str, limits: ReadLimits = DEFAULT_LIMITS) -> Pack:
    """Return the pack in ``text``; ``source`` names it in errors and is its default title.

    A board that is not a level keeps its number and goes to ``errors``. Other notations are tried if there is no plain
    level, or ``limits`` name the signs. Takes time linear in text and squares. Raises LevelError for more levels or
    squares than the limits allow, and if all boards belong to another game or have signs of uncertain meaning.
    """
    plain = Pack("", ()) if limits.are_signs_told else _pack(text, read_lines(text), source, limits)
    has_texts = any(re.search(mark + _BOARD_IN_TEXT, text) for mark in _LONG_TEXTS)
    if not plain.levels or has_texts:
        from sokoterm.formats.notations import translated  # few files have another notation

        try:
            reading = translated(text, limits.signs)
        except LevelError as error:
            raise error.located(source=source, level=0) from None
        if reading.line and not plain.levels:
            if len(plain.errors) != 1:
                problem = _(
                    "found boards drawn with other signs, expected # @ $ . characters or {signs}",
                    signs=reading.told or "--signs",
                )
                raise LevelError(problem, source=source, line=reading.line)
            if reading.told:
                plain.errors[0].problem = _(
                    "{problem}, or {signs}", problem=plain.errors[0].problem, signs=reading.told
                )
        other = _pack(text, reading.lines, source, limits)
        drawn = {level.line + row for level in other.levels for row in range(level.board.height)}
        has_texts = has_texts and drawn.issuperset(level.line for level in plain.levels)
        if (len(other.levels), has_texts, other.size) > (len(plain.levels), False, plain.size):
            return other._replace(read_as=reading.read_as)
    return plain


def _pack(text: str, lines: TextLines, source: str, limits: ReadLimits) -> Pack:

    def located(error: LevelError, level: int) -> LevelError:
        """Return an error with line and column in the text as written."""
        if error.line:
            read, error.line = lines.read[error.line - 1], lines.numbers[error.line - 1] + 1
            written = lines.written[error.line - 1]
            if error.column:
                is_other = read not in written and len(read) != len(written)  # as in a link
                error.column = 0 if is_other else error.column + max(0, written.rfind(read))
        return error.located(source=source, level=level)

    try:
        header, drafts = _drafts(lines.read, limits)
    except LevelError as error:
        raise located(error, error.level) from None
    levels: list[Level] = []
    errors: list[LevelError] = []
    count = SquareCount(limits)
    values, comment = _gathered(header)
    folded = text.casefold()
    has_others = any(game in folded for game in _OTHER_GAMES)
    others = [_other_game(draft, values) if has_others else "" for draft in drafts]
    make_unread = _unread(lines, drafts, limits) if len(drafts) > MANY and not has_others else lambda *_: None
    for number, (draft, other) in enumerate(zip(drafts, others), start=1):
        if (unread := make_unread(draft, number)) is not None:
            levels.append(unread)
            continue
        try:
            if other:
                raise LevelError(_("found {game}, expected Sokoban", game=other), line=draft.rows.first + 1)
            if problem := lines.problems.get(draft.rows.first):
                raise LevelError(problem, line=draft.rows.first + 1)
            level = _level(lines.read, draft, number, limits, count)
        except BeyondLimitsError as error:
            raise located(error, number) from None
        except LevelError as error:
            errors.append(located(error.titled(_texts(draft)[0]), number))
        else:
            line = lines.numbers[level.line - 1] + 1
            levels.append(level if line == level.line else level.replace(line=line))
    if others and all(others):
        raise errors[0].located(source=source, level=0)
    title = values.pop("collection", "") or values.pop("title", "") or title_of_file(source)
    author = values.pop("author", "")
    return Pack(title, tuple(levels), tuple(errors), author, comment, tuple(values.items()))


@uncollected()
def lines_of_levels(text: str) -> tuple[str, list[str]]:
    """Split the text of a pack, as written, into the part before the first level and one part for each level."""
    lines = read_lines(text)
    drafts = _drafts(lines.read, UNLIMITED)[1]
    starts = [lines.numbers[draft.above[0].line if draft.above else draft.rows.first] for draft in drafts]
    written = re.findall(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+", text)
    parts = [written[start:end] for start, end in zip([0, *starts], [*starts, None])]
    header, *levels = map("".join, parts)
    return header, levels


def rows_of_board(text: str, number: int) -> tuple[list[str], int]:
    """Return the rows of a board as written and the line (from 1) of the first one; no rows for run-length rows."""
    __, lines, numbers = read_lines(text)[:3]
    board = next(islice(_boards_of(lines), number - 1, None), None)
    if board is None or any("|" in row for row in lines[board.first : board.end]):
        return [], 0
    return [row.expandtabs() for row in lines[board.first : board.end]], numbers[board.first] + 1


def has_board(text: str) -> bool:
    """True if ``text`` has a board that contains more than walls."""
    lines = read_lines(text).read
    return any(is_level_row(line) for board in _boards_of(lines) for line in lines[board.first : board.end])


def _boards_of(lines: list[str]) -> Iterator[BoardLines]:
    return (each for each in scan(lines) if isinstance(each, BoardLines))


def has_nearly_moves(text: str) -> bool:
    """True if a line of ``text`` is moves, or nearly (see ``is_nearly_moves``)."""
    return any(is_nearly_moves(unquoted(line)) for line in split_lines(text))


def moves_in(text: str) -> str:
    """Return the moves in a text as if it followed a level; paragraphs without a title between them are one solution.

    Raises LevelError with any invalid ``character``, and for a second solution.
    """
    lines = [re.sub(r"\s", " ", unquoted(line)) for line in split_lines(text)]
    solutions = _solutions(lines) or _solutions([f"solution:{line}" if is_walks(line) else line for line in lines])
    read = {index for moves in solutions for index in range(moves[0].first, moves[-1].end)}
    others = [index for index, line in enumerate(lines) if index not in read and line.strip()]
    # Near moves fewer letters are enough, and any word below them.
    broken = [
        index
        for index in others
        if index - 1 in read
        and (lines[index].strip().isalnum() or is_nearly_moves(lines[index], 1))
        or is_nearly_moves(lines[index], 2 if index + 1 in read else 4)
    ]
    if not solutions and not broken:
        broken = [index for index in others if not is_claim(lines[index].rstrip(" :"))] or others
    if broken:
        line = lines[broken[0]]
        begin = behind_title(line)
        column = next((i for i in range(begin, len(line)) if line[i] not in MOVES), None)
        if column is None:
            return "".join((line[begin:] if begin else text).split())
        found = line[column]
        problem = _("found {found!r}, expected one of l u r d L U R D or a count", found=found)
        line_number, column = (broken[0] + 1, column + 1) if len(lines) > 1 else (0, 0)
        raise LevelError(problem, line=line_number, column=column, character=found)
    if len({"".join(each.text for each in moves) for moves in solutions}) > 1:
        problem = _("found a second solution, expected the moves of one")
        raise LevelError(problem, line=solutions[1][0].first + 1)
    return "".join(each.text for each in solutions[0]) if solutions else ""


def _solutions(lines: list[str]) -> list[list[Moves]]:
    """Return the runs of moves of each solution; possible words count only if there is nothing else."""
    found: list[tuple[str, list[Moves]]] = []
    title: str | None = ""
    for each in scan(lines):
        if isinstance(each, Moves):
            if not each.text:
                continue
            if title is None and not each.key:
                found[-1][1].append(each)
            else:
                found.append((title or "", [each]))
            title = None
        else:
            title = each.value if isinstance(each, Text) else ""
    records = [moves for title, moves in found if is_record(moves[0], title)]
    return records or [moves for __, moves in found]


def _drafts(lines: list[str], limits: ReadLimits) -> tuple[list[Text], list[_Draft]]:
    boards: list[BoardLines] = []
    gaps: list[list[Text | Moves]] = [[]]
    for each in scan(lines):
        if not isinstance(each, BoardLines):
            gaps[-1].append(each)
            if len(gaps[-1]) > _MOST_TEXTS:
                problem = _("found more than {most:,} lines without a board", most=_MOST_TEXTS)
                raise BeyondLimitsError(problem, line=boards[-1].end + 1 if boards else 1)
            continue
        if len(boards) == limits.levels:
            raise limits.too_many_levels(each.first + 1)
        boards.append(each)
        gaps.append([])
    sides = _sides(boards, gaps)
    header: list[Text] = []
    drafts: list[_Draft] = []
    for gap, board in zip_longest(gaps, boards):
        upper = drafts[-1] if drafts else None
        texts: list[Text] = []
        above = upper.rows.paragraph if upper else -1
        for each in gap:
            if isinstance(each, Moves):
                moves = each._replace(is_whole=True) if _MOVES in sides.below else each
                if upper and _add_record(upper, texts, moves):
                    above = each.paragraph
                    texts = []
                else:
                    texts += [text_of(lines[i], each.paragraph, i) for i in range(each.first, each.end)]
            elif each.key == REMARKS:
                (upper.below if upper else header).append(each)
            else:
                texts.append(each)
        cut = len(texts) if board is None else _heading_start(texts, above, board.paragraph, sides)
        _place(texts[:cut], upper, header)
        if board is not None:
            drafts.append(_Draft(board, texts[cut:], [], []))
    if drafts and not any(text.key in KEYS for draft in drafts[1:] for text in draft.above):
        # Keys before the first board belong to the collection unless every board has keys above it.
        first = drafts[0].above
        header += [text for text in first if text.key in KEYS]
        first[:] = [text for text in first if text.key not in KEYS]
    if any(notes is not None for draft in drafts for __, notes in draft.records):
        # Such records indicate SOK, where a title is a separate paragraph; otherwise it is the first line above.
        for draft in drafts:
            plain = [text for text in draft.above if not text.key]
            if len(plain) > 1:
                draft.above[:] = [text if text.key else text._replace(key="comment") for text in draft.above]
    return header, drafts


def _sides(boards: list[BoardLines], gaps: list[list[Text | Moves]]) -> _Sides:
    """Return the keys of texts that are always on one side of their boards; only the whole file shows which."""
    if len(boards) < 2:
        return _Sides(set(), set(), set(), 0)
    # Texts with `Collection:`, a blank line above the first board, belong to all levels.
    of_all = {each.paragraph for each in gaps[0] if isinstance(each, Text) and each.key == "collection"}
    near = [each for each in gaps[0] if each.paragraph not in of_all - {boards[0].paragraph}]
    first, *inner, last = (_places(*each) for each in zip([near, *gaps[1:]], (None, *boards), (*boards, None)))

    def are_beside(key: str, side: int) -> bool:
        """True if the texts of a key belong to the boards on one ``side``: 1 for the boards below, 0 for those above.

        Either all of them touch those boards, including one at that end of the file; or each board has one, at the same
        distance, and none is at the other end. No heading follows a key above its board.
        """
        near, far = (first.get(key), last.get(key)) if side else (last.get(key), first.get(key))
        found = [each[key] for each in inner if key in each]
        if not near or not found:
            return False
        if near[side] and all(each[side] for each in found):
            return not (far and far[1 - side])
        is_alike = len({near[side], *(each[side] for each in found)}) == len({each[1 - side] for each in found}) == 1
        are_all = len(found) == len(inner) and not far
        is_last = not side or key in _COUNTED or {*UNKEYED}.isdisjoint([*first][[*first].index(key) :])
        return are_all and is_alike and is_last and not found[0][1 - side]

    above, below = ({key for key in (*first, *last) if are_beside(key, side)} for side in (1, 0))
    headings = [each for each in gaps[0] if isinstance(each, Text) and each.key in UNKEYED]
    shapes = {_shape(each.value) for each in headings if each.paragraph == headings[-1].paragraph} - {""}
    return _Sides(above, below, shapes, _lines_above(boards, gaps), boards[0].paragraph == boards[-1].paragraph)


def _lines_above(boards: list[BoardLines], gaps: list[list[Text | Moves]]) -> int:
    """Return the number of texts above each board if the gaps between boards repeat those at both ends of the file.

    0 if one end has no texts, or blank lines do not separate the texts of upper and lower boards everywhere or nowhere.
    """
    first, *inner, last = ([each for each in gap if isinstance(each, Text) and each.key != REMARKS] for gap in gaps)
    above = [each.key for each in first if each.paragraph == first[-1].paragraph]
    below = [each.key for each in last if each.paragraph == last[0].paragraph]
    if not above or not below or any([each.key for each in texts] != below + above for texts in inner):
        return 0
    for texts, upper, lower in zip(inner, boards, boards[1:]):
        ends = [texts[0].paragraph == upper.paragraph, texts[-1].paragraph == lower.paragraph]
        is_one = texts[0].paragraph == texts[-1].paragraph and (all(ends) or HEADING in above and not any(ends))
        if not is_one and texts[len(below) - 1].paragraph == texts[len(below)].paragraph:
            return 0
    return len(above)


def _shape(heading: str) -> str:
    """Return a heading up to its number, or an empty string.

    >>> _shape("Level 7 of 9")
    'Level #'
    """
    end = next((index for index, each in enumerate(heading) if each.isdecimal()), -1)
    return f"{heading[:end]}#" if end >= 0 else ""


def _places(
    gap: list[Text | Moves], upper: BoardLines | None, lower: BoardLines | None
) -> dict[str, tuple[bool, bool]]:
    """Map each key in a gap to flags: its first text is right below the upper board, its last right above the lower."""
    places: dict[str, tuple[bool, bool]] = {}
    of_upper = {upper.paragraph} if upper else set()
    is_claimed = False
    for each, after in zip_longest(gap, gap[1:]):
        if isinstance(each, Moves):
            key = _MOVES
            if each.key or is_claimed or is_no_word(each.text):
                of_upper.add(each.paragraph)
                continue
        else:
            key = each.key
            is_claimed = False
            if isinstance(after, Moves) and key in UNKEYED and not after.key:
                is_claimed = is_claim(each.value)
                if is_claimed or is_no_word(after.text):
                    continue  # the title of a record
        is_right_below = places[key][0] if key in places else each.paragraph in of_upper
        places[key] = is_right_below, lower is not None and each.paragraph == lower.paragraph
    return places


def _place(texts: list[Text], draft: _Draft | None, header: list[Text]) -> None:
    """Assign texts to the collection, the level or the notes of its last record."""
    if draft is None:
        header += texts
        return
    notes = draft.records[-1][1] if draft.records else None
    for text in texts:
        if notes is not None and text.key in _WORDS:
            notes.append(text.value)
        else:
            draft.below.append(text)


def _add_record(draft: _Draft, texts: list[Text], moves: Moves) -> bool:
    """Add moves and their title, from the texts before them, to the board above; False if they are not moves."""
    title = moves.key
    cut = len(texts)
    if not title and texts and texts[-1].key in UNKEYED:
        last = texts[-1]
        is_alone = len(texts) == 1 or texts[-2].paragraph != last.paragraph
        if is_claim(last.value) or is_alone and not last.key and is_title(last.value):
            cut -= 1
            title = last.value.removesuffix(":").rstrip() if is_claim(last.value) else last.value
    if not is_record(moves, title):
        return False
    _place(texts[:cut], draft, [])
    if moves.text:
        draft.records.append((Record(title, moves.text), None if moves.key else []))
    return True


def _heading_start(texts: list[Text], above: int, below: int, sides: _Sides) -> int:
    """Return the index, in the texts between two boards, at which the heading of the lower board begins.

    ``above`` and ``below`` are the paragraphs of the boards; moves count as part of the board above them.
    """
    if not texts or len(texts) == 1 and texts[0].key in sides.above:  # fast path for most boards
        return 0
    # The last text of each key that is always above its board.
    lasts = {text.key: index for index, text in enumerate(texts) if text.key in sides.above}
    if lasts:
        start = min(_run_start(texts, index, sides.shapes) for index in lasts.values())
        while start and texts[start - 1].paragraph == texts[start].paragraph != above:
            if above < 0 and (sides.is_tight or texts[start - 1].key not in UNKEYED):
                break
            start -= 1
        return start
    are_together = bool(texts) and texts[0].paragraph == texts[-1].paragraph
    if are_together and texts[-1].key in sides.below and (above >= 0 or not sides.lines):
        return len(texts)
    if sides.lines:
        return max(len(texts) - sides.lines, 0)
    if above == below:
        return _heading_line(texts, sides.shapes)
    start = next((i for i, text in enumerate(texts) if text.paragraph != above), len(texts))
    marked = [i for i in range(start, len(texts)) if texts[i].key == HEADING]
    if marked:
        paragraph = texts[marked[-1]].paragraph
        return next(i for i in range(start, len(texts)) if texts[i].paragraph == paragraph and texts[i].key in UNKEYED)
    if start == len(texts):
        return start
    paragraph = texts[-1].paragraph
    last = next(i for i in range(start, len(texts)) if texts[i].paragraph == paragraph)
    if paragraph == below:
        return last
    return last if last == len(texts) - 1 and not texts[last].key and is_title(texts[last].value) else len(texts)


def _heading_line(texts: list[Text], shapes: set[str]) -> int:
    """Return the index of the line between two boards without a blank line that looks most like a heading."""
    plain = [i for i, text in enumerate(texts) if text.key in UNKEYED]
    numbered = [i for i in plain if re.fullmatch(_NUMBERED, texts[i].value)]
    last = len(texts) - 1
    found = (
        [i for i in plain if _shape(texts[i].value) in shapes - {"#"}][-1:]
        or [i for i in plain if texts[i].key == HEADING]
        or [i for i in plain if re.fullmatch(_LEVEL, texts[i].value)]
        or numbered * (len(numbered) == 1)
        or [i for i, text in enumerate(texts) if text.key == "title" and last in plain]
    )
    return found[0] if found else last + (last not in plain)


def _run_start(texts: list[Text], index: int, shapes: set[str]) -> int:
    """Return the index of the first text in a run of texts with one key, or of the last heading of a known shape."""
    key, paragraph = texts[index].key, texts[index].paragraph
    if key in UNKEYED and index:
        alike = [i for i, text in enumerate(texts) if (text.key, text.paragraph) == (key, paragraph)]
        return next((i for i in reversed(alike) if _shape(texts[i].value) in shapes), alike[0])
    while index and (texts[index - 1].key, texts[index - 1].paragraph) == (key, paragraph):
        index -= 1
    return index


def _gathered(texts: list[Text]) -> tuple[dict[str, str], str]:
    values = _joined((text.key, text.value) for text in texts if text.key not in _WORDS)
    if remarks := values.pop(REMARKS, "").strip("\n"):
        values[REMARKS] = remarks
    return values, "\n".join(text.value for text in texts if text.key in _WORDS).strip("\n")


def _other_game(draft: _Draft, values: Mapping[str, str]) -> str:
    games = [text.value for text in (*draft.above, *draft.below) if text.key in _GAME_KEYS]
    games = games or [values[key] for key in _GAME_KEYS if key in values]
    return next((game for game in games if game.casefold().startswith(_OTHER_GAMES)), "")


def _level(lines: list[str], draft: _Draft, number: int, limits: ReadLimits, count: SquareCount) -> Level:
    level = read_board(lines, draft.rows, number, limits, count)
    if not (draft.above or draft.below or draft.records):
        return level
    has_walks = any("-" in record.moves for record, __ in draft.records)
    margin = margin_of(lines[draft.rows.first : draft.rows.end]) if has_walks else 0

    def shifted(column: re.Match[str]) -> str:
        return str(max(int(column[0]) - margin, 0))

    records = _records(draft)
    if margin:
        records = tuple([record._replace(moves=re.sub(_COLUMN, shifted, record.moves)) for record in records])
    title, values, comment = _texts(draft)
    if not values.keys().isdisjoint(VARIANT_KEYS):
        level = with_keys(level.replace(records=records), values)
    author = values.pop("author", "")
    metadata = tuple(values.items())
    return Level(
        level.board, level.start, level.rows, title, author, comment, metadata, level.number, level.line, records
    )


def _records(draft: _Draft) -> tuple[Record, ...]:
    return tuple(
        [Record(title, moves, "\n".join(notes or ()).strip("\n")) for (title, moves, __), notes in draft.records]
    )


def _unread(lines: TextLines, drafts: list[_Draft], limits: ReadLimits) -> Callable[[_Draft, int], Level | None]:
    """Return a function that makes the level of a draft without reading its board, or returns None if it must."""
    from sokoterm.formats.unread import BoardsOfText, UnreadLevel, surely_levels  # large packs only

    sure = surely_levels(lines.read, [draft.rows for draft in drafts], limits)
    boards = BoardsOfText(lines.read)

    def make(draft: _Draft, number: int) -> Level | None:
        boxes = sure.get(number - 1)
        if boxes is None or draft.records and any("-" in record.moves for record, __ in draft.records):
            return None
        title, values, comment = _texts(draft)
        if not values.keys().isdisjoint(VARIANT_KEYS):
            return None
        author, line = values.pop("author", ""), lines.numbers[draft.rows.first] + 1
        metadata, records = tuple(values.items()), _records(draft)
        return UnreadLevel(boards, draft.rows, boxes, title, author, comment, metadata, number, line, records)

    return make


def _texts(draft: _Draft) -> tuple[str, dict[str, str], str]:
    headings = [i for i, text in enumerate(draft.above) if text.key in UNKEYED]
    heading = headings[0] if headings else len(draft.above)
    if headings and draft.above[heading].key:
        heading = next((i for i in headings if _is_quoted(draft.above[i].value)), heading)
    title = draft.above[heading].value if headings else ""
    if headings and not draft.above[heading].key:
        title = without_mark(title)
    if len(draft.above) <= 1 and not draft.below and title:
        return title, {}, ""
    values, comment = _gathered([*draft.above[:heading], *draft.above[heading + 1 :], *draft.below])
    if "floor squares used" in comment and RECIPE not in values and is_recipe(comment):
        values[RECIPE], comment = "; ".join(line.rstrip(".") for line in comment.splitlines()), ""
    keyed = values.pop("title", "")
    if title and keyed and keyed != title:
        values["heading"] = title
    return keyed or title, values, comment


def _is_quoted(text: str) -> bool:
    return len(text) > 2 and text[0] == text[-1] and text[0] in "'\""
