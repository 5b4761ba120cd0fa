"""`--search auto` on generated programs: python bench/auto_truth.py [--first 0] [--count 100] [KIND...]

Each program (tests/truth/test_auto.py has the kinds) is searched plainly to its end, then with early trials, then with
half of the runs. Prints a line for each that differs: something not reached that the plain search reaches, a claim that
does not hold, more runs than allowed. Ends with 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "truth"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

import test_auto


def main() -> int:
    """Searches, and prints what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=list(test_auto.KINDS))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    wrong = 0
    for kind in given.kinds:
        seen: Counter[str] = Counter()
        for seed in range(given.first, given.first + given.count):
            with tempfile.TemporaryDirectory(prefix="veer-auto-") as scratch:
                try:
                    seen.update(test_auto.compared(seed, kind, Path(scratch)))
                except AssertionError as error:
                    wrong += 1
                    print(f"{kind} {seed}: {error}", flush=True)
        told = ", ".join(f"{count} {what}" for what, count in sorted(seen.items()))
        print(f"{kind}: {given.count} programs from {given.first} on: {told}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
