"""A command's words → what they ask for, by argparse.

    ["f.c", "--entry", "g", "--cflag", "-O2"]  →  {"sources": [Path("f.c")], "entry": ["g"], "cflag": ["-O2"]}

Only what the words name is there: what holds otherwise is known where the values are used (campaign/values.py).
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from veer import plugins
from veer.model.errors import UsageError
from veer.model.option import Kind, Option

Given = Mapping[str, Any]
"""What a command line names: texts, numbers, paths, or lists of them, by the name of the option or argument."""

_SEVERAL = (Kind.TEXTS, Kind.NAMES, Kind.BOUND)
_METAVARS = {Kind.NUMBER: "N", Kind.TIME: "TIME", Kind.FILE: "FILE", Kind.TEXT: "NAME", Kind.NAMES: "NAME"}
_WIDTH_OF_NAMES = 32


class Argument(NamedTuple):
    """The paths that a command is about: one, which must be there, or any number."""

    name: str
    metavar: str
    help: str
    many: bool = False
    is_optional: bool = False  # the command means something without any word
    words: str = ""  # as the first line of the help shows them, if not by `metavar`

    @property
    def usage(self) -> str:
        """As the first line of the help shows it."""
        return self.words or (f"[{self.metavar}]..." if self.many else self.metavar)


class Command(NamedTuple):
    """One of veer's commands. `module`: whose `run(given)` does it; the exit code is what it returns. `ahead`: whose
    `start(given)` begins what takes a while, before that module is loaded."""

    name: str
    help: str
    module: str
    argument: Argument | None = None
    options: tuple[Option, ...] = ()
    ahead: str = ""

    def parser(self) -> argparse.ArgumentParser:
        """What reads the words of the command, and prints its help."""
        subject = f" {self.argument.usage}" if self.argument else ""
        parser = Parser(f"veer {self.name}", f"veer {self.name} [OPTIONS]{subject}", self.help)
        if self.argument is not None:
            count: dict[str, Any] = {"nargs": "*"} if self.argument.many else {}
            parser.add_argument(
                self.argument.name, metavar=self.argument.metavar, help=self.argument.help, type=Path, **count
            )
        for each in self.options:
            _add(parser, each)
        return parser

    def parse(self, words: Sequence[str]) -> Given:
        """What these words ask for. Raises UsageError for what the command does not know; --help ends the program."""
        options, others = _sorted(words, self.name, self.options)
        return vars(self.parser().parse_args([*options, "--", *others] if others else options))


class Parser(argparse.ArgumentParser):
    """argparse's, with veer's way to say what is wrong. What is not given is no attribute of what it returns."""

    def __init__(self, name: str, usage: str, help: str, epilog: str | None = None) -> None:
        super().__init__(
            name,
            usage,
            help,
            epilog,
            formatter_class=_Help,
            argument_default=argparse.SUPPRESS,
            add_help=False,
            allow_abbrev=False,
        )
        self._optionals.title = "Options"
        self._positionals.title = "Arguments"
        self.add_argument("-h", "--help", action="help", help="Show this and stop.")

    def error(self, message: str) -> Any:
        """Raises UsageError."""
        raise UsageError(f"{message}; `{self.prog} --help` tells more")


class _Help(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=_WIDTH_OF_NAMES)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, prefix or "Usage: ")


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    shown = f"{option_help(option)}{option_default(option)}".replace("%", "%%")
    names = option_names(option)
    help = argparse.SUPPRESS if option.hidden else shown
    if option.kind is Kind.SWITCH:
        action = argparse.BooleanOptionalAction if names[1:] else "store_true"  # it adds the name that switches off
        parser.add_argument(names[0], dest=option.name, action=action, help=help)
        return
    converted: dict[Kind, Callable[[str], object]] = {Kind.FILE: Path, Kind.NUMBER: partial(_whole, option)}
    parser.add_argument(
        *names,
        dest=option.name,
        action="append" if option.kind in _SEVERAL else "store",
        type=converted.get(option.kind, str),
        metavar=option_metavar(option) or None,
        help=help,
    )


def option_metavar(option: Option) -> str:
    """What stands for its value in the help; empty for a switch."""
    if option.kind is Kind.SWITCH:
        return ""
    words = "|".join(_words(option)) if option.kind is Kind.TEXT else ""
    return option.metavar or words or _METAVARS.get(option.kind, option.name.upper())


def _words(option: Option) -> tuple[str, ...]:
    """What veer itself takes as its value; nothing if that is free."""
    return option.choices or tuple(name for group in option.groups for name in plugins.own_names(group))


def option_help(option: Option) -> str:
    """What it does, with the names that veer itself has for its value."""
    names = [", ".join(plugins.own_names(group)) for group in option.groups]
    return option.help.format(*names) if names else option.help


def option_default(option: Option) -> str:
    """What holds without it, behind its help."""
    if option.default is None or option.default is False or option.kind in _SEVERAL:
        return ""
    shown = {Kind.TIME: f"{option.default}s".replace(".0s", "s"), Kind.SWITCH: "on"}
    return f" [default: {shown.get(option.kind, option.default)}]"


def option_names(option: Option) -> tuple[str, ...]:
    """As it is written; of a switch the one that switches on, and the one that switches off if there is one."""
    return tuple(name for flag in option.flags or (option.flag,) for name in flag.split("/"))


def _whole(option: Option, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{option.flag} {text}: that is no whole number") from None


def _sorted(words: Sequence[str], command: str, options: Sequence[Option]) -> tuple[list[str], list[str]]:
    """The options, each with its value in one word, and the other words.

    argparse by itself takes no value that begins with a hyphen (`--cflag -O2`), and no sources on both sides of an
    option.
    """
    takes = {name: option.kind is not Kind.SWITCH for option in options for name in option_names(option)}
    spoken = {option.flag: option_names(option)[0] for option in options}
    found: list[str] = []
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            others.extend(rest)
        elif takes.get(word):
            found.append(f"{word}{'=' if word.startswith('--') else ''}{_value(word, rest, command, takes)}")
        elif word.startswith("-") and word != "-":
            _require_known(word, command, takes, spoken)
            found.append(word)
        else:
            others.append(word)
    return found, others


def _value(name: str, rest: Iterator[str], command: str, known: Container[str]) -> str:
    """The next word; an option of veer's own, written out, is none (`--no-check --out DIR`)."""
    value = next(rest, None)
    if value is None or (value.startswith("--") and value in known):
        raise UsageError(f"{name}: a value is missing; `veer {command} --help` tells more")
    return value


def _require_known(word: str, command: str, takes: Mapping[str, bool], spoken: Mapping[str, str]) -> None:
    """`spoken` gives the option that is meant by a long name which it does not have (-I by --include)."""
    name = word.partition("=")[0] if word.startswith("--") else word[:2]
    if name in takes or name in ("--help", "-h"):
        return
    near = difflib.get_close_matches(name, {**takes, **spoken}, n=1)
    hint = f"do you mean {spoken.get(near[0], near[0])}?" if near else f"`veer {command} --help` tells of all"
    raise UsageError(f"{name}: there is no such option; {hint}")
