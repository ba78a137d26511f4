"""Ctrl-C: it raises KeyboardInterrupt where a verb has something to put away, else it ends the process at once.

For Python tells at length of an exception that comes while it imports, drops objects or ends, and may lose it there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal


@contextmanager
def ending_at_once() -> Iterator[None]:
    """Have Ctrl-C end the process meanwhile, unless it is ignored or whoever takes the terminal takes it too."""
    before = getsignal(SIGINT)
    if before is default_int_handler:
        signal(SIGINT, SIG_DFL)
    try:
        yield
    finally:
        if getsignal(SIGINT) is SIG_DFL:
            signal(SIGINT, before)


@contextmanager
def raising() -> Iterator[None]:
    """Have Ctrl-C raise KeyboardInterrupt meanwhile, where it would end the process."""
    before = getsignal(SIGINT)
    if before is SIG_DFL:
        signal(SIGINT, default_int_handler)
    try:
        yield
    finally:
        if getsignal(SIGINT) is default_int_handler:
            signal(SIGINT, before)
