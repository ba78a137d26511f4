from hypothesis import given
from hypothesis import strategies as st

from sokoterm.tui.widgets.frame import Canvas, Frame, diff
from sokoterm.wording.columns import text_width

_PUTS = st.lists(
    st.tuples(st.integers(-2, 6), st.integers(-3, 14), st.text("ab 日é", max_size=6), st.sampled_from(" #$")),
    max_size=12,
)


def _frame(puts: list[tuple[int, int, str, str]]) -> Frame:
    canvas = Canvas(5, 12)
    for put in puts:
        canvas.put(*put)
    return canvas.frame()


def _paint(cells: dict[tuple[int, int], tuple[str, str]], old: Frame | None, new: Frame) -> None:
    for span in diff(old, new):
        column = span.column
        for character in span.text:
            cells[span.row, column] = (character, span.style)
            column += text_width(character)
            if text_width(character) == 2:
                cells[span.row, column - 1] = ("\0", span.style)


@given(_PUTS, _PUTS)
def test_painting_the_difference_gives_the_new_picture(
    before: list[tuple[int, int, str, str]], after: list[tuple[int, int, str, str]]
) -> None:
    old, new = _frame(before), _frame(after)
    cells = {(row, column): (" ", " ") for row in range(5) for column in range(12)}
    _paint(cells, None, old)
    _paint(cells, old, new)
    painted = ["".join(cells[row, column][0] for column in range(12)) for row in range(5)]
    assert painted == [row.text for row in new.rows]


def test_nothing_changed_nothing_written() -> None:
    frame = _frame([(1, 1, "ab", "#")])
    assert diff(frame, frame) == []


def test_what_falls_outside_is_cut_off() -> None:
    canvas = Canvas(1, 3)
    assert canvas.put(0, 1, "abcdef") == 7
    assert canvas.frame().rows[0].text == " ab"


def test_control_characters_never_reach_the_picture() -> None:
    canvas = Canvas(1, 9)
    canvas.put(0, 0, "a\x1b[1m\x9bb")
    assert canvas.frame().rows[0].text == "a[1mb    "
