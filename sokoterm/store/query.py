"""Queries of levels: ``boxes:4 size<=8x8 unsolved author:skinner (hard:50-70 or warehouse)``.

All terms must hold; ``or`` binds less tightly, ``not`` more so, and parentheses group. ``:``, ``=``, ``<``, ``<=``,
``>`` and ``>=`` compare numbers, sizes and days; ``:`` and ``=`` also accept an inclusive range. Sizes are compared by
the longer and the shorter side, so turned boards match too. A level without a solution matches no comparison of
``hard``, ``pushes`` or ``moves``. Any other word is searched for in the titles and authors of levels and the titles and
names of packs. Quotes hold words together: ``author:"david skinner"``.

``unique`` takes the first of each level hash from what the other terms find, so it cannot be in a group.

A query is a tree of the terms ``Word``, ``PartOf``, ``Comparison`` and ``Flag``, joined by ``Not``, ``All`` and
``AnyOf``. ``condition`` translates it to SQL, for levels of the index and any others.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from operator import eq, ge, gt, le, lt
from types import MappingProxyType
from typing import NamedTuple

from sokoterm.engine.text import folded
from sokoterm.engine.value import Value
from sokoterm.store.database import RowValue
from sokoterm.store.known_levels import NO_SOLUTION
from sokoterm.store.packs import names_with

TERMS = (
    "boxes", "size", "hard", "pushes", "moves", "copies", "added", "author", "title", "pack", "variant", "has", "stars",
    "solved", "unsolved", "begun", "unique",
)  # fmt: skip
"""The names of terms, for help and errors."""

MOST_PARTS = 200
"""Terms, ``not``, ``or`` and parentheses in a query: sqlite nests no more than 1,000 operators."""

MOST_NESTED = 8
"""Depth of nested groups: the stack of sqlite's parser holds 100 symbols, and each group may take eight."""

_TERM = r"(?s)(?P<name>[^\W\d_]+)(?P<sign>[:=]|[<>]=?)(?P<value>.*)"
_PART = r'(?:"[^"]*"?|[^\s"])+'
_VALUES = MappingProxyType(
    dict.fromkeys(("boxes", "hard", "pushes", "moves", "copies"), r"\d{1,9}")
    | {"stars": "[0-3]", "size": r"\d{1,4}x\d{1,4}", "added": r"\d{4}-\d\d-\d\d"}
)
_SIGNS = MappingProxyType({"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge})


class QueryError(ValueError):
    """An invalid query: ``word``, empty at the end, at ``column``, from 1, where ``name`` was expected.

    ``name`` is a term whose value was expected; a ``term``, or one after ``or``, ``not`` or ``(``; ``)``; the ``end``;
    ``many`` for fewer parts, ``deep`` for less nesting; ``unique`` outside groups; or empty for a name in TERMS.
    """

    def __init__(self, word: str, column: int, name: str = "") -> None:
        super().__init__(word, column, name)
        self.word = word
        self.column = column
        self.name = name


class Word(Value):
    """Folded text to find in the title or author of a level, or in the title or name of its pack."""

    text: str


class PartOf(Value):
    """Folded text to find in the ``author``, ``title``, ``pack``, ``variant`` or all ``words`` of a level."""

    name: str
    text: str


class Comparison(Value):
    """Comparison of a figure or of the day ``added`` (20261101) with a number; ``size`` has two, longer side first."""

    name: str
    sign: str
    numbers: tuple[int, ...]


class Flag(Value):
    """A level is ``solved``, ``open`` (its play has a push), has a known ``solution``, or is the first of its hash."""

    name: str


class Not(Value):
    part: "Query"


class All(Value):
    """Levels for which all parts hold; without parts, every level."""

    parts: tuple["Query", ...]


class AnyOf(Value):
    parts: tuple["Query", ...]


Term = Word | PartOf | Comparison | Flag
Query = Term | Not | All | AnyOf

_COLORS, _SLIDING = PartOf("variant", "colors"), PartOf("variant", "sliding")
_VARIANTS = MappingProxyType[str, Query](
    {
        "colors": _COLORS,
        "colours": _COLORS,
        "sliding": _SLIDING,
        "both": All((_COLORS, _SLIDING)),
        "none": All((Not(_COLORS), Not(_SLIDING))),
    }
)

AMONG = "IN (SELECT value FROM json_each(?))"
"""Any number of values as one parameter, a JSON list."""

EVERY = All(())
"""The query that every level matches."""

UNSOLVED, SOLVED, UNIQUE = Not(Flag("solved")), Flag("solved"), Flag("unique")


# The same in SQL


class Condition(NamedTuple):
    """An SQL condition on the level columns of the index, and its values; ``is_unique``: only the first of a hash."""

    text: str
    values: list[RowValue]
    is_unique: bool = False


# The condition of a text, and the columns with names that bundled packs have in other languages, too.
_IN_TEXT = MappingProxyType(
    {
        "author": ("instr(substr(words, instr(words, char(10))), ?)", "author"),
        "title": ("instr(substr(words, 1, instr(words, char(10))), ?)", "title"),
        "words": ("instr(words, ?)", "title", "author"),
        "pack": ("instr(words, ?)", "title"),
        "variant": ("instr(kinds, ?)",),
    }
)
_DAY = "CAST(strftime('%Y%m%d', time / 1000000000, 'unixepoch', 'localtime') AS INTEGER)"
_COLUMNS = MappingProxyType(
    {
        "boxes": ("boxes {} ?",),
        "hard": (f"hard < {NO_SOLUTION} AND hard {{}} ?",),
        "size": ("max(width, height) {} ?", "min(width, height) {} ?"),
        "added": (f"pack IN (SELECT id FROM pack WHERE {_DAY} {{}} ?)",),
    }
)


_LEAST = MappingProxyType({"stars": 0, "copies": 1})
"""Figures of levels for which none is given."""
_KNOWN = MappingProxyType(
    {
        "moves": "SELECT hash, moves AS least FROM known",
        "pushes": "SELECT hash, pushes AS least FROM known"
        " UNION ALL SELECT hash, recipe_pushes FROM level WHERE recipe_pushes",
    }
)


def condition(
    query: Query, ids: Callable[[str], Collection[str]], figures: Callable[[str], Mapping[str, int]]
) -> Condition:
    """Translate a query to an SQL condition on the index.

    ``ids`` returns the hashes of levels that are ``solved`` or have a ``solution`` outside the index, and the Exact-Ids
    of those that are ``open``. ``figures`` returns, by level hash, the ``stars`` and ``copies`` of levels that have
    any, and the fewest ``pushes`` and ``moves`` of solutions outside the index.
    """
    match query:
        case All(parts=parts) | AnyOf(parts=parts):
            found = [condition(each, ids, figures) for each in parts]
            text = (" AND " if isinstance(query, All) else " OR ").join(f"({each.text})" for each in found)
            is_unique = any(each.is_unique for each in found)
            return Condition(text or "1", [value for each in found for value in each.values], is_unique)
        case Not(part=part):
            text, values, _ = condition(part, ids, figures)
            return Condition(f"NOT ({text})", values)
        case Word(text=text):
            of_level, of_pack = (condition(PartOf(name, text), ids, figures) for name in ("words", "pack"))
            return Condition(f"{of_level.text} OR {of_pack.text}", [*of_level.values, *of_pack.values])
        case PartOf(name=name, text=text):
            names, (contains, *columns) = names_with(text), _IN_TEXT[name]
            ways = [contains, *(f"{column} {AMONG}" for column in columns if names)]
            held = " OR ".join(ways)
            held = f"pack IN (SELECT id FROM pack WHERE {held})" if name == "pack" else f"({held})"
            return Condition(held, [text, *[as_json(names)] * (len(ways) - 1)])
        case Comparison(name="stars" | "copies" as name, sign=sign, numbers=(number,)):
            holds, least = _SIGNS[sign], _LEAST[name]
            others = [each for each, figure in figures(name).items() if holds(figure, number) != holds(least, number)]
            return Condition(f"hash {'NOT ' if holds(least, number) else ''}{AMONG}", [as_json(sorted(others))])
        case Comparison(name="pushes" | "moves" as name, sign=sign, numbers=(number,)):
            known = f"{_KNOWN[name]} UNION ALL SELECT key, value FROM json_each(?)"
            text = f"hash IN (SELECT hash FROM ({known}) GROUP BY hash HAVING min(least) {sign} ?)"
            return Condition(text, [_json({**figures(name)}), number])
        case Flag(name="unique"):
            return Condition("1", [], is_unique=True)
        case Comparison(name=name, sign=sign, numbers=numbers):
            return Condition(" AND ".join(each.format(sign) for each in _COLUMNS[name]), [*numbers])
        case Flag(name=name):
            text = f"{'exact_id' if name == 'open' else 'hash'} {AMONG}"
            if name == "solution":
                # Not all records were read: neither answer is certain.
                unknown = "hash IN (SELECT hash FROM level WHERE has_more)"
                known = f"hash IN (SELECT hash FROM known) OR {text}"
                text = f"CASE WHEN {known} THEN 1 WHEN {unknown} THEN NULL ELSE 0 END"
            return Condition(text, [as_json(sorted(ids(name)))])


def as_json(values: Collection[object]) -> str:
    """Return values as one parameter, for ``json_each``."""
    return _json([*values])


def _json(value: list[object] | dict[str, int]) -> str:
    from json import dumps  # the first picture needs none

    return dumps(value)


# What a query is made of


def names_in(query: Query) -> frozenset[str]:
    """Return the names of a query's terms other than words, and ``not`` if it has one."""
    match query:
        case All(parts=parts) | AnyOf(parts=parts):
            return frozenset[str]().union(*map(names_in, parts))
        case Not(part=part):
            return names_in(part) | {"not"}
        case Word():
            return frozenset()
        case term:
            return frozenset((term.name,))


def has_terms(query: Query) -> bool:
    """True if a query has more than words joined without ``not``."""
    return bool(names_in(query))


def is_name(query: Query, text: str) -> bool:
    """True if a query has only words, and a text matches it."""
    return not has_terms(query) and _names(query, folded(text))


def _names(query: Query, text: str) -> bool:
    match query:
        case All(parts=parts):
            return all(_names(each, text) for each in parts)
        case AnyOf(parts=parts):
            return any(_names(each, text) for each in parts)
        case Word(text=word):
            return word in text
    return False


# Parsing


class _Token(NamedTuple):
    """A parenthesis, or a part between blanks; ``column`` counts from 1."""

    text: str
    column: int

    @property
    def lower(self) -> str:
        return self.text.casefold()


def parse_query(text: str) -> Query:
    """Parse a query; raises QueryError at the first part that is wrong.

    >>> parse_query("boxes:4 not Warehouse")
    All(parts=(Comparison(name='boxes', sign='=', numbers=(4,)), Not(part=Word(text='warehouse'))))
    """
    # Line breaks separate texts in the index, and sqlite takes no lone surrogates.
    text = text.replace("\n", " ").encode(errors="replace").decode()
    tokens = list(_tokens(text))
    if len(tokens) > MOST_PARTS:
        raise QueryError(tokens[MOST_PARTS].text, tokens[MOST_PARTS].column, "many")
    return _Parser(tokens, len(text) + 1).parse()


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the tokens; a parenthesis inside a word, or one that closes nothing, is part of the word."""
    depth = 0
    for found in re.finditer(_PART, text):
        part, column, closing = found[0], found.start() + 1, 0
        while part.startswith("("):
            yield _Token("(", column)
            depth, part, column = depth + 1, part[1:], column + 1
        while part.endswith(")") and depth > closing and part.count(")") > part.count("("):
            part, closing = part[:-1], closing + 1
        if part:
            yield _Token(part, column)
        yield from (_Token(")", column + len(part) + i) for i in range(closing))
        depth -= closing


class _Parser:
    """Recursive descent: alternatives of terms that all hold."""

    def __init__(self, tokens: Sequence[_Token], end: int) -> None:
        """``end`` is the column after the last one."""
        self._tokens = tokens
        self._end = _Token("", end)
        self._place = 0
        self._depth = 0

    def parse(self) -> Query:
        query = self._alternatives("term") if self._tokens else EVERY
        if self._next.text:
            raise QueryError(self._next.text, self._next.column, "end")
        parts = query.parts if isinstance(query, All) else (query,)
        if "unique" in names_in(All(tuple([each for each in parts if each != UNIQUE]))):
            wrong = next(each for each in reversed(self._tokens) if each.lower == "unique")
            raise QueryError(wrong.text, wrong.column, "unique")
        return query

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place] if self._place < len(self._tokens) else self._end

    def _alternatives(self, before: str) -> Query:
        """Parse up to a closing parenthesis or the end; ``before`` names what is expected there."""
        parts = [self._terms(before)]
        while self._next.lower == "or":
            self._place += 1
            parts.append(self._terms("or"))
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _terms(self, before: str) -> Query:
        parts = [self._term(before)]
        while self._next.text not in ("", ")") and self._next.lower != "or":
            parts.append(self._term("term"))
        distinct = tuple(dict.fromkeys(parts))
        return distinct[0] if len(distinct) == 1 else All(distinct)

    def _term(self, before: str) -> Query:
        token = self._next
        if token.text in ("", ")") or token.lower == "or":
            raise QueryError(token.text, token.column, before)
        self._place += 1
        if token.lower == "not":
            part = self._term("not")
            return part.part if isinstance(part, Not) else Not(part)
        if token.text != "(":
            return _term_of(token)
        if self._depth == MOST_NESTED:
            raise QueryError(token.text, token.column, "deep")
        self._depth += 1
        inner = self._alternatives("(")
        if self._next.text != ")":
            raise QueryError(self._next.text, self._next.column, ")")
        self._place += 1
        self._depth -= 1
        return inner


def _term_of(token: _Token) -> Query:
    word = folded(token.text.replace('"', ""))
    match token.lower:
        case "solved":
            return SOLVED
        case "unsolved":
            return UNSOLVED
        case "begun":
            return All((Flag("open"), UNSOLVED))
        case "unique":
            return UNIQUE
    match = None if token.text.startswith('"') else re.fullmatch(_TERM, word)
    if match is None:
        return Word(word) if word.strip() else EVERY
    name, sign, value = match["name"], match["sign"].replace(":", "="), match["value"]
    if name in _VALUES:
        found = _comparison(name, sign, value)
    else:
        found = _text(name, value) if sign == "=" and value.strip() else None
    if found is None:
        raise QueryError(token.text, token.column, name if name in TERMS else "")
    return found


def _text(name: str, value: str) -> Query | None:
    if name in ("author", "title", "pack"):
        return PartOf(name, value)
    if name == "has":
        return Flag("solution") if value == "solution" else None
    return _VARIANTS.get(value) if name == "variant" else None


def _comparison(name: str, sign: str, value: str) -> Query | None:
    """Return a comparison, or two for a range; None if the value is invalid."""
    pattern = _VALUES[name]
    match = re.fullmatch(f"({pattern})(?:-({pattern}))?", value, re.ASCII)
    if match is None or match[2] and sign != "=":
        return None
    first, last = _numbers(name, match[1]), _numbers(name, match[2] or match[1])
    if first is None or last is None or any(map(gt, first, last)):
        return None
    if match[2]:
        return All((Comparison(name, ">=", first), Comparison(name, "<=", last)))
    return Comparison(name, sign, first)


def _numbers(name: str, value: str) -> tuple[int, ...] | None:
    if name == "size":
        return tuple(sorted(map(int, value.split("x")), reverse=True))
    if name == "added":
        try:
            date.fromisoformat(value)
        except ValueError:
            return None  # no calendar has this day
    return (int(value.replace("-", "")),)
