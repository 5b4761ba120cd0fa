"""C's suffixes, spellings, sizes, library and its compiler's flags are known in a few packages alone.

Looked at are the string constants of each module, docstrings left out. What other modules still know stands in LEFT,
each with the reason: a module that knows more fails, and one that knows nothing any more must leave the table.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import veer

ROOT = Path(veer.__file__).parent
OWN = ("frontends/c", "suite/c", "toolchain")
PATTERNS = {
    "a suffix": re.compile(r"\.(?:c|h|i|cc|cpp|cxx|hpp)(?!\w)"),
    "a type": re.compile(
        r"\b(?:(?:un)?signed (?:char|short|int|long)|long long|long double|s?size_t|_Bool|u?int\d+_t|char \*)(?!\w)"
    ),
    "a word": re.compile(r"\bsizeof\b|\bNULL\b|__asm__|#\s*(?:include|define|undef)\b"),
    "a flag": re.compile(r"(?<![\w-])-(?:std=|f[a-z]+-|fsanitize|Xclang|isystem|W[a-z]+|O[0-3s]\b|I$)"),
    "a check": re.compile(r"UBSan|ubsantrap|SanitizerHandler"),
    "a compiler": re.compile(r"\b(?:clang|gcc|g\+\+)\b"),
    "its library": re.compile(r"^_*(?:malloc|calloc|realloc|free|(?:sig)?(?:set|long)jmp|fopen|strlen|memcpy|getenv)$"),
}
_LIBRARY = "facts of C's library, by name: a table of the runtime's libc is to hold them"
LEFT = {
    ("model/buildoptions.py", "a flag"): "the help of options that are for C",
    (
        "model/ctext.py",
        "a flag",
    ): "folders of headers: C's front end looks there, and its suites, which read the model alone",
    ("model/buildoptions.py", "a compiler"): "the help of options that are for C",
    ("frontends/llvm/library.py", "a suffix"): "the runtime's libc: how it is compiled",
    ("frontends/llvm/library.py", "a flag"): "the runtime's libc: how it is compiled",
    ("frontends/llvm/library.py", "its library"): "the runtime's libc: what it is called by",
    ("frontends/zig/compiler.py", "a flag"): "flags of Zig's compiler, which look like C's",
    ("frontends/zig/suite_replay.py", "a flag"): "flags of Zig's compiler, which look like C's",
    ("campaign/confining.py", "a flag"): "the linker's flags that say where libraries are",
    ("cli/ahead.py", "a suffix"): "C's builder starts before languages are loaded, which say what their sources are",
    ("campaign/boards.py", "a word"): "flags by which a suite for boards is built",
    ("campaign/requirements.py", "a suffix"): "comments stand at declarations in headers, too",
    ("frontends/zig/as_c.py", "a flag"): "Zig's own back end writes C, beside a unit in C",
    ("frontends/zig/as_c.py", "a suffix"): "Zig's own back end writes C, beside a unit in C",
    ("report/comparison.py", "a suffix"): "veer's own harness is in C: its folders are left out of sentences",
    ("campaign/trees.py", "a flag"): "folders of headers: each version has its own",
    ("frontends/java/lowering/declarations.py", "a check"): "an intrinsic of LLVM's",
    ("frontends/java/lowering/exceptions.py", "a check"): "an intrinsic of LLVM's",
    ("frontends/java/lowering/helpers.py", "a check"): "an intrinsic of LLVM's",
    ("frontends/machine/body.py", "a suffix"): "intrinsics of LLVM's for a width: llvm.bswap.i32",
    ("frontends/machine/lift.py", "a suffix"): "intrinsics of LLVM's for a width: llvm.umin.i32",
    ("frontends/machine/operations.py", "a suffix"): "intrinsics of LLVM's for a width: llvm.umin.i32",
    ("frontends/machine/arithmetic.py", "a type"): "functions of libgcc are asked for by prototypes as in C",
    ("frontends/machine/prototype.py", "a type"): "prototypes of machine code are written as in C",
    ("frontends/machine/dwarf.py", "a type"): "types of debug info are C's",
    ("frontends/machine/straightcode.py", "a suffix"): "intrinsics of LLVM's for a width",
    ("frontends/machine/errornumber.py", "its library"): "programs in machine code call C's library",
    ("frontends/machine/bridges.py", "its library"): "programs in machine code call C's library",
    ("frontends/machine/library.py", "a type"): "programs in machine code call C's library: its prototypes",
    ("frontends/machine/library.py", "its library"): "programs in machine code call C's library",
    ("frontends/machine/emulated_library.py", "its library"): "programs in machine code call C's library",
    ("frontends/zig/ir.py", "a check"): "an intrinsic of LLVM's",
    ("instrument/body.py", "a check"): "an intrinsic of LLVM's",
    ("instrument/checks.py", "a check"): "an intrinsic of LLVM's",
    ("instrument/calls.py", "a check"): "an intrinsic of LLVM's",
    ("instrument/sites.py", "a check"): "an intrinsic of LLVM's",
    ("instrument/reaching.py", "a check"): "an intrinsic of LLVM's",
    ("instrument/convention.py", "its library"): _LIBRARY,
    ("model/buildoptions.py", "its library"): _LIBRARY,
    ("model/state.py", "its library"): "the word free of summary.json, which is no function",
    ("wire/header.py", "a word"): "the runtime's header is in C",
    ("wire/header.py", "a suffix"): "the runtime's header is in C",
    ("wire/header.py", "a type"): "the runtime's header is in C",
}


def texts(source: str) -> Iterator[str]:
    """The string constants of a module but its docstrings."""
    docstrings = set()
    for each in ast.walk(ast.parse(source)):  # parents come before their parts
        if isinstance(each, ast.Expr):
            docstrings.add(each.value)
        elif isinstance(each, ast.Constant) and isinstance(each.value, str) and each not in docstrings:
            yield each.value


def known(source: str) -> set[str]:
    """What of C a module knows."""
    return {kind for text in texts(source) for kind, pattern in PATTERNS.items() if pattern.search(text)}


def test_nobody_else_knows_c() -> None:
    found = set()
    for path in ROOT.rglob("*.py"):
        module = path.relative_to(ROOT).as_posix()
        if not module.startswith(OWN):
            found |= {(module, kind) for kind in known(path.read_text())}
    assert found == set(LEFT)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ('if source.suffix in (".c", ".i"): pass', "a suffix"),
        ('NAMES = {4: "unsigned int"}', "a type"),
        ('text = "NULL"', "a word"),
        ('flags = ["-fsanitize=undefined"]', "a flag"),
        ('name = "llvm.ubsantrap"', "a check"),
        ('command = "gcc"', "a compiler"),
        ('jumps = ("longjmp",)', "its library"),
    ],
)
def test_what_is_looked_for_is_found(source: str, kind: str) -> None:
    assert known(source) == {kind}


def test_docstrings_and_other_words_are_not_looked_at() -> None:
    assert known('"""Like clang -fsanitize, a .c file."""\nx = "a signed number, and e.g. free memory"') == set()
