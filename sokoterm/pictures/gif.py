"""GIF files of moving pictures (https://www.w3.org/Graphics/GIF/spec-gif89a.txt)."""

import struct
from collections.abc import Iterable, Iterator

from sokoterm.pictures.png import Picture

_FOREVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_MOST_CODES = 1 << 12


def gif(frames: Iterable[tuple[Picture, int]], times: int = 1) -> bytes:
    """Return pictures of one size and the same colours as an endless film, each pixel ``times`` as wide and high.

    A frame has its time in hundredths of a second. After the first only the rectangle that changes is stored, and in it
    what stays is transparent: no pixel may become transparent later on.
    """
    patches = [*_patches(frames)]
    used = sorted({0}.union(*(patch.pixels for __, __, patch, __ in patches)))
    table = bytearray(256)
    for new, old in enumerate(used):
        table[old] = new
    __, __, first, __ = patches[0]
    bits = max(2, (len(used) - 1).bit_length())
    palette = b"".join(bytes(first.colors[index][:3]) for index in used).ljust(3 << bits, b"\0")
    size = struct.pack("<HH", first.width * times, first.height * times)
    parts = [b"GIF89a", size, bytes([0xF0 | bits - 1, 0, 0]), palette, _FOREVER]
    for left, top, patch, hundredths in patches:
        large = patch.enlarged(times)
        place = struct.pack("<HHHH", left * times, top * times, large.width, large.height)
        parts.append(b"!\xf9\x04\x05" + struct.pack("<H", hundredths) + b"\0\0," + place + b"\0")
        packed = lzw(large.pixels.translate(table), bits)
        blocks = (packed[at : at + 255] for at in range(0, len(packed), 255))
        parts += [bytes([bits]), *(bytes([len(block)]) + block for block in blocks), b"\0"]
    return b"".join([*parts, b";"])


def _patches(frames: Iterable[tuple[Picture, int]]) -> Iterator[tuple[int, int, Picture, int]]:
    """Yield left and upper edge, pixels and time of what changes in each picture, 0 for what stays."""
    before = b""
    for (width, height, pixels, colors), hundredths in frames:
        rows = [(y, pixels[y * width :][:width], before[y * width :][:width]) for y in range(height)]
        changed = [(y, row, old) for y, row, old in rows if row != old] or rows[:1]
        if not before:
            yield 0, 0, Picture(width, height, pixels, colors), hundredths
        else:
            columns = [x for __, row, old in changed for x in range(width) if row[x] != old[x]] or [0]
            left, right = min(columns), max(columns) + 1
            top, bottom = changed[0][0], changed[-1][0] + 1
            patch = bytes(
                new if new != past else 0
                for __, row, old in rows[top:bottom]
                for new, past in zip(row[left:right], old[left:right], strict=True)
            )
            yield left, top, Picture(right - left, bottom - top, patch, colors), hundredths
        before = pixels


def lzw(data: bytes, bits: int) -> bytes:
    """Compress bytes below ``1 << bits`` with the codes of variable length that GIF has."""
    clear = 1 << bits
    known = dict[tuple[int, int], int]()
    length, code = bits + 1, -1
    stream, filled = clear, length
    packed = bytearray()
    for byte in data:
        if code < 0:
            code = byte
        elif (longer := known.get((code, byte))) is not None:
            code = longer
        else:
            stream |= code << filled
            filled += length
            new = clear + 2 + len(known)
            if new < _MOST_CODES:
                known[code, byte] = new
                length += new >> length
            else:
                stream |= clear << filled
                filled += length
                known, length = {}, bits + 1
            code = byte
            while filled >= 8:
                packed.append(stream & 255)
                stream, filled = stream >> 8, filled - 8
    if code >= 0:
        stream |= code << filled
        filled += length
        # The reader has one code more before it reads the end.
        length = min(length + (clear + 2 + len(known) >> length), 12)
    stream |= clear + 1 << filled
    filled += length
    return bytes(packed) + stream.to_bytes(-(-filled // 8), "little")
