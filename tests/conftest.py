"""What the tests share: the reference material beside the project, and how hypothesis runs."""

from pathlib import Path

import pytest
from hypothesis import settings

# No test is timed: a slow machine is no failure.
settings.register_profile("sokoterm", deadline=None)
settings.load_profile("sokoterm")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of packs, hashes and solutions that lies beside the project and is no part of it."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(f"the reference material is not there: {folder}")
    return folder
