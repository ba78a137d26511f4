"""letslogic.com line by line."""

from collections.abc import Callable, Iterator
from functools import partial

from sokoterm.app.request import Ask, Note, Outcome
from sokoterm.app.session import Session
from sokoterm.language import N_, _
from sokoterm.linemode.commands import Arguments, number_in
from sokoterm.linemode.lines import Event, Lines
from sokoterm.store.letslogic import Account, Compared
from sokoterm.store.paths import config_file
from sokoterm.wording import letslogic as wording

_POLL_SECONDS = 0.1


def ask_online(
    session: Session,
    lines: Lines,
    arguments: Arguments,
    phrased: Callable[[Outcome | None], str],
    hear: Callable[[Event], None],
) -> Iterator[str]:
    """Yield collections, the result of fetching one, or the comparison or sending of the level in play.

    Any event ends the wait for an answer; ``hear`` gets it unless it is Ctrl-C.
    """
    online = session.online
    if online is None or not online.has_key:
        yield from wording.how_to_get_key(config_file()) if online is not None else [phrased(Note.ONLINE_OFF)]
    elif arguments[:1] == ("submit",):
        asked = Ask.SEND if arguments[1:] == ("yes",) else Ask.COMPARE_ONLINE
        yield from filter(None, [phrased(session.carry_out(asked))])
    elif arguments:
        number = number_in(arguments[arguments[0] == "fetch" :], N_("the number of a collection"))
        online.ask(partial(Account.fetch, number=number))
    else:
        online.ask(Account.collections)
    while online is not None and online.is_busy:
        event, told = lines.pause(_POLL_SECONDS), session.hear_online()
        if told is not None and (text := wording.told_text(told)):
            yield text
        if isinstance(told, Compared) and told.parcels:
            yield wording.question(told.parcels, "letslogic submit yes")
        elif isinstance(told, list):
            yield from (wording.collection_text(each, online.fetched) for each in online.collections)
        elif event is not Event.NOTHING:
            online.cancel()
            yield _("cancelled")
            if event is not Event.INTERRUPT:
                hear(event)
