"""Filter of levels, typed as words: ``boxes:4 size<10x10 unsolved author:skinner hard>60 warehouse``.

All terms must hold. ``:``, ``=``, ``<``, ``<=``, ``>`` and ``>=`` compare numbers; a size is compared by its longer and
its shorter side, so it fits a board turned too. Any other word is searched for in the titles and authors of levels and
the titles and names of packs. Quotes hold words together: ``author:"david skinner"``. A level without a solution has
no number that ``hard`` could be compared with.
"""

import re
from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt
from types import MappingProxyType

from sokoterm.engine.value import Value
from sokoterm.store.level_rows import NO_SOLUTION, Condition, LevelRow, make_condition

_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = MappingProxyType(
    {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
)
_TERM = re.compile(r"(?P<name>[^\W\d_]+)(?P<sign>[:=]|[<>]=?)(?P<value>.*)", re.DOTALL)
_PART = re.compile(r'(?:"[^"]*"?|[^\s"])+')
_NUMBER = re.compile("[0-9]{1,9}")
_SIZE = re.compile("([0-9]{1,4})[xX]([0-9]{1,4})")

TERMS = ("boxes", "hard", "size", "author", "pack", "solved", "unsolved")
"""The names of terms, for help and errors."""


class FilterError(ValueError):
    """A word that is no term: its name is not in TERMS, or ``name`` is and its value is wrong or missing.

    Of ``solved`` and ``unsolved`` the second one is wrong.
    """

    def __init__(self, word: str, name: str = "") -> None:
        super().__init__(word)
        self.word = word
        self.name = name


class Comparison(Value):
    """Comparison of ``boxes`` or ``hard`` with a number, or of ``size`` with two: the longer side, then the shorter."""

    name: str
    sign: str
    numbers: tuple[int, ...]


class Sought(Value):
    """The properties of a level that filters test, as LevelRow has them."""

    words: str
    pack_words: str
    width: int
    height: int
    boxes: int
    hard: int
    is_solved: bool


class LevelFilter(Value):
    """A parsed filter; ``words``, ``authors`` and ``packs`` are in lower case, ``is_solved`` None means either."""

    words: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    is_solved: bool | None = None

    def __bool__(self) -> bool:
        """True if the filter may leave out a level."""
        return self != LevelFilter()

    @property
    def has_terms(self) -> bool:
        """True if there is more than words."""
        return self._replace(words=()) != LevelFilter()

    def is_name(self, text: str) -> bool:
        """True if there is nothing but words, and a text has them all."""
        return not self.has_terms and all(word in text.casefold() for word in self.words)

    def matches(self, row: LevelRow | Sought) -> bool:
        """True if a level has everything asked for."""
        title, _, author = row.words.partition("\n")
        return (
            self.is_solved in (None, row.is_solved)
            and all(word in title or word in author or word in row.pack_words for word in self.words)
            and all(word in author for word in self.authors)
            and all(word in row.pack_words for word in self.packs)
            and all(_holds(each, row) for each in self.comparisons)
        )

    def condition(self) -> Condition:
        """Return the same as an SQL condition on the index, except whether a level is solved."""
        comparisons = [(each.name, each.sign, each.numbers) for each in self.comparisons]
        return make_condition(self.words, self.authors, self.packs, comparisons)


def _holds(each: Comparison, row: LevelRow | Sought) -> bool:
    if each.name == "hard" and row.hard == NO_SOLUTION:
        return False
    sizes = sorted((row.width, row.height), reverse=True)
    numbers = {"boxes": [row.boxes], "hard": [row.hard], "size": sizes}[each.name]
    return all(map(_COMPARISONS[each.sign], numbers, each.numbers))


def parse_filter(text: str) -> LevelFilter:
    """Parse a filter; raises FilterError at the first word that is no term.

    >>> parse_filter("boxes:4 size<10x8 unsolved Warehouse").comparisons[1]
    Comparison(name='size', sign='<', numbers=(10, 8))
    """
    words: dict[str, list[str]] = {"": [], "author": [], "pack": []}
    comparisons = []
    is_solved: bool | None = None
    for part in _PART.findall(text):
        word = part.replace('"', "").casefold()
        match = None if part.startswith('"') else _TERM.fullmatch(word)
        if part.casefold() in ("solved", "unsolved"):
            if is_solved is (part.casefold() != "solved"):
                raise FilterError(word, "solved")
            is_solved = part.casefold() == "solved"
        elif match is None:
            words[""] += [word] if word.strip() else []
        elif match["name"] in ("author", "pack"):
            if match["sign"] not in (":", "=") or not match["value"].strip():
                raise FilterError(word, match["name"])
            words[match["name"]].append(match["value"])
        else:
            comparisons.append(_comparison(word, match))
    distinct = {name: tuple(dict.fromkeys(each)) for name, each in words.items()}
    return LevelFilter(distinct[""], distinct["author"], distinct["pack"], tuple(comparisons), is_solved)


def _comparison(word: str, match: re.Match[str]) -> Comparison:
    name, sign, value = match["name"], match["sign"].replace(":", "="), match["value"]
    if name not in ("boxes", "hard", "size"):
        raise FilterError(word)
    if name == "size":
        size = _SIZE.fullmatch(value)
        if size is None:
            raise FilterError(word, name)
        return Comparison(name, sign, tuple(sorted(map(int, size.groups()), reverse=True)))
    if not _NUMBER.fullmatch(value):
        raise FilterError(word, name)
    return Comparison(name, sign, (int(value),))
