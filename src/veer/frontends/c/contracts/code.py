"""What a function's code does with its parameters: which number bounds which buffer, which pointers it tests for NULL.

for (i = 0; i < n; i++) sum += buf[i];      buf has n elements
key[i % n]                                  key has n elements
memcpy(out, in, k * sizeof *in);            in and out have k elements
while (n--) *p++ = 0;                       p has n elements
end = p + n; while (p < end) ...            p has n elements
return inner(buf, n);                       as inner has it
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct, field

from veer.frontends.c.contracts.attributes import KnownParameter
from veer.frontends.c.contracts.ends import EndReader, Ends, Given
from veer.frontends.c.contracts.functionbody import Access, Called, FunctionBodies, FunctionBody, is_constant
from veer.frontends.c.contracts.single import single_objects
from veer.frontends.c.contracts.storednumbers import stored_numbers
from veer.frontends.c.contracts.texts import texts_of

_BOTH = ((0, 2), (1, 2))
LIBRARY_LENGTHS: Mapping[str, tuple[tuple[int, int], ...]] = {
    **dict.fromkeys(("memcpy", "memmove", "memcmp", "bcmp", "bcopy", "mempcpy"), _BOTH),
    **dict.fromkeys(("memset", "memchr", "memrchr", "strncpy", "stpncpy"), ((0, 2),)),
    **dict.fromkeys(("snprintf", "vsnprintf", "bzero", "explicit_bzero", "fgets", "getcwd", "gethostname"), ((0, 1),)),
    **dict.fromkeys(("read", "write", "pread", "pwrite", "recv", "send", "recvfrom", "sendto"), ((1, 2),)),
}
"""Function of the C library → the places of a buffer and of its length in bytes."""
_BELOW = frozenset({"slt", "ult", "sge", "uge", "eq", "ne"})
"""Comparisons, or their contraries, by which a number stays below another one."""
_ABOVE = frozenset({"sgt", "ugt", "sle", "ule", "eq", "ne"})
_TAKES_NULL = frozenset({"free", "realloc", "time", "fflush", "setbuf"})


class CodeFacts(Struct, frozen=True):
    """Buffer → the parameters that its code uses as its length; the pointers that it compares with NULL; those that it
    takes for pointers to one struct (single.py); pointers with numbers that it writes there (storednumbers.py); texts
    that it gives to the library as such; buffers that it walks through otherwise than along the number beside them;
    pointers to the ends of buffers, by what it does and by their names."""

    lengths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tested: frozenset[str] = frozenset()
    single: frozenset[str] = frozenset()
    written: frozenset[tuple[str, str]] = frozenset()
    texts: frozenset[str] = frozenset()
    otherwise: frozenset[str] = frozenset()
    ends: Ends = field(default_factory=Ends)
    named_ends: Ends = field(default_factory=Ends)


class CodeReader(Struct):
    """What the code of a module's functions shows; each is read once. `known`: their parameters, by function."""

    bodies: FunctionBodies
    known: Mapping[str, Sequence[KnownParameter]]
    found: dict[str, CodeFacts] = field(default_factory=dict)

    def facts(self, name: str) -> CodeFacts:
        """What a function's code shows; that of functions it calls counts, too."""
        if name not in self.found:
            self.found[name] = CodeFacts()  # for functions that call each other
            body, parameters = self.bodies.function(name), self.known.get(name)
            if body is not None and parameters:
                self.found[name] = self._read(body, parameters)
        return self.found[name]

    def _read(self, body: FunctionBody, parameters: Sequence[KnownParameter]) -> CodeFacts:
        reader = _Reader(body, {each.name: each for each in parameters}, body.set_anew())
        found: dict[str, dict[str, None]] = {}
        lengths = (reader.bounded(), reader.wrapped(), reader.ends(), reader.counted(), reader.given_to_library())
        for buffer, length in chain.from_iterable(lengths):
            found.setdefault(buffer, {})[length] = None
        tested = set(reader.tested())
        given_on: list[Given] = []
        for called in body.calls():
            inner, given = self.known.get(called.function), reader.arguments(called)
            tested.update(each for each in given if each and called.function in _TAKES_NULL)
            if inner is None or len(given) != len(inner):
                continue
            facts = self.facts(called.function)
            given_on.append(Given(called, [each.name for each in inner], facts.ends))
            outer = {parameter.name: argument for parameter, argument in zip(inner, given, strict=True) if argument}
            tested.update(outer[each] for each in facts.tested if each in outer)
            for buffer, names in facts.lengths.items():
                if len(names) == 1 and buffer in outer and names[0] in outer:
                    found.setdefault(outer[buffer], {})[outer[names[0]]] = None
        lengths_found = {buffer: tuple(names) for buffer, names in found.items()}
        elements = {each.name: each.element for each in parameters}
        single = single_objects(body, elements, self._is_single)
        texts = frozenset(reader.texts())
        written, otherwise = stored_numbers(body), frozenset(reader.otherwise()) - found.keys()
        ends = EndReader(body, {each.name: each for each in parameters})
        return CodeFacts(
            lengths_found,
            frozenset((*tested, *ends.tested())),
            single - found.keys(),
            written,
            texts,
            otherwise,
            ends.ends(given_on),
            ends.named(),
        )

    def _is_single(self, called: Called, number: int) -> bool | None:
        """Whether a function that is called takes an argument for a pointer to one struct; False where nobody knows."""
        inner = self.known.get(called.function, ())
        return number < len(inner) and inner[number].name in self.facts(called.function).single


class _Reader(Struct):
    """One function's body and its parameters."""

    body: FunctionBody
    known: Mapping[str, KnownParameter]
    anew: frozenset[str]  # parameters that get another value at once

    def _pointer(self, slot: str) -> str:
        """The pointer parameter that a slot holds, be it one of its own or a local variable that begins as it."""
        name = self._of(slot)
        return name if name in self.known and self.known[name].is_pointer else ""

    def _integer(self, slot: str) -> str:
        """The integer parameter that a slot holds: its own, or that of a local variable that is set once."""
        name = self._of(slot) if slot in self.body.parameters or len(self.body.stores.get(slot, ())) == 1 else ""
        return name if name in self.known and self.known[name].is_integer and name not in self.anew else ""

    def _of(self, slot: str) -> str:
        """The parameter that is stored in a slot, and no other one."""
        if slot in self.body.parameters:
            return self.body.parameters[slot]
        sources = {self.body.slot(value) for value in self.body.stores.get(slot, ())}
        names = {self.body.parameters[each] for each in sources if each in self.body.parameters}
        return next(iter(names)) if len(names) == 1 else ""

    def arguments(self, called: Called) -> list[str]:
        """The parameter that each argument of a call is; "" for other values."""
        slots = [self.body.slot(value) for value in called.arguments]
        return [self._pointer(slot) or self._integer(slot) for slot in slots]

    def bounded(self) -> Iterator[tuple[str, str]]:
        """A buffer whose index is compared with a parameter: `i < n`, and `buf[i]`.

        `i <= last` of an index that does not begin at 0, and `i >= first` of one that counts down, name an element that
        is there: these are no lengths. Nor is what is an index itself, `buf[last]`.
        """
        body = self.body
        bounds: dict[str, set[str]] = {}
        for each in body.comparisons():
            for one, other, within in ((each.left, each.right, _BELOW), (each.right, each.left, _ABOVE)):
                length = self._integer(body.near_slot(other))
                index = body.near_slot(one)
                if not length or not index or index in body.parameters or self._counts_down(index):
                    continue
                if each.predicate in within or self._begins_at_zero(index):
                    bounds.setdefault(index, set()).add(length)
        ended = self._ended()
        at = [(self._pointer(body.slot(each.base)), body.near_slot(each.index)) for each in body.accesses()]
        direct = {(buffer, self._integer(index)) for buffer, index in at if not self._counts_down(index)}
        for buffer, index in at:
            if not buffer or buffer in ended:
                continue
            lengths = ((buffer, length) for length in sorted(bounds.get(index, ())))
            yield from (each for each in lengths if each not in direct)
            if (own := self._integer(index)) and self._counts_down(index):
                yield buffer, own

    def wrapped(self) -> Iterator[tuple[str, str]]:
        """A buffer whose index is a remainder by a parameter: `key[i % n]`, `at = (at + 1) % n` and `ring[at]`."""
        body = self.body
        for each in body.accesses():
            buffer = self._pointer(body.slot(each.base))
            for value in (each.index, *body.stores.get(body.slot(each.index), ())) if buffer else ():
                if length := self._integer(body.slot(body.divisor(value))):
                    yield buffer, length

    def ends(self) -> Iterator[tuple[str, str]]:
        """A buffer whose end is kept or compared with: `end = buf + n`."""
        body = self.body
        stored = {value for values in body.stores.values() for value in values}
        compared = {value for each in body.comparisons() for value in (each.left, each.right)}
        for access in body.accesses():
            buffer, length = self._pointer(body.slot(access.base)), self._integer(body.slot(access.index))
            moved = [slot for slot, values in body.stores.items() if access.result in values]
            if buffer and length and access.result in stored | compared and body.slot(access.base) not in moved:
                yield buffer, length

    def counted(self) -> Iterator[tuple[str, str]]:
        """A buffer that is walked through while the one number that is counted down lasts: `while (n--) *p++`."""
        number, walked = self._walked()
        yield from ((buffer, number) for buffer, goes_along in walked.items() if goes_along)

    def otherwise(self) -> Iterator[str]:
        """A buffer that has a form of its own: it moves by several elements, elsewhere than the number is counted down
        along which another buffer moves: `*out++ = c; room--; ... in += 2;`."""
        _, walked = self._walked()
        yield from (buffer for buffer, goes_along in walked.items() if not goes_along)

    def _walked(self) -> tuple[str, Mapping[str, bool]]:
        """The one number that is counted down, and whether each buffer that is walked through goes along with it."""
        body = self.body
        numbers = [slot for slot in body.parameters if self._integer(slot) and self._counts_down(slot)]
        if len(numbers) != 1:
            return "", {}
        ended = self._ended()
        down = {(place, -step) for place, step in self._moves(numbers[0]) if step < 0}
        walked = {
            buffer: up
            for slot in body.parameters
            if (buffer := self._pointer(slot)) and buffer not in ended
            if (up := {(place, step) for place, step in self._moves(slot) if step > 0})
        }
        counting = {place for place, _ in down}
        is_matched = any(place in counting for up in walked.values() for place, _ in up)
        along = {
            buffer: not is_matched or bool(up & down) or any(step == 1 for _, step in up)
            for buffer, up in walked.items()
        }
        return self._integer(numbers[0]), along

    def _moves(self, slot: str) -> Iterator[tuple[str, int]]:
        """The places in which a variable is moved, each with how far: the first block of those that run together."""
        for block in self.body.blocks:
            for each in block.instructions:
                if each.opcode == "store" and each.operands[1].value == slot:
                    yield self._first_with(block.label), self.body.step(slot, each.operands[0].value)

    def _first_with(self, label: str) -> str:
        """The first of the blocks that run together: between them are but checks of the compiler's, which end."""
        blocks = {each.label: each for each in self.body.blocks}
        while True:
            before = [each for each in self.body.blocks if label in each.instructions[-1].labels]
            others = {each for one in before for each in one.instructions[-1].labels} - {label}
            if len(before) != 1 or any(blocks[each].instructions[-1].opcode != "unreachable" for each in others):
                return label
            label = before[0].label

    def given_to_library(self) -> Iterator[tuple[str, str]]:
        """A buffer and a number that the C library takes as its size."""
        for called in self.body.calls():
            name = called.function
            if name.startswith(("llvm.mem", "__mem")):
                name = name.removeprefix("llvm.").removeprefix("__").partition(".")[0].removesuffix("_chk")
            for place, length_place in LIBRARY_LENGTHS.get(name, ()):
                if length_place >= len(called.arguments):
                    continue
                buffer = self._pointer(self.body.slot(called.arguments[place]))
                slot, factor = self.body.scaled(called.arguments[length_place])
                length = self._integer(slot)
                if buffer and length and factor == max(self.known[buffer].element, 1):
                    yield buffer, length

    def tested(self) -> Iterator[str]:
        """Pointers that are compared with NULL."""
        for each in self.body.comparisons():
            if each.type == "ptr" and each.right == "null" and (name := self._pointer(self.body.slot(each.left))):
                yield name

    def texts(self) -> Iterator[str]:
        """The parameters `const char *` whose NUL the library is to look for: `strlen(pat)`."""
        for called in self.body.calls():
            for value in texts_of(called, self.body.literals):
                name = self._pointer(self.body.slot(value))
                if name and self.known[name].is_text:
                    yield name

    def _counts_down(self, slot: str) -> bool:
        return any(self.body.step(slot, value) < 0 for value in self.body.stores.get(slot, ()))

    def _begins_at_zero(self, slot: str) -> bool:
        """Whether a number goes up from 0, by steps alone."""
        values = self.body.stores.get(slot, ())
        begins = [value for value in values if self.body.step(slot, value) <= 0]
        return bool(begins) and all(is_constant(value) and int(value) == 0 for value in begins)

    def _ended(self) -> set[str]:
        """Texts that may end before their number says: the library, or the code itself, looks for their NUL."""
        found = set(self.texts())
        for each in self.body.comparisons():
            if not (is_constant(each.right) and int(each.right) == 0):
                continue
            place = self.body.slot(each.left)
            base = next((access.base for access in self._at(place)), place)
            name = self._pointer(self.body.slot(base))
            if name and self.known[name].element == 1 and self.known[name].is_text:
                found.add(name)
        return found

    def _at(self, address: str) -> Iterator[Access]:
        return (access for access in self.body.accesses() if access.result == address)
