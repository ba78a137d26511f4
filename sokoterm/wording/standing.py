"""Words for the standing of a level: its figures in a table, and a win with what comes next."""

from typing import NamedTuple

from sokoterm.app.keymap import Keymap
from sokoterm.app.play import BestFigures, LevelFigures, PlayModel, Win, figures_of
from sokoterm.language import _, listed, moves_text, ngettext, pushes_text
from sokoterm.wording.figures import clock_time, over_par
from sokoterm.wording.packs import generated_words_of, words_of


class FigureRow(NamedTuple):
    """A row of the table of figures; empty where a figure means nothing."""

    label: str
    moves: str
    pushes: str


def figure_rows(figures: LevelFigures, best: BestFigures | None, *, is_beaten: bool = False) -> list[FigureRow]:
    """The rows of a level's figures; ``best`` is the player's, ``is_beaten`` by the solution in a row above."""
    rows, moves, pushes = [], str(figures.fewest_moves or ""), str(figures.optimum or "")
    if best is not None:
        rows.append(FigureRow(_("best before") if is_beaten else _("your best"), str(best.moves), str(best.pushes)))
    if figures.known is not None:
        rows.append(FigureRow(_("best known"), str(figures.known.moves), str(figures.known.pushes)))
    if moves or pushes:
        of_one = _("fewest pushes") if pushes else _("fewest moves")
        rows.append(FigureRow(_("fewest possible") if moves and pushes else of_one, moves, pushes))
    if figures.needs and not pushes:
        rows.append(FigureRow(_("at least"), "", str(figures.needs)))
    return rows


class WinWords:
    """The words for a win, for the card on a screen and the lines of the line mode."""

    def __init__(self, play: PlayModel, win: Win, keymap: Keymap) -> None:
        """``keymap`` is that of play."""
        self._play = play
        self._win = win
        self._keymap = keymap
        self._figures = figures_of(play.pack_session, play.level)
        self._generated = generated_words_of(play.pack_session)

    @property
    def title(self) -> str:
        """``Solved: new best``."""
        win, known = self._win, self._figures.known
        if win.is_helped:
            return _("Solved with help")
        if self._generated is not None:
            return _("Solved: {score}", score=over_par(win.pushes - self._figures.optimum))
        if known is not None and (win.pushes < known.pushes or win.moves < known.moves):
            return _("Solved: beats the best known")
        has_fewest_moves = win.moves == self._figures.fewest_moves
        if win.pushes == self._figures.optimum:
            return _("Solved: perfect") if has_fewest_moves else _("Solved: fewest pushes possible")
        if has_fewest_moves:
            return _("Solved: fewest moves possible")
        return _("Solved: new best") if win.is_new_best else _("Solved")

    @property
    def rows(self) -> list[FigureRow]:
        """The table of figures, this solution in its first row."""
        win = self._win
        now = FigureRow(_("this time"), str(win.moves), str(win.pushes))
        return [now, *figure_rows(self._figures, win.before, is_beaten=win.is_new_best)]

    @property
    def time(self) -> str:
        """``2:41``; empty for less than a second."""
        return clock_time(self._win.seconds) if self._win.seconds >= 1 else ""

    @property
    def following(self) -> str:
        """``Enter next: 4 Two rooms``, or that the pack is done."""
        play = self._play
        key = self._keymap.key_of("accept")
        if self._generated is not None:
            number = play.level.number
            return self._generated.solved_text(play.level, key) if play.run else self._generated.why_no_next(number)
        if not self._following_title:
            return _("pack done: {key} other packs", key=self._keymap.key_of("browse"))
        return _("{key} next: {title}", key=key, title=self._following_title)

    @property
    def _following_title(self) -> str:
        """``4 Two rooms``; empty if the pack is done, or makes its levels."""
        pack_session, number = self._play.pack_session, self._win.following
        if number is None and (unsolved := pack_session.beside(pack_session, 0)):
            return unsolved.name
        level = pack_session.find_level(number) if number is not None else None
        if level is None or self._generated is not None:
            return ""
        return f"{number} {words_of(pack_session).listed_title(level)}".rstrip()

    @property
    def left(self) -> str:
        """``last level, 3 unsolved``; empty where unsolved levels follow, or none are left."""
        win = self._win
        if self._generated or win.following is None or win.following > self._play.level.number:
            return ""
        if win.unsolved is None:
            return _("last level, some unsolved")
        return ngettext("last level, {n:,} unsolved", "last level, {n:,} unsolved", win.unsolved)

    @property
    def fewest(self) -> str:
        """``fewest possible: 10 pushes, 33 moves, proven``; empty if nothing is proven."""
        optimum, moves = self._figures.optimum, self._figures.fewest_moves
        proven = [text for text, count in ((pushes_text(optimum), optimum), (moves_text(moves), moves)) if count]
        return _("fewest possible: {pushes}, proven", pushes=listed(proven)) if proven else ""

    @property
    def lines(self) -> list[str]:
        """The facts that the line of a solved level leaves out: time, best known, optimum, next level.

        Empty for a generated level: its line says it all.
        """
        if self._generated is not None:
            return []
        known, title = self._figures.known, self._following_title
        needs = self._figures.needs if not self._figures.optimum else 0
        best = listed([pushes_text(known.pushes), moves_text(known.moves)]) if known else ""
        lines = (
            _("time {time}", time=self.time) if self.time else "",
            _("best known: {figures}", figures=best) if best else "",
            self.fewest,
            ngettext("at least {n:,} push needed, proven", "at least {n:,} pushes needed, proven", needs)
            if needs
            else "",
            self.left,
            _("next level: {title}", title=title) if title else "",
        )
        return [*filter(None, lines)]
