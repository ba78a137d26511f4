"""``python3 -m tests.bench files``: how fast packs are parsed and hashed, and equal levels found among many."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from sokoterm.commands.support.output import InputError, complain
from sokoterm.engine.bits import SYMMETRIES
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash, normal_form
from sokoterm.formats.registry import parse
from sokoterm.store.packs import PackError, bundled_packs, find_packs, read_bytes
from tests.bench.common import BenchParser, measured, print_figure
from tests.bench.sessions import player_environ
from tests.unit.engine.drawn import picture_of
from tests.unit.engine.plain_ids import plain_hash

_COPIES = 40_000
_FILES = 4
# Each figure is the best of several rounds, of at least so many seconds in all.
_SECONDS = 1.0
_ROUNDS = 3
_WIDTH = 17
PEAK_COMMAND = """
import sys
from sokoterm.cli import main
from sokoterm.commands.support.workers import peak_bytes
exit_status = main(sys.argv[1:])
print(peak_bytes() >> 10, file=sys.stderr)
raise SystemExit(exit_status)
"""
"""A command of sokoterm; the last line on stderr is the most memory that it took, in KB, 0 where it is not known."""


class DuplicateSearch(NamedTuple):
    """What the search for duplicates took, and whether it found exactly the copies that were made."""

    seconds: float
    kilobytes: int
    is_exact: bool


def run(arguments: list[str]) -> int:
    """Prints a row for each figure; 1 if a hash or a group of duplicates is wrong, 2 if a pack could not be read."""
    parser = BenchParser(
        "files",
        "Measure on one core: levels parsed and hashed a second, the hash against one made cell by cell, and how\n"
        "long it takes to find copies, turned, mirrored and with the player moved, among many levels.",
        "--suite levels.txt",
    )
    suite = parser.several(
        "--suite", parse=str, nargs="+", metavar="PACK", help="files or folders of levels; default: the bundled packs"
    )
    copies = parser.flag(
        "--copies",
        parse=measured,
        default=_COPIES,
        metavar="N",
        help=f"levels to find copies among (default: {_COPIES})",
    )
    parser.parse(arguments)
    texts, status = _read(suite.value)
    levels = _parse(texts)
    if not levels:
        raise InputError("found no levels to measure")
    print(f"{len(levels):,} levels of {_mean_size(levels)} squares in the mean")
    is_right = _speed(texts, levels)
    _largest(max(levels, key=lambda level: level.board.width * level.board.height))
    found = find_copies(levels, copies.value)
    took = f"{copies.value:,} levels in {found.seconds:.2f} s and {found.kilobytes / 1024:.0f} MB at most"
    verdict = "exactly the copies found" if found.is_exact else "NOT exactly the copies found"
    _print_rate("duplicates", copies.value / found.seconds, f"{took}, {verdict}")
    return status or (0 if is_right and found.is_exact else 1)


def made_copies(levels: Sequence[Level], number: int) -> Iterator[tuple[int, list[str]]]:
    """So many pictures of the levels in turn, each turned or mirrored and its player moved; with the level's index."""
    random = Random(number)
    forms = [normal_form(level) for level in levels]
    for copy in range(number):
        index = copy % len(forms)
        picture = "\n".join(random.choice(SYMMETRIES).rows(forms[index]))
        place = random.choice([place for place, cell in enumerate(picture) if cell in "@+"])
        emptied = picture.replace("@", " ").replace("+", ".")
        yield index, (emptied[:place] + picture[place] + emptied[place + 1 :]).split("\n")


def find_copies(levels: Sequence[Level], number: int) -> DuplicateSearch:
    """Writes so many levels to files and has ``sokoterm duplicates`` group them, in a process of its own."""
    distinct = list({level_hash(level): level for level in levels}.values())[: max(1, number // 2)]
    expected: dict[int, int] = {}
    with TemporaryDirectory(prefix="sokoterm-bench-") as folder:
        paths = [os.path.join(folder, f"{part}.xsb") for part in range(_FILES)]
        parts: list[list[str]] = [[] for _ in paths]
        for copy, (index, rows) in enumerate(made_copies(distinct, number)):
            parts[copy * _FILES // number].append("\n".join([f"; {index}", "", *rows, "", ""]))
            expected[index] = expected.get(index, 0) + 1
        for path, part in zip(paths, parts):
            with open(path, "w", encoding="ascii") as file:
                file.write("\n".join(part))
        began = perf_counter()
        command = [sys.executable, "-c", PEAK_COMMAND, "duplicates", "--json"]
        command += [path for path, part in zip(paths, parts) if part]
        result = subprocess.run(command, capture_output=True, env=player_environ(folder), text=True, check=False)
        seconds = perf_counter() - began
    titles = [[level["title"] for level in json.loads(line)["levels"]] for line in result.stdout.splitlines()]
    grouped = {int(group[0]): len(group) for group in titles if len(set(group)) == 1}
    is_exact = len(titles) == len(grouped) and grouped == {i: size for i, size in expected.items() if size > 1}
    return DuplicateSearch(seconds, int(result.stderr.split()[-1]), result.returncode == 0 and is_exact)


def _read(suite: Sequence[str]) -> tuple[list[bytes], int]:
    """The bytes of the packs, and 2 if there is one that cannot be read."""
    texts, status = [], 0
    files = []
    for path in suite:
        try:
            files += find_packs(path)
        except PackError as error:
            complain(str(error))
            status = 2
    for file in files if suite else bundled_packs():
        try:
            texts.append(read_bytes(file))
        except PackError as error:
            complain(str(error))
            status = 2
    return texts, status


def _parse(texts: Sequence[bytes]) -> list[Level]:
    return [level for text in texts for level in parse(text, "bench").levels]


def _mean_size(levels: Sequence[Level]) -> str:
    width = sum(level.board.width for level in levels) / len(levels)
    height = sum(level.board.height for level in levels) / len(levels)
    return f"{width:.0f}x{height:.0f}"


def _speed(texts: Sequence[bytes], levels: Sequence[Level]) -> bool:
    """Prints the rows of levels a second; whether all hashes are those made cell by cell."""
    # The nine steps know nothing of colours and ice.
    ordinary = [level for level in levels if level.board.is_ordinary]
    parsing = _best(lambda: _parse(texts))
    hashing = _best(lambda: [level_hash(level) for level in ordinary])
    naive = _best(lambda: [_plain_hash(level) for level in ordinary])
    both = _best(lambda: [level_hash(level) for level in _parse(texts)])
    wrong = sum(level_hash(level) != _plain_hash(level) for level in ordinary)
    for name, number, seconds, note in (
        ("parse", len(levels), parsing, ""),
        ("hash", len(ordinary), hashing, f"{naive / hashing:.1f} times the naive one"),
        ("hash, naive", len(ordinary), naive, f"{wrong:,} hashes differ" if wrong else "all hashes agree"),
        ("parse and hash", len(levels), both, ""),
    ):
        _print_rate(name, number / seconds, note)
    return not wrong


def _plain_hash(level: Level) -> str:
    return plain_hash(picture_of("\n".join(level.rows)))


def _print_rate(name: str, levels: float, note: str) -> None:
    print_figure(name, f"{levels:,.0f} levels/s", note=note, width=_WIDTH)


def _largest(level: Level) -> None:
    """Prints how long the largest level takes alone."""
    text = level.xsb().encode("ascii")
    parsing, hashing = _best(lambda: parse(text, "bench")), _best(lambda: level_hash(level))
    size = f"{level.board.width}x{level.board.height} squares, {level.boxes:,} boxes"
    note = f"{size}: parse {parsing * 1e3:.2f} ms, hash {hashing * 1e3:.2f} ms"
    print_figure("largest level", f"{(parsing + hashing) * 1e3:.2f} ms", note=note, width=_WIDTH)


def _best(work: Callable[[], object]) -> float:
    """The seconds of the fastest of several rounds."""
    times: list[float] = []
    while len(times) < _ROUNDS or sum(times) < _SECONDS:
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return min(times)
