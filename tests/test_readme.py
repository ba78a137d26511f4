"""The README says what the program does: its key tables, its example, its verbs and their examples."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sokoterm.cli import main
from sokoterm.tui.keymap import BROWSER, PLANNER, PLAY, REPLAY, SOLVER, Keymap, help_lines
from sokoterm.verbs import VERBS

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
EXAMPLES = [shlex.split(example)[1:] for example in re.findall(r"^\| .* \| `(sokoterm .*)` \|$", README, re.MULTILINE)]


@pytest.mark.parametrize(
    ("heading", "keymap"),
    [("playing", PLAY), ("push planner", PLANNER), ("replay", REPLAY), ("solver", SOLVER), ("browser", BROWSER)],
)
def test_the_key_tables_are_those_of_the_program(heading: str, keymap: Keymap) -> None:
    rows = [f"| `{line.keys}` | {line.text} |" for line in help_lines(keymap)]
    table = "\n".join([f"| {heading} | |", "|---|---|", *rows])
    assert table + "\n\n" in README, f"README.md should have this table:\n\n{table}"


def test_the_table_of_figures_is_that_of_the_program() -> None:
    rows = [f"| `{line.keys}` | {line.text} |" for line in SOLVER.figures]
    table = "\n".join(["| figure of a search | |", "|---|---|", *rows])
    assert table + "\n\n" in README, f"README.md should have this table:\n\n{table}"


def test_the_engine_example_runs() -> None:
    results = doctest.testfile(str(PROJECT / "README.md"), module_relative=False)
    assert (results.failed, results.attempted > 5) == (0, True)


def test_the_session_without_a_screen_is_what_it_says(tmp_path: Path) -> None:
    block = re.search(r"<!-- plain -->\n```\n(.*?)```\n", README, re.DOTALL)
    assert block is not None
    lines = block[1].splitlines()
    (command, *typed) = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    found = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        input="".join(f"{line}\n" for line in typed),
        capture_output=True,
        text=True,
        cwd=PROJECT,
        env={**os.environ, "SOKOTERM_DATA": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        check=True,
    )
    assert found.stdout.splitlines() == [line for line in lines if not line.startswith("> ")]


def test_every_verb_has_one_example() -> None:
    assert [example[0] for example in EXAMPLES] == list(VERBS)


@pytest.mark.parametrize("example", EXAMPLES[1:], ids=lambda example: str(example[0]))
def test_the_examples_work(example: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(PROJECT)
    monkeypatch.setenv("SOKOTERM_DATA", str(tmp_path))
    assert main(example) == 0


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\((?!https?://)([^)]*)\)", README):
        assert (PROJECT / link).is_file(), link
