"""Choice of the words for a pack session, ordinary or generated, and lines that either kind may have."""

from sokoterm.app.generated import GeneratedPack
from sokoterm.app.pack_session import PackSession
from sokoterm.app.play import PlayModel
from sokoterm.app.request import Start
from sokoterm.language import _, listed, ngettext
from sokoterm.store.known_levels import LevelPlace
from sokoterm.wording.columns import clipped
from sokoterm.wording.pack_words import GeneratedWords, PackWords

# Columns kept for the name of another pack.
_NAME_WIDTH = 24


def words_of(pack_session: PackSession) -> PackWords:
    """Return the words for a pack session."""
    return generated_words_of(pack_session) or PackWords(pack_session)


def generated_words_of(pack_session: PackSession | None) -> GeneratedWords | None:
    """Return the words for a generated pack; None for another, and for none."""
    if not isinstance(pack_session, GeneratedPack):
        return None
    from sokoterm.wording.generated import generated_words  # takes 3 ms, for a series only

    return generated_words(pack_session)


def awaited_title(start: Start) -> str:
    """The title of a level that is still being built."""
    words = generated_words_of(start.pack_session)
    return words.title(start.number) if words is not None else ""


def solved_text(play: PlayModel, next_key: str) -> str:
    """The message for a generated level that has just been solved; empty for other levels. ``next_key`` goes on."""
    words = generated_words_of(play.pack_session)
    return words.solved_text(play.level, next_key) if words is not None else ""


def result_text(play: PlayModel) -> str:
    """The line for others about a level in play; empty if it has no result."""
    words = generated_words_of(play.pack_session)
    return words.result(play.level.number) if words is not None else ""


def also(places: list[LevelPlace], key: str, most: int = 2) -> str:
    """``also Pufiban 126, Novoban 40 and 2 more``: the other places of a level; empty for none.

    One in the pack with this key is ``level 7 here``.
    """
    if not places:
        return ""
    names = listed(
        _("level {number} here", number=place.number)
        if place.key == key
        else f"{clipped(place.pack, _NAME_WIDTH)} {place.number}"
        for place in places[:most]
    )
    more = len(places) - most
    if more > 0:
        return ngettext("also {places} and {n:,} more", "also {places} and {n:,} more", more, places=names)
    # Translators: other places of the level in play, as in "also Pufiban 126, Novoban 40".
    return _("also {places}", places=names)
