"""Help on terminals of all widths, and arguments that name neither a verb nor a file."""

import pytest

from sokoterm.commands import VERBS
from tests.unit.commands.command import Command

VERBS_AND_BENCHES = [
    [],
    *([verb] for verb in VERBS),
    ["bench", "solver"],
    ["bench", "sessions"],
]


@pytest.mark.parametrize("columns", [60, 80, 200])
@pytest.mark.parametrize("verb", VERBS_AND_BENCHES)
def test_help_fits_the_terminal(
    command: Command, verb: list[str], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text, _, rest = command(*verb, "--help").out.partition("\nexample:\n")
    assert max(map(len, text.splitlines())) < min(columns, 80)
    assert rest.startswith("  sokoterm")


def test_what_is_said_of_a_name_stands_beside_it(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = command("progress", "--help").out.splitlines()
    (begin,) = (index for index, line in enumerate(lines) if line.startswith("export  writes"))
    assert lines[begin + 1].startswith(" " * 8)
    assert lines[begin + 1][8] != " "
    assert any(line.startswith("  duplicates  find levels") for line in command("--help").out.splitlines())


def test_help_says_what_is_played_where_nothing_is_named(command: Command) -> None:
    assert "none: the packs that ship and your library" in " ".join(command("--help").out.split())
    assert "none: the packs that ship" in " ".join(command("info", "--help").out.split())


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("frobnicate", "frobnicate: found no such verb or file (--help lists the verbs)"),
        ("duplicate", "duplicate: found no such verb or file; is it duplicates?"),
        ("Covnert", "Covnert: found no such verb or file; is it convert?"),
        ("levels.txt", "levels.txt: cannot be read: No such file or directory"),
        ("play/solve", "play/solve: cannot be read: No such file or directory"),
    ],
)
def test_a_word_that_is_neither_verb_nor_file(command: Command, word: str, said: str) -> None:
    assert command(word) == (2, "", f"sokoterm: {said}\n")
    assert command("play", word).err == f"sokoterm: {word}: cannot be read: No such file or directory\n"


def test_a_verb_behind_an_option(command: Command) -> None:
    result = command("--zoom", "1", "list", "boxes:4")
    said = "sokoterm: found the verb list behind an option, expected it first: sokoterm list ...\n"
    assert (result.status, result.err) == (2, said)
    for flags in (["--seed", "5"], ["A", "-l", "1", "B", "-l", "2-3"], ["first-steps", "--json"]):
        assert command("--data-dir", "D", "list", *flags) == (2, "", said)
    assert command("--seed", "5", "list") == (2, "", said)


@pytest.mark.parametrize("more", [["first-steps"], ["first-steps", "--json"], ["-", "-l", "1"]])
def test_a_mistyped_verb_with_arguments_opens_none_of_them(command: Command, more: list[str]) -> None:
    assert command("sovle", *more) == (2, "", "sokoterm: sovle: found no such verb or file; is it solve?\n")


def test_every_path_that_is_missing_is_named(command: Command) -> None:
    result = command("solv", "a.txt", "b.txt", "--ascii")
    assert result.status == 2
    assert result.err.splitlines() == [
        "sokoterm: solv: found no such verb or file; is it solve?",
        "sokoterm: a.txt: cannot be read: No such file or directory",
        "sokoterm: b.txt: cannot be read: No such file or directory",
    ]
