"""Every format of a suite by its name: a function from a result to files, by their names within a folder."""

from __future__ import annotations

from collections.abc import Callable

from veer.model.result import Result
from veer.suite.c.frameworks import SUITES
from veer.suite.corpus import corpus_files
from veer.suite.ktest import ktest_files
from veer.suite.listing import json_files
from veer.suite.testcomp import testcomp_files

FORMATS: dict[str, Callable[[Result], dict[str, bytes]]] = {
    **SUITES,
    "ktest": ktest_files,
    "testcomp": testcomp_files,
    "corpus": corpus_files,
    "json": json_files,
}
