"""``sokoterm letslogic``: levels of letslogic.com, the best figures there, and one's own solutions, sent on request."""

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from time import sleep, time
from typing import NamedTuple

from sokoterm.commands import HOST
from sokoterm.commands.add import LibraryFolder
from sokoterm.commands.support.levels import until_last_push
from sokoterm.commands.support.library import opened_index
from sokoterm.commands.support.output import Column, InputError, complain, is_yes, json_line, print_rows, table_of
from sokoterm.commands.support.parser import Parser, Reading, count
from sokoterm.engine.level import Level, Pack
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
from sokoterm.tui.widgets.theme import THEMES

_KEY = "SOKOTERM_LETSLOGIC_KEY"
_SETTING = "letslogic_key"
# What has become of a solution, in JSON.
_ACCEPTED, _REFUSED, _UNKNOWN, _NOT_SENT = "accepted", "refused", "unknown", "not sent"
# The folder of the library for fetched packs.
_FOLDER = "letslogic"
_FIGURES = ("best_moves", "best_pushes", "there_moves", "there_pushes", "here_moves", "here_pushes")


class _Row(NamedTuple):
    """A level on the server with its ``_FIGURES``, of all players, of the person there, and here.

    ``better`` are the solutions here that are better than the person's own there.
    """

    collection: int
    id: int
    level: Level
    figures: Mapping[str, Figures | None]
    better: Sequence[Better]

    @property
    def place(self) -> dict[str, object]:
        """The first fields of JSON objects about the level."""
        return {"collection": self.collection, "level": self.level.number, "id": self.id, "title": self.level.title}


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
    parser = Parser("letslogic", _about(), "sokoterm letslogic fetch 12")
    actions = ("collections", "fetch", "show", "submit")
    action_flag = parser.argument("action", choices=actions, metavar="|".join(actions), help=_("what to do"))
    text = _("number of a collection there")
    collection_flag = parser.flag("id", nargs="?", parse=count, metavar="ID", help=text)
    yes = parser.switch("--yes", help=_("submit without asking"))
    text = _("default: {value}", value=SERVER)
    server = parser.flag("--server", parse=str, default=SERVER, metavar="URL", help=text)
    as_json = parser.switch("--json", help=_("print a JSON object for each row"))
    if HOST in arguments:
        raise InputError(_("letslogic: nothing is fetched or sent with {flag}", flag=HOST))
    parser.parse(arguments)
    action, collection = action_flag.value, collection_flag.value
    if action == "fetch" and collection is None:
        parser.error(_("found fetch without ID, expected fetch ID"))
    if action == "collections" and collection is not None:
        parser.error(_("found collections {number}, expected collections alone", number=collection))
    if as_json.value and action == "submit" and not yes.value:
        parser.error(_("found --json without --yes, expected both: nothing else is printed, also no question"))
    try:
        with opened_progress(progress_file(parser.folder), time, complain) as progress:
            session = _Session(server.value, parser.folder, progress, as_json=as_json.value, asks=not yes.value)
            session.run(action, collection)
            return session.status
    except LetslogicError as error:
        complain(str(error))
        return 2


class _Session:
    """One run of the verb."""

    def __init__(self, server: str, folder: str, progress: ProgressStore, *, as_json: bool, asks: bool) -> None:
        self.status = 0
        self._address = server
        # As it is shown and stored, without a password.
        self._server = without_password(server.rstrip("/"))
        self._folder = folder
        self._progress = progress
        self._as_json = as_json
        self._asks = asks

    def run(self, action: str, collection: int | None) -> None:
        if action == "collections":
            self._list(self._api().collections())
            return
        if action == "fetch" and collection is not None:
            self._fetch(collection)
            return
        api = self._api()
        collections = [collection] if collection else [*kept_collections(self._progress, self._server)]
        if not collections:
            complain(_("no collection yet: `sokoterm letslogic fetch ID` fetches one"))
        elif action == "show":
            self._show(self._rows(api, collections))
        else:
            self._submit(api, self._rows(api, collections))

    def _api(self) -> Letslogic:
        """Return the API with the key; raises InputError without a key."""
        key = os.environ.get(_KEY)
        if not key:
            config = read_config(config_file(), [theme.name for theme in THEMES])
            key = config.settings.letslogic_key
            for problem in config.problems if key is None else ():
                complain(problem)
        if not key or not key.isascii() or not key.isprintable() or not key.strip():
            if key:
                problem = N_("found an unusable key of letslogic.com, expected {setting} in {file}, or {variable}")
            else:
                problem = N_("found no key of letslogic.com, expected {setting} in {file}, or {variable}")
            raise InputError(_(problem, setting=f'{_SETTING} = "..."', file=config_file(), variable=_KEY))
        return Letslogic(self._address, key.strip(), sleep)

    def _list(self, collections: Sequence[OnlineCollection]) -> None:
        fetched = kept_collections(self._progress, self._server)
        if self._as_json:
            for each in collections:
                print(json_line({**each._asdict(), "fetched": each.id in fetched}))
            return
        # Translators: the number by which a server knows a level or a collection.
        columns = [Column(_("id")), Column(_("levels"))]
        columns += [Column(text, is_text=True) for text in (_("fetched"), _("title"), _("author"))]
        yes = _("yes")
        rows = [
            (each.id, each.levels, yes if each.id in fetched else "", each.title, each.author) for each in collections
        ]
        print_rows(table_of(columns, rows))

    def _fetch(self, chosen: int) -> None:
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
        folder = packs_dir(self._folder)
        with opened_index(self._folder) as index:
            added = LibraryFolder(index, folder, Reading()).add(file)
        keep_collection(self._progress, self._server, chosen, collection.title)
        self._save()
        if self._as_json:
            fields = {**collection._asdict(), "levels": len(levels), "unreadable": len(problems)}
            print(json_line({**fields, "file": added.path, "new": added.new, "added": not added.was_there}))
            return
        new = _("already there") if added.was_there else ngettext("{n:,} of them new", "{n:,} of them new", added.new)
        facts = listed([levels_text(len(levels)), new])
        # Translators: the file of a pack, and what has become of it.
        print(_("{file}: {facts}", file=printable(os.path.relpath(added.path, folder)), facts=facts))

    def _rows(self, api: Letslogic, collections: Sequence[int]) -> list[_Row]:
        """Compare what the person has here with what the server has."""
        records = api.records()
        accepted = defaultdict[int, list[Figures]](list)
        refused = defaultdict[int, list[Figures]](list)
        for sent in sent_by(self._progress, api.person):
            by_level = accepted if sent.is_accepted else refused
            by_level[sent.level].append(Figures(sent.moves, sent.pushes))
        rows = []
        for collection in collections:
            online, problems = api.levels(collection)
            self._complain(problems)
            for number, level, best in online:
                own = self._progress.best(level)
                moves, pushes = (each and until_last_push(each) for each in (own.by_moves, own.by_pushes))
                there = records.get(number, OnlineBest()).with_figures(accepted[number])
                here = (each and Figures.of(each) for each in (moves, pushes))
                better = better_ones(own._replace(by_moves=moves, by_pushes=pushes), there)
                better = [each for each in better if Figures.of(each.solution) not in refused[number]]
                figures = dict(zip(_FIGURES, (*best, *there, *here), strict=True))
                rows.append(_Row(collection, number, level, figures, better))
        return rows

    def _show(self, rows: Sequence[_Row]) -> None:
        if self._as_json:
            for row in rows:
                figures = {name: each and each._asdict() for name, each in row.figures.items()}
                ids = {"author": row.level.author, "hash": level_hash(row.level)}
                print(json_line({**row.place, **ids, **figures, "better": [*_metrics(row.better)]}))
            return
        headings = (
            _("best moves"),
            _("best pushes"),
            _("there moves"),
            _("there pushes"),
            _("here moves"),
            _("here pushes"),
            pgettext("heading of a column", "better"),
            _("title"),
        )
        columns = [Column(_("level")), Column(_("id")), *(Column(text, is_text=True) for text in headings)]
        for collection, some in groupby(rows, lambda row: row.collection):
            print(_("collection {number}", number=collection))
            cells = []
            for row in some:
                texts = (*map(_shown, row.figures.values()), " ".join(_metrics(row.better).values()))
                cells.append((row.level.number, row.id, *texts, row.level.title))
            print_rows([*table_of(columns, cells), ""])
        solved = sum(row.figures["here_moves"] is not None for row in rows)
        better = sum(len(row.better) for row in rows)
        solved_text = ngettext("{n:,} solved here", "{n:,} solved here", solved)
        better_text = ngettext("{n:,} solution to send", "{n:,} solutions to send", better)
        print(listed([levels_text(len(rows)), solved_text, better_text]))

    def _submit(self, api: Letslogic, rows: Sequence[_Row]) -> None:
        parcels = [(row, better) for row in rows for better in row.better]
        if not self._as_json and not parcels:
            print(_("nothing to send: no solution here is better than yours there"))
        elif not self._as_json:
            headings = (_("there moves"), _("there pushes"), _("to send"), pgettext("heading of a column", "better"))
            columns = [*map(Column, (_("collection"), _("level"), _("id")))]
            columns += [Column(text, is_text=True) for text in (*headings, _("title"))]
            cells = []
            for row, better in parcels:
                figures = (row.figures["there_moves"], row.figures["there_pushes"], Figures.of(better.solution))
                texts = (*map(_shown, figures), " ".join(_metrics([better]).values()))
                cells.append((row.collection, row.level.number, row.id, *texts, row.level.title))
            print_rows(table_of(columns, cells))
        if not parcels:
            return
        question = ngettext(
            "Send {n:,} solution to {server}?",
            "Send {n:,} solutions to {server}?",
            len(parcels),
            server=printable(self._server),
        )
        if self._asks and not is_yes(question, _("nothing sent")):
            print(_("nothing sent"))
            self.status = 1
            return
        self._send(api, parcels)

    def _send(self, api: Letslogic, parcels: Sequence[tuple[_Row, Better]]) -> None:
        """Send one solution after the other; whatever ends it, what has become of each is told."""
        done = 0
        refused = 0
        try:
            for row, better in parcels:
                solution = better.solution
                verify(row.level.board, row.level.start, solution.lurd)
                reply = api.submit(row.id, solution.lurd)
                keep_sent(self._progress, api.person, Sent(row.id, *Figures.of(solution), reply.is_accepted), time())
                self._save()
                done += 1
                refused += not reply.is_accepted
                self._tell(row, better, _ACCEPTED if reply.is_accepted else _REFUSED, reply.text)
            self.status = max(self.status, 1) if refused else self.status
        except (LetslogicError, KeyboardInterrupt) as error:
            if isinstance(error, LetslogicError):
                complain(str(error))
                self.status = 2
            rest = parcels[done:]
            if isinstance(error, LostError | KeyboardInterrupt):
                for row, better in rest[:1]:
                    self._tell(row, better, _UNKNOWN, _("it may have arrived"))
                rest = rest[1:]
            for row, better in rest:
                self._tell(row, better, _NOT_SENT, "")
            if isinstance(error, KeyboardInterrupt):
                raise
        finally:
            if not self._as_json:
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
        if self._as_json:
            figures = {"lurd": solution.lurd, "moves": solution.moves, "pushes": solution.pushes, "better": better.by}
            print(json_line({**row.place, **figures, "status": status, "answer": text}), flush=True)
            return
        texts = {
            _ACCEPTED: pgettext("of a solution that was sent", "accepted"),
            _REFUSED: pgettext("of a solution that was sent", "refused"),
            _UNKNOWN: pgettext("of a solution that was sent", "unknown"),
            _NOT_SENT: _("not sent"),
        }
        told = _(
            "collection {collection}, level {number} (id {id}): {figures} {status}",
            collection=row.collection,
            number=row.level.number,
            id=row.id,
            figures=_shown(Figures.of(solution)),
            status=texts[status],
        )
        print(_("{what}: {answer}", what=told, answer=text) if text else told, flush=True)

    def _complain(self, problems: Sequence[str]) -> None:
        for problem in problems:
            complain(problem)
            self.status = 2

    def _save(self) -> None:
        if problem := self._progress.save_rows():
            complain(problem)


def _shown(figures: Figures | None) -> str:
    return f"{figures.moves}/{figures.pushes}" if figures else ""


def _metrics(better: Sequence[Better]) -> dict[str, str]:
    """Return the metrics by which some solutions are better, and the words for them."""
    names = {"moves": _("moves"), "pushes": _("pushes")}
    return {metric: name for metric, name in names.items() if any(metric in each.by for each in better)}
