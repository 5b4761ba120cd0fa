"""The functions of --inputs in a suite: `time` and `getenv` answer what the recorded run got.

    long veer_as_time(long *where) __asm__("time");
    long veer_as_time(long *where) { return veer_answer_time(where); }

Defined by symbol name, in front of the C library's, so that the program's other sources get the same answers. What they
do is in templates/environment.c: these bodies have no branches (interfaces.py says why).
"""

from __future__ import annotations

from veer.model.inputs import Root
from veer.model.program import Program
from veer.suite.c.template_files import template

_FUNCTIONS = {
    "time": ("long", "long *where", "veer_answer_time(where)"),
    "gettimeofday": ("int", "struct veer_moment *where, int *zone", "veer_answer_gettimeofday(where, zone)"),
    "clock_gettime": ("int", "int clock, struct veer_moment *where", "veer_answer_clock_gettime(clock, where)"),
    "clock": ("long", "void", 'veer_answer_long("clock", "clock()")'),
    "rand": ("int", "void", '(int)veer_answer_long("rand", "rand()")'),
    "random": ("long", "void", 'veer_answer_long("random", "random()")'),
    "getenv": ("char *", "const char *name", "veer_answer_getenv(name)"),
    "secure_getenv": ("char *", "const char *name", "veer_answer_getenv(name)"),
}


def answers(program: Program) -> str:
    """The definitions of the functions whose answers are inputs; empty when there are none."""
    lines = [template("environment.c")] if program.asked else []
    for name in program.asked:
        result, parameters, answer = _FUNCTIONS[name]
        head = f"{result} veer_as_{name}({parameters})"
        lines.append(f'{head} __asm__("{name}");\n{head} {{ return {answer}; }}\n')
    return "".join(lines)


def is_answer(program: Program, root: Root) -> bool:
    """Whether this input is what such a function answered, or whether one failed (failures.py)."""
    name, bracket, _ = root.name.partition("(")
    return bool(bracket) and (
        name in (*program.asked, *program.failing) or (name == "getenv" and "secure_getenv" in program.asked)
    )
