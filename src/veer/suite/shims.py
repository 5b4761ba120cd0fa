"""What a harness calls, for a suite: the same functions as in the campaign, fed from the recorded roots in their order.

A root is found by its name and occurrence, as in the campaign. Preconditions that fail end the test; assertions abort.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from veer.model.describe import describe
from veer.model.inputs import Root, Scalar
from veer.model.literal import image, string
from veer.model.program import HarnessKind, Program
from veer.model.result import Test

_FILES = {
    HarnessKind.KLEE: "klee.c",
    HarnessKind.TESTCOMP: "testcomp.c",
    HarnessKind.VEER: "veer.c",
}
_MAIN = "veer_user_main"


def _template(name: str) -> str:
    return resources.files("veer.suite").joinpath("templates", name).read_text(encoding="utf-8")


def shim(program: Program) -> str:
    """The support code of the harness kind; empty for a plain function."""
    if program.harness in _FILES or program.stubs:
        own = _template(_FILES[program.harness]) if program.harness in _FILES else ""
        return _template("feed.c") + own
    return _template("program.c") if program.harness is HarnessKind.PROGRAM else ""


def feed(program: Program, test: Test) -> list[str]:
    """The statements of a test of a harness that fetches its own inputs, or of a whole program."""
    if program.harness is HarnessKind.PROGRAM:
        return _program(test)
    return [*feed_statements(program, test, test.inputs.roots), "", *_call_main(program, ())]


def feed_statements(program: Program, test: Test, roots: Sequence[Root]) -> list[str]:
    """A table of the recorded roots, and the call that hands it to the support code."""
    if not roots:
        return ["veer_feed(NULL, 0);"]
    shown = describe(program, test.inputs)
    rows = ["static const struct veer_input inputs[] = {"]
    for root in roots:
        label = root.name if root.occurrence == 0 else f"{root.name}#{root.occurrence}"
        note = shown.get(label, "").replace("*/", "* /").replace("/*", "/ *")
        text = string(image(root.cells, root.size))
        rows.append(f"    {{ {string(root.name.encode())}, {root.occurrence}, {root.size}, {text} }}, /* {note} */")
    return [*rows, "};", f"veer_feed(inputs, {len(roots)});"]


def _call_main(program: Program, arguments: tuple[str, ...]) -> list[str]:
    entry = program.function(program.entry) or program.function(_MAIN)
    count = len(entry.parameters) if entry is not None else 0
    name = _MAIN if program.entry == "main" else program.entry
    given = arguments[:count] if arguments else ("1", '(char *[]){ "program", NULL }', "(char *[]){ NULL }")[:count]
    return [
        f"(void){name}({', '.join(given)});" if entry is None or entry.returns >= 0 else f"{name}({', '.join(given)});"
    ]


def stub_definitions(program: Program, tests: Sequence[Test]) -> str:
    """Definitions of the functions that neither sources nor libraries define: they return the recorded values in order.

    They are defined by symbol name, without the declaration's parameters, which x86-64's calling convention allows.
    """
    return "".join(_stub(name, _stub_root(name, tests)) for name in program.stubs)


def _stub_root(name: str, tests: Sequence[Test]) -> Root | None:
    return next((root for test in tests for root in test.inputs.roots if root.name == name), None)


def _stub(name: str, root: Root | None) -> str:
    value = root.cells[0].value if root is not None and root.cells else None
    result = "unsigned long"
    if isinstance(value, Scalar) and value.kind == "float":
        result = "float" if value.width == 32 else "double"
    return (
        f"\n/* {name}() is defined nowhere: it returns what the recorded run took. */\n"
        f'{result} veer_stub_{name}(void) __asm__("{name}");\n'
        f"{result} veer_stub_{name}(void)\n{{\n    {result} value = 0;\n"
        f"    veer_take(&value, sizeof value, {string(name.encode())});\n    return value;\n}}\n"
    )


def _program(test: Test) -> list[str]:
    """Standard input through a file in memory, the arguments as heap strings."""
    lines: list[str] = []
    arguments = sorted((root for root in test.inputs.roots if root.name.startswith("argv")), key=lambda root: root.name)
    data = b"".join(image(root.cells, root.size) for root in test.inputs.roots if root.name == "stdin")
    shown = ['(char *)"program"']
    for root in arguments:
        text = image(root.cells, root.size)
        shown.append(f"veer_string({string(text.split(bytes(1))[0])})")
    lines.append(f"char *arguments[] = {{ {', '.join([*shown, 'NULL'])} }};")
    lines.append(f"veer_standard_input({string(data)}, {len(data)});")
    return [*lines, "", f"(void){_MAIN}({len(shown)}, arguments);"]
