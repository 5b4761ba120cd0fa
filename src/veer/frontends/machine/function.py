"""One function of the machine as one function of LLVM IR: its instructions as blocks, its registers as variables.

    define void @"triangle"() !dbg !5 {
    enter:                                       registers come in from the module's variables
      %r20 = alloca i32 ...
    a1000010c:                                   one block for each instruction, and one behind each jump within one
      ...
      br i1 %v7, label %a10000124, label %a1000010c.5

Around calls and before returns registers go back to the module's variables, as far as anybody reads them there
(liveness.py): callees take and give them there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from veer.frontends.machine import operations
from veer.frontends.machine.body import Body, UnsupportedOperationError, bits
from veer.frontends.machine.bridges import symbol
from veer.frontends.machine.constants import INDIRECT, mode_of
from veer.frontends.machine.decoder import MEMORY, Instruction, Operation, Varnode
from veer.frontends.machine.descent import Routine, inner_target, targets
from veer.frontends.machine.image import Image
from veer.frontends.machine.library import prototype
from veer.frontends.machine.liveness import Live, Step, Steps, Use
from veer.frontends.machine.returns import BACK, begun, checked, is_checked, told
from veer.frontends.machine.validated import is_faulty

_STRAIGHT = frozenset((*operations.NAMES, "CALL"))
"""Operations behind which the block goes on."""
_SPILL, _RELOAD = "  ; spill", "  ; reload"


def leaders(routine: Routine) -> set[int]:
    """The instructions that begin a block: they are jumped to, or do not stand behind the one before."""
    found = {routine.code.address}
    behind = 0
    for address in routine.addresses:
        instruction = routine.instructions[address]
        jumps = {each for each in targets(instruction) if each != instruction.next}
        if behind != address:
            found.add(address)
        found |= jumps | {each.code.address for each in routine.indirect.get(address, ())}
        behind = instruction.next
        if any(each.name not in _STRAIGHT for each in instruction.operations):
            found.add(behind)
    return found


class Texts(Struct):
    """Sentences that the code ends with, as constants of the module."""

    of: dict[str, int] = field(default_factory=dict)

    def name(self, text: str) -> str:
        """The constant."""
        return f"@veer.text.{self.of.setdefault(text, len(self.of))}"


class _Way(Struct, frozen=True):
    """A place where registers go to the module's variables, or come back: `kind` is that of Live."""

    kind: str
    called: Sequence[str]
    at: int

    def registers(self, live: Live, own: str) -> int:
        """Which of them."""
        match self.kind:
            case "spilled":
                return live.spilled(own, self.called)
            case "left":
                return live.left(own, self.called)
            case "reloaded":
                return live.reloaded(own, self.called, self.at)
        return live.returned(own)


class FunctionWriter(Struct):
    """Writes one function. `names`: the IR name of each function by address; `places`: debug locations by address;
    `head`: that of the function itself; `attributes`: what stands behind its name."""

    image: Image
    routine: Routine
    body: Body
    names: dict[int, str]
    places: dict[int, str]
    texts: Texts
    head: str
    attributes: str = ""
    _ways_out: dict[int, str] = field(default_factory=dict)
    _calls: dict[int, list[str]] = field(default_factory=dict)  # by the instruction that calls
    _places_of_calls: dict[int, int] = field(default_factory=dict)  # among the instruction's uses
    _ways: list[_Way] = field(default_factory=list)

    @property
    def name(self) -> str:
        """In IR."""
        return self.names[self.routine.code.address]

    def write(self) -> Steps:
        """Writes the body; what its instructions do to registers."""
        begins = leaders(self.routine)
        self._target(self.routine.code.address)
        for address in self.routine.addresses:
            self._instruction(self.routine.instructions[address], begins)
        self.body.place = self.head
        for target, label in self._ways_out.items():
            self.body.label(label)
            self._leave(target)
        return Steps(self.routine.code.address, {at: self._step(at) for at in self.routine.addresses})

    def text(self, live: Live | None = None) -> str:
        """The whole definition, once the body is written. `live`: which registers go between functions; None: all."""
        first = self._target(self.routine.code.address)
        lines = [*self._enter(first, live), *self._body(live)]
        return "\n".join([f"define void {self.name}(){self.attributes} {{", *lines, "}"])

    def _step(self, at: int) -> Step:
        instruction, uses = self.routine.instructions[at], self.body.uses.get(at, [])
        calls, known = self._calls.get(at, []), self.routine.indirect.get(at, ())
        is_jump = any(each.name == "BRANCHIND" for each in instruction.operations)
        places = [*targets(instruction), *((each.code.address for each in known) if is_jump else ())]
        inside = [each for each in places if self._is_inside(each)]
        left = [self._name(each) for each in places if not self._is_inside(each) and self._is_left_for(each)]
        returns = any(each.name == "RETURN" for each in instruction.operations)
        skips = any(use is Use.JUMP for use, _ in uses[: self._places_of_calls.get(at, 0)])
        return Step(uses, inside, calls, [each for each in left if each is not None], returns, skips)

    # -- the frame of the function ---------------------------------------------------------------------------------

    def _enter(self, first: str, live: Live | None) -> Iterator[str]:
        """Copies of registers come in; one that is written before it is read begins as 0."""
        yield "enter:"
        yield begun(self.head)
        for cell in self.body.used.values():
            yield f"  {self.body.variable(cell)} = alloca {cell.type}"
        for cell in self.body.registers():
            if live is None or live.has(live.entry[self.name], cell.name):
                yield from self._reload(cell.name, cell.type, "enter")
            else:
                yield f"  store {cell.type} 0, ptr %{cell.name}{self.head}"
        yield f"  br label %{first}{self.head}"

    def _body(self, live: Live | None) -> Iterator[str]:
        """The lines, with the registers' ways at each mark."""
        registers, ways = list(self.body.registers()), 0
        for line in self.body.lines:
            marker, _, place = line.partition(",")
            is_spill = marker.startswith(_SPILL)
            if not is_spill and not marker.startswith(_RELOAD):
                yield line
                continue
            ways += 1
            number = marker.removeprefix(_SPILL).removeprefix(_RELOAD).strip()
            set_ = self._ways[int(number)].registers(live, self.name) if live is not None and number else 0
            for cell in registers:
                if live is not None and not live.has(set_, cell.name):
                    continue
                rows = _spilled(cell.name, cell.type) if is_spill else ()
                yield from (row.replace("#", f"{ways}") + f",{place}" * bool(place) for row in rows)
                if not is_spill:
                    yield from self._reload(cell.name, cell.type, f"c{ways}")

    def _mark(self, word: str, kind: str, called: Sequence[str] = ()) -> None:
        """That registers go between functions here."""
        self._ways.append(_Way(kind, called, self.body.at))
        self.body.lines.append(f"{word} {len(self._ways) - 1}{self.body.place}")

    def _note_calls(self, names: Sequence[str]) -> None:
        """That the instruction at hand calls these functions; what it does later may not be done."""
        at = self.body.at
        self._calls.setdefault(at, []).extend(names)
        self._places_of_calls.setdefault(at, len(self.body.uses.get(at, ())))
        self.body.note(Use.JUMP)

    def _reload(self, name: str, type_: str, number: object) -> list[str]:
        value = f"%in.{name}.{number}"
        held = "i8" if type_ == "i1" else type_
        rows = [f"  {value} = load {held}, ptr @veer.register.{name}"]
        if type_ == "i1":
            rows.append(f"  {value}.b = trunc i8 {value} to i1")
            value += ".b"
        return [row + self.head for row in [*rows, f"  store {type_} {value}, ptr %{name}"]]

    # -- instructions ----------------------------------------------------------------------------------------------

    def _instruction(self, instruction: Instruction, begins: set[int]) -> None:
        body, address = self.body, instruction.address
        body.at, body.place = address, self.places[address]
        if address in begins:
            body.label(code_label(address))
        kept = len(body.lines)
        try:
            self._operations(instruction)
        except UnsupportedOperationError as error:
            del body.lines[kept:]
            body.uses.pop(address, None)
            self._refuse(f"the instruction at {address:#x}, {instruction.text}: {error} is not supported")
            body.label(f"{code_label(address)}.behind")
        if instruction.next in begins or instruction.next not in self.routine.instructions:
            body.line(f"br label %{self._target(instruction.next)}")

    def _operations(self, instruction: Instruction) -> None:
        body, operations_ = self.body, instruction.operations
        if is_faulty(self.image.architecture, instruction.text):
            raise UnsupportedOperationError("SLEIGH is wrong about it, and so it")
        inner = {inner_target(place, each) for place, each in enumerate(operations_)}
        is_open = True  # whether the block that is written goes on
        for place, each in enumerate(operations_):
            label = code_label(instruction.address, place)
            if place and (place in inner or not is_open):
                if is_open:
                    body.line(f"br label %{label}")
                body.label(label)
            is_open = self._operation(instruction, place, each)
        if len(operations_) in inner or not is_open:
            end = code_label(instruction.address, len(operations_))
            if is_open:
                body.line(f"br label %{end}")
            body.label(end)

    def _operation(self, instruction: Instruction, place: int, operation: Operation) -> bool:
        """Writes one; whether the next one follows in the same block."""
        body, name = self.body, operation.name
        if name in ("BRANCH", "CBRANCH"):
            target = self._jump_label(instruction, place, operation)
            if name == "BRANCH":
                body.note(Use.JUMP)
                body.line(f"br label %{target}")
                return False
            following = code_label(instruction.address, place + 1)
            body.line(f"br i1 {body.read_flag(operation.inputs[1])}, label %{target}, label %{following}")
            body.note(Use.JUMP)
            return False
        if name == "CALL":
            self._call(operation.inputs[0].offset)
        elif name == "RETURN":
            if is_checked(self.image.architecture):
                body.line(checked(instruction.address, self._number(operation.inputs[0])))
            self._return()
            return False
        elif name in INDIRECT:
            return self._indirect(instruction, operation)
        elif name == "CALLOTHER":
            return self._special(operation)
        else:
            operations.write(body, operation)
        return True

    def _special(self, operation: Operation) -> bool:
        if operation.named in operations.TRAPS:
            self.body.line("call void @llvm.trap()")
            self.body.line("unreachable")
            return False
        if operation.named not in operations.NOTHING or operation.output is not None:
            raise UnsupportedOperationError(f"the operation {operation.named}")
        return True

    def _indirect(self, instruction: Instruction, operation: Operation) -> bool:
        """A jump or call to one of the targets that are known; any other one ends the run, and is noted.

        switch i64 %target, label %other [i64 268501504, label %a10010200 ...]
        """
        body, at = self.body, instruction.address
        is_call, mode = operation.name == "CALLIND", mode_of(instruction)
        known = self.routine.indirect[at]
        number, mark = self._number(operation.inputs[0]), 0
        if mode is not None:
            mark = 1
            number = body.value(f"or i64 {number}, {body.value(f'zext i1 {body.read_flag(mode)} to i64')}")
        called = [name for each in known if (name := self._name(each.code.address)) is not None] if is_call else []
        body.note(Use.JUMP)
        if is_call:
            self._note_calls(called)
            self._mark(_SPILL, "spilled", called)
            body.line(told(str(instruction.next)))
        own = code_label(at)
        labels = [f"{own}.to{each.number:x}" if is_call else self._target(each.code.address) for each in known]
        other, behind = f"{own}.other", f"{own}.behind"
        cases = " ".join(f"i64 {_signed(each.number)}, label %{to}" for each, to in zip(known, labels, strict=True))
        body.line(f"switch i64 {number}, label %{other} [{cases}]")
        body.label(other)
        body.line(f"call void @veer_unknown_target(i64 {_signed(at)}, i64 {number}, i64 {mark})")
        body.line("unreachable")
        if is_call:
            for each, label in zip(known, labels, strict=True):
                body.label(label)
                self._call_known(each.code.address)
                body.line(f"br label %{behind}")
            body.label(behind)
            self._mark(_RELOAD, "reloaded", called)
        return is_call

    def _number(self, varnode: Varnode) -> str:
        """An address of code as a number of 64 bits."""
        value, base = self.body.read(varnode), self.image.architecture.code_base
        wide = value if bits(varnode) == 64 else self.body.value(f"zext i{bits(varnode)} {value} to i64")
        return self.body.value(f"add i64 {wide}, {base}") if base else wide

    def _call_known(self, target: int) -> None:
        """A call whose registers were spilled, and are loaded again behind it."""
        name = self._name(target)
        if name is not None:
            self.body.line(f"call void {name}()")
        else:
            self._refuse_call(target)

    def _name(self, target: int) -> str | None:
        """What is called in IR: a function of the file's, or a bridge to the library; None where there is neither."""
        name = self.routine.imports.get(target)
        if name is not None:
            return symbol(name) if prototype(name, self.image.architecture) is not None else None
        through = self.routine.through.get(target)
        return self.names.get(through.address if through is not None else target)

    def _refuse_call(self, target: int) -> None:
        """Ends the run by the name of what is called; the text goes on behind it."""
        named = {**self.image.undefined, **self.routine.imports}
        what = named.get(target, f"{target:#x}, where no code is")
        self._refuse(f"{self.routine.code.name} calls {what}, which the file does not define")
        self.body.label(f"never{len(self.body.lines)}")

    def _jump_label(self, instruction: Instruction, place: int, operation: Operation) -> str:
        inner = inner_target(place, operation)
        if inner is not None:
            return code_label(instruction.address, inner)
        if operation.inputs[0].space != MEMORY:
            raise UnsupportedOperationError(f"a jump into the address space {operation.inputs[0].space}")
        return self._target(operation.inputs[0].offset)

    # -- ways out --------------------------------------------------------------------------------------------------

    def _target(self, address: int) -> str:
        """The label that a jump to an address goes to."""
        if self._is_inside(address):
            return code_label(address)
        return self._ways_out.setdefault(address, f"out{address:x}")

    def _is_inside(self, address: int) -> bool:
        return address in self.routine.instructions and not self.routine.is_tail(address)

    def _is_left_for(self, target: int) -> bool:
        """Whether a jump there is a tail call."""
        return self.routine.is_tail(target) or target in self.image.undefined

    def _leave(self, target: int) -> None:
        if self._is_left_for(target):
            self._call(target, is_tail=True)
            self._return(is_spilled=True)
        else:
            self._refuse(f"there is no instruction at {target:#x}")

    def _call(self, target: int, *, is_tail: bool = False) -> None:
        name = self._name(target)
        if name is None:
            self._refuse_call(target)
            return
        self.body.line(told(BACK if is_tail else str(self.routine.instructions[self.body.at].next)))
        if is_tail:
            self._mark(_SPILL, "left", (name,))
            self.body.line(f"call void {name}()")
            return
        self._note_calls((name,))
        self._mark(_SPILL, "spilled", (name,))
        self.body.line(f"call void {name}()")
        self._mark(_RELOAD, "reloaded", (name,))

    def _return(self, *, is_spilled: bool = False) -> None:
        if not is_spilled:
            self.body.note(Use.JUMP)
            self._mark(_SPILL, "returned")
        self.body.line("ret void")

    def _refuse(self, why: str) -> None:
        self.body.line(f"call void @veer_refuse(ptr {self.texts.name(why)})")
        self.body.line("unreachable")


def _signed(number: int) -> int:
    """As IR writes a number of 64 bits."""
    return number - (1 << 64) if number >> 63 else number


def _spilled(name: str, type_: str) -> list[str]:
    """A register's way back to the module's variable; `#` stands for a number of the place."""
    value, held = f"%out.{name}.#", "i8" if type_ == "i1" else type_
    rows = [f"  {value} = load {type_}, ptr %{name}"]
    if type_ == "i1":
        rows.append(f"  {value}.b = zext i1 {value} to i8")
        value += ".b"
    return [*rows, f"  store {held} {value}, ptr @veer.register.{name}"]


def code_label(address: int, place: int = 0) -> str:
    """The label in IR of an instruction, or of an operation within it."""
    return f"a{address:x}.{place}" if place else f"a{address:x}"
