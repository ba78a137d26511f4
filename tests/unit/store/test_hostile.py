"""Hostile files given to the command: one line each; in a process of its own also little memory."""

import gzip
import io
import os
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from tests.unit.commands.command import Command, Result
from tests.unit.commands.conftest import command as command
from tests.unit.store.archived import BOARD, zipped

ROOT = Path(__file__).parents[3]
# KB: the largest file as bytes and as text, and what others before it have left.
MOST_MEMORY = 190_000

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


def run(folder: Path, verb: str, *arguments: str | Path, stdin: int = subprocess.DEVNULL) -> Result:
    """Run a verb in a process of its own, asserting that it takes little memory."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "XDG_STATE_HOME": str(folder / "state")}
    environ["SOKOTERM_DATA"] = str(folder / "data")
    peak = folder / "peak"
    command = [sys.executable, "-c", _WRAPPER, str(peak), verb, *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, stdin=stdin, env=environ, check=False)
    assert int(peak.read_text()) < MOST_MEMORY
    return checked(Result(ended.returncode, ended.stdout.decode(), ended.stderr.decode()))


def checked(result: Result) -> Result:
    """Assert that all lines are printable and that nothing has crashed."""
    for text in (result.out, result.err):
        assert all(line.isprintable() for line in text.split("\n"))
        assert "Traceback" not in text
    assert "internal error" not in result.err
    return result


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
    """Return a hall with one box and one goal."""
    wall = "#" * width
    row = "#" + " " * (width - 2) + "#\n"
    return f"{wall}\n#@$." + " " * (width - 5) + f"#\n{row * (height - 3)}{wall}\n"


HOSTILE: dict[str, Callable[[], str | bytes]] = {
    "entity bomb": entity_bomb,
    "zip bomb": bomb_zip,
    "gzip bomb": lambda: gzip.compress(b"#" * (200 << 20)),
    "nested zip": lambda: zipped({"inner.zip": zipped({"a.txt": BOARD})}),
    "gzip of a zip": lambda: gzip.compress(zipped({"a.txt": BOARD})),
    "NUL bytes": lambda: b"\0" * 1_000_000,
    "random bytes": lambda: bytes(range(128, 256)) * 9999,
    "long line": lambda: b"#" * (60 << 20),
    "long line of RLE": lambda: b"2#" * (30 << 20),
    "million levels": lambda: f"{BOARD}\n" * 1_000_000,
    "run of walls": lambda: "999999999#\n#@$.#\n#####\n",
    "run of a million digits": lambda: "9" * 1_000_000 + "#|#@$.#|5#\n",
    "run in a row": lambda: "5#|#@$.999999999 #|5#\n",
    "groups in groups": lambda: "2(" * 1_000_000 + "#" + ")" * 1_000_000 + "|#@$.#|5#\n",
    "groups that grow": lambda: "9(" * 30 + "#" + ")" * 30 + "|#@$.#|5#\n",
    "link of one row": lambda: "https://a.b/?level=" + "%23" * 1_000_000,
    "link of many rows": lambda: "https://a.b/?level=%23" + "%0A%23" * 600_000,
    "link of run": lambda: "https://a.b/?level=999999999%23|%23|%23",
    "link of escapes": lambda: "https://a.b/?level=%23|%23|%" + "%" * 200_000,
    "board too wide": lambda: wide(1001, 1000),
}


def test_hostile_files_are_one_line_each_and_little_memory(tmp_path: Path) -> None:
    files = [put(tmp_path / name, content()) for name, content in HOSTILE.items()]
    for name, head in (("sparse", b""), ("sparse zip", b"PK\3\4"), ("sparse gzip", b"\x1f\x8b\x08\0")):
        files.append(put(tmp_path / name, head))
        os.truncate(files[-1], 1 << 34)
    ended = run(tmp_path, "hash", *files)
    assert (ended.status, ended.out) == (2, "")
    said = ended.err.splitlines()
    assert len(said) == len(files)
    assert all(line.startswith(f"sokoterm: {file}") for line, file in zip(said, files))
    assert all("found more than 64 MB" in line for line in said[-3:])


def test_the_largest_board_loads(tmp_path: Path) -> None:
    ended = run(tmp_path, "info", put(tmp_path / "pack", wide(1000, 1000)))
    assert (ended.status, ended.err) == (0, "")


def test_endless_standard_input(tmp_path: Path) -> None:
    with subprocess.Popen(["yes", "#####"], stdout=subprocess.PIPE) as yes:
        assert yes.stdout is not None
        ended = run(tmp_path, "hash", "-", stdin=yes.stdout.fileno())
        yes.kill()
    assert (ended.status, ended.out) == (2, "")
    assert "standard input: found more than 64 MB" in ended.err


def test_names_that_are_not_text(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    put(folder / os.fsdecode(b"gr\xfcn\xff.txt"), BOARD)
    ended = run(tmp_path, "hash", folder)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.isascii()


@pytest.mark.parametrize("moves", ["9" * 1_000_000 + "r", "2(" * 1_000_000 + "r", "9(" * 30 + "r" + ")" * 30])
def test_endless_moves_solve_nothing(command: Command, tmp_path: Path, moves: str) -> None:
    pack, lurd = put(tmp_path / "pack", BOARD), put(tmp_path / "moves", moves)
    ended = checked(command("verify", pack, "-l", "1", "--lurd-file", lurd))
    assert ended.status == 1
    assert ended.out.startswith("not solved: ")
    assert ended.out.count("\n") == 1


def test_escape_sequences_reach_no_terminal(command: Command, tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202e"
    pack = f"Title: {evil}\nAuthor: {evil}\n\n{BOARD}Title: a{evil}b\nComment: {evil}\n\n####\n#@{evil}#\n####\n"
    folder = tmp_path / "packs"
    folder.mkdir()
    path = put(folder / f"evil{evil}\n.txt", pack)
    put(folder / "evil.zip", zipped({f"a{evil}.txt": BOARD, "b.txt": pack}))
    for arguments in ([path], [folder], [path, "--json"], [folder, "--json"]):
        for verb in ("hash", "info"):
            ended = checked(command(verb, *arguments))
            assert ended.out
            assert all(line.startswith("sokoterm: ") for line in ended.err.splitlines())
    checked(command("hash", f"nowhere{evil}"))
    checked(command("hash", f"http://{evil}/"))


def test_links_that_loop_and_files_that_are_none(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    put(folder / "a.txt", BOARD)
    for name, target in (("up", folder), ("self", folder / "self"), ("gone", "nowhere"), ("zero", "/dev/zero")):
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(folder / "socket"))
        ended = command("hash", folder)
        assert (ended.status, ended.out.count("\n"), ended.err) == (0, 2, "")  # with the heading


def test_a_pipe_given_on_purpose_waits_for_its_writer(command: Command, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(BOARD,), daemon=True)
    writer.start()
    assert command("hash", pipe).out.count("\n") == 2  # with the heading
    writer.join()


def test_very_deep_folders(command: Command, tmp_path: Path) -> None:
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
    ended = command("hash", deep)
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
