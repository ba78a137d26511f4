"""``sokoterm replay``: shows moves in the player, prints each board, or writes recordings and pictures."""

import os
import re
from argparse import ArgumentTypeError
from collections.abc import Iterator

from sokoterm.app.options import PlayOptions
from sokoterm.app.replay import Replay
from sokoterm.commands.play import PlayerFlags
from sokoterm.commands.support.levels import Chosen, MovesFlags, OneLevelFlags
from sokoterm.commands.support.library import kept_moves
from sokoterm.commands.support.opening import flags_given, open_player
from sokoterm.commands.support.output import InputError
from sokoterm.commands.support.parser import Parser, count_up_to
from sokoterm.commands.support.results import write_data
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import MOST_STEPS, parse_lurd
from sokoterm.engine.text import printable, whole_number
from sokoterm.language import N_, _
from sokoterm.store.settings import Settings
from sokoterm.tui.widgets.frame import Size
from sokoterm.tui.widgets.theme import THEMES, find_theme
from sokoterm.tui.widgets.tiles import DARK, PALETTES

_MOVES_PER_SECOND = 5  # in files; slow enough to follow
_HEAD_BYTES = 4096
# The start of a file that may be replaced, and the complaint about any other file.
_KINDS = {
    "--cast": (rb'\s*\{.*"version"', N_("{path}: not replaced: it is not a recording")),
    "--svg": (rb".*<svg[\s>]", N_("{path}: not replaced: it is not an SVG picture")),
    "--png": (rb"\x89PNG", N_("{path}: not replaced: it is not a PNG picture")),
    "--gif": (rb"GIF8", N_("{path}: not replaced: it is not a GIF picture")),
}
_MOST_SIDE = 1000


class _OutputFlags:
    """The flags for printing or writing instead of playing."""

    def __init__(self, parser: Parser) -> None:
        self.print = parser.switch("--print", help=_("print the board after every move instead"))
        group = parser.add_argument_group(_("recordings and pictures"))
        text = _("write a recording of a terminal (asciicast v2, for asciinema)")
        self.cast = parser.flag("--cast", group=group, metavar="OUT", help=text)
        text = _("size of that terminal; default: 80x24, or more for a large level")
        self.size = parser.flag("--size", group=group, parse=_size, metavar="COLSxROWS", help=text)
        text = _("write an animated picture, for a browser")
        self.svg = parser.flag("--svg", group=group, metavar="OUT", help=text)
        text = _("write a picture in pixel art: the start, or the position of --at")
        self.png = parser.flag("--png", group=group, metavar="OUT", help=text)
        text = _("write an animated picture in pixel art")
        self.gif = parser.flag("--gif", group=group, metavar="OUT", help=text)
        text = _("with --svg or --png: the position after N moves, a still picture")
        self.at = parser.flag("--at", group=group, parse=count_up_to(MOST_STEPS, 0), metavar="N", help=text)

    @property
    def files(self) -> dict[str, str]:
        flags = {"--cast": self.cast, "--svg": self.svg, "--png": self.png, "--gif": self.gif}
        return {flag: option.value for flag, option in flags.items() if option.value is not None}

    @property
    def of_moves(self) -> set[str]:
        """The flags of files that show moves rather than one position."""
        return self.files.keys() & {"--cast", "--gif", *["--svg"] * (self.at.value is None)}

    def check(self, parser: Parser, options: PlayOptions) -> None:
        """Exit with a complaint if flags contradict each other; ``options`` are the player's."""
        files = self.files
        if self.print.value and files:
            parser.error(_("{flag} and {other} cannot be combined", flag="--print", other=next(iter(files))))
        for path in files.values():
            if [*files.values()].count(path) > 1:
                parser.error(_("{path}: use a different file for each flag", path=path))
        for flag, value, others in (
            ("--size", self.size.value, ["--cast"]),
            ("--at", self.at.value, ["--svg", "--png"]),
        ):
            if value is not None and not files.keys() & {*others}:
                parser.error(_("{flag} requires {other}", flag=flag, other=others[0]))
        if options.settings.animation == 0 and files:
            parser.error(_("a recording requires --animation of at least 1 move per second"))
        used = ["--palette"] if files else []
        if files.keys() & {"--cast", "--svg"}:
            used += ["--theme", "--cell", "--no-color"]
        used += ["--skin"] * bool(files.keys() & {"--png", "--gif"})
        used += ["--animation"] * bool(self.of_moves)
        unused = [flag for flag in flags_given(options) if flag not in used]
        if unused and self.print.value:
            parser.error(_("{flag} has no effect on printed output", flag=unused[0]))
        if unused and files:
            parser.error(_("{flag} has no effect on written files", flag=unused[0]))


def run(arguments: list[str]) -> int:
    """Open the player in replay, print or write; raises InputError for invalid moves."""
    parser = Parser(
        "replay",
        _(
            "Show moves in the player, step by step; they need not solve the level. Without --moves, your best "
            "solution is shown or, if you have none, the best one known: from the level's file, from another pack in "
            "your library, or found by sokoterm. A line on stderr then names its source.\n\n"
            "--cast, --svg, --png and --gif write files instead, without a terminal, at --animation moves per second "
            "(default: {rate}). OUT may be - for stdout, or a file of the same kind, which is replaced.",
            rate=_MOVES_PER_SECOND,
        ),
        "sokoterm replay levels.txt -l 3 --moves rruLLd",
    )
    one_level = OneLevelFlags(parser)
    moves_flags = MovesFlags(parser, one_level)
    outputs = _OutputFlags(parser)
    player = PlayerFlags(parser)
    parser.parse(arguments)
    options = player.options(one_level, one_level.number.value)
    outputs.check(parser, options)
    is_played = not outputs.print.value and not outputs.files
    moves = moves_flags.read() if moves_flags.are_given else None
    if moves is None and is_played and "-" in options.packs:
        raise InputError(_("a pack on standard input requires --moves"))
    if is_played and moves is not None and (options.level is not None or "-" in options.packs):
        return open_player(options._replace(lurd=moves.letters))
    chosen = one_level.chosen()
    if moves is not None:
        lurd = moves.letters(chosen.level)
    else:
        needs_moves = not outputs.files or outputs.of_moves or outputs.at.value
        lurd = kept_moves(chosen, parser.folder) if needs_moves else ""
    if is_played:
        return open_player(options._replace(level=chosen.level.number, lurd=lambda __: lurd))
    if outputs.print.value:
        for board in _boards(chosen.level, lurd):
            print(board)
    else:
        _write(outputs, options.settings, chosen, lurd)
    return 0


def _write(outputs: _OutputFlags, settings: Settings, chosen: Chosen, lurd: str) -> None:
    """Make all files, then write them; raises InputError if one may not or cannot be written."""
    level, files = chosen.level, outputs.files
    speed = settings.animation or _MOVES_PER_SECOND
    for flag, path in files.items():
        _check_kind(path, *_KINDS[flag])
    at, moves = outputs.at.value or 0, len(parse_lurd(lurd))
    if at > moves:
        raise InputError(_("found --at {at}, expected a move from 0 to {moves}", at=at, moves=moves))
    made = dict[str, bytes]()
    if files.keys() & {"--cast", "--svg"}:
        # Files of pictures only.
        from sokoterm.commands.support.pictures import ReplayStyle, asciicast, svg

        title = printable(f"{chosen.title} {level.number}  {level.title.strip()}".strip())
        theme = find_theme(settings.theme or "") or THEMES[0]
        theme = theme._replace(has_pictures=False)  # those of a terminal: files have tiles instead
        palette = PALETTES.get(settings.palette or "", DARK)
        style = ReplayStyle(theme, settings.cell or 0, settings.color is not False, speed, palette)
        if "--cast" in files:
            width, height = level.board.width * (settings.cell or 1), level.board.height + 2
            columns, rows = outputs.size.value or (max(80, width), max(24, height))
            timestamp = whole_number(os.environ.get("SOURCE_DATE_EPOCH", ""))
            made["--cast"] = asciicast(level, lurd, title, style, Size(rows, columns), timestamp)
        if "--svg" in files:
            made["--svg"] = svg(level, lurd, title, style, outputs.at.value)
    if files.keys() & {"--png", "--gif"}:
        # The same.
        from sokoterm.commands.support.sprites import animated_gif, skin_of, still_png

        skin = skin_of(settings)
        if "--png" in files:
            made["--png"] = still_png(level, lurd, skin, at)
        if "--gif" in files:
            made["--gif"] = animated_gif(level, lurd, skin, speed)
    for flag, data in made.items():
        write_data(files[flag], data)


def _check_kind(path: str, begin: bytes, problem: str) -> None:
    """Raise InputError with the text ``problem`` if ``path`` exists and does not start with ``begin``."""
    if path == "-" or not os.path.isfile(path) or not os.path.getsize(path):
        return
    with open(path, "rb") as file:
        head = file.read(_HEAD_BYTES)
    if not re.match(begin, head, re.DOTALL):
        raise InputError(_(problem, path=path))


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,4})[xX]([0-9]{1,4})", text)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (20 <= columns <= _MOST_SIDE and 6 <= rows <= _MOST_SIDE):
        problem = N_("found {found!r}, expected columns and rows such as 80x24, from 20x6 to {most}x{most}")
        raise ArgumentTypeError(_(problem, found=text, most=_MOST_SIDE))
    return columns, rows


def _boards(level: Level, lurd: str) -> Iterator[str]:
    playback = Replay(level, "", lurd)
    for k in range(playback.moves + 1):
        playback.show(k)
        pushes = f"{playback.pushes_shown}/{playback.pushes}"
        place = _("move {move} push {push}", move=f"{k}/{playback.moves}", push=pushes)
        yield f"{place}\n{level.xsb(playback.state)}\n"
