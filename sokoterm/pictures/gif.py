"""Animated GIF files (https://www.w3.org/Graphics/GIF/spec-gif89a.txt)."""

import struct
from collections.abc import Iterable, Iterator

from sokoterm.pictures.png import Picture

_FOREVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_MOST_BITS = 12


def gif(frames: Iterable[tuple[Picture, int]], times: int = 1) -> bytes:
    """Return an endless animation of pictures of one size and the same colours, enlarged ``times``.

    Frames have their time in hundredths of a second. After the first frame only the rectangle that changes is stored,
    with unchanged pixels transparent (index 0), so no pixel may become transparent later on.
    """
    patches = [*_patches(frames)]
    __, __, first, __ = patches[0]
    film = first._replace(pixels=b"\0" + b"".join(patch.pixels for __, __, patch, __ in patches)).trimmed
    bits = max(2, (len(film.colors) - 1).bit_length())
    palette = b"".join(bytes(color[:3]) for color in film.colors).ljust(3 << bits, b"\0")
    size = struct.pack("<HH", first.width * times, first.height * times)
    parts = [b"GIF89a", size, bytes([0xF0 | bits - 1, 0, 0]), palette, _FOREVER]
    at = 1
    for left, top, patch, hundredths in patches:
        large = patch._replace(pixels=film.pixels[at : (at := at + len(patch.pixels))]).enlarged(times)
        packed = lzw(large.pixels, bits)
        place = left * times, top * times, large.width, large.height
        parts.append(struct.pack("<4sHxx", b"!\xf9\x04\x05", hundredths) + struct.pack("<cHHHHx", b",", *place))
        blocks = (packed[begin : begin + 255] for begin in range(0, len(packed), 255))
        parts += [bytes([bits]), *(bytes([len(block)]) + block for block in blocks), b"\0"]
    return b"".join([*parts, b";"])


def _patches(frames: Iterable[tuple[Picture, int]]) -> Iterator[tuple[int, int, Picture, int]]:
    """Yield left and upper edge, picture and time of the part of each frame that changes; unchanged pixels are 0."""
    before = b""
    for picture, hundredths in frames:
        width, pixels = picture.width, picture.pixels
        if not before:
            yield 0, 0, picture, hundredths
        else:
            rows = [y for y in range(0, len(pixels), width) if pixels[y : y + width] != before[y : y + width]] or [0]
            columns = [x for x in range(width) if any(pixels[y + x] != before[y + x] for y in rows)] or [0]
            left, right = columns[0], columns[-1] + 1
            spots = [y + x for y in range(rows[0], rows[-1] + 1, width) for x in range(left, right)]
            changes = bytes(pixels[spot] if pixels[spot] != before[spot] else 0 for spot in spots)
            patch = Picture(right - left, len(changes) // (right - left), changes, picture.colors)
            yield left, rows[0] // width, patch, hundredths
        before = pixels


def lzw(data: bytes, bits: int) -> bytes:
    """Compress bytes below ``1 << bits`` with the variable-length codes of GIF."""
    clear = 1 << bits
    known = {bytes([byte]): byte for byte in range(clear)}
    codes, after, length = [(clear, bits + 1)], clear + 2, bits + 1
    now = b""
    for at in range(len(data)):
        byte = data[at : at + 1]
        if now + byte in known:
            now += byte
            continue
        codes.append((known[now], length))
        known[now + byte] = after
        length += after >> length
        after += 1
        if after > 1 << _MOST_BITS:
            codes.append((clear, _MOST_BITS))
            known, after, length = {bytes([byte]): byte for byte in range(clear)}, clear + 2, bits + 1
        now = byte
    if now:
        codes.append((known[now], length))
        length = min(length + (after >> length), _MOST_BITS)  # as in the decoder, which has one more code by then
    packed, stream, filled = bytearray(), 0, 0
    for code, length in [*codes, (clear + 1, length)]:
        stream |= code << filled
        filled += length
        packed += (stream & (1 << filled - filled % 8) - 1).to_bytes(filled // 8, "little")
        stream, filled = stream >> filled - filled % 8, filled % 8
    return bytes(packed) + stream.to_bytes(filled > 0, "little")
