"""Processes whose sets are ordered by another hash seed: what they print must not depend on it."""

import os
import subprocess
import sys
from collections.abc import Sequence


def printed_under(seed: str, *arguments: str) -> str:
    """Return what Python with these arguments prints under a hash seed; fails if it prints errors."""
    environment = os.environ | {"PYTHONHASHSEED": seed}
    found = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True)
    assert found.stderr == ""
    return found.stdout


def printed_under_all(*arguments: str, seeds: Sequence[str] = ("0", "1", "12345")) -> str:
    """Return what Python with these arguments prints, the same under each hash seed."""
    (printed,) = {printed_under(seed, *arguments) for seed in seeds}
    return printed
