"""The replay on the screen, the panel beside a board, and the choices before a solution is improved."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from sokoterm.app.improvement import ShowReplay
from sokoterm.app.options import Series
from sokoterm.app.play import PlayModel
from sokoterm.app.request import Ask, Note, TakeOver
from sokoterm.engine.level import Level
from sokoterm.solver.search import Outcome, Status
from sokoterm.store.known_levels import Source
from sokoterm.tui.screens.panel import Panel
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.screens.replay import ReplayScreen
from sokoterm.tui.widgets.canvas import Canvas
from sokoterm.tui.widgets.frame import Area
from tests.unit.app.player import Player, SeriesPlayer, SessionPlayer
from tests.unit.app.searches import EASY, FIRST, Said, found_by
from tests.unit.tui.fake_terminal import Session, line_for, play, scripted
from tests.unit.tui.planned import press, text_of
from tests.unit.tui.test_golden import DETOUR, HALL

BOARD = "##########\n#@ $   . #\n#        #\n##########\n"
SOLUTION = "rRRRR"
SHOWN = ShowReplay("", SOLUTION, Source.SOLVER)


class Replays:
    """Replays of the solution of one level."""

    def __init__(self, player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
        self._play = PlayScreen(player.model)
        self._monkeypatch = monkeypatch

    def __call__(self, *keys: str, better: ShowReplay | None = None) -> ReplayScreen:
        """A replay after some keys; ``better`` is found meanwhile."""
        self._monkeypatch.setattr(self._play.model.hints, "find_offer", lambda: better)
        screen = ReplayScreen(self._play, SHOWN)
        for key in keys:
            text_of(screen)
            press(screen, key)
        return screen


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Replays]:
    with Player(tmp_path, BOARD) as player:
        yield Replays(player, monkeypatch)


def test_keys_go_to_a_move(replay: Replays) -> None:
    for keys, shown in (
        (["home", "]"], 2), (["end"], 5), (["end", "u"], 4), (["end", "["], 4), (["3", "g"], 3), (["3", "enter"], 3),
        (["home", "g"], 0), (["home", "left"], 0), (["home", "right", "right", "home", "\u00b2", "g"], 0),
    ):  # fmt: skip
        assert press(replay(*keys), "enter") == TakeOver(SOLUTION[:shown], "")
    assert press(replay("home", "right"), "l") == TakeOver("r", "right")


def test_the_line_below_the_board_tells_move_speed_and_end(replay: Replays) -> None:
    for keys, words in (
        (["3", "g"], "move 3/5 push 2/4 "), (["space", "end"], "end of replay; Esc returns to your game"),
        (["space", "+"], "8 moves/s"), (["space", "+", "-", "home"], "paused"),
    ):  # fmt: skip
        assert words in text_of(replay(*keys))


def test_esc_drops_the_number_of_a_move_and_then_leaves(replay: Replays) -> None:
    screen = replay("home", "3")
    assert "go to move 3" in text_of(screen)
    assert [press(screen, "esc"), press(screen, "esc")] == [None, Ask.CLOSE]
    assert "go to move 3" not in text_of(screen)


def test_a_better_solution_is_told_of_until_the_next_key(replay: Replays) -> None:
    better = ShowReplay("", SOLUTION, Source.SOLVER)
    told = replay(better=better)
    assert "better: 4 pushes, 5 moves; R shows it" in text_of(told)
    assert "moves/s" not in text_of(told)
    assert "better: 4... R shows it" in text_of(told, (24, 44))
    assert "R shows it" in text_of(told, (12, 30))
    seen = replay("space", better=better)
    assert "paused" in text_of(seen)
    assert "R shows it" not in text_of(seen)
    assert "R other" in text_of(seen)
    assert press(seen, "R") == better


def test_without_another_solution_there_is_no_key_for_one_and_that_is_said_until_the_next_key(replay: Replays) -> None:
    only = replay("space")
    assert "R other" not in text_of(only)
    assert press(only, "R") is None
    assert line_for(Note.NO_OTHER_SOLUTION) in text_of(only)
    press(only, "space")
    assert line_for(Note.NO_OTHER_SOLUTION) not in text_of(only)


def test_what_is_told_besides_an_answer_waits_for_another_screen(replay: Replays) -> None:
    screen = replay()
    assert [screen.tell("news"), screen.tell("an answer", is_answer=True)] == [False, True]
    assert "an answer" in text_of(screen)


# The panel beside a board

PACK = """\
Collection: Panels
Author: B. Person

#####
#@$.#
#####
Title: {title}
Author: {author}
Comment:
The first line is long.

The second.
Comment-End:
"""


def lines_of(player: SessionPlayer, columns: int = 40, *, has_timer: bool = False) -> list[str]:
    """The lines of a panel with text of so many columns."""
    canvas, area = Canvas(30, columns + 4), Area(0, 0, 30, columns + 4)
    Panel(player.model, "X", has_timer=has_timer).draw(canvas, area, [], None, player.model.game)
    return [" ".join(row.text.strip("│ ").split()) for row in canvas.frame().rows]


def test_a_level_has_its_title_and_author_its_bookmarks_and_its_time(tmp_path: Path) -> None:
    for title, author, expected in (
        ("One box", "A. Person", ["Panels 1/1", "One box", "by A. Person"]),
        ("1", "A. Person", ["Panels 1/1", "by A. Person"]),
        ("One box", "", ["Panels 1/1", "One box", "by B. Person"]),
    ):
        with Player(Path(mkdtemp(dir=tmp_path)), PACK.format(title=title, author=author)) as player:
            assert lines_of(player)[: len(expected) + 1] == [*expected, ""]
            assert "bookmarks" not in "".join(lines_of(player))
            player.model.set_bookmark("b")
            player.model.set_bookmark("a")
            assert "bookmarks a b" in lines_of(player)
            player.model.seconds = 161.0
            assert [("time 2:41" in lines_of(player, has_timer=shown)) for shown in (False, True)] == [False, True]


def test_the_comment_is_whole_and_wrapped(tmp_path: Path) -> None:
    with Player(tmp_path, PACK.format(title="", author="")) as player:
        assert "\nThe first line is long.\nThe second.\n" in "\n".join(lines_of(player))
        assert "\nThe first line\nis long.\nThe second.\n" in "\n".join(lines_of(player, 14))


def test_a_generated_level_has_its_remark(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, Series(is_descent=True)) as player:
        assert "X" in " ".join(lines_of(player))


# The choices before a solution is improved

BETTER = found_by(Level.from_xsb(HALL), "RRRR")
NOTHING = Outcome(Status.SOLVED, "optimizer", None, None, 12, 20, 60.0)
SMALL = (8, 30)
WIDE = (35, 120)


def improving(folder: Path, script: list[Said], *keys: str, size: tuple[int, int] = (24, 80)) -> Session:
    """A session in which the improvement of a solved level finds what the script has; a second level is easy."""
    return scripted(Path(mkdtemp(dir=folder)), [*DETOUR, "O", "enter", *keys], script, f"{HALL}\n{EASY}", size)


def chosen(folder: Path, *keys: str, size: tuple[int, int] = (24, 80)) -> Session:
    """A first session that ends on the choices after some keys."""
    return play(Path(mkdtemp(dir=folder)), HALL, [*DETOUR, "O", *keys], size=size)


AGAIN = ("esc", "O", "enter", "wait", "wait", "R", "esc", "O")  # improved, and to be improved once more


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        # The lines change by the arrows, and a range is typed.
        (("right",), "for     < fewest pushes >"),
        (("down", "right"), "change  < the whole solution >"),
        (("4", "-", "9"), "change  < moves 4-9_ >"),
        (("4", "backspace"), "change  < the whole solution >"),
        (("4", "-", "9", "down"), "change    moves 4-9\n"),
        # The first line says which solution is improved; another one can be chosen.
        (AGAIN, "Improve   improved, 4 moves, 4 pushes"),
        ((*AGAIN, "up", "right"), "Improve < your best, 12 moves, 6 pushes >"),
        ((*AGAIN, "right", "right"), "for     < fewest box lines (runs of pushes in one direction) >"),
        (("right", "right"), "Improve   your best, 12 moves, 6 pushes, 4 box lines"),
        # What is no range starts nothing.
        (("9", "-", "4", "enter"), "9-4 is not a range of moves within 0-12, such as 3-9"),
        (("9", "-", "4", "enter"), "Improve  "),
        # Boxes and squares are marked on the board.
        (("tab", "space"), "box 1 of 1: keeps its pushes; keeps 1 box (%)"),
        (("tab", "space", "space"), "box 1 of 1: may change; any box may move, to any square"),
        (("tab", "up"), "Space bar square"),
        (("tab", "up", "space", "esc"), "board     bars 1 square (!)"),
        (("tab", "up", "up", "space"), "row 1 column 3: a wall"),
        (("tab", "esc"), "Improve  "),
    ],
)
def test_what_is_chosen_is_shown(tmp_path: Path, keys: tuple[str, ...], words: str) -> None:
    assert chosen(tmp_path, *keys).shows(words)


def test_enter_starts_from_the_board_too_and_esc_goes_back(tmp_path: Path) -> None:
    for keys in (("tab", "space", "enter"), ("tab", "esc", "esc")):
        assert not chosen(tmp_path, *keys).shows("Improve  ")
    assert not chosen(tmp_path, "tab", "up", "up").shows("Space ")  # a wall is not offered to be barred


def test_a_small_window_shows_the_line_under_the_cursor_above_the_board(tmp_path: Path) -> None:
    for downs, first in ((0, "for"), (1, "change"), (2, "with"), (3, "board")):
        told = chosen(tmp_path, *["down"] * downs, size=SMALL)
        assert told.last.splitlines()[0].startswith(first)
    assert chosen(tmp_path, "up", size=SMALL).shows("Improve < your best, 12... >")


def test_it_is_told_in_a_replay_that_nothing_was_found(tmp_path: Path) -> None:
    for size in ((24, 80), SMALL):
        told = improving(tmp_path, [FIRST, FIRST, NOTHING], "R", "space", "wait", size=size)
        assert "no better solution found in" in told.last


def test_what_a_stopped_improvement_has_found_is_told(tmp_path: Path) -> None:
    told = improving(tmp_path, [FIRST, BETTER, FIRST], "wait", "O")
    assert told.shows("8 moves can be saved in moves 1-12; R shows it")
    told = improving(tmp_path, [FIRST, BETTER, FIRST], "wait", "O", size=SMALL)
    assert told.shows("8 moves can", "R shows it")
    told = improving(tmp_path, [FIRST, BETTER, FIRST], "R", "wait", "O")
    assert told.shows("8 moves can be saved in moves 1-12; R shows it")
    for size in ((24, 80), SMALL):
        told = improving(tmp_path, [FIRST, FIRST, FIRST], "wait", "O", size=size)
        assert "no better solution found" in " ".join(told.last.split())


def test_steps_in_a_replay_leave_the_progress_of_an_improvement_where_it_is(tmp_path: Path) -> None:
    told = improving(tmp_path, [FIRST] * 9, "R", "space", "right", "right")
    assert "O stops" in told.last
    told = improving(tmp_path, [FIRST, BETTER, *[FIRST] * 9], "R", "space", "end", "left")
    assert "8 moves can be saved" in told.last


def test_the_replay_of_another_solution_says_that_another_one_is_improved(tmp_path: Path) -> None:
    told = improving(tmp_path, [BETTER, *[FIRST] * 20], "R", "space", "wait")
    assert told.shows("Replay: test 1, improved", "improving another solution, 1 s; O stops")
    told = improving(tmp_path, [BETTER, *[FIRST] * 20], "R", "O")
    assert told.shows("8 moves can be saved, nothing further found")


def test_replay_panel_and_footer_offer_to_stop_an_improvement(tmp_path: Path) -> None:
    assert play(tmp_path, EASY, ["S", "wait", "wait", "R", "space"]).shows("O improve")
    for size in ((24, 80), WIDE):
        assert improving(tmp_path, [FIRST] * 20, "R", "wait", size=size).shows("O stop")
        told = improving(tmp_path, [FIRST] * 20, "wait", size=size)
        assert told.shows("O stop")
        assert not told.shows("O improve")


def test_another_level_shows_that_one_is_being_improved_and_stops_it(tmp_path: Path) -> None:
    script: list[Said] = [FIRST, BETTER, *[FIRST] * 20]
    told = improving(tmp_path, script, "n", "right", "wait")
    assert told.shows("improving test 1, 1 s; Esc stops")
    assert "Esc stop" in told.last.splitlines()[-1]
    assert improving(tmp_path, script, "n", "wait", size=SMALL).shows("improving... Esc stops")
    told = improving(tmp_path, script, "n", "wait", "esc")
    assert told.shows("test 1: 8 moves can be saved in moves 1-12")
    assert not told.shows("Esc stop")


def test_there_is_no_difference_after_the_last(tmp_path: Path) -> None:
    told = improving(tmp_path, [FIRST, BETTER, NOTHING], "wait", "wait", "R", "n", "n")
    assert told.shows("no further difference", "n p compare")
    told = improving(tmp_path, [FIRST, BETTER, NOTHING], "wait", "wait", "R", "home", "p")
    assert told.shows("no earlier difference")


def test_while_a_solved_level_is_improved_the_footer_stops_that_and_plans_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlayModel, "is_improving", True)  # here an improvement is over before the next picture
    footers = [screen.splitlines()[-1] for screen in play(tmp_path, HALL, DETOUR).screens]
    assert "O stop  Tab plan" in footers[-2]
    assert footers[-1] == "Enter packs  u undo  R replay  O stop  b list  f collect  ? help  q quit"
