"""Playing a level on the screen: the lines around the board, questions, windows of any size, Cyrillic keys."""

import itertools
from pathlib import Path

import pytest

from sokoterm.app.deadlock_warning import DeadlockWarning
from sokoterm.app.improvement import ShowReplay
from sokoterm.app.request import Note, Start
from sokoterm.engine.deadlock.check import Deadlock, DeadlockKind
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import count_pushes
from sokoterm.store.known_levels import Source
from sokoterm.store.packs import open_pack, pack_from_bytes
from sokoterm.store.progress import ProgressStore
from sokoterm.terminal.events import Paste
from sokoterm.tui.screens.play import PlayScreen
from sokoterm.tui.widgets.board_view import Appearance
from sokoterm.tui.widgets.frame import Frame, Size
from sokoterm.tui.widgets.theme import THEMES
from tests.unit.app.player import Player
from tests.unit.app.searches import SlowSearch
from tests.unit.tui.fake_terminal import TO_TILES, line_for, play
from tests.unit.tui.planned import picture

FIRST = "##########\n#@ $   . #\n#        #\n##########"
PACK = f"""\
Collection: Try

{FIRST}
Title: One push after another
Author: A. Person
Comment: Walk left of the box.

#######\n#@$ . #\n#     #\n#     #\n#######\nTitle: Second

#########\n#       #\n# $ $.@ #\n#  .    #\n#########\nTitle: Third
"""
SOLUTION, DETOUR = "rRRRR", "durRRRR"


def text_of(screen: PlayScreen, size: tuple[int, int] = (24, 80)) -> str:
    frame = picture(screen, Size(*size), Appearance(THEMES[0], 1))
    return "\n".join(row.text.rstrip() for row in frame.rows)


def status(screen: PlayScreen) -> str:
    """The line with the counters."""
    return text_of(screen).split("\n")[-2]


def _rows(screen: str) -> list[str]:
    return [line.strip() for line in screen.split("\n") if "#" in line]


def test_a_push_is_on_disk_before_it_is_seen(tmp_path: Path) -> None:
    seen = []
    level = open_pack(pack_from_bytes(PACK.encode())).find_level(1)

    def painted(frame: Frame) -> None:
        text = "\n".join(row.text for row in frame.rows)
        assert level is not None
        store = ProgressStore.open(str(tmp_path / "progress.db"), clock=lambda: 1e9)
        pushes = count_pushes(level.board, level.start, store.open_moves(level))
        seen.append((int(text.partition("pushes")[2].split()[0]), pushes))
        store.close()

    play(tmp_path, PACK, ["right", "right", "right", "undo", "j"], painted=painted)
    assert seen == [(pushes, pushes) for pushes, _ in seen]
    assert max(seen) == (2, 2)


def test_the_cursor_stands_on_the_player(tmp_path: Path) -> None:
    for cell in (1, 2):
        frame = play(tmp_path, PACK, ["right"], cell=cell).frames[-1]
        row, column = frame.cursor
        assert frame.rows[row].text[column] == "@"


def test_rulers_come_and_go_with_a_key_and_count_what_is_turned(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, [":"]).shows("rulers on: rows at the left, columns above", "4 ####")
    assert play(tmp_path, PACK, ["t", ":"]).shows("rulers on: columns at the left, rows above", "10 ####")
    session = play(tmp_path, PACK, ["esc", ":", ":", "esc"])
    assert session.frames[1] == session.frames[-1]
    assert "rulers off" in session.screens[-2]


@pytest.mark.parametrize("cell", [1, 2, 4, 8, 16])
def test_rulers_and_marks_have_room_in_any_window(tmp_path: Path, cell: int) -> None:
    for rows, columns in ((6, 20), (8, 30), (12, 40), (24, 80)):
        session = play(
            tmp_path, PACK, [*TO_TILES, "x", ":", "r", "left", "tab", "esc"], size=(rows, columns), cell=cell
        )
        assert session.saved().lurd == "r"
        assert session.last


@pytest.mark.parametrize("before", ["", DETOUR, SOLUTION])
def test_a_level_that_is_solved_is_told(tmp_path: Path, before: str) -> None:
    with Player(tmp_path, PACK) as player:
        player.move(before)
        player.act("restart")
        player.move(SOLUTION)
        screen = PlayScreen(player.model)
        screen.solved_before = player.records[-1].before
        assert status(screen) == "moves 5      pushes 4     level solved"
        player.act("restart")
        line = "your best: 5 moves, 4 pushes; Enter continues"
        assert status(PlayScreen(player.model)) == f"moves 0      pushes 0     {line}"


def deadlock_of(kind: DeadlockKind, player: Player, monkeypatch: pytest.MonkeyPatch, lurd: str = "rR") -> PlayScreen:
    """The screen of a position in which both boxes are known to be lost, but not the start."""
    level = player.model.level
    player.move(lurd)
    deadlock = Deadlock(kind, player.model.game.state.boxes)
    monkeypatch.setattr(
        player.model.warning, "find", lambda state: deadlock if state.boxes != level.start.boxes else None
    )
    return PlayScreen(player.model)


@pytest.mark.parametrize("kind", DeadlockKind)
def test_every_deadlock_has_its_reason_and_room_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: DeadlockKind
) -> None:
    with Player(tmp_path, PACK) as player:
        screen = deadlock_of(kind, player, monkeypatch)
        if kind is DeadlockKind.LEARNED:
            assert status(screen).endswith("proven unsolvable from here, U goes back")
            assert "proven... U goes back" in text_of(screen, (8, 30))
            return
        reason = status(screen).partition("moves 2      pushes 1     dead, U goes back: ")[2]
        assert reason
        assert not reason.endswith("..")
        assert "dead, U goes back..." in text_of(screen, (8, 30))
        screen.model.warning = DeadlockWarning(player.model.level.board)
        monkeypatch.setattr(screen.model.warning, "find", lambda _: Deadlock(kind, 0))
        monkeypatch.setattr(screen.model.warning, "was_lost", lambda _: True)
        assert status(screen).endswith(f"     dead: {reason}")


def test_the_boxes_of_a_deadlock_alone_are_marked(tmp_path: Path) -> None:
    with Player(tmp_path, "########\n#  $.  #\n#.$ $. #\n# @    #\n########\n") as player:
        player.move("U")
        rows = picture(PlayScreen(player.model), Size(24, 80), Appearance(THEMES[0], 1)).rows
        marked = [row.text[column] for row in rows for column, style in enumerate(row.styles) if style == "!"]
        assert marked == ["$", "$"]
        player.act("warnings")
        rows = picture(PlayScreen(player.model), Size(24, 80), Appearance(THEMES[0], 1)).rows
        assert not any("!" in row.styles for row in rows)


def test_a_solution_that_waits_is_told_while_the_search_goes_on_and_after_it(tmp_path: Path) -> None:
    with Player(tmp_path, PACK, SlowSearch) as player:
        player.act("solve")
        player.hear(4)
        screen = PlayScreen(player.model)
        assert status(screen).endswith("     solution found: R shows it; still searching")
        player.act("cancel")
        assert status(screen).endswith("     solution found: R shows it")


@pytest.mark.parametrize("size", [(8, 30), (7, 30), (24, 30), (24, 80)])
def test_what_to_do_next_is_not_cut_off(tmp_path: Path, size: tuple[int, int]) -> None:
    session = play(tmp_path, PACK, ["P", "tab"], size=size)
    said = " ".join(session.last.split())
    assert line_for(Note.PLANNING_IS_OFF) in said
    assert play(tmp_path, PACK, ["P", "P", "C-x"], size=size).shows("moves 0")


def test_a_long_message_is_folded_over_free_lines(tmp_path: Path) -> None:
    levels = Paste(b"#####\n#@$ #\n#.. #\n#####\n")
    session = play(tmp_path, PACK, [levels], size=(24, 80))
    assert "expected as many boxes as goals" in " ".join(session.last.split())


def test_a_pack_that_is_done_is_told_of_with_the_last_level(tmp_path: Path) -> None:
    with Player(tmp_path, "#####\n#@$.#\n#####\n") as player:
        player.move("R")
        screen = PlayScreen(player.model)
        screen.solved_before = player.records[-1].before
        assert status(screen).endswith("     level solved, pack done: Enter other packs")
        assert "level... Enter other packs" in text_of(screen, (8, 30))


@pytest.mark.parametrize("keys", [["l"], ["?"], ["b"], ["S", "R", "home"], ["b", "h", "/", "x"]])
def test_any_size_shows_something(tmp_path: Path, keys: list[str]) -> None:
    for rows, columns in ((1, 1), (2, 4), (4, 2), (5, 80), (24, 19), (6, 20), (8, 30), (50, 200)):
        assert play(tmp_path, PACK, [*keys, f"size {rows} {columns}", "l", "size 24 80"]).last.strip()
        assert play(tmp_path, PACK, keys, size=(rows, columns)).last.strip()


def test_a_big_board_scrolls_by_half_screens(tmp_path: Path) -> None:
    width = 200
    pack = "#" * width + "\n#@" + " " * (width - 6) + "$. #\n" + "#" * width + "\n"
    frames = play(tmp_path, pack, ["l"] * 90).frames
    columns = [frame.cursor[1] for frame in frames]
    assert all(0 <= column < 80 for column in columns)
    jumps = [b - a for a, b in itertools.pairwise(columns) if b - a not in (0, 1)]
    assert jumps
    assert all(jump == 1 - 40 for jump in jumps)


def test_a_digit_of_another_script_is_no_number_and_esc_takes_a_question_back(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, ["g", "\u00b2", "l"]).saved().lurd == "r"
    assert play(tmp_path, PACK, ["m", "esc", "l"]).saved().lurd == "rR"


@pytest.mark.parametrize("keys", [["g"], ["m"], ["?"], ["b", "/", "x"]])
def test_ctrl_c_quits_where_letters_are_text_too(tmp_path: Path, keys: list[str]) -> None:
    there = play(tmp_path, PACK, keys)
    assert play(tmp_path, PACK, [*keys, "C-c", "l", "l"]).last == there.last


@pytest.mark.parametrize("keys", [["g"], ["?"], ["b", "/"]])
def test_q_quits_a_window_that_is_too_small_for_anything_else(tmp_path: Path, keys: list[str]) -> None:
    session = play(tmp_path, PACK, [*keys, "size 3 10", "q", "size 24 80"])
    assert session.shows("needs 20x6")


def test_a_second_s_watches_the_search_even_where_the_replay_was_faster(tmp_path: Path) -> None:
    session = play(tmp_path, PACK, ["S", "wait", "R", "wait", "S"], make_solver=SlowSearch)
    assert session.last.startswith("Solver: ")
    assert session.shows("found", "x stop it")
    session = play(tmp_path, PACK, ["r", "S", "wait", "R", "wait", "S", "esc"], make_solver=SlowSearch)
    assert session.last.startswith("Replay: ")
    ended = play(tmp_path, PACK, ["r", "S", "wait", "R", "S"])
    assert ended.last.startswith("Solver: ")
    assert ended.shows("solved")
    assert play(tmp_path, PACK, ["S", "g", "2", "wait", "enter"], make_solver=SlowSearch).shows("Try 2/3")
    replayed = ShowReplay("", "", Source.GIVEN)
    assert play(tmp_path, PACK, ["S"], first=lambda opened: [Start(opened, 1), replayed]).shows("no search yet")


BROKEN = PACK + "".join(f"\n####\n#{'@' * n}$#\n####\n" for n in (2, 3))


def test_browsing_is_no_time_played(tmp_path: Path) -> None:
    play(tmp_path, PACK, ["b", *["up", "down"] * 40, "home", "enter", "j"])
    store = ProgressStore.open(str(tmp_path / "progress.db"), lambda: 0.0)
    seconds = store.best(Level.from_xsb(FIRST)).dates.seconds
    store.close()
    assert 0 < seconds < 20


def test_a_level_that_cannot_be_read_is_listed_with_the_reason_and_told_on_a_line_of_its_own(tmp_path: Path) -> None:
    assert play(tmp_path, BROKEN, ["b"]).shows("!    4 cannot be read: ")
    last = play(tmp_path, BROKEN, ["b", "esc", "g", "5", "enter"]).last.split("\n")[-1]
    assert last.startswith("level 5 cannot be read: ")
    assert not last.endswith("..")


@pytest.mark.parametrize("size", [(12, 40), (8, 30), (8, 20), (6, 30)])
def test_a_small_window_names_the_next_level_and_the_help(tmp_path: Path, size: tuple[int, int]) -> None:
    two = "#####\n#@$.#\n#####\n\n#######\n#@$ . #\n#######\n"
    assert play(tmp_path, two, ["l"], size=size).shows("Enter next")
    for floors, window in ((7, (12, 40)), (10, size)):
        pack = "#####\n#@$.#\n" + "#   #\n" * floors + "#####\n"
        assert size[0] < 8 or play(tmp_path, pack, [], size=window).shows("? help")


@pytest.mark.parametrize(("height", "lines"), [(5, 2), (7, 2), (8, 1), (9, 0)])
def test_a_lesson_takes_a_second_line_where_the_board_leaves_one(tmp_path: Path, height: int, lines: int) -> None:
    rows = "\n".join(["#######", *["#     #"] * (height - 3), "#@ $. #", "#######"])
    lesson = "You push what is before you: walk round a box to send it back."
    frame = play(tmp_path, f"{rows}\nComment: {lesson}\n", [], size=(12, 40)).last.splitlines()
    told = [line.strip() for line in frame[1:] if line.strip() and line.strip() in lesson or line.endswith("...")]
    assert len(told) == lines
    assert (" ".join(told) == lesson) == (lines == 2)
    assert "#@ $. #" in "".join(frame)


def test_the_second_line_of_a_comment_goes_on_after_the_first_even_if_that_loses_its_accents(tmp_path: Path) -> None:
    """Marks that combine with a letter, as in texts from a Mac, are not drawn in lines that are wrapped."""
    comment = "Un e\u0301le\u0300ve pousse la caisse, puis il la contourne."
    frame = play(tmp_path, f"#####\n#@$.#\n#####\nComment: {comment}\n", [], size=(12, 40)).last
    assert [line.strip() for line in frame.splitlines()][1:3] == ["Un eleve pousse la caisse, puis il la", "contourne."]


@pytest.mark.parametrize("floors", [1, 3])
def test_a_comment_never_takes_the_place_of_the_keys(tmp_path: Path, floors: int) -> None:
    rows = "######\n#.$@ #\n" + "#    #\n" * floors + "######"
    for comment in ("Hard.", "A comment that is cut where there are but thirty columns.", ""):
        text = f"{rows}\nTitle: A\n" + (f"Comment: {comment}\n" if comment else "")
        first, *rest, last = play(tmp_path / comment, text, [], size=(8, 30)).last.splitlines()
        assert "? help" in last
        assert (comment in "\n".join([first, *rest])) == (comment in ("Hard.", ""))
        assert first.startswith("test 1/1") or (first == comment != "")


# Cyrillic letters are commands by the place of their key, and text where text is typed

CORRIDOR = "#######\n#@ $ .#\n#######\n"


def test_letters_act_as_the_latin_ones_on_their_keys(tmp_path: Path) -> None:
    english = {latin: play(tmp_path / latin, CORRIDOR, latin).last for latin in ("", "ll", "llu", "L", "llmar'a")}
    for cyrillic, latin in (("дд", "ll"), ("ддг", "llu"), ("Д", "L"), ("ддьфк'ф", "llmar'a")):
        assert play(tmp_path / cyrillic, CORRIDOR, cyrillic).last.replace("ф", "a") == english[latin]
    assert play(tmp_path / "off", CORRIDOR, "дд", keys_by_place=False).last == english[""]
    assert play(tmp_path, CORRIDOR, "и/ящик").shows("/ящик")


def test_a_header_without_room_for_the_author_leaves_him_out(tmp_path: Path) -> None:
    widths = [len("Try 1/3  One push after another  by A. Person") - short for short in (0, 1)]
    headers = [play(tmp_path, PACK, "?", size=(12, width)).screens[0].splitlines()[0] for width in widths]
    assert headers == ["Try 1/3  One push after another  by A. Person", "Try 1/3  One push after another"]


def test_boxes_that_have_no_room_one_by_one_are_counted(tmp_path: Path) -> None:
    for boxes, shown in ((3, "░ ░ ░"), (12, "0/12")):
        pack = f"{'#' * (boxes + 4)}\n#@ {' ' * boxes}#\n#  {'$' * boxes}#\n#  {'.' * boxes}#\n{'#' * (boxes + 4)}\n"
        line = next(row for row in play(tmp_path, pack, "", size=(24, 120)).last.splitlines() if "boxes home" in row)
        assert line.split("boxes home")[1].strip() == shown
