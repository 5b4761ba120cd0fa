"""What is known while one method is lowered: its code, its stack, and what the module gives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct, field

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool
from veer.frontends.java.classfile.model import Code, Handler
from veer.frontends.java.lowering.kinds import IR_TYPES
from veer.frontends.java.lowering.layout import Layouts
from veer.frontends.java.lowering.locations import column_of
from veer.frontends.java.lowering.text import FunctionText
from veer.frontends.java.lowering.world import Reached, World


class ModuleNames(Protocol):
    """What a method asks the module for."""

    @property
    def catches(self) -> bool:
        """Whether any method of the world has a handler of exceptions."""
        ...

    @property
    def is_shared(self) -> bool:
        """Whether the text must not depend on the world: code of the runtime, which is kept for other entries."""
        ...

    def text(self, words: str) -> str:
        """A constant with this text and a NUL."""
        ...

    def data(self, data: bytes) -> str:
        """A constant with these bytes."""
        ...

    def number(self, name: str) -> str:
        """A variable that holds the number of a class."""
        ...

    def class_object(self, name: str) -> str:
        """The object that stands for a class."""
        ...

    def string(self, units: tuple[int, ...]) -> str:
        """The object of a string literal."""
        ...

    def dimensions(self, name: str, count: int) -> str:
        """A table of the numbers of an array type and of so many that are its elements."""
        ...

    def subtypes(self, name: str) -> str:
        """A table of bytes by class number: 1 for subtypes of this class."""
        ...

    def dispatch(self, call: tuple[str, str, str]) -> str:
        """A table of functions by class number, for a virtual call."""
        ...

    def elements(self) -> str:
        """What may be stored in arrays: a byte for (class number of the array, class number of the value)."""
        ...


class MethodState(Struct):
    """One method. `stack`: (kind, value) from the bottom; `at`: the instruction that is lowered."""

    reached: Reached
    code: Code
    world: World
    layouts: Layouts
    module: ModuleNames
    locate: Callable[[int, int], str] = lambda line, column: ""  # the text of a place: ", !dbg !12"
    text: FunctionText = field(default_factory=FunctionText)
    stack: list[tuple[str, str]] = field(default_factory=list)
    at: Instruction = field(default_factory=lambda: Instruction(0, "nop"))
    before: Instruction | None = None  # the instruction before it in the code
    slots: dict[str, str] = field(default_factory=dict)  # allocas: name -> type
    literals: dict[str, str] = field(default_factory=dict)  # objects of string literals -> their texts
    classes: dict[str, str] = field(default_factory=dict)  # class objects that the code names -> their classes

    @property
    def pool(self) -> ConstantPool:
        """The constants of its class."""
        return self.reached.owner.pool

    def push(self, kind: str, value: str) -> None:
        """A value on top of the stack."""
        self.stack.append((kind, value))

    def pop(self) -> str:
        """The top of the stack."""
        return self.stack.pop()[1]

    def made(self, name: str) -> str:
        """A new object of a class: all fields are zeros."""
        size = self.layouts.shape(name).size
        return self.text.value(f"call ptr @veer_call_java_new(i64 {size}, i32 {self.number(name)})")

    def number(self, name: str) -> str:
        """The number of a class."""
        if not self.module.is_shared:
            return str(self.layouts.numbers[name])
        return self.text.value(f"load i32, ptr {self.module.number(name)}")

    def slot(self, role: str, number: int, kind: str) -> str:
        """The memory of a local variable (role l) or of a place of the stack (role s) for values of a kind."""
        name = f"%{role}{number}.{kind}"
        self.slots[name] = IR_TYPES[kind]
        return name

    def place(self, check: int) -> str:
        """The place of the instruction, or of one of its checks, as text."""
        return self.locate(self.code.line(self.at.at), column_of(self.at.at, check, len(self.code.raw)))

    def handlers(self) -> tuple[Handler, ...]:
        """The handlers of the instruction, the first that is asked first."""
        return tuple(each for each in self.code.handlers if each.start <= self.at.at < each.end)
