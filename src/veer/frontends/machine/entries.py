"""The functions of a file of machine code: `veer list`."""

from __future__ import annotations

from veer.frontends.machine.dwarf import declared, prototype_of
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.linked import load
from veer.frontends.machine.prototype import Prototype
from veer.frontends.machine.raw import given_by
from veer.frontends.protocol import Entry, EntryInput
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError
from veer.model.types import ExtentKind, Type, TypeKind
from veer.toolchain.compiler import Toolchain

_NOT_TOLD = "no debug info says what it takes: --prototype must"


def entries(options: BuildOptions, toolchain: Toolchain) -> tuple[Entry, ...]:
    """All functions that the files' symbols tell of, by address. Raises UsageError."""
    return tuple(
        entry
        for path in options.sources
        for entry in _of_image(load(path.absolute(), toolchain, given_by(options)), options)
    )


def _of_image(image: Image, options: BuildOptions) -> list[Entry]:
    machine = image.architecture
    found, known = [], declared(image)
    for address in sorted(image.functions):
        code = image.functions[address]
        instructions = "Thumb" if code.is_thumb else machine.name
        size = f"{code.size} bytes" if code.size else "size unknown"
        qualities = (f"at {address:#x}", size, f"{instructions}, {machine.convention}")
        line = known[address].line if address in known else 0
        inputs, why_not = _inputs(image, code, options) if known else ((), "")
        found.append(Entry(code.name, str(image.file), line, inputs, qualities, why_not))
    return found


def _inputs(image: Image, code: Code, options: BuildOptions) -> tuple[tuple[EntryInput, ...], str]:
    """What the debug info says that the function takes; or why nothing can be made for it."""
    try:
        prototype = prototype_of(image, code, options)
    except UnsupportedInputError as error:
        return (), str(error)
    if prototype is None:
        return (), _NOT_TOLD
    return tuple(EntryInput(each.name, _made(prototype, each.type)) for each in prototype.parameters), ""


def _made(prototype: Prototype, identity: int) -> str:
    row: Type = prototype.types[identity]
    if row.kind is not TypeKind.POINTER:
        return row.name
    if row.extent is ExtentKind.LENGTH:
        return f"{row.name.removesuffix(' *')}[{row.length}]"
    return "text" if row.extent is ExtentKind.STRING else row.name
