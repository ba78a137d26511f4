from sokoterm.engine import *  # noqa: F403 - its names are those of the package
from sokoterm.library import *  # noqa: F403 - its names are those of the package
from sokoterm.solver.registry import STRATEGIES as STRATEGIES

__version__: str
