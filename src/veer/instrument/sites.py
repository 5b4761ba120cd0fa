"""Numbers the sites of a unit: source branches, checks, calls, accesses. The same for both modes of the instrumenter.

Decisions come first, so that the edges that coverage looks at lie together; then a site for each function, each call,
and each place (line and column within a function) of a load, store, division or whatever else an oracle looks at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field

from veer.instrument.condition import ConditionText
from veer.instrument.debuglocation import NOWHERE, SYSTEM, DebugLocations, Position
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import bare
from veer.instrument.module import Block, Function, Module, successors
from veer.instrument.opcodes import BINARY, CASTS, DIVISIONS
from veer.instrument.variadic import LIST
from veer.model.program import REACHED, Site, SiteKind
from veer.model.values import replace

_SMASHED = "__stack_chk_fail"
_DELETE = re.compile(r"(::\s*)?delete\b")
PLACE = "%veer.place."
"""How values are called that say that a place is reached (reaching.py)."""
CONSTANT_CONDITIONS = frozenset(("true", "false", "undef", "poison"))
_SILENT = frozenset(("phi", "br", "switch", "select", "ret", "getelementptr", "icmp", "fcmp", "freeze", "fneg")) | CASTS
_VALUE_ELEMENTS = frozenset(("extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector"))
_TRAP_NAMES = {
    0: "addition overflow",
    1: "unreachable code",
    3: "division overflow",
    5: "float cast overflow",
    6: "call through another type",
    7: "implicit conversion",
    8: "invalid builtin",
    10: "invalid value",
    11: "missing return",
    12: "multiplication overflow",
    13: "negation overflow",
    14: "null argument",
    15: "null result",
    16: "null argument",
    17: "null result",
    18: "array index out of bounds",
    19: "pointer overflow",
    20: "shift out of bounds",
    21: "subtraction overflow",
    22: "alignment, null, or object size",
    23: "alignment assumption",
    24: "array length not positive",
}
"""Numbers of clang's SanitizerHandler, where the debug info has no message; oracles/bugs.py has sentences."""


class FunctionSites(Struct):
    """The sites of one function by position (running number of its instructions as parsed)."""

    function: int = 0
    decisions: dict[int, int] = field(default_factory=dict)  # br, select: its site; switch: its first site
    checks: dict[int, int] = field(default_factory=dict)  # br of a check: the side that is good
    places: dict[int, int] = field(default_factory=dict)  # calls and accesses
    words: dict[int, str] = field(default_factory=dict)  # loads of eight bytes: the identifier that stands there
    trap_sites: dict[str, int] = field(default_factory=dict)  # label of a trap block → site of the check before it

    def at(self, position: int) -> int:
        """The site of an instruction: its own, or the function's."""
        found = self.places.get(position)
        return found if found is not None else self.decisions.get(position, self.function)


class SiteTable(Struct):
    """All sites of a unit, and the positions of each function by name."""

    sites: list[Site] = field(default_factory=list)
    item_count: int = 0
    functions: dict[str, FunctionSites] = field(default_factory=dict)

    def add(self, kind: SiteKind, where: Position, function: str, text: str, block: int) -> int:
        """Appends a site without items."""
        number = len(self.sites)
        self.sites.append(Site(number, kind, where.file, where.line, where.column, function, text, block=block))
        return number

    def add_items(self, number: int, sides: tuple[str, str], counts: tuple[bool, bool]) -> None:
        """Gives the site its sides in words, and new coverage items for those that count."""
        items = [-1, -1]
        for side in (0, 1):
            if counts[side]:
                items[side] = self.item_count
                self.item_count += 1
        self.sites[number] = replace(self.sites[number], sides=sides, items=(items[0], items[1]))


def number_sites(
    module: Module,
    bodies: list[tuple[Function, tuple[Block, ...]]],
    conditions: ConditionText,
    *,
    is_library: bool,
    original_names: Mapping[str, str],
) -> SiteTable:
    """The site table of a unit; `bodies` are the functions that are instrumented, in order. `original_names` gives what
    callees were called before they were redirected."""
    table = SiteTable()
    for function, blocks in bodies:
        numbering = _FunctionNumbering(table, module.locations, conditions, function, blocks, is_library)
        table.functions[function.name] = numbering.decisions()
    for function, blocks in bodies:
        numbering = _FunctionNumbering(table, module.locations, conditions, function, blocks, is_library)
        numbering.places(table.functions[function.name], original_names)
    return table


def trap_kind(block: Block) -> int | None:
    """UBSan's number (255 for llvm.trap) if the block does nothing but trap, else None."""
    if len(block.instructions) != 2 or block.instructions[1].opcode != "unreachable":
        return None
    call = block.instructions[0].call
    if call is None or call.callee not in ("@llvm.ubsantrap", "@llvm.trap"):
        return None
    return int(call.arguments[0].value) % 256 if call.callee == "@llvm.ubsantrap" else 255


_WORDS = ("ptr", "i64", "double")
_PASSED = (LIST, "3")
"""The member of a va_list that leads to the arguments that were passed in registers."""


class _FunctionNumbering:
    """Numbers one function."""

    def __init__(
        self,
        table: SiteTable,
        locations: DebugLocations,
        conditions: ConditionText,
        function: Function,
        blocks: tuple[Block, ...],
        is_library: bool,  # noqa: FBT001 - private
    ) -> None:
        self._table = table
        self._locations = locations
        self._conditions = conditions
        self._name = bare(function.name)
        self._function = function
        self._blocks = blocks
        self._is_library = is_library
        self._labels = {block.label: index for index, block in enumerate(blocks)}

    def decisions(self) -> FunctionSites:
        """Branches, checks, switches and selects."""
        found = FunctionSites()
        where = {
            instruction.result: instruction.location
            for block in self._blocks
            for instruction in block.instructions
            if instruction.type == "i1" and instruction.opcode != "phi"
        }
        position = 0
        for index, block in enumerate(self._blocks):
            for instruction in block.instructions:
                opcode = instruction.opcode
                if opcode in ("br", "select", "switch") and instruction.operands:
                    condition = instruction.operands[0]
                    place = self._decision_place(instruction, where.get(condition.value, 0))
                    if condition.value in CONSTANT_CONDITIONS:
                        pass
                    elif condition.value.startswith(PLACE):
                        site = self._add(
                            SiteKind.SELECT, self._locations.position(instruction.location), REACHED, index
                        )
                        self._table.add_items(site, ("", REACHED), (False, True))
                        found.decisions[position] = site
                    elif opcode == "switch":
                        self._switch(found, position, instruction, place, index)
                    elif opcode == "br":
                        self._branch(found, position, instruction, place, index)
                    elif condition.type == "i1" and not instruction.is_sanitizer:  # which lower.py makes a value
                        found.decisions[position] = self._two_sided(SiteKind.SELECT, place, index)
                position += 1
        return found

    def places(self, found: FunctionSites, original_names: Mapping[str, str]) -> None:
        """The function itself, its calls and its accesses.

        A place of the source has one site in each block: look-ahead asks what can be reached from there. What a check
        calls where it fails is at the check's own site.
        """
        where = self._locations.function(self._function.subprogram)
        found.function = self._add(SiteKind.ACCESS, where, self._name, 0)
        known: dict[tuple[Position, int], int] = {}
        position = 0
        for index, block in enumerate(self._blocks):
            for instruction in block.instructions:
                call = instruction.call
                if call is not None and not call.callee.startswith("@llvm.") and not call.callee.startswith("asm "):
                    place = self._locations.position(instruction.location)
                    name = bare(call.callee) if call.callee.startswith("@") else ""
                    name = original_names.get(name, name)
                    found.places[position] = self._add(SiteKind.CALL, self._or_function(place, where), name, index)
                elif block.label not in found.trap_sites and self._is_access(instruction, index):
                    if instruction.opcode == "load" and instruction.type in _WORDS and not self._is_library:
                        found.words[position] = self._conditions.word(self._locations.position(instruction.location))
                    place = self._or_function(self._locations.position(instruction.location), where)
                    if (place, index) not in known:
                        known[place, index] = self._add(SiteKind.ACCESS, place, "", index)
                    found.places[position] = known[place, index]
                position += 1

    def _is_access(self, instruction: Instruction, block: int) -> bool:
        opcode = instruction.opcode
        if opcode == "br" and not instruction.operands:
            return self._labels[instruction.labels[0]] <= block
        if opcode in _SILENT or opcode in _VALUE_ELEMENTS:
            return False
        return opcode not in BINARY or opcode in DIVISIONS or opcode in ("fdiv", "frem")

    @staticmethod
    def _or_function(place: Position, function: Position) -> Position:
        return place if place.line else Position(function.file, function.line, 0)

    def _decision_place(self, instruction: Instruction, condition: int) -> Position:
        """Where the condition is computed if that is known, else where the decision is."""
        own = self._locations.position(instruction.location)
        if instruction.opcode == "switch" or not condition:
            return own
        place = self._locations.position(condition)
        return place if place.line and (not own.file or place.file == own.file) else own

    def _branch(self, found: FunctionSites, position: int, branch: Instruction, place: Position, index: int) -> None:
        for side, label in ((1, branch.labels[0]), (0, branch.labels[1])):
            target = self._blocks[self._labels[label]]
            kind = trap_kind(target)
            if kind is not None and (kind != 255 or branch.is_sanitizer):
                text = self._locations.trap_message(target.instructions[0].location) or _TRAP_NAMES.get(kind, "check")
                own = self._locations.position(branch.location)
                site = self._add(SiteKind.CHECK, own if own.line else place, text, index)
                found.decisions[position] = found.trap_sites[label] = site
                found.checks[position] = 1 - side
                return
        if _takes_register(self._blocks[self._labels[branch.labels[0]]]) or any(map(self._is_smashed, branch.labels)):
            found.decisions[position] = self._add(SiteKind.BRANCH, place, self._conditions.at(place), index)
            return
        found.decisions[position] = self._two_sided(SiteKind.BRANCH, place, index, self._joined(branch, index))

    def _is_smashed(self, label: str) -> bool:
        """Whether a block only tells that the stack was overwritten: no branch that anybody wrote leads there."""
        block = self._blocks[self._labels[label]]
        last = block.instructions[-1]
        if len(block.instructions) == 1 and last.opcode == "br" and not last.operands:
            block = self._blocks[self._labels[last.labels[0]]]
        return any(each.call is not None and bare(each.call.callee).endswith(_SMASHED) for each in block.instructions)

    def _joined(self, branch: Instruction, index: int) -> str:
        """The whole of a condition that && or || join and the compiler asks at once, behind them; else "".

        It does so where an operand makes a struct for a while: `div(a, 7).rem == 2 || a > 100`. The branches that lead
        to where the operands' answers meet stand at the operator.
        """
        meeting = {
            each.result for each in self._blocks[index].instructions if each.opcode == "phi" and each.type == "i1"
        }
        if branch.operands[0].value not in meeting:
            return ""
        label = self._blocks[index].label
        for block in self._blocks[:index]:
            last = block.instructions[-1]
            if last.opcode == "br" and label in last.labels:
                place = self._locations.position(last.location)
                if self._conditions.is_operator(place):
                    return self._conditions.whole(place)
        return ""

    def _two_sided(self, kind: SiteKind, place: Position, index: int, text: str = "") -> int:
        text = text or self._conditions.at(place)
        site = self._add(kind, place, text, index)
        is_own = not self._is_library and not SYSTEM.search(place.file)
        if is_own and not self._is_of_delete(text) and not self._is_of_braces(place):
            self._table.add_items(site, ("false", "true"), (True, True))
        return site

    def _is_of_delete(self, text: str) -> bool:
        """The compiler asks whether a pointer is null before it calls the destructor: no branch that anybody wrote."""
        return self._locations.is_cxx and _DELETE.match(text) is not None

    def _is_of_braces(self, place: Position) -> bool:
        """The compiler's loops fill the rest of `{{a}, {b}}`, and destruct arrays at the end of a block of C++."""
        return self._conditions.is_brace(place)

    def _switch(self, found: FunctionSites, position: int, switch: Instruction, place: Position, index: int) -> None:
        text = self._conditions.at(place)
        cases = switch.operands[1:]
        # A default that is a check is no branch of the source, as a branch that leads to one is none.
        has_default = trap_kind(self._blocks[self._labels[switch.labels[0]]]) in (None, 255)
        for number, case in enumerate(cases):
            site = self._add(SiteKind.CASE, place, text, index)
            found.decisions.setdefault(position, site)
            if not self._is_library and not SYSTEM.search(place.file):
                is_last = number == len(cases) - 1
                self._table.add_items(site, ("default", f"case {case.value}"), (is_last and has_default, True))

    def _add(self, kind: SiteKind, place: Position, text: str, block: int) -> int:
        kind = SiteKind.LIBRARY if self._is_library else kind
        return self._table.add(kind, place or NOWHERE, self._name, text, block)


def _takes_register(block: Block) -> bool:
    """Whether va_arg() goes there for an argument that was passed in a register: the branch that leads there is none
    that anybody wrote."""
    first = block.instructions[0]
    return first.opcode == "getelementptr" and (first.detail, first.operands[-1].value) == _PASSED


def back_edges(blocks: tuple[Block, ...]) -> frozenset[int]:
    """Indices of the blocks from which an edge leads backwards in the text; every cycle has at least one."""
    labels = {block.label: index for index, block in enumerate(blocks)}
    return frozenset(
        index for index, block in enumerate(blocks) if any(labels[label] <= index for label in successors(block))
    )
