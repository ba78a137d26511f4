"""``sokoterm [play] [PACK ...]``: the player.  Its first paint waits for every import here."""

from argparse import ArgumentTypeError

from sokoterm.tui.options import FASTEST, PlayOptions
from sokoterm.verbs.output import complain
from sokoterm.verbs.parser import PackArguments, Parser, count


class PlayArguments(PackArguments):
    """The flags of ``play``."""

    level: int | None
    theme: str | None
    cell: int | None
    color: bool | None
    keys: str | None
    mouse: bool | None
    animation: int | None
    data_dir: str | None


def run(arguments: list[str], parser: Parser | None = None) -> int:
    """Plays until the player leaves; the exit status of the player."""
    parser = parser or Parser("play", "Play packs of levels.", "sokoterm play levels.txt -l 3")
    _add_arguments(parser)
    parsed = parser.parse(arguments, PlayArguments())
    return open_player(parsed)


def open_player(parsed: PlayArguments, lurd: str | None = None) -> int:
    """The player as the flags want it, in replay where there are moves; its exit status."""
    from sokoterm.tui.player import run as run_player

    options = PlayOptions(
        tuple(parsed.packs),
        parsed.level,
        parsed.theme,
        parsed.cell,
        parsed.color,
        parsed.keys,
        parsed.mouse,
        parsed.animation,
        parsed.data_dir,
        lurd,
        *parsed.reading,
    )
    return run_player(options, complain)


def add_look(parser: Parser) -> None:
    """The flags of how the player looks and listens."""
    from sokoterm.tui.theme import THEMES

    names = [theme.name for theme in THEMES]
    parser.add_argument("--theme", choices=names, help=f"glyphs: {', '.join(names)}", metavar="NAME")
    parser.add_argument("--ascii", dest="theme", action="store_const", const="ascii", help="short for --theme ascii")
    parser.add_argument("--cell", type=int, choices=(1, 2), help="columns of a square; default: 2 where they fit")
    parser.add_argument("--no-color", dest="color", action="store_const", const=False, help="no colour")
    parser.add_argument("--keys", choices=("vi", "wasd"), help="letters that move, beside the arrows")
    parser.add_argument("--no-mouse", dest="mouse", action="store_const", const=False, help="leave the mouse alone")
    shown = f"moves shown in a second, at most {FASTEST}; 0: at once"
    parser.add_argument("--animation", type=_speed, metavar="N", help=shown)


def _speed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= FASTEST):
        raise ArgumentTypeError(f"found {text!r}, expected moves a second: a whole number from 0 to {FASTEST}")
    return int(text)


def _add_arguments(parser: Parser) -> None:
    parser.add_packs()
    parser.add_argument("-l", "--level", type=count, metavar="N", help="begin at level N")
    add_look(parser)
    parser.add_data_dir()
