"""Readers for zip archives (PKWARE's APPNOTE 6.3) and gzip (RFC 1952).

Nothing is written to disk, and nothing is unpacked beyond what the caller reads, whatever the headers claim.
"""

import io
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from sokoterm.formats.limits import ReadLimits
from sokoterm.formats.registry import looks_like_pack
from sokoterm.language import _, ngettext

# No collection has as many packs; more members are an attack.
MAX_MEMBERS = 10_000
_MAX_DIRECTORY = 4 << 20  # some 400 bytes a member: a name, its header and a comment

_CHUNK = 1 << 16
_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64 = struct.Struct("<4sLQL")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL_SIZE = 30
_LONG = 0xFFFFFFFF  # the real figure is in an extra field
_ENCRYPTED = 0x2041
_UTF8 = 0x800
_STORED, _DEFLATED = 0, 8
_METHODS = {9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstandard", 95: "xz", 98: "ppmd", 99: "encryption"}
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


class ArchiveError(ValueError):
    """An archive or member that cannot be read; its text is the reason."""


class Member(NamedTuple):
    """A file in a zip archive; ``offset`` is that of its header, the sizes are those claimed by the directory.

    ``problem`` is why it cannot be read, if that is already known.
    """

    name: str
    method: int
    checksum: int
    packed_size: int
    size: int
    offset: int
    problem: str = ""


def archive_kind(head: bytes) -> str:
    """Return the kind of archive that begins with ``head``, empty for anything else."""
    if head[257:262] == b"ustar":
        return "tar"
    return next((kind for magic, kind in _KINDS if head.startswith(magic)), "")


def archive_in_archive(kind: str) -> str:
    """Return the problem of an archive that holds another one."""
    return _("found a {kind} archive in an archive, expected a level pack", kind=kind)


def find_members(archive: str | bytes, limits: ReadLimits) -> Iterator[Member]:
    """Yield the members of a zip archive, given as path or content, that look like packs or cannot be read.

    Folders, hidden files and those of __MACOSX are skipped. If all together exceed the limit of one file, the first
    member beyond it has that as its problem and is the last. Raises ArchiveError or OSError.
    """
    total = 0
    names = set()
    with _opened(archive) as file:
        members = [member for member in _directory(file) if not _is_ignored(member.name)]
        for index, member in enumerate(members):
            if member.name in names:
                member = member._replace(problem=_("cannot be read: an earlier member has the same name"))
            names.add(member.name)
            head, member = _inspected(file, member, limits)
            counts = bool(member.problem) or looks_like_pack(head)
            total += 0 if member.problem else member.size if counts else len(head)
            if total > limits.bytes:
                yield member._replace(problem=_too_much(limits, len(members) - index - 1))
                return
            if counts:
                yield member


def _too_much(limits: ReadLimits, left: int) -> str:
    """Return the problem of a member at which reading stops, before ``left`` others."""
    too_large = limits.too_large
    if not left:
        return _("{too_large}, in the archive up to here: this one is not read", too_large=too_large)
    return ngettext(
        "{too_large}, in the archive up to here: this and {n} more are not read",
        "{too_large}, in the archive up to here: this and {n} more are not read",
        left,
        too_large=too_large,
    )


def _too_many() -> ArchiveError:
    return ArchiveError(_("found more than {most:,} members, expected fewer", most=MAX_MEMBERS))


def read_member(archive: str | bytes, member: Member) -> Iterator[bytes]:
    """Yield the content of a member in chunks; raises ArchiveError, at the end too if size or checksum are wrong."""
    with _opened(archive) as file:
        yield from _checked(_unpacked(file, member), member)


def gunzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield gunzipped data in chunks, all gzip members in sequence; raises ArchiveError."""
    inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
    members = 1
    for chunk in chunks:
        while chunk:
            if inflater.eof:
                chunk = chunk.lstrip(b"\0")  # padding of tapes and disks
                if not chunk:
                    break
                members += 1
                if members > MAX_MEMBERS:
                    raise _too_many()
                inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
            try:
                yield inflater.decompress(chunk, _CHUNK)
            except zlib.error:
                raise ArchiveError(_("the archive is damaged")) from None
            chunk = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    yield from _drained(inflater)


def gunzipped_head(head: bytes) -> bytes:
    """Return the start of the data of which ``head`` is the gzipped start; empty if none can be decoded."""
    found = b""
    try:
        for chunk in gunzipped([head]):
            found += chunk
            if len(found) >= _CHUNK:
                break
    except ArchiveError:  # expected: the data are cut off
        pass
    return found


def _drained(inflater: "zlib._Decompress") -> Iterator[bytes]:
    """Yield what an inflater still holds after its last input; raises ArchiveError if its data are incomplete."""
    while not inflater.eof:
        try:
            chunk = inflater.decompress(b"", _CHUNK)
        except zlib.error:
            raise ArchiveError(_("the archive is damaged")) from None
        if not chunk:
            raise ArchiveError(_("the archive is damaged: it ends too early"))
        yield chunk


def _opened(archive: str | bytes) -> BinaryIO:
    return open(archive, "rb") if isinstance(archive, str) else io.BytesIO(archive)


def _inspected(file: BinaryIO, member: Member, limits: ReadLimits) -> tuple[bytes, Member]:
    """Return the start of a member, and the member with its problem, if any."""
    if member.problem:
        return b"", member
    try:
        head = b""
        for chunk in _checked(_unpacked(file, member), member):
            head += chunk
            if len(head) >= _CHUNK:
                break
    except ArchiveError as error:
        return b"", member._replace(problem=_("cannot be read: {reason}", reason=error))
    if kind := archive_kind(head):
        return head, member._replace(problem=archive_in_archive(kind))
    if member.size > limits.bytes and looks_like_pack(head):
        return head, member._replace(problem=limits.too_large)
    return head, member


def _directory(file: BinaryIO) -> Iterator[Member]:
    """Yield the members listed by the directory at the end of the archive; raises ArchiveError."""
    start, size, shift = _find_directory(file)
    if size > _MAX_DIRECTORY:
        most = _MAX_DIRECTORY >> 20
        raise ArchiveError(_("found a directory of members over {most} MB, expected a smaller one", most=most))
    file.seek(start)
    directory = file.read(size)
    place = count = 0
    while place < len(directory):
        if count == MAX_MEMBERS:
            raise _too_many()
        count += 1
        if len(directory) < place + _ENTRY.size or directory[place : place + 4] != b"PK\1\2":
            raise ArchiveError(_("the archive is damaged: its directory is cut short"))
        fields = _ENTRY.unpack_from(directory, place)
        (flags, method), (checksum, packed, size, *lengths), offset = fields[3:5], fields[7:13], fields[-1]
        ends = [place := place + length for length in (_ENTRY.size, *lengths)]
        name, problem = _name(directory[ends[0] : ends[1]], flags)
        problem = problem or _why_unreadable(flags, method)
        try:
            size, packed, offset = _long_sizes(directory[ends[1] : ends[2]], [size, packed, offset])
            if offset + shift > start:
                raise ArchiveError(_("the archive is damaged: its directory points to no member"))
        except ArchiveError as error:
            problem = problem or _("cannot be read: {reason}", reason=error)
        yield Member(name, method, checksum, packed, size, offset + shift, problem)


def _find_directory(file: BinaryIO) -> tuple[int, int, int]:
    """Return the offset and size of the directory, and how far offsets fall short; raises ArchiveError."""
    length = file.seek(0, io.SEEK_END)
    tail_start = max(0, length - _END.size - 0xFFFF)  # a comment of 64 KB at most follows
    file.seek(tail_start)
    tail = file.read()
    place = tail.rfind(b"PK\5\6")
    if place < 0 or len(tail) < place + _END.size:
        raise ArchiveError(_("the archive is damaged: it has no directory at its end"))
    size, offset = _END.unpack_from(tail, place)[-3:-1]
    end = tail_start + place
    before = end - _LOCATOR64.size - _END64.size
    if before >= 0:
        file.seek(before)
        extension = file.read(_END64.size + 4)
        if extension[-4:] == b"PK\6\7" and extension[:4] == b"PK\6\6":
            size, offset = _END64.unpack_from(extension)[-2:]
            end = before
    shift = end - size - offset  # not 0 for an archive after other data, such as a self-extracting program
    if shift < 0:
        raise ArchiveError(_("the archive is damaged: its directory lies outside the file"))
    return end - size, size, shift


def _name(written: bytes, flags: int) -> tuple[str, str]:
    """Return the name of a member, and its problem, if any."""
    try:
        name = written.decode("utf-8")
    except UnicodeDecodeError:
        if flags & _UTF8:
            return written.decode("utf-8", "backslashreplace"), _("cannot be read: its name is not UTF-8")
        name = written.decode("cp437")
    parts = name.replace("\\", "/").split("/")
    if ".." in parts:
        return name, _("cannot be read: its name points outside the archive")
    if not parts[0] or parts[0][1:2] == ":":
        return name, _("cannot be read: its name is an absolute path")
    if any(ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 for character in name):
        return name, _("cannot be read: its name contains control characters")
    return name, ""


def _long_sizes(extra: bytes, figures: list[int]) -> list[int]:
    """Return size, packed size and offset; those too large for 32 bits are in extra field 1, in this order.

    Raises ArchiveError if one is missing there.
    """
    longs: Iterator[tuple[int]] = iter(())
    place = 0
    while _LONG in figures and place + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, place)
        place += 4
        if kind == 1:
            field = extra[place : place + length]
            longs = struct.iter_unpack("<Q", field[: len(field) // 8 * 8])
            break
        place += length
    try:
        return [next(longs)[0] if figure == _LONG else figure for figure in figures]
    except StopIteration:
        raise ArchiveError(_("the archive is damaged: a 64-bit size is missing")) from None


def _why_unreadable(flags: int, method: int) -> str:
    if flags & _ENCRYPTED:
        return _("cannot be read: it is encrypted")
    if method not in (_STORED, _DEFLATED):
        known = _METHODS.get(method) or _("method {number}", number=method)
        return _("cannot be read: it is compressed with {method}, expected deflate", method=known)
    return ""


def _is_ignored(name: str) -> bool:
    """True if a member is a folder or hidden; names with ``..`` are reported elsewhere."""
    parts = name.replace("\\", "/").split("/")
    return not parts[-1] or "__MACOSX" in parts or any(part[0:1] == "." and part != ".." for part in parts)


def _unpacked(file: BinaryIO, member: Member) -> Iterator[bytes]:
    chunks = _packed(file, member)
    if member.method == _STORED:
        yield from chunks
        return
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    for chunk in chunks:
        while chunk and not inflater.eof:
            try:
                yield inflater.decompress(chunk, _CHUNK)
            except zlib.error:
                raise ArchiveError(_("the archive is damaged")) from None
            chunk = inflater.unconsumed_tail
    yield from _drained(inflater)


def _packed(file: BinaryIO, member: Member) -> Iterator[bytes]:
    """Yield the compressed bytes of a member."""
    file.seek(member.offset)
    header = file.read(_LOCAL_SIZE)
    if len(header) < _LOCAL_SIZE or header[:4] != b"PK\3\4":
        raise ArchiveError(_("the archive is damaged: its directory points to no member"))
    file.seek(sum(struct.unpack_from("<2H", header, 26)), io.SEEK_CUR)
    left = member.packed_size
    while left:
        chunk = file.read(min(left, _CHUNK))
        if not chunk:
            raise ArchiveError(_("the archive is damaged: it ends too early"))
        left -= len(chunk)
        yield chunk


def _checked(chunks: Iterator[bytes], member: Member) -> Iterator[bytes]:
    """Yield the chunks; raises ArchiveError if size or checksum differ from the directory."""
    size = checksum = 0
    for chunk in chunks:
        size += len(chunk)
        checksum = zlib.crc32(chunk, checksum)
        if size > member.size:
            raise ArchiveError(_("the archive is damaged: the member is longer than the directory says"))
        yield chunk
    if size != member.size or checksum != member.checksum:
        raise ArchiveError(_("the archive is damaged: the member's checksum is wrong"))
