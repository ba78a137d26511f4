"""``sokoterm link``: prints the link to a level on a web page."""

from sokoterm.commands.support.levels import MovesFlags, OneLevelFlags, solution_of
from sokoterm.commands.support.library import kept_moves
from sokoterm.commands.support.output import complain
from sokoterm.commands.support.parser import Parser
from sokoterm.formats.write_text import to_link
from sokoterm.language import _
from sokoterm.store.paths import config_file
from sokoterm.store.settings import LINK_PAGE, read_config
from sokoterm.tui.widgets.theme import THEMES


def run(arguments: list[str]) -> int:
    """Print the link; raises InputError for moves that do not solve the level, or if no solution is known."""
    parser = Parser(
        "link",
        _(
            "Print a link that shows a level on a web page. sokoterm itself reads such links as packs, in files and "
            "when pasted, with title, author, colours, ice and solution, which the page may ignore.\n\n"
            "--solution adds your best solution or, if you have none, the best one known; --moves adds another one."
        ),
        "sokoterm link levels.txt -l 3 --solution",
    )
    one_level = OneLevelFlags(parser)
    has_solution = parser.switch("--solution", help=_("add the best solution"))
    moves_flags = MovesFlags(parser, one_level)
    text = _("address of the page; default: link_page in the settings, else {page}", page=LINK_PAGE)
    page = parser.flag("--page", metavar="ADDRESS", help=text)
    parser.parse(arguments)
    if has_solution.value and moves_flags.are_given:
        parser.error(_("{flag} and {other} cannot be combined", flag="--solution", other="--moves"))
    moves = moves_flags.read() if moves_flags.are_given else None
    chosen = one_level.chosen()
    lurd = solution_of(chosen.level, moves).lurd if moves is not None else ""
    if has_solution.value:
        lurd = kept_moves(chosen, parser.folder)
    level = chosen.level.replace(author=chosen.level.author or chosen.author)
    print(to_link(level, page.value or _page(), lurd))
    return 0


def _page() -> str:
    config = read_config(config_file(), [theme.name for theme in THEMES])
    for problem in config.problems:
        complain(problem)
    return config.settings.link_page or LINK_PAGE
