import itertools
from pathlib import Path

import pytest

from sokoterm.app.request import FoundBy, ShowReplay, Start
from sokoterm.engine.level import Level
from sokoterm.engine.slices import finish
from sokoterm.store.packs import open_pack, pack_from_bytes
from sokoterm.store.progress import ProgressStore
from sokoterm.tui.terminal.terminal import Paste
from sokoterm.tui.widgets.frame import Frame
from tests.unit.app.searches import SlowSearch
from tests.unit.tui.fake_terminal import play

PACK = """\
Collection: Try

##########
#@ $   . #
#        #
##########
Title: One push after another
Author: A. Person
Comment: Walk left of the box.

#######
#@$ . #
#     #
#     #
#######
Title: Second

#########
#       #
# $ $.@ #
#  .    #
#########
Title: Third
"""


def _rows(screen: str) -> list[str]:
    return [line.strip() for line in screen.split("\n") if "#" in line]


def test_the_board_stands_on_the_screen_as_in_the_file(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, [])
    assert _rows(session.last) == ["##########", "#@ $   . #", "#        #", "##########"]
    assert session.shows("Try 1/3  One push after another  by A. Person")
    assert session.shows("Walk left of the box.")
    assert session.shows("moves 0")
    assert session.shows("pushes 0")


def test_a_push_is_on_disk_before_it_is_seen(tmp_path: Path) -> None:
    seen = []
    level = open_pack(pack_from_bytes(PACK.encode())).find_level(1)

    def painted(frame: Frame) -> None:
        text = "\n".join(row.text for row in frame.rows)
        assert level is not None
        store = ProgressStore.open(str(tmp_path / "progress.db"), clock=lambda: 1e9)
        seen.append((int(text.partition("pushes")[2].split()[0]), finish(store.count_open_pushes(level))))
        store.close()

    play(tmp_path, PACK, ["right", "right", "right", "undo", "j"], painted=painted)
    assert seen == [(pushes, pushes) for pushes, _ in seen]
    assert max(seen) == (2, 2)


def test_the_cursor_stands_on_the_player(tmp_path: Path) -> None:
    for cell in (1, 2):
        frame = play(tmp_path, PACK, ["right"], cell=cell).frames[-1]
        row, column = frame.cursor
        assert frame.rows[row].text[column] == "@"


def test_a_level_is_solved_and_the_next_unsolved_one_follows(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["L", "L"])
    assert session.shows("moves 6")
    assert session.shows("pushes 5")
    session = play(tmp_path, PACK, ["r", "right", "right", "right", "right"])
    assert "level solved" not in session.last
    session = play(tmp_path, PACK, ["right"])
    assert session.shows("level solved")
    session = play(tmp_path, PACK, [])
    assert session.shows("level solved (best 5/4)")
    assert play(tmp_path, PACK, ["enter"]).shows("Try 2/3")
    assert play(tmp_path, PACK, ["p"]).shows("solved before, best 5/4; Enter continues")
    assert play(tmp_path, PACK, ["enter"]).shows("Try 2/3")


@pytest.mark.parametrize("size", [(8, 30), (7, 30), (24, 30), (24, 80)])
def test_what_to_do_next_is_not_cut_off(tmp_path: Path, size: tuple[int, int]) -> None:
    session = play(tmp_path, PACK, ["P", "tab"], size=size)
    said = " ".join(session.last.split())
    assert "walk-to and push-to are off in this pack: P turns them on" in said
    assert play(tmp_path, PACK, ["P", "P", "C-x"], size=size).shows("moves 0")


def test_a_long_message_is_folded_over_free_lines(tmp_path: Path) -> None:
    levels = Paste(b"#####\n#@$ #\n#.. #\n#####\n")
    session = play(tmp_path, PACK, [levels], size=(24, 80))
    assert "expected as many boxes as goals" in " ".join(session.last.split())


def test_solving_again_tells_what_the_best_was(tmp_path: Path) -> None:
    long = ["down", "up", *["right"] * 5]
    assert play(tmp_path, PACK, long).shows("level solved")
    again = play(tmp_path, PACK, ["r", *["right"] * 5])
    assert again.shows("level solved, new best (was 7/4)")
    third = play(tmp_path, PACK, ["r", *long])
    assert third.shows("level solved (best 5/4)")


def test_the_pack_is_done_when_every_level_is_solved(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["l"] * 5)
    play(tmp_path, PACK, ["enter", "l", "l"])
    session = play(tmp_path, PACK, ["g", "3", "enter", "S", "end", "enter"])
    assert session.shows("level solved, pack done: b other packs")
    assert play(tmp_path, PACK, [], size=(8, 30)).shows("solved: b other packs")
    assert play(tmp_path, PACK, ["enter"]).shows("pack done: every level is solved")
    assert play(tmp_path, PACK, ["N"]).shows("pack done: every level is solved")


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["l", "l", "u", "u", "C-r"], "moves 1"),
        (["L", "L", "u"], "moves 1"),
        (["down", "S-right"], "moves 8"),
        (["l", "m", "esc", "l"], "moves 2"),
    ],
)
def test_keys(tmp_path: Path, keys: list[str], expected: str) -> None:
    assert play(tmp_path, PACK, keys).shows(expected)


def test_a_frozen_box_is_marked_and_said_and_undone(tmp_path: Path) -> None:
    into_the_wall = ["l", "l", "l", "l", "l", "l"]
    pack = PACK.replace("#@ $   . #", "#@ $  .  #")
    session = play(tmp_path, pack, into_the_wall)
    assert "dead, U goes back: dead square, stranded box" in session.last
    assert any("!" in row.styles for row in session.frames[-1].rows)
    back = play(tmp_path, pack, ["U"])
    assert "dead" not in back.last
    assert back.shows("moves 5")
    silent = play(tmp_path, pack, ["D", "l"])
    assert "dead:" not in silent.last
    assert not any("!" in row.styles for row in silent.frames[-1].rows)


def test_two_boxes_side_by_side_on_a_wall_freeze(tmp_path: Path) -> None:
    pack = "#######\n# $ . #\n#.$   #\n# @   #\n#######\n".replace("# $ . #", "#  $. #")
    session = play(tmp_path, pack, ["k"])
    assert session.shows("dead, U goes back: freeze, stuck for good")
    (row,) = (row for row in session.frames[-1].rows if "$$" in row.text)
    assert row.styles[row.text.index("$$") :][:2] == "!!"
    assert play(tmp_path, pack, ["U"]).shows("moves 0")


def test_go_to_a_level_that_is_not_there(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["g", "9", "9", "enter"]).shows("no level 99: the pack has 3 levels")


def test_solve_opens_replay_and_leaving_it_changes_nothing(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["j", "S", "wait", "wait"])
    assert session.shows("Replay: Try 1, solver, 6 moves, 4 pushes")
    assert "move 1/6" in session.last or "move 2/6" in session.last
    session = play(tmp_path, PACK, ["S", "wait", "esc"])
    assert session.shows("moves 1")
    assert session.shows("pushes 0")


def test_taking_over_makes_the_shown_position_the_history_as_one_group(tmp_path: Path) -> None:
    keys = ["j", "S", "home", "right", "right", "right", "enter"]
    assert play(tmp_path, PACK, keys).shows("moves 4")
    assert play(tmp_path, PACK, ["u"]).shows("moves 1")


def test_take_over_and_move_in_one_key(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["S", "home", "right", "l"])
    assert session.shows("moves 2")
    assert session.shows("pushes 1")


def test_a_replay_too_long_to_take_over_leaves_the_position_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sokoterm.app.play.MOST_MOVES", 1)
    session = play(tmp_path, PACK, ["S", "home", "right", "right", "l"])
    assert session.shows("a play has at most 1,000,000 moves")
    assert session.shows("moves 0")


def test_hint_makes_one_push_of_a_solution(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, [".", "wait"]).shows("pushes 1")
    assert play(tmp_path, PACK, [".", "wait", "."]).shows("pushes 3")


def test_hint_in_a_position_without_solution_says_so(tmp_path: Path) -> None:
    pack = PACK.replace("#@ $   . #", "#@ $  .  #")
    assert play(tmp_path, pack, ["L", "L", ".", "wait"]).shows("no solution from there (proven): undo")
    seen = play(tmp_path, pack, [".", "wait", "D", "R"])
    assert seen.shows("no solution from there (proven)")
    assert not seen.shows("asks the solver")


@pytest.mark.parametrize("keys", [["S", "wait"], ["S", "wait", "l", "R"], ["l", ".", "wait"]])
def test_a_level_without_solution_is_said_to_have_none(tmp_path: Path, keys: list[str]) -> None:
    session = play(tmp_path, "#####\n#.@ #\n#  $#\n#####", keys)
    assert session.shows("this level cannot be solved (proven)")


def test_replay_of_the_stored_best(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["R"]).shows("no solution yet: S starts the solver")
    play(tmp_path, PACK, ["l"] * 5)
    assert play(tmp_path, PACK, ["p", "R"]).shows("Replay: Try 1, your best, 5 moves, 4 pushes")


def test_a_solution_serves_a_mirrored_level(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["l"] * 5)
    rows = ["##########", "#@ $   . #", "#        #", "##########"]
    mirrored = "\n".join(row[::-1] for row in reversed(rows)) + "\n"
    store = ProgressStore.open(str(tmp_path / "progress.db"), lambda: 0.0)
    best = store.best(Level.from_xsb(mirrored)).by_moves
    store.close()
    assert best is not None
    assert best.lurd == "lLLLL"


def test_jump_and_steps_in_replay(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["S", "home", "]"]).shows("move 2/5 push 1/4")
    assert play(tmp_path, PACK, ["S", "end"]).shows("move 5/5 push 4/4")
    assert play(tmp_path, PACK, ["S", "end", "u"]).shows("move 4/5 push 3/4")
    assert play(tmp_path, PACK, ["S", "end", "["]).shows("move 4/5 push 3/4")
    assert play(tmp_path, PACK, ["S", "3", "g"]).shows("move 3/5 push 2/4")
    assert play(tmp_path, PACK, ["S", "home", "left"]).shows("move 0/5 push 0/4")


def test_help_lists_keys_and_closes(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["?"]).shows("reset: back to the start (undo brings it back)")
    assert play(tmp_path, PACK, ["?", "q"]).shows("moves 0")


@pytest.mark.parametrize("size", [(1, 1), (2, 4), (4, 2), (5, 80), (24, 19), (6, 20), (8, 30), (50, 200)])
@pytest.mark.parametrize("keys", [["l"], ["?"], ["b"], ["S", "home"], ["b", "h", "/", "x"]])
def test_any_size_shows_something(tmp_path: Path, size: tuple[int, int], keys: list[str]) -> None:
    session = play(tmp_path, PACK, [*keys, f"size {size[0]} {size[1]}", "l", "size 24 80"], size=(24, 80))
    assert session.last.strip()
    small = play(tmp_path, PACK, keys, size=size)
    assert small.last.strip()


def test_too_small_says_what_is_needed(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, [], size=(4, 40)).shows("needs 20x6, have 40x4")


def test_a_big_board_scrolls_by_half_screens(tmp_path: Path) -> None:
    width = 200
    pack = "#" * width + "\n#@" + " " * (width - 6) + "$. #\n" + "#" * width + "\n"
    frames = play(tmp_path, pack, ["l"] * 190).frames
    columns = [frame.cursor[1] for frame in frames]
    assert all(0 <= column < 80 for column in columns)
    jumps = [b - a for a, b in itertools.pairwise(columns) if b - a not in (0, 1)]
    assert jumps
    assert all(jump == 1 - 40 for jump in jumps)


def test_browser_shows_figures_and_starts_the_chosen_level(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["l"] * 5)
    session = play(tmp_path, PACK, ["b"])
    lines = session.last.split("\n")
    (solved,) = (line for line in lines if line.startswith("*    1 One push after another  "))
    assert " 10x4 " in solved
    assert " 5 " in solved
    assert session.shows("##########")  # the picture of the chosen level
    assert "solved 20" in session.last
    assert "played for" in session.last
    assert play(tmp_path, PACK, ["b", "home", "down", "enter"]).shows("Try 2/3  Second")
    assert play(tmp_path, PACK, ["b", "/", "T", "h", "i", "enter", "enter"]).shows("Try 3/3  Third")
    assert play(tmp_path, PACK, ["b", "left", *["wait"] * 5]).shows("1/3")
    assert play(tmp_path, PACK, ["b", "esc"]).shows("moves 0")


def test_escape_sequences_in_titles_never_reach_the_screen(tmp_path: Path) -> None:
    pack = PACK.replace("Title: One push", "Title: \x1b[31m\x07One push").replace("A. Person", "A\x9b2JB")
    for keys in ([], ["b"], ["R"], ["l", "l", "l", "l", "l"]):
        assert all(character.isprintable() or character == "\n" for character in play(tmp_path, pack, keys).last)


def test_without_saving_nothing_is_lost_when_the_store_is_locked(tmp_path: Path) -> None:
    import sqlite3

    play(tmp_path, PACK, ["l"])
    with sqlite3.connect(tmp_path / "progress.db", isolation_level=None) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        session = play(tmp_path, PACK, ["l", "l", "j"])
        lock.execute("ROLLBACK")
    lock.close()
    assert any("not saved" in screen for screen in session.screens)


def test_a_digit_of_another_script_is_no_number(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["g", "\u00b2", "l"]).shows("moves 1")
    assert play(tmp_path, PACK, ["r", "S", "home", "\u00b2", "g"]).shows("move 0/5")


@pytest.mark.parametrize("keys", [["g"], ["m"], ["?"], ["b", "/", "x"]])
def test_ctrl_c_quits_where_letters_are_text_too(tmp_path: Path, keys: list[str]) -> None:
    there = play(tmp_path, PACK, keys)
    assert play(tmp_path, PACK, [*keys, "C-c", "l", "l"]).last == there.last


@pytest.mark.parametrize("keys", [["g"], ["?"], ["b", "/"]])
def test_q_quits_a_window_that_is_too_small_for_anything_else(tmp_path: Path, keys: list[str]) -> None:
    session = play(tmp_path, PACK, [*keys, "size 3 10", "q", "size 24 80"])
    assert session.shows("needs 20x6")


def test_the_hint_for_a_player_who_looks_elsewhere_waits(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, [".", "wait", "u"]).shows("moves 0")
    service = SlowSearch
    behind_help = play(tmp_path, PACK, ["r", "j", ".", "?", "wait", "esc"], make_solver=service)
    assert behind_help.shows("moves 1")
    assert behind_help.shows("pushes 0")
    assert behind_help.shows("hint found: . makes the push")
    elsewhere = play(tmp_path, PACK, ["r", ".", "j", "wait"], make_solver=service)
    assert elsewhere.shows("moves 1")
    assert elsewhere.shows("hint found for your earlier position: undo, then .")


def test_a_hint_ends_its_search(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, [".", "wait", "wait"], make_solver=SlowSearch)
    assert session.shows("pushes 1")
    assert "solving" not in session.last


def test_a_second_solution_is_offered_and_does_not_open_replay_again(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["S", "wait", "wait", "esc", "wait", "wait"], make_solver=SlowSearch)
    assert session.shows("solution found: R shows it; still searching")
    session = play(tmp_path, PACK, ["r", "S", "wait", "wait", "wait"], make_solver=SlowSearch)
    assert session.shows("better: 4 pushes, 5 moves; R shows it")


def test_a_second_s_watches_the_search_even_where_the_replay_was_faster(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["S", "wait", "wait", "S"], make_solver=SlowSearch)
    assert session.last.startswith("Solver: ")
    assert session.shows("found")
    assert session.shows("x stop it")
    session = play(tmp_path, PACK, ["r", "S", "wait", "wait", "S", "esc"], make_solver=SlowSearch)
    assert session.last.startswith("Replay: ")
    ended = play(tmp_path, PACK, ["r", "S", "wait", "S"])
    assert ended.last.startswith("Solver: ")
    assert ended.shows("solved")
    shown = play(
        tmp_path,
        PACK,
        ["S"],
        first=lambda pack_session: [Start(pack_session, 1), ShowReplay("", "", FoundBy.COMMAND_LINE)],
    )
    assert shown.shows("no search yet")


def test_a_better_solution_is_told_of_in_a_replay_until_the_next_key(tmp_path: Path) -> None:
    keys = ["S", "wait", "wait", "wait"]
    told = play(tmp_path, PACK, keys, make_solver=SlowSearch)
    assert told.shows("better: 4 pushes, 5 moves; R shows it")
    assert "moves/s" not in told.last
    seen = play(tmp_path, PACK, [*keys, "space"], make_solver=SlowSearch)
    assert seen.shows("paused")
    assert not seen.shows("R shows it")
    assert seen.shows("R another")
    assert not play(tmp_path, PACK, [*keys, "space", "R"], make_solver=SlowSearch).shows("paused")
    assert play(tmp_path, PACK, keys, make_solver=SlowSearch, size=(24, 44)).shows("R shows a better one")
    assert play(tmp_path, PACK, keys, make_solver=SlowSearch, size=(12, 30)).shows("R better")


def test_leaving_the_level_ends_its_search(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["S", "n", "wait", "wait", "wait"], make_solver=SlowSearch)
    assert session.shows("Try 2/3")
    assert "solution" not in session.last


def test_taking_over_where_nothing_was_played_says_nothing(tmp_path: Path) -> None:
    assert not play(tmp_path, PACK, ["S", "home", "enter"]).shows("yours from here")


BROKEN = PACK + "".join(f"\n####\n#{'@' * n}$#\n####\n" for n in (2, 3))


def test_levels_that_cannot_be_read_are_listed_with_the_reason(tmp_path: Path) -> None:
    listed = play(tmp_path, BROKEN, ["b"])
    assert listed.shows("!    4 cannot be read: ")
    assert play(tmp_path, BROKEN, ["b", "end", "enter"]).shows("level 5 cannot be read: ")
    assert play(tmp_path, BROKEN, ["g", "4", "enter"]).shows("level 4 cannot be read: ")


def test_browsing_is_no_time_played(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["b", *["up", "down"] * 40, "home", "enter", "j"])
    store = ProgressStore.open(str(tmp_path / "progress.db"), lambda: 0.0)
    seconds = store.best(Level.from_xsb(PACK.split("\n\n")[1].partition("Title")[0])).seconds
    store.close()
    assert 0 < seconds < 20


def test_a_search_in_a_list_ends_on_what_was_found(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["b", "/", "T", "h", "i", "esc", "enter"]).shows("Try 3/3  Third")


def test_the_level_prompt_is_not_lost_when_a_solution_comes(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["S", "g", "2", "wait", "enter"], make_solver=SlowSearch).shows("Try 2/3")


def test_a_long_message_has_a_line_of_its_own(tmp_path: Path) -> None:
    session = play(tmp_path, BROKEN, ["g", "5", "enter"])
    last = session.last.split("\n")[-1]
    assert last.startswith("level 5 cannot be read: ")
    assert not last.endswith("..")


def test_the_theme_says_its_name(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["T"]).shows("theme letters")


def test_a_hint_says_how_to_take_it_back(tmp_path: Path) -> None:
    pack = "########\n#@$  . #\n########\n"
    assert play(tmp_path, pack, [".", "wait"]).shows("hint: u takes it back")
    assert play(tmp_path, pack, ["."]).shows("hint: u takes it back")


@pytest.mark.parametrize("size", [(12, 40), (8, 30), (8, 20), (6, 30)])
def test_a_small_window_names_the_next_level_and_the_help(tmp_path: Path, size: tuple[int, int]) -> None:
    pack = "#####\n#@$.#\n#####\n" + "\n#######\n#@$ . #\n#######\n"
    seen = play(tmp_path, pack, ["l"], size=size)
    assert seen.shows("solved: Enter next") or seen.shows("Enter next")
    exact = "#####\n#@$.#\n" + "#   #\n" * 7 + "#####\n"
    assert size[0] < 8 or play(tmp_path / "exact", exact, [], size=(12, 40)).shows("? help")
    tall = "#####\n#@$.#\n#   #\n#   #\n#   #\n#   #\n#   #\n#   #\n#   #\n#   #\n#   #\n#   #\n#####\n"
    assert size[0] < 8 or play(tmp_path / "tall", tall, [], size=size).shows("? help")


@pytest.mark.parametrize("rows", ["######\n#.$@ #\n#    #\n######", "######\n#.$@ #\n#    #\n#    #\n#    #\n######"])
@pytest.mark.parametrize("comment", ["Hard.", "A comment that is cut where there are but thirty columns."])
def test_a_comment_never_takes_the_place_of_the_keys(tmp_path: Path, rows: str, comment: str) -> None:
    session = play(tmp_path, f"{rows}\nTitle: A\nComment: {comment}\n", [], size=(8, 30))
    first, *_, last = session.last.splitlines()
    assert "? help" in last
    assert (comment in session.last) == (comment == "Hard.")
    assert first.startswith("test 1/1") or first == comment
    bare = play(tmp_path / "bare", f"{rows}\nTitle: A\n", [], size=(8, 30)).last
    assert bare.startswith("test 1/1")
    assert "? help" in bare
