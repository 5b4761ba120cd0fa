"""Calls that mean less than their method can do: `text.split(",")` needs no pattern, whose code is 700 methods."""

from __future__ import annotations

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, MemberRef, StringConstant
from veer.frontends.java.classfile.model import Code

_SPLIT = ("java/lang/String", "split", "(Ljava/lang/String;)[Ljava/lang/String;")
_SPLIT_AT = MemberRef("java/lang/Veer_String", "splitAt", "(Ljava/lang/String;Ljava/lang/String;)[Ljava/lang/String;")
_MEANS_MORE = frozenset(".$|()[{^?*+\\")


def specialised(before: Instruction | None, each: Instruction, code: Code, pool: ConstantPool) -> MemberRef | None:
    """The static method of veer's core that a call may run instead, with the same values from the stack; or None.

    `before`: the instruction before the call.
    """
    if each.name != "invokevirtual" or before is None or not before.name.startswith("ldc"):
        return None
    if pool.member(each.number)[:3] != _SPLIT:
        return None
    constant = pool.constant(before.number)
    is_jumped_to = any(each.at in other.targets for other in code.instructions)
    if not isinstance(constant, StringConstant) or is_jumped_to or before.at + before.size != each.at:
        return None
    text = constant.text
    is_plain = len(text) == 1 and text not in _MEANS_MORE and not 0xD800 <= ord(text) < 0xE000
    is_escaped = len(text) == 2 and text[0] == "\\" and not text[1].isalnum() and text[1].isascii()
    return _SPLIT_AT if is_plain or is_escaped else None
