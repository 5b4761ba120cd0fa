"""Addresses, sizes and special values that Python and native code share.

The address space of an executor (Linux x86-64, a position-dependent executable):

    0x0100_0000  image: code and globals of the unit (below 2 GiB, so that all of it has a shadow)
    0x2000_0000  HEAP     the unit's own heap            (HEAP_SIZE)
    0x6000_0000  STACK    the unit's addressable locals  (STACK_SIZE)
    0x7d00_0000  COVERAGE one byte an edge of this process; edge = 2 * site + side
    0x7f00_0000  HOT      the hot block that instrumented code touches with absolute addresses
    0x7f80_0000  FLOWS    what code of the flow build touches with absolute addresses (--partitioned)
    0x1000_0000_0000  SHADOW   one u32 a byte of the 2 GiB above; a fresh page reads as "not addressable"
    0x1100_0000_0000  FLOW_SHADOW  one u32 a byte of the 2 GiB above: its set of inputs (--partitioned)
    0x2000_0000_0000  PRIVATE  the runtime's own state, never in the image beside the program's data
    0x3000_0000_0000  SHARED   the regions below, shared with Python, guard pages in between

A shadow word of a memory byte: 0 = not addressable, 1 = addressable and concrete, else
`fragment << 28 | expression` with fragment = index of this byte within the expression (0 = least significant).
A shadow of an SSA value: 0 or 1 = concrete, else the expression's id (no fragment).
"""

from __future__ import annotations

VERSION = 1
MAGIC = 0x56454552

PLAIN_BEGIN = 0xF0_0000  # where an executable has its functions, static data and what malloc of the plain build gives
PLAIN_END = 0x800_0000
HEAP_BASE = 0x2000_0000
HEAP_SIZE = 0x4000_0000
STACK_BASE = 0x6000_0000
STACK_SIZE = 0x1000_0000
COVERAGE_BASE = 0x7D00_0000
COVERAGE_SIZE = 0x0100_0000
HOT_BASE = 0x7F00_0000
FLOWS_BASE = 0x7F80_0000
SHADOW_BASE = 0x1000_0000_0000
FLOW_SHADOW_BASE = 0x1100_0000_0000
LOW_BITS = 31
PRIVATE_BASE = 0x2000_0000_0000
SHARED_BASE = 0x3000_0000_0000
PAGE = 4096

SHADOW_UNADDRESSABLE = 0
SHADOW_CONCRETE = 1
FIRST_EXPRESSION = 2
FRAGMENT_SHIFT = 28
EXPRESSION_MASK = (1 << FRAGMENT_SHIFT) - 1
NONE = 0xFFFF_FFFF
TARGET_MARK = 0x8000_0000  # in the recorded leaves: what follows a pointer is the one whose fresh object it leads to
MAX_STACK_SHOWN = 32
MAX_ARGUMENTS = 2048
MAX_DEPTH = 65000
MET_PLACES = 31
MAX_SPECIFICATIONS = 32
SPECIFICATION_STATES = 1 << 10  # contents of the registers of one that are told apart
HASH_MULTIPLIER = 0x9E37_79B9_7F4A_7C15
GOES_ON = 0xFFFF_FFFF  # as `filler`: a text goes on as it ended, up to its bound
BEGINS = 0xFFFF_FFFE  # the same, an empty text begins, and sizes are the largest
POINTS = 0xFFFF_FFFD  # the same, and pointers lead to objects of their own
