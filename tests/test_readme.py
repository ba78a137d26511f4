"""The README tells the truth: its example runs, its verbs are all there are, and their examples work."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from sokoterm.cli import main
from sokoterm.verbs import VERBS

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text("utf-8")
EXAMPLES = [shlex.split(example)[1:] for example in re.findall(r"^\| .* \| `(sokoterm .*)` \|$", README, re.MULTILINE)]


def test_engine_example() -> None:
    results = doctest.testfile(str(PROJECT / "README.md"), module_relative=False)
    assert (results.failed, results.attempted > 5) == (0, True)


def test_every_verb_has_one_example() -> None:
    assert [example[0] for example in EXAMPLES] == list(VERBS)


@pytest.mark.parametrize("example", EXAMPLES[1:], ids=lambda example: str(example[0]))
def test_example_works(example: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(PROJECT)
    monkeypatch.setenv("SOKOTERM_DATA", str(tmp_path))
    assert main(example) == 0


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\((?!https?://)([^)]*)\)", README):
        assert (PROJECT / link).is_file(), link
