"""What became of all functions of a project: one table, one product, and what of it may stand in the next run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from veer.campaign.standing import Asked, KeptRun, Standing, kept_run
from veer.campaign.whole import deliver_all
from veer.cli.exit_codes import BUGS, NOTHING_FOUND
from veer.cli.tested import Tested
from veer.frontends.protocol import Language
from veer.model.result import Bug, Count, Result
from veer.model.severity import Severity
from veer.model.survey import Row, Survey
from veer.report.severities import grouped
from veer.report.survey import survey_lines
from veer.report.words import NOWHERE


def folded(bugs: Sequence[Bug]) -> tuple[str, ...]:
    """A sentence for each cause of what breaks contracts, with the first contract that it breaks."""
    return tuple(
        f"{', '.join(dict.fromkeys(_place(bug) for bug in group.bugs))} {group.bugs[0].function}: "
        f"{group.bugs[0].message}, but {'; '.join(group.bugs[0].needs[:1])}"
        for group in grouped(bugs)
    )


def _place(bug: Bug) -> str:
    return f"{Path(bug.file).name}:{bug.line}" if bug.file else NOWHERE


class Every(Struct, frozen=True):
    """What became of all functions. `parts`: abridged results; `code`: the worst one's exit code; `files`: those that
    were read for each result; `each`: the functions that came to their end; `stands`: of the last run."""

    rows: tuple[Row, ...]
    parts: tuple[Result, ...]
    out: Path
    formats: tuple[str, ...]
    seconds: float
    code: int
    files: tuple[dict[str, str], ...] = ()
    each: tuple[tuple[Asked, Tested], ...] = ()
    stands: Standing = Standing()
    language: Language | None = None

    def kept(self, common: str) -> KeptRun:
        """What of this run may stand in the next one, where `common` does."""
        if self.language is None:
            return KeptRun()
        results = [
            (asked, [each.result for each in (tested, tested.also) if each is not None and each.result is not None])
            for asked, tested in self.each
        ]
        return kept_run(common, results, self.stands, self.language)

    def finish(self) -> tuple[str, ...]:
        """Writes what is told of all; the table, and where that is."""
        whole = deliver_all(self.rows, self.parts, self.out, self.formats) if self.parts else None
        all_of_it = "index.html, summary.json, and " if whole is not None else ""
        written = f"written: {self.out}: {all_of_it}a folder for each function"
        return (*survey_lines(self._survey(whole)), written)

    @property
    def is_done(self) -> bool:
        """Whether every function came to its end."""
        return self.code in (NOTHING_FOUND, BUGS)

    def _survey(self, whole: Result | None) -> Survey:
        bugs = whole.bugs if whole is not None else ()
        fresh = [bug for bug in bugs if not bug.is_accepted]
        own = [bug for bug in fresh if bug.severity is not Severity.CONTRACT]
        breaking = [bug for bug in fresh if bug.severity is Severity.CONTRACT]
        branches = whole.coverage.branches if whole is not None else None
        return Survey(
            self.rows,
            branches or Count(0, 0),
            tuple((_place(bug), bug.function, bug.message, bug.test.partition("/")[0]) for bug in own),
            self.seconds,
            folded(breaking),
            len(breaking),
            len(bugs) - len(fresh),
        )
