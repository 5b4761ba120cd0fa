"""`veer compare` of C and Zig: the verdict is that of all inputs, and a check of Zig's that fails is a difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from veer.cli.app import main

OLD = """
unsigned char f(unsigned char a, unsigned char b)
{
    if (a > 200) return b;
    return a == b ? 7 : (unsigned char)(a + b);
}
"""
HEAD = "export fn f(a: u8, b: u8) u8 {\n"
SAME = HEAD + "    if (a >= 201) return b;\n    return if (a != b) a +% b else 7;\n}\n"
CORNER = (
    HEAD
    + "    if (a > 200) return b;\n    if (a == 13 and b == 99) return 0;\n    return if (a == b) 7 else a +% b;\n}\n"
)
TRAPS = HEAD + "    if (a > 200) return b;\n    return if (a == b) 7 else a + b;\n}\n"


def compared(folder: Path, new: str) -> tuple[int, dict[str, object]]:
    (folder / "old.c").write_text(OLD)
    (folder / "new.zig").write_text(new)
    words = [str(folder / "old.c"), str(folder / "new.zig"), "--entry", "f", "--quiet", "--out", str(folder / "out")]
    code = main(["compare", *words, "--budget", "30s"])
    return code, json.loads((folder / "out" / "compare.json").read_text())


@pytest.mark.parametrize(("new", "code"), [(SAME, 0), (CORNER, 1), (TRAPS, 1)], ids=["same", "corner", "traps"])
def test_the_verdict_is_that_of_all_inputs(new: str, code: int, tmp_path: Path) -> None:
    found, told = compared(tmp_path, new)
    text = json.dumps(told)
    assert found == code, text
    if new is CORNER:
        assert '{"name": "a", "value": "13"}, {"name": "b", "value": "99"}' in text
    if new is TRAPS:
        assert "trap" in text
    if new is SAME:
        assert '"claim": "paths"' in text


def test_a_source_that_is_no_zig_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "old.c").write_text(OLD)
    (tmp_path / "new.zig").write_text("export fn f(a: u8) u8 { return a +; }\n")
    words = [str(tmp_path / "old.c"), str(tmp_path / "new.zig"), "--entry", "f", "--out", str(tmp_path / "out")]
    assert main(["compare", *words]) == 2
    assert "does not become C" in capsys.readouterr().err
