"""What a screen asks of the app after an event; the app alone acts on it.

Those that say nothing more are plain classes: the first picture waits for all that is imported here.
"""

from typing import Protocol

from sokoterm.engine.bits import Square
from sokoterm.engine.board import State
from sokoterm.engine.value import Value
from sokoterm.tui.course import Course
from sokoterm.tui.frame import Frame
from sokoterm.tui.keymap import Keymap
from sokoterm.tui.pointer import Pointer
from sokoterm.tui.views import Appearance, Size


class Screen(Protocol):
    """One kind of picture with its keys: ``update`` takes a key's name, ``view`` gives the picture."""

    keymap: Keymap

    @property
    def reads_text(self) -> bool:
        """Whether letters are text or a name just now, and not commands."""

    def update(self, key: str) -> "Reaction | None":
        """Act on a key."""

    def point(self, pointer: Pointer) -> "Reaction | None":
        """Act on the mouse."""

    def paste(self, text: str) -> bool:
        """Take pasted text, printable and on one line, where text is asked for; False where none is."""

    def view(self, size: Size, appearance: Appearance) -> Frame:
        """The picture at a size."""

    def wake_after(self) -> float | None:
        """Seconds until ``tick`` wants to be called; None: never."""

    def tick(self) -> None:
        """Time has passed: a replay goes on."""

    def interrupt(self) -> bool:
        """Stop what goes on by itself; False where nothing does."""

    def tell(self, message: str, *, is_answer: bool = False) -> bool:
        """Show a line, in place of another one if it is the answer to a key; False where there is no place for it."""


class Quit:
    """Save and end the program."""


class Open(Value):
    """Show a screen on top of this one."""

    screen: Screen


class Close:
    """Go back to the screen below."""


class Start(Value):
    """Play a level of a course; whatever was played is saved."""

    course: Course
    number: int


class Browse:
    """Open the browser on the pack that is played."""


class Solve(Value):
    """Search from a position; the play screen is told of what is found."""

    state: State


class Watch(Value):
    """Show what the solver is doing; it was asked after the moves ``before``."""

    before: str


class StopSearch(Value):
    """Cancel what the solver does; ``why`` is said to the player, if it is not empty."""

    why: str


class ShowReplay(Value):
    """Replay ``lurd`` after the moves ``before`` from the start of the level that is played."""

    before: str
    lurd: str
    source: str


class TakeOver(Value):
    """Close the replay and make these moves the history; then do an action of the play screen, if one is given."""

    lurd: str
    action: str


class Plan(Value):
    """Open the push planner: on the squares of a box, on the boxes that reach a goal or, without either, on all boxes.

    ``asks_goal`` begins with all goals instead.
    """

    box: Square | None = None
    goal: Square | None = None
    asks_goal: bool = False


class Perform(Value):
    """Close what is above the play screen and make these moves there, as one undo group; they are shown one by one."""

    lurd: str


class Copy(Value):
    """Send moves from the start of the level that is played to the clipboard, and show them for the mouse to select."""

    lurd: str


class Share(Value):
    """Send a line to the clipboard that tells others of a result, and show it for the mouse to select."""

    text: str


class EndRun:
    """End the run from level to level that is played, for good, and show what it came to."""


class ShowRuns(Value):
    """Show all runs that this course is one of."""

    course: Course


Reaction = (
    Quit
    | Open
    | Close
    | Start
    | Browse
    | Solve
    | Watch
    | StopSearch
    | ShowReplay
    | TakeOver
    | Plan
    | Perform
    | Copy
    | Share
    | EndRun
    | ShowRuns
)
