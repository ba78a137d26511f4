"""Thread switching and garbage collection while background threads work."""

import gc
import sys

# Beside a busy search this brings the median time from a key to the screen from 7 ms to 1 ms, and costs the search
# nothing that could be measured.
_SWITCH_SECONDS = 0.0005


class ThreadSwitching:
    """Frequent thread switches while any background thread works, the usual ones otherwise.

    The collector of cycles is off while one of them keeps millions of objects: each run of it would stop everything for
    half a second.
    """

    def __init__(self) -> None:
        self._asking: set[object] = set()
        self._keeping: set[object] = set()
        self._usual_seconds = sys.getswitchinterval()
        self._collects_garbage = gc.isenabled()

    def hasten(self, who: object, *, keeps_much: bool = False) -> None:
        """Note that a thread is at work; a second call makes no difference."""
        if not self._asking:
            self._usual_seconds = sys.getswitchinterval()
            sys.setswitchinterval(_SWITCH_SECONDS)
        self._asking.add(who)
        if keeps_much:
            if not self._keeping:
                self._collects_garbage = gc.isenabled()
                gc.disable()
            self._keeping.add(who)

    def rest(self, who: object) -> None:
        """Note that it rests; a second call makes no difference."""
        if who in self._asking:
            self._asking.remove(who)
            if not self._asking:
                sys.setswitchinterval(self._usual_seconds)
        if who in self._keeping:
            self._keeping.remove(who)
            if not self._keeping and self._collects_garbage:
                gc.enable()
