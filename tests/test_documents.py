"""The documents say what the program does: key tables, verbs, flags, examples, links and paths."""

import doctest
import os
import re
import shlex
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic, sleep
from types import FrameType

import pytest

import sokoterm
from sokoterm.app.keymap import (
    BROWSER,
    EDITOR,
    IMPROVE,
    PLANNER,
    PLAY,
    REPLAY,
    REVERSE,
    SOLVER,
    HelpLine,
    help_lines,
)
from sokoterm.app.solver import Solver
from sokoterm.cli import main
from sokoterm.commands import VERBS
from sokoterm.commands.support.remap import keys_in_force
from sokoterm.formats.registry import FORMATS
from sokoterm.generator.recipes import floor_recipe
from sokoterm.solver.search import game_limits
from sokoterm.store.packs import find_packs, open_pack
from sokoterm.store.settings import Settings, read_config
from sokoterm.tui.widgets.theme import THEMES, read_looks
from tests.bench import BENCHES
from tests.unit.app.generated import made_once
from tests.unit.tui.conftest import room_for_searches as room_for_searches
from tests.unit.tui.fake_terminal import play

PROJECT = Path(__file__).parents[1]
PUSHES = "#######\n#@$  .#\n# $ . #\n#     #\n#######\n"
DOCUMENTS = [
    PROJECT / "README.md",
    PROJECT / "CHANGELOG.md",
    PROJECT / "CONTRIBUTING.md",
    PROJECT / "SECURITY.md",
    *sorted((PROJECT / "docs").rglob("*.md")),
]


def text_of(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


README, CONTRIBUTING = text_of("README.md"), text_of("CONTRIBUTING.md")
PLAYING, COMMANDS = text_of("docs/playing.md"), text_of("docs/commands.md")


def examples_in(text: str) -> list[list[str]]:
    """The arguments of each example in the tables of verbs."""
    return [shlex.split(each)[1:] for each in re.findall(r"^\| .* \| `(sokoterm .*)` \|$", text, re.MULTILINE)]


MENTIONED = sorted(
    {
        mention
        for document in DOCUMENTS
        for mention in re.findall(
            r"(?<!`)`((?:python3 -m )?sokoterm [^`]*)`(?!`)", document.read_text(encoding="utf-8")
        )
    }
)


_KEYS = {
    "playing": help_lines(PLAY),
    "push planner": help_lines(PLANNER),
    "replay": help_lines(REPLAY),
    "solver": help_lines(SOLVER),
    "improve": help_lines(IMPROVE),
    "browser": help_lines(BROWSER),
    "editor": help_lines(EDITOR),
    "reverse play": help_lines(REVERSE),
}
# Told once: the keys of all screens, and those of all but the push planner.
_ON_ALL = [line for line in _KEYS["playing"] if all(line in lines for lines in _KEYS.values())]
_ON_MOST = [
    line
    for line in _KEYS["playing"]
    if line not in _ON_ALL and all(line in lines for heading, lines in _KEYS.items() if heading != "push planner")
]


@pytest.mark.parametrize(
    ("heading", "lines"),
    [
        ("every screen", _ON_ALL),
        ("every screen except the push planner", _ON_MOST),
        *((screen, [line for line in lines if line not in _ON_ALL + _ON_MOST]) for screen, lines in _KEYS.items()),
        ("strategy or figure of a search", SOLVER.legend),
        ("mark in a list", BROWSER.legend),
    ],
)
def test_the_tables_of_keys_figures_and_marks_are_those_of_the_program(heading: str, lines: Sequence[HelpLine]) -> None:
    """One that differs is written anew, to be looked at."""
    page = PROJECT / "docs" / "playing.md"
    text = page.read_text(encoding="utf-8")
    start = text.index(f"| {heading} | |\n")
    end = text.index("\n\n", start)
    table = "\n".join([f"| {heading} | |", "|---|---|", *(f"| `{line.keys}` | {line.text} |" for line in lines)])
    if text[start:end] != table:
        page.write_text(text[:start] + table + text[end:], encoding="utf-8")
        pytest.fail(f"the table of {heading} in docs/playing.md has been written anew: look at the diff")


def test_the_readme_has_ten_keys_as_the_program_has_them() -> None:
    table = README[README.index("| key | |") :].split("\n\n")[0]
    rows = table.splitlines()[2:]
    assert len(rows) == 10
    assert set(rows) <= {f"| `{line.keys}` | {line.text} |" for line in help_lines(PLAY)}


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_the_pictures_are_what_the_commands_that_are_told_make(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    block = re.search(r"<!-- pictures -->\n```sh\n(.*?)```\n", COMMANDS, re.DOTALL)
    assert block is not None
    for command in block[1].replace("\\\n", "").splitlines():
        _, verb, pack, *flags = shlex.split(command)
        out = flags.index("--svg") + 1
        picture, flags[out] = flags[out], "-"
        assert f"]({picture})" in README
        assert main([verb, str(PROJECT / pack), *flags]) == 0
        assert capsysbinary.readouterr().out == (PROJECT / picture).read_bytes()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_of_the_documents_run(document: Path) -> None:
    results = doctest.testfile(str(document), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert document.name != "library.md" or results.attempted > 80


def test_each_name_of_the_library_has_an_example_or_a_place_in_the_reference() -> None:
    page = text_of("docs/library.md")
    names = [name for name in getattr(sokoterm, "__all__") if not re.search(rf"(sokoterm\.|`){name}\b", page)]  # noqa: B009
    assert names == []
    missing = [
        f"{kind.__name__}.{name}"
        for kind in (sokoterm.Level, sokoterm.Library, sokoterm.Position, sokoterm.Running)
        for name in vars(kind)
        if not name.startswith("_") and name != "of" and f"`{name}" not in page
    ]
    assert missing == []


def test_the_session_without_a_screen_is_what_it_says(tmp_path: Path) -> None:
    block = re.search(r"<!-- plain -->\n```\n(.*?)```\n", PLAYING, re.DOTALL)
    assert block is not None
    lines = block[1].splitlines()
    (command, *typed) = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    found = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        input="".join(f"{line}\n" for line in typed),
        capture_output=True,
        text=True,
        cwd=PROJECT,
        env={**os.environ, "SOKOTERM_DATA": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        check=True,
    )
    assert found.stdout.splitlines() == [line for line in lines if not line.startswith("> ")]


def test_the_settings_are_those_of_the_program(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```\n", PLAYING, re.DOTALL)
    file = tmp_path / "config.toml"
    for block in blocks:
        file.write_text(block, encoding="utf-8")
        config = read_config(str(file), [theme.name for theme in THEMES])
        _, refused = keys_in_force(None, config)
        _, unknown = read_looks(config.colors)
        assert [*config.problems, *refused, *unknown] == []
    assert set(tomllib.loads(blocks[0])) == set(Settings._fields)


def test_every_verb_has_one_example() -> None:
    assert [example[0] for example in examples_in(COMMANDS)] == list(VERBS)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_work_one_after_the_other(
    document: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "levels").symlink_to(PROJECT / "levels")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOKOTERM_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SOKOTERM_LETSLOGIC_KEY", "a key that nothing is asked with")
    monkeypatch.setattr("sokoterm.commands.bench.signature_suite", list)
    monkeypatch.setattr("sokoterm.generator.make.made_by", lambda *_: made_once(floor_recipe(7, 1)))  # soon made
    # As long as a reader would wait, searches would go on.
    hurried = {"optimize": ["--time", "0.2"], "bench": ["-l", "1-5"]}
    for example in examples_in(document.read_text(encoding="utf-8")):
        if example[0] == "play":
            continue
        assert main([*example, *hurried.get(example[0], ())]) == 0, example
        printed = capsys.readouterr().out
        assert example[0] != "add" or printed == "new.xsb: 1 level, all new\n"


def test_flags_beside_a_command_are_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """Every command that stands in a sentence names a verb, and flags that its help has."""
    pages: dict[tuple[str, ...], str] = {}
    assert len(MENTIONED) > 50
    for mention in MENTIONED:
        words = mention.split()
        words = words[words.index("sokoterm") + 1 :]
        verb = tuple(words[:1]) if words[0] in VERBS else ()
        if verb not in pages:
            assert main([*verb, "--help"]) == 0, mention
            pages[verb] = capsys.readouterr().out
        wrong = [word for word in words if word.startswith("-") and len(word) > 1 and word not in pages[verb]]
        assert wrong == [], mention


# German in English dress, with what to write instead.  Patterns that begin with a letter are found ten times as fast.
GERMANISMS = {
    r"stands? (?:in (?:the|its|an?|`\S+)|behind|beside|there)\b": "is in, follows, is shown",
    r"for want of\b": "without, because ... is missing",
    r"ha(?:s|ve) not (?:the|an?|that)\b": "lacks, does not have",
    r"as far as (?:the|it|that|known|\w+ can)\b": "unless, until, if, to the extent that",
    r" so (?:found|made|solved|written)\b": "found this way",
    r"(?:in place of|met first|for ever|the last \w+ but one)\b": "instead of, first, forever, the second to last",
    r"\bmend(?:s|ed|ing)?\b": "fix, repair",
    r" of use\b": "useful",
    r"(?:it|search|game|work) goes on\b": "continues",
    r"(?:for|from|over) \w+ alone\b": "only for, only from",
    r", for (?:it|they|there|the \w+) (?:is|are|has|have|must|may|cannot)\b": "because",
    r"(?:^|[^t] )least (?:columns|rows|bytes|time|budget|widths?)\b": "minimum, fewest, smallest",
    r" (?:an|of) own \w": "of its own, your own",
    r"yours (?:here|there)\b": "your results here",
    r"among others\b": "among other things, such as",
    r"is another one\b": "is a different one",
    r"high (?:window|terminal)s?\b": "tall",
    r"(?:in|after) some (?:seconds|minutes|dozens)\b": "a few",
    r"since (?:two|three|\d+) (?:seconds|minutes|hours|days)\b": "for",
    r"(?:allows? to|the possibility to) \w": "lets you, can",
}


def test_documents_and_program_are_in_plain_english() -> None:
    found = []
    for path in (*DOCUMENTS, *sorted((PROJECT / "sokoterm").rglob("*.py"))):
        # Lines are joined across quotes and comment signs.
        text = re.sub(r"[\s\"#]+", " ", path.read_text(encoding="utf-8"))
        for pattern, better in GERMANISMS.items():
            for match in re.finditer(pattern, text):
                context = text[max(0, match.start() - 20) : match.end() + 20]
                found.append(f"{path.relative_to(PROJECT)}: {context}; write {better}")
    assert found == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\((?!https?://)([^)]*)\)", text):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_paths_in_the_documents_exist(document: Path) -> None:
    for path in re.findall(r"`((?:docs|levels|sokoterm|tests)/[^`\s]*)`", document.read_text(encoding="utf-8")):
        assert any(PROJECT.glob(path.replace("NAME", "*"))), path


class Walk:
    """Notes the modules of sokoterm in which calls are made, in any thread begun meanwhile too, and counts these."""

    def __init__(self) -> None:
        self.modules = set[str]()
        self.calls = 0

    def __enter__(self) -> "Walk":
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith("sokoterm."):
            self.calls += event == "call"
            self.modules.add(f"{name.replace('.', '/')}.py")


@pytest.mark.parametrize("document", ["CONTRIBUTING.md", "docs/design.md", "docs/solver.md"])
def test_names_told_to_developers_exist(document: str) -> None:
    """``Class.name`` in the module of the class, and a name that is said to be in a module in that one."""
    sources = [path.read_text(encoding="utf-8") for path in sorted((PROJECT / "sokoterm").rglob("*.py"))]
    text = text_of(document)
    for owner, name in re.findall(r"`([A-Z]\w*[a-z]\w*)\.([a-z_]\w*)`", text):
        modules = [source for source in sources if re.search(rf"^class {owner}\b", source, re.M)]
        assert any(re.search(rf"\b{name}\b", source) for source in modules), f"{owner}.{name}"
    for name, path in re.findall(r"`(\w+)`\s+(?:there\s+and\s+)?in\s+`((?:sokoterm|tests)/\S+\.py)`", text):
        assert re.search(rf"\b{name}\b", text_of(path)), f"{name} in {path}"


def told_of(walk: str) -> list[str]:
    """The modules of a walk in docs/design.md."""
    section = text_of("docs/design.md").partition(f"\n## {walk}\n")[2].partition("\n## ")[0]
    return re.findall(r"^ *\d+  (sokoterm/\S+\.py) ", section, re.MULTILINE)


def test_a_level_file_walks_through_the_modules_that_are_told() -> None:
    pack = str(PROJECT / "levels" / "first-steps.txt")
    open_pack(find_packs(pack)[0])  # imports what it needs
    with Walk() as walk:
        open_pack(find_packs(pack)[0])
    told = told_of("The walk of a level file")
    assert (sorted(told), len(told)) == (sorted(walk.modules), 11)


def test_a_key_walks_through_the_modules_that_are_told(tmp_path: Path) -> None:
    walk = Walk()

    def keys() -> Iterator[str]:
        yield from ("right", "u")
        with walk:
            yield "right"

    play(tmp_path, PUSHES, keys())
    told = told_of("The walk of a key")
    assert len(told) == 16
    assert [path for path in told if path not in walk.modules and "terminal" not in path] == []


def test_a_push_takes_less_than_400_calls(tmp_path: Path) -> None:
    """From the key to the picture, the save among them: what a key asks of the game is asked once."""
    walk = Walk()

    def keys() -> Iterator[str]:
        yield from ("right", "wait 0.1")
        with walk:
            yield "right"

    play(tmp_path, "########\n#      #\n#@$   .#\n#      #\n########\n", keys())
    assert 200 < walk.calls < 400


def test_a_search_walks_through_the_modules_that_are_told(tmp_path: Path) -> None:
    walk = Walk()
    solvers: list[Solver] = []

    def make_solver(wake: Callable[[], None]) -> Solver:
        solvers.append(Solver(wake, game_limits(monotonic)._replace(memory=1 << 38)))
        return solvers[0]

    def keys() -> Iterator[str]:
        with walk:
            yield "S"
            while solvers[0].is_busy:
                sleep(0.01)
                yield "wait"
            yield "R"

    session = play(tmp_path, PUSHES, keys(), make_solver=make_solver)
    assert session.shows("Replay: ")
    told = told_of("From S to a replay")
    assert len(told) == 12
    assert [path for path in told if path not in walk.modules] == []


def _anchors(document: Path) -> set[str]:
    """The anchors that forges give the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_bench_of_a_checkout_has_a_row() -> None:
    rows = re.findall(r"^\| `python3 -m tests\.bench (\w+)", CONTRIBUTING, re.MULTILINE)
    assert sorted(rows) == sorted(BENCHES)


def test_the_page_of_formats_names_each_as_read_and_as_written() -> None:
    page = (PROJECT / "docs" / "levels-and-formats.md").read_text(encoding="utf-8")
    assert [name for name in (*FORMATS, "ssx") if f"\n| {name.upper()} | " not in page] == []
    written = page.partition("\n## Writing\n")[2].partition("\n## ")[0]
    assert [name for name in FORMATS if f"`{name}`" not in written] == []
