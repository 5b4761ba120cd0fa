"""Functions and sites by names that other programs have, too, and what a function is with all that it calls.

Summaries on disk go by them (stored.py): the numbers of sites are those of one program.
"""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct

from veer.model.program import Content, Fact, Program, Site
from veer.toolchain.cache import digest

SiteName = tuple[str, int]
"""A site by its function and its position among that function's sites."""


class UnfitError(Exception):
    """Cannot be kept, or is no longer what was kept."""


class Text(Struct, frozen=True):
    """What a function and all that it calls are: a digest, and the names in it; no digest: it is not known."""

    digest: str
    names: frozenset[str]


class Names:
    """The sites of a program by names that another program has, too."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._calls_back = program.known_to(Fact.CALLS_BACK)
        self._sites: dict[str, list[Site]] = defaultdict(list)
        self._positions: list[int] = []
        for site in program.sites:
            self._positions.append(len(self._sites[site.function]))
            self._sites[site.function].append(site)
        self._functions: dict[str, list[Content]] = defaultdict(list)
        for content in program.contents:
            self._functions[content.name].append(content)
        self._texts: dict[str, Text] = {}

    def of(self, site: int) -> SiteName:
        """The name of a site. Raises UnfitError for one of the harness's."""
        if not 0 <= site < len(self._positions):
            raise UnfitError
        return self._program.sites[site].function, self._positions[site]

    def site(self, name: SiteName) -> int:
        """The site of a name. Raises UnfitError."""
        function, position = name
        sites = self._sites.get(function, [])
        if not 0 <= position < len(sites):
            raise UnfitError
        return sites[position].id

    def text(self, name: str) -> Text:
        """What a function is, with all that it calls."""
        if name not in self._texts:
            self._texts[name] = self._text(name)
        return self._texts[name]

    def closure(self, name: str) -> list[str]:
        """The function and all that it calls, as far as they are defined."""
        found, waiting = {name: None}, [name]
        while waiting:
            for function in self._functions.get(waiting.pop(), ()):
                for callee in (*function.calls, *function.names):
                    if callee not in found:
                        found[callee] = None
                        waiting.append(callee)
        return [each for each in found if each in self._functions]

    def _text(self, name: str) -> Text:
        parts, names = list[str](), set[str]()
        for each in sorted(self.closure(name)):
            functions = self._functions[each]
            if len(functions) > 1 or not functions[0].digest or not self._calls_back.isdisjoint(functions[0].calls):
                return Text("", frozenset())
            (function,) = functions
            sites = [
                f"{site.kind} {site.line - function.line} {site.column} {site.text} {site.block}"
                for site in self._sites[each]
            ]
            parts += [each, function.digest, *function.calls, *sites]
            names.update(function.names)
        return Text(digest(*parts), frozenset(names)) if parts else Text("", frozenset())
