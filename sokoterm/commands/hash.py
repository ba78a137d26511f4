"""``sokoterm hash``: prints the ids of levels."""

from sokoterm.commands.support.levels import Chosen, LevelFlags, Look, Work
from sokoterm.commands.support.output import Column, Table, json_line, print_rows
from sokoterm.commands.support.parser import Parser
from sokoterm.commands.support.results import CountingJob, RecordedFlags
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Ids, exact_id, ids
from sokoterm.language import _

# For a worker that only draws levels.
_MEMORY = 64 << 20


class _HashJob(CountingJob):
    """The ids of levels, with the results in a file.  Levels drawn alike have the same."""

    name = "hash"

    def key(self, level: Level) -> str:
        """Return the picture of a level, and of one with colours or ice, which that does not show, an id."""
        return level.xsb() if level.board.is_ordinary else exact_id(level)

    def work(self, __: Chosen) -> Work:
        return _ids_of

    def json_of(self, chosen: Chosen, text: str) -> str:
        found = ids(chosen.level)
        if text not in ("", json_line(found)):
            raise ValueError(f"{text!r:.80}")
        return _json(chosen, found)


def _ids_of(level: Level, __: Look) -> str:
    return json_line(ids(level))


def run(arguments: list[str]) -> int:
    """Print a line for each level, on a terminal below a heading."""
    parser = Parser(
        "hash",
        _(
            "Print the ids of levels: the level hash, Unique-Id and Exact-Id. The first two are the same for a level "
            "turned, mirrored, decorated, or with the player elsewhere in its area."
        ),
        "sokoterm hash levels.txt -l 2-9,14",
    )
    level_flags = LevelFlags(parser)
    as_json = parser.switch("--json", help=_("print a JSON object for each level"))
    recorded = RecordedFlags(parser, level_flags)
    parser.parse(arguments)
    if recorded.are_given(json=as_json.value):
        return recorded.run(_HashJob(), _MEMORY)
    levels = level_flags.levels()
    if as_json.value:
        for chosen in levels:
            print(_json(chosen, ids(chosen.level)))
        return levels.status
    widths = ((_("level hash"), 32), ("Unique-Id", 16), ("Exact-Id", 16), (_("level"), 0))
    table = Table(*(Column(heading, width, is_text=True) for heading, width in widths))
    for index, chosen in enumerate(levels):
        if not index:
            print_rows([table.heading])
        print_rows([table.row(*ids(chosen.level), chosen.heading)])
    return levels.status


def _json(chosen: Chosen, found: Ids) -> str:
    return json_line({**chosen.place, **dict(zip(("hash", "unique_id", "exact_id"), found, strict=True))})
