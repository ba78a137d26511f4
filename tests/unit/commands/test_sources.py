"""Where verbs take packs from, and within which limits."""

import gzip
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, Command
from tests.unit.commands.starts import Starts
from tests.unit.store.archived import zipped
from tests.unit.store.loopback import page, serving

VERBS = [["hash"], ["info"], ["solve"], ["verify", "-l", "1", "--lurd", "R"], ["bench", "solver", "--suite"]]


@pytest.mark.parametrize("kind", [KeyError, MemoryError, RecursionError])
@pytest.mark.parametrize(
    ("reader", "name", "content"),
    [
        ("packs.looks_like_pack", "broken.txt", f"{ONE_PUSH}\nbroken".encode()),
        ("packs.parse", "broken.txt", f"{ONE_PUSH}\nbroken".encode()),
        ("archives.find_members", "broken.zip", zipped({"x.txt": ONE_PUSH})),
        ("archives.read_member", "broken.zip", zipped({"broken.txt": ONE_PUSH})),
    ],
    ids=["looking", "parsing", "finding members", "unpacking"],
)
def test_a_reader_that_fails_costs_its_file_alone(
    command: Command, reader: str, name: str, content: bytes, kind: type[Exception]
) -> None:
    read: Callable[..., object] = resolve_name(f"sokoterm.store.{reader}")

    def fail(what: str | bytes, *others: object) -> object:
        if "broken" in str(what):
            raise kind("of the reader")
        return read(what, *others)

    command.monkeypatch.setattr(f"sokoterm.store.{reader}", fail)
    folder = command.file("packs/a.txt", ONE_PUSH).parent
    (folder / name).write_bytes(content)
    command.file("packs/c.txt", TWO_PUSHES)
    for verb in ("hash", "info", "add"):
        result = command(verb, folder, "--json")
        assert (result.status, result.out.count("\n"), result.err.count("\n")) == (2, 2, 1)
        (log,) = (command.folder / "xdg_state_home" / "sokoterm").iterdir()
        said = f"{folder}/{name}: cannot be read: internal error: see {log}\n"
        assert result.err == f"sokoterm: {said}"
        assert f"{kind.__name__}: " in log.read_text()
        log.unlink()


def test_an_interrupt_is_no_fault_of_a_file(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sokoterm.store.packs.parse", interrupt)
    assert command("hash", command.pack("a.txt", [ONE_PUSH])).status == 130


@pytest.mark.parametrize(
    "pack",
    [zipped({"a.txt": ONE_PUSH}), gzip.compress(ONE_PUSH.encode()), ONE_PUSH.encode()],
    ids=["zip", "gzip", "bare"],
)
def test_standard_input_and_addresses_may_be_packed(command: Command, pack: bytes) -> None:
    command.feed(pack)
    assert command("hash", "-", "--json").out.count("\n") == 1
    with serving(command.monkeypatch) as web:
        web.answers["/a"] = page(pack)
        assert command("hash", web.url("/a"), "--json").out.count("\n") == 1
        assert (
            command.refusal("hash", web.url("/b"))
            == f"{web.url('/b')}: cannot be read: the server answered 404 Not Found"
        )


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--max-file", "1"], "found more than 1 MB"),
        (["--encoding", "utf-16"], "utf-16"),
        (["--encoding", "ascii"], "found the byte 0xc3, expected text in ascii"),
    ],
)
def test_limits_and_encoding_of_every_verb(command: Command, verb: list[str], flags: list[str], said: str) -> None:
    path = command.file(
        "large.txt", f"{ONE_PUSH}\n\n" + "ü " * 350_000 + ("x" * 400_000 if "--max-file" in flags else "")
    )
    result = command(*verb, path, *flags)
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert result.err.startswith(f"sokoterm: {path}")
    assert said in result.err


def test_help_keeps_limits_in_a_group_of_their_own(command: Command) -> None:
    for verb in ([], ["hash"], ["bench", "solver"]):
        assert "\nlimits and encoding:\n  --max-file MB " in command(*verb, "--help").out


def test_moves_have_the_limit_of_files(command: Command, tmp_path: Path) -> None:
    pack = command.pack("a.txt", [ONE_PUSH])
    moves = tmp_path / "moves"
    with moves.open("wb") as file:
        file.truncate(1 << 40)
    assert command.refusal("verify", pack, "-l", "1", "--lurd-file", moves).startswith(
        f"{moves}: found more than 64 MB"
    )


def test_board_and_levels_have_limits(command: Command) -> None:
    pack = command.pack("a.txt", [ONE_PUSH, TWO_PUSHES])
    result = command("hash", pack, "--json", "--max-board", "5x9")
    assert (result.status, result.out.count("\n"), result.err.count("\n")) == (2, 1, 1)
    assert "found a board of 6x3 squares, expected at most 5x9" in result.err
    assert command("hash", pack, "--max-board", "6x3", "--max-levels", "2").status == 0
    result = command("hash", pack, "--max-levels", "1")
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "found more than 1 level (" in result.err


# The player

TITLED = f"Title: The {{}}\n\n{ONE_PUSH}\n"


@pytest.fixture
def starts(command: Command, monkeypatch: pytest.MonkeyPatch) -> Starts:
    return Starts(command, monkeypatch)


def test_the_player_opens_an_address(command: Command, starts: Starts, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch) as web:
        web.answers["/packs/one"] = page(zipped({"only.txt": TITLED.format("only")}))
        assert starts.play(["l", "q"], web.url("/packs/one")).status == 0
        assert "The only 1/1" in starts.pictures[0]
        assert "Enter packs" in starts.pictures[-1]
        assert command.refusal(web.url("/none")).endswith("cannot be read: the server answered 404 Not Found")


def test_limits_and_encoding_of_the_player(command: Command, starts: Starts) -> None:
    path, folder = command.folder / "pack.txt", command.folder / "packs"
    path.write_bytes(TITLED.format("\u7bb1").encode("gb18030"))
    folder.mkdir()
    for name, title in (("a", "\u7bb1"), ("b", "\u5b50")):
        (folder / f"{name}.txt").write_bytes(TITLED.format(title).encode("gb18030"))
    for given in (path, folder):
        assert starts.play([*["wait"] * 9, "q"], given, "--encoding", "gb18030").status == 0
        assert "The \u7bb1" in starts.pictures[-1]
    assert "found the byte 0xcf, expected text in utf-8" in command.refusal(path, "--encoding", "utf-8")
    with path.open("ab") as file:
        file.truncate(2 << 20)
    assert "found more than 1 MB" in command.refusal("play", path, "--max-file", "1")


def test_a_pack_without_a_level_to_play_is_named_once(command: Command, starts: Starts) -> None:
    result = starts.play((), command.file("bad.txt", "####\n#@$#\n####\n"))
    assert (result.status, result.err.count("\n"), "no readable level; the first: " in result.err) == (2, 1, True)
