"""``sokoterm completion SHELL``: prints the completions of a shell."""

import argparse

from sokoterm.commands.support.parser import Parser
from sokoterm.language import _

_SHELLS = ("bash", "zsh", "fish")


class _CompletionArguments(argparse.Namespace):
    shell: str


def run(arguments: list[str]) -> int:
    """Print the completion script of a shell."""
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
    parser.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=", ".join(_SHELLS))
    shell = parser.parse(arguments, _CompletionArguments()).shell
    from sokoterm.commands.support import shell_scripts
    from sokoterm.commands.support.command_line import verbs

    write = {"bash": shell_scripts.bash, "zsh": shell_scripts.zsh, "fish": shell_scripts.fish}[shell]
    print(write([*verbs()]), end="")
    return 0
