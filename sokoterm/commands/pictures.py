"""Boards as text with their rows and columns numbered from 1."""

from collections.abc import Sequence


def numbered(rows: Sequence[str]) -> list[str]:
    """A board with the numbers of its rows at the left and those of its columns on top, read downwards."""
    margin, width = len(str(len(rows))), len(rows[0])
    lines = []
    for power in reversed(range(len(str(width)))):
        ten = 10**power
        digits = (
            str(column // ten % 10) if column >= ten and not (power and column % ten) else " "
            for column in range(1, width + 1)
        )
        lines.append(f"{'':{margin}} {''.join(digits)}".rstrip())
    return lines + [f"{number:{margin}} {row}".rstrip() for number, row in enumerate(rows, start=1)]
