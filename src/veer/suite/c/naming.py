"""Names that say what a test does: `test_parse_returns_minus_1_when_text_is_null`, short, unique, C identifiers.

The condition names the fewest inputs (at most two) that tell a test from the others with the same ending, NULL and
enumerators before numbers, or from the most of them; a number is put behind the names of tests that have one name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from veer.model.describe import BEFORE, NOT_READ, describe, object_names, type_at
from veer.model.inputs import Scalar
from veer.model.literal import scalar
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Test
from veer.model.types import SCALAR_KINDS, TypeKind

_LONGEST = 72  # characters of a name
_LONGEST_VALUE = 16
_LONGEST_REQUIRED = 28
_MOST_FACTS = 12  # inputs that are looked at
_NUMBER = re.compile(r"_is_(?:minus_)?\d")
_ENDINGS = {
    Outcome.ABORTED: "aborts",
    Outcome.ASSERTION: "fails_an_assertion",
    Outcome.SEGFAULT_NULL: "dereferences_null",
    Outcome.SEGFAULT_WILD: "dereferences_a_wild_pointer",
    Outcome.STACK_OVERFLOW: "overflows_the_stack",
    Outcome.DIVISION: "divides_by_zero",
    Outcome.QUOTIENT: "overflows_a_quotient",
    Outcome.BOUNDS_READ: "reads_out_of_bounds",
    Outcome.BOUNDS_WRITE: "writes_out_of_bounds",
    Outcome.USE_AFTER_FREE: "uses_freed_memory",
    Outcome.DOUBLE_FREE: "frees_twice",
    Outcome.BAD_FREE: "frees_what_is_no_block",
    Outcome.UNDEFINED: "behaves_undefined",
    Outcome.UNINITIALISED: "uses_what_was_never_written",
    Outcome.LEAK: "leaks",
    Outcome.HANG: "hangs",
    Outcome.ILLEGAL: "executes_an_illegal_instruction",
    Outcome.UNREACHABLE: "reaches_the_unreachable",
    Outcome.KILLED: "is_killed",
}


def function_names(program: Program, tests: Sequence[Test]) -> dict[str, str]:
    """The function of each test by the test's name; all different, none a function of the program."""
    endings = {test.name: _ending(program, test) for test in tests}
    facts = {test.name: _facts(program, test) for test in tests}
    known = Counter((endings[name], chosen) for name in facts for chosen in {*_choices(facts[name])})
    wanted: dict[str, str] = {}
    required = _required(program)
    for test in tests:
        ending, own = endings[test.name], facts[test.name]
        head = f"{'bug' if test.outcome.is_bug else 'test'}_{words(program.entry)}{required}_{ending}"
        shared = [(known[ending, each], place, each) for place, each in enumerate(_choices(own))]
        wanted[test.name] = _shortened(head, min(shared)[2])
    return _unique(wanted, {function.name for function in program.functions})


def _required(program: Program) -> str:
    """The first requirements of the entry, for the names of its tests: `_SRS_104_SRS_105`, or nothing."""
    found = [f"_{words(each)}" for each in program.required]
    while found and (len(found) > 2 or len("".join(found)) > _LONGEST_REQUIRED):
        found.pop()
    return "".join(found)


def _choices(facts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """No fact, then each, then each pair; first of those that are no numbers, for any other number might do as well."""
    yield ()
    for known in ([fact for fact in facts if not _NUMBER.search(fact)], facts):
        for count in (1, 2):
            yield from combinations(known, count)


def _ending(program: Program, test: Test) -> str:
    if test.outcome is Outcome.EXITED:
        return f"exits_with_{(test.exit_code or 0) & 0xFF}"
    if test.outcome is not Outcome.RETURNED:
        return _ENDINGS.get(test.outcome, words(test.outcome.key))
    entry = program.function(program.entry)
    type_ = type_at(program, entry.returns) if entry is not None else None
    if type_ is None or test.returned is None:
        return "returns"
    if type_.kind == TypeKind.POINTER:
        return "returns_a_pointer" if any(test.returned) else "returns_null"
    if type_.kind not in SCALAR_KINDS or type_.size > 8:
        return "returns"
    value = Scalar(int.from_bytes(test.returned[: type_.size], "little"), 8 * type_.size, type_.kind)
    is_integer = type_.kind in (TypeKind.SIGNED, TypeKind.UNSIGNED)
    named = next((name for name, number in program.result_names if is_integer and number == value.number), "")
    shown = re.sub("^-", "minus_", named) or scalar(value, type_)
    return f"returns_{words(shown)}"[:32]


def _facts(program: Program, test: Test) -> list[str]:
    """`x_is_3`, `p_is_null`, `p_next_is_p`, `text_is_empty`: the inputs that have a short value.

    An object is called by the pointer that first led to it, as the function calls it.
    """
    names = object_names(program, test.inputs)
    paths = {names[each.number]: each.path for each in test.inputs.objects}
    found = []
    for name, value in list(describe(program, test.inputs).items())[:_MOST_FACTS]:
        if value.endswith(NOT_READ):
            continue
        if name == BEFORE:
            found.append(f"after_{words(value)}")
        elif value.startswith("{"):
            steps = f"{paths[name]}->" if name in paths else f"{name}."
            members = re.findall(r"([A-Za-z_][\w.]*) = ([^,{}]+)", value)
            found += [_fact(f"{steps}{member}", part.strip(), paths) for member, part in members]
        else:
            found.append(_fact(paths.get(name, name), value, paths))
    return [fact for fact in found if fact and len(fact) <= 2 * _LONGEST_VALUE][:_MOST_FACTS]


def _fact(path: str, value: str, paths: Mapping[str, str]) -> str:
    """What a name says of one value; an empty string where it has no words. `paths`: of objects, by their names."""
    target = paths.get(value.removeprefix("&")) if value.startswith("&") else None
    if target == path:
        return f"{words(path)}_is_not_null"
    if value in ("NULL", '""'):
        return f"{words(path)}_is_{'null' if value == 'NULL' else 'empty'}"
    shown = words(target or (value[1:-1] if value.startswith('"') else value))
    return f"{words(path)}_is_{shown}" if shown else ""


def words(text: str) -> str:
    """A text as a part of an identifier: `-1` is `minus_1`, `w=8` is `w_8`."""
    text = re.sub(r"^-(?=[\d.])|(?<=[ (])-(?=[\d.])", "minus_", text)
    text = re.sub(r"^((?:minus_)?\d[\d.e+-]*)(?:ull|ll|u|f)$", r"\1", text)
    return re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]+", "_", re.sub(r"\\[0-7]{1,3}|\\.", "_", text))).strip("_")


def _shortened(head: str, facts: Sequence[str]) -> str:
    """The name with as many of the facts as there is room for."""
    fitting = (facts[:count] for count in range(len(facts), 0, -1))
    names = (f"{head}_when_{'_and_'.join(each)}" for each in fitting)
    return next((each for each in names if len(each) <= _LONGEST), head[:_LONGEST].rstrip("_"))


def _unique(wanted: dict[str, str], taken: set[str]) -> dict[str, str]:
    """Names of several tests get numbers; names of the program's own get an underscore."""
    shared = Counter(wanted.values())
    counted: Counter[str] = Counter()
    found: dict[str, str] = {}
    used = set(taken)
    for test, name in wanted.items():
        candidate = name
        while candidate in used or (shared[name] > 1 and candidate == name):
            counted[name] += 1
            candidate = f"{name}_{counted[name]}"
        used.add(candidate)
        found[test] = candidate
    return found
