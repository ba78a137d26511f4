"""Public names of ``sokoterm.engine``."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import sokoterm.engine

MODULES = [
    "sokoterm.engine",
    *(f"sokoterm.engine.{module.name}" for module in pkgutil.iter_modules(sokoterm.engine.__path__)),
]


def test_the_exports_are_sorted_and_each_is_defined_in_the_engine_with_a_docstring() -> None:
    assert sokoterm.engine.__all__ == sorted(set(sokoterm.engine.__all__))
    for name in sokoterm.engine.__all__:
        exported = getattr(sokoterm.engine, name)
        if exported is not int:  # Square and Bitboard
            assert exported.__module__.startswith("sokoterm.engine.")
            assert exported.__doc__


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
