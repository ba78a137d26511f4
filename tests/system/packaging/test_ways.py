"""The ways to run sokoterm other than from a checkout, what Windows lacks, and what the release says of itself."""

import fcntl
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sokoterm import __version__
from sokoterm.pictures import SKINS
from tests.slow import others_slow
from tests.system.terminal.screen import Screen

PROJECT = Path(__file__).parents[3]
METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
ADDRESS = METADATA["urls"]["Source"]
PACKS = sorted(path.name for path in (PROJECT / "levels").glob("*.txt"))
PAGES = sorted(path.name for path in (PROJECT / "docs").glob("*.md"))

# Those who build a wheel call the backend like this (PEP 517 and PEP 660).
BUILD = "import sys; from hatchling import build; print(getattr(build, sys.argv[1])(sys.argv[2]))"


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """Standard output of a command that must end well, run where no checkout is in reach."""
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "SOKOTERM", "XDG"))}
    result = subprocess.run(command, cwd=folder, env=environ | environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def build(kind: str, project: Path, folder: Path, **environment: str) -> Path:
    """A wheel or source archive, built from ``project`` without going to the network."""
    return folder / run([sys.executable, "-c", BUILD, kind, folder], project, **environment).split()[-1]


def install(wheel: Path, folder: Path) -> Path:
    """The Python of a fresh environment that holds nothing but a wheel."""
    run([sys.executable, "-m", "venv", "--without-pip", folder], wheel.parent)
    python = folder / "bin" / "python"
    run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps", wheel], folder)
    return python


Once = Callable[[str, Callable[[Path], Path]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Makes something in a folder of its own, by its name: once for all processes of the tests."""
    base = tmp_path_factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make_once(name: str, make: Callable[[Path], Path]) -> Path:
        with (root / f"{name}.lock").open("a+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.seek(0)
            made = lock.read()
            if not made:
                folder = root / name
                folder.mkdir(exist_ok=True)
                made = str(make(folder))
                lock.write(made)
        return Path(made)

    return make_once


@pytest.fixture(scope="session")
def wheel(once: Once) -> Path:
    return once("wheel", lambda folder: build("build_wheel", PROJECT, folder))


@pytest.fixture(scope="session")
def installed(once: Once, wheel: Path) -> Path:
    """The Python of an environment with the wheel."""
    return once("installed", lambda folder: install(wheel, folder / "venv"))


def test_the_wheel_has_a_manual_page_and_completions(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shared = {name.partition("/data/share/")[2]: name for name in archive.namelist() if "/data/share/" in name}
        assert {*shared} == {
            "bash-completion/completions/sokoterm",
            "fish/vendor_completions.d/sokoterm.fish",
            "man/man1/sokoterm.1",
            "zsh/site-functions/_sokoterm",
        }
        assert b".TH SOKOTERM 1" in archive.read(shared["man/man1/sokoterm.1"])


@pytest.fixture(scope="session")
def bundle(once: Once) -> Path:
    return once("bundle", bundled)


def bundled(folder: Path) -> Path:
    run([sys.executable, "-m", "sokoterm.bundle", folder / "sokoterm.pyz"], PROJECT)
    return folder / "sokoterm.pyz"


@pytest.fixture(params=others_slow(["wheel", "bundle", "editable"], 2), scope="session")
def way(request: pytest.FixtureRequest, once: Once) -> list[str | Path]:
    """The command that starts sokoterm, to be run in another folder."""
    match request.param:
        case "editable":

            def make(folder: Path) -> Path:
                return install(build("build_editable", PROJECT, folder), folder / "venv")

            return [once("editable", make).parent / "sokoterm"]
        case "wheel":
            return [request.getfixturevalue("installed").parent / "sokoterm"]
        case _:
            return [sys.executable, "-I", request.getfixturevalue("bundle")]


def test_finds_the_bundled_packs(way: list[str | Path], tmp_path: Path) -> None:
    found = run([*way, "hash", "--json"], tmp_path, HOME=str(tmp_path)).splitlines()
    assert sorted({os.path.basename(json.loads(line)["pack"]) for line in found}) == PACKS


def test_plays_a_level_after_one_key(way: list[str | Path], tmp_path: Path) -> None:
    with Screen([str(word) for word in way], tmp_path, environ={"PYTHONPATH": ""}) as screen:
        screen.wait_for("First Steps")
        screen.type("\r", "moves 0")
        screen.leave()


def test_solves_in_processes(way: list[str | Path], tmp_path: Path) -> None:
    solved = run([*way, "solve", "--json", "-l", "1-2", "--jobs", "2"], tmp_path)
    assert [json.loads(line)["status"] for line in solved.splitlines()] == ["solved"] * 2


def test_draws_with_the_skins_that_ship(way: list[str | Path], tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("#####\n#@$.#\n#####\n", "utf-8")
    for skin in SKINS:
        run([*way, "replay", "one.txt", "-l", "1", "--png", f"{skin}.png", "--skin", skin], tmp_path)
        assert (tmp_path / f"{skin}.png").read_bytes().startswith(b"\x89PNG")


def test_prints_a_page_of_help(way: list[str | Path], tmp_path: Path) -> None:
    listed = [line.split()[0] for line in run([*way, "help"], tmp_path).splitlines() if line.startswith("  ")]
    assert sorted(f"{topic}.md" for topic in listed) == PAGES
    assert run([*way, "help", "solver"], tmp_path).startswith("How the solver works\n====")


def test_wheel_holds_the_package_its_levels_and_documents_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"sokoterm"}
    assert sorted(Path(name).name for name in names if name.startswith("sokoterm/levels/")) == PACKS
    assert sorted(Path(name).name for name in names if name.startswith("sokoterm/docs/")) == PAGES
    assert "sokoterm/py.typed" in names
    assert not [name for name in names if "__pycache__" in name]


def test_archive_and_wheel_are_the_same_every_time(wheel: Path, tmp_path: Path) -> None:
    (again := tmp_path / "again").mkdir()
    odd = {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"}
    archive = build("build_sdist", PROJECT, tmp_path)
    assert build("build_sdist", PROJECT, again, **odd).read_bytes() == archive.read_bytes()
    run([sys.executable, "-m", "tarfile", "-e", archive, tmp_path], tmp_path)
    source = tmp_path / archive.name.removesuffix(".tar.gz")
    assert build("build_wheel", source, again, **odd).read_bytes() == wheel.read_bytes()


def test_bundle_runs_by_itself_and_holds_no_more_than_it_needs(bundle: Path, tmp_path: Path) -> None:
    assert run([bundle, "--version"], tmp_path).startswith("sokoterm ")
    with zipfile.ZipFile(bundle) as archive:
        names = archive.namelist()
    assert names == sorted(names)
    assert {name.split("/")[0] for name in names} == {"__main__.py", "__main__.pyc", "sokoterm"}
    assert {Path(name).suffix for name in names} == {".py", ".pyc", ".typed", ".toml", ".txt", ".md", ".mo"}


def test_bundle_from_an_installed_package_is_the_same(installed: Path, bundle: Path, tmp_path: Path) -> None:
    run([installed, "-m", "sokoterm.bundle", "installed.pyz"], tmp_path)
    assert bundle.read_bytes() == (tmp_path / "installed.pyz").read_bytes()


def test_bundle_is_the_same_every_time_and_opens_no_file_that_lies_in_wait(bundle: Path, tmp_path: Path) -> None:
    """A link under the name that the unfinished file would have."""
    out, precious = tmp_path / "out.pyz", tmp_path / "precious"
    precious.write_bytes(b"precious")
    (tmp_path / "out.pyz.part").symlink_to(precious)
    run([sys.executable, "-m", "sokoterm.bundle", out], PROJECT, PYTHONHASHSEED="1", TZ="Asia/Tokyo")
    assert (out.read_bytes(), out.stat().st_mode & 0o777) == (bundle.read_bytes(), 0o755)
    assert precious.read_bytes() == b"precious"
    assert sorted(os.listdir(tmp_path)) == ["out.pyz", "out.pyz.part", "precious"]


@pytest.mark.parametrize("arguments", others_slow([["no/such/folder/x.pyz"], [], ["."]]))
def test_bundle_says_in_one_line_what_is_wrong(arguments: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sokoterm.bundle", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


def test_every_module_is_imported_and_a_level_played_without_what_windows_lacks(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.system.packaging.without_posix", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    count, _, picture = done.stdout.partition(" modules\n")
    assert int(count) > 100
    assert "level solved" in picture
    assert "Solved in 2 pushes, 3 moves, your first solution" in picture


def test_the_page_of_the_package_leads_to_the_files_of_its_version(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        page = archive.read(f"sokoterm-{__version__}.dist-info/METADATA").decode()
    links = re.findall(r"(!?)\[[^]]*\]\(([^)]*)\)", page.partition("\n\n")[2])
    assert ("!", f"{ADDRESS}/raw/v{__version__}/docs/replay.svg") in links
    assert ("", f"{ADDRESS}/blob/v{__version__}/docs/levels-and-formats.md#more-levels") in links
    assert [link for _, link in links if not link.startswith("https://")] == []


def test_the_address_of_the_repository_is_in_the_project_file_and_in_the_line_that_clones_it() -> None:
    """Someone else's copy changes two files."""
    suffixes = {".md", ".py", ".pyi", ".toml", ".yml"}
    files = [path for path in PROJECT.glob("[!.]*/**/*.*") if path.suffix in suffixes]
    files += [path for path in (*PROJECT.glob("*.*"), *PROJECT.glob(".github/**/*.yml")) if path.suffix in suffixes]
    texts = {path.relative_to(PROJECT).as_posix(): path.read_text("utf-8") for path in files}
    assert {name: text.count(ADDRESS) for name, text in texts.items() if ADDRESS in text} == {
        "pyproject.toml": len(METADATA["urls"]),
        "README.md": texts["README.md"].count(f"git clone {ADDRESS} &&"),
    }


def test_the_changelog_begins_with_the_version_of_the_tree_and_dates_the_others() -> None:
    headings = re.findall(r"^## (.*)$", (PROJECT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert re.fullmatch(rf"{re.escape(__version__)} \((not released yet|\d{{4}}-\d\d-\d\d)\)", headings[0])
    assert [heading for heading in headings[1:] if not re.fullmatch(r"[\d.]+ \(\d{4}-\d\d-\d\d\)", heading)] == []


def test_the_checks_run_on_each_python_that_is_named() -> None:
    checks = (PROJECT / ".github" / "workflows" / "checks.yml").read_text("utf-8")
    named = [each.rpartition(" ")[2] for each in METADATA["classifiers"] if ":: Python :: 3." in each]
    assert re.findall(r'"(3\.\d+)"', checks) == named
    assert METADATA["requires-python"] == f">={named[0]}"


def test_nothing_is_needed_but_python() -> None:
    assert METADATA["dependencies"] == ["windows-curses; sys_platform == 'win32'"]
