"""Registers of devices, in the text of LLVM IR: volatile accesses at addresses where the program has no object.

Such an access asks first where its bytes are served, whoever wrote the address down (decision 0357):

    %5 = load volatile i32, ptr %4, align 4, !dbg !9
    ->  %veer.device.0 = call ptr @veer_device_read(ptr %4, i32 4, i32 0), !dbg !9
        %5 = load volatile i32, ptr %veer.device.0, align 1, !dbg !9

The function gives the address itself, unless it lies in a region of registers. The last argument is 1 where a number
that the code computed was cast to the address: `*(volatile uint32_t *)(base + 12)`.
"""

from __future__ import annotations

import re

READ, WRITE = "veer_device_read", "veer_device_write"
_SIZES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8, "ptr": 8}
_NAME = r'%(?:"[^"]*"|[-\w.$]+)'
_ACCESS = re.compile(
    rf"^  (?P<head>(?:{_NAME} = load|store) volatile )(?P<type>i8|i16|i32|i64|float|double|ptr)(?P<value> [^,]+)?, "
    rf"ptr (?P<pointer>{_NAME}|inttoptr \([^)]*\)|getelementptr [^()]*\((?:[^()]|\([^()]*\))*\)), align \d+"
    r"(?P<rest>.*)$",
    re.MULTILINE,
)
_FUNCTION = re.compile(r"(?m)^(?=define )")
_OBJECT = re.compile(rf"^  ({_NAME}) = (?:alloca |getelementptr [^\n]*?, ptr ({_NAME}|@\S+?)[,\s])", re.MULTILINE)
_LITERAL = re.compile(r"inttoptr \(i64 (-?\d+) to ptr\)")
_MADE = re.compile(rf"^  ({_NAME}) = inttoptr i64 ({_NAME}|-?\d+) to ptr", re.MULTILINE)
_DEFINED = re.compile(
    rf"^  ({_NAME}) = (\w+) (?:(?:nuw|nsw|nneg|disjoint) )*(i\d+) ([^\n]*?)(?:, !dbg[^\n]*)?$", re.MULTILINE
)
_STEPS = frozenset(("add", "or", "zext", "sext", "sub"))
_LEAST_BASE = 0x1000
"""A smaller number that is added to an address is an offset."""


def device_addresses(ir: str) -> tuple[int, ...]:
    """The numbers that the module takes for addresses, in order: those of a cast, and those that something is added
    to before it is cast. The address 0 is NULL."""
    if "inttoptr" not in ir:
        return ()
    found = {int(number) % (1 << 64) for number in _LITERAL.findall(ir)}
    for function in _FUNCTION.split(ir)[1:]:
        made = [operand for _, operand in _MADE.findall(function)]
        if made:
            values = {name: (opcode, rest) for name, opcode, _, rest in _DEFINED.findall(function)}
            for operand in made:
                found |= _bases(operand, values)
    return tuple(sorted(found - {0}))


def _bases(operand: str, values: dict[str, tuple[str, str]]) -> set[int]:
    """The numbers in the sum that an operand is."""
    if not operand.startswith("%"):
        return {int(operand) % (1 << 64)}
    found: set[int] = set()
    waiting, seen = [operand], set()
    while waiting:
        name = waiting.pop()
        opcode, rest = values.get(name, ("", ""))
        if name in seen or opcode not in _STEPS:
            continue
        seen.add(name)
        for part in rest.split(" to ")[0].split(", "):
            if part.startswith("%"):
                waiting.append(part)
            elif part.lstrip("-").isdigit():
                number = int(part) % (1 << (32 if int(part) < 0 else 64))  # i32 0xe000e010 is printed as negative
                found |= {number} if number >= _LEAST_BASE else set()
    return found


def computes_addresses(ir: str) -> bool:
    """Whether a volatile access is at an address that was cast from a number which is no constant."""
    return re.search(rf"call ptr @(?:{READ}|{WRITE})\([^\n]*, i32 1\)", with_devices(ir)) is not None


def with_devices(ir: str) -> str:
    """The text with its volatile accesses through `READ` and `WRITE`, those of locals and globals left alone."""
    parts = [_rewritten(part) for part in _FUNCTION.split(ir)]
    declared = "".join(f"\ndeclare ptr @{name}(ptr, i32, i32)\n" for name in (READ, WRITE))
    return "".join([*parts, declared])


def _rewritten(function: str) -> str:
    objects: set[str] = set()
    numbers = {name for name, operand in _MADE.findall(function) if operand.startswith("%")}
    for name, base in _OBJECT.findall(function):
        if not base or base.startswith("@") or base in objects:
            objects.add(name)
        elif base in numbers:
            numbers.add(name)
    count = 0

    def through(access: re.Match[str]) -> str:
        nonlocal count
        pointer = access["pointer"]
        if pointer in objects or (pointer.startswith("getelementptr") and "@" in pointer):
            return access[0]
        place = f"%veer.device.{count}"
        count += 1
        called = READ if access["value"] is None else WRITE
        rest = access["rest"]
        given = f"ptr {pointer}, i32 {_SIZES[access['type']]}, i32 {int(pointer in numbers)}"
        head = f"  {place} = call ptr @{called}({given}){rest}\n"
        return f"{head}  {access['head']}{access['type']}{access['value'] or ''}, ptr {place}, align 1{rest}"

    return _ACCESS.sub(through, function)
