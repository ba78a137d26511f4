"""``sokoterm replay --png`` and ``--gif``, read by Pillow."""

import io
import re
import shlex
from itertools import product
from pathlib import Path

import pytest
from PIL import Image

from sokoterm.pictures import SKINS
from tests.slow import slow
from tests.unit.commands.command import TWO_PUSHES, Command
from tests.unit.tui.kinds import SOLVED

GOLDEN = Path(__file__).parent / "golden"
DOCS = Path(__file__).parents[3] / "docs"


def shown(data: bytes, number: int = 0) -> tuple[tuple[int, int], bytes]:
    """Size and pixels of a picture, white where it is transparent."""
    image = Image.open(io.BytesIO(data))
    image.seek(number)
    picture = Image.new("RGBA", image.size, "white")
    picture.alpha_composite(image.convert("RGBA"))
    return picture.size, picture.tobytes()


def written(command: Command, pack: str, lurd: str, *flags: str) -> list[bytes]:
    """The files that a replay writes: NAME after each flag that takes one is a file in a folder for tests."""
    names = [each for each in flags if each.startswith("out.")]
    paths = [str(command.folder / each) if each in names else each for each in flags]
    command.done("replay", command.file("levels.txt", pack), "-l", "1", "--moves", lurd, *paths)
    return [(command.folder / name).read_bytes() for name in names]


@pytest.mark.parametrize(
    ("kind", "skin"),
    [each if "both" in each or "dungeon" in each else slow(*each) for each in product(SOLVED, SKINS)],
)
def test_the_film_and_the_still_picture_show_the_same_positions(command: Command, kind: str, skin: str) -> None:
    pack, lurd = SOLVED[kind]
    [film] = written(command, pack, lurd, "--gif", "out.gif", "--skin", skin, "--animation", "50")
    frames = [shown(film, number) for number in range(Image.open(io.BytesIO(film)).n_frames)]  # type: ignore[attr-defined]
    assert len(frames) >= len(lurd) + 1
    if kind == "colours":  # nothing slides
        for k in (0, 1, 12, len(lurd)):
            [still] = written(command, pack, lurd, "--png", "out.png", "--skin", skin, "--at", str(k))
            assert shown(still) == frames[k]
    [first] = written(command, pack, lurd, "--png", "out.png", "--skin", skin)
    [last] = written(command, pack, lurd, "--png", "out.png", "--skin", skin, "--at", str(len(lurd)))
    assert (shown(first), shown(last)) == (frames[0], frames[-1])


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("palette", ["dark", "light"])
def test_pictures_look_as_they_did(command: Command, skin: str, palette: str) -> None:
    """Golden files; one that is deleted is written anew, to be looked at."""
    pack, lurd = SOLVED["both"]
    flags = ("--skin", skin, "--palette", palette)
    files = written(command, pack, lurd[:8], "--png", "out.png", "--at", "5", "--gif", "out.gif", *flags)
    for data, suffix in zip(files, ("png", "gif"), strict=True):
        golden = GOLDEN / f"{skin}-{palette}.{suffix}"
        if not golden.exists():
            GOLDEN.mkdir(exist_ok=True)
            golden.write_bytes(data)
            pytest.fail(f"wrote {golden}; look at it")
        assert shown(data) == shown(golden.read_bytes())
        # Of a PNG file the version of zlib changes the bytes.
        assert suffix == "png" or data == golden.read_bytes()


@pytest.mark.parametrize("skin", SKINS)
def test_the_pictures_in_the_documents_are_what_is_drawn(command: Command, skin: str) -> None:
    [example] = re.findall(r"(?s)```sh\nsokoterm (replay levels/.*?)```", (DOCS / "skins.md").read_text("utf-8"))
    verb, pack, *flags = shlex.split(example.replace("\\\n", "").replace("dungeon", skin))
    out = command.folder / "out.png"
    command.done(verb, DOCS.parent / pack, *[out if each.endswith(".png") else each for each in flags])
    assert shown(out.read_bytes()) == shown((DOCS / f"skin-{skin}.png").read_bytes())


def test_a_picture_of_the_start_asks_for_no_moves(command: Command) -> None:
    pack, out = command.pack("levels.txt", [TWO_PUSHES]), command.folder / "out.png"
    command.done("replay", pack, "-l", "1", "--png", out)
    drawn = out.read_bytes()
    assert written(command, TWO_PUSHES, "RR", "--png", "out.png", "--at", "0") == [drawn]
    said = command.refusal("replay", pack, "-l", "1", "--png", out, "--at", "1")
    assert "no solution is known; use --moves" in said


def test_slow_films_last_as_long_as_their_moves(command: Command) -> None:
    [film] = written(command, TWO_PUSHES, "RR", "--gif", "out.gif", "--animation", "2")
    image, times = Image.open(io.BytesIO(film)), list[int]()
    for number in range(3):
        image.seek(number)
        times.append(image.info["duration"])
    assert times == [1000, 500, 3000]
    assert image.info["loop"] == 0


def test_films_of_too_many_moves_and_pictures_of_too_large_boards_are_refused(command: Command) -> None:
    pack = command.pack("levels.txt", ["#########\n#@    $.#\n#########"])
    arguments = ("replay", pack, "-l", "1", "--moves")
    assert command.refusal(*arguments, "2501(rl)", "--gif", "-") == "--gif: too many moves (5,002; at most 5,000)"
    row = "#" * 600
    pack = command.pack("levels.txt", ["\n".join([row, *["#" + " " * 598 + "#"] * 250, "#@$." + row[4:], row])])
    arguments = ("replay", pack, "-l", "1", "--moves")
    assert command.refusal(*arguments, "R", "--png", "-") == "--png: too many squares (151,800; at most 65,536)"
    assert command.refusal(*arguments, "R", "--gif", "-") == "--gif: too many squares (151,800; at most 8,192)"


def test_a_skin_that_cannot_be_used_is_refused_as_a_flag_and_left_out_of_the_settings(command: Command) -> None:
    pack = command.pack("levels.txt", [TWO_PUSHES])
    said = (
        f"found 'gold', expected dungeon, warehouse, paper, {command.folder}/xdg_config_home/sokoterm/skins/NAME.toml"
    )
    assert command.refusal("--skin", "gold", pack) == said
    command.settings('plain = true\nskin = "gold"\n')
    command.feed("quit\n")
    result = command(pack)
    assert result.status == 0
    assert said in result.out + result.err
