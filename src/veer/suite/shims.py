"""What a harness calls, for a suite: the same functions as in the campaign, fed from the recorded roots in their order.

A root is found by its name and occurrence, as in the campaign. Preconditions that fail end the test; assertions abort.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import resources

from veer.model.describe import describe
from veer.model.inputs import Pointer, Root, Scalar
from veer.model.literal import image, string
from veer.model.program import HarnessKind, Program
from veer.model.result import Test
from veer.suite.interfaces import definitions


def _template(name: str) -> str:
    return resources.files("veer.suite").joinpath("templates", name).read_text(encoding="utf-8")


def shim(program: Program) -> str:
    """The support code of the harness kind; empty for a plain function."""
    own = definitions(program)
    text = _template("feed.c") + "\n" + own if own or program.stubs else ""
    return text + (_template("program.c") if program.harness is HarnessKind.PROGRAM else "")


def feed(program: Program, test: Test) -> tuple[list[str], str]:
    """The inputs of a test of a harness that fetches its own, or of a whole program, and the call."""
    if program.harness is HarnessKind.PROGRAM:
        return _program(program, test), _call_program(program, test)
    return feed_statements(program, test, test.inputs.roots), _call_entry(program)


def feed_statements(
    program: Program, test: Test, roots: Sequence[Root], variable: Callable[[int], str] | None = None
) -> list[str]:
    """A table of the recorded roots, and the call that hands it to the support code.

    `variable` names the local variable of an object, for roots that are pointers.
    """
    if not roots:
        return ["veer_feed(NULL, 0);"]
    shown = describe(program, test.inputs)
    rows = ["const struct veer_input inputs[] = {"]
    for root in roots:
        label = root.name if root.occurrence == 0 else f"{root.name}#{root.occurrence}"
        note = shown.get(label, "").replace("*/", "* /").replace("/*", "/ *")
        text = string(image(root.cells, root.size))
        value = root.cells[0].value if root.cells else None
        if isinstance(value, Pointer) and value.target is not None and variable is not None:
            text = f"(const char *)&{variable(value.target)}"
        rows.append(f"    {{ {string(root.name.encode())}, {root.occurrence}, {root.size}, {text} }}, /* {note} */")
    return [*rows, "};", f"veer_feed(inputs, {len(roots)});"]


def _call_entry(program: Program) -> str:
    """The call of a harness function, which takes no inputs as arguments; main gets its name only."""
    entry = program.function(program.entry)
    count = len(entry.parameters) if entry is not None else 0
    given = ("1", '(char *[]){ "program", NULL }', "(char *[]){ NULL }")[:count] if program.entry == "main" else ()
    return f"{program.entry}({', '.join(given)})"


def stub_root(name: str) -> str:
    """How the inputs are called that a stub of this function takes: `read_sensor()`, one occurrence a call."""
    return f"{name}()"


def stub_definitions(program: Program, tests: Sequence[Test]) -> str:
    """Definitions of the functions that neither sources nor libraries define: they return the recorded values in order.

    They are defined by symbol name, without the declaration's parameters, which x86-64's calling convention allows.
    """
    return "".join(_stub(name, _stub_root(name, tests)) for name in program.stubs)


def _stub_root(name: str, tests: Sequence[Test]) -> Root | None:
    return next((root for test in tests for root in test.inputs.roots if root.name == stub_root(name)), None)


def _stub(name: str, root: Root | None) -> str:
    value = root.cells[0].value if root is not None and root.cells else None
    result = "unsigned long"
    if isinstance(value, Scalar) and value.kind == "float":
        result = "float" if value.width == 32 else "double"
    elif root is not None and root.size > 8:
        result = "struct veer_pair"  # two registers, as small structs come back
    zero = "{ 0, 0 }" if result.startswith("struct") else "0"
    return (
        f"\n/* {name}() is defined nowhere: it returns what the recorded run took. */\n"
        f'{result} veer_stub_{name}(void) __asm__("{name}");\n'
        f"{result} veer_stub_{name}(void)\n{{\n    {result} value = {zero};\n"
        f"    veer_take(&value, sizeof value, {string(stub_root(name).encode())});\n    return value;\n}}\n"
    )


def _program(program: Program, test: Test) -> list[str]:
    """Standard input through a file in memory, the arguments as heap strings where main takes them."""
    entry = program.function("main")
    count = len(entry.parameters) if entry is not None else 2
    data = b"".join(image(root.cells, root.size) for root in test.inputs.roots if root.name == "stdin")
    objects = {item.number: item for item in test.inputs.objects}
    shown = ['veer_string("program")']
    for root in _arguments(test):
        value = root.cells[0].value if root.cells else None
        item = objects.get(value.target or 0) if isinstance(value, Pointer) else None
        text = image(item.cells, item.size) if item is not None else b""
        shown.append(f"veer_string({string(text.split(bytes(1))[0])})")
    lines = [f"char *arguments[] = {{ {', '.join([*shown, 'NULL'])} }};"] if count > 1 else []
    if count > 2:
        lines.append("char *environment[] = { NULL };")
    return [*lines, f"veer_standard_input({string(data)}, {len(data)});"]


def _arguments(test: Test) -> list[Root]:
    """The roots argv[1], argv[2], ... in their order."""
    numbered = [(re.fullmatch(r"argv\[(\d+)\]", root.name), root) for root in test.inputs.roots]
    return [
        root for _, root in sorted(((int(found[1]), root) for found, root in numbered if found), key=lambda e: e[0])
    ]


def _call_program(program: Program, test: Test) -> str:
    entry = program.function("main")
    count = len(entry.parameters) if entry is not None else 2
    given = (str(len(_arguments(test)) + 1), "arguments", "environment")[:count]
    return f"main({', '.join(given)})"
