"""``python3 -m tests.bench terminal``: the player's cost on the line, beside a bare curses program in the same run."""

import os
import sys
import tempfile
from collections.abc import Sequence
from resource import RUSAGE_CHILDREN, getrusage  # POSIX
from statistics import mean, median
from typing import NamedTuple

from sokoterm.engine.level import Level
from sokoterm.store.packs import bundled_packs, open_pack
from tests.bench.common import BenchParser, measured, print_figure
from tests.bench.sessions import crowded_board, keys_of, milliseconds, player_command, player_environ, solution_of
from tests.system.terminal import sixels
from tests.system.terminal.modem import Modem
from tests.system.terminal.pictures import AnsweringTerminal
from tests.system.terminal.pty_terminal import PtyTerminal

# The least a curses program can do: the modules of a player, the board, two counters, a player that walks.
_BARE = """
import curses, sqlite3, argparse, dataclasses, sys
board = open(sys.argv[1]).read().split("\\n")
window = curses.initscr()
curses.noecho()
curses.raw()
curses.start_color()
curses.use_default_colors()
curses.init_pair(1, 3, -1)
for row, line in enumerate(board[:23]):
    window.addstr(row, 0, line)
row, column = next((r, c) for r, line in enumerate(board) for c, cell in enumerate(line) if cell in "@+")
moves = 0
while True:
    window.addstr(23, 0, "moves %d pushes %d" % (moves, 0))
    window.move(row, column)
    window.refresh()
    key = window.getch()
    if key == ord("q"):
        break
    step = {104: -1, 108: 1}.get(key, 0)
    window.addstr(row, column, " ")
    column += step
    window.addstr(row, column, "@")
    moves += 1
curses.endwin()
"""

# A board wider than two screens, so that walking along it scrolls; with pillars, so that a scroll changes most rows.
_SCREENS = 3
_WIDE_ROWS = 16

# A search on the crowded board lasts some seconds; it is begun anew after as many keys as take little more than one.
_KEYS_PER_SEARCH = 40
_SEARCH_SECONDS = 12.0  # some boards of the best position are shown in that time

# Steps of the cursor in the editor, from the middle of an empty room to the right and around a second one.
_DRAWN = [*["\x1b[C"] * 11, *["\x1b[B"] * 8, *["\x1b[D"] * 8]

_SIZES = ((24, 80), (50, 200))
# Themes with the columns of a square, and the budgets in bytes: of a step, and of a push.
_LOOKS = (("ascii", 1, 40, 40), ("ascii", 2, 40, 40), ("modern", 1, 60, 60), ("modern", 2, 60, 60),
          ("tiles", 4, 250, 250), ("tiles", 6, 600, 600), ("tiles", 8, 900, 900))  # fmt: skip
# The same of pictures, without flags and with some; without them nothing glides, as over SSH.
_PICTURES = ((2, (), 50, 100), (4, (), 50, 100), (8, (), 50, 100), (4, ("--animation", "60"), 155, 275))
_FIRST_PICTURES, _LATER_PICTURES = 3500, 1600
# Sixels, with the bytes that they have taken in cells of 10x20 pixels.
_SIXELS = ((2, 700, 1100), (4, 1200, 1900), (8, 2000, 3300))
_FIRST_SIXELS = 45000
_REPLAY_SECONDS = 3.0


class TerminalFigure(NamedTuple):
    """A row of the table: the player's figure, the bare program's (empty: not measured), and the budget."""

    name: str
    ours: str
    bare: str
    budget: str


def run(arguments: list[str]) -> int:
    """Prints the table; always 0."""
    parser = BenchParser(
        "terminal",
        "Measure bytes and latency of the player at 80x24 and 200x50, without and with --slow-link, beside a bare\n"
        "curses program in the same run; then those of each theme and size of squares.",
        "--runs 20",
    )
    runs = parser.flag("--runs", parse=measured, default=11, metavar="N", help="starts to measure; default: 11")
    keys = parser.flag("--keys", parse=measured, default=200, metavar="N", help="keys for each latency; default: 200")
    parser.parse(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for flags in (["--theme", "ascii"], ["--slow-link"]):
            for rows, columns in _SIZES:
                title = " ".join([f"{columns}x{rows}", *flags])
                print_figure(title, "sokoterm", "bare curses", note="budget")
                _print_figures(_TerminalBench(folder, rows, columns, flags), runs.value, keys.value)
        for rows, columns in _SIZES:
            print_figure(f"{columns}x{rows}, by theme", "sokoterm", "", note="budget")
            for theme, zoom, move, push in _LOOKS:
                bench = _TerminalBench(folder, rows, columns, ["--theme", theme, "--zoom", str(zoom)])
                for figure in bench.look(f"{theme} {zoom}", move, push, keys.value):
                    print_figure(figure.name, figure.ours, figure.bare, note=figure.budget)
            for zoom, motion, step, push in _PICTURES:
                flags = ["--theme", "pictures", "--zoom", str(zoom), *(motion or ("--animation", "0"))]
                bench = _PictureBench(folder, rows, columns, flags)
                for figure in bench.look(" ".join(["pictures", str(zoom), *motion]), step, push, keys.value):
                    print_figure(figure.name, figure.ours, figure.bare, note=figure.budget)
            for zoom, step, push in _SIXELS:
                sixel_bench = _SixelBench(folder, rows, columns, ["--theme", "pictures", "--zoom", str(zoom)])
                for figure in sixel_bench.look(f"sixels {zoom}", step, push, keys.value):
                    print_figure(figure.name, figure.ours, figure.bare, note=figure.budget)
            print(flush=True)
    return 0


def _print_figures(bench: "_TerminalBench", runs: int, keys: int) -> None:
    for figures in (
        bench.first_paint(runs),
        bench.moves(),
        bench.editing(),
        bench.idle(),
        bench.replay(),
        bench.search(),
        bench.latency(keys),
        bench.optimizing(keys),
    ):
        for figure in figures:
            print_figure(figure.name, figure.ours, figure.bare, note=figure.budget)
    print(flush=True)


class _TerminalBench:
    """The measurements at one size of the terminal; everything they write lies in ``folder``."""

    def __init__(self, folder: str, rows: int, columns: int, flags: Sequence[str]) -> None:
        """``flags`` are those of the player."""
        self._rows, self._columns, self._flags = rows, columns, flags
        self._folder = tempfile.mkdtemp(dir=folder)
        self._environ = player_environ(self._folder)
        self._sokoterm = player_command()

    def first_paint(self, runs: int) -> list[TerminalFigure]:
        pack = self._write("first.txt", _busiest_level().xsb())
        starts = [(_start_and_end(self._player(pack)), _start_and_end(self._bare(pack))) for _ in range(runs + 1)]
        del starts[0]  # it compiles and warms the disk
        (size, *_), (bare_size, *_) = starts[0]
        figures = [TerminalFigure("first paint, bytes", str(size), str(bare_size), "2560")]
        for place, name, most in ((1, "first paint, ms (median)", 1.5), (2, "start to end, ms of CPU (median)", 1.8)):
            ours, bare = ([start[side][place] for start in starts] for side in (0, 1))
            ratio = median(a / b for a, b in zip(ours, bare))
            budget = f"ratio {ratio:.2f}, at most {most}"
            figures.append(TerminalFigure(name, f"{1000 * median(ours):.0f}", f"{1000 * median(bare):.0f}", budget))
        return figures

    def moves(self) -> list[TerminalFigure]:
        level = _busiest_level()
        pack = self._write("moves.txt", level.xsb())
        with self._player(pack) as child:
            child.start_up()
            sizes = [child.press(letter).size for letter in keys_of(level)]
        bare = self._bare_moves(pack)
        wide = self._write("wide.txt", _wide_board(_SCREENS * self._columns))
        with self._player(wide) as child:
            child.start_up()
            child.press("l" * (self._columns - 40))
            walk = [child.press("l").size for _ in range(60)]
        return [
            TerminalFigure("a move, bytes: median", f"{median(sizes):.0f}", f"{median(bare):.0f}", "40"),
            TerminalFigure("a move, bytes: most", str(max(sizes[:-1])), str(max(bare)), "120"),
            TerminalFigure("the solving move, bytes", str(sizes[-1]), "", ""),
            TerminalFigure("a scroll, bytes: most", str(max(walk)), "", "1536"),
        ]

    def editing(self) -> list[TerminalFigure]:
        """The cost of keys in the editor: walls drawn around a room that makes the drawing grow, and all undone."""
        pack = self._write("edited.txt", _busiest_level().xsb())
        with self._player(pack) as child:
            child.start_up()
            child.press("E")
            drawn = [(child.press(step).size, child.press("#").size) for step in _DRAWN]
            undone = [child.press("u").size for _ in _DRAWN]
        steps, walls = zip(*drawn)
        return [
            TerminalFigure(f"editing: {name}, bytes: mean, most", f"{mean(sizes):.0f} {max(sizes)}", "", "mean 60")
            for name, sizes in (("a cursor move", steps), ("a wall", walls), ("an undo", undone))
        ]

    def idle(self) -> list[TerminalFigure]:
        pack = self._write("idle.txt", _busiest_level().xsb())
        with self._player(pack) as child:
            child.start_up()
            ours = child.idle(3.0)
        with self._bare(pack) as child:
            child.start_up()
            bare = child.idle(3.0)
        return [TerminalFigure("idle for 3 s, bytes", str(ours), str(bare), "0")]

    def replay(self) -> list[TerminalFigure]:
        """The cost of a replay at the speed it begins with, and at the greatest."""
        level = _busiest_level()
        pack = self._write("replay.txt", level.xsb())
        with self._replay(pack, solution_of(level)) as child:
            child.start_up()
            usual = child.idle(_REPLAY_SECONDS)
            child.write(b"+++")  # from 4 moves a second to 32; press() would wait for the end
            fast = child.idle(1.0)
        return [
            TerminalFigure("replaying, bytes a second", f"{usual / _REPLAY_SECONDS:.0f}", "", ""),
            TerminalFigure("at 32 moves a second", str(fast), "", "2048"),
        ]

    def search(self) -> list[TerminalFigure]:
        """The cost of the status line while the solver searches, and that of watching it."""
        pack = self._write("search.txt", crowded_board())
        with self._player(pack) as child:
            child.start_up()
            child.press_and_see("S")
            child.idle(1.0)
            played = child.idle(_SEARCH_SECONDS)
            child.press_and_see("S")
            child.idle(1.0)
            watched = child.idle(_SEARCH_SECONDS)
            opened = []
            for _ in range(40):
                opened.append(child.press_and_see("S"))
                child.idle(0.1)
            ended = "" if is_searching(child.output) else " (search ended!)"
        return [
            TerminalFigure(f"solving, bytes a second{ended}", f"{played / _SEARCH_SECONDS:.0f}", "", "480"),
            TerminalFigure(f"watching, bytes a second{ended}", f"{watched / _SEARCH_SECONDS:.0f}", "", "2048"),
            TerminalFigure(f"watch and back, ms{ended or ': p50 p95 most'}", milliseconds(opened), "", "p95 under 20"),
        ]

    def latency(self, keys: int) -> list[TerminalFigure]:
        pack = self._write("crowd.txt", crowded_board())
        with self._player(pack) as child:
            child.start_up()
            quiet = [child.press_and_see("lh"[i % 2]) for i in range(keys)]
            solving = []
            for i in range(keys):
                if i % _KEYS_PER_SEARCH == 0:
                    child.press("\x1b")
                    child.press_and_see("S")
                    child.idle(0.5)
                child.idle(0.03)
                solving.append(child.press_and_see("lh"[i % 2]))
            is_solving = is_searching(child.output)
        with self._bare(pack) as child:
            child.start_up()
            bare = [child.press_and_see("lh"[i % 2]) for i in range(keys)]
        solving_name = "key to screen, solving, ms: p50 p95 most" if is_solving else "key to screen (search ended!)"
        return [
            TerminalFigure("key to screen, ms: p50 p95 most", milliseconds(quiet), milliseconds(bare), ""),
            TerminalFigure(solving_name, milliseconds(solving), milliseconds(bare), "p95 under 20"),
        ]

    def optimizing(self, keys: int) -> list[TerminalFigure]:
        """The cost of steps in a replay while its solution is improved."""
        level = _busiest_level()
        pack = self._write("improved.txt", level.xsb())
        with self._replay(pack, solution_of(level)) as child:
            child.start_up()
            child.press(" ")
            seen = []
            for i in range(keys):
                if i % _KEYS_PER_SEARCH == 0:
                    child.press("OO" if i else "O")
                    child.press_and_see("\r")
                    child.idle(0.5)
                child.idle(0.03)
                seen.append(child.press_and_see("\x1b[C" if i % 2 == 0 else "\x1b[D"))
            before = len(child.output)
            child.press("O")
            # The key stops it; where it has ended by itself, the key asks for another one.
            ended = " (ended!)" if b"Improve" in child.output[before:] else ""
        return [
            TerminalFigure(
                f"key to screen, optimizing, ms: p50 p95 most{ended}", milliseconds(seen), "", "p95 under 20"
            )
        ]

    def look(self, name: str, move: int, push: int, keys: int) -> list[TerminalFigure]:
        """The cost of a theme, with the budgets of a move and of a push in bytes."""
        level = _busiest_level()
        pack = self._write("look.txt", level.xsb())
        with self._player(pack) as child:
            first = child.start_up().size
            idle = child.idle(1.0)
            sizes = [(letter, child.press(key).size) for letter, key in zip(solution_of(level), keys_of(level))][:-1]
        walks = [size for letter, size in sizes if letter.islower()]
        pushes = [size for letter, size in sizes if letter.isupper()]
        p95 = self.latency(keys)[1].ours
        return [
            TerminalFigure(f"{name}: a walk, bytes: median, most", f"{median(walks):.0f} {max(walks)}", "", f"{move}"),
            TerminalFigure(
                f"{name}: a push, bytes: median, most", f"{median(pushes):.0f} {max(pushes)}", "", f"{push}"
            ),
            TerminalFigure(f"{name}: first paint, bytes", str(first), "", ""),
            TerminalFigure(f"{name}: idle for 1 s, bytes", str(idle), "", "0"),
            TerminalFigure(f"{name}: key, solving, ms: p50 p95 most", p95, "", "p95 under 20"),
        ]

    def _bare_moves(self, pack: str) -> list[int]:
        with self._bare(pack) as child:
            child.start_up()
            return [child.press("lh"[i % 2]).size for i in range(20)]

    def _player(self, pack: str) -> PtyTerminal:
        return self._child([*self._sokoterm, *self._flags, pack])

    def _replay(self, pack: str, lurd: str) -> PtyTerminal:
        return self._child([*self._sokoterm, "replay", pack, "-l", "1", "--moves", lurd, *self._flags])

    def _bare(self, pack: str) -> PtyTerminal:
        return self._child([sys.executable, "-c", _BARE, pack])

    def _child(self, command: Sequence[str]) -> PtyTerminal:
        # The line itself is fast in any case, but on a slow one a terminal is to answer.
        modem = Modem(1e9, 0.0) if "--slow-link" in self._flags else None
        return PtyTerminal(command, self._environ, self._rows, self._columns, modem)

    def _write(self, name: str, text: str) -> str:
        path = os.path.join(self._folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        return path


class _PictureBench(_TerminalBench):
    """The same on a terminal that answers that it has pictures; with the budgets of the first and of a later level."""

    first, later = _FIRST_PICTURES, _LATER_PICTURES

    def look(self, name: str, move: int, push: int, keys: int) -> list[TerminalFigure]:
        *figures, first, idle, latency = super().look(name, move, push, keys)
        pack = self._write("later.txt", "\n\n".join(level.xsb() for level in open_pack(bundled_packs()[0]).levels[-2:]))
        with self._player(pack) as child:
            child.start_up()
            later = child.press("n").size
        return [
            *figures,
            first._replace(budget=str(self.first)),
            TerminalFigure(f"{name}: a later level, bytes", str(later), "", str(self.later)),
            idle,
            latency,
        ]

    def _child(self, command: Sequence[str]) -> PtyTerminal:
        return AnsweringTerminal(command, self._environ, self._rows, self._columns)


class _SixelBench(_PictureBench):
    """The same on a terminal that answers that it has sixels."""

    first, later = _FIRST_SIXELS, _FIRST_SIXELS

    def _child(self, command: Sequence[str]) -> PtyTerminal:
        return sixels.AnsweringTerminal(command, self._environ, self._rows, self._columns)


def _start_and_end(child: PtyTerminal) -> tuple[int, float, float]:
    """The bytes of the first picture, seconds until it is painted, and of processor time until ``q`` has ended it."""
    before = _seconds_of_children()
    with child:
        paint = child.start_up()
        child.write(b"q")
        child.wait()
    return paint.size, paint.last, _seconds_of_children() - before


def _seconds_of_children() -> float:
    """The processor time of all children that have ended."""
    times = getrusage(RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def _busiest_level() -> Level:
    """The bundled level with the most boxes, the last one of those."""
    return max(open_pack(bundled_packs()[0]).levels, key=lambda level: (level.boxes, level.number))


def is_searching(output: bytes | bytearray) -> bool:
    """Whether a player that wrote this began to search, and no search came to its end by itself."""
    return b"solving" in output and not any(end in output for end in (b"found", b"limit", b"cannot be solved"))


def _wide_board(width: int) -> str:
    """A long hall with pillars above the corridor that the player walks."""
    wall = "#" * width
    pillars = [
        "#" + "".join("#" if (7 * column + 3 * row) % 11 == 0 else " " for column in range(1, width - 1)) + "#"
        for row in range(_WIDE_ROWS)
    ]
    return "\n".join([wall, *pillars, "#@" + " " * (width - 5) + "$.#", wall])
