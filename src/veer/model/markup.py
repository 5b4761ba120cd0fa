"""XML for the reports and suites that are XML: elements of the standard library, without what XML 1.0 does not know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(name: str, attributes: Mapping[str, object] | None = None, text: str = "") -> Element:
    """An element; characters that XML cannot hold become U+FFFD."""
    made = Element(name, {key: _clean(str(value)) for key, value in (attributes or {}).items()})
    made.text = _clean(text) or None
    return made


def document(root: Element, doctype: str = "", declaration: str = '<?xml version="1.0" encoding="UTF-8"?>') -> str:
    """The text of a file, indented by two blanks, an empty element as one tag."""
    ElementTree.indent(root)
    head = [declaration, *([doctype] if doctype else [])]
    return "\n".join([*head, ElementTree.tostring(root, encoding="unicode").replace(" />", "/>"), ""])


def _clean(content: str) -> str:
    return _FORBIDDEN.sub("\ufffd", content)
