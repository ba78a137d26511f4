"""Plays beside searches that say what a script has."""

from collections.abc import Iterable
from pathlib import Path

from sokoterm.engine.level import Level
from tests.unit.app.searches import Said, ScriptedSearch
from tests.unit.tui.fake_terminal import Session, play
from tests.unit.tui.planned import PILLARS

PACK = f"Collection: Golden\n\n{PILLARS}\nTitle: Three boxes and a pillar\nAuthor: A. Person\n\n#####\n#@$.#\n#####\n"
LEVEL = Level.from_xsb(PILLARS)


def scripted(
    folder: Path,
    keys: list[str],
    script: Iterable[Said],
    pack: str = PACK,
    size: tuple[int, int] = (24, 80),
    cell: int = 0,
) -> Session:
    """A play with these keys beside searches that say what the script has."""
    return play(folder, pack, keys, size=size, cell=cell, make_solver=lambda wake: ScriptedSearch(wake, script))
