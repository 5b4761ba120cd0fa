"""XML text for the reports that are XML: escaped, and without characters that XML 1.0 does not know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape  # xml.sax.saxutils would bring urllib and ssl along

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
_SPACES = str.maketrans({"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})  # a reader would make them blanks
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def tag(name: str, attributes: Mapping[str, object], *, is_empty: bool = False) -> str:
    """An opening tag, or an empty element."""
    shown = "".join(f' {key}="{_attribute(str(value))}"' for key, value in attributes.items())
    return f"<{name}{shown}{'/' if is_empty else ''}>"


def text(content: str) -> str:
    """Character data."""
    return escape(_clean(content))


def _attribute(content: str) -> str:
    return escape(_clean(content)).translate(_SPACES)


def _clean(content: str) -> str:
    return _FORBIDDEN.sub("\ufffd", content)
