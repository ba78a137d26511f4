"""Boards in the sources of programs and in other signs: what is told, what is asked for, and what stays as it was."""

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sokoterm
from sokoterm.engine.level import LevelError
from sokoterm.formats.limits import DEFAULT_LIMITS
from sokoterm.formats.notations import has_levels, told_signs, translated
from sokoterm.formats.registry import looks_like_pack
from sokoterm.formats.text import parse_xsb

BOARD = ("#######", "#@ $ .#", "# *   #", "#######")
ROUND = "#####\n#@OX#\n#   #\n#####\n"


def test_signs_that_are_told_count_and_the_others_are_found() -> None:
    (error,) = parse_xsb("#####\n# @ #\n#O X#\n#   #\n#####\n", "x").errors
    assert str(error).endswith(', or --signs "box=O goal=X", --signs "box=X goal=O"')
    for told, row in (("box=O", "#@$.#"), ("box=X", "#@.$#"), ("goal=O box=X", "#@.$#")):
        pack = parse_xsb(ROUND, "x", DEFAULT_LIMITS._replace(signs=told))
        assert [level.rows[1] for level in pack.levels] == [row]
        assert pack.read_as.startswith("boards drawn with other signs; ")
    pack = parse_xsb("#####\n#@+$#\n#####", "x", DEFAULT_LIMITS._replace(signs="goal=+ floor=."))
    assert pack.levels[0].rows[1] == "#@.$#"
    cells = "[[10,10,10,10,10],[10,3,2,7,10],[10,10,10,10,10]]"
    pack = parse_xsb(cells, "x", DEFAULT_LIMITS._replace(signs="wall=10,11 player=3 box=7"))
    assert pack.levels[0].rows[1] == "#@.$#"


def test_programs_are_told_of_other_signs_and_of_mistakes() -> None:
    assert [error.column for error in sokoterm.parse("#####\n#@$x#\n#####").errors] == [4]
    other = "HHHHH\nHPBGH\nHHHHH\n"
    with pytest.raises(LevelError, match=r'or --signs "wall=H player=P box=B goal=G"$'):
        sokoterm.parse(other)
    for signs in ("auto", "wall=H player=P box=B goal=G"):
        assert sokoterm.parse(other, signs=signs)[0].rows[1] == "#@$.#"


@pytest.mark.parametrize("told", ["wall", "wall=", "door=X", "wall=X,box=Y"])
def test_signs_that_cannot_be_told_are_an_error(told: str) -> None:
    limits = DEFAULT_LIMITS._replace(signs=told)
    if told.count("=") > 1:  # signs that are not there
        assert parse_xsb("\n".join(BOARD), "x", limits).levels[0].rows == BOARD
        return
    with pytest.raises(LevelError, match=r"^x: found '\S*', expected signs such as wall=X; the names are wall, player"):
        parse_xsb(ROUND, "x", limits)


@pytest.mark.parametrize("told", ["wall=1 player=1", "wall=1,8 floor=0 player=1"])
def test_a_sign_told_with_two_meanings_is_an_error(told: str) -> None:
    limits = DEFAULT_LIMITS._replace(signs=told)
    with pytest.raises(LevelError, match=r"found 'player=1' with a sign of wall, expected one meaning for each sign"):
        told_signs(told)
    with pytest.raises(LevelError, match=r"^x: found 'player=1' with a sign of wall"):
        parse_xsb("11111\n18231\n11111", "x", limits)
    with pytest.raises(LevelError, match=r"^x: found 'player=1' with a sign of wall"):
        parse_xsb("11111\n18231\n11111", "x", DEFAULT_LIMITS._replace(signs="wall=18 player=1"))
    told_signs("wall=10 player=11")  # these may be names
    assert parse_xsb("\n".join(BOARD), "x", DEFAULT_LIMITS._replace(signs="wall=18 player=1")).levels[0].rows == BOARD


@given(st.permutations("XPQbBgf"), st.sampled_from(["quoted", "cells", "lines"]))
@settings(max_examples=60)
def test_told_signs_give_the_board_in_every_form(signs: list[str], form: str) -> None:
    roles = ("wall", "player", "player-on-goal", "box", "box-on-goal", "goal", "floor")
    told = " ".join(f"{role}={sign}" for role, sign in zip(roles, signs))
    rows = [row.translate(str.maketrans("#@+$*. ", "".join(signs))) for row in BOARD]
    text = {
        "quoted": ",\n".join(f'"{row}"' for row in rows),
        "cells": str([[*row] for row in rows]),
        "lines": "\n".join(rows),
    }[form]
    assert parse_xsb(text, "x", DEFAULT_LIMITS._replace(signs=told)).levels[0].rows == BOARD


@given(st.lists(st.text("#@$.*+ -_", min_size=1, max_size=8), min_size=1, max_size=8))
def test_plain_rows_are_never_read_otherwise(rows: list[str]) -> None:
    assert not parse_xsb("\n".join(["######", *rows, "######"]), "x").read_as


def test_a_board_in_a_comment_takes_the_place_of_no_level() -> None:
    board = "\n".join(BOARD)
    pack = parse_xsb(f"{board}\n\nComment: as in [[#####\n#@$.#\n#####]]\n", "x")
    assert (pack.levels[0].rows, pack.read_as) == (BOARD, "")
    pack = parse_xsb(f"levels = [[{board}]]", "x")
    assert (pack.levels[0].rows, pack.read_as) == (BOARD, "boards of quoted rows")


def test_files_of_a_folder_in_other_notations_are_packs() -> None:
    assert looks_like_pack(b'{"map": ["#####", "#@$.#", "#####"]}', "levels.json")
    assert looks_like_pack(ROUND.encode())  # of several meanings, which opening it asks for
    assert not looks_like_pack(b"kernel = [[0, 1, 0], [1, -4, 1], [0, 1, 0]]", "blur.py")
    assert not has_levels("*******\n* Ann *\n*******")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "[[" * 200_000,
        '"\\' * 200_000,
        "/*" * 200_000,
        '"###' * 100_000,
        "'" * 300_000,
        "[" * 10_000 + '"#####","#@$.#","#####"' + "]" * 10_000,
        "[" + ",".join(map(str, range(60_000))) + "]",
        "call(a, b, c) // don't\n" * 15_000,
        ("X" * 12 + "\nXabcdefghijX\nX" + " " * 10 + "X\n" + "X" * 12 + "\n\n") * 2000,
        "a = wall, b = box " * 16 + "\n" + ROUND * 5000,
    ],
)
def test_hostile_text_takes_time_linear_in_its_length(text: str) -> None:
    begin = time.process_time()
    for part in (text, text + "x" * (5 << 20)):  # what is longer is not looked at
        with suppress(LevelError):
            translated(part, "")
    assert time.process_time() - begin < 8
