"""Generated Java methods against all of their inputs: python bench/java_truth.py [--first 0] [--count 200]

Each method (tests/truth/java_programs.py) is searched, and judged by its 512 inputs on the JVM. What is wrong is told
at once, with the method's text; the exit code is 1 if anything is. Ctrl-C prints what there is.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "truth"))

from java_programs import Drawing, judged


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    done = wrong = 0
    try:
        for seed in range(options.first, options.first + options.count):
            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder) / "Drawn.java"
                source.write_text(Drawing(seed).source(1))
                found = list(judged(source, "f0", 8.0))
                if found:
                    print(f"seed {seed}:", *found[:5], source.read_text(), sep="\n", flush=True)
            done += 1
            wrong += bool(found)
    except KeyboardInterrupt:
        pass
    print(f"{done} methods, {wrong} with something wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
