"""The functions of --inputs in a suite: `time` and `getenv` answer what the recorded run got.

They stand in front of the C library's (symbols.py); what they do is in templates/environment.c.
"""

from __future__ import annotations

from veer.model.inputs import Root
from veer.model.program import Program
from veer.suite.c.symbols import Stand, defined

_FUNCTIONS = {
    "time": Stand("long", "long *where", "veer_answer_time(where)"),
    "gettimeofday": Stand("int", "struct veer_moment *where, int *zone", "veer_answer_gettimeofday(where, zone)"),
    "clock_gettime": Stand("int", "int clock, struct veer_moment *where", "veer_answer_clock_gettime(clock, where)"),
    "clock": Stand("long", "void", "veer_answer_clock()"),
    "sleep": Stand("unsigned int", "unsigned int seconds", "veer_answer_sleep(seconds)"),
    "usleep": Stand("int", "unsigned int microseconds", "veer_answer_usleep(microseconds)"),
    "nanosleep": Stand(
        "int", "const struct veer_moment *wanted, struct veer_moment *left", "veer_answer_nanosleep(wanted, left)"
    ),
    "rand": Stand("int", "void", '(int)veer_answer_long("rand", "rand()")'),
    "random": Stand("long", "void", 'veer_answer_long("random", "random()")'),
    "getenv": Stand("char *", "const char *name", "veer_answer_getenv(name)"),
    "secure_getenv": Stand("char *", "const char *name", "veer_answer_getenv(name)"),
    "setenv": Stand(
        "int", "const char *name, const char *value, int overwrite", "veer_answer_setenv(name, value, overwrite)"
    ),
    "unsetenv": Stand("int", "const char *name", "veer_answer_unsetenv(name)"),
    "putenv": Stand("int", "char *text", "veer_answer_putenv(text)"),
    "clearenv": Stand("int", "void", "veer_answer_clearenv()"),
}


_VARIABLES = frozenset(("secure_getenv", "setenv"))
"""Functions that ask for a variable, as getenv does."""


def answers(program: Program) -> str:
    """The definitions of the functions whose answers are inputs; empty when there are none."""
    return "".join(defined(name, _FUNCTIONS[name]) for name in program.asked)


def is_answer(program: Program, root: Root) -> bool:
    """Whether this input is what such a function answered, or whether one failed (failures.py)."""
    name, bracket, _ = root.name.partition("(")
    return bool(bracket) and (
        name in (*program.asked, *program.failing) or (name == "getenv" and bool({*program.asked} & _VARIABLES))
    )
