"""``sokoterm completion SHELL``: prints the completions of a shell."""

from collections.abc import Iterable

from sokoterm.commands.support import shell_scripts
from sokoterm.commands.support.command_line import verbs
from sokoterm.commands.support.parser import Parser
from sokoterm.language import _
from sokoterm.store.packs import added_packs, bundled_packs
from sokoterm.store.paths import data_dir, packs_dir

_SHELLS = ("bash", "zsh", "fish")


def run(arguments: list[str]) -> int:
    """Print the completion script of a shell; for the scripts, the names of packs that begin with the next argument."""
    if arguments[:1] in (["packs"], ["own"]):
        for name in _names(is_own=arguments[0] == "own"):
            if name.startswith("".join(arguments[1:2])) and name.isprintable():
                print(name)
        return 0
    parser = Parser(
        "completion",
        _(
            "Print the completion script of a shell, for verbs, flags and their values. An installed wheel has the "
            "scripts of all three shells, and a manual page, in share/."
        ),
        "sokoterm completion fish > ~/.config/fish/completions/sokoterm.fish",
        _(
            "shells:\n"
            '  bash  in ~/.bashrc: eval "$(sokoterm completion bash)"\n'
            '  zsh  in ~/.zshrc, after compinit: eval "$(sokoterm completion zsh)"\n'
            "  fish  as a file: see the example\n"
        ),
    )
    shell = parser.argument("shell", choices=_SHELLS, metavar="SHELL", help=", ".join(_SHELLS))
    parser.parse(arguments)
    write = {"bash": shell_scripts.bash, "zsh": shell_scripts.zsh, "fish": shell_scripts.fish}[shell.value]
    print(write([*verbs()]), end="")
    return 0


def _names(*, is_own: bool) -> Iterable[str]:
    """Return the names of the packs and folders of the library, and of the packs that ship if not ``is_own``."""
    files = [*([] if is_own else bundled_packs()), *added_packs(packs_dir(data_dir()), {})]
    parts = [file.name.split("/") for file in files]
    return dict.fromkeys("/".join(each[:depth]) for each in parts for depth in range(1, len(each) + 1))
