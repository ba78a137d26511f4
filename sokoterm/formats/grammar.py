"""Grammar of text levels: which lines are rows, texts and moves, which rows form a board, and the level they draw.

Each line has one kind, a character, and boards are found in the string of all kinds, so each line is parsed only once.
Blank lines separate paragraphs; text in the same paragraph as a board belongs to it.

A run-length line (RLE) contains one row, or several separated by ``|``: ``3#4-p.#``, ``5#|#@$.#|5#``. Without another
row next to it only the latter is a board: a line such as ``3#`` may be ordinary text.

Solutions and saved games are lines of ``lurdLURD`` with counts and groups, ``*``, brackets and braces (SOK file format
0.19). The key ``Solution:`` also allows the walks and counts of ksokoban.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from sokoterm.engine.level import RECIPE, Level, LevelError, Record, level_from_rows
from sokoterm.engine.lurd import RunLengthError, expand
from sokoterm.formats.limits import ReadLimits, SquareCount
from sokoterm.language import N_, _

BOX_ORDER, GOAL_ORDER, VARIANT, ICE = VARIANT_KEYS = ("boxorder", "goalorder", "variant", "ice")
"""Keys of levels with colours or ice."""
GAME = "game"
KEYS = frozenset(
    (
        *("title", "author", "comment", "id", "date", "difficulty", "collection", "copyright", "email", "homepage"),
        *("solution", GAME, RECIPE, *VARIANT_KEYS),
    )
)
_LONGEST_KEY = 20
_COMMENT_ENDS = frozenset(("comment-end", "comment_end", "comment end"))
HEADING = ";"
REMARKS = "remarks"
# Text after this mark is kept verbatim; it is never a title or a board.
_REMARK = "::"
UNKEYED = ("", HEADING)
_FENCES = ("```", "~~~")
# The marks of comments before a title.
_MARKS = "#/%"
_RULER = " -_=~\t"

_PLAYERS = "@+pP"
_FLOOR = " -_\t"
_SOLID = "#*"
_ROW = "# @+$*.-_\t"
_SOK_ROW = _ROW + "pPbB"
_DIGITS = "0123456789"
COUNTED_ROW = _SOK_ROW + _DIGITS + "()|"
_COUNTED_FLOOR = _FLOOR + _DIGITS + "|"
_FLOOR_TO_SPACE = str.maketrans("-_", "  ")
# A count comes right before a cell or a group, unlike in text such as "#50 (3)". Compiled on first use: few need it.
_COUNT_OF_NOTHING = r"[0-9](?![0-9#@+$*.pPbB(_-])"
_TAB = 8
# Limit of the squares searched for boards without a blank line in between, which takes some seconds.
_MOST_SQUARES = 1 << 21

# A recipe: on one line after its key; in files of earlier versions the whole comment, of up to three lines.
_RECIPE = (
    r"(?i)(?:seed [^\n;]*[\n;] ?)?(?:difficulty (?:at least )?(?P<hard>\d{1,4})[,.;]\s)?"
    r"(?P<pushes>\d{1,9}) pushes, \d+ moves, \d+ box lines, \d+ box changes, \d+ pushing sessions, "
    r"\d+ of (?P<floor>\d{1,9}) floor squares used\.?(?:[\n;] ?seed [^\n]*)?"
)

_LETTERS = "lurdLURD"
_NO_LETTERS = "0123456789()[]{}* \t"
MOVES = _LETTERS + _NO_LETTERS
_KSOKOBAN = _LETTERS + "0123456789-, \t"
# Beginnings of titles that announce moves below, and titles that announce moves on the same line.
_CLAIM = r"(?:best )?(?:solution|save ?game|saved game|snapshot)"
_ANNOUNCED = re.compile(rf"\s*+(?:moves\s*+|{_CLAIM}[^:]*+):(?=.*\S)", re.IGNORECASE)
# Programs write these below solutions; they are never titles.
_NOTE_KEYS = ("solver:", "optimizer:", "optimality:", "time:", "date:", "boxorder:", "goalorder:")
# No word spelled with the letters of moves is longer.
_LONGEST_WORD = 4

# Kinds of lines: a plain row, a run-length line, a board on one line, and a run-length line of walls only.
PLAIN, _COUNTED, BOARD, _WALLS = "RCDW"
ANY_ROW = "RCDW"
_COUNTED_ROWS = "CDW"
# Floor between rows; elsewhere plain floor is blank, and floor with counts is text.
_BLANK_FLOOR, _TEXT_FLOOR = "Ff"
_WITH_COUNTS = frozenset(_COUNTED_ROWS + _TEXT_FLOOR)
ANY_FLOOR = "Ff"
# Blank lines, rulers, fences of code and remarks.
_BLANK = " "
_ANY_BLANK = " F"
# Moves that are too long to be a word, and shorter ones.
_LONG_MOVES, _SHORT_MOVES = _ANY_MOVES = "Mm"
# Text, text between two walls or boxes on goals, and text that cannot be a broken row: keys, headings, titled moves.
_TEXT, _FRAMED, _SURE_TEXT = "TXK"
# Rows of boards. Between two of them may be floor, and text or broken rows: one line, or several in a frame.
_ROWS = re.compile("(?=[RD]|[CW][Ff]*[RCDW]|W[TXm][RCDW])[RCDW](?:[RCDW]|[Ff]+(?=[RCDW])|(?:X+|[Tm])(?=[RCDW]))*")
_TEXT_BETWEEN_ROWS = re.compile("(?<=[RCDW])T(?=[RCDW])")
_LONE_ROW = re.compile("(?<![RCDWFf])[Ff]*+(R)[Ff]*+(?![RCDW])")
_NO_ROW = re.compile("[^RCDWFf]")
# In the parts of rows (see ``_part``): texts with the rulers or the frame around them.
_PARTING = "(?<!F)F*(?:[HF]P*+T[TPF]*[HF]|T[TF]*)F*"


class Text(NamedTuple):
    """A text between boards, from the index ``line`` on.

    ``key`` is a known key, ``remarks`` (text after ``::``), ``;`` for a heading, or empty.
    """

    key: str
    value: str
    paragraph: int
    line: int


class BoardLines(NamedTuple):
    """The lines of one board: the indices of the first one and past the last one, and their kinds."""

    first: int
    end: int
    paragraph: int
    kinds: str


class Moves(NamedTuple):
    """A run of lines of moves; ``text`` is their content without white space.

    ``key`` is the title before moves on the same line, or empty. ``is_whole``: neither text nor a board follows
    directly.
    """

    text: str
    first: int
    end: int
    paragraph: int
    key: str = ""
    is_whole: bool = True


def is_row(line: str) -> bool:
    """True if a line, plain or run-length, is a row when it is next to another row."""
    return kind_of(line) in ANY_ROW


def is_level_row(line: str) -> bool:
    """True if a row contains more than walls."""
    return "#" in line and any(cell in line for cell in "@+$*.pPbB")


def kind_of(line: str) -> str:
    """Return the kind of a line regardless of its context."""
    if "#" in line or "*" in line:
        if not line.strip(_ROW):
            return PLAIN
        bare = line.strip(_FLOOR)
        is_framed = bare[0] in _SOLID and bare[-1] in _SOLID
        if not line.strip(COUNTED_ROW):
            # SOK letters may also be text, but a row begins and ends with something solid.
            if is_framed and "#" in bare and not line.strip(_SOK_ROW):
                return PLAIN
            if counted := _counted_kind(line):
                return counted
        if is_framed:
            return _FRAMED
    elif line[:1].isalpha() and line[0] not in _LETTERS:
        return _TEXT
    elif not line.strip(_RULER):
        return _BLANK_FLOOR if line.strip(" \t") and not line.strip(_FLOOR) else _BLANK
    elif not line.strip(_COUNTED_FLOOR) and ("-" in line or "_" in line):
        return _TEXT_FLOOR
    if line[0] in MOVES and not line.strip(MOVES) and line.strip(_NO_LETTERS):
        return _LONG_MOVES if is_no_word(line) else _SHORT_MOVES
    if line.startswith(_REMARK) or line.isspace() or line.lstrip().startswith(_FENCES):
        return _BLANK
    return _TEXT


def _counted_kind(line: str) -> str:
    """Return the kind of a line in characters of run-length rows, one of them solid; empty if it is not a row.

    Several rows with walls in the outer ones are a board.
    """
    bare = line.strip(" \t" if "|" in line else _FLOOR)
    has_counts = "|" in bare or any(digit in bare for digit in _DIGITS)
    if not has_counts or bare.startswith("|") or re.search(_COUNT_OF_NOTHING, bare):
        return ""
    # As for plain rows, but a bar proves that it is a row, which may then end outside the walls.
    if "|" not in bare and (bare[0] in "@+$.pPbB" or bare[-1] not in "#*)"):
        return ""
    if "|" in line and "#" in line:
        rows = [row for row in line.split("|") if row.strip(_COUNTED_FLOOR)]
        if len(rows) > 1 and all("#" in row or "*" in row for row in (rows[0], rows[-1])):
            return BOARD
    return _COUNTED if line.strip(_COUNTED_FLOOR + "#()") else _WALLS


def scan(lines: list[str]) -> Iterator[Text | BoardLines | Moves]:
    """Yield boards, texts and possible moves in order."""
    kinds = _kinds(lines)
    run = _ROWS.search(kinds)
    boards: dict[int, int] = {}
    paragraph = index = looked = 0
    left = _MOST_SQUARES
    while index < len(lines):
        if run and index >= run.start():
            looked = run.end()
            run = _ROWS.search(kinds, looked)
            rows, of_rows = lines[index:looked], kinds[index:looked]
            if not _may_be_several(rows, of_rows) or (squares := sum(map(len, rows))) > left:
                yield BoardLines(index, looked, paragraph, of_rows)
                index = looked
                continue
            left -= squares
            boards = {index + start: index + end for start, end in _boards(rows, of_rows, left).items()}
        if index in boards:
            yield BoardLines(index, boards[index], paragraph, kinds[index : boards[index]])
            index = boards[index]
            continue
        line, kind = lines[index], kinds[index]
        index += 1
        if kind in _ANY_BLANK or index <= looked and kind in ANY_ROW:
            paragraph += 1
            if line.startswith(_REMARK):
                yield Text(REMARKS, line.removeprefix(_REMARK).removeprefix(" ").rstrip(), paragraph, index - 1)
            continue
        keyed = _keyed_moves(line) if ":" in line else None
        if keyed or kind in _ANY_MOVES:
            moves = _moves(lines, kinds, index - 1, paragraph, keyed)
            yield moves
            index = moves.end
            continue
        text = text_of(line, paragraph, index - 1)
        if text.key == "comment":
            end = _comment_end(lines, index)
            if end is not None:
                within = [text.value, *lines[index:end], lines[end].partition(":")[2].strip()]
                text = text._replace(value="\n".join(within).strip("\n"))
                index = end + 1
        elif text.key in _COMMENT_ENDS:
            text = text._replace(key="comment")
            if not text.value:
                continue
        yield text


def _kinds(lines: list[str]) -> str:
    """Return the kinds of lines in context: rulers of stars away from boards are blank, comments are text."""
    known = {line: kind_of(line) for line in dict.fromkeys(lines)}  # rows repeat
    each = [*map(known.__getitem__, lines)]
    after = 0
    for index, line in enumerate(lines) if any(":" in line for line in known) else ():
        key = _key(line) if ":" in line and index >= after else None
        if key and key[0] == "comment" and (end := _comment_end(lines, index + 1)):
            after = end + 1
            each[index:after] = _SURE_TEXT * (after - index)
    kinds = "".join(each)
    rulers = {line for row in _LONE_ROW.finditer(kinds) if (line := lines[row.start(1)])[0] == "*" and _is_ruler(line)}
    if rulers:
        kinds = "".join([_BLANK if line in rulers else kind for line, kind in zip(lines, kinds)])

    def between_rows(found: re.Match[str]) -> str:
        line = lines[found.start()]
        is_sure = _key(line) or _keyed_moves(line) or line.lstrip().startswith(HEADING)
        return _SURE_TEXT if is_sure else _TEXT

    return _TEXT_BETWEEN_ROWS.sub(between_rows, kinds)


def _key(line: str) -> tuple[str, str] | None:
    """Return the known key at the start of a line, or the end mark of a comment, and its value."""
    name, colon, value = line.partition(":")
    if not colon or len(name) > _LONGEST_KEY:
        return None
    name, value = name.strip().lower(), value.strip()
    if name == RECIPE and not is_recipe(value):  # words of another program, or of a cook
        return None
    return (name, value) if name in KEYS or name in _COMMENT_ENDS else None


def text_of(line: str, paragraph: int, index: int) -> Text:
    """Return the text of a line that is neither blank nor a row nor moves."""
    key = _key(line) if ":" in line else None
    if key is not None and (key[1] or key[0] != "solution"):
        return Text(*key, paragraph, index)
    bare = line.strip()
    if bare.startswith(HEADING):
        return Text(HEADING, bare.lstrip(HEADING).strip(), paragraph, index)
    return Text("", bare, paragraph, index)


def is_recipe(text: str) -> bool:
    """True if a text is a whole recipe."""
    return re.fullmatch(_RECIPE, text) is not None


class RecipeFigures(NamedTuple):
    """The fewest pushes and the difficulty in a recipe, 0 and None if they are missing."""

    pushes: int = 0
    hard: int | None = None


def recipe_of(level: Level) -> RecipeFigures:
    """Return the figures in the recipe of a level, unless it is missing or belongs to a different board."""
    text = next((value for key, value in level.metadata if key == RECIPE), "")
    match = re.fullmatch(_RECIPE, text) if text else None
    if match is None or int(match["floor"]) != level.board.floor.bit_count():
        return RecipeFigures()
    return RecipeFigures(int(match["pushes"]), int(match["hard"]) if match["hard"] else None)


def without_mark(text: str) -> str:
    """Return a title without a comment mark before it.

    >>> [without_mark(text) for text in ("# One", "// Two", "#3", "# Four #")]
    ['One', 'Two', '#3', '# Four #']
    """
    bare = text.lstrip(_MARKS)
    is_comment = text.startswith("//") or text != bare and bare[:1].isspace()
    return bare.strip() if is_comment and bare and bare[-1] not in _MARKS else text


def _comment_end(lines: list[str], first: int) -> int | None:
    for index in range(first, len(lines)):
        key = _key(lines[index]) if ":" in lines[index] else None
        if key is not None and key[0] in _COMMENT_ENDS:
            return index
        if key is not None and key[0] == "comment":
            return None
    return None


def _may_be_several(rows: list[str], kinds: str) -> bool:
    if _NO_ROW.search(kinds):
        return True
    text = "".join(rows)
    is_ruled = "*" in rows[0] or len(rows) == 1 and "|" not in text
    return is_ruled or sum(map(text.count, _PLAYERS)) > 1


def _boards(rows: list[str], kinds: str, most: int) -> dict[int, int]:
    """Return the boards among rows and texts, as a map from the index of the first row to the index past the end.

    A text separates two boards if each has a player and at least one is closed, and a ruler if both are closed. Rulers,
    and frames around texts, are not boards.
    """
    parts = "".join(map(_part, rows, kinds))
    rooms = _closed_rooms(rows, kinds, most)
    boards: dict[int, int] = {}
    begin = 0
    for start, end in (*_cuts(rows, parts, rooms), (len(rows), len(rows))):
        board = parts[begin:start]
        if "R" in board or "X" in board or not rooms and not _is_frame(rows, parts):
            # A ruler beside a cut does not belong to the board.
            first = start - len(board.lstrip("F") if begin else board)
            boards[first] = begin + len(board.rstrip("F") if start < len(rows) else board)
        begin = end
    return boards


def _part(row: str, kind: str) -> str:
    """Return R for a row of a level, F for floor or a ruler of stars, H for a ruler of walls, P for other rows.

    T is a text, X a text or a broken row.
    """
    if kind in ANY_FLOOR:
        return "F"
    if kind not in ANY_ROW:
        return "T" if _is_framed_text(row) else "X"
    if _is_ruler(row) or not row.strip().strip("#"):
        return "F" if "*" in row else "H"
    return "R" if is_level_row(row) else "P"


def _is_ruler(line: str) -> bool:
    """True if a line is a ruler or a row of walls: at least three signs, all ``*`` or all ``#``."""
    signs = "".join(line.split())
    return len(signs) > 2 and signs[0] in _SOLID and not signs.strip(signs[0])


def _is_framed_text(line: str) -> bool:
    """True if a line is a text, perhaps between ``#`` or ``*``, rather than a broken row."""
    frame = line.strip()
    inner = frame.strip(_SOLID)
    text = inner.strip()
    is_set_off = len(inner) - len(inner.lstrip()) > 0 < len(inner) - len(inner.rstrip())
    is_word = len(text) > 2 or is_set_off
    if any(cell in text for cell in "@$+"):
        return inner == frame and is_word and any(map(str.isalnum, text))
    return bool(text) and (inner == frame or is_word and any(map(str.isalnum, text)))


def _is_frame(rows: list[str], parts: str) -> bool:
    """True if rows are a ruler, or rulers or a frame around texts that fit inside."""
    if "T" not in parts:
        return not parts.strip("F") or parts == "H"
    rulers = [len(row) for row, part in zip(rows, parts) if part in "FH"]
    texts = [
        len(row) for row, part in zip(rows, parts) if part == "T" and {row.strip()[0], row.strip()[-1]} & {*_SOLID}
    ]
    return "R" not in parts and "X" not in parts and max(rulers, default=-1) >= max(texts, default=0)


def _cuts(rows: list[str], parts: str, rooms: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of rows that separate boards, above, between and below the closed rooms."""
    begins, ends = [0, *(last + 1 for __, last in rooms)], [*(top for top, __ in rooms), len(rows)]
    for index, (begin, end) in enumerate(zip(begins, ends)) if rooms else ():
        between = parts[begin:end]
        is_inner = 0 < index < len(rooms)
        if is_inner and "T" not in between:
            between = between.replace("X", "T")
        found = [(begin + part.start(), begin + part.end()) for part in re.finditer(_PARTING, between)]
        if is_inner and found:
            yield from (found[0], found[-1])
        elif found:
            start, after = found[0] if index else found[-1]
            beyond = slice(after, None) if index else slice(start)
            has_player = any(cell in row for row in rows[beyond] for cell in _PLAYERS)
            if len(rooms) > 1 or has_player or not {"R", "X"}.intersection(parts[beyond]):
                yield start, after
        elif len(rooms) > 1 and not between.strip("FH" if is_inner else "F"):
            yield begin, end
        elif is_inner and "F" in between:
            yield begin + between.index("F"), begin + between.rindex("F") + 1


def _closed_rooms(lines: Sequence[str], kinds: str, most: int) -> list[tuple[int, int]]:
    """Return the first and last line around each closed room with a player, from the top.

    Rooms that share lines count as one, and lines that are not rows as open. Takes time linear in the squares; counts
    may expand to at most ``most``.
    """
    rows: list[str] = []
    numbers: list[int] = []
    for number, (line, kind) in enumerate(zip(lines, kinds)):
        pieces = [line.expandtabs(_TAB) if kind == PLAIN or kind in ANY_FLOOR else ""]
        if kind in _COUNTED_ROWS:
            with suppress(RunLengthError):
                pieces = [expand(piece.strip(" \t"), most) for piece in line.split("|")]
                most -= sum(map(len, pieces))
        rows += pieces
        numbers += [number] * len(pieces)
    runs = [[run.span() for run in re.finditer("[^#]+", row)] for row in rows]
    seen: set[tuple[int, int]] = set()
    found: list[tuple[int, int]] = []
    for row, cells in enumerate(rows):
        for player in re.finditer(f"[{_PLAYERS}]", cells):
            start = row, bisect_right(runs[row], (player.start(), len(cells))) - 1
            if start not in seen and (room := _room(rows, runs, seen, start)):
                first, last = numbers[room[0]], numbers[room[1]]
                while found and found[-1][1] >= first:
                    before = found.pop()
                    first, last = min(first, before[0]), max(last, before[1])
                found.append((first, last))
    return found


def _room(
    rows: Sequence[str], runs: Sequence[Sequence[tuple[int, int]]], seen: set[tuple[int, int]], start: tuple[int, int]
) -> tuple[int, int] | None:
    """Return the rows of the walls above and below the room that contains the run ``start``, or None if it is open.

    ``runs`` are the spans of columns without walls in each row; the spans of the room are added to ``seen``.
    """
    top = bottom = start[0]
    is_closed = True
    seen.add(start)
    left = [start]
    while left:
        row, index = left.pop()
        begin, end = runs[row][index]
        top, bottom = min(top, row), max(bottom, row)
        is_closed = is_closed and begin > 0 and end < len(rows[row])
        for beside in (row - 1, row + 1):
            if not 0 <= beside < len(rows):
                is_closed = False
                continue
            is_closed = is_closed and end <= len(rows[beside])
            near = runs[beside]
            for other in range(max(0, bisect_right(near, (begin, end)) - 1), len(near)):
                if near[other][0] >= end:
                    break
                if near[other][1] > begin and (beside, other) not in seen:
                    seen.add((beside, other))
                    left.append((beside, other))
    return (top - 1, bottom + 1) if is_closed else None


def read_board(lines: list[str], board: BoardLines, number: int, limits: ReadLimits, count: SquareCount) -> Level:
    """Return the level drawn on some lines of a text.

    Raises LevelError, with line and column in the text, for a board that is invalid, exceeds the limits, or has counts
    that cannot be expanded or rows without a wall or a box on a goal.
    """
    first, drawn, kinds = board.first, lines[board.first : board.end], board.kinds
    width, height = max(map(len, drawn)), len(drawn)
    if height > limits.height or width > limits.width:
        # Before rows are split at bars and tabs expanded; a margin counts only if it is wider than the widest board.
        width = max(len(piece) for row in drawn for piece in row.split("|"))
        counted = (row.rstrip(_FLOOR).removesuffix("|") for row, kind in zip(drawn, kinds) if kind in _WITH_COUNTS)
        height += sum(row.count("|") for row in counted)
        far = max((len(row.rstrip(_FLOOR)) for row, kind in zip(drawn, kinds) if kind not in _WITH_COUNTS), default=0)
        if far <= 2 * limits.width:
            margin = min(len(row) - len(row.lstrip(_FLOOR)) for row in drawn)
            far = (far or width) - margin if height > limits.height else min(width, limits.width)
        limits.check_board(far, height, first + 1)
    is_plain = not kinds.strip(PLAIN)
    has_counts = not is_plain and not _WITH_COUNTS.isdisjoint(kinds)
    cells, spent = drawn, 0
    if has_counts:
        rows = _expanded(drawn, board, limits, count)
        cells = [row for row, __, __ in rows]
        spent = sum(len(row) for row, __, begin in rows if begin >= 0)
    text = "".join(cells)
    if "-" in text or "_" in text or "\t" in text:
        cells = list(map(_spaced, cells))
    cells, margin = without_margin(cells)
    if cells is not drawn:
        width, height = max(map(len, cells)), len(cells)
    limits.check_board(width, height, first + 1)
    count.spend(max(0, width * height - spent), first + 1)
    try:
        if not is_plain:
            _check_solid(cells, first + 1)
        return level_from_rows(cells, line=first + 1, number=number)
    except LevelError as error:
        if not error.column:
            raise
        row = error.line - first - 1
        line, begin = rows[row][1:] if has_counts else (first + row, -1)
        if begin >= 0:
            raise LevelError(error.problem, line=line + 1, column=begin + 1) from None
        column = _column(lines[line], margin + error.column)
        raise LevelError(error.problem, line=line + 1, column=column, character=error.character) from None


def margin_of(lines: Sequence[str]) -> int:
    """Return the width of the common left margin of plain rows."""
    return without_margin([_spaced(line) for line in lines])[1]


def _spaced(row: str) -> str:
    return row.rstrip(_FLOOR).expandtabs(_TAB).translate(_FLOOR_TO_SPACE)


def without_margin(rows: list[str]) -> tuple[list[str], int]:
    """Return the rows without their common left margin, and its width."""
    for row in rows:
        if row[:1] not in _FLOOR:
            return rows, 0
    margin = min(len(row) - len(row.lstrip(" ")) for row in rows if row)
    return [row[margin:] for row in rows], margin


def _expanded(
    lines: Sequence[str], board: BoardLines, limits: ReadLimits, count: SquareCount
) -> list[tuple[str, int, int]]:
    """Return each row without floor above and below, expanded, with its line from 0 and offset (-1: plain row)."""
    rows: list[tuple[str, int, int]] = []
    for number, (line, kind) in enumerate(zip(lines, board.kinds), start=board.first):
        if kind not in _WITH_COUNTS:
            rows.append((line, number, -1))
            continue
        bare = line.rstrip(" \t").removesuffix("|")
        start = len(bare) - len(bare.lstrip(" \t")) if "|" in bare else 0  # blanks indent the line, not its first row
        pieces = bare[start:].split("|")
        # Blanks after every bar are not cells, as the first row has none.
        indent = min((len(each) - len(each.lstrip(" \t")) for each in pieces[1:] if each.strip(" \t")), default=0)
        for index, piece in enumerate(pieces):
            skipped = min(indent, len(piece)) if index else 0
            try:
                rows.append((expand(piece[skipped:].rstrip(" \t"), limits.width), number, start + skipped))
            except RunLengthError as error:
                column = start + skipped + error.place
                raise LevelError(error.problem, line=number + 1, column=column, character=error.character) from None
            count.spend(len(rows[-1][0]), number + 1)
            start += len(piece) + 1
    solid = [index for index, (row, __, __) in enumerate(rows) if row.strip(_FLOOR)]
    return rows[solid[0] : solid[-1] + 1] if solid else rows


def _check_solid(rows: Sequence[str], line: int) -> None:
    for index, row in enumerate(rows):
        if "#" not in row and "*" not in row and row and not row.strip(_SOK_ROW):
            column = len(row) - len(row.lstrip(" "))
            if column < len(row):
                found = row[column]
                problem = _(
                    "found {found!r} in a row with nothing else, expected a wall # or a box on a goal * in it",
                    found=found,
                )
                raise LevelError(problem, line=line + index, column=column + 1, character=found)


def _column(line: str, column: int) -> int:
    """Convert a column counted with expanded tabs to one in the line as written."""
    if "\t" not in line:
        return min(column, len(line))
    place = 0
    for index, character in enumerate(line, start=1):
        place += _TAB - place % _TAB if character == "\t" else 1
        if place >= column:
            return index
    return len(line)


def _moves(lines: list[str], kinds: str, first: int, paragraph: int, keyed: tuple[str, str] | None) -> Moves:
    """Return the run of moves that begins on line ``first``; ``keyed`` is its title and moves if it has a title."""
    key, text = keyed or ("", "")
    begin = end = first + 1 if keyed else first
    if not keyed or text:
        end = _span(kinds, begin, _ANY_MOVES)
    text += "".join("".join(lines[begin:end]).split())
    after = _span(kinds, end, _ANY_BLANK)
    is_last = after == len(lines)
    return Moves(text, first, end, paragraph, key, is_last or after > end and kinds[after] not in ANY_ROW)


def _span(kinds: str, index: int, some: str) -> int:
    """Return the index, from ``index`` on, of the first line of any other kind."""
    while index < len(kinds) and kinds[index] in some:
        index += 1
    return index


def is_moves(line: str) -> bool:
    """True if a line contains only characters of move notation, including a letter."""
    return kind_of(line) in _ANY_MOVES


def is_no_word(line: str) -> bool:
    """True if moves are too long to be a word."""
    return _letters(line) + sum(map(str.isdecimal, line[:_LONGEST_WORD])) > _LONGEST_WORD


def is_nearly_moves(line: str, fewest: int = 4) -> bool:
    """True if a line has at least ``fewest`` letters of moves per foreign character, or one after a title for moves."""
    moves = line[behind_title(line) :]
    foreign, letters = sum(each not in MOVES for each in moves), _letters(moves)
    return letters > 0 and (fewest if moves == line else 1) * foreign <= letters


def is_walks(line: str) -> bool:
    """True if a line contains moves with commas or walks, as written by ksokoban."""
    return ("," in line or "-" in line) and not line.strip(_KSOKOBAN) and _letters(line) > 0


def is_claim(title: str) -> bool:
    """True if a title announces moves below it."""
    return re.match(_CLAIM, title, re.IGNORECASE) is not None


def is_title(text: str) -> bool:
    """True if a line of text may be the title of the lines below it."""
    return not text.lower().startswith(_NOTE_KEYS)


def behind_title(line: str) -> int:
    """Return the index after the colon of a title that announces moves on its line, or 0."""
    title = _ANNOUNCED.match(line)
    return title.end() if title else 0


def _keyed_moves(line: str) -> tuple[str, str] | None:
    """Return title and moves of a line such as ``Solution: r2,4-2l2``; the moves are empty for ``undefined``."""
    begin = behind_title(line)
    if not begin:
        return None
    title, moves = line[: begin - 1].strip(), line[begin:].strip()
    if moves.lower() == "undefined":
        return title, ""
    if moves.strip(MOVES) and moves.strip(_KSOKOBAN) or not _letters(moves):
        return None
    return title, "".join(moves.split())


def is_record(moves: Moves, title: str) -> bool:
    """True if a run of lines under a title (empty for none) is moves rather than letters of a text.

    Without a title that announces moves, rejects possible words: up to four letters that are not the whole paragraph or
    do not end in a push, as every solution does.
    """
    if moves.key or is_claim(title) or is_no_word(moves.text):
        return True
    return moves.is_whole and moves.text[-1] in "LURD"


def kind(record: Record) -> str:
    """Return "saved games" or "solutions", according to the title of a record; without a title it is a solution."""
    title = record.title.lower()
    return N_("saved games") if "save" in title or "snapshot" in title else N_("solutions")


def _letters(text: str) -> int:
    return sum(map(text.count, _LETTERS))
