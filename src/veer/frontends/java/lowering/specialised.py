"""Calls that mean less than their method can do, or need more of the runtime than most, and what is run instead.

`text.split(",")` needs no pattern, whose code is 700 methods; `String.format` with %f needs the digits of real numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, MemberRef, StringConstant
from veer.frontends.java.classfile.model import Code

_SPLIT = ("java/lang/String", "split", "(Ljava/lang/String;)[Ljava/lang/String;")
_SPLIT_AT = MemberRef("java/lang/Veer_String", "splitAt", "(Ljava/lang/String;Ljava/lang/String;)[Ljava/lang/String;")
_MEANS_MORE = frozenset(".$|()[{^?*+\\")
_FILLED = "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;"
_FILLED_FOR = "(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;"
_FORMATS = {
    ("java/lang/String", "format", _FILLED): _FILLED,
    ("java/lang/String", "format", _FILLED_FOR): _FILLED_FOR,
    ("java/lang/String", "formatted", "([Ljava/lang/Object;)Ljava/lang/String;"): _FILLED,
}
_REAL = re.compile(r"%[-+ 0,(#]*\d*(?:\.\d+)?f")


def specialised(before: Instruction | None, each: Instruction, code: Code, pool: ConstantPool) -> MemberRef | None:
    """The static method of veer's core that a call may run instead, with the same values from the stack; or None.

    `before`: the instruction before the call.
    """
    if each.name not in ("invokevirtual", "invokestatic"):
        return None
    called = pool.member(each.number)[:3]
    if called in _FORMATS:
        has_real = any(_REAL.search(text) for text in _literals(code, pool))
        return MemberRef("java/lang/VeerRealFormat", "format", _FORMATS[called]) if has_real else None
    return _SPLIT_AT if called == _SPLIT and _is_split_at(before, each, code, pool) else None


def _literals(code: Code, pool: ConstantPool) -> Iterator[str]:
    for each in code.instructions:
        constant = pool.constant(each.number) if each.name.startswith("ldc") else None
        if isinstance(constant, StringConstant):
            yield constant.text


def _is_split_at(before: Instruction | None, each: Instruction, code: Code, pool: ConstantPool) -> bool:
    """Whether the pattern is a literal of one character that means nothing else."""
    if before is None or not before.name.startswith("ldc"):
        return False
    constant = pool.constant(before.number)
    is_jumped_to = any(each.at in other.targets for other in code.instructions)
    if not isinstance(constant, StringConstant) or is_jumped_to or before.at + before.size != each.at:
        return False
    text = constant.text
    is_plain = len(text) == 1 and text not in _MEANS_MORE and not 0xD800 <= ord(text) < 0xE000
    return is_plain or (len(text) == 2 and text[0] == "\\" and not text[1].isalnum() and text[1].isascii())
