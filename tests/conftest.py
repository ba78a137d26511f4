"""What the tests share: the reference material beside the project, and how hypothesis runs."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

# No test is timed: a slow machine is no failure.
settings.register_profile("sokoterm", deadline=None)
settings.load_profile("sokoterm")

# Where the tests are run in the background of a shell, Ctrl-C is ignored, here and in all programs that are started.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of packs, hashes and solutions that lies beside the project and is no part of it."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(f"the reference material is not there: {folder}")
    return folder
