"""A shell that knows one job: its command alone in a process group, continued whenever it has stopped."""

import os
import sys


def main(command: list[str]) -> int:
    """Runs a command in the foreground of the terminal; its exit status."""
    import signal

    mine = (signal.SIGTTOU, signal.SIGTSTP, signal.SIGINT, signal.SIGQUIT)
    for number in mine:
        signal.signal(number, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for number in mine:
            signal.signal(number, signal.SIG_DFL)
        os.execvp(command[0], command)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status)
        os.tcsetpgrp(0, os.getpid())
        os.tcsetpgrp(0, job)
        os.kill(-job, signal.SIGCONT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
