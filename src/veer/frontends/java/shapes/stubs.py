"""Interfaces of which there is no object: one whose methods have inputs as results, a fresh one for each call.

IntPredicate    class ...$$VeerStub { boolean test(int a) { return Engine.aBoolean(); } }
in tests        (IntPredicate) (a0) -> (veer.Given.next("aBoolean") & 1) != 0
Listener        the same with several methods
in tests        new Listener() { public void added(int a0) {} public int count() { return ...; } }
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping

from veer.frontends.java.classfile.constants import MemberRef
from veer.frontends.java.classfile.descriptors import class_of, full_words, is_reference, method_types
from veer.frontends.java.classfile.model import Access, ClassFile, Method
from veer.frontends.java.classfile.writing import ClassWriter
from veer.frontends.java.classpath.path import ClassPath
from veer.frontends.java.lowering.cuts import ENGINE, INPUTS
from veer.frontends.java.shapes.generics import Environment, Generic, above, environment, of_signature
from veer.frontends.java.shapes.naming import words_of
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
    **{"V": "{}", "T": "veer.Given.string()", "O": "veer.Given.object()", "N": "null"},
}
"""How tests give results, by letter: T is a text, O null or a number in a box, N always null."""
_NULL = "N"
_TEXTS = ("java/lang/String", "java/lang/CharSequence")
_OBJECTS = ("java/lang/Object", "java/lang/Integer", "java/lang/Number", "java/lang/Comparable")
_PACKAGES = ("java/util/function/", "java/util/Comparator", "java/lang/Runnable", "java/util/concurrent/Callable")


def stub(path: ClassPath, type_: Generic, is_named: Callable[[str], bool]) -> tuple[Candidate, tuple[str, ...]] | None:
    """What stands for objects of an interface, and what is left out; None where veer makes none. `is_named`: whether
    tests can name a class."""
    owner = path.find(type_.name)
    if owner is None or not owner.is_interface or not (path.is_own(type_.name) or type_.name.startswith(_PACKAGES)):
        return None
    found = dict(_abstract(path, owner, environment(owner.signature, type_.given), {}))
    is_function = len(found) == 1 and not any(each.signature.startswith("<") for each, _ in found.values())
    if not is_function and not (path.is_own(type_.name) and _is_written(path, owner, found, is_named)):
        return None
    letters = {key: _letter(result) for key, (_, result) in found.items()}
    told = ",".join(f"{name}{descriptor}={letter}" for (name, descriptor), letter in letters.items())
    name = f"{type_.name.replace('/', '_')}{STUB}{hashlib.sha256(told.encode()).hexdigest()[:12]}"
    if path.find(name) is None:
        path.add(_written(name, type_.name, letters), _any_own(path))
    text = full_words(f"L{type_.name};")
    call = _lambda(text, letters) if is_function else f"(new {text}() {{{_methods(letters)}}})"
    left = tuple(f"{words_of(type_.name)}.{key[0]} gives null" for key, letter in letters.items() if letter == _NULL)
    return Candidate(name, (), Recipe(text, f"({call})"), stub=f"{type_.name} {told}"), left


def _is_written(
    path: ClassPath,
    owner: ClassFile,
    found: Mapping[tuple[str, str], tuple[Method, Generic]],
    is_named: Callable[[str], bool],
) -> bool:
    """Whether a test can write a class for it: its methods are as their descriptors say, of types that it can name."""
    waiting = [owner]
    while waiting:
        one = waiting.pop()
        if any(each.given for each in above(one.signature, {})):
            return False
        waiting += filter(None, map(path.find, one.interfaces))
    types = {each for _, descriptor in found for each in (*method_types(descriptor)[0], method_types(descriptor)[1])}
    classes = (class_of(each.lstrip("[")) for each in types if is_reference(each.lstrip("[")))
    return bool(found) and all(is_named(each) for each in classes)


def _lambda(interface: str, letters: Mapping[tuple[str, str], str]) -> str:
    (((_, descriptor), letter),) = letters.items()
    given = ", ".join(f"a{place}" for place, _ in enumerate(method_types(descriptor)[0]))
    return f"({interface}) ({given}) -> {_result_text(descriptor, letter)}"


def _methods(letters: Mapping[tuple[str, str], str]) -> str:
    found = []
    for (name, descriptor), letter in letters.items():
        types, result = method_types(descriptor)
        given = ", ".join(f"{full_words(each)} a{place}" for place, each in enumerate(types))
        body = "{}" if letter == "V" else f"{{ return {_result_text(descriptor, letter)}; }}"
        found.append(f" public {full_words(result)} {name}({given}) {body}")
    return f"{''.join(found)} "


def _result_text(descriptor: str, letter: str) -> str:
    result = method_types(descriptor)[1]
    is_cast = letter == "O" and result != "Ljava/lang/Object;"
    return f"({full_words(result)}) {_GIVEN[letter]}" if is_cast else _GIVEN[letter]


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
    """What a result is: a letter of a primitive type, V, T, O; N for what veer makes none of."""
    if type_.is_primitive:
        return type_.name
    return "T" if type_.name in _TEXTS else "O" if type_.name in _OBJECTS else _NULL


def _written(name: str, interface: str, letters: Mapping[tuple[str, str], str]) -> ClassFile:
    writer = ClassWriter(name, interfaces=[interface])
    for (method, descriptor), letter in letters.items():
        code, result = writer.code(), method_types(descriptor)[1]
        if letter in "TO":
            made = ("string", "()Ljava/lang/String;") if letter == "T" else ("object", "()Ljava/lang/Object;")
            code.call("invokestatic", MemberRef("veer/Inputs", *made))
            if is_reference(result) and class_of(result) not in ("java/lang/Object", "java/lang/String"):
                code.of_class("checkcast", class_of(result))
        elif letter == _NULL:
            code.plain("aconst_null")
        elif letter != "V":
            code.call("invokestatic", MemberRef(ENGINE, _MAKERS[letter], f"(){letter}"))
        code.leave(result)
        writer.add_method(method, descriptor, code, is_static=False)
    return writer.made()
