"""What a test takes: fields of classes that an object is not of do not count."""

from __future__ import annotations

from veer.model.inputs import Cell, InputMap, MemoryObject, Scalar
from veer.model.taken import taken
from veer.model.types import CLASS_MEMBER, Field, Recipe, Type, TypeKind

INT = Type(0, TypeKind.SIGNED, "int", 4, 4)
FIELDS = (Field(CLASS_MEMBER, 0, 0), Field("a", 4, 0), Field("b", 8, 0))
EITHER = Type(
    1,
    TypeKind.STRUCT,
    "Either",
    12,
    4,
    fields=FIELDS,
    recipes=(Recipe("A", "new A", given=("a",)), Recipe("B", "new B", sets=(("b", "b"),))),
)


def _given(class_: int, a: int, b: int) -> InputMap:
    cells = [
        Cell(4 * place, f".{name}", Scalar(bits, 32, TypeKind.SIGNED, used=True))
        for place, (name, bits) in enumerate((("class", class_), ("a", a), ("b", b)))
    ]
    return InputMap((), (MemoryObject(1, "o", 1, 1, 12, tuple(cells)),), bytes((class_, a, b)))


def test_fields_of_other_classes_do_not_count() -> None:
    types = (INT, EITHER)
    assert taken(_given(0, 1, 2), types) == taken(_given(0, 1, 3), types)
    assert taken(_given(1, 1, 2), types) == taken(_given(1, 7, 2), types)


def test_fields_of_its_own_class_do() -> None:
    types = (INT, EITHER)
    assert taken(_given(0, 1, 2), types) != taken(_given(0, 4, 2), types)
    assert taken(_given(0, 1, 2), types) != taken(_given(1, 1, 2), types)
