"""Words for packs and their levels, ordinary and generated: titles, remarks, scores, reasons for missing levels."""

from contextlib import suppress
from typing import TYPE_CHECKING

from sokoterm.app.pack_session import PackSession
from sokoterm.engine.level import Level
from sokoterm.engine.text import printable
from sokoterm.language import _, boxes_text, in_clauses, labelled, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.store.known_levels import LevelPlace
from sokoterm.store.packs import PackError, shown_text
from sokoterm.wording.columns import clipped
from sokoterm.wording.figures import clock_time, duration, over_briefly, over_par

if TYPE_CHECKING:
    from sokoterm.app.generated import DailyPack, DescentPack, GeneratedPack
    from sokoterm.store.series import Effort, RunScore

_NAME_WIDTH = 24  # columns for the name of another pack
STAR, SQUARES = "⭐", "🟧🟦"
"""Signs for chats, not for the terminal: a star, and squares for pushes beyond par and other pushes."""
_MOST_SQUARES = 10


def words_of(pack_session: PackSession) -> "PackWords":
    return generated_words_of(pack_session) or PackWords(pack_session)


def generated_words_of(pack_session: PackSession | None) -> "DailyWords | DescentWords | None":
    """Return the words for a generated pack; None otherwise."""
    if pack_session is None or not pack_session.is_generated:
        return None
    from sokoterm.app.generated import DailyPack, DescentPack  # only for generated packs

    match pack_session:
        case DailyPack():
            return DailyWords(pack_session)
        case DescentPack():
            return DescentWords(pack_session)
    return None


class PackWords:
    """Words for an ordinary pack session, and the defaults for generated packs."""

    def __init__(self, pack_session: PackSession) -> None:
        self._pack_session = pack_session

    @property
    def name(self) -> str:
        return shown_text(self._pack_session.name)

    def level_title(self, level: Level) -> str:
        return shown_text(level.title.strip())

    def label(self, level: Level) -> str:
        """``First Steps 3``: a level as part of other texts."""
        return f"{self.name} {level.number}"

    def heading(self, level: Level) -> str:
        """``First Steps 3/24``: the heading above the board."""
        return " ".join(self.heading_parts(level))

    def heading_parts(self, level: Level) -> tuple[str, str]:
        """``First Steps`` and ``3/24``, for both ends of a line; the second part is empty for a generated level."""
        return self.name, f"{level.number}/{self._pack_session.pack.size}"

    def title_below_heading(self, level: Level) -> str:
        """The title of a level; empty if it repeats the heading."""
        title = self.level_title(level)
        return "" if title in (str(level.number), self.heading(level)) else title

    def author(self, level: Level) -> str:
        """The author of a level, else of its pack; empty if unknown."""
        return shown_text((level.author or self._pack_session.pack.author).strip())

    def spoken_heading(self, level: Level) -> str:
        """``First Steps, level 3 of 24``: the heading in the line mode."""
        size = self._pack_session.pack.size
        return _("{pack}, level {number} of {size}", pack=self.name, number=level.number, size=size)

    def listed_title(self, level: Level) -> str:
        """The title of a level in the list of levels; empty if it only repeats the number."""
        title = self.level_title(level)
        return "" if title == str(level.number) else title

    @property
    def number_noun(self) -> str:
        """The noun in the question for the number of a level."""
        return _("level number")

    # A level in play

    def title(self, number: int) -> str:  # noqa: ARG002 - also in the following methods
        """The title of a generated level, which may not be built yet."""
        return ""

    def solved_text(self, level: Level, next_key: str) -> str:  # noqa: ARG002
        """The message for a generated level that has just been solved; ``next_key`` continues."""
        return ""

    def result(self, number: int) -> str:  # noqa: ARG002
        """One line to share about a generated level or descent, without moves; empty if there is no result."""
        return ""

    def shared(self, level: Level) -> list[str]:
        """The lines of a result for chats."""
        return [self.result(level.number)]

    def remark(self, level: Level, end_key: str, *, is_solved: bool) -> str:
        """The line above the board: the first line of the comment. ``end_key`` ends a descent."""
        return next(iter(self.comment(level, end_key, is_solved=is_solved)), "")

    def comment(self, level: Level, end_key: str, *, is_solved: bool) -> list[str]:  # noqa: ARG002 - as above
        """The lines of the level's comment that are not blank, made printable."""
        return [shown_text(line.strip()) for line in level.comment.splitlines() if line.strip()]

    def known_hint(self, level: Level, key: str) -> str:
        """``known: 97 pushes (R shows it)``; empty if unknown, or if the player has solved the level."""
        known = self._pack_session.lookups.known_at_once(level)
        if self._pack_session.best(level).by_moves or not known:
            return ""
        return _("known: {pushes} ({key} shows it)", pushes=pushes_text(known[0].solution.pushes), key=key)

    def score_verdict(self, level: Level, moves: int, pushes: int) -> str:
        """A new solution compared with the best in the score table; empty without a table.

        ``best on this server: 97 pushes by ann; yours 101``, or moves if nobody has fewer pushes. In a tie, the table
        has the earliest solution.
        """
        scores, standing = self._pack_session.scores, self._pack_session.lookups.standing(level, moves, pushes)
        best, shortest = standing.by_pushes, standing.by_moves
        if best is None or shortest is None:
            return ""
        if best.pushes < pushes:
            figure, name, yours = pushes_text(best.pushes), best.name, pushes
        elif shortest.moves < moves:
            figure, name, yours = moves_text(shortest.moves), shortest.name, moves
        elif scores is not None and scores.name in (best.name, shortest.name):
            return _("the best on this server")
        else:
            return _("equals the best on this server, by {name}", name=best.name)
        return _("best on this server: {figure} by {name}; yours {yours:,}", figure=figure, name=name, yours=yours)

    # Missing levels

    def why_missing(self, number: int) -> str:
        """The reason why a level with this number cannot be played."""
        size, errors = self._pack_session.pack.size, self._pack_session.pack.errors
        if problem := next((printable(error.problem) for error in errors if error.level == number), ""):
            return _("level {number} cannot be read: {problem}", number=number, problem=problem)
        return ngettext(
            "no level {number}: the pack has {n:,} level",
            "no level {number}: the pack has {n:,} levels",
            size,
            number=number,
        )

    @property
    def none_readable(self) -> str:
        return _("{pack}: no readable level", pack=self.name)

    def why_no_next(self, number: int) -> str:  # noqa: ARG002 - for generated packs
        """The reason why no level follows this one."""
        return _("this is the last level")

    def why_no_unsolved(self, number: int) -> str:
        """The reason why there is no other unsolved level."""
        done = self._pack_session.is_solved(number)
        return _("pack done: every level is solved") if done else _("all the other levels in the pack are solved")


class GeneratedWords(PackWords):
    """Words for a generated pack, whose levels have the titles of their recipes.

    ``standing`` is the player's progress in the list of packs, ``facts`` the line below the list, and ``about`` an
    introduction for a player who has not started.
    """

    _pack_session: "GeneratedPack"

    def label(self, level: Level) -> str:
        return self.title(level.number)

    heading = spoken_heading = label

    def heading_parts(self, level: Level) -> tuple[str, str]:
        return self.label(level), ""

    def title_below_heading(self, level: Level) -> str:  # noqa: ARG002 - the heading is the title
        return ""

    def _score(self, level: Level) -> str:
        """``34 pushes (+3), 87 moves, 2:41, no undo``: the figures of a solved level, and the help used."""
        effort = self._effort(level)
        over = over_briefly(effort.pushes - self._par(level))
        pushes = _("{pushes} ({over})", pushes=pushes_text(effort.pushes), over=over)
        return listed([pushes, moves_text(effort.moves), clock_time(effort.seconds), helped(effort)])

    def _effort(self, level: Level) -> "Effort":
        return self._pack_session.effort_of(level.number)

    def _par(self, level: Level) -> int:
        par = self._pack_session.par(level)
        return par.pushes if par is not None else 0

    def _par_text(self, level: Level) -> str:
        return ngettext("par {n:,} push", "par {n:,} pushes", self._par(level))


class DailyWords(GeneratedWords):
    _pack_session: "DailyPack"

    @property
    def name(self) -> str:
        return _("Daily")

    def title(self, number: int) -> str:
        return _("Daily {date}", date=self._pack_session.date_of(number).isoformat())

    def listed_title(self, level: Level) -> str:
        return self._pack_session.date_of(level.number).isoformat()

    @property
    def number_noun(self) -> str:
        return _("day (YYYY-MM-DD)")

    @property
    def standing(self) -> str:
        today, made = self._pack_session.today, self._pack_session.find_made(self._pack_session.today)
        seconds = max(60, self._pack_session.seconds_left // 60 * 60)
        time = duration(seconds // 3600 * 3600 or seconds)
        if self._pack_session.is_solved(today):
            return _("solved, next in {time}", time=time)
        # Translators: the time until the next daily level, as in "par 27, 6 h left".
        left = _("{time} left", time=time)
        new = pgettext("today's level, which was not begun", "new")
        return listed([_("par {par}", par=made.par) if made is not None else new, left])

    @property
    def facts(self) -> str:
        row = self._pack_session.streak
        told = {"today": self.title(self._pack_session.today), "days": row.now, "longest": row.longest}
        return _("{today}: one level a day, the same for everybody; streak {days}, longest {longest}", **told)

    @property
    def about(self) -> list[str]:
        told = _("A new level at 00:00 UTC, small on Mondays, hardest on Sundays. Par is the fewest pushes possible.")
        return [told, _("Solve it on the same day to continue your streak."), self.next_in]

    def comment(self, level: Level, end_key: str, *, is_solved: bool) -> list[str]:  # noqa: ARG002 - not a descent
        effort, row = self._effort(level), self._pack_session.streak
        par, boxes = self._par_text(level), boxes_text(level.boxes)
        if effort.solved is None:
            return [in_clauses([par, boxes])]
        if not is_solved:
            return [_("{par}, solved in {pushes}; {boxes}", par=par, pushes=effort.pushes, boxes=boxes)]
        streaks = _("streak {days}, longest {longest}", days=row.now, longest=row.longest)
        return [in_clauses([self._score(level), streaks])]

    def solved_text(self, level: Level, next_key: str) -> str:  # noqa: ARG002 - nothing follows
        effort = self._effort(level)
        return _("with help") if effort.is_helped else over_par(effort.pushes - self._par(level))

    def result(self, number: int) -> str:
        """``sokoterm daily 2026-11-22: 34 pushes (par 31), 87 moves, 2:41, no undo, streak 5``."""
        level = self._pack_session.find_level(number)
        if level is None or not self._pack_session.has_result(number):
            return ""
        day = self._pack_session.date_of(number).isoformat()
        return labelled(f"sokoterm daily {day}", listed([*self.figures(level), self._streak(number)]))

    def _streak(self, number: int) -> str:
        """The streak, for a result; empty except for today's level, solved on time."""
        is_todays = number == self._pack_session.today and self._pack_session.day(number).is_on_time
        return _("streak {days}", days=self._pack_session.streak.now) if is_todays else ""

    def figures(self, level: Level) -> list[str]:
        effort = self._effort(level)
        pushes = _("{pushes} (par {par})", pushes=pushes_text(effort.pushes), par=self._par(level))
        return [pushes, listed([moves_text(effort.moves), clock_time(effort.seconds)]), helped(effort)]

    def shared(self, level: Level) -> list[str]:
        """The lines of a result for chats: stars, squares for groups of pushes (see ``push_quality``), figures."""
        quality = self._pack_session.push_quality(level)
        size = -(-len(quality) // _MOST_SQUARES) or 1
        squares = (SQUARES[all(quality[first : first + size])] for first in range(0, len(quality), size))
        day, stars = self._pack_session.date_of(level.number).isoformat(), STAR * self._pack_session.stars(level)
        title = f"sokoterm daily {day} {stars}".rstrip()
        return [*filter(None, (title, "".join(squares), listed(self.figures(level)), self._streak(level.number)))]

    @property
    def next_in(self) -> str:
        """``next level in 5 h 12 min``."""
        return _("next level in {time}", time=duration(-(-self._pack_session.seconds_left // 60) * 60))

    def why_missing(self, number: int) -> str:  # noqa: ARG002
        first, last = map(self._pack_session.date_of, (1, self._pack_session.today))
        return _("no level for that day: daily levels run from {first} to {last}", first=first, last=last)

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        return _("the next level comes at 00:00 UTC")

    def why_no_unsolved(self, number: int) -> str:
        if self._pack_session.is_solved(self._pack_session.today):
            return _("today's level is solved: the next level comes at 00:00 UTC")
        return self.why_no_next(number)


class DescentWords(GeneratedWords):
    _pack_session: "DescentPack"

    @property
    def name(self) -> str:
        return _("Descent {seed}", seed=str(self._pack_session.run.seed))

    def title(self, number: int) -> str:
        return _("Descent {seed}, floor {number}", seed=str(self._pack_session.run.seed), number=number)

    def listed_title(self, level: Level) -> str:
        return _("floor {number}", number=level.number)

    @property
    def number_noun(self) -> str:
        return pgettext("a level of a descent", "floor")

    @property
    def _is_open(self) -> bool:
        return self._pack_session.find_made(1) is not None and not self._pack_session.is_over

    @property
    def standing(self) -> str:
        if not self._is_open:
            return _("ever harder floors")
        floor = _("floor {number}", number=self._pack_session.depth)
        return listed([floor, _("seed {seed}", seed=str(self._pack_session.run.seed))])

    @property
    def facts(self) -> str:
        if self._is_open:
            depth, so_far = self._pack_session.depth, self._so_far() or pgettext("of a descent", "begun")
            return _("{run}, floor {number}: {standing}", run=self.name, number=depth, standing=so_far)
        return _("floor after floor, each a little harder than the last")

    @property
    def about(self) -> list[str]:
        told = _("Every floor has a par. Pushes over par, undos and hints count; the run lasts until you end it.")
        runs: list[RunScore] = []
        with suppress(PackError):
            runs = [run for run in self._pack_session.series.table() if run.is_own and run.floors]
        return [told, *(_("best run: {facts}", facts=spoken_run(run)) for run in runs[:1])]

    def comment(self, level: Level, end_key: str, *, is_solved: bool) -> list[str]:
        if self._effort(level).solved is not None and is_solved:
            return [in_clauses([self._score(level), self._so_far()])]
        ends = "" if self._pack_session.is_over else _("{key} ends the run", key=end_key)
        return [in_clauses([self._par_text(level), ends, self._so_far()])]

    def _so_far(self) -> str:
        score, is_over = self._pack_session.score, self._pack_session.is_over
        if not score.floors:
            return _("the run is over") if is_over else ""
        needed, over = helped(score), over_par(score.over)
        if is_over:
            return _("run ended: {over}, {help}", over=over, help=needed)
        return _("run {over} so far, {help}", over=over, help=needed)

    def solved_text(self, level: Level, next_key: str) -> str:
        depth, is_over = self._pack_session.depth, self._pack_session.is_over
        if level.number + 1 == depth and not is_over:
            return _("{key} goes down to floor {number}", key=next_key, number=depth)
        return self.why_no_next(level.number) if is_over else _("floor {number} is still open", number=depth)

    def result(self, number: int) -> str:  # noqa: ARG002 - the result of the run
        """``sokoterm descend --seed 4711: 6 floors, 12 over par, 3 undos, 1 hint, 41:07``."""
        score = self._pack_session.score
        if not score.floors:
            return ""
        facts = [floors_text(score.floors), over_par(score.over), helped(score), clock_time(score.seconds)]
        return labelled(f"sokoterm descend --seed {score.seed}", listed(facts))

    @property
    def rank(self) -> str:
        """``2 of 5``: the rank among the player's runs; empty if it is the only one, or they cannot be read."""
        with suppress(PackError):
            rank, runs = self._pack_session.series.rank_of(self._pack_session.score)
            return _("{rank} of {runs}", rank=rank, runs=runs) if runs > 1 and self._pack_session.score.floors else ""
        return ""

    @property
    def figures(self) -> list[tuple[str, str]]:
        score = self._pack_session.score
        return [
            (_("floors"), str(score.floors)),
            (_("pushes over par"), str(score.over)),
            (_("rank among your runs"), self.rank),
            (_("undos"), str(score.undos)),
            (_("hints"), str(score.hints)),
            (_("solutions seen"), str(score.shown)),
            (pgettext("label of the time played", "time"), clock_time(score.seconds)),
        ]

    def why_missing(self, number: int) -> str:
        return _("no floor {number}: the deepest so far is {deepest}", number=number, deepest=self._pack_session.depth)

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        return _("the run is over") if self._pack_session.is_over else _("solve this floor to go down")

    def why_no_unsolved(self, number: int) -> str:
        return self.why_no_next(number)


def spoken_run(run: "RunScore") -> str:
    """``seed 4711: 6 floors, 12 over par, 3 undos, 41:07, yours, open``."""
    facts = [
        floors_text(run.floors),
        over_par(run.over) if run.floors else "",
        helped(run),
        clock_time(run.seconds),
        _("yours") if run.is_own else _("by {name}", name=run.name),
        "" if run.is_over else _("open"),
    ]
    return _("seed {seed}: {facts}", seed=str(run.seed), facts=listed(facts))


def helped(effort: "Effort | RunScore") -> str:
    """``2 undos, 1 hint``: the help used; ``no undo`` for none."""
    undos, hints, shown = effort.undos, effort.hints, effort.shown
    used = (
        ngettext("{n:,} undo", "{n:,} undos", undos) if undos else "",
        ngettext("{n:,} hint", "{n:,} hints", hints) if hints else "",
        ngettext("{n:,} solution seen", "{n:,} solutions seen", shown) if shown else "",
    )
    return listed(used) or _("no undo")


def floors_text(floors: int) -> str:
    return ngettext("{n:,} floor", "{n:,} floors", floors)


def also(places: list[LevelPlace], key: str, most: int = 2) -> str:
    """``also Pufiban 126, Novoban 40 and 2 more``: other places of a level; ``level 7 here`` in the pack ``key``."""
    if not places:
        return ""
    names = listed(
        _("level {number} here", number=place.number)
        if place.key == key
        else f"{clipped(shown_text(place.pack), _NAME_WIDTH)} {place.number}"
        for place in places[:most]
    )
    more = len(places) - most
    if more > 0:
        return ngettext("also {places} and {n:,} more", "also {places} and {n:,} more", more, places=names)
    # Translators: other places of the level in play, as in "also Pufiban 126, Novoban 40".
    return _("also {places}", places=names)
