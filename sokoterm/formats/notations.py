"""Boards in the source text of programs, as quoted rows or lists of cells (JSON too), and in other signs than XSB has.

The meaning of signs is told, or found in a legend of the file, else by trial: a meaning is possible if it makes most
boards levels. Of the possible ones that counts which departs least from common use, then that in which fewest boxes are
lost from the start; several of equal standing are an error that names them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from types import MappingProxyType

from sokoterm.engine.deadlock.check import dead_squares
from sokoterm.engine.level import LevelError, level_from_rows
from sokoterm.engine.value import Value
from sokoterm.formats.foreign import TextLines, read_lines, split_lines
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
"""The names of what stands on a square, each with its sign in XSB and its name for a person."""
# Signs in common use, by that of XSB; others may mean anything.
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
# Signs that mean floor however few they are.
_FLOOR = "0~,"
_XSB = {*"#@+$*.", *_BLANKS}
_CORE, _PLAYERS = {*"#@$."}, {*"@+"}
# Files of levels are smaller; the tokens of as much text take two seconds.
_LARGEST = 4 << 20
_FEWEST_SIGNS, _MOST_SIGNS = 3, 12
_FEWEST_ROWS, _MOST_WALLS = 3, 2
# Fewer other signs among those of XSB are mistakes.
_FEW = 2
# The boards on which meanings are tried, and the most meanings.
_TRIED_BOARDS, _TRIED_MEANINGS = 20, 200
_MOST_NAMED = 3
# Cells with longer names, such as 10 or WALL, get signs from here on.
_PRIVATE, _MOST_PRIVATE = 0xE000, 0x1900

# Comments; texts of many languages, also over several lines; other cells; brackets; what ends a list; texts left open.
_TOKEN = r"""(?x)
(?P<comment> //[^\n]* | /\*(?:[^*]++|\*(?!/))*+ | --[^\n]* | \#[^\n]* )
| (?P<text> (?:\b[rRbBuUfFL]{1,2})?
    (?: \"{3}(?:[^"]++|"(?!""))*+\"{3} | '{3}(?:[^']++|'(?!''))*+'{3}
    | "(?:[^"\\\n]++|\\[^\n])*+" | '(?:[^'\\\n]++|\\[^\n])*+' | (?<!`)`(?!`)[^`]*+` )
    | "(?=\n?[ ]*(?P<wall>\S)(?P=wall){2})[^"\\]*+" | \[=*\[[^\]\[,"']{9,}+\]=*\] )
| (?P<cell> -?\d+(?:\.\d+)? | [^\W\d][\w.]* )
| (?P<turn> [][(){}] ) | (?P<end> [:=;] )
| (?P<open> "[^"\\\n]*+\\[^\n](?:[^"\\\n]++|\\[^\n])*+ | '[^'\\\n]*+\\[^\n](?:[^'\\\n]++|\\[^\n])*+ )"""
_QUOTES = re.compile(r"^\w*(?:\"{3}|'{3}|[\"'`]|\[=*\[)|(?:\"{3}|'{3}|[\"'`]|\]=*\])$")
_ESCAPE = re.compile(r"\\(.)")
# Variants of a sign, and all behind a joined one: a picture is one sign.
_VARIANTS = re.compile("\ufe0f|\u200d.*")
_KEYS = {"title": "Title", "name": "Title", "author": "Author", "solution": "Solution"}

# Words for what stands on a square, in the languages of most such files.
_WORDS = {
    "#": r"wall|brick|border|corner|pared|muro|\bmur\b|mauer|墙|壁|стен",
    "@": r"player|worker|keeper|character|sokoban|pusher|\b(?:man|guy|hero)\b|personaj|jugador|joueur|spieler|人|игрок",
    "$": r"box|crate|barrel|caja|caisse|kiste|箱|ящик",
    ".": r"goal|target|storage|dest|spot\b|hole\b|dock\b|(?:\b|_)meta|objetivo|cible|ziel|目标|目的|цел",
    " ": r"floor|empty|space|ground|blank|path\b|outside|nothing|piso|suelo|espacio|vide\b|boden|空|地面|пол\b|пуст",
}
_ANY_WORD = re.compile("(?i)['\"(]#|" + "|".join(_WORDS.values()))
# A box on a goal, but not a goal for a box; and what letters of the keyboard do.
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
"""For each sign that of XSB."""


class _DrawnText(Value):
    """The lines of a text with boards, the index in the text of each, and the places of the boards among them.

    ``names`` has the signs of cells with longer names, ``form`` is that of the boards, empty for plain rows.
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
        """The signs in the boards."""
        return {sign for rows in self.boards for row in rows for sign in row}


def told_signs(text: str, names: Mapping[str, str] | None = None) -> Meaning:
    """Return the meaning of signs in a text such as ``wall=X box=*``; raises LevelError.

    Several signs may mean the same; names of ``names`` are parted by commas.

    >>> told_signs("wall=X floor=-_")
    {'X': '#', '-': ' ', '_': ' '}
    """
    meaning: Meaning = {}
    for word in text.split():
        role, __, signs = word.partition("=")
        if role not in ROLES or not signs:
            expected = N_("found {found!r}, expected signs such as wall=X; the names are {roles}")
            raise LevelError(_(expected, found=word, roles=", ".join(ROLES)))
        named = [(names or {}).get(name, name) for name in signs.split(",")]
        meaning |= dict.fromkeys(named if all(len(sign) == 1 for sign in named) else signs, ROLES[role][0])
    return meaning


def translated(text: str, signs: str) -> tuple[TextLines, str]:
    """Return the lines of a text as XSB has them, and how it was read: nothing to tell where boards are plain ones.

    ``signs`` are those told. Raises LevelError for signs that can be read in several ways, and for those of plain rows
    that can be read in none. Takes time linear in the text.
    """
    found = _boards_in(text)
    names = {sign: name for name, sign in found.names.items()}
    possible = _meanings(found, text, signs)
    if possible is None or not possible and found.form:
        return read_lines(text), ""
    unlike = [_unlike(meaning, names) for meaning in possible]
    if not unlike:
        others = listed(names.get(sign, sign) for sign in sorted(found.used - _XSB))
        problem = _("found boards in other signs ({signs}), expected # @ $ . characters or --signs", signs=others)
    elif len(unlike) > 1:
        several = listed(map(_as_told, unlike[:_MOST_NAMED]))
        problem = _("found boards in signs of several meanings, expected one of {several}", several=several)
    if len(unlike) != 1:
        raise LevelError(problem, line=found.numbers[found.places[0].start] + 1)
    lines = [*found.lines]
    table = str.maketrans({sign: "-" if role == " " else role for sign, role in possible[0].items()})
    for place in found.places:
        rows = [line.translate(table) if line.strip() else "-" for line in lines[place.start : place.stop]]
        lines[place.start : place.stop] = rows if _PLAYERS & {*"".join(rows)} else [""] * len(rows)
    means = [
        _("{sign} is {thing}", sign=sign, thing=_(ROLES[role][1]))
        for role, each in unlike[0].items()
        for sign in each
        if role_of(sign) != ROLES[role][0]
    ]
    form = _(found.form) if found.form else _("boards in other signs")
    return TextLines(split_lines(text), lines, found.numbers), f"{form}; {listed(means)}" if means else form


def has_levels(text: str) -> bool:
    """True if a text has levels in another notation, in whatever meaning of their signs."""
    found = _boards_in(text)
    return any(_levels_of(found.boards, meaning)[0] for meaning in _meanings(found, text, "") or ())


def _unlike(meaning: Meaning, names: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the names of the signs of a meaning that XSB does not have, by role."""
    unlike: dict[str, list[str]] = {}
    for role, (each, __) in ROLES.items():
        for sign in meaning:
            if meaning[sign] == each != sign and (each != " " or sign not in _BLANKS):
                unlike.setdefault(role, []).append(names.get(sign, sign))
    return unlike


def _as_told(unlike: Mapping[str, Sequence[str]]) -> str:
    """Return signs by role as they are told."""
    told = (f"{role}={(',' if max(map(len, each)) > 1 else '').join(each)}" for role, each in unlike.items())
    return f'--signs "{" ".join(told)}"'


# Boards in a text


class _ProgramText:
    """Finder of boards in the source text of a program: quoted rows, and rows of cells in brackets, with titles.

    A board ends where something else than a row follows.
    """

    def __init__(self, text: str) -> None:
        self.lines, self.numbers, self.places, self.names = list[str](), list[int](), list[range](), dict[str, str]()
        self.has_cells = False
        self._rows: list[tuple[int, str]] = []
        # The number of brackets around rows of cells, 0 for quoted rows.
        self._depth = 0
        self._brackets: list[list[tuple[int, str]]] = [[]]
        line = place = 0
        last = key = ""
        for token in re.finditer(_TOKEN, text):
            line += text.count("\n", place, token.start())
            place, kind, word = token.start(), token.lastgroup, token[0]
            if kind in ("comment", "open"):
                continue
            if kind == "text":
                word = _VARIANTS.sub("", _ESCAPE.sub(_escaped, _QUOTES.sub("", word)))
                if key in _KEYS and word.strip():
                    self._write([(line, f"{_KEYS[key]}: {' '.join(word.split())}")])
                else:
                    self._add_text(line, word, "\n" in token[0])
            elif kind == "cell":
                self._brackets[-1].append((line, word))
            elif kind == "end":
                self._end_board()
                self._brackets[-1].clear()
            else:
                self._turn(word, line)
            key, last = last.lower() if kind == "end" else "", word if kind in ("text", "cell") else last
        self._end_board()

    def _write(self, rows: Iterable[tuple[int, str]]) -> None:
        for number, row in rows:
            self.numbers.append(number)
            self.lines.append(row)

    def _add_text(self, line: int, text: str, is_long: bool) -> None:
        """Add a text as a cell, as a row of the board, or as boards of its own."""
        rows = text.split("\n")
        if len(text) < 2 or text.isidentifier() and role_of(text):
            self._brackets[-1].append((line, text or " "))
            return
        is_whole = len(rows) > _FEWEST_ROWS
        if is_whole or self._depth:
            self._end_board()
        for number, row in enumerate(rows):
            if row.strip():
                self._rows.append((line + number * is_long, row))
            elif is_whole:
                self._end_board()
        if is_whole:
            self._end_board()

    def _turn(self, bracket: str, line: int) -> None:
        """Open or close a bracket; what closes without cells ends a board."""
        if not self._depth:
            self._end_board()
        if bracket in "[({":
            self._brackets.append([])
        elif len(self._brackets) > 1:
            rows = _rows_of(self._brackets.pop(), self.names)
            if not rows or self._depth != len(self._brackets):
                self._end_board()
            self._rows += rows
            self._depth = len(self._brackets) * bool(rows)
        if bracket in "{}" and self.lines and self.lines[-1]:
            self._write([(line, "")])

    def _end_board(self) -> None:
        if not self._rows:
            return
        rows = [row for __, row in self._rows]
        places = [range(len(rows))] if _is_board(rows) else [] if self._depth else _frames(rows)
        if places:
            if self.places and self.places[-1].stop == len(self.lines):
                self._write([(self._rows[0][0], "")])
            begin = len(self.lines)
            self.places += [range(begin + place.start, begin + place.stop) for place in places]
            self._write(self._rows)
            self.has_cells |= self._depth > 0
        self._rows.clear()
        self._depth = 0


def _escaped(found: re.Match[str]) -> str:
    return {"n": "\n", "r": "", "t": "\t"}.get(found[1], found[1])


def _rows_of(cells: list[tuple[int, str]], names: dict[str, str]) -> list[tuple[int, str]]:
    """Return the rows that cells in brackets are: one, or one on each line if there are many as long; none for few."""
    if len(cells) < _FEWEST_ROWS:
        return []
    signs = [
        (line, cell if len(cell) == 1 else names.setdefault(cell, chr(_PRIVATE + len(names) % _MOST_PRIVATE)))
        for line, cell in cells
    ]
    rows = [[*row] for __, row in groupby(signs, key=itemgetter(0))]
    if len({*map(len, rows)}) > 1 or min(len(rows), len(rows[0])) < _FEWEST_ROWS:
        rows = [signs]
    return [(row[0][0], "".join(sign for __, sign in row)) for row in rows]


def _is_board(rows: Sequence[str]) -> bool:
    """True if rows may be a board: with few signs, and one or two of them, one often, in the outer rows."""
    if len(rows) < _FEWEST_ROWS:
        return False
    outer = [Counter(row.replace(" ", "")) for row in (rows[0], rows[-1])]
    if any(len(row) > _MOST_WALLS or row and max(row.values()) < _FEWEST_ROWS for row in outer):
        return False
    return _FEWEST_SIGNS <= len({*"".join(rows)} - {*_BLANKS}) <= _MOST_SIGNS


def _boards_in(text: str) -> _DrawnText:
    """Find boards in a text: in the source of a program, else plain ones; none in one that is too long."""
    if len(text) > _LARGEST:
        return _DrawnText([], [], [])
    source = _ProgramText(text)
    form = N_("boards in lists of cells") if source.has_cells else N_("boards of quoted rows")
    found = _DrawnText(source.lines, source.numbers, source.places, source.names, form)
    return found if found.places else _framed(text)


def _framed(text: str) -> _DrawnText:
    """Find boards of plain rows, maybe with blanks or commas between the signs."""
    __, read, numbers = read_lines(text)
    lines = [_VARIANTS.sub("", line) for line in read]
    fillers = (filler for filler in _FILLERS if not filler or f"\n{filler}" in text)
    places = next(filter(None, (_frames(lines, filler) for filler in fillers)), [])
    for place in places:
        rows = [line.strip(_BRACKETS).replace(", ", ",") for line in lines[place.start : place.stop]]
        if all(len(row) % 2 and not row[1::2].strip(" ,\t") for row in rows):
            lines[place.start : place.stop] = [row[::2] for row in rows]
    return _DrawnText(lines, numbers, places)


def _frames(lines: Sequence[str], filler: str = "") -> list[range]:
    """Return the places of boards in lines: rows that begin and end with one sign, of which the outer rows are made.

    Around them may be ``filler``.
    """
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
    """Return the sign in XSB of what words speak of; empty if that is nothing or several things.

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
    """Return the meaning of the signs ``used`` that the lines of a text agree on, and of those whose names tell it."""
    found = {sign: {role} for name, sign in names.items() if sign in used and (role := role_of(name))}
    lines = (line for line in split_lines(text) if len(line) < _LONGEST_LEGEND and _ANY_WORD.search(line))
    for line in islice(lines, _MOST_LEGENDS):
        for pattern in _LEGENDS:
            for entry in re.finditer(pattern, line):
                sign = names.get(entry["sign"], entry["sign"])
                if sign in used and (role := role_of(entry["words"].partition(" - ")[0])):
                    found.setdefault(sign, set()).add(role)
    return {sign: roles.pop() for sign, roles in found.items() if len(roles) == 1}


def _meanings(found: _DrawnText, text: str, signs: str) -> Sequence[Meaning] | None:
    """Return the meanings of equal standing that the signs of boards may have; None if there are none but plain ones.

    ``signs`` are those told.
    """
    used = found.used
    told = {sign: role for sign, role in told_signs(signs, found.names).items() if sign in used}
    if not found.places or not told and used <= _XSB and "#" in used:
        return [{}] if found.form else None
    total = Counter(sign for rows in found.boards for row in rows for sign in row)
    if not (told or found.form) and "#" in used and (used >= _CORE or sum(total[sign] for sign in used - _XSB) < _FEW):
        return None  # broken rows
    legend = _legend(text, used, found.names)
    boards = found.boards[:_TRIED_BOARDS]
    if not told and total.keys() >= _CORE:
        told = {sign: sign for sign in total if sign in _XSB}
    # A frame around one line may hold a text: signs of levels are usual ones.
    is_text = (
        not found.form
        and any(map(str.isalpha, used))
        and all(sum(len({*row.strip()}) > 1 for row in rows) == 1 for rows in boards)
    )
    for known in (legend | told, told):
        fitting = [each for each in _fitting(boards, total, known) if not (is_text and _is_odd(each[1]))]
        tried = sorted(fitting, key=itemgetter(0))[:_TRIED_MEANINGS]
        for __, equal in groupby(tried, key=itemgetter(0)):
            rated = [(_levels_of(boards, meaning), meaning) for __, meaning in equal]
            (most, alive), __ = max(rated, key=itemgetter(0))
            if 2 * most >= len(boards):
                return [meaning for levels, meaning in rated if levels == (most, alive)]
        if known and {*known.values()} >= _CORE:
            return [known]
    return [told] if told else None if is_text else []


def _is_odd(meaning: Meaning) -> bool:
    return any(sign not in _USUAL[role] for sign, role in meaning.items())


def _fitting(
    boards: Sequence[Sequence[str]], total: Mapping[str, int], known: Meaning
) -> Iterator[tuple[int, Meaning]]:
    """Yield meanings that make most boards have one player and as many boxes as goals, and how unusual they are."""
    counts = [Counter("".join(rows)) for rows in boards]
    edge = {sign for rows in boards for sign in rows[0] + rows[-1] + "".join(row[:1] + row[-1:] for row in rows)}
    free = [sign for sign in total if sign not in known and sign not in _BLANKS]

    def fits(meaning: Meaning, role: str) -> bool:
        if role not in "+.":
            return True
        good = 0
        for count in counts:
            found = Counter[str]()
            for sign, each in meaning.items():
                found[each] += count[sign]
            good += found["@"] + found["+"] == 1 and (role == "+" or found["$"] == found["."] + found["+"] > 0)
        return 2 * good >= len(counts)

    def extended(meaning: Meaning, roles: str) -> Iterator[Meaning]:
        role, rest = roles[:1], [sign for sign in free if sign not in meaning]
        if not role:
            most = max(total[sign] for sign, each in meaning.items() if each in "@$.")
            if all(sign in edge or sign in _FLOOR or total[sign] > most for sign in rest):
                yield meaning | dict.fromkeys(rest, " ")
            return
        is_known = role in meaning.values()
        more = [] if is_known else [{sign: role} for sign in rest if (role == "#") == (sign in edge)]
        for each in [*([{}] if is_known or role in "+*" else []), *more]:
            if fits(meaning | each, role):
                yield from extended(meaning | each, roles[1:])

    if len(free) <= _MOST_SIGNS:
        for meaning in extended(known, "#@+$.*"):
            boxes = max(total[sign] for sign, role in meaning.items() if role == "$")
            unusual = [
                sign
                for sign in free
                if not _is_usual(sign, meaning[sign]) or meaning[sign] == "*" and total[sign] > 2 * boxes
            ]
            yield len(unusual), meaning


def _is_usual(sign: str, role: str) -> bool:
    roles = [each for each, signs in _USUAL.items() if sign in signs]
    return not roles or role in roles


def _levels_of(boards: Sequence[Sequence[str]], meaning: Meaning) -> tuple[int, int]:
    """Return the number of boards that are levels by a meaning, and of those with no box where it is lost at once."""
    table, levels, alive = str.maketrans({"_": " ", "-": " ", "\t": " "} | meaning), 0, 0
    for rows in boards:
        with suppress(LevelError):
            level = level_from_rows([row.translate(table) for row in rows])
            levels += 1
            alive += not level.start.boxes & dead_squares(level.board) and level.start.boxes != level.board.goals
    return levels, alive
