"""Zig as it is written: values for people, and suites that `zig test` runs."""
