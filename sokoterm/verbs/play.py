"""``sokoterm [play] [PACK ...]``: the player.  Its first paint waits for every import here."""

import gc
import os
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
    may_be_verb = parser is not None
    parser = parser or Parser("play", "Play packs of levels.", "sokoterm play levels.txt -l 3")
    _add_arguments(parser)
    parsed = parser.parse(arguments, PlayArguments())
    return open_player(parsed, may_be_verb=may_be_verb)


def open_player(parsed: PlayArguments, lurd: str | None = None, *, may_be_verb: bool = False) -> int:
    """The player as the flags want it, in replay where there are moves; its exit status.

    ``may_be_verb`` says that what is no file may be meant as a verb.
    """
    from sokoterm.tui.player import run as run_player

    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    missing = [path for path in parsed.packs if _is_missing(path)]
    if missing and len(missing) == len(parsed.packs):
        for index, path in enumerate(missing):
            complain(_no_such(path, may_be_verb=may_be_verb and index == 0))
        return 2
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


def _is_missing(path: str) -> bool:
    return path != "-" and "://" not in path and "\0" not in path and not os.path.lexists(path)


def _no_such(path: str, *, may_be_verb: bool) -> str:
    """What is wrong with a path at which there is nothing, with the verb that is most like it where it may be one."""
    if not may_be_verb or not path.replace("-", "").isalpha():
        return f"{path}: cannot be read: No such file or directory"
    from difflib import get_close_matches

    from sokoterm.verbs import VERBS

    near = get_close_matches(path.lower(), VERBS, 1)
    return f"{path}: found no such verb or file" + (f"; is it {near[0]}?" if near else " (--help names the verbs)")


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


def _add_arguments(parser: Parser) -> None:
    parser.add_packs("those that ship and your library")
    parser.add_argument("-l", "--level", type=count, metavar="N", help="begin at level N")
    add_look(parser)
    parser.add_data_dir()
