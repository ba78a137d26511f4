"""Cyrillic letters are commands by the place of their key, and text where text is typed."""

from pathlib import Path

import pytest

from tests.unit.tui.fake_terminal import play

PACK = "#######\n#@ $ .#\n#######\n"


@pytest.mark.parametrize(("cyrillic", "latin"), [("дд", "ll"), ("ддг", "llu"), ("Д", "L"), ("ддьфк'ф", "llmar'a")])
def test_letters_act_as_the_latin_ones_on_their_keys(tmp_path: Path, cyrillic: str, latin: str) -> None:
    russian = play(tmp_path / "russian", PACK, cyrillic)
    english = play(tmp_path / "english", PACK, latin)
    assert russian.last.replace("ф", "a") == english.last


def test_a_setting_turns_it_off(tmp_path: Path) -> None:
    assert play(tmp_path / "off", PACK, "дд", keys_by_place=False).last == play(tmp_path / "none", PACK, "").last


def test_typed_text_stays_as_it_is(tmp_path: Path) -> None:
    assert play(tmp_path, PACK, "и/ящик").shows("/ящик")
