"""Lowered Java beside the JVM: python bench/java_differential.py LIB.jar [--subjects 150] [--vectors 1000] [--seed 1]

Draws static methods over numbers, arrays of numbers and strings, lowers each to machine code without veer's
instrumentation, and compares result, exception and arrays with the JVM's for random arguments (as
tests/truth/test_java_lowering.py does for its own methods). Calls that veer refuses by name are counted, and compare
nothing; methods that draw random numbers or ask for the time are no subjects for it (their process ends). Nor are
calls compared at which the JVM's stack overflows, or its 512 MiB: machine code has no such exceptions. What differs is
told at once; the exit code is 1 if anything does.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from common import table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "truth"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from java_lowered import Lowered
from test_java_lowering import argument, is_given, is_same, unsigned, word

from veer.frontends.java.classfile.descriptors import method_types
from veer.frontends.java.entries import why_not
from veer.frontends.java.jdk import find_jdk
from veer.frontends.java.lowering.calls import STRING_TYPE
from veer.frontends.java.lowering.world import SIZES
from veer.frontends.java.replay.jvm import Ran, driver_classes, run_all
from veer.frontends.java.units import Found, Unit, read_unit
from veer.model.errors import VeerError
from veer.toolchain.compiler import find

_SECONDS = 480
_TOGETHER = 10
"""So many methods share a module, and one start of the JVM: most of what they are made of is the JDK's."""
_CALL_SECONDS = 2.0
_TRIED, _HANGING = 8, 2
"""Of so many calls so many that do not end on the JVM: the method's others are left out (it sleeps, or waits)."""
_HANGS = "calls that did not end on the JVM, or are left out with such"
_OF_THE_MACHINE = ("java.lang.StackOverflowError", "java.lang.OutOfMemoryError")
_EQUAL, _THROWS, _DIFFERS = "calls that are equal", "calls that are equal, and throw", "calls that differ"
_REFUSED = "calls that veer refuses"
_MOST_REFUSED = 10
"""Of a subject: each takes a fork."""
_STACK = 1 << 30
"""Bytes for machine code, whose frames are larger than the JVM's: what the JVM returns from has room."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit", type=Path)
    parser.add_argument("--subjects", type=int, default=150)
    parser.add_argument("--vectors", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    unit = read_unit(options.unit.absolute(), find_jdk(), find().cache)
    methods = [each for each in unit.methods if each.method.is_static and not why_not(each) and is_given(each)]
    methods = [each for each in methods if method_types(each.method.descriptor)[0]]
    chosen = random.Random(options.seed).sample(methods, min(options.subjects, len(methods)))
    counts: Counter[str] = Counter()
    for first in range(0, len(chosen), _TOGETHER):
        counts.update(_subjects(unit, chosen[first : first + _TOGETHER], options.vectors, options.seed))
        print(f"{counts['subjects']} subjects, {counts[_DIFFERS]} {_DIFFERS}", file=sys.stderr, flush=True)
    print(table(("what", "number"), sorted((key, str(value)) for key, value in counts.items())))
    return 1 if counts[_DIFFERS] else 0


def _subjects(unit: Unit, group: Sequence[Found], vectors: int, seed: int) -> Counter[str]:
    """Methods that are lowered together, in a process of their own: machine code that goes wrong takes nobody along."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_in_large_stack, args=(unit, group, vectors, seed, sender))
    process.start()
    sender.close()
    counts = Counter({"subjects": len(group)})
    for number, found in enumerate(group):
        if not receiver.poll(_SECONDS):
            counts["subjects that took too long"] += len(group) - number
            process.kill()
            break
        try:
            counts.update(receiver.recv())
        except EOFError:
            print(f"{found.name}: machine code ended the process", flush=True)
            counts["subjects that ended without a word"] += len(group) - number
            break
    process.join()
    return counts


def _in_large_stack(*arguments: Any) -> None:
    threading.stack_size(_STACK)
    thread = threading.Thread(target=_compared, args=arguments)
    thread.start()
    thread.join()


def _compared(unit: Unit, group: Sequence[Found], vectors: int, seed: int, sender: Any) -> None:
    """Sends the counts of each method as it is done."""
    cases = [_cases(number, found, vectors, seed) for number, found in enumerate(group)]
    ran = _ran(unit, [list(_commands(found, own)) for found, own in zip(group, cases, strict=True)])
    try:
        lowered = [Lowered(unit, group)] * len(group)
    except VeerError:  # one of them cannot be lowered
        lowered = [Lowered(unit, [found]) for found in group]
    for found, machine, own in zip(group, lowered, cases, strict=True):
        sender.send(dict(_one(machine, found, own, ran)))


def _cases(place: int, found: Found, vectors: int, seed: int) -> dict[str, list[object]]:
    draw, types = random.Random(seed), method_types(found.method.descriptor)[0]
    return {f"{place}:{number}": [argument(draw, type_) for type_ in types] for number in range(vectors)}


def _commands(found: Found, cases: dict[str, list[object]]) -> Iterator[str]:
    types = method_types(found.method.descriptor)[0]
    for case, values in cases.items():
        words = [word(type_, value, place) for place, (type_, value) in enumerate(zip(types, values, strict=True))]
        yield "\t".join([case, found.owner.name.replace("/", "."), found.method.name, *words])


def _ran(unit: Unit, commands: list[list[str]]) -> dict[str, Ran]:
    """What the JVM does."""
    run = partial(run_all, find_jdk(), driver_classes(find_jdk(), find().cache), (unit.classes,), seconds=_CALL_SECONDS)
    ran = run([line for each in commands for line in each[:_TRIED]])
    left = []
    for each in commands:
        hanging = sum(ran[line.partition("\t")[0]].state != "end" for line in each[:_TRIED])
        left += each[_TRIED:] if hanging < _HANGING else []
    return ran | run(left)


def _one(lowered: Lowered, found: Found, cases: dict[str, list[object]], ran: dict[str, Ran]) -> Counter[str]:
    counts = Counter({"calls": len(cases)})
    left = {}
    for case, values in cases.items():
        if case not in ran or ran[case].state != "end":
            counts[_HANGS] += 1
        elif ran[case].thrown in _OF_THE_MACHINE:
            counts[f"calls that end with {ran[case].thrown.rpartition('.')[2]} on the JVM"] += 1
        else:
            left[case] = values
    while left:
        answers = _in_a_fork(lowered, found, left, ran)
        for case, (what, why) in answers.items():
            counts[what] += 1
            if why and counts[what] < 3:
                print(f"{found.name}{left[case]}: {why}", flush=True)
        left = {case: values for case, values in left.items() if case not in answers}
        if left and counts[_REFUSED] >= _MOST_REFUSED:
            counts[_REFUSED] += len(left)
            break
        if left and not answers:
            print(f"{found.name}{next(iter(left.values()))}: machine code ended the process", flush=True)
            counts["calls that end the process"] += 1
            left.pop(next(iter(left)))
    counts["subjects that differ"] += bool(counts[_DIFFERS])
    counts["subjects compared"] += bool(counts[_EQUAL] or counts[_THROWS])
    return counts


def _in_a_fork(
    lowered: Lowered, found: Found, cases: dict[str, list[object]], ran: dict[str, Ran]
) -> dict[str, tuple[str, str]]:
    """What became of these calls in turn, up to one that veer refuses: a run of veer's ends there, machine code does
    not. Each with why it differs."""
    reader, writer = os.pipe()
    if not (child := os.fork()):
        with os.fdopen(writer, "w") as out:
            for case, values in cases.items():
                before = len(lowered.refused)
                lowered.on_refusal = partial(_end, out, case)
                result = lowered.call(found, values)
                assert len(lowered.refused) == before
                why = _difference(found, values, result, ran[case])
                out.write(json.dumps([case, _DIFFERS if why else _THROWS if result[1] else _EQUAL, why]) + "\n")
                out.flush()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answers:
        said = [json.loads(line) for line in answers]
    os.waitpid(child, 0)
    return {case: (what, why) for case, what, why in said}


def _end(out: TextIO, case: str) -> None:
    out.write(json.dumps([case, _REFUSED, ""]) + "\n")
    out.flush()
    os._exit(0)


def _difference(found: Found, values: list[object], result: tuple[int, str, list[list[int]]], seen: Ran) -> str:
    """What the JVM did otherwise, or empty."""
    types, type_ = method_types(found.method.descriptor)
    value, thrown, arrays = result
    if thrown != seen.thrown:
        return f"threw {thrown or 'nothing'}, the JVM {seen.thrown or 'nothing'}"
    if not thrown and type_ in SIZES:
        expected = int(seen.result, 16) & ((1 << 8 * SIZES[type_]) - 1)
        if not is_same(type_, value, expected):
            return f"returned {value:x}, the JVM {expected:x}"
    given = [each for each, one in zip(types, values, strict=True) if isinstance(one, list)]
    after = [(each, seen.objects[key]) for each, key in zip(given, seen.objects, strict=True)]
    if arrays != [unsigned(*pair) for pair in after if pair[0] != STRING_TYPE]:
        return "left other arrays"
    return ""


if __name__ == "__main__":
    sys.exit(main())
