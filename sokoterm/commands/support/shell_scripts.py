"""Completions for bash, zsh and fish, written from the parsers of all verbs.

Each completes the verb, then its flags and the values of those that have few; files, folders and names of packs where
such a value stands. The names come from ``sokoterm completion packs``, or ``own`` for those of the library alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from shlex import quote

from sokoterm.commands.support.command_line import Argument, Verb

_BASH = """\
# Completions of sokoterm for bash.
_sokoterm_names() {
    local begin=${current#[\\"\\']}
    "${COMP_WORDS[0]}" completion "$1" "${begin//\\\\/}" 2>/dev/null
}
_sokoterm() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb= words= files= named=
    if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
    if [[ $current == = ]]; then before=${COMP_WORDS[COMP_CWORD - 1]} current=; fi
    if ((COMP_CWORD > 1)); then
        case ${COMP_WORDS[1]} in
            %(verbs)s) verb=${COMP_WORDS[1]} ;;
        esac
    fi
    if ((COMP_CWORD > 2)); then
        case "$verb ${COMP_WORDS[2]}" in
            %(benches)s) verb="$verb ${COMP_WORDS[2]}" ;;
        esac
    fi
    case "$verb:$before" in
%(values)s
    esac
    if [[ $current == -* ]]; then
        case $verb in
%(flags)s
        esac
    else
        case $verb in
%(others)s
        esac
        if ((COMP_CWORD == 1)); then words+=" %(words)s"; fi
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ $files$named ]]; then
        compopt -o filenames
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
            if [[ $files ]]; then compgen -f -- "$current"; fi
            if [[ $named ]]; then _sokoterm_names "$named"; fi
        )
    fi
}
complete -F _sokoterm sokoterm
"""
# A name for each line: blanks are a part of it.
_BASH_NAMES = 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen %s -- "$current"%s); return'


def bash(verbs: Sequence[Verb]) -> str:
    """Return the completions for bash."""
    values, flags, others = [], [], []
    for verb in verbs:
        words = " ".join(verb.words)
        by_value: dict[str, list[str]] = {}
        for flag in (each for each in verb.flags if each.value):
            by_value.setdefault(_bash_value(flag), []).extend(quote(f"{words}:{name}") for name in flag.names)
        values += [f"        {'|'.join(names)}) {value} ;;" for value, names in by_value.items()]
        flags.append(f"            {quote(words)}) words={quote(' '.join(_names(verb.flags)))} ;;")
        choices = " ".join(choice for each in verb.others for choice in each.choices)
        files = "1" if any(each.is_file for each in verb.others) else ""
        named = max((each.named for each in verb.others), default="")
        others.append(f"            {quote(words)}) words={quote(choices)} files={files} named={named} ;;")
    return _BASH % {
        "verbs": "|".join(_first_words(verbs)),
        "benches": "|".join(quote(" ".join(verb.words)) for verb in verbs if len(verb.words) == 2),
        "values": "\n".join(values),
        "flags": "\n".join(flags),
        "others": "\n".join(others),
        "words": " ".join(_first_words(verbs)),
    }


def _bash_value(flag: Argument) -> str:
    if flag.is_file:
        return _BASH_NAMES % ("-f", f"; _sokoterm_names {flag.named}" if flag.named else "")
    if flag.is_folder:
        return _BASH_NAMES % ("-d", "")
    if flag.choices:
        return f'COMPREPLY=($(compgen -W {quote(" ".join(flag.choices))} -- "$current")); return'
    return "return"


_ZSH = """\
#compdef sokoterm
# Completions of sokoterm for zsh.
_sokoterm_own() {
    local -a names
    names=(${(f)"$(_call_program names sokoterm completion ${1:-own} 2>/dev/null)"})
    compadd -a names
}
_sokoterm_packs() {
    _sokoterm_own packs
    _files
}
_sokoterm() {
    local -a verbs
    verbs=(
%(verbs)s
    )
    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
        _describe -t verbs verb verbs
    fi
    local verb=
    if ((CURRENT > 2)); then
        case $words[2] in
            %(names)s) verb=$words[2]; shift words; ((CURRENT--)) ;;
        esac
    fi
    if [[ $verb == bench ]] && ((CURRENT > 2)); then
        verb="bench $words[2]"; shift words; ((CURRENT--))
    fi
    case $verb in
%(arguments)s
    esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _sokoterm "$@"
else
    compdef _sokoterm sokoterm
fi
"""


def zsh(verbs: Sequence[Verb]) -> str:
    """Return the completions for zsh."""
    arguments = []
    for verb in verbs:
        specs = " \\\n                ".join(quote(each) for each in _zsh_specs(verb))
        arguments.append(
            f"        {quote(' '.join(verb.words))})\n            _arguments -s \\\n                {specs} ;;"
        )
    return _ZSH % {
        "verbs": "\n".join(
            f"        {quote(f'{verb.words[0]}:{_zsh(verb.summary)}')}" for verb in verbs if len(verb.words) == 1
        ),
        "names": "|".join(_first_words(verbs)),
        "arguments": "\n".join(arguments),
    }


def _zsh_specs(verb: Verb) -> Iterator[str]:
    for flag in verb.flags:
        value = f":{_zsh(flag.value)}:{_zsh_action(flag)}" if flag.value else ""
        for name in flag.names:
            others = "" if flag.repeats else f"({' '.join(flag.names)})"
            more = "*" if flag.repeats else ""
            equals = "=" if value and name.startswith("--") else ""
            yield f"{others}{more}{name}{equals}[{_zsh(_brief(flag.help))}]{value}"
    for number, each in enumerate(verb.others, start=1):
        place = "*" if each.repeats else str(number)
        yield f"{place}:{_zsh(each.value)}:{_zsh_action(each)}"


def _zsh_action(argument: Argument) -> str:
    if argument.choices:
        return f"({' '.join(argument.choices)})"
    if argument.named:
        return f" _sokoterm_{argument.named}"  # the blank keeps its arguments as they are
    return "_files" if argument.is_file else "_files -/" if argument.is_folder else " "


def _zsh(text: str) -> str:
    """Escape what has a meaning in the descriptions of zsh."""
    return re.sub(r"([\\:\[\]])", r"\\\1", text)


_FISH = """\
# Completions of sokoterm for fish.
function __sokoterm_verb
    set -l words (commandline -opc)[2..]
    set -l verb
    if contains -- "$words[1]" %(verbs)s
        set verb $words[1]
        if contains -- "$words[1] $words[2]" %(benches)s
            set verb "$words[1] $words[2]"
        end
    end
    test "$verb" = "$argv"
end
function __sokoterm_begins
    test (count (commandline -opc)) -eq 1
end
"""


def fish(verbs: Sequence[Verb]) -> str:
    """Return the completions for fish."""
    benches = " ".join(quote(" ".join(verb.words)) for verb in verbs if len(verb.words) == 2)
    lines = [_FISH % {"verbs": " ".join(_first_words(verbs)), "benches": benches}]
    for verb in verbs:
        if len(verb.words) == 1:
            lines.append(f"complete -c sokoterm -n __sokoterm_begins -a {verb.words[0]} -d {quote(verb.summary)}\n")
    for verb in verbs:
        begin = f"complete -c sokoterm -n {quote('__sokoterm_verb ' + ' '.join(verb.words))}"
        if not any(each.is_file for each in verb.others):
            lines.append(f"{begin} -f\n")
        for each in verb.others:
            if each.choices:
                lines.append(f"{begin} -a {quote(' '.join(each.choices))}\n")
            if each.named:
                lines.append(f"{begin} -a {_fish_names(each)}\n")
        for flag in verb.flags:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names)
            lines.append(f"{begin} {names}{_fish_value(flag)} -d {quote(_brief(flag.help))}\n")
    return "".join(lines)


def _fish_value(flag: Argument) -> str:
    if not flag.value:
        return ""
    if flag.choices:
        return f" -x -a {quote(' '.join(flag.choices))}"
    if flag.is_folder and not flag.is_file:
        return " -x -a '(__fish_complete_directories)'"
    names = f" -a {_fish_names(flag)}" if flag.named else ""
    return f" -r -F{names}" if flag.is_file else " -x"


def _fish_names(argument: Argument) -> str:
    return quote(f"(sokoterm completion {argument.named} (commandline -ct) 2>/dev/null)")


def _names(flags: Iterable[Argument]) -> list[str]:
    return [name for flag in flags for name in flag.names]


def _first_words(verbs: Sequence[Verb]) -> list[str]:
    return [verb.words[0] for verb in verbs if len(verb.words) == 1]


def _brief(text: str) -> str:
    """Return the first part of a help text."""
    return re.split(r"[;(]", text, maxsplit=1)[0].strip()
