"""``import sokoterm``: its names, and what they add to the parts below."""

import doctest
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import FunctionType
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sokoterm
from sokoterm import data_folder, library, searches
from sokoterm.engine.bits import Symmetry
from tests.unit.commands.command import ONE_PUSH, TWO_PUSHES, Command
from tests.unit.commands.conftest import command as command
from tests.unit.engine.drawn import letters, levels, paths, varied_levels

symmetries = st.sampled_from(sokoterm.SYMMETRIES)


NAMES: list[str] = getattr(sokoterm, "__all__")  # noqa: B009 - mypy knows the names, not their list


def test_the_names_are_documented() -> None:
    assert len(NAMES) == len(set(NAMES)) < 45
    classes_and_functions = [each for name in NAMES if isinstance(each := getattr(sokoterm, name), type | FunctionType)]
    assert all(each.__doc__ for each in classes_and_functions)
    assert doctest.testmod(library).failed == 0


def test_names_of_earlier_versions_are_found() -> None:
    assert [name for name in sokoterm.engine.__all__ if not hasattr(sokoterm, name)] == []
    assert {name: getattr(sokoterm, name) for name in library.EARLIER} == library.EARLIER
    level = sokoterm.Level.from_xsb(ONE_PUSH)
    assert level._replace(title="x") == level.replace(title="x")


def test_no_other_name_is_there_and_the_library_is_loaded_when_asked_for() -> None:
    with pytest.raises(AttributeError, match="module 'sokoterm' has no attribute 'Bitboards'"):
        getattr(sokoterm, "Bit" + "boards")
    script = "import sokoterm, sys; print('sokoterm.library' in sys.modules); print(sokoterm.__version__)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == ["False", sokoterm.__version__]


def _loaded(script: str) -> set[str]:
    """The modules that a script loads."""
    script = f"import sys\n{script}\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(result.stdout.splitlines()[-1].split())


def test_no_more_is_loaded_than_a_name_needs() -> None:
    level = {each for each in _loaded("from sokoterm import Level") if each.startswith("sokoterm.")}
    assert {each.split(".")[1] for each in level} == {"engine", "language", "position"}
    pack = _loaded("from sokoterm import Pack, Limits, Progress")
    assert "sokoterm.formats.text" in pack
    assert {"sokoterm.solver.registry", "sokoterm.commands", "sokoterm.wording", "argparse", "sqlite3"} & pack == set()
    made = _loaded("import sokoterm\nsokoterm.generate(size=(6, 6), boxes=2, nodes=500)")
    assert {"sokoterm.commands", "sokoterm.app", "argparse", "multiprocessing"} & made == set()


def test_a_verb_without_a_search_loads_none() -> None:
    searches = {"sokoterm.solver.strategies", "sokoterm.solver.registry", "sokoterm.tui", "multiprocessing"}
    for arguments in (["hash"], ["verify", "-l", "1", "--moves", "r"], ["info"]):
        loaded = _loaded(f"from sokoterm.cli import main\nassert main({arguments}) in (0, 1)")
        assert loaded & searches == set()


def test_the_names_are_found_by_dir_and_by_an_import_of_all() -> None:
    assert {*library.__all__, *searches.__all__, *data_folder.__all__} == {*NAMES} == {*dir(sokoterm)}
    script = "from sokoterm import *; print(Level.from_xsb('#####\\n#@$.#\\n#####').hash)"
    assert len(subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout.strip()) == 32


@given(levels | varied_levels(), symmetries, paths)
def test_a_turned_level_is_the_same_puzzle(level: sokoterm.Level, symmetry: Symmetry, steps: list[int]) -> None:
    lurd = letters([sokoterm.Direction(step) for step in steps])
    level = level.replace(title="a title", records=(sokoterm.Record("Solution", lurd), sokoterm.Record("2", "1-1l2")))
    turned = level.turned(symmetry)
    assert sokoterm.level_hash(turned) == sokoterm.level_hash(level)
    assert turned.title == "a title"
    back = turned.turned(symmetry.inverse)
    assert (back.board, back.start) == (level.board, level.start)
    assert back.records == level.records
    played, turned_played = (sokoterm.replay(each, each.records[0]) for each in (level, turned))
    assert turned_played.lurd == symmetry.moves(played.lurd)


def test_ragged_rows_lose_nothing_when_turned() -> None:
    level = sokoterm.Level.from_xsb("####\n#  ###\n#@$. #\n######")
    assert str(level.turned(Symmetry(True, False, False))) == "####\n# @#\n# $#\n##.#\n # #\n ###"
    assert level.rows[0] == "####"


def test_a_walk_of_ksokoban_is_turned_with_its_places() -> None:
    level = sokoterm.Level.from_xsb("#######\n#@ $ .#\n#     #\n#######")
    level = level.replace(records=(sokoterm.Record("", "2-1r2"),))
    solved = sokoterm.replay(level, level.records[0]).lurd
    for symmetry in sokoterm.SYMMETRIES:
        turned = level.turned(symmetry)
        assert sokoterm.replay(turned, turned.records[0]).lurd == symmetry.moves(solved)
        assert sokoterm.replay(turned, turned.records[0]).solution is not None


def test_a_pack_comes_back_from_its_file(tmp_path: Path) -> None:
    one, two = map(sokoterm.Level.from_xsb, (ONE_PUSH, TWO_PUSHES))
    pack = sokoterm.Pack("Made", (one, two.replace(number=2)))
    for suffix in (".xsb", ".sok", ".slc"):
        assert pack.save(tmp_path / f"made{suffix}") == ()
        again = sokoterm.Pack.load(tmp_path / f"made{suffix}")
        assert isinstance(again, sokoterm.Pack)
        assert (len(again), [each.board for each in again]) == (2, [each.board for each in pack])
    assert (tmp_path / "made.sok").read_bytes() == sokoterm.write(pack, "sok").data
    assert pack.save(tmp_path / "other", "slc") == ()
    assert (sokoterm.Pack.load(tmp_path / "other")[0], pack[-1].number) == (again[0], 2)
    with pytest.raises(sokoterm.UsageError, match=r"made.slc: already exists; overwrite=True replaces it"):
        pack[:1].save(tmp_path / "made.slc")
    assert pack[:1].save(tmp_path / "made.slc", overwrite=True) == ()
    assert [*sokoterm.Pack.load(tmp_path / "made.slc")] == [sokoterm.Pack.load(tmp_path / "made.slc")[0]]
    with pytest.raises(ValueError, match="other: found no format of this suffix, expected one of xsb"):
        pack.save(tmp_path / "other")
    with pytest.raises(ValueError, match="no such folder"):
        pack.save(tmp_path / "no such folder" / "made.xsb")
    with pytest.raises(sokoterm.PackError, match=r"found 3 packs, expected one|found 4 packs, expected one"):
        sokoterm.Pack.load(tmp_path)
    with pytest.raises(sokoterm.PackError, match="missing"):
        sokoterm.Pack.load(tmp_path / "missing.xsb")


def test_a_pack_is_a_sequence(tmp_path: Path) -> None:
    text = f"{ONE_PUSH}\n\n#####\n#@$?#\n#####\n\n{TWO_PUSHES}"
    pack = sokoterm.parse(text, "made.txt")
    assert (repr(pack), pack.size, len(pack), pack.errors[0].level) == ("Pack('made', 2 levels)", 3, 2, 2)
    assert [pack[0], pack[1]] == [*pack] == [*reversed([*reversed(pack)])] == [pack[-2], pack[-1]]
    assert (pack.index(pack[1]), pack[1].number, pack[1] in pack, pack[1] in pack[:1]) == (1, 3, True, False)
    assert {type(each) for each in (*pack, *pack[:1])} == {sokoterm.Level}
    assert [pack[::-1].find_level(number) for number in (1, 2, 3)] == [pack[0], None, pack[1]]
    assert (pack[:1].errors, repr(pack[:1])) == ((), "Pack('made', 1 level)")
    assert sokoterm.Pack("made", [*pack], pack.errors) == pack
    assert hash(pack.replace(title="x")) == hash(sokoterm.Pack("x", iter(pack), pack.errors))
    with pytest.raises(IndexError):
        pack[2]
    with pytest.raises(AttributeError, match=r"Pack.title never changes"):
        pack.title = "other"  # type: ignore[misc]
    archive = tmp_path / "empty.zip"
    with ZipFile(archive, "w"):
        pass
    with pytest.raises(sokoterm.PackError) as error:
        sokoterm.Pack.load(archive)
    assert type(error.value) is sokoterm.PackError


def test_errors_have_one_base() -> None:
    level = sokoterm.Level.from_xsb(ONE_PUSH)
    for call in (
        lambda: sokoterm.Level.from_xsb("x"),
        lambda: sokoterm.parse(ONE_PUSH.encode(), "one.txt", "nonsense"),
        lambda: sokoterm.parse(ONE_PUSH + "\ud800"),
        lambda: level.verify("x"),
        lambda: sokoterm.Position(level).play(["r"]),  # type: ignore[arg-type]
        lambda: sokoterm.Position(level, "llll"),
        lambda: sokoterm.solve(level, strategy="luck"),
        lambda: sokoterm.generate(seed=-1),
        lambda: sokoterm.write(sokoterm.Pack("", ()), "docx"),
        lambda: sokoterm.perft(level.board, level.start, -1),
    ):
        with pytest.raises(sokoterm.SokotermError) as error:
            call()
        assert isinstance(error.value, ValueError)
        assert type(error.value).__name__ in NAMES


def test_a_pack_that_was_parsed_can_be_saved(tmp_path: Path) -> None:
    pack: sokoterm.Pack = sokoterm.parse(ONE_PUSH.encode(), "one.txt")
    assert pack.save(tmp_path / "one.slc") == ()
    assert str(sokoterm.Pack.load(tmp_path / "one.slc").levels[0]) == str(pack.levels[0])
    with pytest.raises(sokoterm.LevelError, match=r"one.txt: found the encoding 'nonsense'"):
        sokoterm.parse(ONE_PUSH.encode(), "one.txt", "nonsense")


def test_generate_makes_the_levels_of_the_command(command: Command) -> None:
    written = command("generate", "--seed", "3", "--count", "2", "--size", "6x6", "--boxes", "2", "--nodes", "500")
    made = sokoterm.generate(seed=3, count=2, size=(6, 6), boxes=2, nodes=500)
    assert sokoterm.write(made, "xsb").data.decode() == written.out


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"boxes": 9}, "found --boxes 9, expected 2 to 8"),
        ({"size": (4, 4)}, "expected at least"),
        ({"difficulty": "none"}, "difficulty: found 'none'"),
        ({"variant": "glass"}, "variant: found 'glass', expected one of colors"),
        ({"variant": "both", "difficulty": "easy"}, "cannot be combined"),
        ({"count": 0}, "count: "),
        ({"nodes": -1}, "nodes: "),
        ({"difficulty": 7000}, "difficulty: found '7000', expected"),
        ({"seed": -1}, "seed: "),
    ],
)
def test_generate_refuses_what_the_command_refuses(given: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        sokoterm.generate(**given)  # type: ignore[arg-type]


def _private_in(value: object, path: str = "") -> Iterator[str]:
    """Where a value that a program can come to is of a class that has no public name."""
    kind = type(value)
    is_ours = kind.__module__.partition(".")[0] == "sokoterm"
    if is_ours and getattr(sokoterm, kind.__name__, None) is not kind:
        yield f"{path}: {kind.__module__}.{kind.__name__}"
    if path.count(".") > 4 or isinstance(value, Enum):
        return
    if is_ours:
        for name in dir(value):
            if not name.startswith("_") and not callable(each := getattr(value, name)):
                yield from _private_in(each, f"{path}.{name}")
    if isinstance(value, dict | list | tuple | set | sokoterm.Pack):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _private_in(each, f"{path}.{kind.__name__}")


def test_no_private_class_comes_out_of_a_public_call() -> None:
    one, dead = sokoterm.Level.from_xsb(ONE_PUSH), sokoterm.Position("#####\n#@ .#\n#$  #\n#####")
    evening = sokoterm.Pack.load("levels/one-evening.txt")[:1]
    colored = sokoterm.Pack.load("levels/variants-ice-and-colours.txt")[0]
    position = sokoterm.Position(one, "r")
    told = list[object]()
    results: list[object] = [
        *(one, colored, one.turned(sokoterm.SYMMETRIES[5]), one.replace(title="x"), one.verify("r"), one.difficulty()),
        *(position, position.copy(), position.solution, dead, dead.legal_pushes, dead.deadlock(), dead.deadlock(True)),
        *(dead.reach((2, 1)), dead.legal_moves, evening, evening[0], evening.find_level(1), evening.replace(title="x")),
        *(sokoterm.parse(f"{ONE_PUSH}\n\n#####\n#@$ #\n#####\n\n{ONE_PUSH}?"), sokoterm.write(evening, "slc")),
        *(sokoterm.solve(evening[0], progress=told.append), sokoterm.optimize(one, "r")),
        sokoterm.generate(3, size=(6, 6), boxes=2, nodes=500, progress=told.append),
        *sokoterm.Library("levels").find("boxes:1"),
    ]
    library = sokoterm.Library("levels")
    came = one.replace(records=(sokoterm.Record("", "r"),))
    results += [library, library.progress(one), *library.known_solutions(came)]
    with sokoterm.solving(colored) as running:
        told += running
    assert sorted({*_private_in([*results, *told])}) == []


def test_the_program_starts_without_the_library() -> None:
    start = [sys.executable, "-X", "importtime", "-m", "sokoterm", "--version"]
    told = subprocess.run(start, capture_output=True, text=True, check=True, timeout=60).stderr
    assert "sokoterm.cli" in told
    assert "sokoterm.library" not in told
