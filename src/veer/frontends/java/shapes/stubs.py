"""Functional interfaces of which there is no object: a function whose results are inputs, a fresh one for each call.

IntPredicate    class ...$$VeerStub { boolean test(int a) { return Engine.aBoolean(); } }
in tests        (IntPredicate) (a0) -> (veer.Given.next("aBoolean") & 1) != 0
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.classfile.constants import MemberRef
from veer.frontends.java.classfile.descriptors import class_of, full_words, is_reference, method_types
from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.classfile.writing import ClassWriter
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.lowering.cuts import ENGINE, INPUTS
from veer.frontends.java.shapes.generics import Environment, Generic, above, environment, of_signature
from veer.frontends.java.shapes.shape import Candidate
from veer.model.types import Recipe

STUB = "$$VeerStub"
_OF_OBJECTS = ("equals", "hashCode", "toString")
_MAKERS = {letter: name for name, letter in reversed(INPUTS.items()) if name not in ("aCharacter", "aLength")}
_MAKERS |= {"J": "aLong", "I": "anInt", "B": "aByte"}
_GIVEN = {
    **{"Z": '(veer.Given.next("aBoolean") & 1) != 0', "B": '(byte) veer.Given.next("aByte")'},
    **{"C": '(char) veer.Given.next("aChar")', "S": '(short) veer.Given.next("aShort")'},
    **{"I": '(int) veer.Given.next("anInt")', "J": 'veer.Given.next("aLong")'},
    "F": 'Float.intBitsToFloat((int) veer.Given.next("aFloat"))',
    "D": 'Double.longBitsToDouble(veer.Given.next("aDouble"))',
    **{"V": "{}", "T": "veer.Given.string()", "O": "veer.Given.object()"},
}
"""How tests give results, by letter: T is a text, O null or a number in a box."""
_TEXTS = ("java/lang/String", "java/lang/CharSequence")
_OBJECTS = ("java/lang/Object", "java/lang/Integer", "java/lang/Number", "java/lang/Comparable")
_PACKAGES = ("java/util/function/", "java/util/Comparator", "java/lang/Runnable", "java/util/concurrent/Callable")


def stub(path: ClassPath, type_: Generic) -> Candidate | None:
    """The function that stands for objects of an interface; None where veer makes none."""
    owner = path.find(type_.name)
    if owner is None or not owner.is_interface or not (path.is_own(type_.name) or type_.name.startswith(_PACKAGES)):
        return None
    found = dict(_abstract(path, owner, environment(owner.signature, type_.given), {}))
    if len(found) != 1:
        return None
    ((method, result),) = found.values()
    letter = _letter(result)
    if not letter or method.signature.startswith("<"):
        return None
    name = f"{type_.name.replace('/', '_')}{STUB}{letter}"
    if path.find(name) is None:
        path.add(_written(name, type_.name, method, letter), _any_own(path))
    given = ", ".join(f"a{place}" for place, _ in enumerate(method_types(method.descriptor)[0]))
    text = full_words(f"L{type_.name};")
    return Candidate(name, (), Recipe(text, f"(({text}) ({given}) -> {_GIVEN[letter]})"), stub=f"{type_.name} {letter}")


def _any_own(path: ClassPath) -> str:
    return next(iter(path.names()), "")


def _abstract(
    path: ClassPath, owner: ClassFile, known: Environment, seen: dict[tuple[str, str], None]
) -> Iterator[tuple[tuple[str, str], tuple[Method, Generic]]]:
    """The methods that an object of an interface has to have, with what they return."""
    for each in owner.methods:
        if each.is_static or each.name in _OF_OBJECTS or each.key in seen:
            continue
        seen[each.key] = None
        if Access.ABSTRACT in each.access:
            returned = of_signature(each.signature.partition(")")[2].partition("^")[0], _result(each), known)
            yield each.key, (each, returned)
    listed = {each.name: each for each in above(owner.signature, known)}
    for name in owner.interfaces:
        found = path.find(name)
        if found is not None:
            given = listed[name].given if name in listed else ()
            yield from _abstract(path, found, environment(found.signature, given), seen)


def _result(method: Method) -> str:
    return method_types(method.descriptor)[1]


def _letter(type_: Generic) -> str:
    """What a result is: a letter of a primitive type, V, T, O; empty for what veer makes none of."""
    if type_.is_primitive:
        return type_.name
    return "T" if type_.name in _TEXTS else "O" if type_.name in _OBJECTS else ""


def _written(name: str, interface: str, method: Method, letter: str) -> ClassFile:
    writer = ClassWriter(name, interfaces=[interface])
    code, result = writer.code(), _result(method)
    if letter in "TO":
        made = ("string", "()Ljava/lang/String;") if letter == "T" else ("object", "()Ljava/lang/Object;")
        code.call("invokestatic", MemberRef("veer/Inputs", *made))
        if is_reference(result) and class_of(result) not in ("java/lang/Object", "java/lang/String"):
            code.of_class("checkcast", class_of(result))
    elif letter != "V":
        code.call("invokestatic", MemberRef(ENGINE, _MAKERS[letter], f"(){letter}"))
    code.leave(result)
    writer.add_method(method.name, method.descriptor, code, is_static=False)
    return writer.made()
