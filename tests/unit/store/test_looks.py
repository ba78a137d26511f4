from pathlib import Path

from sokoterm.store.progress import ChosenLooks, ProgressStore


def opened(folder: Path) -> ProgressStore:
    return ProgressStore.open(str(folder / "progress.db"), clock=lambda: 1e9)


def test_a_choice_outlives_the_program_by_kind_of_terminal(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.keep_looks("xterm", ChosenLooks("tiles", 0, "light", warns=False))
    store.keep_looks("screen", ChosenLooks("ascii", 1))
    assert store.close() is None
    store = opened(tmp_path)
    assert store.looks("xterm") == ChosenLooks("tiles", 0, "light", warns=False)
    assert store.looks("screen") == ChosenLooks("ascii", 1)
    assert store.looks("vt100") == ChosenLooks()
    store.close()


def test_the_last_choice_counts(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.keep_looks("xterm", ChosenLooks("tiles"))
    store.save_rows()
    store.keep_looks("xterm", ChosenLooks("modern"))
    store.close()
    store = opened(tmp_path)
    assert store.looks("xterm") == ChosenLooks("modern")
    store.close()


def test_a_row_of_other_types_counts_for_nothing(tmp_path: Path) -> None:
    import sqlite3

    opened(tmp_path).close()
    with sqlite3.connect(tmp_path / "progress.db") as connection:
        connection.execute("INSERT INTO looks VALUES ('xterm', x'ff', 'large', 3.5, 1, 0)")
    connection.close()
    store = opened(tmp_path)
    assert store.looks("xterm") == ChosenLooks()
    store.close()
