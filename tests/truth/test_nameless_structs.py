"""A caller's struct in a union, with and without a name: a length in it that says more than its buffer has is to
blame, not the code, and a bug that needs no such length is an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.model.outcome import Outcome
from veer.model.severity import Severity

pytestmark = pytest.mark.slow

TEXT = """
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct out { int kind; union { struct NAME { char *buf; size_t size; size_t len; } buf; void *data; } u; };
int put(struct out *out, const char *from, size_t len)
{
    size_t avail = out->u.buf.size - out->u.buf.len;
    size_t n = len < avail ? len : avail;
    memcpy(out->u.buf.buf + out->u.buf.len, from, n);
    out->u.buf.len += n;
    if (out->u.buf.size > 0) {
        size_t at = out->u.buf.len;
        if (at >= out->u.buf.size) at = out->u.buf.size - 1;
        out->u.buf.buf[at] = 0;
    }
    if (len == 2) abort();
    return (int)len;
}
"""


@pytest.mark.parametrize("name", sampled(["", "piece"], lambda name: not name))
def test_a_length_belongs_to_the_buffer_beside_it_whether_the_struct_has_a_name(tmp_path: Path, name: str) -> None:
    source = tmp_path / "out.c"
    source.write_text(TEXT.replace("NAME", name))
    result = veer.test(source, entry="put", budget="4s", grow=False)
    assert [bug.outcome for bug in result.bugs if bug.severity is Severity.ERROR] == [Outcome.ABORTED], result.bugs
    assert any(bug.severity is Severity.CONTRACT for bug in result.bugs)
