"""A line to the terminal, here a pipe, with a terminal at its end that answers when it likes."""

import os
from collections.abc import Iterator
from time import sleep

import pytest

from sokoterm.terminal.output_line import QUESTION, Line

PICTURE = b"x" * 4000


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def answer_after(line: Line, seconds: float) -> bool:
    """The terminal answers the question before the picture at once, and the one behind it so much later."""
    assert not line.answered()
    sleep(seconds)
    return line.answered()


def test_the_first_large_picture_stands_between_two_questions(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1], can_ask=True)
    line.send_picture(b"small")
    line.send_picture(PICTURE)
    line.send_picture(PICTURE)
    assert os.read(pipe[0], 20_000) == b"small" + QUESTION + PICTURE + QUESTION + PICTURE
    assert not line.is_busy


def test_a_fast_line_stays_as_it_is(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1], can_ask=True)
    line.send_picture(PICTURE)
    assert not answer_after(line, 0.0)
    assert not line.is_slow


def test_a_picture_that_took_its_time_makes_the_line_slow(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1], can_ask=True)
    line.send_picture(PICTURE)
    assert answer_after(line, 0.6)
    assert line.is_slow
    line.send_picture(b"next")
    assert line.is_busy
    assert not line.answered()
    assert not line.is_busy


def test_the_answer_to_a_question_of_another_kind_is_no_end_of_a_picture(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1], can_ask=True, is_slow=True)
    line.ask(b"?")
    line.send_picture(b"picture")
    line.answered()
    assert line.is_busy
    line.answered()
    assert not line.is_busy


def test_a_terminal_that_cannot_answer_is_not_asked(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1])
    line.ask(b"?")
    line.send_picture(PICTURE)
    assert os.read(pipe[0], 20_000) == PICTURE
    assert line.until_told() is None


def test_answers_are_waited_for_at_the_end_for_a_while(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1], can_ask=True)
    line.ask(b"?")
    assert 0 < (line.until_told() or 0) <= 0.5
    line.answered()
    assert line.until_told() is None


def test_at_the_end_a_slow_line_has_more_time_where_it_has_answered_before(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1], can_ask=True, is_slow=True)
    line.send_picture(PICTURE)
    assert 0.5 < (line.until_told() or 0) <= 1
    line.answered()
    line.send_picture(PICTURE)
    assert (line.until_told() or 0) > 1


def test_at_the_end_nothing_is_awaited_of_a_slow_line_that_is_not_asked(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1], is_slow=True)
    line.send_picture(PICTURE)
    assert line.is_busy
    assert line.until_told() is None


def test_nothing_is_awaited_of_a_line_that_is_given_up(pipe: tuple[int, int]) -> None:
    line = Line(pipe[1], can_ask=True, is_slow=True)
    line.send_picture(PICTURE)
    line.drop()
    assert line.until_told() is None
    assert not line.is_busy


@pytest.mark.parametrize(("synchronizes", "size", "extra"), [(False, 4000, 0), (True, 200, 0), (True, 201, 16)])
def test_a_large_picture_is_shown_at_once_where_the_terminal_can(
    pipe: tuple[int, int], synchronizes: bool, size: int, extra: int
) -> None:
    line = Line(pipe[1])
    line.synchronizes = synchronizes
    line.send_picture(b"x" * size)
    written = os.read(pipe[0], 20_000)
    assert len(written) == size + extra == line.sent
    assert written.startswith(b"\x1b[?2026h") == written.endswith(b"\x1b[?2026l") == (extra > 0)
