"""Words for letslogic.com: the key, collections, the question before sending solutions, and the answers."""

from collections.abc import Container, Sequence

from sokoterm.engine.text import printable
from sokoterm.language import N_, _, labelled, levels_text, listed, ngettext, pgettext
from sokoterm.store import letslogic
from sokoterm.store.letslogic import Compared, Fetched, Figures, OnlineCollection, Parcel, Told

NOTHING_TO_SEND = N_("nothing to send: no solution here beats your results there")
SETTING = 'letslogic_key = "..."'


def how_to_get_key(file: str) -> list[str]:
    """The two lines of help for a missing key; ``file`` is the config file."""
    where = _("Set {setting} in {file}.", setting=SETTING, file=file)
    return [_("The key is shown in the preferences of your account at letslogic.com."), where]


def collection_facts(collection: OnlineCollection) -> str:
    """``3 levels, by Ann``."""
    by = _("by {author}", author=printable(collection.author)) if collection.author else ""
    return listed([levels_text(collection.levels), by])


def collection_text(collection: OnlineCollection, fetched: Container[int]) -> str:
    """``12: Six/Rooms, 3 levels, by Ann, fetched``."""
    there = _("fetched") if collection.id in fetched else ""
    return labelled(collection.id, listed([printable(collection.title), collection_facts(collection), there]))


def figures_text(figures: Figures | None) -> str:
    """``8/4``, moves and pushes; empty for none."""
    return "{}/{}".format(*figures) if figures else ""


def question(parcels: Sequence[Parcel], yes: str = "y") -> str:
    """``send 8/4, 10/2 to letslogic.com, where you have 9/3? y sends``: moves/pushes; ``yes`` is the answer to type."""
    figures = parcels[0].row.figures
    sent = listed(figures_text(each.figures) for each in parcels)
    old = listed({figures_text(figures["there_moves"]): 0, figures_text(figures["there_pushes"]): 0})
    old = old or pgettext("no solutions", "none")
    return _("send {new} to letslogic.com, where you have {old}? {yes} sends", new=sent, old=old, yes=yes)


def parcel_text(parcel: Parcel) -> str:
    """``8/4 accepted: Well done``."""
    texts = {
        letslogic.ACCEPTED: pgettext("of a solution that was sent", "accepted"),
        letslogic.REFUSED: pgettext("of a solution that was sent", "refused"),
        letslogic.UNKNOWN: pgettext("of a solution that was sent", "unknown"),
        letslogic.NOT_SENT: _("not sent"),
    }
    told = f"{figures_text(parcel.figures)} {texts[parcel.status]}"
    return _("{what}: {answer}", what=told, answer=parcel.answer) if parcel.answer else told


def told_text(told: Told) -> str:
    """The line about the result of a request; empty if a list or a question follows."""
    match told:
        case str() | Parcel():
            return told if isinstance(told, str) else parcel_text(told)
        case Fetched(added=added, problems=problems) as fetched:
            new = ngettext("{n:,} of them new", "{n:,} of them new", added.new)
            levels = levels_text(added.pack.size)
            facts = listed([levels, _("already there") if added.was_there else new, *problems[:1]])
            # Translators: the file of a pack, and what has become of it.
            return _("{file}: {facts}", file=printable(fetched.name), facts=facts)
        case Compared(problems=problems):
            return listed(["" if told.parcels else _(NOTHING_TO_SEND), *problems[:1]])
    return ""
