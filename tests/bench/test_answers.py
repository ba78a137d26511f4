"""``python3 -m tests.bench answers``: equal checkouts answer alike, and what differs is named."""

from pathlib import Path

from tests.bench.answers import ROOT, command_lines, compared
from tests.unit.commands.command import Command

_OTHER = """
import pathlib, sys
pathlib.Path("out.txt").write_text("other")
sys.exit(3)
"""


def test_a_checkout_answers_as_itself() -> None:
    lines = [
        "info -l 1-2 LEVELS/first-steps.txt",
        "convert -l 2 LEVELS/first-steps.txt -o a.sok",
        "solve missing.txt",
    ]
    assert list(compared(lines, ROOT, ROOT)) == [(line, "") for line in lines]


def test_another_status_and_another_file_are_named(tmp_path: Path) -> None:
    package = tmp_path / "sokoterm"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(_OTHER)
    ((_, difference),) = compared(["--version"], ROOT, tmp_path)
    assert {"-exit status 3", "+exit status 0", "-out.txt: other"} <= set(difference.splitlines())


def test_there_are_about_two_hundred_command_lines() -> None:
    assert len(command_lines()) > 200
    assert len(set(command_lines())) > 200


def test_the_other_checkout_must_be_named(bench: Command) -> None:
    assert bench("answers").status == 2
