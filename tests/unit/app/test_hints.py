"""Hints and solutions to be replayed, of the running search and of earlier ones."""

from pathlib import Path

import pytest

from sokoterm.app.improvement import ShowReplay
from sokoterm.app.request import Ask, Note, Solve
from sokoterm.engine.level import Level
from sokoterm.solver.search import Found
from sokoterm.store.known_levels import Source
from tests.unit.app.player import Player
from tests.unit.app.searches import EASY, FIRST, SHORT, SOLVED, Said, found_by, saying

HALL = "########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
HALL_LEVEL = Level.from_xsb(HALL)
DETOUR = found_by(HALL_LEVEL, "RurDldRRRdrU")
STRAIGHT = found_by(HALL_LEVEL, "RRRR")
LONG_WAY = ("right", "up", "right", "down", "left", "down", "right", "right", "right", "down", "right", "up")


def of_solver(before: str, lurd: str) -> ShowReplay:
    return ShowReplay(before, lurd, Source.SOLVER)


def test_a_hint_that_is_watched_waits_for_the_player(tmp_path: Path) -> None:
    with Player(tmp_path, EASY, saying(FIRST, FIRST, SHORT)) as player:
        assert isinstance(player.act("hint"), Solve)
        assert player.act("solve") == Ask.WATCH
        assert player.hear(3, is_watched=False) == [Note.HINT_READY]
        assert player.model.game.pushes == 0
        assert player.act("hint") is Note.HINT_GIVEN
        assert player.model.game.lurd == "R"


def test_the_box_that_a_hint_has_pushed_is_known_as_long_as_the_position_stands(tmp_path: Path) -> None:
    """After a walk back it was looked for beside the last move: off the board, or for ever."""
    with Player(tmp_path, HALL, saying(FIRST, STRAIGHT, SOLVED)) as player:
        box = HALL_LEVEL.board.square(2, 3)
        player.act("hint")
        player.hear(2)
        for walk in (("up", "down"), ("down", "up"), ("left", "up", "right", "down")):
            player.act(*walk)
            assert player.model.hinted == box
        seen = [player.model.hinted]
        for action in ("left", "undo", "right"):
            player.act(action)
            seen.append(player.model.hinted)
        assert seen == [box, None, box, None]


def test_a_hint_for_another_position_waits_there(tmp_path: Path) -> None:
    with Player(tmp_path, EASY, saying(FIRST, SHORT)) as player:
        player.act("hint", "down")
        assert player.hear(2) == [Note.HINT_ELSEWHERE]
        assert player.model.game.lurd == "d"
        assert player.act("undo", "hint") is Note.HINT_GIVEN


def test_hints_go_by_the_better_solution_once_there_is_one(tmp_path: Path) -> None:
    with Player(tmp_path, HALL, saying(FIRST, DETOUR, STRAIGHT, SOLVED)) as player:
        player.act("hint")
        assert player.hear(2) == [Note.HINT_GIVEN]
        assert player.model.game.lurd == "R"
        assert player.hear(2) == []
        assert player.act("hint", "hint", "hint") is Note.HINT_GIVEN
        assert player.model.game.lurd == "RRRR"


def test_hints_follow_the_first_solution_where_the_next_one_does_not_pass(tmp_path: Path) -> None:
    elsewhere = found_by(HALL_LEVEL, "urDldRRRRdrU")
    with Player(tmp_path, HALL, saying(DETOUR, elsewhere, SOLVED)) as player:
        player.act("hint")
        assert player.hear(3) == [Note.HINT_GIVEN]
        player.act(*["hint"] * 5)
        assert player.model.game.pushes == 6
        assert player.model.game.is_solved


@pytest.mark.parametrize("asked", ["solve", "hint"])
def test_what_was_found_is_known_at_the_next_visit(tmp_path: Path, asked: str) -> None:
    with Player(tmp_path, f"{HALL}\n{EASY}", saying(DETOUR, STRAIGHT, SOLVED)) as player:
        player.act(asked)
        player.hear(3)
        player.act("restart", "next level", "previous level")
        if asked == "solve":
            assert player.act("replay") == of_solver("", "RRRR")
        player.act(*["hint"] * 4)
        assert player.model.game.lurd == "RRRR"


def test_hints_go_by_the_own_best_where_that_is_better(tmp_path: Path) -> None:
    with Player(tmp_path, HALL, saying(DETOUR, SOLVED)) as player:
        player.act("hint")
        player.hear(2)
        player.act("restart", *["right"] * 4, "restart", *["hint"] * 4)
        assert player.model.game.lurd == "RRRR"


def test_the_solutions_of_player_and_solver_are_replayed_in_turn(tmp_path: Path) -> None:
    with Player(tmp_path, HALL, saying(FIRST, STRAIGHT, SOLVED)) as player:
        player.act(*LONG_WAY, "restart", "solve")
        found, own = of_solver("", "RRRR"), ShowReplay("", "RurDldRRRdrU", Source.OWN)
        assert player.hear(3) == [Note.SOLUTION_OFFERED]
        assert player.act("replay") == found
        assert player.model.hints.after(found) == own
        assert player.model.hints.after(own) == found


def test_what_was_found_for_a_hint_is_not_replayed(tmp_path: Path) -> None:
    with Player(tmp_path, HALL, saying(DETOUR, SOLVED)) as player:
        player.act("hint")
        player.hear(2)
        assert player.act("replay") is Note.NO_SOLUTION_YET


@pytest.mark.parametrize(
    ("actions", "before", "rest"),
    [([], "R", "urDldRRRdrU"), (["left"], "Rl", "urrDldRRRdrU"), (["undo", "down", "right", "up"], "drU", "")],
)
def test_the_solution_that_a_hint_was_of_is_offered_without_a_search(
    tmp_path: Path, actions: list[str], before: str, rest: str
) -> None:
    with Player(tmp_path, HALL, saying(DETOUR, SOLVED)) as player:
        player.act("hint")
        player.hear(2)
        answer = player.act(*actions, "solve")
        assert player.model.game.lurd == before
        assert answer == (Note.SOLUTION_OFFERED if rest else Solve(player.model.game.state, before))
        if rest:
            assert player.act("replay") == of_solver(before, rest)


def test_nobody_waits_for_the_search_that_goes_on_after_a_hint(tmp_path: Path) -> None:
    rest = Found(STRAIGHT.solution._replace(lurd="RRR", moves=3, pushes=3))
    said: list[Said] = [DETOUR, FIRST, FIRST, FIRST, rest, SOLVED]
    with Player(tmp_path, f"{HALL}\n{EASY}", saying(*said)) as player:
        player.act("hint")
        assert player.hear(2) == [Note.HINT_GIVEN]
        assert (player.session.solver.is_busy, player.session.is_searching) == (True, False)
        assert player.act("cancel") is None
        assert player.act("solve") is Note.SOLUTION_OFFERED
        assert player.act("solve") == Solve(player.model.game.state, "R")
        assert player.session.is_searching
        assert player.hear(4) == [Note.SOLUTION_OFFERED]
        assert player.act("replay") == of_solver("R", "RRR")
    with Player(tmp_path, f"{HALL}\n{EASY}", saying(*said)) as player:
        player.act("restart", "hint")
        player.hear()
        player.act("next level")
        assert not player.session.solver.is_busy
        assert player.notices == []


def of_file(lurd: str, credit: str) -> ShowReplay:
    return ShowReplay("", lurd, Source.KNOWN, credit)


ROOM = "########\n#@     #\n#  $   #\n#    . #\n########\nTitle: Room\n"
OF_ROOM = "rrDldRR"


def test_every_solution_of_the_open_pack_can_be_replayed_the_best_first(tmp_path: Path) -> None:
    records = {
        "Best Solution 7/3 (YASS 2.86 Optimizer)": OF_ROOM,
        "Solution Tomo": f"rlrl{OF_ROOM}",
        "Solution/Moves 9/3": f"rl{OF_ROOM}",
        "Solution 7/3 (again)": OF_ROOM,
    }
    told = "".join(f"\n{name}\n{lurd}\n" for name, lurd in records.items())
    with Player(tmp_path, f"{ROOM}{told}") as player:
        known = player.model.hints.kept()
        assert [each.lurd for each in known] == [OF_ROOM, f"rl{OF_ROOM}", f"rlrl{OF_ROOM}"]
        assert known[0].credit == "YASS 2.86 Optimizer"
        assert player.act("replay") == known[0]
        assert [player.model.hints.after(each) for each in known] == [*known[1:], known[0]]


def test_the_only_solution_is_followed_by_no_other(tmp_path: Path) -> None:
    with Player(tmp_path, f"{ROOM}\nSolution 7/3\n{OF_ROOM}\n") as player:
        replay = player.act("replay")
        assert replay == of_file(OF_ROOM, "from test")
        assert isinstance(replay, ShowReplay)
        assert player.model.hints.after(replay) is None
        assert not player.model.pack_session.is_solved(1)


def test_the_known_solution_stands_behind_ones_own(tmp_path: Path) -> None:
    with Player(tmp_path, f"{ROOM}\nSolution 7/3\n{OF_ROOM}\n") as player:
        player.move("durrDldRR")
        own = ShowReplay("", "durrDldRR", Source.OWN)
        assert player.model.hints.kept() == [own, of_file(OF_ROOM, "from test")]
