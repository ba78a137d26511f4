"""Words for the figures of a level, and for a win."""

from enum import Enum
from typing import NamedTuple

from sokoterm.app.keymap import Keymap
from sokoterm.app.play import LevelFigures, PlayModel, Win, figures_of
from sokoterm.language import N_, _, in_clauses, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.wording.figures import clock_time, online_text, over_par
from sokoterm.wording.packs import generated_words_of, words_of


class FigureRow(NamedTuple):
    """A row of the table of figures; figures that do not apply are empty."""

    label: str
    moves: str
    pushes: str


def _online_rows(figures: LevelFigures, key: str = "") -> list[FigureRow]:
    """The row of the best at letslogic.com, with dashes for unknown figures; none if the level is not there."""
    online = figures.online
    return [FigureRow(f"{key}letslogic.com", f"{online.moves or '-'}", f"{online.pushes or '-'}")] if online else []


def figure_rows(figures: LevelFigures) -> list[FigureRow]:
    best, rows, moves, pushes = figures.best, [], str(figures.fewest_moves or ""), str(figures.optimum or "")
    if best is not None:
        rows.append(FigureRow(_("your best"), str(best.moves), str(best.pushes)))
    if figures.known is not None:
        rows.append(FigureRow(_("best known"), str(figures.known.moves), str(figures.known.pushes)))
    rows += _online_rows(figures)
    if moves or pushes:
        of_one = _("fewest pushes") if pushes else _("fewest moves")
        rows.append(FigureRow(_("fewest possible") if moves and pushes else of_one, moves, pushes))
    if figures.par:
        # Translators: label of a row: the fewest pushes that are known of a level.
        rows.append(FigureRow(pgettext("label of the fewest pushes known", "par"), "", str(figures.par)))
    if figures.needs and not pushes:
        rows.append(FigureRow(_("at least"), "", str(figures.needs)))
    return rows


class Moment(Enum):
    """The occasion of a win, rarest first: the word in large letters, and the title."""

    # Translators: words in capitals are cheers for a win, drawn as large letters if they have no other accents than
    # ÉÍÓÖ, else bold; at most ten letters.
    PACK_DONE = (N_("ALL DONE!"), N_("Every level of the pack is solved"))
    HELPED = (N_("SOLVED"), N_("Solved with help"))
    FIRST_EVER = (N_("FIRST!"), N_("Your first solved level"))
    ALONE = (N_("NO HELP!"), N_("Solved without help for the first time"))
    RECORD = (N_("RECORD!"), N_("Solved: beats the best known"))
    PERFECT = (N_("PERFECT!"), N_("Solved: perfect"))
    FEWEST_PUSHES = (N_("OPTIMAL!"), N_("Solved: fewest pushes possible"))
    FEWEST_MOVES = (N_("SOLVED!"), N_("Solved: fewest moves possible"))
    BEST = (N_("NEW BEST!"), N_("Solved: new best"))
    SOLVED = (N_("SOLVED!"), N_("Solved"))


def moment_of(win: Win, figures: LevelFigures) -> Moment:
    """Return the occasion of a win by the figures known at that moment; later proofs do not change it."""
    known, has_fewest_moves = figures.known, win.moves == figures.fewest_moves
    has_fewest_pushes = win.pushes == figures.optimum
    occasions = {
        Moment.PACK_DONE: win.before is None and win.unsolved == 0 and win.levels > 1,
        Moment.HELPED: win.is_helped,
        Moment.FIRST_EVER: win.is_first,
        Moment.ALONE: win.was_helped,
        Moment.RECORD: known is not None and (win.pushes < known.pushes or win.moves < known.moves),
        Moment.PERFECT: has_fewest_pushes and has_fewest_moves,
        Moment.FEWEST_PUSHES: has_fewest_pushes,
        Moment.FEWEST_MOVES: has_fewest_moves,
        Moment.BEST: win.is_new_best,
    }
    return next((moment for moment, is_one in occasions.items() if is_one), Moment.SOLVED)


_UNTOLD = (Moment.FIRST_EVER, Moment.ALONE, Moment.RECORD)
"""Moments not mentioned in the line about a solved level."""


class WinWords:
    def __init__(self, play: PlayModel, win: Win, keymap: Keymap) -> None:
        """``keymap`` is the keymap of play."""
        self._play = play
        self._win = win
        self._keymap = keymap
        self._figures = win.figures
        self._generated = generated_words_of(play.pack_session)

    @property
    def moment(self) -> Moment:
        return moment_of(self._win, self._figures)

    @property
    def cheer(self) -> str:
        return _(self.moment.value[0])

    @property
    def title(self) -> str:
        """``Solved: new best``."""
        if self._generated is not None and self.moment is not Moment.HELPED:
            return _("Solved: {score}", score=over_par(self._win.pushes - self._figures.optimum))
        return _(self.moment.value[1])

    @property
    def beside_stars(self) -> str:
        """``2 pushes over par``; empty without a par, and at the optimum, which is in the table."""
        win, par = self._win, self._win.par
        if win.is_helped:
            return _("no stars with help")
        if par is None or win.pushes < par.pushes or win.pushes == self._figures.optimum:
            return ""
        if over := win.pushes - par.pushes:
            return ngettext("{n:,} push over par", "{n:,} pushes over par", over)
        return _("fewest known pushes")

    @property
    def rows(self) -> list[FigureRow]:
        """The table of figures, from this solution to the best known or possible one, if any."""
        win, figures, before = self._win, self._figures, self._win.before
        rows = [FigureRow(_("this time"), str(win.moves), str(win.pushes))]
        if before is not None:
            label = _("previous best") if win.is_new_best else _("your best")
            rows.append(FigureRow(label, str(before.moves), str(before.pushes)))
        if before is not None and win.is_new_best:
            gains = before.moves - win.moves, before.pushes - win.pushes
            rows.append(FigureRow(_("better by"), *(str(gain) if gain > 0 else "" for gain in gains)))
        rows += _online_rows(figures, f"{self._keymap.key_of('letslogic')} ".lstrip())
        moves = figures.fewest_moves or (figures.known.moves if figures.known is not None else 0)
        pushes = figures.optimum or (figures.known.pushes if figures.known is not None else 0)
        is_proven = (moves, pushes) == (figures.fewest_moves, figures.optimum) != (0, 0)
        label = _("fewest possible") if is_proven else _("fewest known")
        return [*rows, FigureRow(label, str(moves or "-"), str(pushes or "-"))] if moves or pushes else rows

    @property
    def progress(self) -> tuple[int, int] | None:
        """The numbers of solved levels and of all levels of the pack; None for a single level, or too many."""
        unsolved, levels = self._win.unsolved, self._win.levels
        return None if unsolved is None or levels == 1 else (levels - unsolved, levels)

    @property
    def time(self) -> str:
        """``2:41``; empty for less than a second."""
        return clock_time(self._win.seconds) if self._win.seconds >= 1 else ""

    @property
    def following(self) -> str:
        """``Enter next: 4 Two rooms``, or the end of the pack."""
        play = self._play
        key = self._keymap.key_of("accept")
        if self._generated is not None:
            number = play.level.number
            return self._generated.solved_text(play.level, key) if play.run else self._generated.why_no_next(number)
        if not self._following_title:
            return _("pack done: {key} other packs", key=key)
        return _("{key} next: {title}", key=key, title=self._following_title)

    @property
    def _following_title(self) -> str:
        """``4 Two rooms``; empty if the pack is done or generated."""
        pack_session, number = self._play.pack_session, self._win.following
        if number is None and (unsolved := pack_session.beside(pack_session, 0)):
            return unsolved.name
        level = pack_session.find_level(number) if number is not None else None
        if level is None or self._generated is not None:
            return ""
        return f"{number} {words_of(pack_session).listed_title(level)}".rstrip()

    @property
    def left(self) -> str:
        """``last level, 3 unsolved``; empty if unsolved levels follow, or none are left."""
        win = self._win
        if self._generated is not None or win.following is None or win.following > self._play.level.number:
            return ""
        if win.unsolved is None:
            return _("last level, some unsolved")
        return ngettext("last level, {n:,} unsolved", "last level, {n:,} unsolved", win.unsolved)

    @property
    def fewest(self) -> str:
        """``fewest possible: 10 pushes, 33 moves, proven``, including later proofs; empty if nothing is proven."""
        figures = figures_of(self._play.pack_session, self._play.level)
        optimum, moves = figures.optimum, figures.fewest_moves
        proven = [text for text, count in ((pushes_text(optimum), optimum), (moves_text(moves), moves)) if count]
        return _("fewest possible: {pushes}, proven", pushes=listed(proven)) if proven else ""

    @property
    def lines(self) -> list[str]:
        """Facts not in the line about a solved level: time, best known, optimum, next level; none if generated."""
        if self._generated is not None:
            return []
        known, title = self._figures.known, self._following_title
        needs = self._figures.needs if not self._figures.optimum else 0
        best = listed([pushes_text(known.pushes), moves_text(known.moves)]) if known else ""
        stars = ngettext("{n} star", "{n} stars", self._win.stars) if self._win.stars else ""
        lines = (
            self.title if self.moment in _UNTOLD else "",
            in_clauses([stars, self.beside_stars]),
            _("time {time}", time=self.time) if self.time else "",
            _("best known: {figures}", figures=best) if best else "",
            online_text(self._figures.online),
            self.fewest,
            ngettext("at least {n:,} push needed, proven", "at least {n:,} pushes needed, proven", needs)
            if needs
            else "",
            self.left,
            _("next level: {title}", title=title) if title else "",
        )
        return [*filter(None, lines)]
