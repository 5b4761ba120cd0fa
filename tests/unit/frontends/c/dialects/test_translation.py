"""Sources in words of another compiler and their headers as one file of C."""

from __future__ import annotations

import re
from pathlib import Path

from veer.frontends.c.dialects.translation import Translator, carried, folders_of
from veer.frontends.c.dialects.words import words_of


def translated(source: Path, *folders: Path) -> dict[str, str]:
    """The texts of the files that had to change, by their names."""
    made = translator(source, *folders)
    assert (made.translated(source) is None) == (not made.files)
    return {path.name: host.read_text() for path, host in made.files.items()}


def translator(source: Path, *folders: Path) -> Translator:
    place = source.parent / "cache"
    place.mkdir(exist_ok=True)

    def written(text: str, suffix: str) -> Path:
        path = place / f"{len(list(place.iterdir()))}{suffix}"
        path.write_text(text)
        return path

    return Translator(words_of(["c51"]), folders, written)


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
    assert not translated(write(tmp_path, b_h="int b;\n", a_c='#include "b.h"\nint a;\n'))


def test_a_header_that_changes_has_a_file_of_its_own_and_lines_stay(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        inc__plain_h="int plain;\n",
        inc__regs_h='#include "plain.h"\nsfr A = 1; int x;\nint y;\n',
        a_c='int first;\n#include <regs.h>\n#include "missing.h"\nint last;\n',
    )
    found = translated(source, tmp_path / "inc")
    assert found.keys() == {"a.c", "regs.h"}
    assert f'#include "{tmp_path}/inc/plain.h"' in found["regs.h"] and '#include "missing.h"' in found["a.c"]
    lines = where(found["a.c"]) | where(found["regs.h"])
    assert lines["int first;"] == ("a.c", 1) and lines["int last;"] == ("a.c", 4)
    assert lines["int x;"] == ("regs.h", 2) and lines["int y;"] == ("regs.h", 3)


def test_a_header_between_changes_for_what_it_includes(tmp_path: Path) -> None:
    source = write(tmp_path, r_h="bit a;\n", m_h='#include "r.h"\n', a_c='#include "m.h"\n#include "m.h"\n')
    assert translated(source).keys() == {"r.h", "m.h", "a.c"}


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    guard = '#ifndef {0}\n#define {0}\n#include "{1}.h"\nbit {0}_v;\n#endif\n'
    source = write(tmp_path, x_h=guard.format("X", "y"), y_h=guard.format("Y", "x"), a_c='#include "x.h"\nint f;\n')
    found = translated(source)
    assert where(found["y.h"])["_Bool Y_v;"] == ("y.h", 4)
    assert f'#include "{tmp_path}/x.h"' in found["y.h"]  # whose guard is set by then


def test_a_macro_of_one_header_declares_registers_in_another(tmp_path: Path) -> None:
    source = write(tmp_path, m_h="#define SFR(n, a) sfr n = a\n", a_c='#include "m.h"\nSFR(P0, 0x80);\nint f;\n')
    assert "#define P0 VEER_SFR(0x80)" in translated(source)["a.c"]


def test_bytes_that_are_no_utf_8_are_escapes(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_bytes(b'bit b; char *s = "\xb0\xa1";\n')
    assert translated(source)["a.c"].endswith('_Bool b; char *s = "\\260\\241";\n')


def test_a_suite_brings_files_along_that_include_each_other_by_name(tmp_path: Path) -> None:
    source = write(tmp_path, one__r_h="bit a;\n", two__r_h="bit b;\n", a_c='#include "one/r.h"\n#include "two/r.h"\n')
    made = translator(source)
    made.translated(source)
    found = {name: text for _, name, text in carried(made.files)}
    assert found.keys() == {"a.host.c", "r.host.h", "r.host2.h"}
    assert found["a.host.c"].endswith('#include "r.host.h"\n#include "r.host2.h"\n')


def test_folders_are_those_of_the_flags() -> None:
    assert folders_of(("-I", "a", "-Ib", "-idirafter", "c", "-D", "X", "-iquote", "d")) == (*map(Path, "abdc"),)
