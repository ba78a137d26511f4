"""``sokoterm verify``, ``hash`` and ``replay --print``."""

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import exact_id, level_hash, unique_id
from tests.unit.commands.command import ONE_PUSH, PLACE, SEED, STUCK, TWO_PUSHES, Command

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


def test_verify_says_when_boxes_are_left(command: Command) -> None:
    result = command("verify", command.pack("levels.txt", [TWO_PUSHES]), "-l", "1", "--lurd", "r")
    assert result.status == 1
    assert result.out.startswith("not solved: 1 of 1 boxes")


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
        assert (result.status, result.out, "levels, expected one: -l N" in result.err) == (2, "", True)


@pytest.mark.parametrize("verb", [["verify"], ["replay", "--print"]])
def test_verbs_of_one_level_say_what_is_missing(command: Command, verb: list[str]) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, "####\n#@x#\n####"])
    for arguments in (
        [pack, "-l", "1", "--lurd-file", "nowhere.txt"],
        [pack, "-l", "3", "--lurd", "r"],
        [pack, "-l", "2", "--lurd", "r"],
        [pack, pack, "-l", "1", "--lurd", "r"],
        [command.folder, "-l", "3", "--lurd", "r"],
        ["-", "-l", "1", "--lurd-file", "-"],
        ["nowhere.txt", "-l", "1", "--lurd", "r"],
    ):
        assert command.refusal(*verb, *arguments)


def test_level_of_a_folder_must_be_in_one_pack_only(command: Command) -> None:
    command.pack("a.txt", [ONE_PUSH])
    command.pack("b.txt", [ONE_PUSH])
    result = command("verify", command.folder, "-l", "1", "--lurd", "r")
    assert (result.status, result.err) == (2, "sokoterm: found level 1 in 2 packs, expected one pack\n")


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


def test_replay_prints_nothing_of_moves_that_cannot_be_played(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    for moves, word in (("rll", "step 3"), ("rx", "'x'")):
        assert word in command.refusal("replay", pack, "-l", "1", "--lurd", moves, "--print")
