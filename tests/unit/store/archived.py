"""Archives for tests, in memory."""

import io
import struct
import zipfile
from collections.abc import Mapping

BOARD = "#####\n#@$.#\n#####\n"


def zipped(members: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED, comment: bytes = b"") -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", method) as file:
        file.comment = comment
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name), content, method)
    return archive.getvalue()


def zipped_64(
    figures: tuple[int, ...] = (len(BOARD), len(BOARD), 0), length: int | None = None, name: str = "x.txt"
) -> bytes:
    """Return a zip of two members, the second with 64-bit sizes and offset, as has the end of the archive.

    ``figures`` are the content of its extra field, ``length`` is the length that the field claims.
    """
    data = zipped({"a.txt": BOARD, name: BOARD}, zipfile.ZIP_STORED)
    figures = figures[:2] + tuple(each + data.rindex(b"PK\3\4") for each in figures[2:])
    start, place, end = data.index(b"PK\1\2"), data.rindex(b"PK\1\2"), data.index(b"PK\5\6")
    entry = bytearray(data[place:end])
    extra = struct.pack(f"<2H{len(figures)}Q", 1, len(figures) * 8 if length is None else length, *figures)
    entry[20:28] = b"\xff" * 8
    entry[42:46] = b"\xff" * 4
    entry[30:32] = struct.pack("<H", len(extra))
    size = place - start + len(entry) + len(extra)
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 2, 2, size, start)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, start + size, 1)
    last = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:place] + bytes(entry) + extra + end64 + locator + last
