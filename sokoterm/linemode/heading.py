"""What is said of a level that begins."""

from collections.abc import Iterator

from sokoterm.engine.text import counted, printable
from sokoterm.linemode.look import board_lines
from sokoterm.linemode.play_commands import PlayCommands
from sokoterm.linemode.speech import place
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.packs import words_of


def heading(play_commands: PlayCommands) -> Iterator[str]:
    """What there is to know of a level that begins, and the board."""
    play = play_commands.play
    pack_session, level, board = play.pack_session, play.level, play.level.board
    title = printable(level.title.strip())
    author = printable((level.author or pack_session.pack.author).strip())
    spoken = words_of(pack_session).spoken_heading(level)
    named = f": {title}" if title and title not in (str(level.number), spoken) else ""
    yield f"{spoken}{named}{f', by {author}' if author else ''}"
    if comment := play_commands.comment:
        yield comment
    size = f"{counted(board.height, 'row')}, {counted(board.width, 'column')}"
    yield f"{size}, {counted(level.boxes, 'box')}; you are at {place(board, play_commands.state.player)}"
    yield from board_lines(level, play_commands.state, play_commands.names())
    if play.game.moves or play.game.can_redo:
        yield f"as you left it: {play_commands.status()}"
    best = pack_session.best(level).by_moves
    if best:
        yield f"you have solved it in {moves_and_pushes(best)}"
    if news := play_commands.news():
        yield news
