"""Jumps and switches of one method. A branch asks what the source asks: a jump forward leaves where that is false."""

from __future__ import annotations

from msgspec import Struct

from veer.frontends.java.lowering import numbers
from veer.frontends.java.lowering.cuts import BOXED
from veer.frontends.java.lowering.state import MethodState
from veer.frontends.java.lowering.words import Words, operator, opposite

ASSERTIONS_DISABLED = "$assertionsDisabled"


class SourceBranch(Struct, frozen=True):
    """A branch that coverage counts: what it asks, in the words of Java."""

    text: str


class Branches:
    """Writes the ends of blocks. `found`: the branches of the source by the offset of their instruction."""

    def __init__(self, state: MethodState, words: Words) -> None:
        self._state = state
        self._words = words
        self.found: dict[int, SourceBranch] = {}
        self.compared: dict[str, tuple[str, str, str]] = {}  # results of lcmp, fcmpl, ...: name, operands
        self.answers: dict[str, tuple[str, str]] = {}  # ints that are booleans: their i1, and words

    def jump_if(self, next_label: str) -> None:
        """if…: to its target, or on."""
        state = self._state
        each = state.at
        is_forward = each.number > each.at
        test = each.name.rpartition("_icmp")[2] if "_icmp" in each.name else each.name.removeprefix("if")
        test = test.removeprefix("_acmp")
        asked = opposite(test) if is_forward else test
        taken = 2 if "cmp" in each.name else 1
        is_open = any(self._is_open(value) for _, value in state.stack[-taken:])
        condition, text = self._condition(each.name, asked)
        if is_open:
            self.found[each.at] = SourceBranch(text)
        target = f"b{each.number}"
        sides = (next_label, target) if is_forward else (target, next_label)
        state.text.add(f"br i1 {condition}, label %{sides[0]}, label %{sides[1]}")

    def _is_open(self, value: str) -> bool:
        """Whether the source asks: an `assert` begins with a question of the compiler's own, whose answer is known."""
        return value.startswith("%") and self._words.of(value) != ASSERTIONS_DISABLED

    def _condition(self, name: str, test: str) -> tuple[str, str]:
        state, text = self._state, self._state.text
        other = state.pop() if "cmp" in name else ""
        one = state.pop()
        if name in ("ifnull", "ifnonnull"):
            sign = "eq" if test == "null" else "ne"
            return text.value(f"icmp {sign} ptr {one}, null"), self._words_of(sign, one, "null")
        if "_acmp" in name:
            return self._same(test, one, other), self._words_of(test, one, other)
        if other:
            condition = text.value(f"icmp {numbers.integer_test(test)} i32 {one}, {other}")
            return condition, self._words_of(test, one, other)
        if one in self.compared:
            how, left, right = self.compared[one]
            type_ = {"l": "i64", "f": "float", "d": "double"}[how[0]]
            condition = text.value(f"{numbers.tested(how, test)} {type_} {left}, {right}")
            return condition, self._words_of(test, left, right)
        condition = text.value(f"icmp {numbers.integer_test(test)} i32 {one}, 0")
        if one in self.answers and test in ("eq", "ne"):
            said = self._words.of(one)
            return condition, said if test == "ne" else f"!{said}" if said else ""
        return condition, self._words_of(test, one, "0")

    def _same(self, test: str, one: str, other: str) -> str:
        """Whether two references are (not) the same: small numbers that were boxed are, so is a constant of an enum and
        a copy of it."""
        text = self._state.text
        world = self._state.world
        has_twins = world.has_twins or BOXED in world.methods
        if self._state.module.is_shared or not has_twins or "null" in (one, other):
            return text.value(f"icmp {test} ptr {one}, {other}")
        same = text.value(f"call i1 @veer_call_java_same(ptr {one}, ptr {other})")
        return same if test == "eq" else text.value(f"xor i1 {same}, true")

    def _words_of(self, test: str, one: str, other: str) -> str:
        left = self._words.of(one)
        right = "null" if other == "null" else self._words.of(other)
        return f"{left} {operator(test)} {right}" if left and right else ""

    def switch(self) -> None:
        """tableswitch, lookupswitch: what goes where the default goes is no case of its own."""
        state = self._state
        value, each = state.pop(), state.at
        cases = [(number, to) for number, to in each.cases if to != each.number]
        if not cases:
            state.text.add(f"br label %b{each.number}")
            return
        self.found[each.at] = SourceBranch(self._words.of(value))
        table = " ".join(f"i32 {number}, label %b{to}" for number, to in cases)
        state.text.add(f"switch i32 {value}, label %b{each.number} [ {table} ]")
