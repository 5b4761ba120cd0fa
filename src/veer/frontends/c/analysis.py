"""Compiles the user's sources to IR and says what is in them: functions, input shapes, entry, harness kind."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from msgspec import Struct

from veer.frontends.c.checks import check_flags
from veer.frontends.c.contracts.clauses import Contract
from veer.frontends.c.contracts.openfiles import OpenFiles
from veer.frontends.c.contracts.reading import Knowledge, tree, with_access
from veer.frontends.c.extents import ObjectBounds
from veer.frontends.c.flags import user_flags
from veer.frontends.c.hosted import hosted
from veer.frontends.c.machine import machine_of
from veer.frontends.c.shapes import Shape, shape
from veer.frontends.c.targets import with_targets
from veer.frontends.c.typetable import POINTER_SIZE, TypeTable
from veer.frontends.c.voids import with_parts, with_taken
from veer.frontends.llvm.compiled import Module, compile_module
from veer.frontends.llvm.debuginfo import DebugFunction
from veer.frontends.llvm.exchange import encode
from veer.frontends.llvm.irtext import declared_functions, defined_functions
from veer.model.buildoptions import BuildOptions, GivenTerms
from veer.model.errors import UsageError
from veer.model.program import HarnessKind
from veer.model.values import replace
from veer.toolchain.cache import digest, digest_file
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain

ALL_FUNCTIONS = ("-Xclang", "-femit-all-decls")
"""Static functions that nothing calls are compiled too."""
FUZZER_ENTRY = "LLVMFuzzerTestOneInput"
_LOST_MAIN = re.compile(r"\b(\w*main\w*)\b", re.IGNORECASE)


def compile_modules(options: BuildOptions, toolchain: Toolchain, extra: Sequence[str] = ()) -> tuple[Module, ...]:
    """All sources as modules. Raises UsageError with the compiler's own message when one does not compile."""
    for source in options.sources:
        if not source.is_file():
            raise UsageError(f"there is no source file {source}: check the path" + _near_file(source))
    if options.preludes:  # what is read in a source's place is made anew
        return _compiled(options, toolchain, extra)
    asked = digest(encode(replace(options, **_OF_AN_ENTRY)), *extra, toolchain.identity, str(Path.cwd()))
    kept = _compiled_before.get(asked)
    if kept is None or any(digest_file(path) != content for path, content in kept.files.items()):
        modules = _compiled(options, toolchain, extra)
        read = {path for module in modules for path in (module.source, *module.headers)}
        if len(_compiled_before) >= _MOST_KEPT:
            _compiled_before.clear()
        kept = _compiled_before[asked] = _Kept(modules, {path: digest_file(path) for path in read})
    return kept.modules


class _Kept(Struct, frozen=True):
    """Modules, and the files that were read for them."""

    modules: tuple[Module, ...]
    files: dict[Path, str]


_OF_AN_ENTRY: dict[str, Any] = {"entry": "", "contracts": (), "own_bounds": (), "sequence": "", "own_structs": ()}
"""Options that say nothing of how sources are compiled."""
_MOST_KEPT = 8
_compiled_before: dict[str, _Kept] = {}
"""What this process has compiled: builds of many entries of one project begin with the same modules."""
_known: dict[int, Knowledge] = {}


def knowledge_of(module: Module) -> Knowledge:
    """What is known of a module, the same for all who ask."""
    known = _known.get(id(module))
    if known is None or known.module is not module:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[id(module)] = Knowledge(module)
    return known


_MOST_KNOWN = 64


def _compiled(options: BuildOptions, toolchain: Toolchain, extra: Sequence[str]) -> tuple[Module, ...]:
    sources = [absolute(source) for source in options.sources]
    as_c = {source: hosted(options, toolchain, source) for source in sources}

    def compiled(source: Path) -> Module:
        flags, host = (*user_flags(options, source), *check_flags(options, source), *extra), as_c[source]
        module = compile_module(toolchain, source, flags, host=host.file)
        written = {*host.files.values()}
        headers = (*(path for path in module.headers if path not in written), *host.files)
        return replace(module, headers=headers, hosts=host.files, notes=host.notes)

    def printed(source: Path) -> str:
        return tree(toolchain, as_c[source].file or source, user_flags(options, source))

    with ThreadPoolExecutor(max_workers=4) as pool:
        trees = [pool.submit(printed, source) for source in sources]
        modules = list(pool.map(compiled, sources))
        return tuple(
            replace(module, printed=with_access(toolchain, module, user_flags(options, module.source), made.result()))
            for module, made in zip(modules, trees, strict=True)
        )


def absolute(path: Path) -> Path:
    """The path made absolute, symbolic links kept: `#include "x.h"` looks beside the link."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve follows links


def _near_file(source: Path) -> str:
    folder = source.parent
    names = [each.name for each in folder.glob("*.c")] if folder.is_dir() else []
    near = difflib.get_close_matches(source.name, names, 1)
    return f" (did you mean {folder / near[0]}?)" if near else ""


def find_entry(modules: Sequence[Module], name: str) -> Module | None:
    """The module that defines the function."""
    return next((module for module in modules if module.function(name) is not None), None)


def unknown_entry(modules: Sequence[Module], name: str) -> UsageError:
    """The sentence for an entry that no source defines, with near names."""
    names = sorted({function for module in modules for function in defined_functions(module.ir)})
    for module in modules:
        if any(each.startswith(f"_Z{len(name)}{name}") for each in defined_functions(module.ir)):
            return UsageError(f'{name} is a C++ function of {module.source.name}: declare it extern "C"')
    near = difflib.get_close_matches(name, names, 3, 0.5)
    sources = ", ".join(module.source.name for module in modules)
    if near:
        return UsageError(f"no function {name} is defined in {sources}: did you mean {' or '.join(near)}?")
    if names:
        more = f" and {len(names) - 5} more (`veer list` shows them)" if len(names) > 5 else ""
        return UsageError(f"no function {name} is defined in {sources}: there are {', '.join(names[:5])}{more}")
    return UsageError(f"no function {name} is defined in {sources}: nothing is; check -D and the #ifs around the code")


def harness_kind(modules: Sequence[Module], entry: DebugFunction) -> HarnessKind:
    """How the entry gets its inputs: by what it is and what the sources call."""
    called = {name for module in modules for name in declared_functions(module.ir)}
    defined = {name for module in modules for name in defined_functions(module.ir)}
    called |= {name for name in defined if name.startswith(("klee_", "__VERIFIER_nondet_"))}
    if entry.name == FUZZER_ENTRY and len(entry.parameters) == 2:
        return HarnessKind.LIBFUZZER
    if entry.name == "main" or not entry.parameters:
        if any(name.startswith("klee_") for name in called):
            return HarnessKind.KLEE
        if any(name.startswith("__VERIFIER_nondet_") for name in called):
            return HarnessKind.TESTCOMP
        if "veer_input" in called or "veer_make_symbolic" in called:
            return HarnessKind.VEER
    return HarnessKind.PROGRAM if entry.name == "main" else HarnessKind.FUNCTION


def entry_shape(
    known: Knowledge, entry: DebugFunction, table: TypeTable, options: BuildOptions, kind: HarnessKind
) -> Shape:
    """The input shape of the entry; `known` is of its module."""
    size_of = options.size_of
    if kind is HarnessKind.LIBFUZZER:
        size_of = (f"{entry.parameters[0].name}={entry.parameters[1].name}",)
    given = options.contracts if kind is HarnessKind.FUNCTION else ()
    wished = with_targets(known.module.debug, entry, options.void)
    contract = known.contract(wished, given, size_of, infers=kind in (HarnessKind.FUNCTION, HarnessKind.PROGRAM))
    takes = kind is HarnessKind.FUNCTION and not options.against
    if takes:
        table.rows = known.taken().rows
        named = [hint.partition("=")[0].strip() for hint in options.void]
        wished = as_taken(known, wished, contract, named)
    table.spans = replace(table.spans, apart=contract.apart)
    opens = kind is HarnessKind.FUNCTION and can_open(known.module, options)
    opened = OpenFiles(known).of(entry) if opens else {}
    head = known.head(entry)
    takes_lists = kind is HarnessKind.FUNCTION and can_take_lists(known.module, options)
    return shape(
        known.module.debug,
        wished,
        table,
        contract,
        head,
        own_bounds=options.own_bounds,
        opened=opened,
        takes_lists=takes_lists,
        rows=rows_of(known, entry) if takes else (),
    )


def rows_of(known: Knowledge, function: DebugFunction) -> frozenset[str]:
    """The parameters of which the code takes other elements than the first."""
    return frozenset(place.member for place in known.taken().rows if place.owner == function.name)


def as_taken(
    known: Knowledge,
    function: DebugFunction,
    contract: Contract,
    but: Collection[str] = (),
    *,
    has_parts: bool = True,
) -> DebugFunction:
    """The function with its pointers as its code takes them, of a source in C. `but`: parameters that stay."""
    if known.module.source.suffix in CXX_SUFFIXES:
        return function
    debug, taken = known.module.debug, known.taken()
    if has_parts:
        function = with_parts(debug, function, known.parts(), contract, but)
    return with_taken(debug, function, taken, contract, but)


def can_open(module: Module, options: BuildOptions) -> bool:
    """Whether parameters may be open files: --input-files allows it, and the harness is C."""
    return bool(options.input_files) and module.source.suffix not in CXX_SUFFIXES


def can_take_lists(module: Module, options: BuildOptions) -> bool:
    """Whether a va_list can be made, and arguments behind `...`: for an entry in C, of which there is one version, on a
    machine of this kind."""
    is_c = module.source.suffix not in CXX_SUFFIXES
    return is_c and not options.against and machine_of(options).word == POINTER_SIZE


def unread_parameters(known: Knowledge, shape: Shape) -> frozenset[str]:
    """The parameters that the code of a function never looks at, and of which nobody says that they are not NULL."""
    return known.unread(shape.function.name) - shape.contract.not_null


def module_shapes(
    module: Module,
    table: TypeTable,
    unit: int,
    given: Sequence[GivenTerms] = (),
    *,
    infers: bool = False,
    opens: bool = False,
    takes_lists: bool = False,
    has_parts: bool = True,
) -> tuple[Shape, ...]:
    """The input shapes of all functions that a module defines. `infers`: with what their code shows of lengths;
    `opens`: and which parameters are open files; `takes_lists`: and what a va_list leads to; `has_parts`: and which
    pointers lead to parts of larger objects.
    """
    defined = set(defined_functions(module.ir))
    known = knowledge_of(module)
    files = OpenFiles(known)
    table.rows = known.taken().rows if infers else frozenset()

    def made(function: DebugFunction) -> Shape:
        contract = known.contract(function, given, infers=infers)
        return shape(
            module.debug,
            as_taken(known, function, contract, has_parts=has_parts) if infers else function,
            table,
            contract,
            known.head(function),
            unit,
            opened=files.of(function) if opens else {},
            takes_lists=takes_lists,
            rows=rows_of(known, function) if infers else (),
        )

    return tuple(made(each) for each in module.debug.functions() if each.name in defined)


def object_bounds(options: BuildOptions) -> ObjectBounds:
    """The bounds of what pointers lead to, and of numbers. Raises UsageError for a machine that cannot be had."""
    return ObjectBounds(max(options.max_length, 0), max(options.max_array, 1), machine_of(options).word)
