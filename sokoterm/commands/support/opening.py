"""Opening the player's parts: progress, packs, solver, builder; and closing them when the session ends."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sokoterm.app.background import LevelBuilder, ThreadSwitching
from sokoterm.app.catalog import Catalog, catalog_of, own_packs
from sokoterm.app.deadlock_warning import Prover
from sokoterm.app.improvement import FoundBy, ShowReplay
from sokoterm.app.keymap import without
from sokoterm.app.options import PlayOptions
from sokoterm.app.pack_session import PackSession
from sokoterm.app.request import Ask, FirstRequest, Start
from sokoterm.app.session import Services
from sokoterm.app.solver import ONE_CORE, PROGRESS_SECONDS, SLOW_SECONDS, Solver
from sokoterm.commands import NOT_SAVED
from sokoterm.commands.support.output import without_number
from sokoterm.engine.level import Pack
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, ngettext
from sokoterm.process import lane_command, usable_cores
from sokoterm.solver.search import Cores, game_limits
from sokoterm.store.packs import PackError, PackFile, bundled_packs, find_packs_or_named, open_pack, stamp_of
from sokoterm.store.paths import account_dir, data_dir, log_crash, packs_dir, progress_file, unix_account
from sokoterm.store.progress import NOT_SAVED_YET, ProgressStore
from sokoterm.wording.packs import words_of

if TYPE_CHECKING:
    from sokoterm.store.score_table import ScoreTable

_CORES = 2  # those of a search, unless the settings say otherwise


def with_packs(
    options: PlayOptions,
    notices: list[str],
    complain: Callable[[str], None],
    take_keyboard: Callable[[], None],
    play: Callable[[Services, Sequence[FirstRequest]], None],
) -> int:
    """Open everything, let ``play`` run the session from its first requests, close everything; return the exit status.

    That is 0, or 2 if one of several packs was not read, or 74 for lost progress. ``take_keyboard`` is called once
    standard input has been read, which may be a pack. ``complain`` writes notices that the player has not seen to
    stderr. Raises PackError for input that cannot be read, and whatever ``take_keyboard`` raises.
    """
    unread: list[str] = []
    files = _find_files(options, unread)
    notices += unread
    take_keyboard()
    folder = data_dir(options.data_dir)
    store = ProgressStore.open(progress_file(account_dir(folder, options.account)), time.time, options.quota)
    read = partial(open_pack, encoding=options.encoding, limits=options.limits)
    catalog = catalog_of(folder, store, read)
    scores = open_scoreboard(options.scores, options.account, notices.append)
    try:
        if not files:
            # A level by its number alone is one of First Steps.
            files = bundled_packs()[:1] if options.level is not None else own_packs(packs_dir(folder), catalog)
        services = _services(options, files, read, store, catalog, scores)
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
    files: Sequence[PackFile],
    read: Callable[[PackFile], Pack],
    store: ProgressStore,
    catalog: Catalog,
    scores: "ScoreTable | None",
) -> Services:
    def open_pack_session(file: PackFile) -> PackSession:
        stamp = stamp_of(file)
        # What a person pastes stays his: guests could fill the table of all with levels of their own.
        shared = None if options.is_hosted and file.data is not None and not file.is_series else scores
        return PackSession(read(file), file.key, file.name, store, catalog, stamp, shared)

    switching = ThreadSwitching()
    cores, own_folder = ONE_CORE, ""
    if not options.is_hosted and options.account is None:  # the data folder is not shared with other accounts
        count = options.settings.cores or min(_CORES, usable_cores())
        cores = Cores(count, lane_command(gives_way=True), only_waits=True)
        own_folder = packs_dir(data_dir(options.data_dir))
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
    )


def _find_files(options: PlayOptions, notices: list[str]) -> list[PackFile]:
    """Return the packs that were named, none if none were; raises PackError if none of them can be found."""
    files: list[PackFile] = []
    problems = []
    for path in options.packs:
        try:
            if options.is_hosted and ("://" in path or path == "-"):
                problem = N_("{path}: expected a file or a folder, host mode reads nothing else")
                raise PackError(_(problem, path=printable(path)))
            files += find_packs_or_named(path, packs_dir(data_dir(options.data_dir)), options.limits)
        except PackError as error:
            problems.append(error)
    if problems and not files:
        raise problems[0]
    notices += map(str, problems)
    return files


def open_scoreboard(path: str | None, account: str | None, tell: Callable[[str], None]) -> "ScoreTable | None":
    """Return the score table at a path for an account, None without a path; what is wrong with it is told once."""
    if path is None:
        return None
    from sokoterm.store.score_table import ScoreTable  # on a server

    return ScoreTable(path, account or unix_account(), time.time, tell)


def _first_requests(options: PlayOptions, services: Services, notices: list[str]) -> list[FirstRequest]:
    """The level that is asked for, a level of the one pack that was named, or the list of packs."""
    files = services.files
    if options.series is not None:
        assert services.series is not None
        return [Start(*services.series.start(options.series))]
    if options.level is not None and len(files) > 1:
        problem = N_("found {n} packs, expected one to find level {number} in")
        raise PackError(_(problem, n=len(files), number=options.level))
    if options.level is None and (len(files) > 1 or not options.packs):
        return [Ask.BROWSE]
    pack_session = services.open_pack_session(files[0])
    unreadable = pack_session.pack.errors
    if options.level is None and options.lurd is not None and pack_session.pack.size > 1:
        raise PackError(without_number(pack_session.pack.size))
    number = pack_session.start_number() if options.level is None else options.level
    if number is None:
        why = words_of(pack_session).none_readable
        raise PackError(_("{problem}; the first: {error}", problem=why, error=unreadable[0]))
    level = pack_session.pack.find_level(number)
    if level is None:
        raise PackError(f"{pack_session.name}: {words_of(pack_session).why_missing(number)}")
    if unreadable:
        problem, more = printable(str(unreadable[0])), len(unreadable) - 1
        if more:
            problem = ngettext("{problem}; and {n} more", "{problem}; and {n} more", more, problem=problem)
        notices.append(problem)
    start = Start(pack_session, number)
    if options.lurd is None:
        return [start]
    return [start, ShowReplay("", options.lurd(level), FoundBy.COMMAND_LINE)]
