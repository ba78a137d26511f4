"""Fixture ``shared``: the reference material."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of packs, hashes and solutions that lies beside the project and is no part of it."""
    folder = Path(__file__).parents[3] / "shared"
    if not folder.is_dir():
        pytest.skip(f"the reference material is not there: {folder}")
    return folder
