"""``sokoterm bench optimizer``: its rows and totals, and tables that it cannot use."""

from pathlib import Path

import pytest

from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, SEED, Command
from tests.unit.solver.optimizer.known import long_solution

HEAD = "pack\tlevel\tmoves_moves\tmoves_pushes\tpushes_moves\tpushes_pushes\tlurd"


def table(command: Command, *rows: str, head: str = HEAD) -> Path:
    """A table in a folder beside that of the packs one and two."""
    (command.folder / "levels").mkdir()
    command.pack("levels/one.txt", [ONE_PUSH, FEWER_MOVES])
    command.pack("levels/two.txt", [SEED])
    (command.folder / "tables").mkdir()
    path = command.folder / "tables" / "other.tsv"
    path.write_text("\n".join(["# what another optimizer did", head, *rows, ""]), "ascii")
    return path


def rows_of(command: Command) -> Path:
    return table(
        command,
        "one\t2\t8\t4\t10\t2\tullddrUluR",
        f"two\t1\t168\t43\t169\t44\t{long_solution().lurd}",
        "one\t1\t3\t1\t2\t2\tR",
    )


def test_rows_and_totals_for_moves(command: Command) -> None:
    result = command("bench", "optimizer", rows_of(command), "--jobs", "2")
    assert (result.status, result.err) == (0, "")
    heading, *rows, blank, totals_heading, one, two, both = [line.split() for line in result.out.splitlines()]
    assert heading == ["pack", "level", "before", "after", "other", "verdict", "seconds", "proven"]
    assert [row[:6] + row[7:] for row in rows] == [
        ["one", "2", "10/2", "8/4", "8/4", "equal", "yes"],
        ["two", "1", "215/49", "169/43", "168/43", "worse", "yes"],
        ["one", "1", "1/1", "1/1", "3/1", "better", "yes"],
    ]
    assert (blank, totals_heading) == (
        [],
        ["pack", "levels", "before", "after", "other", "better", "equal", "worse"],
    )
    assert one == ["one", "2", "11/3", "9/5", "11/5", "1", "1", "0"]
    assert two == ["two", "1", "215/49", "169/43", "168/43", "0", "0", "1"]
    assert both == ["all", "3", "226/52", "178/48", "179/48", "1", "1", "1"]


def test_for_pushes_they_come_first(command: Command) -> None:
    out = command("bench", "optimizer", rows_of(command), "--for", "pushes").out
    verdicts = [line.split()[5] for line in out.splitlines()[1:4]]
    assert verdicts == ["equal", "better", "better"]
    assert out.splitlines()[-1].split() == ["all", "3", "226/52", "180/46", "181/48", "2", "1", "0"]


def test_a_level_that_is_missing_is_told_and_the_rest_is_done(command: Command) -> None:
    path = table(command, "one\t3\t8\t4\t10\t2\tR", "one\t1\t1\t1\t1\t1\tR", "three\t1\t1\t1\t1\t1\tR")
    result = command("bench", "optimizer", path)
    assert (result.status, result.out.splitlines()[-1].split()[:2]) == (2, ["all", "1"])
    first, second = result.err.splitlines()
    assert first.endswith("one.txt: found 2 levels, expected level 3 too")
    assert "three.txt" in second


def test_the_folder_of_the_levels_may_be_another(command: Command) -> None:
    path = table(command, "one\t1\t1\t1\t1\t1\tR")
    moved = path.rename(command.folder / "other.tsv")
    assert command("bench", "optimizer", moved).status == 2
    assert command("bench", "optimizer", moved, "--levels", command.folder / "levels").status == 0


@pytest.mark.parametrize(
    ("head", "row", "said"),
    [
        ("pack\tlevel\tlurd", "one\t1\tR", ", line 2: found no column moves_moves, expected pack, level, lurd, moves_"),
        (HEAD, "one\t1\t1\t1\t1\t1", ", line 3: found 'one"),
        (HEAD, "one\tx\t1\t1\t1\t1\tR", ", line 3: found 'one"),
        (HEAD, "one\t1\t1\t1\t1\t1\tL", ", line 3: step 1 (l) is blocked"),
    ],
)
def test_a_table_that_cannot_be_used_is_one_line(command: Command, head: str, row: str, said: str) -> None:
    path = table(command, row, head=head)
    result = command("bench", "optimizer", path)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith(f"sokoterm: {path}{said}")


def test_a_table_that_is_missing(command: Command) -> None:
    result = command("bench", "optimizer", command.folder / "missing.tsv")
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
