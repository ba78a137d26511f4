"""The score table of all accounts, as a player sees it."""

from pathlib import Path
from time import time

import pytest

from sokoterm.store.score_table import ScoreTable
from tests.unit.tui.fake_terminal import play

# The fewest moves, 3, take the player straight on; the fewest pushes are 2 in any case.
PACK = "##########\n#@       #\n# $ .    #\n#        #\n##########\nTitle: One\n\n#####\n#@$.#\n#####\nTitle: Two\n"
STRAIGHT = ["j", "l", "l"]
ROUNDABOUT = ["l", "h", *STRAIGHT]
DAY = 86_400.0


def scores_of(folder: Path, name: str, day: int = 0, told: list[str] | None = None) -> ScoreTable:
    tell = pytest.fail if told is None else told.append
    return ScoreTable(str(folder / "scores.db"), name, lambda: day * DAY + DAY / 2, tell)


def home(folder: Path, name: str) -> Path:
    (folder / name).mkdir(exist_ok=True)
    return folder / name


def test_after_a_win_it_is_told_who_is_best(tmp_path: Path) -> None:
    play(home(tmp_path, "ann"), PACK, STRAIGHT, scores=scores_of(tmp_path, "ann"))
    bob = play(home(tmp_path, "bob"), PACK, ROUNDABOUT, scores=scores_of(tmp_path, "bob"))
    assert bob.shows("solved: Enter next; best on this server: 3 moves by ann; yours 5")
    assert bob.shows("? help")


def test_a_table_that_cannot_be_kept_does_not_hide_that_the_level_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notices: list[str] = []
    scores = ScoreTable("nowhere/scores.db", "ann", time, notices.append)
    session = play(tmp_path, PACK, [*STRAIGHT, "h", "k"], notices=notices, scores=scores)
    said = [" ".join(screen.split()) for screen in session.screens]
    first = next(index for index, screen in enumerate(said) if "the score table is off" in screen)
    assert "level solved" in said[first - 1]
    assert "solved: Enter next; nowhere/scores.db: No such file or directory" in said[first]
    assert session.shows("level solved")
    assert not notices


def test_the_browser_shows_the_best_of_the_level_under_the_cursor(tmp_path: Path) -> None:
    play(home(tmp_path, "ann"), PACK, STRAIGHT, scores=scores_of(tmp_path, "ann", day=2))
    for keys, size, facts in (
        (["b"], (24, 120), "best on this server 2 pushes, 3 moves by ann 1970-01-03"),
        (["b"], (24, 50), "best on this server 2 pushes, 3 moves by ann..."),
        (["b", "j"], (24, 120), ""),
    ):
        session = play(home(tmp_path, "cid"), PACK, keys, size=size, scores=scores_of(tmp_path, "cid"))
        assert session.shows(facts)
        assert session.shows("server") == bool(facts)


@pytest.mark.parametrize("size", [(6, 20), (8, 30), (24, 59), (24, 80), (50, 200)])
def test_no_window_is_too_small_for_it(tmp_path: Path, size: tuple[int, int]) -> None:
    long = "a" * 32
    play(home(tmp_path, "ann"), PACK, STRAIGHT, scores=scores_of(tmp_path, long))
    play(home(tmp_path, "bob"), PACK, [*ROUNDABOUT, "b", "j"], size=size, scores=scores_of(tmp_path, "bob"))


def test_without_a_table_nothing_is_said_of_it(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, [*STRAIGHT, "b"])
    assert not any("server" in screen for screen in session.screens)


def test_a_damaged_table_is_told_of_once_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "scores.db").write_bytes(b"nonsense" * 100)
    told: list[str] = []
    keys = [*STRAIGHT, "enter", "l", "b", "k", "j"]
    session = play(tmp_path, PACK, keys, scores=scores_of(tmp_path, "ann", told=told))
    assert any("level solved" in screen for screen in session.screens)
    assert len(told) == 1
