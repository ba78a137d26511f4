"""The colours that the settings give to styles."""

import pytest

from sokoterm.app.options import Look
from sokoterm.store.settings import Entry
from sokoterm.tui.widgets import theme as styles
from sokoterm.tui.widgets.theme import read_looks


def entry(name: str, value: object) -> Entry:
    return Entry("", name, value, "config.toml:3")


@pytest.mark.parametrize(
    ("value", "look"),
    [
        ("red", Look(1)),
        ("Bright-Blue", Look(12)),
        ("default", Look()),
        ("bold", Look(bold=True)),
        ("bold underline magenta", Look(5, bold=True, underline=True)),
        ("white dim reverse", Look(7, dim=True, reverse=True)),
        ("black on cyan", Look(0, background=6)),
        ("bold on 17", Look(bold=True, background=17)),
        ("208", Look(208)),
        (0, Look(0)),
        (255, Look(255)),
    ],
)
def test_a_style_gets_its_look(value: object, look: Look) -> None:
    assert read_looks([entry("box-on-goal", value)]) == ({styles.BOX_ON_GOAL: look}, [])


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("boxes", "red", "found 'boxes', expected one of wall player box box-on-goal goal dead title"),
        ("box", "purple", "found box = 'purple', expected a colour: black red green yellow blue magenta cyan white"),
        ("box", "red blue", "found box = 'red blue', expected a colour"),
        ("box", "", "found box = '', expected a colour"),
        ("box", "on red", "found box = 'on red', expected a colour"),
        ("box", "red on", "found box = 'red on', expected a colour"),
        ("box", "red on blue on red", "found box = 'red on blue on red', expected a colour"),
        ("box", 256, "found box = 256, expected a colour"),
        ("box", -1, "found box = -1, expected a colour"),
        ("box", True, "found box = True, expected a colour"),
        ("box", ["red"], "found box = ['red'], expected a colour"),
        ("box", "\x1b[31m", r"found box = '\x1b[31m', expected a colour"),
        ("box", "bright-default", "found box = 'bright-default', expected a colour"),
    ],
)
def test_what_is_no_look_is_told_and_the_others_hold(name: str, value: object, found: str) -> None:
    looks, problems = read_looks([entry("goal", "bold"), entry(name, value), entry("wall", 240)])
    assert looks == {styles.GOAL: Look(bold=True), styles.WALL: Look(240)}
    assert [problem.startswith(f"config.toml:3: {found}") and problem.isprintable() for problem in problems] == [True]


def test_a_number_that_cannot_be_written_out_is_no_look() -> None:
    looks, (problem,) = read_looks([entry("box", 16**5000)])
    assert looks == {}
    assert problem.startswith("config.toml:3: found box = a number with thousands of digits, expected a colour")
