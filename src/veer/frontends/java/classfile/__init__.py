"""Class files (Java Virtual Machine Specification, chapter 4) as values, and their bytecode decoded."""
