"""A command of sokoterm in a process of its own, which says at the end how much memory it took at most.

``python -m sokoterm.bench.peak_child VERB ...``: the last line on stderr is that many KB.
"""

import sys

from sokoterm.cli import main


def _peak() -> int:
    """The most memory that was in use, in KB; 0 where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


if __name__ == "__main__":
    exit_status = main()
    print(_peak(), file=sys.stderr)
    raise SystemExit(exit_status)
