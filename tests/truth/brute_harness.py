"""Header → the C text that includes the program and runs it once on inputs that the brute force chooses."""

from __future__ import annotations

import re

from brute_header import Expectation, Input, Target, Values

HIGH = """\
#define BF_LOW(T) ((T)-1 < (T)0 ? -(1ll << (8 * sizeof(T) - 1)) : 0)
#define BF_HIGH(T) ((T)2 == (T)1 ? 1 : (T)-1 < (T)0 ? (1ll << (8 * sizeof(T) - 1)) - 1 : (1ll << (8 * sizeof(T))) - 1)
"""


class Writer:
    """Collects tables; each has a number of its own."""

    def __init__(self, typedefs: dict[str, str]) -> None:
        self.lines: list[str] = []
        self.count = 0
        self.typedefs = typedefs
        self.stubs: list[tuple[str, str]] = []

    def number(self) -> int:
        """A fresh number for a table's name."""
        self.count += 1
        return self.count

    def domain(self, values: Values, ctype: str) -> str:
        """Writes a domain for a scalar of that C type; returns its name."""
        n = self.number()
        ranges = values.ranges
        text = f"{{BF_LOW({ctype}), BF_HIGH({ctype})}}"
        if ranges is not None:
            text = ", ".join(f"{{(int64_t){low}ull, (int64_t){high}ull}}" for low, high in _unsigned(ranges))
        self.lines.append(f"static const int64_t bf_ranges_{n}[][2] = {{{text}}};")
        count = 1 if ranges is None else len(ranges)
        self.lines.append(f"static const struct bf_domain bf_domain_{n} = {{{count}, bf_ranges_{n}}};")
        return f"&bf_domain_{n}"

    def type(self, ctype: str, name: str, cells: tuple[tuple[str, Values | Target], ...], count: int = 0) -> str:
        """Writes a type of cells (`count` > 0: an array of that many scalars); returns its name."""
        n = self.number()
        own = f"bf_type_{n}"
        self.lines.append(f"static const struct bf_type {own};")
        entries = []
        for path, content in cells:
            for index in range(max(count, 1)):
                entries.append(self.cell(ctype, path, content, own, index))
        self.lines.append(f"static const struct bf_cell bf_cells_{n}[] = {{{', '.join(entries)}}};")
        size = f"sizeof(__typeof__({ctype})){f' * {count}' if count else ''}"
        self.lines.append(f'static const struct bf_type {own} = {{"{name}", {size}, {len(entries)}, bf_cells_{n}}};')
        return own

    def cell(self, ctype: str, path: str, content: Values | Target, own: str, index: int) -> str:
        """One entry of a table of cells."""
        member = f"(*(__typeof__({ctype}) *)0){path}"
        kind = f"__typeof__({member})"
        offset = f"(uint32_t)((uintptr_t)&{member} + {index} * sizeof({member}))"
        if isinstance(content, Values):
            return f"{{{offset}, sizeof({member}), {self.domain(content, kind)}, 0}}"
        # Pointers of the same C type can be aliases: their targets have the same name, in all elements of an array.
        one_name = re.sub(r"\[.*?\]", "", path)
        name = ctype.rpartition("*")[0].strip() if not path else f"target of {own}{one_name}"
        name = self.typedefs.get(name, name)
        return f"{{{offset}, sizeof({member}), 0, &{self.target(f'__typeof__(*{member})', name, content, own)}}}"

    def target(self, ctype: str, name: str, target: Target, own: str) -> str:
        """Writes what a pointer to `ctype` may point to, a type called `name`; returns the table's name."""
        if target.returns:
            return self.stub(target)
        element = own if target.own else self.type(ctype, name, target.cells)
        n = self.number()
        extent = {"one": "BF_ONE", "string": "BF_STRING", "length": "BF_LENGTH", "count": "BF_COUNT"}[target.extent]
        length = f'"{target.length}"' if target.length else "0"
        self.lines.append(
            f"static const struct bf_target bf_target_{n} = {{&{element}, 1, {extent}, {target.maximum}, {length}, 0}};"
        )
        return f"bf_target_{n}"

    def stub(self, target: Target) -> str:
        """Writes the function that a pointer may lead to, named as veer's first one; returns the table's name."""
        n, name = self.number(), "veer_callback_1()"
        self.stubs.append((name, self.type(target.returns, name, target.cells)))
        self.lines += [
            f"static {target.returns} bf_stub_{n}(void) {{ {target.returns} value; "
            f'bf_make_named(&value, sizeof value, "{name}"); return value; }}',
            f"static const struct bf_target bf_target_{n} = {{0, 1, BF_STUB, 0, 0, (void (*)(void))bf_stub_{n}}};",
        ]
        return f"bf_target_{n}"


def _unsigned(ranges: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    return [(low & (1 << 64) - 1, high & (1 << 64) - 1) for low, high in ranges]


def harness(expectation: Expectation) -> str:
    """The C text of the brute force's harness for a program."""
    typedefs = re.findall(r"^typedef ([\w ]+) (\w+);", expectation.path.read_text(), re.MULTILINE)
    writer = Writer({name: meant for meant, name in typedefs})
    types = [_root(writer, given) for given in expectation.inputs]
    named = [(given.name, own) for given, own in zip(expectation.inputs, types, strict=True)]
    named += writer.stubs
    for given in expectation.stubs:  # a stub's result is called as the call looks
        named.append((f"{given.name}()", writer.type(given.declaration, given.name, given.cells)))
    roots = ", ".join(f'{{"{name}", &{own}}}' for name, own in named)
    depth = expectation.options.get("graph_depth", "3")
    return "\n".join(
        [
            f'#include "{expectation.path}"',
            '#include "brute.h"',
            HIGH,
            *writer.lines,
            f"const struct bf_root bf_roots[] = {{{roots or '{0, 0}'}}};",
            f"const uint32_t bf_root_count = {len(named)};",
            f"const uint32_t bf_graph_depth = {depth};",
            *(_stub(given) for given in expectation.stubs),
            "void bf_case(void) {",
            *_body(expectation, types),
            "}",
            "",
        ]
    )


def _root(writer: Writer, given: Input) -> str:
    if given.array and given.cells[0][0]:
        return writer.type(f"{given.declaration}[{given.array}]", given.name, given.cells)
    return writer.type(given.declaration, given.name, given.cells, given.array)


def _stub(given: Input) -> str:
    return (
        f"{given.declaration} {given.name}(void) {{ {given.declaration} value; "
        f'bf_make_named(&value, sizeof value, "{given.name}()"); return value; }}'
    )


def _body(expectation: Expectation, types: list[str]) -> list[str]:
    if expectation.is_harness:
        return ["    (void)user_main();"]
    lines = []
    for given in expectation.inputs:
        lines.append(f"    __typeof__({given.declaration}) bf_{given.name};")
    # Lengths first: a buffer's size is read when its pointer is decided.
    order = sorted(range(len(types)), key=lambda k: any(isinstance(c, Target) for _, c in expectation.inputs[k].cells))
    for k in order:
        name = expectation.inputs[k].name
        lines.append(f"    bf_local(&bf_{name}, sizeof bf_{name});")
        lines.append(f'    bf_make(&bf_{name}, &{types[k]}, "{name}");')
    call = f"{expectation.entry}({', '.join(f'bf_{given.name}' for given in expectation.inputs)})"
    if re.search(rf"\bvoid\s+{expectation.entry}\s*\(", expectation.path.read_text()):
        return [*lines, f"    {call};"]
    return [*lines, f"    __typeof__({call}) bf_value = {call};", "    bf_result(&bf_value, sizeof bf_value);"]
