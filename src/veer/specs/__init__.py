"""Specifications: what must hold of a program's events, and the machines that watch it (docs/specifications.md)."""
