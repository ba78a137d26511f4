"""Starts of the program: Ctrl-C at any moment of one, and compiled modules, which lie where nobody minds."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slow import others_slow
from tests.system.terminal.screen import PYTHON, Screen

# A module is about to be imported: of that Python tells, so that the moment is the same on every machine.
INTERRUPTING = """
import os, runpy, signal, sys

left = int(sys.argv.pop(1))
has_begun = False


def interrupt(event, arguments):
    global left, has_begun
    has_begun = has_begun or event == "import" and arguments[0] == "gc"
    if has_begun and event == "import":
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGINT)


sys.addaudithook(interrupt)
{start}
"""
STARTS = {
    "module": 'runpy.run_module("sokoterm", run_name="__main__", alter_sys=True)',
    "command": "from sokoterm.__main__ import main; sys.exit(main())",
}
# Of the imports at which a start is interrupted; it has some 150.
MOMENTS = [1, 2, 9, 40, 70]
INTERRUPTED = (130, -signal.SIGINT)


@pytest.mark.parametrize("start", others_slow(STARTS))
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("arguments", [["solve", "no-pack"], ["no-pack"], ["--help"], ["--plain"]], ids=" ".join)
def test_an_interrupted_start_says_nothing(tmp_path: Path, arguments: list[str], moment: int, start: str) -> None:
    script = INTERRUPTING.format(start=STARTS[start])
    command = [sys.executable, "-c", script, str(moment), *arguments]
    environ = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environ, check=False)
    assert b"Traceback" not in done.stderr
    assert b"ignored" not in done.stderr
    if done.returncode in INTERRUPTED:
        assert (done.stdout, done.stderr) == (b"", b"")
    else:
        assert moment > 20  # it was done by then


@pytest.mark.parametrize("moment", others_slow([30, 90, 1, 3, 10, 60, 120, 150], 2))
def test_the_terminal_is_as_before_where_the_player_is_interrupted(tmp_path: Path, moment: int) -> None:
    pack = tmp_path / "pack.txt"
    pack.write_text("#####\n#@$.#\n#####\n")
    script = INTERRUPTING.format(start=STARTS["module"])
    with Screen([PYTHON, "-c", script, str(moment), str(pack)], tmp_path) as screen:
        before = screen.mode
        while screen.is_alive:
            screen.read(0.05)
            if "moves 0" in screen.text:
                screen.type("q")
                break
        assert screen.exit_status() in (*INTERRUPTED, 0)
        assert screen.mode == before
        assert b"Traceback" not in screen.output
        assert screen.output.count(b"\x1b[?1049h") == screen.output.count(b"\x1b[?1049l")


def test_interrupts_that_are_ignored_stay_ignored(tmp_path: Path) -> None:
    """As where a shell starts a command in the background."""
    script = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); " + INTERRUPTING.format(
        start=STARTS["module"]
    )
    command = [sys.executable, "-c", script, "30", "--version"]
    assert subprocess.run(command, capture_output=True, check=False, cwd=tmp_path).returncode == 0


PACKAGE = Path(__file__).parents[3] / "sokoterm"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "tree" / "sokoterm", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "tree"


def _run(checkout: Path, *arguments: str, **environ: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-m", "sokoterm", *(arguments or ("--version",))]
    subprocess.run(command, cwd=checkout, env={**kept, **environ}, check=True, capture_output=True)


def test_beside_the_source_where_python_may(checkout: Path, tmp_path: Path) -> None:
    _run(checkout, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert (checkout / "sokoterm" / "__pycache__").is_dir()
    assert not (tmp_path / "cache").exists()


def test_in_the_cache_folder_where_python_may_not(checkout: Path, tmp_path: Path) -> None:
    _run(checkout, XDG_CACHE_HOME=str(tmp_path / "cache"), PYTHONDONTWRITEBYTECODE="1")
    assert not list(checkout.rglob("__pycache__"))
    assert list((tmp_path / "cache" / "sokoterm" / "bytecode").rglob("cli.*.pyc"))


@pytest.mark.parametrize("damage", others_slow([b"\xff" * 2000, b""]), ids=["garbage", "cut short"])
def test_damaged_files_of_the_cache_folder_are_made_again(checkout: Path, tmp_path: Path, damage: bytes) -> None:
    cache = tmp_path / "cache"
    german = ("--language", "de", "keys")
    environ = {"XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    _run(checkout, *german, **environ)
    kept = [path for path in cache.rglob("*.*") if path.is_file()]
    assert {path.suffix for path in kept} == {".pyc", ".mo"}
    for path in kept:
        head, status = path.read_bytes()[:400], path.stat()
        path.unlink()
        path.write_bytes(head[:16] + damage or head)
        os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns))
    _run(checkout, *german, **environ)
    assert all(path.is_file() for path in kept if path.suffix == ".mo")


def test_where_the_person_says(checkout: Path, tmp_path: Path) -> None:
    prefix = {"PYTHONPYCACHEPREFIX": str(tmp_path / "mine"), "PYTHONDONTWRITEBYTECODE": "1"}
    _run(checkout, XDG_CACHE_HOME=str(tmp_path / "cache"), **prefix)
    assert not (tmp_path / "cache").exists()
