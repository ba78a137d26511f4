"""Text measured, cut and folded by columns of a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.terminal.encoding import has_wide_lines
from sokoterm.wording.columns import ascii_text, clipped, cut_at_a_word, folded, narrow_text, text_width


@given(st.text("ab 日é\u0301\x1b", max_size=12), st.integers(0, 12))
def test_clipped_text_fits_and_is_the_beginning(text: str, width: int) -> None:
    cut = clipped(text, width)
    assert text_width(cut) <= width
    if text_width(text) <= width:
        assert [*cut] == [each for each in text if text_width(each)]
    elif width >= 2:
        assert cut.endswith("..")
        assert text.replace("\x1b", "").replace("\u0301", "").startswith(cut[:-2])


def test_lines_are_ascii_in_gnu_screen_where_its_locale_makes_them_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a Japanese locale a page of help scrolled away but for its last line."""
    for name in ("LC_ALL", "LC_CTYPE", "STY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert not has_wide_lines()
    monkeypatch.setenv("STY", "4711.tty")
    assert has_wide_lines()
    assert narrow_text("╭─ 面集 ─╮") == "+- 面集 -+"
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert not has_wide_lines()


def test_ascii_text_keeps_its_width() -> None:
    assert ascii_text("日a\u00e9") == "??a?"
    assert ascii_text("⭐🟧🟦.") == "* ::##."


def test_a_wide_character_takes_two_columns() -> None:
    assert text_width("日a") == 3


def test_no_line_of_chinese_or_japanese_begins_with_a_mark_or_ends_with_an_opening_one() -> None:
    text = "推（箱子）到目标，然后“再来”。第 12 步：完成！Enter」を押すと、ヒント: u で取り消しー。"  # noqa: RUF001
    for width in range(8, 40):
        lines = folded(text, width)
        assert not [line for line in lines if line[0] in "）」。，：！、”:ー" or line[-1] in "（“"]  # noqa: RUF001
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_chinese_is_cut_behind_any_character_and_before_punctuation() -> None:
    text = "每日一关，全球相同，零点更新"  # noqa: RUF001
    assert [cut_at_a_word(text, width) for width in (12, 13, 16, 27)] == [
        "每日一关...", "每日一关...", "每日一关，全...", "每日一关，全球相同，零点...",  # noqa: RUF001
    ]  # fmt: skip


def test_folded_text_has_all_its_words_and_no_line_too_wide() -> None:
    for text in ("walks are off: P turns them on", "\u6728\u7bb1 " * 8, "x" * 50, "short"):
        for width in (4, 10, 30):
            lines = folded(text, width)
            assert "".join(lines).replace(" ", "") == text.replace(" ", "")
            assert all(text_width(line) <= width for line in lines)
    for text, width, begin in (("推" + "！" * 20, 9, ""), ("x" * 12 + "。", 13, ""), ("推箱子 12 步", 12, "项：")):  # noqa: RUF001
        lines = folded(text, width, begin)
        assert "".join(lines).replace(" ", "") == begin + text.replace(" ", "")
        assert all(text_width(line) <= width for line in lines)


@pytest.mark.parametrize(
    ("width", "cut"),
    [
        (49, "a solution of 97 moves, 23 pushes: Enter takes it"),
        (48, "a solution of 97 moves, 23... Enter takes it"),
        (31, "a solution of... Enter takes it"),
        (22, "Enter takes it"),
        (12, "Enter..."),
        (6, "Ente.."),
    ],
)
def test_a_sentence_is_cut_at_a_word_and_the_key_stays(width: int, cut: str) -> None:
    assert cut_at_a_word("a solution of 97 moves, 23 pushes: Enter takes it", width, "Enter") == cut


@pytest.mark.parametrize(
    ("text", "width", "kept", "cut"),
    [
        ("dead, U goes back: a box that can reach no goal", 30, "U", "dead, U goes back: a box..."),
        ("checking which boxes reach it: 3 of 12 (Esc stops)", 30, "Esc", "checking which... (Esc stops)"),
        ("differs from another one: n goes there", 30, "n", "differs from... n goes there"),
        ("solving: nodes 4000 depth 17 1.0 s", 23, "1.0", "solving: nodes... 1.0 s"),
        ("正在改进关卡 Minicosmos 12; 按 Esc 停止", 30, "Esc", "正在改进关卡... Esc 停止"),
        ("no key in it, but many words", 20, "", "no key in it, but..."),
        ("no such key in it", 12, "R", "no such..."),
    ],
)
def test_what_is_kept_of_a_sentence(text: str, width: int, kept: str, cut: str) -> None:
    assert cut_at_a_word(text, width, kept) == cut


@given(st.text("ab 日,R", max_size=30), st.integers(0, 20))
def test_a_sentence_that_is_cut_fits(text: str, width: int) -> None:
    assert text_width(cut_at_a_word(text, width, "R")) <= width


def test_blanks_that_do_not_break_take_a_column_and_stay() -> None:
    assert text_width("1\u00a0234") == len("1 234")
    assert clipped("Ходы\u202f: 1\u00a0234", 12) == "Ходы\u202f: 1\u00a0234"
    assert clipped("Ходы\u202f: 1\u00a0234", 9) == "Ходы\u202f: .."
