"""What a harness calls, for a suite: the same functions as in the campaign, fed from the recorded roots in their order.

A root is found by its name and occurrence, as in the campaign. Preconditions that fail end the test; assertions abort.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from veer.model.describe import describe, type_at
from veer.model.filesgiven import AskedFile, asked_files, file_roots, held_bytes
from veer.model.inputs import Pointer, Root, Scalar
from veer.model.literal import image, string
from veer.model.outcome import Outcome
from veer.model.program import EXIT_OF_STUBS, STANDARD_INPUT, HarnessKind, Program
from veer.model.result import Test
from veer.model.stubcalls import Mocks
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.values import replace
from veer.suite.c.behind import function_behind, parameters, statements
from veer.suite.c.callbacktypes import callback_types
from veer.suite.c.declarators import Names, declare
from veer.suite.c.devices import begin, is_read
from veer.suite.c.environment import answers, is_answer
from veer.suite.c.expectations import Expectation, Kind
from veer.suite.c.failures import failures
from veer.suite.c.files import file_functions, has_files
from veer.suite.c.graph import GraphWriter
from veer.suite.c.interfaces import definitions
from veer.suite.c.mocks import Parameter, keeping, mocked
from veer.suite.c.mocks import support as mock_support
from veer.suite.c.spelling import SCALAR_NAMES

_INTEGERS = (TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.CHAR, TypeKind.BOOL)


def shim(program: Program) -> str:
    """The functions that stand for others: of a harness interface, of the C library's; empty without any."""
    return definitions(program) + answers(program) + failures(program) + file_functions(program)


def file_statements(program: Program, test: Test) -> list[str]:
    """A test's registers, and its files: there are no others, and those that are inputs hold as many bytes as in the
    recorded run."""
    statements = [*begin(program), *(["veer_k_begin();"] if has_files(program) else [])]
    statements += (_asked(file) for file in asked_files(program, test.inputs) if not file.parameter)
    for file in program.files:
        data = held_bytes(file, test.inputs)
        given = f"{string(data)}, {len(data)}"
        is_input = file.name == STANDARD_INPUT
        named = f"veer_k_file({string(file.name.encode())}, {given});"
        statements.append(f"veer_standard_input({given});" if is_input else named)
    return statements


def _asked(file: AskedFile) -> str:
    if file.is_folder and file.name is None:
        return f"veer_k_next_folder({int(file.data is not None)});"
    if file.is_folder and file.name is not None and file.data is not None:
        return f"veer_k_folder({string(file.name.encode())});"
    given = "NULL, 0" if file.data is None else f"{string(file.data)}, {len(file.data)}"
    if file.name is None:
        return f"veer_k_next_file({given});"
    name = string(file.name.encode())
    return f"veer_k_missing({name});" if file.data is None else f"veer_k_file({name}, {given});"


def given_files(program: Program, test: Test) -> dict[str, str]:
    """Parameter → the open file that it is, as an expression."""
    entry = program.function(program.entry)
    known = {file.parameter: file.data for file in asked_files(program, test.inputs)}
    found: dict[str, str] = {}
    for parameter in entry.parameters if entry is not None else ():
        type_ = type_at(program, parameter.type)
        if type_ is None or type_.extent is not ExtentKind.OPEN:
            continue
        data = known.get(parameter.name, b"")
        is_stream = type_.kind is TypeKind.POINTER
        if data is None:
            found[parameter.name] = "NULL" if is_stream else "-1"
        else:
            made = "veer_k_stream_of" if is_stream else "veer_k_descriptor_of"
            found[parameter.name] = f"{made}({string(data)}, {len(data)})"
    return found


def feed(program: Program, test: Test) -> tuple[list[str], str]:
    """The inputs of a test of a harness that fetches its own, or of a whole program, and the call."""
    if program.harness is HarnessKind.PROGRAM:
        fed = _fed(program, test, taken_roots(program, test)) if is_fed(program, test) else []
        return [*fed, *_program(program, test), *file_statements(program, test)], _call_program(program, test)
    fed = _fed(program, test, test.inputs.roots)
    return [*fed, *file_statements(program, test)], _call_entry(program)


def taken_roots(program: Program, test: Test) -> list[Root]:
    """The inputs that a test gets from functions: those that undefined functions, callbacks and the C library's
    functions of --inputs returned, whether those of --fail failed, and those that the unit took by a harness
    interface, which have no type."""
    taken = {stub_root(name) for name in stub_names(program)}
    files = file_roots(program, test.inputs)
    has_interface = bool(definitions(program))
    return [
        root
        for root in test.inputs.roots
        if root.name in taken
        or function_behind(root) in taken
        or is_answer(program, root)
        or is_read(root)
        or (has_interface and root.type < 0 and root.name not in files)
    ]


def is_fed(program: Program, test: Test) -> bool:
    """Whether a test needs a table of such inputs, be it an empty one."""
    has_some = program.stubs or program.asked or program.failing or program.device
    return bool(has_some or taken_roots(program, test))


def _fed(program: Program, test: Test, roots: Sequence[Root]) -> list[str]:
    """The table of these roots behind the objects that they lead to."""
    values = [cell.value for root in roots for cell in root.cells]
    if not any(isinstance(value, Pointer) and value.target is not None for value in values):
        return feed_statements(program, test, roots)
    led_to = {value.target for value in values if isinstance(value, Pointer)}
    # The strings of argv are made elsewhere.
    given = {cell.value.target for root in _arguments(test) for cell in root.cells if isinstance(cell.value, Pointer)}
    objects = tuple(item for item in test.inputs.objects if item.number not in given - led_to)
    writer = GraphWriter(program, replace(test.inputs, objects=objects), (), Names(program))
    return [*writer.write().lines, *feed_statements(program, test, roots, writer.variable)]


def feed_statements(
    program: Program, test: Test, roots: Sequence[Root], variable: Callable[[int], str] | None = None
) -> list[str]:
    """A table of the recorded roots, and the call that hands it to the support code.

    `variable` names the local variable of an object, for roots that are pointers.
    """
    if not roots:
        return ["veer_feed(NULL, 0);"]
    shown = describe(program, test.inputs)
    rows = ["const struct veer_input veer_fed[] = {"]
    for root in roots:
        label = root.name if root.occurrence == 0 else f"{root.name}#{root.occurrence}"
        note = shown.get(label, "").replace("*/", "* /").replace("/*", "/ *")
        text = string(image(root.cells, root.size))
        value = root.cells[0].value if root.cells else None
        if isinstance(value, Pointer) and value.target is not None and variable is not None:
            text = f"(const char *)&{variable(value.target)}"
        elif isinstance(value, Pointer) and value.function:
            text = f"(const char *)&(void *){{ (void *){value.function} }}"
        rows.append(f"    {{ {string(root.name.encode())}, {root.occurrence}, {root.size}, {text} }}, /* {note} */")
    return [*rows, "};", f"veer_feed(veer_fed, {len(roots)});"]


def _call_entry(program: Program) -> str:
    """The call of a harness function, which takes no inputs as arguments; main gets its name only."""
    entry = program.function(program.entry)
    count = len(entry.parameters) if entry is not None else 0
    given = ("1", '(char *[]){ "program", NULL }', "(char *[]){ NULL }")[:count] if program.entry == "main" else ()
    return f"{program.entry}({', '.join(given)})"


def stub_names(program: Program) -> tuple[str, ...]:
    """Functions that return recorded inputs: those that are defined nowhere, and those that pointers lead to."""
    return (*program.stubs, *callback_types(program))


def stub_root(name: str) -> str:
    """How the inputs are called that a stub of this function takes: `read_sensor()`, one occurrence a call."""
    return f"{name}()"


def expected_calls(program: Program, tests: Sequence[Test], test: Test) -> tuple[Expectation, ...]:
    """How often the test calls each function that it returned recorded numbers for in some test.

    Others are left out: a result that is void, or a pointer that nobody looks at, leaves no input to count.
    """
    if test.outcome is not Outcome.RETURNED or program.mocks is not Mocks.NONE:
        return ()
    known = [root for each in tests for root in each.inputs.roots]
    found = []
    for name in map(stub_root, stub_names(program)):
        own = [root.cells for root in known if root.name == name]
        if own and all(len(cells) == 1 and isinstance(cells[0].value, Scalar) for cells in own):
            count = sum(root.name == name for root in test.inputs.roots)
            found.append(Expectation(Kind.UNSIGNED, f"veer_calls({string(name.encode())})", str(count), 64))
    return tuple(found)


def stub_definitions(program: Program, tests: Sequence[Test]) -> str:
    """Definitions of the functions that neither sources nor libraries define: they return the recorded values in order.

    They are defined by symbol name, without the declaration's parameters, which x86-64's calling convention allows.
    """
    mocks = mocked(program, tests)
    functions = [_stub(program, name, _stub_root(name, tests), mocks) for name in program.stubs]
    return "".join([mock_support(program, mocks), *functions, *(_zeros(name, size) for name, size in program.zeros)])


def _zeros(name: str, size: int) -> str:
    return (
        f"\n/* The variable {name} is defined nowhere else. */\n"
        f'char veer_zeros_{name}[{size}] __asm__("{name}") __attribute__((__aligned__(16)));\n'
    )


def unmade(program: Program, test: Test) -> str:
    """Why a test with calls of undefined functions cannot be written, or nothing.

    A function whose result cannot be made leaves one raw byte, which only tells that it was called.
    """
    taken = {stub_root(name): name for name in program.stubs}
    names = [taken[root.name] for root in test.inputs.roots if root.name in taken and root.type < 0 and root.size == 1]
    if names:
        return f"{names[0]} is defined nowhere, and its result cannot be made"
    for root in test.inputs.roots:
        if len(root.cells) > 1 and any(isinstance(cell.value, Pointer) and cell.value.target for cell in root.cells):
            if function_behind(root):
                return f"{function_behind(root)} writes a struct with pointers to other objects"
            if root.name in taken:
                return f"{root.name} returns a struct with pointers to other objects"
    return ""


def _stub_root(name: str, tests: Sequence[Test]) -> Root | None:
    return next((root for test in tests for root in test.inputs.roots if root.name == stub_root(name)), None)


def _stub(program: Program, name: str, root: Root | None, mocks: Mapping[str, Sequence[Parameter]]) -> str:
    struct, result = _stub_result(program, name, root)
    type_ = type_at(program, root.type) if root is not None else None
    zero = "{ 0 }" if type_ is not None and type_.kind in (TypeKind.STRUCT, TypeKind.UNION) else "0"
    passed = program.passed.get(name, ())
    is_mock = name in mocks
    taken = f"veer_stub_{name}({parameters(passed, are_kept=is_mock)})"
    kept = keeping(program, name, mocks[name]) if is_mock else ""
    if name in program.ending:
        about, end = "it ends the program", f"libc_exit({EXIT_OF_STUBS})"
    else:
        about, end = (
            "it returns what the recorded run took",
            f"veer_take(&value, sizeof value, {string(stub_root(name).encode())})",
        )
    also = ", and keeps what it is given" if is_mock else ""
    return (
        f"\n/* {name}() is defined nowhere: {about}{also}. */\n{struct}"
        f'{result} {taken} __asm__("{name}");\n'
        f"{result} {taken}\n{{\n    {result} value = {zero};\n{kept}{statements(passed, stub_root(name))}"
        f"    {end};\n    return value;\n}}\n"
    )


def _stub_result(program: Program, name: str, root: Root | None) -> tuple[str, str]:
    """The definition of a struct if the result is one, and the result's type: the same registers as in the campaign."""
    type_ = type_at(program, root.type) if root is not None else None
    if type_ is not None and type_.kind in (TypeKind.STRUCT, TypeKind.UNION) and not _is_of_a_stub(type_):
        return "", type_.name
    if type_ is not None and type_.kind == TypeKind.STRUCT:
        fields = [declare(program.types, program.types[field.type], field.name) for field in type_.fields]
        return f"struct veer_result_{name} {{ {'; '.join(fields)}; }};\n", f"struct veer_result_{name}"
    value = root.cells[0].value if root is not None and root.cells else None
    if isinstance(value, Scalar) and value.kind == "float":
        return "", "float" if value.width == 32 else "double"
    if (
        program.is_for_board
    ):  # a caller there takes a small number for one that is extended, and a wide one from two registers
        known = type_ is not None and type_.kind in _INTEGERS and type_.size < 8
        return "", SCALAR_NAMES[type_.kind, type_.size] if known and type_ is not None else "unsigned long long"
    return "", "unsigned long"  # fills the register, whatever part of it the caller reads


def _is_of_a_stub(type_: Type) -> bool:
    """Whether veer made the struct, of registers alone (frontends/c/stubs.py)."""
    return re.fullmatch(r"struct veer_stub_\d+_result", type_.name) is not None


def _program(program: Program, test: Test) -> list[str]:
    """The arguments as heap strings where main takes them; nothing to read where standard input is no input."""
    entry = program.function("main")
    count = len(entry.parameters) if entry is not None else 2
    objects = {item.number: item for item in test.inputs.objects}
    shown = ['veer_string("program")']
    arguments = {root.name: root for root in _arguments(test)}
    for number in range(1, _argument_count(test)):
        root = arguments.get(f"argv[{number}]")  # none: it was there, and nobody looked at it
        value = root.cells[0].value if root is not None and root.cells else None
        item = objects.get(value.target or 0) if isinstance(value, Pointer) else None
        text = image(item.cells, item.size) if item is not None else b""
        shown.append(f"veer_string({string(text.split(bytes(1))[0])})")
    lines = [f"char *arguments[] = {{ {', '.join([*shown, 'NULL'])} }};"] if count > 1 else []
    if count > 2:
        lines.append("char *environment[] = { NULL };")
    if any(file.name == STANDARD_INPUT for file in program.files):
        return lines
    return [*lines, 'veer_standard_input("", 0);']


def _arguments(test: Test) -> list[Root]:
    """The roots argv[1], argv[2], ... that the run looked at."""
    return [root for root in test.inputs.roots if re.fullmatch(r"argv\[\d+\]", root.name)]


def _argument_count(test: Test) -> int:
    """What argc was, the program's name counted; one that is no input is 1 (the entry's table shows it as 0)."""
    for root in test.inputs.roots:
        if root.name == "argc" and root.cells and isinstance(value := root.cells[0].value, Scalar):
            return max(1, value.number)
    return 1


def _call_program(program: Program, test: Test) -> str:
    entry = program.function("main")
    count = len(entry.parameters) if entry is not None else 2
    given = (str(_argument_count(test)), "arguments", "environment")[:count]
    call = f"main({', '.join(given)})"
    return f"libc_exit({call})" if program.acts_at_exit else call
