"""A slow line between a program's pseudo-terminal and the person: bytes take their time both ways."""

from collections import deque

from sokoterm.terminal.output_line import QUESTION

ANSWER = b"\x1b[0n"
_PIECE = 16  # bytes that arrive together


class Modem:
    """So many bytes a second down, and a way that takes as long up as down; it keeps any number of bytes on the way.

    So does an SSH server, which takes all that a program writes at once.  A terminal at the end answers what it is
    asked, unless it is a ``silent`` one.
    """

    def __init__(self, rate: float = 960.0, round_trip: float = 0.3, *, silent: bool = False) -> None:
        self._rate = rate
        self._way = round_trip / 2
        self._is_silent = silent
        self._down: deque[tuple[float, bytes]] = deque()
        self._up: deque[tuple[float, bytes]] = deque()
        self._free_at = 0.0
        self._tail = b""

    def put_down(self, data: bytes, now: float) -> None:
        """The program has written."""
        for begin in range(0, len(data), _PIECE):
            piece = data[begin : begin + _PIECE]
            self._free_at = max(self._free_at, now) + len(piece) / self._rate
            self._down.append((self._free_at + self._way, piece))

    def put_up(self, data: bytes, now: float) -> None:
        """The person has typed."""
        self._up.append((now + self._way, data))

    def take_down(self, now: float) -> bytes:
        """What has come to the screen by now."""
        arrived = b""
        while self._down and self._down[0][0] <= now:
            when, piece = self._down.popleft()
            arrived += piece
            self._tail += piece
            if not self._is_silent:
                self._up.extend([(when + self._way, ANSWER)] * self._tail.count(QUESTION))
            self._tail = self._tail.rpartition(QUESTION)[2][-len(QUESTION) :]
        return arrived

    def take_up(self, now: float) -> bytes:
        """What has come to the program by now."""
        arrived = b""
        while self._up and self._up[0][0] <= now:
            arrived += self._up.popleft()[1]
        return arrived

    def until_next(self, now: float) -> float | None:
        """Seconds until something comes to one end; None where nothing is on the way."""
        times = [way[0][0] for way in (self._down, self._up) if way]
        return max(0.0, min(times) - now) if times else None
