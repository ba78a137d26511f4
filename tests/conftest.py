"""Settings of all tests: hypothesis, the number of processes, and Ctrl-C in the programs they start."""

import os
import signal

import pytest
from hypothesis import settings

from sokoterm.language import codes_in

# The tests know the English texts, whatever the language of who runs them.
if any(codes_in(os.environ)):
    os.environ.pop("LANGUAGE", None)
    os.environ["LC_ALL" if os.environ.get("LC_ALL") else "LC_MESSAGES"] = "C.UTF-8"

# No test is timed: a slow machine is no failure.
settings.register_profile("sokoterm", deadline=None)
settings.load_profile("sokoterm")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the processes of ``-n auto``: more than processors, for tests of terminals mostly wait."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors * 3 // 2


# Where the tests are run in the background of a shell, Ctrl-C is ignored, here and in all programs that are started.
signal.signal(signal.SIGINT, signal.default_int_handler)
