"""The tests of a summary as values of the model, for a replay: what they are called and how they ended."""

from __future__ import annotations

from veer.model.errors import StoreError
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome, outcome_of
from veer.model.result import Test
from veer.store.schema import Summary, TestRecord

_REPLAYED = (Outcome.RETURNED, Outcome.EXITED)


def recorded_tests(summary: Summary) -> tuple[Test, ...]:
    """The tests that the suite holds: those that returned, exited, or show a bug.

    Their inputs stay in the suite. Raises StoreError for an outcome that this veer does not know.
    """
    found = [_test(record) for record in summary.tests]
    return tuple(test for test in found if test.outcome in _REPLAYED or test.outcome.is_bug)


def _test(record: TestRecord) -> Test:
    try:
        outcome = outcome_of(record.outcome)
    except KeyError:
        raise StoreError(
            f"{record.name} has the outcome {record.outcome!r}; install a newer veer to replay it"
        ) from None
    return Test(
        name=record.name,
        inputs=InputMap((), ()),
        outcome=outcome,
        exit_code=record.exit_code,
        returned=bytes.fromhex(record.returned) if record.returned is not None else None,
        covers=tuple(record.covers),
        replayed=record.replayed,
        printed=bytes.fromhex(record.printed) if record.printed is not None else None,
    )
