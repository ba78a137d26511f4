"""A level played to its end line by line, in other languages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sokoterm.language import speak
from sokoterm.store.languages import find_catalog
from tests.unit.linemode.fake_lines import play

ROOM = "#########\n#@ $   .#\n#########\nTitle: Τίτλος\n\n#####\n#@$.#\n#####\n"


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak(None)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "ru",
            ["уровень 1 из 2", "1 ящик", "ящик a вправо", "отменено", "Решено: 4 толчка, 5 ходов, ваше первое решение"],
        ),
        ("zh_CN", ["第 1 关，共 2 关", "1 个箱子", "箱子 a 向右推", "撤销", "解出，4 推，5 步，你的第一个解"]),  # noqa: RUF001 - Chinese
    ],
)
def test_a_level_is_played_to_its_end(tmp_path: Path, code: str, said: list[str]) -> None:
    catalog = find_catalog([code])
    assert catalog is not None
    catalog.speak()
    told = play(tmp_path, ROOM, ["right", "right", "undo", "right", "right 3", "q"])
    assert [words for words in said if not told.says(words)] == []
