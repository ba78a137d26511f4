"""Labels, and the square under the cursor."""

from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.bits import Direction
from sokoterm.tui.widgets.labels import Choices, make_labels


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
