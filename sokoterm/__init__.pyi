from sokoterm.library import *  # noqa: F403 - its names are those of the package

__version__: str
