"""Firmware of a microcontroller: flash, memory and registers of devices in one run, against every input on an emulator.

Zig's compiler links it with a script of its own: code at 0x08000000, variables at 0x20000000.
"""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.emulator import Case, Machine, case_of
from veer.frontends.machine.linked import load
from veer.frontends.machine.places import places
from veer.frontends.machine.prototype import parsed
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
#include <stdint.h>
typedef struct { volatile uint32_t state, data; } uart;
#define PORT ((uart *)0x40013800)
#define ENABLE (*(volatile uint32_t *)0xE000E100)
static uint8_t line[4] = {9, 9, 9, 9};
volatile uint32_t used = 1, most = 3;
__attribute__((noinline)) int get(uart *from) {
    for (int tries = 2; tries; tries--) {
        uint32_t state = from->state;
        if (state & 8) return -2;
        if (state & 32) return (uint8_t)from->data;
    }
    return -1;
}
int step(void) {
    int c = get(PORT);
    if (c < 0) return c;
    if (c == '\\n') { uint32_t length = used; used = 0; return length == most ? line[1] : (int)length + 10; }
    if (used == most) return -3;
    line[used++] = (uint8_t)c;
    if (ENABLE == 7 && c == 'x') { ENABLE = 1; return get(PORT) + 50; }
    return line[0] * 1000 + c;
}
int sum(const uint8_t *p, unsigned n) {
    int total = 0;
    if (!p) return -1;
    for (unsigned k = 0; k < n; k++) total += p[k] == line[k & 3] ? 100 : 1;
    return total;
}
uint32_t beside(uint8_t k) { return k > 250 ? *(volatile uint32_t *)0x20004000 : k > 10 ? PORT->data : used; }
int locked(uint32_t x) {
    uint32_t before, within, behind;
    __asm volatile("mrs %0, primask\\n cpsid i\\n mrs %1, primask\\n"
                   "msr primask, %3\\n mrs %2, primask\\n cpsie i\\n wfi"
                   : "=&r"(before), "=&r"(within), "=&r"(behind) : "r"(x));
    return (int)(before * 100 + within * 10 + behind) == 11 ? 1 : (int)behind + 2;
}
uint8_t weigh(uint32_t k) { return line[k]; }
uint32_t port(uint8_t k) { return ((volatile uint32_t *)0x40020000)[k & 3] == 5 ? 1 : 2; }
void *const vectors[] __attribute__((section(".vectors"), used)) = {0, step, sum, beside, locked, weigh, port};
"""
SCRIPT = """\
MEMORY { FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 64K
         RAM (rw) : ORIGIN = 0x20000000, LENGTH = 8K }
SECTIONS { .vectors : { KEEP(*(.vectors)) } > FLASH
           .text : { *(.text*) *(.rodata*) } > FLASH
           .data : { *(.data*) } > RAM AT > FLASH
           .bss : { *(.bss*) } > RAM }
"""
STEP = "int step(void); uint32_t used"


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("firmware")
    (folder / "unit.c").write_text(UNIT)
    (folder / "unit.ld").write_text(SCRIPT)
    words = ("-target", "thumb-freestanding-eabi", "-mcpu=cortex_m4", "-O1", "-fno-sanitize=all", "-nostdlib")
    link = ("-T", "unit.ld", "-Wl,-e,step", "unit.c", "-o", "unit.elf")
    subprocess.run([compiler.find().command[0], "cc", *words, *link], cwd=folder, check=True)
    return folder / "unit.elf"


def explored(path: Path, prototype: str) -> Result:
    name = prototype.split("(")[0].split()[-1]
    build = BuildOptions((path,), name, prototype=prototype, register_reads=2)
    return campaign.run(build, SearchOptions(criterion="path", budget=300, shrink=False, keep_going=True))


def test_no_sequence_of_reads_runs_what_no_test_runs(firmware: Path) -> None:
    result = explored(firmware, STEP)
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    image = load(firmware, compiler.find())
    code = named(image, "step")
    put = places(image, code, parsed(STEP, image.architecture, BuildOptions((firmware,), "step")))
    machine = Machine(image, code, (4,), places=put)
    states = list(itertools.product((0, 8, 32, 40), repeat=2))
    given = itertools.product((0, 1, 3), states, (ord("\n"), ord("x"), 65), (7, 8))
    cases = [Case((n,), {}, reads=_reads(state, data, enable)) for n, state, data, enable in given]
    answers = machine.run(cases, 5.0)
    assert {answer.ended for answer in answers if answer is not None} == {"returned"}
    ran = {address for answer in answers if answer is not None for address in answer.ran}
    tested = machine.run([case_of(test, ("used",)) for test in result.tests], 5.0)
    assert ran <= {address for answer in tested if answer is not None for address in answer.ran}
    ours = {answer.result for answer in tested if answer is not None}
    assert {answer.result for answer in answers if answer is not None} & _REFUSALS == ours & _REFUSALS != set()


_REFUSALS = {(-each) % (1 << 32) for each in (1, 2, 3)}


def _reads(states: tuple[int, ...], data: int, enable: int) -> dict[tuple[int, int], tuple[int, ...]]:
    return {(0x40013800, 4): states, (0x40013804, 4): (data,), (0xE000E100, 4): (enable,)}


def test_inputs_lie_apart_from_the_machines_memory(firmware: Path) -> None:
    result = explored(firmware, "int sum(const uint8_t *p, unsigned n)")
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert not result.bugs
    totals = {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}
    assert {-1, 0, 4} <= totals


def test_what_is_no_memory_and_no_device_is_a_bug(firmware: Path) -> None:
    result = explored(firmware, "uint32_t beside(uint8_t k)")
    assert {test.outcome for test in result.tests} == {Outcome.RETURNED, Outcome.BOUNDS_READ}
    assert [(bug.outcome, bug.confirmed) for bug in result.bugs] == [(Outcome.BOUNDS_READ, "plain")]
    assert {test.replayed for test in result.tests} == {"same"}


def test_interrupts_are_off_as_the_code_says(firmware: Path) -> None:
    result = explored(firmware, "int locked(uint32_t x)")
    assert result.ending.claim == "paths", result.ending
    assert {test.returned for test in result.tests} == {(1).to_bytes(4, "little"), (2).to_bytes(4, "little")}
    assert {test.replayed for test in result.tests} == {"same"}


def test_an_index_out_of_memory_is_a_bug_wherever_it_leads(firmware: Path) -> None:
    """Also where the solver chooses one that leads to a device."""
    result = explored(firmware, "uint8_t weigh(uint32_t k)")
    assert {bug.outcome for bug in result.bugs} <= {Outcome.BOUNDS_READ, Outcome.SEGFAULT_WILD}
    assert result.bugs
    assert {root.name for test in result.tests for root in test.inputs.roots} == {"k"}


def test_an_input_comes_to_a_place_behind_reads(firmware: Path) -> None:
    """Where ENABLE is written, which one number of a register leads to."""
    image = load(firmware, compiler.find())
    code = named(image, "step")
    put = places(image, code, parsed(STEP, image.architecture, BuildOptions((firmware,), "step")))
    machine = Machine(image, code, (4,), places=put)
    with_it, without = (machine.run([Case((1,), {}, reads=_reads((32,), ord("x"), each))], 5.0)[0] for each in (7, 8))
    assert with_it is not None and without is not None
    place = min({*with_it.ran} - {*without.ran})
    build = BuildOptions((firmware,), "step", prototype=STEP, find=(hex(place),))
    result = campaign.run(build, SearchOptions(budget=300, shrink=False))
    assert result.ending.kind is EndingKind.FOUND
    tested = machine.run([case_of(test, ("used",)) for test in result.tests], 5.0)
    assert any(answer is not None and place in answer.ran for answer in tested)


def test_each_register_of_a_row_is_read(firmware: Path) -> None:
    result = explored(firmware, "uint32_t port(uint8_t k)")
    assert {test.replayed for test in result.tests} == {"same"}
    names = {root.name for test in result.tests for root in test.inputs.roots}
    assert names <= {"k", *(f"read32({0x40020000 + 4 * k:#x})" for k in range(4))}
    assert result.ending.claim == "paths", result.ending
    assert result.runs >= 8, "two values of four registers"
