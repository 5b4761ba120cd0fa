"""The monitors as a Java class, in the package of the entry: what woven code calls at its events.

    static void call_0(Account x0, int x1) {              at the entry of Account.withdraw(int)
        veer.Specifications.event(0, 1, (long) x1, 0, 0, 0);
        { // covered
            boolean a0 = true; { var n = x1; a0 &= (n > 3); }
            veer.Specifications.check(true ^ (a0 & m0_r0), 0);
            boolean n0 = ...; m0_r0 = n0;
            veer.Specifications.register(0, 0, m0_r0); veer.Specifications.state(0, a0, 1);
        }
    }

Registers and what is computed of them are booleans under `&`, `|` and `^`, which do not branch; conditions are Java,
which does. A return is an event where a value goes back: an exception is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from veer.frontends.java.classfile.descriptors import full_words
from veer.frontends.java.specifications.methods import Watched as Method
from veer.specs.language import RESULT, Condition, Moment, Pattern, Place
from veer.specs.machine import FALSE, Any, Bit, Both, Function, Input, Inverse, Register, inverse
from veer.specs.moves import NONE, Moves, at_end, moves
from veer.specs.watched import Watched

CLASS = "VeerMonitors"
ENGINE = "veer.Specifications"
MOST_VALUES = 32
MOST_TOLD = 4
_THIS = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\bthis\b")
_LONG = "BSCIJ"


class Text(Struct):
    """The class as lines. `places`: where the condition on a line stands, by its number from 1 on."""

    lines: list[str] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)

    def add(self, *lines: str) -> None:
        """Lines of veer's own."""
        self.lines += lines

    def condition(self, condition: Condition) -> None:
        """A condition on a line of its own."""
        text = _THIS.sub(lambda found: "x0" if found[0] == "this" else found[0], condition.text.replace("\n", " "))
        self.lines.append(text)
        self.places[len(self.lines)] = condition.place


def monitors(
    watched: Sequence[Watched],
    methods: Mapping[str, Method],
    events: Sequence[tuple[Moment, str]],
    entry: Method | None,
    package: str,
) -> Text:
    """The class. `methods`: by the names in the specifications; `entry`: with what is asked when it has returned."""
    text = Text()
    text.add(f"package {package};" if package else "", f"final class {CLASS} {{")
    for index, each in enumerate(watched):
        text.add(*_state(index, each, methods))
    text.add("static int depth;")
    every = {each.number: each for each in (*methods.values(), *([entry] if entry is not None else []))}
    for method in every.values():
        for moment in Moment:
            _handler(
                text,
                moment,
                method,
                watched,
                methods,
                events,
                is_entry=entry is not None and method.number == entry.number,
            )
    if entry is not None:
        _end(text, watched)
    text.add("}")
    return text


def _state(index: int, watched: Watched, methods: Mapping[str, Method]) -> Iterator[str]:
    initial = [str(bit).lower() for bit in watched.machine.initial]
    shared = watched.specification.shared
    if not shared:
        yield from (f"static boolean m{index}_r{number} = {bit};" for number, bit in enumerate(initial))
        return
    # The last row is that of all values that no event has had yet.
    yield f"static final boolean[][] m{index}_r = new boolean[{MOST_VALUES + 1}][];"
    yield f"static {{ m{index}_r[{MOST_VALUES}] = new boolean[] {{{', '.join(initial)}}}; }}"
    yield f"static final {_shared(watched, methods)}[] m{index}_v = new {_shared(watched, methods)}[{MOST_VALUES}];"
    yield f"static int m{index}_n;"


def _shared(watched: Watched, methods: Mapping[str, Method]) -> str:
    name = watched.specification.shared
    pattern = next(each for each in watched.specification.patterns if name in each.names)
    method = methods[pattern.function]
    place = method.place(pattern, name)
    type_ = method.result if place == len(method.types) else method.types[place]
    return "long" if type_ in _LONG else "double" if type_ in "FD" else "boolean" if type_ == "Z" else "Object"


def _handler(
    text: Text,
    moment: Moment,
    method: Method,
    watched: Sequence[Watched],
    methods: Mapping[str, Method],
    events: Sequence[tuple[Moment, str]],
    *,
    is_entry: bool,
) -> None:
    names = [name for name, each in methods.items() if each.number == method.number and (moment, name) in events]
    if not names and not is_entry:
        return
    is_return = moment is Moment.RETURN
    types = [*method.words, *([full_words(method.result)] if is_return and method.result else [])]
    given = ", ".join(f"{type_} x{place}" for place, type_ in enumerate(types))
    text.add(f"static void {moment.value}_{method.number}({given}) {{")
    if is_entry and not is_return:
        text.add("depth++;")
    for name in names:
        told = method.told(is_return=is_return)[:MOST_TOLD]
        values = [f"(long) x{place}" for place, _ in told] + ["0L"] * (MOST_TOLD - len(told))
        text.add(f"{ENGINE}.event({events.index((moment, name))}, {len(told)}, {', '.join(values)});")
        for index, each in enumerate(watched):
            if (moment, name) in each.specification.events:
                text.add(f"{{ // {each.specification.name}")
                _watch(text, index, each, (moment, name), method)
                text.add("}")
    if is_entry and is_return:
        text.add("if (--depth == 0) end();")
    text.add("}")


def _watch(text: Text, index: int, watched: Watched, event: tuple[Moment, str], method: Method) -> None:
    """One specification at one event."""
    specification, shared = watched.specification, watched.specification.shared
    other = moves(specification, watched.machine, event, with_shared=False)
    about = next((each for each in specification.patterns if each.event == event and shared in each.names), None)
    own = moves(specification, watched.machine, event, with_shared=True) if about is not None else NONE
    for number in sorted(other.atoms | own.atoms):
        atom = specification.atoms[number]
        if isinstance(atom, Condition):
            text.add(f"boolean a{number} = (")
            text.condition(atom)
            text.add(");")
        else:
            _pattern(text, f"a{number}", atom, method)
    if not shared:
        _step(text, index, watched, other, f"m{index}_r{{}}")
        return
    if about is not None:  # before any state changes: a new value begins as all others are
        value = f"x{method.place(about, shared)}"
        text.add(
            "int k = 0;",
            f"while (k < m{index}_n && m{index}_v[k] != {value}) k++;",
            f"if (k == m{index}_n) {{",
            f"if (k == {MOST_VALUES}) {ENGINE}.full();",
            f"m{index}_v[k] = {value}; m{index}_n++;",
            f"m{index}_r[k] = m{index}_r[{MOST_VALUES}].clone(); }}",
        )
    if other.seen != FALSE:
        text.add("{")
        _step(text, index, watched, other, f"m{index}_r[{MOST_VALUES}][{{}}]")
        text.add("}", f"for (int i = 0; i < m{index}_n; i++){'' if about is None else ' if (i != k)'} {{")
        _step(text, index, watched, other, f"m{index}_r[i][{{}}]")
        text.add("}")
    if about is not None:
        text.add("{")
        _step(text, index, watched, own, f"m{index}_r[k][{{}}]")
        text.add("}")


def _step(text: Text, index: int, watched: Watched, step: Moves, register: str) -> None:
    """The machine's step. `register`: one of its registers, `{}` in the place of its number."""
    if step.seen == FALSE:
        return
    if step.broken != FALSE:
        text.add(_check(inverse(step.broken), index, watched, register))
    for number, each in step.following:
        text.add(f"boolean n{number} = {bits(each, register)};")
    text.add(f"boolean seen = {bits(step.seen, register)};")
    for number, _ in step.following:
        text.add(f"{register.format(number)} = n{number};")
    count = len(watched.machine.initial)
    text.add(*(f"{ENGINE}.register({index}, {number}, {register.format(number)});" for number in range(count)))
    text.add(f"{ENGINE}.state({index}, seen, {count});")


def _check(holds: Function, index: int, watched: Watched, register: str) -> str:
    name = json.dumps(watched.specification.name)
    return f"{ENGINE}.check({bits(holds, register)}, {index}, {name});"


def bits(function: Function, register: str) -> str:
    """A function as an expression of Java that does not branch."""
    if isinstance(function, Bit):
        return str(function.value).lower()
    if isinstance(function, Input):
        return f"a{function.atom}"
    if isinstance(function, Register):
        return register.format(function.number)
    if isinstance(function, Inverse):
        return f"(true ^ {bits(function.operand, register)})"
    assert isinstance(function, Both | Any)
    mark = "&" if isinstance(function, Both) else "|"
    return f"({bits(function.left, register)} {mark} {bits(function.right, register)})"


def _pattern(text: Text, name: str, pattern: Pattern, method: Method) -> None:
    """Whether an event fits the pattern, as far as its own values say."""
    text.add(f"boolean {name} = true; {{")
    for argument in pattern.arguments:
        if argument.name:
            text.add(f"var {argument.name} = x{method.place(pattern, argument.name)};")
    result = f"x{len(method.types)}"
    if pattern.moment is Moment.RETURN and method.result:
        text.add(*(f"var {each} = {result};" for each in dict.fromkeys((pattern.result or RESULT, RESULT))))
    for place, argument in enumerate(pattern.arguments):
        if argument.equals is not None:
            text.add(f"{name} &= (x{method.first + place} == (")
            text.condition(argument.equals)
            text.add("));")
    if pattern.operand is not None:
        text.add(f"{name} &= ({result} {pattern.relation} (")
        text.condition(pattern.operand)
        text.add("));")
    if pattern.where is not None:
        text.add(f"{name} &= (")
        text.condition(pattern.where)
        text.add(");")
    text.add("}")


def _end(text: Text, watched: Sequence[Watched]) -> None:
    """What is asked when the entry has returned."""
    text.add("static void end() {")
    for index, each in enumerate(watched):
        broken = at_end(each.specification, each.machine)
        if broken == FALSE:
            continue
        text.add("{")
        for number, atom in enumerate(each.specification.atoms):
            if isinstance(atom, Condition):
                text.add(f"boolean a{number} = (")
                text.condition(atom)
                text.add(");")
        if each.specification.shared:
            text.add(f"for (int i = 0; i < m{index}_n; i++)")
            text.add(_check(inverse(broken), index, each, f"m{index}_r[i][{{}}]"))
            text.add(_check(inverse(broken), index, each, f"m{index}_r[{MOST_VALUES}][{{}}]"))
        else:
            text.add(_check(inverse(broken), index, each, f"m{index}_r{{}}"))
        text.add("}")
    text.add("}")
