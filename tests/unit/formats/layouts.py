"""Examples of level files in tests/data, each followed by what is read of it."""

import re
from collections.abc import Callable
from pathlib import Path

from sokoterm.engine.level import LevelError, Pack

DATA = Path(__file__).parents[2] / "data"


def layouts_in(file: str) -> dict[str, tuple[str, str]]:
    """The examples of a file by what they show: their text, and what is read of it.

    An example begins with ``@@@@`` and its name; a line ``@@@@`` stands before what is read.
    """
    whole = (DATA / file).read_text("utf-8")
    examples = re.findall(r"^@@@@ ([^\n]+)\n(.*?)^@@@@\n(.*?)(?=^@@@@ |\Z)", whole, re.M | re.S)
    found = {name: (text, read.rstrip("\n")) for name, text, read in examples}
    assert len(found) == len(re.findall("^@@@@ ", whole, re.M)), "a name twice, or an example without what is read"
    return found


def shown(parse: Callable[[], Pack]) -> str:
    """What is read of a file ``x``: one line for the pack, where it has texts, and for each level, record and error."""
    try:
        pack = parse()
    except LevelError as refusal:
        return f"refused: {refusal}"
    lines = [f"pack{told(pack.title.removeprefix('x'), pack.author, pack.comment, pack.metadata)}"]
    for level in pack.levels:
        kinds, board = " ".join(("level", *level.board.kinds)), "|".join(level.rows)
        texts = told(level.title, level.author, level.comment, level.metadata)
        lines.append(f"{kinds} {level.number}, line {level.line}, {board}{texts}")
        lines += [f"  {record.moves}{told(record.title, '', record.notes, ())}" for record in level.records]
    read_as = [f"read as {pack.read_as}"] if pack.read_as else []
    return "\n".join(line for line in [*lines, *read_as, *map(str, pack.errors)] if line != "pack")


def told(title: str, author: str, comment: str, metadata: tuple[tuple[str, str], ...]) -> str:
    fields = (("title", title), ("author", author), ("comment", comment), *metadata)
    return "".join(f", {name} {value!r}" for name, value in fields if value)
