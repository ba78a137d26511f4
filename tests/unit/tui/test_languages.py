"""Every screen in each language: main screens as they look, and no text that is cut where English is whole."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from sokoterm.language import speak
from sokoterm.store.languages import ENGLISH, find_catalog, languages
from sokoterm.tui.widgets.frame import PLAIN, Canvas
from sokoterm.wording.columns import WIDE_FILLER, text_width
from tests.unit.language.test_pseudo_screens import SESSIONS, SIZES
from tests.unit.tui.fake_terminal import Session, play
from tests.unit.tui.test_golden import PACK, check_golden

CODES = [code for code in languages() if code != ENGLISH]
CUT = ".."


@pytest.fixture(name="code", params=CODES)
def _code(request: pytest.FixtureRequest) -> Iterator[str]:
    catalog = find_catalog([request.param])
    assert catalog is not None
    catalog.speak()
    yield request.param
    speak(None)


@pytest.mark.parametrize(
    ("name", "keys", "size"),
    [
        ("play", "h", (24, 80)),
        ("play-small", "h", (8, 30)),
        ("win", "nh", (24, 80)),
        ("win-panel", "nh", (35, 120)),
        ("browser", "b", (24, 80)),
        ("help", "?", (24, 80)),
    ],
)
def test_a_main_screen(tmp_path: Path, code: str, name: str, keys: str, size: tuple[int, int]) -> None:
    picture = play(tmp_path, PACK, keys, size=size).last.replace(WIDE_FILLER, "")
    check_golden(f"languages/{code}-{name}", picture)


def cut_lines(session: Session) -> Counter[str]:
    """The lines of all pictures that were cut, without the columns of boards, which have no letters."""
    lines = {line.strip() for frame in session.frames for line in (row.text for row in frame.rows) if CUT in line}
    return Counter(line for line in lines if any(map(str.isalpha, line)))


@pytest.fixture(name="over_the_edge")
def _over_the_edge(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The texts that begin inside of a picture and do not end there, for want of a shorter form."""
    texts = set[str]()
    put = Canvas.put

    def watched(canvas: Canvas, row: int, column: int, text: str, style: str = PLAIN) -> int:
        if 0 <= row < canvas.height and column + text_width(text) > canvas.width and any(map(str.isalpha, text)):
            texts.add(text)
        return put(canvas, row, column, text, style)

    monkeypatch.setattr(Canvas, "put", watched)
    return texts


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", SESSIONS)
def test_no_text_goes_over_the_edge(
    tmp_path: Path, code: str, name: str, size: tuple[int, int], over_the_edge: set[str]
) -> None:
    pack, keys = SESSIONS[name]
    play(tmp_path / code, pack, keys, size=size)
    found = len(over_the_edge)
    speak(None)
    over_the_edge.clear()
    play(tmp_path / ENGLISH, pack, keys, size=size)
    assert found <= len(over_the_edge)


@pytest.mark.parametrize("name", SESSIONS)
def test_no_more_texts_are_cut_than_in_english(tmp_path: Path, code: str, name: str) -> None:
    pack, keys = SESSIONS[name]
    found = cut_lines(play(tmp_path / code, pack, keys, size=(24, 80)))
    speak(None)
    english = cut_lines(play(tmp_path / ENGLISH, pack, keys, size=(24, 80)))
    assert len(found) <= len(english), "\n".join(found)
