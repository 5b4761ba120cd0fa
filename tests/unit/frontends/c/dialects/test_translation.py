"""Sources in words of another compiler and their headers as one file of C."""

from __future__ import annotations

import re
from pathlib import Path

from veer.frontends.c.dialects.translation import Translation, Translator, carried_names, folders_of
from veer.frontends.c.dialects.words import words_of


def translated(source: Path, *folders: Path) -> Translation | None:
    return Translator(words_of(["c51"]), folders).translated(source)


def write(folder: Path, **texts: str) -> Path:
    """Files NAME_h and NAME_c, the last of which is the source."""
    path = folder
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return path


def where(text: str) -> dict[str, tuple[str, int]]:
    """File and line of each line of C, as #line says."""
    file, line, found = "", 0, {}
    for content in text.split("\n"):
        if mark := re.fullmatch(r'#line (\d+) "(.*)"', content):
            file, line = Path(mark[2]).name, int(mark[1])
            continue
        found.setdefault(content.strip(), (file, line))
        line += 1
    return found


def test_a_source_that_is_c_is_read_as_it_is(tmp_path: Path) -> None:
    assert translated(write(tmp_path, b_h="int b;\n", a_c='#include "b.h"\nint a;\n')) is None


def test_a_header_that_changes_stands_in_the_source_and_lines_stay(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        inc__plain_h="int plain;\n",
        inc__regs_h='#include "plain.h"\nsfr A = 1; int x;\nint y;\n',
        a_c='int first;\n#include <regs.h>\n#include "missing.h"\nint last;\n',
    )
    found = translated(source, tmp_path / "inc")
    assert found is not None and found.read == (tmp_path / "inc/regs.h",)
    lines = where(found.text)
    assert f'#include "{tmp_path}/inc/plain.h"' in lines and '#include "missing.h"' in lines
    assert lines["int first;"] == ("a.c", 1) and lines["int last;"] == ("a.c", 4)
    assert lines["int x;"] == ("regs.h", 2) and lines["int y;"] == ("regs.h", 3)


def test_a_header_that_is_read_once_is_read_once(tmp_path: Path) -> None:
    source = write(tmp_path, r_h="#pragma once\nstruct s { bit a; };\n", a_c='#include "r.h"\n#include "r.h"\nint f;\n')
    found = translated(source)
    assert found is not None and found.text.count("#ifndef VEER_ONCE_") == 2 and "#pragma once" not in found.text
    assert where(found.text)["int f;"] == ("a.c", 3)


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    guard = '#ifndef {0}\n#define {0}\n#include "{1}.h"\nbit {0}_v;\n#endif\n'
    source = write(tmp_path, x_h=guard.format("X", "y"), y_h=guard.format("Y", "x"), a_c='#include "x.h"\nint f;\n')
    found = translated(source)
    assert found is not None and where(found.text)["_Bool Y_v;"] == ("y.h", 4)
    assert where(found.text)["int f;"] == ("a.c", 2)


def test_a_macro_of_one_header_declares_registers_in_another(tmp_path: Path) -> None:
    source = write(tmp_path, m_h="#define SFR(n, a) sfr n = a\n", a_c='#include "m.h"\nSFR(P0, 0x80);\nint f;\n')
    found = translated(source)
    assert found is not None and "#define P0 VEER_SFR(0x80)" in found.text


def test_folders_are_those_of_the_flags() -> None:
    assert folders_of(("-I", "a", "-Ib", "-D", "X", "-idirafter", "c")) == (Path("a"), Path("b"))


def test_sources_of_one_name_have_files_of_their_own() -> None:
    assert [*carried_names([Path("/a/u.c"), Path("/b/u.c"), Path("/a/v.c")]).values()] == [
        "u.host.c",
        "u.host2.c",
        "v.host.c",
    ]
