"""veer: a concolic unit-test generator for C."""

__version__ = "0.1.0"
