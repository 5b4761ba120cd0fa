"""The cold build, as a process of its own: `python -m veer.frontends.c.cold REQUEST REPLY`.

It alone loads llvmlite, so that a cache hit pays nothing for it and an abort of LLVM's kills nobody else. REQUEST and REPLY are
JSON files (`exchange.py`); the file REQUEST.stage always holds what is being worked on, for the message after such an abort.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

from veer.frontends.c.analysis import (
    ALL_FUNCTIONS,
    Module,
    compile_module,
    compile_modules,
    entry_shape,
    find_entry,
    harness_kind,
    limits,
    module_shapes,
    unknown_entry,
)
from veer.frontends.c.assembly import base_object, linked, number, undefined_names
from veer.frontends.c.counters import build_counted
from veer.frontends.c.exchange import BuildRecord, Reply, Request, read_request, write_reply
from veer.frontends.c.flags import check_flags, link_flags, user_flags
from veer.frontends.c.harness import Plan, harness_text
from veer.frontends.c.inputs import global_inputs, usable
from veer.frontends.c.libc import library_units, redirections
from veer.frontends.c.stubs import Stubs, stubs
from veer.frontends.c.symbols import in_system_library
from veer.frontends.c.typetable import TypeTable
from veer.frontends.c.unit import MadeUnit, UnitRequest, find_unit, make_unit, own_functions
from veer.model.errors import ToolchainError, VeerError
from veer.model.options import BuildOptions
from veer.model.program import Function, HarnessKind, Program
from veer.toolchain.cache import Cache, digest
from veer.toolchain.compiler import Toolchain, find
from veer.toolchain.runtime import front_end_version, runtime_objects, runtime_version
