"""How the packs are chosen: no bores, no twins, from easy to hard."""

from collections.abc import Collection

import pytest

from levels.make import choose_packs
from levels.make.candidates import Candidate
from levels.make.choose_packs import Fit, choose, dull, fitting, is_corridors
from levels.make.pack_names import ADJECTIVES, EVENING, LONG_NIGHT, RAINY_DAY, WEEKEND, names
from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.generator.recipes import Band

ROOM = """\
#######
#  .  #
# #   #
#.$$@ #
#   ###
#####"""
OTHER = """\
######
#@.  #
## .$##
 # $  #
 ##   #
  #####"""
CORRIDORS = """\
##############
#@ $        .#
############ #
           # #
           ###"""
GOOD = Candidate(1, 1, ROOM, "", 40, 2, 17, 17, 20, 60, 10, 8, 2, 40, 10, True)


def fits(*candidates: Candidate, known: Collection[str] = ()) -> list[Fit]:
    return fitting(candidates, known)


def test_what_bores_is_left_out() -> None:
    assert dull(GOOD) == ""
    bores = [
        GOOD._replace(xsb=""),
        GOOD._replace(is_rated=False),
        GOOD._replace(moves=111),
        GOOD._replace(pushes=7),
        GOOD._replace(changes=4),
        GOOD._replace(tried=20),
        GOOD._replace(lost=3),
        GOOD._replace(used=15),
    ]
    assert len({*map(dull, bores)} - {""}) == len(bores)


def test_what_was_thrown_out_by_hand_stays_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose_packs, "THROWN_OUT", {(1, 1): "one long walk"})
    assert dull(GOOD) == "thrown out"
    assert dull(GOOD._replace(number=2)) == ""


def test_equal_levels_are_taken_once_and_known_ones_not_at_all() -> None:
    turned = "\n".join(SYMMETRIES[5].rows([row.ljust(7) for row in ROOM.splitlines()]))
    assert len(fits(GOOD, GOOD._replace(number=2, xsb=turned))) == 1
    assert fits(GOOD, known={level_hash(Level.from_xsb(ROOM))}) == []


def test_a_house_of_corridors_is_told_from_a_room() -> None:
    assert is_corridors(Level.from_xsb(CORRIDORS))
    assert not is_corridors(Level.from_xsb(ROOM))


def test_a_pack_grows_harder_and_holds_no_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose_packs, "SIZE", 2)
    hard = GOOD._replace(number=2, xsb=OTHER, difficulty=48)
    twin = GOOD._replace(number=3, xsb=ROOM.replace("# #   #", "#     #"), difficulty=47)
    waiting = fits(hard, GOOD, twin, GOOD._replace(number=4, difficulty=70))
    assert [each.seed for each in choose(waiting, Band(35, 49), [])] == [(2026, 1, 1), (2026, 1, 2)]
    with pytest.raises(SystemExit, match="found too few candidates"):
        choose(fits(GOOD, twin), Band(35, 49), [])


def test_no_name_stands_twice() -> None:
    lists = [EVENING, RAINY_DAY, LONG_NIGHT, WEEKEND]
    nouns = " ".join(lists).split()
    assert len(set(nouns)) == len(nouns)
    assert len(set(ADJECTIVES.split())) == len(ADJECTIVES.split()) >= choose_packs.SIZE
    for each in lists:
        found = names(each, [(1, number) for number in range(choose_packs.SIZE)])
        assert len(set(found)) == choose_packs.SIZE
        assert max(map(len, found)) <= 30
