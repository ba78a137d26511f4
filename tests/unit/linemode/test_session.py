from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sokoterm.app.request import IdleTooLong, Note
from sokoterm.engine.bits import Direction
from sokoterm.engine.game import Game
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import LurdError, count_pushes, parse_lurd
from sokoterm.linemode.lines import Event
from sokoterm.store.progress import ProgressStore
from sokoterm.store.settings import LINK_PAGE
from tests.unit.app.searches import EASY, FIRST, ForegroundProver, saying
from tests.unit.linemode.fake_lines import Told, play
from tests.unit.store.stores import LAMP, LAMP_SOLVED, open_store
from tests.unit.tui.fake_terminal import line_for

ROOM = """\
#########
#@ $   .#
#  $   .#
#       #
#########"""
TWO = f"{ROOM}\nTitle: A room\n\n#####\n#@$.#\n#####\nTitle: One push\n"


def after(told: Told) -> list[str]:
    """Return the lines after the first level's board."""
    ends = [index for index, line in enumerate(told.lines) if line.startswith("####")]
    return told.lines[ends[1] + 1 :]


def test_the_board_is_printed_once_and_then_a_line_for_each_action(tmp_path: Path) -> None:
    told = play(tmp_path, ROOM, ["right", "l", "l", "u", "y", "h"])
    assert told.lines[1:9] == [
        "test1, level 1 of 1",
        "5 rows, 9 columns, 2 boxes; you are at row 2 column 2",
        "#########",
        "#@ a   .#",
        "#  b   .#",
        "#       #",
        "#########",
        "walked right to row 2 column 3",
    ]
    assert told.lines[9:] == [
        "box a pushed right to row 2 column 5, 0 of 2 home",
        "box a pushed right to row 2 column 6, 0 of 2 home",
        "undone: box a back to row 2 column 5, 0 of 2 home",
        "redone: box a pushed right to row 2 column 6, 0 of 2 home",
        "walked left to row 2 column 4",
    ]


def test_a_push_is_on_disk_before_it_is_said(tmp_path: Path) -> None:
    kept = []

    def hear(line: str) -> None:
        if "pushed" in line or "undone" in line:
            store = ProgressStore.open(str(tmp_path / "progress.db"), clock=lambda: 1e9)
            level = Level.from_xsb(ROOM)
            kept.append(count_pushes(level.board, level.start, store.open_moves(level)))
            store.close()

    play(tmp_path, ROOM, ["right", "l", "l", "u", "y"], hear=hear)
    assert kept == [1, 2, 1, 2]


def test_a_level_is_solved_and_the_next_one_begins_with_an_empty_line(tmp_path: Path) -> None:
    told = play(tmp_path, TWO, ["5l", "reset", "push a to 2,8", "push b right 4", "", "l", ""])
    said = after(told)
    assert ". Solved in " in said[3]
    assert said[3].endswith("; next: Enter")
    assert "test1, level 2 of 2: One push" in said
    assert told.lines[-4].endswith("; every level of the pack is solved")
    assert told.lines[-3:-1] == ["3 stars", "fewest possible: 1 push, proven"]
    store = open_store(tmp_path)
    best = [store.best(Level.from_xsb(rows)).by_moves for rows in (ROOM, "#####\n#@$.#\n#####")]
    store.close()
    assert [(each.pushes, each.moves) for each in best if each is not None] == [(8, 14), (1, 1)]


def test_a_row_of_moves_stops_where_it_is_blocked_and_is_one_undo(tmp_path: Path) -> None:
    said = after(play(tmp_path, ROOM, ["9l", "moves 2dl", "moves", "u", "moves", "u", "moves"]))
    assert said[0].endswith("; stopped after 5 of 9: box a cannot be pushed right: a wall behind it")
    assert [said[index] for index in (2, 4, 6)] == ["rRRRRddl", "rRRRR", line_for(Note.NO_MOVES)]


def test_a_lost_position_is_told_and_left(tmp_path: Path) -> None:
    said = after(play(tmp_path, ROOM, ["2l", "j", "k", "U", "moves", "D", "j", "D on"]))
    assert said[1].endswith("0 of 2 home. Box b can never reach a goal: this position is lost; U goes back")
    assert said[2].endswith(". Still lost")
    assert said[3].endswith(". No longer lost")
    assert said[4:6] == ["rR", line_for(Note.WARNINGS_OFF)]
    assert said[6].endswith(" 0 of 2 home")


def test_the_planner_says_why_not(tmp_path: Path) -> None:
    said = after(
        play(
            tmp_path, ROOM, ["push", "reach a", "fill 2,8", "push z 1,1", "push a to 1,1", "push a to 3,4", "walk 2,8"]
        )
    )
    assert said[0] == "you can push, the nearest first: box a, box b"
    assert said[1] == (
        "box a can be pushed to 6 squares; goals: row 2 column 8; others: row 2 columns 3 and 5 to 7; "
        "dead ends: row 2 column 2"
    )
    assert said[2] == "box a in 4 pushes; box b in 5 pushes"
    assert said[3].startswith("no box z")
    assert said[4] == "row 1 column 1: a wall"
    assert said[5] == "box b is on that square"
    assert said[6] == "walked 10 to row 2 column 8"
    said = after(play(tmp_path / "off", ROOM, ["planner", "walk to 2,8", "push a to 2,8", "reach a", "fill 2,8"]))
    assert [said[0], *{*said[1:]}] == [line_for(Note.PLANNING_OFF), line_for(Note.PLANNING_IS_OFF)]


def test_the_solver_is_asked_and_its_solution_gone_through(tmp_path: Path) -> None:
    said = after(
        play(
            tmp_path,
            ROOM,
            ["R", "S", "wait", "where", "R", "next", "push", "back", "play", "first", "take over", "R", "leave"],
        )
    )
    assert said[0] == line_for(Note.NO_SOLUTION_YET)
    assert said[1] == "searching: a solution will be announced; stop ends the search"
    assert said[2].startswith("solution found: ")
    assert any(line.startswith("replay, solver, ") for line in said)
    assert any(line.startswith("move 1 of ") for line in said)
    assert any(line.endswith("home, 2 of 2 home") for line in said)
    assert said[-1].startswith("your own position: 0 moves")


def test_a_replay_is_taken_over_with_a_move(tmp_path: Path) -> None:
    told = play(tmp_path, TWO, ["go 2", "l", "r", "R", "l", "moves"])
    assert told.lines[-6].startswith("taken over: box a pushed right ")
    assert told.last == "R"


def test_where_nothing_is_to_undo_that_is_said_and_not_the_last_line_again(tmp_path: Path) -> None:
    asked = ["undo", "redo", "undo all", "redo all"]
    nothing = ["nothing to undo", "nothing to redo"] * 2
    assert after(play(tmp_path, ROOM, ["P", *asked]))[1:] == nothing
    assert after(play(tmp_path, ROOM, ["mark a", *asked]))[1:] == nothing
    assert after(play(tmp_path, ROOM, ["U", *asked]))[1:] == nothing
    said = after(play(tmp_path, ROOM, ["2l", "l", "u 3", "redo 2", "undo all"]))
    assert said[2] == "undone 2 of 3: box a back to row 2 column 4, 0 of 2 home"
    assert said[3].startswith("redone: walked 1, then box a pushed")
    assert said[4].startswith("undone: box a back")


def test_undo_of_a_reset_or_of_a_jump_to_a_bookmark_says_where_you_are(tmp_path: Path) -> None:
    said = after(play(tmp_path, ROOM, ["2l", "reset", "undo", "mark a", "l", "return a", "undo"]))
    here = "moves, 1 push, 0 of 2 home, you are at row 2 column"
    assert [said[2], said[6]] == [f"reset undone: 2 {here} 4", f"undone: 3 moves, 2 pushes{here[13:]} 5"]
    assert after(play(tmp_path / "two", ROOM, ["2l", "reset", "undo 2"]))[2].startswith("undone: ")


def test_what_does_not_hold_in_a_replay_is_refused_for_that(tmp_path: Path) -> None:
    replay = ["go 2", "l", "r", "R"]
    for command in ("mark a", "undo", "solve", "walk to 2,2"):
        assert play(tmp_path, TWO, [*replay, command]).last == "not possible in a replay: leave first"
    assert play(tmp_path, TWO, [*replay, "good day"]).last.startswith("unknown command: good day")
    told = play(tmp_path, TWO, [*replay, "paste", "next", "q", ".", "status"])
    assert told.lines[-3].startswith("not possible in a replay: leave first; ")
    assert told.lines[-2] == "not possible in a replay: leave first"
    assert told.last.startswith("0 moves")


def test_a_level_is_said_to_be_solved_once(tmp_path: Path) -> None:
    told = play(tmp_path, TWO, ["go 2", "l", "h", "l"])
    assert [line for line in told.lines if "olved in" in line] == [told.lines[-8]]
    assert told.lines[-7:-5] == ["Your first solved level", "3 stars"]
    assert told.lines[-5:-2] == ["fewest possible: 1 push, proven", "last level, 1 unsolved", "next level: 1 A room"]


def test_what_is_proven_after_a_win_is_said(tmp_path: Path) -> None:
    idle = [Event.NOTHING] * 20
    told = play(tmp_path, LAMP, [f"moves {LAMP_SOLVED}", *idle], make_prover=ForegroundProver)
    assert told.lines[-2:] == [f"fewest possible: 10 pushes{moves}, proven" for moves in ("", ", 29 moves")]


def test_bookmarks(tmp_path: Path) -> None:
    said = after(play(tmp_path, ROOM, ["return", "l", "ma", "mark xx", "r", "'a", "'b", "return", "moves"]))
    assert said[0] == "no bookmarks"
    assert said[2] == line_for(Note.BOOKMARK_SET.of(name="a"))
    assert said[3] == "a bookmark is one letter: mark a"
    assert said[4] == "back to the start; u brings the 1 move back"
    assert said[5].startswith("at bookmark a: 1 move, 0 pushes")
    assert said[6:] == [line_for(Note.NO_BOOKMARK.of(name="b")), "bookmarks: a", "r"]


def test_levels_are_listed_found_and_opened(tmp_path: Path) -> None:
    told = play(tmp_path, TWO, ["levels", "search push", "g2", "previous", "p", "N", "go 9", "stop", "q", "never read"])
    assert told.says("1: A room, 2 boxes")
    assert told.says("level 2: One push, 1 box")
    assert told.says(line_for(Note.FIRST_LEVEL))
    assert told.lines[-3].startswith("no level 9: ")
    assert told.lines[-2:] == ["no search is running", "saved"]


def test_a_pack_is_chosen_of_several(tmp_path: Path) -> None:
    told = play(tmp_path, [ROOM, TWO], ["l", "S", "packs", "pack 7", "pack 2 2", "levels", "pack 1"])
    assert told.lines[1:4] == ["continue: test1.txt", "1: test1.txt", "2: test2.txt"]
    assert told.says("give the number of a pack, from 1 to 2: pack 1")
    assert told.says("test2, level 2 of 2: One push")
    assert told.says("test1, level 1 of 1")


def test_lists_go_from_the_easiest_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoterm.app.lists.perf_counter", lambda: 0.0)
    told = play(tmp_path, TWO, ["order", *[Event.NOTHING] * 4, "levels", "order number", "levels"])
    lists = [line for line in told.lines if line[:3] in ("1: ", "2: ")]
    assert [line[0] for line in lists] == ["2", "1", "1", "2"]
    assert lists[0] == "2: One push, 1 box, difficulty 5"
    assert lists[2:] == ["1: A room, 2 boxes", "2: One push, 1 box"]
    assert told.says("lists are sorted easiest first")
    assert told.says("lists are sorted in their original order")
    assert play(tmp_path, TWO, ["sort boxes", "levels"]).says("lists are sorted fewest boxes first")
    assert play(tmp_path, TWO, ["sort colour"]).says("found colour, expected one of number, difficulty, unsolved")
    assert play(tmp_path, TWO, ["filter boxes:1"]).says("level 2: One push, 1 box")
    assert play(tmp_path, TWO, ["filter boxes:x"]).says("found boxes:x, expected a number: boxes:4, boxes<=6")
    packs = play(tmp_path, [ROOM, TWO], ["pack 2", "order", *[Event.NOTHING] * 4, "packs"])
    assert [line[0] for line in packs.lines[-2:]] == ["2", "1"]
    assert packs.lines[-2] == "2: test2.txt, 0 of 2 levels solved, difficulty 5"


def test_a_long_list_goes_on_by_more(tmp_path: Path) -> None:
    pack = "".join(f"{ROOM}\nTitle: Room {number}\n\n" for number in range(1, 50))
    told = play(tmp_path, pack, ["levels", "more", "more", "more"])
    assert told.lines.count("more shows the rest") == 2
    assert told.lines.count("49: Room 49, 2 boxes") == 1


def test_what_is_kept_until_the_end_alone_is_not_called_saved(tmp_path: Path) -> None:
    assert play(tmp_path, ROOM, ["2l", "q"]).last == "saved"
    (tmp_path / "other" / "progress.db").mkdir(parents=True)
    told = play(tmp_path / "other", ROOM, ["2l", "q"])
    assert told.says("progress is not saved")
    assert told.last == "not saved"


def test_links_are_printed_and_pasted(tmp_path: Path) -> None:
    rows = "%23%23%23%23%23%23%0A%23%40%24-.%23%0A%23%23%23%23%23%23"
    told = play(
        tmp_path,
        "######\n#@$ .#\n######",
        ["link", "link solution", "2l", "link solution", "paste", "https://x.y", "."],
    )
    said = after(told)
    assert said[0] == f"{LINK_PAGE}?level={rows}"
    assert said[1].startswith("no solution yet")
    assert f"{LINK_PAGE}?solution=RR&level={rows}" in said
    assert told.says(line_for(Note.PASTED_ADDRESS))
    assert play(tmp_path, ROOM, ["paste", said[0], "."]).says("pasted, level 1 of 1")


def test_moves_and_levels_are_pasted(tmp_path: Path) -> None:
    other = "######\n#@$ .#\n######\nTitle: Pasted"
    moves = ["paste", "Solution", "r*R", "2R", "."]
    told = play(
        tmp_path, ROOM, [*moves, "moves", "paste", *other.splitlines(), ".", "2l", "paste", "good day", ".", "packs"]
    )
    assert "rRRR" in told.lines
    assert told.says("pasted, level 1 of 1: Pasted")
    assert told.says(line_for(Note.PASTED_NEITHER))
    assert told.last.startswith("2: pasted")
    store = open_store(tmp_path)
    best = store.best(Level.from_xsb("######\n#@$ .#\n######")).by_moves
    store.close()
    assert best is not None
    assert best.lurd == "RR"


def test_a_person_who_went_away_is_taken_leave_of(tmp_path: Path) -> None:
    ticks = count(step=20)
    told = play(tmp_path, ROOM, ["2l", *[Event.NOTHING] * 50, "u"], minutes=2, clock=lambda: float(next(ticks)))
    assert told.last == line_for(IdleTooLong(2))
    assert play(tmp_path, ROOM, ["moves"]).last == "rR"


def test_a_list_is_stopped_by_ctrl_c(tmp_path: Path) -> None:
    said = play(tmp_path, ROOM, ["help", "l"], pauses=[Event.NOTHING] * 12 + [Event.INTERRUPT]).lines
    assert said[-2:] == ["stopped", "walked right to row 2 column 3"]
    assert not any(line.startswith("quit") for line in said)


STEPS = {"h": Direction.LEFT, "j": Direction.DOWN, "k": Direction.UP, "l": Direction.RIGHT}
_USUAL = "h;j;k;l;3l;llj;2j3h;H;J;K;L;u;y;undo 3;redo 2;undo all;redo all;r"
WORDS = st.sampled_from(_USUAL.split(";"))
_ODD = (
    "push a to 2,8;push b left;walk 4,4;reach b;fill;fill 3,8;where;map 999999;ma;'a;U;D;P;R;next;play;take over up;"
    "leave;Y;levels;more;;go 2;p;search a;S;wait;.;moves 9999999r;moves (((;9999999999l;help x;pack 1;packs;board;"
    "goals;boxes;status;stop;N;move 3;last;push;unpush;first;another;take over;undo 999999999999;where 99,99"
)
ODD = st.one_of(WORDS, st.text(max_size=12), st.sampled_from(_ODD.split(";")))


def follow(game: Game, word: str) -> None:
    """Do a command by the game alone."""
    match word:
        case "u":
            game.undo()
        case "y":
            game.redo()
        case "undo 3":
            [game.undo() for _ in range(3)]
        case "redo 2":
            [game.redo() for _ in range(2)]
        case "undo all":
            game.undo_all()
        case "redo all":
            game.redo_all()
        case "r":
            game.restart()
        case "H" | "J" | "K" | "L":
            game.run(STEPS[word.lower()])
        case _:
            steps = parse_lurd("".join(STEPS[each].letter if each in STEPS else each for each in word))
            try:
                game.play(steps)
            except LurdError as error:
                game.play(steps[: error.step - 1])


@pytest.fixture(scope="module")
def folders() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder)


@given(st.lists(WORDS, max_size=30))
@example(["llj", "r", "u", "u", "y", "L"])
def test_commands_do_to_a_game_what_its_own_functions_do(words: list[str]) -> None:
    game = Game(Level.from_xsb(ROOM))
    for word in words:
        follow(game, word)
    with TemporaryDirectory() as folder:
        told = play(Path(folder), ROOM, [*words, "moves"])
    assert told.last == (game.lurd or line_for(Note.NO_MOVES))


@settings(max_examples=25)
@given(st.lists(ODD, max_size=25))
def test_no_line_brings_it_down(words: list[str]) -> None:
    with TemporaryDirectory() as folder:
        told = play(Path(folder), TWO, words)
    assert told.lines


def test_a_paste_may_be_given_up_and_has_an_end(tmp_path: Path) -> None:
    told = play(tmp_path, ROOM, ["paste", "rr", Event.INTERRUPT, "status"])
    assert told.lines[-2] == "paste dropped"
    assert told.last.startswith("0 moves")
    told = play(tmp_path, ROOM, ["paste", "rr", *["r" * 100_000] * 10, "rr", ".", "status"])
    assert told.lines[-2] == "paste dropped: it has over 1,000,000 bytes"
    assert told.last.startswith("0 moves")


def test_the_player_goes_on_where_he_stopped(tmp_path: Path) -> None:
    packs = ["#####\n#@$.#\n#####", "######\n#@ $.#\n######\n\n#####\n#@$.#\n#####"]
    assert play(tmp_path, packs, []).says("type continue to play test1.txt, or pack N to open another pack")
    play(tmp_path, packs, ["pack 2 2"])
    told = play(tmp_path, packs, ["continue"])
    assert told.says("continue: test2.txt 2")
    assert told.says("test2, level 2 of 2")


def test_levels_tell_what_is_begun_and_what_was_solved_with_help(tmp_path: Path) -> None:
    assert after(play(tmp_path, TWO, ["facts"]))[0] == "no history of this level yet"
    told = play(tmp_path, TWO, ["l", "l", "go 2", "difficulty", "hint", "levels", "facts"])
    assert told.says("difficulty 5 (for beginners, 1 in 10 gives up)")
    assert told.says("ways: 2 positions on shortest ways")
    assert told.says("1: A room, 2 boxes, begun")
    assert told.says("2: One push, 1 box, solved with help in 1 move, 1 push")
    assert told.says("solved with help 2001-09-09")
    told = play(tmp_path, TWO, ["go 2", "reset", "l", "levels"])
    assert told.says("2: One push, 1 box, solved in 1 move, 1 push")
    told = play(tmp_path, TWO, ["go 2", "statistics", "facts", Event.INTERRUPT, "levels"])
    assert told.says("time: ")
    assert told.lines[-2].startswith("solved 2001-09-")
    assert told.last == "saved"


HALL = "########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
DETOUR = ["l", "k", "l", "j", "h", "j", "3l", "j", "l", "k"]


REPLAY = ("go 2", "l", "r", "R")
_COUNT, _NUMBER = "a count of at least 1", "the number of a level"
_FLOOR = "expected the row and column of a floor square: bar 3,2"
_RANGE = "is not a range of moves within 0-12, such as 3-9"
# A pack, what is done in it, commands that are wrong then, and the end of what is said of them.
WRONG = [
    (ROOM, ["2l"], "left -1;left 0;0 left;l -1;l x;left 9999999;push a right -1;map -1", _COUNT),
    (ROOM, ["2l"], "undo -1;undo 0;u 1.5;u x", _COUNT),
    (TWO, ["l"], "go -1;go 1.5;go x;go;levels -1;g 0", _NUMBER),
    (TWO, REPLAY, "next -1;back x", _COUNT),
    (TWO, REPLAY, "move -1;move;play x", "the number of a move: move 12"),
    ([ROOM, TWO], [], "pack 1.5", "give the number of a pack, from 1 to 2: pack 1"),
    ([ROOM, TWO], [], "packs -1", "found -1, expected the number of a pack"),
    (ROOM, [], "moves uurrd", "stopped after 0 of 5: a wall is above you"),
    (ROOM, [], "moves 2", "nothing follows the count 2"),
    (HALL, DETOUR, "improve keep b;improve keep", "expected letters of boxes: keep a"),
    (HALL, DETOUR, "improve bar 3;improve bar;improve bar 2,2 1,1", _FLOOR),
    (HALL, DETOUR, "improve 9-4;improve 9-13", _RANGE),
    (HALL, DETOUR, "improve 1-2 3-4", "1-2 and 3-4 cannot be combined: name one part of the solution"),
    (HALL, DETOUR, "improve pushes lines", "name one of moves, pushes, lines, changes, sessions"),
    (HALL, DETOUR, "improve rest", "only in the middle of a replay: replay, move 12, improve rest"),
    (HALL, DETOUR, "improve fast", "sessions, 40-90, rest, start, alone, keep or bar"),
]


@pytest.mark.parametrize(("pack", "before", "wrong", "said"), WRONG)
def test_what_is_wrong_in_a_command_is_told(
    tmp_path: Path, pack: str | list[str], before: list[str], wrong: str, said: str
) -> None:
    moves = play(Path(mkdtemp(dir=tmp_path)), pack, [*before, "moves"]).last
    for command in wrong.split(";"):
        told = play(Path(mkdtemp(dir=tmp_path)), pack, [*before, command, "moves"])
        assert said in told.lines[-2], command
        assert told.last == moves


def test_a_kept_box_and_a_range_leave_nothing_to_improve(tmp_path: Path) -> None:
    for words in ("keep a", "3-4 alone"):
        assert play(tmp_path, HALL, [*DETOUR, f"improve {words}", "wait"]).says("no better solution found")
    assert play(tmp_path, HALL, [*DETOUR, "improve pushes bar 2 2", "wait"]).says("2 pushes can be saved")
    both = ["push a to 2,8", "push b to 3,8", "improve keep a b alone", "wait"]
    assert play(tmp_path, ROOM, both).says("no better solution found")


@pytest.mark.parametrize("words", ["bar 2,2 2,3", "bar 2 2 2 3", "BAR 2,2", "keep A", "moves", "alone"])
def test_what_is_improved_is_told(tmp_path: Path, words: str) -> None:
    told = play(tmp_path, HALL, [*DETOUR, f"improve {words}"])
    assert told.last.startswith("improving your best, 12 moves, 6 pushes: savings will be announced")


def improving(folder: Path, *commands: str) -> Told:
    """A session in which the improvement of a solved level goes on for ever; a second level is easy."""
    script = saying(*[FIRST] * 99)
    return play(Path(mkdtemp(dir=folder)), f"{HALL}\n{EASY}", [*DETOUR, "improve", *commands], make_solver=script)


def test_an_improvement_is_stopped_in_a_replay_and_on_another_level_too(tmp_path: Path) -> None:
    told = improving(tmp_path, "replay", "stop", "status")
    assert told.lines[-2].startswith("no better solution found")
    assert told.last.startswith("0 moves")
    assert improving(tmp_path, "replay", "improve stop").last.startswith("no better solution found")
    for command in ("stop", "improve stop"):
        assert improving(tmp_path, "next", command).last.startswith("test1 1: no better solution found")
        assert improving(tmp_path, "stop", "replay", command).last == "no search is running"


def test_words_for_an_improvement_while_one_is_running_change_nothing(tmp_path: Path) -> None:
    for place in ("status", "replay"):
        assert improving(tmp_path, place, "improve pushes").last == "an improvement is running: stop ends it"
        assert improving(tmp_path, place, "improve").last == "improving for 1 s: stop ends it"


def test_the_end_of_an_improvement_is_waited_for_in_a_replay(tmp_path: Path) -> None:
    told = play(tmp_path, HALL, [*DETOUR, "replay", "move 3", "improve rest", "wait", "status"])
    assert told.lines[-3].startswith("4 moves can be saved")
    assert told.last.startswith("3 moves")


def test_keys_go_to_the_differences_in_a_replay(tmp_path: Path) -> None:
    assert play(tmp_path, HALL, [*DETOUR, "replay", "3"]).last.startswith("move 3 of 12: ")
    assert "found" in play(tmp_path, HALL, ["replay", "9" * 30]).last
    replay = [*DETOUR, "improve", "wait", "replay"]
    assert play(tmp_path, HALL, [*replay, "n"]).last.endswith("; saves 8 moves and 2 pushes here")
    told = play(tmp_path, HALL, ["replay", "n", "n"])
    assert told.last == "no further difference"
    told = play(tmp_path, HALL, ["replay", "parts"])
    assert told.last == "moves 1 to 12: the other solution saves 8 moves and 2 pushes here"
