"""``sokoterm help``."""

import re
from pathlib import Path

import pytest

from sokoterm.commands.help import TOPICS, plain_text
from tests.unit.commands.command import Command

DOCS = Path(__file__).parents[3] / "docs"


def test_help_lists_every_page_of_docs(command: Command) -> None:
    listed = [line.split()[0] for line in command("help").out.splitlines() if line.startswith("  ")]
    assert listed == list(TOPICS)
    assert sorted(TOPICS) == sorted(page.stem for page in DOCS.glob("*.md"))


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_is_text_of_eighty_columns(command: Command, topic: str) -> None:
    status, out, err = command("help", topic)
    assert (status, err) == (0, "")
    title = (DOCS / f"{topic}.md").read_text("utf-8").splitlines()[0].removeprefix("# ")
    assert out.startswith(f"{title}\n{'=' * len(title)}\n\n")
    prose = [line for line in out.splitlines() if not line.startswith("    ")]
    assert [line for line in prose if len(line) > 80 and "(http" not in line] == []
    told = re.sub(r"`[^`]*`", "code", "\n".join(prose))
    assert re.findall(r"^(?:#+ \S|\||<!--|```).*|.*(?:\]\(|\*\*).*", told, re.MULTILINE) == []


def test_an_unknown_topic_is_refused_in_one_line(command: Command) -> None:
    status, out, err = command("help", "plying")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("sokoterm: help: found the topic 'plying', expected one of playing, commands")


def test_help_of_a_verb_is_what_the_verb_explains(command: Command) -> None:
    assert command("help", "solve") == command("solve", "--help")
    assert command("help", "solve").status == 0


def test_a_pack_named_help_is_read_by_its_path(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("help").write_text("#####\n#@$.#\n#####\n", "utf-8")
    assert command("help").out.startswith("  playing ")
    assert "\n1 level" in command("info", "./help").out
    assert "found no such" not in command("./help").err


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("## Keys\n\nUndo is\n`u`.", "Keys\n----\n\nUndo is `u`."),
        ("A **strong**, an *odd* word; A\\* of [a page](a.md#b).", "A strong, an odd word; A* of a page."),
        ("See [the wiki](http://example.org/x).", "See the wiki (http://example.org/x)."),
        ("- one\n  more\n- two", "- one more\n- two"),
        ("1. one\n2. two", "1. one\n2. two"),
        ("<!-- mark -->\n```sh\n**kept** [as](it) is\n```", "    **kept** [as](it) is"),
        ("| a | b |\n|---|---|\n| `x` | y |", "a  b\n-  -\nx  y"),
        ("![picture](a.svg)\n\ntext", "text"),
        ("code `**kept**` here", "code `**kept**` here"),
    ],
)
def test_marks_of_markdown_become_text(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text


def test_a_wide_table_is_wrapped_in_its_columns() -> None:
    text = plain_text(f"| name | |\n|---|---|\n| `x` | {'word ' * 30}|")
    assert max(map(len, text.splitlines())) <= 80
    assert [line[:6] for line in text.splitlines()] == ["name", "----  ", "x     ", "      "]
