"""Specifications in files, and in comments of sources.

    # unit.spec                                     /* veer-spec: isr: always (return isr() implies FLAG == 0) */
    locking: calls (lock unlock)*                   void isr(void);
    isr: always (return isr()
         implies FLAG == 0)                         a line that begins with a blank goes on with the one before

In a comment a specification ends at the comment's end, or where `veer-spec:` stands again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from veer.model.errors import UsageError
from veer.specs.language import Place, Specification
from veer.specs.parser import parse
from veer.specs.scanner import Text, error

MARK = "veer-spec:"
MOST = 32
_HEAD = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:")
_COMMENT = re.compile(r"/\*(.*?)\*/|//([^\n]*)", re.DOTALL)
_STAR = re.compile(r"^[ \t]*\*(?!/)", re.MULTILINE)


def read(files: Iterable[Path], sources: Iterable[Path]) -> tuple[Specification, ...]:
    """All specifications of these files, and of comments in these sources; their names differ. Raises UsageError."""
    found = [each for file in files for each in of_file(file, _content(file))]
    for source in dict.fromkeys(sources):
        try:
            text = source.read_text(errors="replace")
        except OSError:
            continue  # the compiler has said what is wrong with it
        found += of_source(source, text)
    by_name: dict[str, Specification] = {}
    for each in found:
        known = by_name.setdefault(each.name, each)
        if known is not each:
            raise error(
                each.place, f"`{each.name}` is the name of the specification at {known.place}, too: give another"
            )
    if len(found) > MOST:
        raise error(found[MOST].place, f"there are more than {MOST} specifications: watch fewer at once")
    return tuple(found)


def _content(file: Path) -> str:
    try:
        return file.read_text(errors="replace")
    except OSError as problem:
        raise UsageError(
            f"--spec {file}: it cannot be read ({problem.strerror}); name a file of specifications"
        ) from problem


def of_file(file: Path, text: str) -> Iterator[Specification]:
    """The specifications of a file, in its order. Raises UsageError."""
    blocks: list[list[tuple[int, str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        kept = _without_comment(line)
        if not kept.strip():
            continue
        if not line[:1].isspace():
            blocks.append([])
        elif not blocks:
            raise error(
                Place(str(file), number, 1), "a specification begins at the left edge: remove the blanks before it"
            )
        blocks[-1].append((number, kept))
    for block in blocks:
        piece = Text(str(file), "\n".join(line for _, line in block), tuple((number, 1) for number, _ in block))
        yield _named(piece)
    if not blocks:
        raise error(Place(str(file), 1, 1), "there is no specification: write one, as `locking: calls (lock unlock)*`")


def of_source(file: Path, text: str) -> Iterator[Specification]:
    """The specifications of a source's comments. Raises UsageError."""
    if MARK not in text:
        return
    for comment in _COMMENT.finditer(text):
        inner = comment.start(1) if comment[1] is not None else comment.start(2)
        said = _STAR.sub(lambda star: " " * len(star[0]), comment[1] or comment[2] or "")
        for begin in [found.end() for found in re.finditer(re.escape(MARK), said)]:
            stop = said.find(MARK, begin)
            yield _named(_piece(file, text, inner + begin, said[begin : stop if stop >= 0 else len(said)]))


def _piece(file: Path, text: str, begin: int, said: str) -> Text:
    """What a comment says from there on."""
    line = text.count("\n", 0, begin) + 1
    column = begin - (text.rfind("\n", 0, begin) + 1) + 1
    return Text(str(file), said, ((line, column), *((line + more, 1) for more in range(1, said.count("\n") + 1))))


def _named(piece: Text) -> Specification:
    blanks = len(piece.text) - len(piece.text.lstrip())
    head = _HEAD.match(piece.text, blanks)
    if head is None:
        raise error(
            piece.place(blanks), "a specification begins with its name and a colon, as `locking: calls (lock unlock)*`"
        )
    # Blanks in the place of the name: the places of what follows stay as they are.
    behind = Text(piece.file, " " * head.end() + piece.text[head.end() :], piece.starts)
    return parse(head[1], piece.place(head.start(1)), behind)


def _without_comment(line: str) -> str:
    """A line without what stands behind a `#`, or a `//` that is in no text."""
    found = re.match(r"(?:[^\"'#/]|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|/(?!/))*", line)
    return line[: found.end()] if found is not None and line[found.end() :].startswith(("#", "//")) else line
