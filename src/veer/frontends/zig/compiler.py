"""Zig's compiler: a source and a root file of veer's own → LLVM IR.

root.zig     what veer wrote: panics, the description of functions, the adapter of an entry
  ├ unit     the user's source, a module of its own: its `@import`s are what they are for the user
  └ veer     veer.zig
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.zig.ir import ADAPTER
from veer.frontends.zig.scanner import Declared, scan
from veer.model.errors import ToolchainError, UsageError
from veer.model.values import replace
from veer.toolchain.cache import digest
from veer.toolchain.compiler import ZIG_TARGET, Toolchain, run, shorten

OWN = Path(__file__).with_name("veer.zig")
_RESERVED = frozenset(("std", "root", "builtin", "veer"))
_MODULE = ("-ODebug", "-fno-error-tracing", "-fno-stack-check", "-fno-stack-protector", "-fno-unwind-tables")
_OBJECT = ("-fllvm", "-fno-emit-bin", "-fsingle-threaded", "-target", ZIG_TARGET, "-mcpu=baseline")
_HEAD = """\
const unit = @import("{module}");
const veer = @import("veer");
pub const panic = veer.panic;
"""
_DESCRIPTION = """\
const text = veer.described(.{{ {functions} }}, .{{ {variables} }});
export const veer_described: [text.len]u8 = text[0..text.len].*;
"""
_ADAPTER = """\
const of = @typeInfo(@TypeOf(unit.{entry})).@"fn";
export fn {adapter}({parameters}result: *of.return_type.?) void {{
    result.* = unit.{entry}({arguments});
}}
"""

_VARIABLES = """\
const Variable = extern struct {{ address: *const anyopaque, size: u32, spare: u32 = 0 }};
export const {symbol} = [_]Variable{{ {rows} }};
"""
VARIABLES = "veer_variables"
"""The table of the variables that are recorded."""


class Source(Struct, frozen=True):
    """A Zig source: its path, its name as a module, and the functions and public variables that its text declares."""

    path: Path
    module: str
    declared: tuple[Declared, ...]
    variables: tuple[str, ...] = ()


def read_source(path: Path) -> Source:
    """The source at this path. Raises UsageError when it cannot be read."""
    try:
        text = path.read_text(errors="replace")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    return Source(path, module_name(path), *scan(text))


def module_name(path: Path) -> str:
    """What a source is called when it is imported as a module: the name of its file where that can be."""
    is_usable = re.fullmatch(r"[A-Za-z_]\w*", path.stem) and path.stem not in _RESERVED
    return path.stem if is_usable else "unit"


def describing_root(source: Source, functions: Sequence[Declared], variables: Sequence[str] = ()) -> str:
    """A root file in which these functions and variables are described."""
    named = _with_types([each.name for each in functions])
    return _HEAD.format(module=source.module) + _DESCRIPTION.format(functions=named, variables=_with_types(variables))


def _with_types(names: Sequence[str]) -> str:
    return ", ".join(f'.{{ "{name}", @TypeOf(unit.{name}) }}' for name in names)


def adapter_root(source: Source, entry: Declared, variables: Sequence[str]) -> str:
    """A root file with a function that calls the entry: it takes the addresses of arguments and of the result; and with
    a table of these variables."""
    places = range(len(entry.parameters))
    adapter = _ADAPTER.format(
        entry=entry.name,
        adapter=ADAPTER,
        parameters="".join(f"a{place}: *of.param_types[{place}].?, " for place in places),
        arguments=", ".join(f"a{place}.*" for place in places),
    )
    rows = (f".{{ .address = @ptrCast(&unit.{name}), .size = @sizeOf(@TypeOf(unit.{name})) }}" for name in variables)
    table = _VARIABLES.format(symbol=VARIABLES, rows=", ".join(rows)) if variables else ""
    return _HEAD.format(module=source.module) + adapter + table


def compile_root(root: str, source: Source, toolchain: Toolchain) -> str:
    """The IR of a root file and all that it refers to. Raises UsageError when the source does not compile."""
    # Its path is in the debug info: one text, one path, so that the unit is found in the cache again.
    path = toolchain.cache.write(root.encode(), "harness", f"root_{digest(root)}", ".zig")
    with toolchain.cache.scratch() as scratch:
        output = scratch / "module.ll"
        modules = (
            *(*_MODULE, "--dep", source.module, "--dep", "veer", f"-Mroot={path}"),
            *(*_MODULE, f"-M{source.module}={source.path}"),
            *(*_MODULE, f"-Mveer={OWN}"),
        )
        said = run(zig(toolchain), ("build-obj", *_OBJECT, *modules, f"-femit-llvm-ir={output}"))
        if said.code or not output.exists():
            blamed = UsageError if f"{source.path.name}:" in said.messages else ToolchainError
            raise blamed(f"{source.path} does not compile:\n{shorten(said.messages)}")
        return output.read_text(errors="surrogateescape")


def zig(toolchain: Toolchain) -> Toolchain:
    """The compiler that veer brings, called as Zig's own."""
    return replace(toolchain, command=toolchain.command[:1])
