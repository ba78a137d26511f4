"""Where the details of a failure go: to a file, not over the screen."""

import os
import time

from sokoterm.library.paths import crash_dir


def log_crash(traceback: str) -> str:
    """Write a traceback to a new file; returns its path, or the last line of the traceback if that is impossible."""
    folder = crash_dir()
    path = os.path.join(folder, time.strftime("crash-%Y%m%d-%H%M%S") + f"-{os.getpid()}.log")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(path, "a", encoding="utf-8") as file:
            file.write(traceback)
    except OSError:
        return traceback.strip().rpartition("\n")[2]
    return path
