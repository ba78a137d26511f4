"""``python3 -m sokoterm``; the installed command and the single file made by sokoterm.bundle start here too."""

import os
import sys

# Before anything that an older Python cannot read.
if sys.version_info < (3, 11):  # noqa: UP036
    print(
        f"sokoterm: this is Python {sys.version_info[0]}.{sys.version_info[1]}, expected 3.11 or newer", file=sys.stderr
    )
    sys.exit(2)


def end_at_interrupts() -> None:
    """Let Ctrl-C end the process, unless it is ignored, until a verb has to clean up: see process.py."""
    # The module below ``signal``, whose import would take 2 ms.
    import _signal  # type: ignore[import-not-found]

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def keep_bytecode() -> None:
    """Keep compiled modules in the person's cache folder if Python would compile them at every start.

    This happens in a read-only checkout and with PYTHONDONTWRITEBYTECODE; compiling doubles the time to the first
    picture.
    PYTHONPYCACHEPREFIX is left to Python.
    """
    folder = os.path.dirname(__file__)
    is_compiled = os.path.isdir(os.path.join(folder, "__pycache__"))
    can_compile = is_compiled or os.access(folder, os.W_OK)
    if sys.pycache_prefix is not None or not os.path.isfile(__file__) or can_compile and not sys.dont_write_bytecode:
        return
    # Host mode begins later: the environment may still name a folder that anybody can write to.
    if "--host" in sys.argv:
        return
    from sokoterm.store.paths import bytecode_dir  # few starts come here

    sys.pycache_prefix = bytecode_dir()
    sys.dont_write_bytecode = False
    compile_what_is_damaged()


def compile_what_is_damaged() -> None:
    """Make Python recompile a module whose kept bytecode is damaged, instead of failing."""
    # Few starts come here.
    from contextlib import suppress
    from importlib.machinery import SourceFileLoader
    from importlib.util import cache_from_source

    read = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> object:
        try:
            return read(self, fullname)
        except Exception:  # noqa: BLE001 - unmarshalling raises many; a fault of the source is raised again
            path = self.get_filename(fullname)
            with suppress(OSError):
                os.unlink(cache_from_source(path))
            return self.source_to_code(self.get_data(path), path)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def main() -> int:
    try:
        end_at_interrupts()
        if __name__ == "__main__":
            keep_bytecode()
        # Imports make no garbage, and collecting takes a twentieth of the time to the first picture.  sokoterm.cli and
        # sokoterm.commands.support.opening enable it again once the verb is imported.
        import gc

        gc.disable()
        # "from sokoterm import cli" would ask the package for it first, which loads the library.
        from sokoterm.cli import main as run_command_line

        return run_command_line()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
