"""Letters that turn text around, and controls of eight bits: from wherever they come, none reaches the terminal."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from sokoterm.cli import main
from sokoterm.commands import VERBS
from tests.system.terminal.screen import ROOT, sokoterm

# Marks and overrides of direction, isolates, C1 controls (CSI, NEL, DCS, OSC), C0 controls, separators of lines.
EVIL = "1\u202e2\u202d3\u2066=\u2069=\u200f=\u061c=\x9b31m=\x85=\x90=\x9d=\x1b[31m=\x07=\u2028=\u2029=\x08=\ufeff="
BAD = [each.encode() for each in sorted(set(EVIL) - set(map(chr, range(0x20, 0x7F))) - {"\x1b", "\x07", "\x08"})]
BOARD = "##########\n#@ $   . #\n#        #\n##########\n"
PACK = f"""\
Title: Pack {EVIL}
Author: Author {EVIL}
Comment: Comment {EVIL}

{BOARD}Title: Level {EVIL}
Author: Writer {EVIL}
Comment: Remark {EVIL}
Solution {EVIL}: rRRR

{BOARD}Title: Level {EVIL}

###
#x{EVIL}#
###
"""
NAME = EVIL.replace("/", "")


@pytest.fixture
def pack(tmp_path: Path) -> str:
    path = tmp_path / f"{NAME}.txt"
    path.write_bytes(PACK.encode())
    return str(path)


def environ(folder: Path) -> Mapping[str, str]:
    """One whose folders are as evil as the rest."""
    homes = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    config = folder / f"XDG_CONFIG_HOME{EVIL}" / "sokoterm"
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.toml").write_text(f'theme = "\\u202e"\n[keys."pl\\u009b"]\nx = "\\u202e"\n# {EVIL}\n', "utf-8")
    return {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)} | {
        name: str(folder / f"{name}{EVIL}") for name in homes
    }


def said(folder: Path, *arguments: str, typed: str = "") -> list[str]:
    """The lines of a command that have something in them which a terminal would act on."""
    command = [sys.executable, "-m", "sokoterm", *arguments]
    done = subprocess.run(command, input=typed.encode(), capture_output=True, env=environ(folder), check=False)
    assert done.returncode in (0, 1, 2)
    lines = (done.stdout + done.stderr).decode().split("\n")
    return [line for line in lines if not line.isprintable()]


def commands_on(pack: str) -> list[list[str]]:
    return [[pack], ["-l", "1", pack], [f"{pack}{EVIL}"], [f"--bad{EVIL}"], ["--help"], ["-l", EVIL, pack]]


@pytest.mark.parametrize("verb", sorted(set(VERBS) - {"bench", "generate", "play", "convert"}))
def test_no_verb_prints_them(
    tmp_path: Path, pack: str, verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environ(tmp_path).items():
        monkeypatch.setenv(name, value)
    for arguments in commands_on(pack):
        assert main([verb, *arguments]) in (0, 1, 2)
        printed = capsys.readouterr()
        assert [line for line in (printed.out + printed.err).split("\n") if not line.isprintable()] == []


def test_no_line_mode_prints_them(tmp_path: Path, pack: str) -> None:
    words = ("", "find ", "go ", "mark ", "return ", "pack ", "open ", "help ", "daily ", "u ", "l ", "push ", "lurd ")
    lines = [
        *(f"{word}{EVIL}" for word in words),
        "levels",
        "packs",
        "facts",
        "status",
        "where",
        "paste",
        PACK,
        ".",
        "look",
    ]
    assert said(tmp_path, "--plain", pack, typed="\n".join(lines)) == []


def test_the_player_shows_none_of_what_is_read_typed_and_pasted(tmp_path: Path, pack: str) -> None:
    typed = EVIL.translate({0x1B: None, 0x07: None, 0x08: None})
    pasted = f"\x1b[200~{EVIL}\x1b[201~"
    with sokoterm(tmp_path, pack, begins="Remark") as screen:
        for keys in ("g", "m", "'", "b", "/", "?"):
            for text in (typed, pasted):
                screen.type(keys + text)
                screen.settle(0.05)
                screen.type("\x1b")
                screen.settle(0.05)
        screen.type(f"\x1b[200~{PACK}\x1b[201~")
        screen.settle()
        screen.type("\x1b\x1bb", "packs")
        screen.settle()
        assert screen.is_alive
        screen.type("q")
        screen.wait()
        assert [bad for bad in BAD if bad in screen.output] == []
