"""Words for generated packs: daily levels, descents and the table of runs."""

from sokoterm.app.generated import DailyPack, DescentPack, GeneratedPack
from sokoterm.engine.level import Level
from sokoterm.language import _, boxes_text, in_clauses, listed, moves_text, ngettext, pgettext, pushes_text
from sokoterm.store.series import FIRST_DAY, Effort, RunScore, day_of_number
from sokoterm.wording.columns import text_width
from sokoterm.wording.figures import clock_time, over_briefly, over_par
from sokoterm.wording.pack_words import GeneratedWords

_USUAL_COLUMNS = 80


class DailyWords(GeneratedWords):
    """Words for the daily levels."""

    def __init__(self, pack_session: DailyPack) -> None:
        super().__init__(pack_session)
        self._daily = pack_session

    def title(self, number: int) -> str:
        return _("Daily {date}", date=day_of_number(number).isoformat())

    def listed_title(self, level: Level) -> str:
        return day_of_number(level.number).isoformat()

    @property
    def number_noun(self) -> str:
        return _("day (YYYY-MM-DD)")

    @property
    def standing(self) -> str:
        days = self._daily.streak.now
        solved = _("solved") if self._daily.is_solved(self._daily.today) else ""
        return listed([solved, _("streak {days}", days=days) if days else ""]) or "-"

    @property
    def facts(self) -> str:
        row = self._daily.streak
        today = self.title(self._daily.today)
        return _(
            "{today}: one level a day, the same for everybody; streak {days}, longest {longest}",
            today=today,
            days=row.now,
            longest=row.longest,
        )

    def remark(self, level: Level, end_key: str, *, is_solved: bool) -> str:  # noqa: ARG002 - a day is no run
        effort, row = self._effort(level), self._daily.streak
        if effort.solved is None or not is_solved:
            par, boxes = _par_text(self._par(level)), boxes_text(level.boxes)
            if effort.solved is None:
                return in_clauses([par, boxes])
            return _("{par}, solved in {pushes}; {boxes}", par=par, pushes=effort.pushes, boxes=boxes)
        streaks = _("streak {days}, longest {longest}", days=row.now, longest=row.longest)
        return in_clauses([listed([self._score(level), helped(effort)]), streaks])

    def solved_text(self, level: Level, next_key: str) -> str:  # noqa: ARG002 - there is nothing to go on to
        effort = self._effort(level)
        return _("with help") if effort.is_helped else over_par(effort.pushes - self._par(level))

    def result(self, number: int) -> str:
        """``sokoterm daily 2026-11-22: 34 pushes (par 31), 87 moves, 2:41, no undo, streak 5``, briefer if too long."""
        if not self._daily.has_result(number):
            return ""
        day = self._daily.day(number)
        effort, name = day.effort, f"sokoterm daily {day.date.isoformat()}"
        is_todays = day.is_on_time and number == self._daily.today
        streak = _("streak {days}", days=self._daily.streak.now) if is_todays else ""
        pushes, moves, time = pushes_text(effort.pushes), moves_text(effort.moves), clock_time(effort.seconds)
        par = _("{pushes} (par {par})", pushes=pushes, par=day.made.par)
        over = _("{pushes} ({over})", pushes=pushes, over=over_briefly(effort.pushes - day.made.par))
        needed, briefly = helped(effort), helped(effort, is_brief=True)
        return _fitting(
            f"{name}: {listed([par, moves, time, needed, streak])}",
            f"{name}: {listed([par, moves, time, briefly, streak])}",
            f"{name}: {listed([over, moves, time, briefly, streak])}",
            *(f"{each}: {listed([over, time, briefly, streak])}" for each in (name, name.partition(" ")[2])),
        )

    def why_missing(self, number: int) -> str:  # noqa: ARG002
        return _(
            "no level for that day: there is one a day from {first} to {last}",
            first=FIRST_DAY,
            last=day_of_number(self._daily.today),
        )

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        return _("the next level comes at 00:00 UTC")

    def why_no_unsolved(self, number: int) -> str:
        if self._daily.is_solved(self._daily.today):
            return _("today's level is solved: the next level comes at 00:00 UTC")
        return self.why_no_next(number)


class DescentWords(GeneratedWords):
    """Words for one descent."""

    def __init__(self, pack_session: DescentPack) -> None:
        super().__init__(pack_session)
        self._descent = pack_session

    @property
    def name(self) -> str:
        return _("Descent {seed}", seed=str(self._descent.run.seed))

    def title(self, number: int) -> str:
        return _("Descent {seed}, floor {number}", seed=str(self._descent.run.seed), number=number)

    def listed_title(self, level: Level) -> str:
        return _("floor {number}", number=level.number)

    @property
    def number_noun(self) -> str:
        return pgettext("a level of a descent", "floor")

    @property
    def _is_open(self) -> bool:
        """True once the first floor is there, until the run is over."""
        return self._descent.find_made(1) is not None and not self._descent.is_over

    @property
    def standing(self) -> str:
        return _("floor {number}", number=self._descent.depth) if self._is_open else "-"

    @property
    def facts(self) -> str:
        if self._is_open:
            so_far = self._so_far() or _("begun")
            return _("{run}, floor {number}: {standing}", run=self.name, number=self._descent.depth, standing=so_far)
        return _("floor after floor, each a little harder than the last")

    def remark(self, level: Level, end_key: str, *, is_solved: bool) -> str:
        effort = self._effort(level)
        if effort.solved is None or not is_solved:
            ends = "" if self._descent.is_over else _("{key} ends the run", key=end_key)
            return in_clauses([_par_text(self._par(level)), ends, self._so_far()])
        return in_clauses([listed([self._score(level), helped(effort)]), self._so_far()])

    def _so_far(self) -> str:
        """The score of the run so far; empty before the first floor is solved."""
        score, is_over = self._descent.score, self._descent.is_over
        if not score.floors:
            return _("the run is over") if is_over else ""
        needed, over = _helped_in(score), over_par(score.over)
        if is_over:
            return _("run {over}, {help}; it is over", over=over, help=needed)
        return _("run {over} so far, {help}", over=over, help=needed)

    def solved_text(self, level: Level, next_key: str) -> str:
        depth, is_over = self._descent.depth, self._descent.is_over
        if level.number + 1 == depth and not is_over:
            return _("{key} goes down to floor {number}", key=next_key, number=depth)
        return self.why_no_next(level.number) if is_over else _("floor {number} is still open", number=depth)

    def result(self, number: int) -> str:  # noqa: ARG002 - it is that of the run
        """``sokoterm descend --seed 4711: 6 floors, 12 over par, 3 undos, 1 hint, 41:07``, briefer if too long."""
        score = self._descent.score
        if not score.floors:
            return ""
        time, briefly = clock_time(score.seconds), _helped_in(score, is_brief=True)
        run, floors = f"sokoterm descend --seed {score.seed}", _floors_text(score.floors)
        return _fitting(
            f"{run}: {listed([floors, over_par(score.over), _helped_in(score), time])}",
            f"{run}: {listed([floors, over_par(score.over), briefly, time])}",
            f"{run}: {listed([floors, over_briefly(score.over), briefly, time])}",
        )

    def why_missing(self, number: int) -> str:
        return _("no floor {number}: the deepest so far is {deepest}", number=number, deepest=self._descent.depth)

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        return _("the run is over") if self._descent.is_over else _("solve this floor to go down")

    def why_no_unsolved(self, number: int) -> str:
        return self.why_no_next(number)


def generated_words(pack: GeneratedPack) -> GeneratedWords:
    """Return the words for a generated pack."""
    match pack:
        case DailyPack():
            return DailyWords(pack)
        case DescentPack():
            return DescentWords(pack)
    raise AssertionError(f"no words for {type(pack).__name__}")


def run_over_text(run: DescentPack) -> str:
    """The message for a run that has just ended, with its result."""
    return _("the run is over: {result}", result=generated_words(run).result(run.depth) or _("no floor was solved"))


def end_question(run: DescentPack) -> str:
    """The question before a run is ended."""
    return _("end the run on floor {number}? y ends it", number=run.depth)


def spoken_run(run: RunScore) -> str:
    """``seed 4711: 6 floors, 12 over par, 3 undos, 41:07, yours, open``."""
    facts = [
        _floors_text(run.floors),
        over_par(run.over) if run.floors else "",
        _helped_in(run),
        clock_time(run.seconds),
        _("yours") if run.is_own else _("by {name}", name=run.name),
        "" if run.is_over else _("open"),
    ]
    return _("seed {seed}: {facts}", seed=str(run.seed), facts=listed(facts))


def helped(effort: Effort, *, is_brief: bool = False) -> str:
    """``2 undos, 1 hint``: the help that was used; ``no undo`` for none.  ``is_brief``: ``1 seen`` for a solution."""
    shown = ""
    if effort.shown and is_brief:
        # Translators: short for "solutions seen".
        shown = ngettext("{n:,} seen", "{n:,} seen", effort.shown)
    elif effort.shown:
        shown = ngettext("{n:,} solution seen", "{n:,} solutions seen", effort.shown)
    used = (
        ngettext("{n:,} undo", "{n:,} undos", effort.undos) if effort.undos else "",
        ngettext("{n:,} hint", "{n:,} hints", effort.hints) if effort.hints else "",
        shown,
    )
    return listed(used) or _("no undo")


def _par_text(par: int) -> str:
    return ngettext("par {n:,} push", "par {n:,} pushes", par)


def _floors_text(floors: int) -> str:
    return ngettext("{n:,} floor", "{n:,} floors", floors)


def _helped_in(run: RunScore, *, is_brief: bool = False) -> str:
    return helped(Effort(0, run.undos, run.hints, run.shown), is_brief=is_brief)


def _fitting(*texts: str) -> str:
    """Return the first of some texts, each briefer than the one before, that fits the usual window, else the last."""
    return next((text for text in texts if text_width(text) <= _USUAL_COLUMNS), texts[-1])
