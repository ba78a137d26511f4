"""A command of sokoterm in a process of its own, which says at the end how much memory it took at most.

``python -m sokoterm.bench.peak_child VERB ...``: the last line on stderr is that many KB, 0 where it cannot be known.
"""

import sys

from sokoterm.cli import main
from sokoterm.verbs.peak import peak_bytes

if __name__ == "__main__":
    exit_status = main()
    print(peak_bytes() >> 10, file=sys.stderr)
    raise SystemExit(exit_status)
