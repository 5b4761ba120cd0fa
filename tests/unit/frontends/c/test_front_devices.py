"""Where a program has registers: addresses that the code names, and those of --region."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import module_of

from veer.frontends.c.devices import MOST_REGIONS, devices, seen_by
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import HarnessKind, Region

UART = "#define SR (*(volatile unsigned *)0x40013800)\n#define PIN (*(volatile unsigned char *)0x23)\n"
SOURCE = f"{UART}int f(void) {{ return SR & 1 ? PIN : 0; }}"


def options(*regions: str, reads: int = 8) -> BuildOptions:
    return BuildOptions((), "f", regions=regions, register_reads=reads)


def test_a_page_behind_an_address_and_one_register_below_the_first_page(tmp_path: Path) -> None:
    found = devices([module_of(tmp_path, SOURCE)], options(), HarnessKind.FUNCTION)
    assert found is not None and found.reads == 8
    assert found.regions == (Region(0x23, 0x2B), Region(0x40013800, 0x40014800))


def test_regions_that_touch_are_one(tmp_path: Path) -> None:
    given = options("0x40014800:0x100", "0x50000000:16")
    found = devices([module_of(tmp_path, SOURCE)], given, HarnessKind.FUNCTION)
    assert found is not None
    assert found.regions[1:] == (Region(0x40013800, 0x40014900), Region(0x50000000, 0x50000010))


@pytest.mark.parametrize("text", ["0x40000000", "UART:16", "0:16", "0x1000:0", "0x1000:-4", "0xffffffffffffff00:16"])
def test_a_region_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"--region .*: give ADDRESS:SIZE"):
        devices([module_of(tmp_path, SOURCE)], options(text), HarnessKind.FUNCTION)


def test_programs_without_registers_are_left_alone(tmp_path: Path) -> None:
    plain = module_of(tmp_path, "volatile int flag; int f(int *p) { return flag + *p; }")
    assert devices([plain], options(), HarnessKind.FUNCTION) is None
    assert seen_by(None, None, plain.ir) == plain.ir
    module = module_of(tmp_path, SOURCE)
    assert devices([module], options(reads=0), HarnessKind.FUNCTION) is None
    assert devices([module], options(), HarnessKind.KLEE) is None


def test_too_many_regions_are_joined_where_the_gaps_are_smallest(tmp_path: Path) -> None:
    given = [f"{0x40000000 + 0x100000 * k:#x}:16" for k in range(MOST_REGIONS - 2)]
    found = devices(
        [module_of(tmp_path, SOURCE)], options(*given, "0x90000000:16", "0x90000020:16"), HarnessKind.FUNCTION
    )
    assert found is not None and len(found.regions) == MOST_REGIONS
    assert found.regions[-1] == Region(0x90000000, 0x90000030)
