"""Find levels that are the same puzzle, however they are turned, mirrored or decorated.

python3 examples/duplicates.py PACK [PACK ...]
"""

import sys
from collections import defaultdict

from sokoterm import Pack, SokotermError


def main(*paths: str) -> None:
    """Print a line for each puzzle that occurs more than once."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        try:
            pack = Pack.load(path)
        except SokotermError as error:
            print(error, file=sys.stderr)
            continue
        for level in pack:
            places[level.hash].append(f"{path} {level.number} {level.title}".rstrip())
    for found in places.values():
        if len(found) > 1:
            print(" = ".join(found))
    print(f"{len(places):,} puzzles in {sum(map(len, places.values())):,} levels")


if __name__ == "__main__":
    main(*sys.argv[1:])
