from itertools import chain

import pytest

from sokoterm.app.keymap import KEYMAPS, PLAY, REPLAY, Keymap, with_wasd
from sokoterm.linemode.commands import (
    PACKS_COMMANDS,
    PLAY_COMMANDS,
    REPLAY_COMMANDS,
    Command,
    Given,
    Grammar,
)

IN_PLAY = Grammar(PLAY_COMMANDS, PLAY)
IN_REPLAY = Grammar(REPLAY_COMMANDS, REPLAY)


# Commands for actions of screens that the line mode does without.
ELSEWHERE = {
    "browser": {
        "more": ["page down"],
        "levels": ["open", "first", "last", "page up"],
        "packs": ["close"],
        "rename": ["rename"],
        "remove": ["remove"],
        "move level": ["move up", "move down", "move first", "move last"],
        "order": ["order", "order back"],
        "search": ["search"],
        "series": ["series"],
    },
    "push planner": {"push": ["label", "next", "previous", "first", "last"]},
    "improve": {"improve": ["switch", "mark", "take back"]},
    "solver": {"stop": ["stop"]},
}


def test_every_action_of_the_screens_has_its_command_or_a_reason_for_none() -> None:
    names = {command.name for command in PLAY_COMMANDS}
    in_play, in_replay = ({*chain(*(each.actions for each in table))} for table in (PLAY_COMMANDS, REPLAY_COMMANDS))
    for keymap in KEYMAPS:
        elsewhere = ELSEWHERE.get(keymap.name, {})
        assert elsewhere.keys() <= names
        covered = {*in_play, *chain(*elsewhere.values()), *(in_replay if keymap is REPLAY else ())}
        for binding in keymap.bindings:
            assert binding.action in covered or binding.screen_only, f"{keymap.name}: {binding.action}"


def test_an_action_without_a_command_of_its_own_is_one_by_its_name() -> None:
    assert IN_PLAY.read("hint") == Given("hint", "hint", ())
    assert IN_PLAY.help("hint") == ["hint, .: hint: make one push of a solution"]
    order = [command.name for command in PLAY_COMMANDS]
    assert order.index("undo") < order.index("hint") < order.index("packs"), "among the commands of the play"


@pytest.mark.parametrize(("commands", "keymap"), [(PLAY_COMMANDS, PLAY), (REPLAY_COMMANDS, REPLAY)])
def test_commands_stand_for_actions_that_there_are(commands: tuple[Command, ...], keymap: Keymap) -> None:
    for command in commands:
        assert all(map(keymap.has_action, command.actions)), command.name


def test_a_command_without_a_help_of_its_own_has_that_of_its_key() -> None:
    assert IN_PLAY.help("alive") == ["alive, U: back to the last position that is not dead"]
    assert IN_REPLAY.help("unpush") == ["unpush, [: one push back"]
    assert Grammar(PACKS_COMMANDS, PLAY).help("statistics") == ["statistics, i: statistics: days, packs, streaks"]


@pytest.mark.parametrize("commands", [PLAY_COMMANDS, REPLAY_COMMANDS, PACKS_COMMANDS])
def test_no_word_means_two_things(commands: tuple[object, ...]) -> None:
    words = [
        word for command in (PLAY_COMMANDS if commands is PLAY_COMMANDS else REPLAY_COMMANDS) for word in command.words
    ]
    assert len(words) == len(set(words))


def test_every_letter_of_the_game_is_a_command() -> None:
    for binding in PLAY.bindings:
        for key in binding.keys:
            if len(key) == 1 and not binding.screen_only:
                assert isinstance(IN_PLAY.read(key), Given), key
    for binding in REPLAY.bindings:
        for key in binding.keys:
            if len(key) == 1 and not binding.screen_only:
                assert isinstance(IN_REPLAY.read(key), Given), key


@pytest.mark.parametrize(
    ("line", "lurd"),
    [("h", "l"), ("j", "d"), ("k", "u"), ("l", "r"), ("3l", "3r"), ("llk", "rru"), ("2l 3j", "2r3d"), ("h h", "ll")],
)
def test_letters_in_a_row_are_steps(line: str, lurd: str) -> None:
    assert IN_PLAY.read(line) == Given("moves", "", (lurd,))


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("u", Given("undo", "undo", ())),
        ("U", Given("alive", "undo dead", ())),
        ("r", Given("reset", "restart", ())),
        ("undo 5", Given("undo", "", ("5",))),
        ("UNDO all", Given("undo", "", ("all",))),
        ("left 3", Given("left", "left", ("3",))),
        ("3 left", Given("left", "left", ("3",))),
        ("run left", Given("run", "", ("left",))),
        ("H", Given("run", "run left", ())),
        ("m a", Given("mark", "bookmark", ("a",))),
        ("ma", Given("mark", "bookmark", ("a",))),
        ("'a", Given("return", "to bookmark", ("a",))),
        ("g5", Given("go", "go to level", ("5",))),
        ("go to level 5", Given("go", "go to level", ("5",))),
        ("push box c to row 4 column 7", Given("push", "plan", ("c", "4", "7"))),
        ("walk to 4,7", Given("walk", "", ("4,7",))),
        ("warnings on", Given("warnings", "warnings", ("on",))),
        ("search to the end", Given("search", "", ("to", "the", "end"))),
        (".", Given("hint", "hint", ())),
        ("stop", Given("stop", "cancel", ())),
        ("replay", Given("replay", "replay", ())),
        ("unsolved", Given("unsolved", "next unsolved", ())),
        ("moves 2R4D", Given("moves", "copy", ("2R4D",))),
    ],
)
def test_lines_are_understood(line: str, given: Given) -> None:
    assert IN_PLAY.read(line) == given


def test_a_replay_has_its_own_letters() -> None:
    assert IN_REPLAY.read("u") == Given("back", "step back", ())
    assert IN_REPLAY.read("h") == Given("take over", "take over left", ())
    assert IN_REPLAY.read("take over left") == Given("take over", "", ("left",))
    assert IN_REPLAY.read("next 3") == Given("next", "step", ("3",))


def test_letters_follow_the_keys_in_force() -> None:
    play = with_wasd(KEYMAPS).play
    assert Grammar(PLAY_COMMANDS, play).read("ddw") == Given("moves", "", ("rru",))
    assert isinstance(IN_PLAY.read("ddw"), str)


def test_lurd_without_its_word_is_told_apart() -> None:
    given = IN_PLAY.read("rrUl")
    assert given == "unknown command: rrUl; to make these moves, type: moves rrUl"
    assert IN_PLAY.read("dance") == "unknown command: dance; help lists the commands"


def test_what_needs_a_screen_says_why() -> None:
    assert IN_PLAY.read("T") == "theme does nothing here: nothing is drawn"
    assert IN_REPLAY.read("+") == "faster does nothing here: a replay waits for your commands"


def test_help_names_every_command_with_its_letters() -> None:
    lines = IN_PLAY.help()
    assert len(lines) == len(PLAY_COMMANDS) + 1
    assert "undo, u, z [N or all]: undo the last command, the last N, or all" in lines
    assert IN_PLAY.help("U") == IN_PLAY.help("alive")
    assert IN_PLAY.help("nothing") == ["unknown command: nothing; help lists the commands"]


@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    [("г", "u"), ("ддл", "llk"), ("5д", "5l"), ("ь ф", "m a"), ("рудз", "help"), ("гтвщ 3", "undo 3"), ("п5", "g5")],  # noqa: RUF001
)
def test_cyrillic_letters_stand_for_the_latin_ones_on_their_keys(cyrillic: str, latin: str) -> None:
    assert IN_PLAY.read(cyrillic) == IN_PLAY.read(latin)
    without = Grammar(PLAY_COMMANDS, PLAY, keys_by_place=False)
    assert isinstance(without.read(cyrillic), str)


def test_text_behind_a_command_stays_as_it_is() -> None:
    assert IN_PLAY.read("ыуфкср ящик") == Given("search", "", ("ящик",))
    problem = IN_PLAY.read("ящик")
    assert isinstance(problem, str)
    assert "ящик" in problem
