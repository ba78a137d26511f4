"""What is said of a level that begins."""

from collections.abc import Iterator

from sokoterm.engine.printable import printable
from sokoterm.plain.look import board_lines
from sokoterm.plain.speech import counted, place
from sokoterm.plain.turns import Turns
from sokoterm.tui.offers import figures_of
from sokoterm.tui.screens.play_view import first_line


def heading(turns: Turns) -> Iterator[str]:
    """What there is to know of a level that begins, and the board."""
    play = turns.play
    course, level, board = play.course, play.level, play.level.board
    title = printable(level.title.strip())
    author = printable((level.author or course.pack.author).strip())
    named = f": {title}" if title and title != str(level.number) else ""
    yield f"{course.name}, level {level.number} of {course.pack.size}{named}{f', by {author}' if author else ''}"
    if comment := first_line(level.comment):
        yield comment
    size = f"{counted(board.height, 'row')}, {counted(board.width, 'column')}"
    yield f"{size}, {counted(level.boxes, 'box', 'boxes')}; you are at {place(board, turns.state.player)}"
    yield from board_lines(level, turns.state, turns.names())
    if play.game.moves or play.game.can_redo:
        yield f"as you left it: {turns.status()}"
    best = course.best(level).by_moves
    if best:
        yield f"you have solved it in {figures_of(best)}"
    if news := turns.news():
        yield news
