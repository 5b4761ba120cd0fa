"""KLEE's .ktest files, version 3 of the format: what `klee-replay`, `ktest-tool` and KLEE's runtime library read.

"KTEST" version  arguments: count, (length, bytes)...  symbolic argv: count, length
objects: count, (length, name, length, bytes)...       all numbers big-endian, 32 bits
"""

from __future__ import annotations

import struct

from veer.model.program import HarnessKind
from veer.model.result import Result, Test
from veer.suite.c.cases import is_in_suite
from veer.suite.recorded_bytes import named_bytes

_MAGIC = b"KTEST"
_VERSION = 3


def ktest_files(result: Result) -> dict[str, bytes]:
    """test000001.ktest, ...; beside a test that shows a bug, test000001.KIND.err says what it does, as KLEE has it."""
    files: dict[str, bytes] = {}
    sentences = {bug.test: f"{bug.message}\nFile: {bug.file}\nLine: {bug.line}\n" for bug in result.bugs}
    for number, test in enumerate((test for test in result.tests if is_in_suite(test)), start=1):
        files[f"test{number:06d}.ktest"] = ktest(result, test)
        if test.outcome.is_bug:
            text = "Error: " + sentences.get(test.name, f"{test.outcome.sentence}\n")
            files[f"test{number:06d}.{test.outcome.key}.err"] = text.encode()
    return files


def ktest(result: Result, test: Test) -> bytes:
    """One test. Its objects are the inputs by name, in the order in which the run took them."""
    name = (result.program.include or result.program.sources[0]).name if result.program.sources else "program"
    objects = [(item.name.split("#")[0], item.data) for item in named_bytes(test.inputs)]
    if result.program.harness is HarnessKind.PROGRAM:
        objects = [(_POSIX_NAMES.get(each, each), data) for each, data in objects]
    parts = [_MAGIC, _number(_VERSION), _number(1), _block(name.encode()), _number(0), _number(0)]
    parts.append(_number(len(objects)))
    for each, data in objects:
        parts += [_block(each.encode()), _block(data)]
    return b"".join(parts)


_POSIX_NAMES = {"*argv[1]": "arg00", "*argv[2]": "arg01"}


def _number(value: int) -> bytes:
    return struct.pack(">I", value)


def _block(data: bytes) -> bytes:
    return _number(len(data)) + data
