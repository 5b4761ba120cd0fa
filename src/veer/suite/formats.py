"""veer's own formats of suites: what `veer.suites` registers."""

from __future__ import annotations

from functools import partial

from veer.suite.c.boards import board_files, board_unity_files
from veer.suite.c.frameworks import SUITES
from veer.suite.c.ktest import ktest_files
from veer.suite.c.testcomp import testcomp_files
from veer.suite.corpus import corpus_files
from veer.suite.java import frameworks as java
from veer.suite.java.renderer import framework_suite
from veer.suite.listing import json_files
from veer.suite.protocol import SuiteFormat

_C = frozenset(("c",))
_JAVA = frozenset(("java",))
PLAIN = SuiteFormat(SUITES["plain"], _C)
UNITY = SuiteFormat(SUITES["unity"], _C)
CMOCKA = SuiteFormat(SUITES["cmocka"], _C)
CHECK = SuiteFormat(SUITES["check"], _C)
GTEST = SuiteFormat(SUITES["gtest"], _C)
BOARD = SuiteFormat(board_files, _C, is_for_boards=True)
BOARD_UNITY = SuiteFormat(board_unity_files, _C, is_for_boards=True)
KTEST = SuiteFormat(ktest_files, _C)
TESTCOMP = SuiteFormat(testcomp_files, _C)
CORPUS = SuiteFormat(corpus_files)
JUNIT4 = SuiteFormat(partial(framework_suite, framework=java.JUNIT4), _JAVA)
JUNIT5 = SuiteFormat(partial(framework_suite, framework=java.JUNIT5), _JAVA)
JSON = SuiteFormat(json_files)
