"""The severity of a bug: which contracts that the code implies its input breaks (model/severity.py).

    witness.py    what a rule looks at: the fault, the input with the place of each value, what the unit's code shows
    nulls.py      NULL where the code never tests for it
    buffers.py    a buffer that is shorter than the code takes for granted, and has no length that it asks for
    encoded.py    bytes in a form of their own, whose length is in themselves
    lengths.py    a number that says more than the buffer has which stands beside it
    wholeblocks.py   a length that is no whole number of the blocks in which the code goes along
    ends.py       two pointers that the code takes for the ends of one object, and that lead to two
    callers.py    a number that a static function never checks, so that its callers say what it is
    unchecked.py  an index of a public function that nothing checks
    fields.py     a number in a struct that no function of the unit stores there
    enumerations.py   a number that its enumeration does not have
    asserted.py   an assertion that the entry begins with, or that asks of its arguments as they came
    conditions.py    what a run asked where an assertion failed
    state.py      static data that others set before they call the entry
    states.py     a number behind a parameter that the function sets for its next call
    kept.py       a field that is NULL while another one, which is set with it, says otherwise
    disguised.py  members of unions and bytes that the code takes for a pointer
    library.py    streams that are no open files, formats that ask for more than is passed
    calls.py      another argument than in the call that the static data is of
    shapes.py     objects that are reached twice, or from themselves, where no function of the unit makes that
    rounds.py     a number that asks for more rounds than a run has steps
    longruns.py   whether a run that used up its steps is long, or endless
    repair.py     moves numbers of an input to such as a caller may give, if it still shows the fault
    mixed.py      objects of two classes where a call has one
    machine.py    an address of the program's own, where the machine it is written for has a register
    assessor.py   all rules → a Judgement; of several inputs that show a bug, the one that breaks fewest

A rule is a function `broken(witness) -> Iterator[Broken]`. It looks at one recorded run and at nothing of the search,
so that every search and every language gets it. Without facts of the unit (Program.facts is None) only
rules of parameters speak, if anything is shown of these.
"""
