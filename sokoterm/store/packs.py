"""Level packs in files, folders, archives, standard input or at addresses, found by path or by their name in lists.

The beginning of a file, not its name, decides its kind. Packs are parsed when opened, not when found.
"""

import os
import re
import stat
import sys
from binascii import crc32
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from io import BytesIO
from typing import NamedTuple

import sokoterm
from sokoterm.engine.level import LevelError, Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.text import folded, is_level_file, printable, stem_of
from sokoterm.engine.value import SokotermError, Value
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.formats.registry import looks_like_pack, parse
from sokoterm.language import N_, _, joined, ngettext, spoken
from sokoterm.store.paths import log_crash

BUNDLED_KEY = "bundled:"
"""The beginning of the keys of packs that ship."""

# Bytes at the beginning of a file that decide whether it looks like a pack.
_HEAD_BYTES = 1 << 16
_CHUNK_BYTES = 1 << 18
_ZIP = (b"PK\3\4", b"PK\5\6")  # the second begins one without members
_GZIP = b"\x1f\x8b"
_SCHEMES = ("http://", "https://")
# Suffixes of files that contain only levels; any other file is inspected.
_PACK_SUFFIXES = (".xsb", ".sok", ".rle", ".slc", ".ssx", ".sokomind")
_DIGITS = re.compile(r"(\d+)")
# Names in one message.
_MOST_NAMES = 4
# The largest integer in sqlite: in the year 2262.
_LAST_TIME = (1 << 63) - 1
_PACKAGE = os.path.dirname(os.path.abspath(sokoterm.__file__))


class PackError(SokotermError):
    """A pack cannot be opened, changed or generated; the text gives the reason in one line."""


class PackFile(NamedTuple):
    """A pack that was found but not read yet.

    ``path`` is the path as given or found (``archive.zip/inner.txt`` in an archive), ``name`` the name in lists, and
    ``key`` a permanent identity: a real path, ``bundled:NAME``, an address, or a hash of the content. ``data`` contains
    bytes that can be read only once, from standard input, a pipe or an address. ``is_pasted`` marks a pasted pack,
    which is read while the player waits, and ``is_series`` one with levels of other packs. ``archive`` is the path of
    the archive on disk that contains the pack, ``chunks`` extracts the pack, and ``problem`` says why it is unreadable.
    """

    path: str
    name: str
    key: str
    data: bytes | None = None
    is_bundled: bool = False
    archive: str = ""
    chunks: Callable[[], Iterator[bytes]] | None = None
    problem: str = ""
    is_pasted: bool = False
    is_series: bool = False

    @property
    def source(self) -> str:
        """The name of the pack in errors."""
        return self.name if self.path == "-" else self.path


class Stamp(NamedTuple):
    """Size of a file, and its time in nanoseconds."""

    size: int
    time: int


@contextmanager
def reading(source: str) -> Iterator[None]:
    """Turn any failure while reading a pack into a PackError of one line, so that other packs are not affected.

    Unforeseen exceptions, MemoryError included, leave a crash log.
    """
    try:
        yield
    except PackError:
        raise
    except LevelError as error:
        raise PackError(printable(str(error))) from None
    except OSError as error:
        is_folder = isinstance(error, IsADirectoryError)
        reason = _("this folder cannot be listed") if is_folder else error.strerror or str(error)
        raise _not_read(source, reason) from None
    except Exception:  # noqa: BLE001 - one damaged file must not end the program
        from traceback import format_exc  # crashes only

        raise _not_read(source, _("internal error: {log}", log=printable(log_crash(format_exc())))) from None


def find_packs(path: str, limits: ReadLimits = DEFAULT_LIMITS) -> list[PackFile]:
    """Return the packs in a file, an archive or a folder, on standard input (``-``) or at an address, in natural order.

    The address of a page that shows a level is a pack itself, and is not fetched.

    In archives, folders and their subfolders only regular, visible files that look like packs count. Unreadable packs
    are included, so that ``open_pack`` can say why. Raises PackError.
    """
    if path == "-":
        return _packs_in_data(pack_from_bytes(read_stdin(limits)), limits)
    if path.lower().startswith(_SCHEMES):
        return _packs_at_address(path, limits)
    with reading(path):
        try:
            mode = os.stat(path).st_mode
        except ValueError as error:  # a null character
            raise _not_read(path, str(error)) from None
        except OSError:
            if "://" not in path:
                raise
            problem = _("found an unknown kind of address, expected http or https")
            raise PackError(f"{printable(path)}: {problem}") from None
        if stat.S_ISDIR(mode):
            return _packs_in_folder(path, limits)
        if stat.S_ISREG(mode):
            file = _pack_file(path, os.path.basename(path))
            return _packs_in_zip(file, limits) if _is_zip(path) else [file]
        if stat.S_ISFIFO(mode):
            return _packs_in_data(pack_from_bytes(read_file(path, limits), path), limits)
    if stat.S_ISSOCK(mode):
        problem = _("found a socket, expected a file or a folder")
    else:
        problem = _("found a device, expected a file or a folder")
    raise PackError(f"{printable(path)}: {problem}")


def pack_from_bytes(data: bytes, path: str = "-") -> PackFile:
    """Return the pack in bytes from standard input."""
    from hashlib import md5  # loads OpenSSL, for pasted packs only

    name = "standard input" if path == "-" else os.path.basename(path)
    return PackFile(path, name, "content:" + md5(data, usedforsecurity=False).hexdigest(), data)


def read_stdin(limits: ReadLimits = DEFAULT_LIMITS) -> bytes:
    """Return all of standard input, empty if it is closed; raises PackError beyond the limit."""
    read = sys.stdin.buffer.read if sys.stdin is not None else BytesIO().read
    return _collected(iter(partial(read, _CHUNK_BYTES), b""), "standard input", limits)


def read_file(path: str, limits: ReadLimits = DEFAULT_LIMITS) -> bytes:
    """Return the raw bytes of a file or a pipe; raises PackError."""
    with reading(path), open(path, "rb", buffering=0) as file:
        if os.fstat(file.fileno()).st_size > limits.bytes:
            raise PackError(f"{printable(path)}: {limits.too_large}")
        return _collected(iter(partial(file.read, _CHUNK_BYTES), b""), path, limits)


def read_bytes(file: PackFile, limits: ReadLimits = DEFAULT_LIMITS) -> bytes:
    """Return the unpacked content of a pack; raises PackError."""
    source = file.source
    if file.problem:
        raise PackError(f"{printable(source)}: {file.problem}")
    if file.chunks:
        return _collected(file.chunks(), source, limits)
    with reading(source):
        if file.is_bundled:
            return bundled_data(file.path)
        data = file.data if file.data is not None else read_file(file.path, limits)
        if not data.startswith(_GZIP):
            return data
        from sokoterm.store.archives import archive_in_archive, archive_kind, gunzipped  # archives only

        data = _collected(gunzipped(data), source, limits)
        if kind := archive_kind(data):
            raise PackError(f"{printable(source)}: {archive_in_archive(kind)}")
        return data


def open_pack(file: PackFile, encoding: str | None = None, limits: ReadLimits = DEFAULT_LIMITS) -> Pack:
    """Read and parse a pack; raises PackError, also for a wrong ``encoding``."""
    limits = limits._replace(is_pasted=file.is_pasted)
    return read_pack(read_bytes(file, limits), file.source, encoding, limits)


def read_pack(
    data: bytes, source: str, encoding: str | None = None, limits: ReadLimits = DEFAULT_LIMITS, empty: str = ""
) -> Pack:
    """Return the pack in ``data``; raises PackError, also if it has no levels and its title is not ``empty``."""
    with reading(source):
        if b"\0" in data[:_HEAD_BYTES]:  # the packs in a tar are uncompressed, and would be read as one
            from sokoterm.store.archives import archive_kind  # archives only

            if kind := archive_kind(data):
                problem = _("found a {kind} archive, expected a level pack, a .zip or a .gz", kind=kind)
                raise PackError(f"{printable(source)}: {problem}")
        pack = parse(data, source, encoding, limits)
        if not pack.size and pack.title != (empty or None):
            raise PackError(f"{printable(source)}: {_(_without_levels(data))}")
        return pack


def title_of(pack: Pack, name: str) -> str:
    """Return the printable title of a pack, or else the name of its file."""
    return printable(pack.title.strip()) or printable(name)


def stamp_of(file: PackFile) -> Stamp | None:
    """Return the stamp of a pack, or of its archive; None if the file is missing."""
    if file.data is not None:
        # The content of an address may change.
        return Stamp(len(file.data), crc32(file.data))
    try:
        status = os.stat(file.archive or file.path)
    except (OSError, ValueError):
        return None
    time = max(-_LAST_TIME, min(status.st_mtime_ns, _LAST_TIME))
    return None if stat.S_ISDIR(status.st_mode) else Stamp(status.st_size, time)


def _without_levels(data: bytes) -> str:
    if not data:
        return N_("found an empty file, expected boards of # @ $ . characters")
    if data[:_HEAD_BYTES].lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        return N_("found a web page, expected boards of # @ $ . characters")
    if b"\0" in data[:_HEAD_BYTES]:
        return N_("found a binary file, expected boards of # @ $ . characters")
    return N_("found no levels, expected boards of # @ $ . characters")


def bundled_packs() -> list[PackFile]:
    """Return the bundled packs, the easiest first, from a checkout, a wheel or a zip archive."""
    folder = bundled_folder("levels")
    found = _sorted(
        PackFile(os.path.join(folder, name), stem_of(name), BUNDLED_KEY + name, is_bundled=True, archive=_own_archive())
        for name in bundled_names(folder)
        if not name.startswith(".")
    )
    return sorted(found, key=lambda pack: _HARDEST.index(pack.name) if pack.name in _HARDEST else -1)


_NUMBERS = r"\d[\d,]*"  # in the texts of packs that ship
_TEXT = re.compile(r"^(?:(?:Collection|Title|Author|Comment): |; |(?![A-Z][a-z-]+:))(.*[a-z].*)$", re.MULTILINE)
# Names of other bundled packs sort by difficulty.
_HARDEST = ("variants-forty-colours", "variants-forty-on-ice", "variants-forty-cold-colours")


def bundled_title(file: PackFile) -> str:
    """Return the title of a bundled pack, from the first line of its file, or its name if that is unreadable."""
    return _text_of(file).partition("\n")[0].removeprefix("Collection:").strip() or file.name


def _text_of(file: PackFile) -> str:
    """Return the text of a bundled pack; empty if it is unreadable."""
    try:
        return bundled_data(file.path).decode()
    except (OSError, UnicodeDecodeError):
        return ""


def shown_text(text: str) -> str:
    """Return a title, author or line of a remark, printable; of a bundled pack in the player's language."""
    text = printable(text)
    parts, numbers = _(key_of_text(text)).split("#"), re.findall(_NUMBERS, text)
    shown = "".join(map(str.__add__, parts, [*numbers, ""])) if len(parts) == len(numbers) + 1 else text
    return shown if shown == text or text in _bundled_texts() else text


def key_of_text(text: str) -> str:
    """Return the catalog key for a text of a pack, without numbers: hundreds of texts differ only in numbers.

    >>> key_of_text("Difficulty 35.")
    'Difficulty #.'
    """
    return re.sub(_NUMBERS, "#", text)


@cache
def _bundled_texts() -> frozenset[str]:
    """Return the titles, authors and remarks (by line) of the bundled packs and their levels, in English."""
    return frozenset(each for file in bundled_packs() for each in _TEXT.findall(_text_of(file)))


def names_with(text: str) -> list[str]:
    """Return the English texts of bundled packs whose translation contains a ``folded`` text."""
    return [name for name, shown in _translated(spoken()) if text in shown]


@lru_cache(maxsize=1)
def _translated(__: object) -> list[tuple[str, str]]:
    """Return the translated texts of bundled packs, each with its folded translation, for a language."""
    texts = {name: shown_text(name) for name in _bundled_texts()}
    return sorted((name, folded(shown)) for name, shown in texts.items() if shown != name)


@cache
def bundled_hashes() -> frozenset[str]:
    """Return the hashes of all bundled levels, which generated ones never repeat; takes a tenth of a second."""
    return frozenset(level_hash(level) for file in bundled_packs() for level in open_pack(file).levels)


def natural_key(name: str) -> list[tuple[str, int, str]]:
    """Return a sort key that puts ``Pack 2`` before ``Pack 10``; linear in the length of the name, digits or not.

    >>> sorted(["Pack 10", "pack 2b", "Pack", "pack 02"], key=natural_key)
    ['Pack', 'pack 02', 'pack 2b', 'Pack 10']
    """
    *parts, rest = _DIGITS.split(name.lower())
    pieces = []
    for letters, digits in zip(parts[::2], parts[1::2], strict=True):
        # Python refuses to convert too many digits at once; a number with more digits is larger anyway.
        number = (digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)).lstrip("0")
        pieces.append((letters, len(number), number))
    return [*pieces, (rest, -1, "")]


def is_pack(path: str, *, is_archive_too: bool = False) -> bool:
    """True if a file looks like a pack, or ``is_archive_too`` and a zip archive; raises OSError or PackError.

    A file with the suffix of level files is inspected completely, since long texts may precede the boards.
    """
    with open(path, "rb") as file:
        head = file.read(_HEAD_BYTES)
    if head.startswith(_GZIP):
        from sokoterm.store.archives import gunzipped_head  # archives only

        head = gunzipped_head(head)
    if head.startswith(_ZIP):
        return is_archive_too
    if looks_like_pack(head, path):
        return True
    is_longer = len(head) >= _HEAD_BYTES and is_level_file(path)
    return is_longer and looks_like_pack(read_bytes(_pack_file(path, path)), path)


def _sorted(packs: Iterable[PackFile]) -> list[PackFile]:
    return sorted(packs, key=lambda pack: (natural_key(pack.name), pack.path))


def key_of(path: str) -> str:
    """Return the key of the pack in a file, always valid UTF-8, as databases require, whatever the file name."""
    return os.fsencode(os.path.realpath(path)).decode("utf-8", "backslashreplace")


def _pack_file(path: str, name: str) -> PackFile:
    key = key_of(path)
    folder, file = os.path.split(key)
    is_bundled = folder == os.path.realpath(bundled_folder("levels"))
    if is_bundled:
        key = BUNDLED_KEY + file  # the same key whether a bundled pack is found by path or by name
    return PackFile(path, stem_of(name), key, is_bundled=is_bundled)


def _packs_in_folder(folder: str, limits: ReadLimits) -> list[PackFile]:
    unreadable: list[str] = []
    packs = [pack for path, name in files_below(folder, unreadable) for pack in packs_in_file(path, name, limits)]
    packs += [_pack_file(path, os.path.relpath(path, folder)) for path in unreadable]
    if not packs:
        problem = _("found no level packs in this folder")
        raise PackError(f"{printable(folder)}: {problem}")
    return _sorted(packs)


def files_below(folder: str, unreadable: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the path of every visible file in a folder and its subfolders, and its name relative to the folder.

    Each folder is listed once, even if links point to it. Unreadable folders are added to ``unreadable``. Files include
    devices and pipes.
    """
    seen = set()
    for place, folders, files in os.walk(
        folder, onerror=lambda error: unreadable.append(error.filename), followlinks=True
    ):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if (real := os.path.realpath(place)) in seen:
            folders.clear()
            continue
        seen.add(real)
        above = "" if place == folder else os.path.relpath(place, folder)
        visible = (name for name in files if not name.startswith("."))
        yield from ((os.path.join(place, name), os.path.join(above, name)) for name in visible)


def packs_in_file(path: str, name: str, limits: ReadLimits = DEFAULT_LIMITS) -> list[PackFile]:
    """Return the packs in a file, if it looks like one; ``name`` is relative to the folder.

    Unreadable packs are included, so that ``open_pack`` can say why.
    """
    file = _pack_file(path, name)
    try:
        with reading(path):
            if not os.path.isfile(path) or not is_pack(path, is_archive_too=True):
                return []
            if not _is_zip(path):
                return [file]
            return [each._replace(name=f"{file.name}/{each.name}") for each in _packs_in_zip(file, limits)]
    except NoPacksError:
        return []
    except PackError as error:
        return [file._replace(problem=str(error).removeprefix(f"{printable(path)}: "))]


def _packs_in_zip(file: PackFile, limits: ReadLimits) -> list[PackFile]:
    from sokoterm.store.archives import find_members, read_member  # archives only

    with reading(file.source):
        if file.data is None and os.path.getsize(file.path) > limits.bytes:
            raise PackError(f"{printable(file.path)}: {limits.too_large}")
        members = list(find_members(file.path if file.data is None else file.data, limits))
    if not members:
        problem = _("found no level packs in this archive")
        raise NoPacksError(f"{printable(file.source)}: {problem}")
    return _sorted(
        PackFile(
            f"{file.path}/{member.name}",
            stem_of(member.name),
            f"{file.key}/{member.name}" + (f" ({member.info.header_offset})" if member.problem else ""),
            archive=file.path if file.data is None else "",
            chunks=partial(read_member, member),
            problem=member.problem,
        )
        for member in members
    )


class NoPacksError(PackError):
    """An archive without packs."""


def _packs_in_data(file: PackFile, limits: ReadLimits) -> list[PackFile]:
    return _packs_in_zip(file, limits) if file.data and file.data.startswith(_ZIP) else [file]


def _packs_at_address(address: str, limits: ReadLimits) -> list[PackFile]:
    # For addresses only: these load urllib.
    from sokoterm.formats.links import is_linked_level
    from sokoterm.store.fetch import fetch, name_at, without_password

    shown = without_password(address)
    if is_linked_level(address):
        page = shown.partition("?")[0]
        return [pack_from_bytes(os.fsencode(address), page)._replace(name=name_at(page), is_pasted=True)]
    data = _collected(fetch(address, limits), shown, limits)
    return _packs_in_data(PackFile(shown, stem_of(name_at(shown)), shown, data), limits)


def _is_zip(path: str) -> bool:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(4).startswith(_ZIP)
    except OSError:
        return False  # opening it reports the error


def _collected(chunks: Iterable[bytes], source: str, limits: ReadLimits) -> bytes:
    collected = BytesIO()
    with reading(source):
        for chunk in chunks:
            collected.write(chunk)
            if collected.tell() > limits.bytes:
                raise PackError(f"{printable(source)}: {limits.too_large}")
    return collected.getvalue()


def _not_read(path: str, reason: str) -> PackError:
    problem = _("cannot be read: {reason}", reason=reason)
    return PackError(f"{printable(path)}: {problem}")


# Data files that ship: beside the modules, beside the package in a checkout, or in a zip archive


def bundled_folder(name: str) -> str:
    """Return a folder of data in the package, or beside it in a checkout."""
    inside = os.path.join(_PACKAGE, name)
    beside = os.path.join(os.path.dirname(_PACKAGE), name)
    return beside if not _own_archive() and not os.path.isdir(inside) and os.path.isdir(beside) else inside


def bundled_names(folder: str) -> list[str]:
    """Return the names of the files in a folder of data; none if it is missing."""
    if archive := _own_archive():
        from zipfile import Path  # the single file only

        inside = Path(archive, os.path.relpath(folder, archive).replace(os.sep, "/") + "/")
        return [each.name for each in inside.iterdir() if each.is_file()]
    return [entry.name for entry in os.scandir(folder) if entry.is_file()] if os.path.isdir(folder) else []


def bundled_data(path: str) -> bytes:
    """Return the content of a file in a folder of data; raises OSError if it is missing."""
    data: bytes = getattr(sokoterm.__loader__, "get_data")(path)  # noqa: B009 - mypy knows only loaders of modules
    return data


def _own_archive() -> str:
    archive: str = getattr(sokoterm.__loader__, "archive", "")
    return archive


# Packs by the names that lists show: those that ship and those of the library


class NearNameError(PackError):
    """A pack was not found, but one with a similar name exists, which the text names."""


def added_packs(folder: str, stamps: Mapping[str, Stamp]) -> list[PackFile]:
    """Return the packs in a folder and its subfolders (named ``folder/name``), in natural order; none if it is missing.

    ``stamps`` come from the index, by key: files that have not changed since then are not opened.
    """
    real = key_of(folder)
    packs: list[PackFile] = []
    for path, name in files_below(folder, []):
        key = os.path.join(real, os.fsencode(name).decode("utf-8", "backslashreplace"))
        file = PackFile(path, stem_of(name), key)
        if key in stamps and stamps[key] == stamp_of(file) and not os.path.islink(path):
            packs.append(file)
        else:
            found = packs_in_file(path, name)
            is_named = name.lower().removesuffix(".gz").endswith(_PACK_SUFFIXES)
            packs += found or ([file] if is_named and os.path.isfile(path) else [])
    return _sorted(packs)


def find_packs_or_named(path: str, folder: str, limits: ReadLimits = DEFAULT_LIMITS) -> list[PackFile]:
    """Return the packs at a path, or else the bundled packs or packs in ``folder`` with this name; raises PackError.

    A name is that of a pack (``slc544/Zika``, or ``Zika`` if unique), the title of a bundled pack, or the name of a
    folder, for all packs in it. Case is ignored, and blanks match dashes.
    """
    if path == "-" or "://" in path or path.startswith(".") or os.path.isabs(path) or os.path.lexists(path):
        return find_packs(path, limits)
    known = bundled_packs() + added_packs(folder, {})
    found = packs_called(path, known)
    if found:
        return found
    try:
        return find_packs(path, limits)  # raises the reason
    except PackError as error:
        raise _not_found(str(error), path, known) from None


def packs_called(name: str, known: Sequence[PackFile]) -> list[PackFile]:
    """Return the pack with a name, or those below it, if any; raises PackError for an ambiguous name.

    File suffixes distinguish packs of the same name.
    """
    wanted = _spelled(name)
    same = [file for file in known if name in _names(file)]
    same = same or [file for file in known if wanted in map(_spelled, _names(file))]
    if not same:
        below = [file for file in known if _spelled(file.name).startswith(f"{wanted}/")]
        if below:
            return below
        same = [file for file in known if wanted in (_spelled(each).rpartition("/")[2] for each in _names(file))]
    titles = {file: bundled_title(file) for file in known if file.is_bundled and not same}  # as the lists show them
    same = same or [file for file, title in titles.items() if wanted in (_spelled(title), _spelled(_(title)))]
    # Earlier versions took whatever follows the last dot for a suffix.
    same = same or [file for file in known if wanted in _spelled_before(file.name)]
    if len(same) > 1:
        paths = [file.path for file in same]
        by_kind = zip(*map(_names, same), strict=True)
        told_apart = next((names for names in by_kind if len(set(names)) == len(same)), paths)
        several = ngettext(
            "{name}: found {n} pack of this name, expected one of {names}",
            "{name}: found {n} packs of this name, expected one of {names}",
            len(same),
            name=printable(name),
            names=_first(sorted(told_apart, key=natural_key)),
        )
        raise PackError(several)
    return same


class OwnCalled(Value):
    """A pack of the library, or a folder with all its packs; ``name`` is the one in lists."""

    name: str
    files: Sequence[PackFile]
    is_folder: bool


def own_called(name: str, folder: str, own: Sequence[PackFile]) -> OwnCalled:
    """Return the pack or the folder with a name among the packs in the library's folder; raises PackError.

    A name is one for ``packs_called``, or a complete path; a ``/`` at the end denotes a folder.
    """
    inner = name
    if os.path.isabs(name):
        above, base = os.path.split(name.rstrip("/"))
        inner = os.path.join(os.path.relpath(os.path.realpath(above), os.path.realpath(folder)), base)
        inner = os.path.normpath(inner) + ("/" if name.endswith("/") else "")
    called = [] if name.endswith("/") else packs_called(inner, own)
    wanted = _spelled(inner)
    below = [file for file in own if _spelled(file.name).startswith(f"{wanted}/")]
    if not called or called == below:
        depth = wanted.count("/") + 1
        folders = list(dict.fromkeys("/".join(file.name.split("/")[:depth]) for file in below))
        if len(folders) == 1:
            return OwnCalled(folders[0], below, is_folder=True)
        if folders:
            told = ngettext(
                "{name}: found {n} folder of this name, expected one of {names}",
                "{name}: found {n} folders of this name, expected one of {names}",
                len(folders),
                name=printable(name),
                names=_first(folders),
            )
            raise PackError(told)
    if called:
        return OwnCalled(called[0].name, called, is_folder=False)
    if shipped := packs_called(name, bundled_packs()):
        raise PackError(ships(printable(shipped[0].name)))
    problem = _("{name}: found no pack of this name in your library", name=printable(name) or _("no name"))
    raise _not_found(problem, name, own)


def check_not_shipped(name: str) -> None:
    """Raise PackError if a bundled pack has this name, which would make it ambiguous."""
    if packs_called(name, bundled_packs()):
        raise PackError(_("{name}: a pack of this name ships with sokoterm", name=printable(name)))


def ships(name: str) -> str:
    """Return the reason why a bundled pack cannot be changed."""
    return _("{name}: ships with sokoterm, and stays as it is", name=name)


def _first(found: Sequence[str]) -> str:
    names = joined(map(printable, found[:_MOST_NAMES]))
    more = len(found) - _MOST_NAMES
    return ngettext("{names} or {n} more", "{names} or {n} more", more, names=names) if more > 0 else names


def _not_found(problem: str, name: str, known: Sequence[PackFile]) -> PackError:
    from difflib import get_close_matches  # unknown names only

    names = {_spelled(part): file.name for file in known for part in (file.name.rpartition("/")[2], file.name)}
    near = get_close_matches(_spelled(name), names, 1, 0.8)
    if not near:
        return PackError(problem)
    return NearNameError(_("{problem}; is it {name}?", problem=problem, name=printable(names[near[0]])))


def _names(file: PackFile) -> tuple[str, str]:
    return file.name, os.path.join(os.path.dirname(file.name), os.path.basename(file.path))


def _spelled_before(name: str) -> tuple[str, str]:
    spelled = _spelled(os.path.splitext(name)[0])
    return spelled, spelled.rpartition("/")[2]


def _spelled(name: str) -> str:
    return name.casefold().replace("-", " ").replace("_", " ").strip("/ ")
