"""Formats without a compiler: ktest, Test-Comp, corpus, JSON, CMake text, names; whole results in DIR; exports."""

from __future__ import annotations

import json
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import output_samples as samples
import pytest

from veer import plugins
from veer.cli.app import main
from veer.model.errors import StoreError, UsageError
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind, Parameter
from veer.model.result import Output
from veer.model.result import Test as Recorded
from veer.model.types import Type
from veer.model.values import replace
from veer.store import writer
from veer.store.export import change_suite, write_suite
from veer.store.whole import encode, read_whole
from veer.suite.c.cases import cases
from veer.suite.c.dialects import DIALECTS
from veer.suite.c.expectations import Expectation, Kind
from veer.suite.c.naming import function_names, words

ZERO = bytes(4)


def test_the_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    for command, groups in (("test", ("veer.suites", "veer.reports")), ("export", ("veer.suites",))):
        assert main([command, "--help"]) == 0
        words = " ".join(capsys.readouterr().out.split())
        assert all(", ".join(plugins.names(group)) in words for group in groups)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("-1", "minus_1"),
        ("w=8;h", "w_8_h"),
        ("0.25", "0_25"),
        ("RED", "RED"),
        ("5u", "5"),
        ("7ull", "7"),
        ("poll", "poll"),
        ("'-'", ""),
    ],
)
def test_words(text: str, word: str) -> None:
    assert words(text) == word


def test_names_say_what_happens_and_are_unique() -> None:
    result = samples.result()
    found = [case.function for case in cases(result.program, result.tests, result.bugs)]
    assert len(set(found)) == len(found)
    assert all(name.isidentifier() and len(name) < 80 for name in found)
    assert found[0] == "test_testme_returns_0_when_x_is_0"
    assert found[-1] == "bug_testme_aborts"


def test_memory_and_globals_are_expected_as_the_run_left_them() -> None:
    program = replace(samples.program(), outputs=(Parameter("count", 0),))
    inputs = samples.list_input(1, 1, samples.cell(1, 3, Pointer(None)))
    after = (4).to_bytes(8, "little") + (0x2000_0040).to_bytes(8, "little")
    outputs = (
        Output(0, "count", 0, ZERO, (5).to_bytes(4, "little")),
        Output(1, "p", 1, (3).to_bytes(8, "little") + bytes(8), after, ((8, 1),)),
    )
    test = Recorded("test_001", inputs, Outcome.RETURNED, None, ZERO, (), "", outputs=outputs)
    (case,) = cases(program, (test,))
    assert [(each.kind, each.place, each.value) for each in case.expectations] == [
        (Kind.SIGNED, "result", "0"),
        (Kind.SIGNED, "count", "5"),
        (Kind.SIGNED, "p->v", "4"),
        (Kind.SAME, "p->next", "p"),
    ]


def test_an_object_of_a_type_that_nobody_writes_is_not_compared() -> None:
    inputs = samples.list_input(1, 1, samples.cell(1, 3, Pointer(None)))
    same = (3).to_bytes(8, "little") + bytes(8)
    test = Recorded("t", inputs, Outcome.RETURNED, None, ZERO, (), "", outputs=(Output(1, "p", 1, same, same),))
    (case,) = cases(samples.program(), (test,))
    assert [each.place for each in case.expectations] == ["result"]


def test_null_and_enumerators_name_a_test_before_numbers() -> None:
    """Both tell the second test from the first: its x = 11, which any number might be, and its p, which is NULL."""
    program = samples.program()
    first, *others = samples.testme_tests()
    rooted = {root.name: root for root in others[1].inputs.roots}
    numbered = replace(rooted["x"], cells=(Cell(0, "", Scalar(11, 32, "signed")),))
    null = replace(rooted["p"], cells=(Cell(0, "", Pointer(None)),))
    pointing = replace(others[1], outcome=first.outcome, returned=first.returned)
    missing = replace(first, name="other", inputs=InputMap((numbered, null), ()))
    names = function_names(program, (pointing, missing))
    assert names["other"] == "test_testme_returns_0_when_p_is_null"


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("kind", Kind)
def test_a_dialect_states_every_kind(name: str, kind: Kind) -> None:
    stated = DIALECTS[name](Expectation(kind, "p->v", "7", 32))
    assert "p->v" in stated
    assert stated.endswith(");")


def test_ktest_holds_the_inputs_by_name() -> None:
    result = samples.result()
    data = plugins.find("veer.suites", "ktest").files(result)["test000002.ktest"]
    assert data[:5] == b"KTEST"
    assert struct.unpack(">II", data[5:13]) == (3, 1)
    position = 13
    found: list[bytes] = []

    def block() -> bytes:
        nonlocal position
        (size,) = struct.unpack_from(">I", data, position)
        position += 4 + size
        return data[position - size : position]

    assert block() == b"testme.c"
    assert struct.unpack_from(">III", data, position) == (0, 0, 2)
    position += 12
    while position < len(data):
        found.append(block())
    assert found == [b"p", bytes(8), b"x", (1).to_bytes(4, "little")]
    assert "test000005.abort.err" in plugins.find("veer.suites", "ktest").files(result)


def nondet_result(*roots: Root) -> object:
    test = Recorded("test_001", InputMap(roots, ()), Outcome.RETURNED, None, ZERO, (), "same")
    function = Function("main", str(samples.TESTME), 1, (), 0, is_static=False)
    program = samples.program(entry="main", harness=HarnessKind.TESTCOMP, functions=(function,))
    return replace(samples.result(), program=program, tests=(test,), bugs=())


def test_testcomp_has_the_values_in_their_order() -> None:
    result = nondet_result(
        Root("nondet_int", 0, -1, 4, (Cell(0, "", Scalar(0xFFFF_FFFE, 32, "unsigned")),)),
        Root("nondet_uchar", 0, -1, 1, (Cell(0, "", Scalar(200, 8, "unsigned")),)),
        Root("nondet_double", 0, -1, 8, (Cell(0, "", Scalar(0x3FE0_0000_0000_0000, 64, "float")),)),
        Root("nondet_int", 1, -1, 4, (Cell(0, "", Scalar(7, 32, "unsigned")),)),
    )
    files = plugins.find("veer.suites", "testcomp").files(result)  # type: ignore[arg-type]
    found = ElementTree.fromstring(files["testcase-1.xml"])
    assert [(each.get("type"), each.text) for each in found] == [
        ("int", "-2"),
        ("unsigned char", "200"),
        ("double", "0x1.0000000000000p-1"),
        ("int", "7"),
    ]
    metadata = ElementTree.fromstring(files["metadata.xml"])
    assert [each.tag for each in metadata] == [
        "sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction", "architecture",
        "creationtime",
    ]  # fmt: skip


def test_a_format_that_does_not_fit_says_so() -> None:
    with pytest.raises(UsageError, match="__VERIFIER_nondet"):
        plugins.find("veer.suites", "testcomp").files(samples.result())
    with pytest.raises(UsageError, match="0 strings or buffers"):
        plugins.find("veer.suites", "corpus").files(samples.result())


def test_corpus_holds_the_text() -> None:
    character, text = Type(0, "char", "char", 1), Type(1, "pointer", "char *", 8, 8, target=0, extent="string")
    function = Function("f", str(samples.TESTME), 1, (Parameter("s", 1),), -1, is_static=False)
    program = samples.program(entry="f", functions=(function,), types=(character, text))
    cells = tuple(Cell(i, f"[{i}]", Scalar(byte, 8, "char")) for i, byte in enumerate(b"ab\0"))
    inputs = InputMap((Root("s", 0, 1, 8, (Cell(0, "", Pointer(1)),)),), (MemoryObject(1, "s", 0, 3, 3, cells),))
    tests = tuple(
        Recorded(f"test_00{i}", inputs, outcome, None, None, (), "")
        for i, outcome in enumerate((Outcome.RETURNED, Outcome.RETURNED, Outcome.ABORTED), 1)
    )
    files = plugins.find("veer.suites", "corpus").files(replace(samples.result(), program=program, tests=tests))
    assert files == {"corpus/test_001": b"ab", "crashes/test_003": b"ab"}


def test_json_has_inputs_and_expectations() -> None:
    whole = json.loads(plugins.find("veer.suites", "json").files(samples.result())["tests.json"])
    first = whole["tests"][0]
    assert first["inputs"]["x"] == "0"
    assert first["bytes"]["x"] == "00000000"
    assert first["expected"] == [{"place": "result", "is": "0"}]


def test_cmake_text_cannot_be_broken_by_paths() -> None:
    source = Path("/tmp/a b/]=] $x.c")
    program = samples.program(sources=(samples.TESTME, source), compile_flags=("-DX=a b",))
    text = (
        plugins.find("veer.suites", "unity")
        .files(replace(samples.result(), program=program))["test_testme.cmake"]
        .decode()
    )
    assert "[==[/tmp/a b/]=] $x.c]==]" in text
    assert "'-DX=a b'" in text


def test_a_whole_result_comes_back_as_it_was(tmp_path: Path) -> None:
    result = samples.result()
    outputs = (Output(1, "p", 1, b"\0", b"\1", ((0, 1),)),)
    result = replace(result, tests=(replace(result.tests[0], outputs=outputs), *result.tests[1:]), options={"seed": 0})
    writer.write(result, tmp_path / "out")
    assert read_whole(tmp_path / "out") == result
    (tmp_path / "result.json").write_bytes(encode(result)[:-30])
    with pytest.raises(StoreError, match="damaged"):
        read_whole(tmp_path)


def test_an_export_leaves_alone_what_is_not_its_own(tmp_path: Path) -> None:
    write_suite(tmp_path, {"a.c": b"1", "deep/b.c": b"2"})
    write_suite(tmp_path, {"a.c": b"3"})
    assert (tmp_path / "a.c").read_bytes() == b"3"
    assert not (tmp_path / "deep" / "b.c").exists()
    (tmp_path / "mine.c").write_text("years of work")
    with pytest.raises(StoreError, match=r"mine\.c was not written by veer"):
        write_suite(tmp_path, {"a.c": b"4", "mine.c": b"5"})
    assert (tmp_path / "a.c").read_bytes() == b"3"
    assert (tmp_path / "mine.c").read_text() == "years of work"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    writer.write(samples.result(), tmp_path / "out")
    assert main(["export", out, "--format", "unity,json"]) == 0
    assert (tmp_path / "out" / "suite" / "unity" / "errors_testme.c").is_file()
    assert main(["export", out, "--format", "cmocka", "--to", str(tmp_path / "tests")]) == 0
    assert (tmp_path / "tests" / "CMakeLists.txt").is_file()
    assert main(["export", out, "--format", "junk"]) == 2
    assert main(["export", out]) == 2
    assert main(["export", str(tmp_path), "--format", "unity"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.split(";")[0] for line in said] == [
        "veer: --format junk: there is no such format",
        "veer: which format? give --format FMT",
        f"veer: {tmp_path} holds no result.json",
    ]


def test_a_format_that_does_not_fit_keeps_no_other_from_being_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """testme takes no byte string, and no input from __VERIFIER_nondet_*."""
    out = tmp_path / "out"
    writer.write(samples.result(), out)
    assert main(["export", str(out), "--format", "corpus,testcomp,cmocka"]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("cmocka: ") and (out / "suite" / "cmocka" / "CMakeLists.txt").is_file()
    first, second = said.err.splitlines()
    assert first.startswith("veer: --format corpus: testme takes") and second.startswith(
        "--format testcomp: testme does"
    )


def test_a_folder_holds_suites_of_several_functions(tmp_path: Path) -> None:
    write_suite(tmp_path, {"test_f.c": b"1", "errors_f.c": b"2", "both.h": b"3"}, "f")
    write_suite(tmp_path, {"test_g.c": b"4", "both.h": b"5"}, "g")
    assert {file.name for file in tmp_path.iterdir()} == {".veer", "test_f.c", "errors_f.c", "test_g.c", "both.h"}
    write_suite(tmp_path, {"test_f.c": b"6", "both.h": b"5"}, "f")  # its errors are mended
    assert {file.name for file in tmp_path.iterdir()} == {".veer", "test_f.c", "test_g.c", "both.h"}
    write_suite(tmp_path, {"test_g.c": b"7"}, "g")
    assert (tmp_path / "both.h").read_bytes() == b"5"


def test_a_suite_that_is_changed_is_veers_own_yet(tmp_path: Path) -> None:
    write_suite(tmp_path, {"test_f.c": b"1", "old.c": b"2"}, "f")
    change_suite(tmp_path, {"errors_f.c": b"3"}, ["old.c"], "f")
    assert {file.name for file in tmp_path.iterdir()} == {".veer", "test_f.c", "errors_f.c"}
    write_suite(tmp_path, {"test_f.c": b"4", "errors_f.c": b"5"}, "f")
    write_suite(tmp_path, {"test_f.c": b"6"}, "f")
    assert {file.name for file in tmp_path.iterdir()} == {".veer", "test_f.c"}


def test_a_list_of_an_older_veer_names_no_owners(tmp_path: Path) -> None:
    (tmp_path / ".veer").write_text("These files were written by veer; the next export writes them anew:\na.c\nb.c\n")
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text("old")
    write_suite(tmp_path, {"a.c": b"new"}, "f")
    assert {file.name for file in tmp_path.iterdir()} == {".veer", "a.c"}


def test_the_gravest_failure_decides_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    writer.write(samples.result(), out)
    (out / "suite" / "unity").mkdir(parents=True)
    (out / "suite" / "unity" / "test_testme.c").write_text("mine")
    assert main(["export", str(out), "--format", "unity,corpus,json"]) == 3
    assert "was not written by veer and is left alone" in capsys.readouterr().err
    assert (out / "suite" / "unity" / "test_testme.c").read_text() == "mine"
    assert any((out / "suite" / "json").iterdir())
