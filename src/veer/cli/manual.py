"""The manual page of veer, in the language of man (man(7)), made from the table of commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer import __version__
from veer.cli.arguments import Argument, Command, option_default, option_help, option_metavar, option_names
from veer.cli.exit_codes import EXIT_CODES
from veer.model.option import Option

_HEAD = r"""veer \- write the unit tests of C functions, and find their bugs"""
_ABOUT = (
    "veer runs a function with one input after the other. From each run it works out an input that takes another path, "
    "until no path is left or the time is spent. It writes a test suite, the coverage that the suite reaches, and each "
    "bug with the input that shows it.",
    "Without a command nothing is done. A project says in veer.toml what `veer test` alone tests; `veer init` writes "
    "one.",
)
_FILES = (
    (
        "veer.toml",
        "Sources, flags, options and contracts of a project; [tool.veer] of pyproject.toml may say the same.",
    ),
    ("veer-out/NAME", "What `veer test` found: summary.json, report.html, suite/, bugs/."),
    ("~/.cache/veer", "Builds that can be used again. It may be removed at any time."),
)


def manual(commands: Sequence[Command]) -> str:
    """The page."""
    lines = [
        f'.TH VEER 1 "" "veer {__version__}" "User Commands"',
        ".SH NAME",
        _HEAD,
        ".SH SYNOPSIS",
        ".B veer",
        ".I COMMAND",
        r"[OPTIONS] ...",
        ".SH DESCRIPTION",
        *(line for each in _ABOUT for line in (".PP", _plain(each))),
        ".SH COMMANDS",
        *(line for each in commands for line in _command(each)),
        ".SH EXIT STATUS",
        *(line for code, said in EXIT_CODES.items() for line in (".TP", f".B {code}", _plain(said))),
        ".SH FILES",
        *(line for name, said in _FILES for line in (".TP", f".I {_plain(name)}", _plain(said))),
    ]
    return "\n".join(lines) + "\n"


def _command(command: Command) -> Iterator[str]:
    subject = f" {command.argument.usage}" if command.argument else ""
    yield f".SS veer {_plain(f'{command.name} [OPTIONS]{subject}')}"
    yield _plain(command.help)
    if command.argument is not None:
        yield from _entry(_named(command.argument), command.argument.help)
    for option in command.options:
        if not option.hidden:
            yield from _entry(_written(option), f"{option_help(option)}{option_default(option)}")


def _entry(words: str, help: str) -> Iterator[str]:
    yield from (".TP", f".B {_plain(words)}", _plain(help))


def _named(argument: Argument) -> str:
    return argument.words or argument.metavar


def _written(option: Option) -> str:
    value = option_metavar(option)
    return f"{', '.join(option_names(option))}{f' {value}' if value else ''}"


def _plain(text: str) -> str:
    """A text that means nothing to man."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga").replace("'", r"\(aq")
    return rf"\&{text}" if text.startswith(".") else text
