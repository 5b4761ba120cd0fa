"""The engine as a shared library: expressions, their values, and the ladder, natively, without an executor.

The library keeps one campaign at a time (its state is the process's): attaching another one leaves the first. In the
product it evaluates and shrinks; in tests it is also the ladder's and, with a `veer_execute` of the test's own linked
in, the whole loop's face.
"""

from __future__ import annotations

import contextlib
import ctypes
import threading
from array import array
from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import Path

from msgspec import Struct

from veer.model.errors import ExecutorError
from veer.wire import layout
from veer.wire.shared import Shared

_U8 = ctypes.c_uint8
_U32 = ctypes.c_uint32
_U64 = ctypes.c_uint64

_SIGNATURES: dict[str, tuple[object, tuple[object, ...]]] = {
    "veer_attach": (ctypes.c_int, (ctypes.c_int,)),
    "veer_detach": (None, ()),
    "veer_constant": (_U32, (_U32, _U64)),
    "veer_intern_table": (_U32, (ctypes.c_char_p, _U32, _U32)),
    "veer_leaf_expression": (_U32, (_U32,)),
    "veer_slot_expression": (_U32, (_U32,)),
    "veer_unwritten": (_U32, (_U64,)),
    "veer_expression": (_U32, (_U32, _U32, _U32, _U32, _U32)),
    "veer_intern_object": (_U32, (_U32, ctypes.c_char_p, _U32, _U32)),
    "veer_intern_leaf": (_U32, (_U32, _U32, _U32, _U32, _U64, _U64)),
    "veer_intern_context": (_U32, (_U32, _U32)),
    "veer_note_loss": (None, (_U32, _U32)),
    "veer_value": (_U64, (_U32, ctypes.c_char_p, _U32)),
    "veer_holds": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_char_p, _U32, ctypes.c_char_p, _U32)),
    "veer_query": (
        ctypes.c_int,
        (ctypes.c_void_p, ctypes.c_char_p, _U32, ctypes.c_char_p, _U32, ctypes.c_void_p, _U32, ctypes.c_void_p),
    ),
    "veer_command_run": (ctypes.c_int, ()),
    "veer_command_expand": (ctypes.c_int, ()),
    "veer_command_follow": (ctypes.c_int, ()),
    "veer_command_dfs": (ctypes.c_int, ()),
    "veer_command_rescan": (ctypes.c_int, ()),
}
_LONGEST_ANSWER = 1 << 20


_in_use = threading.Lock()


class Verdict(IntEnum):
    """What the ladder says of a query."""

    UNKNOWN = 0
    SAT = 1
    UNSAT = 2


class LadderAnswer(Struct, frozen=True):
    """`input` is a model if the verdict is SAT, else empty."""

    verdict: Verdict
    input: bytes = b""


@contextlib.contextmanager
def attached(path: Path, shared: Shared) -> Iterator[EngineLibrary | None]:
    """The library, attached to a campaign while the context lasts; None while another campaign of this process has it.

    Raises ExecutorError if it cannot be loaded.
    """
    if not _in_use.acquire(blocking=False):
        yield None
        return
    try:
        engine = EngineLibrary(path)
        engine.attach(shared)
        try:
            yield engine
        finally:
            engine.detach()
    finally:
        _in_use.release()


class EngineLibrary:
    """The shared library, attached to a campaign. Expression ids are those of the campaign's arena; 0 = no room."""

    def __init__(self, path: Path) -> None:
        """Loads the library. Raises ExecutorError if it cannot be loaded."""
        try:
            self._library = ctypes.CDLL(str(path))
        except OSError as error:
            raise ExecutorError(f"cannot load veer's engine {path}: {error}") from error
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(self._library, name)
            function.restype = result
            function.argtypes = arguments

    def attach(self, shared: Shared) -> None:
        """Takes up a campaign, as a process does that starts in the middle of it; leaves the one before.

        The caller keeps `shared` open until `detach` or the next `attach`. The engine lies at fixed addresses, so that
        a process has one campaign at a time. Raises ExecutorError where these addresses are taken.
        """
        self.detach()
        if not self._library.veer_attach(shared.descriptor):
            raise ExecutorError("cannot reserve the address space that veer's engine needs; see `veer doctor`")

    def detach(self) -> None:
        """Leaves the campaign, if there is one; only `attach` may follow."""
        self._library.veer_detach()

    def table(self, entries: Sequence[int], width: int) -> int:
        """The number of the table of these entries of 8, 16, 32 or 64 bits, for LOOKUP."""
        size = width // 8
        data = b"".join(int(entry).to_bytes(size, "little") for entry in entries)
        return int(self._library.veer_intern_table(data, len(entries), size))

    def constant(self, width: int, value: int) -> int:
        """A constant of that width in bits."""
        return int(self._library.veer_constant(width, value & ((1 << 64) - 1)))

    def object(self, name: str, occurrence: int = 0, via: int = layout.NONE) -> int:
        """An input object: a root by name, or what the pointer leaf `via` leads to."""
        return int(self._library.veer_intern_object(via, name.encode(), occurrence, layout.NONE))

    def leaf(
        self,
        object: int,
        offset: int,
        width: int,
        kind: layout.LeafKind = layout.LeafKind.UNSIGNED,
        bounds: tuple[int, int] = (1, 0),
    ) -> int:
        """An input leaf's index; `bounds` are inclusive, none if the first is above the second."""
        low, high = (bound & ((1 << 64) - 1) for bound in bounds)
        return int(self._library.veer_intern_leaf(object, offset, width, int(kind), low, high))

    def leaf_expression(self, leaf: int) -> int:
        """The expression that is a leaf's value."""
        return int(self._library.veer_leaf_expression(leaf))

    def slot_expression(self, slot: int) -> int:
        """The expression that stands for what crossed a boundary (wire.layout.SLOT)."""
        return int(self._library.veer_slot_expression(slot))

    def unwritten(self, what: int) -> int:
        """64 bits that nobody has written; `what` says which (tracer/uninitialised.h)."""
        return int(self._library.veer_unwritten(what))

    def expression(self, op: layout.Op, width: int, a: int, b: int = 0, c: int = 0) -> int:
        """An operator on expressions (of EXTRACT, `b` is the lowest bit), simplified."""
        return int(self._library.veer_expression(int(op), width, a, b, c))

    def context(self, parent: int, site: int) -> int:
        """A call string: `parent` extended by a call site."""
        return int(self._library.veer_intern_context(parent, site))

    def note_loss(self, kind: layout.Loss, site: int) -> None:
        """Adds to the ledger."""
        self._library.veer_note_loss(int(kind), site)

    def evaluate(self, expression: int, input: bytes) -> int:
        """The value of an expression under an input, as an unsigned integer of its width."""
        return int(self._library.veer_value(expression, input, len(input)))

    def holds(self, literals: Sequence[tuple[int, bool]], input: bytes) -> bool:
        """Whether every literal (an expression of width 1, its polarity) has its polarity under an input."""
        ids, polarities = array("I", [each[0] for each in literals]), bytes([each[1] for each in literals])
        address, count = ids.buffer_info()
        return bool(self._library.veer_holds(address, polarities, count, input, len(input)))

    def ladder(self, literals: Sequence[tuple[int, bool]], parent: bytes) -> LadderAnswer:
        """Asks for an input that satisfies all literals. All but the last are the prefix, which `parent` satisfies."""
        ids = (_U32 * len(literals))(*(expression for expression, _ in literals))
        polarities = bytes(int(polarity) for _, polarity in literals)
        answer = (_U8 * _LONGEST_ANSWER)()
        length = _U32(0)
        verdict = Verdict(
            self._library.veer_query(
                ids, polarities, len(literals), parent, len(parent), answer, _LONGEST_ANSWER, ctypes.byref(length)
            )
        )
        return LadderAnswer(verdict, bytes(answer[: length.value]) if verdict is Verdict.SAT else b"")

    def command(self, command: layout.Command) -> layout.Reply:
        """Obeys a command about runs or the tree in this process; for libraries that define `veer_execute`."""
        return layout.Reply(getattr(self._library, f"veer_command_{command.name.lower()}")())
