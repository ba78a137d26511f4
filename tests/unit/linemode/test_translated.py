"""Sessions in other languages."""

from pathlib import Path

import pytest

from sokoterm.language import speak
from sokoterm.linemode.speech import with_and
from sokoterm.store.languages import find_catalog
from tests.unit.language.marked import BEGIN, Marked, unmarked
from tests.unit.linemode.fake_lines import play

ROOMS = """\
#########
#@ $   .#
#  $   .#
#       #
#########
Title: A room

#####
#@$.#
#####
"""
_TYPED = (
    "help;more;more;more;help undo;help h;board;map;where;where a;where 2,2;where 9,9;boxes;goals;status;run;"
    "run left;3l;back;dig;lurd;u 2;undo all;undo;redo 5;redo;mark;mark a;return;return a;return z;reset;reset;"
    "walk to 1,1;walk to 4,4;push;push z;push a;push a to 2,8;push b to 2,2;reach;reach b;fill;fill 3,8;fill 2,8;"
    "warnings on;warnings off;warnings off;result;end run;improve keep;replay;go;go 9;stop;wait;levels;levels 7;"
    "order dark;pack;pack 7;rename 1 x;remove 1;search;series;moves llll;push b up;push b up;alive;reset;moves 5r;"
    "push a to 2,8;push b right 4;improve dig;replay;next;push;next 99;back 99;move;play;left;moves;mark a;parts;"
    "leave;;paste;.;paste;r;.;runs;daily;descend x;q"
)
COMMANDS = _TYPED.split(";")


@pytest.fixture
def told(tmp_path: Path) -> tuple[list[str], list[str]]:
    """The same session in English and in another language."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    english = play(tmp_path / "a", ROOMS, COMMANDS).lines
    speak(Marked())
    return english, play(tmp_path / "b", ROOMS, COMMANDS).lines


def test_a_session_in_another_language_says_the_same(told: tuple[list[str], list[str]]) -> None:
    english, other = told
    assert [unmarked(line).casefold() for line in other] == [line.casefold() for line in english]


def test_every_line_except_boards_and_moves_is_translated(told: tuple[list[str], list[str]]) -> None:
    __, other = told
    left = [line for line in other if BEGIN not in line and not line.startswith("#") and line.strip("lurdLURD")]
    assert left == []


ROOM = "#########\n#@ $   .#\n#########\nTitle: Τίτλος\n\n#####\n#@$.#\n#####\n"


def test_a_level_of_a_pack_that_ships_is_translated_in_any_pack(tmp_path: Path) -> None:
    """The levels of a series come from all packs."""
    speak(Marked())
    level = "#####\n#@$.#\n#####\nTitle: A push\nAuthor: the sokoterm project\nComment: Boxes that slide.\n"
    told = play(tmp_path, level, ["levels", "q"])
    assert all(told.says(f"«{text}»") for text in ("A push", "the sokoterm project", "Boxes that slide."))


def test_chinese_has_a_comma_of_its_own_between_words() -> None:
    catalog = find_catalog(["zh_CN"])
    assert catalog is not None
    catalog.speak()
    assert with_and(["a", "b", "c"]) == "a、b 和 c"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "ru",
            [
                "уровень 1 из 2",
                "1 ящик",
                "ящик a сдвинут вправо",
                "отменено",
                "Решено: 4 толчка, 5 ходов, ваше первое решение",
            ],
        ),
        ("zh_CN", ["第 1 关，共 2 关", "1 个箱子", "箱子 a 向右推", "撤销", "解出（4 推，5 步），你的第一个解"]),  # noqa: RUF001 - Chinese
    ],
)
def test_a_level_is_played_to_its_end(tmp_path: Path, code: str, said: list[str]) -> None:
    catalog = find_catalog([code])
    assert catalog is not None
    catalog.speak()
    told = play(tmp_path, ROOM, ["right", "right", "undo", "right", "right 3", "q"])
    assert [words for words in said if not told.says(words)] == []
