"""What verbs write: complaints in one line on stderr, JSON objects on stdout."""

import sys
from collections.abc import Mapping

from sokoterm.engine.printable import printable


class InputError(ValueError):
    """Input that cannot be used, said in one line that the person can act on."""


def complain(problem: str) -> None:
    """One line on stderr, if that is open."""
    if sys.stderr is not None:
        print(f"sokoterm: {printable(problem)}", file=sys.stderr)


def json_line(fields: Mapping[str, object]) -> str:
    """A JSON object on one line, in ASCII: nothing in it can act on a terminal."""
    import json

    return json.dumps(fields)
