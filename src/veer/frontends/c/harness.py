"""The text of a harness: a C file that includes the entry's source and defines `veer_main`, one run of it.

    <declarations of the runtime, under names of their own>
    #include "/home/u/list.c"
    static const struct veer_h_type veer_t_4 = { 4, 6, ... };          the types of the inputs
    void veer_main(void) {
        void *veer_p_0 = 0;
        veer_h_make(&veer_p_0, &veer_t_4, "list");
        __auto_type veer_r = (insert)(veer_p_0);
        veer_h_result(&veer_r, sizeof veer_r, 7);
        veer_h_returned(&veer_r, sizeof veer_r, 1);
    }

The user's macros are in force behind the `#include`, and his types may have no name or be local to a header: so the
harness names nothing of his but the entry, and structs that are passed by value; `void *` converts to any pointer.
Nothing is included before his source, for that would settle feature macros such as _GNU_SOURCE too early.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.c import endpointers
from veer.frontends.c.before_harness import CallsBefore, before_call, before_functions
from veer.frontends.c.calltext import argument_list, escape, variable
from veer.frontends.c.endpointers import length_roots
from veer.frontends.c.extents import ALWAYS_NULL
from veer.frontends.c.harness_types import type_tables
from veer.frontends.c.preconditions import Precondition, assumed
from veer.frontends.c.sequences import SequencePlan
from veer.frontends.c.statics import set_static
from veer.model.program import (
    DEVICE_LOG,
    DEVICE_LOG_SIZE,
    Device,
    Function,
    HarnessKind,
    InputFiles,
    Interrupt,
    SymbolicFile,
)
from veer.model.types import ARGUMENT_LIST, ExtentKind, Type, TypeKind
from veer.model.values import replace
from veer.model.variadic import MOST_ARGUMENTS, has_rest
from veer.wire.layout import OutputKind, Part

NEW = 1
"""The number of the other version; the entry's own is 0."""
MAXIMUM_OBJECTS = 64
"""Most objects of one memory graph; the bound is named in Program.bounds when pointers are inputs."""
_KEYWORDS = [
    "static",
    "const",
    "struct",
    "void",
    "return",
    "if",
    "for",
    "while",
    "int",
    "char",
    "short",
    "long",
    "unsigned",
    "signed",
    "float",
    "double",
    "sizeof",
]

PRELUDE = """\
/* Made by veer: do not edit. */
struct veer_h_type;
struct veer_h_field { __UINT32_TYPE__ veer_offset, veer_spare; const struct veer_h_type *veer_type; };
struct veer_h_type {
    __UINT32_TYPE__ veer_id;
    __UINT8_TYPE__ veer_kind, veer_nullable, veer_extent, veer_unit;
    __UINT32_TYPE__ veer_size, veer_count, veer_maximum, veer_alignment;
    const struct veer_h_field *veer_fields;
    const struct veer_h_type *veer_target;
    const char *veer_length;
    __UINT64_TYPE__ veer_low, veer_high;
    const void *veer_function;
    __UINT32_TYPE__ veer_bound, veer_longer;
};
extern void veer_h_make(void *, const struct veer_h_type *, const char *) __asm__("veer_make");
extern void veer_h_bytes(void *, __UINT64_TYPE__, const char *, __UINT64_TYPE__) __asm__("veer_make_symbolic");
extern void veer_h_result(const void *, __UINT32_TYPE__, __UINT32_TYPE__) __asm__("veer_result");
extern void veer_h_returned(const void *, __UINT32_TYPE__, __UINT32_TYPE__) __asm__("veer_returned");
struct veer_h_variable { const void *veer_address; __UINT32_TYPE__ veer_size, veer_spare; };
extern void veer_h_outputs(const struct veer_h_variable *, __UINT32_TYPE__, __UINT32_TYPE__) __asm__("veer_outputs");
extern void veer_h_assume(int) __asm__("veer_assume");
extern __UINT32_TYPE__ veer_h_clocks(void) __asm__("veer_clocks_are_inputs");
extern void veer_h_bounds(__UINT32_TYPE__, __UINT32_TYPE__) __asm__("veer_set_bounds");
extern void veer_h_depth(__UINT32_TYPE__) __asm__("veer_set_root_depth");
extern void veer_h_rest(void *, long long *, double *) __asm__("veer_rest");
extern void veer_h_give(const void *) __asm__("veer_give");
extern void veer_h_write(void *, __UINT32_TYPE__, const struct veer_h_type *, const char *, __UINT32_TYPE__,
                         __UINT32_TYPE__) __asm__("veer_stub_writes");
struct veer_h_argument { const void *veer_place; __UINT32_TYPE__ veer_size, veer_most; };
extern void veer_h_called(__UINT32_TYPE__, const struct veer_h_argument *, __UINT32_TYPE__)
    __asm__("veer_stub_called");
extern void veer_h_eager(void) __asm__("veer_set_eager");
extern void veer_h_unfold(void) __asm__("veer_unfold");
extern void veer_h_settled(void) __asm__("veer_set_settled");
extern void veer_h_settle(void) __asm__("veer_settle_roots");
extern void veer_h_argument(char **, const struct veer_h_type *, const char *, int) __asm__("veer_symbolic_argument");
extern void veer_h_files(unsigned long, unsigned long) __asm__("veer_allow_files");
extern void *veer_h_stream(const char *, unsigned long, int) __asm__("veer_given_stream");
extern int veer_h_descriptor(const char *, unsigned long, int) __asm__("veer_given_descriptor");
extern void veer_h_devices(const __UINT64_TYPE__ *, __UINT32_TYPE__, __UINT32_TYPE__) __asm__("veer_set_devices");
extern void veer_h_interrupt(void (*)(void), const char *, __UINT32_TYPE__, __UINT32_TYPE__)
    __asm__("veer_set_interrupt");
extern void veer_h_file(const char *, const char *, unsigned long) __asm__("veer_symbolic_file");
extern void veer_h_versions(void (*)(void), void (*)(void)) __asm__("veer_call_version");
extern void veer_h_left(const void *, const struct veer_h_type *, __UINT32_TYPE__, __UINT32_TYPE__)
    __asm__("veer_version_left");
extern void veer_h_before(void (*const *)(void), __UINT32_TYPE__, void (*)(void)) __asm__("veer_before");
"""


class OtherVersion(Struct, frozen=True):
    """Another version of the entry, which runs on the same inputs: its symbol, and those of its variables by their
    place among the outputs."""

    symbol: str
    variables: Mapping[int, str]


class Plan(Struct, frozen=True):
    """All that decides the harness text."""

    kind: HarnessKind
    include: Path
    entry: Function
    types: Sequence[Type]
    globals: tuple[tuple[str, int], ...] = ()  # name, type id
    beside: frozenset[str] = frozenset()  # variables that are defined nowhere and that no entry leads to
    outputs: tuple[tuple[str, int], ...] = ()  # the same of variables whose values are recorded around the call
    graph_depth: int = 3
    depths: Mapping[str, int] = field(default_factory=dict)  # of parameters with a bound of their own
    is_eager: bool = False  # the whole memory graph is made before the call
    is_settled: bool = False  # what the entry's own pointers lead to is decided before the call
    files: tuple[SymbolicFile, ...] = ()
    input_files: InputFiles | None = None  # that nobody names: the entry may ask for some
    device: Device | None = None  # the registers of the program's machine
    interrupt: Interrupt | None = None  # what may be called before volatile accesses
    arguments: tuple[int, ...] = ()  # pointer types of the symbolic command line arguments, from argv[1] on
    argument_count: int = -1  # type of argc where there are some
    preconditions: tuple[Precondition, ...] = ()
    sequence: SequencePlan | None = None
    before: CallsBefore | None = None
    declarations: str = ""  # of an entry in C++, in the place of its source
    has_exit_handlers: bool = False  # the program calls atexit: its main returns into exit, as C says
    tells: bool = False  # callbacks tell of their calls, for tests expect them
    end: str = ""  # what is called when the entry has returned: a question of specifications
    other: OtherVersion | None = None
    unread: frozenset[str] = frozenset()  # parameters that the entry never looks at: pointers are not decided for it

    @property
    def deepest(self) -> int:
        """The bound of the runtime: the longest chain of pointers that any root may begin."""
        return max([self.graph_depth, *self.depths.values()])


def harness_text(plan: Plan) -> str:
    """The C source of the harness."""
    roots = [identity for _, identity in plan.globals]
    if plan.kind in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER):
        roots += [each.type for each in plan.entry.parameters if plan.types[each.type].extent is not ExtentKind.OPEN]
    if plan.before is not None:
        roots += [identity for _, identity in plan.before.free]
        roots += [each.type for function in plan.before.functions for each in function.parameters]
    if plan.kind is HarnessKind.PROGRAM:
        roots += [*plan.arguments, *([plan.argument_count] if plan.arguments else [])]
    if plan.other is not None:
        roots += [plan.entry.returns] if plan.entry.returns >= 0 else []
        roots += [plan.outputs[place][1] for place in plan.other.variables]
    lines = [PRELUDE, *include_lines(plan)]
    lines += type_tables(apart(plan.types, plan.arguments), roots, tells=plan.tells)
    lines += output_table(plan)
    lines += before_functions(plan.before, plan.types) if plan.before is not None else ()
    if plan.other is None:
        lines += ["void veer_main(void);", *_run(plan, "void veer_main(void)")]
    else:
        lines += _versions(plan, plan.other)
    return "\n".join(lines) + "\n"


def _run(plan: Plan, head: str, version: int = 0) -> list[str]:
    """A function that makes the inputs and calls the entry, or the other version of it."""
    lines = [head, "{", f"    veer_h_bounds({plan.deepest}, {MAXIMUM_OBJECTS});"]
    if plan.interrupt is not None:
        lines.append('    veer_h_interrupt(0, "", 0u, 0u);')
    if plan.depths:
        lines.append(f"    veer_h_depth({plan.deepest - plan.graph_depth});")
    if plan.is_eager:
        lines.append("    veer_h_eager();")
    if plan.is_settled:
        lines.append("    veer_h_settled();")
    for name, identity in plan.globals:
        lines.append(f"    {set_static(name, plan.types[identity], plan.types)}")
    if plan.device is not None:
        regions = ", ".join(f"{each.begin:#x}u, {each.end:#x}u" for each in plan.device.regions)
        lines.append(f"    static const __UINT64_TYPE__ veer_regions[] = {{{regions or 0}}};")
        lines.append(f"    veer_h_devices(veer_regions, {len(plan.device.regions)}, {plan.device.reads});")
    if plan.input_files is not None:
        lines.append(f"    veer_h_files({plan.input_files.most}, {plan.input_files.size});")
    for file in plan.files:
        lines.append(f'    veer_h_file("{escape(file.name)}", "{escape(file.size_root)}", {file.size});')
    if plan.before is not None:
        lines.append(before_call(plan.before))
    lines += _call_main(plan) if plan.entry.name == "main" else _call_function(plan, version)
    lines.append("}")
    return lines


def _versions(plan: Plan, other: OtherVersion) -> Iterator[str]:
    """A run of each version; of the other one the harness knows symbols alone."""
    yield f'extern __typeof__({plan.entry.name}) veer_new_entry __asm__("{other.symbol}");'
    for place, symbol in other.variables.items():
        yield f'extern __typeof__({plan.outputs[place][0]}) veer_new_{place} __asm__("{symbol}");'
    if plan.outputs:  # of what this version has not, there is nothing
        rows = (
            f"{{&veer_new_{place}, sizeof veer_new_{place}, 0u}}" if place in other.variables else "{0, 0u, 0u}"
            for place in range(len(plan.outputs))
        )
        yield f"static const struct veer_h_variable veer_n[] = {{{', '.join(rows)}}};"
    yield from _run(plan, "static void veer_main_old(void)")
    yield from _run(plan, "static void veer_main_new(void)", NEW)
    yield "void veer_main(void);"
    yield "void veer_main(void) { veer_h_versions(veer_main_old, veer_main_new); }"


def _left(plan: Plan, version: int) -> Iterator[str]:
    """What a version has left, for the comparison."""
    if plan.other is None:
        return
    if plan.entry.returns >= 0:
        yield f"    veer_h_left(&veer_r, &veer_t_{plan.entry.returns}, {int(Part.RESULT)}u, 0u);"
    for place in plan.other.variables:
        name, identity = plan.outputs[place]
        shown = f"veer_new_{place}" if version == NEW else name
        yield f"    veer_h_left(&{shown}, &veer_t_{identity}, {int(Part.VARIABLE)}u, {place}u);"


def apart(types: Sequence[Type], strings: Sequence[int]) -> list[Type]:
    """The types for a harness's table; the characters of these strings are of a kind of their own there.

    So strings of the machine's are no aliases, neither of each other nor of anything else.
    """
    characters = {types[identity].target for identity in strings}
    return [replace(row, kind=TypeKind.OPAQUE) if row.id in characters else row for row in types]


def include_lines(plan: Plan) -> list[str]:
    """The entry's source, and its macros of C's keywords out of force."""
    source = plan.declarations or f'#include "{escape(str(plan.include))}"'
    return [source, *(f"#undef {word}" for word in _KEYWORDS)]


def _call_function(plan: Plan, version: int = 0) -> Iterator[str]:
    entry = plan.entry
    made: list[str] = []
    lengths = length_roots(entry.parameters, plan.types)
    names = [f"veer_p_{index}" for index in range(len(entry.parameters))]
    for name, parameter in zip(names, entry.parameters, strict=True):
        row = plan.types[parameter.type]
        if row.extent == ALWAYS_NULL:
            continue
        yield f"    {variable(row)} {name}{' = {0}' if row.kind in (TypeKind.STRUCT, TypeKind.UNION) else ' = 0'};"
        if row.extent is ExtentKind.OPEN and plan.input_files is not None:
            opening = "veer_h_stream" if row.kind is TypeKind.POINTER else "veer_h_descriptor"
            given = f'"{escape(parameter.name)}", {plan.input_files.size}, {int(row.nullable)}'
            made.append(f"    {name} = {opening}({given});")
            continue
        line = f'    veer_h_make(&{name}, &veer_t_{row.id}, "{escape(parameter.name)}");'
        if parameter.name in plan.depths:
            own, others = plan.deepest - plan.depths[parameter.name], plan.deepest - plan.graph_depth
            line = f"    veer_h_depth({own});\n{line}\n    veer_h_depth({others});"
        # A buffer that is decided while its length is not made yet would have none.
        made.insert(0 if parameter.name in lengths else len(made), line)
    yield from made
    if plan.is_eager:
        yield "    veer_h_unfold();"
    if plan.is_settled:
        yield "    veer_h_settle();"
    arguments = [_argument(plan, names, place) for place in range(len(names))]
    yield from endpointers.assumed(entry.parameters, plan.types, names)
    yield from assumed(plan.preconditions, arguments, plan.types)
    table = "0" if not plan.outputs else "veer_n" if version == NEW else "veer_o"
    yield f"    veer_h_outputs({table}, {len(plan.outputs)}u, {int(OutputKind.BEFORE)}u);"
    if plan.interrupt is not None:
        if plan.interrupt.is_apart:
            yield f"    extern void {plan.interrupt.function}(void);"
        named = (
            f'({plan.interrupt.function}), "{plan.interrupt.root}", {plan.interrupt.most}u, {plan.interrupt.places}u'
        )
        yield f"    veer_h_interrupt({named});"
    if has_rest(entry, plan.types):
        yield f"    long long veer_n[{MOST_ARGUMENTS}] = {{0}};"
        yield f"    double veer_d[{MOST_ARGUMENTS}] = {{0}};"
        yield f"    veer_h_rest(&{names[-1]}, veer_n, veer_d);"
    yield from _call(plan, f"({'veer_new_entry' if version == NEW else entry.name})({', '.join(arguments)})")
    yield from _left(plan, version)
    yield f"    veer_h_outputs({table}, {len(plan.outputs)}u, {int(OutputKind.AFTER)}u);"


def _argument(plan: Plan, names: Sequence[str], place: int) -> str:
    """The entry's argument at this place."""
    row = plan.types[plan.entry.parameters[place].type]
    if place == len(names) - 1 and has_rest(plan.entry, plan.types):
        # All of the one class of registers, then all of the other: the callee reads each class in its own order.
        return ", ".join(f"{array}[{number}]" for array in ("veer_n", "veer_d") for number in range(MOST_ARGUMENTS))
    is_idle = row.kind == TypeKind.POINTER and plan.entry.parameters[place].name in plan.unread
    if row.name == ARGUMENT_LIST:
        return argument_list(names[place])
    if row.extent == ALWAYS_NULL or is_idle:
        return "0"
    return endpointers.argument(plan.entry.parameters, plan.types, names, place)


def output_table(plan: Plan) -> Iterator[str]:
    """The table of the variables that are recorded; a macro of a variable's name must not stand in its way."""
    if not plan.outputs or plan.kind is HarnessKind.PROGRAM:
        return
    for name, _ in plan.outputs:
        yield f"#undef {name}"
    if plan.device is not None:
        yield f"extern unsigned char {DEVICE_LOG}[{DEVICE_LOG_SIZE}];"
    rows = ", ".join(f"{{(const void *)&{name}, sizeof {name}, 0u}}" for name, _ in plan.outputs)
    yield f"static const struct veer_h_variable veer_o[] = {{{rows}}};"


def _call_main(plan: Plan) -> Iterator[str]:
    count = len(plan.arguments) + 1
    values = ", ".join(['"program"', *["0"] * count])
    yield "    int veer_argc = 1;"
    yield f"    char *veer_argv[{count + 1}] = {{{values}}};"
    yield "    char *veer_environment[1] = {0};"
    if plan.arguments:
        yield f'    veer_h_make(&veer_argc, &veer_t_{plan.argument_count}, "argc");'
    for index, identity in enumerate(plan.arguments, 1):
        yield f'    veer_h_argument(&veer_argv[{index}], &veer_t_{identity}, "argv[{index}]", veer_argc > {index});'
    given = ("veer_argc", "veer_argv", "veer_environment")[: len(plan.entry.parameters)]
    called = f"(main)({', '.join(given)})"
    if plan.has_exit_handlers and plan.entry.returns >= 0:
        yield '    extern void veer_h_exit(int) __asm__("exit");'
        yield f"    veer_h_exit({called});"
    else:
        yield from _call(plan, called)
    yield "    (void)veer_argc, (void)veer_argv, (void)veer_environment;"


def _call(plan: Plan, text: str) -> Iterator[str]:
    returns = plan.entry.returns
    if returns < 0:
        yield f"    {text};"
        yield from ended(plan)
        return
    is_scalar = plan.types[returns].kind not in (TypeKind.STRUCT, TypeKind.UNION)
    yield f"    __auto_type veer_r = {text};"
    yield from ended(plan)
    yield f"    veer_h_result(&veer_r, sizeof veer_r, {returns});"
    yield f"    veer_h_returned(&veer_r, sizeof veer_r, {int(is_scalar)});"


def ended(plan: Plan) -> Iterator[str]:
    """What stands behind the last call of the unit."""
    if plan.end:
        yield f'    extern void veer_h_end(void) __asm__("{plan.end}");'
        yield "    veer_h_end();"
