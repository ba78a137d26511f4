"""What verbs write and print: files whole or not at all, tables in line, and the bar on stderr."""

import io
import itertools
import os
import re
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from unicodedata import east_asian_width

import pytest

from sokoterm.commands.support import output, workers
from sokoterm.commands.support.output import (
    Column,
    InputError,
    ProgressBar,
    StatusLine,
    Table,
    bar_text,
    print_data,
    print_rows,
    table_of,
)
from sokoterm.commands.support.results import write_file
from sokoterm.language import levels_done, packs_done
from sokoterm.store.whole_files import lock, write_new
from tests.slow import others_slow
from tests.unit.commands.command import ONE_PUSH, SEED, TWO_PUSHES, Command


def test_a_file_keeps_its_permissions_or_has_those_that_are_asked_for_or_usual(tmp_path: Path) -> None:
    old, asked, new, usual = (tmp_path / name for name in ("old", "asked", "new", "usual"))
    for path in (old, asked, usual):
        path.write_bytes(b"old")
    old.chmod(0o640)
    asked.chmod(0o600)
    write_file(str(old), b"new")
    write_file(str(asked), b"new", 0o755)
    write_file(str(new), b"new")
    assert [path.stat().st_mode & 0o777 for path in (old, asked)] == [0o640, 0o755]
    assert new.stat().st_mode == usual.stat().st_mode
    assert old.read_bytes() == asked.read_bytes() == new.read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == ["asked", "new", "old", "usual"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("out.xsb")
    write_file(str(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out.xsb").read_bytes() == b"new"


def test_a_device_takes_the_data() -> None:
    write_file(os.devnull, b"new")
    assert not os.path.isfile(os.devnull)


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="needs /dev/fd")
def test_a_pipe_that_a_shell_names_takes_the_data() -> None:
    reading, writing = os.pipe()
    write_file(f"/dev/fd/{writing}", b"levels")
    os.close(writing)
    with open(reading, "rb") as pipe:
        assert pipe.read() == b"levels"


@pytest.mark.parametrize("name", ["missing/out.xsb", "folder", "nul\0", ""])
def test_what_cannot_be_written_is_said_in_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        write_file(name, b"new")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "out.xsb"
    old.write_bytes(b"old")

    def no_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(InputError, match="No space left"):
        write_file(str(old), b"new")
    assert (old.read_bytes(), os.listdir(tmp_path)) == (b"old", ["out.xsb"])


def test_a_new_file_takes_the_place_of_no_other(tmp_path: Path) -> None:
    path = tmp_path / "new"
    assert write_new(str(path), b"first")
    assert not write_new(str(path), b"second")
    assert path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["new"]
    with pytest.raises(FileNotFoundError):
        write_new(str(tmp_path / "missing" / "new"), b"")


def test_what_another_session_left_is_neither_in_the_way_nor_removed(tmp_path: Path) -> None:
    for leftover in (f".sokoterm-{os.getpid()}.tmp", f".sokoterm-{b'other'.hex()}.tmp"):
        (tmp_path / leftover).write_bytes(b"of somebody else")
    left = sorted(os.listdir(tmp_path))
    write_file(str(tmp_path / "one"), b"1")
    assert write_new(str(tmp_path / "two"), b"2")
    assert sorted(os.listdir(tmp_path)) == [*left, "one", "two"]
    assert all((tmp_path / name).read_bytes() == b"of somebody else" for name in left)


def test_a_name_that_is_taken_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", lambda _: b"taken.")
    taken = tmp_path / f".sokoterm-{b'taken.'.hex()}.tmp"
    taken.write_bytes(b"of somebody else")
    with pytest.raises(InputError, match="File exists"):
        write_file(str(tmp_path / "one"), b"1")
    assert taken.read_bytes() == b"of somebody else"


def leave(path: Path, seconds: float) -> Path:
    """A file that nobody has touched for so many seconds."""
    path.write_bytes(b"unfinished")
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def test_what_killed_writers_left_is_removed_with_the_next_file(tmp_path: Path) -> None:
    leave(tmp_path / ".sokoterm-0123456789ab.tmp", 7200)
    (tmp_path / ".sokoterm-0123456789ad.tmp").mkdir()
    kept = [
        leave(tmp_path / ".sokoterm-0123456789ac.tmp", 60),  # somebody is writing it
        tmp_path / ".sokoterm-0123456789ad.tmp",
        leave(tmp_path / ".sokoterm-notes.tmp", 7200),
        leave(tmp_path / "sokoterm.tmp", 7200),
    ]
    leave(tmp_path / ".sokoterm-0123456789ae.tmp", 60)
    with kept[0].open("rb") as written:
        assert lock(written.fileno())
        write_file(str(tmp_path / "out"), b"new")
    assert sorted(os.listdir(tmp_path)) == sorted(["out", *(path.name for path in kept)])


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("x" * 90, "x" * 80),
        ("庫" * 41, "庫" * 40),
        ("e\u0301" * 90, "e\u0301" * 80),
        ("123 " * 19 + "12345", "123 " * 18 + "123"),
        ("123 " * 19 + "1234 5", "123 " * 19 + "1234"),
    ],
)
def test_a_row_is_clipped_on_a_terminal_alone(
    row: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    print_rows([row])
    assert capsys.readouterr().out == f"{row}\n"
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    print_rows([row])
    assert capsys.readouterr().out == f"{shown}\n"


def test_data_on_a_terminal_cannot_act_on_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"; A\x1b[2J\n#@$.#\n"
    print_data(data)
    assert capsys.readouterr().out.encode() == data
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    print_data(data)
    assert capsys.readouterr().out == "; A?[2J\n#@$.#\n"


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
    assert lines == ["title   level  note", "推箱子      1", "a       40000  x", f"            7  {LONG}"]
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


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def fake_stderr(monkeypatch: pytest.MonkeyPatch) -> FakeTerminal:
    """A terminal in the place of stderr, for the rest of the test: pytest has put its own there by then."""
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def shown(terminal: FakeTerminal) -> str:
    """What is left to see on the line."""
    line = ""
    for part in terminal.getvalue().split("\r"):
        line = part + line[len(part) :]
    return line.rstrip()


def test_the_bar_as_text() -> None:
    for done, text in ((0, f"[{' ' * 30}]  0"), (10, f"[{'#' * 30}]  10"), (11, f"[{'#' * 30}]  11")):
        assert bar_text(done, 10, levels_done) == f"{text} of 10 levels"
    assert bar_text(1234, 0, levels_done) == "1,234 levels"


def test_the_bar_is_there_and_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = fake_stderr(monkeypatch)
    with ProgressBar(4, packs_done) as bar:
        bar.show(2)
        assert shown(stderr) == bar_text(2, 4, packs_done)
    assert shown(stderr) == ""
    with ProgressBar(4, packs_done) as bar:
        bar.show(2)
        bar.complain("found nothing")
    assert stderr.getvalue().endswith("\rsokoterm: found nothing\n")


def test_the_bar_is_drawn_ten_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = fake_stderr(monkeypatch)
    with ProgressBar(100, packs_done) as bar:
        for done in range(100):
            monkeypatch.setattr(output, "monotonic", lambda: 5 + done / 100)  # noqa: B023 - read at once
            bar.show(done)
    assert 10 <= stderr.getvalue().count("packs") <= 11


@pytest.mark.parametrize("count", others_slow(["2", "1"]))
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_while_levels_are_made_attempts_and_time_are_shown(command: Command, jobs: str, count: str) -> None:
    arguments = ["generate", "--boxes", "2", "--size", "7x6", "--nodes", "2000", "--count", count, "--jobs", jobs]
    silent = command(*arguments)
    command.monkeypatch.setattr(output, "monotonic", partial(next, itertools.count(0.0, 0.125)))
    command.monkeypatch.setattr(workers, "WAIT_SECONDS", 0.001)
    terminal = fake_stderr(command.monkeypatch)
    assert command(*arguments).out == silent.out
    assert silent.err == ""
    drawn = re.findall(rf"(\d) of {count} levels?(?:, (\d+) attempts?)?, 0:\d\d", terminal.getvalue())
    assert drawn[0] == ("0", "")
    assert drawn[-1][0] == count
    attempts = [int(tried or "0") for _, tried in drawn]
    assert attempts == sorted(attempts)
    assert any(made == "0" and tried for made, tried in drawn)
    assert attempts[-1] >= int(count)
    assert shown(terminal) == ""


@pytest.mark.parametrize(
    "arguments", others_slow([["descend", "--seed", "7", "--print", "1"], ["daily", "2026-01-01", "--print"]])
)
def test_a_level_that_is_printed_is_made_under_the_same_bar(command: Command, arguments: list[str]) -> None:
    silent = command(*arguments)
    command.monkeypatch.setattr(output, "monotonic", partial(next, itertools.count(0.0, 0.125)))
    terminal = fake_stderr(command.monkeypatch)
    assert command(*arguments).out == silent.out
    assert silent.err == ""
    assert "0 of 1 level, 1 attempt, 0:0" in terminal.getvalue()
    assert shown(terminal) == ""


def test_a_folder_is_converted_under_a_bar(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        command.pack(f"packs/{name}.txt", [ONE_PUSH, TWO_PUSHES])
    arguments = ["convert", str(command.folder / "packs"), "--to", "sok"]
    silent = command(*arguments)
    monkeypatch.setattr(output, "monotonic", partial(next, itertools.count(0.0, 0.125)))
    terminal = fake_stderr(monkeypatch)
    assert command(*arguments).out == silent.out
    assert re.findall(r"(\d) (?:of 4 )?levels", terminal.getvalue()) == ["2", "4", "0", "1", "2", "3"]
    assert shown(terminal) == ""


def test_there_is_no_bar_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ProgressBar(4, packs_done) as bar:
        bar.show(2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys, "stderr", None)
    with ProgressBar(4, packs_done) as bar:
        bar.show(2)
        bar.complain("found nothing")


def test_ctrl_c_while_the_line_is_written_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(io.StringIO):
        presses = 1

        def isatty(self) -> bool:
            return True

        def flush(self) -> None:
            if self.presses:
                self.presses -= 1
                raise KeyboardInterrupt

        def fileno(self) -> int:
            raise OSError

    stderr = Interrupted()
    monkeypatch.setattr(sys, "stderr", stderr)
    with pytest.raises(KeyboardInterrupt), StatusLine() as line:
        line.write("nodes 12")
    assert stderr.getvalue().endswith(f"\r{' ' * len('nodes 12^C')}\r")
