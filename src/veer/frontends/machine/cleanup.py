"""A lifted module without what lifting leaves behind: registers in values, flags in comparisons, dead flags gone.

No pass here makes a branch a choice of values: branches of the machine stay branches.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import llvmlite.binding as llvm

from veer.frontends.machine.ownplaces import Lines, with_own_places
from veer.frontends.machine.rewriting import rewritten
from veer.model.errors import ToolchainError

_ROUNDS = 2
NO_LINES: Mapping[str, Lines] = MappingProxyType({})


def cleaned(text: str, functions: Mapping[str, Lines] = NO_LINES) -> str:
    """The module's text after the passes. `functions`: the lines of their instructions, by name.

    Raises ToolchainError when it is malformed.
    """
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
    return rewritten(with_own_places(str(module), functions))
