"""Settings of all tests: hypothesis, and Ctrl-C in the programs they start."""

import signal

from hypothesis import settings

# No test is timed: a slow machine is no failure.
settings.register_profile("sokoterm", deadline=None)
settings.load_profile("sokoterm")

# Where the tests are run in the background of a shell, Ctrl-C is ignored, here and in all programs that are started.
signal.signal(signal.SIGINT, signal.default_int_handler)
