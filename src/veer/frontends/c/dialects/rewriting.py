"""One file in the words of a dialect → C, with its lines where they were and its columns as far as that goes.

    sfr P0 = 0x80;                     #define P0 VEER_SFR(0x80)
    sbit LED = P0^1;                   #define LED VEER_BIT(P0, 1)
    volatile uint8_t PORT @ 0x25;      extern volatile uint8_t PORT       ;
                                       #define PORT (*(__typeof__(PORT) *)(0x25))
                                       #line 3 "unit.c"
    unsigned char xdata n _at_ 16;     unsigned char       n         ;
    void tick(void) interrupt 1 {      void tick(void)             {

A register is what is volatile and has an address: each read of it is an input (decision 0357). Other objects at an
address are objects wherever they lie.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from veer.frontends.c.dialects.tokens import Kind, Token, closing, opening, tokens
from veer.frontends.c.dialects.words import Words
from veer.model.errors import UsageError

_REGISTERS = ("__sfr", "__sfr16", "__sfr32", "__io", "__I", "__O", "__IO", "__IM", "__OM", "__IOM")
_VOLATILE = frozenset(("volatile", *_REGISTERS))
_SFR = {"sfr": "VEER_SFR({})", "sfr16": "(*(volatile unsigned short *)({}))", "sfr32": "(*(volatile unsigned *)({}))"}
_TYPES = frozenset(["char", "short", "int", "long", "float", "double", "signed", "unsigned", "volatile", "const"])
_AGGREGATES = ("struct", "union", "enum")
_LEFT_OUT = re.compile(
    r"#[ \t]*pragma[ \t]+asm\b.*?#[ \t]*pragma[ \t]+endasm\b|\b_?_asm\b(?!\s*[({])(?!\s*volatile).*?\b_?_endasm\b",
    re.IGNORECASE | re.DOTALL,
)
_DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+\w+(\([^)]*\))?")
_REST = re.compile(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*)?(?=\n|\Z)")


class Edit(Struct, frozen=True):
    """The characters start .. end - 1 become `text`."""

    start: int
    end: int
    text: str


class Rewritten(Struct, frozen=True):
    """A file as C. `notes`: what was left out of it."""

    text: str
    notes: tuple[str, ...] = ()


def rewritten(text: str, file: str, words: Words) -> Rewritten:
    """The file as C. Raises UsageError for what has no meaning here, with its line."""
    name = file.rpartition("/")[2]
    notes = tuple(
        f"{name}:{_line(text, found.start())}: assembly is left out, it does nothing here"
        for found in _LEFT_OUT.finditer(text)
    )
    text = _LEFT_OUT.sub(lambda found: _blank(found[0]), text)
    return Rewritten(applied(text, _File(text, file, words).edits()), notes)


def applied(text: str, edits: Sequence[Edit]) -> str:
    """The text with these edits; of two that overlap the first in the text holds."""
    parts, done = [], 0
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        if edit.start >= done:
            parts += [text[done : edit.start], edit.text]
            done = edit.end
    return "".join([*parts, text[done:]])


@dataclass(slots=True)
class _File:
    text: str
    file: str
    words: Words
    tokens: list[Token] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tokens = list(tokens(self.text))

    def edits(self) -> list[Edit]:
        return [
            *self._statements(),
            *self._packed(),
            *self._addresses(),
            *_plain(self.tokens, self.words),
            *self._macros(),
        ]

    def _macros(self) -> Iterator[Edit]:
        """Words within macros."""
        for token in self.tokens:
            if token.kind is Kind.DIRECTIVE and (head := _DEFINE.match(token.text)):
                begin = token.start + head.end()
                inner = [Token(each.kind, each.text, each.start + begin) for each in tokens(token.text[head.end() :])]
                yield from _plain(inner, self.words)

    def _packed(self) -> Iterator[Edit]:
        """`__packed struct` → `struct __attribute__((packed))`."""
        for index, token in enumerate(self.tokens[:-1]):
            behind = self.tokens[index + 1]
            if token.text == "__packed" and behind.text in _AGGREGATES:
                yield Edit(token.start, token.end, _blank(token.text))
                yield Edit(behind.end, behind.end, " __attribute__((packed))")

    def _statements(self) -> Iterator[Edit]:
        """sfr, sfr16 and sbit."""
        for index, token in enumerate(self.tokens if self.words.has_sfr else ()):
            end = self._semicolon(index)
            is_one = token.kind is Kind.NAME and (token.text in _SFR or token.text == "sbit")
            if not is_one or end < index + 4 or self.tokens[end].text != ";" or self.tokens[index + 2].text != "=":
                continue
            name, value = self.tokens[index + 1], self.tokens[index + 3 : end]
            written = " ".join(each.text for each in value)
            place = self._bit(value, token) if token.text == "sbit" else _SFR[token.text].format(written)
            yield self._instead(token, self.tokens[end], f"#define {name.text} {place}")

    def _bit(self, value: Sequence[Token], at: Token) -> str:
        """The place of a bit: `P0^1` of a register or variable, `0x90^1` and `0xAF` of an address."""
        texts = [each.text for each in value]
        if "^" in texts:
            split = texts.index("^")
            number = self._number(" ".join(texts[split + 1 :]), at)
            byte = " ".join(texts[:split])
            if value[0].kind is Kind.NUMBER:
                byte = f"VEER_SFR({byte})"
            elif number > 7:
                byte = f"((unsigned char *)&({byte}))[{number // 8}]"
            return f"VEER_BIT({byte}, {number % 8})"
        return bit_at(self._number(" ".join(texts), at))

    def _number(self, written: str, at: Token) -> int:
        number = constant(written)
        if number is None:
            raise UsageError(f"{self._place(at)}: `{written}` is no number: write the bit as one")
        return number

    def _addresses(self) -> Iterator[Edit]:
        """Declarations with an address."""
        for index, token in enumerate(self.tokens[:-1] if self.words.has_at else ()):
            if token.kind is Kind.OTHER and token.text == "@":
                yield from self._located(index, index + 1, self._until(index + 1))
            elif token.kind is Kind.NAME and token.text in ("_at_", "__at"):
                is_bracket = self.tokens[index + 1].text == "("
                end = closing(self.tokens, index + 1) + 1 if is_bracket else index + 2
                yield from self._located(index, index + 1, end)
            elif [each.text for each in self.tokens[index : index + 5]] == ["__attribute__", "(", "(", "at", "("]:
                end = closing(self.tokens, index + 1) + 1
                yield from self._located(index, index + 4, end - 2, end)

    def _until(self, index: int) -> int:
        """The index of what ends an address behind @."""
        while index < len(self.tokens) and self.tokens[index].text not in (";", "=", ",", "{"):
            index = closing(self.tokens, index) + 1 if self.tokens[index].text == "(" else index + 1
        return index

    def _located(self, at: int, first: int, last: int, end: int | None = None) -> Iterator[Edit]:
        """`at` .. `end` - 1 is the address with its word, `first` .. `last` - 1 the address alone."""
        end = last if end is None else end
        address = self.tokens[first:last]
        begin, semicolon = self._begin(at), self._semicolon(end)
        declared = [*self.tokens[begin:at], *self.tokens[end:semicolon]]
        if not address or not declared:
            return  # the compiler tells what is wrong with it
        stretch = self.text[self.tokens[at].start : self.tokens[end - 1].end]
        yield Edit(self.tokens[at].start, self.tokens[end - 1].end, _blank(stretch))
        is_register = not _VOLATILE.isdisjoint(each.text for each in declared) or declared[0].text == "__sbit"
        is_object = address[0].kind is Kind.TEXT or "=" in [each.text for each in declared]
        if is_object or not is_register or self.tokens[semicolon].text != ";":
            return
        if address[0].text == "(" and closing(address, 0) == len(address) - 1:
            address = address[1:-1]
        where = " ".join(each.text for each in address)
        if "," in [each.text for each in _outer(declared)]:
            raise UsageError(f"{self._place(self.tokens[at])}: give each register a declaration of its own")
        name = _declared_name(declared)
        if name is None and declared[-1].text != "}":
            raise UsageError(f"{self._place(self.tokens[at])}: what stands at this address has no name: give it one")
        if declared[0].text == "__sbit":
            place = bit_at(self._number(where, self.tokens[at]))
            yield self._instead(self.tokens[begin], self.tokens[semicolon], f"#define {name} {place}")
            return
        if declared[0].text == "__sfr16":
            where = f"({where}) & 0xff"
        for each in declared:
            if each.text in ("static", "extern"):
                yield Edit(each.start, each.end, _blank(each.text))
        yield Edit(self.tokens[begin].start, self.tokens[begin].start, "extern ")
        if name is not None:
            yield self._behind(self.tokens[semicolon], f"#define {name} (*(__typeof__({name}) *)({where}))")
            return
        # The members of what has no name are names themselves: IAR's headers are full of them.
        made = re.sub(r"\W+", "_", f"at {where}").strip("_")
        yield Edit(self.tokens[at - 1].end, self.tokens[at - 1].end, f" {made}")
        members = member_names(self.tokens[opening(self.tokens, at - 1) + 1 : at - 1])
        places = [f"#define {each} ((*(__typeof__({made}) *)({where})).{each})" for each in members]
        yield self._behind(self.tokens[semicolon], "\n".join(places))

    def _begin(self, index: int) -> int:
        """The first token of the declaration that an index is in."""
        while index > 0:
            before = self.tokens[index - 1]
            if before.text in (";", "{") or before.kind is Kind.DIRECTIVE:
                break
            if before.text == "}":
                opened = opening(self.tokens, index - 1)
                heads = [each.text for each in self.tokens[max(opened - 2, 0) : opened]]
                if not any(head in _AGGREGATES for head in heads):
                    break
                index = opened
            else:
                index -= 1
        return index

    def _semicolon(self, index: int) -> int:
        """The index of the semicolon that ends a statement."""
        last = len(self.tokens) - 1
        while index < last and self.tokens[index].text != ";":
            is_open = self.tokens[index].text in ("{", "(", "[")
            index = (closing(self.tokens, index) if is_open else index) + 1
        return min(index, last)

    def _instead(self, first: Token, last: Token, directive: str) -> Edit:
        """A statement becomes a directive: in its place if it has its line alone, else on a line behind it."""
        line = self.text[self.text.rfind("\n", 0, first.start) + 1 : first.start]
        stretch = self.text[first.start : last.end]
        if not line.strip() and "\n" not in stretch and _REST.match(self.text, last.end):
            return Edit(first.start, last.end, directive)
        behind = self._behind(last, directive)
        return Edit(first.start, behind.end, _blank(stretch) + self.text[last.end : behind.start] + behind.text)

    def _behind(self, last: Token, directive: str) -> Edit:
        """A directive on a line of its own behind a statement; what follows keeps its line and column."""
        here, name = _line(self.text, last.end), self.file.replace("\\", "\\\\").replace('"', '\\"')
        if rest := _REST.match(self.text, last.end):
            return Edit(rest.end(), rest.end(), f'\n{directive}\n#line {here + 1} "{name}"')
        column = last.end - self.text.rfind("\n", 0, last.end) - 1
        return Edit(last.end, last.end, f'\n{directive}\n#line {here} "{name}"\n{" " * column}')

    def _place(self, token: Token) -> str:
        return f"{self.file}:{_line(self.text, token.start)}"


def bit_at(address: int) -> str:
    """The place of the bit with this address on an 8051."""
    byte = f"0x{address & 0xF8:02X}" if address >= 0x80 else f"0x{0x20 + address // 8:02X}"
    return f"VEER_BIT(VEER_SFR({byte}), {address & 7})"


def _plain(listed: Sequence[Token], words: Words) -> Iterator[Edit]:
    """Words that are dropped or replaced, and arrays of registers."""
    for index, token in enumerate(listed):
        behind = listed[index + 1] if index + 1 < len(listed) else None
        if token.kind is not Kind.NAME:
            continue
        if token.text in words.dropped:
            yield Edit(token.start, token.end, _blank(token.text))
        elif token.text in words.numbered and behind is not None and behind.text != "(":
            yield Edit(token.start, token.end, _blank(token.text))
            if behind.kind in (Kind.NUMBER, Kind.NAME):
                yield Edit(behind.start, behind.end, _blank(behind.text))
        elif token.text in words.replaced:
            yield Edit(token.start, token.end, words.replaced[token.text])
        elif token.text in words.spaces and behind is not None and behind.text == "[":
            end = listed[closing(listed, index + 1)]
            size = words.spaces[token.text]
            yield Edit(token.start, behind.end, f"(*(volatile {size} *)(unsigned long)(sizeof({size}) * (")
            yield Edit(end.start, end.end, ")))")


def _outer(listed: Sequence[Token]) -> Iterator[Token]:
    """The tokens outside of all brackets."""
    depth = 0
    for token in listed:
        depth -= token.text in (")", "]", "}")
        if not depth:
            yield token
        depth += token.text in ("(", "[", "{")


def member_names(listed: Sequence[Token]) -> Iterator[str]:
    """The members that the body of a struct or union names, those of nameless ones within it among them."""
    begin = 0
    for index, token in enumerate(listed):
        is_end = token.text == ";" and sum((each.text == "{") - (each.text == "}") for each in listed[begin:index]) == 0
        if not is_end:
            continue
        member, begin = listed[begin:index], index + 1
        texts = [each.text for each in member]
        colon = texts.index(":") if ":" in texts and "{" not in texts else len(member)
        name = _declared_name(member[:colon])
        if name is not None:
            yield name
        elif texts and texts[-1] == "}":
            yield from member_names(member[opening(member, len(member) - 1) + 1 : -1])


def _declared_name(listed: Sequence[Token]) -> str | None:
    """The name that a declaration declares: the last one outside of brackets; none behind the body of a struct."""
    found = [token for token in _outer(listed) if token.kind is Kind.NAME or token.text == "}"]
    is_one = len(found) > 1 and found[-1].kind is Kind.NAME and found[-1].text not in _TYPES
    return found[-1].text if is_one else None


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


_OPERATORS: Mapping[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.LShift: operator.lshift,
}


def constant(written: str) -> int | None:
    """The number that a sum of constants makes; None for anything else."""
    try:
        return _value(
            ast.parse(re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", written).strip(), mode="eval").body
        )
    except (SyntaxError, ValueError):
        return None


def _value(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError(node)
