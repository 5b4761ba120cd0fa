"""What LLVM itself does, through llvmlite: SROA and names before the rewriting, machine code after it."""

from __future__ import annotations

import llvmlite.binding as llvm

from veer.instrument.indices import with_plain_indices
from veer.instrument.unwritten import drop_unused, show_unwritten

_ready: list[bool] = []


def _initialise() -> None:
    """Once per process; the assembly parser is there for inline asm."""
    if not _ready:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        llvm.initialize_native_asmparser()
        _ready.append(True)


def _machine(triple: str, level: int) -> llvm.TargetMachine:
    """x86-64 baseline, position-dependent, everything below 2 GiB."""
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(cpu="x86-64", opt=level, reloc="static", codemodel="small")


def _parse(text: str) -> llvm.ModuleRef:
    """Parses in a context of its own: struct types are renamed when two modules share one."""
    return llvm.parse_assembly(text, llvm.create_context())


def prepare(text: str, *, closes_loops: bool = False, shows_unwritten: bool = True) -> str:
    """The module with locals in SSA form where that is possible and a name for every value. Raises RuntimeError.

    `shows_unwritten`: of a variable that is read before it is set, the first value is a load (unwritten.py);
    `closes_loops`: what is used behind the loop that it comes from goes through a phi there (informationflow.py).
    """
    _initialise()
    text = with_plain_indices(text)
    module = _parse(show_unwritten(text) if shows_unwritten else text)
    builder = _pass_builder(_machine(module.triple, 0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    if closes_loops:
        passes.add_lcssa_pass()
    passes.add_instruction_namer_pass()
    passes.run(module, builder)
    return drop_unused(str(module)) if shows_unwritten else str(module)


def _pass_builder(machine: llvm.TargetMachine) -> llvm.PassBuilder:
    return llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0))


def _promote_variables(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """The variables that the instrumenter put in (writer.keep_hash) become values."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.run(module, _pass_builder(machine))


def verify(text: str) -> None:
    """Raises RuntimeError with LLVM's words if the module is malformed."""
    _initialise()
    _parse(text).verify()


def emit_object(text: str, level: int = 1) -> bytes:
    """An object file. Raises RuntimeError if the module is malformed; errors while generating code end the process."""
    _initialise()
    module = _parse(text)
    module.verify()
    machine = _machine(module.triple, level)
    if level > 0:
        _promote_variables(module, machine)
    return bytes(machine.emit_object(module))
