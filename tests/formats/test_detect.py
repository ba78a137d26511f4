"""Bytes to text and to packs."""

import codecs
from pathlib import Path

import pytest

from sokoterm.engine.level import LevelError
from sokoterm.formats.detect import decode, looks_like_pack, parse

BOARD = "#####\n#@$.#\n#####\n"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_byte_order_mark_decides(mark: bytes, encoding: str) -> None:
    text = f"Title: 箱 é\n{BOARD}"
    assert decode(mark + text.encode(encoding)) == text
    assert decode(text.encode("utf-8")) == text


def test_text_that_is_no_utf_8_is_cp1252() -> None:
    assert decode("Title: Café “x” œ€".encode("cp1252")) == "Title: Café “x” œ€"


def test_every_byte_can_be_read_and_boards_survive_wrong_guesses() -> None:
    pack = parse(BOARD.encode() + b"Title: " + bytes(set(range(256)) - set(b"\0\r\n")), "x")
    assert (len(pack.levels), pack.errors) == (1, ())
    pack = parse(codecs.BOM_UTF16_LE + BOARD.encode("utf-16-le") + b"\x00", "x")
    assert len(pack.levels) == 1


def test_encodings_in_the_wild(shared: Path) -> None:
    folder = shared / "formats" / "encodings"
    for file in sorted(folder.iterdir()):
        guessed = parse(file.read_bytes(), file.name)
        assert (len(guessed.levels), guessed.errors) == (1, ()), file
        encoding = file.name.split(".")[1]
        told = parse(file.read_bytes(), file.name, encoding)
        assert told.levels[0].rows == guessed.levels[0].rows
        assert told.title == ("一箭十万 (102547步)" if "one_arrow" in file.name else "倉庫番 レベル1")


def test_encoding_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(LevelError, match=r"^x\.xsb, line 2: found the byte 0xe9, expected text in utf-8$"):
        parse(b"#####\nTitle: Caf\xe9", "x.xsb", "utf-8")
    for unknown in ("klingon", "rot13", "a\0b", ""):
        with pytest.raises(LevelError, match="found the encoding"):
            decode(b"#####", unknown)


@pytest.mark.parametrize("head", [BOARD, f"Words.\n\n> {BOARD}", "  #pb.#\n", "##$#", BOARD.replace("\n", "\r")])
def test_looks_like_a_pack(head: str) -> None:
    assert looks_like_pack(head.encode())
    assert looks_like_pack(codecs.BOM_UTF16_LE + head.encode("utf-16-le"))


@pytest.mark.parametrize(
    "head", ["", "# Title\n\n* a\n* b\n", "####\n####\n", "#!/bin/sh\n", "\0\1\2", "* * *\n", "... @"]
)
def test_does_not_look_like_a_pack(head: str) -> None:
    assert not looks_like_pack(head.encode())
