"""Text measured, cut and folded by columns of a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.wording.columns import ascii_text, clipped, fitting, folded, text_width


@given(st.text("ab 日é\u0301\x1b", max_size=12), st.integers(0, 12))
def test_clipped_text_fits_and_is_the_beginning(text: str, width: int) -> None:
    cut = clipped(text, width)
    assert text_width(cut) <= width
    if text_width(text) <= width:
        assert [*cut] == [each for each in text if text_width(each)]
    elif width >= 2:
        assert cut.endswith("..")
        assert text.replace("\x1b", "").replace("\u0301", "").startswith(cut[:-2])


def test_ascii_text_keeps_its_width() -> None:
    assert ascii_text("日a\u00e9") == "??a?"


def test_a_wide_character_takes_two_columns() -> None:
    assert text_width("日a") == 3


def test_folded_text_has_all_its_words_and_no_line_too_wide() -> None:
    for text in ("walks are off: P turns them on", "\u6728\u7bb1 " * 8, "x" * 50, "short"):
        for width in (4, 10, 30):
            lines = folded(text, width)
            assert "".join(lines).replace(" ", "") == text.replace(" ", "")
            assert all(text_width(line) <= width for line in lines)


def test_the_first_form_that_fits_is_taken_and_the_last_one_cut() -> None:
    forms = ("found: Enter shows it", "Enter shows it")
    assert [fitting(forms, width) for width in (21, 20, 14, 10)] == [*forms, forms[1], "Enter sh.."]


def test_blanks_that_do_not_break_take_a_column_and_stay() -> None:
    assert text_width("1\u00a0234") == len("1 234")
    assert clipped("Ходы\u202f: 1\u00a0234", 12) == "Ходы\u202f: 1\u00a0234"
    assert clipped("Ходы\u202f: 1\u00a0234", 9) == "Ходы\u202f: .."
