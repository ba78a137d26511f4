"""What is said of a level that begins."""

from collections.abc import Iterator

from sokoterm.engine.text import counted, printable
from sokoterm.linemode.look import board_lines
from sokoterm.linemode.play_commands import PlayCommands
from sokoterm.linemode.speech import place
from sokoterm.tui.phrases import moves_and_pushes


def heading(turns: PlayCommands) -> Iterator[str]:
    """What there is to know of a level that begins, and the board."""
    play = turns.play
    course, level, board = play.course, play.level, play.level.board
    title = printable(level.title.strip())
    author = printable((level.author or course.pack.author).strip())
    spoken = course.spoken_heading(level)
    named = f": {title}" if title and title not in (str(level.number), spoken) else ""
    yield f"{spoken}{named}{f', by {author}' if author else ''}"
    if comment := turns.comment:
        yield comment
    size = f"{counted(board.height, 'row')}, {counted(board.width, 'column')}"
    yield f"{size}, {counted(level.boxes, 'box')}; you are at {place(board, turns.state.player)}"
    yield from board_lines(level, turns.state, turns.names())
    if play.game.moves or play.game.can_redo:
        yield f"as you left it: {turns.status()}"
    best = course.best(level).by_moves
    if best:
        yield f"you have solved it in {moves_and_pushes(best)}"
    if news := turns.news():
        yield news
