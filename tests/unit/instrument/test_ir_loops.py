"""Which loops are units of summary of their own (instrument/loops.py); functions are well-formed with their boundaries.

What the boundaries do is compared in tests/truth/test_loops.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from ir_fixtures import prepared

from veer.frontends.c.checks import check_flags
from veer.instrument.checks import without_other_means
from veer.instrument.codegen import verify
from veer.instrument.instrument import Unit, UnitOptions, instrument
from veer.model.buildoptions import BuildOptions
from veer.model.loops import FAILED
from veer.model.program import SiteKind

pytestmark = pytest.mark.xdist_group("ir_unit")

FOUND = {  # body of a function of `const char *s, int *q, int c, int n` → the exits of each unit
    "int i = 0; while (s[i]) i++; return i;": [1],
    "int i = 0; while (s[i] != c) { if (!s[i]) return -1; i++; } return i;": [2],
    "const char *p = s; while (*p == ' ' || *p == '\\t') p++; return p - s;": [1],
    "const char *p = s + n; while (p - s > 2 && *p != c) p--; return p == s;": [1],
    "int k = 0; for (int i = 0; i < n; i++) { if (s[i] != c) continue; k++; } return k;": [1],
    "int k = c; do { k += q[n] >> 2; n--; } while (n > 0 && k < 9); return k;": [1],
    "int i = 0; while (s[i]) i++; while (i < n && q[i]) i++; return i;": [1, 1],
    "const char *p = c ? s : s + 1; while (*p) p++; return *p + n;": [1],
    "for (int i = 0; i < n; i++) if (s[i] == c) goto out; else if (!s[i]) goto out; return 1; out: return 2;": [3],
    "int i = 0; for (;;) { if (s[i] == 1) return 1; if (s[i] == 2) return 2; i++; }": [2],
    # a store, a call, a loop inside (which is one), a division, a shift by what varies, a float, a pointer from memory
    "for (int i = 0; i < n; i++) q[i] = c; return 0;": [],
    "while (outside(n)) n--; return n;": [],
    "int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < c; j++) k += s[j]; return k;": [1],
    "int k = 0; while (s[k] / c) k++; return k;": [],
    "int k = 0; while (s[k] << c) k++; return k;": [],
    "float f = 0; for (int i = 0; i < n; i++) f += s[i]; return f > 2;": [],
    "int k = 0; for (int **r = (int **)q; *r; r++) k += **r; return k;": [],
    "int k = 0; while (*(volatile int *)q) k++; return k;": [],
}


CHECKS = {"without checks": (), "with checks": check_flags(BuildOptions((Path("unit.c"),), "f"))}


@pytest.fixture(name="unit", scope="module", params=CHECKS)
def _unit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Unit:
    parameters = "const char *s, int *q, int c, int n"
    functions = [f"int f{k:02}({parameters}) {{ {body} }}" for k, body in enumerate(FOUND)]
    text = "int outside(int n);\n" + "\n".join(functions) + "\n"
    ir = prepared(tmp_path_factory.mktemp("loops"), text, *CHECKS[request.param])
    return instrument(without_other_means(ir), UnitOptions("0", boundaries=True))


def test_loops_that_scan_and_count_are_units(unit: Unit) -> None:
    found: dict[str, list[int]] = {f"f{k:02}": [] for k in range(len(FOUND))}
    for loop in unit.loops:
        found[unit.sites[loop.site].function].append(len(loop.exits))
    assert dict(zip(FOUND, found.values(), strict=True)) == FOUND


def test_the_bad_side_of_a_check_is_no_exit(unit: Unit) -> None:
    checks = [block for loop in unit.loops for block in loop.blocks if block.is_check]
    assert bool(checks) == any(site.kind is SiteKind.CHECK for site in unit.sites)
    for block in checks:
        assert unit.sites[block.site].kind is SiteKind.CHECK
        assert block.targets.count(FAILED) == 1
    for loop in unit.loops:
        assert unit.sites[loop.site].kind is SiteKind.BRANCH


def test_functions_with_boundaries_are_well_formed(unit: Unit) -> None:
    assert unit.text.count("call i32 @veer_enter(") == len(FOUND) + len(unit.loops)
    assert unit.text.count("call void @veer_leave(") == unit.text.count("\n  ret ") + len(unit.loops)
    verify(unit.text)


def test_a_loop_keeps_nothing_of_a_function_but_its_text(unit: Unit) -> None:
    for loop in unit.loops:
        numbers = {step.result for block in loop.blocks for step in block.steps}
        used = {value.number for block in loop.blocks for step in block.steps for value in step.operands}
        assert used - numbers <= set(range(loop.inputs)) | {-1}
        assert all(target < len(loop.blocks) for block in loop.blocks for target in block.targets)
        assert loop.moved(7).site == loop.site + 7
