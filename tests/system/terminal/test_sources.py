"""The player with packs from archives, standard input and addresses."""

import io
import os
import zipfile
from pathlib import Path

import pytest

from tests.system.terminal.screen import PYTHON, Screen, sokoterm
from tests.unit.store.loopback import page, serving

PACK = "Title: The {}\n\n#######\n#@$  .#\n#######\n"


def zipped(*names: str) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name in names:
            file.writestr(f"{name}.txt", PACK.format(name))
    return archive.getvalue()


def test_an_archive_of_packs_opens_the_browser(tmp_path: Path) -> None:
    path = tmp_path / "packs.zip"
    path.write_bytes(zipped("first", "second"))
    with sokoterm(tmp_path, str(path)) as screen:
        screen.wait_for("sokoterm: packs")
        screen.wait_for("second")
        screen.type("\r", "The first 1/1")
        screen.type("ll", "moves 2")
        screen.type("q")
        assert screen.wait() == 0
    with sokoterm(tmp_path, str(path)) as screen:
        screen.wait_for("sokoterm: packs")
        screen.type("\r", "moves 2")  # the pack is known again
        screen.type("q")


def test_an_archive_through_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "packs.zip"
    path.write_bytes(zipped("first", "second"))
    with Screen(["sh", "-c", f"cat {path} | {PYTHON} -m sokoterm -"], tmp_path) as screen:
        screen.wait_for("sokoterm: packs")
        screen.type("j\r", "The second 1/1")
        screen.type("q")
        assert screen.wait() == 0


def test_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch) as web:
        web.answers["/packs/one"] = page(zipped("only"))
        with sokoterm(tmp_path, web.url("/packs/one")) as screen:
            screen.wait_for("The only 1/1")
            screen.type("lll", "level solved")
            screen.type("q")
            assert screen.wait() == 0
        with sokoterm(tmp_path, web.url("/none")) as screen:
            screen.wait_for("cannot be read: the server answered 404")
            assert os.waitstatus_to_exitcode(screen.wait()) == 2


def test_a_member_that_cannot_be_read_is_marked_in_the_browser(tmp_path: Path) -> None:
    path = tmp_path / "packs.zip"
    archive = zipped("a", "b")
    place = archive.rindex(b"PK\1\2") + 8
    path.write_bytes(archive[:place] + b"\1\0" + archive[place + 2 :])
    with sokoterm(tmp_path, str(path)) as screen:
        screen.wait_for("sokoterm: packs")
        screen.type("j\r", "it is encrypted")
        screen.type("q")


def test_limits_and_encoding_of_the_player(tmp_path: Path) -> None:
    path = tmp_path / "pack.txt"
    path.write_bytes("Title: \u7bb1\n\n#######\n#@$  .#\n#######\n".encode("gb18030"))
    with sokoterm(tmp_path, str(path), "--encoding", "gb18030") as screen:
        screen.wait_for("moves 0")
        assert "\u7bb1" in screen.text
        screen.type("q")
    with sokoterm(tmp_path, str(path), "--encoding", "utf-8") as screen:
        screen.wait_for("found the byte 0xcf, expected text in utf-8")
        assert os.waitstatus_to_exitcode(screen.wait()) == 2
    with path.open("ab") as file:
        file.truncate(2 << 20)
    with sokoterm(tmp_path, "play", str(path), "--max-file", "1") as screen:
        screen.wait_for("found more than 1 MB, expected a level pack")
        assert os.waitstatus_to_exitcode(screen.wait()) == 2


def test_the_browser_lists_packs_in_the_encoding_and_within_the_limits(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    for name, title in (("a", "\u7bb1"), ("b", "\u5b50")):
        (folder / f"{name}.txt").write_bytes(PACK.format(title).encode("gb18030"))
    with sokoterm(tmp_path, str(folder), "--encoding", "gb18030") as screen:
        screen.wait_for("The \u7bb1")
        screen.wait_for("0/1")
        screen.type("j", "The \u5b50")
        screen.type("q")


def test_a_pack_without_a_level_to_play_is_named_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("####\n#@$#\n####\n", "utf-8")
    with sokoterm(tmp_path, str(path)) as screen:
        screen.wait_for("no readable level")
        assert os.waitstatus_to_exitcode(screen.wait()) == 2
        assert screen.text.count("level 1:") == 1
