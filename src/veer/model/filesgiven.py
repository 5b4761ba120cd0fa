"""The files that are inputs of a test: those that an option names, and those that the run asked for.

file "list.txt" is there = 1      the roots of a file that a run asked for, by its name; or, where that is an input
file "list.txt" = "ab......"      itself, by a number: file 1 is there, file 1, size of file 1
size of file "list.txt" = 2       (runtime/libc/input_files.c)

Of a folder that a run went to there is `folder "sources" is there` alone.
A parameter that is an open file has roots that are called after it: file input is there, file input, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from veer.model.inputs import InputMap
from veer.model.literal import image
from veer.model.program import Program, SymbolicFile

_ROOT = re.compile(
    r'(?P<content>(?P<kind>file|folder) (?:"(?P<name>.*)"|[0-9]+|(?P<parameter>[A-Za-z_]\w*)))(?P<asked> is there)?',
    re.DOTALL,
)


class AskedFile(Struct, frozen=True):
    """A file that a run asked for. `name` is None where it is an input: then it is the next one that has no name here.
    `data` is None where there is no such file. `content`: the root that holds it. `parameter`: the parameter of the
    entry that is this file, open, or empty. `is_folder`: it is a directory, to which the run goes; it has no data."""

    name: str | None
    data: bytes | None
    content: str
    parameter: str = ""
    is_folder: bool = False

    @property
    def question(self) -> str:
        """The root that says whether it is there."""
        return f"{self.content} is there"

    @property
    def size(self) -> str:
        """The root that says how many bytes it has."""
        return f"size of {self.content}"


def asked_files(program: Program, inputs: InputMap) -> Iterator[AskedFile]:
    """The files that the run asked for, and those that parameters are, in its order.

    A parameter of which the code never asks whether it is NULL has no root that says so: it is always there.
    """
    if program.input_files is None:
        return
    questions = {root.name for root in inputs.roots}
    for root in inputs.roots:
        found = _ROOT.fullmatch(root.name)
        if found is None or (not found["asked"] and f"{root.name} is there" in questions):
            continue
        is_there = not found["asked"] or any(image(root.cells, root.size))
        held = held_bytes(SymbolicFile(found["content"], root.size), inputs) if is_there else None
        yield AskedFile(found["name"], held, found["content"], found["parameter"] or "", found["kind"] == "folder")


def held_bytes(file: SymbolicFile, inputs: InputMap) -> bytes:
    """What a file that is an input holds: as many of its bytes as there were in the recorded run."""
    roots = {root.name: image(root.cells, root.size) for root in inputs.roots}
    return roots.get(file.name, b"")[: int.from_bytes(roots.get(file.size_root, b""), "little")]


def file_roots(program: Program, inputs: InputMap) -> frozenset[str]:
    """The names of all roots that are of files."""
    named = {name for file in program.files for name in (file.name, file.size_root)}
    asked = asked_files(program, inputs)
    return frozenset(named.union(*((each.question, each.content, each.size) for each in asked)))
