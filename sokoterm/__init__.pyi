from sokoterm.data_folder import *  # noqa: F403 - its names are those of the package
from sokoterm.engine import *  # noqa: F403 - names of earlier versions
from sokoterm.engine.deadlock.detector import DeadlockDetector as DeadlockDetector
from sokoterm.engine.lurd import replay as replay
from sokoterm.engine.planner.box_reach import BoxReach as BoxReach
from sokoterm.engine.planner.box_reach import Fewest as Fewest
from sokoterm.engine.planner.box_reach import PushPlan as PushPlan
from sokoterm.engine.planner.box_reach import boxes_that_reach as boxes_that_reach
from sokoterm.library import *  # noqa: F403 - its names are those of the package
from sokoterm.searches import *  # noqa: F403 - its names are those of the package
from sokoterm.solver.optimizer.objective import Objective as Objective
from sokoterm.solver.search import Feature as Feature
from sokoterm.solver.search import LimitReached as LimitReached
from sokoterm.solver.search import MemoryGrowth as MemoryGrowth
from sokoterm.solver.search import Reason as Reason
from sokoterm.solver.search import Status as Status

__version__: str
