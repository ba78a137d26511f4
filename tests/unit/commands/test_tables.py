"""Tables of verbs: each has a heading, and its columns stay in line however wide the cells are."""

from collections.abc import Sequence
from unicodedata import east_asian_width

import pytest

from sokoterm.commands.support.output import Column, Table, table_of
from sokoterm.store.series import Run, keep_run
from tests.unit.commands.command import ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command
from tests.unit.commands.test_info import progress_in

LONG = "A title so long that no column of any usual width could ever hold all of it in one row"


def columns(line: str) -> str:
    """A line with a second character for each wide one: an index is a column of the terminal."""
    return "".join(each + "_" * (east_asian_width(each) in "WF") for each in line)


def starts(lines: Sequence[str], cells: Sequence[str]) -> set[int]:
    """The columns at which one cell of each line starts."""
    return {columns(line).index(columns(cell)) for line, cell in zip(lines, cells, strict=True)}


def test_cells_are_padded_by_the_columns_they_take() -> None:
    rows = [("推箱子", 1, None), ("a", 40_000, "x"), ("", 7, LONG)]
    lines = list(table_of([Column("title", is_text=True), Column("level"), Column("note", is_text=True)], rows))
    assert lines == [
        "title   level  note",
        "推箱子      1",
        "a       40000  x",
        f"            7  {LONG}",
    ]


def test_a_table_without_rows_has_its_heading() -> None:
    assert list(table_of([Column("a"), Column("bc")], [])) == ["a  bc"]
    assert Table(Column("a", 3), Column("b")).row(1, None) == "  1"


def test_info_stays_in_line(command: Command) -> None:
    board = "#" * 12_34 + "\n#@$." + " " * (12_34 - 5) + "#\n" + "#" * 12_34
    titles = ["推箱子", LONG, "", "A"]
    levels = zip([SEED, ONE_PUSH, TWO_PUSHES, board], titles, strict=True)
    pack = command.folder / "levels.txt"
    pack.write_text("\n\n".join(f"{level}\nTitle: {title}".removesuffix("Title: ") for level, title in levels), "utf-8")
    result = command("info", pack, "--max-board", "2000x9")
    _, heading, *rows, _ = result.out.splitlines()
    hashes = [str(each["hash"]) for each in command("info", pack, "--json", "--max-board", "2000x9").objects]
    assert starts([heading, *rows], ["hash", *hashes]) == {columns(heading).index("hash")}
    assert starts([heading, *rows[:2], rows[3]], ["title", *titles[:2], "A "]) == {heading.index("title")}
    for name in ("size", "floor", "dead", "solutions"):
        end = heading.index(name) + len(name)
        assert all(row[end - 1].isdigit() and row[end] == " " for row in rows)


def test_numbers_of_a_large_pack_stay_in_line(command: Command) -> None:
    pack = command.folder / "levels.txt"
    pack.write_text(f"{ONE_PUSH}\n\n" * 100_000, "utf-8")
    heading, *rows = command("info", pack, "-l", "7,100000").out.splitlines()[1:-1]
    assert [row.index("  5x3") for row in rows] == [7, 7]
    assert heading.index("level") + len("level") == 6


def test_solve_stays_in_line(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, STUCK, SEED])
    result = command("solve", pack, "--strategy", "bfs", "--nodes", "20")
    lines = [line for line in result.out.split("\n\n")[0].splitlines()[1:] if not line.startswith("       ")]
    heading, solved, stuck, hard = lines
    assert starts([heading, solved, stuck, hard], ["status", "solved", "unsolvable", "gave up: nodes"]) == {7}
    at = heading.index("title")
    assert [row[at:] for row in (solved, stuck, hard)] == ["A", "B", "C"]
    assert [row[heading.index("moves") : heading.index("moves") + 5] for row in (stuck, hard)] == [" " * 5] * 2


def test_duplicates_stay_in_line(command: Command) -> None:
    one, two = command.folder / "one.txt", command.folder / "箱.txt"
    one.write_text(f"{ONE_PUSH}\nTitle: {LONG}\n\n{TWO_PUSHES}\nTitle: 推\n", "utf-8")
    two.write_text(f"{ONE_PUSH}\n\n{TWO_PUSHES[::-1]}\n", "utf-8")
    heading, *rows, _ = command("duplicates", one, two).out.splitlines()
    hashes = [str(each["hash"]) for each in command("duplicates", one, two, "--json").objects]
    assert len(rows) == 4
    pairs = [hashes[0], hashes[0], hashes[1], hashes[1]]
    assert starts([heading, *rows], ["level hash", *pairs]) == {columns(heading).index("level hash")}


def test_runs_stay_in_line(command: Command) -> None:
    store = progress_in(command.folder)
    keep_run(store, Run(4_294_967_295, 1_000_000_000.0, 1_000_000_000.0))
    keep_run(store, Run(7, 1_000_000_000.0, 1_000_000_000.0))
    store.close()
    heading, *rows = command("descend", "--runs", "--data-dir", command.folder).out.splitlines()
    assert len(rows) == 2
    assert starts([heading, *rows], ["who", "you, open", "you, open"]) == {heading.index("who")}
    assert {row[: heading.index("seed") + 4].split()[0] for row in rows} == {"4294967295", "7"}


@pytest.mark.parametrize("screen", ["play", "planner"])
def test_keys_have_a_heading_for_each_screen(command: Command, screen: str) -> None:
    lines = command("keys").out.splitlines()
    heading, first = lines[lines.index(screen) + 1 :][:2]
    assert heading.split() == ["action", "keys", "help"]
    assert first[heading.index("keys") - 1] == " " != first[heading.index("keys")]
