"""Places within inputs as the program's language writes them; veer's own words are those of C.

a->elements[0]->next        C, and veer       a[0].next        Java
"""

from __future__ import annotations

_WORDS = {"java": (("->elements[", "["), (".elements[", "["), ("->", "."))}


def written(language: str, text: str) -> str:
    """A sentence with places, in the words of a language."""
    for before, after in _WORDS.get(language, ()):
        text = text.replace(before, after)
    return text
