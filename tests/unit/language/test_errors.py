"""Errors of levels, packs and settings say the same in another language, and no word of them stays English."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sokoterm.engine.level import Level, LevelError
from sokoterm.engine.lurd import LurdError, verify
from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.registry import parse, write
from sokoterm.language import speak
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import explained
from sokoterm.store.packs import PackError, find_packs, open_pack, read_pack
from sokoterm.store.settings import read_config
from tests.unit.language.marked import BEGIN, Marked, outside_of_marks, unmarked

ROOM = "#####\n#@$.#\n#####"
EASY = Level.from_xsb(ROOM)


def error_of(do: Callable[[], object]) -> str:
    with pytest.raises((LevelError, LurdError, PackError)) as caught:
        do()
    return str(caught.value)


def errors_in(text: str, name: str = "x.xsb", limits: ReadLimits | None = None) -> str:
    pack = parse(text.encode(), name, None, limits or ReadLimits())
    return "; ".join(map(str, pack.errors))


def settings(folder: Path, text: str) -> str:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return "; ".join(read_config(str(path), ("classic",)).problems)


CASES: dict[str, Callable[[Path], str]] = {
    "no player": lambda __: error_of(lambda: Level.from_xsb(ROOM.replace("@", " "))),
    "two players": lambda __: error_of(lambda: Level.from_xsb(ROOM.replace("$", "@"))),
    "a strange character": lambda __: error_of(lambda: Level.from_xsb(ROOM.replace("$", "!"))),
    "an open board": lambda __: errors_in(f"{ROOM}\n\n#####\n#@$. \n#####\nTitle: Open"),
    "boxes without goals": lambda __: errors_in(f"{ROOM}\n\n######\n#@$$.#\n######"),
    "counts": lambda __: error_of(lambda: verify(*EASY.puzzle, "2(r")),
    "moves": lambda __: error_of(lambda: verify(*EASY.puzzle, "rrx")),
    "a blocked step": lambda __: error_of(lambda: verify(*EASY.puzzle, "u")),
    "an unsolved level": lambda __: error_of(lambda: verify(*EASY.puzzle, "")),
    "a large board": lambda __: errors_in(ROOM, limits=ReadLimits(width=4)),
    "broken XML": lambda __: errors_in("<SokobanLevels><Level></SokobanLevels>", "x.slc"),
    "no levels": lambda __: error_of(lambda: read_pack(b"words", "x.txt")),
    "no such file": lambda folder: error_of(lambda: find_packs(str(folder / "missing.txt"))),
    "a damaged archive": lambda folder: error_of(lambda: find_packs(_written(folder / "x.zip", b"PK\3\4"))),
    "an empty folder": lambda folder: error_of(lambda: find_packs(str(folder))),
    "an empty file": lambda folder: error_of(lambda: open_pack(find_packs(_written(folder / "x.txt", b""))[0])),
    "settings": lambda folder: settings(folder, 'cell = 3\nanimation = -1\nmouse = "yes"\nx = 1\n[keys]\nplay = 1'),
    "broken settings": lambda folder: settings(folder, "cell = "),
    "a difficulty": lambda __: "; ".join(f"{label}: {text}" for label, text in explained(figures_of(EASY))),
    "what a format cannot hold": lambda __: "; ".join(
        write(parse(f"Author: Ann\n\n{ROOM}\nTitle: A\nSolution: R\nmine: 1".encode(), "x"), "rle").lost
    ),
}


def _written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("case", CASES)
def test_another_language_says_the_same(case: str, tmp_path: Path) -> None:
    english = CASES[case](tmp_path)
    speak(Marked())
    other = CASES[case](tmp_path)
    assert unmarked(other) == english
    assert BEGIN in other
    names = {*re.findall(r"\w+", str(tmp_path)), "config", "toml", "missing", "txt", "zip", "x", "xsb", "slc"}
    assert {*re.findall(r"[A-Za-z]\w*", outside_of_marks(other))} <= names
