"""Start of the player from the command line. Every import here delays the first picture."""

import gc
import os
import time
from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sokoterm.app.background import LevelBuilder, ThreadSwitching
from sokoterm.app.catalog import Catalog, catalog_of, own_packs
from sokoterm.app.deadlock_warning import Prover
from sokoterm.app.improvement import ShowReplay
from sokoterm.app.keymap import KEYMAPS, with_wasd, without
from sokoterm.app.options import PlayOptions
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Ask, FirstRequest, Start
from sokoterm.app.session import Services
from sokoterm.app.solver import ONE_CORE, PROGRESS_SECONDS, SLOW_SECONDS, Solver
from sokoterm.commands import NOT_SAVED, VERBS
from sokoterm.commands.support.output import InputError, complain, without_number
from sokoterm.engine.level import Pack
from sokoterm.engine.text import printable, whole_number
from sokoterm.formats.limits import AUTO
from sokoterm.language import N_, _, labelled, ngettext
from sokoterm.process import ending_at_once, lane_command, usable_cores
from sokoterm.solver.search import Cores, game_limits
from sokoterm.store import packs as stored
from sokoterm.store.known_levels import Source
from sokoterm.store.paths import account_dir, config_file, data_dir, log_crash, packs_dir, progress_file, unix_account
from sokoterm.store.progress import NOT_SAVED_YET, ProgressStore
from sokoterm.store.settings import LINK_PAGE, Settings, letslogic_key, read_config
from sokoterm.tui.widgets.theme import THEMES, find_theme, read_looks
from sokoterm.wording.packs import words_of

if TYPE_CHECKING:
    from sokoterm.store.score_table import ScoreTable

_FLAGS = (
    ("--theme", "theme"), ("--cell", "cell"), ("--palette", "palette"), ("--skin", "skin"), ("--no-color", "color"),
    ("--keys", "keys"), ("--no-mouse", "mouse"), ("--animation", "animation"), ("--slow-link", "slow_link"),
    ("--plain", "plain"),
)  # fmt: skip


def plain_options(arguments: list[str]) -> PlayOptions | None:
    """Return the options of common command lines (theme, packs, a level) without a parser; None for others."""
    theme, level, packs = None, None, arguments
    match arguments:
        case ["--theme", name, *rest] if find_theme(name) is not None:
            theme, packs = name, rest
    match packs:
        case [pack, "-l" | "--level", number] if whole_number(number):
            packs, level = [pack], int(number)
    if any(argument.startswith("-") for argument in packs):
        return None
    return PlayOptions(tuple(packs), level, Settings(theme=theme))


def open_player(options: PlayOptions, *, may_be_verb: bool = False) -> int:
    """Play, and return the exit status; ``may_be_verb``: a name without a file may be a misspelled verb.

    Raises InputError for screen flags without a screen.
    """
    with ending_at_once():
        return _open_player(options, may_be_verb=may_be_verb)


def _open_player(options: PlayOptions, *, may_be_verb: bool) -> int:
    given = flags_given(options)
    options, problems = _with_skin(*_settled(options), is_flag=options.settings.skin is not None)
    if options.settings.plain:
        if drawn := [flag for flag in given if flag not in ("--plain", "--keys")]:
            problem = N_("{flag} has no effect in line mode (--plain)")
            if "--plain" not in given:
                problem = N_("{flag} has no effect in line mode (plain = true in the settings)")
            raise InputError(_(problem, flag=drawn[0]))
        from sokoterm.linemode.session import play, take_keyboard  # one of the two faces
    else:
        from sokoterm.tui.event_loop import play, take_keyboard  # one of the two faces
    first = options.packs[0] if options.packs else ""
    meant = verb_meant(first) if may_be_verb else ""
    if meant or options.packs and all(map(_is_missing, options.packs)):
        problems_of = [
            _why_missing(path, options, may_be_verb=may_be_verb and not index)
            for index, path in enumerate(options.packs)
            if _is_missing(path)
        ]
        if all(problems_of) or meant and problems_of[0]:
            for problem in filter(None, problems_of[: 1 if meant and first in VERBS else None]):
                complain(problem)
            return 2
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
    notices = problems[:]
    if len(problems) > 1:
        name = os.path.basename(config_file())
        notices = [_("{n} problems in {file}: `sokoterm keys` lists them", n=len(problems), file=name)]
    # On the screen, a line rarely fits all the values that settings allow.
    clipped = () if options.settings.plain else (*notices,)
    try:
        status = with_packs(
            options, notices, complain, partial(take_keyboard, options), partial(play, options, notices)
        )
        for notice in clipped:
            if notice not in notices:
                complain(notice)
        return status
    finally:
        for problem in problems if len(problems) > 1 else ():
            complain(problem)


def _settled(options: PlayOptions) -> tuple[PlayOptions, list[str]]:
    """Return the options completed by the config file, and a line per invalid entry."""
    path = config_file()
    if not os.path.exists(path):
        return options._replace(keymaps=with_wasd(KEYMAPS)) if options.settings.keys == "wasd" else options, []
    # With settings only.
    from sokoterm.commands.support.remap import keys_in_force

    config = read_config(path, [theme.name for theme in THEMES])
    keymaps, refused = keys_in_force(options.settings.keys, config)
    looks, unknown = read_looks(config.colors)
    settings = options.settings.otherwise(config.settings)
    problems = [*config.problems, *refused, *unknown]
    return options._replace(settings=settings, keymaps=keymaps, looks=looks), problems


def _with_skin(options: PlayOptions, problems: list[str], *, is_flag: bool) -> tuple[PlayOptions, list[str]]:
    if options.settings.skin is None:
        return options, problems
    from sokoterm.pictures.skins import SkinError, named  # with a skin only

    try:
        for dark in (True, False):  # both are cached: the file is not read again during play
            named(options.settings.skin, dark=dark)
    except SkinError as error:
        if is_flag:
            raise InputError(str(error)) from None
        return options._replace(settings=options.settings._replace(skin=None)), [*problems, str(error)]
    return options, problems


def flags_given(options: PlayOptions) -> list[str]:
    """Return the flags for looks and input that are given."""
    chosen = [flag for flag, name in _FLAGS if getattr(options.settings, name) is not None]
    return [*chosen, *(["--stats"] if options.stats else [])]


def refuse_unused(options: PlayOptions, used: Container[str]) -> None:
    """Raise InputError if a player or hosting flag not in ``used`` is given: it has no effect on printed output."""
    hosting = (
        ("--host", options.is_hosted), ("--account", options.account is not None),
        ("--idle", options.idle_minutes is not None), ("--quota", options.quota is not None),
        ("--scores", options.scores is not None),
    )  # fmt: skip
    for flag in [*flags_given(options), *(flag for flag, is_given in hosting if is_given)]:
        if flag not in used:
            raise InputError(_("{flag} has no effect on printed output", flag=flag))


def _is_missing(path: str) -> bool:
    return path != "-" and "://" not in path and "\0" not in path and not os.path.lexists(path)


def _why_missing(path: str, options: PlayOptions, *, may_be_verb: bool) -> str:
    """Return the complaint about a missing pack, with the nearest verb or pack; empty if the pack exists."""
    try:
        stored.find_packs_or_named(path, packs_dir(data_dir(options.data_dir)), options.limits)
    except stored.PackError as error:
        problem, names_another = str(error), isinstance(error, stored.NearNameError)
    else:
        return ""
    if may_be_verb and (meant := verb_meant(path)):
        return meant
    if not may_be_verb or names_another or not path.replace("-", "").isalpha():
        return problem
    return _("{path}: no such verb or file (--help lists the verbs)", path=path)


def verb_meant(word: str) -> str:
    """Return the complaint about a misplaced or misspelled verb; empty for any other word."""
    if not word.replace("-", "").isalpha() or not _is_missing(word):
        return ""
    if word in VERBS:
        return _("the verb {verb} must come first: sokoterm {verb} ...", verb=word)
    from difflib import get_close_matches  # unknown names only

    near = get_close_matches(word.lower(), VERBS, 1)
    return _("{path}: no such verb or file; did you mean {verb}?", path=word, verb=near[0]) if near else ""


_CORES = 2  # of a search, unless the settings set another number


def with_packs(
    options: PlayOptions,
    notices: list[str],
    complain: Callable[[str], None],
    take_keyboard: Callable[[], None],
    play: Callable[[Services, Sequence[FirstRequest]], None],
) -> int:
    """Open everything, run ``play`` with its first requests, close everything, and return the exit status.

    That is 0, 2 if one of several packs was not read, or 74 for lost progress. ``take_keyboard`` is called after
    standard input, which may be a pack, was read. Raises PackError, and whatever ``take_keyboard`` raises.
    """
    unread: list[str] = []
    files = _find_files(options, unread)
    notices += unread
    take_keyboard()
    folder = data_dir(options.data_dir)
    own_folder = packs_dir(folder)
    if options.is_hosted or options.account is not None:  # other accounts share the data folder, but not these packs
        own_folder = packs_dir(account_dir(folder, options.account or unix_account()))
    store = ProgressStore.open(progress_file(account_dir(folder, options.account)), time.time, options.quota)
    given = {file.key for file in files}

    def read(file: stored.PackFile) -> Pack:
        limits = options.limits if file.key in given else options.limits._replace(signs=AUTO)
        return stored.open_pack(file, options.encoding, limits)

    catalog = catalog_of(folder, store, read)
    scores = open_scoreboard(options.scores, options.account, notices.append)
    try:
        if not files:
            # A level number without a pack refers to First Steps.
            files = stored.bundled_packs()[:1] if options.level is not None else own_packs(packs_dir(folder), catalog)
            if options.level is None and own_folder != packs_dir(folder):
                files += stored.added_packs(own_folder, {})
        services = _services(options, files, own_folder, store, catalog, scores)
        play(services, _first_requests(options, services, notices))
    finally:
        if scores is not None:
            scores.close()
        notices += catalog.notices
        catalog.close()
        lost = store.close()
        for notice in [*notices, *store.notices, lost]:
            if notice and not notice.startswith(_(NOT_SAVED_YET)):
                complain(notice)
    return NOT_SAVED if lost else 2 if unread else 0


def _services(
    options: PlayOptions,
    files: Sequence[stored.PackFile],
    own_folder: str,
    store: ProgressStore,
    catalog: Catalog,
    scores: "ScoreTable | None",
) -> Services:
    def open_pack_session(file: stored.PackFile) -> PackSession:
        stamp = stored.stamp_of(file)
        # Pasted levels are private: guests could fill the shared table with their own.
        shared = None if options.is_hosted and file.data is not None and not file.is_series else scores
        pack_session = PackSession(catalog.pack(file), file.key, file.name, store, catalog, stamp, shared)
        pack_session.is_pasted = file.is_pasted
        return pack_session

    switching = ThreadSwitching()
    cores = ONE_CORE
    if not options.is_hosted and options.account is None:  # the data folder is not shared with other accounts
        count = options.settings.cores or min(_CORES, usable_cores())
        cores = Cores(count, lane_command(gives_way=True), only_waits=True)
    lists_series, series = not options.packs and options.level is None, None
    if lists_series or options.series is not None or options.settings.plain:
        from sokoterm.app.generated import GeneratedSeries  # a pack on the screen needs none

        series = GeneratedSeries(store, catalog, scores)
    return Services(
        store=store,
        catalog=catalog,
        files=files,
        open_pack_session=open_pack_session,
        log_crash=log_crash,
        make_solver=partial(
            Solver,
            limits=game_limits(time.monotonic),
            switching=switching,
            pace=SLOW_SECONDS if options.settings.slow_link else PROGRESS_SECONDS,
            cores=cores,
        ),
        make_prover=partial(Prover, clock=time.monotonic, switching=switching),
        make_builder=partial(LevelBuilder, switching=switching),
        keymaps=without(options.keymaps, "suspend") if options.is_hosted else options.keymaps,
        idle_minutes=options.idle_minutes,
        series=series,
        lists_series=lists_series,
        own_folder=own_folder,
        own_quota=options.quota,
        letslogic_key=None if options.is_hosted or options.account else letslogic_key(options.settings),
        link_page=options.settings.link_page or LINK_PAGE,
    )


def _find_files(options: PlayOptions, notices: list[str]) -> list[stored.PackFile]:
    files: list[stored.PackFile] = []
    problems = []
    for path in options.packs:
        try:
            if options.is_hosted and ("://" in path or path == "-"):
                problem = N_("{path}: host mode reads only files and folders")
                raise stored.PackError(_(problem, path=printable(path)))
            files += stored.find_packs_or_named(path, packs_dir(data_dir(options.data_dir)), options.limits)
        except stored.PackError as error:
            problems.append(error)
    if problems and not files:
        raise problems[0]
    notices += map(str, problems)
    return files


def open_scoreboard(path: str | None, account: str | None, tell: Callable[[str], None]) -> "ScoreTable | None":
    """Open the score table for an account, None without a path; ``tell`` reports its problems once."""
    if path is None:
        return None
    from sokoterm.store.score_table import ScoreTable  # on a server

    return ScoreTable(path, account or unix_account(), time.time, tell)


def _first_requests(options: PlayOptions, services: Services, notices: list[str]) -> list[FirstRequest]:
    """Return requests for the daily level or descent, the level of the pack named, or the list of packs."""
    files = services.files
    if options.series is not None:
        assert services.series is not None
        return [Start(*services.series.start(options.series))]
    if options.level is not None and len(files) > 1:
        problem = N_("found {n} packs; level {number} requires exactly one")
        raise stored.PackError(_(problem, n=len(files), number=options.level))
    if options.level is None and (len(files) > 1 or not options.packs):
        return [Ask.BROWSE]
    pack_session = services.open_pack_session(files[0])
    unreadable = pack_session.pack.errors
    if options.level is None and options.lurd is not None and pack_session.pack.size > 1:
        raise stored.PackError(without_number(pack_session.pack.size))
    number = pack_session.start_number() if options.level is None else options.level
    if number is None:
        why = words_of(pack_session).none_readable
        raise stored.PackError(_("{problem}; the first: {error}", problem=why, error=unreadable[0]))
    level = pack_session.pack.find_level(number)
    if level is None:
        raise stored.PackError(labelled(pack_session.name, words_of(pack_session).why_missing(number)))
    if unreadable:
        problem, more = printable(str(unreadable[0])), len(unreadable) - 1
        if more:
            problem = ngettext("{problem}; and {n} more", "{problem}; and {n} more", more, problem=problem)
        notices.append(problem)
    start = Start(pack_session, number)
    if options.lurd is None:
        return [start]
    return [start, ShowReplay("", options.lurd(level), Source.GIVEN)]
