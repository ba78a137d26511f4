"""Moving pictures, read back by Pillow and by a reader of a few lines."""

import io
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sokoterm.pictures.gif import gif, lzw
from sokoterm.pictures.png import Picture


def unpacked(data: bytes, bits: int) -> bytes:
    """The bytes behind the codes of a GIF: each code after the first is the one before it and one byte more."""
    clear, length, place = 1 << bits, bits + 1, 0
    stream, found = int.from_bytes(data, "little"), b""
    table: list[bytes] = []
    before = b""
    while (code := stream >> place & (1 << length) - 1) != clear + 1:
        place += length
        if code == clear:
            table = [bytes([each]) for each in range(clear)] + [b"", b""]
            length, before = bits + 1, b""
            continue
        now = table[code] if code < len(table) else before + before[:1]
        if before and len(table) < 4096:
            table.append(before + now[:1])
        length = min(12, max(length, len(table).bit_length()))
        found, before = found + now, now
    assert -(-(place + length) // 8) == len(data)
    return found


@given(st.integers(2, 8).flatmap(lambda bits: st.tuples(st.just(bits), st.binary(max_size=300))), st.integers(1, 40))
def test_what_is_packed_is_unpacked_again(case: tuple[int, bytes], times: int) -> None:
    bits, some = case
    data = bytes(byte & (1 << bits) - 1 for byte in some * times)
    assert unpacked(lzw(data, bits), bits) == data


def test_a_table_of_codes_that_is_full_begins_anew() -> None:
    data = bytes(number * number // 7 & 15 for number in range(60_000))
    assert unpacked(lzw(data, 4), 4) == data


COLORS = ((0, 0, 0, 0), *((40 * number, 255 - 30 * number, 9 * number * number % 256, 255) for number in range(7)))


@st.composite
def films(draw: st.DrawFn) -> tuple[int, int, list[bytes]]:
    width, height, count = draw(st.integers(1, 9)), draw(st.integers(1, 9)), draw(st.integers(1, 5))
    is_clear = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    frames = []
    for _ in range(count):
        frame = draw(st.lists(st.integers(1, 7), min_size=width * height, max_size=width * height))
        frames.append(bytes(0 if clear else pixel for clear, pixel in zip(is_clear, frame, strict=True)))
    return width, height, frames


def seen(data: bytes) -> Iterator[tuple[tuple[int, int], list[tuple[int, ...]], int]]:
    """Size, pixels and milliseconds of each picture of a film, as Pillow sees it."""
    image = Image.open(io.BytesIO(data))
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        raw = image.convert("RGBA").tobytes()
        pixels = [tuple(raw[at : at + 4]) for at in range(0, len(raw), 4)]
        yield image.size, [pixel if pixel[3] else (0, 0, 0, 0) for pixel in pixels], image.info.get("duration", 0)


@given(films(), st.integers(1, 3))
def test_another_program_sees_each_picture_of_a_film(film: tuple[int, int, list[bytes]], times: int) -> None:
    width, height, frames = film
    pictures = [Picture(width, height, frame, COLORS) for frame in frames]
    shown = [*seen(gif([(picture, 7 + number) for number, picture in enumerate(pictures)], times))]
    # Pillow shows pictures that change nothing too.
    assert [milliseconds for *_, milliseconds in shown] == [10 * (7 + number) for number in range(len(frames))]
    for (size, pixels, __), picture in zip(shown, pictures, strict=True):
        assert size == (width * times, height * times)
        assert pixels == [COLORS[index] for index in picture.enlarged(times).pixels]
