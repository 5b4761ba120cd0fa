"""Drivers in the words of embedded compilers: every branch is reached, and the suites hold with gcc and with zig."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from sampling import sampled
from suite_builds import build_suite, compilations
from veer_side import explore

from veer.cli.app import main
from veer.model.buildoptions import BuildOptions
from veer.model.program import DEVICE_LOG
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.suite.c import plain


@dataclass(frozen=True)
class Driver:
    """A source in some compiler's words. `returns`: all that each of its functions can return, known by hand."""

    prelude: str
    text: str
    returns: dict[str, set[int]]


CMSIS = Driver(
    "cmsis",
    """
#include <stdint.h>
typedef struct { __IO uint32_t CR, SR, DR; } UART_TypeDef;
#define UART1 ((UART_TypeDef *)0x40011000)
typedef __PACKED_STRUCT { uint8_t kind; uint32_t value; } frame_t;
static volatile uint32_t head, buf[4];
__WEAK void on_error(void) {}
int send(uint8_t c) {
  uint32_t was = __get_PRIMASK();
  unsigned t = 100;
  __disable_irq();
  while (!(UART1->SR & 0x80)) { __NOP(); if (!--t) { if (!was) __enable_irq(); return -1; } }
  UART1->DR = c;
  __DSB();
  if (!was) __enable_irq();
  return __get_PRIMASK() ? 1 : 0;
}
int bits(uint32_t v, int32_t s) {
  if (__CLZ(v) == 7) return 1;
  if (__RBIT(v) == 0x12345678u) return 2;
  if (__REV(v) == 0xdeadbeefu) return 3;
  if (__SSAT(s, 8) == -128 && s != -128) return 4;
  if (__USAT(s, 4) == 15 && s < 17 && s != 15) return 5;
  return sizeof(frame_t) == 5 ? 0 : 6;
}
int push(uint32_t v) {
  uint32_t h;
  do { h = __LDREXW(&head); if (h == 4) { __CLREX(); return -1; } } while (__STREXW(h + 1, &head));
  buf[h] = v;
  return 0;
}
int in_handler(void) { return __get_IPSR() == 15 ? 1 : 0; }
""",
    {"send": {-1, 0, 1}, "bits": {0, 1, 2, 3, 4, 5}, "in_handler": {0, 1}},
)
ARMCC = Driver(
    "armcc",
    """
typedef struct { volatile unsigned ctrl, load, val; } systick_t;
#define SYSTICK ((systick_t *)0xE000E010)
static volatile unsigned ticks;
__irq void SysTick_Handler(void) { ticks++; }
__align(8) static unsigned char pool[16];
__forceinline static unsigned top(unsigned v) { return __clz(v); }
__declspec(noreturn) void stop(void);
int wait_tick(unsigned n) {
  if (n > 3) return -2;
  __disable_irq(); SYSTICK->load = n; __enable_irq();
  for (unsigned t = 5; t; t--) { if (SYSTICK->ctrl & 0x10000) return 1; __nop(); __wfi(); }
  pool[n] = 1; return pool[0] ? 0 : -1;
}
int level(unsigned v, int s) {
  if (top(v) == 30 && __rev(v) == 0x02000000) return 1;
  return __ssat(s, 9) == 255 ? 2 : 0;
}
""",
    {"wait_tick": {-2, -1, 0, 1}, "level": {0, 1, 2}},
)
IAR = Driver(
    "iar",
    """
#include <intrinsics.h>
#include <stdint.h>
static __no_init volatile uint8_t flag;
__root static const __flash uint8_t table[4] = { 1, 2, 3, 5 };
#pragma vector=0x10
__interrupt void isr(void) { flag = 1; }
__ramfunc int look(uint8_t i) {
  __istate_t s = __get_interrupt_state();
  __disable_interrupt();
  int r = i < 4 ? table[i] : -1;
  __set_interrupt_state(s);
  __delay_cycles(100);
  return r == 5 ? __swap_nibbles(i) : r;
}
""",
    {"look": {-1, 0x30}},
)
SDCC = Driver(
    "sdcc",
    """
#include <8052.h>
static __xdata unsigned char buf[8];
static __bit busy;
void uart_isr(void) __interrupt(4) __using(1) { if (TI) { TI = 0; busy = 0; } if (RI) { RI = 0; buf[0] = SBUF; } }
int put(unsigned char c) {
  unsigned char t = 10;
  while (!TI) if (!--t) return -1;
  TI = 0; SBUF = c;
  if (P1_3) return 1;
  return 0;
}
""",
    {"uart_isr": set(), "put": {-1, 0, 1}},
)
C51 = Driver(
    "c51",
    """
sfr P0 = 0x80; sfr SCON = 0x98; sfr SBUF = 0x99;
sbit LED = P0^1;
sbit TI = SCON^1; // sent
sbit EA = 0xAF;
#include <intrins.h>
#define STATUS XBYTE[0x8000]
volatile unsigned char xdata ctrl _at_ 0x9000;
unsigned char code table[] = { 1, 2, 3 };
static bit busy;
unsigned char bdata flags;
sbit ready = flags^3;
void uart(void) interrupt 4 using 1 { if (TI) { TI = 0; busy = 0; LED = !LED; } }
int put(unsigned char c) reentrant {
  unsigned char data t = 10;
  while (!TI) if (!--t) return -1;
  TI = 0; SBUF = c; EA = 1;
  if (STATUS & 1) return _crol_(c, 1) == 3 ? 1 : 2;
  return ctrl == 7 ? table[c & 1] + 10 : 0;
}
int state(void) { busy = 4; flags = 8; return busy + ready * 2; }
""",
    {"uart": set(), "put": {-1, 0, 1, 2}, "state": {3}},
)
IAR_ADDRESSES = Driver(
    "iar",
    """
#include <stdint.h>
volatile uint8_t PORT @ 0x25; static volatile uint16_t TIMER @ 0x40001000;
__no_init volatile union { uint8_t all; struct { uint8_t b0 : 1, b1 : 1; } bits; } PIN @ 0x26;
__no_init uint8_t cache[8] @ 0x20000000;
void boot(void) @ ".boot" { }
typedef __packed struct { uint8_t k; uint32_t v; } frame;
int f(uint8_t x) {
  if (PORT & 4) { PORT |= 1; return 1; }
  if (TIMER > 1000) return 2;
  if (PIN.bits.b1) return 3;
  cache[x & 7] = x;
  return sizeof(frame) == 5 ? 0 : 9;
}
""",
    {"f": {0, 1, 2, 3}},
)
SDCC_ADDRESSES = Driver(
    "sdcc",
    """
#define SFR(name, addr) __sfr __at (addr) name
#define SBIT(name, addr, bit) __sbit __at (addr + bit) name
SFR(P1, 0x90);
SBIT(P1_2, 0x90, 2);
__sfr __at 0x99 SBUF; __sbit __at (0x99) TI;
__xdata __at (0xF000) volatile unsigned char DISPLAY;
volatile __xdata unsigned char __at (0xF001) KEY;
static __xdata unsigned char buf[3];
int f(unsigned char c) {
  if (P1_2) { TI = 0; return 1; }
  P1 = c; SBUF = 1; DISPLAY = c;
  if (KEY == 'x') return 2;
  buf[1] = c;
  return buf[1] == 9 ? 3 : 0;
}
""",
    {"f": {0, 1, 2, 3}},
)
DRIVERS = {
    "cmsis": CMSIS,
    "armcc": ARMCC,
    "iar": IAR,
    "sdcc": SDCC,
    "c51": C51,
    "iar with addresses": IAR_ADDRESSES,
    "sdcc with addresses": SDCC_ADDRESSES,
}


def explored(driver: Driver, function: str, folder: Path) -> Result:
    source = folder / "driver.c"
    source.write_text(driver.text)
    return explore(BuildOptions((source,), function, preludes=(driver.prelude,)), SearchOptions(budget=30.0))


@pytest.mark.parametrize(
    ("name", "function"),
    sampled(
        [(name, function) for name, driver in DRIVERS.items() for function in driver.returns],
        lambda case: (
            (case[1] == next(iter(DRIVERS[case[0]].returns)) and "addresses" not in case[0]) or case[1] == "in_handler"
        ),
    ),
)
def test_every_branch_of_a_driver_is_reached_and_its_suite_holds(name: str, function: str, tmp_path: Path) -> None:
    driver = DRIVERS[name]
    result = explored(driver, function, tmp_path)
    assert not result.bugs and {branch.state for branch in result.branches} <= {"covered"}
    assert all(test.replayed == "same" for test in result.tests)
    returned = {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}
    assert returned >= driver.returns[function] or not driver.returns[function]
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    for each in result.program.carried:
        (tmp_path / each.name).write_text(each.text)
    for command in compilations():
        words = (*command, *result.program.compile_flags)
        built = build_suite(tmp_path, plain.file_name(result.program), suite, words)
        assert built.run().returncode == 0, (command, built.run().stdout)


def test_a_header_of_the_users_gives_words_their_meaning(tmp_path: Path) -> None:
    (tmp_path / "host.h").write_text("#define EEPROM\n#define limit() 7\nextern int _data_end[4];\n")
    source = tmp_path / "driver.c"
    source.write_text("EEPROM static int base = 1; int f(int x) { return x > limit() ? base : x == -3 ? -1 : 0; }\n")
    options = BuildOptions((source,), "f", preludes=(str(tmp_path / "host.h"),))
    result = explore(options, SearchOptions(criterion="path"))
    assert {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests} == {1, -1, 0}


def test_registers_are_read_and_written_where_the_source_says(tmp_path: Path) -> None:
    result = explored(C51, "put", tmp_path)
    registers = {root.name for test in result.tests for root in test.inputs.roots if root.name.startswith("read")}
    assert registers == {"read8(0x98)", "read8(0xa8)", "read8(0x8000)", "read8(0x9000)"}
    logs = [each.after for test in result.tests for each in test.outputs if each.name == DEVICE_LOG]
    counts = [int.from_bytes(log[:8], "little") for log in logs]
    places = [log[8 + 16 * k : 16 + 16 * k] for log, count in zip(logs, counts, strict=True) for k in range(count)]
    assert {int.from_bytes(place, "little") for place in places} == {0x98, 0x99, 0xA8}


def test_a_unit_of_several_sources_brings_all_of_them_along(tmp_path: Path) -> None:
    (tmp_path / "board.h").write_text("sfr P0 = 0x80;\nint low(unsigned char c);\n")
    (tmp_path / "a.c").write_text(
        '#include "board.h"\nint f(unsigned char c) { return low(c) ? 1 : c == 7 ? 2 : 0; }\n'
    )
    (tmp_path / "b.c").write_text('#include "board.h"\nint low(unsigned char c) { return P0 == 3 && c < 4; }\n')
    out = tmp_path / "out"
    call = ["test", str(tmp_path / "a.c"), str(tmp_path / "b.c"), "--entry", "f", "--prelude", "c51", "--out", str(out)]
    assert main([*call, "--format", "plain", "--quiet"]) == 0
    assert {each.name for each in (out / "suite").glob("*.[ch]")} == {
        "a.host.c",
        "b.host.c",
        "board.host.h",
        "test_f.c",
        "veer_support.h",
    }
    assert (out / "suite/plain/b.host.c").is_file()
    summary = json.loads((out / "summary.json").read_text())
    assert summary["coverage"]["branches"]["covered"] == summary["coverage"]["branches"]["total"] == 6
    assert [Path(each).name for each in summary["sources"]] == ["a.c", "b.c"]
    for command in summary["commands"]:
        done = subprocess.run(command, shell=True, cwd=out / "suite", timeout=60, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_bug_is_told_at_its_line_and_assembly_is_named(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(
        "sfr P0 = 0x80; sfr P1 = 0x90;\n#pragma asm\n NOP\n#pragma endasm\nint f(int a) { return 6 / a; }\n"
    )
    result = explore(BuildOptions((source,), "f", preludes=("c51",)), SearchOptions())
    assert [(bug.file, bug.line) for bug in result.bugs] == [(str(source), 5)] * len(result.bugs) and result.bugs
    assert "unit.c:2: assembly is left out, it does nothing here" in result.program.notes


def test_a_claim_says_that_int_is_larger_here(tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text("int f(int a) { return a > 40000; }\n")
    for prelude, words in (("c51", ["int of 32 bits (16 under c51)"]), ("iar", [])):
        result = explore(BuildOptions((tmp_path / "unit.c",), "f", preludes=(prelude,)), SearchOptions())
        assert [each for each in result.ending.within if each.startswith("int of")] == words
