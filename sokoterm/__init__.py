"""Sokoban for people who live in a terminal."""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Return a public name of sokoterm.library, which is loaded when first needed: the game starts without it."""
    import sokoterm.library as library

    if name not in ("__all__", *library.__all__):
        raise AttributeError(f"module 'sokoterm' has no attribute {name!r}")
    return getattr(library, name)


def __dir__() -> list[str]:
    import sokoterm.library as library

    return sorted({*globals(), *library.__all__})
