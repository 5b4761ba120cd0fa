"""What lies on the operand stack before each instruction, by kind of value (the JVM's computational types).

I int and all that is narrower    J long    F float    D double    A reference or null
"""

from __future__ import annotations

from veer.frontends.java.classfile.bytereader import ClassFormatError
from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, Dynamic, Float32, Float64, Int32, Int64
from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.classfile.model import Code
from veer.frontends.java.classfile.opcodes import LEAVING

IR_TYPES = {"I": "i32", "J": "i64", "F": "float", "D": "double", "A": "ptr"}
"""The type of a value of each kind, as LLVM writes it."""
ZEROS = {"I": "0", "J": "0", "F": "0.0", "D": "0.0", "A": "null"}
_NARROW = "ZBCSI"
_EFFECTS: dict[str, str] = {}
"""What an instruction takes from the stack and leaves there: "II>I"."""


def _effects() -> None:
    for kind, prefix in zip("IJFDA", "ilfda", strict=True):
        _EFFECTS[f"{prefix}load"] = f">{kind}"
        _EFFECTS[f"{prefix}store"] = f"{kind}>"
        _EFFECTS[f"{prefix}return"] = f"{kind}>"
        _EFFECTS[f"{prefix}aload"] = f"AI>{kind}"
        _EFFECTS[f"{prefix}astore"] = f"AI{kind}>"
        if kind != "A":
            _EFFECTS.update({f"{prefix}{name}": f"{kind}{kind}>{kind}" for name in ("add", "sub", "mul", "div", "rem")})
            _EFFECTS[f"{prefix}neg"] = f"{kind}>{kind}"
        if kind in "IJ":
            _EFFECTS.update({f"{prefix}{name}": f"{kind}I>{kind}" for name in ("shl", "shr", "ushr")})
            _EFFECTS.update({f"{prefix}{name}": f"{kind}{kind}>{kind}" for name in ("and", "or", "xor")})
        for other, suffix in zip("IJFD", "ilfd", strict=True):
            _EFFECTS[f"{prefix}2{suffix}"] = f"{kind}>{other}"
    for name in "bcs":
        _EFFECTS.update({f"{name}aload": "AI>I", f"{name}astore": "AII>", f"i2{name}": "I>I"})
    for number in (*range(6), "m1"):
        _EFFECTS[f"iconst_{number}"] = ">I"
    for kind, prefix in zip("JFD", "lfd", strict=True):
        _EFFECTS.update({f"{prefix}const_{number}": f">{kind}" for number in range(3)})
    for test in ("eq", "ne", "lt", "ge", "gt", "le"):
        _EFFECTS.update({f"if{test}": "I>", f"if_icmp{test}": "II>", f"if_acmp{test}": "AA>"})


_effects()
_EFFECTS.update(
    {
        **dict.fromkeys(("nop", "iinc", "goto", "goto_w", "return"), ">"),
        **dict.fromkeys(("bipush", "sipush"), ">I"),
        **dict.fromkeys(("ifnull", "ifnonnull", "athrow", "monitorenter", "monitorexit"), "A>"),
        **dict.fromkeys(("tableswitch", "lookupswitch"), "I>"),
        **dict.fromkeys(("newarray", "anewarray"), "I>A"),
        **dict.fromkeys(("arraylength", "instanceof"), "A>I"),
        **{"aconst_null": ">A", "checkcast": "A>A", "new": ">A", "lcmp": "JJ>I"},
        **{"fcmpl": "FF>I", "fcmpg": "FF>I", "dcmpl": "DD>I", "dcmpg": "DD>I"},
    }
)


def kind_of(type_: str) -> str:
    """The kind of a value of a type; "" for void."""
    return "I" if type_ in _NARROW else "" if type_ == "V" else type_ if type_ in "JFD" else "A"


def constant_kind(constant: object) -> str:
    """The kind of what `ldc` loads."""
    for type_, kind in ((Int32, "I"), (Int64, "J"), (Float32, "F"), (Float64, "D")):
        if isinstance(constant, type_):
            return kind
    return kind_of(constant.descriptor) if isinstance(constant, Dynamic) else "A"


def effect(each: Instruction, pool: ConstantPool) -> tuple[str, str]:
    """The kinds that it takes and those that it leaves, the top last; not for dup, pop and swap (`rearranged`)."""
    name = each.name
    if name.startswith("ldc"):
        return "", constant_kind(pool.constant(each.number))
    if name in ("getstatic", "getfield", "putstatic", "putfield"):
        value = kind_of(pool.member(each.number).descriptor)
        object_ = "A" if name.endswith("field") else ""
        return (object_, value) if name.startswith("get") else (object_ + value, "")
    if name.startswith("invoke"):
        is_dynamic = name == "invokedynamic"
        descriptor = pool.dynamic(each.number).descriptor if is_dynamic else pool.member(each.number).descriptor
        parameters, result = method_types(descriptor)
        taken = "".join(kind_of(type_) for type_ in parameters)
        return ("" if name in ("invokestatic", "invokedynamic") else "A") + taken, kind_of(result)
    if name == "multianewarray":
        return "I" * each.second, "A"
    if name not in _EFFECTS:
        raise ClassFormatError(f"the instruction {name} at {each.at} of a method is not supported")
    taken, _, left = _EFFECTS[name].partition(">")
    return taken, left


def rearranged(name: str, stack: list[str]) -> list[int] | None:
    """What dup, pop and swap do: the places of the stack that they leave there instead of its last ones, counted from
    the bottom; None for other instructions. `stack`: kinds."""
    top = len(stack) - 1
    if name == "swap":
        return [*range(top - 1), top, top - 1]
    if name not in ("pop", "pop2", "dup", "dup_x1", "dup_x2", "dup2", "dup2_x1", "dup2_x2"):
        return None
    count = _values(stack, len(stack), 2 if "2" in name.split("_")[0] else 1)
    moved = list(range(len(stack) - count, len(stack)))
    if name.startswith("pop"):
        return list(range(len(stack) - count))
    below = _values(stack, len(stack) - count, int(name[-1])) if "_x" in name else 0
    first = len(stack) - count - below
    return [*range(first), *moved, *range(first, len(stack) - count), *moved]


def _values(stack: list[str], end: int, words: int) -> int:
    """How many values before place `end` take so many words of the stack."""
    count = 0
    while words > 0:
        count += 1
        words -= 2 if stack[end - count] in "JD" else 1
    return count


def stacks(code: Code, pool: ConstantPool) -> dict[int, str]:
    """Offset → kinds on the stack before the instruction there, for all instructions that can be reached.

    Raises ClassFormatError for code that does not keep its stack in order.
    """
    at_offset = {each.at: each for each in code.instructions}
    found: dict[int, str] = {}
    waiting = [(0, "")]
    while waiting:
        at, stack = waiting.pop()
        if at in found:
            if found[at] != stack:
                raise ClassFormatError(f"the stack before the instruction at {at} of a method is not always the same")
            continue
        if at not in at_offset:
            raise ClassFormatError(f"a method goes on at {at}, where no instruction is")
        each, found[at] = at_offset[at], stack
        after = _after(each, stack, pool)
        waiting += [(to, after) for to in each.targets]
        if each.name not in LEAVING and not each.name.endswith("return"):
            waiting.append((each.at + each.size, after))
        waiting += [(handler.target, "A") for handler in code.handlers if handler.start <= at < handler.end]
    return found


def _after(each: Instruction, stack: str, pool: ConstantPool) -> str:
    try:
        moved = rearranged(each.name, list(stack))
    except IndexError:
        moved = [-1]
    if moved is not None:
        if any(place < 0 for place in moved):
            raise ClassFormatError(f"{each.name} at {each.at} of a method finds too little on the stack")
        return "".join(stack[place] for place in moved)
    taken, left = effect(each, pool)
    if not stack.endswith(taken):
        raise ClassFormatError(f"{each.name} at {each.at} of a method finds {stack or 'nothing'} on the stack")
    return stack[: len(stack) - len(taken)] + left
