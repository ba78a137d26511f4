"""Several accounts on one data folder: what one of them pastes is nobody else's."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sokoterm.terminal.events import Event, Paste
from tests.unit.tui.visits import hosted, visit, visit_by_lines

ROOM = "########\n#@     #\n#  $   #\n#    . #\n########"
PUSH = "#####\n#@$.#\n#####"
SOLUTION = "rrDldRR"
PASTED = f"Collection: Whisper\n\n{ROOM}\nTitle: Ann was here\n\nSolution\n{SOLUTION}\n"
TELLS = ["Ann was here", "Whisper", "pasted", "known"]


def room(folder: Path) -> Path:
    path = folder / "packs" / "room.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{ROOM}\n\n{PUSH}\n", "utf-8")
    return path


def paste() -> Paste:
    return Paste(PASTED.replace("\n", "\r").encode())


def test_a_paste_of_one_account_is_shown_to_no_other(tmp_path: Path) -> None:
    pack = room(tmp_path)
    rest = ["wait"] * 9
    ann = visit(hosted(tmp_path, "ann", pack), ["b", *rest, "h", *rest, paste(), *rest, "b", *rest, "h", *rest])
    assert ann.shows("pasted")
    keys = ["b", *rest, "h", *rest, "right", *rest, "/", "a", "n", "n", "enter", "esc", "q"]
    for name in ("bob", "ann"):
        bob = visit(hosted(tmp_path, name, pack), keys)
        assert not any(words in screen for screen in bob.screens for words in TELLS)
    assert "no solution yet" in visit(hosted(tmp_path, "bob", pack), [*rest, "R"]).last


def test_line_by_line_a_paste_is_shown_to_no_other_account(tmp_path: Path) -> None:
    pack = room(tmp_path)
    said = visit_by_lines(hosted(tmp_path, "ann", pack), ["paste", *PASTED.split("\n"), ".", "packs"])
    assert any("Ann was here" in line for line in said)
    asked = ["show", "packs", "levels", "known", "search ann", "search whisper", "R"]
    said = visit_by_lines(hosted(tmp_path, "bob", pack), asked)
    assert not any(words in line for line in said for words in ["Ann was here", "Whisper", "pasted"])
    assert any("no solution yet" in line for line in said)


def test_whoever_pastes_a_solution_sees_it_until_his_session_ends(tmp_path: Path) -> None:
    pack = room(tmp_path)
    rest = ["wait"] * 9
    visit(hosted(tmp_path, "ann", pack), ["b", *rest])
    scripts: list[list[Event]] = [[paste(), "R"], [paste(), *rest, "R"], ["b", "esc", paste(), *rest, "R"]]
    for keys in scripts:
        assert visit(hosted(tmp_path, "ann", pack), keys).shows("moves, 3 pushes (from Whisper)")
    # It fits the level of equal hash that is on disk, too.
    to_the_file: list[Event] = [paste(), *rest, "b", *rest, "h", "k", *rest, "right", "home", *rest]
    assert visit(hosted(tmp_path, "ann", pack), to_the_file).shows("known 3 pushes, 7 moves (from Whisper)")
    said = visit_by_lines(hosted(tmp_path, "ann", pack), ["paste", *PASTED.split("\n"), ".", "R"])
    assert any("7 moves, 3 pushes (from Whisper)" in line for line in said)


def test_a_paste_leaves_nothing_on_the_disk_that_others_read(tmp_path: Path) -> None:
    pack = room(tmp_path)
    rest = ["wait"] * 9
    visit(hosted(tmp_path, "ann", pack), [paste(), *rest, "R", "esc", "b", *rest, "h", *rest, "o", *rest, *rest])
    with closing(sqlite3.connect(tmp_path / "library.db")) as connection:
        kept = "\n".join(connection.iterdump())
    assert "room" in kept
    assert not any(words in kept for words in ["Ann was here", "Whisper", "content:"])


def test_a_library_that_accounts_share_is_changed_by_none_of_them(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "a.txt").write_text("#####\n#@$.#\n#####\n")
    for key in "rx":
        session = visit(hosted(tmp_path, "ann"), ["b", "left", "end", key])
        assert session.shows("only packs that you have added")
    said = visit_by_lines(hosted(tmp_path, "ann"), ["remove 6 yes", "rename 6 b"])
    assert sum("only packs that you have added" in line for line in said) == 2
    assert [file.name for file in (tmp_path / "packs").iterdir()] == ["a.txt"]
