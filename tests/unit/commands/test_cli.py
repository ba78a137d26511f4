"""What holds for every verb: help, errors in one line, exit status, quiet ends."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path

import pytest

from sokoterm import __version__
from sokoterm.app.options import PlayOptions, Series
from sokoterm.cli import main
from sokoterm.commands.support import workers
from sokoterm.commands.support.search import Request, search_levels
from sokoterm.engine.level import Level
from sokoterm.generator.recipes import floor_recipe
from sokoterm.solver.registry import STRATEGIES
from sokoterm.solver.search import Limits
from sokoterm.store.settings import Settings
from tests.slow import slow
from tests.unit.app.generated import made_once
from tests.unit.commands.command import MODULE, ONE_PUSH, STUCK, TWO_PUSHES, WIDE, Command


def has_one_line(text: str) -> bool:
    return text.count("\n") == 1 and text.startswith("sokoterm: ")


def test_version(command: Command) -> None:
    assert command("--version") == (0, f"sokoterm {__version__}\n", "")


@pytest.mark.parametrize("verb", ["hash", "info", "convert"])
def test_a_range_of_levels_may_go_beyond_all_packs(command: Command, verb: str) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES, STUCK])
    flags = ["--to", "xsb"] if verb == "convert" else ["--json"]
    result = command(verb, pack, *flags, "-l", "2-999999999")
    assert (result.status, result.out) == (2, command(verb, pack, *flags, "-l", "2-3").out)
    assert result.err == f"sokoterm: {pack}: the pack has only 3 levels, so there is no level 4-999999999\n"


@pytest.mark.parametrize("verb", ["hash", "info", "solve", "optimize", "duplicates", "convert --to xsb", "list --in"])
def test_what_cannot_be_read_is_said_and_the_rest_done(command: Command, verb: str) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, "####\n#@x#\n####", TWO_PUSHES])
    result = command(*verb.split(), "nowhere.txt", pack)
    assert (result.status, "C" in result.out or "2 levels, 2 distinct" in result.out) == (2, True)
    missing, unreadable, *_ = result.err.splitlines()
    assert "nowhere.txt" in missing
    assert f"{pack}, line 10, column 3, level 2" in unreadable
    assert "'x'" in unreadable


def test_levels_are_chosen_in_each_pack_or_in_all(command: Command) -> None:
    one = command.pack("one.txt", [ONE_PUSH, TWO_PUSHES])
    two = command.pack("two.txt", [ONE_PUSH, TWO_PUSHES])

    def chosen(*arguments: str) -> list[object]:
        return [each["level"] for each in command("hash", *arguments, "--json").objects]

    names = str(one), str(two)
    assert chosen(names[0], "-l", "1", names[1], "-l2") == [1, 2]
    assert chosen(names[0], "--level=1-2", names[1], "--level", "2") == [1, 2, 2]
    for everywhere in ([*names, "-l", "2"], ["-l", "2", *names], ["-l", "2", "--", *names]):
        assert chosen(*everywhere) == [2, 2]
    for bad in ("-l 1 {} -l 2 {}", "{} -l 1 {}", "{} {} -l 1 -l 2", "{} -l 1 -l 2", "-l 1 -l 2 {}"):
        assert "use -l once for all packs" in command.refusal("hash", *bad.format(*names).split())


def test_a_level_that_is_given_twice_where_one_is_taken_is_refused(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH] * 3)
    for verb in (["verify", "--moves", "R"], ["deadlock"], ["play"], []):
        result = command(*verb, pack, "-l", "1", "--level=2")
        problem = "the pack has 2 levels: choose one with -l N"
        said = f"sokoterm: {problem} ({' '.join(['sokoterm', *verb[:1]])} --help explains)\n"
        assert result == (2, "", said)


def test_levels_that_are_not_there_are_named(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH] * 3)
    result = command("hash", "--json", "-l", "3-5,9", pack)
    assert (result.status, [each["level"] for each in result.objects]) == (2, [3])
    assert has_one_line(result.err)
    assert "4-5, 9" in result.err


def test_text_from_files_is_made_printable(command: Command) -> None:
    path = command.file("levels.txt", f"; Red \x1b[31malert\x07\n\n{ONE_PUSH}\n")
    for verb in ("hash", "info", "solve", "duplicates"):
        out = command(verb, path, path).out
        assert "alert" in out
        assert "\x1b" not in out
        assert "\x07" not in out


def test_titles_that_the_locale_has_no_letters_for() -> None:
    pack = f"; 倉庫番\n\n{ONE_PUSH}\n"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [*MODULE, "hash", "-"], input=pack.encode(), capture_output=True, env=environment, check=False
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert rb"\u5009" in result.stdout


def test_without_a_crash_log_the_fault_itself_is_told_and_why_there_is_none(command: Command) -> None:
    def fail(_arguments: list[str]) -> int:
        raise UnicodeEncodeError("utf-8", "\udce9", 0, 1, "surrogates not allowed")

    command.monkeypatch.setattr("sokoterm.commands.hash.run", fail)
    command.monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/state")
    result = command("hash")
    assert result.status == 70
    assert has_one_line(result.err)
    assert "internal error: UnicodeEncodeError: 'utf-8' codec can't encode character '\\udce9'" in result.err
    assert re.search(r"\(no details: /dev/null/state/\S+\.log: cannot be written: Not a directory\)", result.err)


def test_fault_of_the_program_goes_to_the_crash_log_in_any_letters(command: Command) -> None:
    def fail(_arguments: list[str]) -> int:
        raise RuntimeError("caf\udce9")

    command.monkeypatch.setattr("sokoterm.commands.hash.run", fail)
    result = command("hash")
    assert (result.status, has_one_line(result.err)) == (70, True)
    log = Path(result.err.split()[-1])
    assert log.is_relative_to(command.folder)
    assert r"RuntimeError: caf\udce9" in log.read_text("utf-8")


def test_reader_that_goes_away_ends_quietly(tmp_path: Path) -> None:
    pack = tmp_path / "levels.txt"
    pack.write_text("\n\n".join([ONE_PUSH] * 3000), "ascii")
    with subprocess.Popen([*MODULE, "hash", pack], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 128 + signal.SIGPIPE


def test_a_fault_stands_between_the_packs_before_it_and_after_it(tmp_path: Path) -> None:
    for name in ("a.txt", "c.txt"):
        (tmp_path / name).write_text(ONE_PUSH, "ascii")
    arguments = [*MODULE, "hash", "a.txt", "b.txt", "c.txt"]
    environment = {**os.environ, "PYTHONPATH": os.getcwd(), "PYTHONUNBUFFERED": ""}
    merged = ["sh", "-c", 'exec "$@" 2>&1', "sh", *arguments]
    run = subprocess.run(merged, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert [line.split(".txt")[0].split()[-1] for line in run.stdout.splitlines()[1:]] == ["a", "b", "c"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_full_disk_is_one_line(tmp_path: Path) -> None:
    pack = tmp_path / "levels.txt"
    pack.write_text(ONE_PUSH, "ascii")
    with open("/dev/full", "wb") as full:
        result = subprocess.run([*MODULE, "hash", pack], stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert result.returncode == 2
    assert has_one_line(result.stderr)


def test_closed_stdout_is_no_fault(tmp_path: Path) -> None:
    pack = tmp_path / "levels.txt"
    pack.write_text(STUCK, "ascii")
    script = f'exec "{sys.executable}" -m sokoterm solve "$1" >&-'
    result = subprocess.run(["sh", "-c", script, "sh", pack], stderr=subprocess.PIPE, check=False)
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.parametrize(
    ("sent", "jobs"), [(signal.SIGINT, "2"), (signal.SIGTERM, "1"), slow(signal.SIGINT, "1"), slow(signal.SIGTERM, "2")]
)
def test_signals_end_a_search_and_its_processes(tmp_path: Path, jobs: str, sent: signal.Signals) -> None:
    pack = tmp_path / "levels.txt"
    pack.write_text(f"{ONE_PUSH}\n\n{WIDE}\n\n{WIDE}", "ascii")
    arguments = [*MODULE, "solve", str(pack), "--strategy", "bfs", "--json", "--jobs", jobs]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert b'"solved"' in process.stdout.readline()
        os.killpg(process.pid, sent)
        out, err = process.communicate(timeout=30)
    assert (out, err) == (b"", b"")
    assert process.returncode in (128 + sent, -sent)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize(("sent", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
def test_a_signal_that_comes_while_something_is_freed_ends_a_search(
    monkeypatch: pytest.MonkeyPatch, sent: signal.Signals, raised: type[BaseException]
) -> None:
    """What is raised while Python frees something goes no further."""

    class Freed:
        def __del__(self) -> None:
            signal.raise_signal(sent)

    def freeing(connections: list[Connection], seconds: float) -> Sequence[object]:
        Freed()
        return wait(connections, seconds)

    monkeypatch.setattr(workers, "wait", freeing)
    request = Request("bfs", STRATEGIES["bfs"], Limits(20.0, 50_000, 50_000, time.monotonic))
    with pytest.raises(raised):
        list(search_levels([(Level.from_xsb(WIDE), request)], 1))


@pytest.mark.parametrize("flags", [[], ["--theme", "ascii"]])
def test_a_pack_and_a_level_are_opened_without_a_parser_or_what_they_may_not_need(flags: list[str]) -> None:
    arguments = [*flags, "no-such-pack", "-l", "3"]
    script = f"import sys\nfrom sokoterm.cli import main\nmain({arguments})\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    heavy = {"concurrent.futures", "hashlib", "json", "logging", "multiprocessing", "pathlib", "tempfile", "threading"}
    heavy |= {"argparse", "zipfile", "sokoterm.commands.support.levels", "sokoterm.commands.bench"}
    heavy |= {"sokoterm.solver.strategies.best_first", "sokoterm.solver.strategies.bfs"}
    assert heavy & set(result.stdout.split()) == set()
    assert result.stderr.startswith("sokoterm: no-such-pack: no such verb or file")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[PlayOptions]:
    """The options by which the player was opened, who leaves at once."""
    options: list[PlayOptions] = []

    def open_player(given: PlayOptions, *, may_be_verb: bool) -> int:
        assert may_be_verb
        options.append(given)
        return 0

    monkeypatch.setattr("sokoterm.commands.play.open_player", open_player)
    monkeypatch.setattr("sokoterm.commands.support.opening.open_player", open_player)
    return options


def test_a_level_without_a_parser_is_the_same_as_with_one(opened: list[PlayOptions]) -> None:
    for arguments in (["a", "-l", "3"], ["a", "--level", "3"], ["-l", "3", "a"], ["a", "--level=3"]):
        assert main(arguments) == 0
    assert opened == [PlayOptions(("a",), 3)] * 4
    assert main(["--theme", "unicode", "a", "-l", "3"]) == main(["a", "-l", "3", "--theme", "unicode"]) == 0
    assert opened[4:] == [PlayOptions(("a",), 3, Settings(theme="unicode"))] * 2


def test_packs_alone_are_played_as_by_the_flags_left_out(opened: list[PlayOptions]) -> None:
    assert main(["a.txt", "b"]) == main(["a.txt", "b", "-l", "1"]) == 0
    assert opened == [PlayOptions(("a.txt", "b")), PlayOptions(("a.txt", "b"), 1)]


def test_each_flag_of_a_setting_reaches_the_player(opened: list[PlayOptions]) -> None:
    flags = "--ascii --cell 1 --no-color --keys vi --no-mouse --animation 7 --slow-link --plain"
    assert main(flags.split()) == 0
    assert opened[0].settings == Settings("ascii", 1, False, "vi", False, 7, None, True, True)


def test_runs_and_days_begin_by_their_verbs(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Series | None] = []

    def open_player(options: PlayOptions) -> int:
        begun.append(options.series)
        return 0

    for verb in ("descend", "daily"):
        monkeypatch.setattr(f"sokoterm.commands.{verb}.open_player", open_player)
    assert main(["descend", "--seed", "7"]) == main(["daily", "2026-11-20"]) == 0
    assert begun == [Series(True, 7), Series(False, 324)]


# A harmless call of each verb that needs no terminal.
CALLS = {
    "daily": ["--print", "2026-11-20"],
    "descend": ["--runs"],
    "add": ["PACK"],
    "solve": ["PACK"],
    "optimize": ["PACK"],
    "verify": ["PACK", "-l", "1", "--moves", "R"],
    "hash": ["PACK"],
    "duplicates": ["PACK"],
    "convert": ["PACK", "--to", "xsb"],
    "generate": ["--boxes", "2", "--nodes", "500"],
    "info": ["PACK"],
    "progress": ["export", "-"],
    "replay": ["PACK", "-l", "1", "--moves", "R", "--print"],
    "reach": ["PACK", "-l", "1", "--box", "2,3"],
    "deadlock": ["PACK", "-l", "1", "--moves", "R"],
    "keys": [],
    "help": [],
}


@pytest.mark.parametrize("verb", CALLS)
def test_every_verb_takes_a_data_dir(command: Command, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    monkeypatch.setattr("sokoterm.generator.make.made_by", lambda *_: made_once(floor_recipe(7, 1)))
    pack = str(command.pack("levels.txt", [ONE_PUSH]))
    given = [pack if argument == "PACK" else argument for argument in CALLS[verb]]
    result = command(verb, *given, "--data-dir", command.folder / "data")
    assert result.err == ""
    assert result.status == (1 if verb == "deadlock" else 0)


@pytest.mark.parametrize("verb", ["solve", "hash", "info"])
def test_a_level_number_alone_is_one_of_first_steps(command: Command, verb: str) -> None:
    assert [each["title"] for each in command(verb, "-l", "1-2", "--json").objects] == ["A push", "Round behind it"]
