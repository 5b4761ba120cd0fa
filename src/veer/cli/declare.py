"""The options of a campaign as parameters of a command, for typer."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from veer.model.option import Kind, Option

_Command = TypeVar("_Command", bound=Callable[..., int])
_TYPES: dict[Kind, Any] = {
    Kind.SWITCH: bool,
    Kind.NUMBER: int,
    Kind.TIME: str,
    Kind.TEXT: str,
    Kind.FILE: Path,
    Kind.TEXTS: list[str],
    Kind.NAMES: list[str],
    Kind.BOUND: list[str],
}
_METAVARS = {Kind.NUMBER: "N", Kind.TIME: "TIME", Kind.FILE: "FILE", Kind.TEXT: "NAME", Kind.NAMES: "NAME"}


def declare(*options: Option) -> Callable[[_Command], _Command]:
    """Gives a command these options: typer sees a parameter for each in the place of its `**options`."""

    def decorate(command: _Command) -> _Command:
        own = inspect.signature(command, eval_str=True)
        kept = [each for each in own.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        made = [_parameter(each) for each in options]
        named = {each.name: each.annotation for each in made}
        command.__annotations__ = {name: type_ for name, type_ in command.__annotations__.items() if name != "options"}
        command.__annotations__ |= named
        command.__signature__ = own.replace(parameters=[*kept, *made])  # type: ignore[attr-defined]
        return command

    return decorate


def _parameter(option: Option) -> inspect.Parameter:
    default = f"{option.default:g}s" if option.kind is Kind.TIME else option.default
    listed = option.kind in (Kind.TEXTS, Kind.NAMES, Kind.BOUND)
    shown = typer.Option(
        *(option.flags or (option.flag,)),
        metavar=option.metavar
        or ("|".join(option.choices) if option.kind is Kind.TEXT else "")
        or _METAVARS.get(option.kind),
        help=option.help,
        hidden=option.hidden,
    )
    type_ = _TYPES[option.kind]
    optional = type_ if default is not None and not listed else type_ | None
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None if listed else default,
        annotation=Annotated[optional, shown],
    )
