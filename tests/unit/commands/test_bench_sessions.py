"""``sokoterm bench sessions``: a few sessions at once; a whole minute of twenty only when asked for."""

import re
import sys

import pytest

from tests.unit.commands.command import Command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")


def figures_of(out: str) -> dict[str, str]:
    return dict(re.split(r"  +", line, maxsplit=1) for line in out.splitlines() if not line.startswith(" "))


def check(out: str) -> None:
    figures = figures_of(out)
    assert figures["errors"] == "0"
    assert figures["integrity of the score table"] == "ok"
    solves, rows = figures["confirmed solves, in the score table"].split(", ")
    assert int(solves) == int(rows) > 0
    assert int(figures["keys pressed"].replace(",", "")) > 0


def test_few_sessions_lose_nothing(command: Command) -> None:
    result = command("bench", "sessions", "--sessions", "2", "--seconds", "1", "--solving", "1", "--pace", "0.05")
    assert result.status == 0, result.out
    assert figures_of(result.out)["sessions, of them solving"] == "2, 1"
    check(result.out)


@pytest.mark.long
def test_twenty_sessions_lose_nothing_in_a_minute(command: Command) -> None:
    result = command("bench", "sessions", "--sessions", "20", "--seconds", "60", "--solving", "2")
    assert result.status == 0, result.out
    check(result.out)
