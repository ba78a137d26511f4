"""Level ids cell by cell, as their steps read; shares no code with the engine."""

from hashlib import md5

from tests.unit.engine.drawn import Picture, spread, text_of


def plain_form(picture: Picture, everywhere: bool = True) -> list[str]:
    """Return the rows that are hashed; ``everywhere``: with the player on each square it can walk to."""
    player = next(place for place, cell in picture.items() if cell in "@+")
    inside = spread(player, {place for place, cell in picture.items() if cell != "#"})
    boxes = {place for place in inside if picture[place] in "$*"}
    goals = {place for place in inside if picture[place] in ".*+"}
    players = spread(player, inside - boxes) if everywhere else {player}
    top, left = min(row for row, _ in inside) - 1, min(column for _, column in inside) - 1
    bottom, right = max(row for row, _ in inside) + 1, max(column for _, column in inside) + 1
    formed = {}
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            place = row, column
            plain, on_goal = ("$", "*") if place in boxes else ("@", "+") if place in players else (" ", ".")
            formed[row - top, column - left] = (on_goal if place in goals else plain) if place in inside else "#"
    return text_of(formed).split("\n")


def plain_turns(rows: list[str]) -> list[list[str]]:
    """Return the eight symmetries: four quarter turns, each also mirrored."""
    turns = []
    for _ in range(4):
        rows = ["".join(row[column] for row in reversed(rows)) for column in range(len(rows[0]))]
        turns += [rows, [row[::-1] for row in rows]]
    return turns


def plain_hash(picture: Picture) -> str:
    """Return the level hash."""
    return max(_digest(";".join(turn)) for turn in plain_turns(plain_form(picture)))


def plain_ids(picture: Picture) -> tuple[str, str, str]:
    """Return the level hash, Unique-Id and Exact-Id."""
    turns = plain_turns(plain_form(picture))
    return (
        plain_hash(picture),
        min(_digest(_ended(turn))[:16] for turn in turns),
        _digest(_ended(plain_form(picture, everywhere=False)))[:16],
    )


def _ended(rows: list[str]) -> str:
    return "".join(row + "\n" for row in rows)


def _digest(text: str) -> str:
    return md5(text.encode("ascii"), usedforsecurity=False).hexdigest().upper()
