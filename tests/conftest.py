"""Settings of all tests: hypothesis, processes, samples, and Ctrl-C in the programs they start."""

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from sokoterm.app.keymap import KEYMAPS
from sokoterm.language import codes_in, speak
from sokoterm.store.languages import find_catalog

# The tests know the English texts, whatever the language of who runs them.
if any(codes_in(os.environ)):
    os.environ.pop("LANGUAGE", None)
    os.environ["LC_ALL" if os.environ.get("LC_ALL") else "LC_MESSAGES"] = "C.UTF-8"

# Hundreds of programs are started, and test modules are rewritten for their asserts: that is compiled once.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No test is timed: a slow machine is no failure. Each run draws other examples, so a few add up.
settings.register_profile("sokoterm", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=250)
settings.load_profile("sokoterm")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the processes of ``-n auto``: more than processors, for tests of terminals mostly wait."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors * 3 // 2


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Whatever language a test speaks, or what is made for a module of tests, the next one starts in English."""
    for keymap in KEYMAPS:
        vars(keymap).pop("first_keys", None)
    yield
    speak(None)


@pytest.fixture
def code(request: pytest.FixtureRequest) -> str:
    """A language that is spoken meanwhile: the parameter of an indirect fixture."""
    if translations := find_catalog([request.param]):
        translations.speak()
    return str(request.param)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every", type=int, default=1, metavar="N", help="run every Nth of the tests that are selected")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but every Nth test, after ``-m`` and ``-k``: the same sample each time."""
    every: int = config.getoption("every")
    config.hook.pytest_deselected(items=[item for number, item in enumerate(items) if number % every])
    items[:] = items[::every]


def pytest_collection_finish() -> None:
    """Take the tests out of what the garbage collector walks through while they run."""
    gc.collect()
    gc.freeze()


# Where the tests are run in the background of a shell, Ctrl-C is ignored, here and in all programs that are started.
signal.signal(signal.SIGINT, signal.default_int_handler)
