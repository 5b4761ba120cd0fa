"""Drivers in the words of embedded compilers: every branch is reached, and the suites hold with gcc and with zig."""

from __future__ import annotations

import itertools
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from suite_builds import build_suite, zig_command
from veer_side import explore

from veer.model.options import BuildOptions, SearchOptions
from veer.model.result import Result
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
DRIVERS = {each.prelude: each for each in (CMSIS, ARMCC, IAR, SDCC)}


def explored(driver: Driver, function: str, folder: Path) -> Result:
    source = folder / "driver.c"
    source.write_text(driver.text)
    return explore(BuildOptions((source,), function, preludes=(driver.prelude,)), SearchOptions(budget=30.0))


@pytest.mark.parametrize(
    ("name", "function"), [(each.prelude, function) for each in DRIVERS.values() for function in each.returns]
)
def test_every_branch_of_a_driver_is_reached_and_its_suite_holds(name: str, function: str, tmp_path: Path) -> None:
    driver = DRIVERS[name]
    result = explored(driver, function, tmp_path)
    assert not result.bugs and {branch.state for branch in result.branches} <= {"covered"}
    assert all(test.replayed == "same" for test in result.tests)
    returned = {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}
    assert returned >= driver.returns[function] or not driver.returns[function]
    suite = plain.render(result.program, result.tests, result.bugs, result.branches)
    compilers = {"zig": zig_command()} | ({"gcc": ("gcc",)} if shutil.which("gcc") else {})
    for compiler, level in itertools.product(compilers, ("-O0", "-O2")):
        command = (*compilers[compiler], level, *result.program.compile_flags)
        built = build_suite(tmp_path, plain.file_name(result.program), suite, command)
        assert built.run().returncode == 0, (compiler, level, built.run().stdout)


def test_a_header_of_the_users_gives_words_their_meaning(tmp_path: Path) -> None:
    (tmp_path / "host.h").write_text("#define EEPROM\n#define limit() 7\nextern int _data_end[4];\n")
    source = tmp_path / "driver.c"
    source.write_text("EEPROM static int base = 1; int f(int x) { return x > limit() ? base : x == -3 ? -1 : 0; }\n")
    options = BuildOptions((source,), "f", preludes=(str(tmp_path / "host.h"),))
    result = explore(options, SearchOptions(criterion="path"))
    assert {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests} == {1, -1, 0}
