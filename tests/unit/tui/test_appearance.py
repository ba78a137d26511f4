"""The looks of boards: what settings, earlier choices, keys and the terminal say, in this order."""

from sokoterm.store.progress import ChosenLooks
from sokoterm.store.settings import Settings
from sokoterm.tui.event_loop import AppearanceControl
from sokoterm.tui.widgets.theme import THEMES, themes_for

NO_SETTINGS, NO_CHOICE = Settings(), ChosenLooks()


def control(
    settings: Settings = NO_SETTINGS, choice: ChosenLooks = NO_CHOICE, *, slow: bool = False
) -> AppearanceControl:
    return AppearanceControl(THEMES, settings, choice, shows_tiles=True, is_slow=slow)


def looks(appearance: AppearanceControl) -> tuple[str, int, str]:
    now = appearance.now
    return now.theme.name, now.zoom, now.palette.name


def test_a_terminal_with_256_colours_has_tiles() -> None:
    assert looks(control()) == ("tiles", 0, "dark")


def test_other_terminals_have_ascii() -> None:
    few = themes_for(utf8=True, many_colors=False)
    plain = AppearanceControl(few, NO_SETTINGS, NO_CHOICE, shows_tiles=False, is_slow=False)
    assert looks(plain) == ("ascii", 0, "dark")


def test_a_slow_line_has_one_character_a_square() -> None:
    assert looks(control(slow=True)) == ("ascii", 1, "dark")


def test_what_was_chosen_last_comes_before_what_is_usual() -> None:
    assert looks(control(choice=ChosenLooks("modern", 1, "light"))) == ("modern", 1, "light")


def test_settings_come_before_what_was_chosen_last() -> None:
    settings = Settings(theme="letters", cell=2, palette="light")
    assert looks(control(settings, ChosenLooks("modern", 1, "dark"))) == ("letters", 2, "light")


def test_a_theme_that_the_terminal_lacks_gives_way_to_what_is_usual() -> None:
    few = themes_for(utf8=False, many_colors=False)
    plain = AppearanceControl(few, Settings(theme="tiles"), ChosenLooks("modern"), shows_tiles=False, is_slow=False)
    assert looks(plain)[0] == "ascii"
    assert looks(control(choice=ChosenLooks("no such theme")))[0] == "tiles"


def test_keys_change_the_looks_and_are_remembered() -> None:
    appearance = control(Settings(theme="modern"))
    appearance.next_theme()
    appearance.zoom(1, 4)
    assert looks(appearance)[:2] == ("tiles", 6)
    assert appearance.choice == ChosenLooks("tiles", 6)


def test_the_largest_size_is_followed_by_as_large_as_fits() -> None:
    appearance = control()
    appearance.zoom(1, 8)
    assert appearance.now.zoom == 0


def test_the_background_chooses_the_palette_and_is_remembered() -> None:
    appearance = control()
    appearance.set_background("light")
    assert looks(appearance)[2] == "light"
    assert appearance.choice.palette == "light"


def test_the_background_does_not_overrule_the_settings() -> None:
    appearance = control(Settings(palette="dark"))
    appearance.set_background("light")
    assert looks(appearance)[2] == "dark"


def test_a_line_found_to_be_slow_gets_small_boards_but_that_is_no_choice() -> None:
    appearance = control(choice=ChosenLooks("tiles", 8))
    appearance.save_bytes()
    assert looks(appearance)[:2] == ("ascii", 1)
    assert appearance.choice == ChosenLooks("tiles", 8)


def test_a_line_found_to_be_slow_does_not_overrule_the_settings() -> None:
    appearance = control(Settings(theme="tiles", cell=4))
    appearance.save_bytes()
    assert looks(appearance)[:2] == ("tiles", 4)
