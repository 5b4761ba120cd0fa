"""What a shell completes of veer's command line, as a script of bash, zsh or fish, made from the table of commands.

    eval "$(veer completion bash)"      veer test --str<TAB>  →  veer test --strategy

A value that veer has a list of (`--strategy`, `--format`) is completed from it; other values and arguments are files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from veer import plugins
from veer.cli.arguments import Command, option_names
from veer.model.option import Kind, Option

_FIRST_SENTENCE = re.compile(r"(?P<said>.+?)(?:[.;:](?: |$)|$)")
_MOST = 72
_SAFE = re.compile(r"[^A-Za-z0-9 ,.()/=+-]")


def bash(commands: Sequence[Command]) -> str:
    """A function for bash, and the line that registers it."""
    cases = []
    for command in commands:
        values = "\n".join(
            f'    {"|".join(f"{command.name}:{name}" for name in names)}) words="{" ".join(choices)}" ;;'
            for names, choices in _values(command)
        )
        cases.append((command.name, " ".join(name for names, _, _ in _options(command) for name in names), values))
    options = "\n".join(f'        {name}) words="{words}" ;;' for name, words, _ in cases)
    values = "\n".join(text for _, _, text in cases if text)
    return f"""# Completion of veer for bash; written by `veer completion bash`.
_veer() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{" ".join(each.name for each in commands)} --help --version" -- "$word"))
        return
    fi
    case "$command:$before" in
{values}
    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    case "$word" in
    -*)
        case "$command" in
{options}
        esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}}
complete -o filenames -F _veer veer
"""


def zsh(commands: Sequence[Command]) -> str:
    """A function for zsh, which stands in a file `_veer` of $fpath, or is evaluated behind compinit."""
    named = "\n".join(f"        '{each.name}:{_short(each.help)}'" for each in commands)
    cases = []
    for command in commands:
        rows = [
            f"            '{_zsh_option(name, option)}'" for names, option, _ in _options(command) for name in names
        ]
        rows.append("            '*: :_files'")
        cases.append(f"        {command.name})\n        _arguments -s \\\n" + " \\\n".join(rows) + "\n        ;;")
    listed = "\n".join(cases)
    return f"""#compdef veer
# Completion of veer for zsh; written by `veer completion zsh`.
_veer() {{
    local -a commands
    commands=(
{named}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{listed}
    esac
}}
if [ "$funcstack[1]" = _veer ]; then
    _veer "$@"
else
    compdef _veer veer
fi
"""


def fish(commands: Sequence[Command]) -> str:
    """Lines for fish, which stand in ~/.config/fish/completions/veer.fish."""
    lines = ["# Completion of veer for fish; written by `veer completion fish`."]
    lines += [
        f"complete -c veer -n __fish_use_subcommand -f -a {each.name} -d '{_short(each.help)}'" for each in commands
    ]
    for command in commands:
        head = f"complete -c veer -n '__fish_seen_subcommand_from {command.name}'"
        for names, option, choices in _options(command):
            flags = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in names)
            takes = "" if option is None or option.kind is Kind.SWITCH else " -r"
            given = f" -f -a '{' '.join(choices)}'" if choices else ""
            lines.append(f"{head} {flags}{takes}{given} -d '{_short(option.help if option else 'Show help')}'")
    return "\n".join(lines) + "\n"


SHELLS: Mapping[str, Callable[[Sequence[Command]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""What writes the script of each shell."""


def _options(command: Command) -> list[tuple[tuple[str, ...], Option | None, tuple[str, ...]]]:
    """Of each option its names, and what its value may be; the last one is --help, which is no Option."""
    shown = [each for each in command.options if not each.hidden]
    return [*((option_names(each), each, _choices(each)) for each in shown), (("--help", "-h"), None, ())]


def _values(command: Command) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(names, choices) for names, _, choices in _options(command) if choices]


def _choices(option: Option) -> tuple[str, ...]:
    """All that there is to choose from, that of other packages included."""
    return option.choices or tuple(name for group in option.groups for name in plugins.names(group))


def _zsh_option(name: str, option: Option | None) -> str:
    repeats = "*" if option is not None and option.kind in (Kind.TEXTS, Kind.NAMES, Kind.BOUND) else ""
    said = f"{repeats}{name}[{_short(option.help if option else 'Show help')}]"
    if option is None or option.kind is Kind.SWITCH:
        return said
    choices = _choices(option)
    takes = f"({' '.join(choices)})" if choices else "_files" if option.kind is Kind.FILE or option.paths else ""
    return f"{said}:value:{takes}"


def _short(help: str) -> str:
    """The first sentence, without what a shell's quotes would stumble over."""
    found = _FIRST_SENTENCE.match(help.replace("{}", "..."))
    said = _SAFE.sub("", found["said"] if found else help)
    return said if len(said) <= _MOST else f"{said[: _MOST - 3]}..."
