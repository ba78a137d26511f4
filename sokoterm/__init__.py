"""Sokoban for people who live in a terminal, and for their programs.

>>> import sokoterm
>>> level = sokoterm.Level.from_xsb("#######\\n#@ $ .#\\n#######")
>>> position = sokoterm.Position(level)
>>> position.play("rR")
>>> [push.direction.letter for push in position.legal_pushes]
['r']
>>> position.push((1, 4), "r")
>>> position.is_solved, position.lurd
(True, 'rRR')
>>> sokoterm.solve(level, seconds=5).solution
Solution('rRR', 3 moves, 2 pushes)
>>> pack = sokoterm.Pack.load("levels/first-steps.txt")
>>> pack[0], [level.number for level in pack if level.boxes > 4]
(Level('A push', 9x5, 1 box), [26, 27, 28, 29, 30, 31, 32])

Your own library: sokoterm.Library().find("boxes:4 unsolved").  All names, with examples: docs/library.md.
"""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Return a public name, loading no more than it needs; the game starts without the library.

    Names of ``sokoterm.engine`` work here as well, for programs written for earlier versions.
    """
    import sokoterm.engine as engine  # see the docstring
    import sokoterm.position as position  # see the docstring

    for module in (position, engine):
        if name in module.__all__:
            return getattr(module, name)
    import sokoterm.library as library  # see the docstring

    if name in library.__all__ or name in library.EARLIER:
        return getattr(library, name)
    import sokoterm.searches as searches  # see the docstring

    if name in searches.__all__:
        return getattr(searches, name)
    import sokoterm.data_folder as data_folder  # see the docstring

    if name == "__all__":
        return __dir__()
    if name not in data_folder.__all__:
        raise AttributeError(f"module 'sokoterm' has no attribute {name!r}")
    return getattr(data_folder, name)


def __dir__() -> list[str]:
    import sokoterm.data_folder as data_folder  # these load every search, and sqlite3
    import sokoterm.library as library
    import sokoterm.searches as searches

    return sorted([*library.__all__, *searches.__all__, *data_folder.__all__])
