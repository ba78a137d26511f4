"""A terminal that shows pictures: it keeps images and placements as the protocol of kitty has them, and answers."""

import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import NamedTuple

from PIL import Image

from tests.system.terminal.pty_terminal import PtyTerminal
from tests.system.terminal.screen import Screen

QUERY = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
OK = b"\x1b_Gi=31;OK\x1b\\"
_ATTRIBUTES = b"\x1b[?62;c"
_PIECES = re.compile(rb"\x1b_G([^;\x1b]*)(?:;([^\x1b]*))?\x1b\\|\x1b\[2J|\x1b\[\d+;\d+r")


class AnsweringTerminal(PtyTerminal):
    """A terminal that answers that it has pictures, as soon as it is asked."""

    def take(self, timeout: float) -> bytes:
        data = super().take(timeout)
        if QUERY in data:
            self.write(OK + _ATTRIBUTES)
        return data


class Shown(NamedTuple):
    """A placement: its image, the cells it covers, its layer, and the first row and the number of rows of a part."""

    image: int
    row: int
    column: int
    rows: int
    columns: int
    layer: int
    top: int = 0
    height: int = 0


class PictureScreen(Screen):
    """``images`` by number, and ``placements`` by number of image and of placement.

    Like kitty it forgets placements when the screen is cleared, and would move them where a part of it scrolls; unlike
    kitty it fails where the program says what makes no sense.
    """

    def __init__(self, *arguments: object, answer: Callable[[], bytes] = lambda: OK + _ATTRIBUTES, **options: object):
        self.images = dict[int, Image.Image]()
        self.placements = dict[tuple[int, int], Shown]()
        self.uploads = self.most_images = self.has_scrolled = 0
        self._answer = answer
        self._at = 0
        self._upload = dict[bytes, bytes]()
        self._data = b""
        self._asked = 0
        super().__init__(*arguments, **options)  # type: ignore[arg-type]

    def take(self, timeout: float) -> bytes:
        data = super().take(timeout)
        asked = bytes(self.output + data).count(QUERY)
        if asked > self._asked:
            self._asked = asked
            if reply := self._answer():
                self.write(reply)
        return data

    def look(self) -> None:
        """Take in all that has come: text, cursor, images and placements."""
        for found in _PIECES.finditer(self.output, self._at):
            self._feed(found.start())
            self._at = self._fed = found.end() if found[0].startswith(b"\x1b_") else found.start()
            if found[0] == b"\x1b[2J":  # kitty 0.26 frees the images, too
                self.placements.clear()
                self.images.clear()
            elif found[0].endswith(b"r"):
                self.has_scrolled += bool(self.placements)
            else:
                self._command(dict(each.split(b"=") for each in found[1].split(b",")), found[2] or b"")
            self._at = found.end()
        self._feed(len(self.output))

    def pixels(self, shown: Shown) -> bytes:
        """The pixels of what a placement shows."""
        image = self.images[shown.image]
        bottom = shown.top + shown.height if shown.height else image.height
        assert 0 <= shown.top < bottom <= image.height
        return image.crop((0, shown.top, image.width, bottom)).tobytes()

    def in_layer(self, layer: int) -> list[Shown]:
        """What lies in a layer."""
        self.look()
        return [each for each in self.placements.values() if each.layer == layer]

    def _feed(self, end: int) -> None:
        self._stream.feed(bytes(self.output[self._fed : end]))
        self._fed = max(self._fed, end)

    @property
    def text(self) -> str:
        self.look()
        return super().text

    def _command(self, keys: Mapping[bytes, bytes], data: bytes) -> None:
        if keys.get(b"a") == b"q":
            return
        if self._upload or keys.get(b"a") == b"t":
            self._take_data({**keys} if b"a" in keys else {**self._upload, b"m": keys[b"m"]}, data)
            return
        number = int(keys.get(b"i", b"0"))
        if keys[b"a"] == b"p":
            assert keys[b"q"] == b"2"
            assert number in self.images, number
            row, column = self._emulator.cursor.y, self._emulator.cursor.x
            shown = Shown(number, row, column, int(keys[b"r"]), int(keys[b"c"]), int(keys.get(b"z", b"0")))
            assert row + shown.rows <= self._emulator.lines
            assert column + shown.columns <= self._emulator.columns
            layers = {each.layer for each in self.placements.values() if each.image == number}
            assert layers <= {shown.layer}, "kitty 0.26 hangs where an image lies in two layers"
            if keys.get(b"C") != b"1":  # what the cursor does is left to the terminal, if only it has room for that
                assert row + shown.rows < self._emulator.lines
                assert column + shown.columns < self._emulator.columns
                self._emulator.cursor.y, self._emulator.cursor.x = row + shown.rows, column + shown.columns
            part = {name: int(keys[key]) for name, key in (("top", b"y"), ("height", b"h")) if key in keys}
            self.placements[number, int(keys[b"p"])] = shown._replace(**part)
            return
        assert keys[b"a"] == b"d", keys
        match keys.get(b"d", b"a"):
            case b"a":
                self.placements.clear()
            case b"i":
                del self.placements[number, int(keys[b"p"])]
            case b"I":
                self._forget(number)
                # As kitty 0.26 does, which frees what has no placement.
                placed = {key[0] for key in self.placements}
                self.images = {each: image for each, image in self.images.items() if each != number and each in placed}

    def _forget(self, number: int) -> None:
        self.placements = {key: each for key, each in self.placements.items() if key[0] != number}

    def _take_data(self, keys: Mapping[bytes, bytes], data: bytes) -> None:
        assert len(data) <= 4096
        self._upload, self._data = dict(keys), self._data + data
        if keys.get(b"m") == b"1":
            return
        assert keys[b"f"] == b"100"
        assert keys[b"q"] == b"2"
        image = Image.open(BytesIO(b64decode(self._data, validate=True)))
        image.load()
        self._forget(int(keys[b"i"]))
        self.images[int(keys[b"i"])] = image.convert("RGBA")
        self._upload, self._data = {}, b""
        self.uploads += 1
        self.most_images = max(self.most_images, len(self.images))
