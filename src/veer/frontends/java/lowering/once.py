"""What runs a class's initialiser when the class is first used, those above it first (JVMS 5.5).

    @a.B.static.done    0: not yet   1: it runs, or has run   2: it failed

Of a user's class that fails an ExceptionInInitializerError is thrown, whose cause is what the initialiser threw (errors
are thrown as they are); from then on the class cannot be used: NoClassDefFoundError. A class of the runtime that fails
ends the run.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Protocol

from veer.frontends.java.classfile.descriptors import dotted
from veer.frontends.java.classfile.model import ClassFile
from veer.frontends.java.lowering.layout import Layouts
from veer.frontends.java.lowering.names import method_symbol, once_symbol
from veer.frontends.java.lowering.world import BROKEN, ERROR, FAILED, World

_PENDING = "@veer_call_java_pending"


class Tables(Protocol):
    """What it asks the module for."""

    world: World

    @property
    def layouts(self) -> Layouts: ...

    def subtypes(self, name: str) -> str:
        """See ModuleNames."""
        ...

    def string(self, units: tuple[int, ...]) -> str:
        """See ModuleNames."""
        ...


def once_of_runtime(owner: ClassFile, before: Sequence[str], failed: str) -> list[str]:
    """For a class of the runtime. `before`: calls for those above it; `failed`: a constant that says what failed."""
    name = once_symbol(owner)
    return [
        f"@{name}.done = internal global i8 0",
        f"define void @{name}() {{",
        f"  %done = load i8, ptr @{name}.done",
        "  %is_done = icmp ne i8 %done, 0",
        "  br i1 %is_done, label %end, label %first",
        "first:",
        f"  store i8 1, ptr @{name}.done",
        *before,
        f"  call void @{_initialiser(owner)}()",
        f"  %pending = load ptr, ptr {_PENDING}",
        "  %is_thrown = icmp ne ptr %pending, null",
        "  br i1 %is_thrown, label %failed, label %end",
        "failed:",
        f"  call void @veer_refuse(ptr {failed})",
        "  ret void",
        "end:",
        "  ret void",
        "}",
    ]


def once(owner: ClassFile, before: Sequence[str], tables: Tables) -> list[str]:
    """For a class of the user's. `before`: calls for those above it."""
    name = once_symbol(owner)
    units = struct.iter_unpack("<H", f"Could not initialize class {dotted(owner.name)}".encode("utf-16-le"))
    message = tables.string(tuple(unit for (unit,) in units))
    return [
        f"@{name}.done = internal global i8 0",
        f"define void @{name}() {{",
        f"  %done = load i8, ptr @{name}.done",
        "  switch i8 %done, label %end [ i8 0, label %first i8 2, label %again ]",
        "first:",
        f"  store i8 1, ptr @{name}.done",
        *before,
        f"  %above = load ptr, ptr {_PENDING}",
        "  %is_above = icmp ne ptr %above, null",
        "  br i1 %is_above, label %broken, label %run",
        "run:",
        f"  call void @{_initialiser(owner)}()",
        f"  %pending = load ptr, ptr {_PENDING}",
        "  %is_thrown = icmp ne ptr %pending, null",
        "  br i1 %is_thrown, label %failed, label %end",
        "failed:",
        "  %number = load i32, ptr %pending",
        "  %wide = zext i32 %number to i64",
        f"  %place = getelementptr i8, ptr {tables.subtypes(ERROR)}, i64 %wide",
        "  %found = load i8, ptr %place",
        "  %is_error = icmp ne i8 %found, 0",
        "  br i1 %is_error, label %broken, label %wrap",
        "wrap:",
        f"  store ptr null, ptr {_PENDING}",
        *_thrown("wrapped", FAILED, "%pending", tables),
        "  br label %broken",
        "broken:",
        f"  store i8 2, ptr @{name}.done",
        "  ret void",
        "again:",
        *_thrown("refused", BROKEN, message, tables),
        "  ret void",
        "end:",
        "  ret void",
        "}",
    ]


def _thrown(name: str, made: tuple[str, str], given: str, tables: Tables) -> list[str]:
    """A new exception of a class and by the constructor that `made` names is on its way."""
    owner, descriptor = made
    number, size = tables.layouts.numbers[owner], tables.layouts.shape(owner).size
    found = tables.world.type(owner)
    constructor = found.method("<init>", descriptor)
    assert constructor is not None
    return [
        f"  %{name} = call ptr @veer_call_java_new(i64 {size}, i32 {number})",
        f"  call void @{method_symbol(found, constructor)}(ptr %{name}, ptr {given})",
        f"  store ptr %{name}, ptr {_PENDING}",
    ]


def _initialiser(owner: ClassFile) -> str:
    return once_symbol(owner).removesuffix(".once")
