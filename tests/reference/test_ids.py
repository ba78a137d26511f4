"""Level ids: the reference table of ids, and the packs that ship against it."""

import csv
from pathlib import Path

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import ids, level_hash
from sokoterm.formats.text import parse_xsb
from sokoterm.store.packs import bundled_packs, open_pack


def test_the_ids_of_the_reference_table(shared: Path) -> None:
    packs: dict[str, dict[int, Level]] = {}
    wrong = []
    rows = (shared / "hashes.tsv").read_text(encoding="ascii").splitlines()[1:]
    for name, number, *expected in (row.split("\t") for row in rows):
        if name not in packs:
            pack = parse_xsb((shared / "levels" / f"{name}.txt").read_text(encoding="utf-8"), name)
            packs[name] = {level.number: level for level in pack.levels}
        if list(ids(packs[name][int(number)])) != expected:
            wrong.append((name, number))
    assert (len(rows), wrong) == (1110, [])


def test_no_level_that_ships_is_known_from_elsewhere(shared: Path) -> None:
    with open(shared / "hashes.tsv", encoding="ascii", newline="") as table:
        known = {row["article_hash"] for row in csv.DictReader(table, delimiter="\t")}
    assert len(known) > 1000
    packs = [open_pack(file) for file in bundled_packs()]
    assert len(packs) == 11
    shipped = {(pack.title, level.number): level_hash(level) for pack in packs for level in pack.levels}
    assert len(shipped) == sum(pack.size for pack in packs) > 160
    assert [place for place, found in shipped.items() if found in known] == []
