"""Watching a search: what is shown of it, and what becomes of the game meanwhile."""

import re
from pathlib import Path

import pytest

from sokoterm.app.request import Note
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Feature, Found, Outcome, Progress, Reason, Status, solve
from sokoterm.tui.screens.solver import solution_text
from sokoterm.tui.widgets.frame import diff
from sokoterm.wording.columns import cut_at_a_word
from sokoterm.wording.outcomes import progress as progress_text
from tests.unit.app.searches import EASY, EASY_LEVEL, FIRST, LIMITS, LONG, SHORT, SOLVED, Said
from tests.unit.tui.fake_terminal import TWO_LEVELS, line_for, scripted
from tests.unit.tui.planned import PILLARS
from tests.unit.tui.test_golden import check_golden

WIDE = "\n".join(["#" * 120, *["#" + " " * 118 + "#"] * 40, "#@" + " " * 90 + "$  ." + " " * 23 + "#", "#" * 120])
LEVEL = Level.from_xsb(PILLARS)
ROOMS = Level.from_xsb("""\
################
#      #     ..#
# $ $  #      .#
#  $          .#
# $ $  # @    .#
#  $   #      .#
#      #########
########
""")
LINE = Level.from_xsb("#####\n#@$.#\n#####")


def _boxes(*squares: tuple[int, int]) -> int:
    return sum(1 << LEVEL.board.square(*square) for square in squares)


SECOND = Progress(
    "fess",
    12_345,
    8000,
    0,
    0,
    4.0,
    _boxes((5, 1), (3, 9), (5, 6)),
    (Feature("packed", 1, 3), Feature("connectivity", 2), Feature("out of plan", 0, 3)),
)
TIME_OVER = Outcome(Status.GAVE_UP, "greedy", Reason.TIME, None, 99_000, 80_000, 60.0)


def test_solving_goes_on_beside_the_game_and_is_watched_by_the_same_key(tmp_path: Path) -> None:
    seen = scripted(tmp_path, ["S", "h"], [FIRST, FIRST])
    assert seen.shows("moves 1", "solving: nodes 4000 depth 17 bound 41 1.0 s", "S watch  Esc stop")
    watched = scripted(tmp_path, ["S", "S"], [FIRST, SECOND])
    assert watched.shows("Solver: Golden 1/2  Three boxes and a pillar  by A. Person")
    assert watched.shows("play on while it searches", "from         your move 1")


def test_a_hint_that_is_watched_is_told_of_on_either_screen(tmp_path: Path) -> None:
    seen = scripted(tmp_path, [".", "S", "wait"], [FIRST, FIRST, SHORT], EASY)
    assert seen.shows("solution found: Enter shows it; still searching")
    left = scripted(tmp_path, [".", "S", "wait", "esc"], [FIRST, FIRST, SHORT], EASY)
    assert left.shows(line_for(Note.HINT_READY))


def test_what_a_key_answered_makes_room_for_a_solution_that_is_found(tmp_path: Path) -> None:
    asked = ["S", "l", "."]
    assert scripted(tmp_path / "asked", asked, [FIRST, FIRST, FIRST], EASY).shows(line_for(Note.ALREADY_SEARCHING))
    assert scripted(tmp_path / "found", [*asked, "wait"], [FIRST, FIRST, FIRST, SHORT], EASY).shows("solution found: R")


def test_a_search_that_goes_on_after_a_hint_is_not_shown(tmp_path: Path) -> None:
    script: list[Said] = [SHORT, FIRST, FIRST, FIRST]
    two = f"{EASY}\n{EASY}"
    on = scripted(tmp_path / "on", [".", "wait", "wait"], script, two)
    assert on.shows(line_for(Note.HINT_GIVEN), ". hint  S solve")
    for key in ("esc", "n", "h"):
        stopped = scripted(tmp_path / key, [".", key], script, two)
        assert not any("search" in screen or "solving" in screen for screen in stopped.screens)
    assert scripted(tmp_path / "quit", [".", "C-c", "l", "l"], script, two).shows("pushes 1")


def test_what_the_search_tells_is_shown_and_nothing_else(tmp_path: Path) -> None:
    seen = scripted(tmp_path, ["S", "S"], [FIRST, FIRST])
    assert seen.shows("strategy  astar\n", "nodes     4,000", "stored    5,200, 143 of 256 MB")
    assert seen.shows("pushes    17 deep, 41 at least", "4.0 of 60 s")
    assert not seen.shows("best position")
    assert not seen.shows("solution")
    seen = scripted(tmp_path, ["S", "S", "wait", "wait"], [FIRST, SECOND, SECOND._replace(nodes=20_345), SECOND])
    assert seen.shows("strategy     fess, in turns with astar")
    two_cores = SECOND._replace(cores=2)
    several = scripted(tmp_path / "cores", ["S", "S", "wait", "wait"], [FIRST, two_cores, two_cores, two_cores])
    assert several.shows("strategy     fess, on 2 cores with...")
    assert seen.shows("packed       1 of 3", "connectivity 2\n") or seen.shows("connectivity 2 ")
    assert seen.shows("best position so far")
    assert not seen.shows("deep")


@pytest.mark.parametrize(
    ("columns", "best", "words"),
    [
        (80, SECOND.best, "backward, in turns with..."),
        (80, 0, "backward, in turns with astar, fess, greedy"),
        (54, 0, "backward, in turns with astar, fess, greedy"),
        (53, 0, "backward, in turns with astar, fess..."),
        (36, 0, "backward, in turns..."),
        (30, 0, "backward, in..."),
        (24, 0, "backward..."),
    ],
)
def test_the_strategies_that_take_turns_are_told_in_whole_words(
    tmp_path: Path, columns: int, best: int, words: str
) -> None:
    told = [FIRST._replace(strategy=name) for name in ("greedy", "fess", "astar", "backward")]
    backward = SECOND._replace(strategy="backward", best=best, features=(Feature("pulls left", 7),))
    seen = scripted(tmp_path, ["S", "S", *["wait"] * 3], [*told, backward], size=(24, columns))
    row = next(line for line in seen.last.split("\n") if line.startswith("strategy"))
    assert row.removesuffix("best position so far").split(None, 1)[1].strip() == words


def test_a_feature_of_a_long_name_is_read_whole(tmp_path: Path) -> None:
    features = (Feature("width", 7, 100), Feature("pushes to the end, at least", 41))
    seen = scripted(tmp_path, ["S", "S"], [FIRST, SECOND._replace(features=features)])
    assert seen.shows("width     7 of 100", "pushes to the end, at least 41")


def test_the_pace_is_that_of_late(tmp_path: Path) -> None:
    steps = [FIRST._replace(nodes=1000 * n) for n in range(1, 20)]
    assert scripted(tmp_path, ["S", "S", *["wait"] * 15], steps).shows("nodes     17,000, 500/s")


def test_the_best_position_is_drawn_without_the_player(tmp_path: Path) -> None:
    seen = scripted(tmp_path, ["S", "S"], [FIRST, SECOND], cell=1)
    board = [line[39:] for line in seen.last.split("\n")[4:12]]
    rows = [row.replace("@", " ").replace("$", " ") for row in PILLARS.split("\n")]
    for row, text in ((3, "  ### #  $  #"), (5, "#*.   $     #")):
        rows[row] = text
    assert board == rows


def test_the_help_explains_every_figure_of_the_search(tmp_path: Path) -> None:
    steps: list[Progress | Found] = []
    for name in ("astar", "backward", "fess"):
        solve(ROOMS.board, ROOMS.start, STRATEGIES[name], LIMITS._replace(nodes=1_000), steps.append)
    names = {each.name for step in steps if isinstance(step, Progress) for each in step.features}
    assert {"bound", "pulls left", "packed"} < names
    seen = scripted(tmp_path, ["S", "S", "?"], [FIRST] * 9, size=(40, 80))
    assert seen.shows("Keys: solver.", "back to the game; the search goes on")
    for name in names | {"nodes", "stored", "pushes", "broken links", "shortened to"}:
        assert re.search(rf"^{name} +\w", seen.last, re.MULTILINE), name


def test_depth_and_bound_are_told_where_a_strategy_counts_them_and_in_small_windows_the_seconds(tmp_path: Path) -> None:
    assert progress_text(FIRST) == "nodes 4000 depth 17 bound 41 1.0 s"
    assert progress_text(SECOND) == "nodes 12345 4.0 s"
    small = scripted(tmp_path, ["S"], [FIRST] * 9, size=(8, 30))
    assert small.last.splitlines()[-1] == "solving... 1.0 s        ? help"


@pytest.mark.parametrize("key", ["esc", "S", "b"])
def test_leaving_lets_the_search_go_on(tmp_path: Path, key: str) -> None:
    seen = scripted(tmp_path, ["S", "S", key, "h"], [FIRST] * 9)
    assert seen.shows("moves 1", "solving: nodes 4000 depth 17 bound 41 1.0 s")


@pytest.mark.parametrize("keys", [("x", "wait"), ("x", "esc"), ("C-c", "wait")])
def test_it_can_be_stopped_there(tmp_path: Path, keys: tuple[str, ...]) -> None:
    seen = scripted(tmp_path, ["S", "S", *keys], [FIRST] * 9)
    assert seen.shows(line_for(Note.SEARCH_STOPPED), "Esc back") == (keys[-1] == "wait")
    assert not seen.shows("x stop")


def test_solutions_are_counted_and_the_best_one_is_replayed(tmp_path: Path) -> None:
    script: list[Said] = [FIRST, LONG, SHORT, FIRST]
    seen = scripted(tmp_path, ["S", "S", "wait", "wait"], script, EASY)
    assert seen.shows("solution  2 moves, 2 pushes (2 found)")
    assert seen.shows("solution found: Enter shows it; still searching", "solved position")
    replay = scripted(tmp_path, ["S", "S", "wait", "wait", "enter"], script, EASY)
    assert replay.shows("Replay: test 1, solver, 2 moves, 2 pushes")
    back = scripted(tmp_path, ["S", "S", "wait", "wait", "enter", "esc"], script, EASY)
    assert back.shows("moves 0")


def test_with_a_solution_the_figures_of_other_positions_go(tmp_path: Path) -> None:
    best = SECOND._replace(best=1 << EASY_LEVEL.board.square(1, 3), depth=5)
    seen = scripted(tmp_path, ["S", "S"], [FIRST, best], EASY)
    for words in ("connectivity", "5 deep", "best position so far"):
        assert seen.shows(words)
    scripts: list[list[Said]] = [[FIRST, best, SHORT], [FIRST, best, SHORT, best], [FIRST, FIRST, SHORT]]
    for script in scripts:
        seen = scripted(tmp_path, ["S", "S", *["wait"] * (len(script) - 2)], script, EASY)
        for words in ("strategy", "nodes", "stored", "solution", "solved position"):
            assert seen.shows(words)
        for words in ("connectivity", "packed", "deep", "so far"):
            assert not seen.shows(words)


def test_how_far_a_solution_is_shortened_is_shown(tmp_path: Path) -> None:
    shortening = Progress("shorten", 5000, 0, 0, 0, 4.0, 0, (Feature("shortened to", 2),))
    script: list[Said] = [FIRST, SECOND._replace(best=1 << EASY_LEVEL.board.square(1, 3)), LONG, shortening]
    seen = scripted(tmp_path, ["S", "S", "wait", "wait"], script, EASY)
    assert seen.shows("strategy     shorten ", "shortened to 2")
    ended = scripted(tmp_path, ["S", "S", "wait", "wait", "wait"], [*script, SOLVED], EASY)
    assert ended.shows("strategy  astar ")
    assert not ended.shows("shortened to")


def test_a_search_of_another_position_is_replayed_from_there(tmp_path: Path) -> None:
    found = Found(verify(EASY_LEVEL.board, EASY_LEVEL.start, "duRR"))
    rest = Found(found.solution._replace(lurd="uRR"))
    seen = scripted(tmp_path, ["j", "S", "k", "S", "wait", "enter", "home"], [FIRST, FIRST, FIRST, rest], EASY)
    assert seen.shows("move 0/3")


def test_no_solution_yet_is_said(tmp_path: Path) -> None:
    assert scripted(tmp_path, ["S", "S", "enter"], [FIRST] * 9, EASY).shows("no solution yet")
    assert scripted(tmp_path, ["S", "S", "x", "enter"], [FIRST] * 9, EASY).shows("no solution was found")
    found = scripted(tmp_path, ["S", "S", "enter", "wait"], [FIRST, FIRST, FIRST, SHORT], EASY)
    assert found.shows("solution found: Enter shows it; still searching")
    for columns, words in ((30, "solution found: Enter shows..."), (24, "solution found: Enter...")):
        small = scripted(tmp_path, ["S", "S", "wait"], [FIRST, FIRST, SHORT], EASY, size=(8, columns))
        assert small.shows(words)
        assert not small.shows("shows ..")


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (TIME_OVER, line_for(Note.NO_SOLUTION_IN_TIME)),
        (TIME_OVER._replace(reason=Reason.MEMORY), line_for(Note.NO_SOLUTION_IN_MEMORY)),
        (TIME_OVER._replace(status=Status.UNSOLVABLE, reason=None), line_for(Note.LEVEL_UNSOLVABLE)),
    ],
)
def test_the_end_is_said_and_the_screen_stays(tmp_path: Path, outcome: Outcome, words: str) -> None:
    seen = scripted(tmp_path, ["S", "S", "wait", "wait", "T"], [FIRST, FIRST, outcome])
    assert seen.shows("theme letters")
    seen = scripted(tmp_path, ["S", "S", "wait", "wait"], [FIRST, FIRST, outcome])
    assert seen.shows("Solver: ", words, "Esc back")


def test_a_proven_best_solution_is_said(tmp_path: Path) -> None:
    seen = scripted(tmp_path, ["S", "S", "wait", "wait"], [FIRST, SHORT, SOLVED], EASY)
    assert seen.shows("solved: fewest pushes, proven; Enter shows it")


def test_another_level_has_a_search_of_its_own(tmp_path: Path) -> None:
    seen = scripted(tmp_path, ["S", "S", "esc", "n", "wait", "S", "S"], [FIRST] * 3 + [SECOND._replace(best=0)] * 5)
    assert seen.shows("Solver: Golden 2/2")
    assert not seen.shows("after")
    assert scripted(tmp_path, ["p", "S", "S", "esc", "n"], [FIRST] * 9).shows(
        line_for(Note.SEARCH_OF_OTHER_POSITION_STOPPED)
    )


@pytest.mark.parametrize(
    ("name", "size", "cell"),
    [
        ("solver", (24, 80), 0),
        ("solver-narrow-cells", (24, 80), 1),
        ("solver-small", (8, 30), 0),
        ("solver-smallest", (6, 20), 0),
        ("solver-large", (50, 200), 0),
        ("solver-tall", (40, 40), 0),
    ],
)
def test_picture(tmp_path: Path, name: str, size: tuple[int, int], cell: int) -> None:
    check_golden(name, scripted(tmp_path, ["S", "S"], [FIRST, SECOND], TWO_LEVELS, size, cell).last)


def test_where_there_are_few_rows_the_board_takes_those_of_the_last_figures(tmp_path: Path) -> None:
    told = SECOND._replace(features=tuple(Feature(name, 1) for name in ("packed", "regions", "hotspots", "box moves")))
    roomy = scripted(tmp_path, ["S", "S"], [FIRST, told], TWO_LEVELS, (18, 45))
    assert roomy.shows("box moves")
    few = scripted(tmp_path, ["S", "S"], [FIRST, told], TWO_LEVELS, (14, 45))
    assert few.shows("packed", "best position so far")
    assert not few.shows("box moves")
    assert not few.shows("no room")


def test_picture_of_a_board_larger_than_the_room(tmp_path: Path) -> None:
    level = Level.from_xsb(WIDE)
    best = 1 << level.board.square(41, 94)
    seen = scripted(tmp_path, ["S", "S"], [FIRST, SECOND._replace(best=best)], WIDE)
    check_golden("solver-wide-board", seen.last)
    for size in ((1, 1), (5, 80), (6, 20), (8, 30), (9, 90), (30, 39), (12, 47), (50, 200)):
        small = scripted(tmp_path, ["S", "S"], [FIRST, SECOND._replace(best=best)], WIDE, size)
        assert small.last.strip()


def test_picture_of_an_end(tmp_path: Path) -> None:
    script: list[Said] = [FIRST, FIRST, LONG, SHORT, SOLVED]
    check_golden("solver-solved", scripted(tmp_path, ["S", "S", *["wait"] * 4], script, EASY).last)


def test_progress_changes_little_of_the_picture(tmp_path: Path) -> None:
    frames = scripted(tmp_path, ["S", "S", "wait", "wait"], [FIRST, FIRST, FIRST._replace(nodes=5000)]).frames
    assert sum(len(span.text) for span in diff(frames[-2], frames[-1])) < 30


@pytest.mark.parametrize(
    ("moves", "number", "columns", "words"),
    [
        (178, 1, 80, "178 moves, 89 pushes"),
        (8, 3, 80, "8 moves, 4 pushes (3 found)"),
        (1178, 12, 80, "1,178 moves, 589 pushes..."),
        (1178, 12, 24, "1,178 moves..."),
        (1178, 3, 29, "1,178 moves, 589..."),
    ],
)
def test_no_figure_of_a_solution_is_cut(moves: int, number: int, columns: int, words: str) -> None:
    found = [verify(LINE.board, LINE.start, "R")._replace(moves=moves, pushes=moves // 2)] * number
    assert cut_at_a_word(solution_text(found), min(columns, 38) - 10) == words
