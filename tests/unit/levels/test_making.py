"""How packs are made: candidates on record, no bores, no twins, from easy to hard."""

from collections.abc import Collection
from pathlib import Path

import pytest

from levels.make import candidates, choose_packs
from levels.make.candidates import Candidate, make_all
from levels.make.choose_packs import Fit, choose, dull, fitting, is_corridors
from levels.make.pack_names import ADJECTIVES, EVENING, LONG_NIGHT, RAINY_DAY, WEEKEND, names
from levels.make.twins import best_solution, is_twin
from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.generator.recipes import Band, Wish

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
    assert len(fits(GOOD, GOOD._replace(number=2, xsb=turned(ROOM, 5).xsb()))) == 1
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


# Twins


def turned(xsb: str, number: int) -> Level:
    rows = xsb.splitlines()
    width = max(map(len, rows))
    return Level.from_xsb("\n".join(SYMMETRIES[number].rows([row.ljust(width) for row in rows])))


def test_rooms_that_differ_in_a_few_squares_are_twins_however_turned() -> None:
    level = Level.from_xsb(ROOM)
    assert is_twin(level, turned(ROOM.replace("# #   #", "#     #"), 3))
    assert not is_twin(level, Level.from_xsb(OTHER))


def test_levels_of_the_same_pushes_in_other_rooms_are_twins_however_turned() -> None:
    wider = "######\n#@.  ####\n## .$## #\n # $    #\n ##   ###\n  #####"
    one = Level.from_xsb(OTHER)
    for number in range(len(SYMMETRIES)):
        assert is_twin(one, turned(wider, number))


def test_the_best_solution_has_the_fewest_pushes() -> None:
    level = Level.from_xsb(OTHER)
    solution = best_solution(level)
    assert verify(level.board, level.start, solution.lurd) == solution
    assert solution.pushes == 8


# Candidates

GROUPS = ((Wish(7, 6, 2, 1_500), 3), (Wish(6, 6, 2, 1), 1))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "GROUPS", GROUPS)


def made(path: Path, jobs: int = 1) -> list[Candidate]:
    return make_all(str(path), jobs, GROUPS)


@pytest.mark.usefixtures("few")
def test_the_record_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "candidates.jsonl"
    whole = made(path)
    assert [(each.group, each.number) for each in whole] == [(1, 1), (1, 2), (1, 3), (2, 1)]
    lines = path.read_text("ascii").splitlines(keepends=True)
    assert len(lines) == 5
    path.write_text("".join(lines[:3]) + lines[3][:20], "ascii")
    assert made(path, jobs=2) == whole
    assert sorted(path.read_text("ascii").splitlines(keepends=True)) == sorted(lines)


@pytest.mark.usefixtures("few")
def test_a_candidate_tells_what_makes_it_again_and_what_it_takes(tmp_path: Path) -> None:
    first, *_, last = made(tmp_path / "candidates.jsonl")
    assert Level.from_xsb(first.xsb).boxes == first.boxes == 2
    assert f"difficulty {first.difficulty}, {first.pushes} pushes, {first.moves} moves, " in first.words
    assert first.made_by == "seed 2026, 1, 1: size 7x6, boxes 2, nodes 1,500"
    assert last == Candidate(2, 1)
