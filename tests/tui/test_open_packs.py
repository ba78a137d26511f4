"""What the browser keeps of the packs that it reads."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

from sokoterm.library.packs import PackError, PackFile, find_packs
from sokoterm.tui.course import Course
from sokoterm.tui.open_packs import OpenPacks
from tests.tui.made import Home


def test_a_pack_that_could_be_read_in_the_end_has_no_problem(tmp_path: Path) -> None:
    (tmp_path / "pack.txt").write_text("#####\n#@$.#\n#####\n")
    (file,) = find_packs(str(tmp_path / "pack.txt"))
    home = Home(tmp_path)
    problems = ["it is locked"]

    def open_course(file: PackFile) -> Course:
        if problems:
            raise PackError(problems.pop())
        return cast(Course, SimpleNamespace(key=file.key, is_over=False))

    packs = OpenPacks(open_course, home.shelf)
    assert packs.open(file) is None
    assert "it is locked" in home.shelf.library.problem(file)
    assert packs.open(file) is not None
    assert home.shelf.library.problem(file) == ""
    home.close()
