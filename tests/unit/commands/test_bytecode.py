"""Compiled modules are kept, but never beside the source of someone who does not want them there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slow import others_slow

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
