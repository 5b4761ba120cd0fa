"""Everything that a module says of its functions' arguments, read when a function is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from veer.frontends.c.contracts.attributes import KnownParameter, declared_clauses
from veer.frontends.c.contracts.clauses import Clause, Contract, Length, Origin, Source
from veer.frontends.c.contracts.code import CodeFacts, CodeReader
from veer.frontends.c.contracts.combine import Evidence, combined
from veer.frontends.c.contracts.comments import Comment, comments
from veer.frontends.c.contracts.functionbody import FunctionBodies
from veer.frontends.c.contracts.heads import head_clauses
from veer.frontends.c.contracts.inside import Part, parts
from veer.frontends.c.contracts.names import named_lengths
from veer.frontends.c.contracts.origins import Origins, layout_of
from veer.frontends.c.contracts.printed import Declaration, declarations
from veer.frontends.c.contracts.taken import Taken, taken_for
from veer.frontends.c.contracts.terms import parsed
from veer.frontends.c.extents import is_composite, why_never
from veer.frontends.c.parameterkinds import has_extent, is_bytes, is_integer, is_pointer, target, variable_element
from veer.frontends.c.voids import is_void_pointer, part_members, take_members
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import NO_NODE, DebugFunction, DebugInfo
from veer.model.buildoptions import GivenTerms
from veer.model.unitfacts import Place, parameter_place
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain
from veer.toolchain.compiling import print_tree

PRELUDE = Path(__file__).with_name("sal.h")
ACCESS_PRELUDE = Path(__file__).with_name("access.h")
_ACCESS = re.compile(r"\baccess\s*\(\s*(?:read_only|write_only|read_write|none)\b")
_SYSTEM = ("/usr/include/", "/usr/lib/", "/ziglang/")


def tree(toolchain: Toolchain, source: Path, flags: Sequence[str]) -> str:
    """The declarations of a source as the compiler prints them; "" when it cannot, as for a source with errors."""
    return _printed(toolchain, source, ("-include", str(PRELUDE), *flags)) or _printed(toolchain, source, flags)


def with_access(toolchain: Toolchain, module: Module, flags: Sequence[str], printed: str) -> str:
    """The same for a module whose files use gcc's attribute `access`, which clang does not know; else `printed`.

    A macro of that name would hide POSIX's function, so it comes behind unistd.h, and only where it is needed.
    """
    if not any(_ACCESS.search(file_text(path)) for path in own_files(module)):
        return printed
    preludes = ("-include", str(PRELUDE), "-include", str(ACCESS_PRELUDE))
    return _printed(toolchain, module.read, (*preludes, *flags)) or printed


def _printed(toolchain: Toolchain, source: Path, flags: Sequence[str]) -> str:
    with toolchain.cache.scratch() as scratch:
        output = scratch / "tree.c"
        done = print_tree(toolchain, source, output, flags)
        return output.read_text(errors="replace") if done.code == 0 and output.exists() else ""


def own_files(module: Module) -> Iterator[Path]:
    """The source of a module, and the headers that are not the system's."""
    yield module.source
    yield from (path for path in module.headers if not any(part in str(path) for part in _SYSTEM))


class Knowledge(Struct):
    """What is known of one module; read on demand."""

    module: Module
    _bodies: FunctionBodies | None = None
    _known: dict[str, tuple[KnownParameter, ...]] = field(default_factory=dict)
    _declared: dict[str, tuple[Declaration, ...]] | None = None
    _comments: tuple[Comment, ...] | None = None
    _reader: CodeReader | None = None
    _taken: Taken | None = None
    _parts: Mapping[Place, Part] | None = None
    _origins: tuple[Origins, ...] | None = None

    def declared(self, name: str) -> tuple[Declaration, ...]:
        """The declarations of a function of the module, its definition's head among them."""
        if self._declared is None:
            self._declared = declarations(self.module.printed, self._parameters())
        return self._declared.get(name, ())

    def head(self, function: DebugFunction) -> str:
        """The text of a function's definition up to its body, as the compiler prints it; "" where it does not."""
        return next((each.text for each in reversed(self.declared(function.name))), "")

    def contract(
        self,
        function: DebugFunction,
        given: Iterable[GivenTerms] = (),
        size_of: Iterable[str] = (),
        *,
        infers: bool = True,
    ) -> Contract:
        """What holds of the function's arguments. `given`: by the user, for any function; the name "" is for this one.

        `size_of`: pairs "BUF=LEN" of parameters, "BUF=" for no length; `infers`: what the code and the names show, too.
        Raises UsageError for clauses of the user's that do not fit.
        """
        parameters = known_parameters(self.module.debug, function)
        clauses: list[Clause] = []
        for pair in size_of:
            buffer, _, length = pair.partition("=")
            clauses.append(Length(buffer, length, Origin(Source.OPTION, f"--size-of {pair}")))
        for terms in given:
            if terms.function in ("", function.name):
                source = Source.PROJECT if terms.function else Source.OPTION
                clauses += parsed(terms.terms, Origin(source, terms.place))
        for comment in self.comments():
            if comment.function == function.name:
                clauses += parsed(comment.terms, Origin(Source.COMMENT, comment.place))
        declared = self.declared(function.name)
        written: list[Clause] = list(declared_clauses(declared, parameters))
        if not infers:
            return combined(function.name, parameters, Evidence(clauses, written))
        body = self.bodies().function(function.name)
        if body is not None:
            written += head_clauses(body, parameters)
        brackets = {
            known.name: printed.size
            for declaration in declared
            for known, printed in zip(parameters, declaration.parameters, strict=False)
            if printed.size is not None
        }
        names = named_lengths(self.module.debug, function, brackets)
        if names and body is not None:
            none = body.set_anew()
            names = {
                buffer: length
                for buffer, length in names.items()
                if length not in none and not self._is_one_struct(function, buffer)
            }
        return combined(function.name, parameters, Evidence(clauses, written, self.code(function.name), names))

    def _is_one_struct(self, function: DebugFunction, name: str) -> bool:
        """Whether the code takes a pointer to void for one to a single struct: `void *pool, size_t n`."""
        debug, taken, place = self.module.debug, self.taken(), parameter_place(function.name, name)
        is_void = any(each.name == name and is_void_pointer(debug, each.type) for each in function.parameters)
        return is_void and is_composite(debug, taken.nodes.get(place, NO_NODE)) and place not in taken.rows

    def parameter_names(self, name: str) -> tuple[str, ...]:
        """Of a function that the module defines, in their order; () of any other."""
        if self.bodies().function(name) is None:
            return ()
        return tuple(each.name for each in self._parameters().get(name, ()))

    def unread(self, name: str) -> frozenset[str]:
        """The parameters that the code of a function never looks at."""
        body = self.bodies().function(name)
        return body.unread() if body is not None else frozenset()

    def code(self, name: str) -> CodeFacts:
        """What the code of a function shows."""
        if self._reader is None:
            self._reader = CodeReader(self.bodies(), self._parameters())
        return self._reader.facts(name)

    def comments(self) -> tuple[Comment, ...]:
        """The contracts in comments, of the source and of the user's headers."""
        if self._comments is None:
            names = frozenset(self._parameters())
            self._comments = tuple(
                found for path in own_files(self.module) for found in comments(path, file_text(path), names)
            )
        return self._comments

    def taken(self) -> Taken:
        """What the module's code takes pointers for, whose types do not say it. In the debug info of a module in C, the
        members of structs are such pointers from then on."""
        if self._taken is None:
            self._taken = taken_for(self.module.debug, self.origins())
            if self.module.source.suffix not in CXX_SUFFIXES:
                take_members(self.module.debug, self._taken)
        return self._taken

    def parts(self) -> Mapping[Place, Part]:
        """The places whose pointers the module's code takes for a part of a larger object. In the debug info of a
        module in C, the members of structs are such pointers from then on."""
        if self._parts is None:
            self._parts = parts(self.module.debug, self.origins())
            if self.module.source.suffix not in CXX_SUFFIXES:
                part_members(self.module.debug, self._parts)
        return self._parts

    def origins(self) -> tuple[Origins, ...]:
        """Where the values of the module's functions come from."""
        if self._origins is None:
            layout, bodies = layout_of(self.module.ir), self.bodies()
            read = [(name, bodies.function(name)) for name in bodies.names]
            self._origins = tuple(Origins(name, each, layout) for name, each in read if each is not None)
        return self._origins

    def bodies(self) -> FunctionBodies:
        """The module's functions without the compiler's checks."""
        if self._bodies is None:
            self._bodies = FunctionBodies(self.module.ir, self.module.debug, self.module.locations)
        return self._bodies

    def _parameters(self) -> Mapping[str, tuple[KnownParameter, ...]]:
        if not self._known:
            debug = self.module.debug
            self._known = {each.name: known_parameters(debug, each) for each in debug.functions()}
        return self._known


def known_parameters(debug: DebugInfo, function: DebugFunction) -> tuple[KnownParameter, ...]:
    """What the types say of a function's parameters."""
    found: list[KnownParameter] = []
    for parameter in function.parameters:
        node = debug.node(debug.strip(parameter.type))
        is_data = has_extent(debug, parameter) and variable_element(debug, parameter.type) is None
        below = target(debug, parameter.type) if is_data else -1
        encoding = node
        if node.tag == "DW_TAG_enumeration_type":
            encoding = debug.node(debug.strip(node.reference("baseType")))
        found.append(
            KnownParameter(
                name=parameter.name,
                is_pointer=is_data,
                is_callback=is_pointer(debug, parameter.type) and not has_extent(debug, parameter),
                is_integer=is_integer(debug, parameter.type),
                is_enumeration=node.tag == "DW_TAG_enumeration_type",
                element=debug.node(debug.strip(below)).number("size") // 8 if is_data else 0,
                is_text=is_data and is_bytes(debug, parameter.type) and debug.is_const(below),
                is_unsigned=encoding.fields.get("encoding", "").startswith("DW_ATE_unsigned"),
                bits=node.number("size"),
                kind=_kind(debug, parameter.type),
                kind_behind=_kind(debug, below) if is_data and is_pointer(debug, below) else "",
            )
        )
    return tuple(found)


def _kind(debug: DebugInfo, reference: int) -> str:
    """What kind of elements a pointer leads to; "" for what is no pointer to data."""
    if not is_pointer(debug, reference) or why_never(debug, target(debug, reference)):
        return ""
    return "bytes" if is_bytes(debug, reference) else str(debug.strip(target(debug, reference)))


def file_text(path: Path) -> str:
    """What a file holds; "" where it cannot be read."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
