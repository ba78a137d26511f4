"""``sokoterm letslogic``: levels of letslogic.com, the best figures there, and one's own solutions, sent on request."""

import os
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from time import sleep, time
from typing import NamedTuple

from sokoterm.commands import HOST
from sokoterm.commands.add import LibraryFolder
from sokoterm.commands.support.levels import until_last_push
from sokoterm.commands.support.library import opened_index
from sokoterm.commands.support.output import Column, InputError, complain, is_yes, json_line, print_rows, table_of
from sokoterm.commands.support.parser import Parser, Reading, count
from sokoterm.engine.level import Pack
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.lurd import verify
from sokoterm.engine.text import printable
from sokoterm.formats.registry import write
from sokoterm.language import N_, _, levels_text, listed, ngettext, pgettext
from sokoterm.store.fetch import without_password
from sokoterm.store.letslogic import (
    SERVER,
    Better,
    Figures,
    Letslogic,
    LetslogicError,
    LostError,
    OnlineBest,
    OnlineCollection,
    OnlineLevel,
    Sent,
    better_ones,
    keep_collection,
    keep_sent,
    kept_collections,
    sent_by,
)
from sokoterm.store.library_folder import safe_name
from sokoterm.store.packs import pack_from_bytes
from sokoterm.store.paths import config_file, packs_dir, progress_file
from sokoterm.store.progress import ProgressStore, opened_progress
from sokoterm.store.settings import read_config
from sokoterm.store.solutions import Best
from sokoterm.tui.widgets.theme import THEMES

_KEY = "SOKOTERM_LETSLOGIC_KEY"
_SETTING = "letslogic_key"
# On the server, of all players; there, of the person; and here.
_FIGURES = ("best_moves", "best_pushes", "there_moves", "there_pushes", "here_moves", "here_pushes")
# What has become of a solution, in JSON.
_ACCEPTED, _REFUSED, _UNKNOWN, _NOT_SENT = "accepted", "refused", "unknown", "not sent"
# The folder of the library for fetched packs.
_FOLDER = "letslogic"


class _LetslogicFlags:
    """The flags of the verb."""

    def __init__(self, parser: Parser) -> None:
        actions = ("collections", "fetch", "show", "submit")
        self.action = parser.argument("action", choices=actions, metavar="|".join(actions), help=_("what to do"))
        text = _("number of a collection there")
        self.collection = parser.flag("id", nargs="?", parse=count, metavar="ID", help=text)
        self.yes = parser.switch("--yes", help=_("submit without asking"))
        text = _("default: {value}", value=SERVER)
        self.server = parser.flag("--server", parse=str, default=SERVER, metavar="URL", help=text)
        self.json = parser.switch("--json", help=_("print a JSON object for each row"))


class _Row(NamedTuple):
    """A level on the server beside what the person has of it: here, there, and better here than there."""

    collection: int
    level: OnlineLevel
    own: Best
    there: OnlineBest
    better: Sequence[Better]


def _about() -> str:
    setting = f'{_SETTING} = "..."'
    key = _(
        "Levels and best figures of letslogic.com. The key is that of your account there, from its page of "
        "preferences: `{setting}` in config.toml, or {variable} in the environment.",
        setting=setting,
        variable=_KEY,
    )
    actions = {
        "collections": _("lists what there is"),
        "fetch": _("makes the collection ID a pack of your library"),
        "show": _("lists the best figures of each level there, yours there, and yours here"),
        "submit": _("lists your solutions that are better than yours there, asks, and sends them one by one"),
    }
    more = _(
        "Without ID, show and submit take all collections that you have fetched. Figures are moves/pushes, of the "
        "solution with the fewest moves and of that with the fewest pushes. A solution is replayed by the rules before "
        "it is sent, and none is sent twice. Nothing is sent but your key and, after a yes, these solutions."
    )
    rows = "\n".join(f"{action:<12} {text}" for action, text in actions.items())
    return f"{key}\n\n{rows}\n\n{more}"


def run(arguments: list[str]) -> int:
    """Run one of four actions; return 1 if a solution was refused or not to be sent, 2 without a usable answer."""
    parser = Parser(
        "letslogic",
        _about(),
        "sokoterm letslogic fetch 12",
    )
    flags = _LetslogicFlags(parser)
    if HOST in arguments:
        raise InputError(_("letslogic: nothing is fetched or sent with {flag}", flag=HOST))
    parser.parse(arguments)
    action, collection = flags.action.value, flags.collection.value
    if action == "fetch" and collection is None:
        parser.error(_("found fetch without ID, expected fetch ID"))
    if action == "collections" and collection is not None:
        parser.error(_("found collections {number}, expected collections alone", number=collection))
    if flags.json.value and action == "submit" and not flags.yes.value:
        parser.error(_("found --json without --yes, expected both: nothing else is printed, also no question"))
    try:
        with opened_progress(progress_file(parser.folder), time, complain) as progress:
            return _Session(flags, parser.folder, progress).run()
    except LetslogicError as error:
        complain(str(error))
        return 2


class _Session:
    """One run of the verb."""

    def __init__(self, flags: _LetslogicFlags, folder: str, progress: ProgressStore) -> None:
        self._flags = flags
        self._prints_json = flags.json.value
        self._folder = folder
        self._progress = progress
        # As it is shown and stored, without a password.
        self._server = without_password(flags.server.value.rstrip("/"))
        self._status = 0

    def run(self) -> int:
        action, chosen = self._flags.action.value, self._flags.collection.value
        if action == "collections":
            self._list(self._api().collections())
        elif chosen is not None and action == "fetch":
            self._fetch(chosen)
        else:
            api = self._api()
            collections = [chosen] if chosen else list(kept_collections(self._progress, self._server))
            if not collections:
                complain(_("no collection yet: `sokoterm letslogic fetch ID` fetches one"))
                return 0
            if action == "show":
                self._show(self._rows(api, collections))
            else:
                self._submit(api, collections)
        return self._status

    def _api(self) -> Letslogic:
        """Return the API with the key; raises InputError without a key."""
        key = os.environ.get(_KEY) or self._key_in_settings()
        if not key or not key.isascii() or not key.isprintable() or not key.strip():
            if key:
                problem = N_("found an unusable key of letslogic.com, expected {setting} in {file}, or {variable}")
            else:
                problem = N_("found no key of letslogic.com, expected {setting} in {file}, or {variable}")
            raise InputError(_(problem, setting=f'{_SETTING} = "..."', file=config_file(), variable=_KEY))
        return Letslogic(self._flags.server.value, key.strip(), sleep)

    def _key_in_settings(self) -> str | None:
        config = read_config(config_file(), [theme.name for theme in THEMES])
        if config.settings.letslogic_key is None:
            for problem in config.problems:
                complain(problem)
        return config.settings.letslogic_key

    def _list(self, collections: Sequence[OnlineCollection]) -> None:
        fetched = kept_collections(self._progress, self._server)
        if self._prints_json:
            for each in collections:
                print(json_line({**each._asdict(), "fetched": each.id in fetched}))
            return
        # Translators: the number by which a server knows a level or a collection.
        columns = [Column(_("id")), Column(_("levels")), Column(_("fetched"), is_text=True)]
        columns += [Column(_("title"), is_text=True), Column(_("author"), is_text=True)]
        yes = _("yes")
        rows = [
            (each.id, each.levels, yes if each.id in fetched else "", each.title, each.author) for each in collections
        ]
        print_rows(table_of(columns, rows))

    def _fetch(self, chosen: int) -> None:
        """Write a collection as a pack of the library."""
        api = self._api()
        collection = next((each for each in api.collections() if each.id == chosen), None)
        if collection is None:
            raise LetslogicError(_("found no collection {number} on the server", number=chosen))
        online, problems = api.levels(chosen)
        self._complain(problems)
        if not online:
            raise LetslogicError(_("found no usable level in collection {number}", number=chosen))
        levels = tuple(each.level for each in online)
        metadata = (("id", str(chosen)),)
        written = write(Pack(collection.title, levels, author=collection.author, metadata=metadata), "xsb")
        name = f"{_FOLDER}/{safe_name(collection.title)}"
        file = pack_from_bytes(written.data, f"{_FOLDER}-{chosen}.txt")._replace(name=name)
        with opened_index(self._folder) as index:
            added = LibraryFolder(index, packs_dir(self._folder), Reading()).add(file)
        keep_collection(self._progress, self._server, chosen, collection.title)
        self._save()
        if self._prints_json:
            fields = {**collection._asdict(), "levels": len(levels), "unreadable": len(problems)}
            print(json_line({**fields, "file": added.path, "new": added.new, "added": not added.was_there}))
            return
        shown = printable(os.path.relpath(added.path, packs_dir(self._folder)))
        new = _("already there") if added.was_there else ngettext("{n:,} of them new", "{n:,} of them new", added.new)
        # Translators: the file of a pack, and what has become of it.
        print(_("{file}: {facts}", file=shown, facts=listed([levels_text(len(levels)), new])))

    def _rows(self, api: Letslogic, collections: Sequence[int]) -> list[_Row]:
        """Compare what the person has here with what the server has."""
        records = api.records()
        accepted: dict[int, list[Figures]] = {}
        refused = set[tuple[int, Figures]]()
        for sent in sent_by(self._progress, api.person):
            figures = Figures(sent.moves, sent.pushes)
            if sent.is_accepted:
                accepted.setdefault(sent.level, []).append(figures)
            else:
                refused.add((sent.level, figures))
        rows = []
        for collection in collections:
            online, problems = api.levels(collection)
            self._complain(problems)
            for each in online:
                own = _trimmed(self._progress.best(each.level))
                there = records.get(each.id, OnlineBest()).with_figures(accepted.get(each.id, []))
                better = [
                    found for found in better_ones(own, there) if (each.id, Figures.of(found.solution)) not in refused
                ]
                rows.append(_Row(collection, each, own, there, better))
        return rows

    def _show(self, rows: Sequence[_Row]) -> None:
        if self._prints_json:
            for row in rows:
                print(json_line(_fields(row)))
            return
        texts = (
            _("best moves"),
            _("best pushes"),
            _("there moves"),
            _("there pushes"),
            _("here moves"),
            _("here pushes"),
            pgettext("heading of a column", "better"),
            _("title"),
        )
        columns = [Column(_("level")), Column(_("id")), *(Column(text, is_text=True) for text in texts)]
        for collection, some in groupby(rows, lambda row: row.collection):
            print(_("collection {number}", number=collection))
            print_rows([*table_of(columns, [_cells(row) for row in some]), ""])
        solved = sum(row.own.by_moves is not None for row in rows)
        better = sum(len(row.better) for row in rows)
        print(
            listed(
                [
                    levels_text(len(rows)),
                    ngettext("{n:,} solved here", "{n:,} solved here", solved),
                    ngettext("{n:,} solution to send", "{n:,} solutions to send", better),
                ]
            )
        )

    def _submit(self, api: Letslogic, collections: Sequence[int]) -> None:
        """List, ask and send."""
        parcels = [(row, better) for row in self._rows(api, collections) for better in row.better]
        if not parcels:
            if not self._prints_json:
                print(_("nothing to send: no solution here is better than yours there"))
            return
        if not self._prints_json:
            columns = [*map(Column, (_("collection"), _("level"), _("id")))]
            better = pgettext("heading of a column", "better")
            texts = (_("there moves"), _("there pushes"), _("to send"), better, _("title"))
            columns += [Column(text, is_text=True) for text in texts]
            print_rows(table_of(columns, [_parcel_cells(*each) for each in parcels]))
        question = ngettext(
            "Send {n:,} solution to {server}?",
            "Send {n:,} solutions to {server}?",
            len(parcels),
            server=printable(self._server),
        )
        if not self._flags.yes.value and not is_yes(question, _("nothing sent")):
            print(_("nothing sent"))
            self._status = 1
            return
        self._send(api, parcels)

    def _send(self, api: Letslogic, parcels: Sequence[tuple[_Row, Better]]) -> None:
        """Send one solution after the other; whatever ends it, what has become of each is told."""
        done = 0
        refused = 0
        try:
            for row, better in parcels:
                level = row.level
                solution = better.solution
                verify(level.level.board, level.level.start, solution.lurd)
                reply = api.submit(level.id, solution.lurd)
                keep_sent(self._progress, api.person, Sent(level.id, *Figures.of(solution), reply.is_accepted), time())
                self._save()
                done += 1
                refused += not reply.is_accepted
                self._tell(row, better, _ACCEPTED if reply.is_accepted else _REFUSED, reply.text)
            self._status = max(self._status, 1) if refused else self._status
        except (LetslogicError, KeyboardInterrupt) as error:
            if isinstance(error, LetslogicError):
                complain(str(error))
                self._status = 2
            is_open = isinstance(error, LostError | KeyboardInterrupt)
            for index, (row, better) in enumerate(parcels[done:]):
                if is_open and not index:
                    self._tell(row, better, _UNKNOWN, _("it may have arrived"))
                else:
                    self._tell(row, better, _NOT_SENT, "")
            if isinstance(error, KeyboardInterrupt):
                raise
        finally:
            if not self._prints_json:
                text = ngettext(
                    "{done} of {n} solution sent, {accepted} accepted",
                    "{done} of {n} solutions sent, {accepted} accepted",
                    len(parcels),
                    done=done,
                    accepted=done - refused,
                )
                print(text, flush=True)

    def _tell(self, row: _Row, better: Better, status: str, text: str) -> None:
        solution = better.solution
        if not self._prints_json:
            told = _(
                "collection {collection}, level {number} (id {id}): {figures} {status}",
                collection=row.collection,
                number=row.level.level.number,
                id=row.level.id,
                figures=_shown(Figures.of(solution)),
                status=_status_text(status),
            )
            print(_("{what}: {answer}", what=told, answer=text) if text else told, flush=True)
            return
        fields = {
            "collection": row.collection,
            "level": row.level.level.number,
            "id": row.level.id,
            "title": row.level.level.title,
            "lurd": solution.lurd,
            "moves": solution.moves,
            "pushes": solution.pushes,
            "better": better.by,
            "status": status,
            "answer": text,
        }
        print(json_line(fields), flush=True)

    def _complain(self, problems: Sequence[str]) -> None:
        for problem in problems:
            complain(problem)
            self._status = 2

    def _save(self) -> None:
        if problem := self._progress.save_rows():
            complain(problem)


def _status_text(status: str) -> str:
    return {
        _ACCEPTED: pgettext("of a solution that was sent", "accepted"),
        _REFUSED: pgettext("of a solution that was sent", "refused"),
        _UNKNOWN: pgettext("of a solution that was sent", "unknown"),
        _NOT_SENT: _("not sent"),
    }[status]


def _trimmed(best: Best) -> Best:
    by_moves, by_pushes = (each and until_last_push(each) for each in (best.by_moves, best.by_pushes))
    return best._replace(by_moves=by_moves, by_pushes=by_pushes)


def _own(row: _Row) -> tuple[Figures | None, Figures | None]:
    by_moves, by_pushes = row.own.by_moves, row.own.by_pushes
    return by_moves and Figures.of(by_moves), by_pushes and Figures.of(by_pushes)


def _shown(figures: Figures | None) -> str:
    return f"{figures.moves}/{figures.pushes}" if figures else ""


def _cells(row: _Row) -> tuple[object, ...]:
    level = row.level
    figures = map(_shown, (*level.best, *row.there, *_own(row)))
    by = {metric for each in row.better for metric in each.by}
    return level.level.number, level.id, *figures, _metrics(by), level.level.title


def _metrics(by: Collection[str]) -> str:
    """Name the metrics by which a solution is better: ``moves pushes``."""
    names = {"moves": _("moves"), "pushes": _("pushes")}
    return " ".join(name for metric, name in names.items() if metric in by)


def _parcel_cells(row: _Row, better: Better) -> tuple[object, ...]:
    sent = _shown(Figures.of(better.solution))
    place = (row.collection, row.level.level.number, row.level.id)
    return *place, *map(_shown, row.there), sent, _metrics(better.by), row.level.level.title


def _fields(row: _Row) -> Mapping[str, object]:
    level = row.level
    figures = zip(_FIGURES, (*level.best, *row.there, *_own(row)), strict=True)
    return {
        "collection": row.collection,
        "level": level.level.number,
        "id": level.id,
        "title": level.level.title,
        "author": level.level.author,
        "hash": level_hash(level.level),
        **{name: each and each._asdict() for name, each in figures},
        "better": [metric for metric in ("moves", "pushes") if any(metric in each.by for each in row.better)],
    }
