"""The bar on stderr: there only in a terminal, drawn ten times a second at most, and gone at the end."""

import io
import itertools
import re
import sys
from functools import partial

import pytest

from sokoterm.commands.support import output, workers
from sokoterm.commands.support.output import ProgressBar, bar_text
from sokoterm.language import levels_done, packs_done
from tests.slow import others_slow
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, Command


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def fake_stderr(monkeypatch: pytest.MonkeyPatch) -> FakeTerminal:
    """A terminal in the place of stderr, for the rest of the test: pytest has put its own there by then."""
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def shown(terminal: FakeTerminal) -> str:
    """What is left to see on the line."""
    line = ""
    for part in terminal.getvalue().split("\r"):
        line = part + line[len(part) :]
    return line.rstrip()


@pytest.mark.parametrize(
    ("done", "total", "text"),
    [
        (0, 10, f"[{' ' * 30}]  0 of 10 levels"),
        (10, 10, f"[{'#' * 30}]  10 of 10 levels"),
        (11, 10, f"[{'#' * 30}]  11 of 10 levels"),
        (1234, 0, "1,234 levels"),
    ],
)
def test_the_bar_as_text(done: int, total: int, text: str) -> None:
    assert bar_text(done, total, levels_done) == text


def test_the_bar_is_there_and_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = fake_stderr(monkeypatch)
    with ProgressBar(4, packs_done) as bar:
        bar.show(2)
        assert shown(stderr) == bar_text(2, 4, packs_done)
    assert shown(stderr) == ""


def test_the_bar_is_drawn_ten_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = fake_stderr(monkeypatch)
    with ProgressBar(100, packs_done) as bar:
        for done in range(100):
            monkeypatch.setattr(output, "monotonic", lambda: 5 + done / 100)  # noqa: B023 - read at once
            bar.show(done)
    assert 10 <= stderr.getvalue().count("packs") <= 11


def test_a_complaint_stands_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = fake_stderr(monkeypatch)
    with ProgressBar(4, packs_done) as bar:
        bar.show(2)
        bar.complain("found nothing")
    assert stderr.getvalue().endswith("\rsokoterm: found nothing\n")


@pytest.mark.parametrize("count", ["1", "2"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_while_levels_are_made_attempts_and_time_are_shown(
    command: Command, monkeypatch: pytest.MonkeyPatch, jobs: str, count: str
) -> None:
    arguments = ["generate", "--boxes", "2", "--size", "7x6", "--nodes", "2000", "--count", count, "--jobs", jobs]
    silent = command(*arguments)
    monkeypatch.setattr(output, "monotonic", partial(next, itertools.count(0.0, 0.125)))
    monkeypatch.setattr(workers, "WAIT_SECONDS", 0.001)
    terminal = fake_stderr(monkeypatch)
    assert command(*arguments).out == silent.out
    assert silent.err == ""
    drawn = re.findall(rf"(\d) of {count} levels?(?:, (\d+) attempts?)?, 0:\d\d", terminal.getvalue())
    assert drawn[0] == ("0", "")
    assert drawn[-1][0] == count
    attempts = [int(tried or "0") for _, tried in drawn]
    assert attempts == sorted(attempts)
    assert any(made == "0" and tried for made, tried in drawn)
    assert attempts[-1] >= int(count)
    assert shown(terminal) == ""


@pytest.mark.parametrize(
    "arguments", others_slow([["descend", "--seed", "7", "--print", "1"], ["daily", "2026-01-01", "--print"]])
)
def test_a_level_that_is_printed_is_made_under_the_same_bar(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    silent = command(*arguments)
    monkeypatch.setattr(output, "monotonic", partial(next, itertools.count(0.0, 0.125)))
    terminal = fake_stderr(monkeypatch)
    assert command(*arguments).out == silent.out
    assert silent.err == ""
    assert "0 of 1 level, 1 attempt, 0:0" in terminal.getvalue()
    assert shown(terminal) == ""


def test_a_folder_is_converted_under_a_bar(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    (command.folder / "packs").mkdir()
    for name in ("a", "b"):
        command.pack(f"packs/{name}.txt", [ONE_PUSH, TWO_PUSHES])
    arguments = ["convert", str(command.folder / "packs"), "--to", "sok"]
    silent = command(*arguments)
    monkeypatch.setattr(output, "monotonic", partial(next, itertools.count(0.0, 0.125)))
    terminal = fake_stderr(monkeypatch)
    assert command(*arguments).out == silent.out
    assert re.findall(r"(\d) (?:of 4 )?levels", terminal.getvalue()) == ["2", "4", "0", "1", "2", "3"]
    assert shown(terminal) == ""


def test_there_is_no_bar_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressBar(4, packs_done) as bar:
        bar.show(2)
    assert capsys.readouterr().err == ""


def test_there_is_no_bar_where_stderr_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with ProgressBar(4, packs_done) as bar:
        bar.show(2)
        bar.complain("found nothing")
