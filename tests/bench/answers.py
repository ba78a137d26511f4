"""``python3 -m tests.bench answers --against FOLDER``: command lines answered by this checkout and by another one.

Each line of tests/data/command_lines.txt is run by both, one after the other, in a folder of its own that the lines
before it have filled. Exit status, both outputs and all files written are compared; times and dates are left out.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.common import BenchParser

ROOT = Path(__file__).parents[2]
_LINES = ROOT / "tests" / "data" / "command_lines.txt"
# Seconds, dates, times of day, and the megabytes that `solve` prints before the name of a strategy.
_VARYING = re.compile(
    r'\d+\.\d\d\b|\b\d+(\.\d+)? ?s\b|"seconds": [\d.]+|\d{4}-\d\d-\d\d|\b\d+:\d\d(:\d\d)?\b'
    r"|\d+(?=  (one box|astar|bfs|greedy|backward|beam|fess)\b)"
)


class _Checkout:
    """A link to a checkout in a folder, beside the folder where its command lines run."""

    def __init__(self, checkout: Path, place: Path) -> None:
        self.place = place
        self.source = place / "source"
        self.folder = place / "home"
        self._files: dict[str, bytes] = {}
        self.folder.mkdir(parents=True)
        self.source.symlink_to(checkout)
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith(("SOKOTERM", "LC_"))}
        self.environ |= {
            "PYTHONPATH": str(self.source),
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "COLUMNS": "100",
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
        }

    def answer(self, line: str) -> str:
        """Return exit status, outputs and files written, without what differs from run to run."""
        words, _, given = line.partition(" << ")
        command = shlex.split(words.replace("LEVELS", str(self.source / "levels")))
        typed = given.encode().decode("unicode_escape")
        done = subprocess.run(
            [sys.executable, "-m", "sokoterm", *command],
            cwd=self.folder,
            env=self.environ,
            input=typed,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
        )
        written = "\n".join(f"{name}: {content.decode(errors='replace')}" for name, content in self._written().items())
        answer = f"exit status {done.returncode}\n{done.stdout}--- stderr\n{done.stderr}--- files\n{written}"
        return _VARYING.sub("_", answer.replace(str(self.place), "HERE"))

    def _written(self) -> dict[str, bytes]:
        """Return files that are new or changed since the last call, without databases: verbs print their content."""
        now = {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and ".db" not in path.name and "cache" not in path.parts
        }
        new = {name: content for name, content in now.items() if self._files.get(name) != content}
        self._files = now
        return new


def command_lines() -> list[str]:
    """Return the command lines, without comments."""
    return [line for line in _LINES.read_text().splitlines() if line and not line.startswith("#")]


def compared(lines: list[str], one: Path, other: Path) -> Iterator[tuple[str, str]]:
    """Yield each command line with the difference between the two checkouts' answers, in lines; empty where none."""
    with TemporaryDirectory(prefix="sokoterm-") as folder:
        checkouts = [_Checkout(source, Path(folder, name)) for name, source in (("one", one), ("two", other))]
        for line in lines:
            first, second = (checkout.answer(line).splitlines() for checkout in checkouts)
            yield line, "\n".join(unified_diff(second, first, "there", "here", n=0, lineterm=""))


def run(arguments: list[str]) -> int:
    """Print each command line whose answers differ, and how many there were; 1 if any differed."""
    parser = BenchParser("answers", "Compare the answers of command lines.", "--against ../before")
    against = parser.flag(
        "--against", parse=Path, default=ROOT, required=True, metavar="FOLDER", help="the other checkout"
    )
    parser.parse(arguments)
    differ = 0
    for line, difference in compared(command_lines(), ROOT, against.value.resolve()):
        if difference:
            differ += 1
            print(f"sokoterm {line}\n{difference}\n", flush=True)
    print(f"{len(command_lines())} command lines, {differ} answered in another way")
    return 1 if differ else 0
