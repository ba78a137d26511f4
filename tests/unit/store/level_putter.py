"""Session that saves levels into one pack, to run beside others.

    python level_putter.py FOLDER NAME COUNT

It prints the number that each of its levels got; their titles are the id of the process and a count.
"""

import os
import sys

from sokoterm.engine.level import Level
from sokoterm.store.library_folder import named_own, put_level

LEVEL = Level.from_xsb("#####\n#@$.#\n#####")


def main(folder: str, name: str, count: int) -> None:
    """Save ``count`` levels."""
    for number in range(count):
        level = LEVEL._replace(title=f"{os.getpid()} and {number}")
        print(put_level(folder, named_own(folder, name), level), level.title, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
