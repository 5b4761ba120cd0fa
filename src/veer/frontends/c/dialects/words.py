"""Which words and signs the dialects have that no header can give a meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field


class Words(Struct, frozen=True):
    """What is rewritten in sources of a dialect.

    `dropped`: words that mean nothing on the host; `numbered`: those with a number behind them, or none; `replaced`:
    words that C spells otherwise; `spaces`: arrays of registers, `XBYTE[0x8000]`, with the type of an element;
    `has_sfr`: sfr and sbit are words; `has_at`: an address is given by @, _at_, __at or the attribute `at`.
    """

    dropped: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
    replaced: Mapping[str, str] = field(default_factory=dict)
    spaces: Mapping[str, str] = field(default_factory=dict)
    has_sfr: bool = False
    has_at: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is rewritten."""
        return self == Words()


_C51 = Words(
    frozenset(
        ["data", "idata", "pdata", "xdata", "bdata", "code", "far", "small", "compact", "large", "reentrant", "alien"]
    ),
    frozenset(("interrupt", "using", "_task_", "_priority_")),
    {"bit": "_Bool"},
    {"XBYTE": "unsigned char", "XWORD": "unsigned short", "PBYTE": "unsigned char"},
    has_sfr=True,
    has_at=True,
)
_AT = Words(has_at=True)
_SDCC = Words(numbered=frozenset(("__interrupt", "__using")), has_at=True)
_OF: Mapping[str, Words] = {"c51": _C51, "sdcc": _SDCC, "iar": _AT, "armcc": _AT}


def words_of(preludes: Iterable[str]) -> Words:
    """What is rewritten under these preludes, of which one at most has words of its own without underscores."""
    found = [_OF[name] for name in preludes if name in _OF]
    return next((each for each in found if each.has_sfr), found[0] if found else Words())
