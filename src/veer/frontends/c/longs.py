"""Which types are long: what has 8 bytes here, and 4 on small machines."""

from __future__ import annotations

import re

from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo

_LONG = ("long", "unsigned long")
_ALWAYS_WIDE = re.compile(r"_*u?int(_?least|_?fast)?64(_t)?$|_*u?intmax(_t)?$|[su]64$", re.IGNORECASE)


def is_long(debug: DebugInfo, reference: int) -> bool:
    """Whether a type is long or unsigned long by its own name: `uint64_t`, which is one here, is wide everywhere."""
    while reference != NO_NODE:
        node = debug.node(reference)
        if node.kind == "DIBasicType":
            return node.text("name") in _LONG
        is_name = node.tag == "DW_TAG_typedef"
        if (is_name and _ALWAYS_WIDE.match(node.text("name"))) or not (
            is_name or debug.unqualified(reference) != reference
        ):
            return False
        reference = node.reference("baseType")
    return False
