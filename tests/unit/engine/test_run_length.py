"""Run-length text: expanded as in the SOK file format, refused if it would exhaust memory."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.engine.run_length import RunLengthError, expand


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("3#4-p.#", "###----p.#"),
        ("2(3(#-)#)", "#-#-#-##-#-#-#"),
        ("2(3(dr)R)", "drdrdrRdrdrdrR"),
        ("", ""),
        ("10a", "a" * 10),
        ("003a", "aaa"),
        ("2()x", "x"),
        ("(ab)", "ab"),
        ("2((a)2b)", "abbabb"),
    ],
)
def test_examples(text: str, expanded: str) -> None:
    assert expand(text, 1000) == expanded


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("9999999999#", "found a count over 999,999,999, expected a smaller one", 10),
        ("999999999#", "found a count that makes 999,999,999, expected at most 100", 10),
        ("9(9(9(9#)))", "found a count that makes 729, expected at most 100", 10),
        ("101#", "found a count that makes 101, expected at most 100", 4),
        ("(" * 1001 + "#" + ")" * 1001, "found over 1,000 groups nested in each other, expected fewer", 1001),
        ("#" * 101, "found a count that makes 101, expected at most 100", 1),
        ("a0b", "found a count of 0, expected 1 or more", 2),
        ("a3", "found nothing after the count 3, expected what it repeats", 2),
        ("a)b", "found ')' without '(' before it", 2),
        ("a(b", "found '(' without ')' after it", 2),
        ("(3)a", "found a count before ')', expected it before a character", 3),
    ],
)
def test_errors_say_what_and_where(text: str, problem: str, place: int) -> None:
    with pytest.raises(RunLengthError) as caught:
        expand(text, 100)
    assert (str(caught.value), caught.value.place) == (problem, place)


@pytest.mark.parametrize("text", ["9" * 10**6 + "#", "(" * 10**6, "(" * 10**5 + ")" * 10**5, "2(" * 10**5 + "a"])
def test_deep_and_long_text_ends_soon(text: str) -> None:
    with contextlib.suppress(RunLengthError):
        expand(text, 1000)


@given(st.lists(st.tuples(st.integers(1, 30), st.characters(exclude_characters="()0123456789"))))
def test_counts_expand_to_the_text_they_were_made_from(runs: list[tuple[int, str]]) -> None:
    text = "".join(f"{count}{character}" for count, character in runs)
    assert expand(text, 10**6) == "".join(character * count for count, character in runs)
