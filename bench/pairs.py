"""This checkout against another, row by row: bench/pairs.py OTHER [--pairs 15] [--plain | --cost] [--json FILE]
[NAME...].

OTHER is a checkout of veer with a .venv of its own, a state of before. A pair is a process of each. Both wait while the
other one is at work, and search in turns, A B B A A B ...: a machine that becomes slower for a second then slows down
both. The first campaign of each is left out; searches of a few milliseconds take up to eight turns. Of a turn is taken
the ratio of the search's processor time a path (this one's to the other's), of a pair the median of its turns. Printed
are the median of the pairs, their quartiles, and the median microseconds of both. A row whose median is above 1.05 is
named at the end, exit code 1. --plain leaves out what OTHER may not have yet: checks that are on by default, and the
sandbox, which an executor pays when it is started. Nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from common import Printer
from rows import ROWS

HERE = Path(__file__).parent.parent
BAR = 1.05
SHORT, MOST_TURNS = 0.8, 8  # processor seconds of both, after which a pair has turns enough; and so many turns at most
COLUMNS = (("subject", 11), ("median", 6), ("25 %", 5), ("75 %", 5), ("us", 10), ("us before", 10))
# What each of the two runs: its own bench and its own veer. A campaign ends behind its search: what tests are made of
# the paths is not measured, and takes longer. Its last argument: "plain" (neither checks nor sandbox), "unchecked" (no
# checks), or "checked" (as it is).
_ONE = """
import json, sys
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, "bench")
import measuring
from rows import ROWS
from veer.model.options import SearchOptions
row = next(each for each in ROWS if each.name == sys.argv[1])
options = SearchOptions(budget=float(sys.argv[2]), strategy="dfs", keep_going=True)
build = row.options(Path(sys.argv[3]))
if sys.argv[4] in ("plain", "unchecked") and hasattr(build, "no_checks"):
    build = replace(build, no_checks=("all",))
if sys.argv[4] == "plain" and hasattr(options, "sandbox"):
    options = replace(options, sandbox="off")
class Searched(BaseException):
    pass
# The name under which each of the two looks up its search, and what else its campaign is given.
more = ()
if hasattr(measuring, "session"):
    holder = measuring.session
    name = "first_step" if hasattr(holder, "first_step") else "searched"
else:
    holder, name, more = measuring.Session, "run", (None, lambda _: None)
plain = getattr(holder, name)
def searched(*given):
    before = measuring._cpu()
    found = plain(*given)
    found = getattr(found, "searched", found)
    raise Searched(found.paths, measuring._cpu() - before)
setattr(holder, name, searched)
def one():
    try:
        measuring.campaign.run(build, options, *more)
    except Searched as found:
        return found.args
for _ in sys.stdin:
    paths, cpu = one()
    print(json.dumps({"paths": paths, "cpu": cpu}), flush=True)
"""


class Side:
    """A process of a checkout that searches a row when it is asked to."""

    def __init__(self, checkout: Path, row: str, given: argparse.Namespace, cache: str, kind: str) -> None:
        command = [str(checkout / ".venv/bin/python"), "-c", _ONE, row, str(given.budget), str(given.work), kind]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["VEER_CACHE"] = cache
        self._process = subprocess.Popen(
            command, cwd=checkout, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.paths = 0

    def turn(self) -> float:
        """Processor seconds of one search; `paths` are its paths. Raises RuntimeError where it fails."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a search ended with exit code {self._process.wait()}")
        found = json.loads(line)
        self.paths = found["paths"]
        return float(found["cpu"])

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate(timeout=60)


def pair(row: str, given: argparse.Namespace, caches: tuple[str, str]) -> list[tuple[float, float]]:
    """Microseconds a path of both sides, in turns; the first turn, which builds, does not count."""
    checkouts = (HERE, given.other.resolve())
    kinds = ("plain", "plain") if given.plain else ("checked", "unchecked" if given.cost else "checked")
    sides = [
        Side(checkout, row, given, cache, kind) for checkout, cache, kind in zip(checkouts, caches, kinds, strict=True)
    ]
    with contextlib.closing(sides[0]), contextlib.closing(sides[1]):
        for side in sides:
            side.turn()
        turns: list[tuple[float, float]] = []
        spent = 0.0
        while not turns or (len(turns) < MOST_TURNS and spent < SHORT):
            order = (0, 1) if len(turns) % 2 == 0 else (1, 0)
            seconds = {number: sides[number].turn() for number in order}
            turns.append((_microseconds(seconds[0], sides[0]), _microseconds(seconds[1], sides[1])))
            spent += sum(seconds.values())
        return turns


def _microseconds(seconds: float, side: Side) -> float:
    return 1e6 * seconds / max(side.paths, 1)


def paired(row: str, given: argparse.Namespace, caches: tuple[str, str]) -> dict[str, object]:
    """The pairs of one row."""
    next(each for each in ROWS if each.name == row).options(given.work)  # fetches its source, for both
    pairs = [pair(row, given, caches) for _ in range(given.pairs)]
    ratios = [statistics.median(one / other for one, other in turns) for turns in pairs]
    here, before = (statistics.median(turn[side] for turns in pairs for turn in turns) for side in (0, 1))
    first, median, third = statistics.quantiles(ratios, n=4)
    return {
        "row": row,
        "ratios": ratios,
        "median": median,
        "quartiles": [first, third],
        "here": here,
        "before": before,
    }


def main() -> int:
    """Prints the table; 1 when the median of a row is above the bar."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="a checkout of before, with its .venv")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows of bench/throughput.py: 'json 10'")
    parser.add_argument("--pairs", type=int, default=15, help="at least 2")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds of search for each turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append each row's figures to it")
    parser.add_argument(
        "--plain", action="store_true", help="--no-check all --sandbox off: as it was before these were defaults"
    )
    parser.add_argument("--cost", action="store_true", help="the other with --no-check all, this one as it is")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "veer-bench")
    given = parser.parse_intermixed_args()
    if given.pairs < 2:
        parser.error(f"--pairs {given.pairs}: quartiles need 2 at least")
    slower = []
    with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as before:
        printer = Printer(COLUMNS)
        for row in ROWS:
            if given.names and row.name not in given.names and row.subject not in given.names:
                continue
            found = paired(row.name, given, (here, before))
            low, high = found["quartiles"]  # type: ignore[misc]
            printer.row(
                [
                    row.name,
                    *(f"{each:.3f}" for each in (found["median"], low, high)),
                    *(f"{each:,.2f}" for each in (found["here"], found["before"])),
                ]
            )
            if found["median"] > BAR:  # type: ignore[operator]
                slower.append(row.name)
            if given.json:
                with given.json.open("a") as lines:
                    lines.write(json.dumps(found) + "\n")
    print(f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())}")
    print(f"above {BAR}: {', '.join(slower) or 'none'}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
