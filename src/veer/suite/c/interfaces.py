"""The harness interfaces of KLEE, Test-Comp and veer.h in a suite: each function takes what was recorded.

    void veer_as_klee_assume(unsigned long condition) __asm__("klee_assume");
    void veer_as_klee_assume(unsigned long condition) { veer_precondition(condition != 0); }

A source may hold functions that take arguments and functions that use an interface, so what is called counts, not how
the entry gets its inputs. They are defined by symbol name, so that the declarations of the user's headers may differ in
what x86-64 does not notice. What the program defines itself (`reach_error`, often) is left to it. Their bodies have no
branches: the counters build tells the unit's branches from the suite's by the names of functions in C, which these do
not keep.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from veer.model.program import HarnessKind, Program


class Entry(Struct, frozen=True):
    """A function of an interface: symbol, result, parameters, body."""

    symbol: str
    result: str
    parameters: str
    body: str


_END = "__builtin_unreachable();"
_KLEE = (
    Entry(
        "klee_make_symbolic",
        "void",
        "void *object, unsigned long size, const char *name",
        "veer_take(object, size, name);",
    ),
    Entry("klee_assume", "void", "unsigned long condition", "veer_precondition(condition != 0);"),
    Entry("klee_int", "int", "const char *name", "int value; veer_take(&value, sizeof value, name); return value;"),
    Entry(
        "klee_range",
        "int",
        "int begin, int end, const char *name",
        "int value; veer_take(&value, sizeof value, name); veer_precondition(veer_within(begin, value, end));"
        " return value;",
    ),
    Entry(
        "klee_choose",
        "unsigned long",
        "unsigned long count",
        'unsigned long value; veer_take(&value, sizeof value, "klee_choose"); veer_precondition(value < count);'
        " return value;",
    ),
    Entry("klee_silent_exit", "void", "int status", f"libc_exit(status); {_END}"),
    Entry("klee_abort", "void", "void", 'veer_assertion(0, "klee_abort");'),
    Entry(
        "klee_report_error",
        "void",
        "const char *file, int line, const char *message",
        "(void)file, (void)line; veer_assertion(0, message);",
    ),
    Entry("klee_is_symbolic", "unsigned", "unsigned long value", "(void)value; return 0;"),
    Entry("klee_is_replay", "unsigned", "void", "return 1;"),
    Entry("klee_get_value_i32", "int", "int value", "return value;"),
    Entry("klee_get_value_i64", "long", "long value", "return value;"),
    Entry("klee_get_valuel", "long", "long value", "return value;"),
    *(
        Entry(f"klee_{name}", "void", "void", "")
        for name in (
            "prefer_cex",
            "posix_prefer_cex",
            "warning",
            "warning_once",
            "stack_trace",
            "set_forking",
            "open_merge",
            "close_merge",
            "mark_global",
            "check_memory_access",
        )
    ),
)
_NONDET = {
    "bool": "_Bool",
    "char": "char",
    "schar": "signed char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned",
    "unsigned": "unsigned",
    "unsigned_int": "unsigned",
    "unsigned_char": "unsigned char",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "u8": "unsigned char",
    "u16": "unsigned short",
    "u32": "unsigned",
    "u64": "unsigned long",
    "S8": "signed char",
    "U8": "unsigned char",
    "U16": "unsigned short",
    "U32": "unsigned",
    "size_t": "unsigned long",
    "loff_t": "long",
    "sector_t": "unsigned long",
    "pthread_t": "unsigned long",
    "float": "float",
    "double": "double",
}
_BLOCK = 'unsigned long made; veer_take(&made, sizeof made, "nondet_pointer"); return veer_block_or_null(made);'
_TESTCOMP = (
    *(
        Entry(
            f"__VERIFIER_nondet_{name}",
            c_type,
            "void",
            f'{c_type} value; veer_take(&value, sizeof value, "nondet_{name}"); return value;',
        )
        for name, c_type in _NONDET.items()
    ),
    *(Entry(f"__VERIFIER_nondet_{name}", "void *", "void", _BLOCK) for name in ("pointer", "voidp", "pchar")),
    Entry(
        "__VERIFIER_nondet_memory",
        "void",
        "void *object, unsigned long size",
        'veer_take(object, size, "nondet_memory");',
    ),
    Entry("__VERIFIER_assume", "void", "int condition", "veer_precondition(condition);"),
    Entry("__VERIFIER_assert", "void", "int condition", 'veer_assertion(condition, "__VERIFIER_assert");'),
    Entry("__VERIFIER_error", "void", "void", 'veer_assertion(0, "__VERIFIER_error");'),
    Entry("reach_error", "void", "void", 'veer_assertion(0, "reach_error");'),
)
_VEER = (
    Entry("veer_input", "void", "void *object, unsigned long size, const char *name", "veer_take(object, size, name);"),
    Entry("veer_assume", "void", "int condition", "veer_precondition(condition);"),
    Entry("veer_assert", "void", "int condition, const char *text", "veer_assertion(condition, text);"),
)
_INTERFACES = {HarnessKind.KLEE: _KLEE, HarnessKind.TESTCOMP: _TESTCOMP, HarnessKind.VEER: _VEER}


def definitions(program: Program) -> str:
    """The functions of the entry's harness interface, and those of any that the sources use; empty without either."""
    return "".join(_lines(program))


def _lines(program: Program) -> Iterator[str]:
    used = {name for function in program.functions for name in (*function.calls, *function.takes)}
    own = _INTERFACES.get(program.harness, ())
    others = (entry for entries in _INTERFACES.values() if entries is not own for entry in entries)
    for entry in (*own, *(each for each in others if each.symbol in used)):
        if program.function(entry.symbol) is None:
            head = f"{entry.result} veer_as_{entry.symbol}({entry.parameters})"
            body = f"{{ {entry.body} }}" if entry.body else "{ }"
            yield f'{head} __asm__("{entry.symbol}");\n{head} {body}\n'
