"""Words for the panel beside the board in a wide window."""

from sokoterm.app.play import PlayModel
from sokoterm.language import _
from sokoterm.wording.columns import folded
from sokoterm.wording.figures import clock_time
from sokoterm.wording.kinds import kind_text
from sokoterm.wording.packs import words_of


class PanelWords:
    """The words about a level in play."""

    def __init__(self, play: PlayModel, end_key: str, *, has_timer: bool) -> None:
        """``end_key`` is the key that ends a run; ``has_timer``: the player wants to see the time."""
        self._play = play
        self._end_key = end_key
        self._has_timer = has_timer
        self._words = words_of(play.pack_session)

    @property
    def heading(self) -> str:
        """``First Steps 3/24``."""
        return self._words.heading(self._play.level)

    @property
    def title(self) -> str:
        """The title of the level; empty if the heading says as much."""
        return self._words.title_below_heading(self._play.level)

    @property
    def author(self) -> str:
        """``by A. Person``; empty if nobody is named."""
        author = self._words.author(self._play.level)
        return _("by {author}", author=author) if author else ""

    @property
    def kind(self) -> str:
        """``colours and sliding``; empty for ordinary Sokoban."""
        return kind_text(self._play.level.board)

    def comment(self, width: int) -> list[str]:
        """The comment in lines of a width."""
        play = self._play
        lines = self._words.comment(play.level, self._end_key, is_solved=play.game.is_solved)
        return [part for line in lines for part in folded(line, width)]

    @property
    def bookmarks(self) -> str:
        """``bookmarks: a b``; empty without any."""
        names = " ".join(sorted(self._play.game.bookmarks))
        return _("bookmarks: {names}", names=names) if names else ""

    @property
    def time(self) -> str:
        """``time 2:41``, as of the last key; empty if it is not wanted."""
        return _("time {time}", time=clock_time(self._play.seconds)) if self._has_timer else ""
