"""Levels put into packs of the player's own, taken out, moved and altered: none is lost, and the others stay."""

import gzip
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoterm.engine.level import Level, Pack, Record
from sokoterm.formats.registry import cleaned, is_whole
from sokoterm.formats.write_text import as_text_has_it
from sokoterm.store.library_folder import named_own
from sokoterm.store.own_levels import alter, move, noted, put, put_back, take_out
from sokoterm.store.packs import PackError, PackFile, find_packs, open_pack
from tests.unit.formats.layouts import layouts_in
from tests.unit.formats.test_round_trip import packs as nasty_packs

WORDS = st.sampled_from(("Corner", "The long way", "Für Anna", "7", "Level 3", "箱", "x: y"))
TITLES = st.one_of(st.just(""), WORDS)
NOTES = st.one_of(st.just(""), st.lists(WORDS, min_size=1, max_size=3).map("\n".join))
RECORDS = st.sampled_from(((), (Record("Solution", "RR"),), (Record("Solution 2/2 (Ann)", "RRlR", "Time: 1 s"),)))


def room(width: int) -> Level:
    """A level like no other one: a corridor of so many squares."""
    return Level.from_xsb(f"{'#' * (width + 4)}\n#@${' ' * (width - 1)}.#\n{'#' * (width + 4)}")


LEVELS = st.builds(
    lambda width, title, author, comment, records: room(width).replace(
        title=title, author=author, comment=comment, records=records
    ),
    *(st.integers(1, 9), TITLES, TITLES, NOTES, RECORDS),
)
LAYOUTS = {name: text for name, (text, __) in layouts_in("layouts.txt").items()}


def pack_of(file: PackFile) -> Sequence[Level]:
    return open_pack(file).levels if Path(file.path).exists() else ()


def lines_of(file: PackFile) -> Counter[str]:
    """The lines of a file with something in them, and how often each is there."""
    path = Path(file.path)
    text = path.read_bytes().decode("utf-8", "replace") if path.exists() else ""
    return Counter(line for line in text.splitlines() if line.strip())


def same(found: Level, level: Level) -> bool:
    return found.replace(number=1, line=1) == level.replace(number=1, line=1)


@settings(deadline=None, max_examples=60)
@given(
    data=st.data(),
    first=st.sampled_from(
        (b"", b"::mine\r\nCollection: A\r\nFound by: me\r\n\r\n"),
    ),
)
def test_whatever_is_done_no_level_is_lost_and_the_others_stay_as_they_are(data: st.DataObject, first: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = named_own(folder, "A")
        kept = list[Level]()
        if first:
            kept = [room(12).replace(title="There")]
            Path(file.path).write_bytes(first + b"There\r\n\r\n" + kept[0].xsb().encode() + b"\r\nunknown: key")
            kept = list(open_pack(file).levels)
        for step in data.draw(st.lists(st.sampled_from(("put", "put", "out", "move", "alter", "back")), max_size=10)):
            there, before = pack_of(file), lines_of(file)
            if step == "put" or not there:
                level = data.draw(LEVELS)
                (new,) = put(folder, file, [level])
                assert is_whole(new, level)
                assert (new, new.number) == (pack_of(file)[-1], len(kept) + 1)
                kept.append(pack_of(file)[-1])
            else:
                index = data.draw(st.integers(0, len(there) - 1))
                if step == "move":
                    to = data.draw(st.integers(1, len(there)))
                    assert move(folder, file, [there[index]], to) == to
                    kept.insert(to - 1, kept.pop(index))
                    assert lines_of(file) == before
                elif step == "alter":
                    title, comment = data.draw(WORDS), data.draw(NOTES)
                    alter(folder, file, there[index], title=title, comment=comment)
                    kept[index] = pack_of(file)[index]
                    assert is_whole(kept[index], there[index].replace(title=title, comment=comment))
                elif len(there) == 1:
                    continue  # what becomes of the last one has a test of its own
                else:
                    (entry,) = take_out(folder, file, [there[index]])
                    assert lines_of(file) == before - Counter(filter(str.strip, entry.lines.splitlines()))
                    if step == "back":
                        put_back(folder, file, index + 1, entry)
                        assert lines_of(file) == before
                    else:
                        del kept[index]
            if step in ("put", "alter"):
                assert not before - lines_of(file) or step == "alter"
            found = pack_of(file)
            assert len(found) == len(kept)
            assert all(map(same, found, kept))


@settings(deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(LAYOUTS)))
def test_a_file_of_any_layout_keeps_its_other_levels_or_stays_as_it_is(data: st.DataObject, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.txt"
        path.write_bytes(LAYOUTS[name].encode())
        try:
            (file,) = find_packs(str(path))
            there, size = list(open_pack(file).levels), open_pack(file).size
        except PackError:
            return
        before, whole = path.read_bytes(), there
        level = data.draw(st.sampled_from(there)) if there else room(3)
        try:
            match data.draw(st.sampled_from(("put", "out", "move"))) if there else "put":
                case "put":
                    put(folder, file, [room(3).replace(title="New one")])
                    whole = [*there, room(3).replace(title="New one")]
                case "out":
                    take_out(folder, file, [level])
                    whole = [each for each in there if each is not level]
                case "move" if size == len(there):
                    place = data.draw(st.integers(1, size))
                    move(folder, file, [level], place)
                    whole = [each for each in there if each is not level]
                    whole.insert(place - 1, level)
        except PackError:
            assert path.read_bytes() == before
            return
        assert all(is_whole(found, each) for found, each in zip(pack_of(file), whole, strict=True))


@settings(deadline=None, max_examples=60)
@given(pack=nasty_packs())
def test_texts_that_look_like_anything_else_are_written_whole_or_not_at_all(pack: Pack) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = named_own(folder, "A")
        levels = [as_text_has_it(each, []) for each in cleaned(pack).levels]
        for count, level in enumerate(levels, start=1):
            before = lines_of(file)
            try:
                put(folder, file, [level])
            except PackError:
                assert lines_of(file) == before
                return
            found = pack_of(file)
            assert len(found) == count
            assert all(is_whole(each, level, has_lost=True) for each, level in zip(found, levels))


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> PackFile:
    file = named_own(str(tmp_path), "For my niece")
    put(str(tmp_path), file, [room(width).replace(title=f"{width} wide") for width in (1, 2, 3)])
    return file


def titles(file: PackFile) -> list[str]:
    return [level.title for level in open_pack(file).levels]


def test_several_levels_move_as_one_block(tmp_path: Path, file: PackFile) -> None:
    one, two, three = pack_of(file)
    assert move(str(tmp_path), file, [three, one], 2) == 2
    assert titles(file) == ["2 wide", "3 wide", "1 wide"]
    assert move(str(tmp_path), file, [two.replace(number=1)], 99) == 3
    assert titles(file) == ["3 wide", "1 wide", "2 wide"]


def test_a_level_that_another_session_has_moved_is_left_alone(tmp_path: Path, file: PackFile) -> None:
    first = pack_of(file)[0]
    move(str(tmp_path), file, [first], 3)
    before = Path(file.path).read_bytes()
    for change in (
        lambda: take_out(str(tmp_path), file, [first]),
        lambda: alter(str(tmp_path), file, first, title="x"),
    ):
        with pytest.raises(PackError, match="For my niece: level 1 is a different one now"):
            change()
    assert Path(file.path).read_bytes() == before


def test_the_file_goes_with_the_last_level_and_comes_back_with_it(tmp_path: Path, file: PackFile) -> None:
    before = Path(file.path).read_bytes()
    entries = take_out(str(tmp_path), file, pack_of(file))
    assert list(tmp_path.iterdir()) == []
    for number, entry in enumerate(entries, start=1):
        put_back(str(tmp_path), file, number, entry)
    assert Path(file.path).read_bytes() == before


def test_a_pack_with_texts_of_its_own_keeps_its_last_level(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"Collection: A\nAuthor: Ann\n\n{room(2).xsb()}\n")
    (file,) = find_packs(str(path))
    with pytest.raises(PackError, match="a: the last level stays, as the pack has texts of its own"):
        take_out(str(tmp_path), file, pack_of(file))


def test_a_name_in_other_capitals_or_in_a_folder_is_that_of_the_pack_that_is_there(tmp_path: Path) -> None:
    folder = str(tmp_path / "packs")
    put(folder, named_own(folder, "Mine/Easy ones"), [room(1)])
    put(folder, named_own(folder, "Mine/easy Ones"), [room(2)])
    assert [str(path.relative_to(folder)) for path in Path(folder).rglob("*.*")] == ["Mine/Easy ones.sok"]
    put(folder, named_own(folder, "Mine"), [room(3)])  # beside the folder of that name
    assert (tmp_path / "packs" / "Mine.sok").exists()
    with pytest.raises(PackError, match="a pack of this name ships"):
        put(folder, named_own(folder, "first steps"), [room(1)])
    for name in ("", "../x", "a/../b", ".x"):
        with pytest.raises(PackError):
            named_own(folder, name)


def test_a_packed_file_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "a.sok.gz"
    path.write_bytes(gzip.compress(room(1).xsb().encode()))
    (level,) = put(str(tmp_path), named_own(str(tmp_path), "a"), [room(2)])
    assert level.number == 2
    assert room(2).xsb() in gzip.decompress(path.read_bytes()).decode()


def test_a_level_notes_where_it_comes_from_once(tmp_path: Path, file: PackFile) -> None:
    level = noted(Pack("Rooms", (), author="Ann"), room(4).replace(number=7))
    put(str(tmp_path), file, [level, noted(Pack("Others", ()), level)])
    assert {(each.author, each.metadata) for each in pack_of(file)[3:]} == {("Ann", (("collection", "Rooms 7"),))}
