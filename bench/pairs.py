"""This checkout against another, row by row: bench/pairs.py OTHER [--pairs 15] [--plain | --cost] [--json FILE]
[NAME...].

OTHER is a checkout of veer with a .venv of its own, a state of before. The two take turns, A B A B ...; of each pair is
taken the ratio of the search's processor time a path (this one's to the other's). A turn of a search that lasts a few
milliseconds is the median of eight campaigns in one process, the first of them left out. Printed are the median of the
ratios, their quartiles, and the median microseconds of both. A row whose median is above 1.05 is named at the end, exit
code 1.
Processes run one at a time: nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
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
COLUMNS = (("subject", 11), ("paths", 9), ("median", 6), ("25 %", 5), ("75 %", 5), ("us", 10), ("us before", 10))
# What each of the two runs: its own bench and its own veer. A campaign ends behind its search: what tests are made of
# the paths is not measured, and takes longer.
_ONE = """
import json, statistics, sys
from dataclasses import replace
from pathlib import Path
SHORT = 0.4
sys.path.insert(0, "bench")
import measuring
from rows import ROWS
from veer.model.options import SearchOptions
row = next(each for each in ROWS if each.name == sys.argv[1])
options = SearchOptions(budget=float(sys.argv[2]), strategy="dfs", keep_going=True)
build = row.options(Path(sys.argv[3]))
if sys.argv[4] == "plain" and hasattr(build, "no_checks"):
    build = replace(build, no_checks=("all",))
class Searched(BaseException):
    pass
# The name under which each of the two looks up its search, and what else its campaign is given.
more = ()
if hasattr(measuring, "session"):
    holder, name = measuring.session, "searched"
else:
    holder, name, more = measuring.Session, "run", (None, lambda _: None)
plain = getattr(holder, name)
def searched(*given):
    before = measuring._cpu()
    found = plain(*given)
    raise Searched(found.paths, measuring._cpu() - before)
setattr(holder, name, searched)
def one():
    try:
        measuring.campaign.run(build, options, *more)
    except Searched as found:
        return found.args
found = [one()]
while len(found) < 9 and sum(cpu for _, cpu in found) < SHORT:
    found.append(one())
print(json.dumps({"paths": found[0][0], "cpu": statistics.median(cpu for _, cpu in found[-8:])}))
"""


def measured(checkout: Path, row: str, given: argparse.Namespace, cache: str, *, plain: bool) -> tuple[int, float]:
    """Paths, and the search's processor seconds. Raises CalledProcessError."""
    command = [str(checkout / ".venv/bin/python"), "-c", _ONE, row, str(given.budget), str(given.work)]
    command.append("plain" if plain else "checked")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["VEER_CACHE"] = cache
    done = subprocess.run(
        command, cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True, timeout=600, check=True
    )
    found = json.loads(done.stdout.splitlines()[-1])
    return found["paths"], found["cpu"]


def paired(row: str, given: argparse.Namespace, caches: tuple[str, str]) -> dict[str, object]:
    """The turns of one row; the first two, which build, do not count."""
    checkouts = (HERE, given.other.resolve())
    turns = []
    for number in range(given.pairs + 1):
        pair = [
            measured(checkout, row, given, cache, plain=plain)
            for checkout, cache, plain in zip(checkouts, caches, (given.plain, given.plain or given.cost), strict=True)
        ]
        if number:
            turns.append(pair)
    here, before = ([1e6 * pair[side][1] / max(pair[side][0], 1) for pair in turns] for side in (0, 1))
    ratios = [one / other for one, other in zip(here, before, strict=True)]
    first, median, third = statistics.quantiles(ratios, n=4)
    return {
        "row": row,
        "paths": [pair[0][0] for pair in turns],
        "ratios": ratios,
        "median": median,
        "quartiles": [first, third],
        "here": statistics.median(here),
        "before": statistics.median(before),
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
        "--plain", action="store_true", help="--no-check all: as it was before checks were on by default"
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
                    f"{statistics.median(found['paths']):,.0f}",  # type: ignore[arg-type]
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
