"""Addresses of registers in IR, and the accesses that are made through the runtime."""

from __future__ import annotations

import pytest

from veer.instrument.devices import READ, WRITE, computes_addresses, device_addresses, with_devices


def function(*lines: str) -> str:
    return "\n".join(["define i32 @f(i32 %n, ptr %p) {", *(f"  {line}" for line in lines), "  ret i32 0", "}", ""])


SUMS = {
    "a number that is cast": (("%v = load volatile i32, ptr inttoptr (i64 1073821696 to ptr), align 4",), {0x40013800}),
    "a sum that is cast": (
        (
            "%i = shl i32 %n, 10",
            "%a = add i32 1073758208, %i",
            "%b = zext i32 %a to i64",
            "%c = inttoptr i64 %b to ptr",
        ),
        {0x40004000},
    ),
    "a sum with an offset": (("%a = add nuw i64 %x, 16", "%c = inttoptr i64 %a to ptr"), set()),
    "a large number in 32 bits": (
        ("%a = add i32 -536813552, %n, !dbg !7", "%b = zext i32 %a to i64", "%c = inttoptr i64 %b to ptr"),
        {0xE000E010},
    ),
    "a product": (("%a = mul i64 %x, 1073758208", "%c = inttoptr i64 %a to ptr"), set()),
    "NULL": (("store volatile i32 0, ptr inttoptr (i64 0 to ptr), align 4",), set()),
    "a circle": (("%a = add i64 %b, 8192", "%b = add i64 %a, 0", "%c = inttoptr i64 %a to ptr"), {8192}),
}


@pytest.mark.parametrize("name", SUMS)
def test_the_code_names_addresses(name: str) -> None:
    lines, addresses = SUMS[name]
    assert set(device_addresses(function(*lines))) == addresses


def test_data_names_addresses_too() -> None:
    assert device_addresses("@ports = constant [1 x ptr] [ptr inttoptr (i64 1073821696 to ptr)]\n") == (0x40013800,)


def test_volatile_accesses_go_through_the_runtime() -> None:
    store = "store volatile float %x, ptr %p, align 4"
    store = "store volatile float %x, ptr %p, align 4"
    text = with_devices(function("%v = load volatile i16, ptr %p, align 2, !dbg !5", store))
    assert f"  %veer.device.0 = call ptr @{READ}(ptr %p, i32 2, i32 0), !dbg !5\n" in text
    assert "  %v = load volatile i16, ptr %veer.device.0, align 1, !dbg !5\n" in text
    assert f"  %veer.device.1 = call ptr @{WRITE}(ptr %p, i32 4, i32 0)\n" in text
    assert "  store volatile float %x, ptr %veer.device.1, align 1\n" in text


@pytest.mark.parametrize(
    "lines",
    [
        ("%v = load i32, ptr %p, align 4",),
        ("%a = alloca i32, align 4", "store volatile i32 3, ptr %a, align 4"),
        ("%v = load volatile i32, ptr @flag, align 4",),
        ("%a = getelementptr i8, ptr @flags, i64 4", "%v = load volatile i32, ptr %a, align 4"),
        ("%v = load volatile i32, ptr getelementptr inbounds (i8, ptr @flags, i64 4), align 4",),
        ("%v = load volatile i128, ptr %p, align 16",),
    ],
)
def test_other_accesses_stay_as_they_are(lines: tuple[str, ...]) -> None:
    text = function(*lines)
    assert with_devices(text).startswith(text)


def test_an_address_that_is_computed_is_marked() -> None:
    lines = ("%a = zext i32 %n to i64", "%q = inttoptr i64 %a to ptr", "%v = load volatile i8, ptr %q, align 1")
    assert computes_addresses(function(*lines))
    assert f"call ptr @{READ}(ptr %q, i32 1, i32 1)\n" in with_devices(function(*lines))
    assert not computes_addresses(function("%q = inttoptr i64 4096 to ptr", "%v = load volatile i8, ptr %q, align 1"))
