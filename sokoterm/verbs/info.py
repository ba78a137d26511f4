"""``sokoterm info``: what is in a pack, and what is solved of it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from sokoterm.engine.deadlock import dead_squares
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.printable import printable
from sokoterm.library.paths import data_dir, progress_file
from sokoterm.library.progress import Progress
from sokoterm.verbs.levels import Chosen, LevelChoice, Levels, add_levels
from sokoterm.verbs.output import complain, json_line
from sokoterm.verbs.parser import PackArguments, Parser

_HEAD = "level     size  boxes  goals  floor   dead  solutions  hash                              title, author"


class _Arguments(PackArguments):
    level: LevelChoice | None
    data_dir: str | None
    json: bool


def run(arguments: list[str]) -> int:
    """Prints a row for each level."""
    parser = Parser(
        "info",
        "Print the figures of levels: size, boxes, goals, floor squares, dead squares, the level hash, and how many\n"
        "solutions the progress holds (the best by moves and the best by pushes, one if they are the same).",
        "sokoterm info levels.txt -l 2-9,14",
    )
    add_levels(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object for each level")
    parser.add_data_dir()
    parsed = parser.parse(arguments, _Arguments())
    levels = Levels(parsed.packs, parsed.level, reading=parsed.reading)
    pack = ""
    with _progress(progress_file(data_dir(parsed.data_dir))) as progress:
        for chosen in levels:
            solutions = _count_solutions(progress, chosen.level)
            if parsed.json:
                print(_json(chosen, solutions))
                continue
            if chosen.pack != pack:
                pack = chosen.pack
                print(f"{printable(pack)}\n{_HEAD}")
            print(_row(chosen.level, solutions))
    return levels.status


@contextmanager
def _progress(path: str) -> Iterator[Progress | None]:
    """The progress at ``path``; none where there is no file, for a look must not make one."""
    if not os.path.exists(path):
        yield None
        return
    from time import time

    progress = Progress.open(path, time)
    try:
        yield progress
    finally:
        for notice in progress.notices:
            complain(notice)
        progress.close()


def _count_solutions(progress: Progress | None, level: Level) -> int:
    if progress is None:
        return 0
    best = progress.best(level)
    return len({solution.lurd for solution in (best.by_moves, best.by_pushes) if solution})


def _row(level: Level, solutions: int) -> str:
    board = level.board
    size = f"{board.width}x{board.height}"
    texts = ", ".join(printable(text) for text in (level.title, level.author) if text)
    return (
        f"{level.number:5} {size:>8} {level.boxes:6} {board.goals.bit_count():6} {board.floor.bit_count():6} "
        f"{dead_squares(board).bit_count():6} {solutions:10}  {level_hash(level)}  {texts}"
    ).rstrip()


def _json(chosen: Chosen, solutions: int) -> str:
    level, board = chosen.level, chosen.level.board
    return json_line(
        {
            "pack": chosen.pack,
            "level": level.number,
            "title": level.title,
            "author": level.author,
            "comment": level.comment,
            "width": board.width,
            "height": board.height,
            "boxes": level.boxes,
            "goals": board.goals.bit_count(),
            "floor": board.floor.bit_count(),
            "dead_squares": dead_squares(board).bit_count(),
            "hash": level_hash(level),
            "solutions": solutions,
        }
    )
