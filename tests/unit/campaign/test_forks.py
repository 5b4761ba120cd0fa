"""What is loaded before campaigns are forked: all that each of them would load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CAMPAIGNS = """
import multiprocessing, sys
from pathlib import Path
from veer.campaign import run
from veer.campaign.deliver import deliver
from veer.campaign.forks import before_forks
from veer.frontends.llvm import builderprocess
from veer.model.options import BuildOptions, SearchOptions

def campaign(out):
    before = set(sys.modules)
    deliver(run.run(build, search), out).checked()
    print(builderprocess._server().owner == owner, sorted(name for name in set(sys.modules) - before if "veer" in name))

build, search = BuildOptions((Path(sys.argv[1]),), "f"), SearchOptions(budget=20.0)
before_forks(build, search)
owner = builderprocess._server().owner
fork = multiprocessing.get_context("fork").Process(target=campaign, args=(Path(sys.argv[2]),))
fork.start()
fork.join()
"""


def test_a_fork_loads_nothing_of_veers_and_starts_no_server(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("int f(int x) { return x > 4 ? 1 : 2; }\n")
    command = [sys.executable, "-c", CAMPAIGNS, str(source), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shared, loaded = done.stdout.strip().split(" ", 1)
    assert (shared, loaded) == ("True", "[]")
