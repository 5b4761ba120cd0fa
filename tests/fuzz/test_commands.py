"""Command lines at random: each is understood, or refused with one sentence and exit code 2, before anything is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st
from test_readers import FUZZ

from veer.campaign.deliver import output_options
from veer.campaign.keywords import Options
from veer.campaign.requests import build_options, search_options
from veer.cli.arguments import Command
from veer.cli.commands import COMMANDS
from veer.cli.test_command import entries
from veer.model.errors import UsageError
from veer.model.option import Kind, Option
from veer.model.sequence import parse

ODD = (
    "",
    "=",
    "a=",
    "=b",
    "a=b=c",
    "0",
    "-1",
    "9" * 30,
    "1e400",
    "nan",
    "inf",
    "5s",
    "1h",
    "9" * 40 + "h",
    "a..b",
    "a=5..1",
)
ODD += (
    "*/",
    '"',
    "\\",
    "\n",
    "a\nb",
    "größe",
    "\udcff",
    "{",
    "(" * 300,
    "a,b,,",
    "0x10:8",
    "0x10:" + "9" * 30,
    "on",
    "1:2:3",
)
TEST = next(each for each in COMMANDS if each.name == "test")
VALUES = st.one_of(st.sampled_from(ODD), st.text(max_size=12))


@st.composite
def words(draw: Any, command: Command) -> list[str]:
    """Options of a command, each with a value that may be none of its."""
    given_: list[str] = []
    for option in draw(st.lists(st.sampled_from(command.options), max_size=5)) if command.options else ():
        given_ += _words(option, draw(VALUES), glued=draw(st.booleans()))
    return [*given_, *draw(st.lists(VALUES, max_size=2))]


def _words(option: Option, value: str, *, glued: bool) -> list[str]:
    name = (option.flags or (option.flag,))[0].partition("/")[0]
    if option.kind is Kind.SWITCH:
        return [name]
    return [f"{name}={value}"] if glued and name.startswith("--") else [name, value]


@FUZZ
@given(data=st.data(), command=st.sampled_from(COMMANDS))
def test_a_command_line_is_understood_or_refused(data: Any, command: Command) -> None:
    try:
        found = command.parse(data.draw(words(command)))
        if command is TEST:
            options = cast(Options, {name: value for name, value in found.items() if name in Options.__annotations__})
            search_options(options)
            build_options((Path("a.c"),), "f", options)
            output_options(found)
            entries(found)
    except UsageError as error:
        assert str(error)
    except SystemExit as stop:  # --help
        assert stop.code == 0


@FUZZ
@given(text=st.one_of(VALUES, st.text(alphabet="ab,*{}()[]=+ ", max_size=30)))
def test_a_sequence_is_understood_or_refused(text: str) -> None:
    try:
        parse(text)
    except UsageError as error:
        assert str(error)
