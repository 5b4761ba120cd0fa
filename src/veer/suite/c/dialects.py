"""Expectations as statements of the test frameworks: Unity, CMocka, Check. (GoogleTest's C part speaks the plain one.)

Floats are compared by their bits through the support code, for the frameworks' own comparisons have a tolerance.
"""

from __future__ import annotations

from veer.model.literal import string
from veer.model.values import replace
from veer.suite.c.expectations import Dialect, Expectation, Kind


def _unity_call(expectation: Expectation) -> str:
    """The same with a message of its own."""
    statement = unity(replace(expectation, what=""))
    head, _, rest = statement.partition("(")
    if head.endswith("_MESSAGE"):
        return statement
    return f"{head}_MESSAGE({rest.removesuffix(');')}, {expectation.words});"


def unity(expectation: Expectation) -> str:
    """A TEST_ASSERT_... of Unity."""
    place, value, width = expectation.place, expectation.value, expectation.width
    if expectation.what:
        return _unity_call(expectation)
    match expectation.kind:
        case Kind.SIGNED:
            return f"TEST_ASSERT_EQUAL_INT{width}({value}, {place});"
        case Kind.UNSIGNED:
            return f"TEST_ASSERT_EQUAL_UINT{width}({value}, {place});"
        case Kind.NULL:
            return f"TEST_ASSERT_NULL({place});"
        case Kind.NOT_NULL | Kind.BLOCK:
            return f"TEST_ASSERT_NOT_NULL({place});"
        case Kind.FREED:
            return f"TEST_ASSERT_TRUE_MESSAGE(veer_is_freed({place}), {_not_freed(expectation)});"
        case Kind.SAME:
            return f"TEST_ASSERT_EQUAL_PTR({value}, {place});"
        case Kind.BYTES:
            return f"TEST_ASSERT_EQUAL_MEMORY({value}, {place}, {width});"
        case Kind.TEXT:
            return f"TEST_ASSERT_EQUAL_STRING({value}, {place});"
        case Kind.FLOAT | Kind.DOUBLE:
            return f"TEST_ASSERT_TRUE_MESSAGE({_same(expectation)}, {_message(expectation)});"


def cmocka(expectation: Expectation) -> str:
    """An assert_... of CMocka, which takes no message: a macro says it where the assertion fails."""
    place, value, width = expectation.place, expectation.value, expectation.width
    if expectation.what:
        return f"VEER_ABOUT({expectation.words}, {cmocka(replace(expectation, what='')).removesuffix(';')});"
    match expectation.kind:
        case Kind.SIGNED | Kind.UNSIGNED:
            return f"assert_int_equal({place}, {value});"
        case Kind.NULL:
            return f"assert_null({place});"
        case Kind.NOT_NULL | Kind.BLOCK:
            return f"assert_non_null({place});"
        case Kind.FREED:
            return f"assert_true(veer_is_freed({place}));"
        case Kind.SAME:
            return f"assert_ptr_equal({place}, {value});"
        case Kind.BYTES:
            return f"assert_memory_equal({place}, {value}, {width});"
        case Kind.TEXT:
            return f"assert_string_equal({place}, {value});"
        case Kind.FLOAT | Kind.DOUBLE:
            return f"assert_true({_same(expectation)});"


def check(expectation: Expectation) -> str:
    """A ck_assert_... of Check."""
    place, value, width = expectation.place, expectation.value, expectation.width
    match expectation.kind:
        case Kind.SIGNED:
            return f"ck_assert_int_eq({place}, {value});"
        case Kind.UNSIGNED:
            return f"ck_assert_uint_eq({place}, {value});"
        case Kind.NULL:
            return f"ck_assert_ptr_null({place});"
        case Kind.NOT_NULL | Kind.BLOCK:
            return f"ck_assert_ptr_nonnull({place});"
        case Kind.FREED:
            return f"ck_assert_msg(veer_is_freed({place}), {_not_freed(expectation)});"
        case Kind.SAME:
            return f"ck_assert_ptr_eq({place}, {value});"
        case Kind.BYTES:
            return f"ck_assert_mem_eq({place}, {value}, {width});"
        case Kind.TEXT:
            return f"ck_assert_str_eq({place}, {value});"
        case Kind.FLOAT | Kind.DOUBLE:
            return f"ck_assert_msg({_same(expectation)}, {_message(expectation)});"


def _same(expectation: Expectation) -> str:
    return f"veer_same_double({expectation.place}, {expectation.value})"


def _not_freed(expectation: Expectation) -> str:
    return string(f"{expectation.place} was not freed".encode())


def _message(expectation: Expectation) -> str:
    return string(f"{expectation.place} is not {expectation.value}".replace("%", "%%").encode())


DIALECTS: dict[str, Dialect] = {"unity": unity, "cmocka": cmocka, "check": check}
