"""`python -m veer.instrument.emit in.ll out.o --level 1`: code generation in a process of its own.

An error within LLVM's code generation ends the process that it happens in; here that is nobody's loss. Exit code 0, or
1 with LLVM's words on standard error.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from veer.instrument.codegen import emit_object, prepare

__all__ = ["emit_object", "prepare"]


def main() -> int:
    """Reads IR text, writes an object file."""
    parser = argparse.ArgumentParser(prog="veer.instrument.emit")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--level", type=int, default=1, choices=(0, 1, 2, 3))
    arguments = parser.parse_args()
    try:
        arguments.target.write_bytes(emit_object(arguments.source.read_text(), arguments.level))
    except (RuntimeError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
