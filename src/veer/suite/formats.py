"""veer's own formats of suites: what `veer.suites` registers."""

from __future__ import annotations

from veer.suite.c.frameworks import SUITES
from veer.suite.c.ktest import ktest_files
from veer.suite.c.testcomp import testcomp_files
from veer.suite.corpus import corpus_files
from veer.suite.listing import json_files
from veer.suite.protocol import SuiteFormat

_C = frozenset(("c",))
PLAIN = SuiteFormat(SUITES["plain"], _C)
UNITY = SuiteFormat(SUITES["unity"], _C)
CMOCKA = SuiteFormat(SUITES["cmocka"], _C)
CHECK = SuiteFormat(SUITES["check"], _C)
GTEST = SuiteFormat(SUITES["gtest"], _C)
KTEST = SuiteFormat(ktest_files, _C)
TESTCOMP = SuiteFormat(testcomp_files, _C)
CORPUS = SuiteFormat(corpus_files)
JSON = SuiteFormat(json_files)
