"""String concatenation by `invokedynamic` (JEP 280), as the calls that javac wrote for it up to Java 8.

"a\\1b" with an int  →  new StringBuilder().append("a").append(int).append("b").toString()

Objects are asked for their text by `append`, as String.valueOf does it. Where the string is printed, nobody reads it:
objects make their texts, and numbers no digits, which would be decided.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, MemberRef, StringConstant
from veer.frontends.java.classfile.descriptors import is_reference, method_types
from veer.frontends.java.classfile.model import ClassFile, Code

BUILDER = "java/lang/StringBuilder"
MADE = MemberRef(BUILDER, "<init>", "()V")
WRITTEN = MemberRef(BUILDER, "toString", "()Ljava/lang/String;")
TOLD = MemberRef("java/lang/VeerTexts", "write", "(Ljava/lang/Object;)V")
"""Has an object make its text, of which nobody hears."""
_PRINTED = {("java/io/PrintStream", name, "(Ljava/lang/String;)V") for name in ("print", "println")}
_FACTORY = "java/lang/invoke/StringConcatFactory"
_STRING = "Ljava/lang/String;"
_APPENDED = {**{each: each for each in "ZCIJFD"}, "B": "I", "S": "I", _STRING: _STRING}
"""Type of an argument -> the type of `append` that writes it."""
_ARGUMENT, _CONSTANT = 1, 2

Piece = tuple[int, ...] | None
"""The characters of a literal; None for the next argument."""


def _appended(type_: str) -> str:
    """What `append` takes for a value of this type."""
    return _APPENDED.get(type_, "Ljava/lang/Object;" if is_reference(type_) else "")


def is_concatenation(owner: ClassFile, number: int) -> bool:
    """Whether the call site is what javac writes for `+` of strings."""
    site = owner.pool.dynamic(number)
    if site.bootstrap >= len(owner.bootstraps):
        return False
    member = owner.bootstraps[site.bootstrap].method.member
    return (member.owner, member.name) == (_FACTORY, "makeConcatWithConstants")


def not_written(owner: ClassFile, number: int) -> list[str]:
    """The types of its arguments that veer cannot write as text: none. Kept for what is no type of a value."""
    return [each for each in method_types(owner.pool.dynamic(number).descriptor)[0] if not _appended(each)]


def pieces(owner: ClassFile, number: int) -> list[Piece] | None:
    """What the call site concatenates, in order; None where it is no concatenation, or one that is not supported."""
    parameters = method_types(owner.pool.dynamic(number).descriptor)[0]
    if not is_concatenation(owner, number) or not_written(owner, number):
        return None
    recipe, *constants = owner.bootstraps[owner.pool.dynamic(number).bootstrap].arguments
    if not isinstance(recipe, StringConstant):
        return None
    texts = [each.units for each in constants if isinstance(each, StringConstant)]
    if len(texts) != len(constants) or recipe.units.count(_CONSTANT) != len(texts):
        return None
    found = list(_split(recipe.units, iter(texts)))
    return found if found.count(None) == len(parameters) else None


def append(type_: str) -> MemberRef:
    """The method that appends a value of this type."""
    return MemberRef(BUILDER, "append", f"({_appended(type_)})L{BUILDER};")


def members(each: Instruction, code: Code, owner: ClassFile) -> list[MemberRef]:
    """The methods that the call site needs; none where it is not supported."""
    if pieces(owner, each.number) is None:
        return []
    types = {*method_types(owner.pool.dynamic(each.number).descriptor)[0], _STRING}
    may_be_told = any(map(is_object, types)) and printing(each, code, owner.pool) is not None
    return [MADE, WRITTEN, *([TOLD] if may_be_told else []), *(append(each) for each in sorted(types))]


def is_object(type_: str) -> bool:
    """Whether a value of this type is asked for its text: no string or number is."""
    return _appended(type_) == "Ljava/lang/Object;"


def printing(each: Instruction, code: Code, pool: ConstantPool) -> MemberRef | None:
    """The call behind a concatenation that prints what it makes, where no jump leads to it; or None."""
    at = each.at + each.size
    if any(at in other.targets for other in code.instructions):
        return None
    behind = next((other for other in code.instructions if other.at == at), None)
    if behind is None or behind.name != "invokevirtual":
        return None
    member = pool.member(behind.number)
    return member if member[:3] in _PRINTED else None


def _split(units: tuple[int, ...], constants: Iterator[tuple[int, ...]]) -> Iterator[Piece]:
    text: list[int] = []
    for unit in units:
        if unit == _CONSTANT:
            text += next(constants)
        elif unit != _ARGUMENT:
            text.append(unit)
        else:
            if text:
                yield tuple(text)
            text = []
            yield None
    if text:
        yield tuple(text)
