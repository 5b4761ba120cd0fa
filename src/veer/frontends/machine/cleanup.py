"""A lifted module without what lifting leaves behind: registers in values, flags in comparisons, dead flags gone.

No pass here makes a branch a choice of values: branches of the machine stay branches.

%v21 = load i64, ptr inttoptr (i64 268567888 to ptr)      becomes the number that stands there, where nothing writes it:
switch i64 %v21, label %other [...]                       a call through a word of the dynamic linker is no decision
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

import llvmlite.binding as llvm

from veer.frontends.machine.ownplaces import Lines, with_own_places
from veer.frontends.machine.rewriting import rewritten
from veer.model.errors import ToolchainError

_ROUNDS = 2
_WITHOUT_WRONG_PHIS = "-enable-phi-of-ops=false"
"""LLVM's pass for values that are equal (NewGVN) takes a mask that a loop shifts by its counter for that of the first
two rounds: `phi [lshr mask 0], [lshr mask 1]` (decision 0567)."""
NO_LINES: Mapping[str, Lines] = MappingProxyType({})
_WORD = re.compile(r"load i(\d+), ptr inttoptr \(i64 (\d+) to ptr\), align 1")
Word = Callable[[int, int], int | None]
"""What stands at an address for ever, of so many bytes, as veer's process reads it; None where that may change."""


def cleaned(text: str, functions: Mapping[str, Lines] = NO_LINES, word: Word = lambda address, size: None) -> str:
    """The module's text after the passes. `functions`: the lines of their instructions, by name.

    Raises ToolchainError when it is malformed.
    """
    found = _passed(text)
    known = _WORD.sub(lambda each: _constant(each, word), found)
    return rewritten(with_own_places(_passed(known) if known != found else found, functions))


def _constant(load: re.Match[str], word: Word) -> str:
    bits, address = int(load[1]), int(load[2])
    number = word(address, bits // 8) if bits % 8 == 0 else None
    return load[0] if number is None else f"add i{bits} 0, {number}"


def _passed(text: str) -> str:
    """The text behind LLVM's passes."""
    llvm.set_option("veer", _WITHOUT_WRONG_PHIS)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        module = llvm.parse_assembly(text, llvm.create_context())
        module.verify()
    except RuntimeError as error:
        raise ToolchainError(f"the lifted code is malformed, which is a bug of veer's: {error}") from error
    machine = llvm.Target.from_triple(module.triple).create_target_machine(opt=2)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(2))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()  # calculations of the library (arithmetic.py), with the lines of their calls
    for _ in range(_ROUNDS):
        passes.add_sroa_pass()
        passes.add_new_gvn_pass()
        passes.add_instruction_combine_pass()
    passes.add_sccp_pass()  # an indirect jump whose target is a constant is no decision
    passes.add_aggressive_dce_pass()
    passes.add_instruction_namer_pass()
    passes.run(module, builder)
    return str(module)
