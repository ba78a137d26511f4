"""Boards in the source code of programs, as quoted rows or lists of cells (also JSON), and in signs other than XSB.

The meaning of signs is given, or found in a legend of the file, or by trial: it is possible if most boards become
levels. The most usual meaning is chosen, then the one with the fewest boxes lost from the start; a tie is an error that
names the candidates.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.deadlock.check import dead_squares
from sokoterm.engine.level import LevelError, level_from_rows
from sokoterm.engine.value import Value
from sokoterm.formats.foreign import TextLines, read_lines, split_lines
from sokoterm.formats.limits import AUTO
from sokoterm.language import N_, _, listed

ROLES = {
    "wall": ("#", N_("a wall")),
    "player": ("@", N_("the player")),
    "player-on-goal": ("+", N_("the player on a goal")),
    "box": ("$", N_("a box")),
    "box-on-goal": ("*", N_("a box on a goal")),
    "goal": (".", N_("a goal")),
    "floor": (" ", N_("floor")),
}
"""The roles of signs, each with its sign in XSB and its name for a person."""
# Signs in common use for each XSB sign; others may mean anything.
_USUAL = {
    "#": "#XxWwHZ%=1█■▓⬛🧱",
    "@": "@&PpMmSsKkIio☺🙂🚹",
    "+": "+&Qq",
    "$": "$BbCcOoXx*📦",
    ".": ".GgTtDdOoXxEe!Yh·🎯⭕",
    "*": "*&BX%$",
    " ": " -_.,~!0Ff",
}
_BLANKS = " -_\t"
# Signs that mean floor even if they are rare.
_FLOOR = "0~,"
_XSB = {*"#@+$*.", *_BLANKS}
_CORE, _PLAYERS = {*"#@$."}, {*"@+"}
# Level files are smaller; splitting this much text into tokens takes two seconds.
_LARGEST = 4 << 20
_FEWEST_SIGNS, _MOST_SIGNS = 3, 12
_FEWEST_ROWS, _MOST_WALLS = 3, 2
# Limits of the boards and meanings to try.
_TRIED_BOARDS, _TRIED_MEANINGS = 20, 200
_MOST_NAMED = 3
# The signs for cells with longer names, such as 10 or WALL.
_PRIVATE, _MOST_PRIVATE = 0xE000, 0x1900

_COMMENT = r"//[^\n]*|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|--[^\n]*|\#[^\n]*"
_CELL = r"""-?\d+(?:\.\d+)?|[^\W\d][\w.]*|"(?:[^"\\\n]\ufe0f?|\w+)"|'(?:[^'\\\n]\ufe0f?|\w+)'"""
# Separators between rows; names of texts; lists of cells; string literals of many languages, also over several lines
# and unterminated.
_TOKEN = rf"""(?x)
(?P<between> (?: {_COMMENT} | [\s,+.\\-] )++ )
| ["']? \b (?P<key> (?i:title|name|author|solution) ) \b ["']? \s*+ [:=] \s*+ (?=["'`])
| (?P<cells> [\[({{] (?: [\s,] | {_COMMENT} | {_CELL} )*+ [\])}}] )
| (?P<text> (?:\b[rRbBuUfFL]{{1,2}})?
    (?: \"{{3}}(?:[^"]++|"(?!""))*+\"{{3}} | '{{3}}(?:[^']++|'(?!''))*+'{{3}}
    | "(?:[^"\\\n]++|\\[^\n])*+" | '(?:[^'\\\n]++|\\[^\n])*+' | (?<!`)`(?!`)[^`]*+` )
    | "(?=\n?[ ]*(?P<wall>\S)(?P=wall){{2}})[^"\\]*+" | \[=*\[[^\]\[,"']{{9,}}+\]=*\] )
| (?P<brace> [{{}}] ) | "[^"\\\n]*+\\[^\n]*+ | '[^'\\\n]*+\\[^\n]*+ | \w++"""
_QUOTES = re.compile(r"^\w*(?:\"{3}|'{3}|[\"'`]|\[=*\[)|(?:\"{3}|'{3}|[\"'`]|\]=*\])$")
_ESCAPE = re.compile(r"\\(.)")
# Variation selectors, and everything joined to an emoji, which is one sign.
_VARIANTS = re.compile("\ufe0f|\u200d.*")

_QUOTED, _LISTS = N_("boards of quoted rows"), N_("boards in lists of cells")
_KEYS = {"title": "Title", "name": "Title", "author": "Author", "solution": "Solution"}

# Every board has two outer rows of one sign, or one cell three times in lists; few programs have either.
_OUTER_ROW = (
    r"""(?m)(?:^|["'`\[{(]|\\n)[- _.!0~]*+([^][(){}\s"'`_.\\-])[ ,\ufe0f]*+\1[ ,\ufe0f]*+\1"""
    r"""(?:\1|[- _.!0~\ufe0f,])*+(?=["'`\\\])}\r\n]|$)"""
)
_CELLS = r"""[\[({,]\s*+(["']?\w{1,20}+["']?|["'].["'])[\s,]++\1[\s,]++\1(?!\w)"""

# Words for each role, in the languages of most such files.
_WORDS = {
    "#": r"wall|brick|border|corner|pared|muro|\bmur\b|mauer|墙|壁|стен",
    "@": r"player|worker|keeper|character|sokoban|pusher|\b(?:man|guy|hero)\b|personaj|jugador|joueur|spieler|人|игрок",
    "$": r"box|crate|barrel|caja|caisse|kiste|箱|ящик",
    ".": r"goal|target|storage|dest|spot\b|hole\b|dock\b|(?:\b|_)meta|objetivo|cible|ziel|目标|目的|цел",
    " ": r"floor|empty|space|ground|blank|path\b|outside|nothing|piso|suelo|espacio|vide\b|boden|空|地面|пол\b|пуст",
}
_ANY_WORD = re.compile("(?i)['\"(]#|" + "|".join(_WORDS.values()))
# These distinguish a goal for a box from a box on a goal, and legends of keys from legends of signs.
_FOR = r"(?i)\b(?:for|of)\b"
_KEYBOARD = r"(?i)\b(?:up|down|left|right|keys?|press)\b|move"
_LEGENDS = (
    r"""(['"`])(?P<sign>\S|\d\d)\1[\s:=>|'"`-]*(?P<words>[^\W\d][^\n,;|"'`]{0,60})""",
    r"""(?P<sign>[^\0-\xff])\s*[:=-]*\s*(?P<words>[^\W\d][^\n,;|"'`]{0,60})""",
    r"""(?<![\w'"`])(?P<sign>[^\s\w'"`]|\w|\d\d)\s*(?:[:=|)-]>?|\bis\b)\s*['"`]?(?P<words>[^\W\d][^\n,;|"'`]{0,60})""",
    r"""(?P<sign>\w)\s*[:=(|,]>?\s*['"]?(?P<words>[#@$.*+])['")]""",
    r"""(?P<words>[^\W\d][\w ]{2,40}+)['"]?\s*(?:[:=|(]|is)\s*(['"`]?)(?P<sign>[^\s'"`]|\d\d)\2(?!\w)""",
)
_MOST_LEGENDS, _LONGEST_LEGEND = 1000, 300

_BRACKETS = "[](){},;\"'`" + _BLANKS
# Squares outside the walls, at both ends of rows.
_FILLERS = ("", "0", ".", "!", "~")

Meaning = dict[str, str]
"""The XSB sign for each sign."""


class _DrawnText(Value):
    """The lines of a text with boards, the index of each line in the text, and the ranges of lines of the boards.

    ``names`` maps longer names of cells to signs; ``form`` describes the notation, empty for plain rows.
    """

    lines: list[str]
    numbers: Sequence[int]
    places: list[range]
    names: Mapping[str, str] = MappingProxyType({})
    form: str = ""

    @property
    def boards(self) -> list[list[str]]:
        return [self.lines[place.start : place.stop] for place in self.places]

    @property
    def used(self) -> set[str]:
        return {sign for rows in self.boards for row in rows for sign in row}


def told_signs(text: str, found: _DrawnText | None = None) -> Meaning:
    """Return the meaning of signs in a text such as ``wall=X box=*``; raises LevelError.

    Several signs may mean the same; commas separate longer names. A sign with two meanings is an error if the boards
    ``found`` contain it. Without these, signs that no comma separates may be one name.

    >>> told_signs("wall=X floor=-,_")
    {'X': '#', '-': ' ', '_': ' '}
    """
    meaning: Meaning = {}
    for word in text.split():
        role, __, signs = word.partition("=")
        if role not in ROLES or not signs:
            expected = N_("found {found!r}, expected signs such as wall=X; the names are {roles}")
            raise LevelError(_(expected, found=word, roles=", ".join(ROLES)))
        parts: Sequence[str] = signs.split(",")
        if found is not None:
            parts = [found.names.get(name, name) for name in parts]
            parts = parts if all(len(sign) == 1 for sign in parts) else signs
        for sign in parts:
            if meaning.setdefault(sign, ROLES[role][0]) != ROLES[role][0] and (found is None or sign in found.used):
                other = next(each for each, (cell, __) in ROLES.items() if cell == meaning[sign])
                problem = N_("found {found!r} with a sign of {role}, expected one meaning for each sign")
                raise LevelError(_(problem, found=word, role=other))
    return meaning


class Translated(NamedTuple):
    """A text with boards in XSB, and how it was read (empty for plain boards).

    If the meaning of signs is uncertain, boards do not change: ``told`` lists likely options for ``--signs``, and
    ``line`` is the line of the first board.
    """

    lines: TextLines
    read_as: str = ""
    told: str = ""
    line: int = 0


def translated(text: str, signs: str) -> Translated:
    """Return the lines of a text in another notation, by the ``signs`` of limits, in time linear in the text.

    The meaning of signs is uncertain if there are several, if boards use #, @ and $ as XSB does, or without ``signs``.
    """
    found = _boards_in(text)
    told = told_signs(signs, found) if signs != AUTO else {}
    used, names = found.used, {sign: name for name, sign in found.names.items()}
    possible = _meanings(found, text, told)
    is_plain = used <= _XSB and "#" in used and not told.keys() & used
    if not found.places or not possible and (found.form or _is_text(found)) or is_plain and not found.form:
        return Translated(read_lines(text))
    if is_plain:
        possible = [{}]
    unlike = [_unlike(meaning, names) for meaning in possible]
    is_sure = told or signs and (not _is_like_xsb(used) or used - _XSB <= _legend(text, used, found.names).keys())
    if len(unlike) != 1 or unlike[0] and not is_sure:
        several = listed(map(_as_told, unlike[:_MOST_NAMED]))
        return Translated(read_lines(text), told=several, line=found.numbers[found.places[0].start] + 1)
    lines = [*found.lines]
    table = str.maketrans({sign: "-" if role == " " else role for sign, role in possible[0].items()})
    for place in found.places:
        # Rows without a player are a text.
        rows = [line.translate(table) for line in lines[place.start : place.stop]]
        lines[place.start : place.stop] = rows if _PLAYERS & {*"".join(rows)} else [""] * len(rows)
    means = [
        _("{sign} is {thing}", sign=sign, thing=_(ROLES[role][1]))
        for role, each in unlike[0].items()
        for sign in each
        if role_of(sign) != ROLES[role][0]
    ]
    form = _(found.form) if found.form else _("boards drawn with other signs")
    read_as = f"{form}; {listed(means)}" if means else form
    return Translated(TextLines(split_lines(text), lines, found.numbers), read_as)


def has_levels(text: str) -> bool:
    """True if a text has levels in another notation, by any meaning of their signs."""
    found = _boards_in(text)
    return any(_levels_of(found.boards, meaning)[0] for meaning in _meanings(found, text, {}))


def _unlike(meaning: Meaning, names: Mapping[str, str]) -> dict[str, list[str]]:
    unlike: dict[str, list[str]] = {}
    for role, (each, __) in ROLES.items():
        for sign in meaning:
            if meaning[sign] == each != sign and (each != " " or sign not in _BLANKS):
                unlike.setdefault(role, []).append(names.get(sign, sign))
    return unlike


def _as_told(unlike: Mapping[str, Sequence[str]]) -> str:
    told = (f"{role}={(',' if max(map(len, each)) > 1 else '').join(each)}" for role, each in unlike.items())
    return f'--signs "{" ".join(told)}"'


# Boards in a text


def _drawn_in(text: str) -> _DrawnText:
    """Find boards in the source code of a program: quoted rows, and rows of cells in brackets, with titles."""
    lines, numbers, places, names, form = list[str](), list[int](), list[range](), dict[str, str](), _QUOTED
    pending: list[tuple[int, str]] = []

    def write(rows: Iterable[tuple[int, str]]) -> None:
        for number, row in rows:
            numbers.append(number)
            lines.append(row)

    def end_board(is_list: bool = False) -> None:
        nonlocal form
        rows = [row for __, row in pending]
        found = [range(len(rows))] if _is_board(rows) else [] if is_list or len(rows) < _FEWEST_ROWS else _frames(rows)
        if found:
            if places and places[-1].stop == len(lines):
                write([(pending[0][0], "")])
            places.extend(range(len(lines) + place.start, len(lines) + place.stop) for place in found)
            write(pending)
            form = _LISTS if is_list else form
        pending.clear()

    line = place = end = 0
    key, is_list = "", False
    for token in re.finditer(_TOKEN, text):
        line += text.count("\n", place, token.start())
        place, kind, word = token.start(), token.lastgroup, token[0]
        if kind == "between" and place == end:
            end = token.end()
            continue
        rows: list[tuple[int, str]] = []
        if kind == "cells" and word.count(",") + word.count(" ") > 1:
            rows = _rows_of(word, line, names)
        elif kind == "text":
            word = _VARIANTS.sub("", _ESCAPE.sub(_escaped, _QUOTES.sub("", word)))
            is_long = "\n" in token[0]
            rows = [(line + number * is_long, row) for number, row in enumerate(word.split("\n"))]
        if place != end or not rows or (kind == "cells") != is_list or len(rows) > _FEWEST_ROWS:
            end_board(is_list)
        is_list = kind == "cells"
        if key and place == end and word.strip():
            write([(line, f"{_KEYS[key]}: {' '.join(word.split())}")])
        elif kind == "brace" and lines and lines[-1]:
            write([(line, "")])
        else:
            is_whole = len(rows) > _FEWEST_ROWS
            for number, row in rows:
                if row.strip():
                    pending.append((number, row))
                elif is_whole:
                    end_board()
            if is_whole:
                end_board(is_list)
        key, end = (token["key"] or "").lower(), token.end()
    end_board(is_list)
    return _DrawnText(lines, numbers, places, names, form)


def _escaped(found: re.Match[str]) -> str:
    return {"n": "\n", "r": "", "t": "\t"}.get(found[1], found[1])


def _rows_of(group: str, line: int, names: dict[str, str]) -> list[tuple[int, str]]:
    """Return the rows in a list of cells: one, or one per line if several have equal length; none for few cells."""
    rows: list[tuple[int, str]] = []
    quoted = list[tuple[int, str]]()
    for number, part in enumerate(group[1:-1].split("\n"), start=line):
        row = ""
        for found in re.finditer(f"(?P<cell>{_CELL})|{_COMMENT}", part):
            if cell := _VARIANTS.sub("", _QUOTES.sub("", found["cell"] or "")):
                if len(cell) > 1 and found[0] != cell and not role_of(cell):
                    quoted.append((number, cell))
                row += cell if len(cell) == 1 else names.setdefault(cell, chr(_PRIVATE + len(names) % _MOST_PRIVATE))
        if row:
            rows.append((number, row))
    if quoted:
        return quoted
    if sum(len(row) for __, row in rows) < _FEWEST_ROWS:
        return []
    if len({len(row) for __, row in rows}) > 1 or min(len(rows), len(rows[0][1])) < _FEWEST_ROWS:
        rows = [(rows[0][0], "".join(row for __, row in rows))]
    return rows


def _is_board(rows: Sequence[str]) -> bool:
    """True if rows may be a board: few signs, and at most two, one of them often, in each outer row."""
    if len(rows) < _FEWEST_ROWS:
        return False
    outer = [Counter(row.replace(" ", "")) for row in (rows[0], rows[-1])]
    if any(len(row) > _MOST_WALLS or row and max(row.values()) < _FEWEST_ROWS for row in outer):
        return False
    return _FEWEST_SIGNS <= len({*"".join(rows)} - {*_BLANKS}) <= _MOST_SIGNS


def _boards_in(text: str) -> _DrawnText:
    """Find boards in a text: as in source code, else as plain rows; none if the text is too long."""
    if len(text) > _LARGEST:
        return _DrawnText([], [], [])
    signs = (Counter(row[1] for row in re.finditer(pattern, text)) for pattern in (_OUTER_ROW, _CELLS))
    if not any(max(each.values(), default=0) > 1 for each in signs):
        return _DrawnText([], [], [])
    found = _drawn_in(text)
    return found if found.places else _framed(text)


def _framed(text: str) -> _DrawnText:
    __, read, numbers = read_lines(text)[:3]
    lines = [_VARIANTS.sub("", line) for line in read]
    fillers = (filler for filler in _FILLERS if not filler or f"\n{filler}" in text)
    places = next(filter(None, (_frames(lines, filler) for filler in fillers)), [])
    for place in places:
        rows = [line.strip(_BRACKETS).replace(", ", ",") for line in lines[place.start : place.stop]]
        if all(len(row) % 2 and not row[1::2].strip(" ,\t") for row in rows):
            lines[place.start : place.stop] = [row[::2] for row in rows]
    return _DrawnText(lines, numbers, places)


def _frames(lines: Sequence[str], filler: str = "") -> list[range]:
    """Return the ranges of rows that, inside ``filler``, begin and end with the sign that fills the outer rows."""
    places = []
    bare = [line.strip(_BRACKETS + filler) for line in lines]
    walls = [row[0] if len(row) > _MOST_WALLS and row[0] == row[-1] else "" for row in bare]
    for wall, run in groupby(range(len(lines)), key=walls.__getitem__):
        numbers = [*run]
        place = range(numbers[0], numbers[-1] + 1)
        rows = bare[place.start : place.stop]
        if wall and _is_board(rows) and not any(row.strip(wall + filler + _BRACKETS) for row in (rows[0], rows[-1])):
            places.append(place)
    return places


# The meaning of signs


@lru_cache(1000)
def role_of(words: str) -> str:
    """Return the XSB sign that words describe; empty if they describe none or several.

    >>> [role_of(words) for words in ("a box", "BOX_ON_TARGET", "a place for boxes: a goal", "the box and the player")]
    ['$', '*', '.', '']
    """
    if words in _CORE | {*"+*"}:
        return words
    if not _ANY_WORD.search(words) or re.search(_KEYBOARD, words):
        return ""
    found = "".join(sign for sign, pattern in _WORDS.items() if re.search(pattern, words, re.IGNORECASE))
    found = found.replace(" ", "") or found
    if found == "$.":
        return "." if re.search(_FOR, words) else "*"
    return "+" if found == "@." else found if len(found) == 1 else ""


def _legend(text: str, used: set[str], names: Mapping[str, str]) -> Meaning:
    """Return the meaning of the signs ``used`` by their names and by lines of a text, if these agree."""
    found = {sign: {role} for name, sign in names.items() if sign in used and (role := role_of(name))}
    lines = (line for line in split_lines(text) if len(line) < _LONGEST_LEGEND and _ANY_WORD.search(line))
    for line in islice(lines, _MOST_LEGENDS):
        for pattern in _LEGENDS:
            for entry in re.finditer(pattern, line):
                sign = names.get(entry["sign"], entry["sign"])
                if sign in used and (role := role_of(entry["words"].partition(" - ")[0])):
                    found.setdefault(sign, set()).add(role)
    return {sign: roles.pop() for sign, roles in found.items() if len(roles) == 1}


def _is_like_xsb(used: set[str]) -> bool:
    return "#" in used and bool(used & {"@", "$"})


def _is_text(found: _DrawnText) -> bool:
    """True if plain rows may be framed lines of text, which are levels only if their signs are usual."""
    has_letters = not found.form and any(map(str.isalpha, found.used))
    return has_letters and all(sum(len({*row.strip()}) > 1 for row in rows) == 1 for rows in found.boards)


def _meanings(found: _DrawnText, text: str, told: Meaning) -> list[Meaning]:
    """Return the equally likely meanings of the signs of boards; ``told`` are given."""
    used, boards = found.used, found.boards[:_TRIED_BOARDS]
    own = {sign: sign for sign in used & _XSB if sign not in _BLANKS} if _is_like_xsb(used) else {}
    told = own | {sign: role for sign, role in told.items() if sign in used}
    is_text = _is_text(found)
    for known in (_legend(text, used, found.names) | told, told) if boards else ():
        fitting = sorted(_fitting(boards, known), key=itemgetter(0))
        if is_text:
            fitting = [each for each in fitting if all(sign in _USUAL[role] for sign, role in each[1].items())]
        for __, equal in groupby(fitting[:_TRIED_MEANINGS], key=itemgetter(0)):
            rated = [(_levels_of(boards, meaning), meaning) for __, meaning in equal]
            (most, alive), __ = max(rated, key=itemgetter(0))
            if 2 * most >= len(boards):
                return [meaning for levels, meaning in rated if levels == (most, alive)]
        if {*known.values()} >= _CORE and not used - known.keys() - {*_BLANKS}:
            return [known]
    return []


def _fitting(boards: Sequence[Sequence[str]], known: Meaning) -> list[tuple[int, Meaning]]:
    """Return meanings by which most boards have one player and as many boxes as goals, and how unusual they are."""
    counts = [Counter("".join(rows)) for rows in boards]
    total = sum(counts, Counter[str]())
    edge = {sign for rows in boards for sign in rows[0] + rows[-1] + "".join(row[:1] + row[-1:] for row in rows)}
    free = [sign for sign in total if sign not in known and sign not in _BLANKS]
    if len(free) > _MOST_SIGNS:
        return []

    def fits(meaning: Meaning, role: str) -> bool:
        good = 0
        for count in counts:
            found = Counter[str]()
            for sign, each in meaning.items():
                found[each] += count[sign]
            good += found["@"] + found["+"] == 1 and (role == "+" or found["$"] == found["."] + found["+"] > 0)
        return 2 * good >= len(counts)

    meanings = [known]
    for role in "#@+$*.":
        longer: list[Meaning] = []
        for meaning in meanings:
            is_known = role in meaning.values()
            signs = [sign for sign in free if sign not in meaning and (role == "#") == (sign in edge)]
            more = [] if is_known else [meaning | {sign: role} for sign in signs]
            longer += [meaning, *more] if is_known or role in "+*" else more
        meanings = [each for each in longer if role not in "+." or fits(each, role)]
    usual = {sign: [role for role, signs in _USUAL.items() if sign in signs] or [*_USUAL] for sign in free}
    found = []
    for meaning in meanings:
        rest = [sign for sign in free if sign not in meaning]
        boxes = max(total[sign] for sign, role in meaning.items() if role == "$")
        most = max(total[sign] for sign, role in meaning.items() if role in "@$.")
        if all(sign in edge or sign in _FLOOR or total[sign] > most for sign in rest):
            whole = meaning | dict.fromkeys(rest, " ")
            odd = (whole[s] not in usual[s] or whole[s] == "*" and total[s] > 2 * boxes for s in free)
            found.append((sum(odd), whole))
    return found


def _levels_of(boards: Sequence[Sequence[str]], meaning: Meaning) -> tuple[int, int]:
    """Return the number of boards that are levels by a meaning, and of those without a box lost from the start."""
    table, levels, alive = str.maketrans({"_": " ", "-": " ", "\t": " "} | meaning), 0, 0
    for rows in boards:
        with suppress(LevelError):
            level = level_from_rows([row.translate(table) for row in rows])
            levels += 1
            alive += not level.start.boxes & dead_squares(level.board) and level.start.boxes != level.board.goals
    return levels, alive
