"""Requests of the level in play, or of a screen, to the session.

Those that carry nothing are plain classes: the first picture waits for all that is imported here.
"""

from sokoterm.app.generated import DescentPack
from sokoterm.app.improvement import ImproveChoices, ShowReplay
from sokoterm.app.pack_session import PackSession
from sokoterm.engine.bits import Square
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.value import Value
from sokoterm.store.packs import PackFile


class Quit:
    """Save and end the program."""


class Close:
    """Go back to the screen below."""


class Start(Value):
    """Save the play, and play a level of a pack session."""

    pack_session: PackSession
    number: int


class Browse:
    """Open the browser on the pack in play."""


class Solve(Value):
    """Search from a position, which is that after the moves ``before``, for a solution or a hint."""

    state: State
    before: str
    is_hint: bool = False


class Watch(Value):
    """Show the solver at work; it was asked after the moves ``before``."""

    before: str


class StopSearch:
    """Cancel the search, and tell the player."""


class ChooseImprovement(Value):
    """Ask what is to become better of a solution, and how."""

    choices: ImproveChoices


class Improve(Value):
    """Make a solution of the level in play better in the background, as was chosen."""

    choices: ImproveChoices


class TakeOver(Value):
    """Close the replay and make these moves the history; then do an action of the play screen, if one is given."""

    lurd: str
    action: str


class OpenPlanner(Value):
    """Open the push planner: on the squares of a box, on the boxes that reach a goal or, without either, on all boxes.

    ``asks_goal`` begins with all goals instead.
    """

    box: Square | None = None
    goal: Square | None = None
    asks_goal: bool = False


class Perform(Value):
    """Go back to the play screen and make these moves there, as one undo group, shown one by one."""

    lurd: str


class Copy(Value):
    """Send moves from the start of the level in play to the clipboard, and show them for the mouse to select.

    ``is_best`` is true for the best solution of the player.
    """

    lurd: str
    is_best: bool = False


class Share:
    """Send the result of the level in play to the clipboard as a line for others, and show it to select."""


class EndRun:
    """End the run in play, for good, and show its result."""


class ShowRuns(Value):
    """Show all runs of the table that a run is in."""

    run: DescentPack


class ShowStatistics:
    """Show the statistics of the player."""


class OpenEditor(Value):
    """Open the editor on a level of a pack session, readable or not; without one on a new level."""

    pack_session: PackSession | None = None
    number: int = 0


class PlayDrawn(Value):
    """Play the level in the editor, which is in a pack with this number; if it ``solves``, let the solver search."""

    file: PackFile
    number: int
    solves: bool


class OpenReverse(Value):
    """Play the level in play in reverse."""

    level: Level


class Reread(Value):
    """Read a pack again, to which a level has been written as ``number``, wherever it is shown."""

    file: PackFile
    number: int


class CopyText(Value):
    """Send text to the clipboard, and show it for the mouse to select."""

    text: str


FirstRequest = Start | ShowReplay | Browse
"""A request with which a session can begin."""

Request = (
    Quit
    | Close
    | Start
    | Browse
    | Solve
    | Watch
    | StopSearch
    | ChooseImprovement
    | Improve
    | ShowReplay
    | TakeOver
    | OpenPlanner
    | Perform
    | Copy
    | Share
    | EndRun
    | ShowRuns
    | ShowStatistics
    | OpenEditor
    | PlayDrawn
    | Reread
    | OpenReverse
    | CopyText
)
