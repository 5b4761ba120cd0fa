"""Which files are among the inputs of a run, by the names of its roots."""

from __future__ import annotations

from pathlib import Path

from veer.model.describe import describe
from veer.model.filesgiven import AskedFile, asked_files, file_roots
from veer.model.inputs import Cell, InputMap, Root, Scalar
from veer.model.program import HarnessKind, InputFiles, Program
from veer.model.values import replace

PROGRAM = Program("f", HarnessKind.FUNCTION, (), Path("x"), (), (), (), input_files=InputFiles(2, 4))


def root(name: str, data: bytes) -> Root:
    cells = tuple(Cell(place, f"[{place}]", Scalar(byte, 8, "byte")) for place, byte in enumerate(data))
    return Root(name, 0, -1, len(data), cells)


def number(name: str, value: int) -> Root:
    return Root(name, 0, -1, 4, (Cell(0, "", Scalar(value, 32, "unsigned")),))


def file(content: str, data: bytes) -> tuple[Root, ...]:
    return (root(f"{content} is there", b"\1"), root(content, data + bytes(2)), number(f"size of {content}", len(data)))


def test_files_come_with_their_names_or_in_their_order() -> None:
    inputs = InputMap(
        (
            *file('file "a "b""', b"xy"),
            root('file "c" is there', b"\0"),
            *file("file 1", b""),
            root('folder "d" is there', b"\1"),
            root("file in", b"z\0"),
            number("size of file in", 1),
        ),
        (),
    )
    assert [*asked_files(PROGRAM, inputs)] == [
        AskedFile('a "b"', b"xy", 'file "a "b""'),
        AskedFile("c", None, 'file "c"'),
        AskedFile(None, b"", "file 1"),
        AskedFile("d", b"", 'folder "d"', is_folder=True),
        AskedFile(None, b"z", "file in", "in"),
    ]
    assert describe(PROGRAM, inputs) == {
        'file "a "b""': '"xy"',
        'file "c"': "not there",
        "file 1": '""',
        'folder "d"': "there",
        "in": 'an open file of "z"',
    }
    assert {each.name for each in inputs.roots} <= file_roots(PROGRAM, inputs)


def test_without_input_files_roots_of_such_names_are_others() -> None:
    inputs = InputMap(file('file "a"', b"x"), ())
    assert not [*asked_files(replace(PROGRAM, input_files=None), inputs)]
