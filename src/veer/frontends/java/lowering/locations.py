"""Debug information of lowered methods. Class files know lines alone: a column says which instruction it is, and which
of its checks, so that each has a place of its own."""

from __future__ import annotations

from collections.abc import Callable

from veer.frontends.java.classfile.model import ClassFile
from veer.frontends.java.lowering.world import Reached
from veer.model.program import WRITTEN_FILE

NO_CHECKS = "!0 = !{}"
"""What `!nosanitize !0` refers to."""
_MOST = 65535
"""Columns are kept in 16 bits."""
_CHECKS_FROM = 8192
"""What is added to the column of an instruction for each number of a check, in methods that are shorter."""


def column_of(at: int, check: int, size: int) -> int:
    """The column of an instruction of a method of so many bytes, or of one of its checks (0: none)."""
    return at + 1 + (check * _CHECKS_FROM if size < _CHECKS_FROM else 0)


class Locations:
    """The metadata of a module, made as it is asked for."""

    def __init__(self, file_of: Callable[[ClassFile], str]) -> None:
        self._file_of = file_of
        self._files: dict[str, int] = {}
        self._places: dict[tuple[int, int, int], int] = {}
        self.lines = [
            "!llvm.dbg.cu = !{!1}",
            "!llvm.module.flags = !{!2}",
            NO_CHECKS,
            "!1 = distinct !DICompileUnit(language: DW_LANG_Java, file: !3, emissionKind: FullDebug)",
            '!2 = !{i32 2, !"Debug Info Version", i32 3}',
            f'!3 = !DIFile(filename: "{WRITTEN_FILE.removeprefix("/")}", directory: "/")',
            "!4 = !DISubroutineType(types: !5)",
            "!5 = !{null}",
        ]
        self._next = 6

    def scope(self, reached: Reached) -> int:
        """The number of a method's DISubprogram."""
        file = self._file(self._file_of(reached.owner))
        code = reached.method.code
        line = min((line for _, line in code.lines), default=0) if code is not None else 0
        return self._add(
            f'distinct !DISubprogram(name: "{reached.symbol}", scope: !{file}, file: !{file}, line: {line}, type: !4, '
            f"scopeLine: {line}, spFlags: DISPFlagDefinition, unit: !1)"
        )

    def at(self, scope: int, line: int, column: int) -> str:
        """What stands behind an instruction."""
        key = (scope, line, min(column, _MOST))
        if key not in self._places:
            self._places[key] = self._add(f"!DILocation(line: {line}, column: {key[2]}, scope: !{scope})")
        return f", !dbg !{self._places[key]}"

    def _file(self, path: str) -> int:
        if path not in self._files:
            directory, _, name = path.rpartition("/")
            self._files[path] = self._add(f'!DIFile(filename: "{_quoted(name)}", directory: "{_quoted(directory)}")')
        return self._files[path]

    def _add(self, text: str) -> int:
        self.lines.append(f"!{self._next} = {text}")
        self._next += 1
        return self._next - 1


def _quoted(text: str) -> str:
    return text.replace("\\", "\\5C").replace('"', "\\22")
