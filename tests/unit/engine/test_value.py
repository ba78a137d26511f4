import pickle

import pytest

from sokoterm.engine.value import Value


class Place(Value):
    row: int
    column: int = 0


class Other(Value):
    row: int
    column: int = 0


def test_fields_are_given_by_position_by_name_or_by_default() -> None:
    assert Place(1, 2) == Place(1, column=2) == Place(row=1, column=2) != Place(1)
    assert (Place(1).row, Place(1).column) == (1, 0)


def test_values_of_two_kinds_are_never_equal() -> None:
    assert Place(1) != Other(1)
    assert len({Place(1), Place(1, 0), Place(2), Other(1)}) == 3


def test_a_value_is_immutable() -> None:
    place = Place(1)
    with pytest.raises(AttributeError, match="row never changes"):
        place.row = 2  # type: ignore[misc]
    assert place.row == 1


def test_a_value_is_matched_by_position() -> None:
    match Place(3, 4):
        case Place(row, column):
            assert (row, column) == (3, 4)


def test_its_repr_names_the_fields() -> None:
    assert repr(Place(1)) == "Place(row=1, column=0)"


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"row": 1}), ((1,), {"line": 1})])
def test_other_fields_than_its_own_are_refused(values: tuple[int, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Place takes row, column"):
        Place(*values, **named)


def test_a_value_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Place(1, 2))) == Place(1, 2)
