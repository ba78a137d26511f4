"""The verbs of the command line, one module each with ``run(arguments) -> exit status``.

A module is imported only when its verb is used.  A new verb is one module and one row in VERBS.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sokoterm.language import N_

HOST = "--host"
"""The flag of host mode, which begins before the arguments are parsed."""

LANGUAGE = "--language"
"""The flag of the language, which is chosen before the arguments are parsed."""

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
        "add": N_("copy packs into your library, which a bare sokoterm lists"),
        "rename": N_("give a pack or a folder of your library another name"),
        "remove": N_("take packs out of your library"),
        "collect": N_("put levels into packs of your own, in any order and with your texts"),
        "solve": N_("solve levels without a terminal"),
        "optimize": N_("make known solutions better"),
        "verify": N_("check by the rules whether moves solve a level"),
        "hash": N_("print the ids of levels, the same for turned and mirrored copies"),
        "duplicates": N_("find levels that are the same puzzle, or write packs without duplicates"),
        "convert": N_("write packs in another format"),
        "list": N_("find levels in your library or in packs, by a query"),
        "info": N_("print what is in a pack, and what is solved"),
        "letslogic": N_("fetch levels from letslogic.com, and send better solutions there"),
        "progress": N_("export progress to another machine, import it, or show statistics"),
        "replay": N_("show moves in the player, print each board, or record them"),
        "reach": N_("print where one box can be pushed, or the moves that push it there"),
        "deadlock": N_("check whether a position is lost, and which boxes make it so"),
        "keys": N_("print what the keys do, settings included"),
        "completion": N_("print what makes bash, zsh or fish complete a command line"),
        "bench": N_("measure the solver on a pack"),
        "help": N_("print a page of the documentation"),
    }
)

# Benches of a checkout, in tests/bench; ``sokoterm bench NAME`` says how to run them.
CHECKOUT_BENCHES = (
    "answers", "cluster", "difficulty", "engine", "files", "generator", "library", "optimizer", "planner", "sessions",
    "terminal",
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
