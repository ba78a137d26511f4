"""``sokoterm generate``: the same arguments, the same levels."""

import os
import re
import signal
import subprocess
from functools import cache
from pathlib import Path

import pytest

from sokoterm.engine.level import Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.formats.registry import parse
from sokoterm.solver.common.dice import Dice
from sokoterm.solver.difficulty import figures_of
from sokoterm.solver.figures import difficulty
from sokoterm.store.packs import PackFile
from tests.slow import slow
from tests.unit.commands.command import MODULE, Command
from tests.unit.hash_seeds import printed_under
from tests.unit.solver.exhaustive import fewest_pushes

TINY = ["--seed", "5", "--boxes", "3", "--size", "8x7", "--nodes", "3000", "--count", "3"]
# Whatever changes these changes every level that was ever named by its seed.
HASHES = ["FD7F58D69FC838FF64CE67A404AEC6E0", "F118ACBDBE342093246CB47600D171AC", "AA8AF87BC9585DAA4872804F98DD5B28"]


def hashes(text: str) -> list[str]:
    return [level_hash(level) for level in read(text).levels]


def read(text: str) -> Pack:
    pack = parse(text.encode("utf-8"), "generated")
    assert pack.errors == ()
    return pack


@cache
def made() -> str:
    """The levels of TINY, made once."""
    return printed_under("0", "-m", "sokoterm", "generate", *TINY, "--jobs", "1")


@pytest.mark.parametrize(("seed", "jobs"), [("1", "2"), slow("1", "1"), slow("2", "3")])
def test_the_same_arguments_give_the_same_levels(seed: str, jobs: str) -> None:
    assert hashes(made()) == HASHES
    assert hashes(printed_under(seed, "-m", "sokoterm", "generate", *TINY, "--jobs", jobs)) == HASHES


def test_a_level_is_the_same_in_a_smaller_batch_and_another_one_by_another_seed(command: Command) -> None:
    assert hashes(command("generate", *TINY[:-1], "1").out) == HASHES[:1]
    assert hashes(command("generate", *TINY[:-1], "1", "--seed", "6").out)[0] not in HASHES


def test_the_largest_size_makes_the_levels_of_any_large_one(command: Command) -> None:
    most, large = (
        command("generate", *TINY[:-1], "1", "--size", size).out for size in ("999999999x999999999", "90x90")
    )
    assert hashes(most) == hashes(large)


def test_a_level_tells_how_it_is_made_and_what_it_takes_as_the_solver_finds_too(command: Command) -> None:
    levels = read(made()).levels
    assert [each.title for each in levels] == ["Generated 5-1", "Generated 5-2", "Generated 5-3"]
    figures, arguments = dict(levels[1].metadata)["recipe"].split("; ")
    assert arguments == "seed 5, level 2, size 8x7, boxes 3, nodes 3,000"
    assert re.fullmatch(
        r"difficulty \d+, \d+ pushes, \d+ moves, \d+ box lines, \d+ box changes, \d+ pushing sessions, "
        r"\d+ of \d+ floor squares used",
        figures,
    )
    answers = command("solve", command.file("made.xsb", made()), "--strategy", "astar", "--json").objects
    for level, answer in zip(levels, answers, strict=True):
        assert f", {answer['pushes']} pushes, " in dict(level.metadata)["recipe"]
        assert not level.comment


def test_a_level_that_ships_is_not_made_again(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    path = command.file("shipped.xsb", read(made()).levels[1].xsb())
    monkeypatch.setattr("sokoterm.store.packs.bundled_packs", lambda: [PackFile(str(path), "shipped", "shipped")])
    found = hashes(command("generate", *TINY).out)
    assert (found[0], found[2]) == (HASHES[0], HASHES[2])
    assert found[1] not in HASHES


def test_a_level_of_the_batch_is_not_made_again(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    # Every number gets the dice of the first one: without a second look all levels would be the same.
    dice_of = Dice.of
    monkeypatch.setattr("sokoterm.solver.common.dice.Dice.of", lambda seed, _number, attempt: dice_of(seed, 1, attempt))
    found = hashes(command("generate", *TINY).out)
    assert found[0] == HASHES[0]
    assert len(set(found)) == 3


def test_a_level_of_a_pack_to_avoid_is_not_made_again(command: Command) -> None:
    path = command.file("mine.xsb", read(made()).levels[1].xsb())
    found = hashes(command("generate", *TINY, "--avoid", path).out)
    assert (found[0], found[2]) == (HASHES[0], HASHES[2])
    assert found[1] not in HASHES
    before = path.read_text("utf-8")
    assert command("generate", *TINY, "--avoid", path, "-o", path).status == 2
    assert path.read_text("utf-8") == before


@pytest.mark.parametrize(("asked", "least", "most"), [("easy", 35, 49), slow("50-56", 50, 56), slow("47", 45, 49)])
def test_levels_are_as_hard_as_asked_for(command: Command, asked: str, least: int, most: int) -> None:
    result = command(
        "generate", "--seed", "3", "--difficulty", asked, "--count", "2", "--size", "7x7", "--nodes", "2000"
    )
    levels = read(result.out).levels
    told = [*map(int, re.findall(r"(?m)^Recipe: difficulty (\d+), ", result.out))]
    assert len(told) == len(levels) == 2
    assert [difficulty(figures_of(level)) for level in levels] == told
    assert all(least <= number <= most for number in told)
    assert f"seed 3, level 2, difficulty {least}-{most}, size 7x7, nodes 2,000\n" in result.out


def test_no_level_is_that_hard(command: Command) -> None:
    tiny = ("--size", "6x6", "--boxes", "2", "--nodes", "300")
    result = command("generate", "--difficulty", "100-119", *tiny)
    said = "no level of difficulty 100-119 in 40 attempts: try another difficulty or --seed"
    assert result == (2, "", f"sokoterm: level 1 of seed 1: {said}\n")


def test_the_file_is_what_stdout_gets(command: Command) -> None:
    path = command.folder / "made.xsb"
    result = command("generate", *TINY, "-o", path)
    assert result == (0, "", f"sokoterm: {path}: 3 levels written\n")
    assert path.read_text("utf-8") == made()
    assert command("generate", *TINY, "--seed", "6", "--count", "1", "-o", path).status == 0
    assert hashes(path.read_text("utf-8")) != HASHES


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(
    ("ending", "jobs"),
    [(signal.SIGINT, "2"), (signal.SIGTERM, "1"), slow(signal.SIGINT, "1"), slow(signal.SIGTERM, "2")],
)
def test_broken_off_it_leaves_nothing(tmp_path: Path, jobs: str, ending: signal.Signals) -> None:
    ours, theirs = os.openpty()
    command = [*MODULE, "generate", "--count", "1000", "--jobs", jobs, "-o", str(tmp_path / "made.xsb")]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, start_new_session=True)
    os.close(theirs)
    try:
        said = b""
        while b" of 1,000 levels" not in said:
            said += os.read(ours, 1000)
        # The terminal sends Ctrl-C to all of them.
        if ending is signal.SIGINT:
            os.killpg(running.pid, ending)
        else:
            running.send_signal(ending)
        written, _ = running.communicate(timeout=30)
        said += _rest(ours)
    finally:
        os.close(ours)
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
    assert (written, b"Traceback" in said) == (b"", False)
    assert running.returncode in (130, 143, -signal.SIGTERM)
    assert (b"sokoterm: interrupted: nothing was written" in said) is (ending is signal.SIGINT)
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)


def _rest(terminal: int) -> bytes:
    """Read the rest, where the other end may be closed by now."""
    os.set_blocking(terminal, False)
    try:
        return os.read(terminal, 10_000)
    except OSError:
        return b""


@pytest.mark.parametrize(
    ("variant", "kinds"), [("both", ("colors", "sliding")), slow("colors", ("colors",)), slow("sliding", ("sliding",))]
)
def test_levels_of_other_kinds_are_solved_and_the_same_again(
    command: Command, variant: str, kinds: tuple[str, ...]
) -> None:
    arguments = ["generate", "--variant", variant, "--size", "7x7", "--boxes", "2", "--nodes", "500", "--count", "2"]
    text = command(*arguments).out
    levels = read(text).levels
    assert [level.board.kinds for level in levels] == [kinds] * 2
    assert len({*map(level_hash, levels)}) == 2
    assert command(*arguments, "--jobs", "2").out == text
    for level in levels:
        pushes = re.search(r"^difficulty \d+, (\d+) pushes, (\d+) moves", dict(level.metadata)["recipe"])
        assert pushes is not None
        assert fewest_pushes(level.board, level.start) == int(pushes[1])
