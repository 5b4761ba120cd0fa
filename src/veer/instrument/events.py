"""Events of functions, in the text of LLVM IR: a call of a handler where a function is entered, and where it returns.

    define i32 @f(i32 %0) {                        define i32 @f(i32 %0) {
      ...                            ─►              call void @veer_watch_call_f(i32 %0)
      ret i32 %3                                     ...
    }                                                call void @veer_watch_return_f(i32 %0, i32 %3)
                                                     ret i32 %3

Of a function that no module defines the calls are events: the handlers stand around them. A call through a pointer is
none then; who has such a function's address is told of (`taken`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from veer.instrument.callsyntax import Argument, parse_arguments, parse_call
from veer.instrument.definitions import definitions
from veer.instrument.lexer import closing, global_name, type_end, unquoted
from veer.model.specification import Watch

_NAME = r'@("[^"]+"|[\w.$-]+)'
_DEFINE = re.compile(rf"^define [^@\n]*?{_NAME}\(")
_DECLARE = re.compile(rf"^declare [^@\n]*?{_NAME}\(")
_CALL = re.compile(r"^  (?:(%[\w.$-]+|%\"[^\"]*\") = )?(?:tail |musttail |notail )?call ")
_DEBUG = re.compile(r"!dbg (!\d+)")
_RESULT = re.compile(r"\b(zeroext|signext)\b")
_ENDS_ALL = "exit"


def with_events(ir: str, watches: Collection[Watch], defined: Collection[str], end: str = "") -> str:
    """The module with calls of handlers. `defined`: the functions that some module of the program defines.

    `end`: called before exit(), which ends the run as the return of the entry does.
    """
    by_name = {watch.function: watch for watch in watches}
    around = {name: watch for name, watch in by_name.items() if name not in defined}
    weaver = _Weaver(by_name, around, end)
    lines: list[str] = []
    for found, piece in definitions(ir.splitlines(), _DEFINE):
        lines += piece if found is None else weaver.function(unquoted(found[1]), piece)
    known = {unquoted(found[1]) for line in lines if (found := _DECLARE.match(line) or _DEFINE.match(line))}
    more = [text for name, text in sorted(weaver.declared.items()) if name not in known]
    return "\n".join([*lines, *more]) + "\n" if weaver.declared else ir


def taken(ir: str, functions: Collection[str]) -> set[str]:
    """The functions whose address the module takes: it may call them through pointers."""
    found = set()
    for name in functions:
        reference = re.compile(rf"{re.escape(global_name(name))}(?![\w.$-])")
        for line in ir.splitlines():
            for match in reference.finditer(line):
                is_callee = line[match.end() : match.end() + 1] == "(" and _CALL.match(line) is not None
                if not is_callee and not line.startswith(("declare ", "define ", "!")):
                    found.add(name)
    return found


class _Weaver:
    """Puts calls into functions, and notes which handlers must be declared."""

    def __init__(self, watches: Mapping[str, Watch], around: Mapping[str, Watch], end: str) -> None:
        self._watches, self._around, self._end = watches, around, end
        self._callees = re.compile(rf"{_NAME}\(")
        self.declared: dict[str, str] = {}

    def function(self, name: str, lines: list[str]) -> list[str]:
        watch = self._watches.get(name)
        body = [line for each in lines[1:] for line in self._line(each)]
        if watch is not None and name not in self._around:
            body = self._entered(watch, lines[0], body)
        return [lines[0], *body]

    def _entered(self, watch: Watch, head: str, body: list[str]) -> list[str]:
        """The body with the handlers of its own function."""
        start = head.index("(", head.index("@"))
        arguments = list(parse_arguments(head[start + 1 : closing(head, start) - 1]))
        if arguments and "sret(" in arguments[0].attributes:
            arguments = arguments[1:]
        given = arguments[: watch.parameters]
        place = next((found[0] for line in body if (found := _DEBUG.search(line)) and line.startswith("  ")), "")
        made: list[str] = []
        is_begun = not watch.at_call
        for line in body:
            if not is_begun and line.startswith("  ") and not line.startswith("    #") and " = alloca " not in line:
                made.append(self._call(watch.at_call, given, place))
                is_begun = True
            if watch.at_return and line.startswith("  ret "):
                given_back = self._returned(line, head) if watch.has_result else []
                debug = _DEBUG.search(line)
                made.append(self._call(watch.at_return, [*given, *given_back], debug[0] if debug else place))
            made.append(line)
        return made

    def _returned(self, line: str, head: str) -> list[Argument]:
        """`  ret i32 %3, !dbg !5` → i32 %3."""
        text = line.removeprefix("  ret ").partition(", !")[0]
        end = type_end(text)
        extension = _RESULT.search(head[: head.index("@")])
        return [Argument(text[:end], f"{extension[1]} " if extension else "", text[end + 1 :])]

    def _line(self, line: str) -> Iterator[str]:
        """A line of a body, with the handlers around a call of a function that no module defines."""
        callee = self._callees.search(line) if _CALL.match(line) else None
        name = unquoted(callee[1]) if callee is not None else ""
        debug = _DEBUG.search(line)
        place = debug[0] if debug else ""
        if name == _ENDS_ALL and self._end and name not in self._watches:
            yield self._call(self._end, [], place)
        watch = self._around.get(name)
        if watch is None:
            yield line
            return
        found = _CALL.match(line)
        assert found is not None
        type_, call, _ = parse_call(line[found.end() :])
        arguments = list(call.arguments)
        if arguments and "sret(" in arguments[0].attributes:
            arguments = arguments[1:]
        given = [each for each in arguments[: watch.parameters] if not each.type.startswith("metadata")]
        if watch.at_call:
            yield self._call(watch.at_call, given, place)
        if name == _ENDS_ALL and self._end:
            yield self._call(self._end, [], place)
        yield line
        if watch.at_return:
            extension = _RESULT.search(call.prefix)
            back = [Argument(type_, f"{extension[1]} " if extension else "", found[1])] if watch.has_result else []
            yield self._call(watch.at_return, [*given, *back], place)

    def _call(self, handler: str, arguments: list[Argument], place: str) -> str:
        types = ", ".join(f"{each.type} {each.attributes}".rstrip() for each in arguments)
        self.declared[handler] = f"declare void @{handler}({types})"
        return f"  call void @{handler}({', '.join(map(str, arguments))}){', ' + place if place else ''}"
