"""Detection of encodings and formats."""

import codecs

import pytest

from sokoterm.engine.level import LevelError
from sokoterm.formats.limits import decode, likelier_encodings
from sokoterm.formats.registry import looks_like_pack, parse

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


@pytest.mark.parametrize(
    ("encoding", "text", "also"),
    [
        ("cp1251", "Title: Склад\nAuthor: Иван Петров", []),
        ("koi8-r", "Title: Склад\nAuthor: Иван Петров", []),
        ("cp1250", "Title: Żółta łódź i mały dom", []),
        ("cp1250", "Title: Příšerně žluťoučký kůň", []),
        ("gbk", "标题: 推箱子 (12步)", ["euc_kr"]),
        ("shift_jis", "Title: 倉庫番 レベル1", ["gbk"]),
        ("euc_jp", "Title: 倉庫番 レベル1", ["gbk"]),
        ("euc_kr", "Title: 창고지기 레벨", ["gbk", "euc_jp"]),
    ],
)
def test_encodings_that_fit_better_than_the_guess_are_named(encoding: str, text: str, also: list[str]) -> None:
    data = f"{BOARD}{text}\n".encode(encoding)
    assert sorted(likelier_encodings(data)) == sorted([encoding, *also])
    assert parse(data, "x").likelier == likelier_encodings(data)
    assert parse(data, "x", encoding).likelier == ()


@pytest.mark.parametrize(
    "text",
    [
        "Marqués très “bon” don\u2019t ÀÉ Déjà-vu 5\xd75 ½ m² ¿qué? Señor größer créée",
        "LeFèvre",
        "© A “b”",
        "plain",
        "",
    ],
)
def test_nothing_speaks_against_a_guess_that_gives_words(text: str) -> None:
    assert likelier_encodings(f"Title: {text}\n{BOARD}".encode("cp1252")) == ()


def test_encoding_that_is_no_guess_is_not_doubted() -> None:
    assert parse(f"{BOARD}Title: Склад".encode(), "x").likelier == ()
    assert parse(codecs.BOM_UTF16_LE + f"{BOARD}Title: Склад".encode("utf-16-le"), "x").likelier == ()
    assert parse(f"{BOARD}Title: Склад".encode("cp1251"), "x", "cp1251").likelier == ()
    assert likelier_encodings(bytes(range(128, 256)) * 10_000) == ()


def test_every_byte_can_be_read_and_boards_survive_wrong_guesses() -> None:
    pack = parse(BOARD.encode() + b"Title: " + bytes(set(range(256)) - set(b"\0\r\n")), "x")
    assert (len(pack.levels), pack.errors) == (1, ())
    pack = parse(codecs.BOM_UTF16_LE + BOARD.encode("utf-16-le") + b"\x00", "x")
    assert len(pack.levels) == 1


def test_encoding_that_does_not_fit_is_an_error() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        with pytest.raises(
            LevelError, match=r"^x\.xsb, line 2, column 11: found the byte 0xe9, expected text in utf-8$"
        ):
            parse(b"#####" + end + b"Title: Caf\xe9", "x.xsb", "utf-8")
    for unknown in ("klingon", "rot13", "a\0b", "", "idna", "utf-7", "unicode_escape", "zlib", "undefined"):
        with pytest.raises(LevelError, match="found the encoding"):
            decode(b"#####", unknown)
        with pytest.raises(LevelError, match=r"^x: found the encoding"):
            parse(b"<?xml\xff", "x", unknown)


SLC = """<SokobanLevels><Title>A</Title><LevelCollection><Level Id="1">
<L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>"""


@pytest.mark.parametrize(
    "begin",
    ["", "\n \t", "<?xml version='1.0'?>\n", "<!DOCTYPE SokobanLevels SYSTEM 'a.dtd'>", "<!-- A -->", "<?XML?>"],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_xml_goes_to_its_own_reader(begin: str, mark: str, encoding: str) -> None:
    if not mark and encoding != "utf-8":
        begin = begin.lstrip()  # the encoding is judged by the first character
    data = (mark + begin + SLC).encode(encoding)
    assert looks_like_pack(data)
    if begin == "<?XML?>":  # reserved
        assert parse(data, "x").errors
    else:
        assert [level.rows for level in parse(data, "x").levels] == [("#####", "#@$.#", "#####")]


def test_xml_in_an_encoding_that_is_told() -> None:
    data = SLC.replace("<Title>A", "<Title>倉庫番").encode("shift_jis")
    assert parse(data, "x", "shift_jis").title == "倉庫番"


def test_page_of_the_web_is_text() -> None:
    page = f"<!DOCTYPE html><body><pre>\n{BOARD}</pre>".encode()
    assert len(parse(page, "x").levels) == 1
    assert not looks_like_pack(b"<?xml version='1.0'?><svg/>")


@pytest.mark.parametrize(
    "head", ["5#|#@$.#|5#", "5#\n#@$.#\n5#\n", "Words 12\n\n> 4#|#@1$.#", "3#4-#\n#4-p.#\n", "#####\n3-|\n#@$.#"]
)
def test_run_lengths_look_like_a_pack(head: str) -> None:
    assert looks_like_pack(head.encode())
    assert looks_like_pack(codecs.BOM_UTF16_BE + head.encode("utf-16-be"))


def test_begin_that_is_cut_in_a_character_looks_like_a_pack() -> None:
    for encoding in ("utf-8", "utf-16", "gb18030"):
        head = f"{BOARD}箱箱".encode(encoding)
        assert all(looks_like_pack(head[: len(head) - cut]) for cut in range(4))


def test_document_about_levels_is_no_pack() -> None:
    document = f"# A game\n\n```\n{BOARD}```\n"
    assert not looks_like_pack(document.encode())
    assert len(parse(document.encode(), "x").levels) == 1


@pytest.mark.parametrize("head", [BOARD, f"Words.\n\n> {BOARD}", "  #pb.#\n", "##$#", BOARD.replace("\n", "\r")])
def test_looks_like_a_pack(head: str) -> None:
    assert looks_like_pack(head.encode())
    assert looks_like_pack(codecs.BOM_UTF16_LE + head.encode("utf-16-le"))


@pytest.mark.parametrize(
    "head", ["", "# Title\n\n* a\n* b\n", "####\n####\n", "#!/bin/sh\n", "\0\1\2", "* * *\n", "... @"]
)
def test_does_not_look_like_a_pack(head: str) -> None:
    assert not looks_like_pack(head.encode())
