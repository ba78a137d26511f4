import pickle
from collections.abc import Callable
from functools import cached_property

import pytest

from sokoterm.engine.value import Value


class Place(Value):
    row: int
    column: int = 0


class Other(Value):
    row: int
    column: int = 0


class Rule(Value):
    name: str
    count: Callable[[str], int] = len

    @cached_property
    def size(self) -> int:
        return self.count(self.name)


def test_fields_are_given_by_position_by_name_or_by_default() -> None:
    assert Place(1, 2) == Place(1, column=2) == Place(row=1, column=2) != Place(1)
    assert (Place(1).row, Place(1).column) == (1, 0)
    assert Place(1) != Other(1)
    assert len({Place(1), Place(1, 0), Place(2), Other(1)}) == 3


def test_a_value_is_immutable() -> None:
    place = Place(1)
    with pytest.raises(AttributeError, match="row never changes"):
        place.row = 2  # type: ignore[misc]
    assert place.row == 1


def test_a_value_is_matched_by_position_shown_with_its_fields_and_pickled() -> None:
    match Place(3, 4):
        case Place(row, column):
            assert (row, column) == (3, 4)
    assert repr(Place(1)) == "Place(row=1, column=0)"
    assert pickle.loads(pickle.dumps(Place(1, 2))) == Place(1, 2)


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"row": 1}), ((1,), {"line": 1})])
def test_other_fields_than_its_own_are_refused(values: tuple[int, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Place takes row, column"):
        Place(*values, **named)


def test_a_function_is_a_field_like_any_other() -> None:
    assert Rule("walk").count("push") == 4
    assert Rule("walk", count=ord).count("a") == 97


def test_a_changed_copy_leaves_the_first_as_it_was() -> None:
    rule = Rule("walk")
    assert rule.size == 4
    assert rule._replace(name="push a box") == Rule("push a box")
    assert (rule._replace(name="push a box").size, rule.name) == (10, "walk")
    with pytest.raises(TypeError, match="Rule takes name, count"):
        rule._replace(nmae="push")
