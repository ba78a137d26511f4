"""How the interpreter treats the threads of the background: the one place that says so."""

import gc
import sys

# Beside a busy search this brings the median time from a key to the screen from 7 ms to 1 ms, and costs the search
# nothing that could be measured.
_SWITCH_SECONDS = 0.0005


class ThreadSwitching:
    """Threads are switched often while anyone asks for it, and as they were before once nobody does.

    Nor is garbage looked for while anyone's work is of many things that stay: to look through them again and again
    stops everything for half a second.
    """

    def __init__(self) -> None:
        self._asking: set[object] = set()
        self._keeping: set[object] = set()
        self._usual_seconds = sys.getswitchinterval()
        self._collects_garbage = gc.isenabled()

    def hasten(self, who: object, *, keeps_much: bool = False) -> None:
        """Someone's thread is at work; to say so again makes no difference."""
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
        """It is no longer; nor does this make a difference the second time."""
        if who in self._asking:
            self._asking.remove(who)
            if not self._asking:
                sys.setswitchinterval(self._usual_seconds)
        if who in self._keeping:
            self._keeping.remove(who)
            if not self._keeping and self._collects_garbage:
                gc.enable()
