"""A test suite in the exchange format of Test-Comp (test-suite format 1.1), which TestCov runs.

metadata.xml      the program, its hash, who made the suite
testcase-N.xml    the values of the calls of __VERIFIER_nondet_..., in their order
"""

from __future__ import annotations

import datetime
import hashlib
import struct

from veer import __version__
from veer.model.errors import UsageError
from veer.model.inputs import Root, Scalar
from veer.model.literal import image
from veer.model.markup import document, element
from veer.model.program import HarnessKind
from veer.model.result import Result, Test
from veer.suite.c.cases import is_in_suite

_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
_DOCTYPE = """<!DOCTYPE {0} PUBLIC "+//IDN sosy-lab.org//DTD test-format {0} 1.1//EN"
 "https://sosy-lab.org/test-format/{0}-1.1.dtd">"""
_COVERS_ERROR = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )"
_COVERS_BRANCHES = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"


def testcomp_files(result: Result) -> dict[str, bytes]:
    """metadata.xml and a file a test. Raises UsageError unless the inputs come from __VERIFIER_nondet_*."""
    if result.program.harness is not HarnessKind.TESTCOMP:
        raise UsageError(
            f"--format testcomp: {result.program.entry} does not take its inputs from __VERIFIER_nondet_...; "
            "use another format"
        )
    files = {"metadata.xml": _metadata(result).encode()}
    for number, test in enumerate((test for test in result.tests if is_in_suite(test)), start=1):
        files[f"testcase-{number}.xml"] = testcase(test).encode()
    return files


def testcase(test: Test) -> str:
    """The inputs of one test. The memory of __VERIFIER_nondet_memory is written byte by byte."""
    case = element("testcase")
    for root in test.inputs.roots:
        case.extend(element("input", {"type": kind} if kind else {}, value) for kind, value in _values(root))
    return document(case, _DOCTYPE.format(case.tag), _DECLARATION)


def _values(root: Root) -> list[tuple[str, str]]:
    """Pairs of a type, "" where none is said, and a value."""
    kind = root.name.removeprefix("nondet_").replace("_", " ")
    if root.name == "nondet_memory" or len(root.cells) != 1:
        return [("", str(byte)) for byte in image(root.cells, root.size)]
    value = root.cells[0].value
    if not isinstance(value, Scalar):
        return []
    return [(_TYPES.get(kind, kind), _number(value, kind))]


_TYPES = {
    "uchar": "unsigned char",
    "schar": "signed char",
    "ushort": "unsigned short",
    "uint": "unsigned int",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
}
_UNSIGNED = ("bool", "uchar", "ushort", "uint", "unsigned", "ulong", "ulonglong", "size t", "pointer")


def _number(value: Scalar, kind: str) -> str:
    """The number in decimal, as the harness's type has it; the bits may have been recorded without a sign."""
    if kind in ("float", "double") or value.kind == "float":
        return _floating(value)
    is_unsigned = kind in _UNSIGNED or kind.lower() in ("u8", "u16", "u32", "u64")
    bits = value.bits
    return str(bits if is_unsigned or not bits >> (value.width - 1) else bits - (1 << value.width))


def _floating(value: Scalar) -> str:
    """A hexadecimal floating-point constant, which C's strtod reads back exactly; NaN and infinity by their names."""
    layout = "<f" if value.width == 32 else "<d"
    number: float = struct.unpack(layout, value.bits.to_bytes(value.width // 8, "little"))[0]
    if number != number:
        return "nan"
    return "inf" if number == float("inf") else "-inf" if number == float("-inf") else number.hex()


def _metadata(result: Result) -> str:
    source = result.program.include or result.program.sources[0]
    try:
        digest = hashlib.sha256(source.read_bytes()).hexdigest()
    except OSError:
        digest = ""
    aims_at_error = any(bug.message.startswith("reach_error") for bug in result.bugs)
    rows = {
        "sourcecodelang": "C",
        "producer": f"veer {__version__}",
        "specification": _COVERS_ERROR if aims_at_error else _COVERS_BRANCHES,
        "programfile": str(source),
        "programhash": digest,
        "entryfunction": result.program.entry,
        "architecture": "64bit",
        "creationtime": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    metadata = element("test-metadata")
    metadata.extend(element(name, text=value) for name, value in rows.items())
    return document(metadata, _DOCTYPE.format(metadata.tag), _DECLARATION)
