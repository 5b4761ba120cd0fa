"""The text of one specification → its value, by recursive descent (the grammar stands in docs/specifications.md).

Each error is a sentence that begins with FILE:LINE:COLUMN and says how to mend it.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.model.values import replace
from veer.specs.checking import checked
from veer.specs.language import (
    And,
    Argument,
    Atom,
    Condition,
    Either,
    Formula,
    Historically,
    Holds,
    Kind,
    Letter,
    Moment,
    Not,
    Nothing,
    Once,
    Or,
    Pattern,
    Place,
    Previously,
    Regex,
    Repeated,
    Since,
    Specification,
    Then,
    Truth,
)
from veer.specs.scanner import Text, Token, Word, error, identifiers, scan, shown

MOST_ATOMS = 24
MOST_POSITIONS = 64
"""Letters of a regular expression once its repetitions are written out."""
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_KINDS = "`always`, `never`, `at end`, `calls` or `complete`"


def parse(name: str, at: Place, piece: Text) -> Specification:
    """The specification of that name, which stands at that place; `piece` is what stands behind its colon.

    Raises UsageError.
    """
    reader = _Reader(piece)
    kind, body = reader.property()
    specification = Specification(name, kind, body, tuple(reader.atoms), at, " ".join(piece.text.split()))
    return checked(specification)


class _Reader:
    """Reads words from left to right."""

    def __init__(self, piece: Text) -> None:
        self._piece = piece
        self._tokens = scan(piece)
        self._at = 0
        self.atoms: list[Atom] = []

    # -- words -----------------------------------------------------------------------------------------------------

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _is(self, *texts: str) -> bool:
        return self._next.text in texts and self._next.word in (Word.KEYWORD, Word.MARK)

    def _took(self, *texts: str) -> bool:
        if not self._is(*texts):
            return False
        self._take()
        return True

    def _expect(self, text: str, why: str) -> Token:
        if not self._is(text):
            raise error(self._next.place, f"{shown(self._next)} stands where `{text}` must: {why}")
        return self._take()

    # -- properties ------------------------------------------------------------------------------------------------

    def property(self) -> tuple[Kind, Formula | Regex]:
        """All that stands behind the name."""
        begin = self._take()
        kind, body = self._property(begin)
        if self._next.word is not Word.END:
            raise error(self._next.place, f"{shown(self._next)} stands behind the end of the property: {self._hint()}")
        return kind, body

    def _property(self, begin: Token) -> tuple[Kind, Formula | Regex]:
        if begin.text == "always":
            return Kind.ALWAYS, self._formula()
        if begin.text == "never":
            return Kind.ALWAYS, Not(self._formula())
        if begin.text == "at" and self._next.text == "end":
            self._take()
            return Kind.AT_END, self._formula()
        if begin.text in ("calls", "complete"):
            return Kind(begin.text), self._regex()
        raise error(begin.place, f"{shown(begin)} begins no property: begin it with {_KINDS}")

    def _hint(self) -> str:
        if self._next.word is Word.NAME or self._is("call", "return"):
            return "write `and`, `or`, `implies` or `since` between two formulas"
        return "remove it, or the bracket that closes too early"

    # -- formulas --------------------------------------------------------------------------------------------------

    def _formula(self) -> Formula:
        left = self._disjunction()
        return Or(Not(left), self._formula()) if self._took("implies") else left

    def _disjunction(self) -> Formula:
        left = self._conjunction()
        while self._took("or"):
            left = Or(left, self._conjunction())
        return left

    def _conjunction(self) -> Formula:
        left = self._since()
        while self._took("and"):
            left = And(left, self._since())
        return left

    def _since(self) -> Formula:
        left = self._unary()
        while self._is("since", "weakly"):
            is_weak = self._took("weakly")
            self._expect("since", "between two formulas stands `since` or `weakly since`")
            left = Since(left, self._unary(), is_weak)
        return left

    def _unary(self) -> Formula:
        if self._took("not"):
            return Not(self._unary())
        if self._took("once"):
            return Once(self._unary())
        if self._took("historically"):
            return Historically(self._unary())
        if self._took("previously"):
            return Previously(self._unary(), is_weak=False)
        if self._took("weakly"):
            self._expect("previously", "before a formula stands `previously` or `weakly previously`")
            return Previously(self._unary(), is_weak=True)
        return self._primary()

    def _primary(self) -> Formula:
        if self._is("call", "return"):
            return Holds(self._number(self._pattern(self._moment())))
        if self._is("(") and self._holds_formula():
            self._take()
            inner = self._formula()
            self._expect(")", "the bracket before this formula is open")
            return inner
        condition = self._expression()
        if condition.text in ("true", "false"):
            return Truth(holds=condition.text == "true")
        return Holds(self._number(condition))

    def _holds_formula(self) -> bool:
        """Whether a bracket is one of formulas: a word in it means something there alone; else it is the program's."""
        depth = 0
        for token in self._tokens[self._at :]:
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if token.word is Word.KEYWORD:
                return True
            if depth == 0 or token.word is Word.END:
                return False
        return False

    def _expression(self) -> Condition:
        """A condition: all up to a word that means something here, or to a bracket that is not its own."""
        begin, depth = self._at, 0
        while self._next.word not in (Word.END, Word.KEYWORD):
            depth += (self._next.text in _OPENING) - (self._next.text in _CLOSING)
            if depth < 0:
                break
            self._take()
        if self._at == begin:
            raise error(
                self._next.place, f"{shown(self._next)} stands where a formula must: write an event or a condition"
            )
        return self._condition(begin, self._at)

    def _condition(self, begin: int, end: int) -> Condition:
        tokens = self._tokens[begin:end]
        text = self._piece.text[tokens[0].begin : tokens[-1].end]
        return Condition(text, tokens[0].place, identifiers(tokens))

    # -- events ----------------------------------------------------------------------------------------------------

    def _moment(self) -> Moment:
        return Moment(self._take().text)

    def _pattern(self, moment: Moment, *, is_letter: bool = False) -> Pattern:
        begin = self._at
        name = self._take()
        if name.word is not Word.NAME:
            raise error(name.place, f"{shown(name)} stands where the name of a function must, as in `call lock(m)`")
        while self._is(".") and self._next.begin == name.end and self._tokens[self._at + 1].word is Word.NAME:
            mark, more = self._take(), self._next
            if more.begin != mark.end:
                raise error(mark.place, "a blank must stand on both sides of this `.`, or on none: `Type.method`")
            self._take()
            name = replace(name, text=f"{name.text}.{more.text}", end=more.end)
        # In `open (read | write)*` the bracket is the expression's; in `open(m)` it is the event's.
        is_apart = is_letter and self._next.begin != name.end
        arguments = () if is_apart else self._arguments()
        relation, operand, result = self._returned(moment)
        where = None
        if self._took("where"):
            where = self._bracketed()
        text = " ".join(self._piece.text[self._tokens[begin].begin : self._tokens[self._at - 1].end].split())
        made = Pattern(moment, name.text, name.place, arguments, result, relation, operand, where, f"{moment} {text}")
        twice = next((each for each in made.names if made.names.count(each) > 1), "")
        if twice:
            raise error(
                name.place, f"`{twice}` names two values of one event: compare them by `where ({twice} == ...)`"
            )
        return made

    def _arguments(self) -> tuple[Argument, ...]:
        if not self._took("("):
            return ()
        found: list[Argument] = []
        while not self._took(")"):
            if found:
                self._expect(",", "arguments are separated by commas")
            found.append(self._argument())
        return tuple(found)

    def _argument(self) -> Argument:
        begin, depth = self._at, 0
        while depth > 0 or not self._is(",", ")"):
            if self._next.word in (Word.END, Word.KEYWORD):
                raise error(
                    self._next.place, f"{shown(self._next)} stands within arguments: close them with `)` before it"
                )
            depth += (self._next.text in _OPENING) - (self._next.text in _CLOSING)
            self._take()
        tokens = self._tokens[begin : self._at]
        if not tokens:
            raise error(self._next.place, "an argument is missing: write `_` for any value")
        if len(tokens) == 1 and tokens[0].word is Word.NAME:
            return Argument() if tokens[0].text == "_" else Argument(name=tokens[0].text)
        return Argument(equals=self._condition(begin, self._at))

    def _returned(self, moment: Moment) -> tuple[str, Condition | None, str]:
        """What is said of the value that comes back: a relation and an operand, or a name."""
        if not self._is(*_RELATIONS):
            return "", None, ""
        relation = self._take()
        if moment is Moment.CALL:
            raise error(
                relation.place, "a call has no result yet: compare it where it returns, as in `return f() == 0`"
            )
        begin = self._at
        if self._is("("):
            operand = self._bracketed()
        else:
            self._took("-")
            token = self._take()
            if token.word not in (Word.NAME, Word.NUMBER, Word.TEXT):
                raise error(
                    token.place, f"{shown(token)} is no value: write a name, a number, or an expression in brackets"
                )
            operand = self._condition(begin, self._at)
            if token.word is Word.NAME and relation.text == "==" and self._at == begin + 1:
                return "", None, token.text
        return relation.text, operand, ""

    def _bracketed(self) -> Condition:
        """An expression in brackets, which are a part of it."""
        begin, depth = self._at, 0
        self._expect("(", "the condition of an event stands in brackets")
        depth = 1
        while depth:
            if self._next.word in (Word.END, Word.KEYWORD):
                raise error(
                    self._next.place, f"{shown(self._next)} stands within a condition: close it with `)` before it"
                )
            depth += (self._next.text in _OPENING) - (self._next.text in _CLOSING)
            self._take()
        return self._condition(begin, self._at)

    def _number(self, atom: Atom) -> int:
        """The number of an atom; the same one for the same text."""
        for number, known in enumerate(self.atoms):
            if type(known) is type(atom) and known.text == atom.text:
                return number
        if len(self.atoms) == MOST_ATOMS:
            raise error(atom.place, f"this is one event or condition more than {MOST_ATOMS}: write two specifications")
        self.atoms.append(atom)
        return len(self.atoms) - 1

    # -- regular expressions ---------------------------------------------------------------------------------------

    def _regex(self) -> Regex:
        left = self._sequence()
        while self._took("|"):
            left = Either(left, self._sequence())
        return left

    def _sequence(self) -> Regex:
        found = self._repetition()
        while self._next.word is Word.NAME or self._is("call", "return", "(", "."):
            found = Then(found, self._repetition())
        return found

    def _repetition(self) -> Regex:
        found = self._letter()
        while self._is("*", "+", "?", "{"):
            mark = self._take()
            if mark.text == "*":
                found = Repeated(found)
            elif mark.text == "+":
                found = Then(found, Repeated(found))
            elif mark.text == "?":
                found = Either(Nothing(), found)
            else:
                found = self._times(found, mark)
            if sum(1 for _ in letters(found)) > MOST_POSITIONS:
                raise error(mark.place, f"written out, this is longer than {MOST_POSITIONS} events: repeat less often")
        return found

    def _times(self, found: Regex, mark: Token) -> Regex:
        least = self._count()
        most = least
        is_open = False
        if self._took(","):
            is_open = self._is("}")
            most = least if is_open else self._count()
        self._expect("}", "a number of times is written {2}, {2,} or {2,5}")
        if most < least:
            raise error(mark.place, f"{{{least},{most}}} is no range: write the smaller number first")
        if most > MOST_POSITIONS:
            raise error(mark.place, f"written out, this is longer than {MOST_POSITIONS} events: repeat less often")
        made: Regex = Repeated(found) if is_open else Nothing()
        for _ in range(most - least):
            made = Either(Nothing(), Then(found, made))
        for _ in range(least):
            made = Then(found, made)
        return made

    def _count(self) -> int:
        token = self._take()
        if token.word is not Word.NUMBER or not token.text.isdigit():
            raise error(token.place, f"{shown(token)} is no number of times: it is written {{2}}, {{2,}} or {{2,5}}")
        return int(token.text)

    def _letter(self) -> Regex:
        if self._took("."):
            return Letter(-1)
        if self._took("("):
            inner = self._regex()
            self._expect(")", "the bracket before this expression is open")
            return inner
        if self._is("call", "return"):
            return Letter(self._number(self._pattern(self._moment(), is_letter=True)))
        if self._next.word is Word.NAME:
            return Letter(self._number(self._pattern(Moment.CALL, is_letter=True)))
        raise error(
            self._next.place, f"{shown(self._next)} stands where an event must: write a function's name, or `.`"
        )


def letters(regex: Regex) -> Iterator[Letter]:
    """The letters of an expression, from left to right."""
    if isinstance(regex, Letter):
        yield regex
    elif isinstance(regex, Then):
        yield from letters(regex.first)
        yield from letters(regex.second)
    elif isinstance(regex, Either):
        yield from letters(regex.left)
        yield from letters(regex.right)
    elif isinstance(regex, Repeated):
        yield from letters(regex.operand)
