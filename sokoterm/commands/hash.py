"""``sokoterm hash``: prints the ids of levels."""

from sokoterm.commands.support.levels import Chosen, LevelFlags, Look, Work
from sokoterm.commands.support.output import Column, Table, json_line, print_rows
from sokoterm.commands.support.parser import Parser
from sokoterm.commands.support.results import CountingJob, RecordedFlags
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Ids, exact_id, ids
from sokoterm.language import _

# Enough for a worker that only draws levels.
_MEMORY = 64 << 20


class _HashJob(CountingJob):
    """Job that writes the ids of levels to a file; levels with the same picture have the same ids."""

    name = "hash"

    def key(self, level: Level) -> str:
        """Return the picture of a level or, if it has colours or ice, which the picture does not show, an id."""
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
    parser = Parser(
        "hash",
        _(
            "Print the ids of levels: the level hash, Unique-Id and Exact-Id. The first two do not depend on "
            "orientation, decoration, or the player's place within its area."
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
