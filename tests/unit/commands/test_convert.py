"""``sokoterm convert``: packs from any format to any other."""

import os
import stat
import subprocess
import threading
from pathlib import Path
from zipfile import ZipFile

import pytest

from sokoterm.engine.level import Level
from sokoterm.engine.lurd import measure
from sokoterm.formats.registry import FORMATS, parse
from sokoterm.store.progress import ProgressStore
from sokoterm.store.solutions import Best
from tests.unit.commands.command import MODULE, ONE_PUSH, SEED, STUCK, TWO_PUSHES, Command

RECORDS = f"A\n\n{ONE_PUSH}\n\nSolution 1/1\nR\n\nSolver: me\n"


def test_every_format_leads_to_every_other(command: Command) -> None:
    path = command.pack("in.xsb", [ONE_PUSH, SEED, STUCK])
    hashes = command("hash", path).out.replace("in.xsb", "out")
    formats = [name for name in FORMATS if name != "sokomind"]  # which has no box on a goal
    for first in formats:
        middle = command.folder / f"middle.{first}"
        assert command("convert", path, "-o", middle).status == 0
        for last in formats:
            assert command("convert", middle, "--to", last, "-o", command.folder / "out").status == 0
            found = command("hash", command.folder / "out").out
            assert [line.split()[:3] for line in found.splitlines()] == [
                line.split()[:3] for line in hashes.splitlines()
            ]
            if all("title" in holds.level_fields for name in (first, last) if (holds := FORMATS[name].holds)):
                assert found == hashes


def test_what_is_lost_is_named_once(command: Command) -> None:
    path = command.file("in.sok", RECORDS + "\n" + RECORDS.replace("A\n", "B\n", 1))
    result = command("convert", path, "--to", "slc", "-o", command.folder / "out")
    written = f"sokoterm: {command.folder / 'out'}: 2 levels written"
    assert (result.status, result.out) == (0, "")
    assert result.err == f"sokoterm: slc cannot hold: solutions\n{written}\n"
    result = command("convert", path, "--to", "sok", "-o", command.folder / "out")
    assert (result.status, result.err) == (0, f"{written}, replacing an older pack\n")


def test_a_pack_gets_a_title_and_an_author_and_an_order(command: Command) -> None:
    one = command.file("one.sok", f"Title: One\nAuthor: Ann\n\n{SEED}\nTitle: c\n\n{ONE_PUSH}\nTitle: a\n")
    two = command.file("two.sok", f"Title: Two\nAuthor: Bob\n\n{TWO_PUSHES}\nTitle: b\nAuthor: Cid\n\n{STUCK}\n")
    out = command.folder / "out.sok"

    def converted(*arguments: str | Path) -> list[tuple[str, str, str]]:
        assert command("convert", *arguments, "--title", "Mine", "--author", "Me", "-o", out).status == 0
        pack = parse(out.read_bytes(), "out")
        assert (pack.title, pack.author) == ("Mine", "Me")
        return [(each.title, each.author, dict(each.metadata)["collection"]) for each in pack.levels]

    ann, cid, bob = ("Ann", "Cid", "Bob")
    assert converted(one, two, "--sort", "title") == [
        ("a", ann, "One 2"), ("b", cid, "Two 1"), ("c", ann, "One 1"), ("", bob, "Two 2"),
    ]  # fmt: skip
    assert [place for *_, place in converted(one, two, "--sort=-author,boxes")] == ["Two 1", "Two 2", "One 2", "One 1"]
    assert [place for *_, place in converted(two, one, "--sort=pack,-hard,-size")][:2] == ["One 1", "One 2"]
    assert converted(one, "--sort", "boxes") == [("a", "", "One 2"), ("c", "", "One 1")]


def test_texts_are_left_out(command: Command) -> None:
    text = f"Title: One\n:: A remark\n\nAbout the pack.\n\n{ONE_PUSH}\nTitle: a\n\nAbout the level.\n\nSolution\nR\n"
    path, out = command.file("one.sok", text), command.folder / "out.sok"
    for flag, told in (("--texts", ["A remark", "About the pack", "About the level"]), ("--no-texts", [])):
        assert command("convert", path, flag, "-o", out).status == 0
        written = out.read_text("utf-8")
        assert [each for each in ("A remark", "About the pack", "About the level") if each in written] == told
        pack = parse(out.read_bytes(), "out")
        assert (pack.title, pack.levels[0].title, len(pack.levels[0].records)) == ("One", "a", 1)


def test_guessed_encoding_that_does_not_fit_is_named(command: Command) -> None:
    pack = command.folder / "in.txt"
    pack.write_bytes(f"Title: Склад\n\n{ONE_PUSH}\n".encode("cp1251"))
    said = f"sokoterm: {pack}: guessed to be cp1252, but may be cp1251 (--encoding)\n"
    for verb in (("convert", "--to", "xsb"), ("info",), ("duplicates",), ("add", "--new-only")):
        result = command(*verb, pack)
        assert (result.status, result.err) == (0, said)
        assert command(*verb, pack, "--encoding", "cp1251").err == ""
    assert command("hash", pack).err == ""


@pytest.mark.parametrize(
    ("suffix", "head"),
    [
        (".xsb", "Collection: in\n\n; A"),
        (".TXT", "Collection: in\n\n; A"),
        (".sok", "Collection: in\n\nA\n"),
        (".rle", "5#|"),
        (".slc", "<?xml"),
        (".xml", "<?xml"),
    ],
)
def test_suffix_tells_the_format(command: Command, suffix: str, head: str) -> None:
    # No one letter is a title in SOK that other programs could not take for something else.
    out = command.folder / f"out{suffix}"
    command("convert", command.pack("in.xsb", [ONE_PUSH]), "-o", out)
    assert out.read_text("utf-8").startswith(head)


def test_format_that_is_not_told_is_a_usage_error(command: Command) -> None:
    path = command.pack("in.xsb", [ONE_PUSH])
    for output in ("out", "out.zip", "out.xsb.gz", ""):
        assert command.refusal("convert", path, *(["-o", str(command.folder / output)] if output else [])).startswith(
            f"choose a format with --to ({', '.join(FORMATS)}), or "
        )
    assert command("convert", path, "--to", "zip").status == 2
    assert list(command.folder.glob("out*")) == []


def test_stdout_named_as_the_file_takes_xsb(command: Command) -> None:
    path = command.pack("in.xsb", [ONE_PUSH])
    assert command("convert", path, "-o", "-").out == command("convert", path, "--to", "xsb").out


def test_stdout_takes_the_bytes(command: Command) -> None:
    path = command.pack("in.xsb", [ONE_PUSH])
    path.write_text("; Café\n\n" + ONE_PUSH, "utf-8")
    done = subprocess.run(
        [*MODULE, "convert", "--to", "xsb", str(path)],
        capture_output=True,
        check=True,
        env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0"},
    )
    assert done.stdout == f"Collection: in\n\n; Café\n\n{ONE_PUSH}\n".encode()
    assert done.stderr == b""


def test_several_packs_become_one(command: Command) -> None:
    first = command.file("first.xsb", f"Author: Me\nEmail: a@b\nComment:\nOne\nComment-End:\n\n; A\n\n{ONE_PUSH}")
    second = command.file("second.xsb", f"Author: You\nEmail: a@b\nComment:\nTwo\nComment-End:\n\n; B\n\n{TWO_PUSHES}")
    result = command.done("convert", first, second, "-l", "1", "--to", "xsb")
    assert result.out == (
        "Collection: first + second\nEmail: a@b\nComment:\nfirst\nOne\n\nsecond\nTwo\nComment-End:\n\n"
        f"; A\n\n{ONE_PUSH}\n\nAuthor: Me\nCollection: first 1\n\n"
        f"; B\n\n{TWO_PUSHES}\n\nAuthor: You\nCollection: second 1\n"
    )


def test_titles_of_many_packs_are_counted(command: Command) -> None:
    packs = [command.pack(f"{name}.xsb", [ONE_PUSH]) for name in "abcde"]
    result = command("convert", *packs, "--to", "xsb")
    assert result.out.startswith("Collection: a + b + c and 2 more\n")
    assert result.err == ""
    result = command("convert", *packs, "--to", "slc")
    assert result.err == "sokoterm: slc cannot hold: collection of levels\n"


@pytest.mark.parametrize("to", ["xsb", "sok"])
def test_every_level_tells_where_it_comes_from(command: Command, to: str) -> None:
    packs = []
    for name in "abcde":
        packs.append(command.folder / f"{name}.xsb")
        copyright_note = f"Title: Pack {name}\nCopyright: (c) {name}\nHomepage: http://{name}/\nEmail: e@f\n"
        packs[-1].write_text(f"{copyright_note}\n; 1\n\n{ONE_PUSH}\n\n; 2\n\n{TWO_PUSHES}\n", "utf-8")
    out, again = command.folder / f"out.{to}", command.folder / f"again.{to}"
    assert command("convert", *packs, "-l", "2", "-o", out).status == 0
    pack = parse(out.read_bytes(), "out")
    assert [(level.title, dict(level.metadata)) for level in pack.levels] == [
        ("2", {"collection": f"Pack {letter} 2"}) for letter in "abcde"
    ]
    assert pack.metadata == (("email", "e@f"),)
    assert pack.comment.startswith("Pack a\ncopyright: (c) a\nhomepage: http://a/\n\nPack b\n")
    assert len(command("info", out).out.splitlines()[-1]) < 80
    assert command("convert", out, command.pack("f.xsb", [STUCK]), "-o", again).status == 0
    assert dict(parse(again.read_bytes(), "out").levels[0].metadata) == {"collection": "Pack a 2"}


def test_what_cannot_be_read_is_named_and_the_rest_is_written(command: Command) -> None:
    path = command.pack("in.xsb", [ONE_PUSH, "#####\n# $.#\n#####", TWO_PUSHES])
    out = command.folder / "out.rle"
    result = command("convert", path, command.folder / "missing", "-o", out)
    assert (result.status, "level 2" in result.err) == (2, True)
    assert "found no player" in result.err
    assert "missing: " in result.err
    assert result.err.endswith(f"sokoterm: {out}: 2 levels written, incomplete: see above\n")
    assert out.read_text("utf-8") == "5#|#@$.#|5#\n\n6#|#@$-.#|6#\n"


def test_nothing_to_write_writes_nothing(command: Command) -> None:
    out = command.file("out.rle", "old")
    result = command("convert", command.pack("in.xsb", ["#####\n# $.#\n#####"]), "-o", out)
    assert result.status == 2
    assert result.err.endswith("sokoterm: found no levels to write\n")
    assert out.read_text("utf-8") == "old"


def test_an_older_pack_is_replaced_and_keeps_its_permissions(command: Command) -> None:
    path, out = command.pack("in.xsb", [ONE_PUSH, TWO_PUSHES]), command.pack("out.xsb", [STUCK])
    out.chmod(0o640)
    for _ in range(2):
        assert command("convert", path, "--to", "rle", "-o", out).status == 0
        assert out.read_text("utf-8") == "5#|#@$.#|5#\n\n6#|#@$-.#|6#\n"
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert sorted(each.name for each in command.folder.iterdir() if each.is_file()) == ["in.xsb", "out.xsb"]


@pytest.mark.parametrize("content", ["Dear diary,\n", f"# Notes\n```\n{ONE_PUSH}\n```\n", "PK\3\4", "\x1f\x8b"])
def test_what_is_no_pack_is_not_written_over(command: Command, content: str) -> None:
    path, out = command.pack("in.xsb", [ONE_PUSH]), command.folder / "out.txt"
    out.write_text(content, "latin-1")
    result = command("convert", path, "-o", out)
    assert result == (2, "", f"sokoterm: {out}: not replaced: it is not a level pack\n")
    assert out.read_text("latin-1") == content
    out.write_text("")
    assert command("convert", path, "-o", out).status == 0


@pytest.mark.parametrize("name", ["in.xsb", "folder/deep/in.xsb", "link.xsb", "folder/many.zip", "hard.xsb"])
def test_no_input_is_written_over(command: Command, name: str) -> None:
    first, second = command.pack("in.xsb", [ONE_PUSH]), command.pack("folder/deep/in.xsb", [TWO_PUSHES])
    (command.folder / "link.xsb").symlink_to(second)
    os.link(first, command.folder / "hard.xsb")
    with ZipFile(command.folder / "folder" / "many.zip", "w") as archive:
        archive.write(first, "in.xsb")
    out = command.folder / name
    before = out.read_bytes()
    result = command("convert", first, command.folder / "folder", "--to", "xsb", "-o", out)
    assert result == (2, "", f"sokoterm: {out}: not replaced: it is one of the packs that were read\n")
    assert out.read_bytes() == before
    result = command("duplicates", first, command.folder / "folder", "--to", "xsb", "--write", out)
    assert (result.status, result.out, out.read_bytes()) == (2, "", before)
    assert "not replaced" in result.err


def test_packs_that_ship_are_not_written_over_with_themselves(command: Command) -> None:
    out = Path(__file__).parents[3] / "levels" / "first-steps.txt"
    before = out.read_bytes()
    result = command("convert", "-o", out)
    assert (result.status, "it is one of the packs that were read" in result.err) == (2, True)
    assert out.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipe_takes_the_pack(command: Command) -> None:
    pipe = command.folder / "pipe.rle"
    os.mkfifo(pipe)
    taken: list[str] = []
    reader = threading.Thread(target=lambda: taken.append(Path(pipe).read_text("utf-8")))
    reader.start()
    command("convert", command.pack("in.xsb", [ONE_PUSH]), "-o", pipe)
    reader.join()
    assert taken == ["5#|#@$.#|5#\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_walks_and_counts_become_letters(command: Command) -> None:
    path = command.file("in.xsb", f"{TWO_PUSHES}\nSolution: 1-1r2\n\n{ONE_PUSH}\nSolution: 1-1l1\n")
    out = command.folder / "out.sok"
    assert command("convert", path, "-o", out).status == 0
    assert "\n\nSolution\nRR\n\n" in out.read_text("utf-8")
    assert out.read_text("utf-8").endswith(UNSOLVED)
    command("convert", path, "--to", "xsb", "-o", out)
    assert "\n\nSolution: RR\n\n" in out.read_text("utf-8")
    assert out.read_text("utf-8").endswith(UNSOLVED)


UNSOLVED = "\n\nComment:\nSolution, which does not solve this level: 1-1l1\nComment-End:\n"


def progress(command: Command, *solutions: str) -> None:
    with command.progress() as store:
        for lurd in solutions:
            assert store.record(Level.from_xsb(TWO_ROWS), lurd).problem is None


TWO_ROWS = "#######\n#@$  .#\n#     #\n#######"


def test_sok_holds_our_own_solutions(command: Command) -> None:
    progress(command, "RRR")
    path = command.pack("in.xsb", [TWO_ROWS, ONE_PUSH])
    out = command.folder / "out.sok"
    command("convert", path, "-o", out)
    assert out.read_text("utf-8").count("Solution 3/3\nRRR\n") == 1
    assert out.read_text("utf-8").count("Solution") == 1
    command("convert", out, "-o", command.folder / "again.sok")
    assert (command.folder / "again.sok").read_text("utf-8").count("Solution") == 1
    command("convert", path, "--no-progress", "-o", out)
    assert "Solution" not in out.read_text("utf-8")
    command("convert", path, "--data-dir", command.folder / "other", "-o", out)
    assert "Solution" not in out.read_text("utf-8")
    assert not (command.folder / "other").exists()


def test_best_by_moves_and_by_pushes_are_two_solutions(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    progress(command, "RRR")
    best = ProgressStore.best

    def two(self: ProgressStore, level: Level) -> Best:
        return Best(best(self, level).by_moves, measure("drulRRR"))

    monkeypatch.setattr(ProgressStore, "best", two)
    out = command.folder / "out.sok"
    command("convert", command.pack("in.xsb", [TWO_ROWS]), "-o", out)
    assert "Solution/Moves 3/3\nRRR\n\nSolution/Pushes 7/3\ndrulRRR\n" in out.read_text("utf-8")


def test_an_input_that_could_not_be_read_is_not_written_over(command: Command) -> None:
    path = command.pack("in.xsb", [ONE_PUSH, "####\n#@$#\n####"])
    before = path.read_bytes()
    result = command("convert", path, "-o", path)
    assert (result.status, path.read_bytes()) == (2, before)
    assert result.err.splitlines()[1:] == [f"sokoterm: {path}: not replaced: it is one of the packs that were read"]


def test_a_pack_whose_texts_fill_pages_above_the_boards_is_a_pack(command: Command) -> None:
    """Of the texts of many packs only titles and authors are written unasked; with them it stays a pack as well."""
    folder = command.folder / "many"
    for number in range(40):
        text = f"Title: Pack {number}\n\n:: {number} {'terms ' * 300}\n:: ```\n\n{ONE_PUSH}\n"
        command.file(f"many/{number}.txt", text)
    out = command.folder / "all.sok"
    result = command("convert", folder, "-o", out)
    assert (result.status, "left out: 73 kB of texts about 40 packs; --texts writes them" in result.err) == (0, True)
    assert (out.read_text().index("#####") < 200, "Collection: Pack 7 1\n" in out.read_text()) == (True, True)
    result = command("convert", folder, "--texts", "-o", out)
    assert (result.status, result.err.count("\n"), "replacing an older pack" in result.err) == (0, 1, True)
    assert out.read_text().index("#####") > 1 << 16


def test_remarks_of_several_packs_stay_remarks_below_the_titles_of_their_own(command: Command) -> None:
    first = command.file("first.xsb", ":: free to share\n\n; 1\n#####\n#@$.#\n#####\n")
    second = command.file("second.xsb", ":: ask me first\n\n; 1\n######\n#@ $.#\n######\n")
    result = command("convert", first, second, "--to", "xsb")
    assert result.out.startswith(":: first\n:: free to share\n::\n:: second\n:: ask me first\n")
    assert "remarks" not in result.out
    assert command("convert", first, first, "--to", "xsb").out.startswith(":: free to share\n\n")


MEADOW = ":: Collection: meadow\n:: Author: Ann\n:: Terms: free to share\n:: Levels: 2\n"


def test_a_part_of_a_pack_does_not_count_the_whole(command: Command) -> None:
    pack = command.file("meadow.txt", f"{MEADOW}\n; 1\n{ONE_PUSH}\n\n; 2\n{TWO_PUSHES}\n")
    assert command("convert", pack, "--to", "xsb").out.startswith(MEADOW)
    part = command("convert", pack, "-l", "1", "--to", "xsb").out
    assert part.startswith(":: Collection: meadow\n:: Author: Ann\n:: Terms: free to share\n\nCollection: meadow\n")
    assert "Levels:" not in part


@pytest.mark.parametrize("verb", ["convert", "duplicates"])
def test_levels_of_several_packs_keep_their_own_authors_and_terms(command: Command, verb: str) -> None:
    meadow = command.file("meadow.txt", f"{MEADOW}\n; 1\n{ONE_PUSH}\n\n; 2\n{TWO_PUSHES}\n")
    wood = command.file("wood.txt", f"Copyright: Bob\nComment: 1 level\nLevels: 1\n\n; 1\n{STUCK}\n")
    out, again = command.folder / "out.sok", command.folder / "again.sok"
    assert command(verb, meadow, wood, {"convert": "-o", "duplicates": "--write"}[verb], out).status == 0
    text = out.read_text("utf-8")
    assert text.startswith(":: meadow\n:: Collection: meadow\n:: Author: Ann\n:: Terms: free to share\n\nCollection: ")
    assert "Comment:\nwood\ncopyright: Bob\n1 level\nComment-End:" in text
    assert "Levels:" not in text
    pack = parse(out.read_bytes(), "out")
    assert (pack.author, [level.author for level in pack.levels]) == ("", ["Ann", "Ann", ""])
    # The remarks of the mix credit none of its levels that has no author.
    assert command("convert", out, command.pack("more.xsb", [SEED]), "-o", again).status == 0
    assert [level.author for level in parse(again.read_bytes(), "again").levels] == ["Ann", "Ann", "", ""]


def test_a_pack_of_the_same_title_loses_no_remarks(command: Command) -> None:
    packs = [command.file(f"{name}/in.txt", f":: terms of {name}\n\n{ONE_PUSH}\n") for name in ("one", "two")]
    head = command("convert", *packs, "--to", "xsb").out
    assert head.startswith(":: in\n:: terms of one\n::\n:: in\n:: terms of two\n")


def test_the_author_in_remarks_is_not_replaced_by_that_of_a_copy(command: Command) -> None:
    meadow = command.file("meadow.txt", f"{MEADOW}\n; 1\n{ONE_PUSH}\n")
    copy = command.file("copy.txt", f"Author: Bob\n\n; 1\n{ONE_PUSH}\n")
    out = command.folder / "out.sok"
    assert command("duplicates", meadow, copy, "--write", out).status == 0
    text = out.read_text("utf-8")
    assert "Author: Ann" in text
    assert "\nAuthor: Bob" not in text
