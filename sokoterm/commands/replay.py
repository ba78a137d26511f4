"""``sokoterm replay``: moves shown in the player, printed board by board, or written as a recording or a picture."""

import os
import re
from argparse import ArgumentTypeError
from collections.abc import Iterator
from itertools import chain

from sokoterm.app.options import PlayOptions
from sokoterm.commands.play import PlayerFlags
from sokoterm.commands.support.levels import Chosen, MovesFlags, OneLevelFlags
from sokoterm.commands.support.library import kept_moves
from sokoterm.commands.support.opening import flags_given, open_player
from sokoterm.commands.support.output import InputError
from sokoterm.commands.support.parser import Parser, count_up_to
from sokoterm.commands.support.results import write_data
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import MOST_STEPS, parse_lurd, play
from sokoterm.engine.text import printable, whole_number
from sokoterm.language import N_, _
from sokoterm.store.settings import Settings
from sokoterm.tui.widgets.frame import Size
from sokoterm.tui.widgets.theme import THEMES, find_theme
from sokoterm.tui.widgets.tiles import DARK, PALETTES

_MOVES_PER_SECOND = 5  # in files; slow enough to follow
_HEAD_BYTES = 4096
_MOST_SIDE = 1000


class _OutputFlags:
    """The flags of what is printed or written in place of the player."""

    def __init__(self, parser: Parser) -> None:
        self.print = parser.switch("--print", help=_("print the board of every move instead"))
        group = parser.add_argument_group(_("recordings and pictures"))
        text = _("write a recording of a terminal (asciicast v2, for asciinema)")
        self.cast = parser.flag("--cast", group=group, metavar="OUT", help=text)
        text = _("size of that terminal; default: 80x24, or more for a large level")
        self.size = parser.flag("--size", group=group, parse=_size, metavar="COLSxROWS", help=text)
        text = _("write an animated picture, for a browser")
        self.svg = parser.flag("--svg", group=group, metavar="OUT", help=text)
        text = _("with --svg: the position after N moves, a still picture")
        self.at = parser.flag("--at", group=group, parse=count_up_to(MOST_STEPS, 0), metavar="N", help=text)

    @property
    def are_files(self) -> bool:
        return self.cast.value is not None or self.svg.value is not None

    def check(self, parser: Parser, options: PlayOptions) -> None:
        """End with a complaint if flags contradict each other; ``options`` are those of the player."""
        cast, svg = self.cast.value, self.svg.value
        if self.print.value and self.are_files:
            parser.error(_("found --print with --cast or --svg, expected one of them"))
        if cast is not None and cast == svg:
            parser.error(_("found {path} twice, expected another file for --svg than for --cast", path=cast))
        if self.size.value and cast is None:
            parser.error(_("found {flag} without {other}", flag="--size", other="--cast"))
        if self.at.value is not None and svg is None:
            parser.error(_("found {flag} without {other}", flag="--at", other="--svg"))
        if options.settings.animation == 0 and self.are_files:
            parser.error(_("found --animation 0, expected at least 1 move a second in a recording"))
        used = ["--theme", "--cell", "--palette", "--no-color"] if self.are_files else []
        if cast is not None or svg is not None and self.at.value is None:
            used.append("--animation")
        unused = [flag for flag in flags_given(options) if flag not in used]
        if unused and self.print.value:
            parser.error(_("found {flag}, which has no effect on what is printed", flag=unused[0]))
        if unused and self.are_files:
            parser.error(_("found {flag}, which has no effect on what is written", flag=unused[0]))


def run(arguments: list[str]) -> int:
    """Open the player in replay, print or write; raises InputError for moves that cannot be played."""
    parser = Parser(
        "replay",
        _(
            "Show moves in the player, step by step; they need not solve the level. Without --moves they are those of "
            "your best solution, else of the best that is known: from the level's file, from another pack of your "
            "library, or found by the program; a line on stderr says so.\n\n"
            "--cast and --svg write files instead, without a terminal, at --animation moves a second (default: "
            "{rate}). OUT may be - for stdout, or a file of the same kind, which is replaced.",
            rate=_MOVES_PER_SECOND,
        ),
        "sokoterm replay levels.txt -l 3 --moves rruLLd",
    )
    one_level = OneLevelFlags(parser)
    moves_flags = MovesFlags(parser, one_level)
    outputs = _OutputFlags(parser)
    player = PlayerFlags(parser)
    parser.parse(arguments)
    options = player.options(one_level, one_level.number)
    outputs.check(parser, options)
    is_played = not outputs.print.value and not outputs.are_files
    moves = moves_flags.read() if moves_flags.are_given else None
    if moves is None and is_played and "-" in options.packs:
        raise InputError(_("found a pack on standard input alone, expected --moves too"))
    if is_played and moves is not None and (options.level is not None or "-" in options.packs):
        return open_player(options._replace(lurd=moves.letters))
    chosen = one_level.chosen()
    if moves is not None:
        lurd = moves.letters(chosen.level)
    else:
        is_of_level = outputs.at.value == 0 and outputs.cast.value is None  # a picture that needs no moves
        lurd = "" if is_of_level else kept_moves(chosen, parser.folder)
    if is_played:
        return open_player(options._replace(level=chosen.level.number, lurd=lambda __: lurd))
    if outputs.print.value:
        for board in _boards(chosen.level, lurd):
            print(board)
    else:
        _write(outputs, options.settings, chosen, lurd)
    return 0


def _write(outputs: _OutputFlags, settings: Settings, chosen: Chosen, lurd: str) -> None:
    """Write the files once all are made; raises InputError if one must not or cannot be written."""
    # Files of pictures only.
    from sokoterm.commands.support.pictures import ReplayStyle, animated_svg, asciicast, still_svg

    level = chosen.level
    title = printable(f"{chosen.title} {level.number}  {level.title.strip()}".strip())
    theme = find_theme(settings.theme or "") or THEMES[0]
    speed = settings.animation or _MOVES_PER_SECOND
    palette = PALETTES.get(settings.palette or "", DARK)
    style = ReplayStyle(theme, settings.cell or 0, settings.color is not False, speed, palette)
    made: list[tuple[str, bytes]] = []
    cast, svg, at = outputs.cast.value, outputs.svg.value, outputs.at.value
    if cast is not None:
        _check_kind(cast, rb'\s*\{.*"version"', N_("{path}: not replaced: it is no recording"))
        width, height = level.board.width * (settings.cell or 1), level.board.height + 2
        columns, rows = outputs.size.value or (max(80, width), max(24, height))
        timestamp = whole_number(os.environ.get("SOURCE_DATE_EPOCH", ""))
        made.append((cast, asciicast(level, lurd, title, style, Size(rows, columns), timestamp)))
    if svg is not None:
        _check_kind(svg, rb".*<svg[\s>]", N_("{path}: not replaced: it is no SVG picture"))
        if at is None:
            picture = animated_svg(level, lurd, title, style)
        else:
            moves = len(parse_lurd(lurd))
            if at > moves:
                raise InputError(_("found --at {at}, expected a move from 0 to {moves}", at=at, moves=moves))
            picture = still_svg(level, lurd, title, style, at)
        made.append((svg, picture))
    for path, data in made:
        write_data(path, data)


def _check_kind(path: str, begin: bytes, problem: str) -> None:
    """Raise InputError with the text of the problem if ``path`` is a file that does not begin so."""
    if path == "-" or not os.path.isfile(path) or not os.path.getsize(path):
        return
    with open(path, "rb") as file:
        head = file.read(_HEAD_BYTES)
    if not re.match(begin, head, re.DOTALL):
        raise InputError(_(problem, path=path))


def _size(text: str) -> tuple[int, int]:
    """A type for argparse: columns and rows."""
    match = re.fullmatch(r"([0-9]{1,4})[xX]([0-9]{1,4})", text)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (20 <= columns <= _MOST_SIDE and 6 <= rows <= _MOST_SIDE):
        problem = N_("found {found!r}, expected columns and rows such as 80x24, from 20x6 to {most}x{most}")
        raise ArgumentTypeError(_(problem, found=text, most=_MOST_SIDE))
    return columns, rows


def _boards(level: Level, lurd: str) -> Iterator[str]:
    """Yield the start and the board after each move, each below the number of its move; raises LurdError."""
    letters = [letter for __, letter in play(level.board, level.start, parse_lurd(lurd))]
    moves, pushes, pushed = len(letters), sum(map(str.isupper, letters)), 0
    after_each = play(level.board, level.start, parse_lurd(lurd))
    for number, (state, letter) in enumerate(chain([(level.start, "")], after_each)):
        pushed += letter.isupper()
        place = _("move {move} push {push}", move=f"{number}/{moves}", push=f"{pushed}/{pushes}")
        yield f"{place}\n{level.xsb(state)}\n"
