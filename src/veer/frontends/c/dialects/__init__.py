"""Dialects of embedded compilers: headers that give their words a meaning on the host (`headers/`), by name."""
