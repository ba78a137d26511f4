"""Verbs in another language: no word of their help and answers stays English, and tables keep their columns."""

import re

import pytest

from sokoterm.commands import VERBS
from sokoterm.language import _, speak
from sokoterm.store.languages import ENGLISH, LanguageCatalog, languages, nearest_language
from sokoterm.store.packs import bundled_packs
from sokoterm.terminal import encoding
from sokoterm.wording.columns import text_width
from tests.unit.commands.command import ONE_PUSH, STUCK, TWO_PUSHES, Command
from tests.unit.language.marked import BEGIN, END, Marked, outside_of_marks

CODES = [code for code in languages() if code != ENGLISH]
HELP = [[], *([verb] for verb in VERBS)]
# What is typed, paths, and the name of a strategy.
_TYPED = re.compile(r"one box|sokoterm[^\n«»]*|https?://\S+|\S*/\S*")
_WORDS = re.compile(r"[A-Za-z]{2,}[:;]? [a-z]")


@pytest.fixture(name="marked")
def _marked() -> None:
    speak(Marked())


def said_in_english(text: str) -> list[str]:
    return [line for line in _TYPED.sub("", outside_of_marks(text)).splitlines() if _WORDS.search(line)]


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("verb", HELP)
def test_no_word_of_help_stays_english(command: Command, verb: list[str]) -> None:
    result = command(*verb, "--help")
    usage, blank, text = result.out.partition("\n\n")
    assert result.status == 0
    assert usage.startswith(f"{BEGIN}usage: {END}sokoterm")
    assert blank
    assert said_in_english(text) == []


PRINTED = (
    "info; info -l 2; info -l 1-2 --difficulty; solve; solve --nodes 1; optimize --time 1; verify -l 1 --moves R; "
    "verify -l 1 --moves L; hash; duplicates; list --in; list boxes:9 --in; reach -l 1 --box 2,3; "
    "reach -l 1 --box 2,3 --to 2,4; reach -l 1 --box 2,2; deadlock -l 1; deadlock -l 3; "
    "replay -l 1 --moves R --print; replay -l 1 --moves R --print --svg x.svg; convert --to slc -o OUT; "
    "duplicates --write OUT; add; solve --weights x=1; solve -l 9-3; solve -l 9; solve --time 0; "
    "solve --cores 2 --nodes 5; solve --where boxes:; convert --to nothing; generate --boxes 99"
)


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("line", PRINTED.split("; "))
def test_no_word_of_an_answer_stays_english(command: Command, line: str) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES, STUCK, ONE_PUSH])
    words = line.replace("OUT", str(command.folder / "out.xsb")).split()
    result = command(*words, *([str(pack)] if words[0] != "generate" else []))
    assert result.status in (0, 1, 2)
    assert result.out + result.err
    boards = re.compile(r"^[ #@$.*+\d]+$")
    told = [line for line in (result.out + result.err).splitlines() if not boards.match(line)]
    assert said_in_english("\n".join(told)) == []


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("line", ["info", "hash", "solve", "optimize --time 1", "deadlock", "reach --box 3,5"])
def test_a_title_of_a_pack_that_ships_is_translated_in_every_table(command: Command, line: str) -> None:
    pack = command.pack("levels.txt", [f"{ONE_PUSH}\nTitle: A push", f"{ONE_PUSH}\nTitle: Yes"])
    path = next(file for file in bundled_packs() if file.name == "first-steps").path
    assert f"{BEGIN}A push{END}" in command(*line.split(), "-l", "1", path).out
    copied = command("duplicates", pack).out
    assert f"{BEGIN}A push{END}" in copied
    assert f"{BEGIN}Yes{END}" not in copied


# In this order, in one data folder.
KEPT = (
    "progress show; add PACK; list pack:levels; solve PACK --remember; progress import PACK; progress export FILE; "
    "progress import FILE; progress export PACK; progress show; progress show FILE; rename levels some/other; "
    "rename some /some; remove some; remove some --yes; remove some --yes; letslogic show; letslogic collections 3"
)


@pytest.mark.usefixtures("marked")
def test_no_word_on_what_is_kept_stays_english(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, f"{TWO_PUSHES}\nSolution\nRR\n"])
    paths = {"PACK": str(pack), "FILE": str(command.folder / "progress.sok")}
    for line in KEPT.split("; "):
        result = command(*(paths.get(each, each) for each in line.split()), "--data-dir", command.folder / "data")
        assert result.out + result.err
        assert said_in_english(result.out + result.err) == [], line


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize("code", CODES, indirect=True)
def test_help_fits_the_terminal_in_every_language(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for lines in [command(*verb, "--help").out.splitlines() for verb in HELP]:
        assert max(text_width(line) for line in lines if "/" not in line and not line.startswith("  sokoterm")) < 80


@pytest.mark.parametrize("code", ["fr", "ru"], indirect=True)
@pytest.mark.usefixtures("code")
def test_help_breaks_no_number_between_its_thousands(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in range(60, 90):
        monkeypatch.setenv("COLUMNS", str(columns))
        text = command("solve", "--help").out
        assert "100\N{NO-BREAK SPACE}000" in text.replace("\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}")


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize("code", CODES, indirect=True)
def test_tables_keep_their_columns(command: Command) -> None:
    pack = command.pack("levels.txt", [ONE_PUSH, TWO_PUSHES, STUCK])
    __, heading, *rows = command("solve", pack).out.splitlines()
    begins = {text_width(row[: row.index("one box")]) for row in rows if "one box" in row}
    assert begins == {text_width(heading[: heading.index(_("strategy"))])}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        *((each, "zh_CN") for each in ("zh", "zh-cn", "zh-Hans", "zh_TW.UTF-8", "ZH_CN")),
        *((each, "de") for each in ("DE", "de-AT", "de_CH@euro")),
        ("en_GB", "en"),
        *((each, None) for each in ("pt", "german", "../de", "", "d")),
    ],
)
def test_the_nearest_language_is_chosen(asked: str, found: str | None) -> None:
    assert nearest_language(asked) == found


@pytest.mark.parametrize("is_set", [False, True])
@pytest.mark.parametrize("shows_letters", [False, True])
def test_a_language_that_was_asked_for_is_spoken_or_told_to_be_missing(
    command: Command, *, is_set: bool, shows_letters: bool
) -> None:
    command.settings('language = "de-AT"\n' if is_set else "")
    command.monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    command.monkeypatch.setattr(encoding, "speaks_utf8", lambda: shows_letters)
    spoken: list[str] = []
    command.monkeypatch.setattr(LanguageCatalog, "speak", lambda catalog: spoken.append(catalog.code))
    result = command("keys", *([] if is_set else ["--language=de-AT"]))
    assert spoken == ["de"] * shows_letters
    missing = "sokoterm: LC_ALL=de_DE.UTF-8 is not a UTF-8 locale of this machine; the language de needs one\n"
    assert (result.status, result.err) == (0, "" if shows_letters else missing)
