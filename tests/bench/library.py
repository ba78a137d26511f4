"""``python3 -m tests.bench library``: seconds to index a library of 500 packs, and the cost of a list of it."""

import argparse
import os
import random
import tempfile
from statistics import median
from time import perf_counter

from sokoterm.bench.pty_child import player_command, player_environ
from sokoterm.bench.sessions import milliseconds
from sokoterm.commands.support.output import ProgressBar
from sokoterm.commands.support.parser import measured
from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level
from sokoterm.store.library import LibraryIndex, added_packs
from sokoterm.store.packs import bundled_packs, open_pack, stamp_of
from sokoterm.store.paths import library_file, packs_dir
from tests.bench.common import BenchParser, print_figure
from tests.system.terminal.pty_terminal import PtyTerminal

# A large collection, as people have them: 43,000 levels that are puzzles of their own.
_PACKS = 500
_LEVELS_A_PACK = 86
_SEED = 1
# Of levels with no more squares than this too few can be made.
_SMALLEST = 20
# More than a line that changes by itself, less than any page.
_PAGE_BYTES = 200
# What stands at the end of the list's last line.
_LAST_WORD = b"quit"
_PAGE_DOWN, _PAGE_UP, _HOME, _END = "\x1b[6~", "\x1b[5~", "\x1b[H", "\x1b[F"


class _LibraryArguments(argparse.Namespace):
    packs: int
    runs: int
    keys: int


def run(arguments: list[str]) -> int:
    """Prints a line for each figure; always 0."""
    parser = BenchParser(
        "library",
        "Make a library of packs from the levels that ship, index it, and measure the browser on it in a terminal of\n"
        "80x24.  Everything lies in a temporary folder.",
        "--packs 500",
    )
    parser.add_argument("--packs", type=measured, default=_PACKS, metavar="N", help=f"how many; default: {_PACKS}")
    parser.add_argument("--runs", type=measured, default=11, metavar="N", help="starts to measure; default: 11")
    parser.add_argument("--keys", type=measured, default=40, metavar="N", help="keys for each latency; default: 40")
    parsed = parser.parse(arguments, _LibraryArguments())
    with tempfile.TemporaryDirectory() as folder:
        data, bare = os.path.join(folder, "data"), os.path.join(folder, "bare")
        write_packs(packs_dir(data), parsed.packs)
        _index(data)
        few = _first_paint(bare, folder, parsed.runs)
        many = _first_paint(data, folder, parsed.runs)
        print_figure("first paint, bundled pack alone, ms", f"{1000 * few:.0f}")
        print_figure("first paint, the library, ms", f"{1000 * many:.0f}", note=f"ratio {many / few:.2f}, at most 1.3")
        _measure_keys(data, folder, parsed.keys)
    return 0


def write_packs(folder: str, packs: int) -> None:
    """Packs of changed levels in a folder; the same ones every time."""
    dice = random.Random(_SEED)
    levels = [level for level in open_pack(bundled_packs()[0]).levels if level.board.floor.bit_count() > _SMALLEST]
    os.makedirs(folder)
    for number in range(1, packs + 1):
        texts = [f"; {i}\n\n{_changed(dice.choice(levels), dice)}\n" for i in range(1, _LEVELS_A_PACK + 1)]
        with open(os.path.join(folder, f"Generated {number}.txt"), "w", encoding="ascii") as file:
            file.write("\n".join(texts))


def _changed(level: Level, dice: random.Random) -> str:
    """A level turned, and with its player, boxes and goals elsewhere; it need not have a solution."""
    width = max(map(len, level.rows))
    rows = dice.choice(SYMMETRIES).rows([row.ljust(width) for row in level.rows])
    board = Level.from_xsb("\n".join(rows))
    cells = [board.row_cells(board.start, row) for row in range(board.board.height)]
    squares = [(row, column) for row, line in enumerate(cells) for column, cell in enumerate(line) if cell in "@$. "]
    inside = [(row, column) for row, column in squares if board.board.floor >> board.board.square(row, column) & 1]
    # What stands on the squares changes places: nothing is lost, and all stay within reach of each other.
    shuffled = [cells[row][column] for row, column in inside]
    dice.shuffle(shuffled)
    for (row, column), cell in zip(inside, shuffled):
        cells[row][column] = cell
    return "\n".join("".join(line) for line in cells)


def _index(data: str) -> None:
    """Index the folder as ``add`` does, and say how long that takes."""
    began = perf_counter()
    index = LibraryIndex.open(library_file(data), lambda: 0.0)
    files = added_packs(packs_dir(data), {})
    levels = 0
    with ProgressBar(len(files), "packs") as bar:
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


def _whole_page(child: PtyTerminal, key: str) -> float:
    """Seconds from a key to most of a new page: a line or two that changes by itself is no answer."""
    began = perf_counter()
    before = len(child.output)
    child.write(key.encode())
    while len(child.output) - before < _PAGE_BYTES and child.read(1.0):
        pass
    return perf_counter() - began
