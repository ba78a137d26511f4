"""Every screen in each language: main screens as they look, and no text that is cut where English is whole."""

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sokoterm.language import _, speak
from sokoterm.store.languages import ENGLISH, languages
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import PLAIN
from sokoterm.wording.columns import WIDE_FILLER, text_width
from tests.slow import slow
from tests.unit.language.test_pseudo_screens import SESSIONS, SIZES
from tests.unit.tui.fake_terminal import play
from tests.unit.tui.made import browse, play_made
from tests.unit.tui.test_golden import PACK, check_golden

CODES = [code for code in languages() if code != ENGLISH]
IN_EACH = pytest.mark.parametrize("code", CODES, indirect=True)
MAIN_SIZE = SIZES[0]
# Each session in the longest words and in the widest letters, and every sixth one in each other language.
LOOKS = [
    (code, size, name)
    if size == MAIN_SIZE and (code in ("de", "ja") or (place + number) % 6 == 0)
    else slow(code, size, name)
    for place, code in enumerate(CODES)
    for size in SIZES
    for number, name in enumerate(SESSIONS)
]
CUT = re.compile(r"(?<!\.)\.\.(?!\.)")  # three dots stand for a number of moves that is not known yet


@IN_EACH
@pytest.mark.parametrize(
    ("name", "keys", "size"),
    [
        ("play", "h", (24, 80)),
        ("win", "nh", (24, 80)),
        ("browser", "b", (24, 80)),
        ("help", "?", (24, 80)),
    ],
)
def test_a_main_screen(tmp_path: Path, code: str, name: str, keys: str, size: tuple[int, int]) -> None:
    picture = play(tmp_path, PACK, keys, size=size).last.replace(WIDE_FILLER, "")
    check_golden(f"languages/{code}-{name}", picture)


@IN_EACH
@pytest.mark.usefixtures("code")
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("keys", ["h", "nh", "nhR", "nhO", "b"])
def test_the_keys_below_a_board_or_a_list_say_how_to_quit(tmp_path: Path, keys: str, columns: int) -> None:
    footer = play(tmp_path, PACK, keys, size=(24, columns)).last.replace(WIDE_FILLER, "").splitlines()[-1]
    assert re.search(rf"\bq +{_('quit')}", footer)


@IN_EACH
@pytest.mark.usefixtures("code")
def test_the_list_of_packs_says_how_many_levels_are_solved_and_who_has_made_them(tmp_path: Path) -> None:
    """However long the words; the author of packs that ship is translated."""
    picture = play_made(tmp_path, browse, ["wait"] * 12, size=(30, 80)).last.replace(WIDE_FILLER, "")
    assert re.search(r"^╭─ [^╮]*\b0\b[^╮]*╮", picture, re.MULTILINE)
    assert _("the sokoterm project") in picture


def spoilt(folder: Path, name: str, size: tuple[int, int]) -> tuple[list[str], set[str]]:
    """Return the lines of a session's pictures that were cut, and the texts that went over the edge.

    Lines without letters, or that begin with a wall, are of boards. A text over the edge begins inside of a picture
    and does not end there.
    """
    over = set[str]()

    def watched(canvas: Canvas, row: int, column: int, text: str, style: str = PLAIN) -> int:
        if 0 <= row < canvas.height and column + text_width(text) > canvas.width and any(map(str.isalpha, text)):
            over.add(text)
        return put(canvas, row, column, text, style)

    put = Canvas.put
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Canvas, "put", watched)
        session = play(folder, *SESSIONS[name], size=size)
    lines = {line.strip() for frame in session.frames for line in (row.text for row in frame.rows) if CUT.search(line)}
    return [line for line in lines if any(map(str.isalpha, line)) and not line.startswith("#")], over


@cache
def spoilt_in_english(name: str, size: tuple[int, int]) -> tuple[int, int]:
    speak(None)
    with TemporaryDirectory() as folder:
        cut, over = spoilt(Path(folder), name, size)
    return len(cut), len(over)


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize(("code", "size", "name"), LOOKS, indirect=["code"], ids=str)
def test_no_text_is_spoilt_that_is_whole_in_english(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    """Nor over the edge, at any size, nor cut, where English has the room for it."""
    cut, over = spoilt(tmp_path, name, size)
    # Most sessions are whole in every language: English is played only where one is not.
    assert not over or len(over) <= spoilt_in_english(name, size)[1], "\n".join(over)
    assert not cut or size != MAIN_SIZE or len(cut) <= spoilt_in_english(name, size)[0], "\n".join(cut)
