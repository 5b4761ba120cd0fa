"""Pools of a sequence whose structs are decided already."""

from __future__ import annotations

from veer.frontends.c.ownpools import own_callee
from veer.model.ownstruct import Making, OwnStruct
from veer.model.program import Function, Parameter
from veer.model.types import Type, TypeKind


def test_a_void_pointer_that_one_function_takes_for_a_struct_is_given_nothing() -> None:
    """`void *pool_create(void *mem) { struct control *c = mem; ... }` beside functions that take `void *` for bytes."""
    types = (
        Type(0, TypeKind.OPAQUE, "void", 0),
        Type(1, TypeKind.STRUCT, "struct control", 8),
        Type(2, TypeKind.POINTER, "struct control *", 8, target=1, is_taken=True),
    )
    create = Function("pool_create", "pool.c", 1, (Parameter("mem", 2),), -1, is_static=False)
    own = (OwnStruct("void", Making.INITIALISED, (("pool_create", "mem"),)),)
    callee = own_callee(own, (), create, types)
    assert callee.initialises == -1 and callee.receivers == (-1,) and callee.makes == -1
