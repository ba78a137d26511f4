"""``sokoterm descend``: floor after floor, each a little harder, from a seed that can be shared."""

from collections.abc import Sequence
from datetime import UTC, datetime
from time import time

from sokoterm.app.generated import own_runs, run_table
from sokoterm.app.options import MOST_SEED, PlayOptions, Series
from sokoterm.commands.play import PlayerFlags
from sokoterm.commands.support.opening import open_player, open_scoreboard, refuse_unused
from sokoterm.commands.support.output import Column, complain, json_line, print_rows, table_of
from sokoterm.commands.support.parser import Parser, count_up_to
from sokoterm.engine.text import printable
from sokoterm.generator.recipes import floor_recipe
from sokoterm.language import _, pgettext
from sokoterm.store.paths import account_dir, data_dir, progress_file
from sokoterm.store.progress import known_progress
from sokoterm.store.series import RunScore, day_of
from sokoterm.wording.figures import clock_time, over_briefly

_MOST_FLOORS = 9_999


def run(arguments: list[str]) -> int:
    """Play until the player leaves, or print a floor or the table of runs."""
    parser = Parser(
        "descend",
        _(
            "Play floor after floor, each a little harder than the last; the next ones are generated while you play. "
            "A run is saved after every push. Without --seed, the open run you played last continues, or a new one "
            "begins; with --seed, the open run of that seed continues or begins on its first floor. A seed has the "
            "same floors on every machine."
        ),
        "sokoterm descend --seed 4711",
    )
    text = _("the run of this seed, 0 to {most}", most=MOST_SEED)
    seed = parser.flag("--seed", parse=count_up_to(MOST_SEED, 0), metavar="S", help=text)
    text = _("print floor N of --seed and exit")
    floor = parser.flag("--print", parse=count_up_to(_MOST_FLOORS), metavar="N", help=text)
    runs = parser.switch("--runs", help=_("print the table of runs, the deepest first, and exit"))
    as_json = parser.switch("--json", help=_("print a JSON object for each run and exit"))
    player = PlayerFlags(parser, hosts=True)
    parser.parse(arguments)
    options = player.options(series=Series(True, seed.value))
    if floor.value is not None:
        if seed.value is None:
            parser.error(_("{flag} requires {other}", flag="--print", other="--seed"))
        if runs.value or as_json.value:
            other = "--runs" if runs.value else "--json"
            parser.error(_("{flag} and {other} cannot be combined", flag="--print", other=other))
        refuse_unused(options, ())
        from sokoterm.commands.generate import made_under_bar  # loads the generator: most floors are made

        made = made_under_bar(floor_recipe(seed.value, floor.value))
        rows = "\n".join(made.level.rows)
        print(f"{rows}\nTitle: {made.level.title}\nRecipe: {made.in_words()}")
        return 0
    if runs.value or as_json.value:
        if seed.value is not None:
            parser.error(_("--runs prints all runs: leave out --seed"))
        refuse_unused(options, ("--account", "--scores"))
        _print_runs(options, as_json=as_json.value)
        return 0
    return open_player(options)


def _print_runs(options: PlayOptions, *, as_json: bool) -> None:
    path = progress_file(account_dir(data_dir(options.data_dir), options.account))
    scores = open_scoreboard(options.scores, options.account, complain)
    with known_progress(path, time, complain) as progress:
        runs = run_table(own_runs(progress) if progress else [], scores)
    if as_json:
        for run in runs:
            print(json_line(_json(run)))
        return
    if not runs:
        print(_("no runs yet: sokoterm descend begins one"))
        return
    headings = (_("seed"), _("floors"), _("over"), _("undos"), _("hints"), _("seen"), _("time"), _("started"))
    who = pgettext("heading of the column of players", "who")
    print_rows(table_of([*map(Column, headings), Column(who, is_text=True)], [*map(_row, runs)]))


def _row(run: RunScore) -> Sequence[object]:
    over = over_briefly(run.over) if run.floors else "-"
    you = pgettext("in the column of players", "you")
    # Translators: in a table of runs, a run of the player that is not over.
    who = run.name or (you if run.is_over else _("you, open"))
    figures = (run.seed, run.floors, over, run.undos, run.hints, run.shown)
    return *figures, clock_time(run.seconds), day_of(run.begun), printable(who)


def _json(run: RunScore) -> dict[str, object]:
    return {
        "who": run.name or None,
        "seed": run.seed,
        "begun": f"{datetime.fromtimestamp(run.begun, UTC):%Y-%m-%dT%H:%M:%SZ}",
        "over": run.is_over,
        "floors": run.floors,
        "pushes": run.pushes,
        "pushes_over_par": run.over,
        "moves": run.moves,
        "undos": run.undos,
        "hints": run.hints,
        "seen": run.shown,
        "seconds": round(run.seconds),
    }
