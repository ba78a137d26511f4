"""Screens in a made-up language of accented letters: a word of plain letters is one that nobody can translate."""

import re
from functools import cache
from pathlib import Path

import pytest

from sokoterm.app.keymap import KEYMAPS, NAMED_KEYS, shown
from sokoterm.language import Translations, speak
from sokoterm.solver.registry import STRATEGIES
from sokoterm.store.packs import bundled_packs
from sokoterm.store.query import TERMS
from sokoterm.terminal.events import Event, Paste, Pointer
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.frame import Frame
from sokoterm.tui.widgets.theme import THEMES
from tests.catalogs import template
from tests.slow import others_slow
from tests.unit.app.searches import EASY, FIRST, LONG, SHORT, SOLVED, Said
from tests.unit.tui.fake_terminal import TO_TILES, Session, play, scripted
from tests.unit.tui.kinds import SHOWN
from tests.unit.tui.made import browse, descent, floor_keys, play_made, today
from tests.unit.tui.test_browser import PUSH, Home
from tests.unit.tui.test_solver import SECOND, TIME_OVER

_ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçđéƒĝĥíĵķĺɱńóþɋŕšťúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĹṀŃÓÞɊŔŠŤÚṼŴẊÝŽ"
)
_PLACEHOLDERS = re.compile(r"(\{\{|\}\}|\{[^{}]*\})")
_WORD = re.compile(r"\w+")


class Pseudo(Translations):
    """A catalog of all messages: their words have an accent on every letter, and are longer by two fifths."""

    def gettext(self, message: str) -> str:
        if message not in _messages():
            return message
        parts = _PLACEHOLDERS.split(message)
        return "".join(part if number % 2 else _WORD.sub(_accented, part) for number, part in enumerate(parts))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - the meaning is lost here
        return self.gettext(message)


@cache
def _messages() -> frozenset[str]:
    """Return what translators get to see."""
    ids = (message.id for message in template())
    return frozenset(text for each in ids for text in ((each,) if isinstance(each, str) else each))


def _accented(word: re.Match[str]) -> str:
    letters = word[0].translate(_ACCENTS)
    return letters + "ö" * (2 * len(letters) // 5)


@pytest.fixture(autouse=True)
def _pseudo() -> None:
    speak(Pseudo())


# What stays as it is: names of keys, and what is typed (names of screens, themes and strategies, command lines).
_KEYS = (shown(key) for key in (*NAMED_KEYS, *(key for keymap in KEYMAPS for b in keymap.bindings for key in b.keys)))
_NAMES = (*(keymap.name for keymap in KEYMAPS), *(theme.name for theme in THEMES), *STRATEGIES)
_KEPT = {word for text in (*_KEYS, *_NAMES, "sokoterm descend --seed", "My levels") for word in _WORD.findall(text)}
# Sizes of boards and windows, and moves.
_KEPT_FORMS = re.compile(r"\d+x\d+|[lurdLURD]+|[oO]+")
# A line of a link.
_OF_LINK = re.compile(r"\S*(://|%[0-9A-F]{2})\S*")
# Labels of squares; letters of colours have styles beyond ASCII.
_OF_LABELS = (styles.LABEL, styles.LABEL_ON_GOAL, styles.MARK_FINE)


_TERMS = frozenset(word for term in TERMS for word in _WORD.findall(term)) | {"hard", "size", "has", "solution"}


def plain_words(frame: Frame, names: frozenset[str] = frozenset()) -> list[str]:
    """Return the words of plain letters in a picture, each with its line, but for letters of keys and squares."""
    found = []
    for row in frame.rows:
        shows = zip(row.text, row.styles, strict=True)
        text = "".join(" " if style in _OF_LABELS or not style.isascii() else character for character, style in shows)
        text = "" if _OF_LINK.fullmatch(text.strip()) else text
        for word in _WORD.findall(text):
            is_plain = any("a" <= each.lower() <= "z" for each in word) and len(word) > 1
            if is_plain and word not in _KEPT | names and not _KEPT_FORMS.fullmatch(word):
                found.append(f"{word!r} in {row.text.strip()!r}")
    return found


def check(session: Session, names: frozenset[str] = frozenset()) -> None:
    """Fail on words of plain letters in the pictures of a session; ``names`` are those of its packs."""
    found = {word: number for number, frame in enumerate(session.frames) for word in plain_words(frame, names)}
    assert not found, "\n".join(f"picture {number}: {word}" for word, number in found.items())


SIZES = ((24, 80), (8, 30), (35, 120))
PACK = """\
Collection: Ωμέγα

    #####
    #   #####
    # # #   #
  ### #   $ #
###   # # # #
#..   $ $   #
#. @  #######
#######
Title: Άλφα
Author: Ό. Λ.
Comment: Κάτι.

######
#.$@ #
######
Title: Βήτα

######
#.$@ #
######
Title: Γάμμα
"""
NAME = "Collection: Ωμέγα\n\n"
HALL = f"{NAME}########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
DETOUR = (*"lkljhjlllj", "right", "k")
KINDS = SHOWN["both"].replace("Shown", "Όλα")
MORE = ["space"] * 3
HELP = ["?", *["down"] * 30, "esc"]

SESSIONS: dict[str, tuple[str, list[Event]]] = {
    "counters": (PACK, ["h", "u", "u", "C-r", "C-r", "end", "home", "r", "l", "r"]),
    "levels": (PACK, ["p", "n", "n", "n", "N", "g", "7", "enter", "g", "esc", "g", "2", "enter"]),
    "bookmarks": (PACK, ["'", "a", "m", "a", "'", "esc", "m", "esc", "h", "'", "a", "'", "z"]),
    "looks": (PACK, [*["T"] * len(THEMES), "+", "+", "-", "-", "-", *"txtxtxtx", "M", "M", "D", "D"]),
    "notices": (PACK, ["U", "P", "tab", "P", "O", "R", "X", "Y", "l", "Y", "esc"]),
    "dead": (f"{NAME}#######\n# $@ .#\n#######\n", ["h", "U"]),
    "dead-twice": (f"{NAME}########\n# $@   #\n#  $.. #\n########\n", ["h", "l", "u"]),
    "solved": (PACK, ["n", "h", "l", "h", "enter", "p", "p", "n", "h", "N", "S", "Y", "esc", "O", "esc", "u", "h"]),
    "last": (PACK, ["N", "h", "enter", "h", "n", "enter", "N", "wait"]),
    "statistics": (PACK, ["n", "h", "i", *MORE]),
    "help": (PACK, [*HELP]),
    "planner": (PACK, ["tab", "z", "enter", "a", *HELP, "right", "tab", "tab", "z", "backspace", "a"]),
    "planner-goals": (PACK, ["G", "z", "right", "a", "z", "right", "enter", "esc", "esc"]),
    "planner-tiles": (PACK, [*TO_TILES, "tab", "a", "right", "esc", "esc", "G", "a"]),
    "planner-empty": (f"{NAME}######\n#@ $#\n#. ##\n######\n", ["tab", "?", "esc", "esc", "G"]),
    "planner-solved": (PACK, ["n", "h", "tab"]),
    "planner-mouse": (PACK, [Pointer(6, 12, "left", True), Pointer(6, 2, "right", True), "esc"]),
    "replay": (PACK, ["n", "S", "R", "wait", "space", *"+-g1gnpSRY", "esc", "enter"]),
    "replay-help": (PACK, ["n", "S", "R", *HELP]),
    "improve": (HALL, [*DETOUR, "O", "3", "-", "up", "right", "up", "right", "up", "right", "down", "down", "down"]),
    "improve-board": (HALL, [*DETOUR, "O", "space", "space", "right", "space", "right", *["up"] * 5, "?", *MORE]),
    "improve-tiles": (HALL, [*TO_TILES, *DETOUR, "O", "space", "space", "right", "space"]),
    "improved": (HALL, [*DETOUR, "O", "enter", "wait", "wait", "R", "n", "p", "O", "right", "esc", "R", "esc", "wait"]),
    "reverse": (PACK, ["n", "B", "h", "L", "l", "u", "a", "enter", "?", *MORE, "esc"]),
    "pasted": (PACK, [Paste(b"?"), Paste(b"xyz"), Paste(b"lll"), Paste(b"#####\n#@$.#\n#####"), Paste(b"", "")]),
    "kinds": (f"{NAME}{KINDS}", ["tab", "a", "esc", "esc", "B", "?", "esc", "i", "esc", "b", "wait"]),
    "editor": (PACK, [*"e#$.@~oOmrRcCtxuu", "tab", "m", "esc", "Y", "esc", "enter", *"eSe", "esc", "n"]),
    "editor-new": (PACK, ["E", "right", "$", "right", ".", "W", "esc", "B", "i", "7", *["enter"] * 3, "esc", "y"]),
    "editor-lost": (PACK, ["E", ".", "down", "down", "$", "wait", "space", *HELP, "q", "n", "esc", "esc"]),
    "browser": (PACK, ["b", "h", "wait", "l", *"ooooooo", "O", "p", "r", "x", *HELP]),
    "browser-filter": (PACK, [*"b/7:", "backspace", "enter", "n", "esc", "/", "enter", *"h/1", "enter"]),
}
SEARCHES: dict[str, tuple[str, list[str], list[Said]]] = {
    "search": (PACK, ["S", "S", "wait", "wait", *HELP], [FIRST, SECOND, SECOND, SECOND._replace(cores=2)]),
    "beside": (PACK, ["S", "h", "S", "R", "x", "R", "S", "esc"], [FIRST, FIRST, TIME_OVER]),
    "over": (PACK, ["S", "S", "wait", "R", "esc"], [FIRST, TIME_OVER]),
    "found": (NAME + EASY, ["S", "S", *["wait"] * 4, "R", "wait"], [FIRST, LONG, FIRST, SHORT, SOLVED]),
    "hint": (NAME + EASY, [".", "wait", "wait", "wait", ".", "u"], [FIRST, SHORT, SOLVED]),
    "offered": (NAME + EASY, ["S", "l", "wait", "wait", "wait"], [FIRST, FIRST, SHORT, FIRST, SOLVED]),
}


@pytest.mark.parametrize("size", others_slow(SIZES), ids=str)
@pytest.mark.parametrize("name", SESSIONS)
def test_screens_have_no_text_that_is_not_translated(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    pack, keys = SESSIONS[name]
    check(play(tmp_path, pack, keys, size=size), frozenset(["pasted", "drawn", "test", "txt"]))


@pytest.mark.parametrize("size", others_slow(SIZES), ids=str)
@pytest.mark.parametrize("name", SEARCHES)
def test_searches_have_no_text_that_is_not_translated(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    pack, keys, script = SEARCHES[name]
    check(scripted(tmp_path, keys, script, pack, size), frozenset(["connectivity"]))  # made up by the script


@pytest.mark.parametrize("size", others_slow(SIZES), ids=str)
def test_the_browser_has_no_text_that_is_not_translated(tmp_path: Path, size: tuple[int, int]) -> None:
    home = Home(tmp_path)
    solved = home.pack("Ω", PUSH, f"{PUSH}\nTitle: Άλφα\nAuthor: Ό. Λ.")
    home.pack("Δ/Λ", PUSH, PUSH.replace("$", "7"))
    home.pack("Ψ", PUSH.replace("@", " "))
    questions = ["wait", "left", "wait", "wait", "r", "7", "esc", "x", "n"]
    lists = ["down", "enter", "enter", "wait", "down", "l", "wait", "h", *["o"] * 6, "wait"]
    check(home.play(["l", "enter", "b", *questions, *lists], solved, size))
    wrong: list[Event] = ["/", Paste(b"hard:"), "enter", "esc", "/", Paste(b"size<1"), "esc"]
    filters = ["/", "8", "enter", "p", "esc", "p", "x", "y", "wait", "down", "r", "backspace", "7", "enter", "wait"]
    check(home.play(["wait", *wrong, *filters], size=size), _TERMS)


@pytest.mark.parametrize("size", others_slow(SIZES), ids=str)
def test_generated_levels_have_no_text_that_is_not_translated(tmp_path: Path, size: tuple[int, int]) -> None:
    names = frozenset(word for file in bundled_packs() for word in _WORD.findall(file.name.title()))
    floors = [*floor_keys(7, 1), "enter", "wait", "u", "X", "n", "X", "y", "wait", "down", "up", "4", "esc", "?", "esc"]
    check(play_made(tmp_path / "descent", descent, floors, size=size), names)
    check(play_made(tmp_path / "daily", today, ["wait", "g", "2", "esc", "Y", "esc", "n", "p", "i"], size=size), names)
    names |= {"sokoterm", "the", "project"}  # who has made the packs that ship
    check(play_made(tmp_path / "browser", browse, ["wait", "down", "wait", "down", "wait"], size=size), names)


def test_a_word_that_is_not_translated_is_found(tmp_path: Path) -> None:
    session = play(tmp_path, PACK.replace("Άλφα", "Alpha"), ["h"])
    with pytest.raises(AssertionError, match="Alpha"):
        check(session)
