"""The witnesses of bugs, shrunk: what a smaller input must show, and what it becomes of.

It must end the same way at the same place of the source, so that it is the same bug with the same fingerprint, and it
must not need more of its caller: no more contracts of the code are broken, and the severity stays. On which path is all
one.
Hangs and overflows of the stack stay as they are: a smaller one may end in the plain build, whose limits are others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from veer.execution.decode import Fault, decode, model_outcome
from veer.execution.protocol import Executor
from veer.findings.deadline import Deadline
from veer.findings.probes import last_input
from veer.findings.severity.assessor import Assessor, seen_of_last_run, told_by
from veer.findings.shrinking.choices import Choice
from veer.findings.shrinking.deleting import cut, delete, lower_and_delete, separate
from veer.findings.shrinking.drawing import choices_of_last_run
from veer.findings.shrinking.lowering import lower, make_plain
from veer.findings.shrinking.shrinker import Seen, Shown, Shrinking, shrunk
from veer.findings.shrinking.together import exchange, lower_equal, lower_pairs, move_all, swap
from veer.model.inputs import InputMap
from veer.model.outcome import AT_LIMITS
from veer.model.plainness import size_of
from veer.model.severity import Judgement
from veer.model.values import replace
from veer.oracles.bugs import Suspect, identity
from veer.wire.shared import Shared

PASSES = (
    cut,
    make_plain,
    delete,
    separate,
    lower,
    lower_and_delete,
    lower_equal,
    lower_pairs,
    move_all,
    swap,
    exchange,
)
MOST_RUNS = 4000
"""Of one bug."""


class BugShrinker(Struct, frozen=True):
    """Shrinks the witnesses of suspects by probes in `executor`, until `deadline`.

    Those that are smaller are run into the tree.
    """

    shared: Shared
    executor: Executor
    assessor: Assessor
    deadline: Deadline

    def of(self, suspects: Sequence[Suspect], stopped: Callable[[], bool] = lambda: False) -> tuple[Suspect, ...]:
        """The suspects, each with a smaller witness where there is one. Once `stopped()`, the rest stays as it is.

        Each may take its part of the time that is left.
        """
        found = []
        for place, each in enumerate(suspects):
            found.append(self._of(each, stopped, self.deadline.part(1 / (len(suspects) - place))))
        return tuple(found)

    def _of(self, suspect: Suspect, stopped: Callable[[], bool], deadline: Deadline) -> Suspect:
        def is_over() -> bool:
            return stopped() or deadline.is_over

        if is_over() or suspect.fault.outcome in AT_LIMITS:
            return suspect
        before = self.shared.input_of(suspect.path)
        if not self.executor.probe(before):
            return suspect
        seen = self._seen(suspect)
        first = seen.looked_at() if seen is not None else None
        if first is None:
            return suspect

        def show(values: Sequence[int]) -> Seen | None:
            return self._seen(suspect) if self.executor.draw(values) else None

        best = shrunk(Shrinking(show, first, MOST_RUNS, is_over=is_over), PASSES)
        return self._told(suspect, best) if best.size < first.size else suspect

    def _seen(self, suspect: Suspect) -> Seen | None:
        """The last run, if it ended as the suspect's fault does."""
        if model_outcome(self.shared.run.last_outcome) is not suspect.fault.outcome:
            return None
        data = last_input(self.shared)
        choices = choices_of_last_run(self.shared, data)
        return Seen(choices, lambda: self._shown(suspect, data, choices))

    def _shown(self, suspect: Suspect, data: bytes, choices: tuple[Choice, ...]) -> Shown | None:
        """The last run, if it shows the suspect's fault and breaks no more contracts than its witness."""
        run = decode(self.shared, self.assessor.program, data)
        fault = run.fault or suspect.fault
        if (identity(fault), fault.kind) != (identity(suspect.fault), suspect.fault.kind):
            return None
        judgement = self._judged(fault, run.inputs)
        allowed = suspect.judgement
        if judgement.severity is not allowed.severity or len(judgement.broken) > len(allowed.broken):
            return None
        return Shown(data, choices, size_of(run.inputs))

    def _told(self, suspect: Suspect, best: Shown) -> Suspect:
        """The suspect with that witness, run into the tree."""
        known = len(self.shared.published("paths"))
        self.executor.run(best.data, record=True, keeps=True)
        if len(self.shared.published("paths")) == known:
            return suspect
        run = decode(self.shared, self.assessor.program, best.data)
        fault = run.fault or suspect.fault
        judgement = replace(self._judged(fault, run.inputs), indifferent=suspect.judgement.indifferent)
        return replace(suspect, path=known, fault=told_by(fault, suspect.fault), judgement=judgement)

    def _judged(self, fault: Fault, inputs: InputMap) -> Judgement:
        """How bad the fault is in which the last run ended."""
        return self.assessor.judgement(seen_of_last_run(self.shared, self.assessor.program, fault, inputs))
