"""Expressions of C with the range of their values, so that nothing overflows and no index leaves its array.

Every arithmetic here is of int or wider; a value that could leave the range of an int is brought back first.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

LIMIT = 1 << 30
"""No int's value is brought beyond it."""
VARIABLE = 1000
"""The greatest absolute value that a variable of the scope holds."""
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True, slots=True)
class Value:
    """An expression of type int, in brackets where need be; low <= value <= high. `varies`: with the inputs."""

    text: str
    low: int
    high: int
    varies: bool = True

    @property
    def is_index(self) -> bool:
        """Whether it can never be negative."""
        return self.low >= 0


@dataclass
class Scope:
    """What expressions can be made of at one place: values by what makes them, and what can be assigned to.

    `places`: an lvalue with the bounds that a value must be brought into before it is stored.
    """

    inputs: list[Value] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    makers: list[Callable[[Expressions], Value]] = field(default_factory=list)
    places: list[tuple[str, int, int]] = field(default_factory=list)

    def copy(self) -> Scope:
        """For an inner block."""
        return Scope(self.inputs, list(self.values), list(self.makers), list(self.places))

    def input(self, text: str, low: int, high: int) -> None:
        """What the entry was given."""
        self.inputs.append(Value(text, low, high))

    def variable(self, text: str, low: int = -VARIABLE, high: int = VARIABLE, *, writable: bool = True) -> None:
        """A variable, or what acts like one."""
        self.values.append(Value(text, low, high))
        if writable:
            self.places.append((text, low, high))


class Expressions:
    """Makes expressions of what a scope has. `functions`: of one argument, (name, least, greatest result)."""

    def __init__(self, chance: random.Random, scope: Scope) -> None:
        self.random = chance
        self.scope = scope
        self.depth = 0

    def constant(self) -> Value:
        """A number that branches like to be compared with."""
        number = self.random.choice((0, 1, 2, 3, 4, 5, 7, 10, 31, 64, 100, -1, -2, -5))
        return Value(str(number) if number >= 0 else f"({number})", number, number, varies=False)

    def atom(self) -> Value:
        """A variable, a member, an element, a call: what the features of the program put into the scope."""
        if self.scope.makers and self.depth < 2 and self.random.random() < 0.4:
            self.depth += 1
            made = self.random.choice(self.scope.makers)(self)
            self.depth -= 1
            return made
        if self.scope.inputs and self.random.random() < 0.5:
            return self.random.choice(self.scope.inputs)
        return self.random.choice(self.scope.values)

    def value(self, depth: int = 2) -> Value:
        """An expression."""
        kind = self.random.randrange(11 if depth else 5)
        if kind < 5:
            return self.atom() if kind or self.random.random() < 0.5 else self.constant()
        left = self.value(depth - 1)
        if kind < 8:
            return self.sum(left, self.value(depth - 1))
        if kind == 8:
            return self.product(left, self.constant())
        if kind == 9:
            return self.remainder(left)
        return self.bits(left, self.value(depth - 1))

    def sum(self, left: Value, right: Value) -> Value:
        """left + right or left - right."""
        left, right = self.within(left, LIMIT // 2), self.within(right, LIMIT // 2)
        varies = left.varies or right.varies
        if self.random.random() < 0.5:
            return Value(f"({left.text} + {right.text})", left.low + right.low, left.high + right.high, varies)
        return Value(f"({left.text} - {right.text})", left.low - right.high, left.high - right.low, varies)

    def product(self, left: Value, right: Value) -> Value:
        """left * right."""
        left, right = self.within(left, 1 << 14), self.within(right, 1 << 14)
        corners = [one * other for one in (left.low, left.high) for other in (right.low, right.high)]
        return Value(f"({left.text} * {right.text})", min(corners), max(corners), left.varies or right.varies)

    def remainder(self, left: Value) -> Value:
        """left % n, left / n or left >> n."""
        by = self.random.choice((2, 3, 5, 7, 16))
        kind = self.random.randrange(3)
        low, high = left.low, left.high
        if kind == 0:
            least, most = (0 if low >= 0 else 1 - by), (0 if high <= 0 else by - 1)
            return Value(f"({left.text} % {by})", least, most, left.varies)
        if kind == 1:
            return Value(f"({left.text} / {by})", min(low, 0), max(high, 0), left.varies)
        return Value(f"({left.text} >> 1)", low >> 1, high >> 1, left.varies)

    def bits(self, left: Value, right: Value) -> Value:
        """left & right, | or ^."""
        top = 1
        while top <= max(abs(left.low), abs(left.high), abs(right.low), abs(right.high)):
            top *= 2
        operator = self.random.choice("&|^")
        low = 0 if left.low >= 0 and right.low >= 0 else -top
        return Value(f"({left.text} {operator} {right.text})", low, top - 1, left.varies or right.varies)

    def within(self, value: Value, limit: int) -> Value:
        """The same value if its absolute value is below the limit, else a remainder of it."""
        if -limit < value.low and value.high < limit:
            return value
        by = min(limit - 1, VARIABLE)
        low, high = (0 if value.low >= 0 else 1 - by), (0 if value.high <= 0 else by - 1)
        return Value(f"({value.text} % {by})", low, high, value.varies)

    def fitting(self, low: int, high: int, depth: int = 2) -> Value:
        """An expression whose value lies between two bounds."""
        return self.fitted(self.value(depth), low, high)

    def fitted(self, value: Value, low: int, high: int) -> Value:
        """The expression, brought between two bounds (low <= 0 <= high or low = 0)."""
        if low <= value.low and value.high <= high:
            return value
        if low >= 0:
            return self.index(value, high + 1)
        by = min(-low, high) + 1
        return Value(f"({value.text} % {by})", max(1 - by, low), min(by - 1, high), value.varies)

    def index(self, value: Value, count: int) -> Value:
        """The expression, brought into 0 .. count-1."""
        if value.low >= 0 and value.high < count:
            return value
        if count & (count - 1) == 0:
            return Value(f"({value.text} & {count - 1})", 0, count - 1, value.varies)
        return Value(f"(int)((unsigned){value.text} % {count}u)", 0, count - 1, value.varies)

    def some_index(self, count: int) -> Value:
        """An index into an array of so many elements, that depends on the inputs mostly."""
        return self.index(self.value(1), count)

    def condition(self) -> str:
        """A comparison, without a mark."""
        left = self.atom() if self.random.random() < 0.6 else self.value(1)
        if self.scope.inputs and self.random.random() < 0.3:
            left = self.random.choice(self.scope.inputs)
        for _ in range(4):
            if left.varies:
                break
            left = self.atom()
        right = self.constant() if self.random.random() < 0.75 else self.atom()
        if left.high - left.low < 20 and not right.varies:
            near = self.random.randint(left.low, left.high)
            right = Value(str(near), near, near, varies=False)
        return f"{left.text} {self.random.choice(COMPARISONS)} {right.text}"
