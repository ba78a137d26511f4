"""Pictures of indexed colours, and PNG files of them (https://www.w3.org/TR/png-3/)."""

import struct
import zlib
from typing import NamedTuple

Color = tuple[int, int, int, int]
"""Red, green, blue and alpha, each to 255."""


class Picture(NamedTuple):
    """Rows of pixels from the top, each the index of one of at most 256 colours."""

    width: int
    height: int
    pixels: bytes
    colors: tuple[Color, ...]

    @property
    def trimmed(self) -> "Picture":
        """The same with only the colours it uses, those with transparency first."""
        used = sorted({*self.pixels}, key=lambda index: (self.colors[index][3] == 255, index))
        table = bytearray(256)
        for new, old in enumerate(used):
            table[old] = new
        return self._replace(pixels=self.pixels.translate(table), colors=tuple(self.colors[index] for index in used))

    def enlarged(self, times: int) -> "Picture":
        """Return the picture with each pixel as a square of ``times`` pixels."""
        wide = b"".join(bytes([pixel]) * times for pixel in self.pixels)
        width = self.width * times
        rows = (wide[at : at + width] * times for at in range(0, len(wide), width))
        return Picture(width, self.height * times, b"".join(rows), self.colors)


def png(picture: Picture) -> bytes:
    """Return a PNG file with as few bits a pixel as the colours used allow."""
    width, height, pixels, colors = picture.trimmed
    bits = next(bits for bits in (1, 2, 4, 8) if len(colors) <= 1 << bits)
    each = 8 // bits
    padded = -(-width // each) * each
    lines = bytearray()
    for at in range(0, width * height, width):
        row = pixels[at : at + width].ljust(padded, b"\0")
        lines.append(0)  # no filter: neighbouring numbers of colours mean nothing to each other
        packed = bytes(len(row) // each)
        for place in range(each):
            part = int.from_bytes(row[place::each], "big") << bits * (each - 1 - place)
            packed = (int.from_bytes(packed, "big") | part).to_bytes(len(packed), "big")
        lines += packed
    squeezer = zlib.compressobj(9, zlib.DEFLATED, 15, 9)
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 3, 0, 0, 0)),
        (b"PLTE", b"".join(bytes(color[:3]) for color in colors)),
        (b"tRNS", bytes(color[3] for color in colors if color[3] < 255)),
        (b"IDAT", squeezer.compress(lines) + squeezer.flush()),
        (b"IEND", b""),
    ]
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
        if data or name == b"IEND"
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
