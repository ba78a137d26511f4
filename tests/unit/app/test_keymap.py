from itertools import pairwise

from sokoterm.app.keymap import KEYMAPS, LETTERS, PLANNER, PLAY, help_lines, shown, with_wasd


def test_no_key_means_two_things_on_one_screen() -> None:
    for keymap in KEYMAPS:
        keys = [key for binding in keymap.bindings for key in binding.keys]
        assert len(keys) == len(set(keys)), keymap.name


def test_every_key_has_a_help_line() -> None:
    for keymap in KEYMAPS:
        told = " ".join(line.keys for line in help_lines(keymap))
        for binding in keymap.bindings:
            for key in binding.keys:
                name = shown(key).rpartition("-")[2]
                assert name in told or "arrows" in told or key in LETTERS and "a-z" in told, key


def test_keys_that_do_one_thing_share_a_line() -> None:
    lines = {line.text: line.keys for line in help_lines(PLAY)}
    assert lines["move, push"] == "arrows h j k l"
    assert lines["undo"] == "u Backspace z"


def test_letters_are_labels_in_the_planner_and_nothing_else() -> None:
    assert {PLANNER.find_action(letter) for letter in LETTERS} == {"label"}
    assert [line.keys for line in help_lines(PLANNER)][:2] == ["a-z", "arrows"]


def test_wasd_takes_no_letter_away_from_another_command() -> None:
    assert all(PLAY.find_action(key) is None for key in "wasd")


def test_wasd_does_what_the_arrows_do() -> None:
    keymaps = with_wasd(KEYMAPS)
    assert [keymaps.play.find_action(key) for key in "wasd"] == ["up", "left", "down", "right"]
    assert [keymaps.replay.find_action(key) for key in "wasd"] == ["faster", "step back", "slower", "step"]
    assert keymaps.planner == PLANNER
    assert "arrows h a j s k w l d" in [line.keys for line in help_lines(keymaps.play)]


def test_help_lines_do_not_repeat() -> None:
    for keymap in KEYMAPS:
        texts = sorted(line.text for line in help_lines(keymap))
        assert all(a != b for a, b in pairwise(texts))


def test_keys_of_other_programs_do_what_they_do_there() -> None:
    assert [PLAY.find_action(key) for key in ("C-r", "z", "backspace")] == ["redo", "undo", "undo"]
    assert [PLAY.find_action(key) for key in ("L", "S-right")] == ["run right", "run right"]
