"""``sokoterm link``, and links given as packs."""

from pathlib import Path

import pytest

from sokoterm.store import fetch
from sokoterm.store.packs import find_packs
from sokoterm.store.settings import LINK_PAGE
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, Command

ROWS = "level=%23%23%23%23%23%23%0A%23%40%24-.%23%0A%23%23%23%23%23%23"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("a link is not fetched")

    monkeypatch.setattr(fetch, "fetch", refuse)


def test_the_link_to_a_level(command: Command) -> None:
    pack = command.file("levels.txt", f"Author: Ann\n\n{ONE_PUSH}\n\n{TWO_PUSHES}\nTitle: Long way\n")
    link = command.done("link", pack, "-l", "2").out
    assert link == f"{LINK_PAGE}?title=Long%20way&author=Ann&{ROWS}\n"
    with_moves = command.done("link", pack, "-l", "2", "--moves", "2R", "--page", "http://x.y/?z").out
    assert with_moves == f"http://x.y/?z&title=Long%20way&author=Ann&solution=RR&{ROWS}\n"
    (found,) = command.done("hash", link.strip(), "--json").objects
    assert (found["pack"], found["title"], found["author"]) == (LINK_PAGE, "Long way", "Ann")
    assert found["hash"] == command.done("hash", pack, "-l", "2", "--json").objects[0]["hash"]
    command.feed(with_moves)
    assert command.done("convert", "-", "--to", "sok", "-o", "-").out.endswith("RR\n")


def test_the_solution_in_a_link_is_the_best_one_and_solves_the_level(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    assert "no solution is known" in command.refusal("link", pack, "--solution")
    assert "--moves: 1 of 1 box not on a goal" in command.refusal("link", pack, "--moves", "R")
    assert "cannot be combined" in command.refusal("link", pack, "--moves", "RR", "--solution")
    pack = command.file("levels.txt", f"{TWO_PUSHES}\n\nSolution: RR\n")
    assert "?solution=RR&" in command("link", pack, "--solution").out


def test_a_level_in_a_link_is_not_what_a_player_continues(command: Command) -> None:
    link = command.done("link", command.file("levels.txt", ONE_PUSH)).out.strip()
    assert [file.is_pasted for file in find_packs(link)] == [True]


def test_the_page_is_a_setting(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    config = command.file("sokoterm/config.toml", 'link_page = "https://example.org/"\n')
    assert config.is_relative_to(tmp_path)
    pack = command.pack("levels.txt", [TWO_PUSHES])
    assert command.done("link", pack).out == f"https://example.org/?title=A&{ROWS}\n"
    config.write_text("link_page = 3\n")
    assert "found link_page = 3, expected the address of a page in quotes" in command("link", pack).err


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("level=%23%0A%ZZ%0A%23", "found '%' in the level of a link"),
        ("level=999999999%23|%23|%23", "found a count that makes 999,999,999"),
        ("level=%23%0A%23%0A%23", "found no player"),
    ],
)
def test_a_broken_link_is_one_line_without_its_password(command: Command, query: str, said: str) -> None:
    refusal = command("hash", f"https://me:secret@example.org/sokoban?{query}")
    assert (refusal.status, refusal.out) == (2, "")
    assert refusal.err.startswith(f"sokoterm: https://example.org/sokoban, line 1, level 1: {said}")
    assert refusal.err.count("\n") == 1
