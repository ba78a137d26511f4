"""``sokoterm info``: prints figures of levels and the player's progress on them."""

import os
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from time import monotonic

from sokoterm.app.catalog import graded
from sokoterm.app.marked_levels import KnownSolutions
from sokoterm.commands.support import output
from sokoterm.commands.support.levels import Chosen, LevelFlags, Look, Work, chosen_of
from sokoterm.commands.support.library import known_fields, known_solutions, opened_index
from sokoterm.commands.support.parser import Parser
from sokoterm.commands.support.results import CountingJob, RecordedFlags
from sokoterm.engine.deadlock.check import dead_squares
from sokoterm.engine.level import RECIPE, Level, Pack, Record
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import ReplayedRecord, replay
from sokoterm.engine.text import printable
from sokoterm.language import (
    N_,
    _,
    in_clauses,
    labelled,
    levels_text,
    listed,
    moves_text,
    ngettext,
    pgettext,
    solutions_text,
)
from sokoterm.solver.figures import FIGURES_VERSION, DifficultyFigures, explained, in_short, in_words, read_figures
from sokoterm.solver.search import MEGABYTE, Status
from sokoterm.store.exchange import notes_of
from sokoterm.store.known_levels import KnownSolution, Source
from sokoterm.store.library import LibraryIndex
from sokoterm.store.packs import shown_text
from sokoterm.store.paths import library_file
from sokoterm.store.plays import OpenPlay
from sokoterm.wording.columns import folded, padded
from sokoterm.wording.figures import moves_and_pushes
from sokoterm.wording.kinds import kind_text, lettered_picture

_HASH_WIDTH = 32
_KEY_WIDTH = 13
_RECIPE_WIDTH = 66
# A rating is limited by positions, and needs far less.
_MEMORY = 512 * MEGABYTE
# The words of ``notes_of``, which files contain in English.
_NOTES = (N_("first solved"), N_("last solved"), N_("solved"), N_("only with help"), N_("time played"))


class _Grades:
    """Stored figures of levels by level hash, in the index if there is one."""

    def __init__(self, index: LibraryIndex | None) -> None:
        self._index = index

    def known(self, hashes: Sequence[str]) -> dict[str, DifficultyFigures]:
        grades = self._index.graded(hashes, FIGURES_VERSION) if self._index is not None else {}
        return {key: figures for key, grade in grades.items() if (figures := read_figures(grade.figures)) is not None}

    def keep(self, key: str, figures: DifficultyFigures) -> None:
        if self._index is not None:
            self._index.keep_grades({key: graded(figures)}, FIGURES_VERSION)

    def of(self, levels: Sequence[Level], jobs: int) -> Generator[DifficultyFigures | None, None, None]:
        """Yield the figures of levels in order, None if rating takes too long; ``jobs`` levels are rated at a time."""
        hashes = [level_hash(each) for each in levels]
        found: dict[str, DifficultyFigures | None] = {**self.known([*dict.fromkeys(hashes)])}
        missing: dict[str, Level] = {}
        for key, level in zip(hashes, levels):
            if key not in found:
                missing.setdefault(key, level.replace(comment="", records=()))
        done = 0
        from sokoterm.commands.support.workers import in_processes  # loads multiprocessing, for the difficulty only

        with (
            output.ProgressBar(len(missing), _levels_rated) as bar,
            closing(in_processes(rated, [*missing.values()], jobs, lambda: bar.show(done))) as results,
        ):
            for key in hashes:
                if key not in found:
                    bar.show(done)
                    found[key] = figures = next(results)
                    if figures is not None:
                        self.keep(key, figures)
                    done += 1
                    bar.clear()
                yield found[key]


def rated(level: Level) -> DifficultyFigures | None:
    """Compute the figures of a level; None if that takes too long."""
    from sokoterm.solver.difficulty import figures_in_time  # searches, for the difficulty only

    return figures_in_time(level, monotonic)


def _levels_rated(done: int, total: int) -> str:
    return ngettext("{done:,} of {n:,} level rated", "{done:,} of {n:,} levels rated", total, done=done)


class _InfoJob(CountingJob):
    """Job that writes levels with their figures and difficulty to a file."""

    def __init__(self, known: KnownSolutions, grades: _Grades) -> None:
        super().__init__()
        self.name = f"info --difficulty {FIGURES_VERSION}"
        self._known = known
        self._grades = grades

    def key(self, level: Level) -> str:
        return level_hash(level)

    def work(self, chosen: Chosen) -> Work | str:
        known = self._grades.known([self.key(chosen.level)])
        return next((output.json_line(_difficulty(figures)) for figures in known.values()), _difficulty_text)

    def json_of(self, chosen: Chosen, text: str) -> str:
        fields, level = output.object_of(text) if text else None, chosen.level
        if fields is not None:
            figures = read_figures(" ".join(str(fields.get(name)) for name in DifficultyFigures._fields))
            is_of_level = figures and (figures.boxes, figures.floor) == (level.boxes, level.board.floor.bit_count())
            if figures is None or not is_of_level or fields != _difficulty(figures):
                raise ValueError(f"{text!r:.80}")
            if not self._grades.known([self.key(level)]):
                self._grades.keep(self.key(level), figures)
        return _json(chosen, _OneLevel(level, self._known), fields)


def _difficulty_text(level: Level, __: Look) -> str:
    return output.json_line(_difficulty(rated(level)))


class _OneLevel:
    """One level with its replayed records, its progress and its known solutions, looked up when needed."""

    def __init__(self, level: Level, known: KnownSolutions) -> None:
        self.records = [(record, replay(level, record)) for record in level.records]
        self.best = known.best(level)
        self._level = level
        self._known = known

    @property
    def solutions(self) -> int:
        """The number of different solutions in the file and among the player's own."""
        found = [replayed.solution for __, replayed in self.records]
        return len({each.lurd for each in (*found, self.best.by_moves, self.best.by_pushes) if each})

    @property
    def play(self) -> OpenPlay | None:
        progress = self._known.progress
        return None if progress is None else progress.load_play(self._level)

    @property
    def elsewhere(self) -> Sequence[KnownSolution]:
        """Known solutions that are not in the file."""
        of_file = {replayed.solution.lurd for __, replayed in self.records if replayed.solution}
        return [each for each in self._known.elsewhere(self._level) if each.solution.lurd not in of_file]


def run(arguments: list[str]) -> int:
    """Print a row per level and a line per pack, or a sheet for one level."""
    parser = Parser(
        "info",
        _(
            "Print figures of levels: size, boxes, goals, floor squares, dead squares, level hash, and the number of "
            "different solutions (those in the file that are valid, and your best by moves and by pushes). A line "
            "sums up each pack, and a last line all packs. On a terminal, lines are cut to its width.\n\n"
            "A single level (-l 3) is shown with its board and texts, the claims and results of the records in its "
            "file, your own best solutions, and its difficulty: a number and the figures behind it. Rating takes "
            "about a second; --difficulty rates every level of a pack. The index of your library stores all ratings. "
            "71+ is a level that the search did not solve: its difficulty is at least 71."
        ),
        "sokoterm info levels.txt -l 2-9,14",
    )
    level_flags = LevelFlags(parser)
    rates = parser.switch("--difficulty", help=_("rate the difficulty of each level, which takes a second each"))
    jobs = parser.jobs(1)
    as_json = parser.switch("--json", help=_("print a JSON object for each level"))
    recorded = RecordedFlags(parser, level_flags)
    parser.parse(arguments)
    ranges = [each.ranges for each in level_flags.choices]
    is_one = bool(ranges) and all(len(each) == 1 and each[0][0] == each[0][1] for each in ranges)
    has_jobs = jobs.value > 1
    is_recorded = recorded.are_given(json=as_json.value, jobs=has_jobs and recorded.has_cluster)
    if not rates.value and (is_recorded or has_jobs):
        flag = "--jobs" if has_jobs else "--cluster" if recorded.has_cluster else "-o"
        raise output.InputError(_("{flag} requires {other}", flag=flag, other="--difficulty"))
    levels = level_flags.levels(shows_texts=True)
    folder = parser.folder
    with known_solutions(folder) as known:
        if not (rates.value or is_one):
            _print(levels.packs(), known, None, as_json=as_json.value, shows_sheets=False)
            return levels.status
        has_index = rates.value or os.path.exists(library_file(folder))
        with opened_index(folder) if has_index else nullcontext() as index:
            grades = _Grades(index)
            if is_recorded:
                return recorded.run(_InfoJob(known, grades), _MEMORY, jobs.value)
            packs = list(levels.packs())
            with closing(grades.of([level for __, pack in packs for level in pack.levels], jobs.value)) as figures:
                _print(packs, known, figures, as_json=as_json.value, shows_sheets=is_one)
    return levels.status


def _print(
    packs: Iterable[tuple[str, Pack]],
    known: KnownSolutions,
    figures: Iterator[DifficultyFigures | None] | None,
    *,
    as_json: bool,
    shows_sheets: bool,
) -> None:
    totals: list[Counter[str]] = []
    for name, pack in packs:
        if as_json:
            for chosen in chosen_of(name, pack):
                fields = _difficulty(next(figures)) if figures is not None else None
                print(_json(chosen, _OneLevel(chosen.level, known), fields))
        elif figures is not None and shows_sheets:
            for level in pack.levels:
                print("\n".join(_sheet(name, level, _OneLevel(level, known))), flush=True)
                rating = next(figures)
                reasons = [(f"  {key}", text) for key, text in explained(rating)]
                print("\n".join(_lines([(_("difficulty"), in_words(rating)), *reasons])))
        else:
            totals.append(_print_table(name, pack, known, figures))
    if len(totals) > 1:
        all_packs = _totals(sum(totals, Counter()))
        print(ngettext("{n:,} pack: {totals}", "{n:,} packs: {totals}", len(totals), totals=all_packs))


def _print_table(
    name: str, pack: Pack, known: KnownSolutions, figures: Iterator[DifficultyFigures | None] | None
) -> Counter[str]:
    print(printable(name))
    counts = [_counts(level) for level in pack.levels]
    texts = [listed([shown_text(level.title), shown_text(level.author)]) for level in pack.levels]
    # Translators: headings of narrow columns: the squares of the floor, and the dead ones among them.
    squares = (pgettext("heading of a column", "floor"), pgettext("heading of a column", "dead"))
    headings = (_("level"), _("size"), _("boxes"), _("goals"), *squares)
    table = output.Table(
        *(
            output.Column(heading, output.width_of(each[place] for each in counts))
            for place, heading in enumerate(headings)
        ),
        output.Column(_("solutions")),
        *([output.Column(_("difficulty"))] if figures is not None else []),
        output.Column(_("title, author"), output.width_of(texts), is_text=True),
        output.Column(_("hash"), _HASH_WIDTH, is_text=True),  # the last: it does not fit into 80 columns
    )
    output.print_rows([table.heading])
    totals = Counter(unreadable=len(pack.errors))
    for level, cells, text in zip(pack.levels, counts, texts, strict=True):
        of_level = _OneLevel(level, known)
        best, solutions = of_level.best, of_level.solutions
        totals.update(levels=1, solved=best.by_moves is not None, helped=best.dates.is_helped, solutions=solutions)
        rating = [in_short(next(figures))] if figures is not None else []
        output.print_rows([table.row(*cells, solutions, *rating, text, level_hash(level))])
    output.print_rows([in_clauses([_totals(totals), *_about(pack)])])
    return totals


def _counts(level: Level) -> Sequence[object]:
    board = level.board
    squares = (board.goals.bit_count(), board.floor.bit_count(), dead_squares(board).bit_count())
    return level.number, f"{board.width}x{board.height}", level.boxes, *squares


def _totals(counts: Counter[str]) -> str:
    bad, helped = counts["unreadable"], counts["helped"]
    if helped:
        solved = ngettext(
            "{n:,} solved ({helped:,} only with help)",
            "{n:,} solved ({helped:,} only with help)",
            counts["solved"],
            helped=helped,
        )
    else:
        solved = ngettext("{n:,} solved", "{n:,} solved", counts["solved"])
    unreadable = ngettext("{n:,} unreadable", "{n:,} unreadable", bad) if bad else ""
    return listed([levels_text(counts["levels"]), unreadable, solved, solutions_text(counts["solutions"])])


def _about(pack: Pack) -> Iterator[str]:
    """Yield the first line of each text of a collection, with the number of further lines."""
    notes = dict(pack.metadata)
    copyright_note = _("copyright {holder}", holder=notes["copyright"]) if "copyright" in notes else ""
    for text in (pack.title, pack.author, copyright_note, notes.get("homepage", "")):
        lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
        if len(lines) > 1:
            # Translators: the first line of a text, and how many lines follow.
            yield ngettext(
                "{line} (and {n:,} more)", "{line} (and {n:,} more)", len(lines) - 1, line=shown_text(lines[0])
            )
        elif lines:
            yield shown_text(lines[0])


def _sheet(name: str, level: Level, known: _OneLevel) -> Iterator[str]:
    yield f"{printable(name)} {level.number}  {shown_text(level.title)}".rstrip()
    yield ""
    yield from lettered_picture(level, level.start)
    yield ""
    yield from _lines(_facts(level, known))
    for each in known.elsewhere:
        # Translators: the moves and pushes of a solution, and where it is from.
        yield _("known: {figures}", figures=listed([moves_and_pushes(each.solution), each.credit]))
    for record, replayed in known.records:
        found = replayed.problem
        if replayed.solution is not None:
            found = _("replays: {figures}", figures=moves_and_pushes(replayed.solution))
        yield labelled(printable(record.title) or _("Solution"), found)
        yield from (f"  {printable(line)}" for line in record.notes.splitlines() if line.strip())


def _facts(level: Level, known: _OneLevel) -> Iterator[tuple[str, str]]:
    board, best, play = level.board, known.best, known.play
    yield _("size"), f"{board.width}x{board.height}"
    yield _("kind"), kind_text(board)
    yield _("boxes"), str(level.boxes)
    yield _("goals"), str(board.goals.bit_count())
    floor, dead = board.floor.bit_count(), dead_squares(board).bit_count()
    yield _("floor"), ngettext("{n} square, {dead} of them dead", "{n} squares, {dead} of them dead", floor, dead=dead)
    yield _("hash"), level_hash(level)
    yield _("author"), shown_text(level.author)
    for key, value in level.metadata:
        yield key, "\n".join(folded(value, _RECIPE_WIDTH)) if key == RECIPE else value
    yield _("comment"), "\n".join(map(shown_text, level.comment.splitlines()))
    if best.by_moves and best.by_pushes:
        yield _("own best"), moves_and_pushes(best.by_moves)
        if best.by_pushes != best.by_moves:
            yield "", moves_and_pushes(best.by_pushes)
    words = {word: _(word) for word in _NOTES}
    for key, value in notes_of(best.dates):
        yield words[key], words.get(value, value)
    if play is not None and play.edits:
        yield _("unfinished"), moves_text(len(play.lurd))
    if play is not None and play.bookmarks:
        yield _("bookmarks"), " ".join(sorted(play.bookmarks))
    yield _("solutions"), str(known.solutions)


def _lines(facts: Iterable[tuple[str, str]]) -> Iterator[str]:
    for key, text in facts:
        for number, line in enumerate(text.strip("\n").splitlines()):
            yield f"{padded(printable('' if number else key), _KEY_WIDTH)} {printable(line)}".rstrip()


def _json(chosen: Chosen, known: _OneLevel, difficulty: dict[str, object] | None) -> str:
    level, best, play = chosen.level, known.best, known.play
    board = level.board
    own = {one.lurd: known_fields(KnownSolution(one, "", Source.OWN)) for one in (best.by_moves, best.by_pushes) if one}
    fields = {
        **chosen.place,
        "comment": level.comment,
        "metadata": level.metadata,
        "pack_metadata": chosen.metadata,
        "width": board.width,
        "height": board.height,
        "kind": board.kinds,
        "boxes": level.boxes,
        "goals": board.goals.bit_count(),
        "floor": board.floor.bit_count(),
        "dead_squares": dead_squares(board).bit_count(),
        "hash": level_hash(level),
        "solutions": known.solutions,
        "difficulty": difficulty,
        "records": [_record(*each) for each in known.records],
        "solved": bool(own),
        "helped": best.dates.is_helped,
        "own": [*own.values()],
        "own_notes": dict(notes_of(best.dates)),
        "open_play": len(play.lurd) if play is not None and play.edits else None,
        "bookmarks": sorted(play.bookmarks) if play is not None else [],
        "known": [*map(known_fields, known.elsewhere)],
    }
    return output.json_line(fields)


def _difficulty(figures: DifficultyFigures | None) -> dict[str, object] | None:
    """Return the figures, None for an unrated level; ``least``: some are lower bounds."""
    if figures is None:
        return None
    number = graded(figures).number if figures.status in (Status.SOLVED, Status.GAVE_UP) else None
    return {"number": number, "least": figures.status == "gave_up", **figures._asdict(), "gap": figures.gap}


def _record(record: Record, replayed: ReplayedRecord) -> dict[str, object]:
    solution = replayed.solution
    return {
        "title": record.title,
        "solved": solution is not None,
        "moves": solution.moves if solution else None,
        "pushes": solution.pushes if solution else None,
        "problem": replayed.problem or None,
        "lurd": solution.lurd if solution else record.moves,
        "notes": record.notes,
    }
