"""Machine code: executables and objects, lifted to LLVM IR (docs/machine.md)."""
