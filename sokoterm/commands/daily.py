"""``sokoterm daily [DATE]``: the level of a day, the same for everybody."""

from argparse import ArgumentTypeError
from datetime import date
from time import time

from sokoterm.app.options import Series
from sokoterm.commands.play import PlayerFlags
from sokoterm.commands.support.opening import open_player, refuse_unused
from sokoterm.commands.support.output import InputError, complain, json_line
from sokoterm.commands.support.parser import Parser
from sokoterm.engine.level import Level
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import measure
from sokoterm.generator.recipes import RECIPE, day_recipe
from sokoterm.language import N_, _
from sokoterm.store import series
from sokoterm.store.paths import account_dir, progress_file
from sokoterm.store.progress import known_progress


def run(arguments: list[str]) -> int:
    parser = Parser(
        "daily",
        _(
            "Play the level of a day: the same for everybody, a new one each day at 00:00 UTC, harder from Monday to "
            "Sunday. Its par is the fewest pushes. A streak is a series of days, each solved on its own day."
        ),
        "sokoterm daily",
    )
    dates = _("YYYY-MM-DD, from {first} to today (UTC)", first=series.FIRST_DAY)
    date_flag = parser.flag("date", nargs="?", parse=_date, metavar="DATE", help=dates)
    prints = parser.switch("--print", help=_("print the level and exit"))
    as_json = parser.switch("--json", help=_("print the level, your result and streak as JSON and exit"))
    player = PlayerFlags(parser, hosts=True)
    parser.parse(arguments)
    today = series.day_of(time())
    chosen = date_flag.value or today
    if not series.FIRST_DAY <= chosen <= today:
        problem = N_("found {found}, expected a day from {first} to today, {today} (UTC)")
        raise InputError(_(problem, found=chosen, first=series.FIRST_DAY, today=today))
    options = player.options(series=Series(False, series.number_of(chosen)))
    if prints.value or as_json.value:
        if prints.value and as_json.value:
            parser.error(_("{flag} and {other} cannot be combined", flag="--print", other="--json"))
        refuse_unused(options, ("--account",))
        _print(chosen, today, account_dir(parser.folder, options.account), as_json=as_json.value)
        return 0
    return open_player(options)


def _date(text: str) -> date:
    found = series.day_from_text(text)
    if found is None:
        raise ArgumentTypeError(_("found {found!r}, expected a date as YYYY-MM-DD", found=text))
    return found


def _print(chosen: date, today: date, folder: str, *, as_json: bool) -> None:
    with known_progress(progress_file(folder), time, complain) as progress:
        days = series.all_days(progress) if progress else []
    day = next((each for each in days if each.date == chosen and each.stands(RECIPE)), None) or _made(chosen)
    level = Level.from_xsb(day.made.xsb).replace(title=f"Daily {chosen}")
    if not as_json:
        from sokoterm.generator.make import summary  # loads the generator: most days the level is made

        recipe = summary(level, measure(day.made.lurd))
        print(f"{day.made.xsb}\nTitle: {level.title}\nRecipe: {recipe}")
        return
    row, effort, is_solved = series.streak(series.days_on_time(days), today), day.effort, day.effort.solved is not None
    fields = {
        "date": chosen.isoformat(),
        "level": series.number_of(chosen),
        "title": level.title,
        "hash": level_hash(level),
        "width": level.board.width,
        "height": level.board.height,
        "boxes": level.boxes,
        "xsb": day.made.xsb,
        "par": day.made.par,
        "solved": is_solved,
        "on_time": day.is_on_time,
        "pushes": effort.pushes if is_solved else None,
        "moves": effort.moves if is_solved else None,
        "seconds": round(effort.seconds),
        "undos": effort.undos,
        "hints": effort.hints,
        "seen": effort.shown,
        "streak": row.now,
        "longest": row.longest,
    }
    print(json_line(fields))


def _made(chosen: date) -> series.Day:
    from sokoterm.commands.generate import made_under_bar  # loads the generator: most days the level is made

    made = made_under_bar(day_recipe(series.number_of(chosen), chosen.weekday(), chosen.isoformat()))
    return series.Day(chosen, series.MadeLevel(RECIPE, "\n".join(made.level.rows), made.solution.lurd))
