"""Best solutions, dates, time played, places, drawings and looks; levels of one picture that are of different kinds."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sokoterm.app.drawing import NEW_ROWS, drawing_of_rows
from sokoterm.app.editing import Editor, KeptDrawing
from sokoterm.engine import levelhash
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import Canonical, canonical, exact_id, level_hash
from sokoterm.engine.lurd import LurdError, Solution, verify
from sokoterm.store import progress
from sokoterm.store.progress import ChosenLooks, ProgressStore
from sokoterm.store.score_table import ScoreTable
from sokoterm.store.solutions import Best, Summary
from tests.present import present
from tests.unit.store.stores import (
    ALIKE,
    FEWEST_MOVES,
    FEWEST_PUSHES,
    ROOM,
    ROOM_SOLUTION,
    TWO_WAYS,
    Player,
    enter,
    open_store,
    spoil,
    ticking,
    turn_back,
    turned,
)


def boards_in(folder: Path) -> set[tuple[str, str, str]]:
    """Return the rows of the table of boards."""
    with closing(sqlite3.connect(folder / "progress.db")) as connection:
        return set(connection.execute("SELECT id, xsb, title FROM board"))


def best_of(store: ProgressStore, level: Level) -> tuple[Solution | None, Solution | None]:
    best = store.best(level)
    return best.by_moves, best.by_pushes


def test_best_by_moves_and_by_pushes_are_kept_apart(store: ProgressStore, tmp_path: Path) -> None:
    slow = verify(TWO_WAYS.board, TWO_WAYS.start, "rl" + FEWEST_PUSHES)
    first = store.record(TWO_WAYS, "2rl"[1:] + FEWEST_PUSHES)
    assert (first.solution, first.problem) == (slow, None)
    assert (first.before.by_moves, *best_of(store, TWO_WAYS)) == (None, slow, slow)
    second = store.record(TWO_WAYS, FEWEST_MOVES)
    assert second.before.by_moves == second.before.by_pushes == slow
    assert best_of(store, TWO_WAYS) == (second.solution, slow)
    third = store.record(TWO_WAYS, FEWEST_PUSHES)
    assert best_of(store, TWO_WAYS) == (second.solution, third.solution)
    again = store.record(TWO_WAYS, "rl" + FEWEST_PUSHES)
    assert again.solution not in best_of(store, TWO_WAYS) == (second.solution, third.solution)
    store.close()
    best = open_store(tmp_path).best(TWO_WAYS)
    assert best.by_moves == verify(TWO_WAYS.board, TWO_WAYS.start, FEWEST_MOVES)
    assert best.by_pushes == verify(TWO_WAYS.board, TWO_WAYS.start, FEWEST_PUSHES)


def test_what_is_no_solution_is_not_recorded(store: ProgressStore) -> None:
    for wrong in ("", "rr", "uu", "x", FEWEST_MOVES):
        with pytest.raises(LurdError):
            store.record(ROOM, wrong)
    solved = Level.from_xsb("#####\n#@ *#\n#####")
    with pytest.raises(LurdError):
        store.record(solved, "r")
    assert store.best(ROOM) == store.best(solved) == Best()


def test_case_of_the_moves_is_made_right(store: ProgressStore) -> None:
    store.record(ROOM, ROOM_SOLUTION.upper())
    best = present(store.best(ROOM).by_moves)
    assert best.lurd == ROOM_SOLUTION


def test_level_is_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Level] = []

    def counted(level: Level) -> Canonical:
        hashed.append(level)
        return canonical(level)

    for module in (progress, levelhash):
        monkeypatch.setattr(module, "canonical", counted)
    store = open_store(tmp_path)
    for lurd in (FEWEST_MOVES, FEWEST_PUSHES):
        store.record(TWO_WAYS, lurd)
    assert store.best(TWO_WAYS).by_moves is not None
    assert hashed == [TWO_WAYS]


def test_dates_of_the_first_and_the_last_solution(tmp_path: Path) -> None:
    for start in (5000.0, 9000.0, 2000.0):
        store = open_store(tmp_path, start)
        store.record(ROOM, ROOM_SOLUTION)
        store.close()
    best = open_store(tmp_path).best(ROOM)
    assert 2000 <= present(best.dates.first_solved) < 2100
    assert 9000 <= present(best.dates.last_solved) < 9100


def test_time_played_adds_up_over_sessions_and_levels_of_equal_hash(tmp_path: Path) -> None:
    for level in (ROOM, turned(ROOM, 3)):
        store = open_store(tmp_path)
        player = Player(store, level)
        player.save(1.5)
        player.moves("" if level is not ROOM else "r")
        player.save(2.0)
        assert store.close() is None
    assert open_store(tmp_path).best(ROOM).dates.seconds == 7.0


def test_time_alone_is_not_written_before_the_end(store: ProgressStore, tmp_path: Path) -> None:
    player = Player(store, ROOM)
    player.moves("r")
    for _ in range(5):
        player.save(1.0)
    assert store.best(ROOM).dates.seconds == 5.0
    assert open_store(tmp_path).best(ROOM).dates.seconds == 0.0
    player.moves("r")
    assert open_store(tmp_path).best(ROOM).dates.seconds == 5.0


@pytest.mark.parametrize("turn", range(8))
def test_solution_serves_every_turn_and_mirror(store: ProgressStore, turn: int) -> None:
    store.record(ROOM, ROOM_SOLUTION)
    level = turned(ROOM, turn)
    best = present(store.best(level).by_moves)
    assert verify(level.board, level.start, best.lurd) == best
    assert (best.moves, best.pushes) == (len(ROOM_SOLUTION), 3)


def test_solution_serves_a_player_elsewhere_in_the_same_area(store: ProgressStore) -> None:
    store.record(ROOM, ROOM_SOLUTION)
    other = Level.from_xsb("########\n#     @#\n#  $   #\n#    . #\n########")
    assert (level_hash(other), exact_id(other) == exact_id(ROOM)) == (level_hash(ROOM), False)
    best = store.best(other)
    assert present(best.by_moves).lurd == "lllll" + ROOM_SOLUTION
    recorded = store.record(other, "lllDldRR")
    assert store.best(other).by_moves == recorded.solution
    # Each start keeps its own: the walk from one start would worsen the solution of the other.
    assert [each and each.moves for each in (store.best(other).by_moves, store.best(ROOM).by_moves)] == [8, 7]


def test_damaged_solution_is_not_given_out(store: ProgressStore, tmp_path: Path) -> None:
    store.record(TWO_WAYS, FEWEST_MOVES)
    store.record(TWO_WAYS, FEWEST_PUSHES)
    store.close()
    spoil(
        tmp_path,
        "UPDATE solution SET lurd = 'rrr' WHERE moves = 8",
        "UPDATE solution SET start_row = 99 WHERE moves = 12",
    )
    best = open_store(tmp_path).best(TWO_WAYS)
    assert (best.by_moves, best.by_pushes) == (None, None)


def test_summaries_of_a_pack_at_once(store: ProgressStore) -> None:
    store.record(TWO_WAYS, FEWEST_MOVES)
    store.record(TWO_WAYS, FEWEST_PUSHES)
    store.record(ROOM, ROOM_SOLUTION)
    some = [f"{number:032X}" for number in range(5000)]
    found = store.summaries([*some, level_hash(ROOM), *some, level_hash(TWO_WAYS), level_hash(ROOM)])
    assert found == {level_hash(ROOM): Summary(7, 3), level_hash(TWO_WAYS): Summary(8, 2)}
    assert store.summaries([]) == {}


def test_board_is_kept_with_the_first_solution_and_the_first_play(tmp_path: Path, store: ProgressStore) -> None:
    store.best(TWO_WAYS)
    store.load_play(TWO_WAYS)
    player = Player(store, ROOM.replace(title="Room"))
    player.save()
    assert boards_in(tmp_path) == set()
    player.moves("r")
    assert boards_in(tmp_path) == {(exact_id(ROOM), ROOM.xsb(), "Room")}
    store.record(ROOM, ROOM_SOLUTION)
    again = present(store.best(turned(ROOM, 3)).by_moves)
    store.record(turned(ROOM, 3), again.lurd)
    assert boards_in(tmp_path) == {(exact_id(ROOM), ROOM.xsb(), "Room"), (level_hash(ROOM), ROOM.xsb(), "")}


def test_board_costs_a_move_nothing(store: ProgressStore, connections: list[sqlite3.Connection]) -> None:
    player = Player(store, ROOM)
    player.moves("r")
    statements: list[str] = []
    connections[-1].set_trace_callback(statements.append)
    player.moves("rl")
    assert statements
    assert [statement for statement in statements if "board" in statement] == []


def test_boards_of_older_progress_are_kept_when_their_levels_are_met(tmp_path: Path, store: ProgressStore) -> None:
    Player(store, ROOM).moves("rr")
    store.record(TWO_WAYS, FEWEST_MOVES)
    assert store.close() is None
    turn_back(tmp_path, 1)
    store = open_store(tmp_path)
    for _ in range(2):
        store.load_play(ROOM)
        store.best(TWO_WAYS)
        store.best(ROOM)
    assert store.close() is None
    assert boards_in(tmp_path) == {(exact_id(ROOM), ROOM.xsb(), ""), (level_hash(TWO_WAYS), TWO_WAYS.xsb(), "")}


def test_boards_go_on_to_the_file_that_takes_the_place_of_another(tmp_path: Path, player: Player) -> None:
    player.moves("r")
    (tmp_path / "progress.db").rename(tmp_path / "away.db")
    player.moves("r")
    assert boards_in(tmp_path) == {(exact_id(ROOM), ROOM.xsb(), "")}


def test_place_in_a_pack(tmp_path: Path, store: ProgressStore) -> None:
    assert store.save_place("a'b\n", 3) is None
    assert store.save_place("a'b\n", 4) is None
    assert store.save_place("other", 1) is None
    assert store.close() is None
    store = open_store(tmp_path)
    assert [store.load_place(key) for key in ("a'b\n", "other", "third")] == [4, 1, None]
    assert store.last_pack == "other"
    store.save_place("a'b\n", 4)
    assert store.last_pack == "a'b\n"
    store.close()
    assert open_store(tmp_path).last_pack == "a'b\n"


def test_packs_in_which_every_move_is_the_players_own(tmp_path: Path, store: ProgressStore) -> None:
    assert not store.load_planning_off("a'b\n")
    assert store.save_planning_off("a'b\n", True) is None
    assert store.save_planning_off("other", True) is None
    assert store.save_planning_off("other", False) is None
    assert store.close() is None
    store = open_store(tmp_path)
    assert [store.load_planning_off(key) for key in ("a'b\n", "other", "third")] == [True, False, False]


def _solve(folder: Path, helped_at: str | None) -> None:
    """Solve the room in one session, with a hint that led to the position behind ``helped_at``, if given."""
    store = open_store(folder)
    player = Player(store, ROOM)
    if helped_at is not None:
        store.note_help(ROOM, helped_at)
    player.moves(ROOM_SOLUTION)
    store.record(ROOM, ROOM_SOLUTION)
    store.close()


def _is_helped(folder: Path) -> tuple[bool, bool]:
    """Return the help mark of the room, alone and in a list."""
    store = open_store(folder)
    summary = store.summaries([level_hash(ROOM)])[level_hash(ROOM)]
    found = store.best(ROOM).dates.is_helped, summary.is_helped
    store.close()
    return found


@pytest.mark.parametrize(
    ("helps", "is_helped"),
    [([None], False), (["rrD"], True), ([""], True), (["rrL"], False), (["rrD", None], False), ([None, "rrD"], False)],
)
def test_solved_with_help_is_told_from_solved_without(tmp_path: Path, helps: list[str | None], is_helped: bool) -> None:
    for helped_at in helps:
        _solve(tmp_path, helped_at)
    assert _is_helped(tmp_path) == (is_helped, is_helped)


def test_what_waits_to_be_written_tells_of_help_too(store: ProgressStore, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "progress.db", isolation_level=None)) as blocker:
        blocker.execute("BEGIN EXCLUSIVE")
        store.note_help(ROOM, "rr")
        store.record(ROOM, ROOM_SOLUTION)
        assert store.best(ROOM).dates.is_helped
        assert store.summaries([level_hash(ROOM)])[level_hash(ROOM)].is_helped
    store.notices.clear()
    assert store.close() is None
    assert _is_helped(tmp_path) == (True, True)


@pytest.mark.parametrize("is_killed", [True, False])
def test_help_counts_as_long_as_the_play_is_open(
    tmp_path: Path, is_killed: bool, store: ProgressStore, player: Player
) -> None:
    store.note_help(ROOM, "rr")
    player.moves("rrD")
    if not is_killed:
        store.close()
    _solve_on(tmp_path)
    assert _is_helped(tmp_path) == (True, True)
    _solve(tmp_path, None)
    assert _is_helped(tmp_path) == (False, False)


def _solve_on(folder: Path) -> None:
    """Solve the open play of the room in a new session."""
    store = open_store(folder)
    player = Player(store, ROOM)
    player.moves(ROOM_SOLUTION[3:])
    store.record(ROOM, ROOM_SOLUTION)
    store.close()


def test_of_older_progress_every_solution_is_ones_own(tmp_path: Path) -> None:
    _solve(tmp_path, "rr")
    turn_back(tmp_path, 4)
    assert _is_helped(tmp_path) == (False, False)


def test_levels_are_told_that_were_begun(tmp_path: Path, store: ProgressStore) -> None:
    Player(store, ROOM).moves("rr")
    _solve(tmp_path, None)
    Player(store, TWO_WAYS)
    before = store.open_plays([TWO_WAYS, ROOM, turned(ROOM, 3)])
    assert [stamp is not None for stamp in before] == [False, True, False]
    Player(store, ROOM).moves("l")
    after = store.open_plays([ROOM, TWO_WAYS])
    assert after[0] not in (None, before[1])
    assert store.open_plays([TWO_WAYS, ROOM]) == after[::-1]


def test_begun_are_the_levels_whose_open_play_has_a_push(tmp_path: Path, store: ProgressStore) -> None:
    walker, pusher = Player(store, ROOM), Player(store, TWO_WAYS)
    walker.moves("rr")
    assert store.begun() == set()
    pusher.moves("rU")
    walker.moves("D")
    assert store.begun() == {exact_id(ROOM), exact_id(TWO_WAYS)}
    walker.game.undo()
    walker.save()
    assert store.begun() == {exact_id(TWO_WAYS)}
    store.close()
    with closing(open_store(tmp_path)) as again:
        assert again.begun() == {exact_id(TWO_WAYS)}
        Player(again, TWO_WAYS).moves(FEWEST_MOVES[2:])
        assert again.begun() == set()


def test_a_level_is_begun_though_its_play_waits_to_be_written(tmp_path: Path) -> None:
    writer = sqlite3.connect(tmp_path / "progress.db", isolation_level=None)
    with closing(open_store(tmp_path)) as store, closing(writer):
        writer.execute("BEGIN IMMEDIATE")
        assert Player(store, ROOM).moves("rrD") is not None
        assert store.begun() == {exact_id(ROOM)}
        writer.execute("ROLLBACK")


# Drawings and looks


def test_the_last_drawing_of_each_level_outlives_the_program(tmp_path: Path, store: ProgressStore) -> None:
    for pack, level, text in (("a", 1, "x"), ("a", 1, ""), ("a", 1, "y"), ("a", 2, "z"), ("", 0, "new"), ("b", 1, "")):
        store.keep_drawing(pack, level, text)
    assert store.close() is None
    store = open_store(tmp_path)
    found = [store.drawing(*level) for level in (("a", 1), ("a", 2), ("", 0), ("b", 1), ("c", 1))]
    assert found == ["y", "z", "new", "", ""]


def test_a_drawing_goes_with_its_pack_to_another_key(store: ProgressStore) -> None:
    store.keep_drawing("a", 1, "x")
    store.save_rows()
    store.copy_packs({"a": "b"})
    assert [store.drawing(pack, 1) for pack in ("a", "b")] == ["x", "x"]
    store.rename_packs({"a": "c"})
    assert [store.drawing(pack, 1) for pack in ("a", "b", "c")] == ["", "x", "x"]


def test_two_sessions_that_draw_a_new_level_keep_one_each(tmp_path: Path) -> None:
    stores = [open_store(tmp_path) for _ in range(2)]
    editors = [Editor(drawing_of_rows(NEW_ROWS)) for _ in stores]
    kept = [KeptDrawing(store, editor) for store, editor in zip(stores, editors, strict=True)]
    assert [each.resume() for each in kept] == [False, False]
    for place in (1, 2):
        for number, (each, editor) in enumerate(zip(kept, editors, strict=True)):
            editor.put_at((place, 2 + number), "wall")
            assert each.write() is None
    for store in stores:
        store.close()
    store = open_store(tmp_path)
    resumed = set()
    for _ in stores:
        editor = Editor(drawing_of_rows(NEW_ROWS))
        later = KeptDrawing(store, editor)
        assert later.resume()
        resumed.add(editor.drawing)
        editor.keep()
        later.write()
    assert resumed == {editor.drawing for editor in editors}


def test_the_last_choice_of_looks_outlives_the_program_by_kind_of_terminal(
    tmp_path: Path, store: ProgressStore
) -> None:
    store.keep_looks("xterm", ChosenLooks("modern"))
    store.save_rows()
    store.keep_looks("xterm", ChosenLooks("tiles", 0, "light", warns=False))
    store.keep_looks("screen", ChosenLooks("ascii", 1))
    assert store.close() is None
    store = open_store(tmp_path)
    assert store.looks("xterm") == ChosenLooks("tiles", 0, "light", warns=False)
    assert store.looks("screen") == ChosenLooks("ascii", 1)
    assert store.looks("vt100") == ChosenLooks()


def test_looks_of_other_types_count_for_nothing(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    spoil(tmp_path, "INSERT INTO looks VALUES ('xterm', x'ff', 'large', 3.5, 1, 0)")
    store = open_store(tmp_path)
    assert store.looks("xterm") == ChosenLooks()


# Levels of one picture


@pytest.mark.parametrize(("solved", "lurd"), ALIKE)
def test_a_level_is_solved_and_played_alone(tmp_path: Path, solved: Level, lurd: str, store: ProgressStore) -> None:
    scores = ScoreTable(str(tmp_path / "scores.db"), "ann", ticking(), pytest.fail)
    for level, _ in ALIKE:
        assert store.best(level).by_moves is None
        assert scores.standing(level).by_moves is None
    player = Player(store, solved)
    player.moves(lurd[:1])
    store.record(solved, lurd)
    enter(scores, solved, lurd)
    others = [level for level, _ in ALIKE if level is not solved]
    assert store.solved() == {level_hash(solved)}
    assert [store.best(level).by_moves for level in others] == [None, None]
    assert [store.load_play(level) for level in others] == [None, None]
    assert [scores.standing(level).by_moves for level in others] == [None, None]
    best, standing = store.best(solved).by_moves, scores.standing(solved).by_moves
    assert (present(best).lurd, present(standing).moves) == (lurd, len(lurd))
