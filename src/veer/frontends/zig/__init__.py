"""Zig: its compiler's LLVM IR → a program; its own types; its tests replayed as native code."""
