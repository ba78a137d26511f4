"""``sokoterm keys``, and the keys that the settings give to actions."""

import re
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.keymap import EVERYWHERE, KEYMAPS, help_lines, shown
from sokoterm.commands.support.remap import keys_in_force, remapped, written
from sokoterm.store.settings import Config, Entry, Settings
from tests.unit.commands.command import Command
from tests.unit.tui.fake_terminal import play

PACK = """\
########
#      #
# .$@  #
#      #
########
"""


def entry(table: str, name: str, value: object, line: int = 1) -> Entry:
    return Entry(table, name, value, f"config.toml:{line}")


def test_an_entry_gives_an_action_all_its_keys() -> None:
    keymaps, problems = remapped(KEYMAPS, [entry("play", "undo", ["x", "Ctrl-U", "F5", "shift-home", "x"])])
    assert problems == []
    assert keymaps.play.keys_of("undo") == ("x", "C-u", "f5", "S-home")
    assert keymaps.play.find_action("u") is None
    assert keymaps.replay == KEYMAPS.replay
    assert "x Ctrl-U F5 Shift-Home" in [line.keys for line in help_lines(keymaps.play)]


def test_every_default_can_be_written_as_it_is_shown() -> None:
    shared = {binding.action for binding in EVERYWHERE}
    entries = [
        entry(name, written(binding.action), [shown(key) for key in binding.keys])
        for name, keymap in KEYMAPS._asdict().items()
        for binding in keymap.bindings
        if binding.action not in shared | {"label"}
    ]
    entries += (
        entry("everywhere", each.action, list(map(shown, each.keys)))
        for each in EVERYWHERE
        if each.action != "interrupt"
    )
    assert len(entries) > 70
    assert remapped(KEYMAPS, entries) == (KEYMAPS, [])


def test_what_every_screen_has_changes_everywhere() -> None:
    keymaps, problems = remapped(KEYMAPS, [entry("everywhere", "quit", "Q")])
    assert problems == []
    assert {keymap.find_action("Q") for keymap in keymaps} == {"quit", None}
    assert [keymap.find_action("Q") for keymap in (keymaps.play, keymaps.browser)] == ["quit", "quit"]


def test_two_actions_change_places() -> None:
    keymaps, problems = remapped(KEYMAPS, [entry("play", "undo", "y"), entry("play", "redo", "u")])
    assert problems == []
    assert (keymaps.play.find_action("y"), keymaps.play.find_action("u")) == ("undo", "redo")


def test_settings_of_before_the_editor_keep_their_keys() -> None:
    entries = [entry("play", "undo", ["e", "x"]), entry("play", "redo", "B"), entry("everywhere", "theme", "m")]
    keymaps, problems = remapped(KEYMAPS, [*entries, entry("browser", "search", "E")])
    assert problems == ["config.toml:1: m cannot be theme: on play, it is already bookmark"]
    assert [keymaps.play.find_action(key) for key in "exBEt"] == ["undo", "undo", "redo", "draw", "turn view"]
    assert keymaps.browser.find_action("E") == "search"


def test_an_entry_takes_a_key_that_a_newer_action_has_since() -> None:
    keymaps, problems = remapped(KEYMAPS, [entry("play", "undo", ["-", "u"]), entry("play", "redo", "=")])
    assert problems == []
    assert [keymaps.play.find_action(key) for key in "-=+"] == ["undo", "redo", "zoom in"]
    assert not keymaps.play.has_action("zoom out")
    keymaps, problems = remapped(KEYMAPS, [entry("play", "undo", "-"), entry("play", "zoom-out", "-", 2)])
    assert problems == ["config.toml:2: - cannot be zoom-out: on play, it is already undo"]
    assert keymaps.play.find_action("-") == "undo"


def test_the_profile_stands_beside_the_entries() -> None:
    keymaps, problems = keys_in_force(None, Config(Settings(keys="wasd"), bindings=(entry("play", "undo", "x"),)))
    assert problems == []
    assert (keymaps.play.find_action("a"), keymaps.play.find_action("x")) == ("left", "undo")
    keymaps, _ = keys_in_force("vi", Config(Settings(keys="wasd")))
    assert keymaps == KEYMAPS


@pytest.mark.parametrize(
    ("table", "name", "value", "problem"),
    [
        ("playing", "undo", "x", "found [keys.playing], expected one of play replay solver browser planner"),
        ("play", "fly", "x", "found 'fly', expected an action of play: left down up right run-left"),
        ("solver", "undo", "x", "found 'undo', expected an action of solver: accept cancel stop"),
        ("everywhere", "undo", "x", "found 'undo', expected an action of everywhere: theme mouse help redraw"),
        ("play", "quit", "x", "quit belongs in [keys.everywhere], not in [keys.play]"),
        ("everywhere", "interrupt", "x", "interrupt is always Ctrl-C"),
        ("planner", "label", "x", "label always uses the letters"),
        ("play", "undo", [], "undo = []: at least one key is required"),
        ("play", "undo", 5, 'found undo = 5, expected a character such as "u", Ctrl-A to Ctrl-Z, F1 to F12, or Left'),
        ("play", "undo", ["hyper"], "found undo = 'hyper', expected a character"),
        ("play", "undo", "\x1b", r"found undo = '\x1b', expected a character"),
        ("play", "undo", {"a": 1}, "found undo = {'a': 1}, expected a character"),
        ("play", "undo", "ctrl-c", "undo = 'ctrl-c': Ctrl-C always stops and quits"),
        ("play", "undo", "Ctrl-H", "Ctrl-H cannot be used: terminals send it for Backspace"),
        ("play", "undo", "Esc", "undo = 'Esc': Esc is reserved for cancel"),
        ("replay", "cancel", "b", "cancel = 'b': Esc must be included, because it always cancels"),
        ("replay", "step", "7", "7 cannot be step: on replay, digits enter the number of a move"),
        ("planner", "next", "N", "N cannot be next: letters are labels on planner"),
        ("play", "undo", "n", "n cannot be undo: on play, it is already next-level"),
        ("everywhere", "theme", "x", "x cannot be theme: on solver, it is already stop"),
    ],
)
def test_an_entry_that_cannot_be_followed_is_told_and_the_default_holds(
    table: str, name: str, value: object, problem: str
) -> None:
    good = entry("play", "hint", "h"), entry("play", "left", "left")
    keymaps, problems = remapped(KEYMAPS, [good[0], entry(table, name, value, 7), good[1]])
    assert len(problems) == 1
    assert problems[0].startswith(f"config.toml:7: {problem}")
    assert problems[0].isprintable()
    assert keymaps == remapped(KEYMAPS, good)[0]


def test_of_two_entries_for_one_key_the_first_holds() -> None:
    keymaps, problems = remapped(KEYMAPS, [entry("play", "undo", "x", 1), entry("play", "redo", "x", 2)])
    assert [problem.partition(";")[0] for problem in problems] == [
        "config.toml:2: x cannot be redo: on play, it is already undo"
    ]
    assert (keymaps.play.find_action("x"), keymaps.play.find_action("y")) == ("undo", "redo")


def test_newer_actions_give_their_keys_away(tmp_path: Path) -> None:
    keys = [entry("play", "undo", ["u", "f", "F", "W"]), entry("browser", "search", ["/", "f", "F", "W", "K"])]
    keymaps, problems = remapped(KEYMAPS, keys)
    assert problems == []
    assert "u undo" in play(tmp_path, PACK, ["left"], keymaps=keymaps).last
    assert "/ search" in play(tmp_path, PACK, ["b"], keymaps=keymaps).last


def test_screens_speak_of_the_keys_in_force(tmp_path: Path) -> None:
    play_keys = [entry("play", "undo", "x"), entry("play", "left", "4"), entry("play", "bookmark", ",")]
    replay_keys = [entry("everywhere", "help", "F2"), entry("replay", "faster", ["m", "Up"])]
    planner_keys = [entry("planner", "accept", "Space"), entry("planner", "all-letters", "Ctrl-A")]
    others = [entry("browser", "search", "f"), entry("solver", "stop", "S"), entry("solver", "cancel", "Esc")]
    keymaps, problems = remapped(KEYMAPS, [*play_keys, *replay_keys, *planner_keys, *others])
    assert problems == []

    def last(*keys: str) -> str:
        folder = Path(mkdtemp(dir=tmp_path))
        return re.sub("[ │]+", " ", play(folder, PACK, keys, keymaps=keymaps, size=(24, 109)).last)

    assert "4 Down Up Right move x undo" in last()
    assert "F2 help" in last()
    assert "moves 1 " in last("4")
    assert "moves 0 " in last("4", "x")
    assert " x undo " in last("f2")
    assert "moves 0 " in last("q")
    assert "Space play" in last("S", "R", "home")
    assert "moves 1 " in last("S", "R", "home", "h")
    assert "Space choose" in last("tab")
    assert "f search" in last("b")
    assert "/x" in last("b", "f", "x")


NAMES = sorted({written(binding.action) for keymap in KEYMAPS for binding in keymap.bindings})
KEY_NAMES = st.sampled_from(
    ["u", "x", "7", "n", "Esc", "Enter", "ctrl-c", "Ctrl-T", "F5", "Shift-Up", "hyper", "\x1b", ""]
)
ENTRIES = st.builds(
    Entry,
    st.sampled_from([*KEYMAPS._fields, "everywhere", "\x1b[2J"]),
    st.one_of(st.sampled_from(NAMES), st.text(max_size=4)),
    st.one_of(KEY_NAMES, st.lists(st.one_of(KEY_NAMES, st.integers()), max_size=3), st.floats(), st.none()),
    st.just("config.toml:1"),
)


@given(st.lists(ENTRIES, max_size=12))
def test_whatever_stands_there_every_screen_can_be_left(entries: list[Entry]) -> None:
    keymaps, problems = remapped(KEYMAPS, entries)
    assert all(problem.isprintable() for problem in problems)
    assert len(problems) <= len(entries)
    for keymap, default in zip(keymaps, KEYMAPS, strict=True):
        keys = [key for binding in keymap.bindings for key in binding.keys]
        assert len(keys) == len(set(keys))
        assert keymap.find_action("C-c") == "interrupt"
        assert keymap.find_action("esc") == "cancel"
        kept = [each for each in default.bindings if keymap.has_action(each.action)]
        assert [each.action for each in keymap.bindings] == [each.action for each in kept]
        assert all(binding.keys for binding in keymap.bindings)
        gone = [each for each in default.bindings if each not in kept]
        assert all(keymap.find_action(key) is not None for each in gone for key in each.keys), "taken by others"


def test_a_bookmark_and_a_number_are_asked_for_by_the_keys_in_force(tmp_path: Path) -> None:
    entries = [entry("play", "to-bookmark", "F5"), entry("play", "go-to-level", "x")]
    keymaps, problems = remapped(KEYMAPS, entries)
    assert problems == []
    assert "bookmark a set: F5 a returns here" in play(tmp_path, PACK, ["m", "a"], keymaps=keymaps).last
    assert "no level 7: the pack has" in play(tmp_path, PACK, ["x", "7", "x"], keymaps=keymaps).last


def test_the_keys_of_every_screen(command: Command) -> None:
    command.settings('[keys]\nprofile = "wasd"\n[keys.play]\nundo = "x"\n')
    lines = [line.split() for line in command.done("keys").out.splitlines()]
    assert ["undo", "x", "undo"] in lines
    assert ["left", "Left", "h", "a", "move,", "push"] in lines
    screens = [line[0] for before, line in zip([[], *lines], lines, strict=False) if line and not before]
    assert screens == ["play", "replay", "solver", "browser", "planner", "improve", "editor", "reverse"]


def test_json(command: Command) -> None:
    command.settings('keys = "vi"\n')
    rows = command.done("keys", "--json", "--keys", "wasd").objects
    assert {"screen": "play", "action": "undo-all", "keys": ["Home"], "help": "undo all"} in rows
    assert rows[0] == {"screen": "play", "action": "left", "keys": ["Left", "h", "a"], "help": "move, push"}


def test_what_cannot_be_followed_is_told_beside_the_rest(command: Command) -> None:
    command.settings('cell = 9\n[keys.play]\nfly = "x"\nundo = "x"\n[colors]\nbox = "puce"\n')
    result = command("keys")
    assert (result.status, "undo" in result.out) == (2, True)
    value, key, color = result.err.splitlines()
    assert value == "sokoterm: config.toml:1: found cell = 9, expected 1, 2, 4, 6, 8, 10, 12 or 16"
    assert key.startswith("sokoterm: config.toml:3: found 'fly', expected an action of play: left")
    assert color.startswith("sokoterm: config.toml:6: found box = 'puce', expected a colour (black")
