"""veer: a concolic unit-test generator for C.

    veer.test(sources, entry, ...)         one campaign, as `veer test` (veer.python.api)
    veer.read(out)                         its result, later
    veer.export(result, format, folder)    a suite or a report
    veer.case(sources, entry, ...)         what a pytest test explores (veer.python.pytest_plugin)

The names are looked up when they are first used, so that `veer --help` and every pytest run start fast; their types
are in __init__.pyi.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "test": "veer.python.api",
    "export": "veer.python.api",
    "read": "veer.python.api",
    "Options": "veer.python.api",
    "Result": "veer.model.result",
    "VeerError": "veer.model.errors",
    "UsageError": "veer.model.errors",
    "case": "veer.python.pytest_plugin",
}


def __getattr__(name: str) -> Any:
    """The public names, each from its module."""
    if name not in _HOME:
        raise AttributeError(f"module 'veer' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
