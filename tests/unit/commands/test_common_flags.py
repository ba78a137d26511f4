"""Flags that mean the same in every verb: --data-dir, -l without PACK, --moves."""

import pytest

from sokoterm.commands import BENCHES, VERBS
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, Command

# A harmless call of each verb that needs no terminal.
CALLS = {
    "daily": ["--print", "2026-11-20"],
    "descend": ["--runs"],
    "add": ["PACK"],
    "solve": ["PACK"],
    "optimize": ["PACK"],
    "verify": ["PACK", "-l", "1", "--moves", "R"],
    "hash": ["PACK"],
    "duplicates": ["PACK"],
    "convert": ["PACK", "--to", "xsb"],
    "generate": ["--boxes", "2", "--nodes", "500"],
    "info": ["PACK"],
    "progress": ["export", "-"],
    "replay": ["PACK", "-l", "1", "--moves", "R", "--print"],
    "reach": ["PACK", "-l", "1", "--box", "2,3"],
    "deadlock": ["PACK", "-l", "1", "--moves", "R"],
    "keys": [],
    "help": [],
}


@pytest.mark.parametrize("verb", CALLS)
def test_every_verb_takes_a_data_dir(command: Command, verb: str) -> None:
    pack = str(command.pack("levels.txt", [ONE_PUSH]))
    given = [pack if argument == "PACK" else argument for argument in CALLS[verb]]
    result = command(verb, *given, "--data-dir", command.folder / "data")
    assert result.err == ""
    assert result.status == (1 if verb == "deadlock" else 0)


def test_help_names_the_data_dir_for_every_verb_in_the_same_words(command: Command) -> None:
    verbs = [[verb] for verb in VERBS if verb != "bench"] + [["bench", bench] for bench in BENCHES] + [[]]
    texts = [" ".join(command(*verb, "--help").out.split()) for verb in verbs]
    meaning = "--data-dir D folder for progress and packs, instead of the one below"
    assert [verb for verb, text in zip(verbs, texts, strict=True) if meaning not in text] == []


def test_a_floor_is_printed_with_a_data_dir(command: Command) -> None:
    result = command("descend", "--seed", "1", "--print", "1", "--data-dir", command.folder)
    assert (result.status, result.err) == (0, "")


@pytest.mark.parametrize("verb", ["solve", "hash", "info"])
def test_a_level_number_alone_is_one_of_first_steps(command: Command, verb: str) -> None:
    assert [each["title"] for each in command(verb, "-l", "1-2", "--json").objects] == ["A push", "Round behind it"]


def test_a_level_number_alone_is_one_of_first_steps_in_text(command: Command) -> None:
    converted = command("convert", "-l", "2", "--to", "xsb", "--no-progress").out
    assert (converted.count("Title: "), "Title: Round behind it" in converted) == (1, True)
    assert "first-steps.txt 1  A push\n" in command("info", "-l", "1").out
    assert "RRR" in command("solve", "-l", "1").out
    assert command("verify", "-l", "1", "--moves", "RRR").status == 0


def test_a_level_that_first_steps_lacks_is_not_sought_elsewhere(command: Command) -> None:
    result = command("hash", "-l", "33-40")
    assert (result.status, result.out) == (2, "")
    assert "first-steps.txt: found 32 levels, expected level 33-40 too" in result.err


@pytest.mark.parametrize("name", ["moves", "lurd"])
def test_moves_have_one_name_and_answer_to_the_old_one(command: Command, name: str) -> None:
    pack, file = command.pack("levels.txt", [TWO_PUSHES]), command.folder / "moves.txt"
    file.write_text("RR")
    for flags in ([f"--{name}", "RR"], [f"--{name}-file", file]):
        assert command("verify", pack, "-l", "1", *flags).status == 0
        assert command("replay", pack, "-l", "1", *flags, "--print").out.startswith("move 0/2 push 0/2\n")
        assert "every box is on a goal" in command("deadlock", pack, "-l", "1", *flags).out
        assert command("reach", pack, "-l", "1", *flags, "--box", "2,5").status == 0


@pytest.mark.parametrize("verb", ["optimize", "verify", "replay", "reach", "deadlock"])
def test_help_names_moves_alone(command: Command, verb: str) -> None:
    text = command(verb, "--help").out
    assert "--moves TEXT" in text
    assert "--moves-file FILE" in text
    assert "--lurd" not in text
