"""A run of a sequence harness as C: the calls in their order, each followed by what it must return.

struct list *list_1 = list_new();
int result_2 = list_add(list_1, 5);
veer_expect_signed("result_2", result_2, 1);
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from veer.model.describe import type_at
from veer.model.endpointers import as_made
from veer.model.inputs import InputMap, Root, Scalar
from veer.model.literal import scalar
from veer.model.made import link_at
from veer.model.ownstruct import Making
from veer.model.program import Program
from veer.model.result import Test
from veer.model.sequence import Call, Callee, CallSequence, result_places
from veer.model.types import SCALAR_KINDS, Type, TypeKind
from veer.model.values import replace
from veer.suite.c.declarators import Names, declare, declare_unseen, is_nameable
from veer.suite.c.endpointers import with_ends
from veer.suite.c.expectations import Expectation, Kind, expected_result
from veer.suite.c.frees import blocks, freed
from veer.suite.c.graph import GraphWriter
from veer.suite.c.layout import assignable
from veer.suite.c.made import MadeBlocks
from veer.suite.c.outputs import Variables, expected_outputs
from veer.suite.c.shims import feed_statements, is_fed, taken_roots


class Step(Struct, frozen=True):
    """Statements, and what is expected behind them."""

    lines: tuple[str, ...]
    expectations: tuple[Expectation, ...] = ()


class WrittenSequence(Struct, frozen=True):
    """A test's statements; `why_not`: why it cannot be written, or empty; `end`: what stands behind its last call;
    `is_cut`: not all of what it made is compared."""

    steps: tuple[Step, ...]
    why_not: str = ""
    end: tuple[str, ...] = ()
    is_cut: bool = False


def written_sequence(program: Program, test: Test, written: frozenset[int]) -> WrittenSequence:
    """The test as statements; `written`: types of input objects that the unit writes."""
    if program.sequence is None:
        return WrittenSequence((), "the program has no call sequence")
    return _Writer(program, program.sequence, test, Names(program)).write(written)


class _Writer(Struct):
    program: Program
    sequence: CallSequence
    test: Test
    names: Names
    objects: dict[tuple[int, int], str] = field(default_factory=dict)  # by pool and number
    arguments: dict[tuple[str, int], str] = field(default_factory=dict)  # by root and occurrence
    results: dict[int, tuple[str, Type]] = field(default_factory=dict)  # variables of what calls returned, by number

    def write(self, written: frozenset[int]) -> WrittenSequence:
        """The inputs, then the calls, then what the objects must hold."""
        inputs = self._own_inputs()
        parameters = tuple(root.name for root in inputs.roots)
        others = tuple(root for root in self.test.inputs.roots if self._is_global(root))
        self.names.reserve([*(root.name for root in others), *(each.name for each in self.program.outputs)])
        writer = GraphWriter(self.program, inputs, parameters, self.names)
        setup = writer.write()
        if setup.unwritable:
            return WrittenSequence((), setup.unwritable)
        numbered = {name: setup.arguments.get(name, "0") for name in parameters}
        self.arguments = {key: numbered.get(name, name) for key, name in self.arguments.items()}
        lines = [*setup.lines, *writer.globals(others)]
        if is_fed(self.program, self.test):
            lines += feed_statements(self.program, self.test, taken_roots(self.program, self.test), writer.variable)
        lines += self._first_objects()
        calls = [self._call(number, call) for number, call in enumerate(self.test.inputs.calls, 1)]
        made = MadeBlocks(self.program, self.test.left, writer.variable)
        behind = (*self._pool_objects(made), *self._behind_results(made))
        outputs = expected_outputs(Variables(self.program, writer.variable, made), self.test, written)
        released = (Expectation(Kind.FREED, writer.variable(each), "") for each in freed(self.program, self.test))
        counted = blocks(self.program, self.test) if not writer.initialised() else ()
        expected = (*behind, *outputs, *released, *counted)
        head = [Step((*lines, ""))] if lines else []
        last = [Step((), expected)] if expected else []
        return WrittenSequence((*head, *calls, *last), end=tuple(self._kept()), is_cut=made.is_cut)

    def _own_inputs(self) -> InputMap:
        """The inputs with the calls' arguments as roots of names that C variables may have; plain numbers are left out.

        What each argument is written as goes to `arguments`: a number, or for now the name of its root.
        """
        roots: list[Root] = []
        for call in self.test.inputs.calls:
            callee = self.sequence.callees[call.callee]
            for parameter, pool in self._parameters(callee):
                key = (callee.argument(parameter), call.occurrence)
                root = next((each for each in self.test.inputs.roots if (each.name, each.occurrence) == key), None)
                if pool >= 0 or root is None:
                    continue
                type_ = type_at(self.program, root.type)
                value = root.cells[0].value if len(root.cells) == 1 else None
                if type_ is not None and type_.kind in SCALAR_KINDS and isinstance(value, Scalar):
                    self.arguments[key] = scalar(value, type_)
                    continue
                name = f"{parameter}_{len(roots) + 1}"
                self.arguments[key] = name
                roots.append(replace(root, name=name, occurrence=0))
        return InputMap(tuple(roots), self.test.inputs.objects)

    def _parameters(self, callee: Callee) -> Iterator[tuple[str, int]]:
        """Name and pool of each parameter."""
        function = self.program.function(callee.function)
        names = [parameter.name for parameter in function.parameters] if function is not None else []
        return zip(names, callee.receivers, strict=False)

    def _is_global(self, root: Root) -> bool:
        own = {callee.argument(name) for callee in self.sequence.callees for name, _ in self._parameters(callee)}
        return root.name not in own and "(" not in root.name and root.type >= 0 and root.occurrence == 0

    # -- objects that flow from call to call ---------------------------------------------------------------------

    def _object(self, pool: int, number: int) -> str:
        """The variable of an object."""
        if (pool, number) not in self.objects:
            self.objects[pool, number] = self.names.free(f"{self.sequence.pools[pool].name}_{number}")
        return self.objects[pool, number]

    def _declared(self, pool: int, number: int) -> str:
        """The declaration of an object's variable."""
        pointer = self.program.types[self.sequence.pools[pool].pointer]
        mutable = replace(pointer, name=pointer.name.removeprefix("const "))
        return declare(self.program.types, mutable, self._object(pool, number))

    def _new(self, pool: int, number: int) -> str:
        """A new object of zeros."""
        name = self._object(pool, number)
        return f"{self._declared(pool, number)} = veer_block(sizeof *{name});"

    def _first_objects(self) -> Iterator[str]:
        for index, pool in enumerate(self.sequence.pools):
            if pool.making is Making.ZEROS:
                yield self._new(index, 1)
            elif pool.making is Making.VALUE:
                yield f"{self._declared(index, 1)} = NULL;"

    # -- what they hold behind the last call -----------------------------------------------------------------------

    def _pool_objects(self, made: MadeBlocks) -> Iterator[Expectation]:
        """What the objects hold: first each has its name, for they may lead to each other."""
        found = [(self.objects.get((each.pool, each.number)), each) for each in self.test.left.pools]
        named = [(name, each) for name, each in found if name is not None]
        for name, each in named:
            made.name(name, each.link)
        for name, each in named:
            yield from made.named(name, self.program.types[self.sequence.pools[each.pool].pointer], each.link)

    def _behind_results(self, made: MadeBlocks) -> Iterator[Expectation]:
        """Where pointers lead that calls returned, as far as there is something still."""
        places = result_places(self.sequence, self.test.inputs.calls)
        for number, (name, type_) in self.results.items():
            for leaf in assignable(self.program, type_, 1):
                if leaf.type.kind == TypeKind.POINTER:
                    link = link_at(self.test.left.result, places[number - 1] + leaf.offset)
                    yield from made.pointer(f"{name}{leaf.path}", leaf.type, link)

    def _kept(self) -> Iterator[str]:
        """Statements by which objects stay reachable that no call has ended: no leak of the test's."""
        for each in self.test.left.pools:
            name = self.objects.get((each.pool, each.number))
            block = self.test.left.block(each.link.to)
            if name is not None and block is not None and not block.is_static:
                yield f"veer_keep_block((void *){name});"

    # -- calls ---------------------------------------------------------------------------------------------------

    def _call(self, number: int, call: Call) -> Step:
        """One call; a variable takes what is looked at again."""
        callee = self.sequence.callees[call.callee]
        receivers = iter(call.receivers)
        arguments: list[str] = []
        lines: list[str] = []
        behind: tuple[Expectation, ...] = ()
        for place, (parameter, pool) in enumerate(self._parameters(callee)):
            if place == callee.delivers:
                place_for, declared, delivered = self._place_for(number, call, callee)
                arguments.append(f"&{place_for}")
                lines.append(declared)
                behind = delivered
                continue
            if pool < 0:
                arguments.append(self.arguments.get((callee.argument(parameter), call.occurrence), "0"))
                continue
            receiver = next(receivers, 1)
            if place == callee.initialises:
                lines.append(self._new(pool, receiver))
            arguments.append(self._object(pool, receiver))
        function = self.program.function(callee.function)
        roots = [(callee.argument(name), call.occurrence) for name, _ in self._parameters(callee)]
        parameters = as_made(self.test.inputs, function.parameters, roots) if function is not None else ()
        passed = with_ends(self.program.types, parameters, arguments)
        text = f"{callee.function}({', '.join(passed)})"
        head, expectations = self._result(number, call, callee)
        return Step((*lines, f"{head}{text};"), (*expectations, *behind))

    def _place_for(self, number: int, call: Call, callee: Callee) -> tuple[str, str, tuple[Expectation, ...]]:
        """A variable for what a call delivers, its declaration, and what is expected of it behind the call."""
        is_new = call.made and (callee.makes, call.made) not in self.objects
        name = self._object(callee.makes, call.made) if is_new else self.names.free(f"delivered_{number}")
        pointer = self.program.types[self.sequence.pools[callee.makes].pointer]
        declared = declare(self.program.types, replace(pointer, name=pointer.name.removeprefix("const ")), name)
        expected: tuple[Expectation, ...] = ()
        if call.result or callee.returns < 0:
            known = (Expectation(Kind.SAME, name, self._object(callee.makes, call.made)),) if call.made else ()
            kind = Kind.NOT_NULL if is_new else Kind.NULL
            expected = known if known and not is_new else (Expectation(kind, name, ""),)
        return name, f"{declared} = NULL;", expected

    def _result(self, number: int, call: Call, callee: Callee) -> tuple[str, tuple[Expectation, ...]]:
        """What stands before the call, and what is expected of the result."""
        type_ = type_at(self.program, callee.returns)
        if type_ is None:
            return "", ()
        if not call.result:
            is_last = number == len(self.test.inputs.calls)
            unseen = declare_unseen(self.program.types, type_, self.names.free(f"result_{number}"))
            return (f"{unseen} = " if is_last and self.test.outcome.is_bug else ""), ()
        nothing = not any(call.result)
        if callee.replaces:
            place = self._object(next(pool for pool in callee.receivers if pool >= 0), call.receivers[0])
            return f"{place} = ", (Expectation(Kind.NULL if nothing else Kind.NOT_NULL, place, ""),)
        returns_one = callee.makes >= 0 and callee.delivers < 0 and call.made
        if returns_one and (callee.makes, call.made) not in self.objects:
            declared = self._declared(callee.makes, call.made)
            return f"{declared} = ", (Expectation(Kind.NOT_NULL, self._object(callee.makes, call.made), ""),)
        place = self.names.free(f"result_{number}")
        expected = expected_result(self.program, type_, call.result, place)
        if not expected:
            return "", ()
        if returns_one:
            expected = (Expectation(Kind.SAME, place, self._object(callee.makes, call.made)),)
        else:
            self.results[number] = (place, type_)
        return f"{self._variable(type_, place)} = ", expected

    def _variable(self, type_: Type, name: str) -> str:
        return declare(self.program.types, type_, name) if is_nameable(type_) else f"__auto_type {name}"
