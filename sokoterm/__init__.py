"""Sokoban for people who live in a terminal."""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Return a public name of sokoterm.library, which is loaded when first needed: the game starts without it."""
    import sokoterm.library as library

    if name not in library.__all__:
        raise AttributeError(f"module 'sokoterm' has no attribute {name!r}")
    return getattr(library, name)
