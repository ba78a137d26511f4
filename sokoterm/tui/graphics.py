"""Pictures by the kitty graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol).

A picture is uploaded once as PNG in base64, then placed by number; placing it again moves the placement. All commands
are quiet (q=2): the terminal answers only the first question. Each layer has an image of its own, because kitty 0.26
hangs when one image is placed in several layers.
"""

from binascii import b2a_base64
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count

from sokoterm.pictures.png import Picture, png
from sokoterm.tui.widgets.frame import GROUND, Placement, Size

_FRAMES = 3  # of a glide to the next square
_CHUNK = 4096


class Images:
    """The terminal's images and placements; every method returns the bytes that change them."""

    def __init__(self) -> None:
        self._numbers = dict[tuple[object, int], int]()  # by image and layer
        self._heights = dict[int, int]()
        self._placed = dict[Placement, tuple[int, int]]()
        self._free = count(1)
        # Frames still to be sent, and the placements that glide in them.
        self._to_come = list[bytes]()
        self._gliding = set[Placement]()

    @property
    def is_gliding(self) -> bool:
        return bool(self._to_come)

    def glide_on(self) -> bytes:
        return self._to_come.pop(0) if self._to_come else b""

    def show(
        self, wanted: Sequence[Placement], size: Size, make: Callable[[object], Picture], *, glides: bool = False
    ) -> bytes:
        """Show exactly these placements, calling ``make`` for the picture of an image; the cursor does not move.

        With ``glides``, things that moved to the next square glide there in the frames that ``glide_on`` returns.
        """
        kept = {*wanted}
        gone = [each for each in self._placed if each not in kept]
        come = [each for each in wanted if each not in self._placed or each in self._gliding]
        self._to_come, self._gliding = [], set()
        if gone and not wanted:
            return self.forget()
        moves = dict(_moves(gone, come)) if glides and not any(each.layer == GROUND for each in come) else {}
        data, placing = b"", list[tuple[Placement, bytes]]()
        taken, free = {*self._placed.values()}, defaultdict[int, Iterator[int]](partial(count, 1))
        for each in come:
            key = each.image, each.layer
            if key not in self._numbers:
                data += self._upload(each, png(make(each.image)))
            number = self._numbers[key]
            before = next((old for old in gone if (old.image, old.layer) == key), None)
            if each in self._placed:
                id_ = self._placed[each][1]
            elif before is not None:
                gone.remove(before)
                id_ = self._placed.pop(before)[1]
            else:
                id_ = next(id_ for id_ in free[number] if (number, id_) not in taken)
            self._placed[each] = number, id_
            placing.append((each, b"i=%d,p=%d,%b" % (number, id_, self._source(each, number))))
        for each in filter(self._placed.__contains__, gone):
            data += b"\x1b_Ga=d,d=i,i=%d,p=%d\x1b\\" % self._placed.pop(each)
        self._gliding = {*moves}
        gliding = [each for each in placing if each[0] in moves]
        self._to_come = [_frame(gliding, moves, step, size) for step in range(2, _FRAMES + 1) if gliding]
        return data + _frame(placing, moves, 1, size)

    def _source(self, placement: Placement, number: int) -> bytes:
        """Return the keys that select the visible part of an image; a part that extends to the end needs no height."""
        part, parts = placement.part, placement.parts
        if parts == 1:
            return b""
        height = self._heights[number] // parts
        return (b"y=%d," % (part * height) if part else b"") + (b"h=%d," % height if part + 1 < parts else b"")

    def _upload(self, placement: Placement, data: bytes) -> bytes:
        """Upload a placement's image; a ground reuses the previous ground's number, which deletes the old image.

        Deleting it explicitly would make kitty 0.26 free every image without a placement.
        """
        sent = b""
        number = next(self._free)
        if placement.layer == GROUND:
            for key in [key for key in self._numbers if key[1] == GROUND]:
                number = self._numbers.pop(key)
            self._placed = {each: ids for each, ids in self._placed.items() if each.layer != GROUND}
        self._numbers[placement.image, placement.layer] = number
        self._heights[number] = int.from_bytes(data[20:24], "big")
        head = b"a=t,f=100,q=2,i=%d," % number
        text = b2a_base64(data, newline=False)
        for at in range(0, len(text), _CHUNK):
            is_last = at + _CHUNK >= len(text)
            more = b"m=%d" % (not is_last) if at or not is_last else b""
            sent += b"\x1b_G%b;%b\x1b\\" % ((head + more).rstrip(b","), text[at : at + _CHUNK])
            head = b""
        return sent

    def forget(self) -> bytes:
        """Remove all placements, which the screen may have lost; the images are kept."""
        self._placed, self._to_come, self._gliding = {}, [], set()
        return b"\x1b_Ga=d\x1b\\" if self._numbers else b""

    def drop(self) -> bytes:
        numbers, self._numbers = self._numbers, {}
        self._placed, self._to_come, self._gliding = {}, [], set()
        return b"".join(b"\x1b_Ga=d,d=I,i=%d\x1b\\" % number for number in numbers.values())


def _moves(gone: Sequence[Placement], come: Sequence[Placement]) -> Iterator[tuple[Placement, Placement]]:
    """Pair each thing that moved to the next square with its old placement."""
    for each in come:
        for old in gone:
            down, right = abs(each.row - old.row), abs(each.column - old.column)
            is_next = (down, right) in ((each.rows, 0), (0, each.columns))
            if each.thing and each.thing == old.thing and is_next:
                yield each, old
                break


def _frame(
    placing: Sequence[tuple[Placement, bytes]], moves: Mapping[Placement, Placement], step: int, size: Size
) -> bytes:
    """Return the bytes of one step of a glide, after which the cursor is back; the screen never scrolls."""
    data, at = b"", (-1, -1)
    for each, keys in placing:
        row, column = each.row, each.column
        if each in moves:
            old = moves[each]
            row = old.row + round((row - old.row) * step / _FRAMES)
            column = old.column + round((column - old.column) * step / _FRAMES)
        layer = b"z=%d," % each.layer if each.layer else b""
        may_go = each is placing[-1][0] and row + each.rows < size.rows and column + each.columns < size.columns
        data += _go(at, (row, column)) + b"\x1b_Ga=p,%bc=%d,r=%d,%b%bq=2\x1b\\" % (
            keys, each.columns, each.rows, layer, b"" if may_go else b"C=1,",
        )  # fmt: skip
        at = row, column
    return b"\x1b7" + data + b"\x1b8" if data else b""


def _go(old: tuple[int, int], new: tuple[int, int]) -> bytes:
    """Return the shortest sequence that moves the cursor."""
    down, right = new[0] - old[0], new[1] - old[1]
    if not down and not right:
        return b""
    if down and right or old[0] < 0:
        return b"\x1b[%d;%dH" % (new[0] + 1, new[1] + 1)
    way = b"BA"[down < 0 :][:1] if down else b"CD"[right < 0 :][:1]
    distance = abs(down or right)
    return b"\x1b[%b%b" % (b"%d" % distance if distance > 1 else b"", way)
