"""Packs found by path, in folders and among the bundled ones."""

import gzip
import os
from pathlib import Path

import pytest

from sokoterm.formats.limits import ReadLimits
from sokoterm.language import speak
from sokoterm.store.packs import (
    PackError,
    bundled_packs,
    bundled_title,
    find_packs,
    open_pack,
    pack_from_bytes,
    read_bytes,
    shown_text,
)
from tests.unit.language.marked import Marked
from tests.unit.store.stores import open_store

BOARD = "#####\n#@$.#\n#####\n"


def put(path: Path, content: str | bytes = BOARD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def names(path: Path) -> list[str]:
    return [pack.name for pack in find_packs(str(path))]


def test_file(tmp_path: Path) -> None:
    path = put(tmp_path / "Doors 2.0.xsb", f"; A\n{BOARD}")
    (found,) = find_packs(str(path))
    assert (found.path, found.name, found.key) == (str(path), "Doors 2.0", str(path.resolve()))
    pack = open_pack(found)
    assert (pack.title, pack.levels[0].title) == ("Doors 2.0", "A")


def test_key_is_the_same_by_every_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a" / "b.xsb")
    (tmp_path / "link").symlink_to(path)
    monkeypatch.chdir(tmp_path)
    found = [find_packs(each)[0] for each in (str(path), "a/b.xsb", "link", "a/../a/b.xsb")]
    assert {each.key for each in found} == {str(path.resolve())}
    assert [each.path for each in found][1:] == ["a/b.xsb", "link", "a/../a/b.xsb"]


def test_key_of_a_name_that_is_not_utf8_goes_into_the_store(tmp_path: Path) -> None:
    path = put(tmp_path / os.fsdecode(b"gr\xfcn.xsb"))
    (found,) = find_packs(str(path))
    assert found.key == str(tmp_path.resolve() / "gr") + "\\xfcn.xsb"
    store = open_store(tmp_path / "data")
    assert store.save_place(found.key, 2) is None
    assert store.load_place(found.key) == 2
    assert len(open_pack(found).levels) == 1


def test_folder_lists_what_looks_like_packs_in_natural_order(tmp_path: Path) -> None:
    for name in ("pack 10.txt", "Pack 2.xsb", "alpha.sok", "deep/er/x.txt", "quoted.txt"):
        put(tmp_path / name, f"> {BOARD}" if name == "quoted.txt" else f"words\n\n{BOARD}")
    for name in (".hidden.xsb", ".git/x.xsb", "README.md", "empty.txt", "tool.py"):
        put(
            tmp_path / name,
            {"README.md": "# A\n\n* b\n", "empty.txt": "", "tool.py": "####\n# x\n####\n"}.get(name, BOARD),
        )
    assert names(tmp_path) == ["alpha", "deep/er/x", "Pack 2", "pack 10", "quoted"]
    assert find_packs(str(tmp_path))[1].path == str(tmp_path / "deep/er/x.txt")


def test_nothing_is_parsed_before_it_is_opened(tmp_path: Path) -> None:
    path = put(tmp_path / "a.xsb")
    (found,) = find_packs(str(tmp_path))
    path.write_text(BOARD + "\n" + BOARD)
    assert open_pack(found).size == 2


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "found an empty file"),
        (b"hello\n", "found no levels"),
        (bytes(range(256)) * 9, "found a binary file"),
        (b" \n<!DOCTYPE html>\n<html>", "found a web page"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "found a 7z archive"),
        (BOARD.encode() + b" " * 239 + b"ustar\0", "found a tar archive, expected a level pack, a .zip or a .gz"),
    ],
)
def test_file_without_levels(tmp_path: Path, content: bytes, problem: str) -> None:
    path = put(tmp_path / "a\x1b[2J.xsb", content)
    with pytest.raises(PackError) as caught:
        open_pack(find_packs(str(path))[0])
    assert problem in str(caught.value)
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith(str(tmp_path / "a?[2J.xsb"))


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    put(tmp_path / "words" / "README", "words")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for path, problem in (
        (str(tmp_path / "none"), "none: cannot be read: No such file or directory"),
        (str(tmp_path / "words"), "words: found no level packs in this folder"),
        (str(tmp_path / "words" / "README" / "x"), "cannot be read: Not a directory"),
        (str(tmp_path / "self"), "self: cannot be read: Too many levels of symbolic links"),
        (str(tmp_path / "zero"), "zero: found a device, expected a file or a folder"),
        ("a\0b", "a?b: cannot be read: "),
        ("", "cannot be read: No such file or directory"),
    ):
        with pytest.raises(PackError) as caught:
            find_packs(path)
        assert problem in str(caught.value)
        assert "\n" not in str(caught.value)


def test_file_that_vanishes_or_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.xsb")
    (found,) = find_packs(str(path))
    path.unlink()
    with pytest.raises(PackError, match="cannot be read: No such file"):
        open_pack(found)
    put(path)
    monkeypatch.setattr("builtins.open", _forbidden)
    (found,) = find_packs(str(tmp_path))
    with pytest.raises(PackError, match="cannot be read: Permission denied"):
        open_pack(found)


def _forbidden(path: object, *_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied", path)


def test_folder_that_may_not_be_listed_says_so_when_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "a.xsb")
    put(tmp_path / "locked" / "b.xsb")
    listing = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: _forbidden(path) if path.endswith("locked") else listing(path))
    found = find_packs(str(tmp_path))
    assert [each.name for each in found] == ["a", "locked"]
    with pytest.raises(PackError, match="locked: cannot be read: this folder cannot be listed"):
        open_pack(found[1])


def test_file_over_the_limit_is_refused_by_its_size(tmp_path: Path) -> None:
    path = put(tmp_path / "a.xsb", BOARD + "x" * (1 << 20))
    (found,) = find_packs(str(path))
    with pytest.raises(PackError, match="found more than 1 MB"):
        open_pack(found, limits=ReadLimits(megabytes=1))
    assert open_pack(found).size == 1
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a sparse terabyte
    with pytest.raises(PackError, match="found more than 64 MB"):
        read_bytes(found)


def test_standard_input_is_known_by_its_content() -> None:
    one, same, other = (pack_from_bytes(each) for each in (BOARD.encode(), BOARD.encode(), b"#"))
    assert (one.path, one.name) == ("-", "standard input")
    assert one.key == same.key != other.key
    assert open_pack(one).size == 1


def test_pipe_is_read_once(tmp_path: Path) -> None:
    """Shells pass a pipe like this for ``sokoterm <(...)``."""
    reader, writer = os.pipe()
    os.write(writer, BOARD.encode())
    os.close(writer)
    (found,) = find_packs(f"/dev/fd/{reader}")
    os.close(reader)
    assert found.key == pack_from_bytes(BOARD.encode()).key
    assert open_pack(found).size == 1
    assert find_packs(str(put(tmp_path / "x")))[0].data is None


def test_encoding_on_request(tmp_path: Path) -> None:
    path = put(tmp_path / "a.xsb", "Title: 箱\n".encode("gb18030") + BOARD.encode())
    (found,) = find_packs(str(path))
    assert open_pack(found, "gb18030").title == "箱"
    with pytest.raises(PackError, match=r"a\.xsb, line 1, column 8: found the byte"):
        open_pack(found, "utf-8")


def test_bundled_packs_of_the_checkout() -> None:
    folder = Path(__file__).parents[3] / "levels"
    shipped = {path.name for path in folder.glob("*.txt")}
    found = bundled_packs()
    assert {each.key for each in found} == {f"bundled:{name}" for name in shipped}
    for each in found:
        pack = open_pack(each)
        assert not pack.errors
        assert bundled_title(each) == pack.title  # a list names it before it is read
        texts = [pack.title, pack.author, *pack.comment.splitlines()]
        texts += [text for level in pack.levels for text in (level.title, *level.comment.splitlines())]
        speak(Marked())
        assert [text for text in map(str.strip, texts) if text.strip("0123456789") and shown_text(text) == text] == []
    assert {each.key for each in find_packs(str(folder))} == {each.key for each in found}
    assert find_packs(found[0].path)[0].key == found[0].key
    names = [each.name for each in found]
    assert names[:2] == ["first-steps", "one-evening"]
    assert names.index("variants-ice-and-colours") < names.index("variants-forty-on-ice")


@pytest.mark.parametrize("name", ["small.txt", "small.txt.gz", "small.slc.gz"])
def test_a_pack_without_a_title_is_called_by_its_file(tmp_path: Path, name: str) -> None:
    data = b"#####\n#@$.#\n#####\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (file,) = find_packs(str(path))
    assert (open_pack(file).title, file.name) == ("small", "small")
