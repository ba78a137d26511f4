"""The programs in examples/ run, and print what they are to."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import sokoterm

PROJECT = Path(__file__).parents[1]
PACK = "levels/first-steps.txt"


def run(name: str, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Run a program in the checkout; return its names."""
    monkeypatch.chdir(PROJECT)
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    return SimpleNamespace(**runpy.run_path(f"examples/{name}.py", run_name="__main__"))


def test_the_random_player_solves_a_level(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run("random_player", monkeypatch=monkeypatch)
    told, lurd = capsys.readouterr().out.splitlines()
    assert told.startswith("solved at attempt ")
    assert sokoterm.Pack.load(PACK)[24].verify(lurd).pushes > 0


def test_the_solver_finds_as_few_pushes_as_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    strategy = run("own_solver", PACK, "5", monkeypatch=monkeypatch).breadth_first
    assert capsys.readouterr().out.splitlines()[-1].startswith("3 pushes, ")
    for level in sokoterm.Pack.load(PACK)[:12]:
        solution, outcome = sokoterm.solve(level, seconds=20, strategy="astar")
        own = sokoterm.solve(level, seconds=20, strategy=strategy).solution
        assert outcome.optimal == "pushes"
        assert (own and own.pushes) == (solution and solution.pushes)
    stuck = sokoterm.Level.from_xsb("######\n#@   #\n#$$ .#\n#   .#\n######")
    assert sokoterm.solve(stuck, strategy=strategy).outcome.status == "unsolvable"


def test_the_plot_counts_positions(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run("branching", PACK, "5", monkeypatch=monkeypatch)
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["0", "1"],
        ["1", "2"],
        ["2", "2"],
        ["3", "1"],
    ]


def test_duplicates_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = sokoterm.Pack.load(PROJECT / PACK)
    turned = tmp_path / "turned.sok"
    pack[:2].replace(levels=tuple(level.turned(sokoterm.SYMMETRIES[5]) for level in pack[:2])).save(turned)
    run("duplicates", PACK, str(turned), "nowhere", monkeypatch=monkeypatch)
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        f"{PACK} 1 A push = {turned} 1 A push",
        f"{PACK} 2 Round behind it = {turned} 2 Round behind it",
        "32 puzzles in 34 levels",
    ]
    assert told.err == "nowhere: cannot be read: No such file or directory\n"


@pytest.mark.filterwarnings("ignore:.*environment not having a spec")
def test_the_environment_is_as_gymnasium_wants_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    environment = run("gymnasium_environment", monkeypatch=monkeypatch).SokobanEnvironment
    assert capsys.readouterr().out.startswith("solved in episode ")
    checker.check_env(environment(sokoterm.Pack.load(PACK)[0], render_mode="ansi"))
    played = environment(sokoterm.Level.from_xsb("#####\n#@$.#\n#####"))
    board, _ = played.reset()
    assert board.tolist() == [[1, 1, 1, 1, 1], [1, 5, 3, 2, 1], [1, 1, 1, 1, 1]]
    assert played.step(0)[1:4] == (-0.1, False, False)
    assert played.step(1)[1:4] == (pytest.approx(10.9), True, False)
