"""Hostile files given to the command in its own process: one line each, and little memory."""

import gzip
import io
import os
import re
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.unit.store.archived import zipped

ROOT = Path(__file__).parents[3]
BOARD = "#####\n#@$.#\n#####\n"
# KB: the largest file as bytes and as text.
MOST_MEMORY = 160_000

# VmHWM, unlike ru_maxrss, leaves out the memory of the process before it became a Python.
_WRAPPER = """
import sys
from sokoterm.cli import main
status = main(sys.argv[2:])
with open("/proc/self/status") as file:
    peak = next(line.split()[1] for line in file if line.startswith("VmHWM:"))
with open(sys.argv[1], "w") as file:
    file.write(peak)
raise SystemExit(status)
"""


class Ended(NamedTuple):
    """Result of a command; ``peak`` is in KB."""

    status: int
    out: str
    err: str
    peak: int


def run(folder: Path, verb: str, *arguments: str | Path, stdin: int = subprocess.DEVNULL) -> Ended:
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "XDG_STATE_HOME": str(folder / "state")}
    environ["SOKOTERM_DATA"] = str(folder / "data")
    peak = folder / "peak"
    peak.write_text("0")
    command = [sys.executable, "-c", _WRAPPER, str(peak), verb, *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, stdin=stdin, env=environ, check=False)
    out, err = ended.stdout.decode(), ended.stderr.decode()
    for text in (out, err):
        assert all(line.isprintable() for line in text.split("\n"))
        assert "Traceback" not in text
    assert "internal error" not in err
    return Ended(ended.returncode, out, err, int(peak.read_text()))


def refused(folder: Path, *arguments: str | Path, stdin: int = subprocess.DEVNULL) -> str:
    """Return the one line on stderr of a verb that is given the file."""
    ended = run(folder, "hash", *arguments, stdin=stdin)
    assert (ended.status, ended.out) == (2, "")
    assert re.fullmatch(r"sokoterm: [^\n]+\n", ended.err), ended.err
    assert ended.peak < MOST_MEMORY
    return ended.err


def sparse(path: Path, size: int, head: bytes = b"") -> Path:
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return path


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def entity_bomb() -> str:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 20))
    return (
        f'<?xml version="1.0"?><!DOCTYPE SokobanLevels [<!ENTITY e0 "lol">{entities}]>'
        '<SokobanLevels><Title>&e19;</Title><LevelCollection><Level Id="1" Width="5" Height="3">'
        "<L>#####</L><L>#@$.#</L><L>#####</L></Level></LevelCollection></SokobanLevels>"
    )


def external_entity(secret: Path) -> str:
    return entity_bomb().replace('<!ENTITY e0 "lol">', f'<!ENTITY e0 SYSTEM "file://{secret}">')


def nested_zip() -> bytes:
    inner = zipped({"a.txt": BOARD})
    for _ in range(3):
        inner = zipped({"inner.zip": inner})
    return inner


def bomb_zip() -> bytes:
    archive = io.BytesIO()
    with (
        zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file,
        file.open("a.txt", "w", force_zip64=True) as member,
    ):
        member.write(BOARD.encode())
        for _ in range(200):
            member.write(b"#" * (1 << 20))
    return archive.getvalue()


def wide(width: int, height: int) -> str:
    """Return a hall with a pillar or two, one box and one goal."""
    wall = "#" * width
    row = "#" + " " * (width - 2) + "#\n"
    return f"{wall}\n#@$." + " " * (width - 5) + f"#\n{row * (height - 3)}{wall}\n"


HOSTILE: dict[str, Callable[[], str | bytes]] = {
    "entity bomb": entity_bomb,
    "nested zip": nested_zip,
    "zip bomb": bomb_zip,
    "gzip bomb": lambda: gzip.compress(b"#" * (200 << 20)),
    "gzip of a zip": lambda: gzip.compress(zipped({"a.txt": BOARD})),
    "NUL bytes": lambda: b"\0" * 1_000_000,
    "random bytes": lambda: bytes(range(128, 256)) * 9999,
    "long line": lambda: b"#" * (60 << 20),
    "long line of RLE": lambda: b"2#" * (30 << 20),
    "run of walls": lambda: "999999999#\n#@$.#\n#####\n",
    "run of a million digits": lambda: "9" * 1_000_000 + "#|#@$.#|5#\n",
    "run in a row": lambda: "5#|#@$.999999999 #|5#\n",
    "groups in groups": lambda: "2(" * 1_000_000 + "#" + ")" * 1_000_000 + "|#@$.#|5#\n",
    "groups that grow": lambda: "9(" * 30 + "#" + ")" * 30 + "|#@$.#|5#\n",
    "board too wide": lambda: wide(1001, 1000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_one_line_and_little_memory(tmp_path: Path, name: str) -> None:
    refused(tmp_path, put(tmp_path / "pack", HOSTILE[name]()))


def test_million_levels(tmp_path: Path) -> None:
    path = put(tmp_path / "pack", "#####\n#@$.#\n#####\n\n" * 1_000_000)
    assert "100,000" in refused(tmp_path, path)


def test_largest_board_loads(tmp_path: Path) -> None:
    path = put(tmp_path / "pack", wide(1000, 1000))
    for verb in ("hash", "info"):
        ended = run(tmp_path, verb, path)
        assert (ended.status, ended.err) == (0, "")
        assert ended.peak < MOST_MEMORY


def test_external_entity_reads_no_file(tmp_path: Path) -> None:
    secret = put(tmp_path / "secret", "the secret")
    assert "the secret" not in refused(tmp_path, put(tmp_path / "pack", external_entity(secret)))


def test_sparse_gigabytes(tmp_path: Path) -> None:
    for head in (b"", BOARD.encode(), b"PK\3\4", b"\x1f\x8b\x08\0"):
        said = refused(tmp_path, sparse(tmp_path / "pack", 1 << 34, head))
        assert "found more than 64 MB" in said


def test_endless_standard_input(tmp_path: Path) -> None:
    with open("/dev/zero", "rb") as zero:
        assert "standard input: found more than 64 MB" in refused(tmp_path, "-", stdin=zero.fileno())
    with subprocess.Popen(["yes", "#####"], stdout=subprocess.PIPE) as yes:
        assert yes.stdout is not None
        ended = run(tmp_path, "hash", "-", stdin=yes.stdout.fileno())
        yes.kill()
    assert (ended.status, ended.out) == (2, "")
    assert "standard input: found more than 64 MB" in ended.err
    assert ended.peak < MOST_MEMORY


def test_million_digits_of_moves(tmp_path: Path) -> None:
    path = put(tmp_path / "pack", BOARD)
    for moves in ("9" * 1_000_000 + "r", "2(" * 1_000_000 + "r", "9(" * 30 + "r" + ")" * 30):
        lurd = put(tmp_path / "moves", moves)
        ended = run(tmp_path, "verify", path, "-l", "1", "--lurd-file", lurd)
        assert ended.status == 1
        assert ended.out.startswith("not solved: ")
        assert ended.out.count("\n") == 1
        assert ended.peak < MOST_MEMORY


def test_escape_sequences_reach_no_terminal(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202e"
    pack = f"Title: {evil}\nAuthor: {evil}\n\n{BOARD}Title: a{evil}b\nComment: {evil}\n\n####\n#@{evil}#\n####\n"
    folder = tmp_path / "packs"
    folder.mkdir()
    path = put(folder / f"evil{evil}\n.txt", pack)
    put(folder / "evil.zip", zipped({f"a{evil}.txt": BOARD, "b.txt": pack}))
    for arguments in ([path], [folder], [path, "--json"], [folder, "--json"]):
        for verb in ("hash", "info"):
            ended = run(tmp_path, verb, *arguments)
            assert ended.out
            assert all(line.startswith("sokoterm: ") for line in ended.err.splitlines())
    run(tmp_path, "hash", f"nowhere{evil}")
    run(tmp_path, "hash", f"http://{evil}/")


def test_names_that_are_not_text(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    put(folder / os.fsdecode(b"gr\xfcn\xff.txt"), BOARD)
    for arguments in ([folder], [folder, "--json"]):
        ended = run(tmp_path, "hash", *arguments)
        assert (ended.status, ended.err) == (0, "")
        assert ended.out.isascii()


def test_links_that_loop_and_files_that_are_none(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    put(folder / "a.txt", BOARD)
    (folder / "up").symlink_to(folder)
    (folder / "self").symlink_to(folder / "self")
    (folder / "gone").symlink_to(folder / "nowhere")
    (folder / "zero").symlink_to("/dev/zero")
    (folder / "tty").symlink_to("/dev/tty")
    os.mkfifo(folder / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(folder / "socket"))
        ended = run(tmp_path, "hash", folder)
        assert (ended.status, ended.out.count("\n"), ended.err) == (0, 2, "")  # with the heading
        assert "found a socket, expected" in refused(tmp_path, folder / "socket")
    assert "Too many levels of symbolic links" in refused(tmp_path, folder / "self")
    assert "No such file" in refused(tmp_path, folder / "gone")
    for device in ("/dev/zero", "/dev/null", "/dev/tty", folder / "zero"):
        assert "found a device, expected" in refused(tmp_path, device)


def test_pipe_given_on_purpose_waits_for_its_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", f"sleep 0.3; printf '#####\n#@$.#\n#####\n' > '{pipe}'"])
    assert run(tmp_path, "hash", pipe).out.count("\n") == 2  # with the heading
    assert writer.wait() == 0


def test_very_deep_folders(tmp_path: Path) -> None:
    """Deeper than the longest possible path."""
    deep = tmp_path / "packs"
    deep.mkdir()
    put(deep / "a.txt", BOARD)
    here = os.open(deep, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("x" * 100, dir_fd=here)
        inner = os.open("x" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    with open(os.open("b.txt", os.O_CREAT | os.O_WRONLY, dir_fd=here), "w") as file:
        file.write(BOARD)
    os.close(here)
    ended = run(tmp_path, "hash", deep)
    assert (ended.status, ended.out.count("\n"), ended.err.count("\n")) == (2, 2, 1)
    assert "File name too long" in ended.err
    subprocess.run(["rm", "-rf", deep], check=True)  # pytest cannot


@pytest.mark.long
def test_folder_of_100_000_files(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    for number in range(100_000):
        (folder / f"{number}.txt").write_text("words\n" if number % 1000 else BOARD)
    ended = run(tmp_path, "hash", folder)
    assert (ended.status, ended.out.count("\n"), ended.err) == (0, 100, "")
    assert ended.peak < MOST_MEMORY
