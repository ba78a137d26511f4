"""Command lines that are refused: one line says why, nothing is printed or written, and the status is 2."""

import os
import shlex

import pytest

from tests.unit.commands.command import FEWER_MOVES, ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command
from tests.unit.commands.test_verbs import ROOM

# What is said, and the command lines, divided by semicolons. ``{word}`` stands for the last word of a line, ``{value}``
# for what comes after its equals sign, if there is one.
_NEAREST = "expected a box; the boxes nearest to it are"
REFUSED = [
    ("--help explains)", "--no-such-flag; bench; bench patience; -l last; --theme gold; --keys azerty"),
    ("--help explains)", "--cell 3; hash -l 3-; hash -l 9-2; hash -l 0; verify -l 1"),
    ("--help explains)", "verify -l 1 --lurd r --lurd-file x"),
    ("-l/--level", "a -l 0; a -l -1; a -l x; a -l ٣; a -l 9999999999999999999"),
    ("found {value!r}, expected ", "hash --max-file 0; hash --max-file much; hash --max-board 300"),
    ("found {value!r}, expected ", "hash --max-board 0x5"),
    ("found {value!r}, expected ", "hash --max-levels 0; hash --encoding klingon; hash --encoding hex; --max-file 0"),
    ("found {value!r}, expected ", "--max-board 0x5; --max-levels 0; --encoding klingon; bench solver --memory -5"),
    ("found {value!r}, expected a whole number from 1 to 512 (", "generate --jobs 513; solve --jobs 999999999"),
    ("found {value!r}, expected a whole number from 1 to 512 (", "solve --jobs 0"),
    ("{value!r}, expected a number of seconds over 0, at most 100,000,000 (", "solve --time 1e308"),
    ("{value!r}, expected a number of seconds over 0, at most 100,000,000 (", "bench sessions --pace 1e9"),
    ("a?[31m.txt: cannot be read: No such file", "hash 'a\x1b[31m.txt'"),
    ("{word}: cannot be read: No such file", "nowhere.txt; solve nowhere.txt; generate --avoid nowhere.txt"),
    ("first-steps.txt: found 32 levels, expected level 33-40 too", "hash -l 33-40"),
    ("standard output is not a terminal", "one.txt; daily 2026-01-01; descend --seed 7; replay one.txt -l 1 --lurd r"),
    # daily and descend
    ("found {value!r}, expected a date as YYYY-MM-DD", "daily yesterday; daily 2026-1-1; daily 20260101"),
    ("found {value!r}, expected a date as YYYY-MM-DD", "daily 2026-02-30; daily 2026-W01-1"),
    ("found {value!r}, expected a whole number from 0 to 999,999,999", "descend --seed x; descend --seed -1"),
    ("found {value!r}, expected a whole number from 0 to 999,999,999", "descend --seed 1000000000"),
    ("found {value!r}, expected a whole number from 1 to 9,999 (", "descend --seed 1 --print 99999999999"),
    ("found --print without --seed, expected both", "descend --print 1"),
    ("found --print and --json, expected one of them", "daily --print --json; descend --seed 3 --print 1 --json"),
    ("found --print and --runs, expected one of them", "descend --seed 3 --print 1 --runs"),
    ("found a command, expected none", "daily --print -c ls; descend --runs -c ls; --host --data-dir data -c id"),
    ("found --seed, but all runs are printed", "descend --runs --seed 4"),
    ("found --theme, which has no effect on what is printed", "daily --json --ascii"),
    ("found --scores, which has no effect on what is printed", "daily --print --scores x"),
    ("found --host, which has no effect on what is printed", "daily --json --host"),
    ("found --account, which has no effect on what is printed", "descend --seed 3 --print 1 --account ann"),
    ("found --idle, which has no effect on what is printed", "descend --runs --idle 4"),
    ("found --stats, which has no effect on what is printed", "descend --json --stats"),
    # generate
    ("found {value!r}, expected a whole number from 1 to 100,000 (", "generate --count 100001; generate --count -1"),
    ("found {value!r}, expected a whole number from 1 to 10,000,000 (", "generate --nodes 10000001"),
    ("--help explains)", "generate --seed 0; generate pack.txt"),
    ("found {value!r}, expected a width and a height such as 10x9", "generate --size 40; generate --size 9"),
    ("found {value!r}, expected a difficulty from 35 to 119", "generate --difficulty 120"),
    ("found {value!r}, expected a difficulty from 35 to 119", "generate --difficulty 150-160"),
    ("found {value!r}, expected a number such as 65, a range such as ", "generate --difficulty hardest"),
    ("found {value!r}, expected a number such as 65, a range such as ", "generate --difficulty 70-60"),
    ("found {value!r}, expected a number such as 65, a range such as ", "generate --difficulty=-5"),
    ("found {value!r}, expected a number such as 65, a range such as ", "generate --difficulty ²"),
    ("found --variant with --difficulty, expected one of them", "generate --variant colors --difficulty easy"),
    ("no/out.txt: cannot be written: No such file", "generate --boxes 2 --nodes 500 -o no/out.txt"),
    # others play here
    ("host mode reads nothing else", "--host --data-dir data -; --host --data-dir data https://example.org/pack.txt"),
    ("--idle: found {value!r}, expected minutes: a number over 0, ", "--idle 0; --idle -1; --idle x; --idle nan"),
    ("--idle: found {value!r}, expected minutes: a number over 0, ", "--idle inf; --idle 10001; --idle ''"),
    ("--account: found {value!r}, expected", "--account ../x; --account ''; --account a/b; --account .x"),
    ("--account: found {value!r}, expected", "--host --account .."),
    (f"--account: found '{'x' * 33}', expected", f"--account {'x' * 33}"),
    # info
    ("found 1 level, expected level 2 too", "info one.txt -l 2; deadlock one.txt -l 2"),
    ("found --jobs without --difficulty, expected both", "info one.txt --jobs 2; info one.txt --jobs 2 -l 1"),
    ("found -o without --difficulty, expected both", "info one.txt -o out.jsonl"),
    # optimize
    ("found --to {word}, expected a name that ends in .sok", "optimize two.txt --to better.txt"),
    ("found --to {word}, expected a name that ends in .sok", "optimize two.txt --to two.txt"),
    ("no/better.sok: cannot be written: No such file or directory", "optimize two.txt --to no/better.sok"),
    ("found 2 levels with --moves, expected one: -l N", "optimize two.txt --moves R; solve two.txt --moves R"),
    ("found 2 levels with --keep, expected one: -l N", "optimize two.txt --keep 1,2"),
    ("found 2 levels with --cross, expected one: -l N", "optimize two.txt --cross R"),
    ("--moves: step 1 (r) is blocked", "optimize two.txt -l 1 --moves R"),
    ("--moves: 1 of 1 box not on a goal after 1 move", "optimize two.txt -l 1 --moves L"),
    ("--moves: found 'x', expected one of l u r d", "optimize two.txt -l 1 --moves x; solve two.txt -l 1 --moves x"),
    ("--time: found '0', expected a number of seconds over 0", "optimize two.txt --time 0"),
    ("argument --for: invalid choice: 'glory'", "optimize two.txt --for glory"),
    ("argument --from: invalid choice: 'heaven'", "optimize two.txt --from heaven"),
    ("found --between 20-60 without a solution to begin with, expected ", "optimize two.txt -l 1 --between 20-60"),
    ("--between 0-2: found a solution of 1 move", "optimize two.txt -l 2 --moves R --between 0-2"),
    ("--between 1-: found a solution of 1 move", "optimize two.txt -l 2 --moves R --between 1-"),
    ("found {value!r}, expected two numbers of moves such as 20-60", "optimize two.txt --between 60-20"),
    ("found {value!r}, expected two numbers of moves such as 20-60", "optimize two.txt --between 60"),
    ("found {value!r}, expected a row and a column such as 4,5, or two corners", "optimize two.txt --keep 4"),
    ("found {value!r}, expected a row and a column such as 4,5, or two corners", "optimize two.txt --bar 0,1"),
    ("--keep 2,4: found an empty goal, expected a box; the only one is 2,3", "optimize two.txt -l 2 --keep 2,4"),
    ("--keep 1,1-1,5: found no box in it, expected one at the start", "optimize two.txt -l 2 --keep 1,1-1,5"),
    ("--keep 9,9: found a board of 3 rows and 5 columns, expected a square of", "optimize two.txt -l 2 --keep 2,3-9,9"),
    ("--bar 1,1: found a wall, expected a square of the floor", "optimize two.txt -l 2 --bar 1,1"),
    ("--bar 1,1-3,1: found no floor in it, expected a square of the floor", "optimize two.txt -l 2 --bar 1,1-3,1"),
    ("--cross: step 1 (l) is blocked", "optimize two.txt -l 2 --cross L"),
    ("--cross-file two.txt, line 1, column 1: found ';', expected ", "optimize two.txt -l 2 --cross-file two.txt"),
    ("found --from with --moves, expected one of them", "optimize two.txt --from own --moves R"),
    # reach
    (f"--box {{word}}: found the player, {_NEAREST} 2,4 4,4", "reach room.txt --box 2,2"),
    (f"--box {{word}}: found an empty square, {_NEAREST} 2,4 4,4", "reach room.txt --box 2,3"),
    (f"--box {{word}}: found a wall, {_NEAREST} 2,4 4,4", "reach room.txt --box 3,3"),
    (f"--box {{word}}: found an empty goal, {_NEAREST} 4,4 2,4", "reach room.txt --box 5,6"),
    (f"--box {{word}}: found a square outside the walls, {_NEAREST} 2,4 4,4", "reach room.txt --box 2,9"),
    (f"--box {{word}}: found a box that the player can never reach, {_NEAREST} 2,4 4,4", "reach room.txt --box 2,11"),
    ("--box 7,1: found a board of 6 rows and 12 columns, expected a square of it", "reach room.txt --box 7,1"),
    ("--to 2,8: found a square outside the walls, expected a square inside them", "reach room.txt --box 2,4 --to 2,8"),
    ("--to 99,99: found a board of 6 rows and 12 columns, expected ", "reach room.txt --box 2,4 --to 99,99 --json"),
    ("--help explains)", "reach room.txt --box x; reach room.txt --box 0,3; reach room.txt"),
    # replay
    ("step 1 (u) is blocked", "replay one.txt -l 1 --lurd u --cast -"),
    ("found 'x', expected one of", "replay one.txt -l 1 --lurd rx --svg -"),
    ("found no solution, expected --moves", "replay one.txt -l 1 --cast -"),
    ("", "replay one.txt -l 1 --lurd r --cast - --svg -; replay one.txt -l 1 --lurd r --print --svg -"),
    ("", "replay one.txt -l 1 --lurd r --size 80x24; replay one.txt -l 1 --lurd r --cast - --size 19x24"),
    ("", "replay one.txt -l 1 --lurd r --cast - --size 80x24x3; replay one.txt -l 1 --lurd r --at 1"),
    ("", "replay one.txt -l 1 --lurd r --svg - --at 2; replay one.txt -l 1 --lurd r --svg - --at -1"),
    ("", "replay one.txt -l 1 --lurd r --cast - --animation 0; replay one.txt -l 1 --lurd r --cast missing/o.cast"),
    ("", "replay one.txt -l 1 --lurd r --cast same.out --svg same.out; replay one.txt -l 1 --lurd r --svg ''"),
    # solve
    ("--help explains)", "solve --no-such-flag; solve --strategy luck; solve --optimal luck; solve --time soon"),
    ("--help explains)", "solve --jobs two"),
    ("--help explains)", "solve --time nan; solve --nodes 0"),
    ("--moves: step 3 (r) is blocked", "solve seed.txt -l 1 --moves rrr"),
    ("found --optimal with --moves, ", "solve seed.txt -l 1 --moves u --optimal pushes"),
    ("found - twice, ", "solve seed.txt -l 1 --moves-file - -"),
    ("argument --moves-file: not allowed with argument --moves", "solve seed.txt -l 1 --moves u --moves-file x"),
    ("found --cores 2 with --nodes, which takes one core", "solve one.txt --cores 2 --nodes 9"),
    ("found --cores 2 with --optimal, which takes one core", "solve one.txt --cores 2 --optimal moves"),
    ("found --cores 2 with --strategy astar, which takes one core", "solve one.txt --cores 2 --strategy astar"),
    ("found --cores 2 with --moves, which takes one core", "solve one.txt --cores 2 --moves R"),
    ("found --width with --strategy auto, expected --strategy beam", "solve --width 9; bench solver --width 9"),
    ("found --anneal with --strategy fess, expected --strategy beam", "solve --strategy fess --anneal 2"),
    ("found --seed without --anneal, the only random choice", "solve --strategy beam --seed 2"),
    ("found --weights with --strategy auto, expected --strategy beam", "solve --weights home=2"),
    ("found --weights with --strategy auto, expected --strategy beam", "bench solver --weights home=2"),
    ("'houses=3', expected NAME=NUMBER with one of distance, home", "solve --strategy beam --weights home=2,houses=3"),
    ("found '', expected NAME=NUMBER with one of ", "solve --strategy beam --weights ''"),
    ("argument --weights: found 'home' twice, expected ", "solve --strategy beam --weights home=1,home=2"),
    (
        "argument --weights: found {word}, expected a number from -1,000,000 to 1,000,000 (names: dist",
        "; ".join(f"solve --strategy beam --weights home={value}" for value in ("", "much", "nan", "inf", "1e7")),
    ),
    ("argument --anneal: found {value!r}, expected a number over 0", "solve --strategy beam --anneal 0"),
    ("argument --anneal: found {value!r}, expected a number over 0", "solve --strategy beam --anneal nan"),
    ("argument --anneal: found '', expected a number over 0", "solve --strategy beam --anneal 1:"),
    ("argument --width: found '0', expected a whole number over 0", "solve --strategy beam --width 0"),
    ("found {value!r}, expected a whole number over 0 of at most 18 digits", "solve --nodes 9999999999999999999"),
    ("argument --memory: found '-5', expected a whole number over 0", "solve --memory -5"),
    # files that are written
    ("not replaced: it is no level pack", "convert one.txt --to xsb -o letter"),
    ("not replaced: it is no level pack", "generate --boxes 2 --nodes 500 -o letter"),
    ("not replaced: it is no level pack", "duplicates one.txt --to xsb --write letter"),
    ("not replaced: it is one of the packs that were read", "convert one.txt -o one.txt"),
    ("not replaced: it is one of the packs that were read", "optimize one.sok --to one.sok"),
    ("not replaced: it is one of the packs that were read", "duplicates one.txt --write one.txt"),
    ("no/out.rle: cannot be written", "convert one.txt -o no/out.rle; duplicates one.txt --write no/out.rle"),
    ("", "duplicates one.txt --to xsb --write -"),
    # results in a file, and a cluster
    ("found --json with -o, expected one of them", "solve one.txt -o out.jsonl --json"),
    ("found --cluster without -o OUT, expected both", "solve one.txt --cluster here"),
    ("found -o {word}, expected a name that ends in .sok or .jsonl", "solve one.txt --cluster here -o out.slc"),
    ("no folder/out.sok: cannot be written: No such", "solve one.txt --cluster here -o 'no folder/out.sok'"),
    ("found --moves with --cluster, expected one of them", "solve one.txt --cluster here -o out.sok --moves R"),
    ("found --cores with --cluster, expected one of them", "solve one.txt --cluster here -o out.sok --cores 2"),
    ("found --jobs with --cluster, expected one of them", "solve one.txt --cluster here -o out.sok --jobs 2"),
    ("found --jobs with --cluster, expected one of them", "optimize one.txt --cluster here -o out.sok --jobs 2"),
    ("found --to with --cluster, expected one of them", "optimize one.txt --cluster here -o out.sok --to better.sok"),
    ("found --between with --cluster, expected one of", "optimize one.txt --cluster here -o out.sok --between 1-2"),
    ("found --json with --cluster, expected one of them", "solve one.txt --cluster here -o out.sok --json"),
    ("found --json with --cluster, expected one of them", "hash one.txt --cluster here -o out.jsonl --json"),
    ("found --json with --cluster", "info one.txt --difficulty --cluster here -o out.jsonl --json"),
    # bench
    ("not installed; in a checkout of sokoterm, run: python3 -m tests.bench terminal --help", "bench terminal --help"),
    ("found {value!r}, expected a whole number from 1 to 1,000 (", "bench sessions --sessions 1001"),
    ("found {value!r}, expected a whole number from 0 to 1,000 (", "bench sessions --solving -1"),
]
PACKS = {
    "one.txt": [TWO_PUSHES],
    "one.sok": [TWO_PUSHES],
    "two.txt": [FEWER_MOVES, ONE_PUSH],
    "seed.txt": [STUCK, SEED],
    "room.txt": [ROOM],
}


@pytest.mark.parametrize(("said", "lines"), REFUSED)
def test_one_line_says_why(command: Command, monkeypatch: pytest.MonkeyPatch, said: str, lines: str) -> None:
    monkeypatch.chdir(command.folder)
    files = [command.file("letter", "Dear all,\n"), *(command.pack(name, levels) for name, levels in PACKS.items())]
    texts = [path.read_text() for path in files]
    for line in lines.split("; "):
        words = shlex.split(line)
        expected = said.format(word=words[-1], value=words[-1].rpartition("=")[2])
        assert expected in command.refusal(*words), line
        assert {*os.listdir()} <= {*PACKS, "letter", "sokoterm_data"}
        assert [path.read_text() for path in files] == texts
