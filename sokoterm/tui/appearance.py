"""The looks of boards in force, and what changes them: keys, and what is learned of the terminal."""

from collections.abc import Callable, Sequence

from sokoterm.engine.bits import SYMMETRIES, Direction, Symmetry
from sokoterm.language import N_, _, ngettext
from sokoterm.store.progress import ChosenLooks
from sokoterm.store.settings import Settings
from sokoterm.tui.widgets.board_view import UPRIGHT, Appearance, square_sizes
from sokoterm.tui.widgets.theme import Theme
from sokoterm.tui.widgets.tiles import DARK, PALETTES

_DIRECTIONS = {direction.name.lower(): direction for direction in Direction}
_TURN = Symmetry(transposed=True, rows_flipped=False, columns_flipped=True)
_MIRROR = Symmetry(transposed=False, rows_flipped=False, columns_flipped=True)
# In the order of SYMMETRIES.
_VIEWS = (
    N_("view: as written"),
    N_("view: mirrored left to right"),
    N_("view: mirrored top to bottom"),
    N_("view: turned by 180 degrees"),
    N_("view: mirrored, turned to the left"),
    N_("view: turned to the right"),
    N_("view: turned to the left"),
    N_("view: mirrored, turned to the right"),
)


class AppearanceControl:
    """Keeps the looks of boards: ``now`` are those in force, ``choice`` what the player chose last with keys.

    ``settings`` come first, then what was chosen, then what suits the terminal. Whatever the settings name, the
    terminal does not change.
    """

    def __init__(
        self,
        themes: Sequence[Theme],
        settings: Settings,
        choice: ChosenLooks,
        *,
        shows_tiles: bool,
        is_slow: bool,
        keep: Callable[[ChosenLooks], None] = lambda __: None,
    ) -> None:
        """``themes`` are those that the terminal can show, ``shows_tiles`` says that it has pixels for them.

        ``keep`` gets every new choice.
        """
        self.choice = choice
        self._keep = keep
        self._themes = themes
        self._settings = settings
        usual = "tiles" if shows_tiles and not is_slow else ""
        zoom = settings.cell if settings.cell is not None else choice.zoom
        self.now = Appearance(
            self._theme(settings.theme or choice.theme or usual) or self._theme(usual) or themes[0],
            zoom if zoom is not None else int(is_slow),
            PALETTES.get(settings.palette or choice.palette or "", DARK),
            SYMMETRIES[choice.view % len(SYMMETRIES)],
        )

    def next_theme(self) -> str:
        """Go to the next theme; return a line that names it."""
        theme = self._themes[(self._themes.index(self.now.theme) + 1) % len(self._themes)]
        self.now = self.now._replace(theme=theme)
        self._choose(theme=theme.name)
        return _("theme {name}", name=theme.name)

    def zoom(self, step: int, columns: int) -> str:
        """Make squares larger or smaller by a step; beyond the last size they are as large as fits again.

        ``columns`` are those of a square on the screen, 0 if no board is shown. Return a line that names the size.
        """
        sizes = [size.columns for size in square_sizes(self.now.theme)]
        now = self.now.zoom or columns
        at = max((i for i, size in enumerate(sizes) if size <= now), default=0) + step
        zoom = sizes[at] if 0 <= at < len(sizes) else 0
        self.now = self.now._replace(zoom=zoom)
        self._choose(zoom=zoom)
        if not zoom:
            return _("zoom: as large as fits")
        return ngettext(
            "zoom: {n} column a square, past the last as fits",
            "zoom: {n} columns a square, past the last as fits",
            zoom,
        )

    def turn_view(self, *, is_mirrored: bool) -> str:
        """Turn the view of what is played to the right, or mirror it left to right; return a line that names it."""
        view = self.now.view.then(_MIRROR if is_mirrored else _TURN)
        self.now = self.now._replace(view=view)
        self._choose(view=SYMMETRIES.index(view))
        return _(_VIEWS[SYMMETRIES.index(view)])

    def on_board(self, action: str) -> str:
        """Return an action of a key with the direction that it has on the board behind the view."""
        verb, blank, towards = action.rpartition(" ")
        if self.now.view == UPRIGHT or towards not in _DIRECTIONS:
            return action
        direction = self.now.view.inverse.direction(_DIRECTIONS[towards])
        return f"{verb}{blank}{direction.name.lower()}"

    def set_background(self, name: str) -> None:
        """Take the palette of a background, ``dark`` or ``light``, unless the settings name one."""
        self._choose(palette=name)
        if self._settings.palette is None:
            self.now = self.now._replace(palette=PALETTES[name])

    def save_bytes(self) -> None:
        """Show one character a square, as far as the settings leave that open."""
        if self._settings.theme is None:
            self.now = self.now._replace(theme=self._themes[0])
        if self._settings.cell is None:
            self.now = self.now._replace(zoom=1)

    def note_warnings(self, *, are_on: bool) -> None:
        """Remember whether warnings of lost positions are on."""
        if are_on != self.choice.warns:
            self._choose(warns=are_on)

    def _choose(self, **changes: object) -> None:
        choice = self.choice._replace(**changes)
        if choice != self.choice:
            self.choice = choice
            self._keep(choice)

    def _theme(self, name: str) -> Theme | None:
        return next((theme for theme in self._themes if theme.name == name), None)
