"""How C calls its numbers: for suites. frontends/c/scalars.py has the same for front ends, which know no suites."""

from __future__ import annotations

SCALAR_NAMES = {
    ("signed", 1): "signed char",
    ("signed", 2): "short",
    ("signed", 4): "int",
    ("signed", 8): "long",
    ("unsigned", 1): "unsigned char",
    ("unsigned", 2): "unsigned short",
    ("unsigned", 4): "unsigned int",
    ("unsigned", 8): "unsigned long",
    ("bool", 1): "_Bool",
    ("char", 1): "char",
    ("float", 4): "float",
    ("float", 8): "double",
    ("float", 16): "long double",
}
"""How C calls a scalar type of a kind and a size, whatever name the source gives it."""
