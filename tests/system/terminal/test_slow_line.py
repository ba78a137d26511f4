"""Playing over a line of 9,600 baud with a round trip of 300 ms, held up by nothing."""

from pathlib import Path
from time import monotonic

import pytest

from sokoterm.terminal.output_line import QUESTION
from tests.slow import slow
from tests.system.terminal.modem import Modem
from tests.system.terminal.screen import ROOT, Screen, sokoterm, solving_keys

FIRST_STEPS = str(ROOT / "levels" / "first-steps.txt")
BYTES_A_SECOND = 960
ROUND_TRIP = 0.3  # seconds
LEFT = b"\x1b[?1049l"


def type_slowly(screen: Screen, keys: str, seconds: float) -> None:
    """One key after the other, while what comes is read."""
    for key in keys:
        screen.write(key.encode())
        screen.idle(seconds)


def most_pictures(began: float) -> float:
    """One a round trip, however long a busy machine has taken to type, and the first one."""
    return 2 + (monotonic() - began) / ROUND_TRIP


@pytest.mark.parametrize(
    ("seconds", "number", "silent"), [(0.033, 28, False), slow(0.033, 28, True), slow(0.3, 5, False)]
)
def test_a_level_is_played_to_its_end(tmp_path: Path, seconds: float, number: int, *, silent: bool) -> None:
    keys = solving_keys(number)
    modem = Modem(BYTES_A_SECOND, ROUND_TRIP, silent=silent)
    arguments = ("--slow-link", "-l", str(number), FIRST_STEPS)
    with sokoterm(tmp_path, *arguments, modem=modem) as screen:
        screen.idle(1.0)
        before, began = len(screen.output), monotonic()
        type_slowly(screen, keys, seconds)
        typed_by = len(screen.output)
        screen.wait_for(f"moves {len(keys)}")
        screen.wait_for("level solved")
        screen.idle(1.5)
        # What came after the last key, the card of a win, takes little more than a second and the way; none of it was a
        # picture of a move long made.
        assert len(screen.output) - typed_by < 1.6 * BYTES_A_SECOND
        pictures = screen.output[before:].count(QUESTION)
        assert silent or 1 < pictures <= most_pictures(began)
        screen.leave()
        screen.wait_for_output(LEFT)
        assert QUESTION not in screen.output.partition(LEFT)[2]  # the answer would be the shell's


def test_on_leaving_it_is_told_what_the_session_cost(tmp_path: Path) -> None:
    with sokoterm(tmp_path, "--stats", "-l", "1", FIRST_STEPS) as screen:
        screen.type("l", "moves 1")
        screen.type("q", "traffic: ")
        assert screen.wait() == 0
        before, _, told = screen.output.partition(b"traffic: ")
        assert int(told.split()[0].replace(b",", b"")) == len(before)
