"""A module's text → its parts: header, types, globals, declarations, functions of blocks, metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from veer.instrument.callsyntax import Argument, parse_arguments
from veer.instrument.debuglocation import DebugLocations
from veer.instrument.instructions import Instruction, parse_instruction
from veer.instrument.lexer import closing, is_type_at, name_end, type_end
from veer.instrument.opcodes import TERMINATORS
from veer.instrument.typelayout import Layout
from veer.model.values import replace

_LABEL_LINE = re.compile(r'([-\w.$]+|"[^"]*"):')
_GLOBAL = re.compile(r'(@(?:[-\w.$]+|"[^"]*")) = ((?:[\w]+(?:\([^)]*\))? )*?)(global|constant) ')
_SECTION = re.compile(r', section "([^"]*)"')
_ALIGN = re.compile(r", align (\d+)")
_TYPE_LINE = re.compile(r'(%(?:[-\w.$]+|"[^"]*")) = type (.*)')
_SUFFIX_DEBUG = re.compile(r" !dbg !(\d+)")
_LINKAGES = frozenset(
    (
        *("private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak"),
        *("linkonce_odr", "weak_odr", "external"),
    )
)


class Block(Struct, frozen=True):
    """A basic block; the last instruction is its terminator."""

    label: str
    instructions: tuple[Instruction, ...]


class Function(Struct, frozen=True):
    """A definition. `head` is the text before its return type, `tail` what follows the parameters, without metadata."""

    name: str  # with sigil, as printed
    head: str
    returns: str
    parameters: tuple[Argument, ...]
    variadic: bool
    tail: str
    subprogram: int  # number of its DISubprogram, 0 = none
    lines: tuple[str, ...]  # the text of the body

    @property
    def is_available_externally(self) -> bool:
        """A body that is only there to be inlined: another unit defines the function."""
        return "available_externally " in self.head


class Declaration(Struct, frozen=True):
    """A function that this module does not define."""

    name: str
    returns: str
    parameters: tuple[Argument, ...]
    variadic: bool
    text: str

    @property
    def is_intrinsic(self) -> bool:
        return self.name.startswith("@llvm.")


class Variable(Struct, frozen=True):
    """A global variable; `initializer` is "" for an external one."""

    name: str
    linkage: str  # "" = external definition
    words: tuple[str, ...]  # what else stands before `global`: dso_local, thread_local, unnamed_addr, ...
    is_constant: bool
    type: str
    initializer: str
    section: str
    alignment: int  # 0 = not stated
    text: str


class Module(Struct, frozen=True):
    """All of a module, in the order of its text."""

    header: tuple[str, ...]  # source_filename, target, module asm
    types: tuple[str, ...]
    comdats: tuple[str, ...]
    variables: tuple[Variable, ...]
    aliases: tuple[str, ...]  # aliases and ifuncs, as they stand
    functions: tuple[Function, ...]
    declarations: tuple[Declaration, ...]
    attributes: tuple[str, ...]
    metadata: tuple[str, ...]
    layout: Layout
    locations: DebugLocations


def parse_module(text: str) -> Module:
    """Parses what LLVM printed. Raises ValueError on text that it does not understand."""
    header: list[str] = []
    types: list[str] = []
    comdats: list[str] = []
    variables: list[Variable] = []
    aliases: list[str] = []
    functions: list[Function] = []
    declarations: list[Declaration] = []
    attributes: list[str] = []
    metadata: list[str] = []
    lines = iter(text.splitlines())
    for line in lines:
        first = line[:1]
        if first == "!":
            metadata.append(line)
        elif first == "@":
            variable = _variable(line)
            if variable is None:
                aliases.append(_without_metadata(line))
            else:
                variables.append(variable)
        elif first == "%":
            types.append(line)
        elif first == "$":
            comdats.append(line)
        elif line.startswith("define "):
            functions.append(_function(line, lines))
        elif line.startswith("declare "):
            declarations.append(_declaration(line))
        elif line.startswith("attributes "):
            attributes.append(line)
        elif line.startswith(("source_filename", "target ", "module asm")):
            header.append(line)
    named = {match[1]: match[2] for match in map(_TYPE_LINE.match, types) if match}
    return Module(
        tuple(header),
        tuple(types),
        tuple(comdats),
        tuple(variables),
        tuple(aliases),
        tuple(functions),
        tuple(declarations),
        tuple(attributes),
        tuple(metadata),
        Layout(named),
        DebugLocations(metadata),
    )


def parse_functions(text: str) -> Iterator[Function]:
    """The definitions alone, for whoever asks for nothing else of a module. Raises ValueError as `parse_module`."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("define "):
            yield _function(line, lines)


def parse_blocks(function: Function) -> tuple[Block, ...]:
    """The reachable blocks of a body, in the order of the text.

    An invoke becomes a call whose only label is that of its landing pad, with a branch behind.
    """
    blocks: list[Block] = []
    label = ""
    instructions: list[Instruction] = []
    for line in _joined(function.lines):
        if not line.startswith(" "):
            match = _LABEL_LINE.match(line)
            if match is None:
                raise ValueError(f"a label was expected in {line!r}")
            if instructions:
                blocks.append(Block(label, tuple(instructions)))
            label, instructions = match[1], []
            continue
        instruction = parse_instruction(line)
        if instruction.opcode == "invoke":
            target, landing_pad = instruction.labels
            instructions.append(replace(instruction, opcode="call", labels=(landing_pad,)))
            instructions.append(Instruction("", "br", "", (), "", instruction.location, labels=(target,)))
        else:
            instructions.append(instruction)
    blocks.append(Block(label, tuple(instructions)))
    return _reachable(tuple(blocks))


def successors(block: Block) -> tuple[str, ...]:
    """Labels of the blocks that may follow, repeated if several edges lead to one; a landing pad comes last."""
    last = block.instructions[-1]
    before = block.instructions[-2] if len(block.instructions) > 1 else last
    landing_pad = before.labels if before.opcode == "call" else ()
    return (*last.labels, *landing_pad) if last.opcode in TERMINATORS else ()


def _joined(lines: tuple[str, ...]) -> Iterator[str]:
    """Lines with debug records left out and instructions of several lines joined."""
    pending = ""
    for line in lines:
        if line.startswith("    #dbg_") or not line:
            continue
        if pending and " = landingpad " in pending:
            if line.startswith("          "):
                pending += " " + line.strip()
                continue
            yield pending
            pending = ""
        if pending:
            pending += " " + line.strip()
            if line.startswith("  ]") or "unwind label" in line:
                yield pending
                pending = ""
        elif (
            line.endswith(" [")
            or (line.startswith(("  invoke ", "  %")) and " invoke " in line[:300])
            or " = landingpad " in line
        ):
            pending = line
        else:
            yield line


def _reachable(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Drops blocks that no path from the entry reaches, and what phis say of them."""
    by_label = {block.label: block for block in blocks}
    seen = {blocks[0].label}
    stack = [blocks[0].label]
    while stack:
        for label in successors(by_label[stack.pop()]):
            if label not in seen:
                seen.add(label)
                stack.append(label)
    if len(seen) == len(blocks):
        return blocks
    return tuple(
        Block(block.label, tuple(_without_edges(instruction, seen) for instruction in block.instructions))
        for block in blocks
        if block.label in seen
    )


def _without_edges(instruction: Instruction, seen: set[str]) -> Instruction:
    if instruction.opcode != "phi" or all(label in seen for label in instruction.labels):
        return instruction
    kept = [index for index, label in enumerate(instruction.labels) if label in seen]
    return replace(
        instruction,
        operands=tuple(instruction.operands[index] for index in kept),
        labels=tuple(instruction.labels[index] for index in kept),
    )


def _function(line: str, lines: Iterator[str]) -> Function:
    head, returns, name, parameters, variadic, tail = _signature(line.removesuffix(" {"))
    body: list[str] = []
    for body_line in lines:
        if body_line == "}":
            break
        body.append(body_line)
    debug = _SUFFIX_DEBUG.search(tail)
    tail = re.sub(r" ![\w.]+ !\d+", "", tail)
    return Function(name, head, returns, parameters, variadic, tail, int(debug[1]) if debug else 0, tuple(body))


def _declaration(line: str) -> Declaration:
    _, returns, name, parameters, variadic, _ = _signature(line)
    return Declaration(name, returns, parameters, variadic, re.sub(r" ![\w.]+ !\d+", "", line))


def _signature(line: str) -> tuple[str, str, str, tuple[Argument, ...], bool, str]:
    """(text before the return type, return type, name, parameters, variadic, text behind)."""
    at = line.index("@")
    position = line.index(" ") + 1
    while not is_type_at(line, position):
        if line[position] == "!":  # `declare !dbg !5 i32 @f()`
            position = line.index(" ", line.index(" ", position) + 1) + 1
            continue
        end = line.index(" ", position)
        opening = line.find("(", position, end)
        position = (closing(line, opening) if opening >= 0 else end) + 1
    end = type_end(line, position)
    name_stop = name_end(line, at)
    behind = closing(line, name_stop)
    inner = line[name_stop + 1 : behind - 1]
    variadic = inner.endswith("...")
    return line[:position], line[position:end], line[at:name_stop], parse_arguments(inner), variadic, line[behind:]


def _variable(line: str) -> Variable | None:
    match = _GLOBAL.match(line)
    if match is None:
        return None
    words = match[2].split()
    linkage = next((word for word in words if word in _LINKAGES), "")
    rest = line[match.end() :]
    end = type_end(rest)
    behind = _initializer_end(rest, end)
    attributes = rest[behind:]
    section = _SECTION.search(attributes)
    alignment = _ALIGN.search(attributes)
    return Variable(
        match[1],
        linkage,
        tuple(word for word in words if word not in _LINKAGES),
        match[3] == "constant",
        rest[:end],
        rest[end:behind].strip(),
        section[1] if section else "",
        int(alignment[1]) if alignment else 0,
        line,
    )


def _initializer_end(rest: str, start: int) -> int:
    """Index behind the initializer: at the first comma outside of brackets and strings, or the end."""
    if rest.startswith(",", start) or start >= len(rest):
        return start
    depth = 0
    for match in re.compile(r'[\[\](){}<>,]|"[^"]*"').finditer(rest, start):
        character = match[0]
        if character in "[({<":
            depth += 1
        elif character in "])}>":
            depth -= 1
        elif character == "," and depth == 0:
            return match.start()
    return len(rest)


def _without_metadata(line: str) -> str:
    return re.sub(r", ![\w.]+ !\d+", "", line)
