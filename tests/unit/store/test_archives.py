"""Packs in zip archives and gzip."""

import gzip
import io
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.store import archives
from sokoterm.store.archives import ArchiveError, archive_kind, find_members, gunzipped, read_member
from sokoterm.store.packs import PackError, find_packs, open_pack, pack_from_bytes, read_bytes
from tests.unit.store.archived import BOARD, zipped, zipped_64

SMALL = ReadLimits(megabytes=1)
DAMAGED = "the archive is damaged"


def problems(data: bytes, limits: ReadLimits = DEFAULT_LIMITS) -> dict[str, str]:
    """Return the problem of opening each member, by the end of its path."""
    found = {}
    for member in find_members(data, limits):
        problem = member.problem
        if not problem:
            try:
                size = sum(map(len, read_member(member)))
                assert size == member.info.file_size
            except ArchiveError as error:
                problem = f"cannot be read: {error}"
        assert problem.isprintable()
        found[member.name] = problem
    return found


def damaged(data: bytes) -> str:
    with pytest.raises(ArchiveError) as caught:
        list(find_members(data, DEFAULT_LIMITS))
    return str(caught.value)


def patched(data: bytes, signature: bytes, offset: int, new: bytes) -> bytes:
    """Replace bytes after the last occurrence of a signature."""
    place = data.rindex(signature) + offset
    return data[:place] + new + data[place + len(new) :]


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_that_look_like_packs_in_natural_order(tmp_path: Path, method: int) -> None:
    members: dict[str, str | bytes] = {
        "b 10.txt": BOARD,
        "B 9.xsb": BOARD * 5000,
        "a/README": "words",
        "a/deep/x.sok": f"words\n\n{BOARD}",
        ".hidden.txt": BOARD,
        ".git/x.txt": BOARD,
        "__MACOSX/b 10.txt": BOARD,
        "picture.png": b"\x89PNG\r\n\x1a\n",
        "folder/": "",
        "empty": "",
    }
    path = put(tmp_path / "no suffix", zipped(members, method, comment=b"PK\5\6 of comments"[4:]))
    found = find_packs(str(path))
    assert [each.name for each in found] == ["a/deep/x", "B 9", "b 10"]
    assert [each.path for each in found] == [f"{path}/a/deep/x.sok", f"{path}/B 9.xsb", f"{path}/b 10.txt"]
    assert {each.archive for each in found} == {str(path)}
    assert found[0].key == f"{path.resolve()}/a/deep/x.sok"
    assert read_bytes(found[1]) == (BOARD * 5000).encode()
    assert [open_pack(each).title for each in found] == ["x", "B 9", "b 10"]


def test_archives_in_a_folder_are_looked_into(tmp_path: Path) -> None:
    put(tmp_path / "b" / "a.zip", zipped({"x.txt": BOARD, "y.txt": BOARD}))
    put(tmp_path / "c.xsb.gz", gzip.compress(BOARD.encode()))
    put(tmp_path / "d.xsb", BOARD.encode())
    put(tmp_path / "others.jar", zipped({"a": "words"}))
    put(tmp_path / "empty.zip", zipped({}))
    put(tmp_path / "words.gz", gzip.compress(b"words"))
    put(tmp_path / "broken.gz", gzip.compress(b"words")[:12])
    put(tmp_path / "e.zip", b"PK\3\4 and no more")
    found = find_packs(str(tmp_path))
    assert [each.name for each in found] == ["b/a/x", "b/a/y", "c", "d", "e"]
    assert [open_pack(each).size for each in found[:-1]] == [1, 1, 1, 1]
    with pytest.raises(PackError, match=r"^[^:]*/e\.zip: cannot be read: the archive is damaged"):
        open_pack(found[-1])


def test_archive_without_packs_says_so(tmp_path: Path) -> None:
    for name in ("README", ".hidden", "folder/"):
        path = put(tmp_path / "a.zip", zipped({name: "words" if name == "README" else BOARD}))
        with pytest.raises(PackError, match=r"a\.zip: found no level packs in this archive"):
            find_packs(str(path))


def test_errors_name_the_member(tmp_path: Path) -> None:
    path = put(tmp_path / "a.zip", zipped({"inner.txt": f"{BOARD}\n#####\n#@x.#\n#####\n"}))
    (error,) = open_pack(find_packs(str(path))[0]).errors
    assert str(error).startswith(f"{path}/inner.txt, line 6, column 3")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../x.txt", "cannot be read: its name points outside the archive"),
        ("a/../../x.txt", "cannot be read: its name points outside the archive"),
        ("a\\..\\x.txt", "cannot be read: its name points outside the archive"),
        ("/etc/x.txt", "cannot be read: its name is an absolute path"),
        ("C:\\x.txt", "cannot be read: its name is an absolute path"),
        ("a\x1b[2J.txt", "cannot be read: its name contains control characters"),
        ("a\nb.txt", "cannot be read: its name contains control characters"),
        ("a\x9b.txt", "cannot be read: its name contains control characters"),
    ],
)
def test_names_that_lead_elsewhere(name: str, problem: str) -> None:
    assert problems(zipped({name: BOARD, "y.txt": BOARD})) == {name: problem, "y.txt": ""}


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    """A name that claims to be UTF-8 is refused; the standard says that others are cp437."""
    assert damaged(zipped({"gr\u00fcn.txt": BOARD}).replace("\u00fc".encode(), b"\xfc\xfc")) == DAMAGED
    for written, name in ((b"gr\x81n", "gr\u00fcn"), ("gr\u00fcn".encode(), "gr\u00fcn")):
        plain = zipped({"x" * len(written) + ".txt": BOARD}).replace(b"x" * len(written), written)
        (file,) = find_packs(str(put(tmp_path / "a.zip", plain)))
        assert (file.name, open_pack(file).size) == (name, 1)


def test_name_that_stands_twice() -> None:
    data = zipped({"a.txt": BOARD, "b.txt": BOARD}).replace(b"b.txt", b"a.txt")
    first, second = find_members(data, DEFAULT_LIMITS)
    assert (first.problem, second.problem) == ("", "cannot be read: an earlier member has the same name")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_member_packed_in_a_way_that_cannot_be_stopped(method: int) -> None:
    said = f"cannot be read: it is compressed with method {method}, expected deflate"
    assert problems(zipped({"x.txt": BOARD}, method)) == {"x.txt": said}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_content_that_is_not_what_was_packed(tmp_path: Path, method: int) -> None:
    data = zipped({"x.txt": BOARD * 9999, "y.txt": BOARD}, method)
    wrong = patched(data, b"PK\1\2", 16, b"\0\0\0\0")
    expected = {"x.txt": "", "y.txt": "cannot be read: the archive is damaged"}
    assert problems(wrong) == expected
    place = data.index(b"PK\1\2") + 16
    late = data[:place] + b"\0\0\0\0" + data[place + 4 :]
    first, second = find_packs(str(put(tmp_path / "a.zip", late)))
    with pytest.raises(PackError, match=r"a\.zip/x\.txt: cannot be read: the archive is damaged"):
        open_pack(first)
    assert open_pack(second).size == 1


@pytest.mark.parametrize(
    ("offset", "new", "said"),
    [
        (8, b"\1\0", "it is encrypted"),
        (10, b"\7\0", "it is compressed with method 7, expected deflate"),
        (24, struct.pack("<L", 1000), DAMAGED),  # unpacked it is shorter
        (24, struct.pack("<L", 5), DAMAGED),  # and longer
        (20, struct.pack("<L", 5), DAMAGED),
        (42, struct.pack("<L", 1), DAMAGED),  # its header is elsewhere
        (42, b"\xfe\xff\xff\xff", DAMAGED),
    ],
)
def test_entries_that_cannot_be_read_or_lie(offset: int, new: bytes, said: str) -> None:
    data = patched(zipped({"x.txt": BOARD, "y.txt": BOARD}), b"PK\1\2", offset, new)
    assert problems(data) == {"x.txt": "", "y.txt": f"cannot be read: {said}"}


def test_archives_in_an_archive_are_refused() -> None:
    inner = zipped({"x.txt": BOARD})
    data = zipped({"a.zip": inner, "b.gz": gzip.compress(BOARD.encode()), "c": b"BZh9", "d.txt": BOARD})
    said = "found a {} archive in an archive, expected a level pack"
    assert problems(data) == {
        "a.zip": said.format("zip"),
        "b.gz": said.format("gzip"),
        "c": said.format("bzip2"),
        "d.txt": "",
    }
    for kind, packed in (("zip", inner), ("gzip", gzip.compress(b"")), ("tar", b"x" * 257 + b"ustar\0" + b"\0" * 300)):
        with pytest.raises(PackError, match=f"standard input: found a {kind} archive in an archive"):
            open_pack(pack_from_bytes(gzip.compress(packed)))


def test_member_over_the_limit_and_all_together() -> None:
    large = BOARD + "#" * (1 << 20)
    data = zipped({"a.txt": BOARD, "large.txt": large, "b.txt": BOARD})
    found = problems(data, SMALL)
    assert (found["a.txt"], found["b.txt"]) == ("", "")
    assert found["large.txt"].startswith("found more than 1 MB")
    data = zipped({f"{n}.txt": large[: 1 << 18] for n in range(9)})
    found = problems(data, SMALL)
    assert [name for name, problem in found.items() if not problem] == ["0.txt", "1.txt", "2.txt", "3.txt"]
    assert found["4.txt"].startswith("found more than 1 MB")
    assert found["4.txt"].endswith("in the archive up to here: this file and 4 more are not read")
    assert len(found) == 5


def test_what_is_no_pack_is_looked_at_within_the_limit_too() -> None:
    data = zipped({f"{n}": b"\0" * (1 << 20) for n in range(40)})
    assert len(problems(data, SMALL)) == 1


def test_size_that_claims_too_little_unpacks_no_further(tmp_path: Path) -> None:
    """A bomb: a gigabyte that claims to have 100 bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join([packer.compress(BOARD.encode()), *(packer.compress(b"#" * (1 << 20)) for _ in range(64))])
    packed += packer.flush()
    honest = zipped({"a.txt": "X"}, 0)
    start = honest.index(b"X")
    data = honest[:start] + packed + honest[start + 1 :]
    data = patched(data, b"PK\1\2", 20, struct.pack("<LL", len(packed), 100))
    data = patched(data, b"PK\1\2", 10, b"\x08\0")
    end = data.rindex(b"PK\5\6")
    data = patched(data, b"PK\5\6", 16, struct.pack("<L", data.rindex(b"PK\1\2")))
    assert end > 0
    path = put(tmp_path / "bomb.zip", data)
    (file,) = find_packs(str(path))
    with pytest.raises(PackError, match=DAMAGED):
        open_pack(file)


def test_archive_over_the_limit_is_not_opened(tmp_path: Path) -> None:
    path = put(tmp_path / "a.zip", zipped({"x.txt": BOARD}))
    with path.open("ab") as file:
        file.truncate(1 << 40)
    with pytest.raises(PackError, match=r"a\.zip: found more than 64 MB"):
        find_packs(str(path))
    put(tmp_path / "b.xsb", BOARD.encode())
    found = find_packs(str(tmp_path))
    assert [each.name for each in found] == ["a", "b"]


def test_too_many_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 5)
    assert problems(zipped({f"{n}": BOARD for n in range(5)}))
    assert damaged(zipped({f"{n}": BOARD for n in range(6)})) == "the archive has more than 5 members"
    with pytest.raises(ArchiveError, match="the archive has more than 5 members"):
        list(gunzipped(gzip.compress(b"") * 6))


def test_directory_of_endless_names() -> None:
    data = zipped({f"{n}" + "x" * 60_000: BOARD for n in range(80)}, 0)
    assert damaged(data) == "the archive's directory is larger than 4 MB"


def test_damaged_archives() -> None:
    data = zipped({"x.txt": BOARD, "y.txt": BOARD})
    for wrong in (
        b"PK\3\4",
        data[: len(data) // 2],
        patched(data, b"PK\1\2", 0, b"XX"),
        patched(data, b"PK\5\6", 12, struct.pack("<L", 100)),
        patched(data, b"PK\5\6", 12, b"\xff\xff\xff\x7f"),
        zipped_64(length=8),
    ):
        assert damaged(wrong) == DAMAGED


def test_archive_behind_something_else() -> None:
    """Self-extracting programs look like this; elsewhere an archive is recognized by its start."""
    (member,) = find_members(b"PK\3\4 a program" + zipped({"x.txt": BOARD}), DEFAULT_LIMITS)
    assert b"".join(read_member(member)) == BOARD.encode()


def test_figures_of_64_bits() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file, file.open("x.txt", "w", force_zip64=True) as member:
        member.write(BOARD.encode())
    assert problems(archive.getvalue()) == {"x.txt": ""}
    long = zipped_64()
    assert zipfile.ZipFile(io.BytesIO(long)).read("x.txt") == BOARD.encode()
    assert problems(long) == {"a.txt": "", "x.txt": ""}
    for offset in (1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1 - 4096):
        beyond = zipped_64((len(BOARD), len(BOARD), offset))
        assert problems(beyond) == {"a.txt": "", "x.txt": f"cannot be read: {DAMAGED}"}


def test_name_of_many_digits(tmp_path: Path) -> None:
    """Python refuses to convert so many digits."""
    long, longer = "1" * 5000, "01" + "2" * 4999
    path = put(tmp_path / "a.zip", zipped({f"{longer}.txt": BOARD, f"{long}.txt": BOARD, "9.txt": BOARD}))
    assert [each.name for each in find_packs(str(path))] == ["9", long, longer]


@given(st.binary(max_size=400))
def test_members_are_those_that_python_reads(content: bytes) -> None:
    pack = BOARD.encode() + content
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        archive = zipped({"x": pack}, method)
        for member in find_members(archive, DEFAULT_LIMITS):
            assert b"".join(read_member(member)) == pack


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4))
def test_gzip_in_pieces(parts: list[bytes]) -> None:
    packed = b"".join(gzip.compress(part) for part in parts)
    assert b"".join(gunzipped(packed + b"\0" * 20)) == b"".join(parts)


def test_gzip_that_is_damaged() -> None:
    packed = gzip.compress(BOARD.encode() * 99)
    for data, said in (
        (packed[:-1], "it ends too early"),
        (packed[:30], "it ends too early"),
        (packed[:2], "it ends too early"),
        (packed[:-8] + b"\0" * 8, "the archive is damaged"),
        (packed + b"words", "the archive is damaged"),
        (packed[:20] + b"\xff" * 9 + packed[29:], "the archive is damaged"),
    ):
        with pytest.raises(PackError, match=f"standard input: cannot be read: .*{said}"):
            open_pack(pack_from_bytes(data))


def test_gzip_bomb_stops_at_the_limit(tmp_path: Path) -> None:
    path = put(tmp_path / "bomb.gz", gzip.compress(b"#" * (8 << 20)))
    (file,) = find_packs(str(path))
    with pytest.raises(PackError, match=r"bomb\.gz: found more than 1 MB"):
        read_bytes(file, SMALL)
    assert len(read_bytes(file)) == 8 << 20


def test_kinds() -> None:
    assert archive_kind(zipped({})) == "zip"
    assert archive_kind(zipped({"a": "b"})) == "zip"
    assert archive_kind(gzip.compress(b"")) == "gzip"
    assert archive_kind(BOARD.encode()) == ""


def test_other_programs_pack_like_this() -> None:
    """``zip`` writes to a pipe like this: sizes only in the data after a member."""
    archive = io.BytesIO()

    class Pipe(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: object, /) -> int:
            return archive.write(bytes(data))  # type: ignore[call-overload]

    with zipfile.ZipFile(Pipe(), "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("x.txt", BOARD)
    assert problems(archive.getvalue()) == {"x.txt": ""}


def test_plain_packs_import_no_archives(tmp_path: Path) -> None:
    path = put(tmp_path / "a.xsb", BOARD.encode())
    lines = ("import sys", "from sokoterm.store.packs import *", f"open_pack(find_packs({str(path)!r})[0])")
    script = "\n".join([*lines, "print(*sys.modules)"])
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"zipfile", "gzip", "zlib", "urllib", "http", "hashlib"} & set(result.stdout.split())
