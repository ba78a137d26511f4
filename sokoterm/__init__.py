"""Sokoban for people who live in a terminal."""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Return a public name of the engine or of sokoterm.library, of which no more is loaded than that needs.

    The game starts without the library.
    """
    import sokoterm.engine as engine  # see the docstring

    if name in engine.__all__:
        return getattr(engine, name)
    import sokoterm.library as library  # see the docstring

    if name not in ("__all__", *library.__all__):
        raise AttributeError(f"module 'sokoterm' has no attribute {name!r}")
    return getattr(library, name)


def __dir__() -> list[str]:
    import sokoterm.library as library  # see the docstring

    return sorted({*globals(), *library.__all__})
