"""``sokoterm play [PACK ...]``, and ``sokoterm`` with any of its flags: the first paint waits for every import here."""

from argparse import ArgumentTypeError

from sokoterm.tui.options import FASTEST, PlayOptions
from sokoterm.verbs.open_player import open_player
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
    may_be_verb = parser is not None
    parser = parser or Parser("play", "Play packs of levels.", "sokoterm play levels.txt -l 3")
    add_arguments(parser)
    parsed = parser.parse(arguments, PlayArguments())
    return open_player(options_of(parsed), may_be_verb=may_be_verb)


def options_of(parsed: PlayArguments, lurd: str | None = None) -> PlayOptions:
    """What the flags ask of the player, in replay where there are moves."""
    return PlayOptions(
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


def add_look(parser: Parser) -> None:
    """The flags of how the player looks and listens."""
    from sokoterm.tui.theme import THEMES

    names = [theme.name for theme in THEMES]
    parser.add_argument("--theme", choices=names, help=f"glyphs: {', '.join(names)}", metavar="NAME")
    parser.add_argument("--ascii", dest="theme", action="store_const", const="ascii", help="short for --theme ascii")
    parser.add_argument("--cell", type=int, choices=(1, 2), help="columns of a square; default: 2 where they fit")
    parser.add_argument("--no-color", dest="color", action="store_const", const=False, help="no colour")
    parser.add_argument("--keys", choices=("vi", "wasd"), help="letters that move, beside the arrows")
    parser.add_argument(
        "--no-mouse",
        dest="mouse",
        action="store_const",
        const=False,
        help="no clicks: the terminal selects text by the mouse",
    )
    shown = f"moves shown in a second, at most {FASTEST}; 0: at once"
    parser.add_argument("--animation", type=_speed, metavar="N", help=shown)


def _speed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= FASTEST):
        raise ArgumentTypeError(f"found {text!r}, expected moves a second: a whole number from 0 to {FASTEST}")
    return int(text)


def add_arguments(parser: Parser) -> None:
    """Everything that ``play`` takes."""
    parser.add_packs("those that ship and your library")
    parser.add_argument("-l", "--level", type=count, metavar="N", help="begin at level N")
    add_look(parser)
    parser.add_data_dir()
