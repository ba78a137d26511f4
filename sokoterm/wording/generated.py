"""Words for generated packs: daily levels, descents and the table of runs."""

from sokoterm.app.series.daily import DailyPack
from sokoterm.app.series.descent import DescentPack
from sokoterm.app.series.generated_pack import GeneratedPack, RunPack
from sokoterm.engine.level import Level
from sokoterm.engine.text import counted
from sokoterm.store.generated import Effort
from sokoterm.store.score import RunScore
from sokoterm.store.series import FIRST_DAY, day_of_number
from sokoterm.wording.figures import clock_time, over_briefly, over_par
from sokoterm.wording.pack_words import GeneratedWords

_USUAL_COLUMNS = 80


class DailyWords(GeneratedWords):
    """Words for the daily levels."""

    def __init__(self, pack_session: DailyPack) -> None:
        super().__init__(pack_session)
        self._daily = pack_session

    def listed_title(self, level: Level) -> str:
        return day_of_number(level.number).isoformat()

    @property
    def number_noun(self) -> str:
        return "day (YYYY-MM-DD)"

    @property
    def standing(self) -> str:
        days = self._daily.streak.now
        row = f"streak {days}" if days else ""
        return ", ".join(filter(None, ("solved" if self._daily.is_solved(self._daily.today) else "", row))) or "-"

    @property
    def facts(self) -> str:
        row = self._daily.streak
        today = self.title(self._daily.today)
        return f"{today}: one level a day, the same for everybody; streak {row.now}, longest {row.longest}"

    def remark(self, level: Level, end_key: str, *, is_solved: bool) -> str:  # noqa: ARG002 - a day is no run
        effort, row = self._effort(level), self._daily.streak
        if effort.solved is None or not is_solved:
            known = f", solved in {effort.pushes}" if effort.solved is not None else ""
            return f"par {self._par(level)} pushes{known}; {counted(level.boxes, 'box')}"
        took, streaks = self._score(level), f"streak {row.now}, longest {row.longest}"
        return _fitting(f"{took}, {helped(effort)}; {streaks}", f"{took}, {helped(effort, is_brief=True)}; {streaks}")

    def solved_text(self, level: Level, next_key: str) -> str:  # noqa: ARG002 - there is nothing to go on to
        return over_par(self._effort(level).pushes - self._par(level))

    def result(self, number: int) -> str:
        """``sokoterm daily 2026-11-22: 34 pushes (par 31), 87 moves, 2:41, no undo, streak 5``, briefer if too long."""
        if not self._daily.has_result(number):
            return ""
        day = self._daily.day(number)
        effort, name = day.effort, f"sokoterm daily {day.date.isoformat()}"
        is_todays = day.is_on_time and number == self._daily.today
        row = f", streak {self._daily.streak.now}" if is_todays else ""
        pushes, over = f"{effort.pushes} pushes", over_briefly(effort.pushes - day.made.par)
        took, time = f"{pushes} (par {day.made.par}), {effort.moves} moves", clock_time(effort.seconds)
        needed, briefly = helped(effort), helped(effort, is_brief=True)
        return _fitting(
            f"{name}: {took}, {time}, {needed}{row}",
            f"{name}: {took}, {time}, {briefly}{row}",
            f"{name}: {pushes} ({over}), {effort.moves} moves, {time}, {briefly}{row}",
            *(f"{each}: {pushes} ({over}), {time}, {briefly}{row}" for each in (name, name.partition(" ")[2])),
        )

    def why_missing(self, number: int) -> str:  # noqa: ARG002
        return f"no level for that day: there is one a day from {FIRST_DAY} to {day_of_number(self._daily.today)}"

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        return "the next level comes at 00:00 UTC"

    def why_no_unsolved(self, number: int) -> str:
        today = "today's level is solved: " if self._daily.is_solved(self._daily.today) else ""
        return today + self.why_no_next(number)


class DescentWords(GeneratedWords):
    """Words for one descent."""

    def __init__(self, pack_session: DescentPack) -> None:
        super().__init__(pack_session)
        self._descent = pack_session

    @property
    def name(self) -> str:
        return f"Descent {self._descent.run.seed}"

    def listed_title(self, level: Level) -> str:
        return f"floor {level.number}"

    @property
    def number_noun(self) -> str:
        return "floor"

    @property
    def _is_open(self) -> bool:
        """True once the first floor is there, until the run is over."""
        return self._descent.find_made(1) is not None and not self._descent.is_over

    @property
    def standing(self) -> str:
        return f"floor {self._descent.depth}" if self._is_open else "-"

    @property
    def facts(self) -> str:
        if self._is_open:
            return f"{self.name}, floor {self._descent.depth}: {self._so_far() or 'begun'}"
        return "floor after floor, each a little harder than the last"

    def remark(self, level: Level, end_key: str, *, is_solved: bool) -> str:
        effort, so_far, brief = self._effort(level), self._so_far(), self._so_far(is_brief=True)
        if effort.solved is None or not is_solved:
            par, ends = f"par {self._par(level)} pushes", "" if self._descent.is_over else f"{end_key} ends the run"
            forms = ((par, ends, so_far), (par, ends, brief), (par, brief))
            return _fitting(*("; ".join(filter(None, form)) for form in forms))
        took, needed, briefly = self._score(level), helped(effort), helped(effort, is_brief=True)
        return _fitting(f"{took}, {needed}; {so_far}", f"{took}, {needed}; {brief}", f"{took}, {briefly}; {brief}")

    def _so_far(self, *, is_brief: bool = False) -> str:
        """The score of the run so far; empty before the first floor is solved."""
        score, is_over = self._descent.score, self._descent.is_over
        if not score.floors:
            return "the run is over" if is_over else ""
        needed = _helped_in(score, is_brief=is_brief)
        if is_brief:
            return f"run {over_briefly(score.over)}, {needed}{'; it is over' if is_over else ''}"
        over = over_par(score.over)
        return f"run {over}, {needed}; it is over" if is_over else f"run {over} so far, {needed}"

    def solved_text(self, level: Level, next_key: str) -> str:
        depth, is_over = self._descent.depth, self._descent.is_over
        if level.number + 1 == depth and not is_over:
            return f"{next_key} goes down to floor {depth}"
        return self.why_no_next(level.number) if is_over else f"floor {depth} is still open"

    def result(self, number: int) -> str:  # noqa: ARG002 - it is that of the run
        """``sokoterm descend --seed 4711: 6 floors, 12 over par, 3 undos, 1 hint, 41:07``, briefer if too long."""
        score = self._descent.score
        if not score.floors:
            return ""
        time, briefly = clock_time(score.seconds), _helped_in(score, is_brief=True)
        reached = f"sokoterm descend --seed {score.seed}: {counted(score.floors, 'floor')}"
        return _fitting(
            f"{reached}, {over_par(score.over)}, {_helped_in(score)}, {time}",
            f"{reached}, {over_par(score.over)}, {briefly}, {time}",
            f"{reached}, {over_briefly(score.over)}, {briefly}, {time}",
        )

    def why_missing(self, number: int) -> str:
        return f"no floor {number}: the deepest so far is {self._descent.depth}"

    def why_no_next(self, number: int) -> str:  # noqa: ARG002
        return "the run is over" if self._descent.is_over else "solve this floor to go down"

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


def run_over_text(run: RunPack) -> str:
    """The message for a run that has just ended, with its result."""
    return f"the run is over: {generated_words(run).result(run.depth) or 'no floor was solved'}"


def end_question(run: RunPack) -> str:
    """The question before a run is ended."""
    return f"end the run on floor {run.depth}? y ends it"


def spoken_run(run: RunScore) -> str:
    """``seed 4711: 6 floors, 12 over par, 3 undos, 41:07, yours, open``."""
    whose = "yours" if run.is_own else f"by {run.name}"
    over = [over_par(run.over)] if run.floors else []
    parts = [counted(run.floors, "floor"), *over, _helped_in(run), clock_time(run.seconds), whose]
    return f"seed {run.seed}: {', '.join(parts)}{'' if run.is_over else ', open'}"


def helped(effort: Effort, *, is_brief: bool = False) -> str:
    """``2 undos, 1 hint``: the help that was used; ``no undo`` for none.  ``is_brief``: ``1 seen`` for a solution."""
    used = [counted(effort.undos, "undo")] if effort.undos else []
    if effort.hints:
        used.append(counted(effort.hints, "hint"))
    if effort.shown:
        used.append(f"{effort.shown} seen" if is_brief else f"{counted(effort.shown, 'solution')} seen")
    return ", ".join(used) or "no undo"


def _helped_in(run: RunScore, *, is_brief: bool = False) -> str:
    return helped(Effort(0, run.undos, run.hints, run.shown), is_brief=is_brief)


def _fitting(*texts: str) -> str:
    """Return the first of some texts, each briefer than the one before, that fits the usual window, else the last."""
    return next((text for text in texts if len(text) <= _USUAL_COLUMNS), texts[-1])
