"""``python3 -m tests.bench``: every bench by name, and what ``sokoterm bench`` says of those that it had once."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sokoterm.cli import main
from sokoterm.commands import CHECKOUT_BENCHES
from tests.bench import BENCHES
from tests.unit.commands.command import Command

PROJECT = Path(__file__).parents[2]


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("name", [[], *([name] for name in BENCHES)])
def test_help_fits_the_terminal_and_has_an_example_that_can_be_given(
    bench: Command, name: list[str], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = bench(*name, "--help")
    text, _, rest = result.out.partition("\nexample:\n")
    assert (result.status, result.err) == (0, "")
    assert max(map(len, text.splitlines())) < min(columns, 80)
    assert " ".join(text.split()).startswith(f"usage: python3 -m tests.bench {' '.join(name)}".rstrip())
    assert rest.startswith(f"  python3 -m tests.bench {' '.join(name)}")


@pytest.mark.parametrize("arguments", [[], ["patience"], ["terminal", "--runs", "0"], ["files", "--no-such-flag"]])
def test_wrong_usage_is_one_line_and_status_2(bench: Command, arguments: list[str]) -> None:
    result = bench(*arguments)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert f"(python3 -m tests.bench {' '.join(arguments[:1] if arguments[1:] else [])}".rstrip() in result.err


@pytest.mark.parametrize("name", BENCHES)
def test_a_command_line_of_before_says_how_the_bench_is_run_now(
    name: str, bench: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sokoterm = Command(bench.folder, monkeypatch, capsys, main)
    result = sokoterm("bench", name, "--suite", "a file.txt")
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    command = result.err.rstrip("\n").partition("run: ")[2]
    assert shlex.split(command) == ["python3", "-m", "tests.bench", name, "--suite", "a file.txt"]
    assert name in sokoterm("bench", "--help").out


def test_the_benches_of_a_checkout_are_all_told() -> None:
    assert set(CHECKOUT_BENCHES) == set(BENCHES)


def test_the_command_runs_from_the_root_of_a_checkout(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.bench", "planner", "--suite", "no such pack"]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ["SOKOTERM_DATA"] = str(tmp_path)
    found = subprocess.run(command, cwd=PROJECT, env=environ, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (2, "")
    assert "no such pack" in found.stderr
