"""getopt in a whole program: every option and argument is reached; the tests end so with the machine's getopt, too."""

from __future__ import annotations

from pathlib import Path

from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

UNIT = """
#include <unistd.h>
int main(int argc, char **argv) {
    int c, seen = 0;
    opterr = 0;
    while ((c = getopt(argc, argv, "ab:")) != -1)
        switch (c) {
        case 'a': seen |= 1; break;
        case 'b': seen |= optarg[0] == 'x' ? 2 : 4; break;
        default: return optopt == 'b' ? 8 : 9;
        }
    if (optind < argc)
        seen |= 16;
    return seen;
}
"""


def test_a_program_with_options_is_searched_to_its_end(tmp_path: Path) -> None:
    source = tmp_path / "options.c"
    source.write_text(UNIT)
    result = explore(
        BuildOptions(sources=(source,), entry="main", argc=3, argv_size=3, stdin_size=0),
        SearchOptions(criterion="path", budget=30.0),
    )
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.ending.claim == "paths"
    assert {branch.state for branch in result.branches} == {"covered"}
    # a and b need two arguments here, so that an argument besides comes with one of them; "-abx" is longer than 3
    statuses = {int.from_bytes(test.returned or b"", "little") for test in result.tests}
    assert statuses == {0, 1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 18, 20}
