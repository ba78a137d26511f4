"""Pictures with indexed colours, and PNG files (https://www.w3.org/TR/png-3/)."""

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
        """The picture with only the colours it uses, transparent ones first."""
        used = sorted({*self.pixels}, key=lambda index: (self.colors[index][3] == 255, index))
        table = {old: new for new, old in enumerate(used)}
        pixels = self.pixels.translate(bytes(table.get(old, 0) for old in range(256)))
        return self._replace(pixels=pixels, colors=tuple(self.colors[index] for index in used))

    def enlarged(self, times: int) -> "Picture":
        """Return the picture with each pixel as a square of ``times`` pixels."""
        width, wide = self.width * times, bytearray(len(self.pixels) * times)
        for at in range(times):
            wide[at::times] = self.pixels
        rows = (wide[at : at + width] * times for at in range(0, len(wide), width))
        return Picture(width, self.height * times, b"".join(rows), self.colors)


def png(picture: Picture) -> bytes:
    """Return a PNG file, with half a byte per pixel for up to 16 colours."""
    width, height, pixels, colors = picture.trimmed
    rows = [pixels[at : at + width] for at in range(0, width * height, width)]
    bits = 4 if len(colors) <= 16 else 8
    if bits == 4:
        rows = [bytes.fromhex(row.hex()[1::2] + "0" * (width % 2)) for row in rows]
    # Without a filter (0): neighbouring indices mean nothing to each other.
    squeezer = zlib.compressobj(9, zlib.DEFLATED, 15, 9)
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, bits, 3, 0, 0, 0),
        b"PLTE": b"".join(bytes(color[:3]) for color in colors),
        b"tRNS": bytes(color[3] for color in colors if color[3] < 255),
        b"IDAT": squeezer.compress(b"".join(b"\0" + row for row in rows)) + squeezer.flush(),
        b"IEND": b"",
    }
    if not chunks[b"tRNS"]:
        del chunks[b"tRNS"]
    sealed = (struct.pack(">I4s", len(data), name) + data for name, data in chunks.items())
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk + struct.pack(">I", zlib.crc32(chunk[4:])) for chunk in sealed)
