"""``sokoterm play [PACK ...]``, and ``sokoterm`` without a verb. Every import here delays the first picture."""

from argparse import ArgumentTypeError
from typing import NoReturn

from sokoterm import __version__
from sokoterm.app.options import PlayOptions, Series
from sokoterm.commands import HOST, VERBS
from sokoterm.commands.support.opening import open_player, verb_meant
from sokoterm.commands.support.output import InputError, complain
from sokoterm.commands.support.parser import PackFlags, Parser, Reading, count, count_up_to, positive
from sokoterm.language import N_, _
from sokoterm.pictures import SKINS
from sokoterm.store.paths import is_account_name
from sokoterm.store.settings import FASTEST, KEY_PROFILES, PALETTE_NAMES, ZOOMS, Settings
from sokoterm.tui.widgets.theme import THEMES

_MOST_MINUTES = 10_000  # a week
_MOST_MEGABYTES = 1_000_000
# Fields of the options that are hosting flags.
_HOSTING = ("is_hosted", "account", "idle_minutes", "quota", "scores")
_WRONG_MEGABYTES = N_("found {found!r}, expected megabytes: a whole number from {least} to {most:,}")
_WRONG_RATE = N_("found {found!r}, expected moves per second: a whole number from {least} to {most:,}")


class _MainParser(Parser):
    def error(self, message: str) -> NoReturn:
        """Report a misplaced or misspelled verb rather than a problem with its flags."""
        is_first = not "".join(self.words[:1]).startswith("-")
        words = self.words if is_first else [word for word in self.words if word in VERBS]
        if meant := verb_meant("".join(words[:1])):
            complain(meant)
            raise SystemExit(2)
        super().error(message)


def main_parser() -> Parser:
    """Make the parser of sokoterm without a verb, which plays, or prints help or the version."""
    verbs = "\n".join(f"  {verb:<11} {_(summary)}" for verb, summary in VERBS.items())
    explains = _("sokoterm VERB --help explains a verb; use ./VERB for a pack of that name")
    parser = _MainParser(
        "",
        _("Sokoban in a terminal: play packs, resume, replay, and watch the solver."),
        "sokoterm levels.txt",
        "\n".join((_("verbs:"), verbs, "", f"  {explains}")),
    )
    text = _("show program's version number and exit")
    parser.add_argument("--version", action="version", version=f"sokoterm {__version__}", help=text)
    return parser


def run(arguments: list[str], parser: Parser | None = None) -> int:
    """Play until the player leaves; return the exit status of the player."""
    may_be_verb = parser is not None
    parser = parser or Parser("play", _("Play packs of levels."), "sokoterm play levels.txt -l 3")
    packs = PackFlags(parser, _("the bundled packs and your library, or First Steps with -l"))
    level = parser.flag("-l", "--level", parse=count, metavar="N", help=_("begin at level N"))
    player = PlayerFlags(parser, hosts=True)
    parser.parse(arguments)
    options = player.options(packs, level.value)
    return open_player(options, may_be_verb=may_be_verb and not options.is_hosted)


class PlayerFlags:
    """The player's flags for looks and input, most of them named after fields of Settings."""

    def __init__(self, parser: Parser, *, hosts: bool = False) -> None:
        """``hosts``: include the flags for hosting other players."""
        self._parser = parser
        names = [theme.name for theme in THEMES]
        text = _(
            "{names}; default: pictures or tiles if the terminal can show them, else ascii", names=", ".join(names)
        )
        parser.add_argument("--theme", choices=names, help=text, metavar="NAME")
        text = _("short for --theme ascii")
        parser.add_argument("--ascii", dest="theme", action="store_const", const="ascii", help=text)
        text = _("columns per square: 1, 2, in tiles and pictures also 4, 6, 8, 10, 12 or 16; default: as many as fit")
        parser.add_argument("--zoom", "--cell", dest="cell", type=int, choices=ZOOMS, help=text, metavar="N")
        text = _("colours of painted boards: dark or light; default: to match the terminal's background")
        parser.add_argument("--palette", choices=PALETTE_NAMES, help=text, metavar="NAME")
        text = _("sprites for the theme pictures: {skins}, or your own (docs/skins.md)", skins=", ".join(SKINS))
        parser.add_argument("--skin", help=text, metavar="NAME")
        parser.add_argument("--no-color", dest="color", action="store_const", const=False, help=_("no colour"))
        parser.add_argument("--keys", choices=KEY_PROFILES, help=_("letters that move, besides the arrows"))
        text = _("no clicks; the mouse selects text in the terminal")
        parser.add_argument("--no-mouse", dest="mouse", action="store_const", const=False, help=text)
        text = _("commands and answers as lines, for screen readers and terminals without a cursor")
        parser.add_argument("--plain", action="store_const", const=True, help=text)
        text = _("moves shown per second, at most {most}; 0: no animation", most=FASTEST)
        parser.add_argument("--animation", type=count_up_to(FASTEST, 0, _WRONG_RATE), metavar="N", help=text)
        text = _("for a slow connection: small boards, no animation, no frame before the last one has arrived")
        parser.add_argument("--slow-link", action="store_const", const=True, help=text)
        parser.add_argument("--stats", action="store_true", help=_("print the traffic of the session when it ends"))

        self._hosting = _HOSTING if hosts else ()
        if hosts:
            self._add_hosting(parser)

    @staticmethod
    def _add_hosting(parser: Parser) -> None:
        minutes = positive(N_("found {found!r}, expected minutes: a number over 0, at most {most}"), _MOST_MINUTES)
        megabytes = count_up_to(_MOST_MEGABYTES, 1, _WRONG_MEGABYTES)
        group = parser.add_argument_group(_("hosting (sokoterm help hosting)"))
        text = _("for use by sshd: no way out of the game")
        parser.switch(HOST, dest="is_hosted", group=group, help=text)
        text = _("keep progress under this name, for people who share a login")
        parser.flag("--account", group=group, parse=_account, metavar="NAME", help=text)
        text = _("save and quit after this long without a key")
        parser.flag("--idle", dest="idle_minutes", group=group, parse=minutes, metavar="MINUTES", help=text)
        text = _("largest size of an account's progress")
        parser.flag("--quota", group=group, parse=megabytes, metavar="MB", help=text)
        text = _("score table shared by all accounts, a database they can all write to")
        parser.flag("--scores", group=group, metavar="FILE", help=text)
        text = _("refused: a command for a login shell")
        parser.flag("-c", dest="command", group=group, metavar="COMMAND", help=text)

    def options(
        self, packs: PackFlags | None = None, level: int | None = None, series: Series | None = None
    ) -> PlayOptions:
        """Make the player's options, with the bundled packs by default; raises InputError for a command."""
        values = self._parser.values
        if self._hosting and values.command is not None:
            raise InputError(_("commands are not allowed: this account only plays Sokoban"))
        reading = packs.reading if packs is not None else Reading(data_dir=self._parser.data_dir)
        return PlayOptions(
            packs=tuple(packs.packs) if packs is not None else (),
            level=level,
            settings=Settings._make(getattr(values, name, None) for name in Settings._fields),
            data_dir=reading.data_dir,
            limits=reading.limits,
            encoding=reading.encoding,
            stats=values.stats,
            series=series,
            **{name: getattr(values, name) for name in self._hosting},
        )


def _account(text: str) -> str:
    if not is_account_name(text):
        problem = N_("found {found!r}, expected at most 32 letters, digits and . _ - @, a letter or digit first")
        raise ArgumentTypeError(_(problem, found=text))
    return text
