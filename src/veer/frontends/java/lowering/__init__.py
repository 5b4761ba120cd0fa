"""Methods → LLVM IR with Java's semantics (docs/java.md)."""
