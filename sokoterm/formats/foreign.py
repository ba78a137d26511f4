"""Boards in notations that are not read, in a text without a readable level: what they look like, in one line."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from sokoterm.engine.level import LevelError
from sokoterm.formats.grammar import is_row
from sokoterm.language import N_, _, listed

_LITERAL = re.compile(r"([\"'`])([^\"'`]*+)\1")
# What encloses rows in lists of a programming language.
_BRACKETS = "[](){},;\"'` \t"
_FLOOR = " -_\t"
_CELLS = "@+$*.pPbB"
# A board has a player, boxes and goals, and each of them on a goal; the rest is decoration, or a text.
_FEWEST_SIGNS, _MOST_SIGNS = 3, 7
_WALLS, _PLAYER, _BOXES, _GOALS = N_("{sign} walls"), N_("{sign} player"), N_("{sign} boxes"), N_("{sign} goals")
_BOXES_ON_GOALS = N_("{sign} boxes on goals")
# Signs that mean the same in most notations, or begin the English word.
_USUAL = {_PLAYER: "@&PpMm", _BOXES: "$BbCcOo", _GOALS: ".GgTt"}
_XSB = {"#": _WALLS, "@": _PLAYER, "$": _BOXES, ".": _GOALS, "*": _BOXES_ON_GOALS}


def look_of(lines: Sequence[str]) -> LevelError | None:
    """Return the error of a text with boards in quotes or in other signs than those of XSB; None for other texts."""
    return _in_quotes(lines) or _in_other_signs(lines)


def _in_quotes(lines: Sequence[str]) -> LevelError | None:
    rows, first, has_player = 0, 0, False
    for number, line in enumerate(lines, start=1):
        for literal in _LITERAL.finditer(line):
            for piece in literal[2].replace("\\r", "").split("\\n"):
                first = first or number * is_row(piece)
                rows += is_row(piece) and "#" in piece
                has_player = has_player or "@" in piece or "+" in piece
    if rows < 2 or not has_player:
        return None
    text = [line.strip() for line in lines if line and not line.isspace()]
    if text[0][0] in "[{" and text[-1][-1] in "]}":
        return LevelError(_("found boards in JSON, expected plain rows of # @ $ . characters"), line=first)
    return LevelError(_("found boards in quotes, expected plain rows of # @ $ . characters"), line=first)


def _in_other_signs(lines: Sequence[str]) -> LevelError | None:
    boards = list(_boards(lines))
    if not boards:
        return None
    wall = boards[0][1][0][0]
    counts = [Counter("".join(rows)) for __, rows in boards if rows[0][0] == wall]
    total = Counter("".join(row for __, rows in boards if rows[0][0] == wall for row in rows))
    floor = [sign for sign in _FLOOR if total[sign] and sign != wall]
    signs = [sign for sign, __ in total.most_common() if sign != wall and sign not in _FLOOR]
    if not floor and signs and (total[signs[0]] > total[signs[-1]] or "".join(signs).isalpha()):
        signs = signs[1:]  # nothing is as frequent as the floor, if there is any
    unusual = {wall, *signs}.difference("#", _CELLS)
    is_sure = len(unusual) > 1 or unusual and (len(counts) > 1 or not wall.isascii())
    if not _FEWEST_SIGNS <= len(signs) <= _MOST_SIGNS or not is_sure:
        return None
    roles = {wall: _WALLS}
    once = [sign for sign in signs if all(count[sign] == 1 for count in counts)]
    for role, usual in _USUAL.items():
        left = [sign for sign in (once if role == _PLAYER else signs) if sign not in roles]
        known = [sign for sign in usual if sign in left]
        if known or len(left) == 1:
            roles[(known or left)[0]] = role
    if _PLAYER not in roles.values() and not all(map(_is_picture, signs)) and not "".join(signs).isdecimal():
        return None  # a text in a frame
    if all(_XSB.get(sign) == role for sign, role in roles.items()):
        return None  # broken rows
    sign_of = {role: sign for sign, role in roles.items()}
    left = [sign for sign in signs if sign not in roles]
    if len(left) == 1 and all(count[sign_of.get(_BOXES, "")] == count[sign_of.get(_GOALS, "")] for count in counts):
        roles[left[0]] = _BOXES_ON_GOALS
    said = [
        _(roles[sign], sign=sign) if sign in roles else sign
        for sign in (wall, *signs)
        if _XSB.get(sign) != roles.get(sign, "")
    ]
    problem = _("found boards in other signs ({signs}), expected # @ $ . characters", signs=listed(said))
    return LevelError(problem, line=boards[0][0])


def _is_picture(sign: str) -> bool:
    return not sign.isascii() and not sign.isalnum()


def _boards(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line, from 1, and the rows of what looks like a board: a frame of one sign around others."""
    bare = [line.strip(_BRACKETS).replace(", ", ",").replace("\ufe0f", "") for line in lines]
    walls = [line[0] if len(line) > 2 and line[0] == line[-1] else "" for line in bare]
    for wall, run in groupby(range(len(lines)), key=walls.__getitem__):
        numbers = list(run)
        rows = [bare[number] for number in numbers]
        if all(len(row) % 2 and not row[1::2].strip(" ,") for row in rows):
            rows = [row[::2] for row in rows]
        if wall and len(rows) > 2 and not any(row.replace(" ", "").strip(wall) for row in (rows[0], rows[-1])):
            yield numbers[0] + 1, rows
