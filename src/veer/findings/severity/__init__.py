"""The severity of a bug: which contracts that the code implies its input breaks (model/severity.py).

    witness.py    what a rule looks at: the fault, the input with the place of each value, what the unit's code shows
    nulls.py      NULL where the code never tests for it
    buffers.py    a buffer that is shorter than the code takes for granted, and has no length that it asks for
    fields.py     a number in a struct that no function of the unit stores there
    shapes.py     objects that are reached twice, or from themselves, where no function of the unit makes that
    repair.py     moves numbers of an input to what the unit stores, if it still shows the fault
    machine.py    an address of the program's own, where the machine it is written for has a register
    assessor.py   all rules → a Judgement; of several inputs that show a bug, the one that breaks fewest

A rule is a function `broken(witness) -> Iterator[Broken]`. It looks at one recorded run and at nothing of the search,
so that every search and every language gets it. Without facts of the unit (Program.facts is None) no rule speaks.
"""
