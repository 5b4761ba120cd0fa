"""Programs that build blocks, with known mutants: M(k, right, wrong) is `right`, and `wrong` where MUTANT is k.

A function makes blocks of random structs, fills some of their members, links them in any way (cycles, aliases, NULL,
what it was given, static data), stores one behind an out-parameter and one in a static variable, frees what it was
given, and returns one. Each mutant of it stores another number, leads elsewhere, or frees less: all of them show in
what the call leaves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

RIGHT = "#define M(number, right, wrong) (right)\n"
CHOSEN = """#include <stdlib.h>
static int chosen(void) { return atoi(getenv("MUTANT")); }
#define M(number, right, wrong) (chosen() == number ? (wrong) : (right))
"""
_NUMBERS = {
    "char": (1, 100),
    "signed char": (-100, 100),
    "unsigned char": (1, 250),
    "short": (-30000, 30000),
    "unsigned": (1, 4_000_000_000),
    "int": (-2_000_000_000, 2_000_000_000),
    "long": (-(10**15), 10**15),
    "float": (-500, 500),
    "double": (-500, 500),
}


@dataclass(slots=True)
class Program:
    """`text`: the source without M; `mutants`: how many there are, from 1 on."""

    text: str = ""
    mutants: int = 0
    lines: list[str] = field(default_factory=list)

    def mutated(self, right: str, wrong: str) -> str:
        """An expression, which has a mutant."""
        self.mutants += 1
        return f"M({self.mutants}, {right}, {wrong})"


def made_program(seed: int) -> Program:
    """A program with `struct s0 *build(int x, struct given *g, struct s0 **out)`."""
    random, program = Random(seed), Program()
    members = [_members(random) for _ in range(2)]
    for number, own in enumerate(members):
        fields = "".join(f" {each};" for each in own.values())
        program.lines.append(f"struct s{number} {{{fields} struct s{1 - number} *other; struct s0 *up; }};")
    program.lines += [
        "struct given { int n; char *name; };",
        "static struct s0 *kept;",
        "struct s0 *build(int x, struct given *g, struct s0 **out)",
        "{",
    ]
    blocks = [random.randrange(2) if number else 0 for number in range(random.randint(2, 4))]
    for number, of in enumerate(blocks):
        how = random.choice(("malloc(sizeof(struct s{}))", "calloc(1, sizeof(struct s{}))")).format(of)
        program.lines.append(f"    struct s{of} *b{number} = {how};")
    for number, of in enumerate(blocks):
        _fill(random, program, f"b{number}", members[of])
        others = [f"b{each}" for each, kind in enumerate(blocks) if kind == 1 - of]
        ups = [f"b{each}" for each, kind in enumerate(blocks) if kind == 0]
        _link(random, program, f"b{number}->other", others, blocks)
        _link(random, program, f"b{number}->up", ups, blocks)
    chain = [f"b{each}" for each in range(len(blocks)) if blocks[each] == 0]
    own = f"    if (x > 10) b0->{_first_number(members[0])} = {program.mutated('5', '6')};"
    ends = [
        f"    *out = {program.mutated(random.choice(chain), 'NULL')};",
        f"    kept = {program.mutated('b0', 'NULL')};",
        f"    if ({program.mutated('1', '0')}) free(g->name);\n    if ({program.mutated('1', '0')}) free(g);",
    ]
    random.shuffle(ends)
    # All blocks stay reachable, so that none is a leak: from a list of the unit's own.
    keeps = [f"    hold{of}[{number}] = b{number};" for number, of in enumerate(blocks)]
    program.lines += [own, *ends, *keeps, f"    return {program.mutated('b0', 'NULL')};", "}"]
    program.lines.insert(3, "static struct s0 *hold0[4]; static struct s1 *hold1[4] __attribute__((unused));")
    program.text = "\n".join(program.lines) + "\n"
    return program


def _members(random: Random) -> dict[str, str]:
    """Declarations of members by their names; one number at least."""
    kinds = [random.choice([*_NUMBERS, "text", "bits"]) for _ in range(random.randint(1, 4))]
    found = {}
    for number, kind in enumerate(["int", *kinds]):
        name = f"m{number}_{kind.replace(' ', '_')}"
        found[name] = {"text": f"char {name}[6]", "bits": f"unsigned {name} : 5"}.get(kind, f"{kind} {name}")
    items = list(found.items())
    random.shuffle(items)
    return dict(items)


def _first_number(members: dict[str, str]) -> str:
    return next(name for name in members if name.endswith("_int"))


def _fill(random: Random, program: Program, block: str, members: dict[str, str]) -> None:
    """Values for most of the members; what is left is written by nobody, or 0 by calloc."""
    for name in members:
        kind = name.partition("_")[2].replace("_", " ")
        if name != _first_number(members) and random.random() < 0.25:
            continue
        if kind == "text":
            text = "".join(random.choice("abcdef") for _ in range(random.randint(1, 5)))
            value = program.mutated(f'"{text}"', f'"{text[:-1]}x"')
            program.lines.append(f"    strcpy({block}->{name}, {value});")
        else:
            low, high = (1, 30) if kind == "bits" else _NUMBERS[kind]
            number = random.randint(low, high) or 1
            suffix = "l" if kind == "long" else "u" if number > 2**31 - 1 else ""
            value = program.mutated(f"{number}{suffix}", f"{number + (1 if number < high else -1)}{suffix}")
            program.lines.append(f"    {block}->{name} = {value};")


def _link(random: Random, program: Program, target: str, others: list[str], blocks: list[int]) -> None:
    value = random.choice(["NULL", *others, *others])
    wrong = "NULL" if value != "NULL" else random.choice(others) if others else ""
    program.lines.append(f"    {target} = {program.mutated(value, wrong) if wrong else value};")
