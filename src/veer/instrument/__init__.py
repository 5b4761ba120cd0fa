"""The instrumenter: a rewriter of textual LLVM IR. `instrument.py` is its public face."""
