"""``sokoterm verify``, ``hash``, ``replay --print``, ``reach`` and ``deadlock``."""

from itertools import count
from time import process_time

import pytest

from sokoterm.engine.deadlock.check import DeadlockKind
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import exact_id, level_hash, unique_id
from sokoterm.engine.lurd import end_of
from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, PLACE, SEED, STUCK, TWO_PUSHES, Command

METRICS = ["moves", "pushes", "box_lines", "box_changes", "pushing_sessions", "player_lines"]


def test_verify_prints_the_figures_of_a_solution(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES])
    result = command.done("verify", pack, "-l", "2", "--lurd", "R l 2r", "--json")
    (found,) = result.objects
    assert list(found) == [*PLACE, "solved", *METRICS, "error", "step"]
    assert (found["pack"], found["level"], found["solved"]) == (str(pack), 2, True)
    assert [found[metric] for metric in METRICS] == [4, 2, 2, 1, 2, 3]
    assert (found["error"], found["step"]) == (None, None)


def test_verify_names_the_step_that_is_blocked(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    result = command("verify", pack, "-l", "1", "--lurd", "rRR", "--json")
    (found,) = result.objects
    assert (result.status, found["solved"], found["step"]) == (1, False, 3)
    assert "step 3" in str(found["error"])
    assert [found[metric] for metric in METRICS] == [None] * 6
    assert "not solved: " in command("verify", pack, "-l", "1", "--lurd", "rRR").out
    left = command("verify", pack, "-l", "1", "--lurd", "r")
    assert (left.status, left.out.startswith("not solved: 1 of 1 box not")) == (1, True)


def test_verify_reads_moves_from_a_file_or_from_standard_input(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    moves = command.file("moves.txt", "r\n r\n")
    assert command("verify", pack, "-l", "1", "--lurd-file", moves).status == 0
    command.feed("2r\n")
    assert command("verify", pack, "-l", "1", "--lurd-file", "-").status == 0
    command.feed(TWO_PUSHES)
    assert command("verify", "-", "-l", "1", "--lurd-file", moves).status == 0


@pytest.mark.parametrize("moves", ["\ufeffSolution: rR", "Solution/Moves\nr*R\n", "2-1r1", "r2"])
@pytest.mark.parametrize("verb", ["verify", "replay --print", "deadlock --nodes 9", "reach --box 2,5"])
def test_moves_are_read_as_those_of_a_pack(command: Command, verb: str, moves: str) -> None:
    pack = command.pack("levels.txt", ["#######\n#@ $ .#\n#######"])
    file = command.file("moves.txt", moves)
    given = [*verb.split(), str(pack), "-l", "1"]
    plain = command(*given, "--moves", "rR").out
    assert plain
    assert command(*given, "--moves", moves).out == plain
    assert command(*given, "--moves-file", file).out == plain
    file.write_text("rr\nrrrrxrrrr\n", "utf-8")
    assert f"--moves-file {file}, line 2, column 5: found 'x'," in command.refusal(*given, "--moves-file", file)


@pytest.mark.parametrize("verb", ["verify", "replay --print", "deadlock", "reach --box 2,3"])
def test_a_pack_of_one_level_needs_no_number(command: Command, verb: str) -> None:
    one = command.pack("one.txt", [TWO_PUSHES])
    assert command(*verb.split(), one, "--moves", "r").out == command(*verb.split(), one, "-l1", "--moves", "r").out
    for several in ([command.pack("two.txt", [ONE_PUSH, "####\n#@x#\n####"])], []):
        result = command(*verb.split(), *several, "--moves", "r")
        assert (result.status, result.out, "levels: choose one with -l N" in result.err) == (2, "", True)


def test_hash_prints_the_three_ids(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, SEED])
    level = Level.from_xsb(SEED)
    (found,) = command.done("hash", pack, "-l", "2", "--json").objects
    assert list(found) == [*PLACE, "hash", "unique_id", "exact_id"]
    assert [found[key] for key in PLACE] == [str(pack), "levels", "", 2, "B", ""]
    assert (found["hash"], found["unique_id"], found["exact_id"]) == (
        level_hash(level),
        unique_id(level),
        exact_id(level),
    )
    ids = f"{level_hash(level)}  {unique_id(level)}  {exact_id(level)}"
    assert command("hash", pack, "-l", "2").out.splitlines() == [
        f"{'level hash':<32}  Unique-Id         Exact-Id          level",
        f"{ids}  {pack}:2  B",
    ]


def test_replay_prints_the_board_of_every_move(command: Command) -> None:
    pack = command.pack("levels.txt", [STUCK, TWO_PUSHES])
    result = command.done("replay", pack, "-l", "2", "--lurd", "rl2r", "--print")
    boards = result.out.split("\n\n")[:-1]
    assert boards == [
        "move 0/4 push 0/2\n######\n#@$ .#\n######",
        "move 1/4 push 1/2\n######\n# @$.#\n######",
        "move 2/4 push 1/2\n######\n#@ $.#\n######",
        "move 3/4 push 1/2\n######\n# @$.#\n######",
        "move 4/4 push 2/2\n######\n#  @*#\n######",
    ]


# Two boxes, an inner wall, decoration, and a margin in the file.
ROOM = """\
   #######
   #@ $  #  #$#
   # #   #  ###
   #  $ .#
   #    .#
   #######"""


def test_the_squares_in_reach_with_their_pushes(command: Command) -> None:
    pack = command.pack("levels.txt", [STUCK, FEWER_MOVES])
    result = command.done("reach", pack, "-l", "2", "--box", "3,4", "--json")
    (found,) = result.objects
    assert list(found) == [*PLACE, "box", "squares"]
    assert (found["pack"], found["level"], found["box"]) == (str(pack), 2, [3, 4])
    squares = found["squares"]
    assert isinstance(squares, list)
    assert [3, 4, 0] in squares
    assert [2, 5, 2] in squares
    assert squares == sorted(squares)


def test_the_plan_has_fewest_pushes_or_fewest_moves(command: Command) -> None:
    pack = command.pack("levels.txt", [FEWER_MOVES])
    arguments = ("reach", pack, "-l", "1", "--box", "3,4", "--to", "2,5")
    for flags, pushes, moves in (((), 2, 10), (("--fewest", "pushes"), 2, 10), (("--fewest", "moves"), 4, 8)):
        result = command(*arguments, *flags, "--json")
        (found,) = result.objects
        assert list(found) == [*PLACE, "box", "squares", "lurd", "moves", "pushes"]
        assert (result.status, found["pushes"], found["moves"]) == (0, pushes, moves)
        level = Level.from_xsb(FEWER_MOVES)
        assert end_of(level.board, level.start, str(found["lurd"])).boxes == level.board.goals
    heading, lurd = command(*arguments).out.splitlines()
    assert (heading, len(lurd)) == ("box 3,4 to 2,5: 2 pushes, 10 moves", 10)
    pack = command.pack("levels.txt", [STUCK, ONE_PUSH])
    for which, options, said in (
        ("1", "--box 2,2", "box 2,2: 1 square in reach, including its own\n"),
        ("2", "--box 2,3 --to 2,4", "box 2,3 to 2,4: 1 push, 1 move\nR\n"),
        ("2", "--box 2,3 --to 2,3", "box 2,3 to 2,3: 0 pushes, 0 moves\n"),
    ):
        assert said in command("reach", pack, "-l", which, *options.split()).out


def test_the_board_is_shown_with_the_squares_in_reach(command: Command) -> None:
    result = command("reach", command.pack("levels.txt", [ROOM]), "-l", "1", "--box", "1,4")
    assert result.status == 2
    result = command.done("reach", command.pack("levels.txt", [ROOM]), "-l", "1", "--box", "2,4")
    lines = result.out.splitlines()
    assert lines[0].endswith("levels.txt:1  A")
    assert lines[1].startswith("box 2,4: 5 squares in reach, including its own; the farthest ")
    assert lines[3:11] == [
        "           1",
        "  123456789012",
        "1 #######",
        "2 #qx$xx#  #$#",
        "3 # #   #  ###",
        "4 #  $ .#",
        "5 #    .#",
        "6 #######",
    ]
    assert lines[-1].startswith("x in reach, but a dead end")


def test_moves_are_played_first(command: Command) -> None:
    pack = command.pack("levels.txt", ["########\n#@$   .#\n########"])
    result = command("reach", pack, "-l", "1", "--moves", "2R", "--box", "2,5", "--to", "2,7", "--json")
    (found,) = result.objects
    assert (result.status, found["lurd"], found["squares"]) == (0, "RR", [[2, 5, 0], [2, 6, 1], [2, 7, 2]])
    blocked = command("reach", pack, "-l", "1", "--moves", "u", "--box", "2,3")
    assert (blocked.status, blocked.err) == (2, "sokoterm: --moves: step 1 (u) is blocked\n")


@pytest.mark.parametrize(
    ("square", "reason"),
    [("5,4", " without moving other boxes"), ("1,1", " onto a wall"), ("4,4", " another box")],
)
def test_a_square_out_of_reach_is_status_1(command: Command, square: str, reason: str) -> None:
    pack = command.pack("levels.txt", [ROOM.replace("@ $", "@$ ")])
    result = command("reach", pack, "-l", "1", "--box", "2,3", "--to", square)
    assert (result.status, result.err) == (1, "")
    assert result.out.startswith(f"box 2,3 to {square}: cannot be pushed ")
    assert result.out.endswith(f"{reason}\n")
    (found,) = command("reach", pack, "-l", "1", "--box", "2,3", "--to", square, "--json").objects
    assert (found["lurd"], found["moves"], found["pushes"]) == (None, None, None)


def test_a_board_that_takes_the_planner_too_long_is_told_in_one_line(command: Command) -> None:
    command.monkeypatch.setattr("sokoterm.commands.reach.monotonic", count(step=6).__next__)
    result = command("reach", command.pack("levels.txt", [ROOM]), "-l", "1", "--box", "2,4")
    assert (result.status, result.out) == (2, "")
    assert result.err.endswith("no answer within 10 s: the board is too large\n")


@pytest.mark.slow
def test_the_squares_in_reach_of_a_box_are_printed_in_time_linear_in_the_board(command: Command) -> None:
    size = 990
    rows = [f"#{' ' * (size - 2)}#"] * (size - 2)
    rows[:3] = [f"#@{' ' * (size - 3)}#", f"#{' ' * (size - 2)}#", f"#  $ .{' ' * (size - 7)}#"]
    pack = command.file("levels.txt", "\n".join(["#" * size, *rows, "#" * size]))
    command.monkeypatch.setattr("sokoterm.commands.reach.monotonic", process_time)
    begin = process_time()
    result = command("reach", pack, "-l", "1", "--box", "4,4")
    assert (result.status, result.out.count("o") > size) == (0, True)
    assert process_time() - begin < 10  # a quarter of it on a machine that does nothing else


CORRAL = "######\n#.$  #\n#@*  #\n#  *##\n######"
# After a push to the right only trying everything tells that it is lost.
TRIED = "######\n#   .#\n# *# #\n#  $ #\n# @$.#\n######"
# A margin in the file, which does not count.
FROZEN = "   #####\n   #$  #\n   #@ .#\n   #####"


def test_a_deadlock_is_named_with_its_boxes(command: Command) -> None:
    pack = command.pack("levels.txt", [SEED, CORRAL])
    result = command.done("deadlock", pack, "-l", "2", "--json")
    (found,) = result.objects
    assert (found["pack"], found["level"], found["dead"], found["kind"]) == (str(pack), 2, True, "corral")
    assert found["boxes"] == [[2, 3], [3, 3], [4, 4]]
    assert list(found) == [*PLACE, "dead", "kind", "boxes"]


def test_the_guilty_boxes_are_shown_on_the_board(command: Command) -> None:
    pack = command.pack("levels.txt", [FROZEN])
    result = command.done("deadlock", pack, "-l", "1")
    assert result.out.splitlines() == [
        f"{pack}:1  A",
        "dead: dead square, a box on a square from which it can reach no goal",
        "guilty (row,column): 2,2; shown as x (X on a goal)",
        "",
        "  12345",
        "1 #####",
        "2 #x  #",
        "3 #@ .#",
        "4 #####",
    ]


def test_no_deadlock_is_status_1(command: Command) -> None:
    pack = command.pack("levels.txt", [SEED])
    result = command("deadlock", pack, "-l", "1")
    assert (result.status, result.err) == (1, "")
    assert "no deadlock found; this does not prove that there is a solution\n" in result.out
    result = command("deadlock", pack, "-l", "1", "--json")
    (found,) = result.objects
    assert (result.status, found["dead"], found["kind"], found["boxes"]) == (1, False, None, [])
    solved = command("deadlock", command.pack("one.txt", [ONE_PUSH]), "-l", "1", "--moves", "R")
    assert (solved.status, "not dead: every box is on a goal\n" in solved.out) == (1, True)


def test_moves_are_played_first_and_positions_tried(command: Command) -> None:
    pack = command.pack("levels.txt", [TRIED])
    assert command("deadlock", pack, "-l", "1").status == 1
    result = command("deadlock", pack, "-l", "1", "--moves", "r", "--json")
    (found,) = result.objects
    assert (result.status, found["kind"], found["boxes"]) == (0, "learned_pattern", [[3, 3], [4, 4], [5, 5]])
    assert command("deadlock", pack, "-l", "1", "--moves", "r", "--nodes", "1").status == 1


def test_every_kind_is_explained_in_the_help(command: Command) -> None:
    page = command("deadlock", "--help").out
    assert [kind for kind in DeadlockKind if f"\n  {kind.value.replace(' ', '_')} " not in page] == []


def test_every_verb_says_of_a_level_that_it_begins_solved_and_cannot_be_played(command: Command) -> None:
    pack = command.pack("levels.txt", ["#####\n#@* #\n#####"])
    outs = [
        command(*words.split(), pack, "-l", "1").out
        for words in ("deadlock", "solve --cores 1", "info", "verify --moves R", "verify --moves l")
    ]
    assert ["the level begins solved and cannot be played" in out for out in outs] == [True] * 4 + [False]
    assert not any("unsolvable" in out for out in outs)
    assert command("solve", pack, "--json").objects[0]["status"] == "begins_solved"
    assert command("list", "--in", pack).out.splitlines()[1].split() == ["levels", "1", "5x3", "1", "-", "A"]
