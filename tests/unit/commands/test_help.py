"""Help of verbs on terminals of all widths, pages of help, and arguments that name neither a verb nor a file."""

import re
from pathlib import Path

import pytest

from sokoterm.commands import VERBS
from sokoterm.commands.help import TOPICS, plain_text
from tests.unit.commands.command import Command

HELP = [[], *([verb] for verb in VERBS)]
DATA_DIR = "--data-dir D folder for progress and packs, instead of the one below"


@pytest.mark.parametrize("verb", HELP)
def test_help_fits_the_terminal_and_ends_with_an_example_and_paths(command: Command, verb: list[str]) -> None:
    for columns in (60, 200):
        command.monkeypatch.setenv("COLUMNS", str(columns))
        page = command.done(*verb, "--help").out
        text, _, rest = page.partition("\nexample:\n")
        assert text.startswith(" ".join(["usage: sokoterm", *verb]))
        assert max(map(len, text.splitlines())) < min(columns, 80)
        assert rest.startswith(f"  {' '.join(['sokoterm', *verb])}")
    assert all(path in page for path in ("config.toml", "progress.db", str(command.folder / "xdg_state_home")))
    assert DATA_DIR in " ".join(page.split())


def test_help_names_every_verb(command: Command) -> None:
    listed = {line.split()[0] for line in command("--help").out.splitlines() if line.startswith("  ") and line.split()}
    assert set(VERBS) <= listed


@pytest.mark.parametrize("verb", ["optimize", "verify", "replay", "reach", "deadlock"])
def test_help_names_moves_alone(command: Command, verb: str) -> None:
    text = command(verb, "--help").out
    assert all(flag in text for flag in ("--moves TEXT", "--moves-file FILE"))
    assert "--lurd" not in text


def test_what_is_said_of_a_name_stands_beside_it(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = command("progress", "--help").out.splitlines()
    (begin,) = (index for index, line in enumerate(lines) if line.startswith("export  writes"))
    assert lines[begin + 1].startswith(" " * 8)
    assert lines[begin + 1][8] != " "
    assert any(line.startswith("  duplicates  find levels") for line in command("--help").out.splitlines())


def test_help_says_what_is_played_where_nothing_is_named(command: Command) -> None:
    assert "none: the bundled packs and your library" in " ".join(command("--help").out.split())
    assert "none: the bundled packs" in " ".join(command("info", "--help").out.split())


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("frobnicate", "frobnicate: no such verb or file (--help lists the verbs)"),
        ("duplicate", "duplicate: no such verb or file; did you mean duplicates?"),
        ("Covnert", "Covnert: no such verb or file; did you mean convert?"),
        ("levels.txt", "levels.txt: cannot be read: No such file or directory"),
        ("play/solve", "play/solve: cannot be read: No such file or directory"),
    ],
)
def test_a_word_that_is_neither_verb_nor_file(command: Command, word: str, said: str) -> None:
    assert command(word) == (2, "", f"sokoterm: {said}\n")
    assert command("play", word).err == f"sokoterm: {word}: cannot be read: No such file or directory\n"


def test_a_verb_behind_an_option(command: Command) -> None:
    result = command("--zoom", "1", "list", "boxes:4")
    said = "sokoterm: the verb list must come first: sokoterm list ...\n"
    assert (result.status, result.err) == (2, said)
    for flags in (["--seed", "5"], ["A", "-l", "1", "B", "-l", "2-3"], ["first-steps", "--json"]):
        assert command("--data-dir", "D", "list", *flags) == (2, "", said)
    assert command("--seed", "5", "list") == (2, "", said)


@pytest.mark.parametrize("more", [["first-steps"], ["first-steps", "--json"], ["-", "-l", "1"]])
def test_a_mistyped_verb_with_arguments_opens_none_of_them(command: Command, more: list[str]) -> None:
    assert command("sovle", *more) == (2, "", "sokoterm: sovle: no such verb or file; did you mean solve?\n")


def test_every_path_that_is_missing_is_named(command: Command) -> None:
    result = command("solv", "a.txt", "b.txt", "--ascii")
    assert result.status == 2
    assert result.err.splitlines() == [
        "sokoterm: solv: no such verb or file; did you mean solve?",
        "sokoterm: a.txt: cannot be read: No such file or directory",
        "sokoterm: b.txt: cannot be read: No such file or directory",
    ]


# Pages of the documents

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
    assert err.startswith("sokoterm: help: unknown topic 'plying'; expected one of playing, commands")


def test_help_of_a_verb_is_what_the_verb_explains(command: Command) -> None:
    assert command("help", "solve") == command("solve", "--help")
    assert command("help", "solve").status == 0


def test_a_pack_named_help_is_read_by_its_path(command: Command, tmp_path: Path) -> None:
    command.monkeypatch.chdir(tmp_path)
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
