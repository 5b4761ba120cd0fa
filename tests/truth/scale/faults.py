"""Planted bugs, each with the condition under which it ends a run; none has an effect where the condition is false.

A fault's outcome is the key that veer has for it. `exited` is no bug, but ends a run as one does.
"""

from __future__ import annotations

from dataclasses import dataclass

from scale.marked import Node, line
from scale.writer import Statement, Writer


@dataclass(frozen=True, slots=True)
class Fault:
    """`check`: what veer must be asked for to see it; `plant` makes the statements."""

    name: str
    plant: Statement
    check: str = ""


def _read_behind(w: Writer) -> list[Node]:
    name, index = w.fresh("four"), w.fresh("at")
    target = w.random.choice(w.scope.places)[0]
    return [
        line(f"int {name}[4] = {{5, 6, 7, 8}};", fixed=True),
        line(f"int {index} = {w.make.some_index(5).text};", fixed=True),
        line(f"‹fault out-of-bounds-read|{index} > 3›{target} = {name}[{index}] & 1;"),
    ]


def _write_behind(w: Writer) -> list[Node]:
    name, index = w.fresh("three"), w.fresh("at")
    return [
        line(f"char {name}[3] = {{1, 2, 3}};", fixed=True),
        line(f"int {index} = {w.make.some_index(4).text};", fixed=True),
        line(f"‹fault out-of-bounds-write|{index} > 2›{name}[{index}] = 9;"),
    ]


def _write_static(w: Writer) -> list[Node]:
    name, index = w.fresh("fixed"), w.fresh("at")
    w.static(f"static int {name}[5];")
    return [
        line(f"int {index} = {w.make.some_index(8).text} - 1;", fixed=True),
        line(f"‹fault out-of-bounds-write|{index} < 0 || {index} > 4›{name}[{index}] = 1;"),
    ]


def _heap_behind(w: Writer) -> list[Node]:
    name, index = w.fresh("block"), w.fresh("at")
    return [
        line(f"char *{name} = calloc(1, 3);", fixed=True),
        Node((f"if (!‹{name}›)", (line("abort();"),)), True),
        line(f"int {index} = {w.make.some_index(4).text};", fixed=True),
        line(f"‹fault out-of-bounds-write|{index} > 2›{name}[{index}] = 1;"),
        line(f"free({name});", fixed=True),
    ]


def _division(w: Writer) -> list[Node]:
    name = w.fresh("by")
    target = w.random.choice(w.scope.places)[0]
    operator = w.random.choice("/%")
    return [
        line(f"int {name} = {w.make.fitting(-900, 900).text} - {w.random.randrange(4)};", fixed=True),
        line(f"‹fault division|{name} == 0›{target} = (100 {operator} {name}) & 1;"),
    ]


def _null(w: Writer) -> list[Node]:
    name, target = w.fresh("maybe"), w.fresh("it")
    return [
        line(f"int {target} = 3, *{name} = &{target};", fixed=True),
        Node((*f"if ({w.condition()})".split("\n"), (line(f"{name} = 0;"),))),
        line(f"‹fault null-dereference|!{name}›*{name} = 4;"),
    ]


def _used_after_free(w: Writer) -> list[Node]:
    name, gone = w.fresh("block"), w.fresh("gone")
    return [
        line(f"int *{name} = calloc(2, sizeof(int)), {gone} = 0;", fixed=True),
        Node((f"if (!‹{name}›)", (line("abort();"),)), True),
        Node(
            (*f"if ({w.condition()}) {{".split("\n"), (line(f"free({name});"), line(f"{gone} = 1;", fixed=True)), "}")
        ),
        line(f"‹fault use-after-free|{gone}›{name}[1] = 2;"),
        line(f"free({name});", fixed=True),
    ]


def _freed_twice(w: Writer) -> list[Node]:
    name, gone = w.fresh("block"), w.fresh("gone")
    return [
        line(f"int *{name} = calloc(2, sizeof(int)), {gone} = 0;", fixed=True),
        Node(
            (*f"if ({w.condition()}) {{".split("\n"), (line(f"free({name});"), line(f"{gone} = 1;", fixed=True)), "}")
        ),
        line(f"‹fault double-free|{gone}›free({name});"),
    ]


def _abort(w: Writer) -> list[Node]:
    return [Node((*f"if ({w.condition()})".split("\n"), (line("abort();"),)))]


def _assertion(w: Writer) -> list[Node]:
    w.includes.add("assert.h")
    holds = w.make.condition()
    return [line(f"‹fault assertion|!({holds})›assert({holds});")]


def _exit(w: Writer) -> list[Node]:
    return [Node((*f"if ({w.condition()})".split("\n"), (line(f"exit({w.make.some_index(4).text});"),)))]


def _unterminated(w: Writer) -> list[Node]:
    name, index = w.fresh("word"), w.fresh("at")
    target = w.random.choice(w.scope.places)[0]
    return [
        line(f'char {name}[4] = "abc";', fixed=True),
        line(f"int {index} = {w.make.some_index(8).text};", fixed=True),
        Node((f"if (‹{index} < 4›)", (line(f"{name}[{index}] = 'd';", fixed=True),)), True),
        line(f"‹fault out-of-bounds-read|{name}[3] != 0›{target} = (int)strlen({name}) & 1;"),
    ]


def _overflow(w: Writer) -> list[Node]:
    name = w.fresh("big")
    return [
        line(f"int {name} = 2147483600 + {w.make.some_index(16).text};", fixed=True),
        line(f"‹fault undefined|{name} > 2147483607›{name} += 40;"),
    ]


def _shift(w: Writer) -> list[Node]:
    name = w.fresh("by")
    target = w.random.choice(w.scope.places)[0]
    return [
        line(f"int {name} = {w.make.some_index(8).text} + 26;", fixed=True),
        line(f"‹fault undefined|{name} > 31›{target} = (int)(1u << {name} >> 25) & 1;"),
    ]


FAULTS = (
    Fault("read behind an array", _read_behind),
    Fault("write behind an array", _write_behind),
    Fault("write around a static array", _write_static),
    Fault("write behind a block", _heap_behind),
    Fault("division", _division),
    Fault("null", _null),
    Fault("use after free", _used_after_free),
    Fault("double free", _freed_twice),
    Fault("abort", _abort),
    Fault("assertion", _assertion),
    Fault("exit", _exit),
    Fault("unterminated string", _unterminated),
    Fault("overflow", _overflow, "overflow"),
    Fault("shift", _shift, "shift"),
)
