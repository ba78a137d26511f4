"""``python3 -m sokoterm``; the single file that sokoterm.bundle makes begins here too."""

import sys

# Before anything that an older Python cannot read.
if sys.version_info < (3, 11):  # noqa: UP036
    found = ".".join(map(str, sys.version_info[:2]))
    print(f"sokoterm: found Python {found}, expected 3.11 or newer", file=sys.stderr)
    sys.exit(2)

from sokoterm.cli import main

if __name__ == "__main__":
    sys.exit(main())
