"""Foreign text with long repetitions: four times the text takes about four times the work."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import pytest

from sokoterm.engine.level import Level, LevelError, Pack, Record
from sokoterm.engine.lurd import LurdError, parse_lurd, replay
from sokoterm.formats.registry import looks_like_pack, parse, write
from sokoterm.formats.text import moves_in
from sokoterm.formats.uniting import LevelCopy, author_of, is_real_title, united
from sokoterm.store.exchange import TITLE, merge
from sokoterm.store.known_levels import credit
from sokoterm.store.packs import natural_key
from sokoterm.store.query import QueryError, parse_query
from sokoterm.terminal.key_decoder import KeyDecoder
from sokoterm.wording.columns import cut_at_a_word
from tests.unit.store.stores import open_store

BOARD = "#####\n#@$.#\n#####\n"
LEVEL = Level.from_xsb(BOARD)
XML = "<SokobanLevels><LevelCollection><Level Id='{0}'><L>{0}</L></Level></LevelCollection></SokobanLevels>"


def read(text: str, encoding: str = "utf-8") -> None:
    data = text.encode(encoding)
    looks_like_pack(data[: 1 << 16])
    parse(data, "x")


def titled(text: str) -> Pack:
    level = LEVEL.replace(title=text, comment=text, records=(Record(text, "R", text),))
    return Pack("x", (level,), metadata=(("remarks", text),))


def write_all(text: str) -> None:
    for name in ("xsb", "sok", "slc"):
        write(titled(text), name)


def unite(text: str) -> None:
    """A solution of a copy with another player, whose title is to name other figures."""
    drawn = Level.from_xsb("######\n#@ $.#\n######"), Level.from_xsb("######\n# @$.#\n######")
    levels = drawn[0], drawn[1]._replace(records=(Record(text, "R"),))
    assert united([LevelCopy("", "", level) for level in levels]).level.records


def import_day(text: str) -> None:
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        merge(store, Pack(TITLE, (LEVEL._replace(metadata=(("daily 2026-11-27", text),)),)), "x", 0.0)
        store.close()


READERS: dict[str, Callable[[str], object]] = {
    "text": read,
    "text below a board": lambda text: read(BOARD + text),
    "lines between boards": lambda text: read(f"{BOARD}{text}\n{BOARD}"),
    "a byte beyond ASCII": lambda text: read(f"\xe9\n{text}", "cp1252"),
    "SLC": lambda text: read(XML.format(text)),
    "XML": lambda text: read(f"<?xml {text}"),
    "DOCTYPE": lambda text: read(f"<!DOCTYPE {text}"),
    "SSX": lambda text: read(f"<SokobanLibrary>{text}"),
    "SokoMind": lambda text: read(f"OOOOO\nO{text}\nOOO"),
    "moves": parse_lurd,
    "record": lambda text: replay(LEVEL, Record("", text)),
    "walks": lambda text: replay(LEVEL, Record("", f"1-1{text}")),
    "written": write_all,
    "credit": lambda text: credit(Record(text, "R", text), "x"),
    "credit in brackets": lambda text: credit(Record(f"({text}", "R", f"solver:{text}"), "x"),
    "title": is_real_title,
    "moves in a text": moves_in,
    "title of a copy": unite,
    "note of a day": import_day,
    "author": lambda text: author_of(titled(text)),
    "query": parse_query,
    "query of a number": lambda text: parse_query(f"boxes:{text}"),
    "name of a file": natural_key,
    "row of a list": lambda text: cut_at_a_word(text, 60),
    "keys": lambda text: KeyDecoder().feed(text.encode()),
    "sequence of keys": lambda text: KeyDecoder().feed(b"\x1b[" + text.encode()),
}
PIECES = (
    "#", "a", "-", " ", "\n", "(", "1", "<", ">", '"', "a ", "\n ", "(a", "1(", "#x#\n", f"{BOARD}x\n", "a<", "\x1b[",
    "#|", "\t#\n", "3#\n-\n", "; a\n\n", "Comment:\n", "rrU\n\n", "1-1r1,", "\r\n\n\r",
)  # fmt: skip


def seconds(reader: Callable[[str], object], text: str) -> float:
    begin = process_time()
    with suppress(LevelError, LurdError, QueryError):
        reader(text)
    return process_time() - begin


@pytest.mark.parametrize("name", READERS)
def test_work_grows_with_the_text_and_not_with_its_square(name: str) -> None:
    reader = READERS[name]
    for number, piece in enumerate(PIECES):
        # Every second text ends in another way than it goes on.
        short, long = (piece * (size // len(piece)) + "x" * (number % 2) for size in (5_000, 20_000))
        spent = seconds(reader, long)
        # What is as quick as this is linear, or as good as.
        if spent > 0.1:
            spent = min(spent, seconds(reader, long))
            assert spent < 9 * seconds(reader, short) + 0.1, piece
