"""The unit's globals: wrapped in bytes that belong to nobody, in sections that the runtime finds, under old names.

@x = global i32 5                 @"veer.x" = private global <{ [16 x i8], i32, [28 x i8] }> ..., section "veer_data"
                            ->    @x = alias i32, getelementptr (i8, ptr @"veer.x", i64 16)
                                  @veer.o.0 = private constant { ptr @x, size, name, ... }, section "veer_objects"
"""

from __future__ import annotations

import re

from veer.instrument.lexer import bare, global_name, split_commas
from veer.instrument.module import Variable
from veer.instrument.typelayout import Layout, UnknownTypeError
from veer.instrument.writer import UnitText, zero
from veer.model.errors import UsageError

_REDZONE = 16
MOST_BYTES = 1 << 29
"""Of one variable: code and data of a program lie below 2 GiB."""
_ALIAS_LINKAGES = {
    "private": "private ",
    "internal": "internal ",
    "common": "weak ",
    "weak": "weak ",
    "weak_odr": "weak_odr ",
    "linkonce": "weak ",
    "linkonce_odr": "weak_odr ",
}
_LISTS = {"@llvm.global_ctors": ".init_array", "@llvm.global_dtors": ".fini_array"}
_LIST_ENTRY = re.compile(r'i32 (\d+), ptr (@(?:[-\w.$]+|"[^"]*"))')
_KEPT_WORDS = ("hidden", "protected", "dso_local")


def is_wrapped(variable: Variable) -> bool:
    """Whether the variable is an object of the program that this unit defines."""
    if not variable.initializer or variable.linkage in ("appending", "available_externally"):
        return False
    return not variable.section and not bare(variable.name).startswith("llvm.")


def rewrite_variable(unit: UnitText, layout: Layout, variable: Variable) -> list[str]:
    """The lines that stand for a global variable. Raises UsageError for one of more than MOST_BYTES."""
    if variable.name == "@llvm.used":
        return []
    if variable.name in _LISTS:
        return rewrite_list(unit, variable, "veer_constructors") if variable.name == "@llvm.global_ctors" else []
    if not is_wrapped(variable):
        return [_plain(variable), *_description_of_foreign(unit, layout, variable)]
    size = layout.size(variable.type)
    if size > MOST_BYTES:
        raise UsageError(
            f"the variable {bare(variable.name)} has {size:,} bytes, and veer holds at most {MOST_BYTES:,} of one: "
            "make it smaller for the test, by a macro (-D) perhaps"
        )
    alignment = max(variable.alignment or layout.alignment(variable.type), _REDZONE)
    behind = _REDZONE + -size % _REDZONE
    name = bare(variable.name)
    wrapper = global_name(f"veer.{name}")
    before = _filler(alignment)
    after = _filler(behind)
    type_ = f"<{{ [{alignment} x i8], {variable.type}, [{behind} x i8] }}>"
    initializer = zero(variable.type) if variable.initializer in ("undef", "poison") else variable.initializer
    value = f"<{{ [{alignment} x i8] {before}, {variable.type} {initializer}, [{behind} x i8] {after} }}>"
    kind, section = ("constant", "veer_const") if variable.is_constant else ("global", "veer_data")
    words = "".join(f"{word} " for word in variable.words if word in _KEPT_WORDS)
    linkage = _ALIAS_LINKAGES.get(variable.linkage, "")
    return [
        f'{wrapper} = private {kind} {type_} {value}, section "{section}", align {alignment}',
        f"{variable.name} = {linkage}{words}alias {variable.type}, "
        f"ptr getelementptr (i8, ptr {wrapper}, i64 {alignment})",
        _description(unit, f"getelementptr (i8, ptr {wrapper}, i64 {alignment})", size, variable),
    ]


def _filler(count: int) -> str:
    """Bytes that are not zero: a section must not change its type between a zero and another initializer."""
    return 'c"' + "\\FA" * count + '"'


def _description(unit: UnitText, address: str, size: int, variable: Variable) -> str:
    text = unit.string(bare(variable.name))
    described = f"@veer.o.{len(unit.descriptions)}"
    unit.descriptions.append(described)
    writable = 0 if variable.is_constant else 1
    visible = 0 if variable.linkage in ("private", "internal") else 1
    return (
        f"{described} = private constant {{ ptr, i64, ptr, i32, i32 }} "
        f'{{ ptr {address}, i64 {size}, ptr {text}, i32 {writable}, i32 {visible} }}, section "veer_objects", align 8'
    )


def _description_of_foreign(unit: UnitText, layout: Layout, variable: Variable) -> list[str]:
    """A variable in a section of the user's own keeps its place, but is an object all the same."""
    if not variable.section or not variable.initializer or bare(variable.name).startswith("llvm."):
        return []
    try:
        size = layout.size(variable.type)
    except UnknownTypeError:
        return []
    return [_description(unit, variable.name, size, variable)] if size else []


def rewrite_list(unit: UnitText, variable: Variable, section: str) -> list[str]:
    """Constructors or destructors as pointers in a section, in the order of their priorities.

    llvmlite would put them into `.ctors`, which nobody reads. In the concolic build the runtime calls them at the
    beginning of a run, for the memory that instrumented code touches is not there before `main`.
    """
    entries = sorted((int(match[1]), match[2]) for match in _LIST_ENTRY.finditer(variable.initializer))
    lines = []
    for _, function in entries:
        described = f"@veer.o.{len(unit.descriptions)}"
        unit.descriptions.append(described)
        lines.append(f'{described} = private constant ptr {function}, section "{section}", align 8')
    return lines


def keep_descriptions(unit: UnitText, variables: tuple[Variable, ...]) -> list[str]:
    """`llvm.used`, with all descriptions in it: else the linker drops sections that nobody refers to."""
    old = next((variable for variable in variables if variable.name == "@llvm.used"), None)
    names = [f"ptr {name}" for name in unit.descriptions]
    if old is not None:
        names = [*split_commas(old.initializer[1:-1]), *names]
    if not names:
        return []
    return [f'@llvm.used = appending global [{len(names)} x ptr] [{", ".join(names)}], section "llvm.metadata"']


def plain_variables(unit: UnitText, variables: tuple[Variable, ...]) -> list[str]:
    """The lines of the counters build: variables as they are, constructors where the C library looks for them."""
    lines = []
    for variable in variables:
        if variable.name in _LISTS:
            lines += rewrite_list(unit, variable, _LISTS[variable.name])
        elif variable.name != "@llvm.used":
            lines.append(re.sub(r", ![\w.]+ !\d+", "", variable.text))
    return [*lines, *keep_descriptions(unit, variables)]


def _plain(variable: Variable) -> str:
    """The definition or declaration as it was, but no thread-local."""
    words = [word for word in variable.words if not word.startswith("thread_local")]
    linkage = variable.linkage
    head = " ".join([*([linkage] if linkage else []), *words, "constant" if variable.is_constant else "global"])
    line = f"{variable.name} = {head} {variable.type}"
    if variable.initializer:
        line += f" {variable.initializer}"
    if variable.section:
        line += f', section "{variable.section}"'
    if variable.alignment:
        line += f", align {variable.alignment}"
    return line
