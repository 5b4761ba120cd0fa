"""A result that was doctored says no sizes for which there is no memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_samples import full

from veer.campaign.deliver import export
from veer.model.errors import StoreError
from veer.model.inputs import Cell, InputMap, MemoryObject, Root, Scalar
from veer.model.types import Field, Type, TypeKind
from veer.model.values import replace
from veer.store.whole import WHOLE, encode, read_whole

HUGE = 1 << 31
NUMBER = Scalar(5, 32, "signed")
FINE = InputMap((Root("x", 0, 1, 4, (Cell(0, "", NUMBER),)),), (MemoryObject(1, "p", 1, 1, 4, (Cell(0, "", NUMBER),)),))


def _written(folder: Path, inputs: InputMap) -> None:
    whole = full()
    test = replace(whole.tests[0], inputs=inputs)
    (folder / WHOLE).write_bytes(encode(replace(whole, tests=(test,))))


def test_an_input_that_a_run_can_have_is_read(tmp_path: Path) -> None:
    _written(tmp_path, FINE)
    assert read_whole(tmp_path).tests[0].inputs == FINE


@pytest.mark.parametrize(
    "inputs",
    [
        replace(FINE, roots=(replace(FINE.roots[0], size=HUGE),)),
        replace(FINE, objects=(replace(FINE.objects[0], size=HUGE),)),
        replace(FINE, objects=(replace(FINE.objects[0], size=-1),)),
        replace(FINE, objects=(replace(FINE.objects[0], count=HUGE),)),
        replace(FINE, objects=(replace(FINE.objects[0], count=-1),)),
        replace(FINE, objects=(replace(FINE.objects[0], type=-1, count=HUGE),)),
        replace(FINE, roots=(replace(FINE.roots[0], cells=(Cell(HUGE, "", NUMBER),)),)),
        replace(FINE, roots=(replace(FINE.roots[0], cells=(Cell(0, "", Scalar(5, HUGE, "signed")),)),)),
    ],
    ids=("root", "object", "negative", "count", "below", "untyped", "offset", "width"),
)
def test_an_input_larger_than_any_is_refused(tmp_path: Path, inputs: InputMap) -> None:
    """Suites make bytes of them: one took 20 GB."""
    _written(tmp_path, inputs)
    with pytest.raises(StoreError, match="larger than any"):
        read_whole(tmp_path)


@pytest.mark.parametrize(
    "type_",
    [
        Type(1, TypeKind.ARRAY, "int[]", 4, target=0, count=HUGE),
        Type(1, TypeKind.ARRAY, "int[]", 4, target=1, count=2),
        Type(1, TypeKind.STRUCT, "struct s", 4, fields=(Field("own", 0, 1), Field("x", 0, 0))),
    ],
    ids=("array", "array of itself", "struct of itself"),
)
def test_a_type_of_more_parts_than_bytes_is_refused(tmp_path: Path, type_: Type) -> None:
    whole = full()
    whole = replace(whole, program=replace(whole.program, types=(Type(0, TypeKind.SIGNED, "int", 4), type_)))
    test = replace(whole.tests[0], inputs=FINE)
    (tmp_path / WHOLE).write_bytes(encode(replace(whole, tests=(test,))))
    with pytest.raises(StoreError, match="larger than any"):
        read_whole(tmp_path)


def test_a_source_whose_name_no_file_can_have_is_written_out(tmp_path: Path) -> None:
    """A suite looks into the unit for its macros; the file system refuses names of more than 255 bytes."""
    whole = full()
    doctored = replace(whole, program=replace(whole.program, include=Path("ü" * 300), declarations=""))
    for name in ("plain", "cmocka"):
        assert export(doctored, name, tmp_path / name)
