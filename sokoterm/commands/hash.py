"""``sokoterm hash``: prints the ids of levels."""

from sokoterm.commands.support.levels import Chosen, LevelChoice, Levels, add_levels
from sokoterm.commands.support.output import json_line, print_row
from sokoterm.commands.support.parser import PackArguments, Parser
from sokoterm.commands.support.table import Column, Table
from sokoterm.engine.levelhash import ids

_TABLE = Table(
    *(Column(name, width, is_text=True) for name, width in (("level hash", 32), ("Unique-Id", 16), ("Exact-Id", 16))),
    Column("level", is_text=True),
)


class _HashArguments(PackArguments):
    level: LevelChoice | None
    json: bool


def run(arguments: list[str]) -> int:
    """Print a line for each level, on a terminal below a heading."""
    parser = Parser(
        "hash",
        "Print the ids of levels: the level hash, Unique-Id and Exact-Id.  The first two are the same for a level\n"
        "turned, mirrored, decorated, or with the player elsewhere in its area.",
        "sokoterm hash levels.txt -l 2-9,14",
    )
    add_levels(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object for each level")
    parsed = parser.parse(arguments, _HashArguments())
    levels = Levels(parsed.packs, parsed.level, reading=parsed.reading)
    if parsed.json:
        for chosen in levels:
            print(_json(chosen))
        return levels.status
    for index, chosen in enumerate(levels):
        if not index:
            print_row(_TABLE.heading)
        print_row(_TABLE.row(*ids(chosen.level), chosen.heading))
    return levels.status


def _json(chosen: Chosen) -> str:
    level = chosen.level
    level_hash, unique_id, exact_id = ids(level)
    return json_line(
        {
            "pack": chosen.pack,
            "level": level.number,
            "title": level.title,
            "hash": level_hash,
            "unique_id": unique_id,
            "exact_id": exact_id,
        }
    )
