"""The verbs, each a module with ``run(arguments) -> exit status``, imported when used, and a row in VERBS."""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.language import N_

HOST = "--host"
"""The flag of host mode, which starts before arguments are parsed."""

LANGUAGE = "--language"
"""The language flag, which is read before arguments are parsed."""

NOT_SAVED = 74
"""Exit status if progress could not be saved: EX_IOERR of sysexits.h."""

SCHEDULER_LOST = 75
"""Exit status after the scheduler of a cluster was lost: EX_TEMPFAIL of sysexits.h."""

VERBS: Mapping[str, str] = MappingProxyType(
    {
        "play": N_("play packs (the default)"),
        "daily": N_("play the level of the day"),
        "descend": N_("play floor after floor, as deep as you get"),
        "generate": N_("make new levels"),
        "add": N_("copy packs into your library"),
        "rename": N_("rename a pack or a folder in your library"),
        "remove": N_("remove packs from your library"),
        "collect": N_("put levels into packs of your own, in any order and with your texts"),
        "solve": N_("solve levels without a terminal"),
        "optimize": N_("improve known solutions"),
        "verify": N_("check whether moves solve a level"),
        "hash": N_("print the ids of levels, the same for turned and mirrored copies"),
        "duplicates": N_("find levels that are the same puzzle, or write packs without duplicates"),
        "convert": N_("write packs in another format"),
        "list": N_("find levels in your library or in packs, by a query"),
        "info": N_("print what is in a pack, and what is solved"),
        "letslogic": N_("fetch levels from letslogic.com, and send better solutions there"),
        "progress": N_("export progress to another machine, import it, or show statistics"),
        "link": N_("print a link that shows a level on a web page"),
        "replay": N_("show moves in the player, print each board, or record them"),
        "reach": N_("print where one box can be pushed, or the moves that push it there"),
        "deadlock": N_("check whether a position is lost, and which boxes are to blame"),
        "keys": N_("print what the keys do, including your settings"),
        "completion": N_("print completions for bash, zsh or fish"),
        "bench": N_("measure the solver on a pack"),
        "help": N_("print a page of the documentation"),
    }
)

# Benches in tests/bench; ``sokoterm bench NAME`` says how to run them in a checkout.
CHECKOUT_BENCHES = (
    "answers", "cluster", "difficulty", "engine", "files", "generator", "library", "optimizer", "planner", "sessions",
    "terminal", "turns",
)  # fmt: skip

EXIT_STATUSES: Mapping[int, str] = MappingProxyType(
    {
        0: "done",
        1: "the answer is no: not solved, not valid, duplicates found, no level listed",
        2: "wrong usage, or some input could not be read (the rest is still processed)",
        70: "a bug in sokoterm; the line on stderr names the crash log",
        NOT_SAVED: "progress could not be saved",
        SCHEDULER_LOST: "the connection to a cluster's scheduler was lost; run the same command again to continue",
        130: "interrupted with Ctrl-C",
        141: "the program reading the output closed it",
    }
)
"""Meanings of the exit status of every verb, for the manual page."""
