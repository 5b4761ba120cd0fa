"""Static methods of a Java library: python bench/java_library.py LIB.jar [--count 100] [--budget 5] [--seed 1]

Draws static methods that can be an entry, searches each, runs its tests on the JVM and its suite. The table counts
methods, branches, exceptions that were found, tests that the JVM runs otherwise, suites that are not green; below it
stand the methods of which something is wrong. Ctrl-C prints what there is.
A library that was not written for veer, as Debian's
libcommons-lang3-java: /usr/share/java/commons-lang3.jar.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from common import table

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.frontends.java.language import JAVA
from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions


def drawn(jar: Path, count: int, seed: int) -> list[str]:
    """Names of static methods that can be an entry, and take something."""
    all_ = JAVA.entries(BuildOptions((jar,), ""))
    static = [each.name for each in all_ if not each.why_not and each.inputs and not each.qualities]
    return random.Random(seed).sample(sorted(static), min(count, len(static)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jar", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--budget", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for name in drawn(options.jar.absolute(), options.count, options.seed):
            _one(options.jar.absolute(), name, options.budget, counts, wrong)
    except KeyboardInterrupt:  # what there is by then
        counts["methods"] -= 1
    print(table(("what", "number"), sorted((key, str(value)) for key, value in counts.items())))
    print(*wrong, sep="\n")
    return 1 if wrong else 0


def _one(jar: Path, name: str, budget: float, counts: Counter[str], wrong: list[str]) -> None:
    began = time.monotonic()
    counts["methods"] += 1
    try:
        result = campaign.run(BuildOptions((jar,), name), SearchOptions(budget=budget))
        with tempfile.TemporaryDirectory() as out:
            deliver(result, Path(out)).checked()
    except VeerError as error:
        counts["refused or not built"] += 1
        wrong.append(f"{name}: {str(error).splitlines()[0][:200]}")
        return
    except Exception as error:
        counts["raised"] += 1
        wrong.append(f"{name} raises {error!r:.300}")
        return
    branches = result.coverage.branches
    if branches is not None:
        counts["branches"] += branches.total
        counts["branches covered"] += branches.covered
    counts[f"claim {result.ending.claim}"] += 1
    counts["tests"] += len(result.tests)
    counts["bugs"] += len(result.bugs)
    counts["tests that return or throw"] += sum(test.outcome is Outcome.RETURNED for test in result.tests)
    differing = [f"{name} {test.name}: {test.replayed}" for test in result.tests if test.replayed.startswith("differs")]
    counts["tests that differ on the JVM"] += len(differing)
    counts["methods that differ"] += bool(differing)
    wrong += differing[:2]
    if any("veer does not follow" in each for each in result.ending.lost_by):
        counts["methods with a refused call"] += 1
    print(f"{name}: {len(result.tests)} tests, {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
