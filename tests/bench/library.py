"""``python3 -m tests.bench library``: a library of 544 packs: indexed, listed, graded, added, and as one pack."""

import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import closing
from statistics import median
from time import perf_counter, process_time

from sokoterm.app.catalog import Catalog, Grading, catalog_of
from sokoterm.app.lists import LevelSort, Lists
from sokoterm.app.pack_session import PackSession
from sokoterm.commands.support.output import ProgressBar
from sokoterm.engine.bits import DIRECTIONS, SYMMETRIES, squares_of
from sokoterm.engine.board import State
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import letter
from sokoterm.engine.rules import step_back
from sokoterm.language import packs_done
from sokoterm.solver.figures import FIGURES_VERSION
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import PackFile, added_packs, find_packs, open_pack, stamp_of
from sokoterm.store.paths import library_file, packs_dir, progress_file
from sokoterm.store.progress import opened_progress
from sokoterm.store.query import parse_query
from tests.bench.common import BenchParser, measured, print_figure
from tests.bench.sessions import milliseconds, player_command, player_environ
from tests.system.terminal.pty_terminal import PtyTerminal

# A large collection, as people have them: some two fifths of the levels are puzzles of their own.
_PACKS = 544
_LEVELS = 43_259
_SEED = 1
# Folders of levels to change, beside the checkout and in it; levels of one pack come from this many in a row.
_SOURCES = ("../shared/levels", "levels")
_NEAR = 60
# Filters to measure, the first of them none.
_FILTERS = ("", "boxes:4", "size<10x10", "hard>60", "unsolved", "author:skinner", "7", "pack:7 boxes>3 hard<=70")
_SOLVED_EVERY = 5
# Most steps of a player who walks backwards, and walks to find a puzzle of its own.
_STEPS = 200
_TRIES = 10
# Of levels with no more squares than this too few can be made.
_SMALLEST = 20
# Levels that are added with their solutions: packs, levels of each, and those with a solution.
_SOLVED_PACKS, _SOLVED_LEVELS, _WITH_SOLUTIONS = 550, 79, 33
# Steps of a player who walks backwards from the end of a solution.
_LEAST_STEPS, _MOST_STEPS = 200, 800
# More than a line that changes by itself, less than any page.
_PAGE_BYTES = 200
# What stands at the end of the list's last line.
_LAST_WORD = b"quit"
_PAGE_DOWN, _PAGE_UP, _HOME, _END = "\x1b[6~", "\x1b[5~", "\x1b[H", "\x1b[F"


def run(arguments: list[str]) -> int:
    """Prints a line for each figure; always 0."""
    parser = BenchParser(
        "library",
        "Make a library of packs from ../shared/levels and the levels that ship, in the user's cache, index it, and\n"
        "measure the browser on it in a terminal of 80x24.  All else lies in a temporary folder.",
        f"--packs {_PACKS}",
    )
    packs = parser.flag("--packs", parse=measured, default=_PACKS, metavar="N", help=f"how many; default: {_PACKS}")
    levels = parser.flag(
        "--levels", parse=measured, default=_LEVELS, metavar="N", help=f"how many in all; default: {_LEVELS:,}"
    )
    idle = parser.flag(
        "--idle", parse=measured, default=60, metavar="SECONDS", help="of grading while no key comes; default: 60"
    )
    runs = parser.flag("--runs", parse=measured, default=11, metavar="N", help="starts to measure; default: 11")
    keys = parser.flag("--keys", parse=measured, default=40, metavar="N", help="keys for each latency; default: 40")
    parser.parse(arguments)
    with tempfile.TemporaryDirectory() as folder:
        data, bare = os.path.join(folder, "data"), os.path.join(folder, "bare")
        shutil.copytree(_cached(packs.value, levels.value), packs_dir(data))
        _index(data)
        few = _first_paint(bare, folder, runs.value)
        many = _first_paint(data, folder, runs.value)
        print_figure("first paint, bundled pack alone, ms", f"{1000 * few:.0f}")
        print_figure("first paint, the library, ms", f"{1000 * many:.0f}", note=f"ratio {many / few:.2f}, at most 1.3")
        _measure_grading(data, folder, idle.value, keys.value)
        _measure_levels(data, keys.value)
        _measure_keys(data, folder, keys.value)
        library = packs_dir(data)
        measure_one_pack(library, folder)
        solved, size = os.path.join(folder, "solved"), max(packs.value, 1)
        write_solved(solved, min(_SOLVED_PACKS, size))
        measure_verb("add, with solutions", folder, "add", solved)
        measure_verb("add --new-only, with solutions", folder, "add", "--new-only", solved)
        output = os.path.join(folder, "out.sok")
        measure_verb("duplicates --write", folder, "duplicates", library, solved, "--write", output)
    return 0


def write_packs(folder: str, packs: int, levels: int) -> None:
    """Write levels into the packs of a folder, the same ones every time."""
    dice = random.Random(_SEED)
    sources = _sources()
    os.makedirs(folder)
    known: set[str] = set()
    for number in range(packs):
        count = levels * (number + 1) // packs - levels * number // packs
        first = dice.randrange(len(sources))
        # The levels of a pack come from one place, as those of an author do: packs are easy or hard.
        near = [sources[(first + place) % len(sources)] for place in range(_NEAR)]
        texts = [f"; {i}\n\n{_new_puzzle(near, dice, known)}\n" for i in range(1, count + 1)]
        with open(os.path.join(folder, f"Generated {number + 1}.txt"), "w", encoding="ascii") as file:
            file.write("\n".join(texts))


def write_solved(folder: str, packs: int) -> None:
    """Write packs of levels that begin some way before their end, a part of them with that way as a solution."""
    dice = random.Random(_SEED)
    sources = [level for level in _sources() if level.board.is_ordinary]
    os.makedirs(folder)
    for number in range(1, packs + 1):
        texts = []
        for place in range(1, _SOLVED_LEVELS + 1):
            rows, lurd = _walked_back(dice.choice(sources), dice)
            texts.append(f"; {place}\n\n{rows}\n" + f"\nSolution\n{lurd}\n" * (place <= _WITH_SOLUTIONS))
        with open(os.path.join(folder, f"Solved {number}.sok"), "w", encoding="ascii") as file:
            file.write("\n".join(texts))


def _walked_back(level: Level, dice: random.Random) -> tuple[str, str]:
    """Return the picture of a board some way before its end, and that way, which has a push."""
    board = level.board
    while True:
        state = State(board.goals, dice.choice(squares_of(board.floor & ~board.goals)))
        moves: list[str] = []
        for _ in range(dice.randrange(_LEAST_STEPS, _MOST_STEPS)):
            direction = dice.choice(DIRECTIONS)
            step = board.offsets[direction]
            if (board.floor & ~state.boxes) >> (state.player - step) & 1:
                is_push = bool(state.boxes >> (state.player + step) & 1)
                state = step_back(board, state, direction, is_push)
                moves.append(letter(direction, is_push))
        if state.boxes != board.goals:
            return level.xsb(state), "".join(reversed(moves)).rstrip("lurd")


def _sources() -> list[Level]:
    """Return the levels to change: those that are not too small."""
    return [
        level
        for name in _SOURCES
        if os.path.isdir(name)
        for file in find_packs(name)
        for level in open_pack(file).levels
        if level.board.floor.bit_count() > _SMALLEST
    ]


def _new_puzzle(near: Sequence[Level], dice: random.Random, known: set[str]) -> str:
    """Return one of some levels, changed to a puzzle not among the known ones if a few tries find one; note it."""
    changed = ""
    for _ in range(_TRIES):
        changed = _changed(dice.choice(near), dice)
        puzzle = level_hash(Level.from_xsb(changed))
        if puzzle not in known:
            known.add(puzzle)
            break
    return changed


def _changed(level: Level, dice: random.Random) -> str:
    """Return a level turned or mirrored, after its player has walked backwards and pulled boxes: it stays solvable."""
    board, state = level.board, level.start
    for _ in range(dice.randrange(_STEPS)):
        direction = dice.choice(DIRECTIONS)
        step = board.offsets[direction]
        if (board.floor & ~state.boxes) >> (state.player - step) & 1:
            state = step_back(board, state, direction, bool(state.boxes >> (state.player + step) & 1))
    rows = level.picture(state)
    width = max(map(len, rows))
    return "\n".join(dice.choice(SYMMETRIES).rows([row.ljust(width) for row in rows]))


def _cached(packs: int, levels: int) -> str:
    """Return the folder of such a library, made if it is missing."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(cache, "sokoterm", f"bench-library-{_SEED}-{packs}-{levels}")
    if not os.path.isdir(folder):
        shutil.rmtree(f"{folder}.new", ignore_errors=True)
        write_packs(f"{folder}.new", packs, levels)
        os.rename(f"{folder}.new", folder)
    return folder


def _index(data: str) -> None:
    """Index the folder as ``add`` does, and say how long that takes."""
    began = perf_counter()
    index = LibraryIndex.open(library_file(data), lambda: 0.0)
    files = added_packs(packs_dir(data), {})
    levels = 0
    with ProgressBar(len(files), packs_done) as bar:
        for done, file in enumerate(files):
            bar.show(done)
            levels += index.learn(file, open_pack(file), stamp_of(file)).levels
    seconds = perf_counter() - began
    hashes = index.hashes([file.key for file in files])
    puzzles = len({each for pack in hashes.values() for each in pack.values()})
    index.close()
    print_figure("packs, levels, puzzles", f"{len(files):,} {levels:,} {puzzles:,}")
    print_figure("index, seconds", f"{seconds:.1f}", note=f"{levels / seconds:,.0f} levels a second")
    print_figure("library.db, MB", f"{os.path.getsize(library_file(data)) / 1e6:.1f}")


def _player(data: str, folder: str) -> PtyTerminal:
    return PtyTerminal(player_command(), player_environ(folder) | {"SOKOTERM_DATA": data})


def _first_paint(data: str, folder: str, runs: int) -> float:
    """Seconds from the start to the last byte of the first picture, a list; the median."""
    times = []
    for _ in range(runs + 1):  # the first one compiles and warms the disk, and does not count
        began = perf_counter()
        with _player(data, folder) as child:
            while _LAST_WORD not in child.output and child.read(10.0):
                pass
            times.append(perf_counter() - began)
    return median(times[1:])


def _measure_keys(data: str, folder: str, keys: int) -> None:
    """The time to the first byte of each answer."""
    pages = (_PAGE_DOWN, _PAGE_UP)
    with _player(data, folder) as child:
        child.start_up()
        for name, some in (
            ("a page", [pages[i // 10 % 2] for i in range(keys)]),
            ("Home, End", [(_END, _HOME)[i % 2] for i in range(keys)]),
            ("a row", ["jk"[i // 10 % 2] for i in range(keys)]),
            ("a letter of a search", ["/", *("7\x7f"[i % 2] for i in range(keys)), "\r"]),
            ("into a pack, back", ["lh"[i % 2] for i in range(keys)]),
        ):
            print_figure(
                f"{name}, ms: p50 p95 most", milliseconds([child.press(key).first for key in some]), note="at most 50"
            )
    os.remove(library_file(data))
    with _player(data, folder) as child:
        child.start_up()
        # Each key comes while the packs of the page before are learned.
        busy = []
        for i in range(keys):
            child.idle(0.02)
            busy.append(_whole_page(child, pages[i // 10 % 2]))
        print_figure("a page, while learning, ms: p50 p95 most", milliseconds(busy), note="at most 50")
    import resource

    print_figure("memory of the player, MB", f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f}")


def _measure_grading(data: str, folder: str, seconds: int, keys: int) -> None:
    """Measure the order by difficulty: the key for it, what is known after some idle time, and keys meanwhile."""
    with _player(data, folder) as child:
        child.start_up()
        switches = [child.press_and_see("o") for _ in range(len([*LevelSort]) * (keys // len([*LevelSort])) + 1)]
        print_figure("the next order, ms: p50 p95 most", milliseconds(switches), note="at most 100")
        child.idle(seconds)
        rows = []
        for i in range(keys):
            child.idle(0.2)
            rows.append(child.press_and_see("jk"[i // 10 % 2]))
        print_figure("a row, while grading, ms: p50 p95 most", milliseconds(rows), note="at most 20")
        print_figure(f"memory after {seconds} s of grading, MB", f"{_resident(child.pid):.0f}")
        child.press("q")
    _print_graded(data, seconds)


def _print_graded(data: str, seconds: int) -> None:
    index = LibraryIndex.open(library_file(data), lambda: 0.0)
    keys = [file.key for file in added_packs(packs_dir(data), index.stamps())]
    graded = sum(len(index.grades(key, FIGURES_VERSION)) for key in keys)
    grading = Grading(index, open_pack, lambda _: True)
    packs, (done, total, __) = grading.packs(keys).values(), grading.progress(keys)
    index.close()
    print_figure(f"levels graded in {seconds} s", f"{graded:,}")
    print_figure("of the levels that packs are graded by", f"{done:,} of {total:,}")
    print_figure("packs ordered, fully graded", f"{len(packs):,} {sum(not each.is_estimate for each in packs):,}")


def _measure_levels(data: str, times: int) -> None:
    """Measure the filters and sorts of all packs, as they are after a key, on the catalog itself."""
    index = LibraryIndex.open(library_file(data), lambda: 0.0)
    files = added_packs(packs_dir(data), index.stamps())
    _solve_some(data, index, files)
    with opened_progress(progress_file(data), lambda: 0.0, print) as store:
        catalog = Catalog(lambda: index, lambda: True, store)
        catalog.figures(files)
        asked = [(wanted, sort) for sort in LevelSort for wanted in map(parse_query, _FILTERS)]
        times_of = []
        for wanted, sort in asked * max(times // len(asked), 1):
            lists = Lists(files, _never_opened, catalog)
            began = process_time()
            lists.set(sort)
            found = lists.packs(wanted)
            if found:
                lists.level_found(found[0], wanted)
            times_of.append(process_time() - began)
        catalog.close()
    print_figure("filter and sort, CPU ms: p50 p95 most", milliseconds(times_of), note="at most 100")


def measure_one_pack(library: str, folder: str) -> None:
    """Measure all levels as one file: opened, and filtered before and after it is indexed."""
    data = os.path.join(folder, "one")
    os.makedirs(packs_dir(data))
    texts = []
    for file in find_packs(library):
        with open(file.path, encoding="ascii") as pack:
            texts.append(pack.read())
    with open(os.path.join(packs_dir(data), "One.txt"), "w", encoding="ascii") as pack:
        pack.write("\n".join(texts))
    (file,) = find_packs(packs_dir(data))
    last = f"of {len(open_pack(file).levels)}".encode()
    for which in ("first", "second"):
        with _player(data, folder) as child:
            child.start_up()
            for key in ("h", _END):
                child.press(key)
            before, begin = _seconds_of(child.pid), len(child.output)
            child.write(b"l")
            while last not in child.output[begin:] and child.read(10.0):
                pass
            figures = f"{_seconds_of(child.pid) - before:.2f}", f"{_most_resident(child.pid):.0f}"
            print_figure(f"one pack, {which} opening, CPU s, MB", *figures, note="at most 1.5, 120")
            began = 0.0
            while began < (began := _seconds_of(child.pid)):  # it is being indexed
                child.idle(1.0)
            print_figure("memory once it is indexed, MB", f"{_most_resident(child.pid):.0f}", note="at most 120")
            child.press("q")
    os.remove(library_file(data))
    with opened_progress(progress_file(data), lambda: 0.0, print) as store:
        catalog = catalog_of(data, store)
        catalog.open()
        session = PackSession(open_pack(file), file.key, file.name, store, catalog, stamp_of(file))
        _print_filters("not indexed", session)
        catalog.begin(file, session.pack, session.stamp)
        while catalog.has_work([]):
            catalog.work([])
        _print_filters("indexed", session)
        catalog.close()


def _print_filters(when: str, session: PackSession) -> None:
    """Measure filters of one pack: words, and then boards."""
    for what, queries in (("words", ("7", "77", "7")), ("boards", ("boxes:4", "size<10x10", "boxes:5"))):
        times = []
        for text in queries:
            session.forget_found()
            began = process_time()
            session.find_numbers(parse_query(text))
            times.append(process_time() - began)
        print_figure(f"filter by {what}, {when}, CPU ms", milliseconds(times), note="at most 150")


def measure_verb(name: str, folder: str, *arguments: str) -> None:
    """Run a verb on a library of its own, and print its CPU time and most memory."""
    environ = player_environ(folder) | {"SOKOTERM_DATA": os.path.join(folder, "verb")}
    with open(os.devnull, "wb") as nowhere:
        child = subprocess.Popen(
            [*player_command(), *arguments], env=environ, stdin=nowhere, stdout=nowhere, stderr=nowhere
        )
        __, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    print_figure(f"{name}, CPU s, MB", f"{used.ru_utime + used.ru_stime:.1f}", f"{used.ru_maxrss / 1024:.0f}")


def _seconds_of(process: int) -> float:
    """Return the processor time of a process so far."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _most_resident(process: int) -> float:
    """Return the most resident memory of a process so far in MB."""
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) / 1024


def _never_opened(file: PackFile) -> PackSession:
    raise AssertionError(file.name)


def _solve_some(data: str, index: LibraryIndex, files: Sequence[PackFile]) -> None:
    """Enter one level of a few as solved a while ago."""
    with opened_progress(progress_file(data), lambda: 0.0, print):
        pass  # it is there now
    hashes = index.hashes([file.key for file in files]).values()
    solved = sorted({each for pack in hashes for each in pack.values()})[::_SOLVED_EVERY]
    with closing(sqlite3.connect(progress_file(data))) as connection, connection:
        connection.executemany("INSERT INTO solution VALUES (NULL, ?, 0, 0, 'R', 1, 1)", zip(solved))
        rows = [(each, float(date), float(date)) for date, each in enumerate(solved)]
        connection.executemany("INSERT OR IGNORE INTO puzzle VALUES (?, ?, ?, 0)", rows)


def _resident(process: int) -> float:
    """Return the resident memory of a process in MB."""
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _whole_page(child: PtyTerminal, key: str) -> float:
    """Seconds from a key to most of a new page: a line or two that changes by itself is no answer."""
    began = perf_counter()
    before = len(child.output)
    child.write(key.encode())
    while len(child.output) - before < _PAGE_BYTES and child.read(1.0):
        pass
    return perf_counter() - began
