"""The editor without a screen: what a drawing makes, edits that undo exactly, and levels that come back as drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.drawing import (
    NEW_ROWS,
    Cell,
    drawing_in,
    drawing_of,
    drawing_of_rows,
    judge,
    pictured,
    text_of_drawing,
)
from sokoterm.app.editing import Editor, drawn_pack
from sokoterm.app.keymap import EDITOR
from sokoterm.app.pulling import Pulling
from sokoterm.app.request import Note
from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.level import RECIPE, Level, Record
from sokoterm.engine.levelhash import exact_id
from sokoterm.formats.text import from_picture
from sokoterm.store.packs import open_pack
from tests.present import present

COLORED = "#######\n#@$$  #\n# ..  #\n#     #\n#######\nboxorder: 1 2\ngoalorder: 2 1\nice: -\nice: ----~~"
ACTIONS = [
    each.action
    for each in EDITOR.bindings
    if each.action not in ("accept", "solve", "save", "copy", "texts", "cancel", "theme", "mouse", "help", "redraw",
                           "suspend", "quit", "interrupt", "zoom in", "zoom out", "undo", "redo")
]  # fmt: skip
PUSH = ["#####", "#@$.#", "#####"]


def acted(editor: Editor, *actions: str) -> Editor:
    for action in actions:
        editor.act(action)
    return editor


def rows_of(editor: Editor) -> list[str]:
    return ["".join(cell.sign for cell in row).rstrip() for row in editor.drawing.cells]


def start(kind: str) -> Editor:
    return Editor({"new": drawing_of_rows(NEW_ROWS), "colored": drawing_of(from_picture(COLORED))}[kind])


# Undo


@given(st.sampled_from(["new", "colored"]), st.lists(st.sampled_from([*ACTIONS, "undo", "redo", "text"]), max_size=60))
def test_editor_actions_undo_exactly(kind: str, actions: list[str]) -> None:
    """Against a plain list of all drawings there were: undo and redo walk along it, and each comes back as it was."""
    editor = start(kind)
    drawings, at = [editor.drawing], 0
    for number, action in enumerate(actions):
        before = editor.drawing
        if action == "undo":
            at = max(0, at - 1)
            editor.act("undo")
        elif action == "redo":
            at = min(len(drawings) - 1, at + 1)
            editor.act("redo")
        elif action == "text":
            editor.take(editor.drawing._replace(title=f"title {number}"))
        else:
            editor.act(action)
        if action not in ("undo", "redo") and editor.drawing != before:
            drawings[at + 1 :] = [editor.drawing]
            at += 1
        assert editor.drawing == drawings[at]
    while editor.act("undo") is None:
        at -= 1
        assert editor.drawing == drawings[at]
    assert (at, editor.is_kept) == (0, True)
    while editor.act("redo") is None:
        at += 1
        assert editor.drawing == drawings[at]
    assert at == len(drawings) - 1


@given(st.sampled_from(["new", "colored"]), st.lists(st.sampled_from(ACTIONS), max_size=40))
def test_a_drawing_has_a_blank_margin_one_player_at_most_and_the_cursor_in_it(kind: str, actions: list[str]) -> None:
    cells = acted(editor := start(kind), *actions).drawing.cells
    edges = [*cells[0], *cells[-1], *(row[0] for row in cells), *(row[-1] for row in cells)]
    assert set(edges) == {Cell()}
    assert len({len(row) for row in cells}) == 1
    assert sum(cell.has_player for row in cells for cell in row) <= 1
    row, column = editor.cursor
    assert row in range(len(cells))
    assert column in range(len(cells[0]))


@given(st.lists(st.sampled_from(ACTIONS), max_size=40))
def test_a_level_that_was_drawn_is_drawn_the_same_again(actions: list[str]) -> None:
    level = acted(start("colored"), *actions).level
    if level is not None:
        again = present(judge(drawing_of(level)).level)
        assert again.puzzle == level.puzzle


@given(st.sampled_from(["new", "colored"]), st.lists(st.sampled_from(ACTIONS), max_size=40), st.text())
def test_a_drawing_comes_back_from_its_text(kind: str, actions: list[str], title: str) -> None:
    editor = acted(start(kind), *actions)
    editor.take(editor.drawing._replace(title=title, author="A", comment="two\nlines"))
    assert drawing_in(text_of_drawing(editor.drawing, editor.cursor)) == (editor.drawing, editor.cursor)


@given(st.text(max_size=5), st.integers(0, 400), st.integers(0, 5))
def test_a_damaged_text_is_no_drawing_or_one_that_can_be_edited(inserted: str, place: int, cut: int) -> None:
    text = text_of_drawing(drawing_of(from_picture(COLORED)), (2, 2))
    found = drawing_in(text[:place] + inserted + text[place + cut :])
    if found is not None:
        editor = start("new")
        editor.take(*found)
        acted(editor, "wall", "color", "turn", *["undo"] * 4)
        assert editor.is_kept


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", "[" * 100_000),
        '{"rows":["#"],"kinds":[],"texts":[],"cursor":[0,0]}',
        '{"rows":["##","##"],"kinds":[],"texts":["","",""],"cursor":[1e999,0]}',
    ],
)
def test_a_text_that_is_none_is_no_drawing(text: str) -> None:
    assert drawing_in(text) is None


def test_the_oldest_edits_are_forgotten_once_there_are_many() -> None:
    editor = acted(start("new"), *["wall"] * 2_010)
    assert sum(editor.act("undo") is None for _ in range(2_010)) == 2_000


# Drawing


def test_the_same_thing_again_is_taken_away() -> None:
    editor = Editor(drawing_of_rows(PUSH))
    before = editor.drawing
    for thing in ("wall", "box", "goal", "ice"):
        editor.go_to((2, 3))
        assert acted(editor, "floor", thing, thing).drawing.cells[2][3] == Cell(), thing
        acted(editor, "undo", "undo", "undo")
        assert editor.drawing == before


def test_a_box_on_a_goal_and_the_player_on_one_are_drawn_one_after_the_other() -> None:
    editor = Editor(drawing_of_rows(PUSH), (2, 4))
    assert rows_of(acted(editor, "box"))[2] == " #@$*#"
    assert rows_of(acted(editor, "player"))[2] == " # $+#"
    assert rows_of(acted(editor, "goal"))[2] == " # $@#"


def test_a_drawing_grows_where_something_is_drawn_at_its_edge() -> None:
    editor = Editor(drawing_of_rows(PUSH), (0, 0))
    acted(editor, "wall")
    assert (editor.drawing.height, editor.drawing.width, editor.cursor) == (6, 8, (1, 1))
    acted(editor, "undo")
    assert (editor.drawing.height, editor.drawing.width, editor.cursor) == (5, 7, (0, 0))


def test_what_was_drawn_last_is_drawn_along_the_way() -> None:
    editor = Editor(drawing_of_rows(["#####", "#@  #", "#####"]), (2, 2))
    assert rows_of(acted(editor, "right", "goal", "draw right", "draw right"))[2] == " #@..."


def test_a_marked_rectangle_is_filled_at_once() -> None:
    editor = Editor(drawing_of_rows(NEW_ROWS), (2, 2))
    acted(editor, "mark", "right", "right", "down", "box")
    assert rows_of(editor)[2:4] == [" #$$$   #", " #$$$   #"]
    assert editor.corner is None
    acted(editor, "undo")
    assert editor.is_kept


def test_the_next_colour_is_that_after_the_one_there_and_after_the_first_new_one_comes_none() -> None:
    editor = Editor(drawing_of(from_picture(COLORED)), (2, 3))
    seen = [acted(editor, "color").drawing.cells[2][3].box for _ in range(4)]
    assert seen == [1, 2, None, 0]
    seen = [acted(editor, "goal color").drawing.cells[2][3].goal for _ in range(2)]
    assert seen == [None, None]  # there is no goal
    editor.go_to((3, 3))
    assert [acted(editor, "color").drawing.cells[3][3].goal for _ in range(4)] == [2, None, 0, 1]


def test_four_turns_and_two_mirrors_are_none() -> None:
    editor = start("colored")
    before = editor.drawing, editor.cursor
    assert (acted(editor, *["turn"] * 4).drawing, editor.cursor) == before
    assert (acted(editor, *["mirror"] * 2).drawing, editor.cursor) == before
    turned = present(acted(editor, "turn").verdict.level)
    assert turned.board.width == 5
    assert not turned.board.is_ordinary


def test_rows_and_columns_are_put_in_with_the_walls_beside_and_taken_out() -> None:
    editor = Editor(drawing_of_rows(PUSH), (2, 3))
    before = editor.drawing
    assert rows_of(acted(editor, "add row"))[1:5] == [" #####", " #   #", " #@$.#", " #####"]
    assert acted(editor, "remove row").drawing == before
    assert rows_of(acted(editor, "add column"))[1:4] == [" ######", " #@ $.#", " ######"]
    assert acted(editor, "remove column").drawing == before
    for _ in range(10):
        editor.act("remove row")
    assert editor.act("remove row") is Note.DRAWING_LEAST


def test_a_drawing_has_an_end() -> None:
    editor = acted(start("new"), *["add row"] * 300)
    assert editor.drawing.height == 250
    assert editor.act("add row") == Note.DRAWING_FULL.of(most=250)
    editor = Editor(drawing_of_rows(["#" * 248]), (0, 0))
    assert editor.act("wall") == Note.DRAWING_FULL.of(most=250)
    editor = Editor(drawing_of_rows(["#" * 300, "#" * 300]), (1, 1))
    assert editor.act("floor") is None, "a larger one can be edited"


# Verdicts


@pytest.mark.parametrize(
    ("rows", "problem", "place"),
    [
        (["####", "#@$.", "####"], "the board is not closed", (2, 4)),
        (["   ####", "   #@.#", "   #$ #", "   ## #", "#      "], "the board is not closed", (4, 6)),
        (["#####", "#@. #", "# $ #", "## ##", "#      #"], "the board is not closed", (4, 3)),
        (["  ####", "  #@.#", "  #$ #", " #   #", "  # ##", "#"], "the board is not closed", (5, 4)),
        (["####", "#@.#", "#$ #", "#  ", " ##  #"], "the board is not closed", (4, 4)),
        (["#####", "#@  #", "#$ .#", "#  ##", "    #"], "the board is not closed", (5, 1)),
        (["#####", "#@$ #", "#####"], "found 1 box and 0 goals", None),
        (["#####", "#$$.#", "#####"], "found no player", None),
        (["######", "#@$.@#", "######"], "found 2 players", (2, 5)),
        (["#####", "#@  #", "#####"], "found no box", None),
    ],
)
def test_what_is_wrong_is_said_with_its_place(rows: list[str], problem: str, place: tuple[int, int] | None) -> None:
    verdict = Editor(drawing_of_rows(rows)).verdict
    assert verdict.level is None
    assert verdict.problem.startswith(problem)
    assert verdict.place == place


def test_the_cursor_goes_to_the_fault_and_to_a_dead_box() -> None:
    assert acted(Editor(drawing_of_rows(["####", "#@$.", "####"])), "to fault").cursor == (2, 4)
    editor = Editor(drawing_of_rows(["", "######", "#$   #", "# @. #", "######"]))
    deadlock = present(editor.deadlock)
    assert deadlock.kind is DeadlockKind.DEAD_SQUARE
    assert acted(editor, "to fault").cursor == (3, 2)
    assert deadlock.boxes == 1 << editor.drawing.square_at((3, 2))


def test_a_deadlock_that_takes_more_to_find_is_found_later() -> None:
    editor = Editor(drawing_of_rows(["########", "# $ $ .#", "#  @   #", "#   .  #", "########"]))
    warning = present(editor.warning)
    assert (warning.is_sharp, editor.deadlock) == (False, None)
    warning.sharpen()
    assert present(editor.deadlock).kind is DeadlockKind.BIPARTITE
    assert not present(acted(editor, "right", "wall").warning).is_sharp


def test_a_level_that_begins_solved_is_told_from_a_dead_one() -> None:
    verdict = Editor(drawing_of_rows(["#####", "#@* #", "#####"])).verdict
    assert verdict.solved
    assert Editor(drawing_of_rows(["#####", "#@* #", "#####"])).deadlock is None


def test_a_colour_without_goals_is_a_fault() -> None:
    editor = Editor(drawing_of_rows(["######", "#@$. #", "######"]), (2, 3))
    assert acted(editor, "color", "right", "color").verdict.level is not None
    assert acted(editor, "color").verdict.level is None
    assert "one colour" in editor.verdict.problem


# The level


def test_the_blank_rows_and_columns_around_a_drawing_are_no_part_of_its_level() -> None:
    level = present(Editor(drawing_of_rows(["", "", *(f"   {row}" for row in PUSH), ""])).level)
    assert list(level.rows) == PUSH


@pytest.mark.parametrize("strays", [[" $ ."], ["*", "    $"], ["", "  .$"]])
def test_a_drawing_with_stray_boxes_is_played_as_it_is_drawn(strays: list[str]) -> None:
    level = from_picture(COLORED)
    rows = [*strays, *(f"   {row}" for row in level.rows), *reversed(strays)]
    drawing = drawing_of(level.redrawn(rows, lambda row, column: (row + len(strays), column + 3)))
    drawn = present(Editor(drawing).level)
    (played,) = open_pack(drawn_pack(drawn)).levels
    assert (exact_id(played), played.puzzle) == (exact_id(level), drawn.puzzle)


def test_solutions_and_other_texts_stay_with_a_level_as_long_as_they_hold() -> None:
    level = Level.from_xsb("\n".join(PUSH)).replace(title="Push", author="A. Person", metadata=(("date", "1990"),))
    level = level.replace(records=(Record("Solution", "R"),))
    kept = Editor(drawing_of(level), origin=level)
    assert kept.level == level
    kept.go_to((2, 4))
    acted(kept, "add column")
    assert kept.level is not None
    assert (kept.level.metadata, kept.level.records) == (level.metadata, ())


def test_the_recipe_of_a_level_stays_with_its_board_only() -> None:
    level = Level.from_xsb("\n".join(PUSH)).replace(metadata=((RECIPE, "1 pushes"), ("date", "1990")))
    editor = Editor(drawing_of(level), origin=level)
    for _ in range(2):
        editor.go_to((2, 4))
        acted(editor, "add column")
        assert present(editor.level).metadata == (("date", "1990"),)
        editor.origin = editor.level  # it has been saved
        acted(editor, "undo")
        assert present(editor.level).metadata == level.metadata


def test_the_picture_of_what_is_no_level_has_everything_that_was_drawn() -> None:
    for rows in (["# $.", "@ *+"], ["####", "#@$.", "####"], ["$"], [""]):
        drawing = drawing_of_rows(rows)
        picture = pictured(drawing)
        found = picture.cells(picture.start)
        assert ["".join(row) for row in found] == ["".join(cell.sign for cell in row) for row in drawing.cells]


# Reverse play


def test_a_position_of_reverse_play_becomes_the_start_with_its_solution() -> None:
    editor = Editor(drawing_of_rows(["########", "#@    .#", "# $    #", "########"]))
    before = editor.drawing
    solved = present(editor.solved_level)
    pulling = Pulling(solved, is_free=True)
    for action in (*["right"] * 4, "pull left", "pull left"):
        pulling.act(action)
    editor.begin_at(pulling.state, pulling.lurd)
    level = present(editor.level)
    assert list(level.rows) == ["########", "#  @$ .#", "#      #", "########"]
    assert [each.moves for each in level.records] == ["RR"]
    assert acted(editor, "undo").drawing == before
    redone = acted(editor, "redo", "right", "right", "right", "wall").level
    assert redone is None or redone.records == ()


def test_reverse_play_keeps_colours_and_finds_a_place_for_a_player_on_a_goal() -> None:
    editor = Editor(drawing_of_rows(["######", "#+   #", "# .  #", "######"]), (2, 2))
    solved = present(acted(editor, "color").solved_level)
    assert not solved.board.is_ordinary
    assert solved.boxes == 2
    assert Editor(drawing_of_rows(["######", "#@   #", "######"])).solved_level is None
