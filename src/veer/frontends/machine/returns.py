"""Where functions return: behind the call, or the run ends (decision 0439).

store i64 268501524, ptr @veer.return                     the caller, before its call
%veer.back = load i64, ptr @veer.return                   the function, at its beginning
call void @veer_check_return(i64 %at, i64 %v9, i64 %veer.back)      where it returns
"""

from __future__ import annotations

from veer.frontends.machine.architectures import I8051, Architecture

PLACE = "@veer.return"
BACK = "%veer.back"
DECLARED = (f"{PLACE} = internal global i64 0", "declare void @veer_check_return(i64, i64, i64)")


def is_checked(machine: Architecture) -> bool:
    """An 8051's addresses of code are those of one space of several."""
    return machine is not I8051


def told(back: str) -> str:
    """The instruction that says where the next call returns to."""
    return f"store i64 {back}, ptr {PLACE}"


def begun(head: str) -> str:
    """The row at a function's beginning. `head`: its debug location."""
    return f"  {BACK} = load i64, ptr {PLACE}{head}"


def checked(at: int, target: str) -> str:
    """The call where a function returns to `target`."""
    return f"call void @veer_check_return(i64 {at}, i64 {target}, i64 {BACK})"
