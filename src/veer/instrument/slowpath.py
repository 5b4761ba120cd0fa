"""The slow path of a function as text: what is live at its landings, and how the fast path's values reach it.

See fastpath.py. The text is that of FunctionWriter: a label or an instruction a line, phis first in a block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field

_TOKEN = re.compile(r'%(?:"[^"]*"|[-\w.$]+)|"[^"]*"')
_DEFINITION = re.compile(r'  (%(?:"[^"]*"|[-\w.$]+)) = ')
_LABEL = re.compile(r'label %("[^"]*"|[-\w.$]+)')
_INCOMING = re.compile(r'\[ (.*?), %("[^"]*"|[-\w.$]+) \](?=,|$)')


class _Block(Struct):
    """A block of text; sets of values are bits of an integer."""

    label: str
    phis: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    successors: list[str] = field(default_factory=list)
    defined: int = 0
    used: int = 0  # before they are defined here
    used_by_phis: int = 0  # of successors, on the edges from here
    live: int = 0  # at the beginning


class SlowText:
    """The lines of a slow path."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._blocks: dict[str, _Block] = {}
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._cut([line for text in lines for line in text.split("\n")])
        for block in self._blocks.values():
            self._look_at(block)
        self._spread()

    def live_at(self, label: str) -> list[str]:
        """The values defined in the slow path that may be used from the beginning of a block on."""
        return self._listed(self._blocks[label].live)

    def through_variables(self, variables: Mapping[str, tuple[str, str]], fresh: Callable[[], str]) -> list[str]:
        """The lines with values going through variables; `variables`: value → (type, variable)."""
        wanted = sum(1 << self._numbers[name] for name in variables)
        loads: dict[str, dict[str, str]] = {}  # block → value → what it is called in it
        for label, block in self._blocks.items():
            names = self._listed((block.used | block.used_by_phis) & ~block.defined & wanted)
            loads[label] = {name: fresh() for name in names}
        text: list[str] = []
        for label, block in self._blocks.items():
            renamed = loads[label]
            text.append(f"{label}:")
            text += (_with_incoming(phi, loads) for phi in block.phis)
            text += _stores(block.phis, variables)
            for name, called in renamed.items():
                type_, variable = variables[name]
                text.append(f"  {called} = load {type_}, ptr {variable}")
            for line in block.lines:
                text.append(_renamed(line, renamed) if renamed else line)
                text += _stores([line], variables)
        return text

    def _cut(self, lines: Sequence[str]) -> None:
        block = _Block("")
        for line in lines:
            if not line.startswith(" "):
                block = self._blocks[line[:-1]] = _Block(line[:-1])
                continue
            match = _DEFINITION.match(line)
            if match is not None:
                self._numbers[match[1]] = len(self._names)
                block.defined |= 1 << len(self._names)
                self._names.append(match[1])
            is_phi = match is not None and line.startswith("phi ", match.end())
            (block.phis if is_phi else block.lines).append(line)

    def _look_at(self, block: _Block) -> None:
        for phi in block.phis:
            for value, source in _INCOMING.findall(phi):
                if value in self._numbers:
                    self._blocks[source].used_by_phis |= 1 << self._numbers[value]
        for line in block.lines:
            for token in _TOKEN.findall(line):
                number = self._numbers.get(token)
                if number is not None:
                    block.used |= 1 << number
        block.used &= ~block.defined
        block.successors = _LABEL.findall(block.lines[-1])

    def _spread(self) -> None:
        """Liveness by iteration to the fixed point (Aho, Lam, Sethi, Ullman, section 9.2.5)."""
        order = list(reversed(self._blocks.values()))
        changed = True
        while changed:
            changed = False
            for block in order:
                live = block.used_by_phis
                for label in block.successors:
                    live |= self._blocks[label].live
                live = live & ~block.defined | block.used
                if live != block.live:
                    block.live = live
                    changed = True

    def _listed(self, bits: int) -> list[str]:
        found = []
        while bits:
            lowest = bits & -bits
            found.append(self._names[lowest.bit_length() - 1])
            bits ^= lowest
        return found


def rename_locals(lines: Iterable[str], names: frozenset[str], prefix: str) -> list[str]:
    """The lines with these values and labels (with %) renamed to `prefix` and what they were called."""

    def renamed(match: re.Match[str]) -> str:
        return prefixed(match[0], prefix) if match[0] in names else match[0]

    text = []
    for piece in lines:
        for line in piece.split("\n"):
            if line.startswith(" "):
                text.append(_TOKEN.sub(renamed, line))
            else:
                label = f"%{line[:-1]}"
                text.append(prefixed(label, prefix)[1:] + ":" if label in names else line)
    return text


def prefixed(name: str, prefix: str) -> str:
    """A local name (with %) behind a prefix."""
    return f'%"{prefix}{name[2:]}' if name.startswith('%"') else f"%{prefix}{name[1:]}"


def _renamed(line: str, names: Mapping[str, str]) -> str:
    return _TOKEN.sub(lambda match: names.get(match[0], match[0]), line)


def _with_incoming(phi: str, loads: Mapping[str, Mapping[str, str]]) -> str:
    return _INCOMING.sub(lambda match: f"[ {loads[match[2]].get(match[1], match[1])}, %{match[2]} ]", phi)


def _stores(lines: Iterable[str], variables: Mapping[str, tuple[str, str]]) -> list[str]:
    """Stores of what the lines define into its variables."""
    text = []
    for line in lines:
        match = _DEFINITION.match(line)
        if match is not None and match[1] in variables:
            type_, variable = variables[match[1]]
            text.append(f"  store {type_} {match[1]}, ptr {variable}")
    return text
