"""Checks around calls of the C library: the plain build has none, and what is replayed with them has what they call."""

from __future__ import annotations

from veer.frontends.c.formats import CHECK
from veer.frontends.c.memberarrays import CHECKS
from veer.frontends.c.ownchecks import with_own_checks, without_own_checks
from veer.toolchain.compiler import find
from veer.toolchain.runtime import replay_objects

IR = """%struct.user = type { [4 x i8], i32 }

define void @f(ptr %0, ptr %1) {
  %3 = getelementptr inbounds %struct.user, ptr %0, i32 0, i32 0
  %4 = getelementptr inbounds [4 x i8], ptr %3, i64 0, i64 0
  %5 = call ptr @strcpy(ptr %4, ptr %1)
  %6 = call i32 (ptr, ...) @printf(ptr %1)
  ret void
}
"""


def test_the_plain_build_has_none() -> None:
    checked = with_own_checks(IR, (), (), is_bounded=True)
    assert all(f"call void @{name}(" in checked for name in (CHECK, CHECKS[0]))
    left = [line for line in without_own_checks(checked).splitlines() if line and not line.startswith("declare")]
    assert left == [line for line in IR.splitlines() if line]
    assert CHECKS[0] not in with_own_checks(IR, (), (), is_bounded=False)


def test_replays_have_what_they_call() -> None:
    """Else the first build for replays fails, and a second one numbers its branches otherwise."""
    objects = replay_objects(find(None))
    symbols = {name for path in objects for name in path.read_bytes().replace(b"\0", b"\n").split(b"\n")}
    assert {name.encode() for name in (CHECK, *CHECKS)} <= symbols
