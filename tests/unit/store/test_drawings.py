"""Drawings that are not saved, by pack and level; the looks that were chosen, by kind of terminal."""

from pathlib import Path

from sokoterm.app.drawing import NEW_ROWS, drawing_of_rows
from sokoterm.app.editing import Editor, KeptDrawing
from sokoterm.store.progress import ChosenLooks, ProgressStore
from tests.unit.store.stores import open_store, spoil


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
