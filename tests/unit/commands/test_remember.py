"""``--remember``: solutions that a search has found are known from then on, and nobody has solved the levels."""

from collections.abc import Callable, Generator, Sequence

import pytest

from sokoterm.commands.support import search
from sokoterm.commands.support.search import Answer, Request, search_level
from sokoterm.engine.level import Level
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, STUCK, TWO_PUSHES, Command
from tests.unit.commands.test_recorded import NearCluster, put_in_place

TURNED = "###\n#.#\n#$#\n#@#\n###"
# A solution of FEWER_MOVES.
FEWEST_MOVES = "LdlUluRR"


def known(command: Command, *pack: object) -> list[tuple[object, object]]:
    """Moves and credit of the known solutions of a pack, none of which is the player's own."""
    rows = command("info", *map(str, pack), "--json").objects
    assert not any(row["solved"] or row["own"] for row in rows)
    found = [row["known"] for row in rows]
    return [(each["lurd"], each["credit"]) for some in found if isinstance(some, list) for each in some]


@pytest.mark.parametrize(
    "flags",
    [[], ["--json"], ["--jobs", "2"], ["-o", "out.jsonl"], ["-o", "out.sok", "--jobs", "2"], ["--cluster", "x"]],
    ids=" ".join,
)
def test_solutions_are_known_whatever_found_them(command: Command, flags: list[str]) -> None:
    put_in_place(NearCluster(), command.monkeypatch)
    command.monkeypatch.chdir(command.folder)
    out = ["-o", "out.jsonl"] if "--cluster" in flags else []
    pack = command.pack("levels.txt", [ONE_PUSH, STUCK, TWO_PUSHES])
    result = command("solve", pack, *flags, *out, "--remember")
    assert (result.status, result.err) == (1, "")
    assert known(command, pack) == [("R", "solver"), ("RR", "solver")]
    copy = command.pack("copy.txt", [TURNED])
    assert known(command, copy) == [("U", "solver")], "by level hash"
    assert "\nU\n" in command("convert", copy, "--with", "known", "--to", "sok", "-o", "-").out
    assert command("list", "solved", "--in", pack, "--json").objects == []


def test_solve_keeps_nothing_without_being_told(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH])
    for flags in ([], ["--no-remember"]):
        assert command("solve", pack, *flags).status == 0
        assert known(command, pack) == []
    assert not (command.data).exists()


def test_only_better_solutions_are_kept(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    for metric in ("moves", "pushes"):
        assert command("solve", pack, "--optimal", metric, "--remember").status == 0
    found = known(command, pack)
    assert len(found) == 2
    (longer,) = command("solve", pack, "--moves", f"ud{FEWEST_MOVES}", "--remember", "--json").objects
    assert longer["moves"] == len(FEWEST_MOVES) + 2
    assert known(command, pack) == found


def test_results_of_a_run_without_it_are_kept_and_nothing_is_solved_again(command: Command) -> None:
    cluster = NearCluster()
    put_in_place(cluster, command.monkeypatch)
    out = command.folder / "out.jsonl"
    pack = command.pack("levels.txt", [ONE_PUSH, TURNED, TWO_PUSHES])
    assert command("solve", pack, "--cluster", "x", "-o", out).status == 0
    assert known(command, pack) == []
    rows, solved = sorted(out.read_text("ascii").splitlines()), [*cluster.done]
    assert command("solve", pack, "--cluster", "x", "-o", out, "--remember").status == 0
    assert known(command, pack) == [("R", "solver"), ("U", "solver"), ("RR", "solver")]
    assert (sorted(out.read_text("ascii").splitlines()), cluster.done) == (rows, solved)


def test_ctrl_c_loses_no_solution_that_waits_for_that_of_an_earlier_level(command: Command) -> None:
    def interrupted(
        searches: Sequence[tuple[Level, Request]], _jobs: int, keep: Callable[[int, Answer], None]
    ) -> Generator[Answer, None, None]:
        keep(1, search_level(*searches[1], lambda _: None))
        yield from ()
        raise KeyboardInterrupt

    command.monkeypatch.setattr(search, "search_levels", interrupted)
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES])
    assert command("solve", pack, "--jobs", "2", "--remember").status == 130
    assert known(command, pack) == [("RR", "solver")]


@pytest.mark.parametrize("flags", [[], ["-o", "out.jsonl"]], ids=["printed", "-o"])
def test_optimize_remembers_unless_told_not_to(command: Command, flags: list[str]) -> None:
    command.monkeypatch.chdir(command.folder)
    pack = command.pack("levels.txt", [FEWER_MOVES])
    assert command("optimize", pack, *flags, "--no-remember").status == 0
    assert known(command, pack) == []
    assert command("optimize", pack, *flags, "--remember").status == 0
    assert sorted(str(credit) for _, credit in known(command, pack)) == ["optimizer", "solver"]
