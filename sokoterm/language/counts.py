"""Counts of what every layer speaks of, with the plural forms of the player's language: ``1 push``, ``1,200 moves``."""

from sokoterm.language import ngettext


def moves_text(number: int) -> str:
    """Return ``97 moves``."""
    return ngettext("{n:,} move", "{n:,} moves", number)


def pushes_text(number: int) -> str:
    """Return ``23 pushes``.

    >>> pushes_text(1), pushes_text(0), pushes_text(1200)
    ('1 push', '0 pushes', '1,200 pushes')
    """
    return ngettext("{n:,} push", "{n:,} pushes", number)


def boxes_text(number: int) -> str:
    """Return ``2 boxes``."""
    return ngettext("{n:,} box", "{n:,} boxes", number)


def goals_text(number: int) -> str:
    """Return ``2 goals``."""
    return ngettext("{n:,} goal", "{n:,} goals", number)


def levels_text(number: int) -> str:
    """Return ``40 levels``."""
    return ngettext("{n:,} level", "{n:,} levels", number)


def levels_done(done: int, total: int) -> str:
    """Return ``1,500 of 3,000 levels``; ``1,500 levels`` if the total is 0, which is unknown."""
    if not total:
        return levels_text(done)
    return ngettext("{done:,} of {n:,} level", "{done:,} of {n:,} levels", total, done=done)


def packs_done(done: int, total: int) -> str:
    """Return ``20 of 40 packs``."""
    return ngettext("{done:,} of {n:,} pack", "{done:,} of {n:,} packs", total, done=done)


def solutions_text(number: int) -> str:
    """Return ``40 solutions``."""
    return ngettext("{n:,} solution", "{n:,} solutions", number)


def packs_text(number: int) -> str:
    """Return ``3 packs``."""
    return ngettext("{n:,} pack", "{n:,} packs", number)
