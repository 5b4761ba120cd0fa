"""How a language is written: values for people, tests for its compiler. One renderer a language, and formats of suites.

Renderers are registered by entry points of the group `veer.renderers`, under the name of their language; formats of
suites by the group `veer.suites`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from veer.model.inputs import InputMap
from veer.model.program import Program
from veer.model.result import Branch, Bug, Result, Test

RENDERERS = "veer.renderers"
SUITES = "veer.suites"


class Updated(Struct, frozen=True):
    """A suite that was written anew: its text, and sentences. `sentences`: of each test that expects something else of
    the same inputs, and of what became of the user's lines; `others`: of each test that is new, gone, or has other
    inputs, which a search within a budget may choose anew each time."""

    text: str
    sentences: tuple[str, ...]
    others: tuple[str, ...] = ()


class Renderer(Protocol):
    """Writes the values and tests of programs in one language."""

    def describe(self, program: Program, inputs: InputMap) -> dict[str, str]:
        """Name -> value, in the words of the language: roots first, then objects, in the order of their creation.

        A value that the run never looked at is marked.
        """
        ...

    def file_name(self, program: Program) -> str:
        """The file of the suite that every campaign writes, within DIR/suite."""
        ...

    def commands(self, program: Program) -> tuple[str, ...]:
        """What builds and runs that suite in its own folder."""
        ...

    def beside(self, program: Program) -> Mapping[str, bytes]:
        """The files that the suite needs in its folder, by their names; none where its text is enough."""
        ...

    def updated(self, before: str, after: str) -> Updated:
        """A suite that somebody has committed, and what would be written today: the new text with the lines that are
        the user's, and what changed.

        Raises ValueError for marks of such lines that are no pairs, UsageError for a language whose suites cannot be
        compared.
        """
        ...

    def render(
        self, program: Program, tests: Sequence[Test], bugs: Sequence[Bug] = (), branches: Sequence[Branch] = ()
    ) -> str:
        """The suite's text. `branches`, if given, lets comments say what each test covers.

        Tests that show bugs run only when they are named. A test that cannot be written is left out, with a comment
        that says why.
        """
        ...


class SuiteFormat(Struct, frozen=True):
    """A format of suites. `files`: a result -> files by their names within a folder; it raises UsageError for a result
    that it cannot hold. `languages`: those whose programs it serves; empty: all. `is_for_boards`: whether another
    machine runs them, so that it must be known which tests depend on the machine (campaign/boards.py).
    """

    files: Callable[[Result], dict[str, bytes]]
    languages: frozenset[str] = frozenset()
    is_for_boards: bool = False
