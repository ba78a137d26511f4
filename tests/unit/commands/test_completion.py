"""Completions in the shells themselves, and the manual page as groff sets it."""

import shutil
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

from sokoterm.commands import EXIT_STATUSES, VERBS
from sokoterm.commands.completion import verbs
from tests.unit.commands.command import Command

PROJECT = Path(__file__).parents[3]

# Words typed, and words that are offered for the last one.
TYPED = [
    (["sol"], ["solve"]),
    (["solve", "--strat"], ["--strategy"]),
    (["solve", "--strategy", "b"], ["bfs", "backward", "beam"]),
    (["bench", "so"], ["solver"]),
    (["bench", "solver", "--resu"], ["--resume"]),
    (["play", "--theme", "con"], ["contrast"]),
    (["--palette", "d"], ["dark"]),
    (["completion", "z"], ["zsh"]),
    (["progress", "exp"], ["export"]),
    (["hash", "leve"], ["levels"]),
]


def script(command: Command, shell: str) -> str:
    """The completions of a shell; skips where it is missing."""
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    return command("completion", shell).out


def answer(shell: list[str], text: str) -> str:
    """Output of a shell that runs a script at the root of the project."""
    return subprocess.run([*shell, text], cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_bash_completes(command: Command, typed: list[str], offered: list[str]) -> None:
    words = " ".join(typed)
    ask = f"compopt() {{ :; }}; COMP_WORDS=(sokoterm {words}); COMP_CWORD={len(typed)}; _sokoterm"
    found = answer(["bash", "-c"], f'{script(command, "bash")}\n{ask}; printf "%s\\n" "${{COMPREPLY[@]}}"')
    assert {*found.split()} == {*offered}


def test_bash_completes_a_value_after_an_equals_sign(command: Command) -> None:
    ask = "compopt() { :; }; COMP_WORDS=(sokoterm solve --strategy = as); COMP_CWORD=4; _sokoterm"
    assert answer(["bash", "-c"], f'{script(command, "bash")}\n{ask}; echo "${{COMPREPLY[@]}}"').split() == ["astar"]


@pytest.mark.parametrize("typed", ["solve a", "solve --strategy astar -o a", "--data-dir a"])
def test_bash_completes_a_name_with_blanks(command: Command, tmp_path: Path, typed: str) -> None:
    (tmp_path / "a  b*").mkdir()
    ask = f"compopt() {{ :; }}; COMP_WORDS=(sokoterm {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _sokoterm"
    go = f'cd {quote(str(tmp_path))}; {ask}; printf "%s\n" "${{COMPREPLY[@]}}"'
    assert answer(["bash", "-c"], f"{script(command, 'bash')}\n{go}") == "a  b*\n"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("solve c", ["c.txt", "café $(touch x)", "caves", "caves/Big one"]),
        ("solve one-r", ["one-rainy-day"]),
        ("duplicates --near one-r", ["one-rainy-day"]),
        ("list --in caves/", ["caves/Big one"]),
        ("remove c", ["café $(touch x)", "caves", "caves/Big one"]),
        ("rename caves/Big\\\\ ", ["caves/Big one"]),
        ("collect one-r --into c", ["café $(touch x)", "caves", "caves/Big one"]),
        ("add c", ["c.txt"]),
    ],
)
def test_bash_completes_names_of_packs(command: Command, tmp_path: Path, typed: str, offered: list[str]) -> None:
    for name in ("café $(touch x)", "caves/Big one"):
        command.file(f"sokoterm_data/packs/{name}.txt", "#####\n#@$.#\n#####")
    (tmp_path / "c.txt").touch()
    shell = f'sokoterm() {{ PYTHONPATH={quote(str(PROJECT))} {quote(sys.executable)} -m sokoterm "$@"; }}'
    ask = f"compopt() {{ :; }}; COMP_WORDS=(sokoterm {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _sokoterm"
    go = f'{shell}; cd {quote(str(tmp_path))}; {ask}; printf "%s\n" "${{COMPREPLY[@]}}"'
    assert sorted(answer(["bash", "-c"], f"{script(command, 'bash')}\n{go}").splitlines()) == sorted(offered)
    assert {each.name for each in tmp_path.iterdir() if each.is_file()} == {"c.txt"}


@pytest.mark.parametrize(("typed", "offered"), TYPED)
def test_fish_completes(command: Command, typed: list[str], offered: list[str]) -> None:
    found = answer(["fish", "-N", "-c"], f'{script(command, "fish")}\ncomplete -C "sokoterm {" ".join(typed)}"')
    assert {line.partition("\t")[0].rstrip("/") for line in found.splitlines()} == {*offered}


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        (["solve", "--strat"], ["--strategy=", ":NAME:(", "backward", "*:PACK: _sokoterm_packs"]),
        (["bench", "solver", "--re"], ["--resume=", "[write each row to this file"]),
        (["--pal"], ["--palette=", "(dark light)"]),
    ],
)
def test_zsh_gets_the_flags_of_the_verb(command: Command, typed: list[str], given: list[str]) -> None:
    stand_ins = "compdef() { }; _describe() { }; _arguments() { print -l -- $@ }"
    ask = f"words=(sokoterm {' '.join(typed)}); CURRENT={len(typed) + 1}; _sokoterm"
    found = answer(["zsh", "-f", "-c"], f"{stand_ins}\n{script(command, 'zsh')}\n{ask}")
    for each in given:
        assert each in found


def test_the_manual_page_tells_of_every_verb_and_flag(command: Command) -> None:
    page = command("help", "--man").out
    for verb in verbs():
        assert f'.SS "{verb.name}"' in page or not verb.name
        for flag in verb.flags:
            assert all(name.replace("-", "\\-") in page for name in flag.names)
    if not shutil.which("groff"):
        pytest.skip("no groff here to set it")
    groff = ["groff", "-man", "-Tascii", "-ww"]
    set_page = subprocess.run(groff, input=page, capture_output=True, text=True, check=True, timeout=60)
    assert not set_page.stderr
    assert "SOKOTERM(1)" in set_page.stdout


@pytest.mark.parametrize("page", [("completion", "zsh"), ("completion", "fish"), ("help", "--man")])
def test_pages_are_english_in_every_language(command: Command, page: tuple[str, str]) -> None:
    assert command(*page, "--language", "de").out == command(*page).out


def test_the_verbs_come_in_the_order_of_the_help() -> None:
    names = [verb.name for verb in verbs()]
    assert names[: len(VERBS) + 1] == ["", *VERBS]


def test_the_documents_tell_what_exit_statuses_mean() -> None:
    page = (PROJECT / "docs" / "commands.md").read_text("utf-8")
    for status, meaning in EXIT_STATUSES.items():
        assert f"| {status} | {meaning} |" in page
