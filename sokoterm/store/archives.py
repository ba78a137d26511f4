"""Readers for zip archives and gzip (RFC 1952).

Nothing is written to disk, and nothing is unpacked beyond what the caller reads, whatever the headers claim.
"""

import io
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from sokoterm.engine.text import is_level_file
from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.registry import looks_like_pack
from sokoterm.language import _, ngettext

# No collection has this many packs; more members are an attack.
MAX_MEMBERS = 10_000
_MAX_DIRECTORY = 4 << 20  # some 400 bytes per member: name, header and comment

_CHUNK = 1 << 16
_ENCRYPTED = 0x2041  # bits 0, 6 and 13 of the flags, as PKWARE's APPNOTE 6.3 has them
# Methods that zipfile unpacks in bounded steps.
_METHODS = (ZIP_STORED, ZIP_DEFLATED)
# Everything that zipfile raises for a malformed archive; RuntimeError covers NotImplementedError.
_DAMAGE = (BadZipFile, EOFError, OverflowError, RuntimeError, UnicodeDecodeError, struct.error, zlib.error)
_KINDS = (
    (b"PK\3\4", "zip"),
    (b"PK\5\6", "zip"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"\x28\xb5\x2f\xfd", "zstandard"),
)


class ArchiveError(OSError):
    """An archive or member that cannot be read; the error's text is the reason."""


class Member(NamedTuple):
    """A file in a zip archive; ``problem`` is why it cannot be read, if that is already known."""

    name: str
    archive: ZipFile
    info: ZipInfo
    problem: str = ""


def archive_kind(head: bytes) -> str:
    """Return the kind of archive that begins with ``head``, empty for anything else."""
    if head[257:262] == b"ustar":
        return "tar"
    return next((kind for magic, kind in _KINDS if head.startswith(magic)), "")


def archive_in_archive(kind: str) -> str:
    return _("found a {kind} archive in an archive, expected a level pack", kind=kind)


def find_members(archive: str | bytes, limits: ReadLimits) -> Iterator[Member]:
    """Yield the members of a zip archive, given as path or content, that look like packs or cannot be read.

    Folders, hidden files and __MACOSX are skipped. The size limit of one file applies to all members together: the
    first member beyond it has that as its problem and is the last. Raises ArchiveError or OSError.
    """
    opened = _opened(archive)
    total = 0
    names = set()
    members = [Member(_name(info), opened, info) for info in opened.infolist()]
    members = [member for member in members if not _is_ignored(member.name)]
    for index, member in enumerate(members):
        problem = _why_unreadable(member)
        if not problem and member.name in names:
            problem = _("cannot be read: an earlier member has the same name")
        names.add(member.name)
        head = b""
        if not problem:
            head, problem = _inspected(member, limits)
        is_pack = looks_like_pack(head, member.name)
        if not problem:
            total += member.info.file_size if is_pack else len(head)
        if total > limits.bytes:
            yield member._replace(problem=_too_much(limits, len(members) - index - 1))
            return
        if problem or is_pack:
            yield member._replace(problem=problem)


def read_first(archive: bytes) -> Iterator[bytes]:
    """Yield the content of the first member of a zip archive in chunks; raises ArchiveError."""
    opened = _opened(archive)
    info = next(iter(opened.infolist()), None)
    if info is None or info.compress_type not in _METHODS:
        raise _damaged()
    yield from read_member(Member(info.filename, opened, info))


def _opened(archive: str | bytes) -> ZipFile:
    try:
        opened = ZipFile(_Source(archive))
    except _DAMAGE:
        raise _damaged() from None
    if len(opened.infolist()) > MAX_MEMBERS:
        raise _too_many()
    return opened


def _too_much(limits: ReadLimits, left: int) -> str:
    """Return the problem of the member where reading stops, with ``left`` more after it."""
    too_large = limits.too_large
    if not left:
        return _("{too_large}, in the archive up to here: this file is not read", too_large=too_large)
    return ngettext(
        "{too_large}, in the archive up to here: this file and {n} more are not read",
        "{too_large}, in the archive up to here: this file and {n} more are not read",
        left,
        too_large=too_large,
    )


def _too_many() -> ArchiveError:
    return ArchiveError(_("the archive has more than {most:,} members", most=MAX_MEMBERS))


def _damaged() -> ArchiveError:
    return ArchiveError(_("the archive is damaged"))


def read_member(member: Member) -> Iterator[bytes]:
    """Yield the content of a member in chunks; raises ArchiveError, for a wrong size or checksum only at the end."""
    left = member.info.file_size
    try:
        with member.archive.open(member.info) as file:
            while chunk := file.read(_CHUNK):
                left -= len(chunk)
                yield chunk
    except _DAMAGE:
        raise _damaged() from None
    if left:
        raise _damaged()


def gunzipped(data: bytes) -> Iterator[bytes]:
    """Yield gunzipped data in chunks, all gzip members in sequence; raises ArchiveError."""
    # GzipFile reads a name in a header byte by byte: 0.75 s per megabyte.
    inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
    members = 1
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        while chunk:
            if inflater.eof:
                chunk = chunk.lstrip(b"\0")  # padding of tapes and disks
                if not chunk:
                    break
                members += 1
                if members > MAX_MEMBERS:
                    raise _too_many()
                inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
            yield _inflated(inflater, chunk)
            chunk = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    while not inflater.eof:
        chunk = _inflated(inflater, b"")
        if not chunk:
            raise ArchiveError(_("the archive is damaged: it ends too early"))
        yield chunk


def _inflated(inflater: "zlib._Decompress", chunk: bytes) -> bytes:
    try:
        return inflater.decompress(chunk, _CHUNK)
    except zlib.error:
        raise _damaged() from None


def gunzipped_head(head: bytes) -> bytes:
    """Decode ``head``, the start of gzipped data, as far as possible; empty if nothing can be decoded."""
    found = b""
    with suppress(ArchiveError):  # expected: the data are cut off
        for chunk in gunzipped(head):
            found += chunk
            if len(found) >= _CHUNK:
                break
    return found


class _Source:
    """Seekable file for zipfile over a path or bytes; a file on disk is open only during each read."""

    def __init__(self, archive: str | bytes) -> None:
        self._archive = archive
        self._size = os.path.getsize(archive) if isinstance(archive, str) else len(archive)
        self._place = 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._place = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence])
        return self._place

    def read(self, size: int = -1) -> bytes:
        """Return at most ``size`` bytes; raises ArchiveError if that is more than any real directory of members has."""
        left = max(0, self._size - self._place)
        size = left if size < 0 else min(size, left)
        if size > _MAX_DIRECTORY:
            most = _MAX_DIRECTORY >> 20
            raise ArchiveError(_("the archive's directory is larger than {most} MB", most=most))
        if isinstance(self._archive, str):
            with open(self._archive, "rb", buffering=0) as file:
                file.seek(self._place)
                data = file.read(size) or b""
        else:
            data = self._archive[self._place : self._place + size]
        self._place += len(data)
        return data


def _inspected(member: Member, limits: ReadLimits) -> tuple[bytes, str]:
    """Return the start of a member, and its problem, if any."""
    try:
        chunks = read_member(member)
        head = b""
        for chunk in chunks:
            head += chunk
            if len(head) >= _CHUNK:
                break
        # Text may precede the boards.
        is_pack = looks_like_pack(head, member.name)
        if is_level_file(member.name) and not is_pack and member.info.file_size <= limits.bytes:
            head += b"".join(chunks)
    except ArchiveError as error:
        return b"", _("cannot be read: {reason}", reason=error)
    if kind := archive_kind(head):
        return head, archive_in_archive(kind)
    return head, limits.too_large if member.info.file_size > limits.bytes and looks_like_pack(head) else ""


def _name(info: ZipInfo) -> str:
    """Return the name of a member; many programs write UTF-8 without setting the flag for it."""
    try:
        return info.orig_filename.encode("cp437").decode()
    except UnicodeError:
        return info.orig_filename


def _why_unreadable(member: Member) -> str:
    parts = member.name.replace("\\", "/").split("/")
    if ".." in parts:
        return _("cannot be read: its name points outside the archive")
    if not parts[0] or parts[0][1:2] == ":":
        return _("cannot be read: its name is an absolute path")
    if any(ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 for character in member.name):
        return _("cannot be read: its name contains control characters")
    if member.info.flag_bits & _ENCRYPTED:
        return _("cannot be read: it is encrypted")
    method = member.info.compress_type
    if method not in _METHODS:
        number = _("method {number}", number=method)
        return _("cannot be read: it is compressed with {method}, expected deflate", method=number)
    return ""


def _is_ignored(name: str) -> bool:
    """True if a member is a folder or hidden; names with ``..`` are reported elsewhere."""
    parts = name.replace("\\", "/").split("/")
    return not parts[-1] or "__MACOSX" in parts or any(part[0:1] == "." and part != ".." for part in parts)
