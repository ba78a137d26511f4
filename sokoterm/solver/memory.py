"""How much memory the process has, where the system tells."""

_STATM = "/proc/self/statm"
_PAGE = 4096


def resident_bytes() -> int:
    """The bytes of the process that are in memory (Linux: /proc/self/statm, proc(5)), 0 where that cannot be known."""
    try:
        with open(_STATM, "rb", buffering=0) as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0
