"""An lcov tracefile (genhtml, editors' coverage views). Counts are numbers of tests, not of executions."""

from __future__ import annotations

from veer.model.result import Result
from veer.report.measured import FileCoverage, by_file
from veer.report.protocol import Format


def render(result: Result) -> str:
    """The text of an lcov .info file."""
    lines = ["TN:veer"]
    for file in by_file(result):
        lines += _file(file)
    return "\n".join(lines) + "\n"


REPORT = Format("coverage.info", render)


def _file(file: FileCoverage) -> list[str]:
    lines = [f"SF:{file.path}"]
    lines += [f"FN:{function.line},{function.name}" for function in file.functions]
    lines += [f"FNDA:{function.tests},{function.name}" for function in file.functions]
    lines += [f"FNF:{file.function_count.total}", f"FNH:{file.function_count.covered}"]
    tests = {line.line: line.tests for line in file.lines}
    for number, branches in sorted(file.branches_by_line().items()):
        for index, branch in enumerate(branches):
            was_reached = tests.get(number, 1) > 0 or any(file.taken[each.id] for each in branches)
            count = str(file.taken[branch.id]) if was_reached else "-"
            lines.append(f"BRDA:{number},0,{index},{count}")
    lines += [f"BRF:{file.branch_count.total}", f"BRH:{file.branch_count.covered}"]
    lines += [f"DA:{line.line},{line.tests}" for line in file.lines]
    return [*lines, f"LF:{file.line_count.total}", f"LH:{file.line_count.covered}", "end_of_record"]
