"""Watching a search: what is shown of it, and what becomes of the game meanwhile."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from sokoterm.app.request import Note
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import verify
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Feature, Found, Outcome, Progress, Reason, Status, solve
from sokoterm.tui.screens.solver import solution_text
from sokoterm.tui.widgets.frame import diff
from sokoterm.tui.widgets.theme import ACCENT, WALL
from sokoterm.wording.columns import WIDE_FILLER, cut_at_a_word
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
ASTAR = Progress("astar", 345, 300, 17, 41, 4.0, SECOND.best, (Feature("bound", 28), Feature("home", 2, 3)))
PULLS = Progress("backward", 8_000, 7_000, features=(Feature("pulls left", 7, 28, falls=True),))
FOUR = SECOND._replace(nodes=20_690, cores=2, shares=(ASTAR, SECOND, PULLS, Progress("greedy")))
LATER = FOUR._replace(nodes=21_690, shares=(ASTAR, SECOND, PULLS._replace(nodes=9_000), Progress("greedy")))
"""Strategies in turns, before and after one of them has gone on."""
TIME_OVER = Outcome(Status.GAVE_UP, "greedy", Reason.TIME, None, 99_000, 80_000, 60.0)


def test_solving_goes_on_beside_the_game_and_is_watched_by_the_same_key(tmp_path: Path) -> None:
    seen = scripted(tmp_path, ["S", "h"], [FIRST, FIRST])
    assert seen.shows("moves 1", "solving: nodes 4000, depth 17, bound 41, 1.0 s", "S watch  Esc stop")
    watched = scripted(tmp_path, ["S", "S"], [FIRST, SECOND])
    assert watched.shows("Solver: Golden 1/2  Three boxes and a pillar  by A. Person")
    assert watched.shows("play on", "from         your move 1")


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


def test_the_strategy_at_work_has_the_focus_and_in_the_end_the_one_that_has_solved_the_level(tmp_path: Path) -> None:
    script: list[Said] = [FIRST, FOUR, LATER, SHORT, SOLVED]

    def focused(*keys: str) -> list[str]:
        frame = scripted(tmp_path / str(len(keys)), ["S", "S", *keys], script, EASY, (35, 120)).frames[-1]
        names = ("astar", "fess", "backward", "greedy")
        rows = [(row, name, row.text.find(f" {name} ")) for row in frame.rows for name in names]
        return [name for row, name, column in rows if column >= 0 and row.styles[column + 1] == ACCENT]

    assert focused("wait") == ["backward"]
    assert focused("wait", "wait", "wait") == ["astar"]
    seen = scripted(tmp_path / "end", ["S", "S", *["wait"] * 3], script, EASY, (35, 120))
    assert seen.shows("━━━━━━━━━━━━━━━━ solved", "2 moves, 2 pushes ─╮", "╭─ solved position", "solved after")


def test_in_smaller_windows_a_strategy_is_a_row(tmp_path: Path) -> None:
    middle = ("fess ━━━─────── 1/3 packed", "backward ━━━━━━━╸── 7/28 pulls left █▁ 500/s", "memory ━━━━━╸────")
    narrow = ("fess ━━─────", "backward ━━━━━── █▁ 500/s", "143 of 256 MB\n")
    for size, rows in (((20, 60), middle), ((12, 30), narrow)):
        assert scripted(tmp_path / str(size), ["S", "S", "wait"], [FIRST, FOUR, LATER], size=size).shows(*rows)


def test_nothing_moves_from_the_first_picture_on(tmp_path: Path) -> None:
    """Strategies that have not reported have their rooms, and the board has its place, even after a solution."""
    best = FOUR._replace(best=1 << EASY_LEVEL.board.square(1, 3))
    script: list[Said] = [FIRST, FIRST, best, SHORT, SOLVED]
    for size in ((35, 120), (24, 80), (20, 60), (12, 30)):
        frames = scripted(tmp_path / f"{size}", ["S", "S", *["wait"] * 3], script, EASY, size).frames[2:]
        walls = [
            [(place, at) for place, row in enumerate(each.rows) for at in range(size[1]) if row.styles[at] == WALL]
            for each in frames
        ]
        assert walls[0] == walls[1] == walls[2] == walls[3]
        heads = [[place for place, row in enumerate(each.rows) if " memory" in f" {row.text}"] for each in frames]
        assert heads[0] == heads[-1]
        assert len(heads[0]) == 1


def test_a_feature_of_a_long_name_does_not_hide_its_figure(tmp_path: Path) -> None:
    features = (Feature("pushes to the end, at least", 41, 100), Feature("width", 7))
    seen = scripted(tmp_path, ["S", "S"], [FIRST, SECOND._replace(features=features)], size=(35, 120))
    assert seen.shows("41/100 pushes...", "width 7")


def test_what_does_not_fit_below_the_gauge_is_left_out(tmp_path: Path) -> None:
    told = SECOND._replace(features=tuple(Feature(name, 1) for name in ("packed", "regions", "hotspots", "box moves")))
    large = scripted(tmp_path / "a", ["S", "S"], [FIRST, told], size=(50, 120))
    assert large.shows("packed 1, regions 1, hotspots 1, box", "moves 1")
    seen = scripted(tmp_path / "b", ["S", "S"], [FIRST, told], size=(35, 120))
    assert seen.shows("packed 1, regions 1, hotspots 1,")
    assert not seen.shows("moves 1")


def test_the_best_position_is_drawn_without_the_player(tmp_path: Path) -> None:
    seen = scripted(tmp_path, ["S", "S"], [FIRST, SECOND], size=(35, 120), cell=1)
    lines = seen.last.split("\n")
    top = next(row for row, line in enumerate(lines) if "best position" in line)
    assert "1 of 3 home" in lines[top]
    rows = [row.replace("@", " ").replace("$", " ") for row in PILLARS.split("\n")]
    for row, text in ((3, "  ### #  $  #"), (5, "#*.   $     #")):
        rows[row] = text
    board = "\n".join(line[43:-1].rstrip() for line in lines[top + 1 : top + 29])
    assert dedent(board).split("\n") == [*[""] * 10, *map(str.rstrip, dedent("\n".join(rows)).split("\n")), *[""] * 10]


def test_the_help_explains_every_figure_of_the_search(tmp_path: Path) -> None:
    steps: list[Progress | Found] = []
    for name in ("astar", "backward", "fess"):
        solve(ROOMS.board, ROOMS.start, STRATEGIES[name], LIMITS._replace(nodes=1_000), steps.append)
    names = {each.name for step in steps if isinstance(step, Progress) for each in step.features}
    assert {"bound", "pulls left", "packed"} < names
    seen = scripted(tmp_path, ["S", "S", "?"], [FIRST] * 9, size=(80, 60))
    assert seen.shows(
        "Keys: solver", "back to the game; the search continues", "━━── progress of a strategy", "▂▅▇ its nodes"
    )
    for name in names | {"nodes", "stored", "pushes", "shortened to"}:
        assert re.search(rf"^│ {name} +\w", seen.last, re.MULTILINE), name


def test_depth_and_bound_are_told_where_a_strategy_counts_them_and_in_small_windows_the_seconds(tmp_path: Path) -> None:
    assert progress_text(FIRST) == "nodes 4000, depth 17, bound 41, 1.0 s"
    assert progress_text(SECOND) == "nodes 12345, 4.0 s"
    small = scripted(tmp_path, ["S"], [FIRST] * 9, size=(8, 30))
    assert small.last.splitlines()[-1] == "solving... 1.0 s        ? help"


def test_leaving_lets_the_search_go_on(tmp_path: Path) -> None:
    for key in ("esc", "S", "b"):
        seen = scripted(tmp_path / key, ["S", "S", key, "h"], [FIRST] * 9)
        assert seen.shows("moves 1", "solving: nodes 4000, depth 17, bound 41, 1.0 s")


def test_it_can_be_stopped_there(tmp_path: Path) -> None:
    for number, keys in enumerate((("x", "wait"), ("x", "esc"), ("C-c", "wait"))):
        seen = scripted(tmp_path / str(number), ["S", "S", *keys], [FIRST] * 9)
        assert seen.shows(line_for(Note.SEARCH_STOPPED), "Esc back") == (keys[-1] == "wait")
        assert not seen.shows("x stop")


def test_solutions_are_counted_and_the_best_one_is_replayed(tmp_path: Path) -> None:
    found = "solution found: Enter shows it; still searching"
    for number, (keys, size, words) in enumerate((
        ([], (24, 80), (found, "╭─ 2 moves, 2 pushes (2 found) ─")),
        ([], (35, 120), ("╭─ solved position ─", "─ 2 moves, 2 pushes (2 found) ─╮")),
        (["enter"], (24, 80), ("Replay: test 1, solver, 2 moves, 2 pushes",)),
        (["enter", "esc"], (24, 80), ("moves 0",)),
    )):  # fmt: skip
        script: list[Said] = [FIRST, LONG, SHORT, FIRST]
        seen = scripted(tmp_path / str(number), ["S", "S", "wait", "wait", *keys], script, EASY, size)
        assert seen.shows(*words)


def test_what_shortens_a_solution_has_no_box(tmp_path: Path) -> None:
    shortening = FOUR._replace(strategy="shorten", best=0, features=(Feature("shortened to", 2),))
    script: list[Said] = [FIRST, FOUR, LONG, shortening]
    seen = scripted(tmp_path, ["S", "S", "wait", "wait"], script, EASY, (35, 120))
    assert seen.shows("astar", "fess", "backward", "greedy", "solution found: Enter shows it; still searching")
    assert not seen.shows("shorten")


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


def test_the_end_is_said_and_the_screen_stays(tmp_path: Path) -> None:
    for number, (outcome, note) in enumerate((
        (TIME_OVER, Note.NO_SOLUTION_IN_TIME),
        (TIME_OVER._replace(reason=Reason.MEMORY), Note.NO_SOLUTION_IN_MEMORY),
        (TIME_OVER._replace(status=Status.UNSOLVABLE, reason=None), Note.LEVEL_UNSOLVABLE),
    )):  # fmt: skip
        seen = scripted(tmp_path / str(number), ["S", "S", "wait", "wait"], [FIRST, FIRST, outcome])
        assert seen.shows("Solver: ", line_for(note), "Esc back")
    assert scripted(tmp_path / "themed", ["S", "S", "wait", "wait", "T"], [FIRST, FIRST, TIME_OVER]).shows(
        "theme letters"
    )
    proven = scripted(tmp_path / "proven", ["S", "S", "wait", "wait"], [FIRST, SHORT, SOLVED], EASY)
    assert proven.shows("solved: fewest pushes, proven; Enter shows it")


def test_another_level_has_a_search_of_its_own(tmp_path: Path) -> None:
    seen = scripted(tmp_path, ["S", "S", "esc", "n", "wait", "S", "S"], [FIRST] * 3 + [SECOND._replace(best=0)] * 5)
    assert seen.shows("Solver: Golden 2/2")
    assert not seen.shows("after")
    assert scripted(tmp_path, ["p", "S", "S", "esc", "n"], [FIRST] * 9).shows(
        line_for(Note.SEARCH_OF_OTHER_POSITION_STOPPED)
    )


@pytest.mark.parametrize("size", [(24, 80), (30, 100), (35, 120), (50, 200), (8, 30), (6, 20), (40, 40)])
@pytest.mark.parametrize("code", ["en", "de"], indirect=True)
def test_picture(tmp_path: Path, size: tuple[int, int], code: str) -> None:
    picture = scripted(tmp_path, ["S", "S", "wait"], [FIRST, FOUR, LATER], TWO_LEVELS, size).last
    check_golden(f"solver-{code}-{size[1]}x{size[0]}", picture.replace(WIDE_FILLER, ""))


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


def test_no_figure_of_a_solution_is_cut() -> None:
    for moves, number, columns, words in (
        (178, 1, 80, "178 moves, 89 pushes"), (8, 3, 80, "8 moves, 4 pushes (3 found)"),
        (1178, 12, 80, "1,178 moves, 589 pushes..."), (1178, 12, 24, "1,178 moves..."),
        (1178, 3, 29, "1,178 moves, 589..."),
    ):  # fmt: skip
        found = [verify(LINE.board, LINE.start, "R")._replace(moves=moves, pushes=moves // 2)] * number
        assert cut_at_a_word(solution_text(found), min(columns, 38) - 10) == words
