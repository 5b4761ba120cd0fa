"""Line coverage of the counters build: which lines have code, which ran, and agreement with gcc's gcov."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from recorded_tests import recorded, replayer

from veer.model.coverage import CountedLine, function_coverage, line_coverage
from veer.model.outcome import Outcome
from veer.model.replay import Want

SUBJECT = """\
#include <stdlib.h>
#include <string.h>
static int twice(int x) { return 2 * x; }
static void add(int *p,
                int k)
{
  if (!p)
    return;
  *p += k;
}
int never(int a) {
  return a;
}
int work(int a, const char *s) {
  int x = 0;
  int y, table[2] = {1, 2};
  if (a > 3 && a != 7) {
    x = 1;
  } else {
    x = twice(a);
  }
  for (int i = 0; i < 3; i++) {
    if (s && s[i] == 'x')
      break;
    else
      continue;
  }
  switch (a) {
  case 1:
    y = 1;
    break;
  case 2: y = 2; break;
  default:
    y = 3;
  }
  do {
    if (a > 10) goto out;
    a++;
  } while (a < 5);
  if (a == 5
      || a == 4) {
    add(&x, 3);
  }
out:
  add(0, 1);
  if (a == 100)
    exit(3);
  else if (strcmp(s, "abc") == 0) { y = 7; }
  y += x
    + a
    + twice(y);
  return y + table[0];
}
"""
MAIN = '\nint main(void) { return work(1, "ax") + work(7, "abx") + work(100, "y"); }\n'


@dataclass(frozen=True)
class Measured:
    """What the counters build of SUBJECT says."""

    source: Path
    counted: tuple[CountedLine, ...]
    marked: tuple[int, ...]
    branches: dict[int, list[bool]]  # line → which sides of its branches were taken


def _measured(folder: Path) -> Measured:
    source = folder / "subject.c"
    source.write_text(SUBJECT)
    of = replayer(source, "work")
    program = of.built.program
    tests = [recorded(program, {"a": 1, "s": "ax"}), recorded(program, {"a": 7, "s": "abx"})]
    tests.append(recorded(program, {"a": 100, "s": "y"}, outcome=Outcome.EXITED, exit_code=3))
    found = of.replay(tests, want=Want.COVERAGE)
    edges = {edge for one in found for edge in one.edges}
    branches: dict[int, list[bool]] = {}
    for site in program.sites:
        for side, item in enumerate(site.items):
            if item >= 0 and site.file == str(source):
                branches.setdefault(site.line, []).append(2 * site.id + side in edges)
    marked = tuple(sorted({line for one in found for line in one.lines}))
    return Measured(source, of.measurable().lines, marked, branches)


def _gcov(folder: Path, source: Path) -> tuple[dict[int, bool], dict[int, list[bool]]]:
    """Line → did it run, for the lines that gcov counts; line → which of its branches were taken."""
    (folder / "counted.c").write_text(f'#include "{source}"{MAIN}')
    environment = {**os.environ, "LC_ALL": "C"}
    subprocess.run(["gcc", "--coverage", "-O0", "-w", "counted.c", "-o", "counted"], cwd=folder, check=True, timeout=60)
    subprocess.run(["./counted"], cwd=folder, timeout=20, check=False)
    data = next(folder.glob("*.gcda")).name
    subprocess.run(["gcov", "-b", "-c", data], cwd=folder, env=environment, check=True, timeout=60, capture_output=True)
    found: dict[int, bool] = {}
    branches: dict[int, list[bool]] = {}
    number = "0"
    for line in (folder / f"{source.name}.gcov").read_text().splitlines():
        if branch := re.match(r"branch +\d+ (taken (\d+)|never executed)", line):
            branches.setdefault(int(number), []).append(branch[2] is not None and int(branch[2]) > 0)
        elif not line.startswith(("function ", "call ", "unconditional ")):
            count, number, _ = (part.strip() for part in line.split(":", 2))
            if number != "0" and count != "-":
                found[int(number)] = not count.startswith(("#", "="))
    return found, branches


def test_lines_functions_and_branches_agree_with_gcov(tmp_path: Path) -> None:
    measured = _measured(tmp_path)
    counted, marked = measured.counted, measured.marked
    lines = {line.line: bool(line.tests) for line in line_coverage(counted, [marked])}
    text = SUBJECT.splitlines()
    assert {line for line, ran in lines.items() if not ran} >= {
        number for number, each in enumerate(text, 1) if each.strip() in ("return a;", "int never(int a) {")
    }
    assert lines[text.index("  int x = 0;") + 1], "a line whose code SROA takes away is counted"
    functions = {f.name: f.tests for f in function_coverage(counted, [marked])}
    assert functions == {"twice": 1, "add": 1, "never": 0, "work": 1}
    if shutil.which("gcc") is None or shutil.which("gcov") is None:
        pytest.skip("gcc or gcov is not installed: only veer's own numbers were checked")
    theirs, branches = _gcov(tmp_path, measured.source)
    common = lines.keys() & theirs.keys()
    assert {number: lines[number] for number in common} == {number: theirs[number] for number in common}
    # gcov counts labels; clang knows of jumps that gcc puts on the line before, and of the end of a function.
    odd = {text[number - 1].strip().partition(" ")[0].rstrip(":;") for number in lines.keys() ^ theirs.keys()}
    assert odd <= {"case", "default", "out", "break", "return", "}"}
    assert len(common) >= 30
    # A constant condition is a branch for neither; each side of each branch on a line counts for both.
    sides = {number: sorted(taken) for number, taken in measured.branches.items()}
    assert sides == {number: sorted(taken) for number, taken in branches.items()}
    assert sum(map(len, sides.values())) >= 20


def test_a_line_of_two_units_and_two_marks_counts_once() -> None:
    counted = (
        CountedLine("a.h", 1, "inline_one", opens=True),
        CountedLine("a.h", 1, "inline_one"),
        CountedLine("a.h", 1, "inline_one", opens=True),
        CountedLine("b.c", 5, "main"),
    )
    lines = line_coverage(counted, [(0, 1), (2,), ()])
    assert [(line.file, line.line, line.tests) for line in lines] == [("a.h", 1, 2), ("b.c", 5, 0)]
    assert [(f.name, f.tests) for f in function_coverage(counted, [(0, 1), (2,), ()])] == [("inline_one", 2)]
