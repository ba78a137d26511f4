"""Frames and their differences; labels, and the square under the cursor."""

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import Direction
from sokoterm.tui.widgets.frame import Canvas, Frame, diff
from sokoterm.tui.widgets.labels import Choices, make_labels
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


@given(st.one_of(st.integers(0, 800), st.integers(0, 11_048)))
def test_no_label_is_another_or_begins_another(count: int) -> None:
    labels = make_labels(count)
    assert len(set(labels)) == len(labels) == count
    beginnings = {label[:length] for label in labels for length in range(1, len(label))}
    assert not beginnings & set(labels)


@given(st.integers(1, 11_048))
def test_labels_are_as_short_as_they_can_be_and_the_shortest_come_first(count: int) -> None:
    lengths = list(map(len, make_labels(count)))
    assert lengths == sorted(lengths)
    assert lengths[-1] == 1 if count <= 26 else 26 ** (lengths[-1] - 1) < count <= 26 ** lengths[-1]


def test_up_to_26_labels_are_letters_and_few_more_leave_most_of_them() -> None:
    assert make_labels(26) == list("abcdefghijklmnopqrstuvwxyz")
    assert make_labels(28) == [*"abcdefghijklmnopqrstuvwxy", "za", "zb", "zc"]


@given(st.integers(1, 2000), st.data())
def test_typing_a_label_goes_to_its_square_and_to_no_other_on_the_way(count: int, data: st.DataObject) -> None:
    choices = Choices(range(1000, 1000 + count))
    square = data.draw(st.sampled_from(choices.squares))
    label = choices.labels[square]
    for letter in label[:-1]:
        assert choices.rest(square)[0] == letter
        assert choices.type(letter) is None
    assert choices.type(label[-1]) == choices.cursor == square
    assert choices.typed == ""


def test_a_letter_that_leads_nowhere_is_forgotten() -> None:
    choices = Choices(range(27))
    assert choices.type("z") is None
    assert choices.type("q") is None
    assert (choices.typed, choices.rest(0), choices.rest(26)) == ("z", "", "b")
    assert choices.type("b") == 26


def test_tab_goes_round() -> None:
    choices = Choices([5, 9, 7])
    seen = []
    for step in (1, 1, 1, 1, -1, -1):
        choices.cycle(step)
        seen.append(choices.cursor)
    assert seen == [5, 9, 7, 5, 7, 9]


def test_arrows_go_to_the_nearest_square_that_way_along_the_line_rather_than_aside() -> None:
    stride = 10
    choices = Choices([14, 18, 25, 54], cursor=11)
    assert choices.move(Direction.RIGHT, stride)
    assert choices.cursor == 14
    choices.move(Direction.DOWN, stride)
    assert choices.cursor == 25  # one down and one aside, and not four down
    choices.move(Direction.DOWN, stride)
    assert choices.cursor == 54
    assert not choices.move(Direction.DOWN, stride)
    choices.move(Direction.UP, stride)
    assert choices.cursor == 14
    choices.move(Direction.RIGHT, stride)
    choices.move(Direction.RIGHT, stride)
    assert choices.cursor == 18
    for squares, nearest in (([14, 22], 22), ([52, 17], 17), ([52], 52)):
        choices = Choices(squares, cursor=11)
        assert choices.move(Direction.RIGHT, stride)
        assert choices.cursor == nearest


def test_nothing_to_choose_from_is_no_trouble() -> None:
    choices = Choices([])
    choices.cycle(1)
    choices.jump(to_last=True)
    assert not choices.move(Direction.UP, 10)
    assert choices.type("a") is None
    assert choices.cursor is None
