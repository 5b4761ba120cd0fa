"""The clauses of a contract, each with where it comes from.

not_null(p)              p is not NULL
range(pct, 0..100)       pct is one of these values, the ends included
length(buf, n)           buf leads to n elements, where n is another parameter
elements(a, 16)          a leads to 16 elements
end(p, end)              p leads to the elements up to where end leads, another parameter
within(p, buf)           p leads to an element of what buf leads to, or behind the last
out(result)              result leads to one object that the function writes
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Source(StrEnum):
    """Who says so; the sentence part that the user reads."""

    OPTION = "option"
    PROJECT = "veer.toml"
    COMMENT = "comment"
    ATTRIBUTE = "attribute"
    ARRAY = "array parameter"
    ASSERTION = "assertion at its head"
    CODE = "the code"
    NAME = "the names"


class Origin(Struct, frozen=True):
    """Where a clause comes from. `place`: the option as given, FILE:LINE, or the words of the attribute."""

    source: Source
    place: str = ""

    @property
    def is_inferred(self) -> bool:
        """Whether nobody wrote it down."""
        return self.source in (Source.CODE, Source.NAME)

    def __str__(self) -> str:
        if self.source in (Source.OPTION, Source.PROJECT):
            return self.place
        return f"{self.source} {self.place}".strip()


class NotNull(Struct, frozen=True):
    """The pointer is not NULL."""

    parameter: str
    origin: Origin

    def __str__(self) -> str:
        return f"{self.parameter} is not NULL"


class MayBeNull(Struct, frozen=True):
    """The pointer may be NULL, whatever the code does with it."""

    parameter: str
    origin: Origin

    def __str__(self) -> str:
        return f"{self.parameter} may be NULL"


class Range(Struct, frozen=True):
    """The integer is one of low .. high; None is the end that its type has."""

    parameter: str
    low: int | None
    high: int | None
    origin: Origin

    def __str__(self) -> str:
        if self.low is None:
            return f"{self.parameter} is at most {self.high}"
        if self.high is None:
            return f"{self.parameter} is at least {self.low}"
        values = self.low if self.low == self.high else f"{self.low}..{self.high}"
        return f"{self.parameter} is {values}"


class Length(Struct, frozen=True):
    """The pointer leads to as many elements as another parameter says; "" = to as many as it likes (--size-of BUF=)."""

    parameter: str
    length: str
    origin: Origin

    def __str__(self) -> str:
        return f"{self.parameter} has {self.length} elements" if self.length else f"{self.parameter} has no length"


class End(Struct, frozen=True):
    """The pointer leads to the elements up to where another parameter leads; "" = the two have nothing in common.
    `*p`: what the parameter leads to does; `reader.cur`: a member of a struct, of which only that can be said."""

    parameter: str
    end: str
    origin: Origin

    def __str__(self) -> str:
        if not self.end:
            return f"{self.parameter} has no end"
        return f"{self.parameter} has {self.end} - {self.parameter} elements"

    @property
    def holder(self) -> str:
        """The parameter itself, where what it leads to has the end."""
        return self.parameter.removeprefix("*")


class Within(Struct, frozen=True):
    """The pointer leads to an element of a buffer, or behind its last one."""

    parameter: str
    buffer: str
    origin: Origin

    def __str__(self) -> str:
        return f"{self.parameter} leads into {self.buffer}"


class Elements(Struct, frozen=True):
    """The pointer leads to so many elements."""

    parameter: str
    count: int
    origin: Origin

    def __str__(self) -> str:
        return f"{self.parameter} has {self.count} element{'' if self.count == 1 else 's'}"


class Text(Struct, frozen=True):
    """The pointer leads to a text that ends with NUL, whatever number stands beside it."""

    parameter: str
    origin: Origin

    def __str__(self) -> str:
        return f"{self.parameter} is a text that ends with NUL"


class Precondition(Struct, frozen=True):
    """A predicate of the user's that holds for every input."""

    predicate: str
    origin: Origin

    @property
    def parameter(self) -> str:
        """None: it speaks of several."""
        return ""

    def __str__(self) -> str:
        return f"{self.predicate} holds"


class Fact(Struct, frozen=True):
    """What is declared of the function and excludes no input: it does not return, how big what it returns is."""

    words: str
    origin: Origin

    @property
    def parameter(self) -> str:
        """None: it speaks of the function."""
        return ""

    def __str__(self) -> str:
        return self.words


class Constructor(Struct, frozen=True):
    """The function makes objects that the other functions of a sequence work on."""

    origin: Origin

    @property
    def parameter(self) -> str:
        """None: it speaks of the function."""
        return ""

    def __str__(self) -> str:
        return "it makes objects for other calls"


Clause = NotNull | MayBeNull | Range | Length | End | Within | Elements | Text | Precondition | Constructor | Fact


class Contract(Struct, frozen=True):
    """What holds of the arguments of one function: at most one clause of a kind for each parameter."""

    function: str
    clauses: tuple[Clause, ...] = ()

    @property
    def not_null(self) -> frozenset[str]:
        """The pointers that are not NULL."""
        return frozenset(each.parameter for each in self.clauses if isinstance(each, NotNull))

    @property
    def ranges(self) -> dict[str, Range]:
        """Integer → its values."""
        return {each.parameter: each for each in self.clauses if isinstance(each, Range)}

    @property
    def lengths(self) -> dict[str, str]:
        """Pointer → the parameter that counts its elements."""
        return {each.parameter: each.length for each in self.clauses if isinstance(each, Length) and each.length}

    @property
    def ends(self) -> dict[str, str]:
        """Pointer, or what one leads to, `*p` → the parameter that leads to the end of its elements."""
        return {each.parameter: each.end for each in self.clauses if isinstance(each, End) and each.end}

    @property
    def apart(self) -> frozenset[str]:
        """Members of structs, `reader.cur`, that somebody says have no end."""
        return frozenset(each.parameter for each in self.clauses if isinstance(each, End) and not each.end)

    @property
    def within(self) -> dict[str, str]:
        """Pointer → the one whose elements it leads to one of."""
        return {each.parameter: each.buffer for each in self.clauses if isinstance(each, Within)}

    @property
    def guessed(self) -> frozenset[str]:
        """Pointers whose length, or end, nobody wrote down."""
        sized = [each for each in self.clauses if isinstance(each, Length | End)]
        return frozenset(each.parameter for each in sized if each.origin.is_inferred)

    @property
    def elements(self) -> dict[str, int]:
        """Pointer → how many elements it leads to."""
        return {each.parameter: each.count for each in self.clauses if isinstance(each, Elements)}

    @property
    def preconditions(self) -> tuple[str, ...]:
        """The predicates that hold."""
        return tuple(self.who_asks)

    @property
    def who_asks(self) -> dict[str, str]:
        """The predicates that hold, each with the place where that is said."""
        return {each.predicate: each.origin.place for each in self.clauses if isinstance(each, Precondition)}

    @property
    def is_constructor(self) -> bool:
        """Whether somebody says that it makes objects."""
        return any(isinstance(each, Constructor) for each in self.clauses)

    @property
    def words(self) -> tuple[str, ...]:
        """All of it as sentences, each with who says so."""
        return tuple(f"{each} ({each.origin})" for each in self.clauses)

    @property
    def restricting(self) -> tuple[str, ...]:
        """What excludes inputs that the types allow, in words: a claim holds within it."""
        return tuple(f"{each} ({each.origin})" for each in self.clauses if _excludes(each))


def _excludes(clause: Clause) -> bool:
    """Whether a clause excludes inputs that the types allow: a text is what a `char *` is without any."""
    if isinstance(clause, Length | End):
        return bool(clause.length if isinstance(clause, Length) else clause.end)
    return isinstance(clause, NotNull | Range | Elements | Within)
