"""Levels collected in packs of the player's own, from the list, the board and the line mode; and changed there."""

from pathlib import Path

import pytest

from sokoterm.app.options import PlayOptions
from sokoterm.engine.level import Level
from sokoterm.store.library_folder import named_own
from sokoterm.store.packs import open_pack
from sokoterm.terminal.events import Event
from tests.unit.tui.fake_terminal import Session, pane_lines
from tests.unit.tui.test_accounts import hosted, visit, visit_by_lines

ROOMS = "\n\n".join(
    f"; {width} wide\n\n{'#' * (width + 4)}\n#@${' ' * (width - 1)}.#\n{'#' * (width + 4)}" for width in (1, 2, 3)
)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A data folder with a pack of three levels."""
    pack(tmp_path, "rooms").write_text(f"Collection: Rooms\nAuthor: Ann\n\n{ROOMS}\n")
    return tmp_path


def pack(folder: Path, name: str) -> Path:
    (folder / "packs").mkdir(exist_ok=True)
    return folder / "packs" / f"{name}.txt"


def at_home(folder: Path, *keys: Event, size: tuple[int, int] = (24, 80)) -> Session:
    """A session on the levels of the pack, in the list."""
    return visit(PlayOptions((str(pack(folder, "rooms")),), data_dir=str(folder)), ["b", "home", *keys], size)


def by_lines(folder: Path, *commands: str, name: str = "rooms") -> list[str]:
    return visit_by_lines(PlayOptions((name,), data_dir=str(folder)), commands)


def levels(folder: Path, name: str = "Favourites") -> tuple[Level, ...]:
    return open_pack(named_own(str(folder / "packs"), name)).levels


def titles(folder: Path, name: str = "Favourites") -> list[str]:
    return [level.title for level in levels(folder, name)]


def test_a_key_collects_a_level_and_takes_it_out_and_puts_it_back_as_it_was(folder: Path) -> None:
    session = at_home(folder, "f", "down", "f")
    assert session.shows("added as level 2 of Favourites")
    assert [" ♥" in line for line in pane_lines(session)[1:4]] == [True, True, False]
    assert len({line.find("♥") for line in pane_lines(session)[1:3]}) == 1
    long = folder / "long.txt"
    long.write_text(f"; {'Forty Cold Colours ' * 9}\n{ROOMS}")
    assert visit(PlayOptions((str(long),), data_dir=str(folder)), ["b"]).shows(".. ♥")
    assert titles(folder) == ["1 wide", "2 wide"]
    assert {(level.author, dict(level.metadata)["collection"]) for level in levels(folder)} == {
        ("Ann", "Rooms 1"),
        ("Ann", "Rooms 2"),
    }
    before = (folder / "packs" / "Favourites.sok").read_bytes()
    session = at_home(folder, "f")
    assert session.shows("taken out of Favourites: f puts it back")
    assert titles(folder) == ["2 wide"]
    assert at_home(folder, "down", "f", "f").shows("added as level 1 of Favourites")
    assert at_home(folder, "f", "f", "f", "down", "f", "f").shows("added as level 1 of Favourites")
    at_home(folder, "f")
    (folder / "packs" / "Favourites.sok").write_bytes(before)
    at_home(folder, "f", "f")
    assert (folder / "packs" / "Favourites.sok").read_bytes() == before


def test_a_library_folder_that_cannot_be_listed_ends_no_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_: str) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.listdir", denied)
    assert at_home(folder, "f").shows("added as level 1 of Favourites")


def test_another_pack_is_named_once_for_all_that_follow(folder: Path) -> None:
    named = ["F", *"For my niece", "enter"]
    session = at_home(folder, *named, "down", "f", "down", "f")
    assert session.shows("added as level 3 of For my niece")
    assert at_home(folder, *named, "F", "enter").shows("already there as level 1 of For my niece")
    assert at_home(folder, "F", "esc", "F").shows("into which pack? (Favourites)")
    assert at_home(folder, "F", *"a:b", "enter").shows("found a:b, expected")
    assert titles(folder, "For my niece") == ["1 wide", "2 wide", "3 wide"]


def test_levels_of_ones_own_pack_are_moved_entitled_and_taken_out(folder: Path) -> None:
    session = at_home(folder, "S-down")
    assert session.shows("level 1 of rooms is now level 2")
    assert titles(folder, "rooms") == ["2 wide", "1 wide", "3 wide"]
    at_home(folder, "S-end", "K")
    assert titles(folder, "rooms") == ["1 wide", "2 wide", "3 wide"]
    at_home(folder, "end", "S-home", "S-up")
    assert titles(folder, "rooms") == ["3 wide", "1 wide", "2 wide"]
    session = at_home(folder, "r", "C-u", *"Mine", "enter", *"For Anna|with love", "enter")
    assert session.shows("saved: level 1 of rooms", "1 Mine")
    assert (titles(folder, "rooms")[0], levels(folder, "rooms")[0].comment) == ("Mine", "For Anna\nwith love")
    assert at_home(folder, "x").shows("take level 1 out of rooms?")
    assert at_home(folder, "x", "n").shows("1 Mine")
    assert at_home(folder, "x", "y").shows("taken out: level 1 of rooms", "1 1 wide")
    assert at_home(folder, "/", *"2", "enter", "S-up").shows("to move levels, use the original order")
    assert at_home(folder, "o", "S-up").shows("to move levels, use the original order")


def test_in_the_list_of_the_collection_itself_the_key_asks(folder: Path) -> None:
    at_home(folder, "f", "down", "f")
    shown = visit(PlayOptions(("favourites",), data_dir=str(folder)), ["b", "f"])
    assert shown.shows("take level 1 out of Favourites?")
    shown = visit(PlayOptions((), data_dir=str(folder)), ["end", "up", "right", "f", "y", "f", "y"])
    assert not (folder / "packs" / "Favourites.sok").exists()
    assert shown.shows("rooms")
    assert not shown.shows("Favourites/")


def test_the_level_in_play_goes_on_wherever_it_stands_in_its_pack(folder: Path) -> None:
    assert at_home(folder, "S-end", "esc").shows("Rooms 3/3 1 wide")
    assert at_home(folder, "down", "S-up", "esc").shows("Rooms 3/3 1 wide")
    assert at_home(folder, "x", "y", "esc").shows("Rooms 2/2 1 wide")
    assert at_home(folder, "end", "x", "y", "esc").shows("Rooms 2/2 1 wide")


def test_on_the_board_and_after_a_win(folder: Path) -> None:
    options = PlayOptions((str(pack(folder, "rooms")),), data_dir=str(folder))
    won = visit(options, ["l"], (24, 80))
    assert won.shows("f collect")
    assert visit(options, ["l", "f"]).shows("level solved; added as level 1 of Favourites")
    assert visit(options, ["f"]).shows("taken out of Favourites: f puts it back")
    assert visit(options, ["F"], (24, 80)).shows("into which pack? (Favourites)")
    assert visit(options, ["F", *"sub/x", "enter", "F", "enter"]).shows("already there as level 1 of sub/x")
    assert titles(folder, "sub/x") == ["1 wide"]


def test_a_level_taken_out_while_it_is_played_is_listed_no_more(folder: Path) -> None:
    at_home(folder, "f", "down", "f")
    shown = visit(PlayOptions(("favourites",), data_dir=str(folder)), ["f", "b"])
    assert shown.shows("1 2 wide")
    assert not shown.shows("1 wide")
    assert at_home(folder, "F", *"rooms", "enter").shows("already there as level 1 of rooms")


def test_by_lines(folder: Path) -> None:
    said = by_lines(folder, "collect", "2", "go 2", "collect For my niece", "f", "go 3", "F", "levels", "f")
    for line in (
        "added as level 1 of Favourites",
        "added as level 1 of For my niece",
        "taken out of For my niece: f puts it back",
        "added as level 1 of For my niece",
        "3: 3 wide, collected, 1 box",
    ):
        assert line in said
    by_lines(folder, "go 1", "collect niece", "next", "collect niece", "next", "f")
    said = by_lines(
        folder,
        *("move level 3 to 1", "title 2 The first one", "note 2 a | b", "note 2", "title 2"),
        *("take out 3", "take out 3 yes", "levels"),
        name="niece",
    )
    for line in (
        "level 3 of niece is now level 1",
        "saved: level 2 of niece",
        "a | b",
        "The first one",
        "to take level 3 out of niece, type take out 3 yes",
        "taken out: level 3 of niece",
        "2: The first one, collected, 1 box",
    ):
        assert line in said
    assert [(level.title, level.comment) for level in levels(folder, "niece")] == [
        ("3 wide", ""),
        ("The first one", "a\nb"),
    ]
    said = by_lines(folder, "title 1 x", "take out 9", name="first-steps")
    assert said.count("only packs that you have added, and levels in them, can be changed") == 2
    assert "found 9, expected" not in said
    said = visit_by_lines(PlayOptions((), data_dir=str(folder)), ["collect"])
    assert "no level is open: pack 1 opens the first pack" in said


def test_each_account_of_a_host_has_packs_of_its_own(folder: Path) -> None:
    assert visit(hosted(folder, "ann"), ["right", "f"]).shows("added as level 1 of Favourites")
    assert visit(hosted(folder, "ann"), ["end"]).shows("Favourites")
    assert not visit(hosted(folder, "bob"), ["end", *["wait"] * 30]).shows("Favourites")
    assert [path.name for path in (folder / "accounts" / "ann" / "packs").iterdir()] == ["Favourites.sok"]
    visit(hosted(folder, "ann"), ["wait"] * 30)
    library = folder / "library.db"
    assert not library.exists() or b"Favourites" not in library.read_bytes()


def test_packs_of_an_account_grow_no_larger_than_its_quota(folder: Path) -> None:
    own = folder / "accounts" / "ann" / "packs"
    own.mkdir(parents=True)
    (own / "large.txt").write_bytes(b" " * (1 << 20))
    options = PlayOptions((), data_dir=str(folder), account="ann", is_hosted=True, quota=1)
    assert visit(options, ["right", "f"]).shows("not saved: your packs take up the quota of 1 MB")
