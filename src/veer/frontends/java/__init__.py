"""Java: class files → LLVM IR → a program; its tests run again on the machine's JVM."""
