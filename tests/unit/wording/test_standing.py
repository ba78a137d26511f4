"""Words for figures and wins."""

from pathlib import Path

import pytest

from sokoterm.app.keymap import PLAY
from sokoterm.app.options import Series
from sokoterm.app.play import LevelFigures
from sokoterm.store.solutions import Summary
from sokoterm.wording.standing import WinWords, figure_rows
from tests.unit.app.generated import solution_of_floor
from tests.unit.app.player import Player, SeriesPlayer, SessionPlayer
from tests.unit.app.searches import FIRST, SOLVED, ForegroundProver, saying
from tests.unit.app.test_hints import HALL, STRAIGHT
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, LAMP, LAMP_SOLVED, TWO_WAYS

ROWS = "\n".join(TWO_WAYS.rows)
SHORT = "\n\n#####\n#@$.#\n#####\nTitle: {}\n"
SHORT_LURD, LONG = len(FEWEST_MOVES), len(FEWEST_PUSHES)


def words(player: SessionPlayer) -> WinWords:
    """The words for the last win."""
    assert player.model.win is not None
    return WinWords(player.model, player.model.win, PLAY)


@pytest.mark.parametrize(
    ("figures", "rows"),
    [
        (LevelFigures(None, None, 0, 0), []),
        (LevelFigures(None, None, 2, 0), [("at least", "", "2")]),
        (LevelFigures(None, Summary(9, 2), 2, 2), [("best known", "9", "2"), ("fewest pushes", "", "2")]),
        (LevelFigures(None, None, 2, 0, par=4), [("par", "", "4"), ("at least", "", "2")]),
        (LevelFigures(None, None, 2, 2, 9), [("fewest possible", "9", "2")]),
        (LevelFigures(None, None, 2, 0, 9), [("fewest moves", "9", ""), ("at least", "", "2")]),
    ],
)
def test_rows_without_a_figure_are_left_out(figures: LevelFigures, rows: list[tuple[str, str, str]]) -> None:
    assert figure_rows(figures) == rows


def test_the_title_says_what_the_solution_is_worth(tmp_path: Path) -> None:
    with Player(tmp_path, ROWS) as player:
        player.move(FEWEST_MOVES)
        assert (words(player).title, words(player).cheer) == ("Your first solved level", "FIRST!")
        assert words(player).lines[:2] == ["Your first solved level", "1 star"]
        player.act("restart")
        player.move("l" + FEWEST_MOVES)  # a wall: the same moves
        assert words(player).title == "Solved"
        player.act("restart")
        player.move(FEWEST_PUSHES)
        assert words(player).title == "Solved: fewest pushes possible"
        assert words(player).beside_stars == ""
        best, fewest = ("previous best", str(SHORT_LURD), "4"), ("fewest possible", "-", "2")
        assert words(player).rows == [("this time", str(LONG), "2"), best, ("better by", "", "2"), fewest]


def test_a_card_stays_as_it_is_and_the_next_win_is_called_perfect_once_that_is_proven(tmp_path: Path) -> None:
    """Title, letters and figures of the card changed when the proof came, a second after they had been painted."""
    with Player(tmp_path, ROWS, make_prover=ForegroundProver) as player:
        player.move(FEWEST_MOVES)
        player.act("restart")
        player.move(FEWEST_MOVES)
        player.rest(20)
        player.act("restart")
        player.move(FEWEST_MOVES)
        assert words(player).title == "Solved: fewest moves possible"
    with Player(tmp_path, LAMP, make_prover=ForegroundProver) as player:
        player.move(LAMP_SOLVED)
        painted = words(player).title, words(player).cheer, words(player).rows
        assert words(player).title == "Solved"
        player.rest(20)
        assert (words(player).title, words(player).cheer, words(player).rows) == painted
        player.act("restart")
        player.move(LAMP_SOLVED)
        assert words(player).title == "Solved: perfect"
        player.act("restart")
        player.move("ddlLruulDllddrURRllluRRdRrdrUUdlU")
        assert words(player).title == "Solved: fewest pushes possible"


def test_a_new_best_and_one_beyond_the_best_known(tmp_path: Path) -> None:
    detour = "ud" + FEWEST_MOVES
    (tmp_path / "known").mkdir()
    with Player(tmp_path, ROWS) as player:
        player.move(detour)
        player.act("restart")
        player.move(FEWEST_MOVES)
        assert words(player).title == "Solved: new best"
    with Player(tmp_path / "known", f"{ROWS}\nSolution: {detour}") as player:
        player.rest(10)
        player.move(FEWEST_MOVES)
        player.act("restart")
        player.move(FEWEST_MOVES)
        assert words(player).title == "Solved: beats the best known"


def test_what_comes_next(tmp_path: Path) -> None:
    with Player(tmp_path, ROWS + SHORT.format("Two rooms") + SHORT.format("3")) as player:
        player.move(FEWEST_MOVES)
        assert (words(player).following, words(player).left) == ("Enter next: 2 Two rooms", "")
        player.ask(player.model.go_to_level(3))
        player.move("r")
        assert words(player).title == "Every level of the pack is solved"
        # The second level has the same board: it is solved as well.
        assert (words(player).following, words(player).left) == ("pack done: Enter other packs", "")
        assert words(player).lines[-1] == "fewest possible: 1 push, proven"
    (tmp_path / "last").mkdir()
    with Player(tmp_path / "last", ROWS + SHORT.format("Two rooms")) as player:
        player.ask(player.model.go_to_level(2))
        player.move("r")
        assert (words(player).following, words(player).left) == ("Enter next: 1", "last level, 1 unsolved")
        assert words(player).lines[-2:] == ["last level, 1 unsolved", "next level: 1"]


def test_a_floor_is_compared_with_its_par_and_leads_down(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, Series(True)) as player:
        player.move(solution_of_floor(7, 1).lurd)
        assert words(player).title == "Solved: at par"
        assert words(player).following == "Enter goes down to floor 2"
        assert words(player).lines == []


def test_a_floor_solved_with_hints_is_not_on_par(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, Series(True)) as player:
        player.model.pack_session.note_aid(player.model.level, "hints", "")
        player.move(solution_of_floor(7, 1).lurd)
        assert words(player).title == "Solved with help"


def test_a_level_solved_with_hints_is_said_to_be(tmp_path: Path) -> None:
    with Player(tmp_path, HALL, saying(FIRST, STRAIGHT, SOLVED)) as player:
        player.act("hint")
        player.hear(3)
        player.act("hint", "hint", "hint")
        assert (words(player).title, words(player).beside_stars) == ("Solved with help", "no stars with help")
        player.act("restart")
        player.move("RRRR")
        assert words(player).title == "Solved without help for the first time"
        player.act("restart")
        player.move("RRRR")
        assert words(player).title == "Solved: fewest pushes possible"


def test_the_last_level_of_a_pack_is_a_moment_once(tmp_path: Path) -> None:
    with Player(tmp_path, ROWS + SHORT.format("Two rooms")) as player:
        player.move(FEWEST_MOVES)
        assert words(player).progress == (1, 2)
        player.act("accept")
        player.move("r")
        assert (words(player).title, words(player).progress) == ("Every level of the pack is solved", (2, 2))
        player.act("restart")
        player.move("r")
        assert words(player).title == "Solved: fewest pushes possible"
