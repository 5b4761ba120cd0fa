"""What front ends share that lower to LLVM IR: units, veer's own C library, harnesses, executors."""
