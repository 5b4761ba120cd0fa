"""A written suite, from its JSON file alone, on the emulator: each test's arguments, and what is expected."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from veer.frontends.machine.answer import Answer
from veer.frontends.machine.architectures import Architecture
from veer.frontends.machine.build import named, prototype_for
from veer.frontends.machine.emulator import Case, Machine, reads_of, without_pointers
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.linked import load
from veer.frontends.machine.places import Places, places
from veer.frontends.machine.raw import given_in
from veer.frontends.machine.replayer import MOST_SECONDS, ending_of, may_go_on
from veer.frontends.protocol import Measurable
from veer.model.buildoptions import BuildOptions
from veer.model.confinement import OFF, Confinement
from veer.model.outcome import Outcome
from veer.model.replay import NOT_HELD, SAME, STOPPED, Replay, Verdict, Want, differs, not_replayed
from veer.model.result import Test
from veer.toolchain.compiler import Toolchain

_TYPE = "--prototype="


class SuiteReplayer(Struct, frozen=True):
    """Tests of a suite that was written (a Replayer); it measures nothing."""

    path: Path
    seconds: float
    toolchain: Toolchain
    confinement: Confinement = OFF

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer. The emulator runs all tests at once. Raises ToolchainError when there is none."""
        if is_stopped():
            return tuple(Replay(test.name, STOPPED) for test in tests)
        whole = json.loads(self.path.read_text())
        rows = {row["name"]: row for row in whole["tests"]}
        words = tuple(whole.get("flags", ()))
        image = load(Path(whole["file"]), self.toolchain, given_in(tuple(w for w in words if not w.startswith(_TYPE))))
        code = named(image, whole["entry"])
        written = next((word.removeprefix(_TYPE) for word in words if word.startswith(_TYPE)), "")
        put = _places(image, code, written)
        sizes = tuple(each["size"] for each in whole["parameters"])
        machine = Machine(image, code, sizes, self.confinement, put)
        held = [test for test in tests if test.name in rows]
        cases = [_case(rows[test.name]) for test in held]

        def agrees(number: int, answer: Answer | None) -> bool:
            test = held[number]
            return verdict_of(test.outcome, rows[test.name], answer, image.architecture) == SAME

        answers = machine.judged(cases, min(self.seconds, MOST_SECONDS), agrees) if held else ()
        verdicts = {
            test.name: verdict_of(test.outcome, rows[test.name], answer, image.architecture)
            for test, answer in zip(held, answers, strict=True)
        }
        return tuple(Replay(test.name, verdicts.get(test.name, NOT_HELD)) for test in tests)

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer."""
        return Measurable()


def _places(image: Image, code: Code, prototype: str) -> Places:
    options = BuildOptions((image.file,), code.name, prototype=prototype)
    return places(image, code, prototype_for(image, code, options))


def _case(row: dict[str, Any]) -> Case:
    memory = {name: bytes.fromhex(data) for name, data in row["memory"].items()}
    links = {name: _links(found) for name, found in row.get("pointers", {}).items()}
    arguments = tuple(map(_argument, row["arguments"].values()))
    return Case(arguments, memory, tuple(_seen(row)), links, reads_of(row.get("reads", {})))


def _links(found: dict[str, str]) -> dict[int, str]:
    return {int(offset): "" if to == "null" else to[1:] for offset, to in found.items()}


def _seen(row: dict[str, Any]) -> list[str]:
    return [name for name in row["memory_after"] if name in row["memory"]]


def _argument(text: str) -> int | str:
    if text == "null":
        return ""
    return text[1:] if text.startswith("&") else int(text)


def verdict_of(outcome: Outcome, row: dict[str, Any], answer: Answer | None, machine: Architecture) -> Verdict:
    """Whether a test of the suite ended as it was recorded. `row`: what the suite holds of it."""
    if answer is None:
        return not_replayed("the emulator ended before it")
    if outcome.is_bug:
        if answer.ended == ending_of(outcome) or may_go_on(outcome, machine):
            return SAME
        return differs(f"{answer.ended} on the emulator")
    if answer.ended != ("exited" if outcome is Outcome.EXITED else "returned"):
        return differs(f"{answer.ended}: {answer.why}")
    if row["returned"] is not None:
        size = len(row["returned"]) // 2
        result = (answer.result % (1 << 8 * size)).to_bytes(size, "little").hex()
        if result != row["returned"]:
            return differs(f"returned {result}")
    for name, after in zip(_seen(row), answer.memory, strict=True):
        kept = _links(row.get("pointers", {}).get(name, {}))
        found, recorded = bytes.fromhex(after), bytes.fromhex(row["memory_after"][name])
        if without_pointers(found, kept) != without_pointers(recorded, kept):
            return differs(f"{name} is {after}")
    return SAME
