"""Commands about packs: those of the library renamed and removed."""

from pathlib import Path

import pytest

from sokoterm.app.request import Request, Start
from sokoterm.app.session import Session
from sokoterm.linemode.commands import ArgumentError
from sokoterm.linemode.session import CatalogCommands
from sokoterm.store.packs import added_packs, open_pack, stamp_of
from tests.unit.app.generated import Home
from tests.unit.linemode.fake_lines import play
from tests.unit.linemode.test_session import ROOM, TWO


def test_a_pack_that_is_no_file_of_the_library_is_neither_renamed_nor_removed(tmp_path: Path) -> None:
    told = play(tmp_path, [ROOM, TWO], ["rename 1 new", "remove 1 yes", "remove 9", "rename"])
    assert told.says("only packs that you have added, and levels in them, can be changed")


class Desk:
    """Commands about the packs of a library folder; ``started`` are the levels that they began."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "packs"
        home = Home(folder, now=1e9)
        self.store, self.catalog, self.close = home.store, home.catalog, home.close
        self.started: list[Start] = []
        services = home.services(added_packs(str(self.folder), {}), own_folder=str(self.folder))
        self.commands = CatalogCommands(Session(services, lambda _: None, lambda: None), services, self._react)

    def do(self, line: str) -> list[str]:
        """Return the answer to a command with its arguments."""
        name, *arguments = line.split()
        try:
            return [*self.commands.by_name[name](tuple(arguments))]
        except ArgumentError as error:
            return [str(error)]

    def _react(self, request: Request) -> list[str]:
        assert isinstance(request, Start)
        self.started.append(request)
        return []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "a.txt").write_text(ROOM)
    return folder


def test_a_pack_of_the_library_is_renamed_and_removed(folder: Path) -> None:
    (folder / "a.txt").write_text(f"Collection: a\n\n{ROOM}")  # a title that follows
    desk = Desk(folder.parent)
    desk.do("pack 1")
    assert desk.do("rename 1 To the end") == ["a: renamed to To the end"]
    desk.do("pack 1")
    one, again = (start.pack_session for start in desk.started)
    assert one is again
    assert one.name == one.pack.title == "To the end"
    assert desk.do("remove 1")[0].endswith("type remove 1 yes")
    assert [file.name for file in added_packs(str(folder), {})] == ["To the end"]
    assert desk.do("remove 1 yes") == ["To the end: removed"]
    assert not list(folder.iterdir())
    desk.close()


def test_a_name_that_is_used_again_is_that_of_the_other_pack(folder: Path) -> None:
    (folder / "b.txt").write_text(f"{TWO}\n\n{TWO}")
    desk = Desk(folder.parent)
    desk.do("pack 1")
    desk.do("pack 2")
    assert desk.do("rename 1 z") == ["a: renamed to z"]
    assert desk.do("rename 1 a") == ["b: renamed to a"]
    desk.do("pack 1")
    desk.do("pack 2")
    one, two, two_again, one_again = (start.pack_session for start in desk.started)
    assert (two_again is two, one_again is one) == (True, True)
    assert (two.key, one.key) == (str(folder / "a.txt"), str(folder / "z.txt"))
    desk.close()


def test_packs_that_are_not_indexed_are_counted_and_indexed_while_nothing_is_typed(folder: Path) -> None:
    (folder / "b.txt").write_text(TWO)
    desk = Desk(folder.parent)
    commands = desk.commands
    assert desk.do("search boxes:1") == ["2 packs not indexed yet"]
    assert desk.do("series boxes:1") == ["2 packs not indexed yet"]
    while commands.wake_after() is not None:
        commands.lists.work(None)
    assert desk.do("search boxes:1") == ["1 level in 1 pack", "pack 2: b, level 2"]
    desk.close()


def test_levels_that_a_query_finds_are_played_in_the_order_of_lists(folder: Path) -> None:
    (folder / "a.txt").write_text(f"{ROOM}\n\n{TWO}")
    (folder / "b.txt").write_text(TWO)
    desk = Desk(folder.parent)
    for file in added_packs(str(folder), {}):
        desk.catalog.open().learn(file, open_pack(file), stamp_of(file))
    assert desk.do("series") == ["type a query for the levels to play: series unsolved hard<50"]
    assert desk.do("series boxes:99") == ["nothing matches the filter"]
    assert desk.do("series boxes:x") == ["column 1: found boxes:x, expected a number: boxes:4, boxes<=6, boxes:2-4"]
    assert desk.do("series pack:a or boxes:99") == []
    desk.do("order size")
    assert desk.do("series unsolved") == []
    first, second = (start.pack_session.pack for start in desk.started)
    assert [dict(level.metadata)["collection"] for level in first.levels] == ["a 1", "a 3"]  # the one between is a copy
    sizes = [level.board.width * level.board.height for level in second.levels]
    assert sizes == sorted(sizes)
    desk.close()
