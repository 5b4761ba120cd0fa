"""Class files as `javap -v` prints them, for tests: its print and ours as the same lines."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.model import ClassFile, Code
from veer.frontends.java.classfile.opcodes import ELEMENT_TYPES, NUMBERS, OPCODES

_CLASS = re.compile(r"^(?:[\w.]+ )*?(?:class|interface|enum|record) ([\w.$]+).*$|^(?:.* )?class ([\w.$]+).*$")
_INSTRUCTION = re.compile(r"^ +(\d+): (\w+)\s*(.*?)\s*(?://.*)?$")
_CASE = re.compile(r"^ +(-?\d+|default): (\d+)$")
_TYPES = {"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte", "S": "short", "I": "int", "J": "long"}
_SECTIONS = ("Code:", "Exception table:", "LineNumberTable:", "LocalVariableTable:")
_TABLES = {
    "Exception table:": re.compile(r"^ +(\d+) +(\d+) +(\d+) +(?:Class (\S+)|any)$"),
    "LineNumberTable:": re.compile(r"^ +line (\d+): (\d+)$"),
    "LocalVariableTable:": re.compile(r"^ +(\d+) +(\d+) +(\d+) +(\S+) +(\S+)$"),
}


def printed(names: Sequence[str]) -> dict[str, list[str]]:
    """What javap says of the runtime's classes, by name; one process for all."""
    run = subprocess.run(["javap", "-v", "-p", *names], capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, list[str]] = {}
    for text in re.split(r"(?m)^Classfile ", run.stdout)[1:]:
        head = re.search(r"^  this_class: #\d+ +// (\S+)$", text, re.MULTILINE)
        assert head is not None
        found[head[1].strip('"')] = list(_lines(text.split("\n")))
    return found


def _lines(text: Sequence[str]) -> Iterator[str]:
    """One line for each fact that is compared."""
    section = ""
    for line in text:
        stripped = line.strip()
        if stripped.startswith("descriptor: "):
            section = ""
            yield stripped
        elif stripped in _SECTIONS:
            section = stripped
        elif section == "Code:":
            yield from _of_code(line)
        elif section in _TABLES and (matched := _TABLES[section].match(line)) is not None:
            yield " ".join((section, *(part or "any" for part in matched.groups())))
        elif stripped.endswith(":") or re.match(r"\w+: ", stripped):
            section = ""


def _of_code(line: str) -> Iterator[str]:
    if (case := _CASE.match(line)) is not None:
        yield f"case {case[1]} {case[2]}"
    elif (matched := _INSTRUCTION.match(line)) is not None:
        operands = "" if matched[3].startswith("{") else " " + " ".join(matched[3].replace(",", " ").split())
        yield f"{matched[1]}: {matched[2]}{operands.rstrip()}"


def ours(found: ClassFile) -> list[str]:
    """The same of a parsed class: fields, then methods."""
    lines = [f"descriptor: {field.descriptor}" for field in found.fields]
    for method in found.methods:
        lines.append(f"descriptor: {method.descriptor}")
        if method.code is not None:
            lines += _code(method.code)
    return lines


def _code(code: Code) -> Iterator[str]:
    for each in code.instructions:
        yield f"{each.at}: {each.written}{_operands(each)}"
        if each.name.endswith("switch"):
            yield from (f"case {value} {to}" for value, to in each.cases)
            yield f"case default {each.number}"
    for handler in code.handlers:
        yield f"Exception table: {handler.start} {handler.end} {handler.target} {handler.caught or 'any'}"
    yield from (f"LineNumberTable: {line} {at}" for at, line in code.lines)
    for variable in code.variables:
        rest = f"{variable.number} {variable.name} {variable.type}"
        yield f"LocalVariableTable: {variable.start} {variable.end - variable.start} {rest}"


def _operands(each: Instruction) -> str:
    kind = OPCODES[NUMBERS[each.written]][1] if each.written in NUMBERS else "v"
    if each.name == "iinc":
        return f" {each.number} {each.second}"
    if kind in ("n", "m"):
        return f" #{each.number} {each.second}"
    if kind == "d":
        return f" #{each.number} 0"
    if kind in ("c", "C"):
        return f" #{each.number}"
    if kind == "a":
        return f" {_TYPES[ELEMENT_TYPES[each.number]]}"
    return "" if kind in ("", "T", "L") else f" {each.number}"
