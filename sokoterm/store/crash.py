"""Crash logs: details of a failure go to a file, not over the screen."""

import os
import time

from sokoterm.store.paths import crash_dir


def log_crash(traceback: str) -> str:
    """Write a traceback to a new file; return a line that names it, or that says why it could not be written."""
    folder = crash_dir()
    path = os.path.join(folder, time.strftime("crash-%Y%m%d-%H%M%S") + f"-{os.getpid()}.log")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(traceback)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return f"{traceback.strip().rpartition(chr(10))[2]} (no details: {path}: cannot be written: {reason})"
    return f"details in {path}"
