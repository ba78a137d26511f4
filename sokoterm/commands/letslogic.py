"""``sokoterm letslogic``: levels and best figures of letslogic.com; sends solutions on request."""

from collections.abc import Sequence
from itertools import groupby
from time import time

from sokoterm.commands import HOST
from sokoterm.commands.support.output import Column, InputError, complain, is_yes, json_line, print_rows, table_of
from sokoterm.commands.support.parser import Parser, count
from sokoterm.engine.levelhash import level_hash
from sokoterm.engine.text import printable
from sokoterm.language import N_, _, levels_text, listed, ngettext, pgettext
from sokoterm.store import letslogic
from sokoterm.store.letslogic import Account, LetslogicError, Parcel, SiteLevel
from sokoterm.store.paths import config_file, progress_file
from sokoterm.store.progress import opened_progress
from sokoterm.store.settings import LETSLOGIC_KEY, letslogic_key, read_config
from sokoterm.tui.widgets.theme import THEMES
from sokoterm.wording import letslogic as wording

_HEADINGS = (
    N_("best moves"), N_("best pushes"), N_("there moves"), N_("there pushes"), N_("here moves"), N_("here pushes")
)  # fmt: skip


def _about() -> str:
    actions = {
        "collections": _("lists the collections"),
        "fetch": _("makes collection ID a pack in your library"),
        "show": _("lists for each level the best results of all players, your results there, and those here"),
        "submit": _("lists the solutions here that beat your results there, asks, and sends them one by one"),
    }
    more = _(
        "Without ID, show and submit use all collections you have fetched. Results are moves/pushes, of the solution "
        "with the fewest moves and of the one with the fewest pushes. Each solution is replayed by the rules before "
        "it is sent, and none is sent twice. Only your key is sent and, once you confirm, these solutions."
    )
    key = _(
        "The key is shown in the preferences of your account at letslogic.com. Set {setting} in {file}, or {variable}.",
        setting=wording.SETTING,
        file="config.toml",
        variable=LETSLOGIC_KEY,
    )
    rows = "\n".join(f"{action:<12} {text}" for action, text in actions.items())
    return "\n\n".join([_("Levels and best results of letslogic.com."), key, rows, more])


def run(arguments: list[str]) -> int:
    """Run one of four actions; return 1 if a solution was refused or not sent, 2 without a usable answer."""
    parser = Parser("letslogic", _about(), "sokoterm letslogic fetch 12")
    actions = ("collections", "fetch", "show", "submit")
    action_flag = parser.argument("action", choices=actions, metavar="|".join(actions), help=_("what to do"))
    text = _("number of a collection there")
    collection_flag = parser.flag("id", nargs="?", parse=count, metavar="ID", help=text)
    yes = parser.switch("--yes", help=_("submit without asking"))
    text = _("default: {value}", value=letslogic.SERVER)
    server = parser.flag("--server", parse=str, default=letslogic.SERVER, metavar="URL", help=text)
    as_json = parser.switch("--json", help=_("print a JSON object for each row"))
    if HOST in arguments:
        raise InputError(_("letslogic: not available with {flag}", flag=HOST))
    parser.parse(arguments)
    action, collection = action_flag.value, collection_flag.value
    if action == "fetch" and collection is None:
        parser.error(_("fetch requires the ID of a collection: fetch ID"))
    if action == "collections" and collection is not None:
        parser.error(_("collections takes no ID: leave out {number}", number=collection))
    if as_json.value and action == "submit" and not yes.value:
        parser.error(_("--json requires --yes, because no question can be asked"))
    try:
        with opened_progress(progress_file(parser.folder), time, complain) as progress:
            account = Account(_key(), parser.folder, progress, server.value)
            verb = _Verb(account, as_json=as_json.value, asks=not yes.value)
            verb.run(action, collection)
            return verb.status
    except LetslogicError as error:
        complain(str(error))
        return 2


def _key() -> str:
    config = read_config(config_file(), [theme.name for theme in THEMES])
    if key := letslogic_key(config.settings):
        return key
    for problem in config.problems:
        complain(problem)
    problem = N_("no usable key for letslogic.com: put {setting} into {file}, or set {variable}")
    raise InputError(_(problem, setting=wording.SETTING, file=config_file(), variable=LETSLOGIC_KEY))


class _Verb:
    def __init__(self, account: Account, *, as_json: bool, asks: bool) -> None:
        self.status = 0
        self._account = account
        self._as_json = as_json
        self._asks = asks

    def run(self, action: str, collection: int | None) -> None:
        account, as_json = self._account, self._as_json
        if action == "collections":
            found, there = account.collections(), account.fetched
            for each in found:
                fields = {**each._asdict(), "fetched": each.id in there}
                print(json_line(fields) if as_json else wording.collection_text(each, there))
        elif action == "fetch" and collection is not None:
            fetched = account.fetch(collection)
            added, unreadable = fetched.added, len(fetched.problems)
            self._complain(fetched.problems)
            fields = {**fetched.collection._asdict(), "levels": added.pack.size, "unreadable": unreadable}
            fields |= {"file": added.path, "new": added.new, "added": not added.was_there}
            print(json_line(fields) if as_json else wording.told_text(fetched._replace(problems=())))
        elif not (collections := [collection] if collection else account.fetched):
            complain(_("no collections yet: `sokoterm letslogic fetch ID` fetches one"))
        else:
            compared = account.compare(collections)
            self._complain(compared.problems)
            if action == "show":
                self._show(compared.rows)
            else:
                self._submit([row for row in compared.rows if row.better], compared.parcels)

    def _show(self, rows: Sequence[SiteLevel]) -> None:
        for row in rows if self._as_json else ():
            figures = {name: each and dict(zip(("moves", "pushes"), each)) for name, each in row.figures.items()}
            ids = {"author": row.level.author, "hash": level_hash(row.level)}
            print(json_line({**_place(row), **ids, **figures, "better": _metrics(row)}))
        if not self._as_json:
            _print_table(rows)
            solved = sum(row.figures["here_moves"] is not None for row in rows)
            better = sum(len(row.better) for row in rows)
            solved_text = ngettext("{n:,} solved here", "{n:,} solved here", solved)
            better_text = ngettext("{n:,} solution to send", "{n:,} solutions to send", better)
            print(listed([levels_text(len(rows)), solved_text, better_text]))

    def _submit(self, rows: Sequence[SiteLevel], parcels: Sequence[Parcel]) -> None:
        """Ask, then send one solution after another; the outcome of each is reported even if sending is interrupted."""
        if not self._as_json:
            _print_table(rows)
        n, server = len(parcels), printable(self._account.server)
        question = ngettext("Send {n:,} solution to {server}?", "Send {n:,} solutions to {server}?", n, server=server)
        if not parcels or self._asks and not is_yes(question, _("nothing sent")):
            self.status = int(bool(parcels))
            print_rows([] if self._as_json else [_("nothing sent") if parcels else _(wording.NOTHING_TO_SEND)])
            return
        sent = list[Parcel]()
        try:
            for parcel in parcels:
                sent.append(self._account.send(parcel))
                self._tell(sent[-1])
        except (LetslogicError, KeyboardInterrupt) as error:
            if isinstance(error, LetslogicError):
                self._complain([str(error)])
            first, *rest = parcels[len(sent) :]
            if isinstance(error, letslogic.LostError | KeyboardInterrupt):
                first = first._replace(status=letslogic.UNKNOWN, answer=_("it may have arrived"))
            for parcel in (first, *rest):
                self._tell(parcel)
            if isinstance(error, KeyboardInterrupt):
                raise
        finally:
            done, accepted = len(sent), sum(each.status == letslogic.ACCEPTED for each in sent)
            self.status = max(self.status, int(accepted < done))
            text = _("{done} of {n} sent, {accepted} accepted", done=done, n=len(parcels), accepted=accepted)
            print_rows([] if self._as_json else [text])

    def _tell(self, parcel: Parcel) -> None:
        row, solution = parcel.row, parcel.solution
        fields = {"lurd": solution.lurd, "moves": solution.moves, "pushes": solution.pushes}
        fields |= {"better": row.better[solution], "status": parcel.status, "answer": parcel.answer}
        place = {"collection": row.collection, "number": row.level.number, "id": row.id}
        told = _("collection {collection}, level {number} (id {id}): {told}", **place, told=wording.parcel_text(parcel))
        print(json_line(_place(row) | fields) if self._as_json else told, flush=True)

    def _complain(self, problems: Sequence[str]) -> None:
        for problem in problems:
            complain(problem)
            self.status = 2


def _place(row: SiteLevel) -> dict[str, object]:
    return {"collection": row.collection, "level": row.level.number, "id": row.id, "title": row.level.title}


def _metrics(row: SiteLevel) -> list[str]:
    return sorted({metric for metrics in row.better.values() for metric in metrics})


def _print_table(rows: Sequence[SiteLevel]) -> None:
    names = {"moves": _("moves"), "pushes": _("pushes")}
    headings = [*map(_, _HEADINGS), pgettext("heading of a column", "better"), _("title")]
    columns = [Column(_("level")), Column(_("id")), *(Column(text, is_text=True) for text in headings)]
    for collection, some in groupby(rows, lambda row: row.collection):
        cells = []
        for row in some:
            texts = (*map(wording.figures_text, row.figures.values()), " ".join(map(names.__getitem__, _metrics(row))))
            cells.append((row.level.number, row.id, *texts, row.level.title))
        print(_("collection {number}", number=collection))
        print_rows([*table_of(columns, cells), ""])
